//! Beds that are jammed under their weights: forces that carry the weights by sums of their own, vessels that keep their size, and the same bits
//! after an interruption.

use std::ops::ControlFlow;

use glam::DVec3;
use jostle::{
    Boundary, Container, Packing, SizeSpec, Spheres,
    analysis::ForceNetwork,
    container::{BoundarySpec, Direction},
    jam::{JamError, JamGap, JamObserver, JamOptions, JamProgress, JamState, jam},
    packing::{JamEnd, StopReason},
    pour::{Compaction, PourOptions, PourRequest, PourRun, Pourer},
    rearrange::FixedSpheres,
};

const TWO_SIZES: &str = "bidisperse:d_small=1,d_large=2,mass_small=0.5";

fn request(sizes: &str, vessel: &str, number: u64) -> PourRequest {
    let spec = SizeSpec::load(sizes).unwrap();
    PourRequest::new(spec, vessel.parse().unwrap()).number(number)
}

fn jammed(request: PourRequest, options: PourOptions) -> PourRun {
    let options = options.jam(JamGap::AUTO);
    let run = request.options(options).pour().unwrap();
    assert_eq!(run.shortfall, None);
    run
}

/// Asserts that the forces on each sphere carry its weight, as well as the account says. Returns the weight of a unit of volume.
fn assert_balanced(packing: &Packing) -> f64 {
    let account = packing.provenance.as_ref().unwrap().jamming.unwrap();
    let stated = account.residual.unwrap();
    assert!(stated < 0.01, "{stated}");
    let (spheres, container) = (packing.spheres(), packing.container());
    let forces = packing.forces().expect("the bed has forces");
    let up = -packing.gravity().expect("the bed has a gravity").vector();
    let lengths = container.lengths();
    let mut sums = vec![DVec3::ZERO; spheres.len()];
    for (pair, force) in forces.pairs.iter().zip(&forces.of_pairs) {
        let [a, b] = pair.map(|id| id as usize);
        let mut branch = spheres.centers()[b] - spheres.centers()[a];
        for axis in (0..3).filter(|&axis| container.is_periodic(axis)) {
            branch[axis] -= lengths[axis] * (branch[axis] / lengths[axis]).round();
        }
        let radii = [a, b].map(|id| spheres.radii()[id]);
        let gap = branch.length() - radii[0] - radii[1];
        let smaller = 2.0 * radii[0].min(radii[1]);
        assert!((0.0..1e-6).contains(&(gap / smaller)), "{gap}");
        sums[a] -= *force * branch.normalize();
        sums[b] += *force * branch.normalize();
    }
    let mut carried = 0.0;
    for wall in &forces.walls {
        let push = -wall.force * DVec3::from_array(wall.normal);
        sums[wall.sphere as usize] += push;
        carried += push.dot(up);
    }
    let free = spheres.len() - packing.fixed();
    carried -= sums[free..].iter().map(|sum| sum.dot(up)).sum::<f64>();
    let cubes = |radii: &[f64]| radii.iter().map(|radius| radius.powi(3)).sum::<f64>();
    let weight = carried / cubes(&spheres.radii()[..free]);
    let total = forces.of_pairs.iter().sum::<f64>();
    let mean = total / forces.of_pairs.len() as f64;
    for (sum, radius) in sums[..free].iter().zip(spheres.radii()) {
        let error = (*sum - weight * radius.powi(3) * up).length() / mean;
        assert!(error < 1e-5 + 2.0 * stated, "{error} {stated}");
    }
    weight
}

