//! Random points in the void between spheres: pore sizes, and profiles in containers of any shape.

use glam::DVec3;
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

use super::{
    adjacency::by_task, cells::Level, constants::POINT_SEED, copies::Region, scene::Scene,
};

/// A random point inside the container.
#[derive(Clone, Copy)]
pub(super) struct Probe {
    /// The point.
    pub(super) point: DVec3,
    /// Distance to the nearest surface of a sphere or wall: 0 or less inside a sphere, where it is not the distance to the
    /// nearest surface.
    pub(super) clearance: f64,
}

impl Probe {
    /// Returns whether the point is inside a sphere.
    pub(super) fn is_solid(&self) -> bool {
        self.clearance <= 0.0
    }
}

/// Returns the points inside the container among `count` random points in the bounding box. The points are uniformly distributed.
/// They depend only on the container and on `count`. Larger clearances than `most` are not searched, and are `most`.
pub(super) fn probes(scene: &Scene, levels: &[Level], count: usize, most: f64) -> Vec<Probe> {
    let lengths = scene.container.lengths();
    let parts = by_task(0..count, |range| {
        // Each task has a generator of its own, so that points do not depend on threads.
        let mut random = Pcg64::seed_from_u64(POINT_SEED.wrapping_add(range.start as u64));
        let mut uniform = || random.random::<f64>();
        let mut probes = Vec::with_capacity(range.len());
        for _ in range {
            let point = lengths * DVec3::new(uniform(), uniform(), uniform());
            let wall = scene.container.wall_gap(point, 0.0);
            if wall >= 0.0 {
                let clearance = wall.min(most);
                probes.push(Probe { point, clearance });
            }
        }
        probes
    });
    let mut probes = parts.concat();
    let Some(regions) = scene.regions() else {
        search(scene, levels, &mut probes, |_| true);
        return probes;
    };
    // Each rank searches among its spheres: first at the points between them, whose clearances then spare most searches elsewhere.
    let distance = |region: &Region, probe: &Probe| region.distance_to(probe.point, scene.periods);
    search(scene, levels, &mut probes, |probe| {
        let is_inside = |region: &Region| distance(region, probe) == 0.0;
        regions.iter().any(is_inside)
    });
    search(scene, levels, &mut probes, |probe| {
        let is_near = |region: &Region| distance(region, probe) - region.largest < probe.clearance;
        regions.iter().any(is_near)
    });
    probes
}

/// Lowers the clearances to the nearest surfaces of spheres of all ranks. A rank searches for the probes that pass.
fn search(
    scene: &Scene,
    levels: &[Level],
    probes: &mut [Probe],
    passes: impl Fn(&Probe) -> bool + Sync,
) {
    let parts = by_task(0..probes.len(), |range| {
        let clearance = |probe: &Probe| {
            if passes(probe) {
                clearance(scene, levels, probe)
            } else {
                probe.clearance
            }
        };
        probes[range].iter().map(clearance).collect::<Vec<f64>>()
    });
    let clearances = scene.ranks.smallest(parts.concat());
    for (probe, clearance) in probes.iter_mut().zip(clearances) {
        probe.clearance = clearance;
    }
}

/// Returns the distance from a point to the nearest surface of a sphere, at most the clearance so far.
fn clearance(scene: &Scene, levels: &[Level], probe: &Probe) -> f64 {
    let Probe {
        point,
        clearance: mut nearest,
    } = *probe;
    // From the largest spheres on, which contain most solid points. The nearest surface so far limits the search among
    // smaller spheres.
    for level in levels.iter().rev() {
        // Most points are nearer to a sphere than its radius or a cell; the search is repeated for the few other points.
        let mut reach = nearest.min(level.largest.max(0.5 * level.grid.shortest()));
        loop {
            level
                .grid
                .visit(point, level.largest + reach, |id, center| {
                    let distance = scene.displacement(point, center).length();
                    nearest = nearest.min(distance - scene.radii[id as usize]);
                });
            if nearest <= reach {
                break;
            }
            reach = nearest.min(2.0 * reach);
        }
        if nearest <= 0.0 {
            break;
        }
    }
    nearest
}
