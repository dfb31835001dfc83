//! Exports: the choices that every format shares, the formats that are only written, images and surfaces.

use std::fs;

use glam::DVec3;
use jostle::{
    Boundaries, Boundary, Container, Packing, Spheres,
    io::{
        ContainerHint, ExportOptions, Format, Origin, ReadOptions, Types, VoxelValues,
        check_exportable, export_files, export_packing, read_packing_from, write_packing,
    },
};
use strum::VariantArray;
use tempfile::TempDir;

/// Spheres that touch across and beside periodic faces; the last axis has walls.
fn packing() -> Packing {
    let spheres = Spheres::new(
        vec![
            DVec3::new(0.25, 1.5, 1.0),
            DVec3::new(1.25, 1.5, 1.0),
            DVec3::new(3.5, 1.0 / 3.0, 2.0),
        ],
        vec![0.5, 0.5, 1.0 / 3.0],
    );
    let container = Container::cuboid(DVec3::new(4.0, 3.0, 2.5), "ppw".parse().unwrap()).unwrap();
    let packing = Packing::new(spheres, container);
    assert_eq!(packing.certificate().max_overlap, 0.0);
    packing
}

fn export(format: Format, options: &ExportOptions) -> Vec<u8> {
    let mut file = Vec::new();
    export_packing(&packing(), format, options, &mut file).unwrap();
    file
}

/// Returns the packing that an export describes, read from the format with everything.
fn exported(options: &ExportOptions) -> Packing {
    let file = export(Format::Xyz, options);
    read_packing_from(&*file, Format::Xyz, ReadOptions::default())
        .unwrap()
        .packing
}

/// GenGeo: ids of both particles and a tag. MUSEN: command 5 with ids of both spheres, diameter and length.
#[test]
fn contacts_are_bonds_of_gengeo_and_musen() {
    let options = ExportOptions::default().bonds(0.01);
    let text = |format| String::from_utf8(export(format, &options)).unwrap();
    let gengeo = text(Format::GenGeo);
    assert!(
        gengeo.ends_with("EndParticles\nBeginConnect\n1\n0 1 1\nEndConnect\n"),
        "{gengeo}"
    );
    let musen = text(Format::Musen);
    let bond = "\n0 3 1 9 5 0 1 1.0 1.0 23 bond 24 0 1e9 2 0\n";
    assert!(musen.contains(bond), "{musen}");
    for (format, text) in [(Format::GenGeo, gengeo), (Format::Musen, musen)] {
        let read = read_packing_from(text.as_bytes(), format, ReadOptions::default()).unwrap();
        assert_eq!(read.packing.spheres(), packing().spheres());
        assert!(read.unused.iter().any(|part| part.contains("bonds")));
    }
}

/// The rows of `atom_style bpm/sphere` have the molecule behind the id, and the section Bonds has rows `id type atom atom`.
#[test]
fn contacts_are_bonds_of_lammps() {
    let options = ExportOptions::default().bonds(0.01).density(2.0);
    let text = String::from_utf8(export(Format::LammpsData, &options)).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].contains("bpm/sphere"), "{text}");
    assert_eq!(
        lines[2..6],
        ["3 atoms", "1 atom types", "1 bonds", "1 bond types"]
    );
    let atoms = lines
        .iter()
        .position(|line| *line == "Atoms # bpm/sphere")
        .unwrap();
    assert_eq!(lines[atoms + 2], "1 1 1 1.0 2.0 0.25 1.5 1.0");
    assert_eq!(lines[atoms + 5..], ["", "Bonds", "", "1 1 1 2"]);

    let loose = ExportOptions::default()
        .bonds(0.0)
        .scale(1e-3)
        .select("d<1".parse().unwrap());
    let text = String::from_utf8(export(Format::LammpsData, &loose)).unwrap();
    assert!(!text.contains("onds"), "{text}");

    for (format, options) in [
        (Format::Csv, ExportOptions::default().bonds(0.01)),
        (
            Format::LammpsData,
            ExportOptions::default().bonds(0.01).script(true),
        ),
    ] {
        let error = export_packing(&packing(), format, &options, &mut Vec::new()).unwrap_err();
        assert!(
            error
                .to_string()
                .contains("without a script, in one of the formats lammps-data, gengeo, musen"),
            "{error}"
        );
    }
    let options = ExportOptions::default().bonds(2.0);
    let error =
        export_packing(&packing(), Format::LammpsData, &options, &mut Vec::new()).unwrap_err();
    assert!(error.to_string().contains("from 0 to 1"), "{error}");
}

