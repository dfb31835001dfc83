//! Meshes as users name them, such as `part.stl,scale=0.001`.

use std::path::Path;

use super::mesh::Mesh;

/// Returns the file of a container or body such as `mesh:part.stl,fit` or `mesh:part.stl@1,2,3`; `None` for other shapes.
pub(crate) fn mesh_file(text: &str) -> Option<&Path> {
    let text = text.trim().strip_prefix("mesh:")?;
    let without_position = text.rsplit_once('@').map_or(text, |(shape, _)| shape);
    Some(Path::new(divide(without_position).0))
}

/// Divides the text of a mesh into the file, the text of its scale, and whether `fit` is there.
fn divide(text: &str) -> (&str, Option<&str>, bool) {
    let (mut file, mut scale, mut fits) = (text, None, false);
    // The name of a file may hold commas.
    while let Some((front, last)) = file.rsplit_once(',') {
        match last.trim().split_once('=') {
            None if last.trim() == "fit" && !fits => fits = true,
            Some((key, value)) if key.trim() == "scale" && scale.is_none() => {
                scale = Some(value.trim());
            }
            _ => break,
        }
        file = front;
    }
    (file, scale, fits)
}

/// Reads the mesh in a file, as in `part.stl`, `part.stl,scale=0.001` or `part.stl,fit`. Returns whether `fit` is there, too.
pub(super) fn read_mesh(text: &str) -> Result<(Mesh, bool), String> {
    let (file, scale, fits) = divide(text);
    if file.is_empty() {
        return Err("a mesh needs the name of a file, as in mesh:part.stl".to_owned());
    }
    let factor = match scale.map(|value| (value, value.parse::<f64>())) {
        None => 1.0,
        Some((_, Ok(factor))) if factor > 0.0 && factor.is_finite() => factor,
        Some((value, _)) => {
            return Err(format!(
                "scale is '{value}'; it must be a positive, finite number"
            ));
        }
    };
    let mesh = Mesh::read(Path::new(file), factor).map_err(|error| error.to_string())?;
    Ok((mesh, fits))
}
