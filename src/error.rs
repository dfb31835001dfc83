//! One type for all errors.

use thiserror::Error as Derive;

#[cfg(feature = "mesh")]
use crate::container::{MeshError, MeshFault, ReadMeshError};
#[cfg(feature = "files")]
use crate::io::{
    CheckpointError, FormatError, ParseSelectionError, ParseTypesError, ReadError, WriteError,
};
#[cfg(feature = "mpi")]
use crate::machine::mpi::MpiError;
#[cfg(feature = "report")]
use crate::report::ReportError;
use crate::{
    analysis::AnalysisError,
    container::{
        BodyError, ContainerError, ContainerSpecError, ParseBodyError, ParseBoundariesError,
        ParseBoundarySpecError,
    },
    distribution::{
        AndreasenError, BidisperseError, FullerError, LognormalError, PowerLawError,
        RosinRammlerError, SampleVolumeError, SieveCurveError, SizeClassesError, SizeRangeError,
        SizeSpecError,
    },
    index::{CellSizesError, EntryError, ExpansionFactorError},
    rearrange::{EffortError, ExchangeRateError, FixedError, PackError, ResumeError},
    request::RequestError,
    tuning::{RadiusLawError, TuningError},
    verlet::VerletError,
};

/// Any error of the library. Each of them converts into it, and the sentence is the same.
///
/// # Example
/// ```
/// use jostle::{Request, distribution::Fuller};
///
/// fn packing_fraction() -> Result<f64, jostle::Error> {
///     let run = Request::new(Fuller::new(1.0, 8.0, 0.5)?).number(500).pack()?;
///     Ok(run.packing_fraction)
/// }
/// assert!(packing_fraction()? > 0.7);
/// # Ok::<(), jostle::Error>(())
/// ```
#[derive(Debug, Derive)]
#[non_exhaustive]
pub enum Error {
    /// An Andreasen law.
    #[error(transparent)]
    Andreasen(#[from] AndreasenError),
    /// A law of two sizes.
    #[error(transparent)]
    Bidisperse(#[from] BidisperseError),
    /// A Fuller curve.
    #[error(transparent)]
    Fuller(#[from] FullerError),
    /// A lognormal law.
    #[error(transparent)]
    Lognormal(#[from] LognormalError),
    /// A power law.
    #[error(transparent)]
    PowerLaw(#[from] PowerLawError),
    /// A Rosin–Rammler law.
    #[error(transparent)]
    RosinRammler(#[from] RosinRammlerError),
    /// A sieve curve.
    #[error(transparent)]
    SieveCurve(#[from] SieveCurveError),
    /// Size classes.
    #[error(transparent)]
    SizeClasses(#[from] SizeClassesError),
    /// A range of diameters.
    #[error(transparent)]
    SizeRange(#[from] SizeRangeError),
    /// A text or file with a size distribution.
    #[error(transparent)]
    SizeSpec(#[from] SizeSpecError),
    /// A volume of which no sample can be drawn.
    #[error(transparent)]
    SampleVolume(#[from] SampleVolumeError),
    /// A container.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// The text of a container.
    #[error(transparent)]
    ContainerSpec(#[from] ContainerSpecError),
    /// A body in a container.
    #[error(transparent)]
    Body(#[from] BodyError),
    /// The text of a body.
    #[error(transparent)]
    ParseBody(#[from] ParseBodyError),
    /// The text of the boundary of a box.
    #[error(transparent)]
    ParseBoundaries(#[from] ParseBoundariesError),
    /// The text of a boundary.
    #[error(transparent)]
    ParseBoundarySpec(#[from] ParseBoundarySpecError),
    /// An effort.
    #[error(transparent)]
    Effort(#[from] EffortError),
    /// A rate of exchanges.
    #[error(transparent)]
    ExchangeRate(#[from] ExchangeRateError),
    /// Fixed spheres.
    #[error(transparent)]
    Fixed(#[from] FixedError),
    /// Options of a run.
    #[error(transparent)]
    Pack(#[from] PackError),
    /// A request.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A checkpoint that cannot be continued.
    #[error(transparent)]
    Resume(#[from] ResumeError),
    /// Spheres of Verlet lists.
    #[error(transparent)]
    Verlet(#[from] VerletError),
    /// A sphere of an index.
    #[error(transparent)]
    Entry(#[from] EntryError),
    /// Cell sizes of a hierarchical grid.
    #[error(transparent)]
    CellSizes(#[from] CellSizesError),
    /// The expansion factor of a loose octree.
    #[error(transparent)]
    ExpansionFactor(#[from] ExpansionFactorError),
    /// An analysis.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// A law of radii.
    #[error(transparent)]
    RadiusLaw(#[from] RadiusLawError),
    /// Options of the cost model.
    #[error(transparent)]
    Tuning(#[from] TuningError),
    /// A triangle mesh.
    #[cfg(feature = "mesh")]
    #[error(transparent)]
    Mesh(#[from] MeshError),
    /// The surface of a triangle mesh.
    #[cfg(feature = "mesh")]
    #[error(transparent)]
    MeshFault(#[from] MeshFault),
    /// A file with a triangle mesh.
    #[cfg(feature = "mesh")]
    #[error(transparent)]
    ReadMesh(#[from] ReadMeshError),
    /// A file with a packing.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Read(#[from] ReadError),
    /// A file that cannot be written.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Write(#[from] WriteError),
    /// A file with a checkpoint.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Checkpoint(#[from] CheckpointError),
    /// The name of a format.
    #[cfg(feature = "files")]
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The text of a selection.
    #[cfg(feature = "files")]
    #[error(transparent)]
    ParseSelection(#[from] ParseSelectionError),
    /// The text of a division into types.
    #[cfg(feature = "files")]
    #[error(transparent)]
    ParseTypes(#[from] ParseTypesError),
    /// A page or picture.
    #[cfg(feature = "report")]
    #[error(transparent)]
    Report(#[from] ReportError),
    /// The start of MPI.
    #[cfg(feature = "mpi")]
    #[error(transparent)]
    Mpi(#[from] MpiError),
}
