//! The quantity that shares refer to.

use crate::macros::choice;

choice! {
    "basis", "kebab-case";
    /// The quantity that shares refer to.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Basis {
        /// The number of spheres.
        #[default]
        Number,
        /// The mass of the spheres. All spheres have one density, so a share of the mass is a share of the volume.
        Mass,
    }
}
