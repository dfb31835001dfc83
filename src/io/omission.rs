//! What a format cannot hold of a packing.

use super::format::Format;
use crate::packing::Packing;

impl Format {
    /// Returns a sentence about the parts of the container that files of this format cannot hold; `None` if they hold it as far
    /// as `docs/formats.md` promises.
    pub fn omission(self, packing: &Packing) -> Option<String> {
        let container = &packing.container;
        if self == Self::Json || container.is_cuboid() {
            return None;
        }
        let shape = container.shape().name();
        Some(match self {
            Self::Csv | Self::Vtp => {
                format!("a .{self} file does not hold the {shape}; a .json file does")
            }
            _ => format!(
                "a .{self} file holds the bounding box of the {shape}, not its shape; a .json file does"
            ),
        })
    }
}
