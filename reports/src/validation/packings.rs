//! Packings of size distributions, for all sections.

use jostle::{
    Boundaries, Effort, PackOptions, Packing, SizeSpec,
    distribution::{PackingModel, Sampling, VolumeClasses, predicted_packing_fraction},
    pack,
    rearrange::PackError,
};

use rayon::prelude::*;

use super::{mean::Mean, outcome::Outcome};

/// Packings of one size distribution.
#[derive(Clone, Debug)]
pub struct Request {
    /// A preset or an inline law.
    pub sizes: String,
    pub spheres: usize,
    pub effort: Effort,
    pub boundary: Boundaries,
    /// Number of packings, with different seeds.
    pub seeds: u64,
}

impl Request {
    /// Requests three packings in periodic cubes at normal effort.
    pub fn new(sizes: impl Into<String>, spheres: usize) -> Self {
        Self {
            sizes: sizes.into(),
            spheres,
            effort: Effort::NORMAL,
            boundary: Boundaries::PERIODIC,
            seeds: 3,
        }
    }

    /// Returns a stratified sample of the radii.
    pub fn radii(&self) -> Outcome<Vec<f64>> {
        let spec = SizeSpec::load(&self.sizes)?;
        let sample = spec.sample_number(self.spheres, Sampling::Stratified, 0);
        Ok(sample.radii())
    }

    /// Returns the prediction of Farr & Groot for the sample.
    pub fn predicted(&self) -> Outcome<f64> {
        Ok(predicted_packing_fraction(&self.radii()?))
    }

    /// Returns the prediction of a model for an infinite number of spheres.
    pub fn predicted_by(&self, model: PackingModel) -> Outcome<f64> {
        let spec = SizeSpec::load(&self.sizes)?;
        Ok(model.packing_fraction(&VolumeClasses::of(&spec.distribution)))
    }

    /// Packs the sample once for each seed, all at the same time.
    pub fn packings(&self) -> Outcome<Vec<Packing>> {
        let radii = self.radii()?;
        let packed = |seed| {
            let options = PackOptions::default()
                .effort(self.effort)
                .container(self.boundary)
                .seed(seed);
            Ok(pack(&radii[..], &options)?.packing)
        };
        let seeds = (0..self.seeds).into_par_iter();
        Ok(seeds.map(packed).collect::<Result<_, PackError>>()?)
    }

    /// Returns the mean packing fraction over the seeds.
    pub fn fraction(&self) -> Outcome<Mean> {
        let packings = self.packings()?;
        let fractions: Vec<f64> = packings.iter().map(Packing::packing_fraction).collect();
        eprintln!("{}, {} spheres", self.sizes, self.spheres);
        Ok(Mean::of(&fractions))
    }
}
