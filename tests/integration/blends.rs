//! Blends: their curves, their samples, and their components in packings, files and analyses.

use std::f64::consts::PI;

use jostle::{
    Boundaries, Container, Effort, PackOptions, Packing, Request, SizeSpec, Spheres,
    analysis::{Analysis, AnalysisOptions},
    distribution::{
        Basis, Bidisperse, Blend, BlendBasis, Component, Fuller, Interpolation, Lognormal, Mono,
        Sample, Sampling, SieveCurve, SizeClasses, SizeDistribution,
    },
    glam::DVec3,
    packing::PackedComponent,
};

const SAMPLINGS: [Sampling; 2] = [Sampling::Stratified, Sampling::Random];

fn sand() -> SieveCurve {
    let passing = vec![[0.25, 0.0], [0.5, 20.0], [1.0, 60.0], [2.0, 100.0]];
    SieveCurve::new(passing, Interpolation::Log).unwrap()
}

/// Sand, gravel of two sizes, and pebbles, by mass and with densities.
fn concrete() -> Blend {
    let gravel = Bidisperse::new(3.0, 4.0, 0.3).unwrap();
    let components = vec![
        Component::new("sand", 0.6, sand()).density(2650.0),
        Component::new("gravel", 0.25, gravel).density(2700.0),
        Component::new("pebbles", 0.15, Mono::new(6.0).unwrap()).density(2900.0),
    ];
    Blend::new(BlendBasis::Mass, components).unwrap()
}

/// Returns the volume shares of the blend above, from its masses and densities.
fn volume_shares() -> [f64; 3] {
    let volumes = [0.6 / 2650.0, 0.25 / 2700.0, 0.15 / 2900.0];
    volumes.map(|volume| volume / volumes.iter().sum::<f64>())
}

fn volume(diameters: &[f64]) -> f64 {
    diameters.iter().map(|d| PI / 6.0 * d * d * d).sum()
}

/// Returns the diameters of each component.
fn parts(sample: &Sample) -> Vec<&[f64]> {
    let mut rest = &sample.diameters[..];
    let parts = sample.source.components.iter().map(|component| {
        let (own, others) = rest.split_at(component.spheres as usize);
        rest = others;
        own
    });
    let parts = parts.collect();
    assert!(rest.is_empty());
    parts
}

#[test]
fn shares_follow_from_masses_and_densities() {
    let blend = concrete();
    let close = |a: &[f64], b: &[f64]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-14);
    assert!(close(&blend.volume_shares(), &volume_shares()));
    assert!(close(&blend.mass_shares(), &[0.6, 0.25, 0.15]));
    let by_volume = Blend::new(BlendBasis::Volume, blend.components().to_vec()).unwrap();
    assert!(close(&by_volume.volume_shares(), &[0.6, 0.25, 0.15]));
    let numbers: Vec<f64> = (blend.components().iter().zip(volume_shares()))
        .map(|(component, share)| share / component.sizes.raw_moment(3))
        .collect();
    let all: f64 = numbers.iter().sum();
    let expected: Vec<f64> = numbers.iter().map(|number| number / all).collect();
    assert!(close(&blend.number_shares(), &expected));
}

#[test]
fn curves_are_those_of_the_components_weighted_by_their_shares() {
    let blend = concrete();
    let numbers = blend.number_shares();
    let law = SizeDistribution::from(blend.clone());
    assert_eq!((law.d_min(), law.d_max()), (0.25, 6.0));
    assert!(law.classes().is_none());
    let sum = |shares: &[f64], value: &dyn Fn(&SizeDistribution) -> f64| -> f64 {
        let components = blend.components().iter().zip(shares);
        components
            .map(|(own, share)| share * value(&own.sizes))
            .sum()
    };
    for k in 0..=60 {
        let d = 0.25 * 24_f64.powf(f64::from(k) / 60.0);
        let mass = sum(&volume_shares(), &|sizes| sizes.mass_cdf(d));
        let number = sum(&numbers, &|sizes| sizes.number_cdf(d));
        assert!((law.mass_cdf(d) - mass).abs() < 1e-13, "{d}");
        assert!((law.number_cdf(d) - number).abs() < 1e-13, "{d}");
    }
    for k in 1..=3 {
        let expected = sum(&numbers, &|sizes| sizes.raw_moment(k));
        assert!((law.raw_moment(k) / expected - 1.0).abs() < 1e-12);
    }
    for share in [0.0, 1e-6, 0.1, 0.5, 0.62, 0.7, 0.9, 0.999, 1.0] {
        let d = law.mass_quantile(share);
        assert!(law.mass_cdf(d) >= share - 1e-15, "{share}");
        assert!(d == 0.25 || law.mass_cdf(d.next_down()) < share, "{share}");
    }
    // The shares of classes are steps at their diameters.
    let below_pebbles = 1.0 - volume_shares()[2];
    assert_eq!(law.mass_quantile(below_pebbles + 1e-9), 6.0);
}

