//! The region inside closed polygons: a container for disks, or a body that keeps them out.

use std::{
    fmt,
    sync::{Arc, OnceLock},
};

use glam::{DVec2, DVec3};
use rand::{Rng, RngExt};

use super::{
    super::{
        boundary::Boundaries,
        constants::RANDOM_POINTS,
        deepest::{Inscribed, largest_sphere, refined},
        frame::{Frame, Steps},
        shape::{Extent, Place, Shape, Surface},
        wall::{Wall, confine_by},
    },
    constants::{MOST_BREAKS, SEARCH_WIDTH},
    error::OutlineError,
    rings::{Rings, bounds, cleaned, encloses},
};

/// The region of the plane inside closed polygons, in a bounding box with one corner at the origin.
///
/// A point is in the region if an odd number of rings enclose the point: a ring inside another one is a hole. Rings may have any direction.
/// They must not meet themselves or each other.
///
/// Clones share the rings and everything that was computed from them.
///
/// # Example
/// ```
/// use jostle::{container::Outline, glam::DVec2};
///
/// let square = |low: f64, side: f64| [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]]
///     .map(|corner| DVec2::from(corner) + low).to_vec();
/// let frame = Outline::new(vec![square(1.0, 4.0), square(2.0, 2.0)])?;
/// assert_eq!(frame.area(), 12.0);
///
/// let message = Outline::new(vec![square(0.0, 2.0), square(1.0, 2.0)]).unwrap_err().to_string();
/// assert!(message.starts_with("edges of the outline cross or touch near"));
/// # Ok::<(), jostle::container::OutlineError>(())
/// ```
#[derive(Clone)]
pub struct Outline {
    shared: Arc<Shared>,
    /// The lowest corner of the bounding box in the coordinates from which the outline was made, before any factor.
    origin: DVec2,
    /// Factor of all lengths.
    scale: f64,
}

/// What does not depend on the scale.
struct Shared {
    rings: Rings,
    largest_disk: OnceLock<Inscribed>,
}

impl Outline {
    /// Creates the region inside rings of points. The last point of a ring may be the first one again. The region is moved to the origin.
    ///
    /// # Cost
    /// O(E²) for E edges, and O(E) beyond about 1000.
    ///
    /// # Errors
    /// [`OutlineError`] if a ring has fewer than three points, or if edges cross or touch.
    pub fn new(rings: Vec<Vec<DVec2>>) -> Result<Self, OutlineError> {
        let mut rings = cleaned(rings)?;
        let (origin, _) = bounds(&rings);
        rings
            .iter_mut()
            .flatten()
            .for_each(|point| *point -= origin);
        Ok(Self {
            shared: Arc::new(Shared {
                rings: Rings::new(rings)?,
                largest_disk: OnceLock::new(),
            }),
            origin,
            scale: 1.0,
        })
    }

    /// Returns the rings, with the region on their left. The lowest coordinate along each axis is 0.
    pub fn rings(&self) -> impl Iterator<Item = Vec<DVec2>> {
        let scaled = |ring: &Vec<DVec2>| ring.iter().map(|&point| point * self.scale).collect();
        self.unscaled_rings().iter().map(scaled)
    }

    /// Returns the rings before any factor.
    pub(crate) fn unscaled_rings(&self) -> &[Vec<DVec2>] {
        &self.shared.rings.rings
    }

    /// Returns the lowest corner of the bounding box, in the coordinates from which the outline was made.
    pub fn origin(&self) -> DVec2 {
        self.origin * self.scale
    }

    /// Returns this outline with the lowest corner of its bounding box at `origin`, in the coordinates from which it was made.
    pub(crate) fn with_origin(self, origin: DVec2) -> Self {
        let origin = origin / self.scale;
        Self { origin, ..self }
    }

    /// Returns the area of the region.
    pub fn area(&self) -> f64 {
        self.shared.rings.area * self.scale * self.scale
    }

