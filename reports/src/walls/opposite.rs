//! The difference of packing fraction between opposite layers.

use jostle::{
    Boundaries, Boundary, Container, PackOptions, SizeSpec, Target,
    container::{Ball, Body, Mesh, Solid},
    distribution::Sampling,
    glam::DVec3,
    pack,
};
use rayon::prelude::*;

use super::{bodies, mean::Mean, outcome::Outcome};

/// Size distributions with their numbers of spheres and a description. The small spheres of the Fuller curve are inserted in groups.
const SIZES: [(&str, usize, &str); 3] = [
    ("mono:d=1", 2000, "equal"),
    (
        "power-law:exponent=-3,d_min=0.1,d_max=1",
        4000,
        "power law, 1 : 10",
    ),
    ("fuller:d_min=0.1,d_max=1", 4000, "Fuller curve, 1 : 10"),
];

/// What is packed, by name: packing fractions of loose packings, and densest packings.
pub const TARGETS: [(&str, Target); 5] = [
    ("0.30", Target::Fraction(0.3)),
    ("0.45", Target::Fraction(0.45)),
    ("0.55", Target::Fraction(0.55)),
    ("0.60", Target::Fraction(0.6)),
    ("densest", Target::Densest),
];

/// Number of packings of each kind.
pub const SEEDS: u64 = 128;

/// A point relative to the center of the container, or of the body.
type Side = fn(DVec3) -> f64;

/// Pairs of opposite layers: a center lies in one of them by the sign of the function.
const X: Side = |p| p.x;
const Y: Side = |p| p.y;
const Z: Side = |p| p.z;
/// Both arms of an L.
const ARMS: Side = |p| p.x - p.z;

/// A container, or a body in a periodic cube.
struct Place {
    name: &'static str,
    container: Container,
    opposite: &'static [Side],
}

fn places() -> Outcome<Vec<Place>> {
    let l_shape = bodies::l_shape(1);
    let sphere = Body::new(Solid::Sphere(Ball { diameter: 0.5 }), DVec3::splat(0.5));
    let cube = Container::cuboid(DVec3::ONE, Boundaries::PERIODIC)?;
    let place = |name, container, opposite| Place {
        name,
        container,
        opposite,
    };
    Ok(vec![
        place("box", Boundaries::WALLS.into(), &[X, Y, Z]),
        place(
            "cylinder",
            Container::cylinder(1.0, 1.0, Boundary::Wall)?,
            &[X, Y, Z],
        ),
        place("sphere", Container::sphere(1.0)?, &[X, Y, Z]),
        place("cone", Container::cone(1.0, 0.5, 1.0)?, &[X, Y]),
        place(
            "L-shaped mesh",
            Container::mesh(Mesh::new(l_shape.vertices, l_shape.triangles)?),
            &[ARMS, Y],
        ),
        place("around a sphere", cube.without([sphere])?, &[X, Y, Z]),
    ])
}

/// The differences of one container and one size distribution.
pub struct Row {
    pub container: &'static str,
    pub sizes: &'static str,
    /// By target and pair of layers.
    pub differences: Vec<Vec<Mean>>,
}

/// Packs all sizes into all containers.
pub fn measure() -> Outcome<Vec<Row>> {
    let mut rows = Vec::new();
    for place in places()? {
        for (spec, number, sizes) in SIZES {
            let spec = SizeSpec::load(spec)?;
            let mut differences = Vec::new();
            for (_, target) in TARGETS {
                // Packings of one seed have something in common, also in different containers.
                let kind = rows.len() * TARGETS.len() + differences.len();
                let first = SEEDS * kind as u64;
                let seeds = (first..first + SEEDS).into_par_iter();
                let of_seeds = seeds.map(|seed| {
                    let sample = spec.sample_number(number, Sampling::Stratified, seed);
                    let found = lopsidedness(&place, sample.radii(), target, seed);
                    found.map_err(|error| error.to_string())
                });
                differences.push(means(&of_seeds.collect::<Result<Vec<_>, _>>()?));
            }
            eprintln!("{}, {sizes}", place.name);
            rows.push(Row {
                container: place.name,
                sizes,
                differences,
            });
        }
    }
    Ok(rows)
}

/// Returns the mean difference of each pair of layers.
fn means(of_seeds: &[Vec<f64>]) -> Vec<Mean> {
    let of_pair = |pair| of_seeds.iter().map(|found| found[pair]).collect();
    let pairs = (0..of_seeds[0].len()).map(of_pair);
    pairs.map(|values: Vec<f64>| Mean::of(&values)).collect()
}

/// Packs spheres, and returns for each pair of layers the volume of the spheres in the one minus that in the other, divided by their
/// mean and multiplied by the packing fraction. A sphere belongs to a layer with its whole volume if its center is within the largest
/// diameter of the wall or of the body.
fn lopsidedness(place: &Place, radii: Vec<f64>, target: Target, seed: u64) -> Outcome<Vec<f64>> {
    let thickness = 2.0 * radii.iter().copied().fold(0.0, f64::max);
    let options = PackOptions::default()
        .container(place.container.clone())
        .target(target)
        .threads(1)
        .seed(seed);
    let packing = pack(radii, &options)?.packing;
    let middle = 0.5 * packing.container().lengths();
    // The layers of a box are at one pair of walls only.
    let is_box = packing.container().is_bounding_box();
    let in_layer = |center: DVec3, side: Side| {
        let distance = if is_box {
            side(middle) - side(center - middle).abs()
        } else {
            packing.container().wall_gap(center, 0.0)
        };
        distance < thickness
    };
    let of_pair = |&side: &Side| {
        let mut volumes = [0.0, 0.0];
        for (center, radius) in packing.spheres().iter() {
            if in_layer(center, side) {
                volumes[usize::from(side(center - middle) > 0.0)] += radius.powi(3);
            }
        }
        let [low, high] = volumes;
        packing.packing_fraction() * 2.0 * (low - high) / (low + high)
    };
    Ok(place.opposite.iter().map(of_pair).collect())
}
