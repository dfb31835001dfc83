//! Packings of one request, before and after they are jammed.

use std::time::Instant;

use jostle::{
    Effort, PackOptions, Packing,
    analysis::{Analysis, AnalysisOptions},
    jam::JamGap,
    pack,
    rearrange::PackError,
};
use rayon::prelude::*;

use super::{mean::Mean, outcome::Outcome};
use crate::sample;

/// Packings of one size distribution in periodic cubes.
#[derive(Clone, Debug)]
pub struct Request {
    /// A preset or an inline law.
    pub sizes: String,
    pub spheres: usize,
    /// Number of packings, with different seeds.
    pub seeds: u64,
    /// Options besides the seed.
    pub options: PackOptions,
}

/// A packing, as the loop leaves it and jammed.
pub struct Jammed {
    pub before: Packing,
    pub packing: Packing,
}

/// The backbone of a jammed packing: the spheres that bear force.
#[derive(Clone, Copy, Debug)]
pub struct Backbone {
    /// Mean number of contacts that bear force.
    pub contacts: f64,
    /// Share of the spheres that bear no force.
    pub rattlers: f64,
}

impl Request {
    /// Requests packings at normal effort.
    pub fn new(sizes: impl Into<String>, spheres: usize, seeds: u64) -> Self {
        Self {
            sizes: sizes.into(),
            spheres,
            seeds,
            options: PackOptions::default().effort(Effort::NORMAL),
        }
    }

    /// Sets the effort.
    pub fn effort(self, effort: f64) -> Outcome<Self> {
        let options = self.options.effort(Effort::try_from(effort)?);
        Ok(Self { options, ..self })
    }

    /// Returns the radii.
    pub fn radii(&self) -> Outcome<Vec<f64>> {
        sample::radii(&self.sizes, self.spheres)
    }

    /// Packs the sample once for each seed, without and with jamming.
    pub fn jammed(&self) -> Outcome<Vec<Jammed>> {
        let radii = self.radii()?;
        let packed = |seed| {
            let options = self.options.clone().seed(seed);
            Ok(Jammed {
                before: pack(&radii[..], &options)?.packing,
                packing: pack(&radii[..], &jamming(options))?.packing,
            })
        };
        let seeds = (1..=self.seeds).into_par_iter();
        let jammed = seeds.map(packed).collect::<Result<_, PackError>>()?;
        eprintln!("{}, {} spheres", self.sizes, self.spheres);
        Ok(jammed)
    }

    /// Returns the seconds of one packing on one thread, without and with jamming, and the jammed packing.
    pub fn seconds(&self) -> Outcome<([f64; 2], Packing)> {
        let radii = self.radii()?;
        let options = self.options.clone().threads(1);
        let timed = |options: &PackOptions| -> Outcome<(f64, Packing)> {
            let clock = Instant::now();
            let packing = pack(&radii[..], options)?.packing;
            Ok((clock.elapsed().as_secs_f64(), packing))
        };
        let (before, _) = timed(&options)?;
        let (with, packing) = timed(&jamming(options))?;
        Ok(([before, with], packing))
    }
}

/// Returns options with jamming to the default gap.
fn jamming(options: PackOptions) -> PackOptions {
    options.jam(JamGap::AUTO)
}

impl Backbone {
    /// Returns the backbone of a jammed packing.
    pub fn of(packing: &Packing) -> Outcome<Self> {
        let forces = packing.forces().ok_or("a packing is not jammed")?;
        let mut bears = vec![false; packing.spheres().len()];
        for &id in forces.pairs.iter().flatten() {
            bears[id as usize] = true;
        }
        let bearing = bears.iter().filter(|&&bears| bears).count() as f64;
        Ok(Self {
            contacts: 2.0 * forces.pairs.len() as f64 / bearing,
            rattlers: 1.0 - bearing / bears.len() as f64,
        })
    }
}

/// Returns the mean of a value over packings.
pub fn mean_of(jammed: &[Jammed], value: impl Fn(&Jammed) -> f64) -> Mean {
    Mean::of(&Vec::from_iter(jammed.iter().map(value)))
}

/// Returns mean contacts and rattlers over jammed packings.
pub fn backbone<'a>(packings: impl IntoIterator<Item = &'a Packing>) -> Outcome<[Mean; 2]> {
    let backbones = packings.into_iter().map(Backbone::of);
    let backbones = backbones.collect::<Outcome<Vec<_>>>()?;
    let mean = |value: fn(&Backbone) -> f64| Mean::of(&Vec::from_iter(backbones.iter().map(value)));
    Ok([
        mean(|backbone| backbone.contacts),
        mean(|backbone| backbone.rattlers),
    ])
}

/// Returns the analyses of the jammed packings.
pub fn analyses(jammed: &[Jammed]) -> Outcome<Vec<Analysis>> {
    let options = AnalysisOptions::default().points(1000);
    let analyses = jammed
        .iter()
        .map(|jammed| Analysis::new(&jammed.packing, &options));
    Ok(analyses.collect::<Result<_, _>>()?)
}

/// Returns the share of spheres in surroundings like those of a crystal.
pub fn crystal_share(analysis: &Analysis) -> f64 {
    analysis
        .order
        .as_ref()
        .map_or(f64::NAN, |order| order.crystal_share)
}

/// Returns a share with its error in percent.
pub fn percent(share: Mean) -> String {
    format!("{:.2} ± {:.2} %", 100.0 * share.value, 100.0 * share.error)
}

/// Returns the least and the greatest of the means.
pub fn range(means: impl Iterator<Item = Mean>) -> [f64; 2] {
    means.fold([f64::INFINITY, f64::NEG_INFINITY], |[least, most], mean| {
        [least.min(mean.value), most.max(mean.value)]
    })
}
