//! Builders of global indexes.

use std::{fmt, sync::Arc};

use super::{entry::Entry, global_index::GlobalIndex, subset::Subset};
use crate::container::Container;

/// Builder of a [`GlobalIndex`]: a variant of [`IndexKind`](crate::IndexKind), or a type of the user.
///
/// The documentation of [`GlobalIndex`] contains a complete example.
pub trait IndexBuilder: Send + Sync {
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

    /// Builds an index over the spheres `entry(k)` for `k` in `0..len`, for probes that contain many spheres each.
    ///
    /// Verlet lists use it. An index may override this method to work without a copy of the entries, or with
    /// coarser nodes. `entry` may be called several times for each sphere.
    ///
    /// # Panics
    /// As for [`build`](Self::build).
    fn build_for_clusters(
        &self,
        container: &Container,
        len: usize,
        entry: &(dyn Fn(u32) -> Entry + Sync),
    ) -> Box<dyn GlobalIndex> {
        let entries: Vec<Entry> = (0..len as u32).map(entry).collect();
        self.build(container, &entries)
    }

    /// Builds an index over the spheres `sphere(id)` for each of `ids`, which must be sorted, for probes that contain many spheres each.
    ///
    /// The ranks of a packing use it: each of them holds some of the spheres. The ids are below `id_limit`, as are those of spheres that
    /// are inserted later, however few spheres there are. The provided method numbers the spheres without gaps for
    /// [`build_for_clusters`](Self::build_for_clusters). An index may override it to save this translation.
    ///
    /// # Panics
    /// As for [`build`](Self::build).
    fn build_part(
        &self,
        container: &Container,
        ids: &[u32],
        id_limit: u32,
        sphere: &(dyn Fn(u32) -> Entry + Sync),
    ) -> Box<dyn GlobalIndex> {
        build_subset(self, container, ids, id_limit, sphere)
    }
}

/// Implements [`IndexBuilder::build_part`] for any index.
pub(super) fn build_subset(
    builder: &(impl IndexBuilder + ?Sized),
    container: &Container,
    ids: &[u32],
    id_limit: u32,
    sphere: &(dyn Fn(u32) -> Entry + Sync),
) -> Box<dyn GlobalIndex> {
    let index = builder.build_for_clusters(container, ids.len(), &|slot| Entry {
        id: slot,
        ..sphere(ids[slot as usize])
    });
    Box::new(Subset::new(index, ids, id_limit))
}

impl<B: IndexBuilder + ?Sized> IndexBuilder for Arc<B> {
    fn name(&self) -> String {
        (**self).name()
    }

    fn build(&self, container: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex> {
        (**self).build(container, entries)
    }

    fn build_for_clusters(
        &self,
        container: &Container,
        len: usize,
        entry: &(dyn Fn(u32) -> Entry + Sync),
    ) -> Box<dyn GlobalIndex> {
        (**self).build_for_clusters(container, len, entry)
    }

    fn build_part(
        &self,
        container: &Container,
        ids: &[u32],
        id_limit: u32,
        sphere: &(dyn Fn(u32) -> Entry + Sync),
    ) -> Box<dyn GlobalIndex> {
        (**self).build_part(container, ids, id_limit, sphere)
    }
}

impl fmt::Debug for dyn IndexBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "IndexBuilder({})", self.name())
    }
}
