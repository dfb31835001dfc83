//! Blends of size distributions.

use super::{
    blend_curve::BlendCurve,
    class_curve::normalized,
    constants::{
        LONGEST_LABEL, MOST_COMPONENTS, PERCENT_FROM, SHARE_SUM_TOLERANCE, UNNOTED_SHARE_SUM,
    },
    law::{Law, LawParameters, OtherDimensionError},
    range::{SizeRangeError, check_diameter},
    size_distribution::{Blend, BlendBasis, BlendParameters, Component, SizeDistribution},
};
use crate::{dimension::Dimension, macros::setters};

/// Components that make no blend. Components count from 1.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum BlendError {
    /// There is no component, or too many.
    #[error("a blend of {0} components; a blend has 1 to {MOST_COMPONENTS} components")]
    Number(usize),
    /// A label is empty, long, or has a control character.
    #[error(
        "components, component {component}: {label:?} is not a label, a text on one line of 1 to {LONGEST_LABEL} characters"
    )]
    Label {
        /// The component.
        component: usize,
        /// The label.
        label: String,
    },
    /// Two components have one label.
    #[error(
        "components, component {component}: component {before} has the label '{label}', too; labels must differ"
    )]
    SameLabel {
        /// The component.
        component: usize,
        /// The component before with this label.
        before: usize,
        /// The label.
        label: String,
    },
    /// A share is neither 0 nor a normal number of at most 100.
    #[error(
        "components, component {component}: {share:?} is not a share: 0 or a normal number of at most 1, or of at most 100 in percent"
    )]
    Share {
        /// The component.
        component: usize,
        /// The share.
        share: f64,
    },
    /// The shares do not sum to 1.
    #[error(
        "the shares of the components sum to {0:?}; the sum must be 1 (within 0.001) or 100 % (within 0.1 %)"
    )]
    Sum(f64),
    /// A density is not a positive, finite number.
    #[error(
        "components, component {component}: density = {density:?} is not a number from 1e-60 to 1e60"
    )]
    Density {
        /// The component.
        component: usize,
        /// The density.
        density: f64,
    },
    /// Only some components have a density.
    #[error(
        "components, component {component}: the density is missing; give it for all components, or for none if all have one density"
    )]
    MissingDensity {
        /// The component.
        component: usize,
    },
    /// The scale is not accepted, or gives diameters that are not accepted.
    #[error("components, component {component}: {error}")]
    Scale {
        /// The component.
        component: usize,
        /// The reason.
        error: SizeRangeError,
    },
    /// The components together have no accepted mean volume.
    #[error(transparent)]
    Range(#[from] SizeRangeError),
}

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
    pub fn new(by: BlendBasis, components: Vec<Component>) -> Result<Self, BlendError> {
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
    /// Those of [`Blend::new`].
    pub fn blend(components: Vec<Component>) -> Result<Self, BlendError> {
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

    fn check(&self) -> Result<(), BlendError> {
        let components = &self.components;
        if !(1..=MOST_COMPONENTS).contains(&components.len()) {
            return Err(BlendError::Number(components.len()));
        }
        let has_density = components.iter().any(|other| other.density.is_some());
        for (before, component) in components.iter().enumerate() {
            component.check(before + 1)?;
            if has_density && component.density.is_none() {
                let component = before + 1;
                return Err(BlendError::MissingDensity { component });
            }
            let is_same = |other: &Component| other.label == component.label;
            if let Some(other) = components[..before].iter().position(is_same) {
                return Err(BlendError::SameLabel {
                    component: before + 1,
                    before: other + 1,
                    label: component.label.clone(),
                });
            }
        }
        let sum = self.sum();
        let is_near = |whole: f64| (sum / whole - 1.0).abs() <= SHARE_SUM_TOLERANCE;
        if is_near(1.0) || is_near(100.0) {
            Ok(())
        } else {
            Err(BlendError::Sum(sum))
        }
    }
}

impl Component {
    /// Checks everything that does not depend on other components. `component` is the position from 1.
    fn check(&self, component: usize) -> Result<(), BlendError> {
        let length = self.label.chars().count();
        let is_text = !self.label.chars().any(char::is_control) && !self.label.trim().is_empty();
        if !(is_text && length <= LONGEST_LABEL) {
            let label = self.label.clone();
            return Err(BlendError::Label { component, label });
        }
        let share = self.share;
        if share != 0.0
            && !(f64::MIN_POSITIVE..=100.0 * (1.0 + SHARE_SUM_TOLERANCE)).contains(&share)
        {
            return Err(BlendError::Share { component, share });
        }
        if let Some(density) = self.density
            && check_diameter("density", density).is_err()
        {
            return Err(BlendError::Density { component, density });
        }
        let (d_min, d_max) = (self.sizes.d_min(), self.sizes.d_max());
        [
            ("scale", self.scale),
            ("d_min", d_min * self.scale),
            ("d_max", d_max * self.scale),
        ]
        .into_iter()
        .try_for_each(|(field, value)| check_diameter(field, value))
        .map_err(|error| BlendError::Scale { component, error })
    }
}

impl LawParameters for BlendParameters {
    type Error = BlendError;

    /// Returns the blend of the same components of spheres of another dimension. Shares by mass or volume are shares by area of disks.
    fn in_dimension(&self, dimension: Dimension) -> Result<Self, OtherDimensionError> {
        let mut parameters = self.clone();
        for component in &mut parameters.components {
            component.sizes = component.sizes.in_dimension(dimension)?;
        }
        Ok(parameters)
    }

    fn curve(&self, _dimension: Dimension) -> Result<BlendCurve, Self::Error> {
        self.check()?;
        let curve_of = |component: &Component| component.sizes.curve().scaled(component.scale);
        let curves = self.components.iter().map(curve_of);
        Ok(BlendCurve::new(
            self.volume_shares().into_iter().zip(curves),
        ))
    }
}
