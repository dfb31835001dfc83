//! Dense, random, overlap-free packings of spheres from particle size distributions.

mod container;
mod distribution;
mod index;
mod packing;
mod spheres;

pub use container::{Boundaries, Boundary, Container, ContainerError, ParseBoundariesError};
pub use distribution::{
    Andreasen, AndreasenError, Basis, Bidisperse, BidisperseError, DEFAULT_PRESET, FirstClass,
    Fuller, FullerError, Interpolation, Lognormal, LognormalError, Mono, ParseSamplingError,
    PowerLaw, PowerLawError, RosinRammler, RosinRammlerError, Sample, Sampling, SieveCurve,
    SieveCurveError, SizeClass, SizeClasses, SizeClassesError, SizeDistribution, SizeRangeError,
    SizeReport, SizeSpec, SizeSpecError, UniformSize, UniformVolume,
};
pub use index::{Entry, GlobalIndex, IndexKind, ParseIndexKindError};
pub use packing::{Certificate, ClosestPair, Packing, Provenance, StopReason};
pub use spheres::{Spheres, total_volume};
