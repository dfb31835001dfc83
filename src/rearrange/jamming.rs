//! The jamming at the end of a run.

use std::ops::ControlFlow;

use super::{limit::Limit, packer::Packer, phase::is_limit};
use crate::{
    container::Container,
    jam::{JamOptions, JamProgress, jam_observed},
    packing::{JamEnd, Jamming, Packing, StopReason},
    spheres::Spheres,
};

impl Packer {
    /// Returns whether the packing will be jammed.
    pub(super) fn jams(&self) -> bool {
        let is_cut = self.stop_reason().is_none_or(is_cut_short);
        !self.options.jam.is_off() && !is_cut
    }
}

/// Returns whether a run ended before it had done its work, without a request for a number of sweeps.
fn is_cut_short(stop: StopReason) -> bool {
    is_limit(stop) && stop != StopReason::SweepLimit
}

/// Jams the packing of a run, unless it has the `requested` container or a limit ended the run. A packing that fits into the requested
/// container afterwards has that.
pub(super) fn jammed(
    mut packing: Packing,
    options: JamOptions,
    requested: Option<&Container>,
    limit: &Limit,
    observe: &mut dyn FnMut(&JamProgress) -> ControlFlow<()>,
) -> Packing {
    let Some(mut provenance) = packing.provenance.take() else {
        return packing;
    };
    let account = |end| Jamming::new(options.gap.into(), packing.packing_fraction(), end);
    let jamming = match provenance.stop {
        StopReason::FractionReached => account(JamEnd::AsRequested),
        stop if is_cut_short(stop) => account(JamEnd::Interrupted),
        _ => {
            let mut stop = None;
            let result = jam_observed(&packing, &options, &mut |progress| {
                stop = limit.reached();
                let flow = observe(progress);
                if flow.is_break() {
                    stop = Some(StopReason::Interrupted);
                }
                stop.map_or(ControlFlow::Continue(()), |_| ControlFlow::Break(()))
            });
            provenance.stop = stop.unwrap_or(provenance.stop);
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
