//! The interfaces of a global index and of its builder.

use std::{any::Any, fmt, sync::Arc};

use glam::DVec3;
use rayon::prelude::*;

use super::{
    constants::RELOCATIONS_PER_TASK,
    entry::{Entry, EntryError},
};
use crate::{
    container::Container,
    machine::{
        parallel::Erase,
        trace::{part, shared},
    },
};

/// A dynamic spatial index over spheres of any sizes: it reports the spheres that may intersect a probe sphere.
///
/// The packer, the Verlet lists and the comparisons use an index through this trait alone. An index of a user is
/// passed to them as an [`IndexBuilder`](crate::index::IndexBuilder). The choice of the index changes time and memory, never
/// a packing. [`index_contract::assert_holds`](crate::index::contract::assert_holds) tests the contract below.
///
/// # Contract
///
/// **What is stored.** An index stores the ids of spheres, arranged by their centers and radii. The caller owns the
/// spheres. To relocate or remove a sphere, the caller passes the center and radius of its last insertion or
/// relocation. An index may keep copies of the entries, but need not.
///
/// **Geometry.** Centers lie in the container: `0 ≤ x < length` along a periodic axis, `0 ≤ x ≤ length` along a walled
/// axis. Distances are minimum-image distances, as [`Container::displacement`](crate::Container::displacement) returns
/// them: along a periodic axis no distance exceeds half the length. Radii may have any ratio and may exceed the container.
///
/// **Probes.** A probe is a sphere with its center in the container and any finite radius of at least 0. A stored sphere
/// intersects the probe if the distance of the centers is at most the sum of the radii.
/// [`visit_candidates`](Self::visit_candidates) reports the id of each sphere that intersects the probe *exactly once*.
/// It may report other stored spheres, each *at most once*. It never reports an id that is not stored. The order of the
/// reports is free. Rounding must not hide a sphere that only just touches the probe: a margin of some 10⁻¹² of
/// the container's length and of the probe's radius suffices.
///
/// **Rejected changes.** [`insert`](Self::insert), [`relocate`](Self::relocate) and [`remove`](Self::remove) return an
/// error, and leave the index as it was, for a center or a radius that [`Entry::check`] rejects, for a second sphere
/// with the same id, and for a sphere that is not stored. If the old center and radius that the caller passes are wrong,
/// an index returns [`EntryError::Mismatch`] or finds the sphere by its id. An index accepts every new id below
/// [`Entry::id_limit`]. It rejects larger ids if it keeps a table by id; the memory of an index is O(N).
///
/// **Rebuild.** Levels or cells may be chosen for the spheres present at the build. Later changes may make them slow,
/// never wrong. [`needs_rebuild`](Self::needs_rebuild) then returns true until [`rebuild`](Self::rebuild) is called.
/// A change takes O(log N) at most, averaged over many changes: a change may rebuild parts of the index, but rarely.
///
/// **Levels.** [`spheres_per_level`](Self::spheres_per_level) returns the number of spheres on each level, coarsest
/// first. Its sum is [`len`](Self::len). An index without levels has one.
///
/// **Threads.** Methods that take `&self` run on several threads at the same time. Methods that take `&mut self` run on
/// one thread at a time.
///
/// # Example
///
/// A complete index: slices of equal thickness along x. The last lines run the contract tests, and pack with the index.
///
/// ```
/// use std::collections::BTreeMap;
///
/// use glam::DVec3;
/// use jostle::{
///     Container, PackOptions, Packer, index::contract as index_contract, pack, index::{Entry, EntryError, GlobalIndex, IndexBuilder},
/// };
///
/// /// Slices of equal thickness along x.
/// struct Slices {
///     container: Container,
///     /// By slice, the ids of the spheres whose centers lie in it.
///     slices: Vec<Vec<u32>>,
///     /// By id, the slice of a sphere.
///     slice_of: BTreeMap<u32, usize>,
///     /// No stored sphere is larger.
///     largest_radius: f64,
/// }
///
/// impl Slices {
///     fn slice(&self, center: DVec3) -> usize {
///         let share = center.x / self.container.lengths().x;
///         ((share * self.slices.len() as f64) as usize).min(self.slices.len() - 1)
///     }
///
///     /// Returns the smallest distance along x between a point and a slice.
///     fn distance(&self, x: f64, slice: usize) -> f64 {
///         let length = self.container.lengths().x;
///         let thickness = length / self.slices.len() as f64;
///         let to_middle = (x - (slice as f64 + 0.5) * thickness).abs();
///         let to_middle = if self.container.is_periodic(0) {
///             to_middle.min(length - to_middle)
///         } else {
///             to_middle
///         };
///         to_middle - 0.5 * thickness
///     }
/// }
///
/// impl GlobalIndex for Slices {
///     fn insert(&mut self, entry: Entry) -> Result<(), EntryError> {
///         entry.check()?;
///         if self.contains(entry.id) {
///             return Err(EntryError::Duplicate { id: entry.id });
///         }
///         let slice = self.slice(entry.center);
///         self.slices[slice].push(entry.id);
///         self.slice_of.insert(entry.id, slice);
///         self.largest_radius = self.largest_radius.max(entry.radius);
///         Ok(())
///     }
///
///     fn remove(&mut self, entry: Entry) -> Result<(), EntryError> {
///         entry.check()?;
///         let slice = self.slice_of.remove(&entry.id);
///         let slice = slice.ok_or(EntryError::Unknown { id: entry.id })?;
///         self.slices[slice].retain(|&id| id != entry.id);
///         Ok(())
///     }
///
///     fn contains(&self, id: u32) -> bool {
///         self.slice_of.contains_key(&id)
///     }
///
///     fn len(&self) -> usize {
///         self.slice_of.len()
///     }
///
///     fn visit_candidates(
///         &self,
///         center: DVec3,
///         radius: f64,
///         visit: &mut dyn FnMut(&[u32]),
///     ) -> usize {
///         let margin = 1e-12 * (self.container.lengths().x + radius);
///         let reach = radius + self.largest_radius + margin;
///         let mut opened = 0;
///         for (number, ids) in self.slices.iter().enumerate() {
///             if self.distance(center.x, number) <= reach {
///                 visit(ids);
///                 opened += 1;
///             }
///         }
///         opened
///     }
///
///     fn bytes(&self) -> usize {
///         let ids: usize = self.slices.iter().map(Vec::capacity).sum();
///         4 * ids + 24 * self.slices.len() + 16 * self.slice_of.len()
///     }
/// }
///
/// /// Builds [`Slices`].
/// struct SlicesBuilder {
///     slices: usize,
/// }
///
/// impl IndexBuilder for SlicesBuilder {
///     fn name(&self) -> String {
///         format!("{} slices", self.slices)
///     }
///
///     fn build(&self, container: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex> {
///         let mut index = Slices {
///             container: container.clone(),
///             slices: vec![Vec::new(); self.slices],
///             slice_of: BTreeMap::new(),
///             largest_radius: 0.0,
///         };
///         for &entry in entries {
///             index.insert(entry).expect("the caller passes valid entries");
///         }
///         Box::new(index)
///     }
/// }
///
/// index_contract::assert_holds(&SlicesBuilder { slices: 50 });
///
/// let (radii, options) = ([0.5; 200], PackOptions::default());
/// let mut packer = Packer::builder().index(SlicesBuilder { slices: 5 }).place(&radii, &options)?;
/// while packer.sweep().is_some() {}
/// assert_eq!(packer.finish().packing.spheres(), pack(&radii, &options)?.packing.spheres());
/// # Ok::<(), jostle::rearrange::PackError>(())
/// ```
pub trait GlobalIndex: Send + Sync {
    /// Adds a sphere whose id is not in the index.
    ///
    /// # Errors
    /// When the index must reject the sphere, see the [contract](GlobalIndex#contract). The index is then unchanged.
    fn insert(&mut self, entry: Entry) -> Result<(), EntryError>;

