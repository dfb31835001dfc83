//! The end of a run: from the state of the loop to the packing.
//!
//! The last step around fixed spheres: spheres that overlap are left out, because the container cannot grow.

use glam::DVec3;

use super::{
    checkpoint::Checkpoint,
    constants::{PAIR_MARGIN, ROUNDING, SETTLING_GROWTH, SETTLING_SWEEPS},
    fixed::FixedSpheres,
    gaps::{Gaps, enlarged_by},
    jamming::{Stage, jammed},
    last_step::{Finished, LastStep, NumberedSphere},
    moves::Arrangement,
    observer::Observer,
    options::{PackOptions, Target},
    packer::{GENERATOR, PackRun, Packer},
    phase::is_limit,
    setup::Radii,
};
use crate::{
    container::{Container, ContainerSpec},
    jam::JamOptions,
    machine::{divided::Divided, ranks::Ranks, trace::part},
    packing::{
        Certificate, ClosestPair, Packing, Provenance, StopReason, certify, certify_spheres,
        certify_walls, of_part, of_sample,
    },
    spheres::Spheres,
};

/// Returns why a run stopped, after the last step found that the packing `fits` the request or not.
fn after_last_step(stop: StopReason, fits: bool) -> StopReason {
    match stop {
        StopReason::FractionReached if !fits => StopReason::Stalled,
        // The last step found room for all spheres around the fixed ones, or an exact fit.
        StopReason::Stalled if fits => StopReason::FractionReached,
        _ => stop,
    }
}

impl Packer {
    /// [`Self::finish`] on the present threads. The observer receives the progress of the jamming, and `checkpoint` with its states.
    pub(super) fn finish_here(
        mut self,
        checkpoint: Option<Checkpoint>,
        observer: &mut (impl Observer + ?Sized),
    ) -> PackRun {
        let mut stop = self.stop_reason().unwrap_or(StopReason::Interrupted);
        if is_limit(stop) {
            self.settle();
        }
        let mut provenance = self.provenance();
        let ranks = self.state.halo.ranks.clone();
        let (before, started, threads) = (self.before, self.started, self.threads);
        let (options, requested) = (self.options.clone(), self.requested.clone());
        let jam = JamOptions::default().gap(options.jam).index(options.index);
        let limit = options.limit(started);
        let mut jamming = Stage::new(self.jamming.take(), checkpoint, limit, observer);
        let reached = stop == StopReason::FractionReached;
        let (finished, left_out) = match (&options.fixed, &requested) {
            (Some(fixed), Some(container)) => self.finished_around(fixed, container, reached),
            (_, requested) => (self.finished(requested.as_ref(), reached), Vec::new()),
        };
        let Finished {
            spheres,
            container,
            certificate,
            fits,
        } = finished;
        stop = after_last_step(stop, fits);
        provenance.left_out = left_out.len() as u64;
        let mut packing = Packing::certified(spheres, container, certificate);
        let fixed = options.fixed.map_or(0, |fixed| fixed.spheres.len());
        let radii = Divided::new(packing.spheres.radii(), &ranks);
        let (spheres, own) = (radii.len(), radii.own().len());
        let mut packing_fraction = packing.container.fraction_of(&radii);
        // The fixed spheres are the last ones of all ranks.
        let behind = spheres - radii.first_own() - own;
        packing.fixed = fixed.saturating_sub(behind).min(own);
        let may_overlap = provenance.fixed_may_overlap == Some(true);
        if let Some(sizes) = options.sizes {
            packing.unit = sizes.unit;
            let present = spheres - fixed;
            let own = radii.first_own().min(present)..(radii.first_own() + own).min(present);
            packing.components = of_part(&of_sample(&sizes.components, &left_out), &own);
            let free = Divided::new(&radii.own()[..own.len()], &ranks);
            let dimension = packing.container.dimension();
            packing.sizes = Some(sizes.report.without(left_out.len(), dimension, &free));
        }
        let permitted = if may_overlap { fixed } else { 0 };
        if overlaps(&certificate, spheres - permitted) {
            stop = StopReason::Overlapping;
        }
        provenance.stop = stop;
        packing.provenance = Some(provenance);
        if !jam.gap.is_off() {
            packing = jammed(packing, jam, requested.as_ref(), &mut jamming);
            packing_fraction = packing.packing_fraction();
        }
        PackRun {
            packing_fraction,
            packing,
            spheres,
            fixed,
            elapsed: before + started.elapsed(),
            threads,
            left_out,
        }
    }

