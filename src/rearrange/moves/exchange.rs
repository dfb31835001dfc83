//! Exchange moves: two spheres of nearly equal size exchange their positions if that lowers their overlap energy.
//!
//! Relocations leave each sphere among its neighbors. A sphere that is too large for its position remains squeezed there,
//! and a sphere that is too small leaves its position half empty. An exchange removes both defects at once, however far
//! apart the two positions are. The radii are exchanged instead of the centers, so that lists, numbers and blocks remain
//! valid.
//!
//! The energy of a sphere is the sum over its neighbors of the square of the overlap times the smaller radius. Measured for
//! f(r) ∝ r⁻³ of ratio 10 (10 000 spheres, normal effort, 0.1 attempts per sphere and sweep, window 0.12): φ 0.764; with the
//! overlap instead of its square 0.746, with its third power and no radius 0.758, with its square and no radius 0.760, with
//! relative overlaps 0.742. An exchange must lower the energy: accepting those that raise it by 20 % of the released energy
//! gave 0.763, and demanding a gain of 20 % 0.763. Exchanges bring most while the spheres are pressed against each other: only below
//! a mean relative overlap of 0.1, they gave 0.749. Partners may be anywhere: with partners within 2 000, 500 or 100 numbers along
//! the space-filling curve only, rate 0.12 and window 0.08 gave 0.765, 0.765 and 0.764 instead of 0.765.
//!
//! All attempts of a round are evaluated with the spheres as they are before the round. Each sphere takes part in at most one
//! exchange of a round.

use bytemuck::{Pod, Zeroable};
use rand::{RngExt, SeedableRng};
use rand_pcg::Pcg64;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    breathing::Breathing,
    by_radius::{Assignment, ByRadius},
    energy::Energies,
    interface::{Arrangement, Move},
    numbers::ExchangeRate,
};
use crate::{
    container::frame::difference,
    machine::{clock::Instant, lanes::run, parallel::Erase},
    rearrange::{
        checkpoint::ResumeError,
        checkpoint_checks::require,
        constants::{ATTEMPTS_PER_TASK, EXCHANGE_WINDOW, LARGEST_COUNT},
        options::PackOptions,
        state::State,
    },
    verlet::SymmetricLists,
};

/// The move that exchanges pairs of spheres, once all spheres are in the container.
#[derive(Debug)]
pub(in crate::rearrange) struct Exchange {
    progress: ExchangeState,
    /// Seed of the random numbers.
    seed: u64,
    /// Collective exchanges by which radii follow the overlaps.
    breathing: Breathing,
    /// Absent before the first round, and after spheres were removed.
    partners: Option<Partners>,
}

/// The part of the exchanges that a checkpoint keeps.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct ExchangeState {
    /// Attempts per sphere and round: the requested rate, or that of exchanges that started later.
    rate: ExchangeRate,
    /// Sweeps before exchanges started because relocations alone did not reach the request.
    start: Option<u64>,
    /// Number of rounds so far.
    rounds: u64,
    /// Share of an attempt that is left from earlier rounds.
    due: f64,
}

/// All spheres sorted by radius, with the partners of each.
#[derive(Debug)]
struct Partners {
    by_radius: ByRadius,
    /// For each place by radius, the end of its partners, whose radii are larger by at most the window.
    end: Vec<u32>,
}

/// An attempt to exchange a smaller sphere and a larger one.
#[derive(Clone, Copy, Debug, Pod, Zeroable)]
#[repr(C)]
pub(in crate::rearrange) struct Attempt {
    /// Places by radius.
    places: [u32; 2],
    pub smaller: u32,
    pub larger: u32,
    /// Energy that is released at the position of the larger sphere.
    released: f32,
}

impl Exchange {
    /// Creates the move for the requested rate and breathing, with random numbers of its own.
    pub fn new(options: &PackOptions) -> Self {
        Self {
            progress: ExchangeState {
                rate: options.exchange,
                start: None,
                rounds: 0,
                due: 0.0,
            },
            seed: options.seed,
            breathing: Breathing::new(options.breathe),
            partners: None,
        }
    }

