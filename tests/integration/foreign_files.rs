//! Files of other programs, written by hand as these programs document or write them, and their round trips.

use std::{fs, io::Write};

use flate2::{Compression, write::GzEncoder};
use glam::DVec3;
use jostle::{
    Container, Packing,
    io::{
        ExportOptions, Format, Frame, ReadError, ReadOptions, ReadPacking, check_exportable,
        export_files, export_packing, read_packing_from,
    },
    read_packing,
};
use tempfile::TempDir;

fn container(length: f64, boundary: &str) -> Container {
    Container::cuboid(DVec3::splat(length), boundary.parse().unwrap()).unwrap()
}

fn in_box(length: f64) -> ReadOptions {
    container(length, "www").into()
}

fn read(
    format: Format,
    content: impl AsRef<[u8]>,
    options: ReadOptions,
) -> Result<ReadPacking, String> {
    read_packing_from(content.as_ref(), format, options).map_err(|error| error.to_string())
}

/// Checks centers and radii.
fn assert_spheres(read: &ReadPacking, expected: &[[f64; 4]]) {
    let spheres = read.packing.spheres();
    let found: Vec<[f64; 4]> = spheres.iter().map(|(c, r)| [c.x, c.y, c.z, r]).collect();
    assert_eq!(found, expected);
}

/// Checks that a content is refused with these words.
fn refused(format: Format, content: impl AsRef<[u8]>, options: ReadOptions, words: &[&str]) {
    let message = read(format, content, options).expect_err("the content is wrong");
    for word in words {
        assert!(message.contains(word), "'{word}' is not in: {message}");
    }
    assert!(!message.contains('\n') && message.len() < 400, "{message}");
}

/// The spheres of most files of this suite.
const TWO: [[f64; 4]; 2] = [[2.0, 3.0, 4.0, 0.5], [5.0, 6.0, 7.0, 0.25]];

#[test]
fn tables_are_read_in_every_dialect() {
    for text in [
        "x;y;z;radius\n2;3;4;0.5\n5;6;7;0.25\n",
        "x;y;z;radius\n2,0;3,0;4,0;0,5\n5,0;6,0;7,0;0,25\n",
        "X;Y;Z;D;\n2;3;4;1,0;\n5;6;7;0,5;\n",
        "# x y z radius\n2 3 4 0.5\n5 6 7 0.25\n",
        "# made by hand\n#x,y,z,d\n2,3,4,1\n# a comment between\n5,6,7,0.5\n",
        "2,3,4,0.5\n5,6,7,0.25\n",
        "2.0 3.0 4.0 0.5\n\n5.0 6.0 7.0 0.25\n",
        "2\t3\t4\t0.5\n5\t6\t7\t0.25\n",
        "x  y  z  Radius\n2  3  4  0.5\n5  6  7  0.25\n",
        "Points_0,Points_1,Points_2,radii\n2,3,4,.5\n5,6,7,.25\n",
    ] {
        for format in [Format::Csv, Format::Tsv] {
            let read = read(format, text, in_box(10.0)).expect(text);
            assert_spheres(&read, &TWO);
            assert_eq!(read.unused, [""; 0], "{text}");
        }
    }
    let named = "# id x y z d\n7 2 3 4 1\n9 5 6 7 0.5\n";
    let named = read(Format::Yade, named, in_box(10.0)).unwrap();
    assert_spheres(&named, &TWO);
    assert_eq!(named.ids, Some(vec![7, 9]));
}

#[test]
fn tables_that_may_mean_something_else_are_refused() {
    let bad = |text: &str, words: &[&str]| refused(Format::Csv, text, in_box(10.0), words);
    bad(
        "1,0.5,0.6,0.4\n2,1.5,1.6,0.3\n",
        &["first column counts the rows", "names of the columns"],
    );
    bad("1,2,3,4,5\n", &["line 1", "5 columns"]);
    bad(
        "x;y;z;radius\n1;2;3;0,5,0\n",
        &["line 2", "radius is '0,5,0'"],
    );
    bad("a;b;c\n1;2;3\n", &["line 1", "'a,b,c' lack x"]);
    bad("x y z\n1 2 3\n", &["line 2", "lack radius and diameter"]);
    bad("2,3,4,0.5\n5,6,7\n", &["line 2", "column 4 (radius)"]);
}

