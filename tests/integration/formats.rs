//! Files: the text of each format, round trips to the same bits, files of other programs, and the messages about
//! invalid files.

use std::{
    fs,
    io::{self, BufReader, Read},
    path::Path,
};

use base64::{Engine, engine::general_purpose::STANDARD};
use glam::DVec3;
use jostle::{
    Boundaries, Container, Packing, Spheres,
    io::{
        ContainerHint, ExportOptions, FileOrigin, Format, Frame, Origin, ReadError, ReadOptions,
        ReadPacking, check_writable, export_packing, read_packing_from, write_packing,
    },
    packing::ClosestPair,
    read_packing, write_files,
};
use proptest::prelude::*;
use serde_json::json;
use strum::VariantArray;
use tempfile::TempDir;

use crate::common::directory::names_in;

fn container(lengths: [f64; 3], boundary: &str) -> Container {
    Container::cuboid(lengths.into(), boundary.parse().unwrap()).unwrap()
}

fn packing(all: &[[f64; 4]], container: Container) -> Packing {
    let spheres = Spheres::new(
        all.iter()
            .map(|&[x, y, z, _]| DVec3::new(x, y, z))
            .collect(),
        all.iter().map(|&[.., radius]| radius).collect(),
    );
    Packing::new(spheres, container)
}

/// Four spheres with numbers that need many digits.
fn example() -> Packing {
    // From JSON, so that this test needs no change when these types get more fields.
    let sizes = json!({
        "d_min": 0.2,
        "d_max": 1.0,
        "mass_curve": [[0.2, 0.1, 0.125], [1.0, 1.0, 1.0]],
        "mass_curve_error": 0.025,
        "warning": "a \"quoted\" warning",
    });
    let provenance = json!({
        "program": "jostle 0.0.0",
        "generator": "Pcg64",
        "seed": u64::MAX,
        "sizes": "fuller-16",
        "sampling": "stratified",
        "index": "loose-octree",
        "effort": 0.5,
        "fraction": null,
        "lengths": [2.5, 3.0, 3.5],
        "min_gap": 1e-9,
        "max_sweeps": 52,
        "sweeps": 12,
        "relocations": 48,
        "stop": "fraction-reached",
    });
    let mut packing = packing(
        &[
            [0.1, 1e-7, 0.300_000_000_000_000_04, 0.1],
            [2.4, 1.5, 3.1, 1.0 / 3.0],
            [1.25, 1.5, 1.75, 0.5],
            [
                2.0_f64.sqrt(),
                0.1 + 0.2,
                1e-300 + 0.125,
                0.123_456_789_012_345_68,
            ],
        ],
        container([2.5, 3.0, 10.0 / 3.0 + 0.2], "ppw"),
    );
    packing.sizes = serde_json::from_value(sizes).unwrap();
    packing.provenance = serde_json::from_value(provenance).unwrap();
    packing.unit = "mm".to_owned();
    packing
}

fn bytes(packing: &Packing, format: Format) -> Vec<u8> {
    let mut out = Vec::new();
    write_packing(packing, format, &mut out).unwrap();
    out
}

fn text(packing: &Packing, format: Format) -> String {
    String::from_utf8(bytes(packing, format)).unwrap()
}

/// Reads `content` from memory and from a file, which must give the same. Returns the packing or the message about
/// the file.
fn read_text(format: Format, content: &[u8], hint: Option<&Container>) -> Result<Packing, String> {
    let hint = hint.map(|container| ContainerHint::Container(container.to_owned()));
    let from_memory = read_packing_from(content, format, hint.clone());

    let directory = TempDir::new().unwrap();
    let path = directory
        .path()
        .join(format!("file.{}", format.extension()));
    fs::write(&path, content).unwrap();
    let options = ReadOptions::from(hint).format(format);
    match (from_memory, read_packing(&path, options)) {
        (Ok(from_memory), Ok(from_file)) => {
            assert_same_bits(&from_memory.packing, &from_file.packing);
            assert_eq!(from_memory.ids, from_file.ids);
            Ok(from_file.packing)
        }
        (Err(from_memory), Err(from_file)) => {
            let (without_name, message) = (from_memory.to_string(), from_file.to_string());
            let folder = directory.path().display().to_string();
            assert!(!without_name.contains(&folder), "{without_name}");
            let sentence = message.strip_prefix(&format!("'{}'", path.display()));
            let sentence = sentence.expect("the message begins with the name of the file");
            assert_eq!(
                sentence.trim_start_matches([',', ':', ' ']),
                without_name,
                "{message}"
            );
            Err(message)
        }
        (from_memory, from_file) => panic!("memory: {from_memory:?}, file: {from_file:?}"),
    }
}

fn assert_same_bits(a: &Packing, b: &Packing) {
    assert_eq!(a.container(), b.container());
    assert_eq!(a.certificate(), b.certificate());
    for (a, b) in a.spheres().iter().zip(b.spheres().iter()) {
        assert_eq!(
            a.0.to_array().map(f64::to_bits),
            b.0.to_array().map(f64::to_bits)
        );
        assert_eq!(a.1.to_bits(), b.1.to_bits());
    }
    assert_eq!(a.spheres().len(), b.spheres().len());
}

#[test]
fn json_is_as_documented() {
    insta::assert_snapshot!(text(&example(), Format::Json));
}

#[test]
fn csv_is_as_documented() {
    insta::assert_snapshot!(text(&example(), Format::Csv));
}

#[test]
fn xyz_is_as_documented() {
    insta::assert_snapshot!(text(&example(), Format::Xyz));
}

#[test]
fn vtp_is_as_documented() {
    insta::assert_snapshot!(text(&example(), Format::Vtp));
}

#[test]
fn lammps_data_is_as_documented() {
    insta::assert_snapshot!(text(&example(), Format::LammpsData));
}

#[test]
fn the_time_of_xml_is_proportional_to_its_length() {
    let names = |count: usize, name: &str| {
        let names = (0..count).map(|i| format!(" {name}{i}=\"u{i}\""));
        names.collect::<String>()
    };
    let nested: String = (0..4000).map(|i| format!("<a xmlns:n{i}=\"u\">")).collect();
    for (start, words) in [
        (names(4000, "xmlns:n"), "more than 16 XML name spaces"),
        (names(40_000, "a"), "more than 100 attributes"),
        (
            format!("><VTKFile{}", names(101, "a")),
            "more than 100 attributes",
        ),
    ] {
        let text = format!("<VTKFile type=\"PolyData\"{start}></VTKFile>");
        refused(Format::Vtp, &text, &[words]);
    }
    refused(
        Format::Vtp,
        &format!("<VTKFile>{nested}"),
        &["more than 16 XML name spaces"],
    );
}

