//! What may be asked of the packing loop, and what may not.

use std::time::Duration;

use glam::DVec3;

use super::schedule::Effort;
use crate::{
    container::{Boundaries, Container, ContainerError},
    index::IndexKind,
    spheres::total_volume,
};

/// How large the container is to be.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Target {
    /// The smallest cube that the effort finds.
    #[default]
    Densest,
    /// A cube of which the spheres fill this share.
    Fraction(f64),
    /// A container of exactly these lengths.
    Container(DVec3),
}

/// How to pack.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PackOptions {
    /// The size of the container.
    pub target: Target,
    /// The boundary of each axis.
    pub boundary: Boundaries,
    /// Smallest gap between the surfaces of two spheres, in the unit of the radii; a wall keeps half of it.
    pub min_gap: f64,
    /// From quick to dense.
    pub effort: Effort,
    /// The global index behind the Verlet lists.
    pub index: IndexKind,
    /// Seed of the random placement.
    pub seed: u64,
    /// Number of threads; 0 takes one for each core. The packing is the same for any number.
    pub threads: usize,
    /// Ends the loop after so many sweeps, the last forty of them quick ones to make the best of it.
    pub max_sweeps: Option<u64>,
    /// Ends the loop after so long a time; forty quick sweeps follow to make the best of it.
    pub time_limit: Option<Duration>,
}

/// A request that cannot be packed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum PackError {
    /// There are no radii.
    #[error("there is nothing to pack: the number of spheres must be at least 1")]
    NoSpheres,
    /// More spheres than ids.
    #[error(
        "{count} spheres would need about {gib:.0} GiB of memory; at most {most} can be packed at once",
        gib = estimated_bytes(*count) / f64::from(1 << 30),
        most = MOST_SPHERES
    )]
    TooMany {
        /// The number asked for.
        count: u64,
    },
    /// A radius is not a positive, finite number.
    #[error("radius {value} of sphere {sphere} is not a positive, finite number")]
    Radius {
        /// Place in the array.
        sphere: usize,
        /// The radius.
        value: f64,
    },
    /// The target fraction is outside (0, 1).
    #[error("packing fraction {0} is not above 0 and below 1")]
    Fraction(f64),
    /// The gap is negative or not finite.
    #[error("smallest gap {0} is not a finite number of at least 0")]
    MinGap(f64),
    /// A length of the container makes no sense.
    #[error(transparent)]
    Container(#[from] ContainerError),
    /// A sphere, with its share of the gap, is larger than the container.
    #[error(
        "a sphere of diameter {diameter} does not fit into a container of length {length} along {axis}"
    )]
    TooLarge {
        /// Diameter with coat.
        diameter: f64,
        /// Length of the container.
        length: f64,
        /// Axis by name.
        axis: char,
    },
    /// The spheres have more volume than the container.
    #[error(
        "the spheres have a volume of {spheres} and the container has one of {container}; they cannot fit without overlap"
    )]
    TooMuchVolume {
        /// Sum of the volumes, each with its share of the gap.
        spheres: f64,
        /// Volume of the container.
        container: f64,
    },
    /// Threads could not be started.
    #[error("could not start the threads: {0}")]
    Threads(String),
}

/// Spheres are numbered in 32 bits.
const MOST_SPHERES: u64 = u32::MAX as u64 - 1;

/// The radius of a sphere with its coat: a gap of G between spheres is a coat of G/2 on each.
pub(super) fn coat(radius: f64, min_gap: f64) -> f64 {
    radius + 0.5 * min_gap
}

/// The radii of spheres with their coats.
pub(super) fn coated(radii: &[f64], min_gap: f64) -> impl Iterator<Item = f64> {
    radii.iter().map(move |&radius| coat(radius, min_gap))
}

/// About how much memory packing `count` spheres takes at its peak, in bytes.
///
/// Ten million equal spheres took 298 bytes each, of a Fuller curve 293, and a million of f(r) ∝ r⁻³ from 1 to 10 took 354.
pub fn estimated_bytes(count: u64) -> f64 {
    380.0 * count as f64
}

impl PackOptions {
    /// Refuses what cannot be packed, before anything is allocated.
    pub(super) fn check(&self, radii: &[f64]) -> Result<(), PackError> {
        if radii.is_empty() {
            return Err(PackError::NoSpheres);
        }
        if radii.len() as u64 > MOST_SPHERES {
            return Err(PackError::TooMany {
                count: radii.len() as u64,
            });
        }
        if let Some((sphere, &value)) = radii
            .iter()
            .enumerate()
            .find(|&(_, &radius)| !(radius > 0.0 && radius.is_finite()))
        {
            return Err(PackError::Radius { sphere, value });
        }
        if !(self.min_gap >= 0.0 && self.min_gap.is_finite()) {
            return Err(PackError::MinGap(self.min_gap));
        }
        match self.target {
            Target::Fraction(fraction) if !(fraction > 0.0 && fraction < 1.0) => {
                return Err(PackError::Fraction(fraction));
            }
            Target::Container(lengths) => {
                Container::new(lengths, self.boundary)?;
            }
            _ => {}
        }
        if let Some(container) = self.asked_container(radii) {
            let largest = radii.iter().copied().fold(0.0, f64::max);
            let diameter = 2.0 * largest + self.min_gap;
            for (axis, length) in ['x', 'y', 'z']
                .into_iter()
                .zip(container.lengths().to_array())
            {
                if diameter > length {
                    return Err(PackError::TooLarge {
                        diameter,
                        length,
                        axis,
                    });
                }
            }
            let coated: Vec<f64> = coated(radii, self.min_gap).collect();
            if total_volume(&coated) >= container.volume() {
                return Err(PackError::TooMuchVolume {
                    spheres: total_volume(&coated),
                    container: container.volume(),
                });
            }
        }
        Ok(())
    }

    /// The container the target names, if it names one.
    pub(super) fn asked_container(&self, radii: &[f64]) -> Option<Container> {
        let lengths = match self.target {
            Target::Densest => return None,
            Target::Fraction(fraction) => DVec3::splat(libm::cbrt(total_volume(radii) / fraction)),
            Target::Container(lengths) => lengths,
        };
        Container::new(lengths, self.boundary).ok()
    }

    /// The container to place the spheres in: of the asked shape, filled to `start_fraction`, but never too small for
    /// the largest sphere, nor much denser than what is asked for.
    pub(super) fn start_container(
        &self,
        coated: &[f64],
        asked: Option<Container>,
        start_fraction: f64,
    ) -> Container {
        let volume = total_volume(coated);
        let shape = asked.unwrap_or_else(|| {
            Container::new(DVec3::ONE, self.boundary).expect("a unit cube is a container")
        });
        let fraction = match asked.map(|asked| volume / asked.volume()) {
            // Far below random close packing, a jammed start would only be blown up.
            Some(fraction) if fraction < 0.75 * start_fraction => 1.05 * fraction,
            _ => start_fraction,
        };
        let largest = coated.iter().copied().fold(0.0, f64::max);
        let factor = libm::cbrt(volume / fraction / shape.volume())
            .max(2.0 * largest / shape.lengths().min_element());
        shape.scaled(factor)
    }
}
