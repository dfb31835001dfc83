//! Jammed packings: forces that balance by sums of their own, the number of contacts that mechanics demands, no overlap, and the same bits
//! on all threads and indexes.

use std::ops::ControlFlow;

use glam::{DVec2, DVec3};
use jostle::{
    Boundaries, Container, Effort, IndexKind, PackOptions, Packer, Packing, SizeSpec, Spheres,
    Target,
    container::{Body, Cylinder, Outline, Solid},
    distribution::Sampling,
    jam::{JamError, JamGap, JamObserver, JamOptions, JamProgress, JamState, jam, jam_observed},
    pack,
    packing::{JamEnd, StopReason},
    rearrange::{Checkpoint, Observer, Progress},
};

const TWO_SIZES: &str = "bidisperse:d_small=1,d_large=1.4,number_small=0.5";

fn radii(sizes: &str, count: usize) -> Vec<f64> {
    let spec = SizeSpec::load(sizes).unwrap();
    spec.sample_number(count, Sampling::Stratified, 0).radii()
}

fn options(container: impl Into<Container>) -> PackOptions {
    PackOptions::default()
        .container(container)
        .jam(JamGap::AUTO)
        .threads(1)
}

fn boundaries(text: &str) -> Boundaries {
    text.parse().unwrap()
}

/// Returns the sum of the forces of pairs on each sphere of a periodic packing.
fn sums_of_forces(packing: &Packing) -> Vec<DVec3> {
    let (spheres, lengths) = (packing.spheres(), packing.container().lengths());
    let forces = packing.forces().expect("a jammed packing has forces");
    let mut sums = vec![DVec3::ZERO; spheres.len()];
    for (pair, force) in forces.pairs.iter().zip(&forces.of_pairs) {
        let [a, b] = pair.map(|id| id as usize);
        let branch = spheres.centers()[b] - spheres.centers()[a];
        let branch = branch - lengths * (branch / lengths).round();
        sums[a] -= *force * branch.normalize();
        sums[b] += *force * branch.normalize();
    }
    sums
}

/// Checks the forces of a packing, and returns its numbers of contacts and of spheres that bear force.
fn checked(packing: &Packing, dimension: f64) -> (usize, usize) {
    let jamming = packing.provenance.as_ref().and_then(|made| made.jamming);
    if let Some(jamming) = jamming {
        assert_eq!(jamming.end, JamEnd::Jammed);
        assert!(packing.packing_fraction() >= jamming.start_fraction);
    }
    assert_eq!(packing.certificate().max_overlap, 0.0);
    let forces = packing.forces().expect("a jammed packing has forces");
    let (spheres, lengths) = (packing.spheres(), packing.container().lengths());
    let mut sums = vec![DVec3::ZERO; spheres.len()];
    let (mut strength, mut virial, mut widest) = (0.0, 0.0, 0.0_f64);
    for ([a, b], force) in forces
        .pairs
        .iter()
        .map(|pair| pair.map(|id| id as usize))
        .zip(&forces.of_pairs)
    {
        let mut branch = spheres.centers()[b] - spheres.centers()[a];
        for axis in 0..3 {
            if packing.container().is_periodic(axis) && lengths[axis] > 0.0 {
                branch[axis] -= lengths[axis] * (branch[axis] / lengths[axis]).round();
            }
        }
        let (distance, reach) = (branch.length(), spheres.radii()[a] + spheres.radii()[b]);
        let smaller = 2.0 * spheres.radii()[a].min(spheres.radii()[b]);
        widest = widest.max((distance - reach) / smaller);
        assert!(*force > 0.0 && distance >= reach * (1.0 - 1e-12));
        sums[a] -= *force / distance * branch;
        sums[b] += *force / distance * branch;
        strength += force;
        virial += force * distance;
    }
    for wall in &forces.walls {
        let id = wall.sphere as usize;
        let radius = spheres.radii()[id];
        let point = spheres.centers()[id] + radius * DVec3::from_array(wall.normal);
        let gap = packing.container().wall_gap(point, 0.0);
        widest = widest.max(gap / (2.0 * radius));
        sums[id] -= wall.force * DVec3::from_array(wall.normal);
        strength += wall.force;
        virial += wall.force * radius;
    }
    let count = forces.len();
    let mean = strength / count as f64;
    let worst = sums
        .iter()
        .fold(0.0, |worst, sum| f64::max(worst, sum.length()));
    assert!(worst < 1e-6 * mean, "residual {}", worst / mean);
    assert!(widest <= 1.000_001e-6, "gap {widest}");
    let pressure = virial / (dimension * packing.container().volume());
    assert!((pressure - 1.0).abs() < 1e-5, "pressure {pressure}");
    let mut bears = vec![false; spheres.len()];
    let of_pairs = forces.pairs.iter().flatten().copied();
    let of_walls = forces.walls.iter().map(|wall| wall.sphere);
    of_pairs
        .chain(of_walls)
        .for_each(|id| bears[id as usize] = true);
    (count, bears.into_iter().filter(|bears| *bears).count())
}