#[test]
fn centers_need_a_diameter_and_nothing_else_takes_one() {
    let expected = [[2.0, 3.0, 4.0, 0.5], [5.0, 6.0, 7.0, 0.5]];
    let vtk =
        "# vtk DataFile Version 2.0\nc\nASCII\nDATASET POLYDATA\nPOINTS 2 float\n2 3 4\n5 6 7\n";
    let frame = "ITEM: NUMBER OF ATOMS\n2\nITEM: BOX BOUNDS ff ff ff\n0 9\n0 9\n0 9\n\
        ITEM: ATOMS id x y z\n1 2 3 4\n2 5 6 7\n";
    for (format, text) in [
        (Format::Csv, "x,y,z\n2,3,4\n5,6,7\n"),
        (Format::Csv, "2,3,4\n5,6,7\n"),
        (Format::Yade, "2 3 4\n5 6 7\n"),
        (Format::Vtk, vtk),
        (Format::LammpsDump, frame),
        (
            Format::Xyz,
            "2\nLattice=\"9 0 0 0 9 0 0 0 9\" pbc=\"F F F\" Properties=pos:R:3\n2 3 4\n5 6 7\n",
        ),
    ] {
        let read = |options: ReadOptions| read(format, text, options);
        assert_spheres(&read(in_box(9.0).diameter(1.0)).expect(text), &expected);
        let message = read(in_box(9.0)).unwrap_err();
        let end = "the diameter of all spheres must be given";
        assert!(message.ends_with(end), "{format}: {message}");
        let message = read(in_box(9.0).diameter(-1.0)).unwrap_err();
        assert!(message.contains("is -1; it must be positive"), "{message}");
    }
    let finney = "1 2 3 4\n2 5 6 7\n";
    let options = in_box(9.0).diameter(1.0);
    refused(
        Format::Yade,
        finney,
        options.clone(),
        &["4 columns", "names of the columns"],
    );
    let options = options.columns("id,x,y,z".parse().unwrap());
    let finney = read(Format::Yade, finney, options).unwrap();
    assert_spheres(&finney, &expected);
    assert_eq!(finney.ids, Some(vec![1, 2]));

    let both = in_box(9.0).diameter(1.0);
    let words = [
        "states the sizes",
        "diameter 1 can be given for centers only",
    ];
    refused(Format::Csv, "x,y,z,r\n2,3,4,1\n", both.clone(), &words);
    refused(
        Format::Json,
        "{}",
        both,
        &["json states the sizes", "csv, "],
    );
}

/// Returns an array as NumPy saves it, with this shape.
fn npy(shape: &str, values: &[f64]) -> Vec<u8> {
    let header = format!("{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}");
    let header = format!("{header:<117}\n");
    let mut file = b"\x93NUMPY\x01\x00\x76\x00".to_vec();
    file.extend(header.as_bytes());
    file.extend(values.iter().flat_map(|value| value.to_le_bytes()));
    file
}

#[test]
fn numpy_arrays_hold_centers_or_centers_and_radii() {
    let four = npy("(2, 4)", TWO.as_flattened());
    assert_spheres(&read(Format::Npy, &four, in_box(10.0)).unwrap(), &TWO);
    let options = in_box(10.0).columns("x,y,z,d".parse().unwrap());
    let halved = read(Format::Npy, &four, options).unwrap();
    assert_spheres(&halved, &[[2.0, 3.0, 4.0, 0.25], [5.0, 6.0, 7.0, 0.125]]);
    let three = npy("(1, 3)", &[2.0, 3.0, 4.0]);
    let read_three = read(Format::Npy, &three, in_box(10.0).diameter(1.0)).unwrap();
    assert_spheres(&read_three, &TWO[..1]);
    let no_size = &["lack radius and diameter", "diameter of all spheres"];
    refused(Format::Npy, &three, in_box(10.0), no_size);
    let image = npy("(2, 2, 2)", &[0.0; 8]);
    let words = &["shape [2, 2, 2]", "(N, 3) of centers"];
    refused(Format::Npy, image, in_box(10.0), words);
    refused(Format::Npy, b"text", in_box(10.0), &["no NumPy array"]);
}

const MERCURY: &str =
    "2 0 -1 0 0 9 10 10\n1 3 4 0 0 0 0.5 0 0 0 0 0 0 0\n4 6 7 1 0 0 0.25 0 0 0 0 0 0 0\n";

