//! Groups of spheres: size classes, or components of a blend.

use super::{
    classes::{ClassSummary, Classes},
    constants::MAX_GROUPS,
    error::AnalysisError,
};
use crate::{dimension::Dimension, macros::choice, packing::Packing};

choice! {
    "kind of groups", "lowercase";
    /// A rule that divides the spheres of a packing into groups.
    #[non_exhaustive]
    pub enum Grouping {
        /// By [size classes](super::size_classes).
        Class,
        /// By the components of the blend from which the packing was made.
        Component,
    }
}

/// A division of spheres into named groups.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Groups {
    names: Vec<String>,
    of: Vec<u32>,
}

impl Groups {
    /// Creates groups with these names. `of` holds the group of each sphere: a position in the list of names.
    ///
    /// # Errors
    /// [`AnalysisError`] if there are more than 64 names, or if a sphere belongs to none of them.
    pub fn new(names: Vec<String>, of: Vec<u32>) -> Result<Self, AnalysisError> {
        let groups = names.len();
        if groups > MAX_GROUPS {
            return Err(AnalysisError::TooManyGroups { groups });
        }
        if let Some(id) = of.iter().position(|&group| group as usize >= groups) {
            let group = of[id];
            return Err(AnalysisError::Group { id, group, groups });
        }
        Ok(Self { names, of })
    }

    /// Divides spheres by their [size classes](super::size_classes), whose names are their diameters.
    ///
    /// # Cost
    /// One sort.
    pub fn by_class(radii: &[f64]) -> Self {
        let classes = Classes::alone(radii, Dimension::Three);
        Self {
            names: classes.summaries.iter().map(ClassSummary::name).collect(),
            of: radii.iter().map(|&r| classes.of(r) as u32).collect(),
        }
    }

    /// Divides the spheres of a packing by the components of its blend; `None` without components. Spheres without a component, such as
    /// fixed spheres, form a last group `other`.
    pub fn by_component(packing: &Packing) -> Option<Self> {
        let components = packing.components().iter();
        let mut names: Vec<String> = components.map(|own| own.label.clone()).collect();
        if names.is_empty() {
            return None;
        }
        let ids = packing.component_ids();
        let other = names.len() as u32;
        if ids.contains(&None) {
            names.push("other".to_owned());
        }
        let of = ids.into_iter().map(|id| id.unwrap_or(other)).collect();
        Some(Self { names, of })
    }

    /// Divides the spheres of a packing by a rule.
    ///
    /// # Errors
    /// [`AnalysisError`] if the packing has no components although they are asked for, or too many of them.
    pub fn of_packing(packing: &Packing, by: Grouping) -> Result<Self, AnalysisError> {
        match by {
            Grouping::Class => Ok(Self::by_class(packing.spheres.radii())),
            Grouping::Component => {
                let groups = Self::by_component(packing).ok_or(AnalysisError::NoComponents)?;
                Self::new(groups.names, groups.of)
            }
        }
    }

    /// Divides the spheres of a packing by their components if it has any, and by size classes otherwise or where there are too many
    /// components.
    pub fn usual(packing: &Packing) -> Self {
        Self::of_packing(packing, Grouping::Component)
            .unwrap_or_else(|_| Self::by_class(packing.spheres.radii()))
    }

    /// Returns the names of the groups.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the group of each sphere: its position in [`Self::names`].
    pub fn of(&self) -> &[u32] {
        &self.of
    }

    /// Returns an error if the groups are not those of this number of spheres.
    pub(super) fn check(&self, spheres: usize) -> Result<(), AnalysisError> {
        let grouped = self.of.len();
        if grouped == spheres {
            Ok(())
        } else {
            Err(AnalysisError::OtherGroups { grouped, spheres })
        }
    }
}