#[test]
fn text_formats_are_as_documented() {
    for format in [
        Format::LammpsDump,
        Format::Liggghts,
        Format::Yade,
        Format::YadeExt,
        Format::GenGeo,
        Format::Mercury,
        Format::Mfix,
        Format::MfixExa,
        Format::Lethe,
        Format::PhasicFlow,
        Format::Pfc,
        Format::Musen,
        Format::Neper,
        Format::NeperCenters,
        Format::NeperRadii,
        Format::Voro,
        Format::DemEngine,
        Format::Abaqus,
        Format::Vtk,
        Format::Step,
        Format::Pov,
    ] {
        let options = ExportOptions::default()
            .density(2650.0)
            .types(Types::Classes);
        let text = String::from_utf8(export(format, &options)).unwrap();
        insta::assert_snapshot!(format!("{format}"), text);
    }
}

#[test]
fn selections_scales_and_origins_change_the_numbers() {
    let selected = exported(&ExportOptions::default().select("d<0.9".parse().unwrap()));
    assert_eq!(selected.spheres().radii(), [1.0 / 3.0]);
    let scaled = exported(&ExportOptions::default().scale(0.5));
    assert_eq!(scaled.spheres().centers()[1], DVec3::new(0.625, 0.75, 0.5));
    assert_eq!(scaled.container().lengths(), DVec3::new(2.0, 1.5, 1.25));
    let moved = String::from_utf8(export(
        Format::LammpsDump,
        &ExportOptions::default().origin(Origin::Center),
    ));
    assert!(
        moved
            .unwrap()
            .contains("pp pp ff\n-2.0 2.0\n-1.5 1.5\n-1.25 1.25\n")
    );
}

#[test]
fn rounding_makes_no_overlap() {
    for scale in [1.0 / 3.0, 0.001, 7.7] {
        let options = ExportOptions::default().scale(scale).origin(Origin::Center);
        let exported = exported(&options);
        assert_eq!(exported.certificate().max_overlap, 0.0, "{scale}");
        for (radius, before) in exported.spheres().radii().iter().zip([0.5, 0.5, 1.0 / 3.0]) {
            assert!((radius / (before * scale) - 1.0).abs() < 1e-13);
        }
    }
    let file = export(Format::Gsd, &ExportOptions::default().scale(1.0 / 3.0));
    let hint = Some(ContainerHint::Boundary("ppw".parse().unwrap()));
    let narrow = read_packing_from(&*file, Format::Gsd, hint)
        .unwrap()
        .packing;
    assert_eq!(narrow.certificate().max_overlap, 0.0);
    assert!((narrow.spheres().radii()[0] * 6.0 - 1.0).abs() < 1e-6);
}

#[test]
fn copies_fill_the_periodic_axes() {
    let repeated = exported(&ExportOptions::default().repeat([2, 3, 1]));
    assert_eq!(repeated.spheres().len(), 18);
    assert_eq!(repeated.container().lengths(), DVec3::new(8.0, 9.0, 2.5));
    assert_eq!(repeated.certificate().max_overlap, 0.0);
    assert!((repeated.packing_fraction() - packing().packing_fraction()).abs() < 1e-12);
    // The first sphere crosses the low face of x; the last one crosses no face, although it touches one.
    let images = exported(&ExportOptions::default().images(true));
    assert_eq!(images.spheres().len(), 4);
    assert_eq!(images.spheres().centers()[3], DVec3::new(4.25, 1.5, 1.0));
    assert_eq!(images.container().boundary(), "www".parse().unwrap());
}

