//! Numbers and names as people read them.

use std::path::Path;

use super::{
    constants::{RESULT_WIDTH, SMALL_CONTAINER},
    help::fill,
};
use crate::names::{trimmed, visible};
use crate::{
    Boundary, Container, Dimension,
    analysis::BedSummary,
    container::{Axis, BoundarySpec, Solid},
    packing::{JamEnd, Jamming, StabilityCertificate},
};

/// Returns a number with `digits` significant digits and without trailing zeros, in powers of ten where that is shorter.
pub fn rounded(value: f64, digits: usize) -> String {
    if value == 0.0 || !value.is_finite() {
        return value.abs().to_string();
    }
    // The exponent after rounding, so that 9.9999 counts as 10.
    let scientific = format!("{value:.*e}", digits - 1);
    let (mantissa, exponent) = scientific.split_once('e').unwrap_or((&scientific, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    if (-4..9).contains(&exponent) {
        let decimals = (digits as i32 - 1 - exponent).max(0) as usize;
        trimmed(&format!("{value:.decimals$}")).to_owned()
    } else {
        format!("{}e{exponent}", trimmed(mantissa))
    }
}

/// Returns a row of a name and a value, which starts in column `start` and continues there below itself beyond [`RESULT_WIDTH`].
pub fn row(name: &str, value: &str, start: usize) -> String {
    let value = fill(value.split(' '), start, start, RESULT_WIDTH);
    format!("{name:<start$}{value}")
}

/// Returns a number with its sign and `decimals` decimals. A number that rounds to zero has no sign.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    let is_zero = text.bytes().all(|byte| !(b'1'..=b'9').contains(&byte));
    text[usize::from(is_zero)..].to_owned()
}

/// Returns two numbers with `digits` significant digits as a range, or one number if these are equal.
pub fn range(low: f64, high: f64, digits: usize) -> String {
    let [low, high] = [low, high].map(|value| rounded(value, digits));
    if low == high {
        low
    } else {
        format!("{low} to {high}")
    }
}

/// Returns the numbers of all, of fixed and of missing spheres of a packing.
pub fn present(spheres: usize, fixed: usize, left_out: u64) -> String {
    let mut text = spheres.to_string();
    if fixed > 0 {
        text += &format!(", of which {fixed} fixed");
    }
    if left_out > 0 {
        text += &format!("; {left_out} found no room");
    }
    text
}

/// Returns the error of the mass curve, beside which there is a warning if it is large.
pub fn mass_curve(error: f64, warning: Option<&str>) -> String {
    let percent = rounded(100.0 * error, 2);
    match warning {
        None => format!("within {percent} % of the requested one"),
        Some(_) => format!("{percent} % off the requested one"),
    }
}

/// Returns two different numbers, with at least `digits` significant digits and as many as tell them apart.
pub fn told_apart(a: f64, b: f64, digits: usize) -> [String; 2] {
    // No two numbers have the same 17 digits.
    let texts = |digits| [a, b].map(|value| rounded(value, digits));
    (digits..17)
        .map(texts)
        .find(|[a, b]| a != b)
        .unwrap_or_else(|| texts(17))
}

/// Returns a packing fraction with four decimals, or with four significant digits if it is small.
pub fn fraction(value: f64) -> String {
    if value < 0.1 {
        rounded(value, 4)
    } else {
        format!("{value:.4}")
    }
}

/// Returns a value with its unit, if there is one.
pub fn with_unit(value: &str, unit: &str) -> String {
    if unit.is_empty() {
        value.to_owned()
    } else {
        format!("{value} {}", visible(unit, ""))
    }
}

/// Returns a time in one unit with two or three digits: `0.35 s`, `72 s`, `12 min`, `2.5 h`.
pub fn duration(seconds: f64) -> String {
    if seconds < 99.5 {
        format!("{} s", rounded(seconds, 2))
    } else if seconds < 99.5 * 60.0 {
        format!("{:.0} min", seconds / 60.0)
    } else {
        format!("{:.1} h", seconds / 3600.0)
    }
}

/// Returns a count with its noun: `1 sphere`, `2 spheres`.
pub fn counted(count: u64, noun: &str) -> String {
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// Returns the shape and the lengths of a container, and the kinds of its faces.
pub fn container(container: &Container, unit: &str) -> String {
    let length = |value: f64| rounded(value, 5);
    let sizes = match container.solid() {
        #[cfg(feature = "mesh")]
        Solid::Mesh(mesh) => format!(
            "mesh of {} in a box of {}",
            counted(mesh.triangles().len() as u64, "triangle"),
            mesh.lengths().to_array().map(length).join(" × ")
        ),
        Solid::Cylinder(cylinder) => format!(
            "cylinder of diameter {} and height {}",
            length(cylinder.diameter),
            length(cylinder.height)
        ),
        Solid::Sphere(ball) => format!("sphere of diameter {}", length(ball.diameter)),
        Solid::Cone(cone) => format!(
            "cone of diameters {} to {} and height {}",
            length(cone.bottom),
            length(cone.top),
            length(cone.height)
        ),
        Solid::Rectangle(rectangle) => rectangle.lengths.to_array().map(length).join(" × "),
        Solid::Outline(outline) => {
            let [x, y, _] = container.lengths().to_array();
            let rings = counted(outline.rings().count() as u64, "ring");
            format!("outline of {rings} in {} × {}", length(x), length(y))
        }
        Solid::Circle(circle) => format!("circle of diameter {}", length(circle.diameter)),
        Solid::Box(cuboid) => cuboid.lengths.to_array().map(length).join(" × "),
    };
    let faces = match container.boundary_spec() {
        BoundarySpec::Axes(_) | BoundarySpec::Plane(_) => {
            (container.boundary()).in_words(container.dimension(), "periodic")
        }
        BoundarySpec::Axis(Boundary::Periodic) => format!("periodic along {}", container.axis()),
        BoundarySpec::Axis(Boundary::Wall) => "walls".to_owned(),
    };
    let axis = match (container.axis(), container.boundary_spec()) {
        (Axis::Z, _) | (_, BoundarySpec::Axis(Boundary::Periodic)) => String::new(),
        (axis, _) => format!(", axis along {axis}"),
    };
    let bodies = match container.bodies().len() {
        0 => String::new(),
        1 => ", around 1 body".to_owned(),
        count => format!(", around {count} bodies"),
    };
    format!("{}{axis}, {faces}{bodies}", with_unit(&sizes, unit))
}

/// Returns the origin of the predicted packing fraction.
pub fn prediction(container: &Container) -> &'static str {
    match container.dimension() {
        Dimension::Two => "for random close packing, from the spread of the sizes",
        Dimension::Three => "for random close packing (Farr & Groot 2009)",
    }
}

/// Returns a sentence about a container that lowers the packing fraction to expect, for this largest diameter; `None` for a
/// container that hardly matters.
pub fn lowering(container: &Container, d_max: f64) -> Option<&'static str> {
    if (0..container.dimension().number()).any(|axis| !container.is_periodic(axis)) {
        Some("walls lower it")
    } else if container.shortest_length() < SMALL_CONTAINER * d_max {
        Some("so small a container may lower it")
    } else {
        None
    }
}

