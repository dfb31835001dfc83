//! The bodies in a container, and fixed spheres, which keep spheres out.

use std::sync::OnceLock;

use glam::DVec3;
use rand::Rng;

use super::{
    body::{Body, BodyError},
    constants::{
        BODY_SEARCH_WIDTH, PROJECTIONS, RANDOM_POINTS, SAMPLE_POINTS, WALL_MARGIN, WALL_STEPS,
    },
    deepest::{Inscribed, largest_sphere, refined},
    fixed::FixedGrid,
    frame::{Frame, Steps},
    quadrature::even_point,
    shape::Surface,
    union::covered_volume,
    walls::Walls,
};
use crate::spheres::Spheres;

/// The space that bodies take in a container. The methods get the walls of the container.
///
/// The volume and the largest sphere are computed when they are asked for first.
#[derive(Clone, Debug)]
pub(super) struct Hollow {
    pub bodies: Vec<Body>,
    /// Spheres that keep their positions during a run.
    fixed: Option<FixedGrid>,
    volume: OnceLock<f64>,
    largest_sphere: OnceLock<Inscribed>,
}

impl PartialEq for Hollow {
    fn eq(&self, other: &Self) -> bool {
        self.bodies == other.bodies && self.fixed == other.fixed
    }
}

impl Hollow {
    /// Takes the bodies out of a container.
    pub fn new(walls: &Walls, bodies: Vec<Body>) -> Result<Self, BodyError> {
        let hollow = Self::of(bodies, None);
        hollow.check(walls)?;
        Ok(hollow)
    }

    fn of(bodies: Vec<Body>, fixed: Option<FixedGrid>) -> Self {
        Self {
            bodies,
            fixed,
            volume: OnceLock::new(),
            largest_sphere: OnceLock::new(),
        }
    }

    /// Returns these bodies, multiplied by `factor`, for a container that is larger by the same factor.
    pub fn scaled(&self, factor: f64) -> Self {
        let bodies = self.bodies.iter().map(|body| body.scaled(factor));
        let fixed = self.fixed.as_ref().map(|fixed| fixed.scaled(factor));
        Self::of(bodies.collect(), fixed)
    }

    /// Takes the bodies and fixed spheres out of a container. The fixed spheres may overlap each other, walls and bodies.
    pub fn around_fixed(walls: &Walls, bodies: Vec<Body>, spheres: Spheres) -> Self {
        let hollow = Self::of(bodies, None);
        let (lengths, periods) = (walls.lengths, walls.periods());
        let mut fixed = FixedGrid::new(spheres, lengths, walls.boundary);
        let inside: Vec<DVec3> = sample_points(lengths)
            .filter(|&point| hollow.distance(walls, point) >= 0.0)
            .collect();
        let is_free = |&&point: &&DVec3| fixed.surface_within(point, periods, 0.0).is_none();
        let free = inside.iter().filter(is_free).count();
        // Where no point is free, the room is smaller than the share of one point.
        fixed.free_share = free.max(1) as f64 / inside.len().max(1) as f64;
        Self::of(hollow.bodies, Some(fixed))
    }

    /// Returns whether there are fixed spheres.
    pub fn has_fixed(&self) -> bool {
        self.fixed.is_some()
    }

    /// Returns the distance of a point from the nearest fixed sphere, negative inside, and infinity without fixed spheres.
    pub fn fixed_distance(&self, walls: &Walls, point: DVec3) -> f64 {
        (self.fixed.as_ref())
            .and_then(|fixed| fixed.surface_within(point, walls.periods(), f64::INFINITY))
            .map_or(f64::INFINITY, |surface| surface.distance)
    }

    /// Rejects bodies that cannot be in the container, and bodies that fill it.
    fn check(&self, walls: &Walls) -> Result<(), BodyError> {
        let (lengths, boundary) = (walls.lengths, walls.boundary);
        for body in &self.bodies {
            body.check(lengths, boundary)?;
            // A curved wall may leave a body outside that meets the bounding box.
            if covered_volume(walls, std::slice::from_ref(body)) <= 0.0 {
                let body = body.to_string();
                return Err(BodyError::Outside { body, lengths });
            }
        }
        if self.volume(walls) <= 0.0 || self.largest_sphere(walls).radius <= 0.0 {
            return Err(BodyError::Full);
        }
        Ok(())
    }

