//! Requests for beds: refusals, and random requests, which end in a bed without overlap or in one sentence.

use std::{sync::mpsc, thread, time::Duration};

use jostle::{
    Spheres,
    container::{BoundarySpec, ContainerSpec},
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

/// The numbers of a random request, from 0 to 1.
type Shares = Vec<f64>;

fn vessel(kind: usize, x: &[f64]) -> String {
    let length = |share: f64| 0.7 + 6.0 * share;
    let height = if x[2] < 0.4 {
        "auto".to_owned()
    } else {
        format!("{}", 30.0 * x[2])
    };
    let axis = ["", ",axis=x", ",axis=y"][kind / 3 % 3];
    match kind % 8 {
        0..=2 => format!("cylinder:d={},h={height}{axis}", length(x[0])),
        3..=5 => format!("box:lx={},ly={},lz={height}", length(x[0]), length(x[1])),
        6 => format!(
            "cone:d_bottom={},d_top={},h={}",
            5.0 * x[0],
            7.0 * x[1],
            1.0 + 9.0 * x[2]
        ),
        _ => format!("sphere:d={}", length(x[0])),
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

fn options(kinds: &[usize], x: &[f64]) -> PourOptions {
    let at = |x: &[f64]| DVec3::new(x[0], x[1], x[2]) * 7.0;
    let source = match kinds[0] % 4 {
        0 => Source::at(at(x), None),
        1 => Source::Outlet {
            path: vec![at(x), at(&x[3..]), at(&x[1..])],
            diameter: Some(x[6]),
            passes: kinds[1] as u32 % 4,
        },
        _ => Source::Rain,
    };
    let gravity = ["-z", "-z", "-z", "+z", "-x", "+x", "-y", "+y"][kinds[2] % 8];
    let rarely = |share: f64, most: f64| {
        if share < 0.7 {
            0.0
        } else {
            most * (share - 0.7) / 0.3
        }
    };
    PourOptions::default()
        .gravity(gravity.parse().unwrap())
        .order([Order::Random, Order::AsGiven, Order::LargeFirst][kinds[3] % 3])
        .source(source)
        .stop_angle(rarely(x[7], 90.0))
        .sticking(rarely(x[8], 1.0))
        .compaction(match kinds[4] % 6 {
            0 => Compaction::Taps(1),
            1 => Compaction::Fraction(0.5 + 0.2 * x[9]),
            _ => Compaction::None,
        })
        .seed(kinds[5] as u64)
}

/// Returns a request, of which many cannot be poured.
fn random_request(kinds: &[usize], x: &Shares, inside: &[[f64; 4]]) -> Result<PourRequest, String> {
    let vessel: ContainerSpec = vessel(kinds[0], x)
        .parse()
        .map_err(|error| format!("{error}"))?;
    let bodies = inside.iter().take(kinds[6] % 3).map(|[x, y, z, d]| {
        let at = format!("@{},{},{}", 6.0 * x, 6.0 * y, 6.0 * z);
        let body = match kinds[7] % 3 {
            0 => format!("sphere:d={}{at}", 0.2 + 3.0 * d),
            1 => format!("box:lx={d},ly=2,lz=1{at}"),
            _ => format!("cylinder:d={},h=3{at}", 0.2 + d),
        };
        body.parse().unwrap()
    });
    let fixed = kinds[8].is_multiple_of(3).then(|| {
        let spheres = inside.iter().skip(3);
        let center = |[x, y, z, _]: &[f64; 4]| DVec3::new(*x, *y, *z) * 6.0;
        let centers: Vec<DVec3> = spheres.clone().map(center).collect();
        let radii = spheres.map(|at| 0.1 + at[3]).collect();
        FixedSpheres::new(Spheres::new(centers, radii))
    });
    let boundary = ["www", "www", "ppw", "pww", "wpp"][kinds[9] % 5];
    let boundary: BoundarySpec = boundary.parse().unwrap();
    let request = PourRequest::new(sizes(kinds[1], &x[3..]), vessel)
        .bodies(bodies.collect())
        .boundary((kinds[0] % 8 / 3 == 1).then_some(boundary))
        .options(options(kinds, &x[6..]))
        .fixed(fixed);
    Ok(match kinds[2] % 3 {
        0 => request.height(0.3 + 5.0 * x[5]),
        _ => request.number(1 + kinds[10] as u64 % 150),
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 120, ..ProptestConfig::default() })]

    /// A random request ends within the limit: in one sentence, or in a bed without overlap whose spheres are at rest.
    #[test]
    fn random_requests_end(
        kinds in vec(0..1000_usize, 11),
        shares in vec(0.0..1.0_f64, 17),
        inside in vec([0.0..1.0_f64, 0.0..1.0, 0.0..1.0, 0.0..1.0], 4),
    ) {
        let (sender, receiver) = mpsc::channel();
        thread::spawn(move || {
            let poured = random_request(&kinds, &shares, &inside)
                .and_then(|request| request.pour().map_err(|error: PourError| error.to_string()))
                .map(|run| (run, shares[14] < 0.7));
            sender.send(poured).is_ok()
        });
        let poured = receiver.recv_timeout(LIMIT).expect("the request ends");
        match poured {
            Err(sentence) => prop_assert!(!sentence.contains('\n'), "{}", sentence),
            Ok((run, is_loose)) => {
                prop_assert_eq!(run.packing.certificate().max_overlap, 0.0);
                let stability = run.packing.stability().unwrap();
                prop_assert!(!is_loose || stability.unsupported == 0, "{:?}", stability);
            }
        }
    }
}