/// Returns a compressed VTP file and a compressed NumPy archive of equal spheres at one place, without the corner of the container.
fn compressed(spheres: usize) -> [(Format, Vec<u8>); 2] {
    use std::io::Write;
    let ones = |count: usize| 1.0_f64.to_le_bytes().repeat(count);
    let array = |name: &str, width: usize| {
        let data = ones(width * spheres);
        let mut encoder = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::best());
        encoder.write_all(&data).unwrap();
        let block = encoder.finish().unwrap();
        let head = [1, data.len(), 0, block.len()].map(|word| (word as u64).to_le_bytes());
        let text = [head.concat(), block]
            .map(|bytes| STANDARD.encode(bytes))
            .concat();
        format!("<DataArray type=\"Float64\" Name=\"{name}\" format=\"binary\">{text}</DataArray>")
    };
    let vtp = format!(
        "<VTKFile type=\"PolyData\" header_type=\"UInt64\" compressor=\"vtkZLibDataCompressor\"><Piece><Points>{}</Points>\
         <PointData>{}</PointData></Piece></VTKFile>",
        array("Points", 3),
        array("radius", 1)
    );
    let mut archive = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    let deflated = zip::write::SimpleFileOptions::default()
        .compression_method(zip::CompressionMethod::Deflated);
    for (name, width, shape) in [("centers", 3, ", 3"), ("radii", 1, ",")] {
        archive.start_file(format!("{name}.npy"), deflated).unwrap();
        let head =
            format!("{{'descr': '<f8', 'fortran_order': False, 'shape': ({spheres}{shape}), }}");
        archive.write_all(b"\x93NUMPY\x01\x00").unwrap();
        archive
            .write_all(&(head.len() as u16).to_le_bytes())
            .unwrap();
        archive.write_all(head.as_bytes()).unwrap();
        archive.write_all(&ones(width * spheres)).unwrap();
    }
    let npz = archive.finish().unwrap().into_inner();
    [(Format::Vtp, vtp.into_bytes()), (Format::Npz, npz)]
}

#[test]
fn few_compressed_bytes_never_become_many_spheres() {
    let container = container([4.0; 3], "ppp");
    for (format, bytes) in compressed(1000) {
        let read = read_text(format, &bytes, Some(&container)).unwrap();
        assert_eq!(read.spheres().len(), 1000);
    }
    for (format, bytes) in compressed(1_000_000) {
        assert!(bytes.len() < 70_000, "{format}: {}", bytes.len());
        let error = read_text(format, &bytes, Some(&container)).unwrap_err();
        assert!(
            error.contains("the compressed data expand to more than"),
            "{error}"
        );
    }
}

#[test]
fn vtp_arrays_hold_a_byte_count_and_the_bits_of_the_numbers() {
    let packing = example();
    let text = text(&packing, Format::Vtp);
    let array = |name: &str| -> Vec<[u8; 8]> {
        let start = text.find(&format!("Name=\"{name}\"")).unwrap();
        let base64 = text[start..].lines().nth(1).unwrap();
        let bytes = STANDARD.decode(base64).unwrap();
        let words: Vec<[u8; 8]> = bytes.as_chunks().0.to_vec();
        assert_eq!(u64::from_le_bytes(words[0]), 8 * (words.len() as u64 - 1));
        words[1..].to_vec()
    };
    let floats = |name| -> Vec<f64> { array(name).into_iter().map(f64::from_le_bytes).collect() };
    let integers = |name| -> Vec<i64> { array(name).into_iter().map(i64::from_le_bytes).collect() };
    assert_eq!(floats("radius"), packing.spheres().radii());
    let diameters: Vec<f64> = packing.spheres().radii().iter().map(|r| 2.0 * r).collect();
    assert_eq!(floats("diameter"), diameters);
    let points: Vec<f64> = packing
        .spheres()
        .centers()
        .iter()
        .flat_map(DVec3::to_array)
        .collect();
    assert_eq!(floats("Points"), points);
    assert_eq!(integers("id"), [0, 1, 2, 3]);
    assert_eq!(integers("connectivity"), [0, 1, 2, 3]);
    assert_eq!(integers("offsets"), [1, 2, 3, 4]);
}

#[test]
fn json_reads_back_everything() {
    let written = example();
    let read = read_text(Format::Json, text(&written, Format::Json).as_bytes(), None).unwrap();
    assert_same_bits(&written, &read);
    assert_eq!(written.sizes, read.sizes);
    assert_eq!(written.provenance, read.provenance);
    assert_eq!(written.unit, read.unit);
}

#[test]
fn json_writes_an_infinite_gap_as_null() {
    let nothing = packing(&[], container([1.0; 3], "ppp"));
    let text = text(&nothing, Format::Json);
    assert!(text.contains("\"min_gap\":null"), "{text}");
    let read = read_text(Format::Json, text.as_bytes(), None).unwrap();
    assert_eq!(read.certificate().min_gap, f64::INFINITY);
}

#[test]
fn json_certificates_are_computed_again() {
    let overlapping = packing(
        &[[1.0, 1.0, 1.0, 0.5], [1.5, 1.0, 1.0, 0.5]],
        container([4.0; 3], "ppp"),
    );
    let forged =
        text(&overlapping, Format::Json).replace("\"max_overlap\":0.5", "\"max_overlap\":0.0");
    let read = read_text(Format::Json, forged.as_bytes(), None).unwrap();
    assert_eq!(read.certificate().max_overlap, 0.5);
    assert_eq!(read.certificate().closest, Some(ClosestPair::Spheres(0, 1)));
}

/// Returns the formats that can be read from a stream. `tests/integration/data_sets.rs` has the others.
fn readable() -> impl Iterator<Item = Format> {
    Format::VARIANTS
        .iter()
        .copied()
        .filter(|format| format.is_readable() && !format.has_pieces())
}

/// Returns the formats whose files hold the centers and the sizes.
fn complete() -> impl Iterator<Item = Format> {
    readable().filter(|format| *format != Format::Npy)
}

prop_compose! {
    fn any_packing()(
        lengths in prop::array::uniform3(1e-3..1e3f64),
        boundary in prop::sample::select(&["ppp", "www", "ppw", "wpp"][..]),
        all in prop::collection::vec((prop::array::uniform3(0.0..1.0f64), -300..10i32, 1.0..2.0f64), 0..20),
    ) -> Packing {
        let all: Vec<[f64; 4]> = all
            .into_iter()
            .map(|(p, exponent, mantissa)| {
                let radius = mantissa * f64::from(exponent).exp2();
                [p[0] * lengths[0], p[1] * lengths[1], p[2] * lengths[2], radius]
            })
            .collect();
        packing(&all, container(lengths, boundary))
    }
}

proptest! {
    // Each case writes and reads every format.
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_readable_format_reads_back_the_same_bits(packing in any_packing()) {
        for format in readable().filter(|format| format.is_exact()) {
            let bytes = bytes(&packing, format);
            let read = read_text(format, &bytes, Some(packing.container())).unwrap();
            assert_same_bits(&packing, &read);
        }
    }

    #[test]
    fn random_bytes_never_panic(bytes in prop::collection::vec(any::<u8>(), 0..300)) {
        for format in readable() {
            let _ = read_text(format, &bytes, Some(&container([1.0; 3], "ppp")));
        }
    }

    #[test]
    fn damaged_files_never_panic(
        edits in prop::collection::vec((any::<prop::sample::Index>(), piece(), 0usize..12), 1..4),
    ) {
        for format in readable() {
            let mut bytes = bytes(&example(), format);
            for (start, piece, removed) in &edits {
                let start = start.index(bytes.len());
                let end = (start + removed).min(bytes.len());
                bytes.splice(start..end, piece.iter().copied());
            }
            let hint = container([2.0; 3], "ppw");
            if let Ok(packing) = read_text(format, &bytes, Some(&hint)) {
                prop_assert!(packing.spheres().centers().iter().all(|c| c.is_finite()));
                prop_assert!(packing.spheres().radii().iter().all(|r| r.is_finite() && *r > 0.0));
            }
        }
    }
}