#[test]
fn a_blend_of_classes_has_their_classes() {
    let fine = Bidisperse::new(1.0, 2.0, 0.5).unwrap();
    let coarse = Bidisperse::new(2.0, 5.0, 0.25).unwrap();
    let components = vec![
        Component::new("fine", 40.0, fine),
        Component::new("coarse", 60.0, coarse),
    ];
    let law = SizeDistribution::blend(components).unwrap();
    let expected = vec![[1.0, 0.2], [2.0, 0.35], [5.0, 0.45]];
    let expected = SizeDistribution::from(SizeClasses::new(Basis::Mass, expected).unwrap());
    let (found, expected) = (law.classes().unwrap(), expected.classes().unwrap());
    for (a, b) in found.iter().zip(expected) {
        assert_eq!(a.diameter, b.diameter);
        assert!((a.mass_share - b.mass_share).abs() < 1e-15);
        assert!((a.number_share - b.number_share).abs() < 1e-15);
    }
    assert_eq!(found.len(), expected.len());
}

/// A continuous blend whose coarsest tenth by mass is one diameter.
#[test]
fn a_class_may_be_the_coarsest_tenth_of_a_blend() {
    let law = SizeSpec::load("blend:(fuller:d_min=1,d_max=2)=0.5,(mono:d=4)=0.5").unwrap();
    // By number: half of the mass over 4³, and the mean of d⁻³ by mass, the integral of d⁻³ dP with P ∝ √d.
    let fine = 0.2 * (1.0 - 2f64.powf(-2.5)) / (2f64.sqrt() - 1.0);
    let coarse = 4f64.powi(-3);
    let (share, from) = law.distribution.largest_class();
    assert!((share - coarse / (coarse + fine)).abs() < 1e-9, "{share}");
    assert_eq!(from, 4.0);
    let sample = law.sample_number(1500, Sampling::Stratified, 0);
    assert_eq!(sample.report().warning, None);
}

#[test]
fn samples_by_number_keep_the_number_of_each_component_within_one_sphere() {
    let blend = concrete();
    let numbers = blend.number_shares();
    let law = SizeDistribution::from(blend);
    for sampling in SAMPLINGS {
        for n in [0, 1, 7, 100, 1234, 20_000] {
            let sample = law.sample_number(n, sampling, 3);
            assert_eq!(sample.diameters.len(), n);
            for (own, share) in parts(&sample).iter().zip(&numbers) {
                let off = own.len() as f64 - share * n as f64;
                assert!(off.abs() < 1.0, "{sampling}, {n}: {off}");
            }
            let ranges = [0.25..=2.0, 3.0..=4.0, 6.0..=6.0];
            for (own, range) in parts(&sample).iter().zip(ranges) {
                assert!(own.iter().all(|diameter| range.contains(diameter)));
            }
        }
    }
}

#[test]
fn stratified_samples_keep_the_volume_of_each_component_within_one_sphere() {
    let law = SizeDistribution::from(concrete());
    let largest = [2.0, 4.0, 6.0];
    for n in [100, 1234, 20_000] {
        let sample = law.sample_number(n, Sampling::Stratified, 0);
        let expected = n as f64 * law.mean_volume();
        for ((own, share), d) in parts(&sample).iter().zip(volume_shares()).zip(largest) {
            let off = volume(own) - share * expected;
            assert!(off.abs() <= volume(&[d]), "{n}, {d}: {off}");
        }
        let report = sample.report();
        assert!(
            n < 20_000 || report.mass_curve_error < 0.05,
            "{n}: {}",
            report.mass_curve_error
        );
    }
}