#[test]
fn types_follow_the_diameters() {
    let types = |types| {
        let text = String::from_utf8(export(Format::Csv, &ExportOptions::default().types(types)));
        let rows: Vec<String> = text.unwrap().lines().skip(1).map(str::to_owned).collect();
        rows.iter()
            .map(|row| row.rsplit(',').next().unwrap().to_owned())
            .collect::<Vec<_>>()
    };
    assert_eq!(types(Types::Classes), ["2", "2", "1"]);
    assert_eq!(types(Types::Parts(3)), ["3", "3", "1"]);
    for bad in ["0", "-1", "many", "1001"] {
        assert!(bad.parse::<Types>().is_err(), "{bad}");
    }
}

#[test]
fn options_that_do_not_fit_are_refused() {
    let options = ExportOptions::default;
    for (format, options, words) in [
        (Format::Csv, options().scale(0.0), "the scale is 0"),
        (
            Format::Csv,
            options().scale(1e-323),
            "the scale is 1e-323, with which lengths or volumes leave the range of numbers",
        ),
        (
            Format::Csv,
            options().scale(1e200),
            "the scale is 1e200, with which lengths or volumes leave the range of numbers",
        ),
        (
            Format::Csv,
            options().density(f64::NAN),
            "the density is NaN",
        ),
        (Format::Csv, options().repeat([1, 1, 2]), "walls along z"),
        (Format::Csv, options().repeat([0, 1, 1]), "along x is 0"),
        (
            Format::Csv,
            options().repeat([60_000, 60_000, 1]),
            "at most 4294967295",
        ),
        (
            Format::Json,
            options().origin(Origin::Center),
            "another origin",
        ),
        (Format::Vti, options(), "the option voxel is not given"),
        (
            Format::Vti,
            options().voxel(1e-12, VoxelValues::Solid),
            "too many",
        ),
        // Few enough cells along each axis, but a slice of 10^10 bytes.
        (
            Format::Vti,
            options().voxel(1e-5 * packing().container().lengths().x, VoxelValues::Solid),
            "too many",
        ),
        (Format::Stl, options().resolution(9), "from 0 to 8"),
        (
            Format::Stl,
            options().shrink(1.5),
            "the shrink factor is 1.5",
        ),
    ] {
        let error = export_packing(&packing(), format, &options, &mut Vec::new()).unwrap_err();
        assert!(error.to_string().contains(words), "{error}");
    }
}

#[test]
fn warnings_name_what_a_format_cannot_hold() {
    let warnings = |format| {
        let options = ExportOptions::default();
        export_packing(&packing(), format, &options, &mut Vec::new()).unwrap()
    };
    assert_eq!(warnings(Format::Json), Vec::<String>::new());
    assert_eq!(warnings(Format::LammpsDump), Vec::<String>::new());
    assert_eq!(
        warnings(Format::Npy),
        ["the format npy does not hold the container, the periodicity and the radii"]
    );
    // No file of these formats holds the lengths of a box and its periodicity.
    for format in [Format::Csv, Format::Xyzd, Format::LammpsData] {
        assert_eq!(warnings(format), [""; 0], "{format}");
    }
    let body = "sphere:d=0.5@2,2.5,0.5".parse().unwrap();
    let container = packing().container().without([body]).unwrap();
    let around = Packing::new(packing().into_spheres(), container);
    for (format, expected) in [
        (Format::Json, None),
        (
            Format::LammpsDump,
            Some(
                "the format lammps-dump does not hold the bodies that keep spheres out; json holds the whole container",
            ),
        ),
    ] {
        let options = ExportOptions::default();
        let warnings = export_packing(&around, format, &options, &mut Vec::new()).unwrap();
        assert_eq!(warnings, Vec::from_iter(expected), "{format}");
    }
    for format in in_streams() {
        assert!(warnings_fit(format), "{format}");
    }
}

/// Returns the formats that streams can hold.
fn in_streams() -> impl Iterator<Item = Format> {
    let all = Format::VARIANTS.iter().copied();
    all.filter(|format| format.holds_spheres() && !format.has_pieces())
}

/// Returns whether a format gives at most one line about its omissions.
fn warnings_fit(format: Format) -> bool {
    let options = ExportOptions::default().voxel(0.5, VoxelValues::Solid);
    let warnings = export_packing(&packing(), format, &options, &mut Vec::new()).unwrap();
    warnings.len() <= 1 && !warnings.concat().contains('\n')
}

