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
#[error(transparent)]
#[non_exhaustive]
pub enum Error {
    /// An Andreasen law.
    Andreasen(#[from] AndreasenError),
    /// A law of two sizes.
    Bidisperse(#[from] BidisperseError),
    /// A Fuller curve.
    Fuller(#[from] FullerError),
    /// A lognormal law.
    Lognormal(#[from] LognormalError),
    /// A power law.
    PowerLaw(#[from] PowerLawError),
    /// A Rosin–Rammler law.
    RosinRammler(#[from] RosinRammlerError),
    /// A sieve curve.
    SieveCurve(#[from] SieveCurveError),
    /// Size classes.
    SizeClasses(#[from] SizeClassesError),
    /// A range of diameters.
    SizeRange(#[from] SizeRangeError),
    /// A text or file with a size distribution.
    SizeSpec(#[from] SizeSpecError),
    /// A volume of which no sample can be drawn.
    SampleVolume(#[from] SampleVolumeError),
    /// A container.
    Container(#[from] ContainerError),
    /// The text of a container.
    ContainerSpec(#[from] ContainerSpecError),
    /// A body in a container.
    Body(#[from] BodyError),
    /// The text of a body.
    ParseBody(#[from] ParseBodyError),
    /// The text of the boundary of a box.
    ParseBoundaries(#[from] ParseBoundariesError),
    /// The text of a boundary.
    ParseBoundarySpec(#[from] ParseBoundarySpecError),
    /// An effort.
    Effort(#[from] EffortError),
    /// A rate of exchanges.
    ExchangeRate(#[from] ExchangeRateError),
    /// Fixed spheres.
    Fixed(#[from] FixedError),
    /// Options of a run.
    Pack(#[from] PackError),
    /// A request.
    Request(#[from] RequestError),
    /// A checkpoint that cannot be continued.
    Resume(#[from] ResumeError),
    /// Spheres of Verlet lists.
    Verlet(#[from] VerletError),
    /// A sphere of an index.
    Entry(#[from] EntryError),
    /// Cell sizes of a hierarchical grid.
    CellSizes(#[from] CellSizesError),
    /// The expansion factor of a loose octree.
    ExpansionFactor(#[from] ExpansionFactorError),
    /// An analysis.
    Analysis(#[from] AnalysisError),
    /// A law of radii.
    RadiusLaw(#[from] RadiusLawError),
    /// Options of the cost model.
    Tuning(#[from] TuningError),
    /// A triangle mesh.
    #[cfg(feature = "mesh")]
    Mesh(#[from] MeshError),
    /// The surface of a triangle mesh.
    #[cfg(feature = "mesh")]
    MeshFault(#[from] MeshFault),
    /// A file with a triangle mesh.
    #[cfg(feature = "mesh")]
    ReadMesh(#[from] ReadMeshError),
    /// A file with a packing.
    #[cfg(feature = "files")]
    Read(#[from] ReadError),
    /// A file that cannot be written.
    #[cfg(feature = "files")]
    Write(#[from] WriteError),
    /// A file with a checkpoint.
    #[cfg(feature = "files")]
    Checkpoint(#[from] CheckpointError),
    /// The name of a format.
    #[cfg(feature = "files")]
    Format(#[from] FormatError),
    /// The text of a selection.
    #[cfg(feature = "files")]
    ParseSelection(#[from] ParseSelectionError),
    /// The text of a division into types.
    #[cfg(feature = "files")]
    ParseTypes(#[from] ParseTypesError),
    /// A page or picture.
    #[cfg(feature = "report")]
    Report(#[from] ReportError),
    /// The start of MPI.
    #[cfg(feature = "mpi")]
    Mpi(#[from] MpiError),
}
