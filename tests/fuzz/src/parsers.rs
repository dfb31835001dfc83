//! Checks of every parser, for any input.
//!
//! Each check reads the input as one kind of text, and panics where the library breaks a promise about the result. The
//! fuzz targets in `src/bin` and the replay in `tests/integration/corpora.rs` share the checks.

use glam::DVec3;
#[cfg(feature = "report")]
use jostle::report::{Coloring, Still};
use jostle::{
    Boundaries, Certificate, Container, Packer, Packing, SizeSpec, Spheres, certify,
    container::{Mesh, MeshFault},
    distribution::Sampling,
    io::{
        ContainerHint, Format, ReadError, ReadPacking, read_checkpoint_from, read_packing_from,
        write_packing,
    },
    packing::ClosestPair,
    read_packing, write_files,
};
use strum::VariantArray;

/// Reads an input with one parser, and panics if the result breaks a promise.
pub type Check = fn(&[u8]) -> Outcome;

/// The name of each parser and its check. The name is also that of the fuzz target and of the directory in `corpus`.
pub const PARSERS: &[(&str, Check)] = &[
    ("sizes", sizes),
    ("laws", laws),
    ("tables", tables),
    ("csv", |input| packing(Format::Csv, input)),
    ("xyz", |input| packing(Format::Xyz, input)),
    ("lammps", |input| packing(Format::LammpsData, input)),
    ("dump", |input| packing(Format::LammpsDump, input)),
    ("yade", |input| packing(Format::Yade, input)),
    ("gengeo", |input| packing(Format::GenGeo, input)),
    ("vtk", |input| packing(Format::Vtp, input)),
    ("pvtp", pvtp),
    ("npz", |input| packing(Format::Npz, input)),
    ("gsd", |input| packing(Format::Gsd, input)),
    #[cfg(feature = "parquet")]
    ("parquet", |input| packing(Format::Parquet, input)),
    #[cfg(feature = "parquet")]
    ("arrow", |input| packing(Format::Arrow, input)),
    ("xyzd", |input| packing(Format::Xyzd, input)),
    ("vtk-legacy", |input| packing(Format::Vtk, input)),
    ("npy", |input| packing(Format::Npy, input)),
    ("mercury", |input| packing(Format::Mercury, input)),
    ("mfix", |input| packing(Format::Mfix, input)),
    ("lethe", |input| packing(Format::Lethe, input)),
    ("pfc", |input| packing(Format::Pfc, input)),
    ("musen", |input| packing(Format::Musen, input)),
    ("json", |input| packing(Format::Json, input)),
    ("checkpoint", checkpoint),
    #[cfg(feature = "report")]
    ("render", render),
    ("stl", |input| mesh(Mesh::from_stl(input))),
    ("obj", |input| mesh(Mesh::from_obj(input))),
    ("ply", |input| mesh(Mesh::from_ply(input))),
];

/// The decision of a parser about an input.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// The parser returned a value, and the value keeps all promises.
    Accepted,
    /// The parser returned an error, and the error is one short line.
    Rejected,
    /// The check ignores the input, because it is too long, is not UTF-8, or names a file.
    Ignored,
}

/// Checks the body of a mesh.
fn mesh(read: Result<Mesh, MeshFault>) -> Outcome {
    let mesh = match read {
        Ok(mesh) => mesh,
        Err(error) => return rejected(&error),
    };
    assert!(mesh.volume() > 0.0 && mesh.lengths().is_finite());
    let container = Container::mesh(mesh);
    let radius = container.largest_radius();
    assert!(radius > 0.0 && radius <= 0.5000001 * container.lengths().min_element());
    // The certificate has other formulas than the container.
    let size = container.lengths().max_element();
    for share in [0.1, 0.3, 0.5, 0.9] {
        let center = share * container.lengths();
        let certificate = certify(&Spheres::new(vec![center], vec![0.0]), &container);
        let gap = container.wall_gap(center, 0.0);
        assert!((certificate.min_gap - gap).abs() <= 1e-9 * size);
    }
    Outcome::Accepted
}

