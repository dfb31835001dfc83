//! The spheres that lie in a vessel.

use glam::DVec3;
use rand::RngExt;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use super::{
    constants::{MIDDLE_STARTS, ROUNDING, SLACK, STARTS, TAP},
    motion::{Lists, Obstacle, Rest, Rules, World, fall_and_roll},
    options::{Ceiling, PourOptions},
    source::Source,
    vessel::{Turn, is_open, walls},
    walls::Walls,
};
use crate::{
    index::columns::{Columns, Item},
    packing::Support,
    spheres::total_volume,
};

/// The spheres in the bed, in the order of their deposition.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(super) struct Lying {
    /// The given numbers.
    pub ids: Vec<u32>,
    /// The centers in the coordinates of the vessel.
    pub centers: Vec<DVec3>,
    /// Where the supports of each sphere end.
    pub ends: Vec<u32>,
    /// The supports: spheres by their given numbers, fixed ones after all others, and walls in the coordinates of the vessel.
    pub supports: Vec<Support>,
}

impl Lying {
    /// Returns the supports of the sphere at a position.
    pub fn supports_of(&self, k: usize) -> &[Support] {
        let start = k.checked_sub(1).map_or(0, |k| self.ends[k]);
        &self.supports[start as usize..self.ends[k] as usize]
    }

    fn push(&mut self, id: u32, rest: Rest) {
        self.ids.push(id);
        self.centers.push(rest.center);
        let supports = rest.supports.into_iter();
        self.supports
            .extend(supports.map(|(obstacle, normal)| match obstacle {
                Obstacle::Sphere(id) => Support::Sphere(id as usize),
                Obstacle::Wall(_) => Support::Wall(normal),
            }));
        self.ends.push(self.supports.len() as u32);
    }
}

/// A vessel with the spheres in it.
pub(super) struct Bed {
    pub turn: Turn,
    pub lying: Lying,
    /// Height of the highest point of a sphere that was poured.
    pub top: f64,
    walls: Walls,
    columns: Columns,
    /// The lists of the moving sphere.
    lists: Lists,
    /// Whether each horizontal axis is periodic.
    is_periodic: [bool; 2],
    /// Height above which no sphere may lie.
    ceiling: f64,
    is_open: bool,
    rounding: f64,
}

impl Bed {
    /// Creates an empty bed for spheres of these radii.
    pub fn new(options: &PourOptions, radii: &[f64]) -> Self {
        let container = &options.container;
        let turn = Turn::new(options.gravity, container.lengths());
        let lengths = turn.lengths();
        let is_periodic = [DVec3::X, DVec3::Y].map(|axis| {
            let own = turn.back_vector(axis).abs().max_position();
            container.is_periodic(own)
        });
        let rounding = ROUNDING * lengths.max_element();
        let fixed = options.fixed.as_ref().map(|fixed| &fixed.spheres);
        let of_fixed = fixed.map_or(&[][..], |fixed| fixed.radii());
        let inflated = |radius: &f64| radius * (1.0 + SLACK) + rounding;
        let widest = 2.0 * radii.iter().map(inflated).fold(0.0, f64::max);
        let all = radii.iter().chain(of_fixed).map(inflated);
        let mut columns = Columns::new(lengths, is_periodic, all);
        for (k, (center, radius)) in fixed.iter().flat_map(|fixed| fixed.iter()).enumerate() {
            let (center, radius) = (turn.point(center), inflated(&radius));
            let id = (radii.len() + k) as u32;
            columns.insert(Item { center, radius, id });
        }
        Self {
            turn,
            lying: Lying::default(),
            top: 0.0,
            walls: walls(container, options.gravity, widest),
            columns,
            lists: Lists::default(),
            is_periodic,
            ceiling: match options.ceiling {
                Ceiling::Container => lengths.z,
                Ceiling::At(height) => height,
                Ceiling::Free => f64::INFINITY,
            },
            is_open: is_open(container, options.gravity),
            rounding,
        }
    }

    /// Returns the radius with which a sphere moves: touching spheres have a tiny gap in the end.
    pub fn inflated(&self, radius: f64) -> f64 {
        radius * (1.0 + SLACK) + self.rounding
    }

