//! Blends of size distributions.

use super::{
    blend_curve::BlendCurve,
    class_curve::normalized,
    constants::{
        LONGEST_LABEL, MOST_COMPONENTS, PERCENT_FROM, SHARE_SUM_TOLERANCE, UNNOTED_SHARE_SUM,
    },
    law::{Law, LawParameters},
    range::check_diameter,
    size_distribution::{Blend, BlendBasis, BlendParameters, Component, SizeDistribution},
    sizes_error::SizesError,
};
use crate::{dimension::Dimension, macros::setters};

impl Component {
    /// Creates a component without a density.
    pub fn new(label: impl Into<String>, share: f64, sizes: impl Into<SizeDistribution>) -> Self {
        Self {
            label: label.into(),
            share,
            density: None,
            sizes: sizes.into(),
            scale: 1.0,
        }
    }

    setters! {
        /// Sets the density of the spheres.
        density: impl Into<Option<f64>>;
        /// Sets the factor from the unit of the size distribution to the unit of the blend.
        scale: f64;
    }
}

impl Blend {
    /// Creates a blend of components with shares by mass or by volume.
    ///
    /// The shares are divided by their sum, which is 1 or, in percent, 100.
    ///
    /// # Errors
    /// There is no component, two labels are equal, the shares do not sum to 1 within 10⁻³ or to 100 within 0.1, a density is not
    /// positive, or only some components have one.
    pub fn new(by: BlendBasis, components: Vec<Component>) -> Result<Self, SizesError> {
        Law::new(BlendParameters { by, components }).map(Self)
    }

    /// Returns the components, with the shares as they were given.
    pub fn components(&self) -> &[Component] {
        &self.0.parameters.components
    }

    /// Returns the quantity of which the components have shares.
    pub fn basis(&self) -> BlendBasis {
        self.0.parameters.by
    }

    /// Returns the share of the volume of all spheres that each component has. The sum is 1.
    pub fn volume_shares(&self) -> Vec<f64> {
        self.0.parameters.volume_shares()
    }

    /// Returns the share of the mass of all spheres that each component has. The sum is 1.
    pub fn mass_shares(&self) -> Vec<f64> {
        let components = self.components().iter().zip(self.volume_shares());
        normalized(components.map(|(component, share)| share * component.density.unwrap_or(1.0)))
    }

    /// Returns the share of the number of all spheres that each component has. The sum is 1.
    pub fn number_shares(&self) -> Vec<f64> {
        let mut shares = vec![0.0; self.components().len()];
        for leaf in self.0.curve.leaves() {
            shares[leaf.component] += leaf.number;
        }
        shares
    }

    /// Returns sentences about shares that were divided by a sum other than 1, here and in the components.
    pub(super) fn note(&self) -> Option<String> {
        let sum = self.0.parameters.sum();
        let relative = if sum > PERCENT_FROM { sum / 100.0 } else { sum };
        let own = ((relative - 1.0).abs() > UNNOTED_SHARE_SUM).then(|| {
            format!("the shares of the components sum to {sum:?} and are divided by this sum")
        });
        let of_components = self.components().iter().filter_map(|component| {
            let note = component.sizes.note()?;
            Some(format!("{}: {note}", component.label))
        });
        let notes: Vec<String> = own.into_iter().chain(of_components).collect();
        (!notes.is_empty()).then(|| notes.join("; "))
    }
}

impl SizeDistribution {
    /// Creates a blend of components with shares by mass, see [`Blend::new`].
    ///
    /// # Errors
    /// The errors of [`Blend::new`].
    pub fn blend(components: Vec<Component>) -> Result<Self, SizesError> {
        Ok(Blend::new(BlendBasis::Mass, components)?.into())
    }

    /// Returns the components of a blend; none of another law.
    pub fn components(&self) -> &[Component] {
        match self {
            Self::Blend(blend) => blend.components(),
            _ => &[],
        }
    }
}

