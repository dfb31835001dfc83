//! Levels on which a sphere looks for contacts.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantArray, VariantNames};

use crate::names::UnknownName;

/// Levels on which a sphere looks for contacts.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Display,
    EnumString,
    VariantArray,
    VariantNames,
    Serialize,
    Deserialize,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = UnknownName, parse_err_fn = unknown_search)]
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

fn unknown_search(name: &str) -> UnknownName {
    UnknownName::new("search", name, <Search as VariantNames>::VARIANTS)
}
