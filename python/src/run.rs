//! A run from its start to its packing, on a thread of its own.
//!
//! Python's thread waits for messages of the run. It notices Ctrl-C at once, however long a sweep takes.

use std::{
    ops::ControlFlow,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicBool, Ordering},
        mpsc::{Receiver, RecvTimeoutError, Sender, channel},
    },
    thread::{Builder, JoinHandle},
};

use jostle::{
    PackOptions,
    jam::JamProgress,
    rearrange::{Observer, PackRun, Progress},
};
use pyo3::{
    exceptions::{PyKeyboardInterrupt, PyRuntimeWarning},
    prelude::*,
};

use super::{
    checkpoints::Checkpoints,
    constants::{SIGNAL_INTERVAL, STACK},
    errors::{self, input},
    packing::Packing,
    progress::{Row, row},
    request::{Estimate, Prepared, Request},
};

/// Returns the result of work that Ctrl-C does not wait for. After Ctrl-C the thread of the work goes on to its end, without an effect.
pub fn interruptible<T: Send + 'static>(
    py: Python,
    work: impl FnOnce() -> T + Send + 'static,
) -> PyResult<T> {
    let (sender, mut receiver) = channel();
    let thread = Builder::new().name("jostle".to_owned()).stack_size(STACK);
    let thread = thread.spawn(move || {
        // After Ctrl-C nothing waits for the result.
        let _ = sender.send(work());
    })?;
    loop {
        let receiver = &mut receiver;
        match py.detach(move || receiver.recv_timeout(SIGNAL_INTERVAL)) {
            Ok(result) => return Ok(result),
            Err(RecvTimeoutError::Timeout) => py.check_signals()?,
            Err(RecvTimeoutError::Disconnected) => {
                let panic = thread.join().err();
                std::panic::resume_unwind(panic.unwrap_or_else(|| Box::new("no result")))
            }
        }
    }
}

/// Packs spheres. `observer` receives the fields of `jostle.Progress` after every sweep, and ends the run by returning `False`.
///
/// After Ctrl-C, the attribute `run` of the exception holds the run, which is not finished.
#[pyfunction]
pub fn pack<'py>(
    py: Python<'py>,
    request: Request<'py>,
    observer: Option<Py<PyAny>>,
) -> PyResult<Packing> {
    let prepared = request.prepare(py)?;
    let checkpoints = request.checkpoint.as_deref().map(Checkpoints::new);
    let (watch, thread) = Watch::start(prepared, checkpoints.transpose()?, observer.is_some())?;
    let Err(error) = py.detach(|| watch.until_the_end(observer.as_ref())) else {
        return finish(py, thread);
    };
    if error.is_instance_of::<PyKeyboardInterrupt>(py) {
        let run = InterruptedRun(Mutex::new(Some(thread)));
        error.value(py).setattr("run", run)?;
    }
    Err(error)
}

/// Returns the number of spheres, the memory in bytes, the expected and the requested packing fraction, the seconds and a warning of a run,
/// without the run.
#[pyfunction]
pub fn estimate<'py>(py: Python<'py>, request: Request<'py>) -> PyResult<Estimate> {
    request.estimate(py)
}

/// Makes a packer of a new run, or of the run that the checkpoint holds.
pub fn start(
    radii: Vec<f64>,
    options: &PackOptions,
    checkpoints: Option<&Checkpoints>,
) -> PyResult<jostle::Packer> {
    let continued = checkpoints.map(|it| it.packer(&radii, options));
    match continued.transpose()?.flatten() {
        Some(packer) => Ok(packer),
        None => jostle::Packer::new(radii, options).map_err(|error| errors::request(&error)),
    }
}

/// The end of the thread of a run.
struct End {
    packing: State,
    /// The requested packing fraction if the number of spheres followed from it.
    fraction: Option<f64>,
    /// A sentence about a checkpoint that is not up to date.
    warning: Option<String>,
}

type Thread = JoinHandle<PyResult<End>>;

enum State {
    Finished(Box<PackRun>),
    /// The run was left after a sweep.
    Left(Box<jostle::Packer>),
}

/// A run on a thread of its own, as Python's thread sees it.
struct Watch {
    /// The progress after each sweep, for an observer. The thread closes the channel at its end.
    rows: Receiver<Row>,
    /// Whether the run goes on, for each row.
    answers: Sender<bool>,
    is_left: Arc<AtomicBool>,
}

impl Watch {
    /// Starts the thread.
    fn start(
        prepared: Prepared,
        checkpoints: Option<Checkpoints>,
        is_observed: bool,
    ) -> PyResult<(Self, Thread)> {
        let (rows, answers) = (channel(), channel());
        let is_left = Arc::new(AtomicBool::new(false));
        let sweeps = Sweeps {
            rows: rows.0,
            answers: answers.1,
            is_observed,
            is_left: is_left.clone(),
        };
        let thread = Builder::new()
            .name("jostle".to_owned())
            .stack_size(STACK)
            .spawn(move || sweeps.run(prepared, checkpoints))?;
        let watch = Self {
            rows: rows.1,
            answers: answers.0,
            is_left,
        };
        Ok((watch, thread))
    }

    /// Waits for the end of the thread, calls the observer, and looks for signals. After an error, the thread ends after its
    /// present sweep.
    ///
    /// # Errors
    /// Every exception of the observer, or of a handler of signals such as Ctrl-C.
    fn until_the_end(self, observer: Option<&Py<PyAny>>) -> PyResult<()> {
        let watched = self.watch(observer);
        if watched.is_err() {
            self.is_left.store(true, Ordering::Relaxed);
        }
        watched
    }

