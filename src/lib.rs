//! Dense, random, overlap-free packings of spheres from particle size distributions.
//!
//! # Data flow
//!
//! ```text
//! SizeDistribution ──sample──▶ radii ──place──▶ Spheres in a Container
//!                                                 │
//!                           GlobalIndex ◀──┐      ▼
//!                                ▲         └── VerletLists ◀── Packer (sweep: relocate … grow … stop?)
//!                                │                               │
//!                                └───── refresh one sphere ──────┘
//!                                                 ▼
//!                       Packing (spheres, container, certificate, sizes, provenance) ──▶ files, analysis
//! ```
//!
//! # Example
//!
//! Two thousand spheres of a sieve curve, packed and written for LAMMPS and ParaView:
//!
//! ```
//! use jostle::{BoundarySpec, Effort, Interpolation, PackOptions, Request, SieveCurve};
//!
//! // Sieve size and percent of the mass that passes.
//! let passing = vec![[1.0, 0.0], [2.0, 35.0], [4.0, 70.0], [8.0, 100.0]];
//! let law = SieveCurve::new(passing, Interpolation::Log)?;
//! let request = Request::new(law)
//!     .number(2_000)
//!     .boundary("ppw".parse::<BoundarySpec>()?)
//!     .options(PackOptions::default().effort(Effort::QUICK));
//! let packing = request.pack()?.packing;
//! assert!(packing.sizes.as_ref().unwrap().mass_curve_error < 0.02);
//! assert_eq!(packing.certificate().max_overlap, 0.0);
//! assert!(packing.packing_fraction() > 0.65);
//!
//! # #[cfg(feature = "files")]
//! # {
//! let folder = tempfile::tempdir()?;
//! let files = [folder.path().join("mix.data"), folder.path().join("mix.vtp")];
//! jostle::write_files(&packing, &files)?;
//! # }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Overview
//!
//! - **Sizes.** [`SizeDistribution`] is one of the laws, such as [`Fuller`], [`PowerLaw`] or [`SieveCurve`]. It provides moments,
//!   quantiles and samples ([`Sampling`]). [`SizeSpec`] reads presets, inline laws and JSON files. [`SizeReport`] compares a
//!   sample with its law.
//! - **Packing.** [`Request`] takes sizes and two of number, container and packing fraction. [`pack`] takes radii and [`PackOptions`]:
//!   [`Target`], [`Boundaries`], [`Effort`], [`IndexKind`], seed, threads, limits. [`pack_observed`] reports the [`Progress`] to an [`Observer`]. A [`Packer`] runs sweep by sweep. A [`Checkpoint`] is the
//!   complete state of a run, from which [`Packer::resume`] continues.
//! - **Result.** A [`Packing`] contains [`Spheres`] in a [`Container`], a [`Certificate`] of no overlap and the [`Provenance`]
//!   with the [`StopReason`]. [`certify`] checks spheres from any source. [`predicted_packing_fraction`] estimates the random
//!   close packing fraction of any radii.
#![cfg_attr(
    feature = "files",
    doc = "- **Files.** [`write_files`] writes a packing and [`read_packing`] reads it. [`Format`] lists the formats, and \
           [`ExportOptions`] the choices of [`export_files`]: unit, origin, types, selection, copies. \
           [`write_checkpoint`] and [`read_checkpoint`] store the state of a run."
)]
//! - **Structure.** [`analysis`] computes contacts, rattlers, order, mixing, g(r), S(k), pores and profiles of spheres from any
//!   source.
#![cfg_attr(
    feature = "report",
    doc = "- **Pictures.** [`report`](mod@report) makes HTML reports, figures and still pictures."
)]
//! - **Neighbors.** [`GlobalIndex`] is the interface of spatial indexes, [`IndexBuilder`] that of their builders.
//!   [`LooseOctree`], [`StrictOctree`], [`Grid`], [`HGrid`] and the k-d tree are built in. [`VerletLists`] work over any
//!   index, and [`index_contract`] tests an index of your own.
//! - **Hierarchical grids.** [`tuning`] predicts their cost and chooses their cell sizes.
//! - **Contact detection.** [`laboratory`] contains published algorithms that find all contacts at once, and compares them.
//!
//! Lengths have the caller's unit. The library never prints, and rejects invalid input with an error. The same seed gives the same
//! bits on any machine, with any number of threads and any index.
//!
//! # Features
//!
//! All but `parquet`, `mpi` and `trace` are on by default. `default-features = false` leaves the packing loop and the size distributions.
//!
//! - `files`: packings as files in all formats.
//! - `parquet`: packings as files of Apache Parquet and Arrow; requires `files`. Its crates need much time to compile.
//! - `kd-tree`: the k-d tree among the indexes.
//! - `report`: HTML reports, figures and still pictures; requires `files`.
//! - `mpi`: one packing on several processes ([`Ranks`]); needs an MPI library and libclang; requires `cli`.
//! - `cli`: the program `jostle`; requires `report`.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod analysis;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
mod container;
mod distribution;
mod error;
mod index;
#[cfg(feature = "files")]
mod io;
pub mod laboratory;
mod machine;
mod names;
mod packing;
mod rearrange;
#[cfg(feature = "report")]
pub mod report;
mod request;
mod spheres;
pub mod tuning;
mod verlet;