/// Longest input of a check, in bytes. Longer inputs take more time and reach no more code.
const LONGEST_INPUT: usize = 1 << 16;

/// Longest error message, in characters.
const LONGEST_MESSAGE: usize = 1000;

/// Number of diameters in a sample.
const SAMPLE: usize = 50;

/// Side of a picture, in pixels.
#[cfg(feature = "report")]
const PICTURE: usize = 8;

/// Number of sweeps after a checkpoint.
const SWEEPS: usize = 20;

/// Largest number of spheres that are compared pair by pair.
const MOST_COMPARED: usize = 100;

/// Runs the check of one parser.
///
/// # Panics
/// If no parser has this name, or the library breaks a promise.
pub fn check(parser: &str, input: &[u8]) -> Outcome {
    let (_, check) = PARSERS
        .iter()
        .find(|(name, _)| *name == parser)
        .expect("the list of parsers has this name");
    if input.len() > LONGEST_INPUT {
        return Outcome::Ignored;
    }
    check(input)
}

/// Reads the JSON text of a size distribution.
fn sizes(input: &[u8]) -> Outcome {
    let Ok(text) = str::from_utf8(input) else {
        return Outcome::Ignored;
    };
    size_spec(SizeSpec::from_json("input.json", text))
}

/// Reads a preset or an inline law. Texts that may name a file are ignored.
fn laws(input: &[u8]) -> Outcome {
    match str::from_utf8(input) {
        Ok(text) if !may_name_file(text) => size_spec(SizeSpec::load(text)),
        _ => Outcome::Ignored,
    }
}

fn may_name_file(text: &str) -> bool {
    let text = text.to_lowercase();
    let extensions = [".json", ".csv", ".tsv", ".txt", ".dat", ".tab"];
    text.contains("diameters:") || extensions.iter().any(|extension| text.contains(extension))
}

/// Reads a table of sieves or a list of diameters.
fn tables(input: &[u8]) -> Outcome {
    let list = SizeSpec::from_diameters("input.txt", input);
    if let Err(error) = list {
        rejected(&error);
    }
    size_spec(SizeSpec::from_table("input.csv", input))
}

fn size_spec(read: Result<SizeSpec, jostle::distribution::SizeSpecError>) -> Outcome {
    let spec = match read {
        Ok(spec) => spec,
        Err(error) => return rejected(&error),
    };
    let law = &spec.distribution;
    let range = law.d_min()..=law.d_max();
    let is_diameter =
        |diameter: f64| diameter.is_finite() && diameter > 0.0 && range.contains(&diameter);
    for sampling in [Sampling::Stratified, Sampling::Random] {
        let sample = spec.sample_number(SAMPLE, sampling, 1);
        assert_eq!(sample.diameters.len(), SAMPLE, "{sampling}");
        for &diameter in &sample.diameters {
            assert!(
                is_diameter(diameter),
                "{sampling}: {diameter:?} outside {range:?}"
            );
        }
        let report = sample.report();
        assert!((0.0..=1.0).contains(&report.mass_curve_error), "{report:?}");
        assert!(!report.warning.iter().any(|warning| warning.contains('\n')));
    }
    let mut before = [0.0; 2];
    for share in [0.0, 1e-9, 0.1, 0.5, 0.9, 1.0] {
        let quantiles = [law.number_quantile(share), law.mass_quantile(share)];
        for (quantile, before) in quantiles.into_iter().zip(before) {
            assert!(is_diameter(quantile), "{quantile:?} outside {range:?}");
            assert!(
                quantile >= before,
                "the quantile {quantile:?} of {share} is below {before:?}"
            );
        }
        before = quantiles;
    }
    assert_eq!(
        [law.number_cdf(law.d_max()), law.mass_cdf(law.d_max())],
        [1.0; 2]
    );
    assert!(law.raw_moment(3).is_normal());
    if let Some(classes) = law.classes() {
        assert!(
            classes.is_sorted_by(|a, b| a.diameter < b.diameter),
            "{classes:?}"
        );
    }

    let json = serde_json::to_string(&spec).expect("a size distribution has a JSON form");
    let again = SizeSpec::from_json("written.json", &json);
    assert_eq!(again.expect("the written form can be read"), spec);
    Outcome::Accepted
}

