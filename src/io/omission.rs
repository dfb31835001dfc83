//! What a format cannot hold of a packing.

use super::format::Format;
use crate::packing::Packing;

impl Format {
    /// Returns whether files of this format hold containers of any shape.
    pub(super) fn holds_shapes(self) -> bool {
        match self {
            Self::Json => true,
            #[cfg(feature = "parquet")]
            Self::Parquet | Self::Arrow => true,
            _ => false,
        }
    }

    /// Returns a sentence about a container whose shape or bodies files of this format cannot hold; `None` if they hold it, or if
    /// the container is a box without bodies, of which `docs/formats.md` tells what each format holds.
    pub fn omission(self, packing: &Packing) -> Option<String> {
        let container = &packing.container;
        if self.holds_shapes() || container.is_cuboid() {
            return None;
        }
        let shape = container.shape().name();
        let has_bodies = !container.bodies().is_empty();
        Some(match (shape, has_bodies) {
            ("box", _) => format!(
                "the format {self} holds at most the box, not the bodies in it; json holds them"
            ),
            (_, false) => format!(
                "the format {self} holds at most the bounding box of the {shape}, not its shape; json holds it"
            ),
            (_, true) => format!(
                "the format {self} holds at most the bounding box of the {shape}, not its shape and the bodies in it; json holds them"
            ),
        })
    }
}