#[test]
fn samples_by_volume_keep_the_volume_of_each_component_within_one_sphere() {
    let law = SizeDistribution::from(concrete());
    for sampling in SAMPLINGS {
        for requested in [300.0, 5e3, 4e4] {
            let sample = law.sample_volume(requested, sampling, 3).unwrap();
            // One sphere of a component, and the rounding of the component before it.
            for (own, share) in parts(&sample).iter().zip(volume_shares()) {
                let off = volume(own) - share * requested;
                assert!(
                    off.abs() <= volume(&[6.0]),
                    "{sampling}, {requested}: {off}"
                );
            }
            let off = volume(&sample.diameters) - requested;
            let allowed = match sampling {
                Sampling::Random => volume(&[6.0]),
                _ => volume(&[0.3]),
            };
            assert!(off.abs() <= allowed, "{sampling}, {requested}: {off}");
        }
    }
    // Too little for a pebble.
    let sample = law.sample_volume(1.0, Sampling::Stratified, 0).unwrap();
    assert_eq!(parts(&sample)[2].len(), 0);
    assert!((volume(&sample.diameters) - 1.0).abs() < volume(&[0.5]));
    assert_eq!(
        law.sample_volume(0.0, Sampling::Random, 0)
            .unwrap()
            .diameters
            .len(),
        1
    );
}

#[test]
fn random_draws_have_the_shares_of_the_law() {
    use rand::{SeedableRng, distr::Distribution};

    let law = SizeDistribution::from(concrete());
    let rng = rand_pcg::Pcg64::seed_from_u64(5);
    let n = 40_000;
    let diameters: Vec<f64> = (&law).sample_iter(rng).take(n).collect();
    for d in [0.3, 0.5, 1.0, 2.0, 3.5] {
        let found = diameters.iter().filter(|&&own| own <= d).count() as f64 / n as f64;
        let p = law.number_cdf(d);
        let error = (p * (1.0 - p) / n as f64).sqrt();
        assert!((found - p).abs() < 4.0 * error, "{d}: {found}, {p}");
    }
}

#[test]
fn blends_in_blends_have_the_spheres_of_their_components() {
    let sand = || Lognormal::new(0.4, 0.3, Basis::Mass).unwrap();
    let beads = || Mono::new(1.0).unwrap();
    let inner = vec![
        Component::new("sand", 0.5, sand()),
        Component::new("beads", 0.5, beads()),
    ];
    let outer = vec![
        Component::new("mix", 0.8, SizeDistribution::blend(inner).unwrap()),
        Component::new("stones", 0.2, Mono::new(3.0).unwrap()),
    ];
    let nested = SizeDistribution::blend(outer).unwrap();
    let flat = vec![
        Component::new("sand", 0.4, sand()),
        Component::new("beads", 0.4, beads()),
        Component::new("stones", 0.2, Mono::new(3.0).unwrap()),
    ];
    let flat = SizeDistribution::blend(flat).unwrap();
    for sampling in SAMPLINGS {
        let [a, b] = [&nested, &flat].map(|law| law.sample_number(2000, sampling, 1));
        let close = |(a, b): (&f64, &f64)| (a - b).abs() <= 1e-12 * b;
        assert!(a.diameters.iter().zip(&b.diameters).all(close));
        let counts = |sample: &Sample| -> Vec<usize> {
            parts(sample).into_iter().map(<[f64]>::len).collect()
        };
        let [inner, stones] = counts(&a)[..] else {
            panic!("two components");
        };
        assert_eq!(vec![inner, stones], {
            let counts = counts(&b);
            vec![counts[0] + counts[1], counts[2]]
        });
    }
}