    /// Gives a stored sphere a new center and radius. `from` is the sphere as it is stored, `to` the new one, with the
    /// same id. If the index is the same for both, it does not notice a wrong `from`.
    ///
    /// The default removes the sphere and inserts it again. An index that limits ids by its present number of spheres must
    /// override it, as the number is smaller by one in between.
    ///
    /// # Errors
    /// When the index must reject `from` or `to`, see the [contract](GlobalIndex#contract). The index is then unchanged.
    fn relocate(&mut self, from: Entry, to: Entry) -> Result<(), EntryError> {
        from.check()?;
        to.check()?;
        if from.id != to.id {
            let (from, to) = (from.id, to.id);
            return Err(EntryError::DifferentIds { from, to });
        }
        if !self.contains(from.id) {
            return Err(EntryError::Unknown { id: from.id });
        }
        if self.would_change(&from, &to) {
            self.remove(from)?;
            self.insert(to)?;
        }
        Ok(())
    }

    /// Gives `count` stored spheres, each at most once, new centers and radii. `entries` returns the `k`-th sphere as it is stored, and
    /// the new one, for `k` in `0..count`.
    ///
    /// The default calls [`would_change`](Self::would_change) on all threads, and then [`relocate`](Self::relocate) where it is needed
    /// on one thread.
    ///
    /// # Panics
    /// When [`relocate`](Self::relocate) must reject a pair of entries that changes the index.
    fn relocate_all(&mut self, count: u32, entries: &(dyn Fn(u32) -> (Entry, Entry) + Sync)) {
        let changes = |&k: &u32| {
            let (from, to) = entries(k);
            self.would_change(&from, &to)
        };
        let numbers = (0..count).into_par_iter();
        let changing: Vec<u32> = shared("entries that move", || {
            numbers
                .with_min_len(RELOCATIONS_PER_TASK)
                .erased()
                .filter(changes)
                .collect()
        });
        part("changes of the index", || {
            for k in changing {
                let (from, to) = entries(k);
                let relocated = self.relocate(from, to);
                relocated.unwrap_or_else(|error| panic!("{error}"));
            }
        });
    }

