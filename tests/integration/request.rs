//! Requests: two of number, container and packing fraction, from sizes to a packing.

use jostle::{
    Effort, PackOptions, Request, Spheres, Target,
    container::{BoundarySpec, ContainerSpec},
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

/// The prediction of Farr & Groot for equal spheres, less the 0.003 that normal effort lacks.
const EXPECTED: f64 = 0.6405;

/// Containers that are filled without a requested packing fraction are this much looser, so that most runs reach them.
const MARGIN: f64 = 0.005;

#[test]
fn a_container_alone_is_filled_densely() {
    let resolved = equal()
        .container(shape("box:lx=9,ly=9,lz=9"))
        .resolve()
        .unwrap();
    let gain = Effort::QUICK.gain();
    let fraction = resolved.volume().unwrap() / 729.0;
    assert!(
        (fraction - (EXPECTED + gain - MARGIN)).abs() < 0.001,
        "{fraction}"
    );
    assert_eq!(resolved.fraction_of_container(), None);
    assert_eq!(resolved.options().target, Target::Exact);
    // Walls on all sides: six of the area 81.
    let walls = BoundarySpec::Axes("www".parse().unwrap());
    let walled = equal()
        .container(shape("box:lx=9,ly=9,lz=9"))
        .boundary(walls);
    let walled = walled.resolve().unwrap().volume().unwrap() / 729.0;
    assert!(
        walled < fraction - 0.02 && walled > fraction - 0.05,
        "{walled}"
    );
    let found = Request::new(Mono::new(1.0).unwrap())
        .container(shape("box:lx=5,ly=5,lz=6"))
        .pack()
        .unwrap()
        .packing;
    assert_eq!(found.container().lengths(), DVec3::new(5.0, 5.0, 6.0));
    assert!(found.packing_fraction() > 0.6);
}

#[test]
fn a_free_length_follows_from_the_number() {
    let sphere = std::f64::consts::PI / 6.0;
    let found = equal()
        .number(200)
        .fraction(0.5)
        .container(shape("box:lx=5,ly=4,lz=auto"));
    let found = found.pack().unwrap().packing;
    let lengths = found.container().lengths();
    assert_eq!((lengths.x, lengths.y), (5.0, 4.0));
    assert!((lengths.z - 200.0 * sphere / 0.5 / 20.0).abs() < 1e-9);
    // The height of a bed that is as dense as expected, between walls.
    let resolved = equal().number(300).container(shape("cylinder:d=6,h=auto"));
    let resolved = resolved.resolve().unwrap();
    let fraction = resolved.requested_fraction().unwrap();
    let expected = resolved.expected_fraction().unwrap();
    // A quarter of what walls take is left free as well.
    let by_walls = EXPECTED + Effort::QUICK.gain() - expected;
    let requested = expected - 0.25 * by_walls - MARGIN;
    assert!(
        (fraction - requested).abs() < 0.001 && (0.5..0.61).contains(&fraction),
        "{fraction}"
    );
    // A run reaches it, so that the given diameter stays.
    let tube = Request::new(Mono::new(1.0).unwrap())
        .number(300)
        .container(shape("cylinder:d=6,h=auto"))
        .pack()
        .unwrap();
    assert_eq!(tube.packing.container().lengths().x, 6.0);
    // Sizes of a sample determine the length, not those of the law.
    let law = Fuller::new(1.0, 4.0, 0.5).unwrap();
    let request = Request::new(law)
        .number(100)
        .fraction(0.4)
        .container(shape("box:lx=9,ly=9,lz=auto"));
    let (radii, options) = request
        .resolve()
        .unwrap()
        .draw(&jostle::ranks::Ranks::default())
        .unwrap();
    let volume = jostle::total_volume(&radii) / options.container.volume();
    assert!((volume - 0.4).abs() < 1e-12, "{volume}");
    let body = "sphere:d=1@1,1,1".parse().unwrap();
    let refused = equal()
        .number(9)
        .container(shape("box:lx=4,ly=4,lz=auto"))
        .bodies(vec![body]);
    assert!(matches!(refused.resolve(), Err(RequestError::NoSize(_))));
}

#[test]
fn requests_out_of_reach_are_doubted_before_the_run() {
    let doubt = |request: Request| request.resolve().unwrap().doubt();
    assert_eq!(doubt(equal()), None);
    assert_eq!(doubt(equal().fraction(0.6)), None);
    let sentence = doubt(equal().fraction(0.7)).unwrap();
    assert!(
        sentence.contains("0.7000") && sentence.contains("expected"),
        "{sentence}"
    );
    let narrow = equal().number(400).container(shape("sphere:d=8"));
    assert!(doubt(narrow).is_some());
}

#[test]
fn the_time_is_estimated_by_a_trial() {
    let time = |number: u64| {
        equal()
            .number(number)
            .resolve()
            .unwrap()
            .estimated_time()
            .unwrap()
    };
    // A hundred times more spheres than in the trial take a hundred times longer, within the noise of timings.
    let (small, large) = (time(1000), time(100_000));
    assert!(large > 5 * small, "{small:?} {large:?}");
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
        (
            equal().container(shape("box:lx=4,ly=4,lz=auto")),
            RequestError::FreeLength,
        ),
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