#[test]
fn mercury_data_are_read_with_every_time() {
    let read = |text: &str| read(Format::Mercury, text, container(99.0, "www").into());
    let one = read(MERCURY).unwrap();
    assert_spheres(&one, &TWO);
    assert_eq!(*one.packing.container(), container(10.0, "www"));
    assert_eq!(one.unused, ["the column 'vx' is not used"]);

    let two = MERCURY.to_owned() + "1 0.5 0 0 0 8 8 8\n1 1 1 0 0 0 0.5 0 0 0 0 0 0 1\n";
    let last = read(&two).unwrap();
    assert_spheres(&last, &[[1.0, 1.0, 1.0, 0.5]]);
    assert_eq!(last.unused, ["only frame 1 of the frames 0 to 1 is used"]);
    let options = in_box(99.0).frame(Frame::Number(0));
    let first = self::read(Format::Mercury, &two, options).unwrap();
    assert_spheres(&first, &TWO);

    let bad = |text: &str, words: &[&str]| {
        refused(Format::Mercury, text, in_box(10.0), words);
    };
    bad(
        "1 0 0 0 1 1\n.5 .5 0 0 .5 0 0 0\n",
        &["line 1", "two dimensions"],
    );
    bad(
        "2 0 0 0 0 9 9 9\n1 1 1 0 0 0 1 0 0 0 0 0 0 0\n",
        &["announces 2", "has 1"],
    );
    bad(
        "1 0 0 0 0 9 9 9\n1 1 1 0 0 0 1 0 0 0 0 0 0\n",
        &["line 2", "13 fields", "14 columns"],
    );
    bad("1.5 0 0 0 0 9 9 9\n", &["line 1", "particles is 1.5"]);
    bad("0 0 0 0 0 0 9 9\n", &["line 1", "length x is 0"]);
    bad("", &["no frame"]);
    let error = read_packing_from(MERCURY.as_bytes(), Format::Mercury, ReadOptions::default());
    assert!(matches!(error, Err(ReadError::NoBoundary { .. })));
}

#[test]
fn mfix_files_are_read() {
    let dem = "2 3 4 0.5 2650 0.0 0.0 0.0\n5 6 7 0.25 2650 0.0 0.0 0.0\n";
    assert_spheres(&read(Format::Mfix, dem, in_box(10.0)).unwrap(), &TWO);
    let exa = "2\n1 2 3 4 0.5 2650 0 0 0\n2 5 6 7 0.25 2650 0 0 0\n";
    let exa_read = read(Format::MfixExa, exa, in_box(10.0)).unwrap();
    assert_spheres(&exa_read, &TWO);
    assert_eq!(exa_read.packing.components().len(), 2);

    let bad = |format: Format, text: &str, words: &[&str]| {
        refused(format, text, in_box(10.0), words);
    };
    bad(
        Format::Mfix,
        "Version 2.0\n",
        &["line 1", "'Version 2.0'", "only version 1"],
    );
    bad(
        Format::Mfix,
        "2 3 0.5 2650 0 0\n",
        &["line 1", "6 fields", "8 columns"],
    );
    bad(Format::MfixExa, "1\n", &["line 1", "announces 1", "has 0"]);
    bad(Format::MfixExa, "one\n", &["line 1", "'one'"]);
}

#[test]
fn lethe_files_are_read_by_the_names_of_their_columns() {
    let text = "p_x; p_y; p_z; diameters; v_x;\n2; 3; 4; 1; 0;\n5; 6; 7; 0.5; 0;\n";
    assert_spheres(&read(Format::Lethe, text, in_box(10.0)).unwrap(), &TWO);
    let bad = |text: &str, words: &[&str]| refused(Format::Lethe, text, in_box(10.0), words);
    bad("p_x; p_y; diameters;\n", &["line 1", "no column p_z"]);
    bad(
        "p_x; p_y; p_z; diameters;\n1; 1; 1;\n",
        &["line 2", "3 fields", "4 columns"],
    );
    bad(
        "p_x; p_y; p_z; diameters;\n1; 1; a; 1;\n",
        &["line 2", "z is 'a'"],
    );
}

