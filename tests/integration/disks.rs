//! Disks: packings of flat containers, whose centers have z = 0 and whose volumes are areas.

use std::f64::consts::PI;

use glam::{DVec2, DVec3};
use jostle::{
    Boundaries, Container, Dimension, Effort, IndexKind, PackOptions, Packer, Packing, Request,
    SizeSpec, Spheres, Target,
    analysis::{Contacts, RadialDistribution, rattlers},
    certify,
    container::{Body, ContainerSpec},
    distribution::{Sampling, SizeDistribution},
    pack,
    rearrange::{ExchangeRate, FixedSpheres, Start},
};

/// Returns diameters 1 and 1.4 in turn.
pub fn two_sizes(count: usize) -> Vec<f64> {
    (0..count).map(|k| [0.5, 0.7][k % 2]).collect()
}

/// Returns a flat container that a text describes, with a boundary.
pub fn flat(shape: &str, boundary: &str) -> Container {
    let spec: ContainerSpec = shape.parse().unwrap();
    spec.container(Some(boundary.parse().unwrap())).unwrap()
}

/// A circle or a rectangle that keeps disks out: the position of its middle, the sides of a rectangle, and the diameter of a circle.
type KeptOut = ([f64; 2], Option<[f64; 2]>, f64);

/// Returns the smallest gap of all pairs and images, of walls, and of circles and rectangles that keep disks out, one after the other.
fn smallest_gap(packing: &Packing, bodies: &[KeptOut]) -> f64 {
    let container = packing.container();
    let lengths = container.lengths().truncate();
    let disks: Vec<(DVec2, f64)> = packing
        .spheres()
        .iter()
        .map(|(center, radius)| {
            assert_eq!(center.z, 0.0);
            (center.truncate(), radius)
        })
        .collect();
    let shifts = |axis: usize| match container.is_periodic(axis) {
        true => vec![-lengths[axis], 0.0, lengths[axis]],
        false => vec![0.0],
    };
    let mut least = f64::INFINITY;
    for (k, &(center, radius)) in disks.iter().enumerate() {
        for x in shifts(0) {
            for y in shifts(1) {
                let image = center + DVec2::new(x, y);
                for &(other, other_radius) in &disks[..k] {
                    least = least.min(image.distance(other) - radius - other_radius);
                }
                for &(at, sides, size) in bodies {
                    let from = image - DVec2::from(at);
                    let distance = match sides {
                        None => from.length() - 0.5 * size,
                        Some(sides) => (from.abs() - 0.5 * DVec2::from(sides))
                            .max(DVec2::ZERO)
                            .length(),
                    };
                    least = least.min(distance - radius);
                }
            }
        }
        if container.solid().name() == "circle" {
            let from_middle = center.distance(0.5 * lengths);
            least = least.min(0.5 * lengths.x - from_middle - radius);
            continue;
        }
        for axis in (0..2).filter(|&axis| !container.is_periodic(axis)) {
            least = least.min(center[axis].min(lengths[axis] - center[axis]) - radius);
        }
    }
    least
}

/// Returns the area of the disks by the area of the bounding box or circle.
fn area_fraction(packing: &Packing) -> f64 {
    let disks: f64 = packing.spheres().radii().iter().map(|r| PI * r * r).sum();
    let lengths = packing.container().lengths();
    let area = match packing.container().solid().name() {
        "circle" => 0.25 * PI * lengths.x * lengths.x,
        _ => lengths.x * lengths.y,
    };
    disks / area
}

/// Rounding of a distance of two centers.
const ROUNDING: f64 = 1e-12;

#[test]
fn disks_do_not_overlap_in_any_flat_container() {
    let radii = two_sizes(150);
    for (shape, boundary) in [
        ("rectangle", "pp"),
        ("rectangle", "pw"),
        ("rectangle:aspect=2", "ww"),
        ("circle", "w"),
    ] {
        let options = PackOptions::default()
            .container(flat(shape, boundary))
            .effort(Effort::QUICK);
        let packing = pack(&radii, &options).unwrap().packing;
        assert_eq!(packing.container().dimension(), Dimension::Two);
        assert_eq!(packing.certificate().max_overlap, 0.0);
        let gap = smallest_gap(&packing, &[]);
        assert!(
            (-ROUNDING..0.01).contains(&gap),
            "{shape}, {boundary}: {gap}"
        );
        let fraction = area_fraction(&packing);
        assert!((packing.packing_fraction() - fraction).abs() < 1e-12);
        assert!(
            (0.72..0.86).contains(&fraction),
            "{shape}, {boundary}: {fraction}"
        );
    }
}

