//! Compares the time of packings in meshes with that in a box between walls.
//!
//! cargo run --release -p reports -- mesh-speed [SPHERES] [ROUNDS]
//!
//! Each round packs spheres of a Fuller curve into the box and into each mesh, one after the other, on one thread. Each round reads
//! the meshes again, so that the time of a packing contains that of the distance field. The table shows medians.

use crate::bodies;
use std::time::Instant;

use jostle::{
    Boundaries, Container, PackOptions,
    container::Mesh,
    distribution::{Fuller, Sampling, SizeDistribution},
    glam::DVec3,
    rearrange::{PackRun, Work, pack_observed},
};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The times of one container.
struct Row {
    name: &'static str,
    /// The STL file of a mesh; the box has none.
    file: Option<Vec<u8>>,
    triangles: usize,
    runs: Vec<Run>,
}

/// One packing.
struct Run {
    /// Seconds from the bytes of the file to the accepted mesh.
    reading: f64,
    packed: PackRun,
    work: Work,
}

pub fn write(arguments: &[String]) -> Result<()> {
    let mut numbers = arguments.iter().map(|number| number.parse::<usize>());
    let spheres = numbers.next().unwrap_or(Ok(20_000))?;
    let rounds = numbers.next().unwrap_or(Ok(5))?;
    let law = SizeDistribution::from(Fuller::new(1.0, 16.0, 0.5)?);
    let sample = law.sample_number(spheres, Sampling::Stratified, 0);
    let mut rows = rows();
    for _ in 0..rounds {
        for row in &mut rows {
            row.pack(&sample.radii())?;
        }
    }
    println!("{spheres} spheres, median of {rounds} rounds");
    print_table(&rows, spheres)
}

/// Returns the box between walls and the meshes.
fn rows() -> Vec<Row> {
    let row = |name, file| Row {
        name,
        file,
        triangles: 0,
        runs: Vec::new(),
    };
    let mesh = |name, body: bodies::Body| row(name, Some(body.stl()));
    vec![
        row("box", None),
        mesh("L", bodies::l_shape(60)),
        mesh("ring", bodies::ring(25, 500)),
        mesh("hopper", bodies::hopper(20, 500)),
    ]
}

impl Row {
    /// Reads the container and packs spheres into it.
    fn pack(&mut self, radii: &[f64]) -> Result<()> {
        let clock = Instant::now();
        let container = match &self.file {
            None => Container::cuboid(DVec3::ONE, Boundaries::WALLS)?,
            Some(file) => {
                let mesh = Mesh::from_stl(file)?;
                self.triangles = mesh.triangles().len();
                Container::mesh(mesh)
            }
        };
        let reading = clock.elapsed().as_secs_f64();
        let options = PackOptions::default().threads(1).container(container);
        let mut work = Work::default();
        let packed = pack_observed(
            radii,
            &options,
            &mut |progress: &jostle::rearrange::Progress| {
                work = progress.work;
                std::ops::ControlFlow::Continue(())
            },
        )?;
        self.runs.push(Run {
            reading,
            packed,
            work,
        });
        Ok(())
    }

    /// Returns the median over the runs.
    fn median(&self, time: impl Fn(&Run) -> f64) -> f64 {
        let mut times: Vec<f64> = self.runs.iter().map(time).collect();
        times.sort_by(f64::total_cmp);
        times[times.len() / 2]
    }
}

/// Prints the medians of all rounds.
fn print_table(rows: &[Row], spheres: usize) -> Result<()> {
    println!(
        "| container | triangles | reading (s) | µs per sphere | relative | packing fraction | sweeps | relocations per sphere | µs relocating | µs refreshing |"
    );
    println!("|---|---|---|---|---|---|---|---|---|---|");
    let per_sphere = 1e6 / spheres as f64;
    let elapsed = |row: &Row| row.median(|run| run.packed.elapsed.as_secs_f64());
    for row in rows {
        let packing = &row.runs[0].packed.packing;
        let provenance = packing.provenance.as_ref().ok_or("no provenance")?;
        println!(
            "| {} | {} | {:.2} | {:.1} | {:.2} | {:.4} | {} | {:.1} | {:.1} | {:.1} |",
            row.name,
            row.triangles,
            row.median(|run| run.reading),
            elapsed(row) * per_sphere,
            elapsed(row) / elapsed(&rows[0]),
            packing.packing_fraction(),
            provenance.sweeps,
            provenance.relocations as f64 / spheres as f64,
            row.median(|run| run.work.relocating.as_secs_f64()) * per_sphere,
            row.median(|run| run.work.refreshing.as_secs_f64()) * per_sphere,
        );
    }
    Ok(())
}
