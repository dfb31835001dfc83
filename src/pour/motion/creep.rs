//! The motion beside curved walls, where the true path differs from a line or an arc.

use glam::DVec3;

use super::{CHORD, Contact, Curve, Motion, Obstacle, Wall};

impl Motion<'_> {
    /// Moves along a curve beside curved walls, where the true path differs from the curve: to its end, or to the first contact.
    pub(super) fn creep(&mut self, curve: &Curve, carrying: &[Contact], mut end: f64) {
        let present = self.least_gap(self.at, carrying);
        // The sphere meets nothing within the gap.
        let chord = present.max(CHORD * self.radius);
        end = end.min(curve.at_distance(0.9 * chord));
        let mut to = self.on_contacts(curve.point(end), carrying);
        // The wall of a narrow vessel rises again within a chord, and between opposite contacts, a chord may end far from them.
        for _ in 0..40 {
            // A far point may lie nearest to another part of the path.
            let moved = to.distance(self.at);
            let is_near = moved <= chord
                && moved >= 0.5 * curve.reach(end)
                && to.distance(self.gathered) <= self.region;
            if is_near && to.z < self.at.z && self.touches(to, carrying) {
                break;
            }
            end *= 0.5;
            to = self.on_contacts(curve.point(end), carrying);
        }
        // Rounding may make other contacts overlap from the start.
        let limit = present.min(0.0) - 0.5 * self.touch;
        let mut low = self.least_gap(to, carrying);
        if low >= limit {
            self.at = to;
            return;
        }
        // The rule of false position between `free` and `beyond`, with the gaps `high` and `low`. The gap of an end that remains is halved. The
        // first step is a bisection, as the sphere may leave another contact at the start.
        let (mut free, mut best, mut high) = (0.0, self.at, -low);
        let mut beyond = end;
        let mut is_low = None;
        for _ in 0..60 {
            let share = (high / (high - low)).clamp(0.001, 0.999);
            let middle = free + share * (beyond - free);
            let point = self.on_contacts(curve.point(middle), carrying);
            let gap = self.least_gap(point, carrying);
            if gap < limit {
                (beyond, low) = (middle, gap);
                if is_low.replace(true) == Some(true) {
                    high *= 0.5;
                }
            } else {
                (free, best, high) = (middle, point, gap);
                if gap < 0.5 * self.touch {
                    break;
                }
                if is_low.replace(false) == Some(false) {
                    low *= 0.5;
                }
            }
        }
        self.at = best;
    }

    /// Returns the point near `to` at which the carrying contacts touch.
    fn on_contacts(&self, mut to: DVec3, carrying: &[Contact]) -> DVec3 {
        for _ in 0..8 {
            let step = match carrying {
                [only] => {
                    let (gap, normal) = self.gap_to(only, to);
                    -gap * normal
                }
                [first, second] => {
                    let ((gap_a, a), (gap_b, b)) =
                        (self.gap_to(first, to), self.gap_to(second, to));
                    let cosine = a.dot(b);
                    let determinant = (1.0 - cosine * cosine).max(1e-9);
                    let along_a = (cosine * gap_b - gap_a) / determinant;
                    let along_b = (cosine * gap_a - gap_b) / determinant;
                    along_a * a + along_b * b
                }
                _ => DVec3::ZERO,
            };
            to += step;
            if step.length() < 1e-4 * self.touch {
                break;
            }
        }
        to
    }

    /// Returns whether the carrying contacts touch at another position.
    fn touches(&self, to: DVec3, carrying: &[Contact]) -> bool {
        let mut gaps = carrying.iter().map(|contact| self.gap_to(contact, to).0);
        gaps.all(|gap| gap.abs() <= 0.5 * self.touch)
    }

    /// Returns the gap of a contact at another position, and its normal there.
    fn gap_to(&self, contact: &Contact, at: DVec3) -> (f64, DVec3) {
        if let Some((center, reach)) = contact.sphere {
            let from = at - center;
            let length = from.length();
            return (length - reach, from / length);
        }
        let Obstacle::Wall(own) = contact.obstacle else {
            return (0.0, contact.normal);
        };
        let walls = self.world.walls;
        let mut likeness = match walls.0[own] {
            Wall::Faces(_) => walls.same_face(own),
            _ => f64::NEG_INFINITY,
        };
        // A face that is not the nearest one goes on as a plane.
        let mut best = ((at - self.at).dot(contact.normal), contact.normal);
        walls.near(at, self.radius, self.radius, &mut |near| {
            let like = near.normal.dot(contact.normal);
            if own == near.wall && like > likeness {
                likeness = like;
                best = (near.gap, near.normal);
            }
        });
        best
    }

    /// Returns the smallest gap to a sphere or wall that does not carry the sphere, if it were at this point, and at most the region.
    fn least_gap(&self, at: DVec3, carrying: &[Contact]) -> f64 {
        let mut least = self.region;
        for item in &*self.near {
            if !carrying.iter().any(|contact| contact.is_with(item)) {
                least = least.min(at.distance(item.center) - (self.radius + item.radius));
            }
        }
        let mut faces = Vec::new();
        let walls = self.world.walls;
        walls.near(at, self.radius, self.radius, &mut |near| faces.push(near));
        // Of the faces of a wall, the one most like a contact carries the sphere.
        let carrying_face = |contact: &Contact| {
            let likeness = |face: usize| faces[face].normal.dot(contact.normal);
            let is_same = |&face: &usize| {
                let wall = faces[face].wall;
                contact.obstacle == Obstacle::Wall(wall) && likeness(face) > walls.same_face(wall)
            };
            let same = (0..faces.len()).filter(is_same);
            same.max_by(|&a, &b| likeness(a).total_cmp(&likeness(b)))
        };
        let carrying: Vec<usize> = carrying.iter().filter_map(carrying_face).collect();
        (faces.iter().enumerate())
            .filter(|(face, _)| !carrying.contains(face))
            .fold(least, |least, (_, near)| least.min(near.gap))
    }
}