#[test]
fn pfc_commands_are_read() {
    let text = "; by hand\nmodel new\nmodel domain extent -1 9 -1 9 -1 9 condition periodic stop stop\n\
        ball create id 3 radius 0.5 position (1,2,3) group 'a'\nBALL CREATE rad 0.25 x 4 y 5 z 6 ; second\n\
        ball attribute density 2650\n";
    let options = ReadOptions::default();
    let found = read(Format::Pfc, text, options.clone()).unwrap();
    assert_spheres(&found, &TWO);
    assert_eq!(*found.packing.container(), container(10.0, "pww"));
    assert_eq!(
        found.unused,
        ["the commands 'ball attribute,model new' are not used"]
    );
    let cube = "domain extent 0 10\nball create radius 1 position 2 2 2\n";
    let cube = read(Format::Pfc, cube, options.clone()).unwrap();
    assert_eq!(*cube.packing.container(), container(10.0, "www"));

    let domain = "model domain extent 0 10\n";
    let bad = |text: &str, words: &[&str]| {
        refused(
            Format::Pfc,
            text.replace("DOMAIN\n", domain),
            options.clone(),
            words,
        );
    };
    bad(
        "ball create radius 1\n",
        &["no command 'model domain extent'"],
    );
    bad(
        "DOMAIN\nball create id 1\n",
        &["line 2", "column 5 (radius) is missing"],
    );
    bad(
        "DOMAIN\nball create radius 1 spin 2\n",
        &["line 2", "'spin'", "position"],
    );
    bad(
        "DOMAIN\nball generate number 5\n",
        &["line 2", "'ball generate'"],
    );
    bad(
        "DOMAIN\nball create radius 1\nDOMAIN\n",
        &["line 3", "before all balls"],
    );
    bad(
        "model domain extent 0 1 2\n",
        &["line 1", "two or six numbers"],
    );
}

#[test]
fn musen_text_is_read() {
    // The order of the export of MUSEN, with two times.
    let particle = |id: u32, r: f64, x: f64, y: f64, z: f64, v: f64| {
        format!(
            "0 {id} 1 1 5 {r} {r} 23 KEY 24 0 1e+300 2 0 12 9 9 9 15 0 0 0 2 0.1 12 {x} {y} {z} 15 {v} 0 0 31 1 0 0 0\n"
        )
    };
    let domain = "22 -1 -1 -1 9 9 9\n28 1 1 0 0 -1 -1 -1 9 9 9\n";
    let text = particle(4, 0.5, 1.0, 2.0, 3.0, 0.0)
        + &particle(6, 0.25, 4.0, 5.0, 6.0, 2.0)
        + "0 7 1 14 5  23 KEY 24 0 1 2 0 12 1 1 1\n32 KEY name 1 2\n"
        + domain;
    let found = read(Format::Musen, &text, ReadOptions::default()).unwrap();
    assert_spheres(&found, &TWO);
    assert_eq!(found.ids, Some(vec![4, 6]));
    assert_eq!(*found.packing.container(), container(10.0, "pww"));
    assert_eq!(
        found.unused,
        [
            "only frame 1 of the frames 0 to 1 is used",
            "the parts 'lines of the command 32,triangular walls,velocity' are not used"
        ]
    );
    let options = ReadOptions::default().frame(Frame::Number(0));
    let first = read(Format::Musen, &text, options).unwrap();
    assert_eq!(
        first.packing.spheres().centers(),
        [DVec3::splat(0.0).with_y(10.0).with_z(10.0); 2]
    );

    let bad = |text: &str, words: &[&str]| refused(Format::Musen, text, in_box(9.0), words);
    bad(
        "0 1 1 1 5 1 1 12 1 1 1\n",
        &["line 1", "2 (time) and 12 (center)"],
    );
    bad("0 1 1 1 2 0 12 1 1 1\n", &["line 1", "command 5"]);
    bad("0 1 1 1 5 1 1 99 1\n", &["line 1", "'99' is no command"]);
    bad(
        "0 1 1 1 5 1 1 2 0 12 1 1\n",
        &["line 1", "center is missing"],
    );
    bad(
        "0 1 1 1 5 0 0 2 0 12 1 1 1\n",
        &["line 1", "radius must be positive"],
    );
    bad("hello\n", &["line 1", "'hello'"]);
}

#[test]
fn rows_of_voro_are_read() {
    let text = "1 2 3 4 0.5\n2 5 6 7 0.25\n";
    let found = read(Format::Voro, text, in_box(10.0)).unwrap();
    assert_spheres(&found, &TWO);
    assert_eq!(found.ids, Some(vec![1, 2]));
    refused(
        Format::Voro,
        "1 2 3 4\n",
        in_box(10.0),
        &["line 1", "4 fields"],
    );
}

