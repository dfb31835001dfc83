//! Height, free surface and packing fractions of spheres at rest under gravity.

use glam::DVec3;
use serde::Serialize;

use super::{
    cells::levels,
    constants::{BED_CORE, MOST_COLUMNS, POINTS},
    error::AnalysisError,
    scene::Scene,
    void::{Probe, probes},
};
use crate::{
    container::{Container, Direction},
    packing::{Packing, Supports},
};

/// A bed at rest under gravity.
///
/// Heights count from the lowest point of the container, against gravity. The free surface is the highest point of a sphere in each column
/// of the container, as wide as the largest diameter. Packing fractions are shares of random points, so that they hold in vessels of any
/// shape.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[non_exhaustive]
pub struct BedSummary {
    /// Direction of gravity.
    pub gravity: Direction,
    /// Height of the highest point of a sphere.
    pub height: f64,
    /// Mean height of the free surface over the columns with spheres.
    pub surface: f64,
    /// Standard deviation of the height of the free surface.
    pub roughness: f64,
    /// Packing fraction below the free surface.
    pub packing_fraction: f64,
    /// Standard error of `packing_fraction`, from the number of points.
    pub standard_error: f64,
    /// Packing fraction of the core, which is at least three mean diameters ⟨d³⟩/⟨d²⟩ from walls, bodies and the free surface; absent in
    /// thin layers.
    pub core: Option<f64>,
    /// Standard error of `core`.
    pub core_error: Option<f64>,
    /// Number of supports of all spheres; absent if forces keep them at rest together.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub supports: Option<usize>,
    /// Mean number of supports of the spheres that are not fixed; 0 without spheres.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub mean_supports: Option<f64>,
}

impl BedSummary {
    /// Summarizes a packing at rest; `None` if the packing has no supports and no forces under gravity.
    ///
    /// # Cost
    /// O(N), and that of 500 000 random points, on rayon's threads.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center or a radius is not accepted.
    pub fn new(packing: &Packing) -> Result<Option<Self>, AnalysisError> {
        let Some(gravity) = packing.gravity() else {
            return Ok(None);
        };
        let scene = Scene::new(packing.spheres(), packing.container())?;
        // Only the sign of a clearance counts.
        let probes = probes(&scene, &levels(&scene), POINTS, f64::MIN_POSITIVE);
        Ok(Some(Self::of_probes(packing, gravity, &probes)))
    }

    /// Summarizes a packing at rest from random points.
    pub(super) fn of_probes(packing: &Packing, gravity: Direction, probes: &[Probe]) -> Self {
        let (spheres, container) = (packing.spheres(), packing.container());
        let surface = Surface::new(packing, gravity);
        let margin = BED_CORE * mean_diameter(spheres.radii());
        let (mut below, mut core) = (Share::default(), Share::default());
        for probe in probes {
            let depth = surface.depth(probe);
            if depth > 0.0 {
                below.add(probe);
            }
            if depth > margin && container.wall_gap(probe.point, 0.0) > margin {
                core.add(probe);
            }
        }
        let heights: Vec<f64> = surface.columns.iter().copied().flatten().collect();
        let mean = heights.iter().sum::<f64>() / heights.len().max(1) as f64;
        let squares: f64 = heights.iter().map(|height| (height - mean).powi(2)).sum();
        let moving = spheres.len() - packing.fixed();
        let supports = packing.supports().map(Supports::total);
        Self {
            gravity,
            height: heights.iter().copied().fold(0.0, f64::max),
            surface: mean,
            roughness: (squares / heights.len().max(1) as f64).sqrt(),
            packing_fraction: below.value().unwrap_or_default(),
            standard_error: below.error().unwrap_or_default(),
            core: core.value(),
            core_error: core.error(),
            supports,
            mean_supports: supports.map(|total| total as f64 / moving.max(1) as f64),
        }
    }
}

/// The share of random points that lie in spheres.
#[derive(Default)]
struct Share {
    points: usize,
    solid: usize,
}

impl Share {
    fn add(&mut self, probe: &Probe) {
        self.points += 1;
        self.solid += usize::from(probe.is_solid());
    }

    fn value(&self) -> Option<f64> {
        (self.points > 0).then(|| self.solid as f64 / self.points as f64)
    }

    fn error(&self) -> Option<f64> {
        let share = self.value()?;
        Some((share * (1.0 - share) / self.points as f64).sqrt())
    }
}

/// The free surface of a bed in columns.
struct Surface<'a> {
    container: &'a Container,
    gravity: Direction,
    /// The axes across gravity.
    across: [usize; 2],
    /// Numbers of columns along these axes.
    counts: [usize; 2],
    /// Height of each column; absent without spheres.
    columns: Vec<Option<f64>>,
}

impl<'a> Surface<'a> {
    fn new(packing: &'a Packing, gravity: Direction) -> Self {
        let (spheres, container) = (packing.spheres(), packing.container());
        let along = gravity.axis().number();
        let across = [(along + 1) % 3, (along + 2) % 3];
        let largest = 2.0 * spheres.radii().iter().copied().fold(0.0, f64::max);
        let columns = |axis: usize| {
            let count = (container.lengths()[axis] / largest).min(MOST_COLUMNS);
            (count as usize).max(1)
        };
        let counts = across.map(columns);
        let mut surface = Self {
            container,
            gravity,
            across,
            counts,
            columns: vec![None; counts[0] * counts[1]],
        };
        for (&center, &radius) in spheres.centers().iter().zip(spheres.radii()) {
            let height = surface.height(center) + radius;
            let column = surface.column(center);
            let highest = &mut surface.columns[column];
            *highest = Some(highest.map_or(height, |before| before.max(height)));
        }
        surface
    }

    /// Returns the height of a point.
    fn height(&self, point: DVec3) -> f64 {
        let (along, up) = (self.gravity.axis().number(), -self.gravity.vector());
        let low = if up[along] > 0.0 {
            0.0
        } else {
            -self.container.lengths()[along]
        };
        up.dot(point) - low
    }

    fn column(&self, point: DVec3) -> usize {
        let number = |k: usize| {
            let axis = self.across[k];
            let share = point[axis] / self.container.lengths()[axis];
            ((share * self.counts[k] as f64) as usize).min(self.counts[k] - 1)
        };
        number(0) * self.counts[1] + number(1)
    }

    /// Returns the distance of a point to the surface above it; negative above the surface.
    fn depth(&self, probe: &Probe) -> f64 {
        let highest = self.columns[self.column(probe.point)];
        highest.map_or(f64::NEG_INFINITY, |top| top - self.height(probe.point))
    }
}

/// Returns ⟨d³⟩/⟨d²⟩.
fn mean_diameter(radii: &[f64]) -> f64 {
    let sum = |power: i32| radii.iter().map(|radius| radius.powi(power)).sum::<f64>();
    2.0 * sum(3) / sum(2)
}
