//! Checkpoints of a packer, and runs that continue from them.

use std::{
    ops::Range,
    sync::{
        Arc,
        atomic::{AtomicBool, Ordering::Relaxed},
    },
};

use rand::SeedableRng;
use rand_pcg::Pcg64;
use rayon::iter::ParallelIterator;

use super::{
    checkpoint::{Account, Checkpoint, Columns, ResumeError, Totals},
    checkpoint_checks::{check_account, check_columns, check_lengths, check_request, require},
    exchange::Exchange,
    hold::Hold,
    insertion::split,
    order::VisitOrder,
    packer::{Packer, fraction_of_few},
    pending::Pending,
    ranks::{Domain, Gathered},
    setup::{Setup, scaled_radius},
    state::State,
};
use crate::{
    container::frame::{Point, Steps},
    index::{IndexBuilder, IndexKind},
    machine::{
        communicator::Communicator,
        divided::{Divided, total},
        messages::{self, gather, send_to_each},
    },
    names::one_line,
    packing::StopReason,
    verlet::Shortlists,
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
        let (columns, totals) = match &state.domain {
            Some(domain) => {
                let columns = state.columns_on_ranks(domain, &self.radii);
                let radii = self.divided_radii();
                let totals = Totals {
                    spheres: radii.len(),
                    present: state.len(),
                    volume: radii.total_volume(),
                };
                (columns, Some(totals))
            }
            None => (self.columns(), None),
        };
        Checkpoint {
            files: Vec::new(),
            interval: None,
            account: Account {
                options: self.options.clone(),
                index: self.index.clone(),
                chosen_effort: self.options.effort.is_none().then_some(self.effort),
                scale: state.scale,
                mean_radius: state.mean_radius.into(),
                sweeps: state.sweeps,
                calm_sweeps: state.calm_sweeps,
                hold: self.hold.as_ref().map(Hold::account),
                stalled: self.stalled,
                exchange_rate: self.exchange_rate,
                exchange_start: self.exchange_start,
                exchange: self.exchange.as_ref().map(Exchange::account),
                replacements: self.replacements,
                left_out: state.left_out.clone(),
                stop: self.stop,
                work: state.work,
                elapsed: self.elapsed(),
            },
            columns,
            totals,
        }
    }

    fn columns(&self) -> Columns {
        let state = &self.state;
        let radii = self.radii.clone();
        let now = state.sweeps as u32;
        let age = |refreshed: &[u32]| refreshed.iter().map(|sweep| now - sweep).collect();
        let positions = |spheres: &[Point]| spheres.iter().map(|sphere| sphere.at).collect();
        let inner = state.shortlists.as_ref().map(Shortlists::inner);
        let active = state.active.iter().flatten().take(state.len());
        Columns {
            radii,
            original: state.original.clone(),
            at: positions(&state.points[..state.len()]),
            age: age(&state.refreshed),
            outer: state.lists.inflated().to_vec(),
            inner: inner.map_or_else(Vec::new, |inner| inner[..state.len()].to_vec()),
            active: active.map(|active| active.load(Relaxed)).collect(),
        }
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
        let index = built_in_index(&checkpoint)?;
        Self::continued(checkpoint, index, None)
    }

    /// Continues a run from a checkpoint, like [`Self::resume`], as one of several ranks. Every rank passes its part, as
    /// `read_checkpoint_on_ranks` reads it, or as [`Self::checkpoint`] returns it on as many ranks.
    ///
    /// # Errors
    /// [`ResumeError`] if the checkpoint contradicts itself, or if its index is not built in; on all ranks.
    pub fn resume_on_ranks(
        checkpoint: Checkpoint,
        communicator: Arc<dyn Communicator>,
    ) -> Result<Self, ResumeError> {
        let index = built_in_index(&checkpoint)?;
        Self::continued(checkpoint, index, Some(Domain::new(communicator)))
    }

    /// Continues a run from a checkpoint, like [`Self::resume`], and takes neighbors from any global index. The packing is the
    /// same for any index.
    ///
    /// # Errors
    /// [`ResumeError`] if the checkpoint contradicts itself.
    pub fn resume_with_index(
        checkpoint: Checkpoint,
        index: impl IndexBuilder + 'static,
    ) -> Result<Self, ResumeError> {
        Self::continued(checkpoint, index, None)
    }

    /// Continues a run, of whose spheres this process holds a part if there is a `domain`.
    fn continued(
        checkpoint: Checkpoint,
        index: impl IndexBuilder + 'static,
        domain: Option<Domain>,
    ) -> Result<Self, ResumeError> {
        let present = checkpoint.present();
        let Checkpoint {
            account,
            mut columns,
            totals,
            ..
        } = checkpoint;
        require(
            totals.is_some() == domain.is_some(),
            "it is the part of a rank without ranks, or no part on ranks",
        )?;
        if let Some(domain) = &domain {
            columns.radii = domain.moved(&columns.radii, |k, len| domain.rank_of(k, len));
        }
        Self::in_pool(account.options.threads, |started| {
            let communicator = domain.as_ref().map(|domain| &domain.communicator);
            let radii = Divided::new(&columns.radii[..], communicator);
            let all = radii.len();
            let requested = account.options.check(&radii)?;
            check_request(&account, &radii)?;
            let setup = Setup::new(&radii, &account.options, requested, fraction_of_few);
            setup.check_resolution()?;
            let mut rng = Pcg64::seed_from_u64(account.options.seed);
            let (_, mut pending) = split(&setup.radii, &setup.start, &mut rng);
            let groups = pending.groups();
            take_inserted(
                domain.as_ref(),
                &mut pending,
                [all, present],
                &columns.original,
                &account.left_out,
            )?;
            let name = index.name();
            let mut state = State::empty(
                setup.start.clone(),
                setup.wall_offset,
                Arc::new(index),
                pending,
                domain,
            );
            let limit = account.options.limit(started);
            state.limit = limit.on_ranks(state.domain.is_some());
            let radii = state.restore(columns, &account, &setup)?;
            let options = account.options.clone();
            let mut packer = Self::assemble(radii, options, name, setup, state, groups);
            if let Some(effort) = account.chosen_effort {
                packer.set_effort(effort);
            }
            packer.restored(&account)
        })
    }

    /// Returns this packer with the progress of the run.
    fn restored(mut self, account: &Account) -> Result<Self, ResumeError> {
        let has_exchanged = account.exchange.is_some();
        require(
            has_exchanged <= self.state.pending.is_empty(),
            "there were exchanges before the last insertion",
        )?;
        let is_limit = matches!(
            account.stop,
            Some(StopReason::TimeLimit | StopReason::Interrupted)
        );
        self.stop = account.stop.filter(|_| !is_limit);
        require(
            self.state.pending.is_empty()
                || self.stop.is_none_or(|stop| stop == StopReason::SweepLimit),
            "the run is over before the last insertion",
        )?;
        let hold = self.hold.take().zip(account.hold);
        self.hold = hold.map(|(hold, account)| hold.restored(account));
        self.stalled = account.stalled;
        self.exchange_rate = account.exchange_rate;
        self.exchange_start = account.exchange_start;
        let (rate, seed) = (f64::from(account.exchange_rate), self.options.seed);
        self.exchange = account
            .exchange
            .map(|account| Exchange::new(&self.state, rate, seed).restored(account));
        self.replacements = account.replacements;
        self.before = account.elapsed;
        let radius = scaled_radius(&self.radii, &self.options, self.unit);
        // Around fixed spheres, such spheres are left out.
        let is_apart = self.stop.is_none()
            || self.options.fixed.is_some()
            || self.state.missing_growth(&radius, 0.0).is_finite();
        drop(radius);
        require(is_apart, "two spheres are at the same position at the end")?;
        Ok(self)
    }
}

