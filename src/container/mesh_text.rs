//! Meshes as users name them, such as `part.stl,scale=0.001,cap`.

use std::path::Path;

use glam::DVec3;

use super::mesh::{Mesh, MeshReader};

/// Returns the file of a container or body such as `mesh:part.stl,fit` or `mesh:part.stl@1,2,3`; `None` for other shapes.
pub(crate) fn mesh_file(text: &str) -> Option<&Path> {
    let text = text.trim().strip_prefix("mesh:")?;
    let without_position = text.rsplit_once('@').map_or(text, |(shape, _)| shape);
    Some(Path::new(divide(without_position).file))
}

/// The parts of the text of a mesh.
#[derive(Default)]
struct Parts<'a> {
    file: &'a str,
    scale: Option<&'a str>,
    inside: Option<&'a str>,
    fits: bool,
    caps: bool,
}

/// Divides the text of a mesh. The name of the file may hold commas.
fn divide(text: &str) -> Parts<'_> {
    let mut parts = Parts {
        file: text,
        ..Parts::default()
    };
    while let Some((front, field)) = last_field(parts.file) {
        let field = field.trim();
        match field
            .split_once('=')
            .map(|(key, value)| (key.trim(), value.trim()))
        {
            None if field == "fit" && !parts.fits => parts.fits = true,
            None if field == "cap" && !parts.caps => parts.caps = true,
            Some(("scale", value)) if parts.scale.is_none() => parts.scale = Some(value),
            Some(("inside", value)) if parts.inside.is_none() => parts.inside = Some(value),
            _ => break,
        }
        parts.file = front;
    }
    parts
}

/// Divides a text before its last field. The field `inside=1,2,3` holds numbers after commas.
fn last_field(text: &str) -> Option<(&str, &str)> {
    let mut fields = text
        .rmatch_indices(',')
        .map(|(at, _)| (&text[..at], &text[at + 1..]));
    fields.find(|(_, field)| {
        let word = field.split(',').next();
        word.is_none_or(|word| word.trim().parse::<f64>().is_err())
    })
}

/// Reads the mesh in a file, as in `part.stl`, `part.stl,scale=0.001`, `part.stl,cap,inside=1,2,3` or `part.stl,fit`. Returns whether `fit` is
/// there, too.
pub(super) fn read_mesh(text: &str) -> Result<(Mesh, bool), String> {
    let parts = divide(text);
    if parts.file.is_empty() {
        return Err("a mesh needs the name of a file, as in mesh:part.stl".to_owned());
    }
    let mut reader = MeshReader::default();
    if let Some(value) = parts.scale {
        let factor = value.parse().ok();
        let factor = factor.filter(|factor: &f64| *factor > 0.0 && factor.is_finite());
        reader =
            reader.scale(factor.ok_or_else(|| {
                format!("scale is '{value}'; it must be a positive, finite number")
            })?);
    }
    if let Some(value) = parts.inside {
        reader = reader.inside(read_point(value)?);
    }
    if parts.caps {
        reader = reader.cap();
    }
    if let Some((_, value)) = parts.file.rsplit_once(",inside=") {
        // The field was not recognized as its value holds other than numbers.
        read_point(value)?;
    }
    let mesh = reader.read(Path::new(parts.file));
    Ok((mesh.map_err(|error| error.to_string())?, parts.fits))
}

/// Reads the point of `inside`.
fn read_point(text: &str) -> Result<DVec3, String> {
    let numbers: Option<Vec<f64>> = text
        .split(',')
        .map(|word| word.trim().parse().ok())
        .collect();
    match numbers.as_deref() {
        Some(&[x, y, z]) if DVec3::new(x, y, z).is_finite() => Ok(DVec3::new(x, y, z)),
        _ => Err(format!(
            "inside is '{text}'; it must be three finite numbers x,y,z, as in inside=1,2,3"
        )),
    }
}
