//! The method that chooses the diameters of a sample.

use crate::macros::choice;

choice! {
    "sampling", "kebab-case";
    /// The method that chooses the diameters of a sample.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Sampling {
        /// Diameters whose mass curve is as near to the law as the number of spheres allows. Every seed gives the same sample.
        ///
        /// A continuous law gives one sphere to each n-th part of the number. The sphere has the mean volume of that part, so
        /// the sample has n times the mean volume of the law, and its mass curve meets the law n − 1 times. A law in classes
        /// rounds the mass to whole spheres from the largest class down. The next smaller class takes the rounding
        /// difference. The number curve may deviate by one sphere and 1 % where that improves the mass curve.
        #[default]
        Stratified,
        /// Independent draws by number. The count of rare large spheres varies from seed to seed.
        Random,
    }
}
