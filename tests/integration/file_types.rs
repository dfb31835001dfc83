//! Types of spheres in files: the components of the packing that is read.

#![expect(
    clippy::single_range_in_vec_init,
    reason = "components are lists of ranges, which may be one"
)]

use std::ops::Range;

use glam::DVec3;
use jostle::{
    Container, Packing, Spheres,
    io::{ExportOptions, Format, ReadOptions, ReadPacking, export_packing, read_packing_from},
    packing::PackedComponent,
    report::{Coloring, ReportError, Still},
};

fn container() -> Container {
    Container::cuboid(DVec3::splat(9.0), "www".parse().unwrap()).unwrap()
}

fn read(format: Format, content: impl AsRef<[u8]>) -> ReadPacking {
    let options = ReadOptions::from(container());
    read_packing_from(content.as_ref(), format, options).unwrap()
}

/// The labels of the components with the ranges of their spheres.
fn components(packing: &Packing) -> Vec<(&str, &[Range<usize>])> {
    let components = packing.components().iter();
    components
        .map(|own| (own.label.as_str(), &*own.spheres))
        .collect()
}

/// Four spheres in a row, of which the second and third ones are gravel.
fn mix() -> Packing {
    let centers = (0..4).map(|k| DVec3::new(1.0 + 2.0 * f64::from(k), 1.0, 1.0));
    let spheres = Spheres::new(centers.collect(), vec![0.5, 1.0, 0.75, 0.25]);
    let component = |label: &str, ranges: &[Range<usize>]| {
        PackedComponent::new(label, Some(2650.0), ranges.to_vec())
    };
    Packing::new(spheres, container())
        .with_components(vec![
            component("gravel", &[1..3]),
            component("sand", &[0..1, 3..4]),
        ])
        .unwrap()
}

#[test]
fn types_of_other_programs_become_components() {
    let data = "title\n3 atoms\n2 atom types\n0 9 xlo xhi\n0 9 ylo yhi\n0 9 zlo zhi\n\nAtoms # sphere\n\n\
        1 10 1 7 2 2 2\n2 2 1 8 5 5 5\n3 10 1 7 8 8 8\n";
    let dump = "ITEM: TIMESTEP\n0\nITEM: NUMBER OF ATOMS\n3\nITEM: BOX BOUNDS ff ff ff\n0 9\n0 9\n0 9\n\
        ITEM: ATOMS id type x y z radius\n1 10 2 2 2 0.5\n2 2 5 5 5 0.5\n3 10 8 8 8 0.5\n";
    let xyz = "3\nLattice=\"9 0 0 0 9 0 0 0 9\" pbc=\"F F F\" Properties=species:S:1:pos:R:3:radius:R:1\n\
        10 2 2 2 0.5\n2 5 5 5 0.5\n10 8 8 8 0.5\n";
    let csv = "x,y,z,r,type\n2,2,2,0.5,10\n5,5,5,0.5,2\n8,8,8,0.5,10\n";
    for (format, text) in [
        (Format::LammpsData, data),
        (Format::LammpsDump, dump),
        (Format::Xyz, xyz),
        (Format::Csv, csv),
    ] {
        let found = read(format, text);
        // Numbers are sorted as numbers.
        let expected: [(&str, &[Range<usize>]); 2] = [("2", &[1..2]), ("10", &[0..1, 2..3])];
        assert_eq!(components(&found.packing), expected, "{format}");
        assert!(
            !found.unused.iter().any(|it| it.contains("type")),
            "{format}"
        );
    }
    // Names keep the order of the file.
    let named = read(
        Format::Csv,
        csv.replace("10", "sand").replace(",2\n", ",gravel\n"),
    );
    let expected: [(&str, &[Range<usize>]); 2] = [("sand", &[0..1, 2..3]), ("gravel", &[1..2])];
    assert_eq!(components(&named.packing), expected);
    // One type says nothing.
    let one = read(Format::Csv, csv.replace("10", "2"));
    assert!(one.packing.components().is_empty() && one.unused.is_empty());
}

#[test]
fn components_read_back_from_every_format_with_types() {
    let formats = [
        Format::Json,
        Format::Csv,
        Format::Tsv,
        Format::Xyz,
        Format::Vtp,
        Format::Vtu,
        Format::Vtk,
        Format::Npz,
        #[cfg(feature = "parquet")]
        Format::Parquet,
        #[cfg(feature = "parquet")]
        Format::Arrow,
        Format::LammpsData,
        Format::LammpsDump,
        Format::Liggghts,
        Format::GenGeo,
        Format::Mercury,
        Format::MfixExa,
        Format::Musen,
        Format::DemEngine,
        Format::Gsd,
    ];
    for format in formats {
        let mut file = Vec::new();
        export_packing(&mix(), format, &ExportOptions::default(), &mut file).unwrap();
        let found = read(format, &file).packing;
        let has_labels = match format {
            Format::Json | Format::Xyz | Format::Gsd | Format::Musen => true,
            #[cfg(feature = "parquet")]
            Format::Parquet | Format::Arrow => true,
            _ => false,
        };
        let mut labels = components(&found);
        if format == Format::Mercury {
            // Its species count from 0.
            assert_eq!(
                labels.iter().map(|own| own.0).collect::<Vec<_>>(),
                ["0", "1"]
            );
        } else if !has_labels {
            assert_eq!(
                labels.iter().map(|own| own.0).collect::<Vec<_>>(),
                ["1", "2"]
            );
        }
        // Labels have the order of the file, whose first sphere is sand.
        if has_labels && format != Format::Json {
            assert_eq!(labels[0].0, "sand", "{format}");
            labels.reverse();
        }
        let ranges: Vec<_> = labels.iter().map(|own| own.1).collect();
        assert_eq!(ranges[0], [1..3], "{format}");
        assert_eq!(ranges[1], [0..1, 3..4], "{format}");
    }
}

#[test]
fn too_many_types_are_no_components() {
    let row = |k: u32| {
        format!(
            "{},{},1,0.05,{k}\n",
            0.1 + 0.1 * f64::from(k % 80),
            1 + k / 80
        )
    };
    let table = |types: u32| {
        let rows: String = (0..types).map(row).collect();
        read(Format::Csv, format!("x,y,z,r,type\n{rows}"))
    };
    let most = table(64);
    assert_eq!(most.packing.components().len(), 64);
    let more = table(200);
    assert!(more.packing.components().is_empty());
    assert_eq!(
        more.unused,
        ["the kinds of the spheres are not used: there are more than 64"]
    );
}

#[test]
fn pictures_show_components() {
    let still = Still::default().coloring(Coloring::Component).side(64);
    let svg = still.svg(&mix()).unwrap();
    // The legend has the colors of Okabe & Ito.
    for part in [">gravel<", ">sand<", "#0072b2", "#e69f00"] {
        assert!(svg.contains(part), "{part}");
    }
    let without = Packing::new(mix().spheres().clone(), container());
    assert!(matches!(
        still.svg(&without),
        Err(ReportError::NoComponents)
    ));
}
