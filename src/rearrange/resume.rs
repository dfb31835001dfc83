//! Checkpoints of a packer, and runs that continue from them.

use std::{ops::Range, sync::Arc};

use rand::SeedableRng;
use rand_pcg::Pcg64;
use rayon::iter::ParallelIterator;

use super::{
    approach::Approach,
    checkpoint::{Account, Checkpoint, Columns, ResumeError},
    checkpoint_checks::{check_account, check_columns, check_lengths, check_request, require},
    halo::moved,
    moves::{Arrangement, Move, Moves, Split, pending::Pending, split},
    packer::{Packer, fraction_of_few},
    phase::{ApproachProgress, Phase, is_limit},
    points::Points,
    setup::{Radii, Setup},
    state::State,
};
use crate::{
    index::{IndexBuilder, IndexKind},
    machine::{divided::Divided, parallel::Erase, ranks::Ranks},
    names::one_line,
    packing::StopReason,
};

impl Packer {
    /// Returns the complete state of the run.
    ///
    /// Cost: a copy of 61 bytes per sphere. On several ranks, all of them must call, and each one receives a part of the checkpoint.
    ///
    /// # Panics
    /// If an earlier sweep panicked.
    ///
    /// # Example
    /// ```
    /// use jostle::{Packer, PackOptions};
    ///
    /// let mut packer = Packer::new(&[0.5; 200], &PackOptions::default())?;
    /// for _ in 0..50 {
    ///     packer.sweep();
    /// }
    /// let mut continued = Packer::resume(packer.checkpoint())?;
    /// while packer.sweep().is_some() {}
    /// while continued.sweep().is_some() {}
    /// assert_eq!(continued.finish().packing, packer.finish().packing);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn checkpoint(&self) -> Checkpoint {
        self.assert_whole();
        let state = &self.state;
        let account = Account {
            options: self.options.clone(),
            index: self.index.clone(),
            chosen_effort: self.options.effort.is_none().then_some(self.effort),
            scale: state.points.scale,
            mean_radius: state.points.mean_radius.into(),
            sweeps: state.sweeps,
            calm_sweeps: state.neighbors.calm_sweeps,
            phase: self.phase.clone().map(&mut |approach| approach.progress),
            moves: self.moves.states(),
            left_out: state.left_out.clone(),
            jamming: self.jamming.clone(),
            work: state.work,
            elapsed: self.elapsed(),
        };
        let columns = state.columns(&self.radii.given);
        Checkpoint::new(account, columns, state.halo.ranks.clone())
    }

    /// Continues a run from a checkpoint. It ends with the bits of an undisturbed run.
    ///
    /// A time limit or an interrupt that ended the earlier run no longer applies; the time limit of the options counts from now.
    ///
    /// Cost: new lists for all spheres.
    ///
    /// # Errors
    /// [`ResumeError`] if the checkpoint contradicts itself, or if its index is not built in.
    pub fn resume(checkpoint: Checkpoint) -> Result<Self, ResumeError> {
        Self::builder().resume(checkpoint)
    }

    pub(super) fn continued(
        checkpoint: Checkpoint,
        index: Arc<dyn IndexBuilder>,
        further: Vec<Box<dyn Move>>,
    ) -> Result<Self, ResumeError> {
        let Checkpoint {
            account,
            mut columns,
            ranks,
            present,
            ..
        } = checkpoint;
        columns.radii = moved(&ranks, &columns.radii, |k, len| ranks.rank_of(k, len));
        Self::in_pool(account.options.threads, |started| {
            let radii = Divided::new(&columns.radii[..], &ranks);
            let all = radii.len();
            let requested = account.options.check(&radii)?;
            check_request(&account, &radii)?;
            let setup = Setup::new(&radii, &account.options, requested, fraction_of_few);
            setup.check_resolution()?;
            let mut rng = Pcg64::seed_from_u64(account.options.seed);
            let Split {
                mut pending, seed, ..
            } = split(
                &setup.radii,
                &setup.start,
                account.options.start.as_ref(),
                &mut rng,
            );
            let groups = pending.groups();
            take_inserted(
                &ranks,
                &mut pending,
                [all, present],
                &columns.original,
                &account.left_out,
            )?;
            let name = index.name();
            let points = Points::new(setup.start.clone(), setup.wall_offset);
            let limit = account.options.limit(started);
            let mut state = State::empty(points, index, &setup.radii, seed, limit);
            let options = account.options.clone();
            let given = std::mem::take(&mut columns.radii);
            let radii = Radii::new(given, options.min_gap, setup.unit);
            state.restore(columns, &account, &radii)?;
            let moves = Moves::new(pending, groups, &setup.schedule, &options, further);
            let mut packer = Self::assemble(radii, options, name, setup, state, moves);
            if let Some(effort) = account.chosen_effort {
                packer.set_effort(effort);
            }
            packer.restored(account)
        })
    }

    /// Returns this packer with the progress of the run.
    fn restored(mut self, account: Account) -> Result<Self, ResumeError> {
        let spheres = Arrangement(&mut self.state);
        self.moves.restore(account.moves, &spheres)?;
        self.phase = restored(self.phase, account.phase)?;
        self.before = account.elapsed;
        self.jamming = account.jamming;
        let missing_growth = || (self.state).missing_growth(&self.radii, 0.0);
        // Around fixed spheres, such spheres are left out.
        let is_apart = self.phase.stop_reason().is_none()
            || self.options.fixed.is_some()
            || missing_growth().is_finite();
        require(is_apart, "two spheres are at the same position at the end")?;
        Ok(self)
    }
}

