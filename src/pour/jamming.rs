//! The jamming of a bed: its spheres come to rest together, under their weights.

use std::ops::ControlFlow;

use super::{finish::cut, pourer::Pourer};
use crate::{
    jam::{JamObserver, JamOptions, JamProgress, JamState, jam_observed},
    packing::{ContactForces, JamEnd, Jamming, Packing, StopReason},
    spheres::Spheres,
};

impl Pourer {
    /// Jams the bed. Returns the account, and the forces at the contacts in the order of the given numbers; without forces, the spheres kept their
    /// places. A limit that ends the run replaces the reason `stop`.
    pub(super) fn jam(
        &mut self,
        stop: &mut StopReason,
        observer: &mut dyn JamObserver,
    ) -> (Jamming, Option<ContactForces>) {
        let (gap, start) = (self.options.jam, self.fraction());
        let account = |end| (Jamming::new(gap.into(), start, end), None);
        match stop {
            StopReason::Interrupted | StopReason::TimeLimit => return account(JamEnd::Interrupted),
            StopReason::FractionReached => return account(JamEnd::AsRequested),
            _ => {}
        }
        // Nothing presses on the highest sphere.
        let room = 2.0 * self.radii.iter().copied().fold(0.0, f64::max);
        let (container, turn) = cut(&self.options, &self.bed, room);
        let lying = &self.bed.lying;
        let mut order: Vec<usize> = (0..lying.ids.len()).collect();
        order.sort_unstable_by_key(|&k| lying.ids[k]);
        let place = |&k: &usize| {
            (
                turn.back(lying.centers[k]),
                self.radii[lying.ids[k] as usize],
            )
        };
        let fixed = self.options.fixed.as_ref().map(|fixed| &fixed.spheres);
        let of_fixed = fixed.iter().flat_map(|fixed| fixed.iter());
        let (centers, radii) = order.iter().map(place).chain(of_fixed).unzip();
        let packing = Packing::new(Spheres::new(centers, radii), container);
        let packing = packing.with_fixed(fixed.map_or(0, Spheres::len));
        let options = JamOptions::default().gap(gap).gravity(self.options.gravity);
        let mut stage = Stage {
            pourer: self,
            observer,
            stop: None,
        };
        let result = jam_observed(&packing, &options, self.jamming.clone(), &mut stage);
        *stop = stage.stop.unwrap_or(*stop);
        // Spheres that are not accepted have kept their places.
        let Ok((jammed, found)) = result else {
            return account(JamEnd::Unbalanced);
        };
        let forces = jammed.forces.as_ref().map(|forces| {
            let centers = jammed.spheres.centers().iter();
            let places = order.iter().zip(centers.map(|&center| turn.point(center)));
            self.bed.place(places, &self.radii);
            let (container, _) = cut(&self.options, &self.bed, 0.0);
            forces.scaled((container.volume() / packing.container.volume()).sqrt())
        });
        let account = Jamming {
            start_fraction: start,
            ..found
        };
        (account, forces)
    }
}

/// The jamming of a bed: who may end it.
struct Stage<'a> {
    pourer: &'a Pourer,
    observer: &'a mut dyn JamObserver,
    stop: Option<StopReason>,
}

impl JamObserver for Stage<'_> {
    fn step(&mut self, progress: &JamProgress) -> ControlFlow<()> {
        self.stop = self.pourer.cut();
        if self.observer.step(progress).is_break() {
            self.stop = Some(StopReason::Interrupted);
        }
        self.stop
            .map_or(ControlFlow::Continue(()), |_| ControlFlow::Break(()))
    }

    fn save(&mut self, state: JamState) {
        self.observer.save(state);
    }
}
