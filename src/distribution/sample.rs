//! Diameters drawn from a distribution.

use std::ops::Range;

use rand::{SeedableRng, distr::Distribution};
use rand_pcg::Pcg64;

use super::{
    constants::{DRAWS_PER_EXPECTED_SPHERE, MINIMUM_DRAW_LIMIT, MOST_SPHERES},
    sample_size::{SampleSize, cubes_of},
    sampling::Sampling,
    size_distribution::SizeDistribution,
    size_report::SizeReport,
    size_source::SizeSource,
    stratified,
};
use crate::machine::{divided::Divided, ranks::Ranks};

/// Diameters drawn from a distribution, with their origin.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sample {
    /// The diameters: rising in a stratified sample, in the order of the draws in a random one. On several ranks, those of the share of
    /// this rank.
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
    /// let law = jostle::distribution::SizeDistribution::from(jostle::distribution::Mono::new(2.0)?);
    /// let sample = law.sample_number(3, jostle::distribution::Sampling::Random, 0);
    /// assert_eq!(sample.radii(), [1.0, 1.0, 1.0]);
    /// # Ok::<(), jostle::distribution::SizeRangeError>(())
    /// ```
    pub fn sample_number(&self, n: usize, sampling: Sampling, seed: u64) -> Sample {
        self.number_on(&Ranks::default(), n, sampling, seed)
    }

    /// [`Self::sample_number`], of which this rank receives its share, and all of them call. Time and memory
    /// grow in proportion to the share.
    pub(crate) fn number_on(
        &self,
        ranks: &Ranks,
        n: usize,
        sampling: Sampling,
        seed: u64,
    ) -> Sample {
        let share = ranks.share(n);
        let diameters = match sampling {
            Sampling::Random => self.draws(seed, share),
            Sampling::Stratified => stratified::by_number(self.curve(), n, share),
        };
        let size = SampleSize::Number(n as f64);
        self.with_source(Divided::new(diameters, ranks), size, sampling, seed)
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
        self.volume_on(&Ranks::default(), volume, sampling, seed)
    }

    /// [`Self::sample_volume`], of which this rank receives its share, and all of them call. Memory grows in
    /// proportion to the share, and so does time, except that each rank makes all draws of a random sample.
    pub(crate) fn volume_on(
        &self,
        ranks: &Ranks,
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
            Sampling::Random => {
                let share = ranks.share(self.draws_of_volume(volume, expected, seed)?);
                Divided::new(self.draws(seed, share), ranks)
            }
            Sampling::Stratified => {
                stratified::by_cubes(self.curve(), cubes_of(volume), ranks).map_err(too_many)?
            }
        };
        let size = SampleSize::Volume(volume);
        let mut sample = self.with_source(diameters, size, sampling, seed);
        sample.source.volume = Some(volume);
        Ok(sample)
    }

    fn with_source(
        &self,
        diameters: Divided,
        size: SampleSize,
        sampling: Sampling,
        seed: u64,
    ) -> Sample {
        let report = SizeReport::of_divided(self, &diameters, size, sampling);
        Sample {
            diameters: diameters.into_own(),
            source: SizeSource::new("", "", sampling, seed, report),
        }
    }

    /// Returns a share of the random diameters.
    fn draws(&self, seed: u64, share: Range<usize>) -> Vec<f64> {
        let mut rng = Pcg64::seed_from_u64(seed);
        // A draw takes one number.
        rng.advance(share.start as u128);
        self.sample_iter(rng).take(share.len()).collect()
    }

    /// Returns the number of random diameters with a total volume.
    fn draws_of_volume(
        &self,
        volume: f64,
        expected: f64,
        seed: u64,
    ) -> Result<usize, SampleVolumeError> {
        let cubes = cubes_of(volume);
        let limit = (DRAWS_PER_EXPECTED_SPHERE * expected).max(MINIMUM_DRAW_LIMIT) as usize;
        let mut total = 0.0;
        let draws = self.sample_iter(Pcg64::seed_from_u64(seed));
        for (count, diameter) in draws.take(limit).enumerate() {
            let cube = diameter * diameter * diameter;
            // Without the last sphere, the total is nearer to the requested one.
            if count > 0 && total + 0.5 * cube > cubes {
                return Ok(count);
            }
            total += cube;
        }
        Err(SampleVolumeError::TooManyDraws {
            volume,
            draws: limit,
            expected,
        })
    }
}
