//! Does the cost of an index per operation stay flat as the number of spheres grows?
//!
//! For each index, from a thousand to a million spheres at random places that fill 60 % of the box: time per
//! sphere to build it, to relocate every sphere by a hundredth of its radius, and to query around every
//! sphere (a tenth beyond its radius). Equal spheres, and a power law with as much volume
//! in every octave between diameters 1 and 10.

use std::{hint::black_box, time::Duration};

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use glam::DVec3;
use jostle::{Boundaries, Container, Entry, IndexKind};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;

/// The k-d tree and the strict octree are not asked to be fast with more spheres than this.
const MOST_FOR_SLOW: usize = 100_000;

/// Radii with numbers in proportion to r^α between 1 and `ratio`.
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
    let container = Container::new(DVec3::splat(side), Boundaries::PERIODIC).unwrap();
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

fn index(criterion: &mut Criterion) {
    for (sizes, ratio) in [("equal", 1.0), ("power law", 10.0)] {
        for kind in IndexKind::ALL {
            let mut group = criterion.benchmark_group(format!("{sizes}/{kind}"));
            group
                .sample_size(10)
                .warm_up_time(Duration::from_millis(300))
                .measurement_time(Duration::from_secs(1));
            for count in [1_000, 10_000, 100_000, 1_000_000] {
                let slow = matches!(kind, IndexKind::StrictOctree | IndexKind::KdTree)
                    || kind == IndexKind::Grid && ratio > 1.0;
                if slow && count > MOST_FOR_SLOW {
                    continue;
                }
                let (container, entries) = spheres(count, ratio);
                let index = kind.build(&container, &entries);
                // One operation at a time, on spheres far apart in the box, as the packing loop does.
                let sample: Vec<Entry> = entries.iter().step_by(count / 1000).copied().collect();

                group.throughput(Throughput::Elements(count as u64));
                group.bench_function(BenchmarkId::new("build", count), |bencher| {
                    bencher.iter(|| kind.build(&container, black_box(&entries)));
                });
                group.throughput(Throughput::Elements(sample.len() as u64));
                group.bench_function(BenchmarkId::new("query", count), |bencher| {
                    bencher.iter(|| {
                        let mut neighbours = 0;
                        for entry in &sample {
                            let radius = 1.1 * entry.radius;
                            index.visit_candidates(entry.center, radius, &mut |run| {
                                for other in run {
                                    let d = container.displacement(entry.center, other.center);
                                    let reach = radius + other.radius;
                                    neighbours += usize::from(d.length_squared() <= reach * reach);
                                }
                            });
                        }
                        neighbours
                    });
                });
                let mut index = index;
                let mut rng = Pcg64::seed_from_u64(2);
                let mut sample = sample;
                group.bench_function(BenchmarkId::new("relocate", count), |bencher| {
                    bencher.iter(|| {
                        for entry in &mut sample {
                            let step = DVec3::new(rng.random(), rng.random(), rng.random()) - 0.5;
                            let center = entry.center + 0.02 * entry.radius * step;
                            entry.center = container.wrap(center);
                            index.relocate(*entry);
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
