//! STEP files (ISO 10303-21) of application protocol 214: one solid for each sphere, as Open CASCADE writes it.

use std::io::{self, Write};

use super::export::Scene;

/// The entities before the solids: a product, and millimeters and radians as units. `%` stands for the list of the solids.
const HEAD: &str = "\
ISO-10303-21;
HEADER;
FILE_DESCRIPTION(('spheres'),'2;1');
FILE_NAME('spheres','1970-01-01T00:00:00',(''),(''),'jostle','jostle','');
FILE_SCHEMA(('AUTOMOTIVE_DESIGN { 1 0 10303 214 1 1 1 1 }'));
ENDSEC;
DATA;
#1=APPLICATION_CONTEXT('core data for automotive mechanical design processes');
#2=APPLICATION_PROTOCOL_DEFINITION('international standard','automotive_design',2000,#1);
#3=PRODUCT_CONTEXT('',#1,'mechanical');
#4=PRODUCT('spheres','spheres','',(#3));
#5=PRODUCT_DEFINITION_FORMATION('','',#4);
#6=PRODUCT_DEFINITION_CONTEXT('part definition',#1,'design');
#7=PRODUCT_DEFINITION('design','',#5,#6);
#8=PRODUCT_DEFINITION_SHAPE('','',#7);
#9=SHAPE_DEFINITION_REPRESENTATION(#8,#10);
#10=ADVANCED_BREP_SHAPE_REPRESENTATION('',(#19%),#15);
#11=(LENGTH_UNIT()NAMED_UNIT(*)SI_UNIT(.MILLI.,.METRE.));
#12=(NAMED_UNIT(*)PLANE_ANGLE_UNIT()SI_UNIT($,.RADIAN.));
#13=(NAMED_UNIT(*)SI_UNIT($,.STERADIAN.)SOLID_ANGLE_UNIT());
#14=UNCERTAINTY_MEASURE_WITH_UNIT(LENGTH_MEASURE(1.E-07),#11,'distance_accuracy_value','confusion accuracy');
#15=(GEOMETRIC_REPRESENTATION_CONTEXT(3)GLOBAL_UNCERTAINTY_ASSIGNED_CONTEXT((#14))GLOBAL_UNIT_ASSIGNED_CONTEXT((#11,#12,#13))\
REPRESENTATION_CONTEXT('',''));
#16=DIRECTION('',(0.,0.,1.));
#17=DIRECTION('',(1.,0.,0.));
#18=CARTESIAN_POINT('',(0.,0.,0.));
#19=AXIS2_PLACEMENT_3D('',#18,#16,#17);
#20=PRODUCT_RELATED_PRODUCT_CATEGORY('part',$,(#4));
";

/// Number of the first entity of the spheres.
const FIRST: usize = 21;

/// Number of entities of a sphere. The first one is its solid.
const ENTITIES: usize = 10;

/// Writes a solid for each sphere. Its surface is one face, whose boundary is the lowest point.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let number = |sphere: usize| FIRST + ENTITIES * sphere;
    let (before, after) = HEAD.split_once('%').unwrap_or((HEAD, ""));
    out.write_all(before.as_bytes())?;
    for sphere in 0..scene.len() {
        write!(out, ",\n#{}", number(sphere))?;
    }
    out.write_all(after.as_bytes())?;
    for (sphere, (center, radius)) in scene.spheres.iter().enumerate() {
        let [
            solid,
            shell,
            face,
            bound,
            ring,
            vertex,
            lowest,
            surface,
            placement,
            middle,
        ] = std::array::from_fn(|entity| number(sphere) + entity);
        let [x, y, z, low, r] = [center.x, center.y, center.z, center.z - radius, radius].map(real);
        writeln!(
            out,
            "#{solid}=MANIFOLD_SOLID_BREP('sphere {id}',#{shell});\n\
             #{shell}=CLOSED_SHELL('',(#{face}));\n\
             #{face}=ADVANCED_FACE('',(#{bound}),#{surface},.T.);\n\
             #{bound}=FACE_BOUND('',#{ring},.T.);\n\
             #{ring}=VERTEX_LOOP('',#{vertex});\n\
             #{vertex}=VERTEX_POINT('',#{lowest});\n\
             #{lowest}=CARTESIAN_POINT('',({x},{y},{low}));\n\
             #{surface}=SPHERICAL_SURFACE('',#{placement},{r});\n\
             #{placement}=AXIS2_PLACEMENT_3D('',#{middle},#16,#17);\n\
             #{middle}=CARTESIAN_POINT('',({x},{y},{z}));",
            id = scene.id(sphere),
        )?;
    }
    writeln!(out, "ENDSEC;\nEND-ISO-10303-21;")
}

/// Returns a number as STEP demands it: with a decimal point, and with a capital letter before the exponent.
fn real(number: f64) -> String {
    let text = zmij::Buffer::new().format_finite(number).to_owned();
    let (digits, exponent) = match text.split_once('e') {
        Some((digits, exponent)) => (digits.to_owned(), format!("E{exponent}")),
        None => (text, String::new()),
    };
    let point = if digits.contains('.') { "" } else { "." };
    format!("{digits}{point}{exponent}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_have_a_point_and_a_capital_exponent() {
        for (number, expected) in [
            (0.5, "0.5"),
            (-2.0, "-2.0"),
            (1e-9, "1.E-9"),
            (1.5e30, "1.5E+30"),
        ] {
            let text = real(number);
            assert_eq!(text.parse(), Ok(number), "{text}");
            assert_eq!(text.replace("E+", "E"), expected.replace("E+", "E"));
        }
    }
}
