//! Gain of tuned levels over one level in the detection of all contacts.
//!
//! Scene, as in Ogarko & Luding 2012: 20 000 spheres at random positions fill 62 % of a periodic cube. The diameters are
//! equal, of uniform size from 1 to 50, or of uniform volume from 1 to 50. One level is best for equal spheres.
//! Each group measures the time per sphere of the [`SortedHGrid`] with one level and with the levels of least work for K = 1, and
//! the time to choose these levels.

use std::{hint::black_box, time::Duration};

use criterion::{
    BenchmarkId, Criterion, SamplingMode, Throughput, criterion_group, criterion_main,
};
use jostle::{
    SizeSpec,
    distribution::Sampling,
    laboratory::broad_phase::{BroadPhase, HGridSearch, SortedHGrid},
    laboratory::compare::random_spheres,
    tuning::{CostModel, Dimension, RadiusLaw, Search, optimal},
};

/// Number of spheres.
const COUNT: usize = 20_000;
/// Share of the cube that the spheres fill.
const PACKING_FRACTION: f64 = 0.62;

fn tuning(criterion: &mut Criterion) {
    for (name, sizes) in [
        ("equal", "mono:d=1"),
        ("uniform size", "uniform-size:d_min=1,d_max=50"),
        ("uniform volume", "uniform-volume:d_min=1,d_max=50"),
    ] {
        let law = SizeSpec::load(sizes).unwrap().distribution;
        let sample = law.sample_number(COUNT, Sampling::Stratified, 0);
        let radii: Vec<f64> = sample.diameters.iter().map(|d| 0.5 * d).collect();
        let (spheres, container) = random_spheres(&radii, PACKING_FRACTION, 1).unwrap();
        let tuned = || -> Vec<f64> {
            let law = RadiusLaw::from_radii(&radii).unwrap();
            let model = CostModel::new(&law, Dimension::Three, PACKING_FRACTION, 1.0).unwrap();
            let smallest = law.smallest_radius();
            let sizes = optimal(&model, Search::TopDown);
            sizes.into_iter().map(|size| size * smallest).collect()
        };
        let largest = 2.0 * radii.iter().copied().fold(0.0, f64::max);

        let mut group = criterion.benchmark_group(name);
        group
            .sampling_mode(SamplingMode::Flat)
            .sample_size(10)
            .warm_up_time(Duration::from_millis(100))
            .measurement_time(Duration::from_secs(1))
            .throughput(Throughput::Elements(COUNT as u64));
        for (levels, sizes) in [("one level", vec![largest]), ("tuned levels", tuned())] {
            let mut hgrid = SortedHGrid::new(sizes, HGridSearch::TopDown)
                .unwrap()
                .in_container(container.clone());
            group.bench_function(BenchmarkId::new(levels, COUNT), |bencher| {
                bencher.iter(|| {
                    let mut pairs = 0;
                    hgrid.detect(black_box(&spheres), &mut |_, _| pairs += 1);
                    pairs
                });
            });
        }
        group.bench_function(BenchmarkId::new("choose levels", COUNT), |bencher| {
            bencher.iter(tuned);
        });
        group.finish();
    }
}

criterion_group!(benches, tuning);
criterion_main!(benches);
