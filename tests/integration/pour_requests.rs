//! Requests for beds: refusals, and random requests, which end in a bed without overlap or in one sentence.

use std::{sync::mpsc, thread, time::Duration};

use jostle::{
    Spheres,
    container::{BoundarySpec, ContainerSpec, Direction},
    distribution::{Bidisperse, Mono, PowerLaw, SizeDistribution},
    glam::DVec3,
    packing::StopReason,
    pour::{Compaction, Order, PourError, PourOptions, PourRequest, Source},
    rearrange::FixedSpheres,
};
use proptest::{collection::vec, prelude::*};

/// Returns a request for equal spheres of diameter 1 in a vessel.
fn request(vessel: &str) -> PourRequest {
    let vessel: ContainerSpec = vessel.parse().unwrap();
    PourRequest::new(Mono::new(1.0).unwrap(), vessel)
}

/// Asserts that a request is rejected with one sentence that has the words.
#[track_caller]
fn assert_rejected(request: PourRequest, words: &str) {
    let message = request.pourer().err().expect(words).to_string();
    assert!(
        message.contains(words) && !message.contains('\n'),
        "{message}"
    );
}

#[test]
fn a_vessel_that_is_closed_at_its_top_is_rejected() {
    assert_rejected(request("sphere:d=10").number(10), "closed at its top");
    assert_rejected(
        request("cylinder:d=6,h=9,axis=x").number(10),
        "closed at its top",
    );
    assert_rejected(
        request("cone:d_bottom=5,d_top=0.5,h=5").number(10),
        "closed at its top",
    );
}

#[test]
fn a_vessel_that_is_narrower_than_the_largest_sphere_is_rejected() {
    assert_rejected(
        request("cylinder:d=0.9,h=auto").number(10),
        "the vessel holds none larger than 0.9",
    );
}

#[test]
fn a_source_inside_a_body_is_rejected() {
    let source = Source::at(DVec3::splat(5.0), None);
    let request = request("box:lx=9,ly=9,lz=9")
        .number(10)
        .bodies(vec!["sphere:d=4@5,5,5".parse().unwrap()])
        .options(PourOptions::default().source(source));
    assert_rejected(request, "the source at 5, 5, 5");
}

#[test]
fn a_height_that_is_not_reached_is_reported() {
    let vessel = "cylinder:d=6,h=auto".parse().unwrap();
    let run = PourRequest::new(vec![1.0; 30], vessel).height(20.0).pour();
    let run = run.unwrap();
    assert_eq!(run.packing.provenance.unwrap().stop, StopReason::Stalled);
    assert!(run.shortfall.unwrap().contains("reach the height"));
}

#[test]
fn a_height_above_the_vessel_is_rejected() {
    assert_rejected(
        request("box:lx=9,ly=9,lz=9").height(12.0),
        "the vessel is 9 high",
    );
}

#[test]
fn a_height_below_the_largest_sphere_is_rejected() {
    for vessel in ["cylinder:d=6,h=auto", "box:lx=9,ly=9,lz=9"] {
        let words = "the height of the bed is 0.5, but the largest sphere has the diameter 1";
        assert_rejected(request(vessel).height(0.5), words);
    }
}

#[test]
fn a_height_below_the_first_place_is_reported() {
    let request = request("cone:d_bottom=0,d_top=5,h=9").height(1.2);
    let shortfall = request.pour().unwrap().shortfall.unwrap();
    assert!(shortfall.contains("no sphere found a place"), "{shortfall}");
}

#[test]
fn a_blocked_source_below_the_height_is_reported() {
    let source = Source::at(DVec3::new(4.5, 4.5, 5.0), 2.0);
    let request = request("box:lx=9,ly=9,lz=20")
        .height(15.0)
        .options(PourOptions::default().source(source));
    let shortfall = request.pour().unwrap().shortfall.unwrap();
    assert!(shortfall.contains("found no place"), "{shortfall}");
}

#[test]
fn requests_of_no_clear_amount_or_length_are_rejected() {
    let vessel = "box:lx=9,ly=9,lz=9";
    assert_rejected(request(vessel).number(10).height(4.0), "2 are given");
    assert_rejected(request(vessel), "0 are given");
    assert_rejected(request(vessel).mass(3.0), "no density");
    let list = || PourRequest::new(vec![1.0; 5], vessel.parse().unwrap());
    assert_rejected(list().volume(3.0), "2 are given");
    assert_rejected(list().number(3), "5 diameters are given");
    assert_rejected(
        request("box:lx=9,ly=auto,lz=9").number(10),
        "ly follows from the spheres",
    );
}

