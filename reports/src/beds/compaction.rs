//! Packing fraction, contacts and rest of compacted beds, of the packing loop at the same packing fractions, and of jammed beds.

use jostle::{
    Container, PackOptions, Packing, Target,
    analysis::Contacts,
    glam::DVec3,
    jam::JamGap,
    pack,
    pour::{Compaction, PourOptions},
    rearrange::Start,
};

use super::{
    layers::top,
    outcome::Outcome,
    pour::{bed, poured},
    structure::{Layer, TOLERANCE, layer},
};

/// Side of the beds, which are periodic across gravity, in diameters.
const SIDE: f64 = 10.0;

/// Number of spheres of a bed.
pub const SPHERES: usize = 2000;

/// Stop angles in degrees, and the packing fractions to which beds are compacted.
const REQUESTS: [(f64, &[f64]); 6] = [
    (0.0, &[0.58, 0.59]),
    (20.0, &[0.55, 0.57, 0.59]),
    (30.0, &[0.55, 0.57, 0.59, 0.6]),
    (40.0, &[0.57, 0.59, 0.61]),
    (50.0, &[0.59, 0.61, 0.62]),
    (60.0, &[0.61, 0.62]),
];

/// Packing fractions to which the packing loop brings a poured bed under a lid.
const OF_LOOP: [f64; 4] = [0.57, 0.59, 0.61, 0.62];

/// A compacted bed.
pub struct Compacted {
    pub how: String,
    /// Requested packing fraction; absent if the bed is as poured, or as dense as possible.
    pub requested: Option<f64>,
    /// Packing fraction between the floor and the mean surface.
    pub reached: f64,
    pub layer: Layer,
    /// What certifies the rest.
    pub rest: String,
}

/// Compacts beds in each way.
pub fn measure() -> Outcome<Vec<Compacted>> {
    let container = Container::cuboid(DVec3::new(SIDE, SIDE, 60.0), "ppw".parse()?)?;
    let mut rows = Vec::new();
    for (stop_angle, fractions) in REQUESTS {
        let how = if stop_angle == 0.0 {
            "poured".to_owned()
        } else {
            format!("stop angle {stop_angle}°")
        };
        let requests = [None]
            .into_iter()
            .chain(fractions.iter().copied().map(Some));
        for requested in requests {
            let compaction = requested.map_or(Compaction::None, Compaction::Fraction);
            let options = PourOptions::default().stop_angle(stop_angle);
            let packing = poured(
                vec![0.5; SPHERES],
                &container,
                options.compaction(compaction),
            )?;
            rows.push(row(how.clone(), requested, &packing, rest(&packing))?);
        }
        let options = PourOptions::default()
            .stop_angle(stop_angle)
            .jam(JamGap::AUTO);
        let packing = poured(vec![0.5; SPHERES], &container, options)?;
        let rest = rest(&packing);
        rows.push(row(format!("{how}, jammed"), None, &packing, rest)?);
        eprintln!("compacted beds: {how}");
    }
    let loose = bed(vec![0.5; SPHERES], &container, 1)?;
    for fraction in OF_LOOP {
        let packing = by_loop(&loose, fraction)?;
        let how = "packing loop, with a lid".to_owned();
        rows.push(row(
            how,
            Some(fraction),
            &packing,
            "no supports".to_owned(),
        )?);
    }
    eprintln!("packing loop");
    Ok(rows)
}

/// Compresses a bed along gravity under a lid, to a packing fraction.
fn by_loop(bed: &Packing, fraction: f64) -> Outcome<Packing> {
    let top = top(bed);
    let filled = bed.spheres().volume() / (SIDE * SIDE);
    let height = filled / fraction;
    let centers = bed.spheres().centers().iter();
    let centers: Vec<DVec3> = centers
        .map(|center| center.with_z(center.z * height / top))
        .collect();
    let container = Container::cuboid(DVec3::new(SIDE, SIDE, height), "ppw".parse()?)?;
    let options = PackOptions::default()
        .container(container)
        .start(Start::new("bed", centers))
        .target(Target::Exact);
    Ok(pack(bed.spheres().radii(), &options)?.packing)
}

fn row(how: String, requested: Option<f64>, packing: &Packing, rest: String) -> Outcome<Compacted> {
    let lengths = packing.container().lengths();
    let area = lengths.x * lengths.y;
    let found = Contacts::new(packing.spheres(), packing.container(), TOLERANCE)?;
    let centers = packing.spheres().centers();
    let mean = centers.iter().map(|center| center.z).sum::<f64>() / centers.len() as f64;
    Ok(Compacted {
        how,
        requested,
        reached: packing.spheres().volume() / (2.0 * mean * area),
        layer: layer(packing, area, &found),
        rest,
    })
}

/// Returns what the certificate of rest says, or the account of the jamming.
fn rest(packing: &Packing) -> String {
    let jamming = packing.provenance.as_ref().and_then(|made| made.jamming);
    if let (Some(residual), Some(_)) = (jamming.and_then(|it| it.residual), packing.forces()) {
        return format!("forces carry the weights to {residual:.0e} of their mean");
    }
    match packing.stability() {
        Some(stability) if stability.unsupported == 0 => "all spheres rest".to_owned(),
        Some(stability) => format!("{} spheres do not rest", stability.unsupported),
        None => "no supports".to_owned(),
    }
}
