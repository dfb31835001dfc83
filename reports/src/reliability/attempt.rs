//! One random request: its run, its second run, and the checks of its packing.

use std::ops::ControlFlow;

use jostle::{
    Packer, Packing,
    io::{read_checkpoint, write_checkpoint},
    rearrange::{PackRun, Progress, pack_observed},
};
use serde::Serialize;

use super::{
    checks::{Checked, check},
    outcome::Outcome,
    random::Random,
    request::{Again, RunRequest, SampleRequest},
};

/// A request with the diameters that it names.
#[derive(Clone, Debug, Serialize)]
pub struct Request {
    /// Number of the request of this seed.
    pub number: u64,
    pub sample: SampleRequest,
    /// Absent if the size distribution was rejected.
    pub run: Option<RunRequest>,
    #[serde(skip)]
    pub radii: Vec<f64>,
}

/// What became of a request.
#[derive(Debug)]
pub enum End {
    /// The library rejected the request with this message.
    Rejected(String),
    /// The library packed the spheres.
    Packed { stop: String, checked: Checked },
}

impl Request {
    /// Draws the request with this number. A rejected size distribution is returned as the message.
    pub fn draw(seed: u64, number: u64) -> (Self, Option<String>) {
        let mut random = Random::new(seed, number);
        let sample = SampleRequest::draw(&mut random);
        let mut request = Self {
            number,
            sample,
            run: None,
            radii: Vec::new(),
        };
        match request.draw_radii() {
            Ok(radii) => {
                request.run = Some(RunRequest::draw(&mut random, &radii));
                request.radii = radii;
                (request, None)
            }
            Err(error) => (request, Some(error.to_string())),
        }
    }

    fn draw_radii(&self) -> Outcome<Vec<f64>> {
        let SampleRequest {
            sizes,
            count,
            by_volume,
            sampling,
            seed,
        } = &self.sample;
        let spec = sizes.load()?;
        let sample = if *by_volume {
            let volume = *count as f64 * spec.distribution.mean_volume();
            spec.sample_volume(volume, *sampling, *seed)?
        } else {
            spec.sample_number(*count as usize, *sampling, *seed)
        };
        Ok(sample.radii())
    }

    /// Packs the spheres and checks the packing.
    pub fn attempt(&self) -> End {
        let Some(run) = &self.run else {
            return End::Rejected("the size distribution is invalid".to_owned());
        };
        let packing = match undisturbed(run, &self.radii) {
            Ok(packing) => packing,
            Err(message) => return End::Rejected(message),
        };
        let mut checked = check(run, &self.radii, &packing);
        if let Err(failure) = self.again(run, &packing) {
            checked.failures.push(failure);
        }
        let stop = packing
            .provenance
            .as_ref()
            .map(|provenance| provenance.stop);
        let name = serde_json::to_string(&stop).unwrap_or_default();
        End::Packed {
            stop: name.trim_matches('"').to_owned(),
            checked,
        }
    }

    /// Packs the spheres again, and compares the packings.
    fn again(&self, run: &RunRequest, packing: &Packing) -> Result<(), String> {
        let mut expected = packing.clone();
        let found = match &run.again {
            Again::No => return Ok(()),
            Again::Resumed { shares, threads } => {
                let sweeps = packing
                    .provenance
                    .as_ref()
                    .map_or(0, |provenance| provenance.sweeps);
                let stops = shares.iter().map(|share| (share * sweeps as f64) as u64);
                resumed(run, &self.radii, &stops.collect::<Vec<_>>(), *threads)
                    .map_err(|error| error.to_string())?
            }
            Again::Repeated { index, threads } => {
                let mut other = run.clone();
                other.options = other.options.index(*index).threads(*threads);
                if let Some(provenance) = &mut expected.provenance {
                    provenance.index = index.to_string();
                }
                undisturbed(&other, &self.radii)?
            }
        };
        if found == expected {
            Ok(())
        } else {
            Err(format!(
                "the second run ({}) made another packing",
                run.again.name()
            ))
        }
    }
}

/// Packs, and ends the run by its observer if the request says so. An error is the message of the library.
fn undisturbed(request: &RunRequest, radii: &[f64]) -> Result<Packing, String> {
    let mut observer = |progress: &Progress| {
        let is_over = request
            .interruption
            .is_some_and(|end| progress.sweeps >= end);
        if is_over {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    };
    let run = pack_observed(radii, &request.options, &mut observer);
    run.map(|run| run.packing)
        .map_err(|error| error.to_string())
}

/// Packs, and continues from a checkpoint after each of the given numbers of sweeps.
fn resumed(request: &RunRequest, radii: &[f64], stops: &[u64], threads: usize) -> Outcome<Packing> {
    let folder = tempfile::tempdir()?;
    let path = folder.path().join("run.checkpoint");
    let mut packer = Packer::new(radii, &request.options)?;
    let mut stops = stops.iter().copied().peekable();
    let mut sweeps = 0;
    loop {
        while stops.next_if(|&stop| stop <= sweeps).is_some() {
            write_checkpoint(&packer.checkpoint(), &path)?;
            drop(packer);
            let checkpoint = read_checkpoint(&path)?.threads(threads);
            packer = Packer::resume(checkpoint)?;
        }
        if request.interruption.is_some_and(|end| sweeps >= end) {
            break;
        }
        let Some(progress) = packer.sweep() else {
            break;
        };
        sweeps = progress.sweeps;
    }
    let PackRun { packing, .. } = packer.finish();
    Ok(packing)
}
