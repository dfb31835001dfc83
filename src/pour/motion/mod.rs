//! The motion of one sphere: it falls, rolls on its contacts along the steepest way down, and comes to rest.

mod creep;

use glam::DVec3;

use super::{
    curve::Curve,
    descent::{Carrying, Descent, descent},
    walls::{Wall, Walls},
};
use crate::index::columns::{Columns, Item, Vicinity};

/// Gap below which two surfaces touch, in radii of the moving sphere.
const TOUCH: f64 = 2e-10;

/// Distance between two places at which a curved wall is computed anew, in radii of the moving sphere.
const CHORD: f64 = 0.25;

/// Distance of the middle of a region ahead of the moving sphere, in radii of the region: most of the region lies on its way.
const LEAD: f64 = 0.9;

/// Length of the way in a region, in radii of the region, below which the next region is searched: 0.5 executes as many instructions.
const LEAST_ROOM: f64 = 0.25;

/// Rotation beyond the end of a contact, as a diamond angle: it is lost for sure, and the rest of the motion does not notice.
const BEYOND: f64 = 1e-8;

/// Sine of the slope below which a sphere is at rest.
const LEVEL: f64 = 1e-7;

/// Number of parts of a motion. A sphere that slides down a long wall takes some thousand; a sphere on spheres takes about ten.
const MOST_PARTS: usize = 100_000;

/// Number of parts in succession that do not lower the center. The sphere then remains where it is.
const MOST_STEADY: usize = 12;

/// Number of parts in which a sphere moves at least by `LEAST_MOVE` radii, or remains where it is.
const SHORT_PARTS: usize = 200;

/// See [`SHORT_PARTS`].
const LEAST_MOVE: f64 = 0.01;

/// The spheres and walls among which a sphere moves.
pub(super) struct World<'a> {
    pub spheres: &'a Columns,
    pub walls: &'a Walls,
}

/// The rules by which a sphere stops.
pub(super) struct Rules<'a> {
    /// Sine of the slope at which a sphere stops.
    pub stop: f64,
    /// Probability that it sticks to a sphere that it touches.
    pub sticking: f64,
    /// A source of random numbers from 0 to 1.
    pub random: &'a mut dyn FnMut() -> f64,
}

/// An obstacle of the motion: a sphere by its id, or a wall.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Obstacle {
    Sphere(u32),
    Wall(usize),
}

/// A sphere at rest.
#[derive(Clone, Debug)]
pub(super) struct Rest {
    pub center: DVec3,
    /// The contacts that carry the sphere, with the normals that point to it.
    pub supports: Vec<(Obstacle, DVec3)>,
}

/// A contact of the moving sphere.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Contact {
    obstacle: Obstacle,
    normal: DVec3,
    /// The center of a sphere with the sum of the radii; a wall has none.
    sphere: Option<(DVec3, f64)>,
}

impl Contact {
    /// Returns whether this is the contact with a sphere, and with the same image of it.
    fn is_with(&self, item: &Item) -> bool {
        self.obstacle == Obstacle::Sphere(item.id)
            && (self.sphere).is_some_and(|(center, _)| center == item.center)
    }
}

/// Lists that one sphere after the other uses.
#[derive(Default)]
pub(super) struct Lists {
    near: Vec<Item>,
    vicinity: Vicinity,
    contacts: Vec<Contact>,
    normals: Vec<DVec3>,
}

/// A sphere on its way.
struct Motion<'a> {
    world: &'a World<'a>,
    radius: f64,
    at: DVec3,
    /// Gap below which surfaces touch.
    touch: f64,
    /// The spheres whose surfaces are within `region` of that of the moving sphere at `gathered`.
    near: &'a mut Vec<Item>,
    vicinity: &'a mut Vicinity,
    gathered: DVec3,
    region: f64,
    contacts: &'a mut Vec<Contact>,
}

