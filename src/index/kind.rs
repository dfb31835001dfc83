//! The choice of a global index.

use strum::VariantArray;

#[cfg(feature = "kd-tree")]
use super::kd_tree::KdTree;
use super::{
    entry::Entry,
    global_index::{GlobalIndex, IndexBuilder},
    grid::Grid,
    hgrid::HGrid,
    octree::{LooseOctree, StrictOctree},
};
use crate::{container::Container, macros::choice};

choice! {
    "index", "kebab-case";
    /// The choice of a global index. The choice affects time and memory, not the packing.
    ///
    /// Users write the names in kebab case, such as `loose-octree`.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum IndexKind {
        /// [`LooseOctree`] with expansion factor 2.
        #[default]
        LooseOctree,
        /// [`StrictOctree`].
        StrictOctree,
        /// [`Grid`].
        Grid,
        /// [`HGrid`] with tuned cell sizes.
        Hgrid,
        /// [`KdTree`]; exists with the feature `kd-tree`.
        #[cfg(feature = "kd-tree")]
        KdTree,
    }
}

impl IndexKind {
    /// Every kind.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;
    /// The names of all kinds in any build. A build without the feature of a kind names the feature.
    pub const NAMES: &'static [&'static str] =
        &["loose-octree", "strict-octree", "grid", "hgrid", "kd-tree"];
}

impl IndexBuilder for IndexKind {
    fn name(&self) -> String {
        self.to_string()
    }

    /// Builds an index of this kind. O(N), for the k-d tree O(N log N).
    fn build(&self, container: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex> {
        match self {
            Self::LooseOctree => Box::new(LooseOctree::standard(container, entries)),
            Self::StrictOctree => Box::new(StrictOctree::new(container, entries)),
            Self::Grid => Box::new(Grid::new(container, entries)),
            Self::Hgrid => Box::new(HGrid::tuned(container, entries)),
            #[cfg(feature = "kd-tree")]
            Self::KdTree => Box::new(KdTree::new(container, entries)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_parsed_printed_and_serialized_alike() {
        for &kind in <IndexKind as VariantArray>::VARIANTS {
            let name = kind.to_string();
            assert_eq!(name.parse(), Ok(kind));
            assert_eq!(serde_json::to_value(kind).unwrap(), name);
            assert_eq!(kind.name(), name);
        }
        let message = "tree".parse::<IndexKind>().unwrap_err().to_string();
        let expected =
            "unknown index 'tree'; expected one of loose-octree, strict-octree, grid, hgrid";
        assert!(message.starts_with(expected), "{message}");
        assert_eq!(message.contains("kd-tree"), cfg!(feature = "kd-tree"));
        for name in IndexKind::NAMES {
            let remedy = format!("--features {name}'");
            match name.parse::<IndexKind>() {
                Ok(kind) => assert_eq!(kind.to_string(), *name),
                Err(error) => assert!(error.to_string().contains(&remedy), "{error}"),
            }
        }
        assert!(IndexKind::ALL.len() <= IndexKind::NAMES.len());
    }
}
