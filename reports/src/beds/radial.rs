//! The porosity at distances from the wall of poured beds.

use super::{
    outcome::Outcome,
    pour::{bed, tapped},
    structure::TAPS,
};
use crate::walls::profile::{POURED, Profile, layer, vessel};

/// Number of beds of each kind.
pub const SEEDS: u64 = 3;

/// Pours beds into a cylinder of 20 diameters.
pub fn measure() -> Outcome<Vec<Profile>> {
    let vessel = vessel()?;
    let radii = || vec![0.5; POURED];
    let poured = (0..SEEDS).map(|seed| layer(&bed(radii(), &vessel, seed)?));
    let poured = Profile::of("poured", &poured.collect::<Outcome<Vec<_>>>()?)?;
    let compacted = (0..SEEDS).map(|seed| layer(&tapped(radii(), &vessel, TAPS, seed)?));
    let name = format!("{TAPS} taps");
    let compacted = Profile::of(&name, &compacted.collect::<Outcome<Vec<_>>>()?)?;
    eprintln!("radial profile of poured and of tapped beds");
    Ok(vec![poured, compacted])
}
