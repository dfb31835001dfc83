//! Bodies as users write them, such as `cylinder:d=2,h=8@5,5,5,axis=x`.

use std::str::FromStr;

use glam::DVec3;

#[cfg(feature = "mesh")]
use super::mesh_text::read_mesh;
use super::{
    axis::Axis,
    body::Body,
    outline::read_outline,
    solid::Solid,
    text::{read_fields, unknown_shape},
};
use crate::{dimension::Dimension, names::one_line};

/// A text that describes no body.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", one_line(format!("body '{text}': {problem}")))]
pub struct ParseBodyError {
    text: String,
    problem: String,
}

/// The texts that describe bodies.
const FORMS: &str = "cylinder:d=2,h=8@5,5,5,axis=x, cylinder:d=2@5,5,5,axis=x (along a periodic axis), sphere:d=2@5,5,5, \
                     box:lx=1,ly=2,lz=3@5,5,5, circle:d=2@5,5, rectangle:lx=1,ly=2@5,5, outline:part.svg@5,5, cone:d_bottom=3,d_top=1,h=4@5,5,5,axis=x or mesh:part.stl@5,5,5";

impl FromStr for Body {
    type Err = ParseBodyError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        parse(text).map_err(|problem| ParseBodyError {
            text: text.to_owned(),
            problem,
        })
    }
}

fn parse(text: &str) -> Result<Body, String> {
    let (shape, position) = text
        .rsplit_once('@')
        .ok_or_else(|| format!("there is no position after an @; expected {FORMS}"))?;
    if let Some(file) = shape.trim().strip_prefix("outline:") {
        let read = read_outline(file);
        return in_file("outline", position, Dimension::Two, read, Solid::Outline);
    }
    #[cfg(feature = "mesh")]
    if let Some(file) = shape.trim().strip_prefix("mesh:") {
        let read = read_mesh(file);
        return in_file("mesh", position, Dimension::Three, read, Solid::Mesh);
    }
    let (name, mut fields) = read_fields(shape)?;
    let unit = Solid::unit(name);
    if let Some(unit) = &unit {
        fields.check_keys(unit, &[], FORMS)?;
    }
    let mut solid = unit.ok_or_else(|| unknown_shape(name, FORMS))?;
    let (position, axis) = read_position(position, solid.dimension())?;
    for (key, value) in solid.parameters_mut() {
        *value = match fields.take_number(key)? {
            Some(number) => number,
            // A cylinder without ends.
            None if name == "cylinder" && key == "h" => f64::INFINITY,
            None => return Err(format!("a {name} needs {key}; expected {FORMS}")),
        };
    }
    if axis.is_some() && !solid.has_axis() {
        return Err(no_axis(name));
    }
    let body = Body::new(solid, position).along(axis.unwrap_or(Axis::Z));
    body.check_numbers().map_err(|error| error.to_string())?;
    Ok(body)
}

/// Returns the sentence about an axis that a shape does not have.
fn no_axis(name: &str) -> String {
    format!("a {name} has no axis; only a cylinder and a cone have one")
}

/// Returns the body that was read from a file. The position moves the coordinates of the file.
fn in_file<T>(
    name: &str,
    position: &str,
    dimension: Dimension,
    read: Result<(T, bool), String>,
    solid: impl Fn(T) -> Solid,
) -> Result<Body, String> {
    let (shift, axis) = read_position(position, dimension)?;
    if axis.is_some() {
        return Err(no_axis(name));
    }
    let (found, fits) = read?;
    if fits {
        return Err(
            "a body cannot have 'fit'; its size is that of the file, times scale".to_owned(),
        );
    }
    let solid = solid(found);
    let corner = solid.file_origin().unwrap_or_default() + shift;
    Ok(Body::new(solid, corner))
}

/// Reads a coordinate for each dimension, and an axis if there is one.
fn read_position(text: &str, dimension: Dimension) -> Result<(DVec3, Option<Axis>), String> {
    let mut parts: Vec<&str> = text.split(',').map(str::trim).collect();
    let mut axis = None;
    if let Some((key, value)) = parts.last().and_then(|last| last.split_once('=')) {
        if key.trim() != "axis" {
            return Err(format!(
                "unknown field '{}' after the position; expected axis=x, axis=y or axis=z",
                key.trim()
            ));
        }
        axis = Some(read_axis(value.trim())?);
        parts.pop();
    }
    let numbers: Option<Vec<f64>> = parts.iter().map(|part| part.parse().ok()).collect();
    let position = match (dimension, numbers.as_deref()) {
        (Dimension::Two, Some(&[x, y])) => Some(DVec3::new(x, y, 0.0)),
        (Dimension::Three, Some(&[x, y, z])) => Some(DVec3::new(x, y, z)),
        _ => None,
    };
    let expected = match dimension {
        Dimension::Two => "two finite numbers x,y, as in @5,5",
        Dimension::Three => "three finite numbers x,y,z, as in @5,5,5",
    };
    let position = position.filter(|position| position.is_finite());
    let position = position.ok_or_else(|| format!("the position is '{text}'; expected {expected}"));
    Ok((position?, axis))
}

/// Reads the direction of an axis.
pub(super) fn read_axis(text: &str) -> Result<Axis, String> {
    ([Axis::X, Axis::Y, Axis::Z].into_iter())
        .find(|axis| axis.to_string() == text)
        .ok_or_else(|| format!("axis is '{text}'; it must be x, y or z"))
}
