//! Errors of containers.

use super::boundary::BoundarySpec;
use crate::names::short;

/// Parameters that make no container.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ContainerError {
    /// A length of a box is not positive and finite.
    #[error("container length {axis} is {}; it must be a positive, finite number", short(*length))]
    Length {
        /// The axis by name.
        axis: char,
        /// The length.
        length: f64,
    },
    /// A parameter of another shape is not positive and finite. A diameter of a cone may be 0.
    #[error(
        "{name} of the {shape} is {}; it must be a {}, finite number",
        short(*value),
        if *shape == "cone" && *name != "h" { "non-negative" } else { "positive" }
    )]
    Parameter {
        /// The name of the shape.
        shape: &'static str,
        /// The name of the parameter.
        name: &'static str,
        /// The value.
        value: f64,
    },
    /// Both diameters of a cone are 0.
    #[error("d_bottom and d_top of the cone are 0; at least one of them must be positive")]
    Needle,
    /// A box has one letter for all its axes.
    #[error(
        "the boundary of a box has one letter for each axis, such as ppp, www or ppw; a single letter is for other shapes"
    )]
    BoxBoundary,
    /// The number of letters of a boundary is not that of the axes of a box or a rectangle.
    #[error(
        "the boundary '{boundary}' of the shape {shape} must have {letters} letters, one for each axis"
    )]
    Letters {
        /// The name of the shape.
        shape: &'static str,
        /// The boundary, as it was given.
        boundary: BoundarySpec,
        /// The number of axes.
        letters: usize,
    },
    /// The shape has walls along an axis that shall be periodic.
    #[error(
        "the shape {shape} cannot have the boundary {boundary}; only rectangles and boxes are periodic along x and y, and only boxes and cylinders along z"
    )]
    Boundary {
        /// The name of the shape.
        shape: &'static str,
        /// The boundary, as it was given.
        boundary: BoundarySpec,
    },
}
