//! The coordinates of profiles.

use glam::DVec3;
use serde::Serialize;
use strum::VariantArray;

use super::error::AnalysisError;
use crate::{
    container::{Container, Solid},
    dimension::Dimension,
    macros::choice,
};

choice! {
    "profile", "lowercase";
    /// The coordinate of which a local packing fraction is a function.
    #[derive(strum::IntoStaticStr)]
    #[non_exhaustive]
    pub enum ProfileAlong {
        /// The position along the x axis.
        X,
        /// The position along the y axis.
        Y,
        /// The position along the z axis.
        Z,
        /// The distance from the nearest wall or body.
        Depth,
        /// The distance from the axis or the center: see [`RadiusOrigin`].
        Radius,
    }
}

impl ProfileAlong {
    /// Every coordinate.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// Returns the position along an axis: 0, 1 or 2 for x, y or z.
    pub(super) fn of_axis(axis: usize) -> Self {
        [Self::X, Self::Y, Self::Z][axis]
    }

    /// Rejects an axis that the container does not have.
    pub(super) fn check(self, container: &Container) -> Result<(), AnalysisError> {
        match self {
            Self::Z if container.dimension() == Dimension::Two => {
                Err(AnalysisError::OtherDimension {
                    quantity: "the profile along z",
                    dimension: Dimension::Three,
                })
            }
            _ => Ok(()),
        }
    }

    /// Returns the axis, 0, 1 or 2 for x, y or z; `None` for other coordinates.
    pub fn axis(self) -> Option<usize> {
        match self {
            Self::X => Some(0),
            Self::Y => Some(1),
            Self::Z => Some(2),
            Self::Depth | Self::Radius => None,
        }
    }
}

/// The line or point from which a radius is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum RadiusOrigin {
    /// The axis of a cylinder or a cone.
    Axis,
    /// The center of the bounding box of another container.
    Center,
}

impl RadiusOrigin {
    /// Returns the origin in a container.
    pub(super) fn of(container: &Container) -> Self {
        match container.solid() {
            Solid::Cylinder(_) | Solid::Cone(_) => Self::Axis,
            _ => Self::Center,
        }
    }

    /// Returns the distance of a point from the origin.
    pub(super) fn distance(self, container: &Container, point: DVec3) -> f64 {
        let mut from_middle = point - 0.5 * container.lengths();
        if self == Self::Axis {
            from_middle[container.axis().number()] = 0.0;
        }
        from_middle.length()
    }

    /// Returns the largest radius that lies in the bounding box all around.
    pub(super) fn reach(self, container: &Container) -> f64 {
        let lengths = container.lengths().to_array();
        let axes = 0..container.dimension().number();
        let across = axes.filter(|&axis| self != Self::Axis || axis != container.axis().number());
        0.5 * across.fold(f64::INFINITY, |width, axis| width.min(lengths[axis]))
    }
}