pub use glam;
#[cfg(feature = "trace")]
#[doc(hidden)]
pub use machine::trace;

pub use container::{
    Axis, Ball, Body, BodyError, Boundaries, Boundary, BoundarySpec, Cone, Container,
    ContainerError, ContainerSpec, ContainerSpecError, Cuboid, Cylinder, ParseBodyError,
    ParseBoundariesError, ParseBoundarySpecError, Solid,
};
#[cfg(feature = "mesh")]
pub use container::{Mesh, MeshError, MeshFault, ReadMeshError};
pub use distribution::{
    Andreasen, AndreasenError, Basis, Bidisperse, BidisperseError, DEFAULT_PRESET, FirstClass,
    Fuller, FullerError, Interpolation, Lognormal, LognormalError, Mono, PowerLaw, PowerLawError,
    RosinRammler, RosinRammlerError, Sample, SampleVolumeError, Sampling, SieveCurve,
    SieveCurveError, SizeClass, SizeClasses, SizeClassesError, SizeDistribution, SizeRangeError,
    SizeReport, SizeSource, SizeSpec, SizeSpecError, SufficientSample, UniformSize, UniformVolume,
    predicted_packing_fraction, predicted_packing_fraction_with_gap,
};
pub use error::Error;
#[cfg(feature = "kd-tree")]
pub use index::KdTree;
pub use index::{
    CellSizesError, Entry, EntryError, ExpansionFactorError, GlobalIndex, Grid, HGrid,
    IndexBuilder, IndexKind, LooseOctree, StrictOctree, contract as index_contract,
};
#[cfg(feature = "files")]
pub use io::{
    CheckpointError, ColumnNames, ContainerHint, ExportOptions, FileOrigin, Format, FormatError,
    Frame, Origin, ParseSelectionError, ParseTypesError, ReadError, ReadOptions, ReadPacking,
    Selection, Types, VoxelValues, WriteError, abandon_temporaries, check_exportable,
    check_replaceable, check_writable, export_files, export_packing, exported_paths, followed,
    read_checkpoint, read_checkpoint_from, read_checkpoint_share, read_packing, read_packing_from,
    remove_leftovers, write_atomically, write_checkpoint, write_files, write_packing,
};
#[cfg(feature = "mpi")]
pub use machine::mpi::{Mpi, MpiError};
pub use machine::{
    communicator::{Communicator, WriteAt},
    ranks::Ranks,
};
pub use names::UnknownName;
pub use packing::{
    Certificate, ClosestPair, Packing, Provenance, StopReason, certify, exceeds_tolerance,
};
pub use rearrange::{
    Arrangement, Checkpoint, Effort, EffortError, ExchangeRate, ExchangeRateError, FixedError,
    FixedSpheres, GENERATOR, Interrupt, MemoryEstimate, Move, Observer, PackError, PackOptions,
    PackRun, Packer, PackerBuilder, Progress, ResumeError, Target, Work, pack, pack_observed,
};
pub use request::{DEFAULT_NUMBER, Request, RequestError, ResolvedRequest, Sizes};
pub use spheres::{Spheres, total_volume};
pub use verlet::{VerletError, VerletLists};

#[cfg(all(doctest, feature = "files"))]
#[doc = include_str!("../README.md")]
struct Readme;