/// Returns the phase with which a run goes on that was in the phase `earlier`, if its request and its spheres make it begin in the phase
/// `first`. A limit that ended the earlier run no longer applies.
fn restored(
    first: Phase<Approach>,
    earlier: Phase<ApproachProgress>,
) -> Result<Phase<Approach>, ResumeError> {
    if let Phase::Over { reason, last } = earlier {
        let phase = restored(first, *last)?;
        require(
            !matches!(phase, Phase::Inserting(_)) || is_limit(reason),
            "the run is over before the last insertion",
        )?;
        if matches!(reason, StopReason::TimeLimit | StopReason::Interrupted) {
            return Ok(phase);
        }
        let last = Box::new(phase);
        return Ok(Phase::Over { reason, last });
    }
    let fits = matches!(
        (&first, &earlier),
        (Phase::Inserting(_), Phase::Inserting(_))
            | (Phase::Growing, Phase::Growing)
            | (
                Phase::Approaching(_),
                Phase::Approaching(_) | Phase::Exceeding
            )
    );
    require(
        fits && first.approach().is_some() >= earlier.approach().is_some(),
        "its phase does not fit the request and the spheres in the container",
    )?;
    let mut phase = match earlier {
        Phase::Exceeding => Phase::Exceeding,
        _ => first,
    };
    if let (Some(approach), Some(progress)) = (phase.approach_mut(), earlier.approach()) {
        approach.progress = *progress;
    }
    Ok(phase)
}

impl Checkpoint {
    /// Returns the index of the run, if it is built in.
    pub(super) fn built_in_index(&self) -> Result<Arc<dyn IndexBuilder>, ResumeError> {
        let name = self.index();
        // The name comes from a file.
        let unknown = |_| ResumeError::Index(one_line(name.to_owned()));
        let kind: IndexKind = name.parse().map_err(unknown)?;
        Ok(Arc::new(kind))
    }
}

/// Removes the groups that are in the container from the pending ones. Of `all` spheres, `present` ones are in the container, with the
/// numbers `original`, of which each rank passes some.
fn take_inserted(
    ranks: &Ranks,
    pending: &mut Pending,
    [all, present]: [usize; 2],
    original: &[u32],
    left_out: &[u32],
) -> Result<(), ResumeError> {
    require(
        left_out.is_empty() || present > 0,
        "all spheres are left out",
    )?;
    let left = all.checked_sub(present.saturating_add(left_out.len()));
    while left.is_some_and(|left| ranks.total(pending.len()) > left) {
        pending.take_group();
    }
    require(
        left == Some(ranks.total(pending.len())),
        "the number of spheres in the container fits no insertion",
    )?;
    let are_known = original.iter().chain(left_out).all(|&k| (k as usize) < all);
    agreed(ranks, require(are_known, TWICE))?;
    // Each rank checks the numbers of its share.
    let mut messages = ranks.messages();
    for &number in original {
        messages[ranks.rank_of(number as usize, all)].push(number);
    }
    let originals = ranks.send_to_each(messages);
    let share = ranks.share(all);
    let left_out = left_out.iter().copied();
    let left_out = left_out.filter(|&number| share.contains(&(number as usize)));
    let checked = check_numbers(pending, &share, originals.into_iter().chain(left_out));
    agreed(ranks, checked)
}

/// The contradiction of numbers that are no permutation.
const TWICE: &str = "a sphere has a number twice, or beyond the last one";

/// Rejects spheres in the container that have the same number as another one or as a pending one. All numbers are among `all`.
fn check_numbers(
    pending: &Pending,
    all: &Range<usize>,
    present: impl Iterator<Item = u32>,
) -> Result<(), ResumeError> {
    let mut is_missing = vec![true; all.len()];
    for number in present {
        let is_first = std::mem::take(&mut is_missing[number as usize - all.start]);
        require(is_first, TWICE)?;
    }
    require(
        pending
            .originals()
            .all(|number| is_missing[number as usize - all.start]),
        "a sphere that is still to be inserted is in the container",
    )
}

impl State {
    /// Restores the spheres of a checkpoint in this empty container.
    fn restore(
        &mut self,
        columns: Columns,
        account: &Account,
        radii: &Radii,
    ) -> Result<(), ResumeError> {
        let checked = check_lengths(&columns)
            .and_then(|()| check_account(account))
            .and_then(|()| check_columns(&columns, account.sweeps, self.points.frame()));
        agreed(&self.halo.ranks, checked)?;
        let exact = self.halo.radii_of(&columns.original, self.given, radii);
        let rounded = exact.into_iter().map(|radius| radius as f32).collect();
        self.points.scale = account.scale;
        self.sweeps = account.sweeps;
        self.work = account.work;
        self.points.mean_radius = account.mean_radius as f32;
        self.neighbors.calm_sweeps = account.calm_sweeps;
        self.left_out.clone_from(&account.left_out);
        require(
            self.restore_part(columns, rounded),
            "an inflated sphere is too large",
        )?;
        let leaves = ParallelIterator::any(self.halo.own.par_iter().erased(), |id| self.leaves(id));
        require(
            !self.halo.ranks.any(leaves),
            "a sphere is outside of its inflated sphere",
        )
    }
}

/// Returns the result of this rank, or an error if another rank has one.
fn agreed<T>(ranks: &Ranks, result: Result<T, ResumeError>) -> Result<T, ResumeError> {
    ranks.agreed(result, |reason| ResumeError::Contradiction(reason.into()))
}
