//! The choice of a broad phase algorithm.

use std::{fmt, str::FromStr};

use serde::{Deserialize, Serialize};

use super::{Bbts, BroadPhase, HGrid, HGridError, HGridSearch, Indexed, LinkedCell, Mr, MrS, Nbs};
use crate::index::IndexKind;

/// The choice of a broad phase algorithm.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum BroadPhaseKind {
    /// [`LinkedCell`].
    LinkedCell,
    /// [`Nbs`].
    Nbs,
    /// [`Mr`].
    Mr,
    /// [`MrS`].
    MrS,
    /// [`Bbts`].
    Bbts,
    /// [`HGrid`], Top-Down.
    HgridTopDown,
    /// [`HGrid`], Bottom-Up.
    HgridBottomUp,
    /// [`Indexed`] over [`IndexKind::LooseOctree`].
    LooseOctree,
    /// [`Indexed`] over [`IndexKind::StrictOctree`].
    StrictOctree,
    /// [`Indexed`] over [`IndexKind::KdTree`].
    KdTree,
}

impl BroadPhaseKind {
    /// Every kind, in the order in which they are listed to users.
    pub const ALL: [Self; 10] = [
        Self::LinkedCell,
        Self::Nbs,
        Self::Mr,
        Self::MrS,
        Self::Bbts,
        Self::HgridTopDown,
        Self::HgridBottomUp,
        Self::LooseOctree,
        Self::StrictOctree,
        Self::KdTree,
    ];

    /// The name on the command line and in files.
    pub fn name(self) -> &'static str {
        match self {
            Self::LinkedCell => "linked-cell",
            Self::Nbs => "nbs",
            Self::Mr => "mr",
            Self::MrS => "mr-s",
            Self::Bbts => "bbts",
            Self::HgridTopDown => "hgrid-top-down",
            Self::HgridBottomUp => "hgrid-bottom-up",
            Self::LooseOctree => "loose-octree",
            Self::StrictOctree => "strict-octree",
            Self::KdTree => "kd-tree",
        }
    }

    /// Whether the cells are as large as the largest sphere, so that wide size distributions cost quadratic time.
    pub fn has_one_cell_size(self) -> bool {
        matches!(
            self,
            Self::LinkedCell | Self::Nbs | Self::Mr | Self::MrS | Self::Bbts
        )
    }

    /// The memory per sphere that the paper states, in bytes, with numbers instead of pointers to the spheres: MR 26,
    /// MR-S 14 (Schiava D'Albano et al., Eqs. 10 and 11; 30 and 18 with pointers).
    ///
    /// The paper counts 2-byte coordinates and 8-byte links (MR) or a 4-byte one (MR-S); here both have 4 bytes, which
    /// makes 24 and 20 bytes.
    pub fn paper_bytes_per_sphere(self) -> Option<u32> {
        match self {
            Self::Mr => Some(26),
            Self::MrS => Some(14),
            _ => None,
        }
    }

    /// The algorithm with no memory of any frame. Only the HGrid uses the cell sizes.
    ///
    /// # Errors
    /// When the kind is an HGrid and there is no cell size, or they are not positive, finite and rising.
    pub fn build(self, cell_sizes: &[f64]) -> Result<Box<dyn BroadPhase>, HGridError> {
        let hgrid = |search| HGrid::new(cell_sizes.to_vec(), search).map(Box::new);
        Ok(match self {
            Self::LinkedCell => Box::new(LinkedCell::new()),
            Self::Nbs => Box::new(Nbs::new()),
            Self::Mr => Box::new(Mr::new()),
            Self::MrS => Box::new(MrS::new()),
            Self::Bbts => Box::new(Bbts::new()),
            Self::HgridTopDown => hgrid(HGridSearch::TopDown)?,
            Self::HgridBottomUp => hgrid(HGridSearch::BottomUp)?,
            Self::LooseOctree => Box::new(Indexed::new(|container, entries| {
                IndexKind::LooseOctree.build(container, entries)
            })),
            Self::StrictOctree => Box::new(Indexed::new(|container, entries| {
                IndexKind::StrictOctree.build(container, entries)
            })),
            Self::KdTree => Box::new(Indexed::new(|container, entries| {
                IndexKind::KdTree.build(container, entries)
            })),
        })
    }
}

impl fmt::Display for BroadPhaseKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// A name that is no broad phase algorithm.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no broad phase algorithm; choose {list}",
    list = BroadPhaseKind::ALL.map(BroadPhaseKind::name).join(", ")
)]
pub struct ParseBroadPhaseKindError(String);

impl FromStr for BroadPhaseKind {
    type Err = ParseBroadPhaseKindError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::ALL
            .into_iter()
            .find(|kind| kind.name() == text)
            .ok_or_else(|| ParseBroadPhaseKindError(text.to_owned()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_read_back_and_match_the_json_form() {
        for kind in BroadPhaseKind::ALL {
            assert_eq!(kind.name().parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), kind.name());
        }
        let message = "sap".parse::<BroadPhaseKind>().unwrap_err().to_string();
        assert!(message.contains("mr-s, bbts"), "{message}");
    }
}