    fn watch(&self, observer: Option<&Py<PyAny>>) -> PyResult<()> {
        loop {
            match self.rows.recv_timeout(SIGNAL_INTERVAL) {
                Ok(row) => {
                    let goes_on = Python::attach(|py| observe(py, observer, row))?;
                    // A thread that has failed waits for no answer.
                    let _ = self.answers.send(goes_on);
                }
                Err(RecvTimeoutError::Timeout) => Python::attach(check_signals)?,
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
        }
    }
}

/// Runs the handlers of signals that have arrived, such as Ctrl-C.
fn check_signals(py: Python) -> PyResult<()> {
    py.check_signals()
}

/// Returns whether the run goes on after a sweep.
fn observe(py: Python, observer: Option<&Py<PyAny>>, progress: Row) -> PyResult<bool> {
    // Ctrl-C may also arrive while the code of the observer runs.
    check_signals(py)?;
    let Some(observer) = observer else {
        return Ok(true);
    };
    let answer = observer.call1(py, progress)?;
    Ok(answer.extract(py).unwrap_or(true))
}

/// The loop of a run, as its thread sees it.
struct Sweeps {
    rows: Sender<Row>,
    answers: Receiver<bool>,
    is_observed: bool,
    is_left: Arc<AtomicBool>,
}

impl Sweeps {
    /// Sweeps until the run is over, the observer ends it, or Python's thread leaves it.
    fn run(self, prepared: Prepared, mut checkpoints: Option<Checkpoints>) -> PyResult<End> {
        let Prepared {
            radii,
            options,
            fraction,
        } = prepared;
        let mut packer = start(radii, &options, checkpoints.as_ref())?;
        while !self.is_left() {
            let Some(progress) = packer.sweep() else {
                break;
            };
            if let Some(checkpoints) = &mut checkpoints {
                checkpoints.after_step(|| packer.checkpoint());
            }
            if self.is_observed && !self.goes_on(row(&progress)) {
                break;
            }
        }
        // The file stays while the packing is jammed.
        let checkpoint = checkpoints.is_some().then(|| packer.checkpoint());
        let (packing, stop) = if self.is_left() {
            let stop = packer.stop_reason();
            (State::Left(Box::new(packer)), stop)
        } else {
            let run = packer.finish_observed(&mut Leaving(&self.is_left));
            let stop = run.packing.provenance.as_ref().map(|made| made.stop);
            (State::Finished(Box::new(run)), stop)
        };
        let warning = checkpoints
            .zip(checkpoint)
            .and_then(|(it, checkpoint)| it.close(stop, || checkpoint));
        Ok(End {
            packing,
            fraction,
            warning,
        })
    }

    fn is_left(&self) -> bool {
        self.is_left.load(Ordering::Relaxed)
    }

    /// Returns the answer of the observer.
    fn goes_on(&self, progress: Row) -> bool {
        self.rows.send(progress).is_ok() && self.answers.recv().unwrap_or(false)
    }
}

/// An observer of the jamming, which ends when Python's thread leaves it.
struct Leaving<'a>(&'a AtomicBool);

impl Observer for Leaving<'_> {
    fn sweep(&mut self, _: &Progress) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn jamming(&mut self, _: &JamProgress) -> ControlFlow<()> {
        if self.0.load(Ordering::Relaxed) {
            ControlFlow::Break(())
        } else {
            ControlFlow::Continue(())
        }
    }
}

/// Waits for the end of a thread and returns its packing. Warns about a checkpoint that is not up to date.
fn finish(py: Python, thread: Thread) -> PyResult<Packing> {
    let joined = py.detach(|| thread.join());
    let end = joined.unwrap_or_else(|panic| std::panic::resume_unwind(panic))?;
    warn(py, end.warning)?;
    let run = match end.packing {
        State::Finished(run) => *run,
        State::Left(packer) => py.detach(|| packer.finish()),
    };
    Ok(Packing::of_run(run, end.fraction))
}

/// Warns if there is a sentence.
pub fn warn(py: Python, sentence: Option<String>) -> PyResult<()> {
    let Some(sentence) = sentence else {
        return Ok(());
    };
    let category = py.get_type::<PyRuntimeWarning>();
    let text = std::ffi::CString::new(sentence).map_err(input)?;
    PyErr::warn(py, &category, &text, 1)
}

/// A run after Ctrl-C. Its thread may still be in its last sweep.
#[pyclass(frozen, module = "jostle._core")]
pub struct InterruptedRun(Mutex<Option<Thread>>);

#[pymethods]
impl InterruptedRun {
    /// Waits for the end of the last sweep, after which the checkpoint is complete.
    fn wait(&self, py: Python) {
        let is_running = || {
            let thread = self.0.lock().unwrap_or_else(PoisonError::into_inner);
            thread.as_ref().is_some_and(|thread| !thread.is_finished())
        };
        py.detach(|| {
            while is_running() {
                std::thread::sleep(SIGNAL_INTERVAL);
            }
        });
    }

    /// Waits for the end of the last sweep, removes all overlap and returns the packing.
    fn finish(&self, py: Python) -> PyResult<Packing> {
        let thread = py.detach(|| self.0.lock().unwrap_or_else(PoisonError::into_inner).take());
        let thread = thread.ok_or_else(|| input("the interrupted run is finished already"))?;
        finish(py, thread)
    }
}
