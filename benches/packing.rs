//! How long a packing takes, and whether the cost of a relocation and of a refresh stays flat as packings grow.

use std::hint::black_box;

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use glam::DVec3;
use jostle::{
    Effort, Entry, IndexKind, PackOptions, Packing, Sampling, SizeSpec, VerletLists, pack,
};

const EQUAL: &str = "mono:d=1";
const RATIO_10: &str = "power-law:exponent=-3,d_min=1,d_max=10";
const RATIO_50: &str = "power-law:exponent=-3.5,d_min=1,d_max=50";

fn radii(sizes: &str, n: usize) -> Vec<f64> {
    let law = SizeSpec::load(sizes).expect("a law").distribution;
    let sample = law.sample(n, Sampling::Stratified, 0);
    sample.diameters.iter().map(|d| 0.5 * d).collect()
}

fn one_thread() -> PackOptions {
    PackOptions {
        threads: 1,
        ..PackOptions::default()
    }
}

/// Whole packings; `benches/ratios.py` takes them against a plain program.
fn whole(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("pack 10 000");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for (name, sizes) in [
        ("equal", EQUAL),
        ("ratio 10", RATIO_10),
        ("ratio 50", RATIO_50),
    ] {
        let radii = radii(sizes, 10_000);
        group.bench_function(name, |bencher| {
            bencher.iter(|| pack(&radii, &one_thread(), &mut ()).expect("a packing"));
        });
    }
}

/// Time per sphere and sweep, refreshes included, over the first sixty sweeps.
fn relocation(criterion: &mut Criterion) {
    const SWEEPS: u64 = 60;
    let mut group = criterion.benchmark_group("sweep, per sphere");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for (name, sizes) in [("equal", EQUAL), ("ratio 10", RATIO_10)] {
        for n in [1_000, 10_000, 100_000, 1_000_000] {
            let radii = radii(sizes, n);
            let options = PackOptions {
                max_sweeps: Some(SWEEPS),
                ..one_thread()
            };
            group.throughput(Throughput::Elements(n as u64 * SWEEPS));
            group.bench_function(BenchmarkId::new(name, n), |bencher| {
                bencher.iter(|| pack(&radii, &options, &mut ()).expect("a packing"));
            });
        }
    }
}

fn lists(packing: &Packing, shift: f64) -> (VerletLists, impl Fn(u32) -> Entry + Sync + Clone) {
    let (spheres, container) = (packing.spheres.clone(), packing.container);
    let inflated = move |id: u32| {
        let (center, radius) = (spheres.centers()[id as usize], spheres.radii()[id as usize]);
        Entry {
            center: container.wrap(center + DVec3::splat(shift)),
            radius: 1.1 * radius,
            id,
        }
    };
    let lists = VerletLists::new(
        IndexKind::default(),
        &packing.container,
        packing.spheres.len(),
        &inflated,
    );
    (lists, inflated)
}

/// Time of one refresh: a relocation in the index, a query, and mending the lists of those met or left.
fn refresh(criterion: &mut Criterion) {
    const MOVED: u32 = 200;
    let mut group = criterion.benchmark_group("refresh");
    for (name, sizes) in [("equal", EQUAL), ("ratio 10", RATIO_10)] {
        for n in [1_000, 10_000, 100_000, 1_000_000] {
            let options = PackOptions {
                effort: Effort::QUICK,
                ..PackOptions::default()
            };
            let run = pack(&radii(sizes, n), &options, &mut ()).expect("a packing");
            let (mut lists, there) = lists(&run.packing, 0.0);
            let (spheres, container) = (&run.packing.spheres, run.packing.container);
            let step = DVec3::splat(0.02);
            let away = |id: u32| {
                let entry = there(id);
                Entry {
                    center: container.wrap(entry.center + step * spheres.radii()[id as usize]),
                    ..entry
                }
            };
            let moved: Vec<u32> = (0..n as u32).step_by(n / MOVED as usize).collect();
            group.throughput(Throughput::Elements(2 * moved.len() as u64));
            group.bench_function(BenchmarkId::new(name, n), |bencher| {
                bencher.iter(|| {
                    lists.refresh(&moved, away);
                    lists.refresh(&moved, &there);
                    black_box(&lists);
                });
            });
        }
    }
}

criterion_group!(benches, whole, relocation, refresh);
criterion_main!(benches);
