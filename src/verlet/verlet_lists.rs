//! The Verlet list of every sphere.

use std::sync::Arc;

use glam::DVec3;

use super::{clusters::Density, constants::MARGIN, lists::SymmetricLists, lookup::Lookup};
use crate::{
    container::{
        Container,
        frame::{Frame, Point},
    },
    index::{Entry, GlobalIndex, IndexBuilder, build_for_lists},
    machine::{ids::Ids, sorted::write_sorted, trace::part},
};

/// An entry that cannot get a Verlet list.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum VerletError {
    /// The id of an entry is not its position.
    #[error("entry {position} has id {id}; the id of each entry must be its position, from 0")]
    Order {
        /// Position of the entry.
        position: usize,
        /// Id of the sphere.
        id: u32,
    },
    /// There is no sphere with this id.
    #[error("there is no sphere {id}; the lists hold {count} spheres, numbered from 0")]
    Unknown {
        /// The unknown id.
        id: u32,
        /// Number of spheres.
        count: usize,
    },
    /// An id occurs twice.
    #[error("sphere {0} occurs twice; each sphere may be refreshed once in a call")]
    Repeated(u32),
    /// A center lies outside the container.
    #[error("the center {center} of sphere {id} lies outside the container of lengths {lengths}")]
    Center {
        /// Id of the sphere.
        id: u32,
        /// Center of the sphere.
        center: DVec3,
        /// Lengths of the container.
        lengths: DVec3,
    },
    /// A radius is not positive and finite.
    #[error("radius {radius} of sphere {id} must be a positive, finite number")]
    Radius {
        /// Id of the sphere.
        id: u32,
        /// Radius of the sphere.
        radius: f64,
    },
}

/// The Verlet list of every sphere, and the global index behind the lists.
///
/// Spheres are numbered `0..n`, best along a space-filling curve.
///
/// Memory: 28 bytes per sphere, 4 bytes per neighbor rounded up to 32 bytes, up to an eighth more where lists have moved or
/// grown, and the index.
///
/// # Example
/// ```
/// use jostle::{Boundaries, Container, IndexKind, glam::DVec3, index::Entry, verlet::VerletLists};
///
/// let container = Container::cuboid(DVec3::splat(10.0), Boundaries::PERIODIC)?;
/// let sphere = |id, x| Entry { center: DVec3::new(x, 5.0, 5.0), radius: 1.0, id };
/// let spheres = [sphere(0, 0.5), sphere(1, 9.5), sphere(2, 5.0)];
/// let lists = VerletLists::new(IndexKind::default(), &container, &spheres)?;
/// assert_eq!(lists.neighbors(0), [1]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub struct VerletLists {
    container: Container,
    pub(crate) frame: Frame,
    builder: Arc<dyn IndexBuilder>,
    /// The spheres at their reference positions, inflated. [`Self::rebuild`] must follow a change.
    pub(crate) inflated: Vec<Point>,
    index: Box<dyn GlobalIndex>,
    /// At the time when all lists were built.
    density: Density,
    pub(crate) lists: SymmetricLists,
}

impl VerletLists {
    /// Builds the index and all lists. The `i`-th entry is sphere `i` at its reference position, inflated; its id must be `i`.
    ///
    /// The lists hold all pairs whose inflated spheres intersect. They hold no pair whose inflated spheres are further apart than
    /// 2 · 10⁻⁶ of their radii plus 2⁻²⁸ of the container.
    ///
    /// Cost: one index query for every few spheres.
    ///
    /// # Errors
    /// [`VerletError`] if an entry has another id than its position, or a center outside the container, or a radius that is not
    /// positive and finite.
    ///
    /// # Panics
    /// If the index breaks its contract and reports an id that it does not hold.
    pub fn new(
        builder: impl IndexBuilder + 'static,
        container: &Container,
        inflated: &[Entry],
    ) -> Result<Self, VerletError> {
        if let Some(position) = (0..inflated.len()).find(|&k| inflated[k].id as usize != k) {
            let id = inflated[position].id;
            return Err(VerletError::Order { position, id });
        }
        check_geometry(container, inflated)?;
        let frame = container.frame();
        let points = inflated
            .iter()
            .map(|entry| rounded(&frame, entry))
            .collect();
        Ok(Self::of_points(
            Arc::new(builder),
            container.clone(),
            points,
        ))
    }

