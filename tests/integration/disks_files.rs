//! Disks in files: each format works in the plane or refuses disks by name.

use glam::{DVec2, DVec3};
use jostle::{
    Boundaries, Container, Dimension, Effort, PackOptions, Packing, Spheres,
    io::{
        ContainerHint, ExportOptions, Format, Origin, ReadOptions, VoxelValues, check_writable,
        export_packing, read_packing_from,
    },
    pack,
};
use strum::VariantArray;

use crate::disks::{flat, two_sizes};

/// Returns the packing in a format, and as it reads back.
fn written_and_read(packing: &Packing, format: Format) -> (Vec<u8>, Packing) {
    let mut bytes = Vec::new();
    export_packing(packing, format, &ExportOptions::default(), &mut bytes).unwrap();
    let hint: ContainerHint = packing.container().clone().into();
    let read = read_packing_from(&bytes[..], format, ReadOptions::from(hint));
    let read = read.unwrap_or_else(|error| panic!("{format}: {error}"));
    (bytes, read.packing)
}

/// The formats that hold disks and can be read, those that hold disks and are only written, and those that refuse disks.
const READ: &str = "json csv tsv xyz vtp pvtp vtu vtk npz npy lammps-data parquet arrow";
const WRITTEN: &str = "dxf gmsh voxel-npy tif png vti raw";
const REFUSED: &str = "lammps-dump liggghts yade yade-ext gengeo mercury mfix mfix-exa lethe phasicflow pfc musen gsd neper \
     neper-centers neper-radii voro++ dem-engine abaqus ply glb pov stl obj step xyzd";

fn walled_and_periodic() -> Packing {
    let options = PackOptions::default()
        .container(flat("rectangle", "pw"))
        .effort(Effort::QUICK);
    pack(two_sizes(60), &options).unwrap().packing
}

#[test]
fn each_format_holds_disks_or_refuses_them_by_name() {
    let packing = walled_and_periodic();
    let options = ExportOptions::default().voxel(0.5, Default::default());
    for &format in Format::VARIANTS {
        let name = format.to_string();
        let [is_read, is_written, is_refused] =
            [READ, WRITTEN, REFUSED].map(|list| list.split_whitespace().any(|it| it == name));
        assert_eq!(
            u32::from(is_read) + u32::from(is_written) + u32::from(is_refused),
            1,
            "{name}"
        );
        if format.has_pieces() {
            continue;
        }
        let mut file = Vec::new();
        let result = export_packing(&packing, format, &options, &mut file);
        if is_refused {
            let message = result.unwrap_err().to_string();
            let expected = format!(
                "the format {format} holds spheres, not disks; disks can be written in one of json, "
            );
            assert!(message.starts_with(&expected), "{message}");
            continue;
        }
        assert!(result.unwrap().len() <= 1 && !file.is_empty(), "{name}");
        if !(is_read && format.is_exact()) {
            continue;
        }
        let (_, read) = written_and_read(&packing, format);
        assert_eq!(read.container().dimension(), Dimension::Two, "{format}");
        assert!(read.spheres() == packing.spheres(), "{format}");
        assert_eq!(read.certificate().max_overlap, 0.0, "{format}");
        let states_container = [Format::Json, Format::Xyz, Format::Npz];
        if states_container.contains(&format) {
            assert_eq!(read.container(), packing.container(), "{format}");
        }
    }
    let (lammps, _) = written_and_read(&packing, Format::LammpsData);
    let lammps = String::from_utf8(lammps).unwrap();
    assert!(lammps.starts_with("LAMMPS data for atom_style sphere, dimension 2"));
    assert!(lammps.contains("\n-0.5 0.5 zlo zhi\n"), "{lammps}");
}

#[test]
fn formats_of_disks_refuse_spheres() {
    let cube = Container::cuboid(DVec3::splat(4.0), Boundaries::PERIODIC).unwrap();
    let spheres = Packing::new(Spheres::new(vec![DVec3::ONE], vec![0.5]), cube);
    check_writable(std::env::temp_dir().join("a.dxf")).unwrap();
    for format in [Format::Dxf, Format::Png] {
        let options = ExportOptions::default().voxel(0.5, Default::default());
        let refused = export_packing(&spheres, format, &options, &mut Vec::new());
        let message = refused.unwrap_err().to_string();
        assert!(message.contains("holds disks, not spheres"), "{message}");
    }
}