/// Returns big-endian bytes.
fn be<const N: usize>(numbers: impl IntoIterator<Item = [u8; N]>) -> Vec<u8> {
    numbers.into_iter().flatten().collect()
}

#[test]
fn legacy_vtk_is_read_as_text_and_with_binary_numbers() {
    // As lpp of LIGGGHTS writes it, with capital letters in the name of the radius.
    let text = "# vtk DataFile Version 2.0\nGenerated by lpp.py\nASCII\nDATASET POLYDATA\nPOINTS 2 float\n\
        2 3 4\n5 6 7\nVERTICES 2 4\n1 0\n1 1\nPOINT_DATA 2\nVECTORS v float\n1 nan 0\n0 0 0\n\
        SCALARS Radius float 1\nLOOKUP_TABLE default\n0.5\n0.25\nSCALARS id int 1\nLOOKUP_TABLE default\n7\n9\n";
    let found = read(Format::Vtk, text, in_box(10.0)).unwrap();
    assert_spheres(&found, &TWO);
    assert_eq!(found.ids, Some(vec![7, 9]));
    assert_eq!(found.unused, ["the array 'v' is not used"]);

    // As vtkUnstructuredGridWriter of VTK 9 writes it.
    let mut grid = b"# vtk DataFile Version 5.1\nvtk output\nBINARY\nDATASET UNSTRUCTURED_GRID\n\
        FIELD FieldData 1\nTIME 1 1 double\n"
        .to_vec();
    grid.extend(be([0.5f64.to_be_bytes()]));
    grid.extend(b"\nPOINTS 2 float\n");
    grid.extend(be([2.0f32, 3.0, 4.0, 5.0, 6.0, 7.0].map(f32::to_be_bytes)));
    grid.extend(b"\nCELLS 3 2\nOFFSETS vtktypeint64\n");
    grid.extend(be([0i64, 1, 2].map(i64::to_be_bytes)));
    grid.extend(b"\nCONNECTIVITY vtktypeint64\n");
    grid.extend(be([0i64, 1].map(i64::to_be_bytes)));
    grid.extend(b"\nCELL_TYPES 2\n");
    grid.extend(be([1i32, 1].map(i32::to_be_bytes)));
    grid.extend(b"\nPOINT_DATA 2\nFIELD FieldData 1\ndiameter 1 2 double\n");
    grid.extend(be([1.0f64, 0.5].map(f64::to_be_bytes)));
    grid.extend(b"\nMETADATA\nINFORMATION 0\n\n");
    let found = read(Format::Vtk, &grid, in_box(10.0)).unwrap();
    assert_spheres(&found, &TWO);
    assert_eq!(found.unused, ["the array 'TIME' is not used"]);
    let cut = &grid[..grid.len() - 30];
    refused(Format::Vtk, cut, in_box(10.0), &["2 numbers", "cut off"]);

    let bad = |from: &str, to: &str, words: &[&str]| {
        refused(Format::Vtk, text.replace(from, to), in_box(10.0), words);
    };
    bad(
        "VERTICES 2 4\n1 0\n1 1\n",
        "POLYGONS 1 4\n3 0 1 1\n",
        &["a surface or a grid with 1 faces"],
    );
    bad(
        "POLYDATA",
        "STRUCTURED_POINTS",
        &["line 4", "'DATASET STRUCTURED_POINTS'"],
    );
    bad("0.25\n", "x\n", &["line 18", "'x' stands where a number"]);
    bad(
        "0.25\n",
        "0.25 3\n",
        &["line 18", "more than the 2 numbers"],
    );
    bad(
        "# vtk",
        "# VTK",
        &["line 1", "does not begin with '# vtk DataFile Version'"],
    );
    bad(
        "SCALARS id int 1",
        "THINGS id int 1",
        &["line 19", "'THINGS id int 1'"],
    );
}