    /// Returns whether there are no exchanges.
    pub fn is_off(&self) -> bool {
        self.progress.rate == ExchangeRate::OFF
    }

    /// Starts exchanges after this number of sweeps, because relocations alone do not reach the request.
    pub fn start_after(&mut self, sweeps: u64) {
        self.progress.rate = ExchangeRate::AUTO;
        self.progress.start = Some(sweeps);
    }

    /// Returns the number of sweeps before exchanges started that were not requested.
    pub fn start(&self) -> Option<u64> {
        self.progress.start
    }

    /// Must be called when spheres were removed.
    pub fn forget_spheres(&mut self) {
        self.partners = None;
    }

    /// Returns the seed of the next round.
    fn next_seed(&mut self) -> u64 {
        let mut rng = Pcg64::seed_from_u64(self.seed);
        // Each round draws one number.
        rng.advance(self.progress.rounds.into());
        self.progress.rounds += 1;
        rng.random()
    }

    /// Attempts exchanges of pairs.
    fn exchange_pairs(&mut self, state: &mut State) {
        let count = self.next_attempts(state.len());
        let seed = self.next_seed();
        let partners = self.partners.get_or_insert_with(|| Partners::new(state));
        let exchanges = partners.exchanges(state, count, seed);
        let both = |&(attempt, [smaller, larger]): &(Attempt, [f32; 2])| {
            let grown = Assignment {
                to: attempt.smaller,
                from: attempt.larger,
                radius: larger,
            };
            let shrunk = Assignment {
                to: attempt.larger,
                from: attempt.smaller,
                radius: smaller,
            };
            [grown, shrunk]
        };
        let outgrown = state.assign(&Vec::from_iter(exchanges.iter().flat_map(both)));
        for (Attempt { places, .. }, _) in &exchanges {
            let [smaller, larger] = places.map(|place| place as usize);
            partners.by_radius.ids.swap(smaller, larger);
        }
        state.work.exchanges += exchanges.len() as u64;
        state.work.attempts += count;
        state.refresh_outgrown(outgrown);
    }

    /// Returns the number of attempts of the next round between `n` spheres.
    fn next_attempts(&mut self, n: usize) -> u64 {
        let due = self.progress.due + f64::from(self.progress.rate) * n as f64;
        self.progress.due = due - (due as u64) as f64;
        due as u64
    }
}

impl Move for Exchange {
    fn name(&self) -> &'static str {
        "exchanges"
    }

    fn is_due(&self, spheres: &Arrangement) -> bool {
        let is_on = !self.is_off() || !self.breathing.is_off();
        is_on && spheres.sweeps() > 0 && spheres.is_complete()
    }

    /// Attempts exchanges, lets radii breathe, and refreshes the lists that larger radii outgrow.
    fn round(&mut self, spheres: &mut Arrangement) {
        let clock = Instant::now();
        if !self.is_off() {
            self.exchange_pairs(spheres.0);
        }
        if !self.breathing.is_off() {
            let partners = self
                .partners
                .get_or_insert_with(|| Partners::new(spheres.0));
            self.breathing.round(spheres.0, &mut partners.by_radius);
        }
        spheres.0.work.exchanging += clock.elapsed();
    }

    fn state(&self) -> Value {
        serde_json::to_value(self.progress).unwrap_or_default()
    }

    fn restore(&mut self, state: Value, spheres: &Arrangement) -> Result<(), ResumeError> {
        let progress: ExchangeState = serde_json::from_value(state)
            .map_err(|error| ResumeError::Contradiction(error.to_string().into()))?;
        require(
            (0.0..1.0).contains(&progress.due),
            "more than one attempt to exchange spheres is due",
        )?;
        require(
            progress.rounds < LARGEST_COUNT
                && progress.start.is_none_or(|start| start <= spheres.sweeps()),
            "the exchanges are longer than the run",
        )?;
        require(
            progress.rounds == 0 || spheres.is_complete(),
            "there were exchanges before the last insertion",
        )?;
        self.progress = progress;
        Ok(())
    }
}