#[test]
fn a_periodic_packing_is_isostatic() {
    let run = pack(radii("mono:d=1", 200), &options(boundaries("ppp"))).unwrap();
    let (contacts, backbone) = checked(&run.packing, 3.0);
    // Three for each sphere, one for the size of the container, without three translations.
    assert_eq!(contacts, 3 * backbone - 2);
    assert!(backbone > 180, "{backbone}");
    assert!(run.packing_fraction > 0.63, "{}", run.packing_fraction);
}

#[test]
fn walls_bear_force() {
    // Equal spheres make regular layers at walls, with contacts in excess.
    let run = pack(radii(TWO_SIZES, 200), &options(boundaries("wwp"))).unwrap();
    let (contacts, backbone) = checked(&run.packing, 3.0);
    // Three for each sphere, one for the size of the container, without a translation. The last pressure may keep one more closed.
    let excess = contacts as i64 - 3 * backbone as i64;
    assert!((0..=1).contains(&excess), "{excess}");
    assert!(!run.packing.forces().unwrap().walls.is_empty());
}

#[test]
fn mixtures_are_isostatic() {
    let excess = |seed: u64| {
        let options = options(boundaries("ppp")).seed(seed);
        let run = pack(radii(TWO_SIZES, 200), &options).unwrap();
        let (contacts, backbone) = checked(&run.packing, 3.0);
        contacts - (3 * backbone - 2)
    };
    // The last pressure may keep one contact more closed, in one packing of ten.
    let total: usize = (1..=3).map(excess).sum();
    assert!(total <= 1, "{total}");
}

#[test]
fn few_spheres_of_many_sizes_jam_between_walls() {
    // The pressure falls once more where a small sphere carries the force of large ones.
    for (sizes, seeds) in [
        ("lognormal:d50=1,sigma=0.4", 1..=8),
        ("uniform-size:d_min=1,d_max=3", 1..=4),
    ] {
        for seed in seeds {
            let options = options(boundaries("www")).seed(seed);
            let run = pack(radii(sizes, 30), &options).unwrap();
            checked(&run.packing, 3.0);
        }
    }
}

#[test]
fn disks_have_four_contacts() {
    let square = Container::rectangle(DVec2::ONE, boundaries("ppp")).unwrap();
    let run = pack(radii(TWO_SIZES, 150), &options(square)).unwrap();
    let (contacts, backbone) = checked(&run.packing, 2.0);
    assert_eq!(contacts, 2 * backbone - 1);
}

#[test]
fn disks_touch_several_edges_of_an_outline() {
    let outline = |points: &[[f64; 2]]| {
        let ring = points.iter().map(|&point| DVec2::from_array(point));
        Outline::new(vec![ring.collect()]).unwrap()
    };
    // Corners of both kinds.
    let l = [
        [0.0, 0.0],
        [3.0, 0.0],
        [3.0, 1.5],
        [1.5, 1.5],
        [1.5, 3.0],
        [0.0, 3.0],
    ];
    let notched = outline(&[[0.0, 0.0], [0.4, 0.0], [0.2, 0.1], [0.2, 0.4]]);
    let square = Container::rectangle(DVec2::ONE, boundaries("ppp")).unwrap();
    let body = Body::new(Solid::Outline(notched), DVec3::new(0.8, 0.5, 0.0));
    let containers = [
        Container::outline(outline(&l)),
        square.without([body]).unwrap(),
    ];
    let sizes = radii(TWO_SIZES, 120);
    for container in containers {
        let quick = PackOptions::default()
            .effort(Effort::QUICK)
            .container(container);
        let quick = quick.target(Target::Densest);
        let packing = pack(&sizes[..], &quick).unwrap().packing;
        let (jammed, account) = jam(&packing, &JamOptions::default()).unwrap();
        assert_eq!(account.end, JamEnd::Jammed);
        let (contacts, backbone) = checked(&jammed, 2.0);
        // Two for each disk, and one for the size of the container; layers at walls may have contacts in excess.
        let excess = contacts as i64 - 2 * backbone as i64;
        assert!((0..=4).contains(&excess), "{excess}");
        assert!(!jammed.forces().unwrap().walls.is_empty());
    }
}

