//! What a format cannot hold of a packing.

use super::format::Format;
use crate::packing::Packing;

impl Format {
    /// Returns a sentence about a container whose shape files of this format cannot hold; `None` if they hold it, or if the
    /// container is a box, of which `docs/formats.md` tells what each format holds.
    pub fn omission(self, packing: &Packing) -> Option<String> {
        let container = &packing.container;
        if self == Self::Json || container.is_cuboid() {
            return None;
        }
        let shape = container.shape().name();
        Some(format!(
            "the format {self} holds at most the bounding box of the {shape}, not its shape; json holds it"
        ))
    }
}
