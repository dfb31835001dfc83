//! The property of a sphere that its color shows.

use glam::DVec3;

use super::{
    colors::{Color, NONE, category, scale},
    error::ReportError,
};
use crate::{
    Dimension,
    analysis::{size_classes, suitable_contacts},
    laboratory::compare::{PublishedOctree, published_octree_sphere_levels},
    macros::choice,
    packing::Packing,
};

choice! {
    "coloring", "kebab-case";
    /// The property of a sphere that its color shows.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Coloring {
        /// Logarithm of the diameter, from dark to light (viridis).
        #[default]
        Size,
        /// Number of contacts at the tolerance of [`suitable_contacts`], from dark to light (viridis).
        Contacts,
        /// Size class of the analysis, in the colors of Okabe & Ito.
        Type,
        /// Component of a blend, or type in the file from which the packing was read, in the colors of Okabe & Ito. Spheres without one,
        /// such as fixed ones, are gray.
        Component,
        /// Level of the sphere in the loose octree of Raschdorf & Kolonko 2011, as in their Fig. 7: level 0, the root, is dark, and the
        /// deepest level is light (viridis).
        Level,
        /// Level of the sphere in the strict octree of Raschdorf & Kolonko 2011, as in their Fig. 5. A level has the color that it has
        /// with [`Level`](Self::Level).
        StrictLevel,
    }
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
            Coloring::Component => {
                if packing.components.is_empty() {
                    return Err(ReportError::NoComponents);
                }
                let color = |id: Option<u32>| id.map_or(NONE, |id| category(id as usize));
                packing.component_ids().into_iter().map(color).collect()
            }
            Coloring::Level | Coloring::StrictLevel
                if packing.container.dimension() == Dimension::Two =>
            {
                return Err(ReportError::Flat {
                    setting: "the color by level",
                });
            }
            Coloring::Level => level_colors(packing, PublishedOctree::Loose),
            Coloring::StrictLevel => level_colors(packing, PublishedOctree::Strict),
        };
        Ok(Self { colors })
    }

    /// Returns the color of a sphere.
    pub(super) fn of(&self, id: usize) -> Color {
        self.colors[id]
    }

    /// Returns the color of a sphere, each component from 0 to 1.
    pub(super) fn color(&self, id: usize) -> DVec3 {
        DVec3::from_array(self.colors[id].map(|byte| f64::from(byte) / 255.0))
    }
}

/// Returns the colors of the levels of all spheres in an octree.
fn level_colors(packing: &Packing, octree: PublishedOctree) -> Vec<Color> {
    let colors = colors_of_levels(packing);
    let color = |level: u32| colors[level as usize];
    levels(packing, octree).into_iter().map(color).collect()
}

/// Returns the color of each level, down to the deepest level with spheres in the loose octree. No sphere is deeper in the strict
/// octree.
pub(super) fn colors_of_levels(packing: &Packing) -> Vec<Color> {
    let levels = levels(packing, PublishedOctree::Loose);
    let deepest = levels.into_iter().max().unwrap_or(0);
    let share = |level: u32| f64::from(level) / f64::from(deepest.max(1));
    (0..=deepest).map(|level| scale(share(level))).collect()
}

fn levels(packing: &Packing, octree: PublishedOctree) -> Vec<u32> {
    published_octree_sphere_levels(octree.expansion(), &packing.spheres, &packing.container)
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
