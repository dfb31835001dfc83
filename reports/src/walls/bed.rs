//! A poured bed: spheres fall one after the other and roll down to a stable position.
//!
//! After W. M. Visscher & M. Bolsterli, Nature 239 (1972) 504. A sphere that has come to rest never moves again.

use jostle::glam::{DVec2, DVec3};
use rand::{Rng, RngExt};

/// First step of a rolling sphere, in radii; each halving ends when the sphere no longer descends.
const FIRST_STEP: f64 = 0.1;

/// Last step, in radii. Overlaps of resting spheres are about as large.
const LAST_STEP: f64 = 1e-4;

/// Times that a sphere is pushed out of its neighbors after each step.
const PUSHES: usize = 4;

/// Spheres that rest above the requested height when pouring ends: most of a layer of a tube of 20 diameters.
const ABOVE: usize = 200;

/// Spheres of diameter 1 at rest in a tube that stands on a floor.
pub struct Bed {
    /// Radius within which centers lie.
    reach: f64,
    /// Centers by cells of side 1.
    cells: Vec<Vec<DVec3>>,
    width: usize,
    height: usize,
}

impl Bed {
    /// Pours spheres into a tube of this diameter up to this height.
    pub fn pour(diameter: f64, height: f64, rng: &mut dyn Rng) -> Self {
        let width = diameter.ceil() as usize + 1;
        let layers = height.ceil() as usize + 3;
        let mut bed = Self {
            reach: 0.5 * diameter - 0.5,
            cells: vec![Vec::new(); width * width * layers],
            width,
            height: layers,
        };
        let mut above = 0;
        while above < ABOVE {
            let at = bed.settled(rng);
            above += usize::from(at.z > height);
            let cell = bed.cell(at);
            bed.cells[cell].push(at);
        }
        bed
    }

    /// Returns the centers.
    pub fn centers(&self) -> impl Iterator<Item = DVec3> {
        self.cells.iter().flatten().copied()
    }

    /// Returns the position at which a new sphere comes to rest.
    fn settled(&self, rng: &mut dyn Rng) -> DVec3 {
        let angle = std::f64::consts::TAU * rng.random::<f64>();
        let across = self.reach * rng.random::<f64>().sqrt() * DVec2::from_angle(angle);
        let mut at = across.extend(self.landing(across));
        let mut step = 0.5 * FIRST_STEP;
        while step > 0.5 * LAST_STEP {
            let next = self.pushed(at - step * DVec3::Z);
            // A slope that is too flat counts as a rest at this step.
            if next.z < at.z - 0.01 * step {
                at = next;
            } else {
                step *= 0.5;
            }
        }
        at
    }

    /// Returns the height at which a sphere that falls straight down first touches a sphere or the floor.
    fn landing(&self, across: DVec2) -> f64 {
        let touch = |other: DVec3| {
            let rest = 1.0 - other.truncate().distance_squared(across);
            (rest > 0.0).then(|| other.z + rest.sqrt())
        };
        // The first layer with a touching sphere and the one below it contain the highest touch.
        for layer in (0..self.height).rev() {
            let near = |layer: usize| self.near(across.extend(layer as f64 + 0.5), [layer, layer]);
            let highest = |layer: usize| near(layer).filter_map(touch).reduce(f64::max);
            if let Some(height) = highest(layer) {
                let below = layer.checked_sub(1).and_then(highest);
                return height.max(below.unwrap_or(0.0));
            }
        }
        0.5
    }

    /// Returns a position pushed out of spheres, wall and floor.
    fn pushed(&self, mut at: DVec3) -> DVec3 {
        let layer = at.z.max(0.0) as usize;
        let layers = [layer.saturating_sub(1), (layer + 1).min(self.height - 1)];
        for _ in 0..PUSHES {
            for other in self.near(at, layers) {
                let apart = at - other;
                let distance = apart.length();
                if distance < 1.0 {
                    at = other + apart / distance;
                }
            }
            let from_axis = at.truncate();
            if from_axis.length() > self.reach {
                at = (from_axis.normalize() * self.reach).extend(at.z);
            }
            at.z = at.z.max(0.5);
        }
        at
    }

    /// Returns the spheres in the columns around a point, in a range of layers.
    fn near(&self, at: DVec3, [low, high]: [usize; 2]) -> impl Iterator<Item = DVec3> {
        let [x, y] = self.column(at);
        let range = move |x: usize| x.saturating_sub(1)..(x + 2).min(self.width);
        (low..=high).flat_map(move |z| {
            range(y).flat_map(move |y| {
                range(x).flat_map(move |x| {
                    let cell = (z * self.width + y) * self.width + x;
                    self.cells[cell].iter().copied()
                })
            })
        })
    }

    fn column(&self, at: DVec3) -> [usize; 2] {
        let number = |x: f64| ((x + self.reach + 0.5) as usize).min(self.width - 1);
        [number(at.x), number(at.y)]
    }

    fn cell(&self, at: DVec3) -> usize {
        let [x, y] = self.column(at);
        let z = (at.z as usize).min(self.height - 1);
        (z * self.width + y) * self.width + x
    }
}