#[test]
fn cells_have_the_sphere_around_their_center() {
    let options = ExportOptions::default().voxel(0.125, VoxelValues::Id);
    let file = export(Format::VoxelNpy, &options);
    let header = usize::from(u16::from_le_bytes([file[8], file[9]])) + 10;
    let text = String::from_utf8_lossy(&file[..header]).into_owned();
    assert!(
        text.contains("'descr': '|u1', 'fortran_order': True, 'shape': (32, 24, 20,)"),
        "{text}"
    );
    let packing = packing();
    for (cell, &value) in file[header..].iter().enumerate() {
        let index = [cell % 32, cell / 32 % 24, cell / 32 / 24];
        let center = DVec3::from(index.map(|i| (i as f64 + 0.5) * 0.125));
        let inside = packing.spheres().iter().position(|(other, radius)| {
            packing
                .container()
                .displacement(center, other)
                .length_squared()
                <= radius * radius
        });
        assert_eq!(
            usize::from(value),
            inside.map_or(0, |sphere| sphere + 1),
            "{index:?}"
        );
    }
    assert_eq!(file.len(), header + 32 * 24 * 20);
}

#[test]
fn scripts_and_headers_lie_beside_their_files() {
    let directory = TempDir::new().unwrap();
    let path = |name: &str| directory.path().join(name);
    let options = ExportOptions::default().script(true);
    export_files(&packing(), &[path("a.data")], &options).unwrap();
    let script = fs::read_to_string(path("a.in")).unwrap();
    assert!(
        script.contains("read_data       \"a.data\"\n")
            && script.contains("boundary        p p f\n")
    );
    let options = ExportOptions::default().voxel(0.5, VoxelValues::Solid);
    export_files(&packing(), &[path("b.raw")], &options).unwrap();
    let header = fs::read_to_string(path("b.mhd")).unwrap();
    assert!(header.contains("DimSize = 8 6 5\n") && header.contains("ElementDataFile = b.raw\n"));
    // No file remains where no script exists.
    let options = ExportOptions::default().script(true);
    let error = export_files(&packing(), &[path("c.csv")], &options).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("no script exists for the format csv"),
        "{error}"
    );
    assert!(!path("c.csv").exists());
    // Of several files, those of formats with scripts get one.
    export_files(&packing(), &[path("d.csv"), path("d.data")], &options).unwrap();
    assert!(path("d.csv").exists() && path("d.in").exists());
    let bonds = ExportOptions::default().bonds(0.1);
    export_files(&packing(), &[path("e.csv"), path("e.data")], &bonds).unwrap();
    assert!(
        fs::read_to_string(path("e.data"))
            .unwrap()
            .contains("Bonds")
    );
}

/// Two touching spheres in a container.
fn pair(container: Container) -> Packing {
    let spheres = Spheres::new(
        vec![DVec3::new(1.5, 2.0, 1.5), DVec3::new(2.5, 2.0, 1.5)],
        vec![0.5; 2],
    );
    let packing = Packing::new(spheres, container);
    assert_eq!(packing.certificate().max_overlap, 0.0);
    packing
}