impl Partners {
    /// Sorts the spheres. No sphere may be pending.
    fn new(state: &State) -> Self {
        let (by_radius, radii) = ByRadius::new(state);
        let end = |&radius: &f32| {
            let largest = (1.0 + EXCHANGE_WINDOW) * radius;
            radii.partition_point(|&other| other <= largest) as u32
        };
        let end = radii.par_iter().erased().map(end).collect();
        Self { by_radius, end }
    }

    /// Returns the exchanges of one round with this number of attempts, and the radii of the smaller and the larger sphere of each.
    fn exchanges(&self, state: &State, count: u64, seed: u64) -> Vec<(Attempt, [f32; 2])> {
        let mut attempts = self.promising(state, self.draw(state, count, seed));
        let mut takes_part = vec![false; state.len()];
        attempts.retain(|attempt| {
            let pair = [attempt.smaller, attempt.larger].map(|id| id as usize);
            let is_free = !pair.iter().any(|&id| takes_part[id]);
            pair.iter().for_each(|&id| takes_part[id] |= is_free);
            is_free
        });
        let with_radii = |attempt: Attempt| (attempt, self.radii_of(state, attempt));
        attempts.into_iter().map(with_radii).collect()
    }

    /// Returns the radii of the smaller and the larger sphere.
    fn radii_of(&self, state: &State, attempt: Attempt) -> [f32; 2] {
        attempt
            .places
            .map(|place| self.by_radius.radius_at(state, place))
    }

    /// Draws pairs of spheres with different radii.
    fn draw(&self, state: &State, count: u64, seed: u64) -> Vec<Attempt> {
        let tasks = (0..count.div_ceil(ATTEMPTS_PER_TASK) as usize)
            .into_par_iter()
            .erased();
        let draw = |task: usize| {
            let task = task as u64;
            // A generator for each task, so that the numbers do not depend on the thread.
            let mut rng = Pcg64::seed_from_u64(seed.wrapping_add(task));
            let first = task * ATTEMPTS_PER_TASK;
            let attempts = first..(first + ATTEMPTS_PER_TASK).min(count);
            attempts.filter_map(move |_| self.pair(state, &mut rng))
        };
        tasks.flat_map_iter(draw).collect()
    }

    fn pair(&self, state: &State, rng: &mut Pcg64) -> Option<Attempt> {
        let place = rng.random_range(0..self.by_radius.ids.len() as u32);
        let partner = rng.random_range(place..self.end[place as usize]);
        let places = [place, partner];
        let [smaller, larger] = places.map(|place| self.by_radius.ids[place as usize]);
        let radii = places.map(|place| self.by_radius.radius_at(state, place));
        (radii[0] < radii[1]).then_some(Attempt {
            places,
            smaller,
            larger,
            released: 0.0,
        })
    }

    /// Returns the attempts that lower the energy, by the number of the smaller sphere.
    fn promising(&self, state: &State, mut attempts: Vec<Attempt>) -> Vec<Attempt> {
        let halo = &state.halo;
        // Spheres and lists are read in the order in which they lie in memory.
        attempts.par_sort_unstable_by_key(|attempt| (attempt.larger, attempt.smaller));
        let releases = |attempt: Attempt| {
            let released = state.released(attempt, self.radii_of(state, attempt));
            (released > 0.0).then_some(Attempt {
                released,
                ..attempt
            })
        };
        let mut attempts = halo.selected(attempts, |attempt| attempt.larger, releases);
        attempts.par_sort_unstable_by_key(|attempt| (attempt.smaller, attempt.larger));
        let lowers = |attempt: Attempt| {
            let required = state.required(attempt, self.radii_of(state, attempt));
            (required < attempt.released).then_some(attempt)
        };
        let mut attempts = halo.selected(attempts, |attempt| attempt.smaller, lowers);
        attempts.par_sort_unstable_by_key(|attempt| (attempt.smaller, attempt.larger));
        attempts
    }
}