    /// Like [`Self::new`], for spheres `inflated` in steps of the container's frame.
    pub(crate) fn of_points(
        builder: Arc<dyn IndexBuilder>,
        container: Container,
        inflated: Vec<Point>,
    ) -> Self {
        let frame = container.frame();
        let mut lists = Self {
            index: builder.build(&container, &[]),
            density: Density::new(container.dimension(), container.volume(), &[]),
            lists: SymmetricLists::new(0),
            container,
            frame,
            builder,
            inflated: Vec::new(),
        };
        let all = Ids::All(inflated.len() as u32);
        *lists.reset(all.len()) = inflated;
        lists.rebuild(&all);
        lists
    }

    /// Replaces all spheres by `n` spheres that the lists do not hold. Returns their inflated spheres, which [`Self::rebuild`] must follow.
    /// A sphere that is not held has no positive radius.
    pub(crate) fn reset(&mut self, n: usize) -> &mut Vec<Point> {
        self.index = self.builder.build(&self.container, &[]);
        self.lists = SymmetricLists::new(n);
        // Only pages with held spheres take memory.
        self.inflated = bytemuck::zeroed_vec(n);
        &mut self.inflated
    }

    /// Returns the neighbors of sphere `id`, sorted by id.
    ///
    /// # Panics
    /// If there is no sphere `id`.
    pub fn neighbors(&self, id: u32) -> &[u32] {
        self.lists.list(id)
    }

    /// Returns the global index.
    pub fn index(&self) -> &dyn GlobalIndex {
        &*self.index
    }

    /// Returns the memory of spheres, lists and index in bytes.
    pub fn bytes(&self) -> usize {
        let spheres = self.inflated.capacity() * size_of::<Point>();
        spheres + self.lists.bytes() + self.index.bytes()
    }

    /// Gives each of the spheres `moved` (each id at most once) its new reference position and inflated radius, and updates all
    /// lists that change.
    ///
    /// Cost: an index query for each moved sphere, or for a few neighboring ones, and O(list) for each list that changes.
    ///
    /// # Errors
    /// [`VerletError`] if an id is unknown or occurs twice, a center lies outside the container, or a radius is not positive and
    /// finite. No list is changed then.
    pub fn refresh(&mut self, moved: &[Entry]) -> Result<(), VerletError> {
        check_geometry(&self.container, moved)?;
        let mut moved: Vec<&Entry> = moved.iter().collect();
        moved.sort_unstable_by_key(|entry| entry.id);
        let ids: Vec<u32> = moved.iter().map(|entry| entry.id).collect();
        let count = self.inflated.len();
        if let Some(&id) = ids.last().filter(|&&id| id as usize >= count) {
            return Err(VerletError::Unknown { id, count });
        }
        if let Some(pair) = ids.windows(2).find(|pair| pair[0] == pair[1]) {
            return Err(VerletError::Repeated(pair[0]));
        }
        let inflated: Vec<Point> = moved
            .into_iter()
            .map(|entry| rounded(&self.frame, entry))
            .collect();
        self.refresh_points(&ids, &inflated);
        Ok(())
    }

    /// Like [`Self::refresh`], for the spheres `ids`, which must be sorted, at these points. A sphere whose new radius is not positive
    /// leaves the lists, and one whose old radius is not positive enters them.
    pub(crate) fn refresh_points(&mut self, ids: &[u32], inflated: &[Point]) {
        let before = &self.inflated;
        let stays = |&(&id, to): &(&u32, &Point)| is_held(before[id as usize]) && is_held(*to);
        let pairs = || ids.iter().zip(inflated);
        let all_stay = pairs().all(|pair| stays(&pair));
        if all_stay {
            self.relocate_in_index(ids, inflated);
        } else {
            let (moved, to): (Vec<u32>, Vec<Point>) = pairs().filter(stays).unzip();
            let others: Vec<(u32, Point)> = (pairs().filter(|pair| !stays(pair)))
                .map(|(&id, &to)| (id, to))
                .collect();
            self.relocate_in_index(&moved, &to);
            others
                .into_iter()
                .for_each(|(id, to)| self.enter_or_leave(id, to));
        }
        write_sorted(&mut self.inflated, ids, |sphere, k| *sphere = inflated[k]);
        self.rebuild_index_if_needed();
        let (frame, inflated, density) = (&self.frame, &self.inflated, &self.density);
        let index = &*self.index;
        self.lists.change(ids, |ids, visit| {
            Lookup::new(index, frame, density, inflated).lists_of(ids, visit);
        });
    }

