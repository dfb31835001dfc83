//! From a packing to the scene that a writer writes: selection, copies, units, origin and types.

mod bonds;
mod invalid;
mod omissions;
mod options;
mod rounding;
mod scene;
mod selection;
mod types;

pub(super) use bonds::Bond;
pub(super) use invalid::{invalid, name_in_file};
pub(super) use omissions::omissions;
pub use options::{ExportOptions, Origin, VoxelValues};
pub(super) use scene::{Narrow, Part, Scene, check_options, image_shifts};
pub use selection::{ParseSelectionError, Selection};
pub use types::{ParseTypesError, Types};
