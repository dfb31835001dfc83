//! The coordinates of profiles.

use glam::DVec3;
use serde::Serialize;
use strum::{Display, EnumString, IntoStaticStr, VariantArray, VariantNames};

use crate::{
    container::{Container, Solid},
    names::UnknownName,
};

/// The coordinate of which a local packing fraction is a function.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Display,
    EnumString,
    IntoStaticStr,
    VariantArray,
    VariantNames,
)]
#[serde(rename_all = "lowercase")]
#[strum(serialize_all = "lowercase", parse_err_ty = UnknownName, parse_err_fn = unknown_coordinate)]
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

fn unknown_coordinate(name: &str) -> UnknownName {
    UnknownName::new("profile", name, <ProfileAlong as VariantNames>::VARIANTS)
}

impl ProfileAlong {
    /// Every coordinate.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// Returns the position along an axis: 0, 1 or 2 for x, y or z.
    pub(super) fn of_axis(axis: usize) -> Self {
        [Self::X, Self::Y, Self::Z][axis]
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
        let across = match self {
            Self::Axis => DVec3::new(1.0, 1.0, 0.0),
            Self::Center => DVec3::ONE,
        };
        (across * (point - 0.5 * container.lengths())).length()
    }

    /// Returns the largest radius that lies in the bounding box all around.
    pub(super) fn reach(self, container: &Container) -> f64 {
        let lengths = container.lengths();
        0.5 * match self {
            Self::Axis => lengths.truncate().min_element(),
            Self::Center => lengths.min_element(),
        }
    }
}