/// Lets a sphere fall from a point, and returns where it comes to rest.
pub(super) fn fall_and_roll(
    world: &World,
    lists: &mut Lists,
    from: DVec3,
    radius: f64,
    rules: &mut Rules,
) -> Rest {
    let Lists {
        near,
        vicinity,
        contacts,
        normals,
    } = lists;
    let mut motion = Motion::new(world, (near, vicinity, contacts), from, radius);
    motion.fall();
    let mut steady = 0;
    // The least slope of the parts that do not lower the center, and the position there.
    let mut flattest = (f64::INFINITY, from);
    let mut blocked: Vec<Carrying> = Vec::new();
    let mut touched: Vec<Obstacle> = Vec::new();
    let mut before = motion.at;
    for part in 1..=MOST_PARTS {
        motion.find_contacts();
        if motion.is_stuck(part, &mut before) || motion.sticks(&mut touched, rules) {
            break;
        }
        normals.clear();
        normals.extend(motion.contacts.iter().map(|contact| contact.normal));
        let mut way = descent(normals, &blocked);
        let slope = way.direction.length();
        if slope <= rules.stop.max(LEVEL) {
            let is_balanced = slope <= LEVEL && motion.is_balanced(&way);
            let aside = is_balanced
                .then(|| motion.aside(&way, rules.random))
                .flatten();
            let Some(aside) = aside.filter(|_| steady < MOST_STEADY) else {
                return motion.rest(way.carrying.into_iter().flatten());
            };
            way.direction = aside;
        }
        if steady == 0 || slope < flattest.0 {
            flattest = (slope, motion.at);
        }
        let height = motion.at.z;
        if motion.advance(&way) {
            blocked.clear();
        } else {
            blocked.push(way.carrying);
        }
        let sinks = motion.at.z < height - motion.touch;
        steady = if sinks { 0 } else { steady + 1 };
        if steady > MOST_STEADY {
            // Beside a curved wall, the last part may lead over the lowest point of the path.
            motion.at = flattest.1;
            break;
        }
    }
    motion.find_contacts();
    motion.rest(0..motion.contacts.len())
}

