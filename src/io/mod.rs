//! Packings as files: one file of this module for each format, or for a family of formats. Tables of an analysis are files as well.

mod abaqus;
mod analysis_tables;
#[cfg(feature = "parquet")]
mod arrow;
mod checkpoint;
mod checkpoint_columns;
mod checkpoint_head;
mod checkpoint_on_ranks;
mod color;
#[cfg(feature = "parquet")]
mod columns;
mod columns_by_name;
mod constants;
mod csv;
mod data_set;
mod dialect;
mod dxf;
mod error;
mod expansion;
mod export;
mod export_files;
mod format;
mod frames;
mod gengeo;
mod glb;
mod gmsh;
mod gsd;
mod gzip;
mod json;
mod kinds;
mod lammps;
mod lammps_dump;
mod lethe;
mod mercury;
mod mfix;
mod musen;
mod npy;
#[cfg_attr(target_family = "wasm", path = "no_npz.rs")]
mod npz;
mod numbers;
mod obj;
mod on_ranks;
mod packed;
#[cfg(feature = "parquet")]
mod parquet;
#[cfg(feature = "parquet")]
mod parquet_checks;
mod parts;
mod pfc;
mod ply;
mod pour_checkpoint;
mod pov;
mod pvtp;
mod read;
mod read_options;
mod recognize;
mod regular;
mod rows;
mod script;
mod staged;
mod step;
mod stl;
pub(crate) mod surface;
mod table;
mod tables;
mod template;
mod text;
mod version;
mod voro;
mod voxel;
mod vtk_legacy;
mod vtk_points;
mod vtk_reader;
mod vtp;
mod write;
mod write_table;
mod xml;
mod xyz;
mod xyzd;
mod yade;

pub use analysis_tables::{
    contacts_as_table, curves_as_tables, spheres_as_table, supports_as_table, supports_of,
};
pub use checkpoint::{
    read_checkpoint, read_checkpoint_from, read_checkpoint_share, write_checkpoint,
};
pub use columns_by_name::ColumnNames;
pub use error::{CheckpointError, ReadError, WriteError};
pub use export::{
    ExportOptions, Origin, ParseSelectionError, ParseTypesError, Selection, Types, VoxelValues,
};
pub use export_files::{export_files, write_files};
pub use format::{Format, FormatError};
pub use pour_checkpoint::{
    PourRecord, is_pour_checkpoint, read_pour_checkpoint, write_pour_checkpoint,
};
pub use read::{read_packing, read_packing_from};
pub use read_options::{ContainerHint, FileOrigin, Frame, ReadOptions};
pub use rows::ReadPacking;
pub use staged::{
    abandon_temporaries, check_replaceable, followed, remove_leftovers, write_atomically,
};
pub use table::{Column, Table};
#[cfg(feature = "cli")]
pub(crate) use write::any_container;
#[cfg(feature = "cli")]
pub(crate) use write::options_for;
pub use write::{check_exportable, check_writable, export_packing, exported_paths, write_packing};
pub use write_table::{check_table, write_tables};