#[test]
fn scripts_have_the_walls_of_round_containers() {
    let directory = TempDir::new().unwrap();
    let path = |name: &str| directory.path().join(name);
    let script = |container: Container, name: &str, options: ExportOptions| {
        export_files(&pair(container), &[path(name)], &options.script(true)).unwrap();
        let mut script = path(name);
        script.set_extension("in");
        fs::read_to_string(script).unwrap()
    };
    let cylinder = |ends| Container::cylinder(4.0, 5.0, ends).unwrap();
    let lines = |container, expected: &str| {
        let script = script(container, "a.data", ExportOptions::default());
        let region = format!("region          container {expected} units box\n");
        assert!(script.contains(&region), "{script}");
        assert_eq!(script.matches("wall/gran").count(), 1, "{script}");
        assert!(script.contains(" region container\n"), "{script}");
    };
    lines(cylinder(Boundary::Wall), "cylinder z 2.0 2.0 2.0 0.0 5.0");
    lines(
        cylinder(Boundary::Periodic),
        "cylinder z 2.0 2.0 2.0 INF INF",
    );
    lines(Container::sphere(4.0).unwrap(), "sphere 2.0 2.0 2.0 2.0");
    lines(
        Container::cone(2.0, 4.0, 5.0).unwrap(),
        "cone z 2.0 2.0 1.0 2.0 0.0 5.0",
    );
    // The walls move and grow with the spheres.
    let moved = ExportOptions::default().scale(2.0).origin(Origin::Center);
    let moved = script(cylinder(Boundary::Wall), "b.data", moved);
    assert!(moved.contains("cylinder z 0.0 0.0 4.0 -5.0 5.0"), "{moved}");

    let liggghts = ExportOptions::default().format(Format::Liggghts);
    let liggghts = script(cylinder(Boundary::Wall), "c.data", liggghts);
    assert!(
        liggghts.contains("zcylinder 2.0 2.0 2.0\n") && liggghts.contains("zplane 5.0\n"),
        "{liggghts}"
    );
    assert!(!liggghts.contains("xplane"), "{liggghts}");
    let along_x = crate::common::spheres::container("cylinder:d=4,h=5,axis=x", "w");
    let options = ExportOptions::default().format(Format::Liggghts);
    let along_x = script(along_x, "d.data", options);
    assert!(
        along_x.contains("xcylinder 2.0 2.0 2.0\n") && along_x.contains("xplane 5.0\n"),
        "{along_x}"
    );
    assert!(!along_x.contains("zplane"), "{along_x}");
    let note = "The container is a cylinder. This script has its bounding box.";
    let yade = ExportOptions::default().format(Format::Yade).script(true);
    export_files(&pair(cylinder(Boundary::Wall)), &[path("d.txt")], &yade).unwrap();
    let yade = fs::read_to_string(path("d.py")).unwrap();
    assert!(yade.contains(note), "{yade}");
}

#[test]
fn warnings_name_shapes_bodies_and_walls() {
    let warnings = |container: Container, format| {
        let options = ExportOptions::default();
        export_packing(&pair(container), format, &options, &mut Vec::new()).unwrap()
    };
    let cylinder = || Container::cylinder(4.0, 5.0, Boundary::Periodic).unwrap();
    assert_eq!(
        warnings(cylinder(), Format::LammpsData),
        [
            "the format lammps-data does not hold the shape of the cylinder (only its bounding box) and the periodicity; \
             json holds the whole container"
        ]
    );
    assert_eq!(
        warnings(cylinder(), Format::Csv),
        [
            "the format csv does not hold the container and the periodicity; json holds the whole container"
        ]
    );
    assert_eq!(warnings(cylinder(), Format::Gmsh), [""; 0]);
    assert_eq!(warnings(cylinder(), Format::Json), [""; 0]);
    let cube =
        |boundary: &str| Container::cuboid(DVec3::splat(6.0), boundary.parse().unwrap()).unwrap();
    let body = || ["sphere:d=1@5,5,5".parse().unwrap()];
    assert_eq!(
        warnings(cube("ppp").without(body()).unwrap(), Format::Yade),
        [
            "the format yade does not hold the bodies that keep spheres out; json holds the whole container"
        ]
    );
    assert_eq!(
        warnings(cube("www").without(body()).unwrap(), Format::Yade),
        ["the format yade does not hold the container; json holds the whole container"]
    );
    assert_eq!(warnings(cube("www"), Format::Yade), [""; 0]);
    let gsd = warnings(cube("www"), Format::Gsd).concat();
    assert!(
        gsd.starts_with("the format gsd does not hold the walls and 64-bit"),
        "{gsd}"
    );
}

