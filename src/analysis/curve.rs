//! Spheres sorted along a space-filling curve, of which each rank has a piece.

use std::cmp::Ordering;

use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use rayon::prelude::*;

use super::constants::{CURVE_CELLS, WAVE_TASK};
use crate::machine::{
    parallel::Erase,
    radix_sort::{Keyed, sort_by_key},
    ranks::Ranks,
    sample_sort::divide_by_key,
    z_order::z_order,
};

/// A sphere in a message.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Sphere {
    center: DVec3,
    radius: f64,
    group: u64,
}

/// The columns of spheres: centers, radii and groups.
pub(super) type Columns = (Vec<DVec3>, Vec<f64>, Vec<u32>);

/// Returns the place of a center on the curve.
fn place(center: DVec3, lengths: DVec3) -> u64 {
    let cell = (center / lengths * CURVE_CELLS).to_array();
    z_order(cell.map(|at| at.min(CURVE_CELLS - 1.0) as u32))
}

/// Sorts spheres along the curve.
///
/// The result does not depend on their order: spheres at one place are sorted by their numbers, and equal ones cannot be told apart.
pub(super) fn sort(
    (centers, radii, groups): (&[DVec3], &[f64], &[u32]),
    lengths: DVec3,
) -> Columns {
    let mut order: Vec<Keyed> = centers
        .par_iter()
        .enumerate()
        .erased()
        .map(|(number, &center)| Keyed {
            key: place(center, lengths),
            number: number as u32,
        })
        .collect();
    sort_by_key(&mut order);
    let numbers = |sphere: &Keyed| {
        let sphere = sphere.number as usize;
        let [x, y, z] = centers[sphere].to_array();
        [x, y, z, radii[sphere], f64::from(groups[sphere])]
    };
    let by_numbers = |a: &Keyed, b: &Keyed| {
        let pairs = numbers(a).into_iter().zip(numbers(b));
        let orders = pairs.map(|(a, b)| a.total_cmp(&b));
        orders.fold(Ordering::Equal, Ordering::then)
    };
    for at_one_place in order.chunk_by_mut(|a, b| { a.key } == { b.key }) {
        at_one_place.sort_unstable_by(by_numbers);
    }
    let sphere = |keyed: &Keyed| (centers[keyed.number as usize], radii[keyed.number as usize]);
    let (centers, radii) = order.par_iter().erased().map(sphere).unzip();
    let group = |keyed: &Keyed| groups[keyed.number as usize];
    (centers, radii, order.iter().map(group).collect())
}

/// Divides sorted spheres, of which each rank has any, so that each one has a piece of the curve.
///
/// A piece has whole tasks of [`WAVE_TASK`] spheres: then sums over tasks do not depend on the number of ranks.
pub(super) fn divide(columns: &Columns, lengths: DVec3, ranks: &Ranks) -> Columns {
    let spheres = joined(columns);
    let place = |sphere: &Sphere| place(sphere.center, lengths);
    let received = divide_by_key(ranks, &spheres, place);
    drop(spheres);
    let (centers, radii, groups) = parted(&received);
    drop(received);
    let spheres = joined(&sort((&centers, &radii, &groups), lengths));
    let mut position = ranks.before(spheres.len());
    let total = ranks.total(spheres.len());
    let (tasks, count) = (total.div_ceil(WAVE_TASK), ranks.ranks());
    let mut rest = spheres.as_slice();
    let messages = (1..=count)
        .map(|rank| {
            let end = (tasks * rank / count * WAVE_TASK).min(total);
            let (part, after) = rest.split_at(end.saturating_sub(position).min(rest.len()));
            rest = after;
            position += part.len();
            part.to_vec()
        })
        .collect();
    // The senders have successive pieces of the curve.
    parted(&ranks.send_to_each(messages))
}

fn joined((centers, radii, groups): &Columns) -> Vec<Sphere> {
    let spheres = centers.iter().zip(radii).zip(groups);
    spheres
        .map(|((&center, &radius), &group)| Sphere {
            center,
            radius,
            group: group.into(),
        })
        .collect()
}

fn parted(spheres: &[Sphere]) -> Columns {
    let sphere = |sphere: &Sphere| (sphere.center, sphere.radius);
    let (centers, radii) = spheres.iter().map(sphere).unzip();
    let groups = spheres.iter().map(|sphere| sphere.group as u32).collect();
    (centers, radii, groups)
}
