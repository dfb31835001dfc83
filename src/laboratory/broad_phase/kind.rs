//! The choice of a broad phase algorithm.

use super::{
    algorithm::BroadPhase,
    bbts::Bbts,
    cell_list::LinkedCell,
    indexed::Indexed,
    mr::{Mr, MrS},
    nbs::Nbs,
    sorted_hgrid::{HGridSearch, PairTest, SortedHGrid, SortedHGridError},
};
use crate::{index::IndexKind, macros::choice};

choice! {
    "broad phase algorithm", "kebab-case";
    /// The choice of a broad phase algorithm.
    ///
    /// Users write the names in kebab case, such as `linked-cell`.
    #[non_exhaustive]
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
        /// [`SortedHGrid`], Top-Down.
        HgridTopDown,
        /// [`SortedHGrid`], Bottom-Up.
        HgridBottomUp,
        /// [`SortedHGrid`], Top-Down, with [`PairTest::BoxesFirst`].
        HgridBoxTest,
        /// [`Indexed`] over [`IndexKind::LooseOctree`].
        LooseOctree,
        /// [`Indexed`] over [`IndexKind::StrictOctree`].
        StrictOctree,
        /// [`Indexed`] over [`IndexKind::KdTree`]; exists with the feature `kd-tree`.
        #[cfg(feature = "kd-tree")]
        KdTree,
    }
}

impl BroadPhaseKind {
    /// Returns whether all cells are as large as the largest sphere, so that wide size distributions cost quadratic time.
    pub fn has_one_cell_size(self) -> bool {
        matches!(
            self,
            Self::LinkedCell | Self::Nbs | Self::Mr | Self::MrS | Self::Bbts
        )
    }

    /// Returns the memory per sphere that the paper states, in bytes, with numbers instead of pointers to the spheres: MR
    /// 26, MR-S 14 (Schiava D'Albano et al., Eqs. 10 and 11; 30 and 18 with pointers).
    ///
    /// The paper counts 2-byte coordinates and 8-byte links (MR) or a 4-byte link (MR-S). Here both have 4 bytes, which
    /// makes 24 and 20 bytes.
    pub fn paper_bytes_per_sphere(self) -> Option<u32> {
        match self {
            Self::Mr => Some(26),
            Self::MrS => Some(14),
            _ => None,
        }
    }

    /// Creates an empty detector. Only the HGrid uses the cell sizes.
    ///
    /// # Errors
    /// When the kind is an HGrid and there is no cell size, or the sizes are not positive, finite and ascending.
    pub fn build(self, cell_sizes: &[f64]) -> Result<Box<dyn BroadPhase>, SortedHGridError> {
        let hgrid = |search| SortedHGrid::new(cell_sizes.to_vec(), search);
        Ok(match self {
            Self::LinkedCell => Box::<LinkedCell>::default(),
            Self::Nbs => Box::<Nbs>::default(),
            Self::Mr => Box::<Mr>::default(),
            Self::MrS => Box::<MrS>::default(),
            Self::Bbts => Box::<Bbts>::default(),
            Self::HgridTopDown => Box::new(hgrid(HGridSearch::TopDown)?),
            Self::HgridBottomUp => Box::new(hgrid(HGridSearch::BottomUp)?),
            Self::HgridBoxTest => {
                Box::new(hgrid(HGridSearch::TopDown)?.with_pair_test(PairTest::BoxesFirst))
            }
            Self::LooseOctree => Box::new(Indexed::new(IndexKind::LooseOctree)),
            Self::StrictOctree => Box::new(Indexed::new(IndexKind::StrictOctree)),
            #[cfg(feature = "kd-tree")]
            Self::KdTree => Box::new(Indexed::new(IndexKind::KdTree)),
        })
    }
}

#[cfg(test)]
mod tests {
    use strum::VariantArray;

    use super::*;

    #[test]
    fn names_are_parsed_printed_and_serialized_alike() {
        for &kind in <BroadPhaseKind as VariantArray>::VARIANTS {
            let name = kind.to_string();
            assert_eq!(name.parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), name);
        }
        let message = "sap".parse::<BroadPhaseKind>().unwrap_err().to_string();
        let expected = "unknown broad phase algorithm 'sap'; expected one of linked-cell, nbs";
        assert!(message.starts_with(expected), "{message}");
        assert!(message.contains("mr-s, bbts"), "{message}");
    }
}