#[test]
fn options_out_of_range_are_rejected() {
    let request = || request("box:lx=9,ly=9,lz=9").number(9);
    let layers = PourOptions::default().order(Order::Layers);
    assert_rejected(request().options(layers), "needs a blend");
    let steep = PourOptions::default().stop_angle(91.0);
    assert_rejected(request().options(steep), "from 0 to 90");
    let periodic: BoundarySpec = "ppp".parse().unwrap();
    assert_rejected(request().boundary(periodic), "periodic along z");
    let bad = PourRequest::new(vec![1.0, f64::NAN], "cylinder:d=9".parse().unwrap());
    assert_rejected(bad, "sphere 1");
}

#[test]
fn an_outlet_without_a_diameter_is_four_spheres_wide() {
    let run = |diameter: Option<f64>| {
        let source = Source::at(DVec3::new(10.0, 10.0, 19.0), diameter);
        let options = PourOptions::default().source(source);
        let request = request("box:lx=20,ly=20,lz=20")
            .number(400)
            .options(options);
        request.pour().unwrap().packing
    };
    let (chosen, given) = (run(None), run(Some(4.0)));
    assert_eq!(chosen, given);
    assert_ne!(chosen, run(Some(0.0)));
}

/// Limit of a request of at most 150 spheres, which takes some milliseconds.
const LIMIT: Duration = Duration::from_secs(30);

/// Numbers from which a random request follows.
#[derive(Clone, Debug)]
struct Choices {
    /// Numbers below 1000 that choose one of several kinds.
    kinds: Vec<usize>,
    /// Numbers from 0 to 1.
    shares: Vec<f64>,
    /// Places and sizes of bodies and fixed spheres, from 0 to 1.
    inside: Vec<[f64; 4]>,
}

/// A vessel.
struct Vessel {
    gravity: Direction,
    /// Lengths of the bounding box, unless the height follows from the spheres.
    lengths: DVec3,
    spec: String,
}

impl Vessel {
    fn new(kinds: &[usize], x: &[f64]) -> Self {
        let gravity = ["-z", "-z", "-z", "+z", "-x", "+x", "-y", "+y"][kinds[2] % 8];
        let gravity: Direction = gravity.parse().unwrap();
        let along = gravity.axis().number();
        let [axis, across] = [along, (along + 1) % 3].map(|axis| ["x", "y", "z"][axis]);
        let [width, depth] = [x[0], x[1]].map(|share| 0.7 + 6.0 * share);
        let height = 1.5 + 20.0 * x[2];
        let free = match kinds[0] / 8 % 2 {
            0 => "auto".to_owned(),
            _ => height.to_string(),
        };
        let of = |width: f64, depth: f64, height: f64| {
            let mut lengths = [width; 3];
            (lengths[(along + 1) % 3], lengths[along]) = (depth, height);
            DVec3::from(lengths)
        };
        let (lengths, spec) = match kinds[0] % 8 {
            0 | 1 => {
                let spec = format!("cylinder:d={width},h={free},axis={axis}");
                (of(width, width, height), spec)
            }
            2 => {
                let spec = format!("cylinder:d={width},h={depth},axis={across}");
                (of(width, depth, width), spec)
            }
            3..=5 => {
                let mut texts = of(width, depth, height)
                    .to_array()
                    .map(|length| length.to_string());
                texts[along] = free;
                let [x, y, z] = texts;
                (
                    of(width, depth, height),
                    format!("box:lx={x},ly={y},lz={z}"),
                )
            }
            6 => {
                let widest = width.max(depth);
                let spec = format!("cone:d_bottom={width},d_top={depth},h={height},axis={axis}");
                (of(widest, widest, height), spec)
            }
            _ => (DVec3::splat(width), format!("sphere:d={width}")),
        };
        Self {
            gravity,
            lengths,
            spec,
        }
    }

    /// Returns a point at shares of the lengths.
    fn at(&self, shares: &[f64]) -> DVec3 {
        self.lengths * DVec3::new(shares[0], shares[1], shares[2])
    }

    /// Returns a point in the upper half, near the axis.
    fn above(&self, shares: &[f64]) -> DVec3 {
        let across = 0.5 + 0.3 * (DVec3::new(shares[0], shares[1], shares[2]) - 0.5);
        let up = -self.gravity.vector();
        let height = up.abs() * (0.5 + 0.4 * shares[3] * up.element_sum());
        self.lengths * (across * (DVec3::ONE - up.abs()) + height)
    }
}

fn sizes(kind: usize, x: &[f64]) -> SizeDistribution {
    let (small, large) = (0.05 + 0.9 * x[0], 1.0 + 0.5 * x[1]);
    match kind % 3 {
        0 => Mono::new(large).unwrap().into(),
        1 => Bidisperse::new(small, large, 0.5).unwrap().into(),
        _ => PowerLaw::new(-3.0 * x[2], small, large).unwrap().into(),
    }
}