/// Random bytes, or text that is likely to confuse a reader.
fn piece() -> impl Strategy<Value = Vec<u8>> {
    prop_oneof![
        prop::collection::vec(any::<u8>(), 0..4),
        prop::sample::select(vec![
            "-",
            "e308",
            "nan",
            "inf",
            "1e999",
            "99999999999999999999",
            "\n",
            "\"",
            "[",
            "]",
            "{",
            "}",
            ",",
            "=",
            ":",
            "#",
            "é",
            "\0",
            " 0 ",
            "null",
        ])
        .prop_map(|text| text.as_bytes().to_vec()),
    ]
}

/// Asserts that the content is refused with a message that contains all of `words`.
#[track_caller]
fn refused(format: Format, content: &str, words: &[&str]) {
    let message = read_text(
        format,
        content.as_bytes(),
        Some(&container([4.0; 3], "ppp")),
    )
    .expect_err(content);
    for word in words {
        assert!(message.contains(word), "'{word}' is not in: {message}");
    }
    assert!(!message.contains('\n') && message.len() < 400, "{message}");
}

#[test]
fn bad_csv_is_refused_with_line_column_and_value() {
    let bad = |content, words: &[&str]| refused(Format::Csv, content, words);
    bad("", &["line 1", "lack x"]);
    bad(
        "1,2,3,4,5\n",
        &["line 1", "5 columns", "names of the columns must be given"],
    );
    bad("x,y,z\n1,2,3\n", &["line 1", "lack radius"]);
    bad(
        "x,y,z,radius\n1,2,3,0.5\n1,2,three,0.5\n",
        &["line 3", "z is 'three'", "finite number"],
    );
    bad(
        "x,y,z,radius\n1,2,3,-0.5\n",
        &["line 2", "radius is '-0.5'", "positive"],
    );
    bad(
        "x,y,z,diameter\n1,2,3,0\n",
        &["line 2", "diameter is '0'", "positive"],
    );
    bad("x,y,z,radius\n1,2,nan,1\n", &["line 2", "z is 'nan'"]);
    bad(
        "x,y,z,radius\n1,2,3\n",
        &["line 2", "column 4 (radius) is missing"],
    );
    let message = read_text(Format::Csv, b"x,y,z,radius\n", None).unwrap_err();
    assert!(message.contains("does not hold the container"), "{message}");
    let message = read_text(
        Format::Csv,
        b"x,y,z,radius\n1,\xff,2,3\n",
        Some(&container([1.0; 3], "ppp")),
    );
    assert!(
        message
            .unwrap_err()
            .contains("line 2: the text is not UTF-8")
    );
}

#[test]
fn bad_xyz_is_refused_with_line_and_value() {
    let head = "Lattice=\"4 0 0 0 4 0 0 0 4\" Properties=species:S:1:pos:R:3:radius:R:1";
    let bad = |content: &str, words: &[&str]| {
        refused(Format::Xyz, &content.replace("HEAD", head), words);
    };
    bad("", &["empty"]);
    bad("many\nHEAD\n", &["line 1", "'many'"]);
    bad("-1\nHEAD\n", &["line 1", "'-1'"]);
    bad("2\nHEAD\nX 1 1 1 1\n", &["announces 2", "the file has 1"]);
    bad("18446744073709551615\nHEAD\n", &["the file has 0"]);
    bad(
        "1\nHEAD\nX 1 1 1 1\n1\nHEAD\n",
        &["line 4", "the file has 0"],
    );
    bad(
        "1\nHEAD\nX 1 1 1\n",
        &["line 3", "column 5 (radius) is missing"],
    );
    bad("1\nHEAD\nX 1 1e999 1 1\n", &["line 3", "y is '1e999'"]);
    bad(
        "0\nHEAD pbc=\"T T\"\n",
        &["line 2", "pbc is 'T T'", "T T F"],
    );
    bad(
        "0\nLattice=\"4 0 0 1 4 0 0 0 4\"\n",
        &["line 2", "Lattice is '4 0 0 1", "along the axes"],
    );
    bad("0\nLattice=\"4 0 0 0 4 0 0 0\"\n", &["line 2", "9 numbers"]);
    bad(
        "0\nLattice=\"4 0 0 0 -4 0 0 0 4\"\n",
        &["line 2", "length y is -4"],
    );
    bad(
        "0\nHEAD Origin=\"0 0\"\n",
        &["line 2", "Origin is '0 0'", "3 numbers"],
    );
    bad(
        "0\nLattice=\"4 0 0 0 4 0 0 0 4\"\n",
        &["line 2", "radii, radius:R:1"],
    );
    bad(
        "0\nProperties=radius:R:1\n",
        &["line 2", "positions, pos:R:3"],
    );
    bad("0\nProperties=pos:R\n", &["line 2", "name:type:count"]);
    bad(
        "0\nProperties=pos:R:18446744073709551615\n",
        &["line 2", "name:type:count"],
    );
    let message = read_text(Format::Xyz, b"0\nProperties=pos:R:3:radius:R:1\n", None).unwrap_err();
    assert!(message.contains("no Lattice="), "{message}");
}

#[test]
fn bad_lammps_data_is_refused_with_line_and_value() {
    let bounds = "0 4 xlo xhi\n0 4 ylo yhi\n0 4 zlo zhi\n";
    let bad = |content: &str, words: &[&str]| {
        refused(
            Format::LammpsData,
            &content.replace("BOUNDS\n", bounds),
            words,
        );
    };
    bad("", &["no section 'Atoms # sphere'"]);
    bad("title\n1 atoms\nBOUNDS\n", &["no section 'Atoms # sphere'"]);
    bad(
        "title\nmany atoms\nBOUNDS\nAtoms\n",
        &["no line like '1000 atoms'"],
    );
    bad("title\n1.5 atoms\nBOUNDS\nAtoms\n", &["line 2", "'1.5'"]);
    bad(
        "title\n1 atoms\n0 4 xlo xhi\nAtoms\n",
        &["for each of x, y and z"],
    );
    bad(
        "title\n1 atoms\n0 inf xlo xhi\nAtoms\n",
        &["line 3", "'inf'"],
    );
    bad(
        "title\n0 atoms\nBOUNDS\n4 0 xlo xhi\nAtoms\n",
        &["length x is -4"],
    );
    bad(
        "title\n0 atoms\nBOUNDS\n1 0 0 xy xz yz\nAtoms\n",
        &["line 6", "tilted", "'1 0 0 xy xz yz'"],
    );
    bad("title\n0 atoms\n4 0 1 avec\nAtoms\n", &["line 3", "tilted"]);
    bad(
        "title\n0 atoms\nBOUNDS\nAtoms # atomic\n",
        &[
            "line 6",
            "'atomic'",
            "not sphere",
            "names of the columns must be given",
        ],
    );
    bad(
        "title\n1 atoms\nBOUNDS\nAtoms\n\n1 1 1 1 1 1\n",
        &["line 8", "6 columns", "diameter density"],
    );
    bad(
        "title\n1 atoms\nBOUNDS\nAtoms\n\n1 1 0 1 1 1 1\n",
        &["line 8", "diameter is '0'"],
    );
    bad(
        "title\n2 atoms\nBOUNDS\nAtoms\n\n1 1 1 1 1 1 1\n",
        &["announces 2", "the file has 1"],
    );
    bad(
        "title\n1 atoms\n-1e308 1 xlo xhi\n0 1 ylo yhi\n0 1 zlo zhi\nAtoms\n\n1 1 1 1 1e308 1 1\n",
        &["line 8", "so far from the container"],
    );
}

