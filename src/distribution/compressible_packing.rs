//! Expected packing fraction by the compressible packing model.

use super::{
    constants::{
        COMPACTION_INDEX, EQUAL_SPHERES, LOOSENING_EXPONENT, ROOT_HALVINGS, WALL_EXPONENT,
    },
    sizes_error::SizesError,
    volume_classes::VolumeClasses,
};

/// The compressible packing model of de Larrard, for spheres of any sizes.
///
/// The model has two effects of size class j on the class i. Smaller grains push larger ones apart: the loosening effect
/// `a = √(1 − (1 − d_j/d_i)^1.02)`. Larger grains leave voids beside them among smaller ones: the wall effect
/// `b = 1 − (1 − d_i/d_j)^1.50`. For volume shares y and the residual packing density β, which is the same for all classes of spheres, the
/// class i alone would allow the virtual packing density
///
/// ```text
/// γ_i = β / (1 − Σ_larger (1 − β)(1 − b_ij) y_j − Σ_smaller (1 − a_ij) y_j)
/// ```
///
/// The packing fraction Φ lies below all γ_i. It is the solution of `K = Σ (y_i/β) / (1/Φ − 1/γ_i)`. The compaction index K belongs to the
/// process: 4.1 for pouring, 4.5 for rodding, 4.75 for vibration, 9 for vibration with compression.
///
/// De Larrard states a mean error of 0.77 % for rounded grains. Spheres without friction loosen each other less: between size
/// ratios of 4 and 20 the model predicts less than packings reach. `docs/method/compressible-packing.md` has the comparison.
///
/// # Calibration
/// Equal spheres have one class, for which the equation becomes β = (1 + 1/K) φ₀ with their packing fraction φ₀. No
/// other number is adjusted. The default is K = 9, the value for the densest process, and φ₀ = 0.6435, the random close packing of equal spheres
/// by Farr & Groot (2009). It follows that β = 0.715.
///
/// # Reference
/// F. de Larrard, Concrete Mixture Proportioning: A Scientific Approach, E & FN Spon, London 1999, chapter 1.
/// `docs/method/compressible-packing.md` names the sources that confirm its constants.
///
/// # Example
/// ```
/// use jostle::distribution::{CompressiblePacking, VolumeClasses};
///
/// let model = CompressiblePacking::default();
/// let equal = model.packing_fraction(&VolumeClasses::of_radii(&[0.5; 10]));
/// assert!((equal - 0.6435).abs() < 1e-12);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CompressiblePacking {
    compaction_index: f64,
    residual: f64,
}

impl CompressiblePacking {
    /// Calibrates the model for a process: its compaction index K, and the packing fraction of equal spheres that it packs.
    ///
    /// # Errors
    /// [`SizesError`] if the index is not positive and finite, or if the residual packing density is not between 0 and 1.
    pub fn new(compaction_index: f64, equal_spheres: f64) -> Result<Self, SizesError> {
        if !(compaction_index > 0.0 && compaction_index.is_finite()) {
            return Err(SizesError(format!(
                "the compaction index K is {compaction_index}; a finite number above 0 is expected, such as 9"
            )));
        }
        let residual = (1.0 + 1.0 / compaction_index) * equal_spheres;
        if !(residual > 0.0 && residual < 1.0) {
            let limit = compaction_index / (compaction_index + 1.0);
            return Err(SizesError(format!(
                "the packing fraction of equal spheres is {equal_spheres}; a number above 0 is expected, and below K / (K + 1) = {limit}"
            )));
        }
        Ok(Self {
            compaction_index,
            residual,
        })
    }

    /// Returns the compaction index K.
    pub fn compaction_index(&self) -> f64 {
        self.compaction_index
    }

    /// Returns the residual packing density β: the virtual packing density of equal spheres.
    pub fn residual(&self) -> f64 {
        self.residual
    }