#[test]
fn texts_and_json_give_one_blend() {
    let text = "blend:(mono:d=2)@2.5=60%,(fuller:d_min=1,d_max=4)@3=40%";
    let spec = SizeSpec::load(text).unwrap();
    assert_eq!((&*spec.name, &*spec.unit), (text, ""));
    let labels: Vec<&str> = spec
        .distribution
        .components()
        .iter()
        .map(|own| &*own.label)
        .collect();
    assert_eq!(labels, ["mono:d=2", "fuller:d_min=1,d_max=4"]);
    let json = serde_json::to_string(&spec).unwrap();
    assert_eq!(SizeSpec::from_json("copy", &json).unwrap(), spec);
    let file = r#"{"schema": 1, "name": "mix", "unit": "mm", "source": "recipe 7", "law": {"blend": {"components": [
        {"label": "mono:d=2", "share": 0.6, "density": 2.5, "sizes": {"mono": {"d": 2}}},
        {"label": "fuller:d_min=1,d_max=4", "share": 0.4, "density": 3, "sizes": {"fuller": {"d_min": 1, "d_max": 4}}}
    ]}}}"#;
    let file = SizeSpec::from_json("mix", file).unwrap();
    let (a, b) = (&spec.distribution, &file.distribution);
    let samples = [a, b].map(|law| law.sample_number(500, Sampling::Stratified, 0).diameters);
    assert_eq!(samples[0], samples[1]);
    // A preset in µm and one in mm.
    let mixed = SizeSpec::load("blend:cement=0.25,concrete=0.75,by=volume").unwrap();
    assert_eq!(mixed.unit, "mm");
    let law = &mixed.distribution;
    assert_eq!((law.d_min(), law.d_max()), (0.001, 16.0));
    assert!((law.mass_cdf(0.5) - 0.25).abs() < 1e-14);
}

#[test]
fn a_sum_of_shares_near_one_is_noted() {
    for (shares, note) in [
        ([0.6, 0.4], None),
        ([60.0, 40.0], None),
        (
            [0.6, 0.3995],
            Some("the shares of the components sum to 0.9995 and are divided by this sum"),
        ),
        (
            [60.0, 40.05],
            Some("the shares of the components sum to 100.05 and are divided by this sum"),
        ),
    ] {
        let component = |label: &str, share| Component::new(label, share, Mono::new(1.0).unwrap());
        let components = vec![component("a", shares[0]), component("b", shares[1])];
        let law = SizeDistribution::blend(components).unwrap();
        assert_eq!(law.note().as_deref(), note);
        let SizeDistribution::Blend(blend) = &law else {
            panic!("a blend");
        };
        assert!((blend.volume_shares().iter().sum::<f64>() - 1.0).abs() < 1e-15);
    }
}

#[test]
fn components_that_make_no_blend_are_refused_with_the_reason() {
    for (text, words) in [
        (
            "blend:equal=0.5,concrete=0.4",
            "sum to 0.9; the sum must be 1 (within 0.001) or 100 %",
        ),
        (
            "blend:equal=0.5,equal=0.5",
            "component 2: component 1 has the label 'equal', too",
        ),
        (
            "blend:equal=1.5,concrete=-0.5",
            "component 2: -0.5 is not a share",
        ),
        (
            "blend:equal@1=0.5,concrete=0.5",
            "component 2: the density is missing",
        ),
        (
            "blend:equal@0=0.5,concrete@1=0.5",
            "component 1: density = 0.0 is not a number",
        ),
        (
            "blend:equal",
            "'equal' is not a size distribution and its share",
        ),
        (
            "blend:equal=x",
            "the share of 'equal' is 'x', which is no number",
        ),
        ("blend:(mono:d=1=1", "it has a ( without its )"),
        ("blend:no-such-file.json=1", "no-such-file.json"),
        ("blend:by=volume", "a blend of 0 components"),
    ] {
        let error = SizeSpec::load(text).unwrap_err().to_string();
        assert!(error.contains(words), "{text}: {error}");
        assert_eq!(error.lines().count(), 1);
    }
    let deep = "blend:(".repeat(40) + "equal=1" + &")=1".repeat(40);
    let error = SizeSpec::load(&deep).unwrap_err().to_string();
    assert!(error.contains("more than 16 deep"), "{error}");
    let unknown = [("a", "mm"), ("b", "mesh")].map(|(label, unit)| {
        let component = Component::new(label, 0.5, Mono::new(1.0).unwrap());
        (component, unit.to_owned())
    });
    let error = SizeSpec::blend("", BlendBasis::Mass, unknown.into()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("units that differ must be among"),
        "{error}"
    );
}

