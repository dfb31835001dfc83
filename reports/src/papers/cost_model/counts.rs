//! Counts of contact searches, and touching pairs by brute force.

use jostle::{
    Container, Spheres,
    laboratory::{
        broad_phase::{BroadPhase, HGridSearch, SortedHGrid},
        compare::search,
    },
};

use crate::outcome::Outcome;

/// Returns a grid in a container. The sizes are in units of the coordinates.
fn grid(sizes: &[f64], direction: HGridSearch, container: &Container) -> Outcome<SortedHGrid> {
    Ok(SortedHGrid::new(sizes.to_vec(), direction)?.in_container(container.clone()))
}

/// Returns the number of overlap tests and of opened cells.
pub fn counts(
    spheres: &Spheres,
    container: &Container,
    sizes: &[f64],
    direction: HGridSearch,
) -> Outcome<[f64; 2]> {
    let timing = search(&mut grid(sizes, direction, container)?, spheres);
    Ok([timing.pair_tests, timing.cell_accesses])
}

/// Returns the pairs that a search reports, sorted, and the bytes that it holds.
pub fn reported(
    spheres: &Spheres,
    container: &Container,
    sizes: &[f64],
    direction: HGridSearch,
) -> Outcome<(Vec<[u32; 2]>, usize)> {
    let mut grid = grid(sizes, direction, container)?;
    let mut pairs = Vec::new();
    grid.detect(spheres, &mut |i, j| pairs.push([i.min(j), i.max(j)]));
    pairs.sort_unstable();
    Ok((pairs, grid.bytes()))
}

/// Returns the touching pairs in a periodic cube, sorted, by testing all pairs.
pub fn brute_force(spheres: &Spheres, container: &Container) -> Vec<[u32; 2]> {
    let side = container.lengths().x;
    let (centers, radii) = (spheres.centers(), spheres.radii());
    let mut pairs = Vec::new();
    for j in 0..spheres.len() {
        for i in 0..j {
            let between = centers[i] - centers[j];
            let nearest = between - (between / side).round() * side;
            let reach = radii[i] + radii[j];
            if nearest.length_squared() < reach * reach {
                pairs.push([i as u32, j as u32]);
            }
        }
    }
    pairs.sort_unstable();
    pairs
}

/// Returns the spheres whose radius is in a range.
pub fn subset(spheres: &Spheres, is_in: impl Fn(f64) -> bool) -> Spheres {
    let here = || spheres.iter().filter(|&(_, radius)| is_in(radius));
    Spheres::new(
        here().map(|(center, _)| center).collect(),
        here().map(|(_, radius)| radius).collect(),
    )
}
