//! The property of a sphere that its color shows.

use glam::DVec3;
use strum::{Display, EnumString, VariantNames};

use super::{
    colors::{Color, category, scale},
    error::ReportError,
};
use crate::{
    analysis::{size_classes, suitable_contacts},
    names::UnknownName,
    packing::Packing,
};

/// The property of a sphere that its color shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Display, EnumString, VariantNames)]
#[strum(serialize_all = "kebab-case", parse_err_ty = UnknownName, parse_err_fn = unknown_coloring)]
#[non_exhaustive]
pub enum Coloring {
    /// Logarithm of the diameter, from dark to light (viridis).
    #[default]
    Size,
    /// Number of contacts at the tolerance of [`suitable_contacts`], from dark to light (viridis).
    Contacts,
    /// Size class of the analysis, in the colors of Okabe & Ito.
    Type,
}

fn unknown_coloring(name: &str) -> UnknownName {
    UnknownName::new("coloring", name, Coloring::VARIANTS)
}

/// The color of each sphere.
pub(super) struct Paint {
    colors: Vec<Color>,
}

impl Paint {
    /// Chooses the colors of all spheres.
    pub(super) fn new(packing: &Packing, coloring: Coloring) -> Result<Self, ReportError> {
        let radii = packing.spheres.radii();
        let colors = match coloring {
            Coloring::Size => {
                let logs: Vec<f64> = radii.iter().map(|&radius| libm::log(radius)).collect();
                spread(&logs)
            }
            Coloring::Contacts => {
                let contacts = suitable_contacts(&packing.spheres, &packing.container)?;
                if contacts.pairs().is_empty() {
                    return Err(ReportError::NoContacts(contacts.tolerance()));
                }
                let numbers = contacts.numbers().into_iter().map(f64::from);
                spread(&numbers.map(f64::sqrt).collect::<Vec<_>>())
            }
            Coloring::Type => {
                let classes = size_classes(radii).into_iter().map(usize::from);
                classes.map(category).collect()
            }
        };
        Ok(Self { colors })
    }

    /// Returns the color of a sphere, each component from 0 to 1.
    pub(super) fn color(&self, id: usize) -> DVec3 {
        DVec3::from_array(self.colors[id].map(|byte| f64::from(byte) / 255.0))
    }
}

/// Returns the colors of values between the smallest and the largest one.
fn spread(values: &[f64]) -> Vec<Color> {
    let low = values.iter().copied().fold(f64::INFINITY, f64::min);
    let high = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let share = |value: f64| {
        if high > low {
            (value - low) / (high - low)
        } else {
            0.5
        }
    };
    values.iter().map(|&value| scale(share(value))).collect()
}
