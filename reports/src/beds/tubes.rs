//! The porosity of beds in tubes, by their diameter.

use std::f64::consts::FRAC_PI_4;

use jostle::{Boundary, Container, Packing, jam::JamGap, pour::PourOptions};

use super::{
    layers::{fraction, top},
    mean::Mean,
    outcome::Outcome,
    pour::{bed, poured, tapped},
    structure::TAPS,
};

/// Diameters of the tubes, in diameters of the spheres.
const RATIOS: [f64; 16] = [
    1.2, 1.5, 1.8, 2.1, 2.5, 3.0, 3.5, 4.0, 5.0, 6.0, 8.0, 10.0, 12.5, 16.0, 20.0, 30.0,
];

/// Number of beds in each tube.
pub const SEEDS: u64 = 4;

/// Number of tapped beds in each tube.
pub const TAPPED: u64 = 2;

/// Number of jammed beds in each tube of `JAMMED_RATIOS`.
pub const JAMMED: u64 = 2;

/// Diameters of the tubes of jammed beds. A bed takes seconds to minutes.
const JAMMED_RATIOS: std::ops::RangeInclusive<f64> = 4.0..=10.0;

/// Distance of the measured layer from the floor and from the surface, in diameters.
pub const MARGIN: f64 = 5.0;

/// Least height of a bed, in diameters.
pub const HEIGHT: f64 = 30.0;

/// Least number of spheres in a bed; narrow tubes are longer.
const FEWEST: f64 = 3000.0;

/// A packing fraction from which the height follows.
const EXPECTED: f64 = 0.56;

/// Beds in tubes of one diameter.
pub struct Tube {
    pub ratio: f64,
    pub spheres: usize,
    pub porosity: Mean,
    /// After taps.
    pub tapped: Mean,
    /// Of jammed beds that are at rest.
    pub jammed: Option<Mean>,
    /// Number of jammed beds that are not at rest.
    pub restless: usize,
}

/// Returns the porosity of a tube so narrow that each sphere rests on the last one and on the wall opposite to it; `None` in wider tubes, where
/// it also touches the last but one.
pub fn single_file(ratio: f64) -> Option<f64> {
    let rise = (2.0 * ratio - ratio * ratio).max(0.0).sqrt();
    // The volume of a sphere is 2/3 of that of a cylinder around it.
    (rise >= 0.5).then(|| 1.0 - 2.0 / (3.0 * ratio * ratio * rise))
}

/// Pours beds into all tubes.
pub fn measure() -> Outcome<Vec<Tube>> {
    RATIOS.into_iter().map(tube).collect()
}

fn tube(ratio: f64) -> Outcome<Tube> {
    let area = FRAC_PI_4 * ratio * ratio;
    // The volume of a sphere is 2/3 of that of a cylinder around it.
    let per_height = 1.5 * EXPECTED * ratio * ratio;
    let height = HEIGHT.max(FEWEST / per_height);
    let spheres = (per_height * height) as usize;
    // The beds of narrow tubes are looser.
    let container = Container::cylinder(ratio, 2.0 * height, Boundary::Wall)?;
    let radii = || vec![0.5; spheres];
    let porosity = |packing: &Packing| {
        let layer = [MARGIN, top(packing) - MARGIN];
        1.0 - fraction(packing, area, layer)
    };
    let beds = (0..SEEDS).map(|seed| Ok(porosity(&bed(radii(), &container, seed)?)));
    let beds = beds.collect::<Outcome<Vec<f64>>>()?;
    let compacted = (0..TAPPED).map(|seed| Ok(porosity(&tapped(radii(), &container, TAPS, seed)?)));
    let compacted = compacted.collect::<Outcome<Vec<f64>>>()?;
    let number = if JAMMED_RATIOS.contains(&ratio) {
        JAMMED
    } else {
        0
    };
    let jammed = (0..number).map(|seed| -> Outcome<Option<f64>> {
        // As high as the beds of wide tubes: the load at the bottom of higher ones converges slowly.
        let spheres = (per_height * HEIGHT) as usize;
        let options = PourOptions::default().jam(JamGap::AUTO).seed(seed);
        let packing = poured(vec![0.5; spheres], &container, options)?;
        Ok(packing.forces().map(|_| porosity(&packing)))
    });
    let jammed = jammed.collect::<Outcome<Vec<Option<f64>>>>()?;
    let at_rest: Vec<f64> = jammed.iter().copied().flatten().collect();
    eprintln!("tube of {ratio} diameters");
    Ok(Tube {
        ratio,
        spheres,
        porosity: Mean::of(&beds),
        tapped: Mean::of(&compacted),
        jammed: (!at_rest.is_empty()).then(|| Mean::of(&at_rest)),
        restless: jammed.len() - at_rest.len(),
    })
}
