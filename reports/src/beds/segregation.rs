//! Where the small spheres of two sizes come to rest.

use std::f64::consts::PI;

use jostle::{Container, Packing, glam::DVec3, pour::Source};

use super::{
    layers::{solid, top},
    mean::Mean,
    outcome::Outcome,
    pile::floor,
    pour::{bed, pile},
};

/// Ratio of the diameters. The large spheres have diameter 1.
pub const RATIO: f64 = 3.0;

/// Number of large spheres; the small ones have the same volume.
const LARGE: usize = 400;

/// Number of beds and of piles.
pub const SEEDS: u64 = 4;

/// Side of the beds, which are periodic across gravity.
const SIDE: f64 = 10.0;

/// Volume shares of the small spheres, as differences from the share in all of the bed.
pub struct Segregation {
    /// Of the lower half of a bed that rains.
    pub low: Mean,
    /// Of its upper half.
    pub high: Mean,
    /// Of the inner half of a pile, by volume.
    pub inner: Mean,
    /// Of its outer half.
    pub outer: Mean,
}

fn radii() -> Vec<f64> {
    let small = (LARGE as f64 * RATIO.powi(3)) as usize;
    [vec![0.5; LARGE], vec![0.5 / RATIO; small]].concat()
}

fn is_small(radius: f64) -> bool {
    radius < 0.4
}

/// Pours beds and piles.
pub fn measure() -> Outcome<Segregation> {
    let container = Container::cuboid(DVec3::new(SIDE, SIDE, 80.0), "ppw".parse()?)?;
    let (wide, source) = floor()?;
    let mut shares = [(); 4].map(|()| Vec::new());
    for seed in 0..SEEDS {
        let packing = bed(radii(), &container, seed)?;
        let middle = 0.5 * top(&packing);
        let halves = [[0.0, middle], [middle, 2.0 * middle]];
        let share = |layer: [f64; 2]| {
            let small = solid(&packing, layer, |_, radius| is_small(radius));
            small / solid(&packing, layer, |_, _| true) - 0.5
        };
        let heap = pile(radii(), &wide, Source::at(source, None), 0.0, seed)?;
        let [inner, outer] = halves_by_radius(&heap, source);
        let found = [share(halves[0]), share(halves[1]), inner, outer];
        shares
            .iter_mut()
            .zip(found)
            .for_each(|(shares, share)| shares.push(share));
        eprintln!("two sizes {seed}");
    }
    let [low, high, inner, outer] = shares.map(|shares| Mean::of(&shares));
    Ok(Segregation {
        low,
        high,
        inner,
        outer,
    })
}

/// Returns the volume share of small spheres less one half, in the inner and in the outer half of the volume around a vertical line.
fn halves_by_radius(packing: &Packing, axis: DVec3) -> [f64; 2] {
    let spheres = packing.spheres();
    let mut sorted: Vec<(f64, f64)> = spheres
        .centers()
        .iter()
        .zip(spheres.radii())
        .map(|(center, &radius)| (center.truncate().distance(axis.truncate()), radius))
        .collect();
    sorted.sort_by(|a, b| a.0.total_cmp(&b.0));
    let volume = |radius: f64| 4.0 / 3.0 * PI * radius.powi(3);
    let total: f64 = sorted.iter().map(|&(_, radius)| volume(radius)).sum();
    let (mut before, mut small, mut all) = (0.0, [0.0; 2], [0.0; 2]);
    for (_, radius) in sorted {
        let half = usize::from(before > 0.5 * total);
        before += volume(radius);
        all[half] += volume(radius);
        small[half] += if is_small(radius) {
            volume(radius)
        } else {
            0.0
        };
    }
    [0, 1].map(|half| small[half] / all[half] - 0.5)
}
