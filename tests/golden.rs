//! Golden hashes: the same request gives the same bits, from release to release and on every machine, with any number of threads,
//! any index and any instruction set, in debug and release builds, whether or not the run was stopped and resumed.
//!
//! A change of a hash is a change of the packing for the same seed, which CHANGELOG.md must explain. `.ci/run` also runs these
//! tests in a debug build and without vector instructions.

use glam::DVec3;
use jostle::{
    Axis, Body, Boundaries, Boundary, Container, ContainerSpec, Effort, ExchangeRate, FixedSpheres,
    IndexKind, PackOptions, Packer, Packing, Sampling, SizeSpec, Spheres, Target, pack,
    total_volume,
};

/// Size distribution, settings and hash. [`request`] tells what they mean.
const GOLDEN: [(&str, &str, u64); 69] = [
    ("astm-c33-fine", "ppp", 0x5288_f615_2a02_07d8),
    ("astm-c33-fine", "www", 0x4c4e_a0ad_3484_0961),
    ("astm-c33-fine", "pwp", 0x586c_f7c4_c414_4b1b),
    ("cement", "ppp", 0x8566_470c_7866_e22a),
    ("cement", "www", 0x924b_c9b7_4c44_e634),
    ("cement", "pwp", 0xbe9d_72fb_350d_1a51),
    ("concrete", "ppp", 0x3183_f0fd_dcd7_49b1),
    ("concrete", "www", 0x8577_550d_d859_cd36),
    ("concrete", "pwp", 0xee76_ad18_852c_0681),
    ("din-a16", "ppp", 0x69d1_608b_0a24_e31b),
    ("din-a16", "www", 0x5a2b_0048_9b37_488c),
    ("din-a16", "pwp", 0xce16_4ba8_fcb9_ace8),
    ("din-a32", "ppp", 0x33eb_e8bd_7e37_205e),
    ("din-a32", "www", 0x9fc9_8822_20a1_7d13),
    ("din-a32", "pwp", 0x831b_a248_17aa_f0ce),
    ("din-b16", "ppp", 0xa432_1a69_1885_db88),
    ("din-b16", "www", 0x149c_5571_02fb_58e0),
    ("din-b16", "pwp", 0x2802_459a_ba55_dfe5),
    ("din-b32", "ppp", 0xba90_083e_bd14_4a12),
    ("din-b32", "www", 0xdf21_cab3_2fc7_e434),
    ("din-b32", "pwp", 0x0e58_504d_94f9_944e),
    ("din-c16", "ppp", 0x0a0f_1b40_5ba0_2d5a),
    ("din-c16", "www", 0x39c1_9f59_2078_ef63),
    ("din-c16", "pwp", 0x52ff_1071_6861_4f78),
    ("din-c32", "ppp", 0x8ac5_a38d_6581_2f36),
    ("din-c32", "www", 0x3b54_3f9a_7e5c_0704),
    ("din-c32", "pwp", 0x3086_753f_9fae_ea6a),
    ("equal", "ppp", 0x5e5a_a2aa_28ac_0cc3),
    ("equal", "www", 0x6a7f_2a2b_ae44_bb3c),
    ("equal", "pwp", 0x6632_7c38_154a_191f),
    ("fuller-16", "ppp", 0x1a95_1eb7_18c7_b521),
    ("fuller-16", "www", 0x7ff1_e0b7_9401_630b),
    ("fuller-16", "pwp", 0xdde3_0baf_a34d_594e),
    ("fuller-2011", "ppp", 0xd1a6_4e43_3a4d_4e68),
    ("fuller-2011", "www", 0x8d2d_18dc_7143_cb87),
    ("fuller-2011", "pwp", 0xe6f9_f592_974d_7a0b),
    ("power-law-0", "ppp", 0xa8c9_d070_1825_0cee),
    ("power-law-0", "www", 0x1301_b8d5_f219_db0f),
    ("power-law-0", "pwp", 0xf03c_bd25_03f0_12f1),
    ("power-law-2", "ppp", 0x5fa2_aba8_606b_097c),
    ("power-law-2", "www", 0x36e0_e754_d11c_f5a1),
    ("power-law-2", "pwp", 0xa24f_ad84_fbef_c469),
    ("power-law-3", "ppp", 0x7024_f70d_72e2_4d22),
    ("power-law-3", "www", 0xe19b_900e_5b7a_5d47),
    ("power-law-3", "pwp", 0x6a63_1630_5525_448d),
    ("power-law-3, random", "normal", 0xc8e3_cbb3_c1fa_e8d3),
    ("power-law-3, random", "thorough", 0x9efe_d9e8_8232_1b7f),
    (
        "power-law-3, random",
        "fraction 0.05",
        0x9301_ad7d_62ce_8664,
    ),
    ("power-law-3, random", "fraction 0.5", 0x9a97_6f46_d028_8698),
    ("power-law-3, random", "fraction 0.9", 0xc85e_ad38_673a_a042),
    ("power-law-3, random", "container", 0xc7c1_1e40_3818_f176),
    ("power-law-3, random", "min gap", 0x4674_85d4_acd4_2999),
    ("power-law-3, random", "max sweeps", 0x2dca_9f2d_e977_e88f),
    ("power-law-3, random", "exchange", 0xaabc_0351_8a6c_7cee),
    ("power-law-3", "many", 0x0178_9d99_33c4_be7d),
    ("concrete", "many", 0xa8c9_84c8_210e_2144),
    ("concrete", "cylinder", 0xd283_d670_384e_d450),
    ("concrete", "periodic cylinder", 0x700e_7af6_cd69_0c5a),
    ("concrete", "sphere", 0x7f99_8a7c_9f28_5c04),
    ("concrete", "cone", 0x58b5_f10d_b361_9773),
    ("concrete", "cylinder, exact", 0xd9bd_3d46_7caa_522d),
    ("concrete", "around bars", 0x932b_4302_7ad6_1328),
    ("concrete", "around a box", 0xcb50_05d5_ce92_32a5),
    ("concrete", "cone, fraction 0.5", 0x7031_52e8_1223_8b4e),
    (
        "power-law-3, random",
        "sphere, wall gap",
        0x6d8b_8980_b4a1_b6e3,
    ),
    ("concrete", "fixed spheres", 0x2acf_bc3e_7ae3_94f8),
    ("concrete", "many, cylinder", 0x2849_862f_72ff_8d86),
    ("power-law-3", "many, sphere", 0xd507_1fc9_bda6_0bdf),
    ("power-law-3", "many, cone", 0x0222_dd79_0187_27d3),
];

/// Returns the radii and options of a row.
///
/// Settings that are boundaries: 2 000 spheres at quick effort. `many`: 20 000 or 30 000 spheres, enough for several blocks of
/// every colour. All others: 1 500 spheres.
fn request(sizes: &str, settings: &str) -> (Vec<f64>, PackOptions) {
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
    let bars = [(0.3, Axis::X), (0.45, Axis::Y)].map(|(z, axis)| Body::Cylinder {
        diameter: 0.3 * length,
        height: None,
        center: length * DVec3::new(0.5, 0.5, z),
        axis,
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

/// Returns the FNV-1a hash of all lengths, centres and radii.
fn hash(packing: &Packing) -> u64 {
    assert_eq!(packing.certificate.max_overlap, 0.0);
    let lengths = packing.container.lengths().to_array();
    let spheres = packing.spheres.iter();
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
        for threads in [1, 2, 3, 8] {
            let options = options.clone().threads(threads);
            let found = hash(&pack(&radii, &options).unwrap().packing);
            assert_eq!(found, expected, "{sizes}, {threads} threads");
        }
    }
}