    /// Returns a place from which a sphere may fall; `None` if all are taken.
    pub fn start(
        &self,
        options: &PourOptions,
        radius: f64,
        share: f64,
        random: &mut Pcg64,
    ) -> Option<DVec3> {
        let (lengths, radius) = (self.turn.lengths(), self.inflated(radius));
        match &options.source {
            Source::Rain => {
                let above = lengths.z.max(self.top);
                let height = if self.is_open {
                    above + 2.0 * radius
                } else {
                    lengths.z - radius
                };
                let mut point = |margin: f64| {
                    let [x, y]: [f64; 2] = [random.random(), random.random()];
                    let along = |share: f64, length: f64| {
                        let margin = margin.min(0.5 * length);
                        margin + share * (length - 2.0 * margin)
                    };
                    DVec3::new(along(x, lengths.x), along(y, lengths.y), height)
                };
                // In a narrow vessel, hardly any place is free but those in its middle.
                let margins = (0..STARTS)
                    .map(|_| 0.0)
                    .chain((0..MIDDLE_STARTS).map(|_| radius));
                let mut points = margins.map(&mut point);
                points.find(|&point| self.is_free(point, radius, self.is_open))
            }
            Source::Outlet {
                path,
                diameter,
                passes,
            } => {
                let points: Vec<DVec3> = path.iter().map(|&point| self.turn.point(point)).collect();
                let middle = along(&points, share * f64::from((*passes).max(1)));
                let half = 0.5 * diameter.unwrap_or_default();
                let aside = |random: &mut Pcg64| loop {
                    let [x, y]: [f64; 2] = [random.random(), random.random()];
                    let aside = DVec3::new(2.0 * x - 1.0, 2.0 * y - 1.0, 0.0);
                    if aside.length_squared() <= 1.0 {
                        break half * aside;
                    }
                };
                let mut points = (0..STARTS).map(|_| middle + aside(random));
                points.find(|&point| self.is_free(point, radius, true))
            }
        }
    }

    /// Returns whether a sphere at a point overlaps nothing. The top of a vessel is a wall for spheres that start below it.
    pub fn is_free(&self, point: DVec3, radius: f64, may_be_above: bool) -> bool {
        let mut is_free = may_be_above
            || point.z + radius <= self.turn.lengths().z + radius * SLACK + self.rounding;
        self.columns.near(point, radius, |_| is_free = false);
        // The walls of meshes take longer.
        if is_free {
            (self.walls).near(point, radius, radius, &mut |near| {
                is_free &= near.gap >= -2.0 * (radius * SLACK + self.rounding);
            });
        }
        is_free
    }

    /// Lets a sphere fall from a point. Returns whether it found a place below the ceiling.
    pub fn drop(
        &mut self,
        options: &PourOptions,
        id: u32,
        radius: f64,
        from: DVec3,
        random: &mut Pcg64,
    ) -> bool {
        let rest = self.fallen(options, radius, from, random);
        let is_lying = rest.is_some();
        rest.into_iter()
            .for_each(|rest| self.enter(id, self.inflated(radius), rest));
        is_lying
    }

    /// Returns where a sphere comes to rest that falls from a point; `None` if that is no place below the ceiling.
    fn fallen(
        &mut self,
        options: &PourOptions,
        radius: f64,
        from: DVec3,
        random: &mut Pcg64,
    ) -> Option<Rest> {
        let inflated = self.inflated(radius);
        let world = World {
            spheres: &self.columns,
            walls: &self.walls,
        };
        let mut rules = Rules {
            stop: libm::sin(options.stop_angle.to_radians()),
            sticking: options.sticking,
            random: &mut || random.random(),
        };
        let mut rest = fall_and_roll(&world, &mut self.lists, from, inflated, &mut rules);
        let lengths = self.turn.lengths();
        for axis in (0..2).filter(|&axis| self.is_periodic[axis]) {
            let wrapped = rest.center[axis].rem_euclid(lengths[axis]);
            rest.center[axis] = if wrapped < lengths[axis] {
                wrapped
            } else {
                0.0
            };
        }
        let is_lying = rest.center.is_finite()
            && rest.center.z + radius <= self.ceiling
            && self.is_apart(rest.center, radius);
        is_lying.then_some(rest)
    }

    /// Returns whether a sphere at rest overlaps nothing. A vessel may be exactly as wide as the sphere.
    fn is_apart(&self, center: DVec3, radius: f64) -> bool {
        let inflated = self.inflated(radius);
        let slack = 0.5 * (inflated - radius);
        let mut is_apart = true;
        self.columns
            .near(center, inflated - slack, |_| is_apart = false);
        let walls = &self.walls;
        walls.near(center, radius, radius, &mut |near| {
            is_apart &= near.gap >= 0.0;
        });
        is_apart
    }

    fn enter(&mut self, id: u32, radius: f64, rest: Rest) {
        let center = rest.center;
        self.top = self.top.max(center.z + radius);
        self.columns.insert(Item { center, radius, id });
        self.lying.push(id, rest);
    }

