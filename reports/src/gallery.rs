//! Draws the containers of README.md: `cargo run --release -p reports -- gallery`.
//!
//! Writes `docs/images/cylinder.png`, `hopper.png` and `bars.png`.

use jostle::{
    Boundaries, Boundary, Container, PackOptions, Packing, SizeSpec, Target,
    container::{Body, Mesh},
    distribution::Sampling,
    glam::DVec3,
    pack,
    report::Still,
};

use crate::{bodies, outcome::Outcome};

/// Side of each picture in pixels.
const SIDE: usize = 400;

/// Number of spheres in the cylinder and in the hopper.
const SPHERES: usize = 4000;

/// Side of the cube with bars, and diameter of the bars.
const CUBE: f64 = 24.0;
const BAR: f64 = 4.0;

/// Heights of the two bars, which touch.
const HEIGHTS: [f64; 2] = [10.0, 14.0];

/// Packing fraction around the bars.
const FRACTION: f64 = 0.62;

pub fn write(_: &[String]) -> Outcome {
    let cylinder = Container::cylinder(1.0, 1.2, Boundary::Wall)?;
    let packing = smallest("fuller:d_min=1,d_max=6", cylinder)?;
    draw("cylinder", &packing, Still::default())?;

    let hopper = bodies::hopper(3, 60);
    let hopper = Container::mesh(Mesh::new(hopper.vertices, hopper.triangles)?);
    let packing = smallest("uniform-size:d_min=1,d_max=2", hopper)?;
    draw("hopper", &packing, Still::default())?;

    let packing = around_bars()?;
    draw("bars", &packing, Still::default().cut(0, 0.5))
}

/// Packs sizes into the smallest container of a shape.
fn smallest(sizes: &str, container: Container) -> Outcome<Packing> {
    let law = SizeSpec::load(sizes)?.distribution;
    let radii = law.sample_number(SPHERES, Sampling::Stratified, 0).radii();
    Ok(pack(radii, &PackOptions::default().container(container))?.packing)
}

/// Packs a periodic cube around two crossing bars.
fn around_bars() -> Outcome<Packing> {
    let middle = 0.5 * CUBE;
    let bar = |(axis, z): (&str, f64)| {
        format!("cylinder:d={BAR}@{middle},{middle},{z},axis={axis}").parse::<Body>()
    };
    let bars = ["x", "y"].into_iter().zip(HEIGHTS).map(bar);
    let bars = bars.collect::<Result<Vec<_>, _>>()?;
    let cube = Container::cuboid(DVec3::splat(CUBE), Boundaries::PERIODIC)?.without(bars)?;
    let law = SizeSpec::load("fuller:d_min=1,d_max=4")?.distribution;
    let volume = FRACTION * cube.volume();
    let radii = law.sample_volume(volume, Sampling::Stratified, 0)?.radii();
    let options = PackOptions::default().container(cube).target(Target::Exact);
    Ok(pack(radii, &options)?.packing)
}

fn draw(name: &str, packing: &Packing, still: Still) -> Outcome {
    let file = format!("docs/images/{name}.png");
    let picture = still.side(SIDE).png(packing)?;
    std::fs::write(&file, &picture)?;
    println!("{file} is written: {} kB", picture.len() / 1000);
    Ok(())
}
