//! The largest sphere inside a surface.
//!
//! The search needs points that are certainly inside, however thin the body is. It therefore starts from spheres that touch the
//! surface from inside and shrink until no surface is in them: Ma, Bae & Choi, *3D medial axis point approximation using nearest
//! neighbors and the normal field*, Vis. Comput. 28 (2012) 7. The best of them move to larger ones by linear programs. In a convex
//! body this leads to the largest sphere. In other bodies a search over cells follows.

use glam::DVec3;
use microlp::{ComparisonOp, OptimizationDirection, Problem};

use super::{
    super::deepest::{self, Inscribed, refined},
    constants::{
        CLIMB_END, CLIMBED, MOST_CLIMBS, MOST_SEEDS, MOST_SHRINKS, MOST_TRACED, SEARCH_WIDTH,
        TANGENT_MARGIN,
    },
    surface::Surface,
};

/// Returns the largest sphere inside, or one that is slightly smaller. It is never larger.
pub(super) fn largest_sphere(surface: &Surface) -> Inscribed {
    let center = 0.5 * surface.lengths;
    let radius = surface.distance(center);
    let middle = Inscribed { center, radius };
    let better = |a: Inscribed, b: Inscribed| if b.radius > a.radius { b } else { a };
    let seeds = tangent_spheres(surface).into_iter();
    let start = seeds
        .map(|seed| climbed(surface, seed))
        .fold(middle, better);
    let distance = |point, least| surface.distance_beyond(point, least);
    let found = deepest::largest_sphere(surface.lengths, SEARCH_WIDTH, start, &distance);
    let found = if found == start {
        found
    } else {
        climbed(surface, found)
    };
    refined(surface.lengths, &distance, found)
}

/// Returns the largest ones of the spheres that touch the surface at some of its points, with centers outside of each other.
fn tangent_spheres(surface: &Surface) -> Vec<Inscribed> {
    let mut found: Vec<Inscribed> = Vec::new();
    let mut largest = 0.0;
    let step = surface.triangles.len().div_ceil(MOST_SEEDS);
    for triangle in (0..surface.triangles.len()).step_by(step) {
        for (point, outwards) in points(surface, triangle as u32) {
            if let Some(sphere) = tangent_sphere(surface, point, -outwards, 0.5 * largest) {
                largest = sphere.radius.max(largest);
                found.push(sphere);
            }
        }
    }
    found.sort_by(|a, b| b.radius.total_cmp(&a.radius));
    let mut chosen: Vec<Inscribed> = Vec::new();
    for sphere in found {
        let is_apart = |other: &Inscribed| other.center.distance(sphere.center) > other.radius;
        if chosen.len() < CLIMBED && chosen.iter().all(is_apart) {
            chosen.push(sphere);
        }
    }
    chosen
}

/// Returns points on a triangle, and the middles of its reentrant edges, with unit vectors that point outwards.
fn points(surface: &Surface, triangle: u32) -> impl Iterator<Item = (DVec3, DVec3)> {
    let facet = |triangle: u32| &surface.tree.facets[triangle as usize];
    let own = facet(triangle);
    let corners = own.corners();
    let center = (corners[0] + corners[1] + corners[2]) / 3.0;
    let within = [center, corners[0], corners[1], corners[2]];
    let within = within.map(|toward| (center.midpoint(toward), own.normal()));
    let neighbors = surface.neighbors(triangle);
    let edges = (0..3).filter(move |_| own.edge_slope > 0.0).map(move |k| {
        let middle = corners[k].midpoint(corners[(k + 1) % 3]);
        let normal = own.normal() + facet(neighbors[k]).normal();
        (middle, normal.normalize_or_zero())
    });
    within.into_iter().chain(edges)
}

/// Returns the largest sphere inside that touches the surface at a point, if its radius is above `least`.
fn tangent_sphere(
    surface: &Surface,
    point: DVec3,
    inwards: DVec3,
    least: f64,
) -> Option<Inscribed> {
    let mut radius = 0.5 * surface.lengths.length();
    for _ in 0..MOST_SHRINKS {
        let center = point + radius * inwards;
        let nearest = surface.tree.nearest(center);
        if nearest.distance >= (1.0 - TANGENT_MARGIN) * radius {
            let radius = surface.wall(center, &nearest).distance;
            return (radius > least).then_some(Inscribed { center, radius });
        }
        // The sphere through both points.
        let chord = nearest.point - point;
        let smaller = chord.length_squared() / (2.0 * chord.dot(inwards));
        if !(smaller > least && smaller < radius) {
            return None;
        }
        radius = smaller;
    }
    None
}

