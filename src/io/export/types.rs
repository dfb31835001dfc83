//! Types of spheres by their components or diameters.

use std::{io, str::FromStr};

use super::invalid::invalid;

/// The rule by which spheres get the numbers of types (of materials, species or atoms), which count from 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Types {
    /// One type for each component of a blend, in their order. The spheres of other packings have type 1.
    #[default]
    Components,
    /// All spheres have type 1.
    One,
    /// This number of types, from the smallest spheres to the largest. The bounds between the types divide the range of diameters
    /// into parts of equal ratio.
    Parts(u32),
    /// One type for each diameter that occurs, from the smallest to the largest.
    Classes,
}

/// A text that names no rule for types.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("'{0}' is no rule for types; expected a number of types from 1 to {most}, 'classes' for one type per diameter, or 'components' for one type per component of a blend", most = MOST_TYPES)]
pub struct ParseTypesError(String);

/// Largest number of types. Codes keep tables with one entry for each pair of types.
const MOST_TYPES: u32 = 1000;

impl FromStr for Types {
    type Err = ParseTypesError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        if text == "classes" {
            return Ok(Self::Classes);
        }
        if text == "components" {
            return Ok(Self::Components);
        }
        match text.parse() {
            Ok(1) => Ok(Self::One),
            Ok(parts) if (2..=MOST_TYPES).contains(&parts) => Ok(Self::Parts(parts)),
            _ => Err(ParseTypesError(text.to_owned())),
        }
    }
}

impl Types {
    /// Returns the smallest radius of each type but the first.
    pub(super) fn bounds(self, radii: &[f64]) -> io::Result<Vec<f64>> {
        Ok(match self {
            Self::One | Self::Components => Vec::new(),
            Self::Parts(parts) => equal_ratios(radii, parts),
            Self::Classes => {
                let mut all = radii.to_vec();
                all.sort_unstable_by(f64::total_cmp);
                all.dedup();
                if all.len() > MOST_TYPES as usize {
                    return Err(invalid(format!(
                        "the spheres have {} diameters, one type for each; at most {MOST_TYPES} types can be written, \
                         so give their number instead",
                        all.len()
                    )));
                }
                all.split_off(1.min(all.len()))
            }
        })
    }
}

/// Returns the bounds between parts of the range of radii that have equal ratios.
fn equal_ratios(radii: &[f64], parts: u32) -> Vec<f64> {
    let smallest = radii.iter().copied().fold(f64::INFINITY, f64::min);
    let largest = radii.iter().copied().fold(0.0, f64::max);
    (1..parts)
        .map(|part| {
            let share = f64::from(part) / f64::from(parts);
            smallest * libm::pow(largest / smallest, share)
        })
        .collect()
}