#[test]
fn forces_carry_the_weights_in_each_vessel() {
    for (sizes, vessel, boundary, gravity) in [
        ("mono:d=1", "box:lx=6,ly=6,lz=auto", "ppw", Direction::NegZ),
        ("mono:d=1", "box:lx=auto,ly=5,lz=5", "www", Direction::PosX),
        (TWO_SIZES, "cylinder:d=6,h=auto", "w", Direction::NegZ),
        ("mono:d=1", "cylinder:d=5,h=9,axis=x", "w", Direction::PosX),
        (
            "mono:d=1",
            "cone:d_bottom=3,d_top=9,h=12",
            "w",
            Direction::NegZ,
        ),
    ] {
        let bed = |jam| {
            let options = PourOptions::default().gravity(gravity).jam(jam);
            let request = request(sizes, vessel, 90);
            let boundary: BoundarySpec = boundary.parse().unwrap();
            request.boundary(boundary).options(options).pour().unwrap()
        };
        let (poured, run) = (bed(JamGap::OFF), bed(JamGap::AUTO));
        assert_eq!(run.shortfall, None, "{vessel}");
        let packing = &run.packing;
        assert_eq!(packing.certificate().max_overlap, 0.0, "{vessel}");
        assert!(packing.supports().is_none(), "{vessel}");
        assert!(run.height < poured.height, "{vessel}: {}", run.height);
        assert!(assert_balanced(packing) > 0.0, "{vessel}");
        // A vessel keeps its size, but for the length that follows from the bed.
        let mut lengths = poured.packing.container().lengths();
        if vessel.contains("auto") {
            lengths[gravity.axis().number()] *= run.height / poured.height;
        }
        let error = (packing.container().lengths() - lengths).length();
        assert!(error < 1e-9, "{vessel}: {error:e}");
        let account = packing.provenance.as_ref().unwrap().jamming.unwrap();
        assert_eq!(account.end, JamEnd::Jammed);
        assert!(account.residual.unwrap() < 1e-6, "{vessel}: {account:?}");
    }
}

/// Equal spheres without friction fill 0.637 of the space under gravity, with 6.1 contacts: L. E. Silbert et al., Phys. Rev. E 65 (2002) 031304.
#[test]
fn a_bed_without_friction_is_dense_and_isostatic() {
    let boundary: BoundarySpec = "ppw".parse().unwrap();
    let request = request("mono:d=1", "box:lx=6,ly=6,lz=auto", 300).boundary(boundary);
    let packing = jammed(request, PourOptions::default()).packing;
    let top = packing.container().lengths().z;
    let (low, high) = (1.5, top - 2.5);
    let solid = |z: f64| {
        let below = |height: f64| {
            let cap = (height - z + 0.5).clamp(0.0, 1.0);
            std::f64::consts::PI * cap * cap * (0.5 - cap / 3.0)
        };
        below(high) - below(low)
    };
    let centers = packing.spheres().centers().iter();
    let solid: f64 = centers.map(|center| solid(center.z)).sum();
    let fraction = solid / (36.0 * (high - low));
    assert!((0.62..0.655).contains(&fraction), "{fraction}");
    let network = ForceNetwork::new(&packing).unwrap().unwrap();
    assert!((network.stress.pressure - 1.0).abs() < 1e-5);
    // A sphere that only lies on the floor has one contact, and two motions.
    let forces = packing.forces().unwrap();
    let mut contacts = vec![0; packing.spheres().len()];
    (forces.pairs.iter().flatten()).for_each(|&id| contacts[id as usize] += 1);
    let on_floor = forces.walls.iter().map(|wall| wall.sphere as usize);
    let alone = on_floor.filter(|&id| contacts[id] == 0).count() as i64;
    let missing = -network.maxwell.excess - 2 * alone;
    assert!((0..=4).contains(&missing), "{:?} {alone}", network.maxwell);
    assert_eq!(network.rattlers, 0);
}

#[test]
fn fixed_spheres_keep_their_bits_and_carry_others() {
    let fixed = Spheres::new(vec![DVec3::new(3.1, 2.9, 1.3)], vec![1.0]);
    let request = request("mono:d=1", "cylinder:d=6,h=auto", 80)
        .fixed(FixedSpheres::new(fixed.clone()).into());
    let packing = jammed(request, PourOptions::default()).packing;
    assert_eq!(packing.fixed(), 1);
    assert_eq!(packing.spheres().centers()[80], fixed.centers()[0]);
    assert_balanced(&packing);
}

/// Keeps the states of a jamming, and ends it after some of them.
struct Keeper {
    states: Vec<JamState>,
    most: usize,
}

impl JamObserver for Keeper {
    fn step(&mut self, _: &JamProgress) -> ControlFlow<()> {
        if self.states.len() < self.most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }

