//! Any global index as a broad phase.

use glam::DVec3;

use super::{BroadPhase, Tester, Work, cell_table::bounds};
use crate::{
    container::{Boundaries, Container},
    index::{Entry, GlobalIndex},
    spheres::Spheres,
};

/// How to make an index over the given entries.
pub type BuildIndex = fn(&Container, &[Entry]) -> Box<dyn GlobalIndex>;

/// All pairs from a global index: one query for each sphere, each pair tested from the sphere with the smaller number.
///
/// The index is built once, in a box half as wide again as the scene, and spheres are relocated in it from frame to
/// frame; it is built anew when a sphere leaves the box or the number of spheres changes.
pub struct Indexed {
    build: BuildIndex,
    state: Option<State>,
}

struct State {
    index: Box<dyn GlobalIndex>,
    /// The spheres as the index knows them.
    entries: Vec<Entry>,
    origin: DVec3,
    lengths: DVec3,
}

impl Indexed {
    /// With no memory of any frame.
    pub fn new(build: BuildIndex) -> Self {
        Self { build, state: None }
    }

    /// The index, once there was a frame.
    pub fn index(&self) -> Option<&dyn GlobalIndex> {
        self.state.as_ref().map(|state| &*state.index)
    }
}

/// A box around the scene with room to move; `None` without a finite extent.
fn surroundings(spheres: &Spheres) -> Option<(DVec3, Container)> {
    let [low, high] = bounds(spheres.centers());
    let radius = spheres.radii().iter().copied().fold(0.0, f64::max);
    let margin = 0.25 * (high - low) + 2.0 * radius + f64::MIN_POSITIVE;
    let container = Container::new(high - low + 2.0 * margin, Boundaries::WALLS).ok()?;
    Some((low - margin, container))
}

fn entries(spheres: &Spheres, origin: DVec3) -> impl Iterator<Item = Entry> + '_ {
    spheres
        .iter()
        .zip(0..)
        .map(move |((center, radius), id)| Entry {
            center: center - origin,
            radius,
            id,
        })
}

impl BroadPhase for Indexed {
    fn detect(&mut self, spheres: &Spheres, report: &mut dyn FnMut(u32, u32)) -> Work {
        let mut tester = Tester::new(spheres, report);
        let kept = self.state.take().filter(|state| {
            state.index.len() == spheres.len()
                && entries(spheres, state.origin).all(|Entry { center, .. }| {
                    center.cmpge(DVec3::ZERO).all() && center.cmplt(state.lengths).all()
                })
        });
        let state = if let Some(mut state) = kept {
            for (known, entry) in state.entries.iter_mut().zip(entries(spheres, state.origin)) {
                state.index.relocate(*known, entry);
                *known = entry;
            }
            state.index.suit(&|id| state.entries[id as usize]);
            state
        } else {
            let Some((origin, container)) = surroundings(spheres) else {
                return tester.work;
            };
            let entries: Vec<Entry> = entries(spheres, origin).collect();
            State {
                index: (self.build)(&container, &entries),
                entries,
                origin,
                lengths: container.lengths(),
            }
        };
        // Coordinates inside the box are rounded differently from those outside.
        let rounding =
            8.0 * f64::EPSILON * (state.lengths.max_element() + state.origin.abs().max_element());
        for probe in &state.entries {
            let opened =
                state
                    .index
                    .visit_candidates(probe.center, probe.radius + rounding, &mut |run| {
                        for &candidate in run.iter().filter(|&&candidate| candidate > probe.id) {
                            tester.test(probe.id, candidate);
                        }
                    });
            tester.work.cell_accesses += opened as u64;
        }
        self.state = Some(state);
        tester.work
    }

    fn bytes(&self) -> usize {
        self.state.as_ref().map_or(0, |state| {
            state.index.bytes() + state.entries.capacity() * size_of::<Entry>()
        })
    }
}
