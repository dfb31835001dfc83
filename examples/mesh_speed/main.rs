//! Compares the time of packings in meshes with that in a box between walls.
//!
//! cargo run --release --example mesh_speed -- [SPHERES] [ROUNDS]
//!
//! Each round packs spheres of a Fuller curve into the box and into each mesh, one after the other, on one thread. The table
//! shows medians.

use std::time::Instant;

use jostle::{
    Boundaries, Container, Fuller, Mesh, PackOptions, PackRun, Sampling, SizeDistribution, Work,
    glam::DVec3, pack_observed,
};

// This program writes no OBJ file.
#[allow(dead_code)]
#[path = "../common/bodies.rs"]
mod bodies;

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The times of one container.
struct Row {
    name: &'static str,
    container: Container,
    /// Triangles, and seconds from the bytes of the file to the accepted mesh.
    triangles: usize,
    reading: f64,
    runs: Vec<(PackRun, Work)>,
}

fn main() -> Result<()> {
    let mut numbers = std::env::args()
        .skip(1)
        .map(|number| number.parse::<usize>());
    let spheres = numbers.next().unwrap_or(Ok(20_000))?;
    let rounds = numbers.next().unwrap_or(Ok(5))?;
    let law = SizeDistribution::from(Fuller::new(1.0, 16.0, 0.5)?);
    let sample = law.sample_number(spheres, Sampling::Stratified, 0);
    let mut rows = rows()?;
    for _ in 0..rounds {
        for row in &mut rows {
            let options = PackOptions::default()
                .threads(1)
                .container(row.container.clone());
            let mut work = Work::default();
            let run = pack_observed(
                sample.radii(),
                &options,
                &mut |progress: &jostle::Progress| {
                    work = progress.work;
                    std::ops::ControlFlow::Continue(())
                },
            )?;
            row.runs.push((run, work));
        }
    }
    println!("{spheres} spheres, median of {rounds} rounds");
    print_table(&rows, spheres)
}

/// Returns the box between walls and the meshes.
fn rows() -> Result<Vec<Row>> {
    let mut rows = vec![Row {
        name: "box",
        container: Container::cuboid(DVec3::ONE, Boundaries::WALLS)?,
        triangles: 0,
        reading: 0.0,
        runs: Vec::new(),
    }];
    for (name, body) in [
        ("L", bodies::l_shape(60)),
        ("ring", bodies::ring(25, 500)),
        ("hopper", bodies::hopper(20, 500)),
    ] {
        let bytes = body.stl();
        let clock = Instant::now();
        let mesh = Mesh::from_stl(&bytes)?;
        rows.push(Row {
            name,
            reading: clock.elapsed().as_secs_f64(),
            triangles: mesh.triangles().len(),
            container: Container::mesh(mesh),
            runs: Vec::new(),
        });
    }
    Ok(rows)
}

/// Prints the medians of all rounds.
fn print_table(rows: &[Row], spheres: usize) -> Result<()> {
    println!(
        "| container | triangles | reading (s) | µs per sphere | relative | packing fraction | sweeps | relocations per sphere | µs relocating | µs refreshing |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let microseconds = |row: &Row, time: fn(&(PackRun, Work)) -> f64| {
        let mut times: Vec<f64> = row.runs.iter().map(time).collect();
        times.sort_by(f64::total_cmp);
        1e6 * times[times.len() / 2] / spheres as f64
    };
    let elapsed = |row: &Row| microseconds(row, |(run, _)| run.elapsed.as_secs_f64());
    let of_box = elapsed(&rows[0]);
    for row in rows {
        let packing = &row.runs[0].0.packing;
        let provenance = packing.provenance.as_ref().ok_or("no provenance")?;
        println!(
            "| {} | {} | {:.2} | {:.1} | {:.2} | {:.4} | {} | {:.1} | {:.1} | {:.1} |",
            row.name,
            row.triangles,
            row.reading,
            elapsed(row),
            elapsed(row) / of_box,
            packing.packing_fraction(),
            provenance.sweeps,
            provenance.relocations as f64 / spheres as f64,
            microseconds(row, |(_, work)| work.relocating.as_secs_f64()),
            microseconds(row, |(_, work)| work.refreshing.as_secs_f64()),
        );
    }
    Ok(())
}