#[test]
fn bad_json_is_refused_with_field_and_line() {
    let good = text(&example(), Format::Json);
    let bad = |from: &str, to: &str, words: &[&str]| {
        assert!(good.contains(from), "{from}");
        refused(Format::Json, &good.replacen(from, to, 1), words);
    };
    bad(
        "jostle-packing",
        "geo",
        &["'geo'", "jostle-packing", "line 2"],
    );
    bad(
        "\"version\":\"1.1\"",
        "\"version\":3",
        &["version 3.0", "versions 1.1 and 2.0", "line 3"],
    );
    bad(
        "\"version\":\"1.1\"",
        "\"version\":1.7",
        &["`1.7`", "a version such as 1 or \"1.7\"", "line 3"],
    );
    bad("\"unit\"", "\"units\"", &["missing field `unit`"]);
    bad("2.5", "-2.5", &["length x is -2.5", "line 5"]);
    bad("\"ppw\"", "\"pp\"", &["boundary 'pp'", "line 5"]);
    bad("0.1]", "0.0]", &["radius of sphere 0", "positive"]);
    bad("0.1]", "1e999]", &["out of range"]);
    bad("0.1]", "0.1,1]", &["line 10"]);
    refused(Format::Json, "", &["EOF"]);
    refused(Format::Json, "[]", &["line 1"]);
    refused(Format::Json, &"[".repeat(100_000), &["line 1"]);
}

#[test]
fn files_of_other_programs_are_read() {
    let expected = packing(
        &[
            [0.1, 1e-7, 0.3, 0.1],
            [2.4, 1.5, 3.1, 0.3],
            [1.25, 1.5, 1.75, 0.5],
        ],
        container([2.5, 3.0, 3.5], "ppw"),
    );
    // LAMMPS write_data, with a shifted origin.
    let lammps = "LAMMPS data file via write_data, version 22 Jul 2025, timestep = 0, units = si\n\n\
        3 atoms\n1 atom types\n\n-1 1.5 xlo xhi\n0 3 ylo yhi\n0 3.5 zlo zhi\n\nMasses # none\n\n1 1\n\n\
        Atoms # sphere\n\n1 1 0.2 1 -0.9 1e-07 0.3 0 0 0 # image flags\n\n2 1 0.6 1 -1.1 1.5 3.1 -1 0 0\n\
        3 1 1 1 0.25 1.5 1.75 0 0 0\n\nVelocities\n\n1 -7.9e-11 -3.2e-11 -9e-12 0 0 0\n";
    // OVITO's LAMMPS writer.
    let ovito_data = "# LAMMPS data file written by OVITO\n\n3 atoms\n1 atom types\n\n2.5 0.0 0.0 avec\n\
        0.0 3.0 0.0 bvec\n0.0 0.0 3.5 cvec\n0.0 0.0 0.0 abc origin\n\nAtoms  # sphere\n\n\
        0 1 0.2 0.0 0.1 1.0e-07 0.3\n1 1 0.6 0.0 2.4 1.5 3.1\n2 1 1.0 0.0 1.25 1.5 1.75\n";
    // The extended XYZ of OVITO and of ASE, and a file with other brackets, columns and values.
    let ovito = "3\nLattice=\"2.5 0.0 0.0 0.0 3.0 0.0 0.0 0.0 3.5\" pbc=\"T T F\" \
        Properties=species:S:1:pos:R:3:radius:R:1\n\
        X 0.1 1.0e-07 0.3 0.1\nX 2.4 1.5 3.1 0.3\nX 1.25 1.5 1.75 0.5\n";
    let ase = "3\nLattice=\"2.5 0.0 0.0 0.0 3.0 0.0 0.0 0.0 3.5\" \
        Properties=species:S:1:pos:R:3:radius:R:1:id:I:1 Origin=\"0.0 0.0 0.0\" pbc=\"T T F\"\n\
        X        0.10000000       0.00000010       0.30000000       0.10000000        0\n\
        X        2.40000000       1.50000000       3.10000000       0.30000000        1\n\
        X        1.25000000       1.50000000       1.75000000       0.50000000        2\n";
    let other = "3\r\nenergy = 1 title='a b' Properties=Radius:R:1:Velocity:R:3:pos:R:3 \
        lattice=[[2.5, 0, 0], [0, 3, 0], [0, 0, 3.5]] pbc={1 true F} Origin=[0,0,0]\r\n\
        0.1 0 0 0 0.1 1e-7 0.3\r\n0.3 0 0 0 2.4 1.5 3.1\r\n0.5 0 0 0 -3.75 1.5 1.75\r\n\r\n";
    // A spreadsheet with other names, another order and further columns.
    let csv = "\u{feff}Diameter, Z ,Y,X,\"name, long\"\r\n0.2,0.3,1e-7,0.1,a\r\n\
        0.6,3.1,1.5,2.4,\"b\"\r\n1,1.75,-1.5,1.25,c\r\n";
    let hint = Some(expected.container());
    for (format, content) in [
        (Format::LammpsData, lammps),
        (Format::LammpsData, ovito_data),
        (Format::Xyz, ovito),
        (Format::Xyz, ase),
        (Format::Xyz, other),
        (Format::Csv, csv),
    ] {
        let read = read_text(format, content.as_bytes(), hint).expect(content);
        assert_eq!(read.container(), expected.container(), "{content}");
        let (read, expected) = (read.spheres(), expected.spheres());
        assert_eq!(read.radii(), expected.radii(), "{content}");
        for (found, wanted) in read.centers().iter().zip(expected.centers()) {
            assert!(
                (found - wanted).length() < 1e-15,
                "{found} {wanted} {content}"
            );
        }
    }
    let error = read_packing_from(
        lammps.as_bytes(),
        Format::LammpsData,
        ReadOptions::default(),
    )
    .unwrap_err();
    assert!(matches!(error, ReadError::NoBoundary { .. }), "{error:?}");
}

#[test]
fn the_extension_selects_the_format() {
    for &format in Format::VARIANTS {
        assert_eq!(format.to_string().parse(), Ok(format));
        let upper = format!("some/file.{}", format.extension().to_uppercase());
        match Format::from_path(Path::new(&upper)) {
            Ok(found) => assert_eq!(found.extension(), format.extension()),
            Err(error) => assert!(error.candidates().contains(&format), "{error}"),
        }
    }
    for bad in ["p.pdf", "p", ".csv", "p.gz", "p.pvtu"] {
        let message = Format::from_path(Path::new(bad)).unwrap_err().to_string();
        assert!(message.contains(&format!("'{bad}'")), "{message}");
        assert!(
            message.contains("names no format; use one of .json, .csv, "),
            "{message}"
        );
    }
    // A data file is one of LAMMPS unless another format is named.
    assert_eq!(Format::from_path("p.data"), Ok(Format::LammpsData));
    let message = Format::from_path("p.dat").unwrap_err().to_string();
    let expected = "several formats have the extension of 'p.dat'; the format must be one of mfix, mfix-exa, lethe, pfc";
    assert_eq!(message, expected);
    let error = read_packing(Path::new("none.json"), ReadOptions::default()).unwrap_err();
    assert!(
        error.to_string().contains("cannot read 'none.json'"),
        "{error}"
    );
    let error = read_packing_from(&b""[..], Format::Pov, ReadOptions::default()).unwrap_err();
    let message = error.to_string();
    assert!(
        message.starts_with(
            "the input cannot be read: the format pov is only written; use one of json, csv, "
        ),
        "{message}"
    );
    let needs_path = "a file of the format pvtp refers to other files; it can be written to and read from a path only";
    let error = read_packing_from(&b""[..], Format::Pvtp, ReadOptions::default()).unwrap_err();
    assert_eq!(error.to_string(), needs_path);
    let error = write_packing(&example(), Format::Pvtp, &mut Vec::new()).unwrap_err();
    assert_eq!(error.to_string(), needs_path);
}

