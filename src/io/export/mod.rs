//! From a packing to the scene that a writer writes: selection, copies, units, origin and types.

mod omissions;
mod options;
mod rounding;
mod scene;
mod selection;

pub(super) use omissions::omissions;
pub use options::{ExportOptions, Origin, ParseTypesError, Types, VoxelValues};
pub(super) use scene::{Narrow, Scene, invalid};
pub use selection::{ParseSelectionError, Selection};
