//! Numbers about packings, one file for each quantity.
//!
//! [`Analysis`] computes all quantities of a packing at once. `docs/guide/analysis.md` has a table of their definitions.
//!
//! | quantity | item |
//! |---|---|
//! | contacts, contact numbers, correlation of contacting sizes | [`Contacts`], [`suitable_contacts`] |
//! | spheres that their contacts cannot hold | [`rattlers`](fn@rattlers), [`mean_backbone`] |
//! | number of neighbors within a gap | [`GapDistribution`] |
//! | pairs of spheres within a distance | [`Neighbors`] |
//! | volume that belongs to each sphere, and its share in it | [`cell_volumes`], [`local_densities`] |
//! | forces of a jammed packing: contacts, stress, distributions of forces and of gaps | [`ForceNetwork`], [`ForceContacts`] |
//! | directions of the contacts | [`Fabric`] |
//! | local crystalline order | [`BondOrder`]; [`HexaticOrder`] of disks |
//! | spatial mixing of the sizes | [`homogeneity`](fn@homogeneity) |
//! | shares, contacts and mixing of the components of a blend | [`ComponentSummary`], [`MixingIndex`] |
//! | radial distribution function | [`RadialDistribution`] in periodic containers, [`PairDistribution`] in any container |
//! | structure factor and its limit for small wave numbers | [`StructureFactor`] |
//! | pore sizes | [`PoreSizes`] |
//! | local packing fraction along an axis, from a wall, along a radius | [`Profiles`] |
//! | local packing fractions of size classes, or of other groups of spheres | [`GroupProfile`], [`Groups`] |
//! | gap, direction and overlap of each contact | [`ContactTable`] |
//! | contacts, rattler, class, distance to a wall and local packing fraction of each sphere | [`SphereTable`] |
//! | volume of the part of a sphere in a box | [`volume_in_box`] |
//! | mass curve and size classes | [`SizeSummary`] |
//! | height, free surface and packing fractions of a bed at rest under gravity | [`BedSummary`] |
//! | specific surface | [`specific_surface`] |
//! | expected packing fraction, from the radii alone | [`predicted_packing_fraction`](crate::distribution::predicted_packing_fraction), [`predicted_packing_fraction_with_gap`](crate::distribution::predicted_packing_fraction_with_gap) |
//!
//! Lengths have the caller's unit. Searches run on rayon's threads, and a result has the same bits for any number of
//! threads. Another order of the spheres in memory changes the order of sums, and so the last digits; counts of pairs and
//! bins do not change. [Ranks](AnalysisOptions::ranks) get the bits of one process. Overlapping spheres are allowed.
//!
//! # Example
//! ```
//! use jostle::{PackOptions, Effort, pack, analysis::{BondOrder, Contacts, Fabric, rattlers, suitable_contacts}};
//!
//! let options = PackOptions::default().effort(Effort::QUICK);
//! let packing = pack(&[0.5; 500], &options)?.packing;
//! let (spheres, container) = (packing.spheres(), packing.container());
//!
//! let contacts = suitable_contacts(spheres, container)?;
//! assert_eq!(contacts.len(), spheres.len());
//! let share = rattlers(&contacts).iter().filter(|&&is_rattler| is_rattler).count() as f64 / 500.0;
//! assert!((0.0..=1.0).contains(&share));
//!
//! let neighbors = Contacts::new(spheres, container, 0.1)?;
//! assert!(Fabric::new(spheres, container, &neighbors)?.anisotropy < 0.1);
//! assert!(BondOrder::new(spheres, container)?.crystal_share() < 0.1);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod adjacency;
mod bed;
mod bond_order;
mod cells;
mod classes;
mod components;
mod constants;
mod contact_profile;
mod contact_table;
mod contacts;
mod coordinate;
mod copies;
mod curve;
mod cuts;
mod error;
mod fabric;
mod force_contacts;
mod force_distribution;
mod force_network;
mod gaps;
mod group_profile;
mod groups;
mod hexatic_order;
mod homogeneity;
mod neighbors;
mod pair_distribution;
mod polyhedron;
mod pores;
mod power_law;
mod profile;
mod rattlers;
mod rdf;
mod scene;
mod shells;
mod sizes;
mod small_gaps;
mod sorted;
mod sphere_table;
mod stress;
mod structure_factor;
mod summary;
mod surface;
mod tessellation;
#[cfg(test)]
mod tests;
mod tolerance;
mod void;
mod volumes;

pub use bed::BedSummary;
pub use bond_order::BondOrder;
#[cfg(feature = "report")]
pub(crate) use classes::size_class_summaries;
pub use classes::{ClassSummary, size_classes};
pub use components::{ComponentSummary, MixingIndex};
pub use constants::HOMOGENEITY_CELLS;
pub use contact_profile::ContactProfile;
pub use contact_table::{ContactGeometry, ContactTable};
pub use contacts::Contacts;
pub use coordinate::{ProfileAlong, RadiusOrigin};
pub use error::AnalysisError;
pub use fabric::Fabric;
pub use force_contacts::ForceContacts;
pub use force_distribution::ForceDistribution;
pub use force_network::{ForceNetwork, MaxwellCount};
pub use gaps::GapDistribution;
pub use group_profile::GroupProfile;
pub use groups::{Grouping, Groups};
pub use hexatic_order::HexaticOrder;
pub use homogeneity::homogeneity;
pub use neighbors::Neighbors;
pub use pair_distribution::{PairDistribution, PartialDistribution};
pub use pores::PoreSizes;
pub use power_law::{PowerLaw, PublishedExponent};
pub use profile::{Profiles, SampledProfile};
pub use rattlers::{mean_backbone, rattlers};
pub use rdf::RadialDistribution;
pub use sizes::SizeSummary;
pub use small_gaps::SmallGaps;
pub use sphere_table::SphereTable;
pub use stress::Stress;
pub use structure_factor::StructureFactor;
pub use summary::{
    Analysis, AnalysisOptions, ContactSummary, HexaticSummary, Homogeneity, OrderSummary,
    RattlerSummary,
};
pub use surface::specific_surface;
pub use tessellation::{cell_volumes, local_densities};
pub use tolerance::suitable_contacts;
pub use volumes::volume_in_box;
