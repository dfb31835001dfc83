//! Golden hashes: the same request gives the same bits, from release to release and on every machine, with any number of threads,
//! any index and any instruction set, in debug and release builds, whether or not the run was stopped and resumed.
//!
//! A change of a hash is a change of the packing for the same seed, which CHANGELOG.md must explain. `.ci/run` also runs these
//! tests without vector instructions.

use jostle::glam::DVec3;
use jostle::{
    Boundaries, Boundary, Container, Effort, IndexKind, PackOptions, Packer, Packing, SizeSpec,
    Spheres, Target,
    container::{Axis, Body, ContainerSpec, Cylinder, Solid},
    distribution::Sampling,
    pack,
    rearrange::{ExchangeRate, FixedSpheres},
    total_volume,
};

/// Size distribution, settings and hash. [`request`] tells what they mean.
pub const GOLDEN: [(&str, &str, u64); 69] = [
    ("astm-c33-fine", "ppp", 0xbf85_af84_03b8_ea78),
    ("astm-c33-fine", "www", 0xaae3_133b_0ed2_1617),
    ("astm-c33-fine", "pwp", 0xecc8_b6dd_b9e3_e297),
    ("cement", "ppp", 0x5ecb_688d_79b4_d300),
    ("cement", "www", 0x8e48_882e_4b6b_a5e6),
    ("cement", "pwp", 0xeed9_aa5b_43f8_fb34),
    ("concrete", "ppp", 0xed23_2ac1_d849_497f),
    ("concrete", "www", 0x924b_a816_0213_3089),
    ("concrete", "pwp", 0xe173_7017_48bf_2f27),
    ("din-a16", "ppp", 0xcd92_ec68_6973_7f7a),
    ("din-a16", "www", 0x856c_718a_3af8_b6bb),
    ("din-a16", "pwp", 0x143b_9856_bf2f_f3f6),
    ("din-a32", "ppp", 0x75ff_21fd_b93b_ca40),
    ("din-a32", "www", 0x8404_5e80_d5fd_732b),
    ("din-a32", "pwp", 0x9d7d_3d22_e02f_4c11),
    ("din-b16", "ppp", 0x337e_e71b_acb0_b22b),
    ("din-b16", "www", 0x29dc_6876_c9bc_cda4),
    ("din-b16", "pwp", 0x1c43_7234_9ad1_f530),
    ("din-b32", "ppp", 0x9b71_335c_7bd7_99b4),
    ("din-b32", "www", 0x1d7e_837c_5086_1c1e),
    ("din-b32", "pwp", 0xd409_35a5_596a_aad2),
    ("din-c16", "ppp", 0x12c4_274e_2202_cb69),
    ("din-c16", "www", 0x5c4e_abb5_038c_10b6),
    ("din-c16", "pwp", 0xdf02_7751_081b_d279),
    ("din-c32", "ppp", 0x236d_3f67_27d5_5952),
    ("din-c32", "www", 0xd8a8_ecf9_2afc_e47a),
    ("din-c32", "pwp", 0x6107_0a01_69a4_2813),
    ("equal", "ppp", 0xb0e3_12b4_c7ac_3f00),
    ("equal", "www", 0xd72b_a01c_5537_cf42),
    ("equal", "pwp", 0x1110_fdbb_4738_9948),
    ("fuller-16", "ppp", 0xd1ce_9058_2658_f675),
    ("fuller-16", "www", 0xacd6_b86e_e1e5_09c7),
    ("fuller-16", "pwp", 0x202d_1f46_a067_bdd6),
    ("fuller-2011", "ppp", 0x812a_de0f_c3a8_60eb),
    ("fuller-2011", "www", 0x087e_a699_26dc_42ce),
    ("fuller-2011", "pwp", 0xe929_b647_43e7_c235),
    ("power-law-0", "ppp", 0x5f69_342e_6be2_786f),
    ("power-law-0", "www", 0x453a_d483_133b_7aba),
    ("power-law-0", "pwp", 0x742b_c5b7_91a5_e68b),
    ("power-law-2", "ppp", 0xd285_db2d_b751_b8ce),
    ("power-law-2", "www", 0x6365_1ca3_4996_f329),
    ("power-law-2", "pwp", 0x1793_bf16_1702_813c),
    ("power-law-3", "ppp", 0x697c_3edd_60b3_575f),
    ("power-law-3", "www", 0x901f_d8a4_4ff3_879c),
    ("power-law-3", "pwp", 0xd5ec_3c64_8ab6_d59e),
    ("power-law-3, random", "normal", 0xa66f_850f_2c0f_af9d),
    ("power-law-3, random", "thorough", 0x6d99_8ba3_560d_d09c),
    (
        "power-law-3, random",
        "fraction 0.05",
        0xd7ea_2867_1bec_4690,
    ),
    ("power-law-3, random", "fraction 0.5", 0x1ad5_eae8_ad31_923c),
    ("power-law-3, random", "fraction 0.9", 0xbd1d_bac7_8e48_5b41),
    ("power-law-3, random", "container", 0x6823_a697_7d66_ee0c),
    ("power-law-3, random", "min gap", 0x6267_4143_d8a5_96c8),
    ("power-law-3, random", "max sweeps", 0x514d_3733_d044_c78a),
    ("power-law-3, random", "exchange", 0x0d5d_8c2f_5bdb_b5ac),
    ("power-law-3", "many", 0xb88b_4bb7_03dd_2ecd),
    ("concrete", "many", 0x0ea1_3b70_028d_e4dc),
    ("concrete", "cylinder", 0xa720_dcf8_bb3e_ec51),
    ("concrete", "periodic cylinder", 0x3566_71ed_0328_c0d6),
    ("concrete", "sphere", 0x0334_8f91_838a_9c88),
    ("concrete", "cone", 0xa2cd_60ac_8230_6927),
    ("concrete", "cylinder, exact", 0x8af4_9a77_a2cc_3f1a),
    ("concrete", "around bars", 0x65a6_2f23_bb75_cf75),
    ("concrete", "around a box", 0x564c_a603_1da3_213e),
    ("concrete", "cone, fraction 0.5", 0x6ace_00ea_8298_acba),
    (
        "power-law-3, random",
        "sphere, wall gap",
        0x24f0_a692_a08f_e7cd,
    ),
    ("concrete", "fixed spheres", 0x6fb9_c595_5567_8505),
    ("concrete", "many, cylinder", 0xcd5f_9c91_9633_6fe5),
    ("power-law-3", "many, sphere", 0x97c1_4210_75c4_cec3),
    ("power-law-3", "many, cone", 0x450f_327b_abc6_b144),
];