/// Returns the objects of a DXF file: the name, and the numbers with the codes 10, 20 and 40.
fn objects(dxf: &str) -> Vec<(String, [f64; 3])> {
    let lines: Vec<&str> = dxf.lines().collect();
    assert_eq!(lines.len() % 2, 0);
    let mut objects = Vec::<(String, [f64; 3])>::new();
    for pair in lines.chunks_exact(2) {
        let at = ["10", "20", "40"].iter().position(|code| *code == pair[0]);
        match (at, objects.last_mut()) {
            (Some(at), Some((_, numbers))) => numbers[at] = pair[1].parse().unwrap(),
            (None, Some((name, _))) if pair[0] == "8" => *name += &format!(" {}", pair[1]),
            _ if pair[0] == "0" => objects.push((pair[1].to_owned(), [0.0; 3])),
            _ => {}
        }
    }
    objects
}

#[test]
fn drawings_have_circles_in_layers_and_all_borders() {
    let container = flat("rectangle:lx=9,ly=8", "pw");
    let bodies = ["circle:d=2@0,4", "rectangle:lx=1,ly=2@5,4"].map(|body| body.parse().unwrap());
    let container = container.without(bodies).unwrap();
    let spheres = Spheres::new(
        vec![DVec3::new(3.1, 2.2, 0.0), DVec3::new(7.0, 7.0, 0.0)],
        vec![0.3, 0.7],
    );
    let packing = Packing::new(spheres, container);
    let mut file = Vec::new();
    let options = ExportOptions::default().types("classes".parse().unwrap());
    let omissions = export_packing(&packing, Format::Dxf, &options, &mut file).unwrap();
    assert_eq!(omissions, ["the format dxf does not hold the periodicity"]);
    let objects = objects(std::str::from_utf8(&file).unwrap());
    let of = |name: &str| -> Vec<[f64; 3]> {
        let own = objects.iter().filter(|(own, _)| own == name);
        own.map(|(_, numbers)| *numbers).collect()
    };
    assert_eq!(of("CIRCLE disks_1"), [[3.1, 2.2, 0.3]]);
    assert_eq!(of("CIRCLE disks_2"), [[7.0, 7.0, 0.7]]);
    // A body across a periodic side is there twice.
    let mut circles = of("CIRCLE bodies");
    circles.sort_by(|a, b| a[0].total_cmp(&b[0]));
    assert_eq!(circles, [[0.0, 4.0, 1.0], [9.0, 4.0, 1.0]]);
    let corners = |low: [f64; 2], high: [f64; 2]| {
        [
            [low[0], low[1], 0.0],
            [high[0], low[1], 0.0],
            [high[0], high[1], 0.0],
            [low[0], high[1], 0.0],
        ]
    };
    assert_eq!(of("VERTEX container"), corners([0.0, 0.0], [9.0, 8.0]));
    assert_eq!(of("VERTEX bodies"), corners([4.5, 3.0], [5.5, 5.0]));
    let round = Packing::new(
        Spheres::new(vec![DVec3::new(1.0, 2.0, 0.0)], vec![0.5]),
        flat("circle:d=5", "w"),
    );
    let mut file = Vec::new();
    let options = ExportOptions::default().scale(2.0).origin(Origin::Center);
    export_packing(&round, Format::Dxf, &options, &mut file).unwrap();
    let text = String::from_utf8(file).unwrap();
    assert!(
        text.contains("CIRCLE\n8\ncontainer\n10\n0.0\n20\n0.0\n30\n0.0\n40\n5.0\n"),
        "{text}"
    );
}