    /// Returns this outline with every length multiplied by `factor`, which must be positive.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        Self {
            scale: self.scale * factor,
            ..self.clone()
        }
    }

    /// Returns the factor of all lengths since the outline was made.
    pub(crate) fn scale(&self) -> f64 {
        self.scale
    }

    /// Returns the edge nearest to a point.
    fn wall(&self, point: DVec3) -> Wall {
        let wall = self.shared.rings.edges.wall(point.truncate() / self.scale);
        Wall {
            distance: wall.distance * self.scale,
            point: wall.point * self.scale,
            inwards: wall.inwards,
        }
    }

    /// Returns the edge nearest to a point if the point is outside or closer to the edge than `reach`.
    fn wall_within(&self, point: DVec3, reach: f64) -> Option<Wall> {
        Some(self.wall(point)).filter(|wall| wall.distance < reach)
    }

    /// Returns the largest disk inside, or one that is slightly smaller.
    fn largest_disk(&self) -> Inscribed {
        let rings = &self.shared.rings;
        let found = self.shared.largest_disk.get_or_init(|| {
            let distance = |point: DVec3, _| rings.edges.wall(point.truncate()).distance;
            let lengths = rings.lengths.extend(0.0);
            let nothing = Inscribed {
                center: DVec3::ZERO,
                radius: 0.0,
            };
            let found = largest_sphere(lengths, SEARCH_WIDTH, nothing, &distance);
            refined(lengths, &distance, found)
        });
        Inscribed {
            center: found.center * self.scale,
            radius: found.radius * self.scale,
        }
    }
}

impl Shape for Outline {
    fn lengths(&self) -> DVec3 {
        self.shared.rings.lengths.extend(0.0) * self.scale
    }

    fn volume(&self) -> f64 {
        self.area()
    }

    fn surface(&self, place: &Place) -> Surface {
        self.wall(place.from_low).seen_from_outside()
    }

    fn middle(&self) -> DVec3 {
        0.5 * self.lengths()
    }

    fn inradius(&self, _boundary: Boundaries) -> f64 {
        self.largest_disk().radius
    }

    fn confine(&self, frame: &Frame, at: Steps, displacement: [i64; 3], radius: f32) -> Steps {
        confine_by(frame, at, displacement, radius, |point, reach| {
            self.wall_within(point, reach)
        })
    }

    fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        for _ in 0..RANDOM_POINTS {
            let [x, y] = std::array::from_fn(|_| rng.random::<f64>());
            let steps = frame.at_fraction(DVec3::new(x, y, 0.0));
            if self.wall(frame.center(steps)).distance >= f64::from(radius) {
                return steps;
            }
        }
        frame.nearest_to(self.largest_disk().center)
    }

    fn add_chords(&self, extent: &Extent, x: f64, y: f64, chords: &mut Vec<[f64; 2]>) {
        let point = (DVec2::new(x, y) - extent.low.truncate()) / self.scale;
        let enclosing = self.unscaled_rings().iter();
        if enclosing.filter(|ring| encloses(ring, point)).count() % 2 == 1 {
            chords.push([extent.low.z, extent.high.z]);
        }
    }

    /// Adds the coordinates x of all corners, unless there are many.
    fn add_x_breaks(&self, extent: &Extent, breaks: &mut Vec<f64>) {
        if !self.has_breaks() {
            return;
        }
        let points = self.unscaled_rings().iter().flatten();
        breaks.extend(points.map(|point| extent.low.x + self.scale * point.x));
    }

    /// Adds the coordinates y of all edges at `x`.
    fn add_y_breaks(&self, extent: &Extent, x: f64, breaks: &mut Vec<f64>) {
        let x = (x - extent.low.x) / self.scale;
        for ring in self.unscaled_rings() {
            for (k, a) in ring.iter().enumerate() {
                let b = ring[(k + 1) % ring.len()];
                if (a.x < x) != (b.x < x) {
                    let y = a.y + (b.y - a.y) * (x - a.x) / (b.x - a.x);
                    breaks.push(extent.low.y + self.scale * y);
                }
            }
        }
    }

    fn has_breaks(&self) -> bool {
        self.unscaled_rings().iter().map(Vec::len).sum::<usize>() <= MOST_BREAKS
    }
}

impl PartialEq for Outline {
    fn eq(&self, other: &Self) -> bool {
        let is_same = Arc::ptr_eq(&self.shared, &other.shared)
            || self.unscaled_rings() == other.unscaled_rings();
        is_same && self.scale == other.scale
    }
}

impl fmt::Debug for Outline {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Outline")
            .field("rings", &self.unscaled_rings().len())
            .field("lengths", &self.lengths())
            .finish_non_exhaustive()
    }
}