/// Returns the radii and options of a row.
///
/// Settings that are boundaries: 2 000 spheres at quick effort. `many`: 20 000 or 30 000 spheres, enough for several blocks of
/// every color. All others: 1 500 spheres.
pub fn request(sizes: &str, settings: &str) -> (Vec<f64>, PackOptions) {
    let (preset, sampling) = match sizes.strip_suffix(", random") {
        Some(preset) => (preset, Sampling::Random),
        None => (sizes, Sampling::Stratified),
    };
    let spec = SizeSpec::load(preset).unwrap();
    let radii = |count| spec.sample_number(count, sampling, 1).radii();
    let quick = || PackOptions::default().effort(Effort::QUICK).seed(1);
    let boundary = |text: &str| quick().container(text.parse::<Boundaries>().unwrap());
    let inside = |shape: &str, boundary: &str| {
        let spec: ContainerSpec = shape.parse().unwrap();
        let boundary = boundary.parse().unwrap();
        quick().container(spec.container(Some(boundary)).unwrap())
    };
    let some = radii(1500);
    let side = (total_volume(&some) / 0.6 / 2.0).cbrt();
    let lengths = DVec3::new(side, 2.0 * side, side);
    let options = match settings {
        "many" => return (radii(30_000), quick()),
        "many, cylinder" => return (radii(20_000), inside("cylinder:aspect=2", "w")),
        "many, sphere" => return (radii(20_000), inside("sphere", "w")),
        "many, cone" => return (radii(20_000), inside("cone:taper=0.5,aspect=1", "w")),
        "cylinder" => inside("cylinder:aspect=2", "w").exchange(ExchangeRate::AUTO),
        "periodic cylinder" => inside("cylinder:aspect=1", "p").min_gap(0.1),
        "sphere" => inside("sphere", "w"),
        "cone" => inside("cone:taper=0,aspect=1.5", "w"),
        "cylinder, exact" => {
            let cylinder = Container::cylinder(side, 3.0 * side, Boundary::Wall).unwrap();
            quick().container(cylinder).target(Target::Exact)
        }
        "cone, fraction 0.5" => inside("cone:taper=2,aspect=1", "w").target(Target::Fraction(0.5)),
        "around bars" => quick()
            .container(around_bars(1.36 * side))
            .target(Target::Exact),
        "around a box" => {
            let drum = Container::cylinder(6.0, 7.0, Boundary::Periodic).unwrap();
            let body: Body = "box:lx=2,ly=3,lz=4@1.5,3,0".parse().unwrap();
            quick().container(drum.without([body]).unwrap())
        }
        "sphere, wall gap" => inside("sphere", "w").wall_gap(0.3),
        "normal" => PackOptions::default().seed(7),
        "thorough" => quick().effort(Effort::THOROUGH),
        "fraction 0.05" => quick().target(Target::Fraction(0.05)),
        "fraction 0.5" => boundary("wwp").target(Target::Fraction(0.5)),
        "fraction 0.9" => quick().target(Target::Fraction(0.9)),
        "container" => quick()
            .container(Container::cuboid(lengths, "ppw".parse().unwrap()).unwrap())
            .target(Target::Exact),
        "fixed spheres" => quick()
            .container(Container::cuboid(lengths, "ppw".parse().unwrap()).unwrap())
            .target(Target::Exact)
            .fixed(fixed_spheres(side)),
        "min gap" => boundary("pww").min_gap(0.1),
        "max sweeps" => quick().max_sweeps(60),
        "exchange" => boundary("wpp").exchange(ExchangeRate::AUTO),
        faces => return (radii(2000), boundary(faces)),
    };
    (some, options)
}