#[test]
fn round_containers_and_bodies_bear_force() {
    let wall = jostle::Boundary::Wall;
    let mut containers = vec![
        Container::cylinder(1.0, 1.0, wall).unwrap(),
        Container::cone(1.0, 0.5, 1.0).unwrap(),
    ];
    let bar = Solid::Cylinder(Cylinder {
        diameter: 0.3,
        height: 1.0,
    });
    let cube = Container::cuboid(DVec3::ONE, boundaries("ppp")).unwrap();
    containers.push(cube.without([Body::new(bar, DVec3::splat(0.5))]).unwrap());
    for container in containers {
        let name = format!("{:?}", container.solid());
        let quick = PackOptions::default()
            .effort(Effort::QUICK)
            .container(container);
        let quick = quick.target(Target::Densest);
        let packing = pack(&[0.5; 120], &quick).unwrap().packing;
        let (jammed, account) = jam(&packing, &JamOptions::default()).unwrap();
        assert_eq!(account.end, JamEnd::Jammed, "{name}");
        let (contacts, backbone) = checked(&jammed, 3.0);
        // Neither translations nor more than one rotation remain; layers at walls may have contacts in excess.
        let excess = contacts as i64 - 3 * backbone as i64;
        assert!((-1..=4).contains(&excess), "{name}: {excess}");
        assert!(!jammed.forces().unwrap().walls.is_empty());
    }
}

#[test]
fn fixed_spheres_keep_their_places_in_the_container() {
    let packing = pack(radii("mono:d=1", 150), &PackOptions::default())
        .unwrap()
        .packing
        .with_fixed(12);
    let (jammed, account) = jam(&packing, &JamOptions::default()).unwrap();
    assert_eq!(account.end, JamEnd::Jammed);
    assert!(jammed.packing_fraction() > packing.packing_fraction());
    assert_eq!(jammed.certificate().max_overlap, 0.0);
    let places = |packing: &Packing| -> Vec<DVec3> {
        let centers = packing.spheres().centers()[138..].iter();
        centers
            .map(|center| *center / packing.container().lengths())
            .collect()
    };
    for (before, after) in places(&packing).into_iter().zip(places(&jammed)) {
        assert!(before.distance(after) < 1e-12, "{before} {after}");
    }
    // The others balance, which the fixed ones need not.
    let sums = sums_of_forces(&jammed);
    let largest = |sums: &[DVec3]| {
        sums.iter()
            .fold(0.0, |most, sum| f64::max(most, sum.length()))
    };
    let forces = &jammed.forces().unwrap().of_pairs;
    let mean = forces.iter().sum::<f64>() / forces.len() as f64;
    assert!(largest(&sums[..138]) < 1e-6 * mean);
    assert!(largest(&sums[138..]) > 0.1 * mean);
}

#[test]
fn few_spheres_touch_their_own_images() {
    for count in [1, 2, 5] {
        let run = pack(vec![0.5; count], &options(boundaries("ppp"))).unwrap();
        let end = run
            .packing
            .provenance
            .as_ref()
            .unwrap()
            .jamming
            .unwrap()
            .end;
        assert_eq!(run.packing.certificate().max_overlap, 0.0);
        assert!(
            matches!(end, JamEnd::Jammed | JamEnd::Looser | JamEnd::Unbalanced),
            "{end:?}"
        );
    }
}

#[test]
fn threads_and_indexes_do_not_change_the_bits() {
    let packed = |threads, index| {
        let options = options(boundaries("ppw")).threads(threads).index(index);
        pack(radii("mono:d=1", 100), &options).unwrap().packing
    };
    let one = packed(1, IndexKind::LooseOctree);
    for other in [
        packed(2, IndexKind::LooseOctree),
        packed(1, IndexKind::Grid),
    ] {
        assert_eq!(one.spheres(), other.spheres());
        assert_eq!(one.forces(), other.forces());
    }
}

#[test]
fn a_reached_fraction_is_kept() {
    let options = options(boundaries("ppp")).target(Target::Fraction(0.6));
    let packing = pack(radii("mono:d=1", 100), &options).unwrap().packing;
    assert!((packing.packing_fraction() - 0.6).abs() < 1e-9);
    assert_eq!(packing.forces(), None);
    let provenance = packing.provenance.unwrap();
    assert_eq!(provenance.stop, StopReason::FractionReached);
    assert_eq!(provenance.jamming.unwrap().end, JamEnd::AsRequested);
}

#[test]
fn an_end_by_the_caller_leaves_a_valid_packing() {
    let packing = pack(radii("mono:d=1", 100), &PackOptions::default())
        .unwrap()
        .packing;
    let mut stop = |_: &JamProgress| ControlFlow::Break(());
    let options = JamOptions::default();
    let (stopped, account) = jam_observed(&packing, &options, None, &mut stop).unwrap();
    assert_eq!(account.end, JamEnd::Interrupted);
    assert!(stopped.packing_fraction() >= packing.packing_fraction());
    assert_eq!(stopped.certificate().max_overlap, 0.0);
    assert_eq!(stopped.forces(), None);
}

