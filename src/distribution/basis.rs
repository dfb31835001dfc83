//! The quantity that shares refer to.

use serde::{Deserialize, Serialize};
use strum::{Display, EnumString, VariantArray, VariantNames};

use crate::names::UnknownName;

/// The quantity that shares refer to.
#[derive(
    Clone,
    Copy,
    Debug,
    Default,
    PartialEq,
    Eq,
    Hash,
    Serialize,
    Deserialize,
    Display,
    EnumString,
    VariantNames,
    VariantArray,
)]
#[serde(rename_all = "kebab-case")]
#[strum(serialize_all = "kebab-case", parse_err_ty = UnknownName, parse_err_fn = unknown_basis)]
#[non_exhaustive]
pub enum Basis {
    /// The number of spheres.
    #[default]
    Number,
    /// The mass of the spheres. All spheres have one density, so a share of the mass is a share of the volume.
    Mass,
}

fn unknown_basis(name: &str) -> UnknownName {
    UnknownName::new("basis", name, <Basis as VariantNames>::VARIANTS)
}
