//! Diameters drawn from a distribution.

use std::f64::consts::PI;

use rand::{SeedableRng, distr::Distribution};
use rand_pcg::Pcg64;

use super::{
    constants::{DRAWS_PER_EXPECTED_SPHERE, MINIMUM_DRAW_LIMIT, MOST_SPHERES},
    sampling::Sampling,
    size_distribution::SizeDistribution,
    size_report::SizeReport,
    size_source::SizeSource,
    stratified,
};

/// Diameters drawn from a distribution, with their origin.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sample {
    /// The diameters: rising in a stratified sample, in the order of the draws in a random one.
    pub diameters: Vec<f64>,
    /// The distribution, unit, sampling, seed and report, for the provenance of a packing.
    pub source: SizeSource,
}

impl Sample {
    /// Returns the radii, in the order of the diameters.
    pub fn radii(&self) -> Vec<f64> {
        self.diameters.iter().map(|d| 0.5 * d).collect()
    }

    /// Returns the requested and the achieved mass curve.
    pub fn report(&self) -> &SizeReport {
        &self.source.report
    }
}

/// A total volume that no sample can have.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SampleVolumeError {
    /// The volume is negative, infinite or not a number.
    #[error("volume = {0:?} is not a finite number of at least 0")]
    NotAVolume(f64),
    /// The sample would have more spheres than can be numbered.
    #[error(
        "volume = {volume:?} takes about {spheres:.3e} spheres of this distribution; a sample has at most {MOST_SPHERES:.3e}"
    )]
    TooManySpheres {
        /// The requested volume.
        volume: f64,
        /// The number of spheres.
        spheres: f64,
    },
    /// Most of the mass is in spheres so rare that random draws do not reach the volume.
    #[error(
        "{draws} random draws did not reach volume = {volume:?}, where about {expected:.0} spheres were expected, because the large spheres of this distribution are too rare; stratified sampling includes them"
    )]
    TooManyDraws {
        /// The requested volume.
        volume: f64,
        /// The number of draws made.
        draws: usize,
        /// The expected number of spheres.
        expected: f64,
    },
}

impl SizeDistribution {
    /// Returns a sample of `n` spheres.
    ///
    /// Only random sampling uses the seed. The same seed gives the same bits on every machine: it seeds a `Pcg64`
    /// generator, and the diameters are those of `sample_iter`. The [source](Sample::source) has neither name nor unit;
    /// [`SizeSpec::sample_number`](crate::SizeSpec::sample_number) adds them.
    ///
    /// Time and memory grow in proportion to `n`, except for the sort of random samples for the report.
    ///
    /// ```
    /// let law = jostle::SizeDistribution::from(jostle::Mono::new(2.0)?);
    /// let sample = law.sample_number(3, jostle::Sampling::Random, 0);
    /// assert_eq!(sample.radii(), [1.0, 1.0, 1.0]);
    /// # Ok::<(), jostle::SizeRangeError>(())
    /// ```
    pub fn sample_number(&self, n: usize, sampling: Sampling, seed: u64) -> Sample {
        let diameters = match sampling {
            Sampling::Random => self.draws(seed).take(n).collect(),
            Sampling::Stratified => stratified::by_number(self.curve(), n),
        };
        self.with_source(diameters, sampling, seed)
    }

    /// Returns a sample with a given total volume, of at least one sphere.
    ///
    /// A stratified sample meets the volume to within half the smallest sphere, if the range of diameters allows it. The
    /// range does not allow volumes below one sphere, or volumes for which all of a few spheres would have to be larger
    /// than `d_max`. A random sample ends as near to the volume as its last sphere allows, to within half of that sphere.
    ///
    /// About `volume / mean_volume()` spheres come out. The seed, time and memory are as in
    /// [`sample_number`](Self::sample_number).
    ///
    /// # Errors
    /// - The volume is negative, infinite or not a number.
    /// - The sample would have more than 4.29e9 spheres.
    /// - The large spheres of a wide law are so rare that random draws do not reach the volume.
    pub fn sample_volume(
        &self,
        volume: f64,
        sampling: Sampling,
        seed: u64,
    ) -> Result<Sample, SampleVolumeError> {
        if !(volume >= 0.0 && volume.is_finite()) {
            return Err(SampleVolumeError::NotAVolume(volume));
        }
        let too_many = |spheres| SampleVolumeError::TooManySpheres { volume, spheres };
        let expected = volume / self.mean_volume();
        if expected > MOST_SPHERES {
            return Err(too_many(expected));
        }
        let diameters = match sampling {
            Sampling::Random => self.draws_of_volume(volume, expected, seed)?,
            Sampling::Stratified => {
                stratified::by_cubes(self.curve(), cubes_of(volume)).map_err(too_many)?
            }
        };
        Ok(self.with_source(diameters, sampling, seed))
    }

    fn with_source(&self, diameters: Vec<f64>, sampling: Sampling, seed: u64) -> Sample {
        let report = SizeReport::of(self, &diameters);
        Sample {
            diameters,
            source: SizeSource::new("", "", sampling, seed, report),
        }
    }

    fn draws(&self, seed: u64) -> impl Iterator<Item = f64> + '_ {
        self.sample_iter(Pcg64::seed_from_u64(seed))
    }

    fn draws_of_volume(
        &self,
        volume: f64,
        expected: f64,
        seed: u64,
    ) -> Result<Vec<f64>, SampleVolumeError> {
        let cubes = cubes_of(volume);
        let limit = (DRAWS_PER_EXPECTED_SPHERE * expected).max(MINIMUM_DRAW_LIMIT) as usize;
        let mut diameters = Vec::new();
        let mut total = 0.0;
        for diameter in self.draws(seed).take(limit) {
            let cube = diameter * diameter * diameter;
            // Without the last sphere, the total is nearer to the requested one.
            if !diameters.is_empty() && total + 0.5 * cube > cubes {
                return Ok(diameters);
            }
            diameters.push(diameter);
            total += cube;
        }
        Err(SampleVolumeError::TooManyDraws {
            volume,
            draws: limit,
            expected,
        })
    }
}

/// Returns Σd³ of spheres with a total volume.
fn cubes_of(volume: f64) -> f64 {
    volume * 6.0 / PI
}
