//! A run from its start to its packing.

use std::time::Instant;

use pyo3::{
    exceptions::{PyKeyboardInterrupt, PyRuntimeWarning},
    prelude::*,
};

use super::{
    checkpoints::Checkpoints,
    constants::SIGNAL_INTERVAL,
    errors::input,
    packer::Packer,
    packing::Packing,
    progress::{Row, row},
    request::{Prepared, Request},
};

/// Packs spheres. `observer` receives the fields of `jostle.Progress` after every sweep, and ends the run by returning `False`.
///
/// After Ctrl-C, the attribute `packer` of the exception holds the run, which is not finished.
#[pyfunction]
pub fn pack<'py>(
    py: Python<'py>,
    request: Request<'py>,
    observer: Option<Py<PyAny>>,
) -> PyResult<Packing> {
    let (packer, mut checkpoints) = start(py, &request)?;
    let mut running = Loop {
        packer,
        observer,
        looked: Instant::now(),
    };
    let interrupt = py.detach(|| running.run(checkpoints.as_mut()))?;
    let Loop { packer, .. } = running;
    if let Some(warning) = py.detach(|| checkpoints.and_then(|it| it.close(&packer))) {
        let category = py.get_type::<PyRuntimeWarning>();
        let text = std::ffi::CString::new(warning).map_err(input)?;
        PyErr::warn(py, &category, &text, 1)?;
    }
    let Some(interrupt) = interrupt else {
        return Ok(Packing::of_run(py.detach(|| packer.finish())));
    };
    interrupt.value(py).setattr("packer", Packer::of(packer))?;
    Err(interrupt)
}

/// Makes a packer of a new run, or of the run that the checkpoint holds.
pub fn start(py: Python, request: &Request) -> PyResult<(jostle::Packer, Option<Checkpoints>)> {
    let Prepared { radii, options } = request.prepare(py)?;
    let checkpoints = request.checkpoint.as_deref().map(Checkpoints::new);
    let checkpoints = checkpoints.transpose()?;
    let packer = py.detach(|| {
        let continued = checkpoints.as_ref().map(|it| it.packer(&radii, &options));
        match continued.transpose()?.flatten() {
            Some(packer) => Ok(packer),
            None => jostle::Packer::new(radii, &options).map_err(input),
        }
    })?;
    Ok((packer, checkpoints))
}

/// The packing loop with an observer and with Python's signals.
struct Loop {
    packer: jostle::Packer,
    observer: Option<Py<PyAny>>,
    /// The time of the last look for signals.
    looked: Instant,
}

impl Loop {
    /// Sweeps until the run is over, the observer ends it, or Ctrl-C interrupts it. Returns the exception after Ctrl-C.
    ///
    /// # Errors
    /// Every other exception of the observer, or of a handler of signals.
    fn run(&mut self, mut checkpoints: Option<&mut Checkpoints>) -> PyResult<Option<PyErr>> {
        while let Some(progress) = self.packer.sweep() {
            if let Some(checkpoints) = &mut checkpoints {
                checkpoints.after_sweep(&self.packer);
            }
            if self.observer.is_none() && self.looked.elapsed() < SIGNAL_INTERVAL {
                continue;
            }
            self.looked = Instant::now();
            match Python::attach(|py| self.observe(py, row(&progress)))? {
                Step::Continue => {}
                Step::Stop => return Ok(None),
                Step::Interrupt(error) => return Ok(Some(error)),
            }
        }
        Ok(None)
    }

    fn observe(&self, py: Python, progress: Row) -> PyResult<Step> {
        let call = || match &self.observer {
            Some(observer) => observer.call1(py, progress).map(Some),
            None => Ok(None),
        };
        // Ctrl-C may also arrive while the code of the observer runs.
        match py.check_signals().and_then(|()| call()) {
            Ok(Some(answer)) if answer.extract(py).is_ok_and(|go_on: bool| !go_on) => {
                Ok(Step::Stop)
            }
            Ok(_) => Ok(Step::Continue),
            Err(error) if error.is_instance_of::<PyKeyboardInterrupt>(py) => {
                Ok(Step::Interrupt(error))
            }
            Err(error) => Err(error),
        }
    }
}

/// The end of a sweep.
enum Step {
    Continue,
    Stop,
    Interrupt(PyErr),
}
