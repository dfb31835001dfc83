//! Packings as files: one file of this module for each format.

mod checkpoint;
mod constants;
mod container_hint;
mod csv;
mod error;
mod format;
mod json;
mod lammps;
mod packed;
mod read;
mod rows;
mod staged;
mod text;
mod version;
mod vtp;
mod write;
mod xyz;

pub use checkpoint::{CheckpointError, read_checkpoint, read_checkpoint_from, write_checkpoint};
pub use container_hint::ContainerHint;
pub use error::{ReadError, WriteError};
pub use format::{Format, FormatError};
pub use read::{ReadPacking, read_packing, read_packing_from};
pub use staged::{check_replaceable, remove_leftovers, write_atomically};
pub use write::{check_writable, write_files, write_packing};
