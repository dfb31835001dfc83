//! The command that makes a packing again.

use crate::{
    container::{Container, ContainerShape},
    packing::{Packing, Provenance},
};

/// The beginning of a mesh in a command. A packing holds the triangles of its mesh, but no file name.
pub(super) const MESH_FILE: &str = "mesh:FILE";

/// Significant digits of ratios in a command, which rounding errors must not reach.
const RATIO_DIGITS: usize = 12;

/// Returns the command of `jostle pack` that makes the same bits; `None` if the packing has no account of its run.
pub(super) fn command_of(packing: &Packing) -> Option<String> {
    let run = packing.provenance.as_ref()?;
    let mut words = vec![
        "jostle pack".to_owned(),
        quoted(&run.sizes),
        format!("-n {}", packing.spheres.len()),
    ];
    words.extend(container_words(&packing.container, run));
    if run.min_gap != 0.0 {
        words.push(format!("--min-gap {}", run.min_gap));
    }
    if let Some(gap) = run.wall_gap {
        words.push(format!("--wall-gap {gap}"));
    }
    if !run.effort_is_chosen {
        words.push(format!("--effort {}", run.effort));
    }
    if run.exchange_rate != 0.0 {
        words.push(format!("--exchange {}", run.exchange_rate));
    }
    if let Some(sampling) = run.sampling {
        words.push(format!("--sampling {sampling}"));
    }
    words.push(format!("--index {} --seed {}", run.index, run.seed));
    if let Some(sweeps) = run.max_sweeps {
        words.push(format!("--max-sweeps {sweeps}"));
    }
    Some(words.join(" "))
}

/// Returns the options of the container, its boundary and the requested packing fraction.
fn container_words(container: &Container, run: &Provenance) -> Vec<String> {
    // A request that was not reached has a larger container than the requested one.
    let requested = match run.lengths {
        Some(lengths) if lengths != container.lengths() => {
            container.scaled(lengths.x / container.lengths().x)
        }
        _ => container.clone(),
    };
    let mut words: Vec<String> = match (requested.shape(), run.lengths) {
        (ContainerShape::Box { .. }, None) => Vec::new(),
        (ContainerShape::Box { .. }, Some(lengths)) => {
            let lengths = lengths.to_array().map(|length| length.to_string());
            vec![format!("--box {}", lengths.join(","))]
        }
        (shape, Some(_)) => vec![format!("--container {}", exact(&shape))],
        (shape, None) => vec![format!("--container {}", smallest(&shape))],
    };
    let bodies = requested.bodies().iter();
    words.extend(bodies.map(|body| format!("--keep-out {}", quoted(&body.to_string()))));
    if let (None, Some(fraction)) = (run.lengths, run.fraction) {
        words.push(format!("--fraction {fraction}"));
    }
    let boundary = container.boundary_spec().to_string();
    if !["ppp", "w"].contains(&boundary.as_str()) {
        words.push(format!("--boundary {boundary}"));
    }
    words
}

/// Returns the text of a container of exactly this shape and size.
fn exact(shape: &ContainerShape) -> String {
    match shape {
        #[cfg(feature = "mesh")]
        ContainerShape::Mesh(mesh) if mesh.scale() != 1.0 => {
            format!("{MESH_FILE},scale={}", mesh.scale())
        }
        #[cfg(feature = "mesh")]
        ContainerShape::Mesh(_) => MESH_FILE.to_owned(),
        shape => shape.to_string(),
    }
}

/// Returns the text of the smallest container that is similar to this shape.
fn smallest(shape: &ContainerShape) -> String {
    let ratio = |a: f64, b: f64| -> f64 {
        let rounded = format!("{:.*e}", RATIO_DIGITS - 1, a / b);
        rounded.parse().unwrap_or(a / b)
    };
    match *shape {
        ContainerShape::Cylinder { diameter, height } => {
            format!("cylinder:aspect={}", ratio(height, diameter))
        }
        ContainerShape::Cone {
            bottom,
            top,
            height,
        } => format!(
            "cone:taper={},aspect={}",
            ratio(top, bottom),
            ratio(height, bottom)
        ),
        #[cfg(feature = "mesh")]
        ContainerShape::Mesh(_) => format!("{MESH_FILE},fit"),
        _ => shape.name().to_owned(),
    }
}

/// Returns a word as a shell reads it back.
fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_.,:=/+".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', "'\\''"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_survive_a_shell() {
        assert_eq!(quoted("mono:d=1"), "mono:d=1");
        assert_eq!(quoted("my sizes.json"), "'my sizes.json'");
        assert_eq!(quoted("it's"), "'it'\\''s'");
    }
}