/// Reads a packing with several hints about its container.
fn packing(format: Format, input: &[u8]) -> Outcome {
    read_with_hints(format, |hint| read_packing_from(input, format, hint))
}

/// Reads a file that refers to pieces, beside two pieces.
fn pvtp(input: &[u8]) -> Outcome {
    let folder = tempfile::tempdir().expect("there is a directory for temporary files");
    let path = folder.path().join("p.pvtp");
    let sphere = Spheres::new(vec![DVec3::ONE], vec![0.5]);
    for piece in ["p_0.vtp", "p_1.vtp"] {
        let container = Container::cuboid(DVec3::splat(4.0), Boundaries::PERIODIC).expect("a cube");
        let packing = Packing::new(sphere.clone(), container);
        write_files(&packing, &[folder.path().join(piece)]).expect("the directory is new");
    }
    std::fs::write(&path, input).expect("the directory is new");
    read_with_hints(Format::Pvtp, |hint| read_packing(&path, hint))
}

fn read_with_hints(
    format: Format,
    read: impl Fn(Option<ContainerHint>) -> Result<ReadPacking, ReadError>,
) -> Outcome {
    let boundary: Boundaries = "wpp".parse().expect("three letters");
    let container = Container::cuboid(DVec3::new(4.0, 5.0, 6.0), Boundaries::PERIODIC);
    let hints = [
        None,
        Some(ContainerHint::from(boundary)),
        Some(ContainerHint::from(container.expect("positive lengths"))),
    ];
    let mut outcome = Outcome::Rejected;
    for hint in hints {
        match read(hint) {
            Ok(read) => {
                accepted(format, &read);
                outcome = Outcome::Accepted;
            }
            Err(error) => {
                rejected(&error);
            }
        }
    }
    outcome
}

/// Reads a checkpoint and continues its run. The input lacks the checksum and the last line, which the check adds.
fn checkpoint(input: &[u8]) -> Outcome {
    if let Err(error) = read_checkpoint_from(input) {
        rejected(&error);
    }
    let checksum = crc32fast::hash(input).to_le_bytes();
    let checkpoint = match read_checkpoint_from(&[input, &checksum, b"end\n"].concat()) {
        Ok(checkpoint) => checkpoint.threads(1).time_limit(None),
        Err(error) => return rejected(&error),
    };
    if checkpoint.radii().len() > MOST_COMPARED {
        return Outcome::Ignored;
    }
    let mut packer = match Packer::resume(checkpoint) {
        Ok(packer) => packer,
        Err(error) => return rejected(&error),
    };
    for _ in 0..SWEEPS {
        packer.sweep();
    }
    let again = Packer::resume(packer.checkpoint()).expect("a run makes checkpoints that continue");
    let packing = packer.finish().packing;
    assert_eq!(packing, again.finish().packing);
    assert_eq!(packing.certificate().max_overlap, 0.0);
    compare_with_all_pairs(&packing);
    let mut file = Vec::new();
    write_packing(&packing, Format::Json, &mut file).expect("a vector takes all bytes");
    let read =
        read_packing_from(&file[..], Format::Json, None).expect("a packing can be read back");
    assert_eq!(read.packing.spheres(), packing.spheres());
    Outcome::Accepted
}