    /// Compacts the spheres of a run that ends early: a few sweeps of fast growth, around fixed spheres up to the requested container.
    fn settle(&mut self) {
        let end = self.state.sweeps + SETTLING_SWEEPS;
        let end = self.options.max_sweeps.map_or(end, |most| most.min(end));
        self.options.max_sweeps = Some(end);
        let mut spheres = Arrangement(&mut self.state);
        self.moves.insertion.insert_all(&mut spheres);
        while self.state.sweeps < end && self.state.sweep(1.0).largest > self.schedule.tolerance {
            match self.phase.approach() {
                Some(approach) if self.options.fixed.is_some() => {
                    approach.grow(&mut self.state, SETTLING_GROWTH);
                }
                _ => self.state.points.grow(SETTLING_GROWTH),
            }
        }
    }

    /// Returns the spheres without overlap, in a container that may grow.
    fn finished(self, requested: Option<&Container>, reached: bool) -> Finished {
        let growth = self.state.missing_growth(&self.radii, 0.0);
        // No growth separates two spheres at one point.
        let growth = if growth.is_finite() { growth } else { 1.0 };
        let points = &self.state.points;
        let smallest = points.container().scaled(growth / points.scale);
        let smallest = smallest.scaled(self.radii.unit);
        let gaps = Gaps::of(&self.options);
        part("last step", || {
            LastStep::new(self.state, self.radii.given, gaps).finish(&smallest, requested, reached)
        })
    }

    /// Returns the spheres that found room around fixed ones in the requested `container`, and the numbers of the others. If the
    /// container is `reached`, all spheres in the loop found room. The first rank holds all spheres meanwhile.
    fn finished_around(
        self,
        fixed: &FixedSpheres,
        container: &Container,
        reached: bool,
    ) -> (Finished, Vec<usize>) {
        let state = &self.state;
        let fitting: Vec<u32> = if reached {
            state.halo.own.iter().collect()
        } else {
            let ratio = state.points.container().lengths().x / container.lengths().x;
            let scale = ratio * self.radii.unit;
            state.without_overlap(&self.radii, scale, PAIR_MARGIN)
        };
        let given = Radii::new(self.radii.given, 0.0, 1.0);
        let exact = state.exact_radius(&given);
        let free = fitting.into_iter().map(|id| {
            let at = state.points.sphere_at_start(id).at;
            let fraction = state.points.frame().fraction(at);
            NumberedSphere {
                number: state.points.number(id).into(),
                center: container.wrap(fraction * container.lengths()).to_array(),
                radius: exact(id),
            }
        });
        let free: Vec<NumberedSphere> = free.collect();
        let gaps = Gaps::of(&self.options);
        let count = state.given;
        finish_on_first(&state.halo.ranks, free, container, |free| {
            finish_around(free, count, fixed, container, gaps)
        })
    }