/// Returns a small packing of sand and stones with densities.
fn packed() -> Packing {
    let components = vec![
        Component::new("fine sand", 0.5, Fuller::new(1.0, 2.0, 0.5).unwrap()).density(2.5),
        Component::new("stones", 0.5, Mono::new(4.0).unwrap()).density(3.0),
    ];
    let blend = Blend::new(BlendBasis::Volume, components).unwrap();
    let options = PackOptions::default().effort(Effort::QUICK);
    let request = Request::new(SizeSpec::new("mix", "mm", "", blend)).number(150);
    request.options(options).pack().unwrap().packing
}

/// Asserts that the components of the packing above have the right diameters.
#[track_caller]
fn assert_components(packing: &Packing) {
    let components = packing.components();
    let labels: Vec<&str> = components.iter().map(|own| &*own.label).collect();
    assert_eq!(labels, ["fine sand", "stones"]);
    let ids = packing.component_ids();
    assert_eq!(ids.len(), packing.spheres().len());
    for (radius, id) in packing.spheres().radii().iter().zip(&ids) {
        assert_eq!(*id, Some(u32::from(*radius == 2.0)), "{radius}");
    }
    let stones = ids.iter().filter(|id| **id == Some(1)).count();
    assert!(stones > 3 && components[1].len() == stones);
}

#[test]
fn packings_keep_the_component_of_each_sphere() {
    let packing = packed();
    assert_components(&packing);
    assert_eq!(packing.components()[0].density, Some(2.5));
    let json = serde_json::to_string(&packing).unwrap();
    let back: Packing = serde_json::from_str(&json).unwrap();
    assert_eq!(back.components(), packing.components());
    // Packings of other laws have none.
    let options = PackOptions::default().effort(Effort::QUICK);
    let other = Request::new(Mono::new(1.0).unwrap())
        .number(20)
        .options(options);
    let other = other.pack().unwrap().packing;
    assert!(other.components().is_empty());
    assert!(
        !serde_json::to_string(&other)
            .unwrap()
            .contains("components")
    );
}

#[test]
fn ranges_that_do_not_fit_are_refused() {
    let container = Container::cuboid(DVec3::splat(9.0), Boundaries::PERIODIC).unwrap();
    let spheres = Spheres::new(vec![DVec3::splat(1.0), DVec3::splat(5.0)], vec![1.0; 2]);
    let packing = Packing::new(spheres, container);
    let range = std::iter::once(1..3).collect();
    let components = vec![PackedComponent::new("a", None, range)];
    let error = packing.with_components(components).unwrap_err();
    assert_eq!(
        error.to_string(),
        "component \"a\": 1 to 3 is no range of the 2 spheres"
    );
}

/// Returns a packing of 16 spheres, two of which touch in each octant. The spheres are of component a where `is_a` says so, of their
/// number, their octant from the left side or not, and whether they are the first of the two.
fn octants(is_a: impl Fn(bool, bool) -> bool) -> Packing {
    let (mut centers, mut ids) = (Vec::new(), Vec::new());
    for octant in 0..8 {
        let [x, y, z] =
            [octant & 1, (octant / 2) & 1, octant / 4].map(|k| 2.0 + 10.0 * f64::from(k));
        for first in [true, false] {
            centers.push(DVec3::new(x + if first { 0.0 } else { 1.0 }, y, z));
            ids.push(is_a(octant & 1 == 0, first));
        }
    }
    let container = Container::cuboid(DVec3::splat(20.0), Boundaries::PERIODIC).unwrap();
    let range_of = |wanted: bool| {
        (0..16)
            .filter(|&k| ids[k] == wanted)
            .map(|k| k..k + 1)
            .collect()
    };
    let components = vec![
        PackedComponent::new("a", Some(3.0), range_of(true)),
        PackedComponent::new("b", Some(1.0), range_of(false)),
    ];
    let packing = Packing::new(Spheres::new(centers, vec![0.5; 16]), container);
    packing.with_components(components).unwrap()
}

