//! The columns of checkpoints: from and to columns of whole numbers, of all spheres or of the part of one rank.

use std::io;

use super::checkpoint_head::Head;
use crate::{
    container::frame::{Point, Steps},
    machine::ranks::Ranks,
    rearrange::{Checkpoint, Columns, Shares},
};

/// Writes all columns of a checkpoint in their order. Each rank passes its part.
pub(super) fn write_columns(
    checkpoint: &Checkpoint,
    mut write: impl FnMut(&mut dyn Iterator<Item = i32>) -> io::Result<()>,
) -> io::Result<()> {
    let (columns, ranks) = (&checkpoint.columns, &checkpoint.ranks);
    let (radii, original, at) = (&columns.radii, &columns.original, &columns.at);
    let before = at_before(ranks, at);
    let sphere_radii = sphere_radii(ranks, radii, checkpoint.spheres(), original);
    write(&mut radii.iter().map(|r| (r.to_bits() >> 32) as i32))?;
    write(&mut radii.iter().map(|r| r.to_bits() as i32))?;
    write(&mut original.iter().map(|&number| number as i32))?;
    for axis in 0..3 {
        let mut before = before[axis];
        let steps = at.iter().map(|at| at[axis]);
        write(&mut steps.map(|step| step.wrapping_sub(std::mem::replace(&mut before, step))))?;
    }
    write(&mut columns.age.iter().map(|&age| age as i32))?;
    for inflated in [&columns.outer, &columns.inner] {
        for axis in 0..3 {
            let pairs = inflated.iter().zip(at);
            write(&mut pairs.map(|(inflated, at)| inflated.at[axis].wrapping_sub(at[axis])))?;
        }
        let pairs = inflated.iter().zip(&sphere_radii);
        let bits = |inflated: &Point| inflated.radius.to_bits() as i32;
        write(&mut pairs.map(|(inflated, &radius)| bits(inflated).wrapping_sub(radius)))?;
    }
    write(&mut columns.active.iter().map(|&active| active.into()))
}

/// Returns the lengths of the columns in their order.
pub(super) fn lengths(head: &Head) -> Vec<usize> {
    let if_there = |is_there: bool| if is_there { head.present } else { 0 };
    let numbers = [head.spheres; 2];
    let shortlists = [if_there(head.has_shortlists); 4];
    let activity = [if_there(head.has_activity)];
    [&numbers[..], &[head.present; 9], &shortlists, &activity].concat()
}

/// Reads all columns of a checkpoint, or the part of this rank. `read` returns the next column, or its part, of a length.
///
/// On ranks, all of them return or fail together up to the positions; one alone may return `None` after them.
pub(super) fn read_columns(
    head: &Head,
    ranks: &Ranks,
    mut read: impl FnMut(usize) -> Option<Vec<i32>>,
) -> Option<Columns> {
    let &Head {
        spheres, present, ..
    } = head;
    let beginning = read_beginning(spheres, present, &mut read)
        .filter(|(_, original, _)| original.iter().all(|&k| (k as usize) < spheres));
    if !ranks.everywhere(beginning.is_some()) {
        return None;
    }
    let (radii, original, mut at) = beginning?;
    // The differences of this rank continue those of the ranks before.
    let last = ranks.gather(vec![at.last().copied().unwrap_or_default()]);
    let before = last[..ranks.rank()].iter().fold([0; 3], sum);
    at.iter_mut().for_each(|at| *at = sum(*at, &before));
    let sphere_radii = sphere_radii(ranks, &radii, spheres, &original);
    let age = read(present)?.into_iter().map(|age| age as u32).collect();
    let mut inflated = |count: usize| -> Option<Vec<Point>> {
        let offsets = rows([(); 3].map(|()| read(count)))?;
        let radii = read(count)?.into_iter().zip(&sphere_radii);
        let points = offsets.into_iter().zip(radii).zip(&at);
        let point = |((offset, (bits, radius)), at): ((Steps, (i32, &i32)), &Steps)| Point {
            at: sum(*at, &offset),
            radius: f32::from_bits(bits.wrapping_add(*radius) as u32),
        };
        Some(points.map(point).collect())
    };
    let outer = inflated(present)?;
    let inner = inflated(if head.has_shortlists { present } else { 0 })?;
    let activity = read(if head.has_activity { present } else { 0 })?;
    Some(Columns {
        radii,
        original,
        at,
        age,
        outer,
        inner,
        active: activity.into_iter().map(|active| active != 0).collect(),
    })
}

/// Reads the radii, the numbers of the spheres, and the positions as sums of the differences that are read.
fn read_beginning(
    spheres: usize,
    present: usize,
    read: &mut dyn FnMut(usize) -> Option<Vec<i32>>,
) -> Option<(Vec<f64>, Vec<u32>, Vec<Steps>)> {
    let (high, low) = (read(spheres)?, read(spheres)?);
    let bits = high.into_iter().zip(low);
    let radii = bits
        .map(|(high, low)| f64::from_bits(u64::from(high as u32) << 32 | u64::from(low as u32)))
        .collect();
    let original = read(present)?.into_iter().map(|k| k as u32).collect();
    let steps = [(); 3].map(|()| {
        let mut at = 0i32;
        let differences = read(present)?;
        let sums = differences.into_iter().map(|difference| {
            at = at.wrapping_add(difference);
            at
        });
        Some(sums.collect::<Vec<i32>>())
    });
    Some((radii, original, rows(steps)?))
}

/// Returns the position of the last sphere of the ranks before this one.
fn at_before(ranks: &Ranks, at: &[Steps]) -> Steps {
    // One number tells whether the rank has a sphere.
    let last = at.last().map_or([0; 4], |&[x, y, z]| [1, x, y, z]);
    let last = ranks.gather(vec![last]);
    let before = last[..ranks.rank()].iter().rev();
    let before = before.copied().find(|&[is_there, ..]| is_there == 1);
    before.map_or([0; 3], |[_, x, y, z]| [x, y, z])
}

/// Returns the bits of the radii of spheres in single precision. Those of inflated radii are close to them.
fn sphere_radii(ranks: &Ranks, radii: &[f64], spheres: usize, original: &[u32]) -> Vec<i32> {
    let shares = Shares {
        len: spheres,
        ranks: ranks.ranks(),
    };
    let first = shares.of_rank(ranks.rank()).start;
    let own = |k: usize| (radii[k - first] as f32).to_bits() as i32;
    ranks.fetch(own, |k| shares.rank_of(k), original)
}

fn sum(a: Steps, b: &Steps) -> Steps {
    std::array::from_fn(|axis| a[axis].wrapping_add(b[axis]))
}

/// Returns the rows of three columns of equal length.
fn rows(columns: [Option<Vec<i32>>; 3]) -> Option<Vec<Steps>> {
    let [x, y, z] = columns;
    let rows = x?.into_iter().zip(y?).zip(z?);
    Some(rows.map(|((x, y), z)| [x, y, z]).collect())
}