    fn save(&mut self, state: JamState) {
        self.states.push(state);
    }
}

#[test]
fn an_interrupted_jamming_leaves_the_poured_bed_and_continues() {
    let pourer = |jam| {
        let options = PourOptions::default().compaction(Compaction::Taps(1));
        let request = request("mono:d=1", "cylinder:d=5,h=auto", 120);
        let mut pourer = request.options(options.jam(jam)).pourer().unwrap();
        while pourer.step().is_some() {}
        pourer
    };
    let poured = pourer(JamGap::OFF).finish().packing;
    let checkpoint = pourer(JamGap::AUTO).checkpoint();
    let mut all = Keeper {
        states: Vec::new(),
        most: usize::MAX,
    };
    let whole = pourer(JamGap::AUTO).finish_observed(&mut all);
    assert!(whole.packing.forces().is_some());
    let mut few = Keeper {
        states: Vec::new(),
        most: 2,
    };
    let ended = pourer(JamGap::AUTO).finish_observed(&mut few);
    assert_eq!(ended.packing.spheres(), poured.spheres());
    assert_eq!(ended.packing.supports(), poured.supports());
    assert_eq!(ended.shortfall.unwrap(), "the packing is not jammed");
    let stop = ended.packing.provenance.unwrap().stop;
    assert_eq!(stop, StopReason::Interrupted);
    assert_eq!(few.states, all.states[..2]);
    for state in [few.states.pop(), all.states.pop()] {
        let saved = checkpoint.clone().with_jamming(state.unwrap());
        let text = serde_json::to_string(&saved).unwrap();
        let mut continued = Pourer::resume(serde_json::from_str(&text).unwrap()).unwrap();
        assert!(continued.step().is_none(), "the deposition is over");
        assert_eq!(continued.finish().packing, whole.packing);
    }
}

#[test]
fn a_bed_keeps_a_reached_fraction_and_jams_beyond_it() {
    let run = |fraction| {
        let options = PourOptions::default().compaction(Compaction::Fraction(fraction));
        let request = request("mono:d=1", "box:lx=6,ly=6,lz=auto", 200);
        let options = options.jam(JamGap::AUTO);
        request.options(options).pour().unwrap()
    };
    let end = |run: &PourRun| {
        run.packing
            .provenance
            .as_ref()
            .unwrap()
            .jamming
            .unwrap()
            .end
    };
    let kept = run(0.4);
    assert_eq!(end(&kept), JamEnd::AsRequested);
    assert!(kept.packing.supports().is_some() && kept.packing.forces().is_none());
    // Walls keep taps from this packing fraction.
    let (met, unmet) = (run(0.56), run(0.7));
    assert_eq!([end(&met), end(&unmet)], [JamEnd::Jammed; 2]);
    assert_eq!(met.shortfall, None);
    let stop = met.packing.provenance.unwrap().stop;
    assert_eq!(stop, StopReason::FractionReached);
    assert!(
        unmet
            .shortfall
            .unwrap()
            .ends_with("need a larger stop angle")
    );
}

/// Rows between the sides are wedged and flat at first.
#[test]
fn beds_of_rows_that_exactly_fit_come_to_rest() {
    let periodic: BoundarySpec = "ppw".parse().unwrap();
    for seed in [0, 17, 23, 28] {
        let request = request("mono:d=1", "box:lx=5,ly=5,lz=auto", 100);
        let run = jammed(
            request.boundary(periodic),
            PourOptions::default().seed(seed),
        );
        assert_balanced(&run.packing);
    }
}

#[test]
fn weights_need_a_floor() {
    let container = Container::cylinder(3.0, 4.0, Boundary::Periodic).unwrap();
    let spheres = Spheres::new(vec![DVec3::splat(1.5)], vec![0.5]);
    let options = JamOptions::default().gravity(Direction::NegZ);
    let error = jam(&Packing::new(spheres, container), &options).unwrap_err();
    let gravity = Direction::NegZ;
    assert_eq!(error, JamError::NoFloor { gravity });
    assert_eq!(
        error.to_string(),
        "gravity points along -z, where the container is periodic; a wall must hold the spheres"
    );
}