    /// Inserts a sphere that is not in the index, or removes one that does not stay there.
    fn enter_or_leave(&mut self, id: u32, to: Point) {
        let before = self.inflated[id as usize];
        let result = if is_held(to) {
            self.index.insert(entry(&self.frame, id, to))
        } else if is_held(before) {
            self.index.remove(entry(&self.frame, id, before))
        } else {
            Ok(())
        };
        result.expect("the index holds the spheres of the lists, with finite numbers");
    }

    fn relocate_in_index(&mut self, ids: &[u32], inflated: &[Point]) {
        let (frame, before) = (&self.frame, &self.inflated);
        let entries = |k: u32| {
            let id = ids[k as usize];
            let from = entry(frame, id, before[id as usize]);
            (from, entry(frame, id, inflated[k as usize]))
        };
        self.index.relocate_all(ids.len() as u32, &entries);
    }

    fn rebuild_index_if_needed(&mut self) {
        let (frame, inflated) = (&self.frame, &self.inflated);
        part("index", || {
            self.index
                .rebuild_if_needed(&|id| entry(frame, id, inflated[id as usize]));
        });
    }

    /// Rebuilds the index and all lists for the spheres `held`.
    ///
    /// Cost: building the index, and an index query for every few spheres.
    pub(crate) fn rebuild(&mut self, held: &Ids) {
        let container = &self.container;
        // An empty index replaces the old one first, so that memory holds one index at a time.
        self.index = self.builder.build(container, &[]);
        let (frame, inflated) = (&self.frame, &self.inflated);
        let sphere = |id: u32| entry(frame, id, inflated[id as usize]);
        let id_limit = inflated.len() as u32;
        self.index = part("index", || {
            build_for_lists(&*self.builder, container, held, id_limit, &sphere)
        });
        let share = held.len() as f64 / inflated.len() as f64;
        self.density = Density::new(
            container.dimension(),
            container.volume() * share,
            &held.of(inflated),
        );
        let (index, density) = (&*self.index, &self.density);
        self.lists.rewrite(held, |ids, visit| {
            Lookup::new(index, frame, density, inflated).lists_of(ids, visit);
        });
    }

    /// Checks the index, and the order, symmetry and padding of every list; for tests.
    ///
    /// # Panics
    /// If a check fails.
    pub fn assert_well_formed(&self) {
        let sphere = |id: u32| entry(&self.frame, id, self.inflated[id as usize]);
        self.index.assert_well_formed(&sphere);
        self.lists.assert_well_formed();
    }
}

/// Returns a sphere at the nearest step of the frame, enlarged by the error of its position.
fn rounded(frame: &Frame, entry: &Entry) -> Point {
    let steps = 2.0 * frame.per_length.recip().max_element();
    frame.point(entry.center, entry.radius + steps)
}

/// Returns whether the lists hold a sphere with this inflated sphere.
fn is_held(inflated: Point) -> bool {
    inflated.radius > 0.0
}

/// Returns the entry of an inflated sphere in the index, larger than in any test of lists.
fn entry(frame: &Frame, id: u32, inflated: Point) -> Entry {
    Entry {
        center: frame.center(inflated.at),
        radius: f64::from(inflated.radius) * (1.0 + 2.0 * MARGIN),
        id,
    }
}

/// Rejects centers outside the container and radii that are not positive and finite.
fn check_geometry(container: &Container, entries: &[Entry]) -> Result<(), VerletError> {
    let lengths = container.lengths();
    for &Entry { center, radius, id } in entries {
        let is_inside = (0..3).all(|axis| (0.0..=lengths[axis]).contains(&center[axis]));
        if !is_inside {
            return Err(VerletError::Center {
                id,
                center,
                lengths,
            });
        }
        if !(radius > 0.0 && radius.is_finite()) {
            return Err(VerletError::Radius { id, radius });
        }
    }
    Ok(())
}