/// Draws a packing, also one whose spheres overlap.
#[cfg(feature = "report")]
fn render(input: &[u8]) -> Outcome {
    let packing = match read_packing_from(input, Format::Json, None) {
        Ok(read) => read.packing,
        Err(error) => return rejected(&error),
    };
    let mut outcome = Outcome::Rejected;
    for coloring in [
        Coloring::Size,
        Coloring::Contacts,
        Coloring::Type,
        Coloring::Level,
        Coloring::StrictLevel,
    ] {
        for still in [Still::default(), Still::default().cut(0, 0.5)] {
            match still.side(PICTURE).coloring(coloring).draw(&packing) {
                Ok(pixels) => {
                    assert_eq!(pixels.len(), 3 * PICTURE * PICTURE);
                    outcome = Outcome::Accepted;
                }
                Err(error) => {
                    rejected(&error);
                }
            }
        }
    }
    outcome
}

/// Checks the error of a rejected input.
fn rejected(error: &dyn std::error::Error) -> Outcome {
    let message = error.to_string();
    assert!(!message.trim().is_empty());
    assert!(
        message.chars().count() <= LONGEST_MESSAGE,
        "too long: {message}"
    );
    assert!(
        !message.contains(char::is_control),
        "not one line: {message:?}"
    );
    Outcome::Rejected
}

/// Checks a packing that was read.
fn accepted(format: Format, read: &ReadPacking) {
    let ReadPacking { packing, ids, .. } = read;
    let spheres = &packing.spheres();
    for (center, radius) in spheres.iter() {
        assert!(center.is_finite() && radius.is_finite() && radius > 0.0);
        for axis in (0..3).filter(|&axis| packing.container().is_periodic(axis)) {
            let length = packing.container().lengths()[axis];
            assert!(
                (0.0..length).contains(&center[axis]),
                "{center} is outside {length}"
            );
        }
    }
    if let Some(ids) = ids {
        assert_eq!(ids.len(), spheres.len());
    }
    if spheres.len() <= MOST_COMPARED {
        // `tests/integration/containers.rs` checks curved walls.
        if packing.container().is_bounding_box() {
            compare_with_all_pairs(packing);
        }
        for &other in Format::VARIANTS
            .iter()
            .filter(|format| format.is_readable() && format.is_exact() && !format.has_pieces())
        {
            if other == Format::Json || packing.container().is_bounding_box() {
                write_and_read(packing, other, format == other);
            }
        }
    }
}

/// Writes a packing and compares it with the packing that is read back.
fn write_and_read(packing: &Packing, format: Format, is_own: bool) {
    let mut file = Vec::new();
    if let Err(error) = write_packing(packing, format, &mut file) {
        // Some formats store diameters, which can be infinite although the radii are finite.
        let is_infinite = |radius: &f64| !(2.0 * radius).is_finite();
        assert!(packing.spheres().radii().iter().any(is_infinite), "{error}");
        rejected(&error);
        return;
    }
    let hint = packing.container().clone();
    let again = match read_packing_from(&*file, format, hint) {
        Ok(read) => read.packing,
        Err(error) => panic!("written as .{format}: {error}"),
    };
    // LAMMPS and LIGGGHTS refuse centers outside of the box, so that their files state a larger one, with another corner.
    if matches!(format, Format::LammpsData | Format::Liggghts) && has_center_outside(packing) {
        assert_eq!(again.spheres().radii(), packing.spheres().radii());
        return;
    }
    if format == Format::Json && is_own {
        assert_eq!(&again, packing);
    }
    assert_eq!(again.spheres(), packing.spheres(), "written as .{format}");
    assert_eq!(
        again.container(),
        packing.container(),
        "written as .{format}"
    );
    assert_eq!(
        again.certificate(),
        packing.certificate(),
        "written as .{format}"
    );
}

fn has_center_outside(packing: &Packing) -> bool {
    let lengths = packing.container().lengths();
    let mut centers = packing.spheres().centers().iter();
    centers.any(|center| !(center.cmpge(DVec3::ZERO).all() && center.cmple(lengths).all()))
}

