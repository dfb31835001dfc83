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
//! use jostle::{Effort, PackOptions, Request};
//! use jostle::container::BoundarySpec;
//! use jostle::distribution::{Interpolation, SieveCurve};
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
//! | module | content |
//! |---|---|
//! | [`distribution`] | laws of sizes, such as [`Fuller`](distribution::Fuller) and [`SieveCurve`](distribution::SieveCurve), their [blends](distribution::Blend), and samples from them; [`SizeSpec`] reads presets, texts and files |
//! | [`container`] | a [`Container`] is the inside of a solid, a [`Body`](container::Body) in it the outside of one; walls or periodic faces |
//! | [`request`] | [`Request`]: from sizes and two of number, container and packing fraction to a packing |
//! | [`pour`](mod@pour) | beds at rest: a [`PourRequest`](pour::PourRequest) drops spheres into an open vessel under gravity |
//! | [`rearrange`] | the loop: [`pack`] takes radii and [`PackOptions`]; a [`Packer`] runs sweep by sweep, with progress, checkpoints and moves of your own |
//! | [`jam`](mod@jam) | mechanical equilibrium: [`jam::jam`] shrinks a packing until its contacts bear force |
//! | [`packing`] | the result: a [`Packing`] holds [`Spheres`], a [`Certificate`] of no overlap and its provenance; [`certify`] checks spheres from any source |
#![cfg_attr(
    feature = "files",
    doc = "| [`io`] | files in all formats, and checkpoints; [`read_packing`] and [`write_files`] are at the root, too |"
)]
//! | [`analysis`] | contacts, rattlers, order, mixing, g(r), S(k), pores and profiles of spheres from any source |
#![cfg_attr(
    feature = "report",
    doc = "| [`report`](mod@report) | HTML reports, figures and still pictures |"
)]
//! | [`index`] | [`GlobalIndex`](index::GlobalIndex), the interface of spatial indexes, with octrees, grids and a k-d tree, and a contract that tests an index of your own |
//! | [`verlet`] | [`VerletLists`](verlet::VerletLists) over any index |
//! | [`tuning`] | the cost of hierarchical grids, and their best cell sizes |
//! | [`laboratory`] | published algorithms that find all contacts at once, comparisons of them, and soft spheres that use them |
//! | [`ranks`] | several processes that share a packing |
#![cfg_attr(
    feature = "cli",
    doc = "| [`cli`] | the program `jostle` as a function |"
)]
//!
//! Lengths have the caller's unit. The library never prints, and rejects invalid input with an error. The same seed gives the same
//! bits on any machine, with any number of threads and any index.
//!
//! # Features
//!
//! `cli`, `files`, `laboratory` and `report` are on by default. `full` adds all others but `mpi` and `trace`; their crates need much
//! time to compile. `default-features = false` leaves the packing loop and the size distributions.
//!
//! - `files`: packings as files in all formats.
//! - `parquet`: packings as files of Apache Parquet and Arrow; requires `files`.
//! - `mesh`: closed triangle meshes as containers and bodies.
//! - `kd-tree`: the k-d tree among the indexes, for comparisons.
//! - `report`: HTML reports, figures and still pictures; requires `files`.
//! - `mpi`: one packing on several processes ([`Ranks`](ranks::Ranks)); needs an MPI library and libclang; requires `cli`.
//! - `cli`: the program `jostle`; requires `report`.
#![cfg_attr(docsrs, feature(doc_cfg))]

pub mod analysis;
#[cfg(feature = "cli")]
pub mod cli;
pub mod container;
mod dimension;
pub mod distribution;
mod error;
pub mod index;
#[cfg(feature = "files")]
pub mod io;
pub mod jam;
pub mod laboratory;
mod machine;
mod macros;
mod names;
pub mod packing;
pub mod pour;
pub mod rearrange;
#[cfg(feature = "report")]
pub mod report;
pub mod request;
mod spheres;
pub mod tuning;
pub mod verlet;

/// Several processes that share a packing.
pub mod ranks {
    #[cfg(feature = "mpi")]
    pub use crate::machine::mpi::{Mpi, MpiError};
    pub use crate::machine::{
        communicator::{Communicator, WriteAt},
        ranks::Ranks,
    };
}

pub use container::{Boundaries, Boundary, Container};
pub use dimension::{Dimension, DimensionError};
pub use distribution::SizeSpec;
pub use error::Error;
pub use glam;
pub use index::IndexKind;
#[cfg(feature = "files")]
pub use io::{read_packing, write_files};
#[cfg(feature = "trace")]
#[doc(hidden)]
pub use machine::trace;
pub use names::UnknownName;
pub use packing::{Certificate, Packing, certify};
pub use rearrange::{Effort, PackOptions, Packer, Target, pack};
pub use request::Request;
pub use spheres::{Spheres, total_volume};

#[cfg(all(doctest, feature = "files"))]
#[doc = include_str!("../README.md")]
struct Readme;