    /// Returns the provenance, but for the numbers that follow from the last step.
    fn provenance(&self) -> Provenance {
        let (options, work) = (&self.options, self.state.work);
        let sizes = options.sizes.as_ref();
        let (fraction, lengths) = match options.target {
            Target::Densest => (None, None),
            Target::Fraction(fraction) => (Some(fraction), None),
            Target::Exact => {
                let container = &options.container;
                let radii = self.divided_radii();
                let volume = radii.volume(container.dimension()) + options.fixed_volume();
                (Some(volume / container.volume()), Some(container.lengths()))
            }
        };
        Provenance {
            program: concat!("jostle ", env!("CARGO_PKG_VERSION")).to_owned(),
            generator: GENERATOR.to_owned(),
            seed: options.seed,
            sizes: sizes.map_or_else(String::new, |sizes| sizes.name.clone()),
            // Given spheres are no sample.
            sampling: sizes
                .filter(|_| options.start.is_none())
                .map(|sizes| sizes.sampling),
            sample_seed: sizes
                .filter(|_| options.start.is_none())
                .map(|sizes| sizes.seed),
            sample_volume: sizes.and_then(|sizes| sizes.volume),
            start: options.start.as_ref().map(|start| start.name().to_owned()),
            index: self.index.clone(),
            effort: self.effort.into(),
            effort_is_chosen: options.effort.is_none() && options.target != Target::Densest,
            fraction,
            container: container_text(options),
            lengths,
            min_gap: options.min_gap,
            wall_gap: options.wall_gap,
            max_sweeps: options.max_sweeps,
            sweeps: self.state.sweeps,
            relocations: work.relocations,
            exchange_rate: options.exchange.into(),
            exchange_start: self.moves.exchange.start(),
            exchanges: work.exchanges,
            breathe: options.breathe.into(),
            toward_nearest: options.toward_nearest.into(),
            fixed_may_overlap: options.fixed.as_ref().map(FixedSpheres::accepts_overlap),
            left_out: 0,
            deposition: None,
            jamming: None,
            stop: StopReason::Interrupted,
        }
    }
}

/// Returns whether spheres overlap other than those from `first_fixed` on with each other, with walls or with bodies.
fn overlaps(certificate: &Certificate, first_fixed: usize) -> bool {
    let is_permitted = |pair: ClosestPair| {
        let mut spheres = pair.spheres().into_iter().flatten();
        spheres.all(|sphere| sphere >= first_fixed)
    };
    certificate.max_overlap > 0.0 && !certificate.closest.is_some_and(is_permitted)
}

/// Returns the requested container as the command line names it; `None` if the command line has no text for it.
fn container_text(options: &PackOptions) -> Option<String> {
    let solid = options.container.solid().clone();
    let spec = match options.target {
        Target::Exact => ContainerSpec::exact(solid),
        _ => ContainerSpec::smallest(solid),
    };
    let spec = spec.along(options.container.axis());
    let text = spec.to_string();
    let is_same = |read: ContainerSpec| read == spec;
    text.parse().is_ok_and(is_same).then_some(text)
}

/// Adds the fixed spheres to the free spheres, in any order, and leaves out free spheres that overlap. Returns all spheres, the free ones
/// by their numbers, and then the fixed ones. It also returns the spheres that are left out, as numbers below `count`.
///
/// All decisions are made in f64, on the numbers of the result.
fn finish_around(
    mut free: Vec<NumberedSphere>,
    count: usize,
    fixed: &FixedSpheres,
    container: &Container,
    gaps: Gaps,
) -> (Finished, Vec<usize>) {
    free.sort_unstable_by_key(|sphere| sphere.number);
    keep_apart_from_fixed(&mut free, fixed, container, gaps);
    let (spheres, certificate) = loop {
        let all = (free.iter().map(NumberedSphere::parts)).chain(fixed.spheres.iter());
        let (centers, radii) = all.unzip();
        let spheres = Spheres::new(centers, radii);
        let certificate = certify(&spheres, container);
        let Some(overlapping) = overlapping(&free, &spheres, &certificate, container, gaps) else {
            break (spheres, certificate);
        };
        free.remove(overlapping);
    };
    let mut is_present = vec![false; count];
    for sphere in &free {
        is_present[sphere.number as usize] = true;
    }
    let left_out: Vec<usize> = (0..count).filter(|&number| !is_present[number]).collect();
    let finished = Finished {
        spheres,
        container: container.clone(),
        certificate,
        fits: left_out.is_empty(),
    };
    (finished, left_out)
}

/// Removes free spheres that are too close to a fixed one. Rounding in the certificate cannot turn a remaining gap into overlap.
fn keep_apart_from_fixed(
    free: &mut Vec<NumberedSphere>,
    fixed: &FixedSpheres,
    container: &Container,
    gaps: Gaps,
) {
    let around = container.around(&fixed.spheres, gaps.spheres);
    let rounding = ROUNDING * container.lengths().max_element();
    free.retain(|sphere| around.gap_to_fixed(sphere.center.into(), sphere.radius) >= rounding);
}