/// Every cell has the number of the disk around its center, in each kind of image.
#[test]
fn images_have_the_disk_around_each_center() {
    let packing = walled_and_periodic();
    let lengths = packing.container().lengths();
    let size = 0.21;
    let cells = [lengths.x, lengths.y].map(|length| (length / size).round() as usize);
    let mut expected = Vec::new();
    for y in 0..cells[1] {
        for x in 0..cells[0] {
            let at = DVec2::new(
                (x as f64 + 0.5) / cells[0] as f64,
                (y as f64 + 0.5) / cells[1] as f64,
            ) * lengths.truncate();
            let is_around = |&(center, radius): &(DVec3, f64)| {
                let apart = (at - center.truncate()).abs();
                let across = apart.x.min(lengths.x - apart.x);
                across.hypot(apart.y) <= radius
            };
            let found = packing.spheres().iter().position(|disk| is_around(&disk));
            expected.push(found.map_or(0, |disk| disk as u8 + 1));
        }
    }
    let share = expected.iter().filter(|&&value| value > 0).count() as f64 / expected.len() as f64;
    assert!((share - packing.packing_fraction()).abs() < 0.03);
    let image = |format| {
        let options = ExportOptions::default().voxel(size, VoxelValues::Id);
        let mut file = Vec::new();
        export_packing(&packing, format, &options, &mut file).unwrap();
        file
    };
    assert_eq!(image(Format::Raw), expected);
    let npy = image(Format::VoxelNpy);
    assert!(npy.ends_with(&expected));
    let shape = format!("'shape': ({}, {},)", cells[0], cells[1]);
    assert!(String::from_utf8_lossy(&npy).contains(&shape), "{shape}");
    assert!(image(Format::Tif).ends_with(&expected));
    let vti = image(Format::Vti);
    let extent = format!(
        "WholeExtent=\"0 {} 0 {} 0 1\" Origin=\"0 0 -0.105\"",
        cells[0], cells[1]
    );
    assert!(String::from_utf8_lossy(&vti).contains(&extent), "{extent}");
    assert!(vti.windows(expected.len()).any(|bytes| bytes == expected));
    let mut reader = png::Decoder::new(std::io::Cursor::new(image(Format::Png)))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!([info.width as usize, info.height as usize], cells);
    assert_eq!(pixels, expected);
}

#[test]
fn wide_numbers_of_images_begin_with_the_high_byte() {
    let radii = vec![0.5; 300];
    let centers = (0..300)
        .map(|k| DVec3::new(0.5 + f64::from(k), 0.5, 0.0))
        .collect();
    let packing = Packing::new(
        Spheres::new(centers, radii),
        flat("rectangle:lx=300,ly=1", "ww"),
    );
    let options = ExportOptions::default().voxel(1.0, VoxelValues::Id);
    let mut file = Vec::new();
    export_packing(&packing, Format::Png, &options, &mut file).unwrap();
    let mut reader = png::Decoder::new(std::io::Cursor::new(file))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    reader.next_frame(&mut pixels).unwrap();
    let expected: Vec<u8> = (1..=300u16).flat_map(u16::to_be_bytes).collect();
    assert_eq!(pixels, expected);
}

#[test]
fn copies_and_scales_are_flat() {
    let options = PackOptions::default()
        .container(flat("rectangle", "pp"))
        .effort(Effort::QUICK);
    let packing = pack(two_sizes(60), &options).unwrap().packing;
    let options = ExportOptions::default().repeat([2, 3, 1]).scale(0.001);
    let mut bytes = Vec::new();
    export_packing(&packing, Format::Json, &options, &mut bytes).unwrap();
    let read = read_packing_from(&bytes[..], Format::Json, ReadOptions::default());
    let read = read.unwrap().packing;
    assert_eq!(read.spheres().len(), 360);
    assert!((read.packing_fraction() - packing.packing_fraction()).abs() < 1e-9);
    assert_eq!(read.certificate().max_overlap, 0.0);
    let tall = ExportOptions::default().repeat([1, 1, 2]);
    let refused = export_packing(&packing, Format::Csv, &tall, &mut Vec::new());
    assert!(
        refused
            .unwrap_err()
            .to_string()
            .contains("has no length along z")
    );
}

#[test]
fn centers_beside_the_plane_are_refused() {
    let table = "id,x,y,z,radius\n0,1,1,0,0.5\n1,3,3,0.25,0.5\n";
    let hint: ContainerHint = flat("rectangle:lx=5,ly=5", "pp").into();
    let read = read_packing_from(table.as_bytes(), Format::Csv, ReadOptions::from(hint));
    let message = read.unwrap_err().to_string();
    assert!(message.contains("not in the plane"), "{message}");
}
