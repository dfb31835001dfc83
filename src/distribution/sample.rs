//! Diameters drawn from a distribution, and their origin, for the provenance of a packing.

use std::ops::Range;

use rand::SeedableRng;
use rand_pcg::Pcg64;
use serde::{Deserialize, Serialize};

use super::{
    constants::{DRAWS_PER_EXPECTED_SPHERE, MINIMUM_DRAW_LIMIT, MOST_SPHERES},
    sampling::{SampleSize, Sampling},
    size_distribution::SizeDistribution,
    size_report::SizeReport,
    sizes_error::SizesError,
    stratified::{self, shares_of_counts},
};
use crate::machine::{divided::Divided, ranks::Ranks};

/// Diameters drawn from a distribution, with their origin.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Sample {
    /// The diameters: sorted in a stratified sample, in the order of the draws in a random one. Those of a blend are sorted by component
    /// first, and a list of diameters that is sampled as a whole has its own order. On several ranks, those of the share of this rank.
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

impl SizeDistribution {
    /// Returns a sample of `n` spheres.
    ///
    /// Only random sampling uses the seed. The same seed gives the same bits on every machine: it seeds a `Pcg64`
    /// generator, and the diameters are those of `sample_iter`. The [source](Sample::source) has neither name nor unit;
    /// [`SizeSpec::sample_number`](crate::SizeSpec::sample_number) adds them.
    ///
    /// Time and memory grow in proportion to `n`, except for the sort of random samples for the report.
    ///
    /// Each component of a blend has its share of the number, rounded to whole spheres. In a stratified sample, its volume differs from
    /// its share by at most one sphere: one of mean volume, or one of its largest class. Of blends in a blend, this holds for the innermost
    /// components.
    ///
    /// ```
    /// let law = jostle::distribution::SizeDistribution::from(jostle::distribution::Mono::new(2.0)?);
    /// let sample = law.sample_number(3, jostle::distribution::Sampling::Random, 0);
    /// assert_eq!(sample.radii(), [1.0, 1.0, 1.0]);
    /// # Ok::<(), jostle::distribution::SizesError>(())
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
        let (share, counts) = (ranks.share(n), stratified::counts(self.curve(), n));
        let size = SampleSize::Number(n as f64);
        let diameters = match (sampling, self.whole_list(size, sampling)) {
            (_, Some(list)) => list[share].to_vec(),
            (Sampling::Random, _) => self.draws(seed, &counts, share),
            (Sampling::Stratified, _) => stratified::by_number(self.curve(), &counts, share),
        };
        let diameters = Divided::new(diameters, ranks);
        self.with_source(diameters, &counts, size, sampling, seed)
    }

    /// Returns a sample with a given total volume, of at least one sphere.
    ///
    /// A stratified sample meets the volume to within half the smallest sphere, if the range of diameters allows it. The
    /// range does not allow volumes below one sphere, or volumes for which all of a few spheres would have to be larger
    /// than `d_max`. A random sample ends as near to the volume as its last sphere allows, to within half of that sphere.
    ///
    /// Each component of a blend has its share of the volume to within one sphere: the rounding of one component is made up for by the
    /// next smaller one, or by the next one in a random sample.
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
    ) -> Result<Sample, SizesError> {
        self.volume_on(&Ranks::default(), volume, sampling, seed)
    }

    /// [`Self::sample_volume`], of which this rank receives its share, and all of them call. Memory grows in
    /// proportion to the share, and so does time, except that each rank makes all draws of a random sample, and all diameters of a blend.
    pub(crate) fn volume_on(
        &self,
        ranks: &Ranks,
        volume: f64,
        sampling: Sampling,
        seed: u64,
    ) -> Result<Sample, SizesError> {
        if !(volume >= 0.0 && volume.is_finite()) {
            return Err(SizesError(format!(
                "volume = {volume:?} is not a finite number of at least 0"
            )));
        }
        let too_many = |spheres| {
            SizesError(format!(
                "volume = {volume:?} takes about {spheres:.3e} spheres of this distribution; a sample has at most {MOST_SPHERES:.3e}"
            ))
        };
        let expected = volume / self.mean_volume();
        if expected > MOST_SPHERES {
            return Err(too_many(expected));
        }
        let (diameters, counts) = match sampling {
            Sampling::Random => {
                let counts = self.draws_of_volume(volume, expected, seed)?;
                let share = ranks.share(counts.iter().sum());
                let diameters = self.draws(seed, &counts, share);
                (Divided::new(diameters, ranks), counts)
            }
            Sampling::Stratified => {
                let cubes = self.curve().dimension().diameters_of(volume);
                stratified::by_cubes(self.curve(), cubes, ranks).map_err(too_many)?
            }
        };
        let size = SampleSize::Volume(volume);
        let mut sample = self.with_source(diameters, &counts, size, sampling, seed);
        sample.source.volume = Some(volume);
        Ok(sample)
    }

    /// Adds the origin of the diameters. `counts` has the number of spheres of each leaf.
    fn with_source(
        &self,
        diameters: Divided,
        counts: &[usize],
        size: SampleSize,
        sampling: Sampling,
        seed: u64,
    ) -> Sample {
        let report = match self.whole_list(size, sampling) {
            Some(_) => SizeReport::of_whole_list(self),
            None => SizeReport::of_divided(self, &diameters, size, sampling),
        };
        let mut source = SizeSource::new("", "", sampling, seed, report);
        let components = self.components().iter();
        source.components = components
            .map(|component| SampledComponent::new(&*component.label, component.density, 0))
            .collect();
        if !source.components.is_empty() {
            for (leaf, &count) in self.curve().leaves().iter().zip(counts) {
                source.components[leaf.component].spheres += count as u64;
            }
        }
        Sample {
            diameters: diameters.into_own(),
            source,
        }
    }

    /// Returns the diameters of a list if a sample of this size is the list.
    fn whole_list(&self, size: SampleSize, sampling: Sampling) -> Option<&[f64]> {
        let list = self.listed()?;
        let is_whole = match size {
            SampleSize::Number(number) => number == list.len() as f64,
            SampleSize::Volume(_) => false,
        };
        (is_whole && sampling == Sampling::Stratified).then_some(list)
    }

    /// Returns a share of the random diameters. `counts` has the number of spheres of each leaf.
    fn draws(&self, seed: u64, counts: &[usize], share: Range<usize>) -> Vec<f64> {
        let mut rng = Pcg64::seed_from_u64(seed);
        // A draw takes one number.
        rng.advance(share.start as u128);
        let mut diameters = Vec::with_capacity(share.len());
        let own = shares_of_counts(counts.iter().copied(), share);
        for (leaf, own) in self.curve().leaves().iter().zip(own) {
            diameters.extend(own.map(|_| leaf.curve.draw(&mut rng)));
        }
        diameters
    }

    /// Returns the number of random diameters of each leaf with a total volume. The leaves up to each one are as near to their volume
    /// as the last sphere allows.
    fn draws_of_volume(
        &self,
        volume: f64,
        expected: f64,
        seed: u64,
    ) -> Result<Vec<usize>, SizesError> {
        let dimension = self.curve().dimension();
        let cubes = dimension.diameters_of(volume);
        let limit = (DRAWS_PER_EXPECTED_SPHERE * expected).max(MINIMUM_DRAW_LIMIT) as usize;
        let mut rng = Pcg64::seed_from_u64(seed);
        let leaves = self.curve().leaves();
        let mut counts = vec![0; leaves.len()];
        let (mut requested, mut total, mut spheres) = (0.0, 0.0, 0);
        for (leaf, count) in leaves.iter().zip(&mut counts) {
            requested += leaf.volume * cubes;
            loop {
                if spheres == limit {
                    return Err(SizesError(format!(
                        "{limit} random draws did not reach volume = {volume:?}, where about {expected:.0} spheres were expected, because the large spheres of this distribution are too rare; stratified sampling includes them"
                    )));
                }
                let before = rng.clone();
                let diameter = leaf.curve.draw(&mut rng);
                let cube = dimension.power(diameter);
                let may_end = spheres > 0 || leaves.len() > 1;
                // Without the last sphere, the total is nearer to the requested one.
                if may_end && total + 0.5 * cube > requested {
                    // The next leaf begins with this number.
                    rng = before;
                    break;
                }
                total += cube;
                *count += 1;
                spheres += 1;
            }
        }
        if spheres == 0 {
            let smallest = |k: &usize| leaves[*k].curve.range().0;
            let order = |a: &usize, b: &usize| smallest(a).total_cmp(&smallest(b));
            (0..leaves.len())
                .min_by(order)
                .into_iter()
                .for_each(|k| counts[k] = 1);
        }
        Ok(counts)
    }
}

