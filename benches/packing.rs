//! Time of a whole packing, and of a sweep per sphere. The report `speed` measures the cost up to a million spheres.

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use jostle::{PackOptions, SizeSpec, distribution::Sampling, pack};

const EQUAL: &str = "mono:d=1";
const RATIO_10: &str = "power-law:exponent=-3,d_min=1,d_max=10";
const RATIO_50: &str = "power-law:exponent=-3.5,d_min=1,d_max=50";

fn radii(sizes: &str, n: usize) -> Vec<f64> {
    let law = SizeSpec::load(sizes)
        .expect("the sizes are a valid law")
        .distribution;
    law.sample_number(n, Sampling::Stratified, 0).radii()
}

fn one_thread() -> PackOptions {
    PackOptions::default().threads(1)
}

/// Measures whole packings; `benches/ratios.py` compares them with a plain program.
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
            bencher.iter(|| pack(&radii, &one_thread()).expect("the radii can be packed"));
        });
    }
}

/// Number of sweeps in which spheres move fast and most refreshes are made.
const SWEEPS: u64 = 60;

/// Measures the time per sphere and sweep, refreshes included, over the first sweeps.
fn sweeps(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("sweep, per sphere");
    group.sample_size(10).sampling_mode(SamplingMode::Flat);
    for (name, sizes) in [("equal", EQUAL), ("ratio 10", RATIO_10)] {
        for n in [1_000, 10_000, 100_000] {
            let radii = radii(sizes, n);
            let options = one_thread().max_sweeps(SWEEPS);
            group.throughput(Throughput::Elements(n as u64 * SWEEPS));
            group.bench_function(BenchmarkId::new(name, n), |bencher| {
                bencher.iter(|| pack(&radii, &options).expect("the radii can be packed"));
            });
        }
    }
}

criterion_group!(benches, whole, sweeps);
criterion_main!(benches);