impl State {
    /// Returns the energy that the position of the larger sphere loses in an exchange.
    fn released(&self, attempt: Attempt, radii: [f32; 2]) -> f32 {
        let (_, lists) = self.neighbors.visited();
        let [with_smaller, with_larger] = self.energies(radii, attempt.larger, lists);
        with_larger - with_smaller
    }

    /// Returns the energy that the position of the smaller sphere gains in an exchange; infinity if the two spheres are
    /// neighbors.
    fn required(&self, attempt: Attempt, radii: [f32; 2]) -> f32 {
        let lists = &self.neighbors.lists.lists;
        if lists.list(attempt.smaller).contains(&attempt.larger) {
            return f32::INFINITY;
        }
        let [with_smaller, with_larger] = self.energies(radii, attempt.smaller, lists);
        with_larger - with_smaller
    }

    /// Returns the energies of a smaller and a larger sphere at the position of sphere `id`.
    fn energies(&self, radii: [f32; 2], id: u32, lists: &SymmetricLists) -> [f32; 2] {
        run(Energies {
            points: self.points.at_start(),
            unit: self.points.frame().unit,
            scale: self.points.scale as f32,
            at: self
                .points
                .confined(self.points.sphere_at_start(id), radii[1])
                .at,
            radii,
            octets: lists.octets(id),
        })
    }

    /// Returns whether a sphere reaches beyond its inflated sphere.
    pub(in crate::rearrange) fn leaves(&self, id: u32) -> bool {
        let inflated = self.neighbors.visited().0[id as usize];
        let sphere = self.points.sphere(id);
        let skin = inflated.radius - sphere.radius;
        let distance = difference(inflated.at, sphere.at).map(|steps| steps as f32);
        skin < 0.0 || self.points.frame().length_squared(distance) > skin * skin
    }