    /// Moves all spheres to places where they are at rest together, without supports. Each place has the position of its sphere in the lists.
    pub fn place<'a>(&mut self, places: impl Iterator<Item = (&'a usize, DVec3)>, radii: &[f64]) {
        self.top = 0.0;
        for (&k, center) in places {
            self.lying.centers[k] = center;
            let radius = self.inflated(radii[self.lying.ids[k] as usize]);
            self.top = self.top.max(center.z + radius);
        }
        self.lying.supports.clear();
        self.lying.ends.fill(0);
    }

    /// Enters spheres that lay in a bed.
    pub fn restore(&mut self, lying: Lying, radii: &[f64]) {
        for (&id, &center) in lying.ids.iter().zip(&lying.centers) {
            let radius = self.inflated(radii[id as usize]);
            self.top = self.top.max(center.z + radius);
            self.columns.insert(Item { center, radius, id });
        }
        self.lying = lying;
    }

    /// Returns the bed after all spheres have fallen again: from the lowest of `centers` up, each one falls from there and from further
    /// places nearby, and takes the lowest position that it finds. `None` if a sphere finds none.
    pub fn settled(
        &self,
        options: &PourOptions,
        radii: &[f64],
        centers: &[DVec3],
        falls: u32,
        random: &mut Pcg64,
    ) -> Option<Self> {
        let mut settled = Self::new(options, radii);
        let mut order: Vec<usize> = (0..centers.len()).collect();
        order.sort_by(|&a, &b| centers[a].z.total_cmp(&centers[b].z));
        for k in order {
            let (id, center) = (self.lying.ids[k], centers[k]);
            let radius = radii[id as usize];
            let from = settled.above(center, radius);
            let mut lowest = settled.fallen(options, radius, from, random);
            for _ in 1..falls {
                let [x, y]: [f64; 2] = [random.random(), random.random()];
                let aside = DVec3::new(2.0 * x - 1.0, 2.0 * y - 1.0, 0.0) * (TAP * radius);
                let from = (center + aside).with_z(settled.top + 2.0 * self.inflated(radius));
                if settled.is_free(from, self.inflated(radius), self.is_open) {
                    let found = settled.fallen(options, radius, from, random);
                    let is_lower = |found: &Rest| {
                        (lowest.as_ref()).is_none_or(|lowest| found.center.z < lowest.center.z)
                    };
                    lowest = found.filter(is_lower).or(lowest);
                }
            }
            settled.enter(id, self.inflated(radius), lowest?);
        }
        Some(settled)
    }

    /// Returns a place at or above a point from which a sphere may fall.
    fn above(&self, mut point: DVec3, radius: f64) -> DVec3 {
        let inflated = self.inflated(radius);
        while !self.is_free(point, inflated, true) && point.z <= self.top + inflated {
            point.z += 0.5 * radius;
        }
        point
    }

    /// Returns the height of the mean surface, which lies twice as high as the center of mass; `None` without spheres.
    pub fn surface(&self, radii: &[f64]) -> Option<f64> {
        let (mut cubes, mut moment) = (0.0, 0.0);
        for (&id, center) in self.lying.ids.iter().zip(&self.lying.centers) {
            let cube = radii[id as usize].powi(3);
            cubes += cube;
            moment += cube * center.z;
        }
        (cubes > 0.0).then(|| 2.0 * moment / cubes)
    }

    /// Returns the packing fraction below the mean surface; 0 without spheres.
    pub fn fraction(&self, radii: &[f64], options: &PourOptions) -> f64 {
        self.surface(radii)
            .map_or(0.0, |surface| self.filled(radii, options) / surface)
    }

    /// Returns the height of the vessel that the spheres would fill without gaps.
    pub fn filled(&self, radii: &[f64], options: &PourOptions) -> f64 {
        let cross_section = options.container.solid().volume() / self.turn.lengths().z;
        let lying = self.lying.ids.iter().map(|&id| radii[id as usize]);
        total_volume(&lying.collect::<Vec<f64>>()) / cross_section
    }
}

/// Returns the point after `passes` passes over a path, back and forth.
fn along(path: &[DVec3], passes: f64) -> DVec3 {
    let back = passes.rem_euclid(2.0);
    let share = if back <= 1.0 { back } else { 2.0 - back };
    let lengths: Vec<f64> = path
        .windows(2)
        .map(|ends| ends[0].distance(ends[1]))
        .collect();
    let mut rest = share * lengths.iter().sum::<f64>();
    for (ends, &length) in path.windows(2).zip(&lengths) {
        if rest <= length && length > 0.0 {
            return ends[0].lerp(ends[1], rest / length);
        }
        rest -= length;
    }
    path[path.len() - 1]
}
