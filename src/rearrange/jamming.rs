//! The jamming at the end of a run.

use std::ops::ControlFlow;

use super::{
    checkpoint::Checkpoint, limit::Limit, observer::Observer, packer::Packer, phase::is_limit,
};
use crate::{
    container::Container,
    jam::{JamObserver, JamOptions, JamProgress, JamState, jam_observed},
    machine::clock::Instant,
    packing::{JamEnd, Jamming, Packing, StopReason},
    spheres::Spheres,
};

impl Packer {
    /// Returns whether the packing will be jammed.
    pub(super) fn jams(&self) -> bool {
        let is_cut = self.stop_reason().is_none_or(is_cut_short);
        !self.options.jam.is_off() && !is_cut && self.options.fixed.is_none()
    }
}

/// Returns whether a run ended before it had done its work, without a request for a number of sweeps.
fn is_cut_short(stop: StopReason) -> bool {
    is_limit(stop) && stop != StopReason::SweepLimit
}

/// The jamming of a run: what it continues from, and who may end it.
pub(super) struct Stage<'a, O: ?Sized> {
    earlier: Option<JamState>,
    /// The loop that is over, if its observer wants to save it with the states of the jamming.
    checkpoint: Option<Checkpoint>,
    limit: Limit,
    observer: &'a mut O,
    begun: Instant,
    stop: Option<StopReason>,
}

impl<'a, O: ?Sized> Stage<'a, O> {
    pub fn new(
        earlier: Option<JamState>,
        checkpoint: Option<Checkpoint>,
        limit: Limit,
        observer: &'a mut O,
    ) -> Self {
        Self {
            earlier,
            checkpoint,
            limit,
            observer,
            begun: Instant::now(),
            stop: None,
        }
    }
}

impl<O: Observer + ?Sized> JamObserver for Stage<'_, O> {
    fn step(&mut self, progress: &JamProgress) -> ControlFlow<()> {
        self.stop = self.limit.reached();
        if self.observer.jamming(progress).is_break() {
            self.stop = Some(StopReason::Interrupted);
        }
        self.stop
            .map_or(ControlFlow::Continue(()), |_| ControlFlow::Break(()))
    }

    fn save(&mut self, state: JamState) {
        if let Some(loop_over) = &self.checkpoint {
            let mut checkpoint = loop_over.clone();
            checkpoint.account.jamming = Some(state);
            checkpoint.account.elapsed += self.begun.elapsed();
            self.observer.save(checkpoint);
        }
    }
}

/// Jams the packing of a run, unless it has the `requested` container or a limit ended the run. A packing that fits into the requested
/// container afterwards has that.
pub(super) fn jammed(
    mut packing: Packing,
    options: JamOptions,
    requested: Option<&Container>,
    stage: &mut Stage<'_, impl Observer + ?Sized>,
) -> Packing {
    let Some(mut provenance) = packing.provenance.take() else {
        return packing;
    };
    let account = |end| Jamming::new(options.gap.into(), packing.packing_fraction(), end);
    let jamming = match provenance.stop {
        StopReason::FractionReached => account(JamEnd::AsRequested),
        stop if is_cut_short(stop) => account(JamEnd::Interrupted),
        // In another container, fixed spheres would have other positions.
        _ if packing.fixed > 0 => account(JamEnd::AsRequested),
        _ => {
            let earlier = stage.earlier.take();
            let result = jam_observed(&packing, &options, earlier, stage);
            provenance.stop = stage.stop.unwrap_or(provenance.stop);
            match result {
                Ok((jammed, jamming)) => {
                    packing = jammed;
                    jamming
                }
                // Spheres overlap that could not be separated.
                Err(_) => account(JamEnd::Unbalanced),
            }
        }
    };
    provenance.jamming = Some(jamming);
    let is_loose = |requested: &&Container| requested.lengths().x > packing.container.lengths().x;
    if let Some(requested) = requested.filter(is_loose) {
        packing = expanded(packing, requested);
        provenance.stop = StopReason::FractionReached;
        provenance.jamming = Some(Jamming {
            gap: None,
            residual: None,
            end: JamEnd::AsRequested,
            ..jamming
        });
    }
    packing.provenance = Some(provenance);
    packing
}

/// Returns a packing whose centers move with its container to a larger one of the same shape, where no contact bears force.
fn expanded(packing: Packing, container: &Container) -> Packing {
    let center = |center: &glam::DVec3| {
        container.wrap(packing.container.fractions(*center) * container.lengths())
    };
    let centers = packing.spheres.centers().iter().map(center).collect();
    let radii = packing.spheres.radii().to_vec();
    let expanded = Packing::new(Spheres::new(centers, radii), container.clone());
    Packing {
        spheres: expanded.spheres,
        container: expanded.container,
        certificate: expanded.certificate,
        forces: None,
        ..packing
    }
}