/// Returns a help text that lists the names to choose from: `Index: a, b or c [default: a]`.
pub fn choices(what: &str, names: &[&str], default: impl std::fmt::Display) -> String {
    let names = match names {
        [others @ .., last] if !others.is_empty() => format!("{} or {last}", others.join(", ")),
        _ => names.join(", "),
    };
    format!("{what}: {names} [default: {default}]")
}

/// Returns file names in a row.
pub fn files(paths: &[std::path::PathBuf]) -> String {
    let names: Vec<_> = paths
        .iter()
        .map(|path| visible(&path.display().to_string(), ""))
        .collect();
    names.join(", ")
}

/// Returns rows about a bed at rest, whose lengths have a unit.
pub fn bed(bed: &BedSummary, unit: &str) -> Vec<(&'static str, String)> {
    let length = |value: f64| with_unit(&rounded(value, 4), unit);
    let core = bed.core.map_or_else(String::new, |core| {
        format!(", {} in the core", fraction(core))
    });
    let mut rows = vec![
        (
            "bed height",
            format!(
                "{}, free surface at {} ± {}",
                length(bed.height),
                length(bed.surface),
                length(bed.roughness)
            ),
        ),
        (
            "bed fraction",
            format!(
                "{} below the free surface{core}",
                fraction(bed.packing_fraction)
            ),
        ),
    ];
    let supports = bed.supports.zip(bed.mean_supports);
    rows.extend(supports.map(|(supports, mean)| {
        let mean = rounded(mean, 4);
        ("supports", format!("{supports}, mean {mean} of a sphere"))
    }));
    rows
}