#[test]
fn contacts_and_mixing_of_components_are_counted() {
    let options = AnalysisOptions::default().tolerance(1e-6).points(0);
    let analyze = |packing: &Packing| Analysis::new(packing, &options).unwrap().components;
    let separated = analyze(&octants(|is_left, _| is_left));
    assert_eq!(separated[0].contacts, [1.0, 0.0]);
    assert_eq!(separated[1].contacts, [0.0, 1.0]);
    assert!(separated[0].mixing[0].index.unwrap().abs() < 1e-12);
    let mixed = analyze(&octants(|_, is_first| is_first));
    assert_eq!(mixed[0].contacts, [0.0, 1.0]);
    assert_eq!((mixed[0].number, mixed[0].number_share), (8, 0.5));
    assert!((mixed[0].mass_share - 0.75).abs() < 1e-12);
    assert!((mixed[0].volume_share - 0.5).abs() < 1e-12);
    // Each of 8 cells has a sphere of each component: s² = 0, and s_r² = s₀² · 7/15.
    assert!((mixed[0].mixing[0].index.unwrap() - 15.0 / 8.0).abs() < 1e-12);
    assert!(analyze(&octants(|_, _| true))[0].mixing[0].index.is_none());
}

#[cfg(feature = "files")]
mod files {
    use jostle::io::{
        ExportOptions, Format, ReadOptions, Types, export_packing, read_checkpoint,
        read_packing_from, write_checkpoint,
    };

    use super::*;

    fn export(packing: &Packing, format: Format, options: &ExportOptions) -> (String, Vec<String>) {
        let mut file = Vec::new();
        let sentences = export_packing(packing, format, options, &mut file).unwrap();
        (String::from_utf8_lossy(&file).into_owned(), sentences)
    }

    fn json_copy(packing: &Packing, options: &ExportOptions) -> Packing {
        let (json, sentences) = export(packing, Format::Json, options);
        assert_eq!(sentences, Vec::<String>::new());
        let read = read_packing_from(json.as_bytes(), Format::Json, ReadOptions::default());
        read.unwrap().packing
    }

    #[test]
    fn json_files_keep_components_through_selections_and_copies() {
        let packing = packed();
        let whole = json_copy(&packing, &ExportOptions::default());
        assert_eq!(whole.components(), packing.components());
        let selected = json_copy(
            &packing,
            &ExportOptions::default().select("d>1.2".parse().unwrap()),
        );
        assert!(selected.spheres().len() < 150);
        assert_components(&selected);
        // Copies may be smaller by a rounding error.
        let options = ExportOptions::default().repeat([1, 2, 1]);
        let (json, _) = export(&packing, Format::Json, &options);
        let read = read_packing_from(json.as_bytes(), Format::Json, ReadOptions::default());
        let repeated = read.unwrap().packing;
        let lengths = |packing: &Packing| -> Vec<usize> {
            packing
                .components()
                .iter()
                .map(PackedComponent::len)
                .collect()
        };
        let twice: Vec<usize> = lengths(&packing).iter().map(|len| 2 * len).collect();
        assert_eq!(lengths(&repeated), twice);
    }

    #[test]
    fn a_continued_run_keeps_the_components() {
        let law = SizeSpec::load("blend:(mono:d=1)=0.5,(mono:d=2)=0.5").unwrap();
        let sample = law.sample_number(90, Sampling::Stratified, 0);
        let options = PackOptions::default().effort(Effort::QUICK);
        let options = options.sizes(sample.source.clone());
        let mut packer = jostle::Packer::new(sample.radii(), &options).unwrap();
        for _ in 0..30 {
            packer.sweep();
        }
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("run.checkpoint");
        write_checkpoint(&packer.checkpoint(), &path).unwrap();
        let mut resumed = jostle::Packer::resume(read_checkpoint(&path).unwrap()).unwrap();
        while resumed.sweep().is_some() {}
        let packing = resumed.finish().packing;
        let lengths: Vec<usize> = packing
            .components()
            .iter()
            .map(PackedComponent::len)
            .collect();
        assert_eq!(lengths, [80, 10]);
    }

