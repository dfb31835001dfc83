//! Distributions without the spheres below or above a diameter.

use super::{
    blend_curve::BlendCurve,
    diameter_list::DiameterList,
    law::{Law, LawParameters},
    range::{check_diameter, check_range},
    size_distribution::{Blend, Component, Cut, CutParameters, SizeDistribution},
    sizes_error::SizesError,
};
use crate::dimension::Dimension;

/// The diameters that are kept.
#[derive(Clone, Copy)]
struct Kept {
    d_min: Option<f64>,
    d_max: Option<f64>,
}

impl Kept {
    fn check(self) -> Result<(), SizesError> {
        match (self.d_min, self.d_max) {
            (Some(d_min), Some(d_max)) => check_range(("d_min", d_min), ("d_max", d_max)),
            (Some(d_min), None) => check_diameter("d_min", d_min),
            (None, Some(d_max)) => check_diameter("d_max", d_max),
            (None, None) => Ok(()),
        }
    }

    fn over(self, scale: f64) -> Self {
        let over = |limit: Option<f64>| limit.map(|diameter| diameter / scale);
        Self {
            d_min: over(self.d_min),
            d_max: over(self.d_max),
        }
    }

    /// Returns both ends, for a distribution from `d_min` to `d_max`.
    fn ends(self, (d_min, d_max): (f64, f64)) -> (f64, f64) {
        (self.d_min.unwrap_or(d_min), self.d_max.unwrap_or(d_max))
    }

    /// The error for a distribution from `d_min` to `d_max` of which nothing remains.
    fn nothing_of(self, (d_min, d_max): (f64, f64)) -> SizesError {
        let kept = match (self.d_min, self.d_max) {
            (Some(low), Some(high)) => format!("from {low:?} to {high:?}"),
            (Some(low), None) => format!("from {low:?}"),
            (None, Some(high)) => format!("up to {high:?}"),
            (None, None) => "of all sizes".to_owned(),
        };
        SizesError(format!(
            "the cut leaves no sphere: it keeps diameters {kept}, and the distribution has diameters from {d_min:?} to {d_max:?}"
        ))
    }

    fn contains(self, diameter: f64) -> bool {
        self.d_min.is_none_or(|d_min| d_min <= diameter)
            && self.d_max.is_none_or(|d_max| diameter <= d_max)
    }

    /// Returns the kept part of a curve that is no blend; `None` if no sphere remains.
    fn curve_of(self, curve: &BlendCurve) -> Option<BlendCurve> {
        let (low, high) = self.ends(curve.range());
        let cut = curve.leaves().first()?.curve.cut(low, high)?;
        Some(cut.into())
    }

    /// Returns what remains of a distribution; `None` if no sphere does.
    fn remaining(self, sizes: &SizeDistribution) -> Result<Option<SizeDistribution>, SizesError> {
        self.check()?;
        if self.contains(sizes.d_min()) && self.contains(sizes.d_max()) {
            return Ok(Some(sizes.clone()));
        }
        match sizes {
            SizeDistribution::Diameters(list) => {
                let diameters = list.diameters().iter().copied();
                let diameters = diameters.filter(|&diameter| self.contains(diameter));
                let list = DiameterList::new(diameters.collect());
                Ok(list.ok().map(SizeDistribution::from))
            }
            SizeDistribution::Blend(blend) => cut_blend(blend, self),
            _ if self.curve_of(sizes.curve()).is_none() => Ok(None),
            _ => {
                let law = Law::new(CutParameters {
                    d_min: self.d_min,
                    d_max: self.d_max,
                    law: Box::new(sizes.clone()),
                })?;
                Ok(Some(SizeDistribution::Cut(Cut(law))))
            }
        }
    }
}

impl SizeDistribution {
    /// Returns the distribution without the spheres that are smaller than `below` or larger than `above`.
    ///
    /// The other spheres keep their proportions. [`Self::mass_below_and_above`] returns the share of the mass that is left out. A list of
    /// diameters remains a list, and a blend a blend: each component loses its own spheres, and a component of which nothing remains is
    /// left out.
    ///
    /// ```
    /// use jostle::distribution::{Fuller, SizeDistribution};
    ///
    /// let law = SizeDistribution::from(Fuller::new(1.0, 16.0, 0.5)?);
    /// // The mass at or below d is (√d − 1) / 3.
    /// assert!((law.mass_below_and_above(Some(4.0), None)[0] - 1.0 / 3.0).abs() < 1e-12);
    /// let cut = law.cut(Some(4.0), None)?;
    /// assert_eq!((cut.d_min(), cut.d_max()), (4.0, 16.0));
    /// assert!((cut.mass_cdf(9.0) - 0.5).abs() < 1e-12);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// A limit is not a diameter, `below` is not smaller than `above`, or no sphere remains.
    pub fn cut(&self, below: Option<f64>, above: Option<f64>) -> Result<Self, SizesError> {
        let kept = Kept {
            d_min: below,
            d_max: above,
        };
        kept.remaining(self)?
            .ok_or_else(|| kept.nothing_of((self.d_min(), self.d_max())))
    }

    /// Returns the share of the mass in spheres that are smaller than `below`, and in spheres that are larger than `above`; 0 without
    /// the limit.
    pub fn mass_below_and_above(&self, below: Option<f64>, above: Option<f64>) -> [f64; 2] {
        let below = below.map(|limit| self.mass_cdf(limit.next_down()));
        let above = above.map(|limit| 1.0 - self.mass_cdf(limit));
        [below, above].map(Option::unwrap_or_default)
    }
}

/// Returns a blend of what remains of the components; `None` if nothing remains.
fn cut_blend(blend: &Blend, kept: Kept) -> Result<Option<SizeDistribution>, SizesError> {
    let mut components = Vec::new();
    for (component, share) in blend.components().iter().zip(blend.shares()) {
        let kept = kept.over(component.scale);
        let [below, above] = (component.sizes).mass_below_and_above(kept.d_min, kept.d_max);
        let share = share * (1.0 - below - above);
        let sizes = kept.remaining(&component.sizes)?;
        if let Some(sizes) = sizes.filter(|_| share > 0.0) {
            components.push(Component {
                share,
                sizes,
                ..component.clone()
            });
        }
    }
    let total: f64 = components.iter().map(|component| component.share).sum();
    for component in &mut components {
        component.share /= total;
    }
    if components.is_empty() {
        return Ok(None);
    }
    Ok(Some(Blend::new(blend.basis(), components)?.into()))
}

impl LawParameters for CutParameters {
    fn in_dimension(&self, dimension: Dimension) -> Result<Self, SizesError> {
        Ok(Self {
            law: Box::new(self.law.in_dimension(dimension)?),
            ..self.clone()
        })
    }

    fn curve(&self, dimension: Dimension) -> Result<BlendCurve, SizesError> {
        let kept = Kept {
            d_min: self.d_min,
            d_max: self.d_max,
        };
        kept.check()?;
        if let SizeDistribution::Blend(_) = *self.law {
            return Err(SizesError::new(
                "law: a blend cannot be cut as a whole; cut the sizes of its components",
            ));
        }
        // [`Self::in_dimension`] has changed the law that is cut.
        debug_assert_eq!(self.law.curve().dimension(), dimension);
        let curve = self.law.curve();
        kept.curve_of(curve)
            .ok_or_else(|| kept.nothing_of(curve.range()))
    }
}
