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
    ("astm-c33-fine", "ppp", 0x00dd_0fab_3bda_0710),
    ("astm-c33-fine", "www", 0xa597_5bf1_1a2d_5cc4),
    ("astm-c33-fine", "pwp", 0x861c_a670_74dd_0914),
    ("cement", "ppp", 0x8bbf_4407_c956_768a),
    ("cement", "www", 0xba88_eb71_6d65_660d),
    ("cement", "pwp", 0x6f7d_844c_53dc_6338),
    ("concrete", "ppp", 0x5661_cb2b_e666_6bb9),
    ("concrete", "www", 0x2c4e_f323_873c_87a0),
    ("concrete", "pwp", 0xbd14_b016_7047_f4e7),
    ("din-a16", "ppp", 0x82c8_23c7_b152_b089),
    ("din-a16", "www", 0x0c1c_6e50_6e4b_a166),
    ("din-a16", "pwp", 0x08c6_8b3a_43ba_72d4),
    ("din-a32", "ppp", 0x7119_70c6_8af7_985a),
    ("din-a32", "www", 0x419c_3042_300f_4ac4),
    ("din-a32", "pwp", 0x2320_495e_8cdc_20c9),
    ("din-b16", "ppp", 0x838d_c704_a865_09c8),
    ("din-b16", "www", 0x5a11_da00_409f_f204),
    ("din-b16", "pwp", 0x943f_7096_4f4b_8446),
    ("din-b32", "ppp", 0x7102_b7fa_4347_ade7),
    ("din-b32", "www", 0x1989_bdbc_84a8_89ea),
    ("din-b32", "pwp", 0xe79c_8995_437b_ed3d),
    ("din-c16", "ppp", 0xcf4b_07ba_70fc_5fd8),
    ("din-c16", "www", 0x4f95_c50b_a952_902b),
    ("din-c16", "pwp", 0x3013_0097_95a6_35f5),
    ("din-c32", "ppp", 0xa01d_8a29_6bfc_d56f),
    ("din-c32", "www", 0x8ce2_cc78_b6d6_d0fe),
    ("din-c32", "pwp", 0xc1cc_c066_fe38_abdc),
    ("equal", "ppp", 0x110e_c617_b414_fe7f),
    ("equal", "www", 0x352a_2e6a_a6c5_0b74),
    ("equal", "pwp", 0x5e10_734e_deb6_7ef5),
    ("fuller-16", "ppp", 0x23b4_2543_0848_2029),
    ("fuller-16", "www", 0x5109_86ee_01f9_84c3),
    ("fuller-16", "pwp", 0xd806_9d73_8b81_1c50),
    ("fuller-2011", "ppp", 0xd622_9dcb_12cc_709c),
    ("fuller-2011", "www", 0x5bdf_91c2_e476_87b3),
    ("fuller-2011", "pwp", 0x5e9b_4697_3fe1_75c5),
    ("power-law-0", "ppp", 0xd251_215e_44f9_eb10),
    ("power-law-0", "www", 0xf8c6_0c39_6e4d_d3d5),
    ("power-law-0", "pwp", 0xc628_01ab_0caf_efa5),
    ("power-law-2", "ppp", 0x8b24_9f81_880d_aca5),
    ("power-law-2", "www", 0x894f_a5ba_cba9_bb39),
    ("power-law-2", "pwp", 0x82a9_8657_6bc8_c34a),
    ("power-law-3", "ppp", 0x86a5_0425_35a3_e64f),
    ("power-law-3", "www", 0xebcd_7aee_2ed2_7188),
    ("power-law-3", "pwp", 0xd4b5_e339_0647_5070),
    ("power-law-3, random", "normal", 0x7b0c_92eb_8e32_8637),
    ("power-law-3, random", "thorough", 0x6756_ad90_7cb7_5de9),
    (
        "power-law-3, random",
        "fraction 0.05",
        0xd7ea_2867_1bec_4690,
    ),
    ("power-law-3, random", "fraction 0.5", 0x633c_5f25_63d6_30b6),
    ("power-law-3, random", "fraction 0.9", 0x3b01_bbcd_b550_3a71),
    ("power-law-3, random", "container", 0xf451_8f43_7851_25e1),
    ("power-law-3, random", "min gap", 0x3a33_351b_1169_bd7b),
    ("power-law-3, random", "max sweeps", 0x3f46_cda5_b63a_0b4e),
    ("power-law-3, random", "exchange", 0x403a_d965_7c81_2896),
    ("power-law-3", "many", 0x0d7e_73d9_f78e_d732),
    ("concrete", "many", 0xe9c2_4cda_5dbd_c0ad),
    ("concrete", "cylinder", 0x9439_809a_f24f_2563),
    ("concrete", "periodic cylinder", 0x4e5b_97fe_0190_2ca4),
    ("concrete", "sphere", 0x5c3a_e747_e0ed_cdbd),
    ("concrete", "cone", 0xdf99_5bbd_8c2a_c06a),
    ("concrete", "cylinder, exact", 0x3b7f_1e80_860c_73a7),
    ("concrete", "around bars", 0xdc01_9913_f334_7251),
    ("concrete", "around a box", 0xf20a_c627_cbdd_2067),
    ("concrete", "cone, fraction 0.5", 0x043e_ecae_49be_d76a),
    (
        "power-law-3, random",
        "sphere, wall gap",
        0xcfde_eb31_aa2a_6050,
    ),
    ("concrete", "fixed spheres", 0x7582_de88_db3e_04cd),
    ("concrete", "many, cylinder", 0xb01b_487d_27d2_8f8d),
    ("power-law-3", "many, sphere", 0xe6d7_b45e_d413_cd59),
    ("power-law-3", "many, cone", 0x4c7e_beee_9307_2109),
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
