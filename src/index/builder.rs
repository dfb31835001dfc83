//! Builders of global indexes.

use std::{any::Any, fmt, sync::Arc};

use super::{entry::Entry, global_index::GlobalIndex};
use crate::container::Container;

/// Builder of a [`GlobalIndex`]: a variant of [`IndexKind`](crate::IndexKind), or a type of the user.
///
/// The documentation of [`GlobalIndex`] contains a complete example.
pub trait IndexBuilder: Any + Send + Sync {
    /// Returns the name of the index, which is written to the provenance of a packing.
    ///
    /// The name should contain the parameters of the builder, such as an expansion factor.
    fn name(&self) -> String;

    /// Builds an index over `entries`.
    ///
    /// The builder may choose levels and cell sizes for these entries. The caller may insert other spheres later.
    ///
    /// # Panics
    /// When [`GlobalIndex::insert`] would reject one of the entries: two entries have the same id, an id is not below
    /// [`Entry::id_limit`] for `entries.len()` spheres, or [`Entry::check`] fails. To get an error instead, insert the
    /// entries one by one into an empty index.
    fn build(&self, container: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex>;
}

impl<B: IndexBuilder> IndexBuilder for Arc<B> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn build(&self, container: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex> {
        (**self).build(container, entries)
    }
}

impl fmt::Debug for dyn IndexBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IndexBuilder({})", self.name())
    }
}
