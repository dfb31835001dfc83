//! The choice of figures.

use strum::VariantArray;

use crate::macros::choice;

choice! {
    "figure", "kebab-case";
    /// A figure about a packing.
    #[non_exhaustive]
    pub enum Figure {
        /// Requested and achieved mass curve.
        Sizes,
        /// Radial distribution function of all spheres.
        Rdf,
        /// Radial distribution functions within and between size classes.
        PartialRdf,
        /// Structure factor.
        StructureFactor,
        /// Mean number of neighbors within a gap.
        Gaps,
        /// Mean number of contacts by size class.
        Contacts,
        /// Shares of the spheres with each number of contacts that bear force.
        ForceContacts,
        /// Contacts that bear force, from the walls to the core.
        ForceContactsDepth,
        /// Distribution of the forces between spheres.
        Forces,
        /// Gaps beside the contacts that bear force.
        SmallGaps,
        /// Pore size distribution.
        Pores,
        /// Packing fraction along an axis.
        Profile,
        /// Packing fraction of each group of spheres along an axis.
        ProfileByGroup,
        /// Packing fraction from the walls.
        Wall,
        /// Packing fraction of each group of spheres from the walls.
        WallByGroup,
        /// Packing fraction along a radius.
        Radius,
        /// Packing fraction of each group of spheres along a radius.
        RadiusByGroup,
        /// Spatial mixing of the size classes.
        Homogeneity,
    }
}

impl Figure {
    /// Every figure, in the order of the report.
    pub const ALL: &'static [Self] = <Self as VariantArray>::VARIANTS;

    /// Returns the condition under which a packing has this figure.
    pub(super) fn condition(self) -> &'static str {
        match self {
            Self::Wall => "the container must have walls",
            Self::ProfileByGroup | Self::RadiusByGroup => {
                "the packing must have at least two groups of spheres"
            }
            Self::WallByGroup => {
                "the container must have walls, and the packing at least two groups of spheres"
            }
            Self::Rdf => {
                "the container must be larger, or have at least 30 spheres far from its walls"
            }
            Self::PartialRdf => {
                "the packing must have at least two size classes with 30 spheres far from walls"
            }
            Self::StructureFactor => "the container must be periodic along an axis",
            Self::Homogeneity => "the packing must have at least two size classes",
            Self::ForceContacts | Self::Forces | Self::SmallGaps => {
                "the packing must be jammed, with the forces of its contacts"
            }
            Self::ForceContactsDepth => {
                "the packing must be jammed between walls, with the forces of its contacts"
            }
            _ => "the packing must have spheres and void",
        }
    }
}