    /// Returns a column of the rows with at least `width` words behind the first `head` lines.
    fn column(text: &str, head: usize, column: usize) -> Vec<String> {
        let rows = text.lines().skip(head).filter(|line| !line.is_empty());
        rows.map(|row| row.split_whitespace().nth(column).unwrap().to_owned())
            .collect()
    }

    #[test]
    fn components_are_types_with_labels_and_densities() {
        let packing = packed();
        let ids = packing.component_ids();
        let by_component = |words: [&str; 2]| -> Vec<String> {
            ids.iter()
                .map(|id| words[id.unwrap() as usize].to_owned())
                .collect()
        };
        let options = ExportOptions::default().density(1000.0);
        let (data, sentences) = export(&packing, Format::LammpsData, &options);
        assert!(data.contains("2 atom types"), "{data}");
        let start = data
            .lines()
            .position(|line| line.starts_with("Atoms"))
            .unwrap()
            + 1;
        assert_eq!(column(&data, start, 1), by_component(["1", "2"]));
        assert_eq!(column(&data, start, 3), by_component(["2500.0", "3000.0"]));
        assert!(
            sentences[0].contains("the types are, in this order, fine sand, stones"),
            "{sentences:?}"
        );
        let plain = ExportOptions::default();
        let (xyz, _) = export(&packing, Format::Xyz, &plain);
        assert_eq!(column(&xyz, 2, 0), by_component(["fine_sand", "stones"]));
        let (mercury, _) = export(&packing, Format::Mercury, &plain);
        assert_eq!(column(&mercury, 1, 13), by_component(["0", "1"]));
        let (mfix, _) = export(&packing, Format::MfixExa, &plain);
        assert_eq!(column(&mfix, 1, 0), by_component(["1", "2"]));
        let (gsd, _) = export(&packing, Format::Gsd, &plain);
        assert!(gsd.contains("fine sand\0stones\0"));
        // Other types on request.
        let (csv, _) = export(
            &packing,
            Format::Csv,
            &ExportOptions::default().types(Types::One),
        );
        assert!(csv.starts_with("id,x,y,z,radius\n"));
    }
}

#[cfg(feature = "cli")]
mod program {
    use serde_json::Value;

    use crate::common::{
        outcomes::{assert_code, assert_refused, packed},
        program::{jostle, text},
    };

    #[test]
    fn sizes_are_shown_for_the_blend_and_each_component() {
        let folder = tempfile::tempdir().unwrap();
        let blend = "blend:equal@2=0.5,(mono:d=2)@3=0.5";
        let output = jostle(folder.path(), &format!("sizes {blend} --json"));
        assert_code(&output, 0);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let components = found["components"].as_array().unwrap();
        assert_eq!(components[1]["label"], "mono:d=2");
        let share = |name: &str| components[0][name].as_f64().unwrap();
        assert!((share("mass_share") - 0.5).abs() < 1e-12);
        assert!((share("volume_share") - 0.6).abs() < 1e-12);
        assert!((share("number_share") - 0.6 / (0.6 + 0.4 / 8.0)).abs() < 1e-12);
        let output = jostle(folder.path(), &format!("sizes {blend}"));
        let shown = text(&output.stdout);
        assert!(
            shown.contains("component") && shown.contains("mono:d=2"),
            "{shown}"
        );
        assert_refused(folder.path(), "sizes blend:equal=0.5", &["sum to 0.5"]);
    }

    #[test]
    fn packings_of_blends_are_analyzed_by_component() {
        let folder = tempfile::tempdir().unwrap();
        let blend = "blend:equal=0.5,(mono:d=2)=0.5";
        packed(
            folder.path(),
            &format!("{blend} -n 90 --effort quick -o p.json"),
        );
        let output = jostle(folder.path(), "analyze p.json --json");
        assert_code(&output, 0);
        let found: Value = serde_json::from_slice(&output.stdout).unwrap();
        let numbers: Vec<u64> = (found["components"].as_array().unwrap().iter())
            .map(|own| own["number"].as_u64().unwrap())
            .collect();
        assert_eq!(numbers, [80, 10]);
        let output = jostle(folder.path(), "analyze p.json");
        let shown = text(&output.stdout);
        assert!(
            shown.contains("with equal") && shown.contains("mixing"),
            "{shown}"
        );
    }
}