/// Returns a periodic cube without two bars that cross.
fn around_bars(length: f64) -> Container {
    let cube = Container::cuboid(DVec3::splat(length), Boundaries::PERIODIC).unwrap();
    let bars = [(0.3, Axis::X), (0.45, Axis::Y)].map(|(z, axis)| {
        let bar = Cylinder {
            diameter: 0.3 * length,
            height: f64::INFINITY,
        };
        Body::new(Solid::Cylinder(bar), length * DVec3::new(0.5, 0.5, z)).along(axis)
    });
    cube.without(bars).unwrap()
}

/// Returns four spheres for a box of lengths `side`, twice `side` and `side`.
fn fixed_spheres(side: f64) -> FixedSpheres {
    let centers = [
        [0.1, 0.3, 0.5],
        [0.6, 0.9, 0.3],
        [0.5, 1.4, 0.6],
        [0.95, 1.8, 0.4],
    ];
    let centers = centers.map(|center| side * DVec3::from_array(center));
    FixedSpheres::new(Spheres::new(centers.to_vec(), vec![0.15 * side; 4]))
}

/// Returns the FNV-1a hash of all lengths, centers and radii.
pub fn hash(packing: &Packing) -> u64 {
    assert_eq!(packing.certificate().max_overlap, 0.0);
    let lengths = packing.container().lengths().to_array();
    let spheres = packing.spheres().iter();
    let numbers = spheres.flat_map(|(center, radius)| [center.x, center.y, center.z, radius]);
    let bytes = lengths
        .into_iter()
        .chain(numbers)
        .flat_map(|number| number.to_bits().to_le_bytes());
    bytes.fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}

/// Packs with a stop after some sweeps. Then the run continues from a checkpoint on another number of threads.
fn stopped_and_resumed(
    radii: &[f64],
    options: &PackOptions,
    sweeps: u64,
    threads: usize,
) -> Packing {
    let mut packer = Packer::new(radii, options).unwrap();
    let mut done = 0;
    while done < sweeps && packer.sweep().is_some() {
        done += 1;
    }
    let checkpoint = packer.checkpoint().threads(threads);
    let mut packer = Packer::resume(checkpoint).unwrap();
    while packer.sweep().is_some() {}
    packer.finish().packing
}

#[test]
fn every_row_keeps_its_bits() {
    let mut changed = Vec::new();
    for (sizes, settings, expected) in GOLDEN {
        let (radii, options) = request(sizes, settings);
        let found = hash(&pack(radii, &options).unwrap().packing);
        if found != expected {
            changed.push(format!("{sizes}, {settings}: {found:#018x}"));
        }
    }
    assert!(changed.is_empty(), "{}", changed.join("\n"));
}

#[test]
fn every_row_keeps_its_bits_when_the_run_is_stopped_and_resumed() {
    for (row, (sizes, settings, expected)) in GOLDEN.into_iter().enumerate() {
        let (radii, mut options) = request(sizes, settings);
        options.index = IndexKind::ALL[row % IndexKind::ALL.len()];
        options.threads = [1, 2, 3, 8][row % 4];
        let (sweeps, threads) = ((37 * row as u64) % 160, [8, 3, 1, 2][row % 4]);
        let packing = stopped_and_resumed(&radii, &options, sweeps, threads);
        assert_eq!(
            hash(&packing),
            expected,
            "{sizes}, {settings}, {sweeps} sweeps"
        );
    }
}

#[test]
fn every_index_gives_the_golden_bits() {
    for (sizes, settings, expected) in GOLDEN {
        if sizes != "concrete" || settings.starts_with("many") {
            continue;
        }
        let (radii, options) = request(sizes, settings);
        for &index in IndexKind::ALL {
            let options = options.clone().index(index);
            let found = hash(&pack(&radii, &options).unwrap().packing);
            assert_eq!(found, expected, "{sizes}, {settings}, {index}");
        }
    }
}

#[test]
fn many_spheres_keep_their_bits_on_any_number_of_threads() {
    for (sizes, settings, expected) in GOLDEN {
        if !settings.starts_with("many") {
            continue;
        }
        let (radii, options) = request(sizes, settings);
        for threads in [1, 8] {
            let options = options.clone().threads(threads);
            let found = hash(&pack(&radii, &options).unwrap().packing);
            assert_eq!(found, expected, "{sizes}, {threads} threads");
        }
    }
}