/// The origin of the diameters of a sample: distribution, unit, sampling and agreement with the distribution.
///
/// [`Sample::source`](crate::distribution::Sample::source) holds it. A packing keeps it with its spheres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SizeSource {
    /// The name of the distribution: a preset, an inline law or the name in a file. Empty for a law without a name.
    pub name: String,
    /// The unit of all diameters, such as `"mm"`. Empty if it is unknown.
    pub unit: String,
    /// The method that chose the diameters.
    pub sampling: Sampling,
    /// The seed of the sample. Stratified samples are the same for every seed.
    pub seed: u64,
    /// The requested volume of all spheres; absent if their number was requested.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub volume: Option<f64>,
    /// The requested and the achieved mass curve.
    pub report: SizeReport,
    /// The components of a blend, in the order of their spheres in the sample; none of another law.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub components: Vec<SampledComponent>,
}

/// A component of a blend in a sample.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct SampledComponent {
    /// The name of the component.
    pub label: String,
    /// The density of the spheres; absent if all components have one density.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// The number of spheres, on all ranks.
    pub spheres: u64,
}

impl SampledComponent {
    /// Creates a component of this number of spheres.
    pub fn new(label: impl Into<String>, density: Option<f64>, spheres: u64) -> Self {
        Self {
            label: label.into(),
            density,
            spheres,
        }
    }
}

impl SizeSource {
    /// Creates the origin of diameters that do not come from a [`Sample`](crate::distribution::Sample).
    pub fn new(
        name: impl Into<String>,
        unit: impl Into<String>,
        sampling: Sampling,
        seed: u64,
        report: SizeReport,
    ) -> Self {
        Self {
            name: name.into(),
            unit: unit.into(),
            sampling,
            seed,
            volume: None,
            report,
            components: Vec::new(),
        }
    }
}