impl<'a> Motion<'a> {
    /// Starts a motion with empty lists.
    fn new(
        world: &'a World<'a>,
        (near, vicinity, contacts): (&'a mut Vec<Item>, &'a mut Vicinity, &'a mut Vec<Contact>),
        from: DVec3,
        radius: f64,
    ) -> Self {
        near.clear();
        vicinity.clear();
        contacts.clear();
        Self {
            world,
            radius,
            at: from,
            touch: TOUCH * radius,
            near,
            vicinity,
            gathered: from,
            region: -1.0,
            contacts,
        }
    }

    /// Falls to the first contact.
    fn fall(&mut self) {
        let (at, radius) = (self.at, self.radius);
        let touching = &*self.contacts;
        let is_touching = |item: &Item| touching.iter().any(|contact| contact.is_with(item));
        let (spheres, walls) = (self.world.spheres, self.world.walls);
        // The near spheres are all that a short fall may meet.
        let hits = (self.near.iter()).filter(|item| !is_touching(item));
        let hit = hits
            .filter_map(|item| item.below(at, radius))
            .max_by(f64::total_cmp);
        if let Some(hit) = hit {
            let end = at.with_z(walls.first_below(at, radius, hit));
            if self.is_inside(at) && self.is_inside(end) {
                self.at = end;
                return;
            }
        }
        let found = spheres.first_below(at, radius, f64::NEG_INFINITY, is_touching);
        let sphere = found.map_or(f64::NEG_INFINITY, |(height, _)| height);
        self.at.z = walls.first_below(at, radius, sphere);
        // Among small spheres, the motion is short, and many spheres are near.
        let other = found.map_or(radius, |(_, item)| item.radius);
        let aside = found.map_or(DVec3::ZERO, |(_, item)| self.at - item.center);
        self.region = (radius * other).sqrt();
        self.gather(aside.with_z(0.0).normalize_or_zero());
    }

    /// Returns whether a point lies in the region: spheres that touch the moving one there are among the near ones.
    fn is_inside(&self, point: DVec3) -> bool {
        point.distance(self.gathered) < self.region
    }

    /// Finds the spheres near the present position, most of them in a direction.
    fn gather(&mut self, along: DVec3) {
        self.near.clear();
        self.gathered = self.at + LEAD * self.region * along;
        let (near, reach) = (&mut *self.near, self.radius + self.region);
        let spheres = self.world.spheres;
        spheres.near_again(self.vicinity, self.gathered, reach, |item| near.push(item));
    }

    /// Finds the contacts at the present position.
    fn find_contacts(&mut self) {
        self.contacts.clear();
        for item in &*self.near {
            let reach = self.radius + item.radius;
            let from = self.at - item.center;
            let distance = from.length();
            if distance < reach + self.touch {
                self.contacts.push(Contact {
                    obstacle: Obstacle::Sphere(item.id),
                    normal: from / distance,
                    sphere: Some((item.center, reach)),
                });
            }
        }
        let (contacts, walls) = (&mut *self.contacts, self.world.walls);
        walls.near(self.at, self.radius, self.touch, &mut |near| {
            contacts.push(Contact {
                obstacle: Obstacle::Wall(near.wall),
                normal: near.normal,
                sphere: None,
            });
        });
    }

    /// Returns whether the sphere hardly moved in the last parts. `before` is its position before them.
    fn is_stuck(&self, part: usize, before: &mut DVec3) -> bool {
        if !part.is_multiple_of(SHORT_PARTS) {
            return false;
        }
        let start = std::mem::replace(before, self.at);
        self.at.distance(start) < LEAST_MOVE * self.radius
    }

    /// Returns whether the sphere sticks to a sphere that it did not touch before.
    fn sticks(&self, touched: &mut Vec<Obstacle>, rules: &mut Rules) -> bool {
        if rules.sticking == 0.0 {
            return false;
        }
        let mut sticks = false;
        for contact in &*self.contacts {
            let is_new = !touched.contains(&contact.obstacle);
            if is_new && matches!(contact.obstacle, Obstacle::Sphere(_)) {
                touched.push(contact.obstacle);
                sticks |= (rules.random)() < rules.sticking;
            }
        }
        sticks
    }

    /// Returns the sphere at rest on these contacts, and on all touching images of their spheres: supports name no image.
    fn rest(&self, carrying: impl Iterator<Item = usize>) -> Rest {
        let mut carrying: Vec<usize> = carrying.collect();
        for (k, contact) in self.contacts.iter().enumerate() {
            let is_image = |&other: &usize| {
                contact.sphere.is_some() && self.contacts[other].obstacle == contact.obstacle
            };
            if !carrying.contains(&k) && carrying.iter().any(is_image) {
                carrying.push(k);
            }
        }
        let support = |k: usize| (self.contacts[k].obstacle, self.contacts[k].normal);
        Rest {
            center: self.at,
            supports: carrying.into_iter().map(support).collect(),
        }
    }

    /// Returns whether a sphere without a slope is on the top of its path, from which it would roll down after any displacement.
    fn is_balanced(&self, way: &Descent) -> bool {
        match way.carrying.map(|k| k.map(|k| self.contacts[k])) {
            [Some(only), None, None] => only.sphere.is_some(),
            [Some(a), Some(b), None] => match self.curve(&[a, b], a.normal.cross(b.normal)) {
                Curve::Arc { middle, .. } => middle.z < self.at.z,
                Curve::Line { .. } => false,
            },
            _ => false,
        }
    }

    /// Returns a direction without a slope in which a balanced sphere may roll; `None` if other contacts leave none.
    fn aside(&self, way: &Descent, random: &mut dyn FnMut() -> f64) -> Option<DVec3> {
        let normals = way.carrying.map(|k| k.map(|k| self.contacts[k].normal));
        let is_free = |direction: &DVec3| {
            (self.contacts.iter()).all(|contact| direction.dot(contact.normal) >= -LEVEL)
        };
        let directions: Vec<DVec3> = match normals {
            [Some(a), Some(b), _] => vec![a.cross(b)],
            [normal, ..] => {
                let [x, y] = [random() - 0.5, random() - 0.5];
                let normal = normal?;
                let any = |x: f64, y: f64| {
                    let direction = DVec3::new(x, y, 0.0);
                    direction - direction.dot(normal) * normal
                };
                vec![any(x, y), any(-y, x)]
            }
        };
        let sign = if random() < 0.5 { 1.0 } else { -1.0 };
        let both = directions
            .iter()
            .flat_map(|direction| [sign * *direction, -sign * *direction]);
        both.map(DVec3::normalize_or_zero).find(is_free)
    }

    /// Moves along the way down to the next contact, the end of a contact, or the end of the region. Returns whether the way is clear: a way
    /// that leads into a contact is not taken.
    fn advance(&mut self, way: &Descent) -> bool {
        let found = way.carrying.map(|k| k.map(|k| self.contacts[k]));
        let Some(first) = found[0] else {
            self.fall();
            return true;
        };
        let both = [first, found[1].unwrap_or(first)];
        let carrying = &both[..found.iter().flatten().count().min(2)];
        let curve = self.curve(carrying, way.direction);
        let mut end = self.end(&curve, carrying);
        let mut leaves = curve.leaves_sphere(self.gathered, self.region);
        let room = curve.reach(leaves.min(end));
        if !self.is_inside(self.at) || leaves < end && room < LEAST_ROOM * self.region {
            // Without a contact so far, the way may be long, above all on a large sphere.
            let other = carrying
                .iter()
                .map(|contact| contact.sphere.map_or(0.0, |(_, reach)| reach - self.radius))
                .fold(self.radius, f64::max);
            let scale = (self.radius * other).sqrt();
            self.region = (1.5 * self.region.max(scale)).min(2.0 * scale);
            self.gather(way.direction.normalize_or_zero());
            leaves = curve.leaves_sphere(self.gathered, self.region);
        }
        end = end.min(leaves);
        let room = curve.reach(end);
        let chord = CHORD * self.radius;
        let mut is_beside = false;
        let walls = self.world.walls;
        walls.near(self.at, self.radius, room, &mut |near| {
            if walls.0[near.wall].is_plane() {
                return;
            }
            let meeting = |radius| walls.meets_cylinder(near.wall, &curve, radius);
            // A sphere that only grazes a wall goes on.
            let is_grazed = meeting(self.radius - self.touch) == Some(f64::INFINITY);
            let exact = meeting(self.radius).map(|at| if is_grazed { f64::INFINITY } else { at });
            if let Some(at) = exact.filter(|_| near.gap > self.touch) {
                end = end.min(at);
            } else if near.gap < chord {
                is_beside = true;
            } else {
                // The sphere meets no wall within the gap.
                end = end.min(curve.at_distance(near.gap));
            }
        });
        if is_beside {
            self.creep(&curve, carrying, end);
            return true;
        }
        let to = curve.point(self.first_meeting(&curve, carrying, end));
        let is_clear = self.is_clear(to, carrying);
        if is_clear {
            self.at = to;
        }
        is_clear
    }

    /// Returns whether no contact but the carrying ones overlaps more at another position.
    fn is_clear(&self, to: DVec3, carrying: &[Contact]) -> bool {
        let sinks = |contact: &Contact| match contact.sphere {
            Some((center, reach)) => {
                let limit = reach.min(self.at.distance(center)) - self.touch;
                to.distance_squared(center) < limit * limit
            }
            None => (to - self.at).dot(contact.normal) < -self.touch,
        };
        let mut others = (self.contacts.iter()).filter(|contact| !carrying.contains(contact));
        !others.any(sinks)
    }

    /// Returns the curve on which the sphere moves on its carrying contacts. A curved wall is replaced by its tangent plane.
    fn curve(&self, carrying: &[Contact], direction: DVec3) -> Curve {
        let along = tangent(direction, carrying);
        let around = |middle: DVec3| {
            let from = self.at - middle;
            let radius = from.length();
            Curve::Arc {
                middle,
                radius,
                start: from / radius,
                along,
            }
        };
        let center = |contact: &Contact| contact.sphere.map(|(center, _)| center);
        let beside =
            |center: DVec3, normal: DVec3| around(center + (self.at - center).dot(normal) * normal);
        let line = Curve::Line {
            from: self.at,
            along,
        };
        match carrying {
            [only] => center(only).map_or(line, around),
            [a, b, ..] => match (center(a), center(b)) {
                (Some(a), Some(b)) => beside(a, (b - a).normalize_or_zero()),
                (Some(a), None) => beside(a, b.normal),
                (None, Some(b)) => beside(b, a.normal),
                (None, None) => line,
            },
            [] => line,
        }
    }

    /// Returns where the sphere loses a carrying contact, or is at the lowest point.
    fn end(&self, curve: &Curve, carrying: &[Contact]) -> f64 {
        // The vertical component of a normal is a linear function of the height.
        let line = |contact: &Contact| match contact.sphere {
            Some((center, reach)) => (1.0 / reach, -center.z / reach),
            None => (0.0, contact.normal.z),
        };
        match carrying {
            [only] => match only.sphere {
                Some((center, _)) => curve.sinks_below(DVec3::Z, center.z) + BEYOND,
                None => f64::INFINITY,
            },
            [a, b] => {
                let cosine = a.normal.dot(b.normal);
                let lost = |(k, m): (f64, f64), (other_k, other_m): (f64, f64)| {
                    let rate = k - cosine * other_k;
                    if rate <= 0.0 {
                        return f64::INFINITY;
                    }
                    curve.sinks_below(DVec3::Z, -(m - cosine * other_m) / rate) + BEYOND
                };
                lost(line(a), line(b))
                    .min(lost(line(b), line(a)))
                    .min(curve.lowest())
            }
            _ => 0.0,
        }
    }

    /// Returns where the sphere first touches a sphere or a plane, or `end`.
    fn first_meeting(&self, curve: &Curve, carrying: &[Contact], end: f64) -> f64 {
        let mut first = end;
        let mut take = |at: f64, is_touching: bool| {
            if at < first && !(is_touching && at < 10.0 * BEYOND) {
                first = at;
            }
        };
        for item in &*self.near {
            let is_item = |contact: &Contact| contact.is_with(item);
            if !carrying.iter().any(is_item) {
                let at = curve.meets_sphere(item.center, self.radius + item.radius);
                take(at, self.contacts.iter().any(is_item));
            }
        }
        for (number, wall) in self.world.walls.0.iter().enumerate() {
            let is_wall = |contact: &Contact| contact.obstacle == Obstacle::Wall(number);
            if let Wall::Plane { normal, level } = *wall
                && !carrying.iter().any(is_wall)
            {
                let at = curve.sinks_below(normal, level + self.radius);
                take(at, self.contacts.iter().any(is_wall));
            }
        }
        first
    }
}

/// Returns the unit vector of a direction along all contacts. On a small slope, the direction is a difference of nearly equal vectors, so
/// that its unit vector leads slightly into contacts or off them.
fn tangent(direction: DVec3, carrying: &[Contact]) -> DVec3 {
    let mut along = direction.normalize_or_zero();
    let mut before = DVec3::ZERO;
    for contact in carrying {
        let normal = contact.normal - contact.normal.dot(before) * before;
        before = normal.normalize_or_zero();
        along -= along.dot(before) * before;
    }
    along.normalize_or_zero()
}