/// Returns the index that a checkpoint names.
fn built_in_index(checkpoint: &Checkpoint) -> Result<IndexKind, ResumeError> {
    let name = checkpoint.index();
    // The name comes from a file.
    let unknown = || ResumeError::Index(one_line(name.to_owned()));
    name.parse().map_err(|_| unknown())
}

/// Removes the groups that are in the container from the pending ones. Of `all` spheres, `present` ones are in the container, with the
/// numbers `original`; on ranks, each one passes some of them.
fn take_inserted(
    domain: Option<&Domain>,
    pending: &mut Pending,
    [all, present]: [usize; 2],
    original: &[u32],
    left_out: &[u32],
) -> Result<(), ResumeError> {
    require(
        left_out.is_empty() || present > 0,
        "all spheres are left out",
    )?;
    let ranks = domain.map(|domain| &domain.communicator);
    let left = all.checked_sub(present.saturating_add(left_out.len()));
    while left.is_some_and(|left| total(ranks, pending.len()) > left) {
        pending.take_group();
    }
    require(
        left == Some(total(ranks, pending.len())),
        "the number of spheres in the container fits no insertion",
    )?;
    let are_known = original.iter().chain(left_out).all(|&k| (k as usize) < all);
    agreed(domain, require(are_known, TWICE))?;
    let Some(domain) = domain else {
        let originals = original.iter().chain(left_out).copied();
        return check_numbers(pending, &(0..all), originals);
    };
    // Each rank checks the numbers of its share.
    let mut messages = vec![Vec::new(); domain.communicator.ranks()];
    for &number in original {
        messages[domain.rank_of(number as usize, all)].push(number);
    }
    let originals = send_to_each(&*domain.communicator, messages);
    let share = domain.share(all);
    let left_out = left_out.iter().copied();
    let left_out = left_out.filter(|&number| share.contains(&(number as usize)));
    let checked = check_numbers(pending, &share, originals.into_iter().chain(left_out));
    agreed(Some(domain), checked)
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
    /// Restores the spheres of a checkpoint in this empty container. Returns the radii by the caller's numbers; on ranks, those of the
    /// share of this rank.
    fn restore(
        &mut self,
        columns: Columns,
        account: &Account,
        setup: &Setup,
    ) -> Result<Vec<f64>, ResumeError> {
        let checked = check_lengths(&columns)
            .and_then(|()| check_account(account))
            .and_then(|()| check_columns(&columns, account.sweeps, &self.frame));
        agreed(self.domain.as_ref(), checked)?;
        let Columns {
            radii,
            original,
            at,
            age,
            outer,
            inner,
            active,
        } = columns;
        let radius = scaled_radius(&radii, &account.options, setup.unit);
        self.points = self.points_at(&at, &original, setup.radii.len(), &radius);
        drop((at, radius));
        self.original = original;
        self.scale = account.scale;
        self.sweeps = account.sweeps;
        self.work = account.work;
        self.mean_radius = account.mean_radius as f32;
        self.calm_sweeps = account.calm_sweeps;
        self.left_out.clone_from(&account.left_out);
        self.refreshed = age.iter().map(|age| self.sweeps as u32 - age).collect();
        if let Some(domain) = self.domain.take() {
            let counts: Vec<u64> = gather(&*domain.communicator, &[self.original.len() as u64]);
            let first: u64 = counts[..domain.rank()].iter().sum();
            let part = Gathered {
                points: std::mem::take(&mut self.points),
                original: std::mem::take(&mut self.original),
                outer,
                inner,
                refreshed: std::mem::take(&mut self.refreshed),
                active,
            };
            let are_admitted = self.restore_on_ranks(domain, first as usize, part);
            require(are_admitted, TOO_LARGE)?;
        } else {
            self.restore_order(&outer)?;
            self.restore_lists(outer, inner, active);
        }
        let leaves = ParallelIterator::any(self.all(), |id| self.leaves(id));
        require(
            !self.any(leaves),
            "a sphere is outside of its inflated sphere",
        )?;
        Ok(radii)
    }

    /// Returns the spheres at these positions with these numbers of the caller, of `all` spheres, and the point that pads lists. `radius`
    /// returns the radii by the caller's numbers; on ranks, by the position in the share of this rank.
    fn points_at(
        &self,
        at: &[Steps],
        original: &[u32],
        all: usize,
        radius: &impl Fn(usize) -> f64,
    ) -> Vec<Point> {
        let of_ranks = (self.domain.as_ref()).map(|domain| domain.radii_of(original, all, radius));
        let sphere = |(i, &at): (usize, &Steps)| {
            let radius = match &of_ranks {
                None => radius(original[i] as usize),
                Some(radii) => radii[i],
            };
            Point {
                at,
                radius: radius as f32,
            }
        };
        let spheres = at.iter().enumerate().map(sphere);
        spheres.chain([Point::NOTHING]).collect()
    }

    /// Restores lists, shortlists and active spheres.
    fn restore_lists(&mut self, outer: Vec<Point>, mut inner: Vec<Point>, active: Vec<bool>) {
        self.lists.replace_all(outer);
        if !inner.is_empty() {
            inner.push(Point::NOTHING);
            self.shortlists = Some(Shortlists::new(&self.lists, inner));
        }
        if !active.is_empty() {
            let active = active.into_iter().chain([true]);
            self.active = Some(active.map(AtomicBool::new).collect());
        }
    }

    /// Sorts the spheres into levels and blocks.
    fn restore_order(&mut self, outer: &[Point]) -> Result<(), ResumeError> {
        let reach = self.reach();
        let largest: Vec<Point> = self
            .points
            .iter()
            .zip(&reach)
            .map(|(sphere, &radius)| Point { radius, ..*sphere })
            .collect();
        self.order = VisitOrder::new(&self.frame, self.pending.seed(), &reach, &largest);
        require(
            (0..)
                .zip(outer)
                .all(|(id, &outer)| self.order.admits(id, outer)),
            TOO_LARGE,
        )?;
        self.order.assign_all(outer);
        Ok(())
    }
}

/// The contradiction of inflated spheres beyond the reach of their level.
const TOO_LARGE: &str = "an inflated sphere is too large";

/// Returns the result of this rank, or an error if another rank has one.
fn agreed<T>(domain: Option<&Domain>, result: Result<T, ResumeError>) -> Result<T, ResumeError> {
    let Some(domain) = domain else {
        return result;
    };
    messages::agreed(&*domain.communicator, result, |reason| {
        ResumeError::Contradiction(reason.into())
    })
}
