//! Cost of an index per operation, as the number of spheres grows.
//!
//! For each index, from a thousand to a million spheres at random points that fill 60 % of the box: time per
//! sphere to build the index, to query around spheres (a tenth beyond their radius) and to relocate them by a
//! hundredth of their radius. Queries around neighboring spheres measure the work itself; queries around
//! spheres far apart add cache misses. Equal spheres, and numbers proportional to r⁻³ between diameters 1 and 10.

use std::{hint::black_box, time::Duration};

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use glam::DVec3;
use jostle::{
    Boundaries, Container, IndexKind,
    index::{Entry, GlobalIndex, IndexBuilder},
};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use strum::VariantArray;

/// Greatest number of spheres for slow combinations of index and sizes: with more, the benchmark would take hours.
const MAX_FOR_SLOW: usize = 100_000;

/// Returns whether queries of this index slow down as the number of spheres grows, or take long for other reasons.
fn is_slow(kind: IndexKind, ratio: f64) -> bool {
    match kind {
        IndexKind::LooseOctree | IndexKind::Hgrid => false,
        IndexKind::Grid => ratio > 1.0,
        _ => true,
    }
}

/// Returns a radius between 1 and `ratio` from a law with numbers in proportion to r^α.
fn power_law(alpha: f64, ratio: f64, rng: &mut Pcg64) -> f64 {
    let power = alpha + 1.0;
    let share: f64 = rng.random();
    (1.0 + share * (ratio.powf(power) - 1.0)).powf(1.0 / power)
}

fn spheres(count: usize, ratio: f64) -> (Container, Vec<Entry>) {
    let mut rng = Pcg64::seed_from_u64(1);
    let radii: Vec<f64> = (0..count)
        .map(|_| match ratio {
            1.0 => 1.0,
            _ => power_law(-3.0, ratio, &mut rng),
        })
        .collect();
    let side = (jostle::total_volume(&radii) / 0.6).cbrt();
    let container = Container::cuboid(DVec3::splat(side), Boundaries::PERIODIC).unwrap();
    let entries = (0..)
        .zip(radii)
        .map(|(id, radius)| {
            let share = DVec3::new(rng.random(), rng.random(), rng.random());
            Entry {
                center: container.wrap(share * side),
                radius,
                id,
            }
        })
        .collect();
    (container, entries)
}

/// Counts the spheres within a tenth of the radius of each probe.
fn neighbors(
    container: &Container,
    index: &dyn GlobalIndex,
    entries: &[Entry],
    probes: &[Entry],
) -> usize {
    let mut neighbors = 0;
    for probe in probes {
        let radius = 1.1 * probe.radius;
        index.visit_candidates(probe.center, radius, &mut |ids| {
            for &other in ids {
                let other = entries[other as usize];
                let d = container.displacement(probe.center, other.center);
                let reach = radius + other.radius;
                neighbors += usize::from(d.length_squared() <= reach * reach);
            }
        });
    }
    neighbors
}

fn index(criterion: &mut Criterion) {
    for (sizes, ratio) in [("equal", 1.0), ("power law", 10.0)] {
        for &kind in IndexKind::VARIANTS {
            let mut group = criterion.benchmark_group(format!("{sizes}/{kind}"));
            group
                .sampling_mode(SamplingMode::Flat)
                .sample_size(10)
                .warm_up_time(Duration::from_millis(100))
                .measurement_time(Duration::from_millis(300));
            for count in [1_000, 10_000, 100_000, 1_000_000] {
                if is_slow(kind, ratio) && count > MAX_FOR_SLOW {
                    continue;
                }
                let (container, entries) = spheres(count, ratio);
                let index = kind.build(&container, &entries);
                let scattered: Vec<Entry> = entries.iter().step_by(count / 1000).copied().collect();
                let mut together = entries.clone();
                together.sort_by(|a, b| {
                    let from_middle = |e: &Entry| (e.center - 0.5 * container.lengths()).length();
                    from_middle(a).total_cmp(&from_middle(b))
                });
                together.truncate(1000);

                group.throughput(Throughput::Elements(count as u64));
                group.bench_function(BenchmarkId::new("build", count), |bencher| {
                    bencher.iter(|| kind.build(&container, black_box(&entries)));
                });
                group.throughput(Throughput::Elements(1000));
                for (name, probes) in [("query", &together), ("query scattered", &scattered)] {
                    group.bench_function(BenchmarkId::new(name, count), |bencher| {
                        bencher.iter(|| neighbors(&container, &*index, &entries, probes));
                    });
                }
                let mut index = index;
                let mut rng = Pcg64::seed_from_u64(2);
                let mut sample = scattered;
                group.bench_function(BenchmarkId::new("relocate", count), |bencher| {
                    bencher.iter(|| {
                        for entry in &mut sample {
                            let step = DVec3::new(rng.random(), rng.random(), rng.random()) - 0.5;
                            let from = *entry;
                            let center = from.center + 0.02 * from.radius * step;
                            entry.center = container.wrap(center);
                            index.relocate(from, *entry).unwrap();
                        }
                    });
                });
            }
            group.finish();
        }
    }
}

criterion_group!(benches, index);
criterion_main!(benches);