/// Returns the words about a packing that was to be jammed.
pub fn jammed(jamming: &Jamming) -> String {
    let from = fraction(jamming.start_fraction);
    let work = counted(jamming.evaluations, "evaluation");
    match (jamming.end, jamming.gap) {
        (JamEnd::Jammed, Some(gap)) => format!(
            "yes, with gaps of up to {} diameters, from {from} in {work}",
            rounded(gap, 2)
        ),
        (JamEnd::AsRequested, _) => "no, as it has the requested size before it jams".to_owned(),
        (JamEnd::Looser, _) => format!("no, as it would be looser, after {work}"),
        (JamEnd::Interrupted, _) => format!("no, stopped after {work}"),
        _ => format!("no, the forces do not balance after {work}"),
    }
}

/// Returns the words for the certificate of spheres at rest.
pub fn stability(certificate: &StabilityCertificate) -> String {
    let verdict = match certificate.unsupported {
        0 => "all spheres rest on their supports".to_owned(),
        count => unsupported(count),
    };
    format!(
        "{verdict}; worst margin {}°, largest gap {} diameters",
        rounded(certificate.worst_margin, 3),
        rounded(certificate.max_gap, 2)
    )
}

/// Returns a clause about spheres that do not rest on their supports.
pub fn unsupported(count: u64) -> String {
    match count {
        1 => "1 sphere does not rest on its supports".to_owned(),
        _ => format!("{count} spheres do not rest on their supports"),
    }
}

/// Returns the command that continues the run of a checkpoint.
pub fn resume_command(path: &Path) -> String {
    let needs_no_quotes = |c: char| c.is_alphanumeric() || "-_./+=:,@".contains(c);
    let is_plain = path
        .to_str()
        .is_some_and(|name| name.chars().all(needs_no_quotes));
    if is_plain {
        format!("jostle resume {}", path.display())
    } else {
        format!("jostle resume '{}'", path.display())
    }
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;

    #[test]
    fn times_have_one_unit() {
        for (seconds, text) in [
            (0.0213, "0.021 s"),
            (71.6, "72 s"),
            (99.7, "2 min"),
            (725.0, "12 min"),
            (9000.0, "2.5 h"),
        ] {
            assert_eq!(duration(seconds), text);
        }
    }

    #[test]
    fn containers_tell_their_lengths_and_faces() {
        for (boundary, text) in [
            ("ppp", "1 × 2 × 3 mm, periodic"),
            ("www", "1 × 2 × 3 mm, walls"),
            ("pwp", "1 × 2 × 3 mm, periodic along x and z, walls along y"),
        ] {
            let lengths = DVec3::new(1.0, 2.0, 3.0);
            let cuboid = Container::cuboid(lengths, boundary.parse().unwrap()).unwrap();
            assert_eq!(container(&cuboid, "mm"), text);
        }
    }

    #[test]
    fn numbers_have_the_requested_digits() {
        for (value, text) in [
            (0.0, "0"),
            (9.9999, "10"),
            (1234.5, "1234"),
            (0.000_123_45, "0.0001234"),
            (1.5e-7, "1.5e-7"),
            (2e12, "2e12"),
            (-0.25, "-0.25"),
        ] {
            assert_eq!(rounded(value, 4), text);
        }
    }

    #[test]
    fn zero_has_no_sign() {
        for (value, text) in [
            (-0.004, "0.00"),
            (0.004, "0.00"),
            (-0.006, "-0.01"),
            (1.0, "+1.00"),
        ] {
            assert_eq!(signed(value, 2), text);
        }
    }

    #[test]
    fn different_numbers_differ_in_print() {
        for (a, b, texts) in [
            (0.25, 0.249_999_99, ["0.25", "0.24999999"]),
            (0.7239, 0.72389, ["0.7239", "0.72389"]),
            (0.5, 0.6, ["0.5", "0.6"]),
            (1.0, 1.0 + f64::EPSILON, ["1", "1.0000000000000002"]),
        ] {
            assert_eq!(told_apart(a, b, 4), texts);
        }
    }

    #[test]
    fn small_packing_fractions_are_not_zero() {
        assert_eq!(fraction(0.64), "0.6400");
        assert_eq!(fraction(5.236e-7), "5.236e-7");
        assert_eq!(fraction(0.0), "0");
    }

    #[test]
    fn the_last_of_several_names_follows_or() {
        let choices = |names| choices("Index", names, "a");
        assert_eq!(choices(&["a"]), "Index: a [default: a]");
        assert_eq!(choices(&["a", "b"]), "Index: a or b [default: a]");
        assert_eq!(choices(&["a", "b", "c"]), "Index: a, b or c [default: a]");
    }
}
