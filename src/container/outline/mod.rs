//! Closed polygons in the plane, with holes: their checks, distances from them, and files.

mod constants;
#[cfg(feature = "files")]
mod dxf;
mod edges;
mod error;
mod read;
mod rings;
mod solid;
#[cfg(feature = "files")]
mod svg;
mod text;

pub use error::{OutlineError, ReadOutlineError};
pub use solid::Outline;
pub(super) use text::read_outline;
