//! Reasons why a request cannot be packed.

use crate::{
    container::{BodyError, ContainerError},
    distribution::SizesError,
    names::rounded,
    rearrange::PackError,
};

/// A request that cannot be packed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RequestError {
    /// The size of the container, the packing fraction and the number of spheres are given.
    #[error(
        "the size of the container, the packing fraction and the number of spheres, or their diameters, are given together; give two of them, and the third follows"
    )]
    TooMuch,
    /// A length of the container follows from the volume of the spheres, whose number is not given.
    #[error(
        "a length of the container is auto, and the number of spheres, from which it follows, is not given; give the number"
    )]
    FreeLength,
    /// The largest sphere does not fit into the length that follows from the volume of the spheres.
    #[error(
        "the length {name} of the container is auto and follows as {}, but the largest sphere needs {}, gaps included; give about {number:.0} spheres or more, or {name} itself, or leave out the largest sizes",
        rounded(*length),
        rounded(*needed)
    )]
    ShortLength {
        /// Name of the length.
        name: &'static str,
        /// The length that follows.
        length: f64,
        /// Diameter of the largest sphere, with the gap to walls or to its image.
        needed: f64,
        /// Number of spheres of which the length would follow as the needed one.
        number: f64,
    },
    /// The factor on all diameters is not positive and finite.
    #[error("the factor on all diameters is {0}; it must be a positive, finite number")]
    ScaleSizes(f64),
    /// Bodies or fixed spheres need a container of given size.
    #[error(
        "{0} are given without the size of the container; give its lengths, as in cylinder:d=3,h=4"
    )]
    NoSize(&'static str),
    /// The fixed spheres leave no volume for others.
    #[error(
        "the fixed spheres fill the container to packing fraction {fraction:.4}; the requested one counts them and must be larger"
    )]
    Full {
        /// The packing fraction of the fixed spheres.
        fraction: f64,
    },
    /// The number of spheres is not that of the diameters.
    #[error(
        "the number of spheres is {number}, but {diameters} diameters are given; leave the number out"
    )]
    OtherNumber {
        /// The requested number.
        number: u64,
        /// The number of diameters.
        diameters: u64,
    },
    /// The spheres start at the positions of a flat packing in a container that is not flat, or the other way round.
    #[error(
        "the packing at whose positions the spheres start has {start} dimensions, and the container has {container}; both must agree"
    )]
    StartDimension {
        /// The dimension of the packing.
        start: usize,
        /// The dimension of the container.
        container: usize,
    },
    /// The size distribution has no sizes in the plane, or no sample of the volume of the spheres.
    #[error(transparent)]
    Sizes(#[from] SizesError),
    /// There is no such container.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// A body cannot be in the container.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The options of the run cannot be met.
    #[error(transparent)]
    Pack(#[from] PackError),
}
