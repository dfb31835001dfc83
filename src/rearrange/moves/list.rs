//! The moves of a run in their order.

use std::collections::BTreeMap;

use serde_json::Value;

use super::{
    exchange::Exchange,
    insertion::Insertion,
    interface::{Arrangement, Move},
    pending::Pending,
    relocation::{Overlaps, Relocation},
    toward_nearest::TowardNearest,
};
use crate::{
    machine::trace::part,
    names::one_line,
    rearrange::{checkpoint::ResumeError, options::PackOptions, schedule::Schedule},
};

/// The moves of a run.
#[derive(Debug)]
pub(in crate::rearrange) struct Moves {
    pub insertion: Insertion,
    pub exchange: Exchange,
    /// Absent unless it is requested.
    toward_nearest: Option<TowardNearest>,
    /// The moves that the caller added.
    pub further: Vec<Box<dyn Move>>,
    pub relocation: Relocation,
}

impl Moves {
    /// Returns the moves of a run at whose start `groups` groups were pending. The caller added the `further` moves.
    pub fn new(
        pending: Pending,
        groups: usize,
        schedule: &Schedule,
        options: &PackOptions,
        further: Vec<Box<dyn Move>>,
    ) -> Self {
        Self {
            insertion: Insertion::new(pending, schedule.insertion(groups)),
            exchange: Exchange::new(options),
            toward_nearest: TowardNearest::new(options.toward_nearest),
            further,
            relocation: Relocation {
                relaxation: schedule.relaxation,
                overlaps: Overlaps::default(),
            },
        }
    }

    /// Returns all moves.
    fn list(&self) -> impl Iterator<Item = &dyn Move> {
        let built_in: [&dyn Move; 3] = [&self.insertion, &self.exchange, &self.relocation];
        let toward_nearest = self.toward_nearest.iter().map(|step| step as _);
        let further = self.further.iter().map(|further| &**further as _);
        built_in.into_iter().chain(toward_nearest).chain(further)
    }

    /// Returns all moves in the order of their rounds.
    fn list_mut(&mut self) -> impl Iterator<Item = &mut dyn Move> {
        let first: [&mut dyn Move; 2] = [&mut self.insertion, &mut self.exchange];
        let toward_nearest = self.toward_nearest.iter_mut().map(|step| step as _);
        let further = self.further.iter_mut().map(|further| &mut **further as _);
        let last: [&mut dyn Move; 1] = [&mut self.relocation];
        let first = first.into_iter().chain(toward_nearest);
        first.chain(further).chain(last)
    }

    /// Calls one round of each move that is due.
    pub fn round(&mut self, spheres: &mut Arrangement) {
        for step in self.list_mut() {
            if step.is_due(spheres) {
                part(step.name(), || step.round(spheres));
            }
        }
    }

    /// Returns the states of all moves.
    pub fn states(&self) -> BTreeMap<String, Value> {
        let state = |step: &dyn Move| (step.name().to_owned(), step.state());
        self.list().map(state).collect()
    }

    /// Continues from the states of all moves.
    pub fn restore(
        &mut self,
        mut states: BTreeMap<String, Value>,
        spheres: &Arrangement,
    ) -> Result<(), ResumeError> {
        for step in self.list_mut() {
            if let Some(state) = states.remove(step.name()) {
                step.restore(state, spheres)?;
            }
        }
        match states.pop_first() {
            Some((name, _)) => Err(ResumeError::Move(one_line(name))),
            None => Ok(()),
        }
    }
}
