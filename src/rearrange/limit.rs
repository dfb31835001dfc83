//! The end of a run from outside: a time limit, or an interrupt.

use std::{
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
    time::Duration,
};

use crate::{
    machine::{clock::Instant, ranks::Ranks},
    packing::StopReason,
};

/// A request to end a run, from another thread. Copies of the value are one request.
///
/// # Example
/// ```
/// use jostle::{PackOptions, pack, packing::StopReason, rearrange::Interrupt};
///
/// let interrupt = Interrupt::default();
/// let options = PackOptions::default().interrupt(interrupt.clone());
/// // Typically on another thread, while the run goes on.
/// interrupt.request();
/// let run = pack(&[0.5; 200], &options)?;
/// assert_eq!(run.packing.provenance.unwrap().stop, StopReason::Interrupted);
/// # Ok::<(), jostle::rearrange::PackError>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Requests the end of the run, which then leaves a packing without overlap, like a run at its time limit.
    pub fn request(&self) {
        self.0.store(true, Relaxed);
    }

    /// Returns whether the end of the run is requested.
    pub fn is_requested(&self) -> bool {
        self.0.load(Relaxed)
    }
}

/// Two values are equal if they are one request.
impl PartialEq for Interrupt {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

/// The time limit and the interrupt of a run. All parts of a run that may last ask it.
#[derive(Debug, Default)]
pub(super) struct Limit {
    end: Option<Instant>,
    interrupt: Option<Interrupt>,
    /// Whether it ends sweeps only, and no search.
    spares_searches: bool,
    has_cut: AtomicBool,
}

impl Limit {
    /// Returns the limit of a run that began, or was continued, at `start`.
    pub fn new(time_limit: Option<Duration>, interrupt: Option<Interrupt>, start: Instant) -> Self {
        let end = time_limit.and_then(|limit| start.checked_add(limit));
        Self {
            end,
            interrupt,
            spares_searches: false,
            has_cut: AtomicBool::new(false),
        }
    }

    /// Lets the limit end sweeps only, if there are several ranks, which reach it at different times.
    pub fn on(self, ranks: &Ranks) -> Self {
        Self {
            spares_searches: !ranks.is_alone(),
            ..self
        }
    }

    /// Returns whether the limit may be reached at some time.
    pub fn is_set(&self) -> bool {
        self.end.is_some() || self.interrupt.is_some()
    }

    /// Returns why the run must end, if it must. Cost: a look at the clock.
    pub fn reached(&self) -> Option<StopReason> {
        let is_requested = self.interrupt.as_ref().is_some_and(Interrupt::is_requested);
        if is_requested {
            return Some(StopReason::Interrupted);
        }
        let is_late = self.end.is_some_and(|end| Instant::now() >= end);
        is_late.then_some(StopReason::TimeLimit)
    }

    /// Returns whether a search must end now. If so, the run has other bits than without the limit.
    pub fn cuts(&self) -> bool {
        let cuts = !self.spares_searches && self.reached().is_some();
        if cuts {
            self.has_cut.store(true, Relaxed);
        }
        cuts
    }

    /// Returns whether a search had to end.
    pub fn has_cut(&self) -> bool {
        self.has_cut.load(Relaxed)
    }
}