impl BlendParameters {
    fn sum(&self) -> f64 {
        self.components
            .iter()
            .map(|component| component.share)
            .sum()
    }

    fn volume_shares(&self) -> Vec<f64> {
        normalized(self.components.iter().map(|component| match self.by {
            BlendBasis::Mass => component.share / component.density.unwrap_or(1.0),
            BlendBasis::Volume => component.share,
        }))
    }

    fn check(&self) -> Result<(), SizesError> {
        let components = &self.components;
        if !(1..=MOST_COMPONENTS).contains(&components.len()) {
            return Err(SizesError(format!(
                "a blend of {} components; a blend has 1 to {MOST_COMPONENTS} components",
                components.len()
            )));
        }
        let has_density = components.iter().any(|other| other.density.is_some());
        for (before, component) in components.iter().enumerate() {
            component
                .check(&components[..before], has_density)
                .map_err(|error| error.at(format_args!("components, component {}", before + 1)))?;
        }
        let sum = self.sum();
        let is_near = |whole: f64| (sum / whole - 1.0).abs() <= SHARE_SUM_TOLERANCE;
        if is_near(1.0) || is_near(100.0) {
            Ok(())
        } else {
            Err(SizesError(format!(
                "the shares of the components sum to {sum:?}; the sum must be 1 (within 0.001) or 100 % (within 0.1 %)"
            )))
        }
    }
}

impl Component {
    /// Checks the component beside those before it. `has_density` says whether one of all components has a density.
    fn check(&self, before: &[Self], has_density: bool) -> Result<(), SizesError> {
        let length = self.label.chars().count();
        let is_text = !self.label.chars().any(char::is_control) && !self.label.trim().is_empty();
        if !(is_text && length <= LONGEST_LABEL) {
            return Err(SizesError(format!(
                "{:?} is not a label, a text on one line of 1 to {LONGEST_LABEL} characters",
                self.label
            )));
        }
        let share = self.share;
        if share != 0.0
            && !(f64::MIN_POSITIVE..=100.0 * (1.0 + SHARE_SUM_TOLERANCE)).contains(&share)
        {
            return Err(SizesError(format!(
                "{share:?} is not a share: 0 or a normal number of at most 1, or of at most 100 in percent"
            )));
        }
        if let Some(density) = self.density
            && check_diameter("density", density).is_err()
        {
            return Err(SizesError(format!(
                "density = {density:?} is not a number from 1e-60 to 1e60"
            )));
        }
        let (d_min, d_max) = (self.sizes.d_min(), self.sizes.d_max());
        [
            ("scale", self.scale),
            ("d_min", d_min * self.scale),
            ("d_max", d_max * self.scale),
        ]
        .into_iter()
        .try_for_each(|(field, value)| check_diameter(field, value))?;
        if has_density && self.density.is_none() {
            return Err(SizesError::new(
                "the density is missing; give it for all components, or for none if all have one density",
            ));
        }
        match before.iter().position(|other| other.label == self.label) {
            Some(other) => Err(SizesError(format!(
                "component {} has the label '{}', too; labels must differ",
                other + 1,
                self.label
            ))),
            None => Ok(()),
        }
    }
}

impl LawParameters for BlendParameters {
    /// Returns the blend of the same components of spheres of another dimension. Shares by mass or volume are shares by area of disks.
    fn in_dimension(&self, dimension: Dimension) -> Result<Self, SizesError> {
        let mut parameters = self.clone();
        for component in &mut parameters.components {
            component.sizes = component.sizes.in_dimension(dimension)?;
        }
        Ok(parameters)
    }

    fn curve(&self, _dimension: Dimension) -> Result<BlendCurve, SizesError> {
        self.check()?;
        let curve_of = |component: &Component| component.sizes.curve().scaled(component.scale);
        let curves = self.components.iter().map(curve_of);
        Ok(BlendCurve::new(
            self.volume_shares().into_iter().zip(curves),
        ))
    }
}