/// A half-space around a triangle: its boundary touches the triangle at the point that is the closest to a center.
struct HalfSpace {
    triangle: u32,
    /// Unit vector from the triangle to the center.
    away: DVec3,
    distance: f64,
}

/// Moves a sphere inside to larger ones, until no larger one is near.
///
/// A triangle is at least as far from each point as a half-space around the triangle. A linear program finds the point that is the
/// farthest from the half-spaces of some triangles. The sphere moves there as far as other triangles permit, which join
/// the program. All spheres on the segment are inside, because each center is in the sphere before.
fn climbed(surface: &Surface, mut best: Inscribed) -> Inscribed {
    let mut triangles: Vec<u32> = vec![surface.tree.nearest(best.center).triangle];
    // Half of the side of the cube in which the linear program searches, in radii.
    let mut reach = 4.0;
    for _ in 0..MOST_CLIMBS {
        let near = triangles.iter().filter_map(|&triangle| {
            let facet = &surface.tree.facets[triangle as usize];
            let nearest = facet.nearest(best.center, triangle);
            let away = (best.center - nearest.point).try_normalize()?;
            Some(HalfSpace {
                triangle,
                away,
                distance: nearest.distance,
            })
        });
        // Far triangles do not bound the program.
        let near: Vec<HalfSpace> = near
            .filter(|near| near.distance <= (1.0 + 4.0 * reach) * best.radius)
            .collect();
        triangles = near.iter().map(|near| near.triangle).collect();
        let Some((shift, radius)) = farthest(&near, best.radius, reach) else {
            return best;
        };
        if radius <= (1.0 + CLIMB_END) * best.radius {
            return best;
        }
        let (reached, met) = traced(surface, best, shift, radius);
        let is_larger = reached.radius > best.radius;
        if is_larger {
            best = reached;
        }
        match met {
            Some(triangle) if !triangles.contains(&triangle) => triangles.push(triangle),
            Some(_) if !is_larger => reach *= 0.5,
            Some(_) => {}
            None => reach *= 2.0,
        }
    }
    best
}

/// Returns the shift of a center to the point that is the farthest from half-spaces, and the distance there.
fn farthest(near: &[HalfSpace], unit: f64, reach: f64) -> Option<(DVec3, f64)> {
    let mut problem = Problem::new(OptimizationDirection::Maximize);
    let shift = [(); 3].map(|()| problem.add_var(0.0, (-reach, reach)));
    let radius = problem.add_var(1.0, (0.0, 1.0 + 2.0 * reach));
    for HalfSpace { away, distance, .. } in near {
        let [x, y, z] = away.to_array();
        let terms = [
            (radius, 1.0),
            (shift[0], -x),
            (shift[1], -y),
            (shift[2], -z),
        ];
        problem.add_constraint(terms, ComparisonOp::Le, distance / unit);
    }
    let solution = problem.solve().ok()?.into_solution().ok()?;
    let shift = DVec3::from_array(shift.map(|axis| solution.var_value(axis)));
    (shift.is_finite()).then(|| (shift * unit, solution.var_value(radius) * unit))
}

/// Moves a sphere along a segment while its radius is what linear interpolation between both ends expects. Returns the last sphere,
/// and the triangle that stopped it.
fn traced(
    surface: &Surface,
    start: Inscribed,
    shift: DVec3,
    radius: f64,
) -> (Inscribed, Option<u32>) {
    let length = shift.length();
    let (mut reached, mut at) = (start, 0.0);
    for _ in 0..MOST_TRACED {
        if at >= length {
            break;
        }
        at = length.min(at + 0.99 * reached.radius);
        let share = at / length;
        let center = start.center + share * shift;
        let nearest = surface.tree.nearest(center);
        let next = Inscribed {
            center,
            radius: nearest.distance,
        };
        let expected = start.radius + share * (radius - start.radius);
        if next.radius < (1.0 - 0.1 * CLIMB_END) * expected {
            let is_larger = next.radius > reached.radius;
            let last = if is_larger { next } else { reached };
            return (last, Some(nearest.triangle));
        }
        reached = next;
    }
    (reached, None)
}
