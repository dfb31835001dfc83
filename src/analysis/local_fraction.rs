//! The local packing fraction around each sphere.

use glam::DVec3;

use super::{
    adjacency::by_task,
    cells::{Level, levels},
    constants::{LOCAL_REACH, MOST_CUT_POINTS},
    error::AnalysisError,
    scene::Scene,
    shells::Shells,
    volumes::{ball, in_ball, in_unit_ball, volume_in_box},
};
use crate::{
    container::{Container, even_point},
    spheres::Spheres,
};

/// Returns the local packing fraction of each sphere: the share of the ball of three radii around its center that lies in spheres.
///
/// The parts of all spheres in the ball have formulas (the common volume of two balls), and periodic images count. The volume of the ball
/// is that of its part inside the container. It has a formula in boxes, cylinders and spheres; in other containers and around bodies it
/// comes from 1024 evenly spread points. Parts of spheres that overlap count twice.
///
/// The ball of a sphere contains the spheres of equal size that touch it. In a mixture, the balls of large spheres average over many
/// others, and the result for small spheres depends on the single pores in which they lie.
///
/// # Cost
/// O(N) for spheres that overlap little, on rayon's threads.
///
/// # Errors
/// [`AnalysisError`] if a center or a radius is not accepted.
///
/// # Example
/// ```
/// use jostle::{Container, Spheres, analysis::local_packing_fractions, glam::DVec3};
///
/// // A single sphere has 1/27 of a ball of three radii.
/// let container = Container::cuboid(DVec3::splat(10.0), "ppp".parse()?)?;
/// let alone = Spheres::new(vec![DVec3::splat(5.0)], vec![1.0]);
/// let fraction = local_packing_fractions(&alone, &container)?[0];
/// assert!((fraction - 1.0 / 27.0).abs() < 1e-15);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn local_packing_fractions(
    spheres: &Spheres,
    container: &Container,
) -> Result<Vec<f64>, AnalysisError> {
    let scene = Scene::new(spheres, container)?;
    let levels = levels(&scene);
    let room = Room::of(container);
    let parts = by_task(0..scene.len(), |spheres| {
        let fraction = |id: usize| {
            let reach = LOCAL_REACH * scene.radii[id];
            let center = scene.centers[id];
            solid_volume(&scene, &levels, center, reach) / room.volume(center, reach)
        };
        spheres.map(fraction).collect::<Vec<f64>>()
    });
    Ok(parts.concat())
}

/// Returns the volume of the parts of spheres in a ball.
fn solid_volume(scene: &Scene, levels: &[Level], center: DVec3, reach: f64) -> f64 {
    let mut volume = 0.0;
    for level in levels {
        let far = reach + level.largest;
        level.grid.visit(center, far, |id, other| {
            let radius = scene.radii[id as usize];
            let nearest = scene.displacement(center, other);
            // In a short container, several images of a sphere are in the ball.
            let images = |axis: usize| {
                let period = scene.periods[axis];
                let low = ((-far - nearest[axis]) / period).ceil();
                let high = ((far - nearest[axis]) / period).floor();
                (low as i64..=high as i64).map(move |k| match k {
                    0 => nearest[axis],
                    k => nearest[axis] + k as f64 * period,
                })
            };
            for x in images(0) {
                for y in images(1) {
                    for z in images(2) {
                        volume += in_ball(radius, DVec3::new(x, y, z).length(), reach);
                    }
                }
            }
        });
    }
    volume
}

/// The space inside a container.
struct Room<'a> {
    container: &'a Container,
    /// `None` except in cylinders and spheres without bodies.
    shells: Option<Shells>,
    is_box: bool,
}

impl<'a> Room<'a> {
    fn of(container: &'a Container) -> Self {
        Self {
            container,
            shells: Shells::of(container),
            is_box: container.volume() == container.lengths().element_product(),
        }
    }

    /// Returns the volume of the part of a ball inside the container.
    fn volume(&self, center: DVec3, radius: f64) -> f64 {
        let container = self.container;
        if container.wall_gap(center, radius) >= 0.0 {
            return ball(radius);
        }
        if let Some(shells) = &self.shells {
            return shells.deeper(center, radius, 0.0);
        }
        if self.is_box {
            let open = DVec3::from_array([0, 1, 2].map(|axis| {
                if container.is_periodic(axis) {
                    f64::INFINITY
                } else {
                    0.0
                }
            }));
            return volume_in_box(center, radius, -open, container.lengths() + open);
        }
        let is_inside = |number: &u64| {
            let point = center + radius * in_unit_ball(even_point(*number));
            container.wall_gap(container.wrap(point), 0.0) >= 0.0
        };
        let inside = (0..MOST_CUT_POINTS).filter(is_inside).count();
        ball(radius) * inside as f64 / MOST_CUT_POINTS as f64
    }
}