/// Returns the position of a free sphere that overlaps, or that misses a requested gap to another free sphere or to a wall.
///
/// Only the smallest gap of a certificate names its spheres. The overlaps that fixed spheres may have would hide a smaller one of
/// free spheres, so that the free spheres have certificates without them.
fn overlapping(
    free: &[NumberedSphere],
    spheres: &Spheres,
    certificate: &Certificate,
    container: &Container,
    gaps: Gaps,
) -> Option<usize> {
    let alone = Spheres::new(
        spheres.centers()[..free.len()].to_vec(),
        spheres.radii()[..free.len()].to_vec(),
    );
    let certificates = [
        *certificate,
        certify_spheres(&enlarged_by(&alone, 0.5 * gaps.spheres), container),
        certify_walls(&enlarged_by(&alone, gaps.walls), container),
    ];
    certificates.into_iter().find_map(|certificate| {
        let pair = certificate
            .closest
            .filter(|_| certificate.max_overlap > 0.0)?;
        let of_pair = pair.spheres().into_iter().flatten();
        of_pair
            .filter(|&sphere| sphere < free.len())
            .min_by(|&a, &b| free[a].radius.total_cmp(&free[b].radius))
    })
}

/// Lets the first rank `finish` the `free` spheres of all ranks in a container. Returns the share of this rank of the result, and
/// the numbers of all spheres that are left out.
///
/// Cost: messages of 40 bytes per free sphere, and of 32 bytes per sphere.
fn finish_on_first(
    ranks: &Ranks,
    free: Vec<NumberedSphere>,
    container: &Container,
    finish: impl FnOnce(Vec<NumberedSphere>) -> (Finished, Vec<usize>),
) -> (Finished, Vec<usize>) {
    let free = ranks.send_to_first(free);
    let mut shares = ranks.messages();
    let (mut words, mut left_out) = (Vec::new(), Vec::new());
    if ranks.is_first() {
        let (finished, numbers) = finish(free);
        let n = finished.spheres.len();
        for (k, (center, radius)) in finished.spheres.iter().enumerate() {
            shares[ranks.rank_of(k, n)].push(center.extend(radius).to_array());
        }
        words.extend(finished.certificate.to_words());
        left_out = numbers;
    }
    let own: Vec<[f64; 4]> = ranks.send_to_each(shares);
    let certificate = Certificate::from_words(&ranks.gather(words));
    let left_out = ranks.gather(left_out);
    let sphere = |[x, y, z, radius]: [f64; 4]| (DVec3::new(x, y, z), radius);
    let (centers, radii) = own.into_iter().map(sphere).unzip();
    let finished = Finished {
        spheres: Spheres::new(centers, radii),
        container: container.clone(),
        certificate,
        fits: left_out.is_empty(),
    };
    (finished, left_out)
}

#[cfg(test)]
mod tests {
    use glam::DVec3;

    use super::*;
    use crate::{container::Boundaries, spheres::Spheres};

    /// Two unit spheres that overlap by 0.5, in this order before or behind a third one.
    #[test]
    fn only_fixed_spheres_may_overlap() {
        let container = Container::cuboid(DVec3::splat(20.0), Boundaries::PERIODIC).unwrap();
        let packing = |x: [f64; 3]| {
            let centers = x.map(|x| DVec3::new(x, 5.0, 5.0)).to_vec();
            Packing::new(Spheres::new(centers, vec![1.0; 3]), container.clone()).certificate
        };
        assert!(!overlaps(&packing([2.0, 8.0, 14.0]), 3));
        assert!(overlaps(&packing([2.0, 8.0, 9.5]), 3));
        assert!(!overlaps(&packing([2.0, 8.0, 9.5]), 1));
        assert!(overlaps(&packing([2.0, 3.5, 9.5]), 1));
        assert!(overlaps(&packing([2.0, 8.0, f64::NAN]), 0));
    }
}
