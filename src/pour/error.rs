//! Reasons why a bed cannot be poured.

use super::constants::MOST_SPHERES;
use crate::{names::short, rearrange::FixedError, request::RequestError};

/// A request that cannot be poured.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PourError {
    /// No container is given.
    #[error(
        "a bed needs a vessel of given width, such as cylinder:d=50,h=auto or box:lx=30,ly=30,lz=auto"
    )]
    NoVessel,
    /// The container holds disks.
    #[error("the {solid} holds disks; beds are of spheres, in a vessel such as cylinder:d=50")]
    Disks {
        /// Name of the solid.
        solid: &'static str,
    },
    /// The length that follows from the spheres is not the one along gravity.
    #[error(
        "{name} follows from the spheres, but gravity has the direction {gravity}; only the length along gravity can follow"
    )]
    OtherLength {
        /// Name of the length.
        name: String,
        /// Direction of gravity, in its text form.
        gravity: String,
    },
    /// Number, volume, mass and height are not given once.
    #[error(
        "the bed needs one of a number, a volume, a mass or a height of the spheres, and {given} are given"
    )]
    Amount {
        /// How many of them are given.
        given: usize,
    },
    /// A mass without a density.
    #[error(
        "the mass of the spheres is given, but no density; give one, or a blend with the density of each component"
    )]
    NoDensity,
    /// A number is out of its range.
    #[error("{name} is {}; it must be {accepted}", short(*value))]
    Number {
        /// Meaning of the number.
        name: &'static str,
        /// The number.
        value: f64,
        /// The accepted values.
        accepted: &'static str,
    },
    /// The height of the bed demands more than the vessel has.
    #[error(
        "the height of the bed is {}, but the vessel is {} high; the bed must not be higher",
        short(*height),
        short(*vessel)
    )]
    HigherThanVessel {
        /// The requested height.
        height: f64,
        /// The height of the vessel.
        vessel: f64,
    },
    /// No sphere of the largest size lies below the height of the bed.
    #[error(
        "the height of the bed is {}, but the largest sphere has the diameter {}; the bed must be at least as high",
        short(*height),
        short(*diameter)
    )]
    LowerThanSphere {
        /// The requested height.
        height: f64,
        /// The diameter of the largest sphere.
        diameter: f64,
    },
    /// A free length towards which gravity points, with bodies or fixed spheres.
    #[error(
        "gravity has the direction {gravity} along a length that follows from the spheres, so that bodies and fixed spheres have no distance from the floor; give the length"
    )]
    FreeFloor {
        /// Direction of gravity, in its text form.
        gravity: String,
    },
    /// Spheres cannot enter the vessel from above.
    #[error(
        "the {solid} is closed at its top for a sphere of diameter {}; it needs an opening against the direction of gravity, {gravity}",
        short(*diameter)
    )]
    Closed {
        /// Name of the solid.
        solid: &'static str,
        /// Diameter of the largest sphere.
        diameter: f64,
        /// Direction of gravity, in its text form.
        gravity: String,
    },
    /// The container is periodic along gravity.
    #[error(
        "the container is periodic along {axis}, the direction of gravity; it must have walls there"
    )]
    Periodic {
        /// The axis.
        axis: &'static str,
    },
    /// The largest sphere is wider than the vessel.
    #[error(
        "the largest sphere has the diameter {}, but the vessel holds none larger than {}",
        short(*diameter),
        short(*largest)
    )]
    Narrow {
        /// The diameter of the largest sphere.
        diameter: f64,
        /// The diameter of the largest sphere that fits.
        largest: f64,
    },
    /// An outlet lies in a wall, a body or a fixed sphere.
    #[error(
        "the source at {x}, {y}, {z} lies in a wall, a body or a fixed sphere, or is nearer to it than a radius of the largest sphere, {radius}"
    )]
    Source {
        /// First coordinate.
        x: f64,
        /// Second coordinate.
        y: f64,
        /// Third coordinate.
        z: f64,
        /// Radius of the largest sphere.
        radius: f64,
    },
    /// An outlet without a point, or with numbers that are not finite.
    #[error(
        "the path of the source must have one or more points with finite coordinates, and a diameter of at least 0"
    )]
    Path,
    /// The order needs the amount of spheres.
    #[error(
        "the order {order} needs the number, the volume or the mass of the spheres; a height alone does not tell how many there are of each size"
    )]
    OrderOfHeight {
        /// Name of the order.
        order: String,
    },
    /// Layers of spheres that come from no blend.
    #[error("the order layers needs a blend, whose components are the layers")]
    NoLayers,
    /// There are too many spheres.
    #[error("there are {count} spheres; a bed has at most {MOST_SPHERES}")]
    TooMany {
        /// The number of spheres.
        count: u64,
    },
    /// A checkpoint contradicts itself.
    #[error("the checkpoint contradicts itself: {0}")]
    Checkpoint(&'static str),
    /// Fixed spheres are rejected.
    #[error(transparent)]
    Fixed(#[from] FixedError),
    /// Sizes or a container that no request may have.
    #[error(transparent)]
    Request(#[from] RequestError),
}