#[test]
fn two_sizes_fill_about_0_84_of_the_plane() {
    let options = PackOptions::default().container(flat("rectangle", "pp"));
    let packing = pack(two_sizes(600), &options).unwrap().packing;
    let fraction = area_fraction(&packing);
    assert!((0.825..0.855).contains(&fraction), "{fraction}");
}

#[test]
fn disks_keep_gaps_and_stay_out_of_bodies_and_off_fixed_disks() {
    let bodies = ["circle:d=3@4,4", "rectangle:lx=2,ly=3@11.5,7"];
    let bodies = bodies.map(|text| text.parse::<Body>().unwrap());
    let container = flat("rectangle:lx=12,ly=10", "pw").without(bodies).unwrap();
    let fixed = Spheres::new(vec![DVec3::new(8.0, 2.0, 0.0)], vec![1.5]);
    let free = container.volume() - PI * 1.5 * 1.5;
    let radii = vec![0.3; (0.6 * free / (PI * 0.09)) as usize];
    let options = PackOptions::default()
        .container(container)
        .target(Target::Exact)
        .min_gap(0.01)
        .fixed(FixedSpheres::new(fixed));
    let run = pack(&radii, &options).unwrap();
    assert_eq!(run.left_out.len(), 0);
    let kept_out = [
        ([4.0, 4.0], None, 3.0),
        ([11.5, 7.0], Some([2.0, 3.0]), 0.0),
    ];
    let packing = run.packing;
    assert_eq!(packing.spheres().len(), radii.len() + 1);
    assert_eq!(packing.container().lengths(), DVec3::new(12.0, 10.0, 0.0));
    // The gap of 0.01 is that of pairs; walls and bodies have half of it.
    let gap = smallest_gap(&packing, &kept_out);
    assert!(gap >= 0.005 - 1e-9, "{gap}");
}

#[test]
fn areas_are_without_the_union_of_bodies() {
    let square = flat("rectangle:lx=10,ly=10", "ww");
    let area = |texts: &[&str]| {
        let bodies = texts.iter().map(|text| text.parse::<Body>().unwrap());
        square.without(bodies).unwrap().volume()
    };
    assert!((area(&["circle:d=2@5,5"]) - (100.0 - PI)).abs() < 1e-9);
    // Half of the circle is outside.
    assert!((area(&["circle:d=2@0,5"]) - (100.0 - 0.5 * PI)).abs() < 1e-6);
    assert!((area(&["rectangle:lx=2,ly=1@5,5", "rectangle:lx=1,ly=2@5,5"]) - 97.0).abs() < 1e-6);
    // The lens of two unit circles whose centers are 1 apart.
    let lens = 2.0 * PI / 3.0 - 3f64.sqrt() / 2.0;
    let both = area(&["circle:d=2@5,5", "circle:d=2@6,5"]);
    assert!((both - (100.0 - 2.0 * PI + lens)).abs() < 1e-6);
    let circle = flat("circle:d=4", "w").without(["rectangle:lx=1,ly=1@2,2".parse().unwrap()]);
    assert!((circle.unwrap().volume() - (4.0 * PI - 1.0)).abs() < 1e-6);
}

#[test]
fn the_bits_do_not_depend_on_index_threads_or_a_stop() {
    let radii: Vec<f64> = (0..700)
        .map(|k| 0.05 + 0.001 * f64::from(k % 500))
        .collect();
    let options = PackOptions::default()
        .container(flat("rectangle:aspect=0.5", "pw"))
        .exchange(ExchangeRate::AUTO)
        .effort(Effort::QUICK);
    let expected = pack(&radii, &options).unwrap().packing;
    for (k, &index) in IndexKind::ALL.iter().enumerate() {
        let options = options.clone().index(index).threads(1 + k % 3);
        let mut packer = Packer::new(&radii, &options).unwrap();
        for _ in 0..20 * k {
            packer.sweep();
        }
        let mut packer = Packer::resume(packer.checkpoint().threads(2)).unwrap();
        while packer.sweep().is_some() {}
        let packing = packer.finish().packing;
        assert!(packing.spheres() == expected.spheres(), "{index}");
        assert_eq!(packing.container(), expected.container());
    }
}

