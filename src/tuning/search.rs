//! Levels on which a sphere looks for contacts.

use crate::macros::choice;

choice! {
    "search", "kebab-case";
    /// Levels on which a sphere looks for contacts.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Search {
        /// Finds each pair once: searches half the surrounding cells on the sphere's own level, and all finer levels.
        #[default]
        TopDown,
        /// Finds each pair once: searches half the surrounding cells on the sphere's own level, and all coarser levels.
        BottomUp,
        /// Finds all neighbors of every sphere, as a query of an index does: searches every level, the own level included.
        EveryLevel,
    }
}