#[cfg(not(feature = "parquet"))]
#[test]
fn a_build_without_parquet_says_where_it_is() {
    let remedy = "'cargo install --path . --features parquet' builds a program that has it, and so does the Python package";
    for name in ["parquet", "arrow"] {
        let message = name.parse::<Format>().unwrap_err().to_string();
        assert_eq!(
            message,
            format!("this build lacks the format {name}; {remedy}")
        );
    }
    for file in ["p.parquet", "p.ARROW", "p.feather"] {
        let message = Format::from_path(file).unwrap_err().to_string();
        assert_eq!(
            message,
            format!("this build lacks the format of '{file}'; {remedy}")
        );
    }
}

/// An input that fails after its first bytes.
struct Failing<'a>(&'a [u8]);

impl Read for Failing<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        match self.0.read(buffer)? {
            0 => Err(io::Error::other("the cable is cut")),
            count => Ok(count),
        }
    }
}

#[test]
fn a_failing_input_is_reported_as_such() {
    for format in readable() {
        let bytes = bytes(&example(), format);
        let input = BufReader::new(Failing(&bytes[..bytes.len() / 2]));
        let hint = example().container().clone();
        let error = read_packing_from(input, format, hint).unwrap_err();
        assert!(matches!(error, ReadError::Io { .. }), "{format}: {error:?}");
        assert_eq!(
            error.to_string(),
            "cannot read the input: the cable is cut",
            "{format}"
        );
    }
}

#[test]
fn ids_are_read_unless_one_is_not_a_whole_number() {
    let read = |content: &str| {
        let hint = container([4.0; 3], "ppp");
        read_packing_from(content.as_bytes(), Format::Csv, hint).unwrap()
    };
    let ReadPacking { packing, ids, .. } = read("id,x,y,z,radius\n7,1,1,1,0.5\n3,1,1,3,0.5\n");
    assert_eq!((packing.spheres().len(), ids), (2, Some(vec![7, 3])));
    assert_eq!(
        read("id,x,y,z,radius\n7,1,1,1,0.5\n3.5,1,1,3,0.5\n").ids,
        None
    );
    assert_eq!(read("x,y,z,radius\n1,1,1,0.5\n").ids, None);
    let json = text(&example(), Format::Json);
    let read = read_packing_from(json.as_bytes(), Format::Json, ReadOptions::default()).unwrap();
    assert_eq!(read.ids, None);
}

#[test]
fn a_boundary_alone_completes_lammps_data_and_xyz() {
    let written = example();
    let boundary = written.container().boundary();
    for format in [Format::LammpsData, Format::Xyz] {
        let text = text(&written, format).replace(" pbc=\"T T F\"", "");
        let read = |options: ReadOptions| read_packing_from(text.as_bytes(), format, options);
        assert_same_bits(&written, &read(boundary.into()).unwrap().packing);
        match read(ReadOptions::default()) {
            Ok(without) => assert_eq!(without.packing.container().boundary(), Boundaries::PERIODIC),
            Err(error) => assert_eq!(
                (format, error.to_string().as_str()),
                (
                    Format::LammpsData,
                    "the file does not state which axes are periodic; the boundary must be given"
                )
            ),
        }
    }
    let csv = text(&written, Format::Csv);
    let error = read_packing_from(csv.as_bytes(), Format::Csv, boundary).unwrap_err();
    assert!(matches!(error, ReadError::NoContainer { .. }), "{error:?}");
}

/// A file as version 1.7 of the format might be: with unknown fields in every part but the provenance.
const VERSION_1_7: &str = r#"{
"format":"jostle-packing",
"version":"1.7",
"title":["new",{"in":1.3}],
"unit":"mm",
"container":{"material":{"kind":"steel"},"lengths":[2.5,3.0,3.5],"boundary":"ppw","color":null},
"certificate":{"max_overlap":0.0,"min_gap":0.2,"closest":{"body":[0,2]},"checked":true},
"sizes":{"d_min":0.2,"d_max":1.0,"mass_curve":[[0.2,0.1,0.125]],"mass_curve_error":0.025,"warning":null,"seed":3},
"provenance":null,
"bodies":[{"cylinder":[1.0,2.0]}],
"spheres":[
[0.1,1e-7,0.30000000000000004,0.1],
[1.25,1.5,1.75,0.5]
],
"velocities":[[0,0,0],[0,0,1]]
}
"#;

#[test]
fn newer_minor_versions_of_json_are_read() {
    let read = read_text(Format::Json, VERSION_1_7.as_bytes(), None).unwrap();
    let expected = packing(
        &[
            [0.1, 1e-7, 0.300_000_000_000_000_04, 0.1],
            [1.25, 1.5, 1.75, 0.5],
        ],
        container([2.5, 3.0, 3.5], "ppw"),
    );
    assert_same_bits(&expected, &read);
    assert_eq!(read.sizes.unwrap().mass_curve_error, 0.025);
    assert_eq!(read.unit, "mm");
}

#[test]
fn json_without_the_later_fields_of_the_provenance_is_read() {
    let current = text(&example(), Format::Json);
    let older = current
        .replace("\"lengths\":[2.5,3.0,3.5],\"min_gap\"", "\"min_gap\"")
        .replace("\"max_sweeps\":52,", "");
    assert_eq!(current.len() - older.len(), 24 + 16);
    let provenance = read_text(Format::Json, older.as_bytes(), None)
        .unwrap()
        .provenance
        .unwrap();
    assert_eq!((provenance.lengths, provenance.max_sweeps), (None, None));
}

#[test]
fn unknown_fields_of_the_provenance_are_ignored() {
    let written = example();
    let newer = text(&written, Format::Json)
        .replace("\"version\":\"1.1\"", "\"version\":\"1.7\"")
        .replace("\"seed\":", "\"weather\":{\"rain\":[1,2]},\"seed\":");
    let read = read_text(Format::Json, newer.as_bytes(), None).unwrap();
    assert_eq!(read.provenance, written.provenance);
    let misspelt = newer.replace("\"seed\":", "\"sed\":");
    refused(Format::Json, &misspelt, &["missing field `seed`", "line 8"]);
}

#[test]
fn newer_major_versions_of_json_are_refused() {
    for (version, named) in [("3", "3.0"), ("\"3.3\"", "3.3"), ("0", "0.0")] {
        let content = VERSION_1_7.replace("\"1.7\"", version);
        let named = format!("version {named} of the format jostle-packing");
        refused(
            Format::Json,
            &content,
            &["line 3", &named, "reads versions 1.1 and 2.0"],
        );
    }
    for version in ["1", "\"1.0\"", "\"1.10\"", "2", "\"2.3\""] {
        let content = VERSION_1_7.replace("\"1.7\"", version);
        read_text(Format::Json, content.as_bytes(), None).expect(version);
    }
}