/// Compares the certificate with the smallest gap of all pairs, walls and periodic images.
///
/// The certificate states the gap in f64, so both gaps have rounding errors. The bounds of a gap are its smallest and its
/// largest true value.
fn compare_with_all_pairs(packing: &Packing) {
    let Certificate {
        max_overlap,
        min_gap,
        closest,
    } = packing.certificate();
    assert_eq!(max_overlap, if min_gap < 0.0 { -min_gap } else { 0.0 });

    let scale = scale(packing);
    let largest = scale * f64::MAX;
    let within_range = |gap: f64| gap.clamp(-largest, largest);
    let stated = within_range(scale * min_gap);
    let mut bounds = [f64::INFINITY; 2];
    let mut named = None;
    for_each_gap(packing, scale, |pair, gap, terms| {
        // Each gap is a sum of few terms, and a square root of squares. A sum beyond the range of f64 says nothing.
        let rounding = if terms < largest {
            16.0 * f64::EPSILON * terms + 1e-320
        } else {
            f64::INFINITY
        };
        let gap = [gap - rounding, gap + rounding].map(within_range);
        bounds = [bounds[0].min(gap[0]), bounds[1].min(gap[1])];
        if closest == Some(pair) {
            named = Some(gap);
        }
    });
    if packing.spheres().is_empty() {
        assert_eq!((min_gap, closest), (f64::INFINITY, None));
        return;
    }
    let contains = |[low, high]: [f64; 2]| low <= stated && stated <= high;
    assert!(
        contains(bounds),
        "{stated:?} is outside {bounds:?}; {packing:?}"
    );
    assert!(
        named.is_some_and(contains),
        "{stated:?} is not of {closest:?}; {packing:?}"
    );
}

/// Returns a power of two that keeps the sums of the numbers of a packing within the range of f64.
fn scale(packing: &Packing) -> f64 {
    let mut largest = packing.container().lengths().max_element();
    for (center, radius) in packing.spheres().iter() {
        largest = largest.max(center.abs().max_element()).max(radius);
    }
    if largest > 1e300 { 0.0625 } else { 1.0 }
}

/// Calls `visit` with every pair of bodies, their gap, and the sum of the terms of the gap without signs; all scaled.
fn for_each_gap(packing: &Packing, scale: f64, mut visit: impl FnMut(ClosestPair, f64, f64)) {
    let container = &packing.container();
    let lengths = (container.lengths() * scale).to_array();
    let spheres: Vec<_> = (packing.spheres().iter())
        .map(|(center, radius)| ((center * scale).to_array(), radius * scale))
        .collect();
    for (i, &(a, radius)) in spheres.iter().enumerate() {
        for axis in 0..3 {
            let (x, length) = (a[axis], lengths[axis]);
            if container.is_periodic(axis) {
                let gap = length - radius - radius;
                visit(ClosestPair::Image(i, axis), gap, length + radius);
            } else {
                let gap = (x - radius).min(length - x - radius);
                visit(ClosestPair::Wall(i, axis), gap, x.abs() + length + radius);
            }
        }
        for (j, &(b, other)) in spheres.iter().enumerate().skip(i + 1) {
            let mut terms = radius + other;
            let distances: [f64; 3] = std::array::from_fn(|axis| {
                let (difference, length) = (b[axis] - a[axis], lengths[axis]);
                if container.is_periodic(axis) {
                    terms += length;
                    [difference - length, difference, difference + length]
                        .map(f64::abs)
                        .into_iter()
                        .fold(f64::INFINITY, f64::min)
                } else {
                    difference.abs()
                }
            });
            let distance = distances[0].hypot(distances[1]).hypot(distances[2]);
            let gap = distance - radius - other;
            visit(ClosestPair::Spheres(i, j), gap, distance + terms);
        }
    }
}