#[test]
fn no_sphere_crosses_a_curved_wall_in_32_bits() {
    // The spheres touch the wall where no coordinate has a short decimal.
    let container = Container::cylinder(7.3, 5.1, Boundary::Wall).unwrap();
    let centers: Vec<DVec3> = (0..40)
        .map(|i| {
            let (sin, cos) = (f64::from(i) * 0.1537).sin_cos();
            DVec3::new(3.65 + 3.6 * cos, 3.65 + 3.6 * sin, 0.1 + 0.1 * f64::from(i))
        })
        .collect();
    let radii = centers
        .iter()
        .map(|&center| container.wall_gap(center, 0.0) * (1.0 - 1e-14))
        .collect();
    let spheres = Spheres::new(centers, radii);
    let packing = Packing::new(spheres, container.clone());
    assert_eq!(packing.certificate().max_overlap, 0.0);
    let mut file = Vec::new();
    export_packing(&packing, Format::Gsd, &ExportOptions::default(), &mut file).unwrap();
    let hint = Some(ContainerHint::Boundary("www".parse().unwrap()));
    let narrow = read_packing_from(&*file, Format::Gsd, hint)
        .unwrap()
        .packing;
    // The box of the file is at most larger, and has the same center.
    let shift = 0.5 * (container.lengths() - narrow.container().lengths());
    for (center, radius) in narrow.spheres().iter() {
        let gap = container.wall_gap(center + shift, radius);
        assert!((0.0..1e-5).contains(&gap), "{gap}");
    }
}

#[test]
fn cuts_are_for_surfaces_only() {
    let cut = exported(&ExportOptions::default().cut(true));
    assert_eq!(cut.spheres(), packing().spheres());
    assert_eq!(cut.container(), packing().container());
    let surface = String::from_utf8(export(Format::Obj, &ExportOptions::default().cut(true)));
    let vertices: Vec<f64> = (surface.unwrap().lines())
        .filter_map(|line| line.strip_prefix("v ")?.split(' ').next()?.parse().ok())
        .collect();
    // The first sphere ends at the low face of x, and its image lies at the high face.
    let near_high = vertices.iter().filter(|&&x| x > 3.9).count();
    assert!(vertices.iter().all(|x| (0.0..=4.0).contains(x)) && near_high > 0);
}

#[test]
fn images_lie_in_the_box_of_lammps_and_get_no_script() {
    let options = ExportOptions::default().images(true);
    let data = String::from_utf8(export(Format::LammpsData, &options)).unwrap();
    // The image of the first sphere has its center at 4.25.
    assert!(data.contains("\n-0.25 4.75 xlo xhi\n"), "{data}");
    let without = String::from_utf8(export(Format::LammpsData, &ExportOptions::default()));
    assert!(without.unwrap().contains("\n0.0 4.0 xlo xhi\n"));
    let directory = TempDir::new().unwrap();
    let file = directory.path().join("a.data");
    let error = export_files(&packing(), &[file], &options.script(true)).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("a script needs a packing without images"),
        "{error}"
    );
}

#[test]
fn yade_needs_a_cell_of_twice_the_widest_sphere() {
    let container = Container::cuboid(DVec3::splat(4.0), "ppp".parse().unwrap()).unwrap();
    let directory = TempDir::new().unwrap();
    let write = |diameter: f64, copies| {
        let spheres = Spheres::new(vec![DVec3::splat(2.0)], vec![0.5 * diameter]);
        let options = ExportOptions::default().format(Format::Yade).script(true);
        let packing = Packing::new(spheres, container.clone());
        let file = directory.path().join("a.txt");
        export_files(&packing, &[file], &options.repeat([copies; 3]))
    };
    // YADE adds half of the smallest radius at both sides.
    assert!(write(1.3, 1).is_ok() && write(1.4, 2).is_ok());
    let error = write(1.4, 1).unwrap_err().to_string();
    assert!(error.contains("half of the periodic cell"), "{error}");
}

#[test]
fn a_selection_without_spheres_is_reported() {
    let options = ExportOptions::default().select("d>100".parse().unwrap());
    let warnings = export_packing(&packing(), Format::Xyz, &options, &mut Vec::new()).unwrap();
    assert_eq!(
        warnings,
        ["no sphere meets the conditions, so the file has no spheres"]
    );
}

/// Such a name would make the file that states it invalid.
#[test]
fn names_that_another_file_states_have_no_control_characters() {
    let directory = TempDir::new().unwrap();
    for name in ["bell\u{7}.pvtp", "line\nbreak.raw"] {
        let path = directory.path().join(name);
        let options = ExportOptions::default().voxel(0.5, VoxelValues::Solid);
        let refused = [
            check_exportable(&path, &options, Boundaries::WALLS).map(drop),
            export_files(&packing(), &[&path], &options).map(drop),
        ];
        for error in refused.map(Result::unwrap_err) {
            assert!(
                error.to_string().contains("without control characters"),
                "{error}"
            );
        }
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    }
}