#[test]
fn files_are_written_completely_or_not_at_all() {
    let directory = TempDir::new().unwrap();
    let path = |name: &str| directory.path().join(name);
    fs::write(path("old.csv"), "precious").unwrap();
    fs::create_dir(path("folder.csv")).unwrap();
    let before = names_in(directory.path());

    for (bad, words) in [
        ("none/p.csv", "there is no directory"),
        ("folder.csv", "a directory of that name"),
        ("p.pdf", "names no format"),
    ] {
        let paths = [path("old.csv"), path("new.json"), path(bad)];
        let message = write_files(&example(), &paths).unwrap_err().to_string();
        assert!(
            message.contains(words) && message.contains(bad),
            "{message}"
        );
        assert_eq!(check_writable(&paths[2]).unwrap_err().to_string(), message);
        assert_eq!(names_in(directory.path()), before);
    }
    // Here the writing itself fails.
    let spheres = Spheres::new(vec![DVec3::NAN], vec![1.0]);
    let broken = Packing::new(spheres, example().container().clone());
    let message = write_files(&broken, &[path("old.csv")])
        .unwrap_err()
        .to_string();
    assert!(
        message.contains("old.csv") && message.contains("sphere 0"),
        "{message}"
    );
    assert_eq!(names_in(directory.path()), before);
    assert_eq!(fs::read_to_string(path("old.csv")).unwrap(), "precious");

    let paths = [path("old.csv"), path("new.json")];
    for path in &paths {
        check_writable(path).unwrap();
    }
    assert_eq!(fs::read_to_string(&paths[0]).unwrap(), "precious");
    write_files(&example(), &paths).unwrap();
    assert_eq!(
        fs::read_to_string(&paths[0]).unwrap(),
        text(&example(), Format::Csv)
    );
    assert_eq!(
        names_in(directory.path()),
        ["folder.csv", "new.json", "old.csv"]
    );
}

#[test]
fn read_only_files_are_kept() {
    let directory = TempDir::new().unwrap();
    let path = directory.path().join("p.csv");
    fs::write(&path, "precious").unwrap();
    let mut permissions = fs::metadata(&path).unwrap().permissions();
    permissions.set_readonly(true);
    fs::set_permissions(&path, permissions).unwrap();
    let message = write_files(&example(), &[&path]).unwrap_err().to_string();
    assert!(message.contains("read-only"), "{message}");
    assert_eq!(fs::read_to_string(&path).unwrap(), "precious");
}

#[cfg(unix)]
#[test]
fn files_get_the_usual_permissions() {
    let directory = TempDir::new().unwrap();
    let (written, usual) = (
        directory.path().join("p.csv"),
        directory.path().join("usual"),
    );
    write_files(&example(), &[&written]).unwrap();
    fs::write(&usual, "").unwrap();
    assert_eq!(
        fs::metadata(written).unwrap().permissions(),
        fs::metadata(usual).unwrap().permissions()
    );
}

#[test]
fn the_json_in_the_manual_is_current() {
    let manual = fs::read_to_string(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/docs/guide/formats.md"
    ))
    .unwrap();
    let block = manual
        .split("```")
        .find_map(|block| block.strip_prefix("json\n"))
        .unwrap();
    let packing = read_text(Format::Json, block.as_bytes(), None).unwrap();
    assert_eq!(text(&packing, Format::Json), block);
}

/// Reads a text with options.
fn read_with(format: Format, text: &str, options: ReadOptions) -> Result<ReadPacking, String> {
    read_packing_from(text.as_bytes(), format, options).map_err(|error| error.to_string())
}

fn in_box(length: f64, boundary: &str) -> ReadOptions {
    container([length; 3], boundary).into()
}

/// The radii, which identify the spheres of these tests.
fn radii(read: &ReadPacking) -> &[f64] {
    read.packing.spheres().radii()
}

#[test]
fn more_rows_than_announced_are_refused() {
    let refused = |format: Format, text: &str, line: &str| {
        let message = read_with(format, text, in_box(10.0, "www")).unwrap_err();
        assert!(message.starts_with(line), "{format}: {message}");
    };
    let data = "LAMMPS\n\n1 atoms\n0 10 xlo xhi\n0 10 ylo yhi\n0 10 zlo zhi\n\nAtoms # sphere\n\n1 1 1 2500 2 2 2\n\n\
        Velocities\n\n1 0 0 0 0 0 0\n";
    let read = read_with(Format::LammpsData, data, in_box(10.0, "www")).unwrap();
    assert_eq!(radii(&read), [0.5]);
    assert_eq!(read.unused, ["the section 'Velocities' is not used"]);
    let more = data.replace("2 2 2\n", "2 2 2\n2 1 1 2500 2.2 2 2\n");
    refused(
        Format::LammpsData,
        &more,
        "line 11: the header announces 1 atoms",
    );
    refused(
        Format::Liggghts,
        &more,
        "line 11: the header announces 1 atoms",
    );

    let dump = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n1\nITEM: BOX BOUNDS ff ff ff\n0 9\n0 9\n0 9\n\
        ITEM: ATOMS id x y z radius\n1 2 2 2 1\n2 5 5 5 1\n";
    refused(
        Format::LammpsDump,
        dump,
        "line 9: the file announces 1 atoms, but it has 2",
    );
    refused(
        Format::Xyz,
        "1\nLattice=\"9 0 0 0 9 0 0 0 9\" Properties=pos:R:3:radius:R:1\n1 1 1 1\n4 4 4 1\n",
        "line 4: '4 4 4 1' follows the announced number of spheres",
    );
    refused(
        Format::GenGeo,
        "LSMGeometry 1.2\nBoundingBox 0 0 0 9 9 9\nPeriodicBoundaries 0 0 0\nBeginParticles\nSimple\n1\n\
         1 1 1 1 0 1\n4 4 4 1 1 1\nEndParticles\n",
        "line 8: line '4 4 4 1 1 1' follows the 1 particles",
    );
    for (format, text) in [
        (Format::Csv, "x,y,z,radius\n1,1,1,1,7\n"),
        (Format::Xyz, "1\nProperties=pos:R:3:radius:R:1\n1 1 1 1 7\n"),
    ] {
        let message = read_with(format, text, in_box(10.0, "www")).unwrap_err();
        assert!(message.contains("the row has 5 fields"), "{message}");
    }
}

/// Returns a GSD file with a second frame, which has other positions.
fn gsd_of_two_frames() -> Vec<u8> {
    let one = packing(
        &[[2.0, 2.0, 2.0, 0.5], [4.0, 2.0, 2.0, 0.25]],
        container([8.0; 3], "ppp"),
    );
    let mut file = bytes(&one, Format::Gsd);
    let word =
        |file: &[u8], at: usize| u64::from_le_bytes(file[at..at + 8].try_into().unwrap()) as usize;
    let (index, count) = (word(&file, 8), word(&file, 16));
    let mut entries = file[index..index + 32 * count].to_vec();
    // The positions are the last array.
    let mut entry = entries[32 * (count - 1)..].to_vec();
    entry[..8].copy_from_slice(&1u64.to_le_bytes());
    let location = file.len() as u64;
    entry[16..24].copy_from_slice(&location.to_le_bytes());
    for x in [-2.0f32, -2.0, -2.0, -1.5, -2.0, -2.0] {
        file.extend_from_slice(&x.to_le_bytes());
    }
    let index = file.len() as u64;
    entries.extend_from_slice(&entry);
    file.extend_from_slice(&entries);
    file[8..16].copy_from_slice(&index.to_le_bytes());
    file[16..24].copy_from_slice(&(count as u64 + 1).to_le_bytes());
    file
}