/// The same request gives the same bits: see `golden.rs`.
#[test]
fn flat_packings_keep_their_bits() {
    let spec = SizeSpec::load("concrete").unwrap();
    let law = spec.in_dimension(Dimension::Two).unwrap();
    let radii = law.sample_number(1500, Sampling::Stratified, 1).radii();
    let quick = PackOptions::default().effort(Effort::QUICK);
    let in_square = quick.clone().container(flat("rectangle", "pp"));
    let in_circle = quick.container(flat("circle", "w"));
    let found = [(radii, in_square), (two_sizes(1500), in_circle)]
        .map(|(radii, options)| hash(&pack(radii, &options).unwrap().packing));
    assert_eq!(found.map(|hash| format!("{hash:#018x}")), GOLDEN);
}

const GOLDEN: [&str; 2] = ["0xdc7e4ff1c3b46c82", "0x6ae2282fd91b86fd"];

/// Returns the FNV-1a hash of all lengths, centers and radii.
fn hash(packing: &Packing) -> u64 {
    let spheres = packing.spheres().iter();
    let numbers = spheres.flat_map(|(center, radius)| [center.x, center.y, radius]);
    let lengths = packing.container().lengths();
    let bytes = [lengths.x, lengths.y].into_iter().chain(numbers);
    let bytes = bytes.flat_map(|number| number.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

#[test]
fn laws_are_by_area_in_the_plane() {
    /// Returns the share of the area below a diameter.
    fn passing(diameters: &[f64], limit: f64) -> f64 {
        let area = |below: f64| -> f64 {
            let disks = diameters.iter().filter(|&&d| d <= below);
            disks.map(|d| d * d).sum()
        };
        area(limit) / area(f64::INFINITY)
    }
    for (text, limit, share) in [
        ("fuller:d_min=1,d_max=16", 4.0, 1.0 / 3.0),
        ("andreasen:q=1,d_min=1,d_max=5", 3.0, 0.5),
        ("sieve:1=0,2=30,4=100", 2.0, 0.3),
        ("bidisperse:d_small=1,d_large=4,mass_small=0.25", 1.0, 0.25),
        ("uniform-volume:d_min=1,d_max=5", 4.0, 0.75),
        ("lognormal:d50=1,sigma=0.4,by=mass", 1.0, 0.5),
        (
            "rosin-rammler:d_prime=2,n=1,d_min=0.5,d_max=20",
            2.0,
            ((-0.25f64).exp() - (-1f64).exp()) / ((-0.25f64).exp() - (-10f64).exp()),
        ),
        ("normal:mean=2,sd=0.3,by=mass", 2.0, 0.5),
        (
            "blend:(mono:d=1)=0.3,(fuller:d_min=2,d_max=8)=0.7",
            1.5,
            0.3,
        ),
        ("classes-of-two", 1.0, 0.2),
    ] {
        let law = match text {
            "classes-of-two" => {
                let json = r#"{"classes": {"by": "mass", "shares": [[1, 0.2], [3, 0.8]]}}"#;
                serde_json::from_str::<SizeDistribution>(json).unwrap()
            }
            _ => SizeSpec::load(text).unwrap().distribution,
        };
        let flat = law.in_dimension(Dimension::Two).unwrap();
        assert!(
            (flat.mass_cdf(limit) - share).abs() < 0.005,
            "{text}: {}",
            flat.mass_cdf(limit)
        );
        let sample = flat.sample_number(20_000, Sampling::Stratified, 1);
        let found = passing(&sample.diameters, limit);
        assert!((found - share).abs() < 0.02, "{text}: {found}");
        let area = 3000.0 * flat.mean_volume();
        let sample = flat.sample_volume(area, Sampling::Stratified, 1).unwrap();
        let total: f64 = sample.diameters.iter().map(|d| 0.25 * PI * d * d).sum();
        assert!(
            (total / area - 1.0).abs() < 0.01,
            "{text}: {total} of {area}"
        );
        // The law in space is unchanged.
        assert_eq!(flat.in_dimension(Dimension::Three).unwrap(), law);
    }
}

#[test]
fn requests_count_areas() {
    let law = || SizeSpec::load("bidisperse:d_small=1,d_large=2,number_small=0.5").unwrap();
    let request = |shape: &str| {
        let quick = PackOptions::default().effort(Effort::QUICK);
        Request::new(law())
            .container(Some(shape.parse::<ContainerSpec>().unwrap()))
            .options(quick)
    };
    let filled = request("rectangle:lx=20,ly=15")
        .fraction(0.6)
        .pack()
        .unwrap();
    assert!((area_fraction(&filled.packing) - 0.6).abs() < 0.005);
    let number = request("circle").number(100).fraction(0.7).pack().unwrap();
    assert_eq!(number.packing.spheres().len(), 100);
    assert!((area_fraction(&number.packing) - 0.7).abs() < 1e-9);
    let free = request("rectangle:lx=10,ly=auto").number(120).fraction(0.6);
    let free = free.pack().unwrap().packing;
    assert_eq!(free.container().lengths().x, 10.0);
    assert!((area_fraction(&free) - 0.6).abs() < 1e-9);
    let dense = request("rectangle:lx=12,ly=12").pack().unwrap().packing;
    assert_eq!(dense.container().lengths(), DVec3::new(12.0, 12.0, 0.0));
    assert!(area_fraction(&dense) > 0.75);
    let again = Request::starting_from(dense, "dense")
        .fraction(0.5)
        .pack()
        .unwrap();
    assert!((area_fraction(&again.packing) - 0.5).abs() < 1e-9);
}

#[test]
fn what_is_not_flat_is_refused() {
    let square = flat("rectangle:lx=5,ly=5", "pp");
    let refused = |body: &str| {
        let body: Body = body.parse().unwrap();
        square.without([body]).unwrap_err().to_string()
    };
    assert!(refused("sphere:d=1@2,2,0").contains("has 3 dimensions"));
    let spec = |text: &str| text.parse::<ContainerSpec>().unwrap();
    let boundary = |shape: &str, boundary: &str| {
        let boundary = boundary.parse().unwrap();
        spec(shape)
            .container(Some(boundary))
            .unwrap_err()
            .to_string()
    };
    assert!(boundary("rectangle", "ppw").contains("2 letters"));
    assert!(boundary("box", "pw").contains("3 letters"));
    assert!(boundary("circle", "pp").contains("cannot have the boundary"));
    let walls = Some("ww".parse().unwrap());
    let circle = spec("circle:d=5").container(walls).unwrap();
    assert_eq!(circle, flat("circle:d=5", "w"));
    let options = PackOptions::default()
        .container(square.clone())
        .target(Target::Exact);
    let off = Spheres::new(vec![DVec3::new(1.0, 1.0, 0.1)], vec![0.5]);
    let fixed = options.clone().fixed(FixedSpheres::new(off.clone()));
    assert!(pack(vec![0.5], &fixed).is_err());
    let start = options.start(Start::new("off", off.centers().to_vec()));
    assert!(pack(vec![0.5], &start).is_err());
    assert_eq!(certify(&off, &square).max_overlap, f64::INFINITY);
    let flat_start = pack(vec![0.5; 5], &PackOptions::default().container(square)).unwrap();
    let request = Request::starting_from(flat_start.packing, "flat").container(spec("box"));
    let message = request.pack().unwrap_err().to_string();
    assert!(message.contains("2 dimensions"), "{message}");
    for lengths in [DVec2::new(1.0, 0.0), DVec2::new(-1.0, 1.0)] {
        assert!(Container::rectangle(lengths, Boundaries::PERIODIC).is_err());
    }
}

#[test]
fn contacts_and_pairs_are_those_of_the_plane() {
    let options = PackOptions::default().container(flat("rectangle", "pp"));
    let packing = pack(two_sizes(200), &options).unwrap().packing;
    let (spheres, container) = (packing.spheres(), packing.container());
    let lengths = container.lengths().truncate();
    let distance = |a: usize, b: usize| {
        let d = (spheres.centers()[a] - spheres.centers()[b]).truncate();
        (d - lengths * (d / lengths).round()).length()
    };
    let radii = spheres.radii();
    let mut touching = Vec::new();
    for a in 0..radii.len() {
        for b in a + 1..radii.len() {
            let gap = distance(a, b) - radii[a] - radii[b];
            if gap <= 0.002 * radii[a].min(radii[b]) {
                touching.push([a as u32, b as u32]);
            }
        }
    }
    let contacts = Contacts::new(spheres, container, 0.001).unwrap();
    assert_eq!(contacts.pairs(), touching);
    // Three contacts hold a disk.
    let mut numbers = contacts.numbers();
    let mut held = vec![true; radii.len()];
    while let Some(id) = (0..radii.len()).find(|&id| held[id] && numbers[id] < 3) {
        held[id] = false;
        for pair in touching.iter().filter(|pair| pair.contains(&(id as u32))) {
            let other = pair[usize::from(pair[0] == id as u32)] as usize;
            numbers[other] -= u32::from(held[other]);
        }
    }
    let found = rattlers(&contacts);
    assert!(
        found
            .iter()
            .zip(&held)
            .all(|(is_rattler, held)| is_rattler != held)
    );
    let g = RadialDistribution::new(spheres, container, 3.0, 6, &[]).unwrap();
    for (bin, &value) in g.total().iter().enumerate() {
        let (low, high) = (0.5 * bin as f64, 0.5 * (bin + 1) as f64);
        let pairs = (0..radii.len() * radii.len())
            .map(|k| (k / radii.len(), k % radii.len()))
            .filter(|&(a, b)| a != b && (low..high).contains(&distance(a, b)))
            .count();
        let ring = PI * (high * high - low * low) / (lengths.x * lengths.y);
        let all = (radii.len() * (radii.len() - 1)) as f64;
        assert!((value - pairs as f64 / (all * ring)).abs() < 1e-9);
    }
}

#[cfg(feature = "cli")]
mod program {
    use std::fs;

    use tempfile::TempDir;

    use crate::common::{
        outcomes::{assert_code, assert_refused},
        program::{jostle, text},
    };

    #[test]
    fn disks_are_packed_checked_and_converted() {
        let directory = TempDir::new().unwrap();
        let run = |arguments: &str| jostle(directory.path(), arguments);
        let pack = "pack bidisperse:d_small=1,d_large=1.4,number_small=0.5 --effort quick";
        let output = run(&format!(
            "{pack} --box 15,12 --boundary pw -o a.json -o a.csv"
        ));
        assert_code(&output, 0);
        let summary = text(&output.stdout);
        assert!(
            summary.contains("15 × 12, periodic along x, walls along y"),
            "{summary}"
        );
        assert_code(&run("check a.json"), 0);
        assert_code(&run("check a.csv --box 15,12 --boundary pw"), 0);
        assert_code(
            &run("check a.csv --container rectangle:lx=15,ly=12 --boundary pw"),
            0,
        );
        assert_code(&run("check a.csv --box 14,12 --boundary pw"), 1);
        assert_code(&run("convert a.json b.xyz"), 0);
        assert_code(&run("check b.xyz"), 0);
        let converted = fs::read_to_string(directory.path().join("b.xyz")).unwrap();
        assert!(converted.contains("pbc=\"T F F\""));
        let output = run(&format!("{pack} --container circle:d=10 --dry-run"));
        assert_code(&output, 0);
        let output = run(&format!("{pack} -n 40 --container circle -o c.npz"));
        assert_code(&output, 0);
    }

    #[test]
    fn what_knows_spheres_only_says_so() {
        let directory = TempDir::new().unwrap();
        let run = |arguments: &str| jostle(directory.path(), arguments);
        assert_code(&run("pack mono:d=1 -n 30 --box 10,10 -o a.json"), 0);
        assert_code(&run("convert a.json a.dxf"), 0);
        assert_code(&run("convert a.json a.png --voxel 0.1"), 0);
        for (arguments, sentence) in [
            ("pack mono:d=1 -n 30 -o b.dxf", "holds disks, not spheres"),
            (
                "pack mono:d=1 --box 10,10 --boundary ppp",
                "must have 2 letters",
            ),
            (
                "pack mono:d=1 --box 10,10,0",
                "two lengths x,y of a rectangle",
            ),
            ("convert a.json a.gsd", "the format gsd holds spheres"),
        ] {
            assert_refused(directory.path(), arguments, &[sentence]);
        }
    }
}
