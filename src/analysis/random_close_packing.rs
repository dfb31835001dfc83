//! How dense a random close packing is expected to be, from its sizes alone.

use std::{cmp::Ordering, collections::BinaryHeap};

/// The least gap between two rods, in lengths of the shorter: fitted by Farr & Groot to equal spheres.
const FREE_VOLUME: f64 = 0.7654;
/// Enough that more of them change no printed digit.
const RODS: usize = 100_000;

/// The packing fraction that Farr & Groot predict for a random close packing of spheres with these radii, in any order
/// and unit; 0 for none.
///
/// A random line cuts the spheres of a packing into rods, whose lengths follow from the radii. The rods are set on a
/// line from the longest to the shortest, each into the largest gap there is, where it keeps at least 0.7654 of its
/// length from both neighbours; a gap too narrow for that is widened. The share of the line that they then cover is the
/// prediction. It holds for as many spheres as one likes in the proportions of this very sample, without the
/// influence of a container, and agrees with simulations to about 0.01 up to size ratios of 10.
///
/// # Cost
/// A sort of the radii, and 100 000 rods whatever their number.
///
/// # Reference
/// R. S. Farr & R. D. Groot, Close packing density of polydisperse hard spheres, J. Chem. Phys. 131 (2009) 244104,
/// [doi:10.1063/1.3276799](https://doi.org/10.1063/1.3276799): the rods and the greedy algorithm.
///
/// # Example
/// ```
/// let equal = jostle::predicted_packing_fraction(&[0.5]);
/// assert!((equal - 0.6435).abs() < 1e-4);
/// ```
pub fn predicted_packing_fraction(radii: &[f64]) -> f64 {
    let rods = rods(radii);
    let Some(&longest) = rods.first() else {
        return 0.0;
    };
    let mut gaps = BinaryHeap::with_capacity(rods.len());
    gaps.push(Gap(FREE_VOLUME * longest));
    let mut line = longest * (1.0 + FREE_VOLUME);
    for &rod in &rods[1..] {
        let Some(mut largest) = gaps.peek_mut() else {
            break;
        };
        let needed = rod * (1.0 + 2.0 * FREE_VOLUME);
        let widened = largest.0.max(needed);
        line += widened - largest.0;
        *largest = Gap(widened - rod * (1.0 + FREE_VOLUME));
        drop(largest);
        gaps.push(Gap(FREE_VOLUME * rod));
    }
    rods.iter().sum::<f64>() / line
}

/// The lengths of rods on a random line through spheres of the given radii, falling, in units of the largest diameter:
/// the middle of each of [`RODS`] equal parts of their number.
///
/// Of all rods, the share `Σ (D² − L²) / Σ D²`, its first sum over the diameters above L, is longer than L.
fn rods(radii: &[f64]) -> Vec<f64> {
    let mut sizes = radii.to_vec();
    sizes.sort_unstable_by(|a, b| b.total_cmp(a));
    let Some(&largest) = sizes.first() else {
        return Vec::new();
    };
    // Relative to the largest, so that no square overflows.
    sizes.iter_mut().for_each(|size| *size /= largest);
    let total: f64 = sizes.iter().map(|size| size * size).sum();
    let mut rods = Vec::with_capacity(RODS);
    let mut squares = 0.0;
    for (i, size) in sizes.iter().enumerate() {
        squares += size * size;
        let count = (i + 1) as f64;
        let next = sizes.get(i + 1).copied().unwrap_or(0.0);
        let longer_than_next = squares - count * next * next;
        while rods.len() < RODS {
            let longer = (rods.len() as f64 + 0.5) / RODS as f64 * total;
            if longer > longer_than_next {
                break;
            }
            rods.push(((squares - longer) / count).max(0.0).sqrt());
        }
    }
    rods
}

/// A gap between rods, ordered by its length.
#[derive(Clone, Copy, PartialEq)]
struct Gap(f64);

impl Eq for Gap {}

impl Ord for Gap {
    fn cmp(&self, other: &Self) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}

impl PartialOrd for Gap {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
