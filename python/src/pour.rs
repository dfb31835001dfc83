//! Depositions of spheres under gravity, step by step on Python's thread.

use std::{
    ops::ControlFlow,
    sync::{Mutex, PoisonError},
};

use jostle::{
    cli::Demand,
    container::{BoundarySpec, ContainerSpec},
    glam::DVec3,
    io::PourRecord,
    jam::{JamObserver, JamProgress},
    pour::{Compaction, PourOptions, PourProgress, PourRequest, PourRun, Pourer, Source},
};
use pyo3::{exceptions::PyKeyboardInterrupt, prelude::*, pybacked::PyBackedStr};

use super::{
    checkpoints::Checkpoints,
    errors::{PackingError, input},
    packing::Packing,
    request::{Request, cut_advice},
    run::warn,
};

/// The arguments of a deposition that a run of the packing loop does not have. The Python files provide every item.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Deposition {
    height: Option<f64>,
    mass: Option<f64>,
    volume: Option<f64>,
    density: Option<f64>,
    gravity: PyBackedStr,
    order: PyBackedStr,
    /// Points of the path of an outlet.
    source: Option<Vec<[f64; 3]>>,
    source_diameter: Option<f64>,
    passes: u32,
    stop_angle: f64,
    sticking: f64,
    taps: Option<u64>,
    compact_to: Option<f64>,
}

impl Deposition {
    /// Returns the options of a deposition with this seed.
    pub fn options(&self, seed: u64) -> PyResult<PourOptions> {
        let compaction = match (self.taps, self.compact_to) {
            (Some(_), Some(_)) => {
                return Err(input(
                    "taps and fraction are given together; give one of them",
                ));
            }
            (Some(taps), None) => Compaction::Taps(taps),
            (None, Some(fraction)) => Compaction::Fraction(fraction),
            (None, None) => Compaction::None,
        };
        let source = self.source.as_ref().map(|path| Source::Outlet {
            path: path.iter().copied().map(DVec3::from_array).collect(),
            diameter: self.source_diameter,
            passes: self.passes,
        });
        Ok(PourOptions::default()
            .gravity(self.gravity.parse().map_err(input)?)
            .order(self.order.parse().map_err(input)?)
            .source(source.unwrap_or_default())
            .stop_angle(self.stop_angle)
            .sticking(self.sticking)
            .compaction(compaction)
            .seed(seed))
    }

    /// Completes a request.
    pub fn complete(&self, request: PourRequest) -> PourRequest {
        request
            .height(self.height)
            .mass(self.mass)
            .volume(self.volume)
            .density(self.density)
    }

    /// Returns the container in which fixed spheres are moved. A free length is long enough for all of them.
    pub fn around_fixed(
        &self,
        vessel: &ContainerSpec,
        boundary: Option<BoundarySpec>,
    ) -> PyResult<jostle::Container> {
        const LONG: f64 = 1e6;
        let length = self.height.unwrap_or(LONG);
        vessel.vessel(boundary, length).map_err(input)
    }
}

/// Spheres in the bed, at most, height, share of the work, taps and seconds: the fields of `jostle.PourProgress`.
type Row = (usize, usize, f64, f64, u64, f64);

fn row(progress: &PourProgress) -> Row {
    (
        progress.deposited,
        progress.spheres,
        progress.height,
        progress.share,
        progress.taps,
        progress.elapsed.as_secs_f64(),
    )
}

/// Pours spheres. `observer` receives the fields of `jostle.PourProgress` after every step, and ends the run by returning `False`.
///
/// After Ctrl-C, the attribute `run` of the exception holds the run, which is not finished.
#[pyfunction]
pub fn pour<'py>(
    py: Python<'py>,
    request: Request<'py>,
    deposition: Deposition,
    observer: Option<Py<PyAny>>,
) -> PyResult<Packing> {
    let path = request.checkpoint.clone();
    let (strict, prepared) = (request.strict(), request.poured(&deposition)?);
    let prepared = prepared.resolve().map_err(input)?;
    let demand = Demand::of_pour(&prepared, path.is_some());
    demand.prepare(cut_advice).map_err(input)?;
    drop(demand);
    let mut pourer = py.detach(|| prepared.pourer()).map_err(input)?;
    let mut checkpoints = path.as_deref().map(Checkpoints::new).transpose()?;
    if let Some(checkpoints) = &checkpoints
        && let Some(continued) = checkpoints.pourer(&pourer)?
    {
        pourer = continued;
    }
    let report = pourer.options().sizes.as_ref();
    let warning = report.and_then(|source| source.report.warning.clone());
    if let Some(warning) = warning.filter(|_| strict) {
        return Err(PackingError::new_err(warning));
    }
    let ended = steps(py, &mut pourer, checkpoints.as_mut(), observer.as_ref());
    let mut signals = Signals {
        error: ended.err(),
        steps: 0,
    };
    let (run, sentence) = py.detach(|| {
        // The file stays while the bed is jammed.
        let closing = checkpoints.map(|checkpoints| (checkpoints, pourer.checkpoint()));
        let run = pourer.finish_observed(&mut signals);
        let stop = run.packing.provenance.as_ref().map(|made| made.stop);
        let close = |(it, state): (Checkpoints, _)| it.close(stop, || PourRecord::new(state));
        (run, closing.and_then(close))
    });
    warn(py, sentence)?;
    let Some(error) = signals.error else {
        return Ok(Packing::of_pour(run));
    };
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        let run = InterruptedPour(Mutex::new(Some(Box::new(run))));
        error.value(py).setattr("run", run)?;
    }
    Err(error)
}

/// An observer of the jamming, which an exception of a handler of signals ends.
struct Signals {
    error: Option<PyErr>,
    steps: u32,
}

impl JamObserver for Signals {
    fn step(&mut self, _: &JamProgress) -> ControlFlow<()> {
        // A step takes microseconds with few spheres.
        if self.error.is_none() && self.steps.is_multiple_of(100) {
            self.error = Python::attach(|py| py.check_signals().err());
        }
        self.steps = self.steps.wrapping_add(1);
        match self.error {
            Some(_) => ControlFlow::Break(()),
            None => ControlFlow::Continue(()),
        }
    }
}

/// Steps until the run is over or the observer ends it.
///
/// # Errors
/// Every exception of the observer, or of a handler of signals such as Ctrl-C.
fn steps(
    py: Python,
    pourer: &mut Pourer,
    mut checkpoints: Option<&mut Checkpoints>,
    observer: Option<&Py<PyAny>>,
) -> PyResult<()> {
    while let Some(progress) = py.detach(|| pourer.step()) {
        if let Some(checkpoints) = &mut checkpoints {
            checkpoints.after_step(|| PourRecord::new(pourer.checkpoint()));
        }
        py.check_signals()?;
        if let Some(observer) = observer {
            let answer = observer.call1(py, row(&progress))?;
            if !answer.extract(py).unwrap_or(true) {
                break;
            }
        }
    }
    Ok(())
}

/// A deposition after Ctrl-C.
#[pyclass(frozen, module = "jostle._core")]
pub struct InterruptedPour(Mutex<Option<Box<PourRun>>>);

#[pymethods]
impl InterruptedPour {
    /// Does nothing: the checkpoint is complete.
    fn wait(&self) {}

    /// Returns the packing of the spheres in the bed.
    fn finish(&self) -> PyResult<Packing> {
        let run = self.0.lock().unwrap_or_else(PoisonError::into_inner).take();
        let run = run.ok_or_else(|| input("the interrupted run is finished already"))?;
        Ok(Packing::of_pour(*run))
    }
}
