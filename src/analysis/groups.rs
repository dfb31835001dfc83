//! Groups of spheres: size classes, or components of a blend.

use super::{classes::Classes, constants::MAX_GROUPS, error::AnalysisError};

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
        let classes = Classes::alone(radii);
        Self {
            names: classes.summaries.iter().map(|class| class.name()).collect(),
            of: radii.iter().map(|&r| classes.of(r) as u32).collect(),
        }
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
