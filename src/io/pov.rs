//! POV-Ray scenes: the spheres, a camera and a light.

use std::io::{self, Write};

use super::{color::Colors, export::Scene, text::write_numbers};

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let (lengths, middle) = (scene.container.lengths(), 0.5 * (scene.low + scene.high()));
    let [x, y, z] = middle.to_array();
    let distance = lengths.length();
    // POV-Ray's coordinates are left-handed; `right` with a negative x makes them right-handed, with z upwards.
    writeln!(
        out,
        "// {} spheres by jostle: povray +W1200 +H1200 THIS_FILE\n\
         #version 3.7;\n\
         global_settings {{ assumed_gamma 1.0 }}\n\
         background {{ color rgb 1 }}\n\
         camera {{ location <{}, {}, {}> sky z right -x*image_width/image_height look_at <{x}, {y}, {z}> angle 45 }}\n\
         light_source {{ <{}, {}, {}> color rgb 1 }}",
        scene.len(),
        x + 0.8 * distance,
        y - 1.3 * distance,
        z + 0.7 * distance,
        x + 2.0 * distance,
        y - 2.0 * distance,
        z + 4.0 * distance,
    )?;
    let colors = Colors::new(scene);
    let mut line = Vec::new();
    for (center, radius) in scene.spheres.iter() {
        line.clear();
        line.extend_from_slice(b"sphere { <");
        write_numbers(&mut line, b", ", center.to_array())?;
        line.extend_from_slice(b">, ");
        write_numbers(&mut line, b"", [radius])?;
        let [red, green, blue] = colors.of(radius);
        writeln!(
            line,
            " pigment {{ color srgb <{red:.3}, {green:.3}, {blue:.3}> }} finish {{ specular 0.2 }} }}"
        )?;
        out.write_all(&line)?;
    }
    Ok(())
}