#[test]
fn one_of_several_frames_is_read_and_named() {
    let frame = |step: u32, x: f64| {
        format!(
            "ITEM: TIMESTEP\n{step}\nITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS pp pp pp\n0 8\n0 8\n0 8\n\
             ITEM: ATOMS id type x y z radius\n1 1 2 2 2 0.5\n2 1 {x} 2 2 0.25\n"
        )
    };
    let dump = frame(0, 4.0) + &frame(1, 2.5);
    let frame = |x: f64| {
        format!(
            "2\nLattice=\"8 0 0 0 8 0 0 0 8\" Properties=pos:R:3:radius:R:1\n2 2 2 0.5\n{x} 2 2 0.25\n"
        )
    };
    let xyz = frame(4.0) + &frame(2.5);
    for (format, file) in [
        (Format::LammpsDump, dump.into_bytes()),
        (Format::Xyz, xyz.into_bytes()),
        (Format::Gsd, gsd_of_two_frames()),
    ] {
        let read = |frame: Frame| {
            let options = ReadOptions::default().frame(frame);
            read_packing_from(&*file, format, options)
        };
        for (frame, overlap) in [
            (Frame::Last, 0.25),
            (Frame::Number(1), 0.25),
            (Frame::Number(0), 0.0),
        ] {
            let read = read(frame).unwrap();
            assert_eq!(
                read.packing.certificate().max_overlap,
                overlap,
                "{format}, {frame}"
            );
            let number = u8::from(frame != Frame::Number(0));
            let sentence = format!("only frame {number} of the frames 0 to 1 is used");
            assert_eq!(read.unused, [sentence], "{format}");
        }
        let message = read(Frame::Number(2)).unwrap_err().to_string();
        let expected =
            "the file has no frame 2: it holds 2 frames, and the first one has the number 0";
        assert_eq!(message, expected, "{format}");
    }
    let options = in_box(9.0, "www").frame(Frame::Number(3));
    let message = read_with(Format::Csv, "x,y,z,r\n1,1,1,1\n", options).unwrap_err();
    assert!(message.contains("csv is one frame"), "{message}");
}

#[test]
fn columns_that_count_the_rows_are_no_coordinates() {
    let numbered = "1 0.5 0.6 0.4\n2 1.5 1.6 0.3\n3 2.5 0.6 0.35\n";
    let read = |text: &str, options: ReadOptions| read_with(Format::Yade, text, options);
    let walls = || in_box(10.0, "www");
    let message = read(numbered, walls()).unwrap_err();
    assert_eq!(
        message,
        "the first column counts the rows, so that it is no x; the names of the columns must be given"
    );
    let zero = "0 0.5 0.6 0.4\n1 1.5 1.6 0.3\n";
    assert!(read(zero, walls()).is_err());
    // The caller may say that it is one, and coordinates of jostle have a point.
    let named = walls().columns("x,y,z,r".parse().unwrap());
    assert_eq!(radii(&read(numbered, named).unwrap()), [0.4, 0.3, 0.35]);
    assert!(read("1.0 1.0 1.0 0.5\n2.0 1.0 1.0 0.5\n", walls()).is_ok());
    assert!(read("1 1 1 0.5\n2 1 1 0.5\n9 1 1 0.5\n", walls()).is_ok());

    let six = "1 1 0.5 0.6 0.7 0.2\n2 2 1.5 1.6 1.4 0.1\n";
    let message = read(six, walls()).unwrap_err();
    assert_eq!(
        message,
        "line 1: the row has 6 columns, not the four x y z r; the names of the columns must be given"
    );
    let named = walls().columns("id,type,x,y,z,d".parse().unwrap());
    let six = read(six, named).unwrap();
    assert_eq!(radii(&six), [0.1, 0.05]);
    assert_eq!(six.ids, Some(vec![1, 2]));
    assert_eq!(six.packing.components().len(), 2);

    let options = ReadOptions::default().columns("x,y,z,r".parse().unwrap());
    let message = read_with(Format::Json, "{}", options).unwrap_err();
    assert!(
        message.contains("names of columns can be given for csv, tsv"),
        "{message}"
    );
}

#[test]
fn tables_of_other_programs_are_read_or_described() {
    let read = |text: &str| read_with(Format::Csv, text, in_box(10.0, "www"));
    for text in [
        "\"Radius\",\"Points:0\",\"Points:1\",\"Points:2\"\n0.5,2,3,4\n",
        "x,y,z,d\n2,3,4,1\n",
        "x,y,z,r\n2,3,4,0.5\n",
        "X,Y,Z,radii,\n2,3,4,0.5,\n",
    ] {
        let read = read(text).expect(text);
        assert_eq!(
            read.packing.spheres().centers(),
            [DVec3::new(2.0, 3.0, 4.0)],
            "{text}"
        );
        assert_eq!(radii(&read), [0.5], "{text}");
    }
    let units = read("x [mm],y [mm],z [mm],r [mm],v [m/s]\n2,3,4,0.5,1\n").unwrap();
    assert_eq!(units.packing.unit, "mm");
    assert_eq!(units.unused, ["the column 'v [m/s]' is not used"]);
    for (text, words) in [
        ("x [m],y [m],z [m],r [mm]\n2,3,4,0.5\n", "different units"),
        ("x,y,z\n1,2,3\n", "the columns 'x,y,z' lack radius"),
    ] {
        let message = read(text).unwrap_err();
        assert!(message.contains(words), "{message}");
    }
    // Names replace the header, which a table may lack.
    let names = || in_box(10.0, "www").columns("x,y,z,d".parse().unwrap());
    for text in ["2,3,4,1\n", "a,b,c,e\n2,3,4,1\n"] {
        let read = read_with(Format::Csv, text, names()).expect(text);
        assert_eq!(radii(&read), [0.5], "{text}");
    }
}

#[test]
fn dumps_of_every_form_are_read() {
    let dump = |bounds: &str, columns: &str, row: &str| {
        format!(
            "ITEM: UNITS\r\nsi\r\nITEM: TIMESTEP\r\n0\r\nITEM: NUMBER OF ATOMS\r\n1\r\nITEM: BOX BOUNDS {bounds}\r\n\
             ITEM: ATOMS {columns} \r\n{row} \r\n"
        )
    };
    let straight = "pp ff pp\r\n-1 9\r\n-5 5\r\n-15 40";
    for (bounds, columns, row) in [
        (straight, "id type x y z radius", "1 1 2 -3 1.5 0.5"),
        (straight, "id type type x y z Radius", "1 1 1 2 -3 1.5 0.5"),
        (straight, "id xu yu zu diameter", "1 12 -3 1.5 1"),
        (straight, "id xs ys zs radius", "1 0.3 0.2 0.3 0.5"),
        (straight, "id xsu ysu zsu radius", "1 1.3 0.2 -0.7 0.5"),
        (
            "xy xz yz pp ff pp\r\n-1 9 0\r\n-5 5 -0.0\r\n-15 40 0e0",
            "x y z radius",
            "2 -3 1.5 0.5",
        ),
        (
            "abc origin pp ff pp\r\n10 0 0 -1\r\n0 10 0 -5\r\n0 0 55 -15",
            "x y z radius",
            "2 -3 1.5 0.5",
        ),
        ("\r\n-1 9\r\n-5 5\r\n-15 40", "x y z radius", "2 -3 1.5 0.5"),
    ] {
        let text = dump(bounds, columns, row);
        let boundary: Boundaries = "pwp".parse().unwrap();
        let read = read_with(Format::LammpsDump, &text, boundary.into()).expect(&text);
        assert_eq!(
            *read.packing.container(),
            container([10.0, 10.0, 55.0], "pwp"),
            "{text}"
        );
        let center = read.packing.spheres().centers()[0];
        assert!(
            (center - DVec3::new(3.0, 2.0, 16.5)).length() < 1e-13,
            "{text}: {center}"
        );
        assert_eq!(radii(&read), [0.5], "{text}");
        assert_eq!(read.unused, ["the item 'UNITS' is not used"], "{text}");
    }
    let refused = |bounds: &str, words: &str| {
        let text = dump(bounds, "x y z radius v", "2 -3 1.5 0.5 1");
        let message = read_with(Format::LammpsDump, &text, ReadOptions::default()).unwrap_err();
        assert!(message.contains(words), "{message}");
    };
    refused(
        "\r\n-1 9\r\n-5 5\r\n-15 40",
        "does not state which axes are periodic",
    );
    refused(
        "xy xz yz pp pp pp\r\n-1 9 1\r\n-5 5 0\r\n-15 40 0",
        "tilted ('-1 9 1')",
    );
}