    /// Returns the surface of a body or a fixed sphere that is nearest to a point, or the one in which the point lies deepest, if the
    /// distance is below `reach`.
    fn surface_within(&self, walls: &Walls, point: DVec3, reach: f64) -> Option<Surface> {
        let periods = walls.periods();
        let mut nearest = None;
        let mut limit = reach;
        for body in &self.bodies {
            if let Some(surface) = body.surface_within(point, periods, limit) {
                limit = surface.distance;
                nearest = Some(surface);
            }
        }
        let fixed = self.fixed.as_ref();
        let of_fixed = fixed.and_then(|fixed| fixed.surface_within(point, periods, limit));
        of_fixed.or(nearest)
    }

    /// Returns the largest sphere that a search over cells finds; it may be slightly smaller than possible.
    pub fn largest_sphere(&self, walls: &Walls) -> Inscribed {
        *self.largest_sphere.get_or_init(|| {
            let distance = |point, _| self.distance(walls, point);
            let center = 0.5 * walls.lengths;
            let radius = self.distance(walls, center);
            let middle = Inscribed { center, radius };
            let found = largest_sphere(walls.lengths, BODY_SEARCH_WIDTH, middle, &distance);
            refined(walls.lengths, &distance, found)
        })
    }

    /// Returns the volume inside the walls and outside of the obstacles.
    pub fn volume(&self, walls: &Walls) -> f64 {
        *self.volume.get_or_init(|| {
            let share = self.fixed.as_ref().map_or(1.0, |fixed| fixed.free_share);
            (walls.solid.volume() - covered_volume(walls, &self.bodies)) * share
        })
    }

    /// Returns the distance from a point to the nearest wall or obstacle.
    pub fn distance(&self, walls: &Walls, point: DVec3) -> f64 {
        let outer = walls.distance(point);
        match self.surface_within(walls, point, outer) {
            Some(surface) => surface.distance,
            None => outer,
        }
    }

    /// Returns the distance from a point to the nearest wall or obstacle, and the unit vector toward it.
    pub fn nearest(&self, walls: &Walls, point: DVec3) -> (f64, DVec3) {
        let outer = walls.nearest(point);
        match self.surface_within(walls, point, outer.0) {
            Some(surface) => (surface.distance, -surface.outwards),
            None => outer,
        }
    }

    /// Moves a sphere that would overlap an obstacle to the distance of its radius, and again while it overlaps another obstacle.
    /// Where that does not end, as between two obstacles, the sphere takes the position with the smallest overlap, or stays if
    /// that is better.
    #[inline(never)]
    pub fn confine(
        &self,
        walls: &Walls,
        frame: &Frame,
        at: Steps,
        displacement: [i64; 3],
        radius: f32,
    ) -> Steps {
        let longest_step = f64::from(frame.longest_step());
        let margin = f64::from(radius) * WALL_MARGIN + longest_step * WALL_STEPS;
        let reach = f64::from(radius) + margin;
        let mut target = walls.confine(frame, at, displacement, radius);
        let mut best = (f64::NEG_INFINITY, target);
        for _ in 0..PROJECTIONS {
            let Some(surface) = self.surface_within(walls, frame.center(target), reach) else {
                return target;
            };
            if surface.distance > best.0 {
                best = (surface.distance, target);
            }
            let step = surface.outwards * (reach + margin - surface.distance) * frame.per_length;
            let step = step.to_array().map(|steps| steps as i64);
            target = walls.confine(frame, target, step, radius);
        }
        match self.surface_within(walls, frame.center(at), reach) {
            Some(surface) if surface.distance <= best.0 => best.1,
            _ => at,
        }
    }

    /// Returns a random position that overlaps no obstacle, or the position with the most room.
    pub fn random_position(
        &self,
        walls: &Walls,
        frame: &Frame,
        radius: f32,
        rng: &mut dyn Rng,
    ) -> Steps {
        let mut best = Inscribed {
            center: DVec3::ZERO,
            radius: f64::NEG_INFINITY,
        };
        for _ in 0..RANDOM_POINTS {
            let steps = walls.random_position(frame, radius, rng);
            let center = frame.center(steps);
            match self.surface_within(walls, center, radius.into()) {
                None => return steps,
                Some(surface) if surface.distance > best.radius => {
                    let radius = surface.distance;
                    best = Inscribed { center, radius };
                }
                Some(_) => {}
            }
        }
        if self.fixed.is_some() {
            // There are many holes, and some of them may be as large as the largest.
            let distance = |point, _| self.distance(walls, point);
            best = refined(walls.lengths, &distance, best);
            if best.radius >= f64::from(radius) {
                return frame.nearest_to(best.center);
            }
        }
        frame.nearest_to(self.largest_sphere(walls).center)
    }
}

/// Returns points that are spread evenly over a bounding box.
fn sample_points(lengths: DVec3) -> impl Iterator<Item = DVec3> {
    (0..SAMPLE_POINTS).map(move |k| even_point(k.into()) * lengths)
}
