//! Dense, random, overlap-free packings of spheres from particle size distributions.

pub mod broad_phase;
mod certify;
pub mod compare;
mod container;
mod distribution;
mod index;
mod io;
mod packing;
mod rearrange;
mod spheres;
pub mod tuning;
mod verlet;

pub use certify::certify;
pub use container::{Boundaries, Boundary, Container, ContainerError, ParseBoundariesError};
pub use distribution::{
    Andreasen, AndreasenError, Basis, Bidisperse, BidisperseError, DEFAULT_PRESET, FirstClass,
    Fuller, FullerError, Interpolation, Lognormal, LognormalError, Mono, ParseSamplingError,
    PowerLaw, PowerLawError, RosinRammler, RosinRammlerError, Sample, Sampling, SieveCurve,
    SieveCurveError, SizeClass, SizeClasses, SizeClassesError, SizeDistribution, SizeRangeError,
    SizeReport, SizeSpec, SizeSpecError, UniformSize, UniformVolume,
};
pub use index::{
    CellSizesError, Entry, ExpansionFactorError, GlobalIndex, Grid, HGrid, IndexKind, KdTree,
    LooseOctree, ParseIndexKindError, StrictOctree,
};
pub use io::{
    Format, FormatError, ReadError, WriteError, check_writable, read_packing, write_files,
    write_packing,
};
pub use packing::{Certificate, ClosestPair, Packing, Provenance, StopReason};
pub use rearrange::{
    Effort, EffortError, GENERATOR, Observer, PackError, PackOptions, PackRun, Progress, Target,
    estimated_bytes, pack,
};
pub use spheres::{Spheres, total_volume};
pub use verlet::VerletLists;
