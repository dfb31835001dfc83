//! The porosity at distances from the wall of poured and of tapped beds.

use super::{
    outcome::Outcome,
    pour::{bed, tapped},
};
use crate::walls::profile::{POURED, Profile, layer, vessel};

/// Number of beds of each kind.
pub const SEEDS: u64 = 3;

/// Packing fraction towards which beds are tapped.
const FRACTION: f64 = 0.6;

/// Pours and taps beds in a cylinder of 20 diameters.
pub fn measure() -> Outcome<Vec<Profile>> {
    let vessel = vessel()?;
    let radii = || vec![0.5; POURED];
    let poured = (0..SEEDS).map(|seed| layer(&bed(radii(), &vessel, seed)?));
    let poured = Profile::of("poured", &poured.collect::<Outcome<Vec<_>>>()?)?;
    eprintln!("radial profile of poured beds");
    let dense = (0..SEEDS).map(|seed| layer(&tapped(radii(), &vessel, FRACTION, seed)?));
    let name = format!("tapped towards {FRACTION}");
    let dense = Profile::of(&name, &dense.collect::<Outcome<Vec<_>>>()?)?;
    eprintln!("radial profile of tapped beds");
    Ok(vec![poured, dense])
}