#[test]
fn a_continued_run_jams_the_same_packing() {
    let radii = radii("mono:d=1", 100);
    let mut packer = Packer::new(&radii, &options(boundaries("ppp"))).unwrap();
    while packer.sweep().is_some() {}
    let continued = Packer::resume(packer.checkpoint()).unwrap();
    assert_eq!(continued.finish().packing, packer.finish().packing);
}

/// Collects the states of a run.
#[derive(Default)]
struct States(Vec<JamState>);

impl JamObserver for States {
    fn step(&mut self, _: &JamProgress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn save(&mut self, state: JamState) {
        self.0.push(state);
    }
}

#[test]
fn jamming_continues_from_each_pressure() {
    let packing = pack(radii("mono:d=1", 100), &PackOptions::default())
        .unwrap()
        .packing;
    let (options, mut states) = (JamOptions::default(), States::default());
    let whole = jam_observed(&packing, &options, None, &mut states).unwrap();
    assert!(states.0.len() > 5, "{}", states.0.len());
    for state in states.0.iter().step_by(3) {
        let text = serde_json::to_string(state).unwrap();
        let read: JamState = serde_json::from_str(&text).unwrap();
        let mut later = States::default();
        let continued = jam_observed(&packing, &options, Some(read), &mut later).unwrap();
        assert_eq!(continued, whole);
    }
    let other = pack(radii("mono:d=1", 99), &PackOptions::default())
        .unwrap()
        .packing;
    let state = states.0.pop();
    let error = jam_observed(&other, &options, state, &mut States::default()).unwrap_err();
    assert_eq!(error, JamError::Earlier);
}

/// An observer that ends the run when it has saved so many checkpoints.
struct Ending {
    saved: Vec<Checkpoint>,
    most: usize,
    /// The evaluations before the first step.
    first: Option<u64>,
}

impl Ending {
    fn after(most: usize) -> Self {
        let (saved, first) = (Vec::new(), None);
        Self { saved, most, first }
    }
}

impl Observer for Ending {
    fn sweep(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn wants_checkpoints_of_jam(&mut self) -> bool {
        true
    }

    fn save(&mut self, checkpoint: Checkpoint) {
        self.saved.push(checkpoint);
    }

    fn jamming(&mut self, progress: &JamProgress) -> ControlFlow<()> {
        self.first.get_or_insert(progress.evaluations);
        if self.saved.len() < self.most {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    }
}

/// Returns a checkpoint that a file held.
#[cfg(feature = "files")]
fn through_a_file(checkpoint: &Checkpoint) -> Checkpoint {
    let directory = tempfile::TempDir::new().unwrap();
    let path = directory.path().join("run.checkpoint");
    jostle::io::write_checkpoint(checkpoint, &path).unwrap();
    jostle::io::read_checkpoint(&path).unwrap()
}

#[test]
fn an_ended_run_continues_its_jamming() {
    let radii = radii("mono:d=1", 100);
    let packer = || Packer::new(&radii, &options(boundaries("ppp"))).unwrap();
    let account = |packing: &Packing| packing.provenance.as_ref().unwrap().jamming.unwrap();
    let whole = packer().run(&mut Ending::after(100)).packing;
    let mut ending = Ending::after(5);
    let ended = packer().run(&mut ending).packing;
    assert_eq!(account(&ended).end, JamEnd::Interrupted);
    let checkpoint = ending.saved.pop().unwrap();
    #[cfg(feature = "files")]
    let checkpoint = through_a_file(&checkpoint);
    let mut rest = Ending::after(100);
    let continued = Packer::resume(checkpoint).unwrap();
    let continued = continued.run(&mut rest).packing;
    assert_eq!(continued.spheres(), whole.spheres());
    assert_eq!(continued.forces(), whole.forces());
    assert_eq!(account(&continued), account(&whole));
    assert!(rest.first.unwrap() > account(&ended).evaluations / 2);
}

#[test]
fn requests_that_cannot_be_jammed_have_one_sentence() {
    let message = |options: PackOptions| pack(&[0.5; 20], &options).unwrap_err().to_string();
    assert_eq!(
        message(options(boundaries("ppp")).min_gap(0.1)),
        "a packing with a minimum gap or a wall gap cannot be jammed, as its spheres do not touch; leave out the gap or the jamming"
    );
    let container = Container::cuboid(DVec3::splat(9.0), Boundaries::PERIODIC).unwrap();
    let overlapping = Spheres::new(vec![DVec3::splat(1.0), DVec3::splat(1.5)], vec![1.0; 2]);
    let packing = Packing::new(overlapping, container);
    let error = jam(&packing, &JamOptions::default())
        .unwrap_err()
        .to_string();
    assert!(error.starts_with("spheres overlap by 1.1"), "{error}");
}