fn options(vessel: &Vessel, kinds: &[usize], x: &[f64]) -> PourOptions {
    let source = match kinds[0] % 6 {
        0 => Source::at(vessel.above(x), None),
        1 => Source::Outlet {
            path: vec![
                vessel.above(x),
                vessel.above(&x[3..]),
                vessel.above(&x[1..]),
            ],
            diameter: Some(x[6]),
            passes: kinds[1] as u32 % 4,
        },
        _ => Source::Rain,
    };
    let rarely = |share: f64, most: f64| most * (share - 0.7).max(0.0) / 0.3;
    PourOptions::default()
        .gravity(vessel.gravity)
        .order([Order::Random, Order::AsGiven, Order::LargeFirst][kinds[3] % 3])
        .source(source)
        .stop_angle(rarely(x[7], 90.0))
        .sticking(rarely(x[8], 1.0))
        .compaction(match kinds[4] % 6 {
            0 => Compaction::Taps(1 + kinds[1] as u64 % 3),
            1 => Compaction::Fraction(0.5 + 0.2 * x[9]),
            _ => Compaction::None,
        })
        .seed(kinds[5] as u64)
}

/// Returns a request, of which about a half can be poured.
fn random_request(choices: &Choices) -> Result<PourRequest, String> {
    let (kinds, x, inside) = (&choices.kinds, &choices.shares, &choices.inside);
    let vessel = Vessel::new(kinds, x);
    let spec: ContainerSpec = (vessel.spec.parse()).map_err(|error| format!("{error}"))?;
    let bodies = inside.iter().take(kinds[6] % 6 / 4).map(|shares| {
        let DVec3 { x, y, z } = vessel.at(shares);
        let (at, size) = (format!("@{x},{y},{z}"), 0.1 + shares[3]);
        let body = match kinds[7] % 3 {
            0 => format!("sphere:d={}{at}", 3.0 * size),
            1 => format!("box:lx={size},ly=2,lz=1{at}"),
            _ => format!("cylinder:d={size},h=3{at}"),
        };
        body.parse().unwrap()
    });
    let fixed = kinds[8].is_multiple_of(5).then(|| {
        let spheres = &inside[2..];
        let place = |shares: &[f64; 4]| vessel.at(&shares.map(|share| 0.2 + 0.6 * share));
        let radii = spheres.iter().map(|shares| 0.05 + 0.4 * shares[3]);
        FixedSpheres::new(Spheres::new(
            spheres.iter().map(place).collect(),
            radii.collect(),
        ))
    });
    let boundary: BoundarySpec = match kinds[9] % 8 {
        0 => "ppw",
        1 => "pww",
        2 => "wpp",
        3 => "pwp",
        _ => "www",
    }
    .parse()
    .unwrap();
    let is_box = (3..6).contains(&(kinds[0] % 8));
    let request = PourRequest::new(sizes(kinds[1], &x[3..]), spec)
        .bodies(bodies.collect())
        .boundary(is_box.then_some(boundary))
        .options(options(&vessel, kinds, &x[6..]))
        .fixed(fixed);
    // A height takes hundreds of thousands of small spheres.
    Ok(match (kinds[10] % 3, kinds[1] % 3) {
        (0, 0) => request.height(0.3 + vessel.lengths.max_element() * x[5]),
        _ => request.number(1 + kinds[10] as u64 % 150),
    })
}

proptest! {
    #![proptest_config(cases(120))]

    /// A random request ends within the limit: in one sentence, or in a bed without overlap whose spheres are at rest.
    #[test]
    fn random_requests_end(
        kinds in vec(0..1000_usize, 11),
        shares in vec(0.0..1.0_f64, 17),
        inside in vec([0.0..1.0_f64, 0.0..1.0, 0.0..1.0, 0.0..1.0], 4),
    ) {
        let choices = Choices { kinds, shares, inside };
        let is_loose = choices.shares[14] <= 0.7;
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let poured = random_request(&choices)
                .and_then(|request| request.pour().map_err(|error: PourError| error.to_string()));
            sender.send(poured).is_ok()
        });
        let poured = receiver.recv_timeout(LIMIT).expect("the request ends");
        match poured {
            Err(sentence) => prop_assert!(!sentence.contains('\n'), "{}", sentence),
            Ok(run) => {
                prop_assert_eq!(run.packing.certificate().max_overlap, 0.0);
                let stability = run.packing.stability().unwrap();
                prop_assert!(!is_loose || stability.unsupported == 0, "{:?}", stability);
            }
        }
    }
}

/// Returns a configuration with a number of cases, unless the environment variable PROPTEST_CASES has another one.
fn cases(usual: u32) -> ProptestConfig {
    let cases = std::env::var("PROPTEST_CASES").ok();
    let cases = cases.and_then(|cases| cases.parse().ok());
    ProptestConfig::with_cases(cases.unwrap_or(usual))
}