    /// Returns the packing fraction of spheres in these classes; 0 without spheres.
    ///
    /// # Cost
    /// The square of the number of classes: about 1 ms for 128 classes.
    pub fn packing_fraction(&self, classes: &VolumeClasses) -> f64 {
        let (diameters, volumes): (Vec<f64>, Vec<f64>) = classes.classes().iter().copied().unzip();
        self.interactions(&diameters).packing_fraction(&volumes)
    }

    /// Returns the virtual packing density γ of spheres in these classes, the limit for an infinite compaction index; 0 without spheres.
    pub fn virtual_density(&self, classes: &VolumeClasses) -> f64 {
        let (diameters, volumes): (Vec<f64>, Vec<f64>) = classes.classes().iter().copied().unzip();
        let limits = self.interactions(&diameters).inverse_limits(&volumes);
        let largest = limits.iter().copied().fold(0.0, f64::max);
        if largest > 0.0 { 1.0 / largest } else { 0.0 }
    }

    /// Returns the effects of classes on each other, for any shares of these classes.
    pub(super) fn interactions(self, diameters: &[f64]) -> Interactions {
        let effect = |(&d, &other): (&f64, &f64)| {
            if other > d {
                (1.0 - self.residual) * (1.0 - complement_power(d / other, WALL_EXPONENT))
            } else {
                1.0 - complement_power(other / d, LOOSENING_EXPONENT).sqrt()
            }
        };
        let pairs = diameters
            .iter()
            .flat_map(|d| diameters.iter().map(move |other| (d, other)));
        Interactions {
            model: self,
            effects: pairs.map(effect).collect(),
        }
    }
}

impl Default for CompressiblePacking {
    fn default() -> Self {
        Self {
            compaction_index: COMPACTION_INDEX,
            residual: (1.0 + 1.0 / COMPACTION_INDEX) * EQUAL_SPHERES,
        }
    }
}

/// Returns 1 − (1 − x)^`power` without cancellation for small x, for x from 0 to 1.
fn complement_power(x: f64, power: f64) -> f64 {
    -libm::expm1(power * libm::log1p(-x))
}

/// The effects of size classes on each other.
#[derive(Clone, Debug)]
pub(super) struct Interactions {
    model: CompressiblePacking,
    /// One row for each class: the factors of all shares in the denominator of γ.
    effects: Vec<f64>,
}

impl Interactions {
    /// Returns the packing fraction of classes with these shares of the volume, whose sum is 1; 0 without classes.
    pub fn packing_fraction(&self, volumes: &[f64]) -> f64 {
        let limits = self.inverse_limits(volumes);
        let largest = limits.iter().copied().fold(0.0, f64::max);
        if largest == 0.0 {
            return 0.0;
        }
        let CompressiblePacking {
            compaction_index,
            residual,
        } = self.model;
        // K falls with 1/Φ, and has its value where 1/Φ − 1/γ is at most this distance.
        let distance = 1.0 / (residual * compaction_index);
        let index_at = |inverse: f64| {
            let terms = volumes
                .iter()
                .zip(&limits)
                .filter(|(volume, _)| **volume > 0.0);
            terms
                .map(|(volume, limit)| volume / residual / (inverse - limit))
                .sum::<f64>()
        };
        let (mut low, mut high) = (largest, largest + distance);
        for _ in 0..ROOT_HALVINGS {
            let middle = 0.5 * (low + high);
            if index_at(middle) > compaction_index {
                low = middle;
            } else {
                high = middle;
            }
        }
        2.0 / (low + high)
    }

    /// Returns 1/γ of each class; 0 for a class without volume, which limits nothing.
    fn inverse_limits(&self, volumes: &[f64]) -> Vec<f64> {
        let rows = self.effects.chunks_exact(volumes.len().max(1));
        rows.zip(volumes)
            .map(|(effects, &volume)| {
                if volume == 0.0 {
                    return 0.0;
                }
                let effect: f64 = effects.iter().zip(volumes).map(|(e, y)| e * y).sum();
                (1.0 - effect) / self.model.residual
            })
            .collect()
    }
}
