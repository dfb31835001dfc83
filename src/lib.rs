//! Dense, random, overlap-free packings of spheres from particle size distributions.
//!
//! # The way of the data
//!
//! ```text
//! SizeDistribution ──sample──▶ radii ──place──▶ Spheres in a Container
//!                                                 │
//!                           GlobalIndex ◀──┐      ▼
//!                                ▲         └── VerletLists ◀── pack (sweep: relocate … grow … stop?)
//!                                │                               │
//!                                └───── refresh one sphere ──────┘
//!                                                 ▼
//!                       Packing (spheres, container, certificate, provenance) ──▶ files
//! ```
//!
//! # Example
//!
//! A sieve curve, two thousand spheres of it, packed and written for LAMMPS and ParaView:
//!
//! ```
//! use jostle::{
//!     Effort, Interpolation, PackOptions, Sampling, SieveCurve, SizeDistribution, pack, write_files,
//! };
//!
//! // Sieve size and percent of the mass that passes.
//! let passing = vec![[1.0, 0.0], [2.0, 35.0], [4.0, 70.0], [8.0, 100.0]];
//! let law = SizeDistribution::Sieve(SieveCurve::new(passing, Interpolation::Log)?);
//! let sample = law.sample(2_000, Sampling::Stratified, 0);
//! assert!(sample.report.mass_curve_error < 0.02);
//!
//! let radii: Vec<f64> = sample.diameters.iter().map(|d| 0.5 * d).collect();
//! let options = PackOptions {
//!     boundary: "ppw".parse()?,
//!     effort: Effort::QUICK,
//!     ..PackOptions::default()
//! };
//! let packing = pack(&radii, &options, &mut ())?.packing;
//! assert_eq!(packing.certificate.max_overlap, 0.0);
//! assert!(packing.packing_fraction() > 0.65);
//!
//! let folder = tempfile::tempdir()?;
//! write_files(&packing, &[folder.path().join("mix.data"), folder.path().join("mix.vtp")])?;
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! # Where things are
//!
//! - **Sizes.** [`SizeDistribution`] is one of the laws, such as [`Fuller`], [`PowerLaw`] or [`SieveCurve`]; it gives moments,
//!   quantiles and samples ([`Sampling`]). [`SizeSpec`] reads presets, inline laws and JSON files. [`SizeReport`] says how near a
//!   sample comes to its law.
//! - **Packing.** [`pack`] takes radii and [`PackOptions`]: [`Target`], [`Boundaries`], [`Effort`], [`IndexKind`], seed, threads, limits.
//!   An [`Observer`] watches the loop and may end it. The [`PackRun`] that comes back holds the [`Packing`].
//! - **The result.** [`Spheres`] in a [`Container`], a [`Certificate`] of no overlap and the [`Provenance`], with the [`StopReason`].
//!   [`certify`] checks spheres of any origin; [`predicted_packing_fraction`] says how dense to expect them.
//! - **Files.** [`write_files`] and [`read_packing`]; [`Format`] lists what there is.
//! - **Neighbours.** [`GlobalIndex`] is what every spatial index can do; [`LooseOctree`], [`StrictOctree`], [`Grid`], [`HGrid`] and
//!   [`KdTree`] are the ones there are. [`VerletLists`] work over any of them.
//! - **Hierarchical grids.** [`tuning`] predicts their cost and chooses their cell sizes.
//! - **Contact detection.** [`laboratory::broad_phase`] finds all contacts at once by several published algorithms; [`laboratory::compare`] measures them.
//!
//! Lengths are in the caller's unit. Nothing here prints, and no input makes it panic where an error type is given. The same
//! seed gives the same bits on any machine, with any number of threads and any index.
//!
//! The feature `cli`, on by default, builds the program `jostle`; libraries switch it off with `default-features = false`.

mod analysis;
mod container;
mod distribution;
mod index;
mod io;
pub mod laboratory;
mod machine;
mod names;
mod packing;
mod rearrange;
mod spheres;
pub mod tuning;
mod verlet;

pub use glam;

pub use analysis::predicted_packing_fraction;
pub use container::{Boundaries, Boundary, Container, ContainerError, ParseBoundariesError};
pub use distribution::{
    Andreasen, AndreasenError, Basis, Bidisperse, BidisperseError, DEFAULT_PRESET, FirstClass,
    Fuller, FullerError, Interpolation, Lognormal, LognormalError, Mono, PowerLaw, PowerLawError,
    RosinRammler, RosinRammlerError, Sample, Sampling, SieveCurve, SieveCurveError, SizeClass,
    SizeClasses, SizeClassesError, SizeDistribution, SizeRangeError, SizeReport, SizeSpec,
    SizeSpecError, UniformSize, UniformVolume,
};
pub use index::{
    CellSizesError, Entry, ExpansionFactorError, GlobalIndex, Grid, HGrid, IndexBuilder, IndexKind,
    KdTree, LooseOctree, ParseIndexKindError, StrictOctree,
};
pub use io::{
    Format, FormatError, ReadError, WriteError, check_writable, read_packing,
    read_packing_with_ids, write_files, write_packing,
};

pub use names::UnknownName;
pub use packing::{Certificate, ClosestPair, Packing, Provenance, StopReason, certify};
pub use rearrange::{
    Effort, EffortError, GENERATOR, Observer, PackError, PackOptions, PackRun, Packer, Progress,
    Target, Work, estimated_bytes, pack, pack_observed,
};
pub use spheres::{Spheres, total_volume};
pub use verlet::{VerletError, VerletLists};

#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