#[test]
fn scripts_hold_fixed_spheres() {
    let directory = TempDir::new().unwrap();
    let script = |format, name: &str, extension: &str| {
        let packing = packing().with_fixed(1);
        let path = directory.path().join(name);
        let options = ExportOptions::default().format(format).script(true);
        export_files(&packing, &[&path], &options).unwrap();
        fs::read_to_string(path.with_extension(extension)).unwrap()
    };
    for format in [Format::LammpsData, Format::Liggghts] {
        let script = script(format, "a.data", "in");
        let at = |text: &str| script.find(text).unwrap_or_else(|| panic!("{script}"));
        let groups = at("group           fixed type 2\ngroup           free subtract all fixed\n");
        let (moving, weight) = (at("move free nve/sphere"), at("weight free gravity"));
        assert!(groups < moving.min(weight) && moving.max(weight) < at("hold fixed freeze\n"));
    }
    let yade = script(Format::Yade, "a.txt", "py");
    let blocked = "for body in list(O.bodies)[-1:]:\n    body.state.blockedDOFs = 'xyzXYZ'";
    assert!(yade.contains(blocked), "{yade}");
    let openmc = script(Format::Npy, "a.npy", "py");
    assert!(
        openmc.contains("radii = [0.5, 0.5, 0.3333333333333333]\n"),
        "{openmc}"
    );
}

#[test]
fn copies_and_images_stay_in_a_cylinder() {
    let packing = pair(Container::cylinder(4.0, 5.0, Boundary::Periodic).unwrap());
    let exported = |options: &ExportOptions| {
        let mut file = Vec::new();
        export_packing(&packing, Format::Json, options, &mut file).unwrap();
        read_packing_from(&*file, Format::Json, ReadOptions::default())
            .unwrap()
            .packing
    };
    let copies = exported(&ExportOptions::default().repeat([1, 1, 3]).scale(2.0));
    let expected = Container::cylinder(8.0, 30.0, Boundary::Periodic).unwrap();
    assert_eq!((copies.container(), copies.spheres().len()), (&expected, 6));
    let images = exported(&ExportOptions::default().images(true));
    let expected = Container::cylinder(4.0, 5.0, Boundary::Wall).unwrap();
    assert_eq!(*images.container(), expected);
}

#[test]
fn images_of_bodies_replace_periodic_faces() {
    let cube = Container::cuboid(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
    let bodies =
        ["cylinder:d=2@5,5,0,axis=x", "sphere:d=2@10,0,30"].map(|text| text.parse().unwrap());
    let packing = pair(cube.without(bodies).unwrap());
    let mut file = Vec::new();
    let options = ExportOptions::default().images(true);
    export_packing(&packing, Format::Json, &options, &mut file).unwrap();
    let read = read_packing_from(&*file, Format::Json, ReadOptions::default())
        .unwrap()
        .packing
        .container()
        .clone();
    assert_eq!(read.boundary(), Boundaries::WALLS);
    let texts: Vec<String> = read.bodies().iter().map(ToString::to_string).collect();
    assert_eq!(
        texts[..2],
        [
            "cylinder:d=2,h=10@5,5,0,axis=x",
            "cylinder:d=2,h=10@5,5,10,axis=x"
        ]
    );
    // One eighth of the sphere is in each corner.
    assert_eq!(texts.len(), 2 + 8);
    assert!((read.volume() / packing.container().volume() - 1.0).abs() < 1e-8);
}

#[test]
fn every_format_takes_a_packing_without_spheres() {
    let container = packing().container().clone();
    let spheres = Spheres::default();
    let nothing = Packing::new(spheres, container);
    for format in in_streams() {
        let options = ExportOptions::default().voxel(0.5, VoxelValues::Solid);
        let result = export_packing(&nothing, format, &options, &mut Vec::new());
        assert!(
            result.is_ok() || format == Format::Glb,
            "{format}: {result:?}"
        );
    }
    assert!(write_packing(&nothing, Format::Json, &mut Vec::new()).is_ok());
}
