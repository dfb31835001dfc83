//! Any global index as a broad phase.

use glam::DVec3;

use super::{
    algorithm::{BroadPhase, OperationCounts},
    constants::{BOX_MARGIN, ROUNDING_ERRORS},
    lattice::bounds,
    tester::Tester,
};
use crate::{
    container::{Boundaries, Container},
    index::{Entry, GlobalIndex, IndexBuilder},
    spheres::Spheres,
};

/// All pairs from a global index: one query for each sphere, each pair tested from the sphere with the smaller number.
///
/// The index is built once, in a box half as wide again as the snapshot, and spheres are relocated in it from snapshot to
/// snapshot. It is built again when a sphere leaves the box or the number of spheres changes.
pub struct Indexed {
    builder: Box<dyn IndexBuilder>,
    state: Option<State>,
}

struct State {
    index: Box<dyn GlobalIndex>,
    /// The spheres as they are stored in the index.
    entries: Vec<Entry>,
    origin: DVec3,
    lengths: DVec3,
}

impl State {
    fn build(builder: &dyn IndexBuilder, snapshot: &Spheres) -> Option<Self> {
        let (origin, container) = surrounding_box(snapshot)?;
        let entries: Vec<Entry> = entries(snapshot, origin).collect();
        Some(Self {
            index: builder.build(&container, &entries),
            entries,
            origin,
            lengths: container.lengths(),
        })
    }

    /// Returns whether the box contains as many spheres as before, all inside.
    fn suits(&self, snapshot: &Spheres) -> bool {
        self.index.len() == snapshot.len()
            && entries(snapshot, self.origin).all(|Entry { center, .. }| {
                center.cmpge(DVec3::ZERO).all() && center.cmplt(self.lengths).all()
            })
    }

    /// Relocates all spheres.
    fn relocate(&mut self, snapshot: &Spheres) {
        for (stored, entry) in self.entries.iter_mut().zip(entries(snapshot, self.origin)) {
            self.index
                .relocate(*stored, entry)
                .expect("the index holds every sphere, and the snapshot is finite");
            *stored = entry;
        }
        self.index
            .rebuild_if_needed(&|id| self.entries[id as usize]);
    }
}

impl Indexed {
    /// Creates an empty detector over the indexes that `builder` builds.
    pub fn new(builder: impl IndexBuilder + 'static) -> Self {
        Self {
            builder: Box::new(builder),
            state: None,
        }
    }

    /// Returns the index of the last snapshot, if there was one.
    pub fn index(&self) -> Option<&dyn GlobalIndex> {
        self.state.as_ref().map(|state| &*state.index)
    }
}

/// Returns the origin and the size of a box around the snapshot in which the spheres can move; `None` if the extent is not
/// finite.
fn surrounding_box(snapshot: &Spheres) -> Option<(DVec3, Container)> {
    let [low, high] = bounds(snapshot.centers());
    let radius = snapshot.radii().iter().copied().fold(0.0, f64::max);
    let margin = BOX_MARGIN * (high - low) + 2.0 * radius + f64::MIN_POSITIVE;
    let container = Container::cuboid(high - low + 2.0 * margin, Boundaries::WALLS).ok()?;
    Some((low - margin, container))
}

fn entries(snapshot: &Spheres, origin: DVec3) -> impl Iterator<Item = Entry> + '_ {
    snapshot
        .iter()
        .zip(0..)
        .map(move |((center, radius), id)| Entry {
            center: center - origin,
            radius,
            id,
        })
}

impl BroadPhase for Indexed {
    fn detect_in_phases(
        &mut self,
        snapshot: &Spheres,
        sorted: &mut dyn FnMut(),
        report: &mut dyn FnMut(u32, u32),
    ) -> OperationCounts {
        let mut tester = Tester::new(snapshot, report);
        let kept = self.state.take().filter(|state| state.suits(snapshot));
        let state = if let Some(mut state) = kept {
            state.relocate(snapshot);
            state
        } else if let Some(state) = State::build(&*self.builder, snapshot) {
            state
        } else {
            return tester.counts;
        };
        sorted();
        // Coordinates in the box are rounded differently from those of the snapshot.
        let extent = state.lengths.max_element() + state.origin.abs().max_element();
        let rounding = ROUNDING_ERRORS * f64::EPSILON * extent;
        for probe in &state.entries {
            let opened =
                state
                    .index
                    .visit_candidates(probe.center, probe.radius + rounding, &mut |ids| {
                        for &candidate in ids.iter().filter(|&&candidate| candidate > probe.id) {
                            tester.test(probe.id, candidate);
                        }
                    });
            tester.counts.cell_accesses += opened as u64;
        }
        self.state = Some(state);
        tester.counts
    }

    fn bytes(&self) -> usize {
        self.state.as_ref().map_or(0, |state| {
            state.index.bytes() + state.entries.capacity() * size_of::<Entry>()
        })
    }
}
