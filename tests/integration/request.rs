//! Requests: two of number, container and packing fraction, from sizes to a packing.

use jostle::{
    Effort, PackOptions, Request, Spheres, Target,
    container::ContainerSpec,
    distribution::{Fuller, Mono, Sampling, SizeDistribution},
    glam::DVec3,
    pack,
    rearrange::{FixedSpheres, PackError},
    request::RequestError,
};

fn equal() -> Request {
    Request::new(Mono::new(1.0).unwrap()).options(PackOptions::default().effort(Effort::QUICK))
}

fn shape(text: &str) -> ContainerSpec {
    text.parse().unwrap()
}

#[test]
fn a_request_makes_the_packing_of_its_sample() {
    let law = Fuller::new(1.0, 8.0, 0.5).unwrap();
    let options = PackOptions::default().effort(Effort::QUICK).seed(7);
    let sample = SizeDistribution::from(law.clone()).sample_number(500, Sampling::Random, 7);
    let expected = pack(sample.radii(), &options).unwrap().packing;
    let request = Request::new(law).number(500).sampling(Sampling::Random);
    let found = request.options(options).pack().unwrap().packing;
    assert_eq!(found.spheres(), expected.spheres());
    assert_eq!(found.container(), expected.container());
    assert_eq!(
        found.sizes.unwrap().mass_curve_error,
        sample.report().mass_curve_error
    );
}

#[test]
fn two_of_number_container_and_fraction_give_the_third() {
    let cylinder = || shape("cylinder:d=6,h=8");
    let volume = std::f64::consts::PI * 9.0 * 8.0;
    let sphere = std::f64::consts::PI / 6.0;
    let expected_number = |fraction: f64| (fraction * volume / sphere).round();
    for (request, target, number) in [
        (equal(), Target::Densest, 10_000.0),
        (equal().number(30), Target::Densest, 30.0),
        (
            equal().number(30).fraction(0.4),
            Target::Fraction(0.4),
            30.0,
        ),
        (
            equal().number(30).container(shape("cylinder:aspect=2")),
            Target::Densest,
            30.0,
        ),
        (
            equal().number(30).container(cylinder()),
            Target::Exact,
            30.0,
        ),
        (
            equal().fraction(0.4).container(cylinder()),
            Target::Exact,
            expected_number(0.4),
        ),
    ] {
        let resolved = request.resolve().unwrap();
        assert_eq!(resolved.options().target, target);
        assert!(
            (resolved.expected_spheres() - number).abs() <= 1.0,
            "{number}"
        );
        let (radii, options) = resolved.draw(&jostle::ranks::Ranks::default()).unwrap();
        assert!((radii.len() as f64 - number).abs() <= 1.0, "{number}");
        assert_eq!(options.target, target);
    }
}

#[test]
fn fixed_spheres_count_in_the_fraction() {
    let fixed = || FixedSpheres::new(Spheres::new(vec![DVec3::splat(2.0)], vec![1.5]));
    let cube = || {
        equal()
            .container(shape("box:lx=4,ly=4,lz=4"))
            .fixed(Some(fixed()))
    };
    let present = 4.0 / 3.0 * std::f64::consts::PI * 1.5f64.powi(3) / 64.0;
    let resolved = cube().fraction(0.4).resolve().unwrap();
    let volume = resolved.volume().unwrap();
    assert!((volume - (0.4 - present) * 64.0).abs() < 1e-12);
    let full = cube().fraction(0.2).resolve().unwrap_err();
    assert!(matches!(full, RequestError::Full { fraction } if (fraction - present).abs() < 1e-12));
}

#[test]
fn contradictions_are_refused() {
    let cube = || shape("box:lx=4,ly=4,lz=4");
    let diameters = || Request::new(vec![1.0; 3]);
    for (request, expected) in [
        (
            equal().number(3).fraction(0.1).container(cube()),
            RequestError::TooMuch,
        ),
        (
            diameters().fraction(0.1).container(cube()),
            RequestError::TooMuch,
        ),
        (equal().container(cube()), RequestError::TooLittle),
        (
            diameters().number(2),
            RequestError::OtherNumber {
                number: 2,
                diameters: 3,
            },
        ),
        (equal().fraction(1.0), PackError::Fraction(1.0).into()),
        (equal().number(0), PackError::NoSpheres.into()),
    ] {
        assert_eq!(request.pack().unwrap_err(), expected);
    }
    let body = "sphere:d=1@1,1,1".parse().unwrap();
    let no_size = equal().bodies(vec![body]).resolve().unwrap_err();
    assert!(matches!(no_size, RequestError::NoSize(_)), "{no_size}");
}
