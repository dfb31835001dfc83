//! One type for all errors.

use thiserror::Error as Derive;

use crate::{
    analysis, container, distribution, index, jam, names, pour, rearrange, request, tuning, verlet,
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
    /// A size distribution.
    Sizes(#[from] distribution::SizesError),
    /// A text or file with a size distribution.
    SizeSpec(#[from] distribution::SizeSpecError),
    /// A container.
    Container(#[from] container::ContainerError),
    /// The text of a container.
    ContainerSpec(#[from] container::ContainerSpecError),
    /// A body in a container.
    Body(#[from] container::BodyError),
    /// The text of a body.
    ParseBody(#[from] container::ParseBodyError),
    /// The text of the boundary of a box.
    ParseBoundaries(#[from] container::ParseBoundariesError),
    /// The text of a boundary.
    ParseBoundarySpec(#[from] container::ParseBoundarySpecError),
    /// A name of a choice, such as an index or a direction.
    UnknownName(#[from] names::UnknownName),
    /// An effort.
    Effort(#[from] rearrange::EffortError),
    /// A rate of exchanges.
    ExchangeRate(#[from] rearrange::ExchangeRateError),
    /// The gap of jammed contacts.
    JamGap(#[from] jam::JamGapError),
    /// A packing that cannot be jammed.
    Jam(#[from] jam::JamError),
    /// A share of breathing.
    BreathingShare(#[from] rearrange::BreathingShareError),
    /// A share of the gap to the nearest neighbor.
    GapShare(#[from] rearrange::GapShareError),
    /// Fixed spheres.
    Fixed(#[from] rearrange::FixedError),
    /// Options of a run.
    Pack(#[from] rearrange::PackError),
    /// A request.
    Request(#[from] request::RequestError),
    /// A request for a bed.
    Pour(#[from] pour::PourError),
    /// A checkpoint that cannot be continued.
    Resume(#[from] rearrange::ResumeError),
    /// Spheres of Verlet lists.
    Verlet(#[from] verlet::VerletError),
    /// A sphere of an index.
    Entry(#[from] index::EntryError),
    /// Cell sizes of a hierarchical grid.
    CellSizes(#[from] index::CellSizesError),
    /// The expansion factor of a loose octree.
    ExpansionFactor(#[from] index::ExpansionFactorError),
    /// An analysis.
    Analysis(#[from] analysis::AnalysisError),
    /// A law of radii.
    RadiusLaw(#[from] tuning::RadiusLawError),
    /// Options of the cost model.
    Tuning(#[from] tuning::TuningError),
    /// A triangle mesh.
    #[cfg(feature = "mesh")]
    Mesh(#[from] container::MeshError),
    /// The surface of a triangle mesh.
    #[cfg(feature = "mesh")]
    MeshFault(#[from] container::MeshFault),
    /// A file with a triangle mesh.
    #[cfg(feature = "mesh")]
    ReadMesh(#[from] container::ReadMeshError),
    /// A file with a packing.
    #[cfg(feature = "files")]
    Read(#[from] crate::io::ReadError),
    /// A file that cannot be written.
    #[cfg(feature = "files")]
    Write(#[from] crate::io::WriteError),
    /// A file with a checkpoint.
    #[cfg(feature = "files")]
    Checkpoint(#[from] crate::io::CheckpointError),
    /// The name of a format.
    #[cfg(feature = "files")]
    Format(#[from] crate::io::FormatError),
    /// The text of a selection.
    #[cfg(feature = "files")]
    ParseSelection(#[from] crate::io::ParseSelectionError),
    /// The text of a division into types.
    #[cfg(feature = "files")]
    ParseTypes(#[from] crate::io::ParseTypesError),
    /// A page or picture.
    #[cfg(feature = "report")]
    Report(#[from] crate::report::ReportError),
    /// The start of MPI.
    #[cfg(feature = "mpi")]
    Mpi(#[from] crate::machine::mpi::MpiError),
}
