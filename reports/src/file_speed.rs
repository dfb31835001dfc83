//! Prints a table of the time that each format takes to write and to read a million spheres.
//!
//! cargo run --release -p reports -- file-speed [NUMBER]

use std::{fs, time::Instant};

use jostle::{
    Boundaries, Container, Packing, Spheres,
    glam::DVec3,
    io::{Format, ReadOptions, write_atomically, write_packing},
    read_packing,
};
use strum::VariantArray;

pub fn write(arguments: &[String]) -> Result<(), Box<dyn std::error::Error>> {
    let count: usize = match arguments.first() {
        Some(number) => number.parse()?,
        None => 1_000_000,
    };
    let packing = lattice(count)?;
    let folder = tempfile::tempdir()?;
    println!("| format | writing [s] | reading [s] | size [MB] |\n|---|---|---|---|");
    // Surfaces have hundreds of triangles for each sphere, and Gmsh takes a few thousand spheres.
    let is_large = |format: &Format| {
        matches!(
            format,
            Format::Stl | Format::Obj | Format::Step | Format::Gmsh
        )
    };
    for &format in Format::VARIANTS.iter().filter(|format| !is_large(format)) {
        let path = folder.path().join("spheres");
        let start = Instant::now();
        let written = write_atomically(&path, |out| write_packing(&packing, format, out));
        let writing = start.elapsed().as_secs_f64();
        if written.is_err() {
            continue;
        }
        let size = fs::metadata(&path)?.len() as f64 / 1e6;
        // NumPy arrays hold the centers only.
        let reading = if format.is_readable() && format != Format::Npy {
            let start = Instant::now();
            let read = read_packing(
                &path,
                ReadOptions::from(packing.container().clone()).format(format),
            )?;
            assert_eq!(read.packing.spheres().len(), packing.spheres().len());
            format!("{:.2}", start.elapsed().as_secs_f64())
        } else {
            String::new()
        };
        println!("| `{format}` | {writing:.2} | {reading} | {size:.0} |");
        fs::remove_file(&path)?;
    }
    Ok(())
}

/// Returns spheres near the points of a lattice, with coordinates of many digits.
fn lattice(count: usize) -> Result<Packing, Box<dyn std::error::Error>> {
    let side = (count as f64).cbrt().ceil() as usize;
    let centers: Vec<DVec3> = (0..count)
        .map(|i| {
            let cell = DVec3::new(
                (i % side) as f64,
                (i / side % side) as f64,
                (i / side / side) as f64,
            );
            let shift = (i as f64 * 0.618_033_988_749_894_9).fract();
            cell + 0.5 + 0.1 * shift
        })
        .collect();
    let radii = (0..count)
        .map(|i| 0.3 + 0.1 * (i as f64 * 0.754_877_666).fract())
        .collect();
    let spheres = Spheres::new(centers, radii);
    let container = Container::cuboid(DVec3::splat(side as f64), Boundaries::PERIODIC)?;
    Ok(Packing::new(spheres, container))
}
