//! How long a packing takes, whole and for each sphere in a sweep. `examples/speed` has the cost up to a million spheres.

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use jostle::{PackOptions, Sampling, SizeSpec, pack};

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
        for n in [1_000, 10_000, 100_000] {
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

criterion_group!(benches, whole, relocation);
criterion_main!(benches);