#[test]
fn pieces_of_grids_are_read() {
    let folder = TempDir::new().unwrap();
    let cube = container(10.0, "www");
    for (name, text) in [
        ("a_0.vtu", "x,y,z,r\n2,3,4,0.5\n"),
        ("a_1.vtu", "x,y,z,r\n5,6,7,0.25\n"),
    ] {
        let piece = read(Format::Csv, text, in_box(10.0)).unwrap().packing;
        jostle::write_files(&piece, &[folder.path().join(name)]).unwrap();
    }
    let index = folder.path().join("a.pvtu");
    let text = "<VTKFile type=\"PUnstructuredGrid\"><PUnstructuredGrid><Piece Source=\"a_0.vtu\"/>\
        <Piece Source=\"a_1.vtu\"/></PUnstructuredGrid></VTKFile>";
    fs::write(&index, text).unwrap();
    assert_spheres(&read_packing(&index, cube).unwrap(), &TWO);
}

#[test]
fn lammps_data_of_other_styles_are_read() {
    let data = |title: &str, rows: &str| {
        format!(
            "title\n\n2 atoms\n1 atom types\n0 10 xlo xhi\n0 10 ylo yhi\n0 10 zlo zhi\n\n{title}\n\n{rows}"
        )
    };
    for (title, rows) in [
        (
            "Atoms # bpm/sphere",
            "1 1 1 1 7 2 3 4\n2 1 1 .5 7 5 6 7 0 0 0\n",
        ),
        ("Atoms # hybrid", "1 1 2 3 4 1 7\n2 1 5 6 7 .5 7\n"),
        (
            "Atoms # hybrid",
            "1 1 2 3 4 1 7 0 0 0\n2 1 5 6 7 .5 7 0 0 0\n",
        ),
        (
            "Atoms # hybrid sphere bond",
            "1 1 2 3 4 1 7 1\n2 1 5 6 7 .5 7 1\n",
        ),
        (
            "Atoms # hybrid bond full sphere",
            "1 1 2 3 4 1 0 1 7\n2 1 5 6 7 1 0 .5 7\n",
        ),
    ] {
        let text = data(title, rows);
        assert_spheres(
            &read(Format::LammpsData, &text, in_box(10.0)).expect(&text),
            &TWO,
        );
    }
    let bad = |title: &str, rows: &str, words: &[&str]| {
        refused(Format::LammpsData, data(title, rows), in_box(10.0), words);
    };
    let wide = "1 1 2 3 4 1 7 1\n2 1 5 6 7 .5 7 1\n";
    bad(
        "Atoms # hybrid",
        wide,
        &["line 11", "8 columns", "names of the columns"],
    );
    bad(
        "Atoms # hybrid sphere smd",
        wide,
        &["line 9", "sub-style 'smd'"],
    );
    let narrow = "1 1 1 7 2 3 4\n2 1 .5 7 5 6 7\n";
    bad(
        "Atoms # bpm/sphere",
        narrow,
        &["line 11", "7 columns", "molecule"],
    );
}

