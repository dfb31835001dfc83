//! A pile under a point source, and the angle of its slope.

use jostle::{
    Container, Packing,
    glam::{DVec2, DVec3},
    pour::Source,
};

use super::{
    mean::{Mean, line},
    outcome::Outcome,
    pour::{PILES, pile},
};

/// Number of spheres of a pile.
pub const SPHERES: usize = 8000;

/// Side of the floor, in diameters.
const FLOOR: f64 = 80.0;

/// Height of the source, in diameters.
const HEIGHT: f64 = 60.0;

/// Number of piles.
pub const SEEDS: u64 = 4;

/// Rings of this width, in diameters, have a height each.
const RING: f64 = 1.0;

/// The rings between these shares of the radius of the pile belong to the slope.
const SLOPE: [f64; 2] = [0.15, 0.85];

/// A kind of piles.
pub struct Pile {
    pub name: &'static str,
    /// Angle of the slope, in degrees.
    pub angle: Mean,
    /// Height, in diameters.
    pub height: Mean,
}

/// Returns the container above the floor.
pub fn floor() -> Outcome<(Container, DVec3)> {
    let lengths = DVec3::new(FLOOR, FLOOR, HEIGHT);
    let container = Container::cuboid(lengths, "www".parse()?)?;
    Ok((
        container,
        DVec3::new(0.5 * FLOOR, 0.5 * FLOOR, HEIGHT - 1.0),
    ))
}

/// Returns the angle of the slope in degrees and the height of a pile around a vertical line.
fn slope(packing: &Packing, axis: DVec2) -> (f64, f64) {
    let spheres = packing.spheres();
    let tops = spheres.centers().iter().zip(spheres.radii());
    let mut rings: Vec<f64> = Vec::new();
    for (center, radius) in tops {
        let ring = (center.truncate().distance(axis) / RING) as usize;
        if rings.len() <= ring {
            rings.resize(ring + 1, 0.0);
        }
        rings[ring] = rings[ring].max(center.z + radius);
    }
    let peak = rings.iter().copied().fold(0.0, f64::max);
    // The pile ends where a ring is a single layer.
    let end = rings
        .iter()
        .position(|&top| top < 1.5)
        .unwrap_or(rings.len()) as f64;
    let points = rings.iter().enumerate().filter_map(|(ring, &top)| {
        let share = (ring as f64 + 0.5) / end;
        (SLOPE[0]..=SLOPE[1])
            .contains(&share)
            .then_some([(ring as f64 + 0.5) * RING, top])
    });
    let [_, slope] = line(&Vec::from_iter(points));
    ((-slope).atan().to_degrees(), peak)
}

/// Pours piles of every kind.
pub fn measure() -> Outcome<Vec<Pile>> {
    let (container, source) = floor()?;
    let mut piles = Vec::new();
    for (name, stop_angle, diameter) in PILES {
        let (mut angles, mut heights) = (Vec::new(), Vec::new());
        for seed in 0..SEEDS {
            let outlet = Source::at(source, diameter);
            let packing = pile(vec![0.5; SPHERES], &container, outlet, stop_angle, seed)?;
            let (angle, height) = slope(&packing, source.truncate());
            angles.push(angle);
            heights.push(height);
        }
        eprintln!("piles: {name}");
        piles.push(Pile {
            name,
            angle: Mean::of(&angles),
            height: Mean::of(&heights),
        });
    }
    Ok(piles)
}