    /// Lets the next sweep visit a sphere and its neighbors.
    pub(in crate::rearrange) fn activate(&self, id: u32) {
        self.activity.activate([id]);
        self.activity
            .activate(self.neighbors.of(id).iter().copied());
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use glam::DVec3;

    use super::*;
    use crate::{
        container::{Container, frame::Point},
        index::IndexKind,
        machine::divided::Divided,
        rearrange::{limit::Limit, options::PackOptions, points::Points},
        spheres::total_volume,
    };

    /// Returns radii from 1 to 8, mostly small, and a state in which they overlap much.
    fn scene(boundary: &str) -> (Vec<f64>, State) {
        let mut rng = Pcg64::seed_from_u64(4);
        let radii: Vec<f64> = (0..1500)
            .map(|_| (1.0 - rng.random::<f64>() * (1.0 - 8f64.powi(-2))).powf(-0.5))
            .collect();
        let side = (total_volume(&radii) / 0.9).cbrt();
        let container = Container::cuboid(DVec3::splat(side), boundary.parse().unwrap()).unwrap();
        let (state, _) = State::place(
            &Divided::alone(&radii[..]),
            Points::new(container, 0.0),
            &PackOptions::default(),
            Arc::new(IndexKind::default()),
            Limit::default(),
            &mut rng,
        );
        assert!(state.is_complete());
        (radii, state)
    }

    fn options(rate: &str) -> PackOptions {
        PackOptions::default()
            .exchange(rate.parse().unwrap())
            .seed(7)
    }

    /// The overlap energy of one sphere with a radius of its own, from the exact positions of all others.
    fn energy(state: &State, id: u32, radius: f32) -> f64 {
        let center = |id: u32| state.points.center(id);
        let others = (0..state.len() as u32).filter(|&other| other != id);
        let term = |other: u32| {
            let theirs = f64::from(state.points.sphere_at_start(other).radius);
            let own = f64::from(radius);
            let distance = (state.points.container())
                .displacement(center(id), center(other))
                .length();
            let overlap = ((own + theirs) * state.points.scale - distance).max(0.0);
            overlap * overlap * own.min(theirs)
        };
        others.map(term).sum()
    }

    #[test]
    fn an_attempt_succeeds_if_it_lowers_the_energy() {
        let (_, mut state) = scene("ppp");
        for _ in 0..5 {
            state.sweep(1.9);
            state.points.grow(1.002);
        }
        let exchange = Partners::new(&state);
        let mut rng = Pcg64::seed_from_u64(5);
        let attempts: Vec<Attempt> = (0..2000)
            .filter_map(|_| exchange.pair(&state, &mut rng))
            .collect();
        let found: Vec<[u32; 2]> = exchange
            .promising(&state, attempts.clone())
            .iter()
            .map(|attempt| [attempt.smaller, attempt.larger])
            .collect();
        let (mut lower, mut higher) = (0, 0);
        for Attempt {
            smaller, larger, ..
        } in attempts
        {
            let [a, b] = [smaller, larger].map(|id| state.points.sphere_at_start(id).radius);
            assert!(a < b && b <= (1.0 + EXCHANGE_WINDOW) * a);
            if state.neighbors.of(smaller).contains(&larger) {
                assert!(!found.contains(&[smaller, larger]));
                continue;
            }
            let before = energy(&state, smaller, a) + energy(&state, larger, b);
            let after = energy(&state, smaller, b) + energy(&state, larger, a);
            if (after / before - 1.0).abs() < 1e-4 {
                continue;
            }
            let is_lower = after < before;
            assert_eq!(
                found.contains(&[smaller, larger]),
                is_lower,
                "{before} {after}"
            );
            *(if is_lower { &mut lower } else { &mut higher }) += 1;
        }
        assert!(lower > 100 && higher > 100, "{lower} {higher}");
    }

    #[test]
    fn exchanged_spheres_keep_their_numbers_and_valid_lists() {
        for boundary in ["ppp", "wpw"] {
            let (radii, mut state) = scene(boundary);
            let mut exchange = Exchange::new(&options("0.5"));
            let mut sweeps_with_shortlists = 0;
            while sweeps_with_shortlists < 20 {
                let overlaps = state.sweep(1.9);
                state
                    .points
                    .grow(1.0 + 0.001 * (overlaps.total / 1500.0 / 0.03).sqrt().min(1.0));
                exchange.round(&mut Arrangement(&mut state));
                sweeps_with_shortlists += u32::from(state.neighbors.has_shortlists());
                state.neighbors.lists.assert_well_formed();
                for id in 0..state.len() as u32 {
                    let original = state.points.number(id) as usize;
                    assert_eq!(
                        state.points.sphere_at_start(id).radius,
                        radii[original] as f32
                    );
                    assert!(
                        !state.leaves(id),
                        "{boundary}: {id} left its inflated sphere"
                    );
                    for &other in state.neighbors.of(id) {
                        assert!(
                            !state.order.concurrent(id, other),
                            "{boundary}: {id}, {other}"
                        );
                    }
                    let Point { at, radius } = state.points.sphere(id);
                    let gap = state
                        .points
                        .container()
                        .wall_gap(state.points.frame().center(at), radius.into());
                    assert!(gap > -1e-5, "{boundary}: {id} crosses a wall by {gap}");
                }
            }
            let mut original = state.points.numbers().to_vec();
            original.sort_unstable();
            assert!(original.into_iter().eq(0..state.len() as u32));
            assert!(state.work.exchanges > 1000, "{}", state.work.exchanges);
        }
    }

    #[test]
    fn rounds_draw_independent_pairs() {
        let (_, state) = scene("ppp");
        let partners = Partners::new(&state);
        let mut exchange = Exchange::new(&options("off"));
        let mut pairs = |count| -> Vec<[u32; 2]> {
            let attempts = partners.draw(&state, count, exchange.next_seed());
            let mut places: Vec<[u32; 2]> = attempts.iter().map(|attempt| attempt.places).collect();
            places.sort_unstable();
            places
        };
        let (first, second) = (pairs(5000), pairs(5000));
        assert!(first.len() > 4500 && second.len() > 4500);
        // Of about 5000 pairs among 1500 spheres with 100 partners each, some occur in both rounds by chance.
        let common = second
            .iter()
            .filter(|pair| first.binary_search(pair).is_ok());
        let common = common.count() as f64 / second.len() as f64;
        assert!(common < 0.1, "{common}");
    }
}