fn gzipped(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

/// Writes a file and reads it by its name.
fn read_named(name: &str, content: &[u8], options: ReadOptions) -> Result<ReadPacking, String> {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join(name);
    fs::write(&path, content).unwrap();
    read_packing(&path, options).map_err(|error| error.to_string())
}

#[test]
fn compressed_files_are_read_by_their_content() {
    let table = b"x,y,z,r\n2,3,4,0.5\n5,6,7,0.25\n";
    let file = gzipped(table);
    // The name may lie about the compression.
    for name in ["p.csv.gz", "p.CSV.GZ", "p.csv"] {
        assert_spheres(&read_named(name, &file, in_box(10.0)).unwrap(), &TWO);
    }
    assert_spheres(&read_named("p.csv.gz", table, in_box(10.0)).unwrap(), &TWO);
    assert_spheres(&read(Format::Csv, &file, in_box(10.0)).unwrap(), &TWO);
    let binary = gzipped(&npy("(2, 4)", TWO.as_flattened()));
    assert_spheres(
        &read_named("p.npy.gz", &binary, in_box(10.0)).unwrap(),
        &TWO,
    );

    let cut = read_named("p.csv.gz", &file[..file.len() - 9], in_box(10.0)).unwrap_err();
    assert!(cut.contains("cannot read '"), "{cut}");
    // Few bytes never become many spheres.
    let bomb = gzipped(&[0; 10_000_000]);
    let message = read(Format::Xyzd, &bomb, in_box(10.0)).unwrap_err();
    assert!(message.contains("times the size of the file"), "{message}");
}

#[test]
fn files_are_written_compressed_by_their_name() {
    let folder = TempDir::new().unwrap();
    let packing: Packing = read(
        Format::Csv,
        "x,y,z,r\n2,3,4,0.5\n5,6,7,0.25\n",
        in_box(10.0),
    )
    .unwrap()
    .packing;
    for name in ["p.csv.gz", "p.json.gz", "p.dump.gz", "p.gsd.gz"] {
        let path = folder.path().join(name);
        export_files(&packing, &[&path], &ExportOptions::default()).unwrap();
        assert_eq!(fs::read(&path).unwrap()[..2], [0x1f, 0x8b], "{name}");
        let again = read_packing(&path, in_box(10.0)).unwrap();
        assert_spheres(&again, &TWO);
    }
    let boundary = packing.container().boundary();
    for (name, script) in [("p.pvtp.gz", false), ("p.data.gz", true)] {
        let options = ExportOptions::default().script(script);
        let error = check_exportable(folder.path().join(name), &options, boundary).unwrap_err();
        assert!(
            error.to_string().contains("cannot be compressed"),
            "{error}"
        );
    }
}

#[test]
fn the_content_decides_where_extensions_are_shared() {
    let lammps = "LAMMPS data file\n2 atoms\n1 atom types\n0 10 xlo xhi\n0 10 ylo yhi\n0 10 zlo zhi\n\
        Atoms\n\n1 1 1.0 2500 2 3 4\n2 1 0.5 2500 5 6 7\n";
    let musen = "0 1 1 1 5 .5 .5 2 0 12 2 3 4\n0 2 1 1 5 .25 .25 2 0 12 5 6 7\n";
    let lethe = "p_x; p_y; p_z; diameters;\n2; 3; 4; 1;\n5; 6; 7; .5;\n";
    let exa = "2\n1 2 3 4 0.5 1 0 0 0\n1 5 6 7 0.25 1 0 0 0\n";
    let mfix = "2 3 4 0.5 1 0 0 0\n5 6 7 0.25 1 0 0 0\n";
    let pfc = "model domain extent 0 10\nball create radius .5 position 2 3 4\n\
        ball create radius .25 position 5 6 7\n";
    let rows = "2 3 4 .5\n5 6 7 .25\n";
    let mercury = MERCURY.replace(" 1 0 0 0.25", " 0 0 0 0.25");
    for (name, content) in [
        ("two.dat", lammps),
        ("two.data", lammps),
        ("two.lmp", lammps),
        ("two.data", &*mercury),
        ("two.txt", musen),
        ("two.dat", lethe),
        ("two.dat", exa),
        ("two.dat", mfix),
        ("two.dat", pfc),
        ("two.p3dat", pfc),
        ("two.dat", rows),
        ("two.txt", rows),
        ("two.spheres", rows),
    ] {
        for (name, content) in [
            (name.to_owned(), content.as_bytes().to_vec()),
            (format!("{name}.gz"), gzipped(content.as_bytes())),
        ] {
            let read = read_named(&name, &content, in_box(10.0));
            assert_spheres(
                &read.unwrap_or_else(|error| panic!("{name}: {error}")),
                &TWO,
            );
        }
    }
    // Eight columns are velocities of MFIX in a .dat file only.
    let message = read_named("two.txt", mfix.as_bytes(), in_box(10.0)).unwrap_err();
    assert!(
        message.contains("8 columns, not the four x y z r"),
        "{message}"
    );
    let message = read_named("two.dat", b"hello\n", in_box(10.0)).unwrap_err();
    assert!(
        message.contains("must be one of mfix, mfix-exa, lethe, pfc"),
        "{message}"
    );
}

#[test]
fn files_for_other_programs_read_back() {
    let packing = read(
        Format::Csv,
        "x,y,z,r\n2,3,4,0.5\n5,6,7,0.25\n",
        in_box(10.0),
    );
    let packing = packing.unwrap().packing;
    for format in [
        Format::Mercury,
        Format::Mfix,
        Format::MfixExa,
        Format::Lethe,
        Format::Pfc,
        Format::Musen,
        Format::Voro,
        Format::DemEngine,
        Format::Vtk,
    ] {
        let mut file = Vec::new();
        let options = ExportOptions::default().density(2650.0);
        export_packing(&packing, format, &options, &mut file).unwrap();
        let again = read(format, &file, in_box(10.0)).unwrap();
        assert_spheres(&again, &TWO);
        assert_eq!(again.packing.container(), packing.container(), "{format}");
        assert_eq!(again.unused, [""; 0], "{format}");
    }
}