    /// Returns whether [`relocate`](Self::relocate) with these entries would change the index: if not, the caller may
    /// skip the relocation.
    fn would_change(&self, from: &Entry, to: &Entry) -> bool {
        from != to
    }

    /// Removes a stored sphere; `entry` is the sphere as it is stored.
    ///
    /// # Errors
    /// When the index must reject the sphere, see the [contract](GlobalIndex#contract). The index is then unchanged.
    fn remove(&mut self, entry: Entry) -> Result<(), EntryError>;

    /// Returns whether a sphere with this id is stored.
    fn contains(&self, id: u32) -> bool;

    /// Returns the number of stored spheres.
    fn len(&self) -> usize;

    /// Returns whether no sphere is stored.
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Reports the candidates for overlap with a probe sphere to `visit`, several ids at a time, and returns how many
    /// nodes or cells were opened.
    ///
    /// Each stored sphere that intersects the probe is reported exactly once, any other stored sphere at most once; see
    /// the [contract](GlobalIndex#contract). At least one node counts as opened if any id is reported.
    fn visit_candidates(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize;

    /// Returns whether [`rebuild`](Self::rebuild) would speed up later queries or free much memory, because the spheres
    /// have changed much since levels or cells were chosen. False directly after a rebuild.
    fn needs_rebuild(&self) -> bool {
        false
    }

    /// Chooses levels or cells again for the stored spheres. `sphere` returns the entry of a stored id. O(N), or
    /// O(N log N).
    fn rebuild(&mut self, sphere: &(dyn Fn(u32) -> Entry + Sync)) {
        let _ = sphere;
    }

    /// Rebuilds the index if it needs that. `sphere` returns the entry of a stored id.
    fn rebuild_if_needed(&mut self, sphere: &(dyn Fn(u32) -> Entry + Sync)) {
        if self.needs_rebuild() {
            self.rebuild(sphere);
        }
    }

    /// Returns the memory that the index holds, in bytes.
    fn bytes(&self) -> usize;

    /// Returns the number of spheres on each level, coarsest first.
    fn spheres_per_level(&self) -> Vec<usize> {
        vec![self.len()]
    }

    /// Checks the internal invariants of the index, for tests. `sphere` returns the entry of a stored id.
    ///
    /// # Panics
    /// When an invariant does not hold.
    fn assert_well_formed(&self, sphere: &dyn Fn(u32) -> Entry) {
        let _ = sphere;
    }
}

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