#[test]
fn the_origin_moves_the_container_in_the_file() {
    let walls = container([4.0, 6.0, 8.0], "www");
    let written = packing(&[[0.5, 1.0, 7.0, 0.5], [3.0, 3.0, 4.0, 1.0]], walls.clone());
    let options = ExportOptions::default().origin(Origin::Center);
    for format in complete().filter(|format| *format != Format::Json) {
        let mut file = Vec::new();
        export_packing(&written, format, &options, &mut file).unwrap();
        for origin in [
            FileOrigin::Center,
            FileOrigin::LowCorner(DVec3::new(-2.0, -3.0, -4.0)),
        ] {
            let options = ReadOptions::from(walls.clone()).origin(origin);
            let read = read_packing_from(&*file, format, options).unwrap().packing;
            assert_eq!(
                read.spheres().centers(),
                written.spheres().centers(),
                "{format}, {origin}"
            );
            assert_eq!(read.certificate().max_overlap, 0.0, "{format}");
        }
        let options = ReadOptions::from(walls.clone()).origin(FileOrigin::Corner);
        let read = read_packing_from(&*file, format, options).unwrap().packing;
        assert!(read.certificate().max_overlap > 1.0, "{format}");
    }
    let json = text(&written, Format::Json);
    let options = ReadOptions::default().origin(FileOrigin::Center);
    let message = read_with(Format::Json, &json, options).unwrap_err();
    assert!(message.contains("origin at the low corner"), "{message}");
}

#[test]
fn own_files_are_used_completely() {
    for format in complete() {
        let read = read_packing_from(
            &*bytes(&example(), format),
            format,
            example().container().clone(),
        );
        assert_eq!(read.unwrap().unused, [""; 0], "{format}");
    }
}

#[test]
fn unused_parts_are_named() {
    let unused = |format: Format, text: &str| {
        read_with(format, text, in_box(10.0, "www"))
            .expect(text)
            .unused
    };
    assert_eq!(
        unused(Format::Csv, "vx,x,y,z,r,vy\n0,1,1,1,1,0\n"),
        ["the columns 'vx,vy' are not used"]
    );
    // Of several columns with types, one becomes the components.
    let types = "x,y,z,r,type,species\n1,1,1,1,1,A\n5,5,5,1,1,B\n";
    assert_eq!(
        unused(Format::Csv, types),
        ["the column 'species' is not used"]
    );
    assert_eq!(
        unused(
            Format::Xyz,
            "1\nTime=3 Properties=species:S:1:pos:R:3:radius:R:1:force:R:3\nX 1 1 1 1 0 0 0\n"
                .replace("Time", "Lattice=\"9 0 0 0 9 0 0 0 9\" Time")
                .as_str()
        ),
        [
            "the column 'force' is not used",
            "the key 'Time' is not used"
        ]
    );
    assert_eq!(
        unused(
            Format::GenGeo,
            "LSMGeometry 1.2\nBoundingBox 0 0 0 9 9 9\nPeriodicBoundaries 0 0 0\nBeginParticles\nSimple\n2\n\
             1 1 1 1 0 1\n5 5 5 1 1 2\nEndParticles\nBeginConnect\n1\n0 1 0\nEndConnect\n"
        ),
        ["the bonds between particles (1) are not used",]
    );
    let data = "title\n2 atoms\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\nMasses\n\n1 1\n\nAtoms\n\n\
        1 1 1 7 2 2 2\n2 2 1 8 5 5 5\n";
    assert_eq!(
        unused(Format::LammpsData, data),
        [
            "the section 'Masses' is not used",
            "the column 'density' is not used"
        ]
    );
    let json = unused(Format::Json, VERSION_1_7);
    let names = "'title,container.material,container.color,sizes.seed,bodies,velocities'";
    assert_eq!(json, [format!("the fields {names} are not used")]);
    let vtp = text(&example(), Format::Vtp).replace("Name=\"id\"", "Name=\"velocity\"");
    let read =
        read_packing_from(vtp.as_bytes(), Format::Vtp, example().container().clone()).unwrap();
    assert_eq!(read.unused, ["the array 'velocity' is not used"]);
}

#[test]
fn surfaces_and_other_programs_are_refused() {
    let vtp = text(&example(), Format::Vtp).replace("NumberOfPolys=\"0\"", "NumberOfPolys=\"2\"");
    let hint = || ReadOptions::from(example().container().clone());
    let message = read_with(Format::Vtp, &vtp, hint()).unwrap_err();
    assert!(
        message.contains("a surface or a grid with 2 faces"),
        "{message}"
    );
    let cells = |kind: &str| {
        format!(
            "<VTKFile type=\"UnstructuredGrid\" byte_order=\"LittleEndian\"><UnstructuredGrid><Piece><Points>\
             <DataArray type=\"Float64\" format=\"ascii\">1 1 1</DataArray></Points><PointData>\
             <DataArray Name=\"radius\" type=\"Float64\" format=\"ascii\">0.5</DataArray></PointData><Cells>\
             <DataArray Name=\"types\" type=\"UInt8\" format=\"ascii\">{kind}</DataArray></Cells></Piece>\
             </UnstructuredGrid></VTKFile>"
        )
    };
    assert!(read_with(Format::Vtu, &cells("1"), hint()).is_ok());
    let message = read_with(Format::Vtu, &cells("10"), hint()).unwrap_err();
    assert!(message.contains("with 1 faces or cells"), "{message}");

    let mercury = "2 0 0 0 0 1 1 2\n0.5 0.5 0.5 0 0 0 0.5 0 0 0 0 0 0 0\n0.5 0.5 1.499 0 0 0 0.5 0 0 0 0 0 0 0\n";
    let message = read_with(Format::LammpsData, mercury, ReadOptions::default()).unwrap_err();
    assert!(
        message.starts_with("line 1: the file is one of MercuryDPM"),
        "{message}"
    );
    // Style full has as many columns as style sphere.
    let full = "title\n1 atoms\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\nAtoms\n\n1 1 1 -0.5 2 2 2\n";
    let message = read_with(Format::LammpsData, full, in_box(9.0, "www")).unwrap_err();
    assert!(
        message.contains("the fourth column is -0.5, which is no density"),
        "{message}"
    );
}

#[test]
fn unknown_extensions_name_the_formats_that_can_be_read() {
    for name in ["p.spheres", "p.lmp", "p", "p.gz", "p.lmp.gz"] {
        let error = read_packing(name, ReadOptions::default()).unwrap_err();
        let ReadError::Format(error) = error else {
            panic!("{name}: {error}");
        };
        assert!(error.candidates().iter().all(|format| format.is_readable()));
        let message = error.to_string();
        let expected = format!(
            "no format that can be read has the extension of '{name}'; the format must be one of json, csv, "
        );
        assert!(message.starts_with(&expected), "{message}");
    }
}
