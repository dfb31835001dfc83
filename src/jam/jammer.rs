//! From a packing to a jammed packing with its forces.

use std::ops::ControlFlow;

use glam::DVec3;

use super::{
    constants::{
        AUTO_GAP, BALANCE, FIRST_OVERLAPS, LARGEST_GAP, LAST_BALANCE, LAST_OVERLAP, LAST_WORK,
        MOST_EVALUATIONS, MOST_REFINEMENTS, MOST_ROUNDS, REDUCTION, ROOM, ROUNDING, SKIN, SKINS,
    },
    minimizer::{Balance, Ending, Minimizer},
    observer::{JamObserver, JamProgress, JamState},
    system::{Contact, Load, Partner, System},
};
use crate::{
    container::{Container, Direction},
    index::IndexKind,
    macros::{named_number, setters},
    packing::{ContactForces, ForceError, JamEnd, Jamming, Packing, WallForce},
    spheres::Spheres,
};

/// A request to jam a packing.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct JamOptions {
    /// Largest gap of contacts that bear force.
    pub gap: JamGap,
    /// The index that finds pairs. The packing is the same for any index.
    pub index: IndexKind,
    /// Direction of gravity, under which the spheres come to rest in a container that keeps its size; absent if a pressure shrinks the container.
    pub gravity: Option<Direction>,
}

impl Default for JamOptions {
    fn default() -> Self {
        Self {
            gap: JamGap::AUTO,
            index: IndexKind::default(),
            gravity: None,
        }
    }
}

impl JamOptions {
    setters! {
        /// Sets the largest gap of contacts that bear force.
        gap: JamGap;
        /// Sets the index.
        index: IndexKind;
        /// Sets the direction of gravity.
        gravity: impl Into<Option<Direction>>;
    }
}

/// A packing that cannot be jammed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum JamError {
    /// There are no spheres.
    #[error("the packing has no spheres; at least 1 is needed to jam it")]
    NoSpheres,
    /// Spheres overlap.
    #[error("spheres overlap by {0:e}; only packings without overlap can be jammed")]
    Overlap(f64),
    /// The state of an earlier run is one of another packing.
    #[error("the state of the earlier run has places that no sphere of this packing can have")]
    Earlier,
    /// No gap is requested.
    #[error("the gap of jammed contacts is off; it must be auto or a positive number of diameters")]
    Off,
    /// The container has no floor.
    #[error(
        "gravity points along {gravity}, where the container is periodic; a wall must hold the spheres"
    )]
    NoFloor {
        /// The direction.
        gravity: Direction,
    },
}

/// Jams a packing: shrinks the container with all centers until the contacts bear force, and no sphere of the backbone can move. The radii
/// stay, and so does the shape of the container. Bodies shrink with it. Fixed spheres keep their places in parts of the container.
///
/// With a direction of [gravity](JamOptions::gravity), the container keeps its size, and the spheres come to rest under their weights.
///
/// The result has no overlap, is at least as dense, and has [forces](Packing::forces). If that fails, it has none, and its account tells the
/// reason: [`Jamming::end`].
///
/// The same packing gives the same bits for any number of threads and any index.
///
/// # Cost
/// Some 10⁴ evaluations of all forces, each linear in the number of spheres.
///
/// # Errors
/// [`JamError`] if the packing has no spheres or has overlaps.
///
/// # Example
/// ```
/// use jostle::{PackOptions, jam::{JamOptions, jam}, pack};
///
/// let packing = pack(&[0.5; 100], &PackOptions::default())?.packing;
/// let (jammed, account) = jam(&packing, &JamOptions::default())?;
/// assert!(jammed.packing_fraction() >= packing.packing_fraction());
/// assert_eq!(jammed.certificate().max_overlap, 0.0);
/// assert!(account.gap.unwrap() <= 1e-6);
/// assert!(jammed.forces().is_some());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn jam(packing: &Packing, options: &JamOptions) -> Result<(Packing, Jamming), JamError> {
    let mut observer = |_: &JamProgress| ControlFlow::Continue(());
    jam_observed(packing, options, None, &mut observer)
}

/// Jams a packing, like [`jam`], and reports the progress to an observer, which may end the run. From the state of an earlier run of
/// the same packing and options, it continues that run.
///
/// # Errors
/// [`JamError`] as for [`jam`], or if the state is not one of this packing.
pub fn jam_observed(
    packing: &Packing,
    options: &JamOptions,
    earlier: Option<JamState>,
    observer: &mut dyn JamObserver,
) -> Result<(Packing, Jamming), JamError> {
    check(packing, options)?;
    let gap: f64 = options.gap.into();
    let start = packing.packing_fraction();
    let system = loaded(packing, options);
    let of_mean = match options.gravity {
        Some(_) => Balance::of_each,
        None => Balance::of_mean,
    };
    let all = overlaps(LAST_OVERLAP * gap, system.length(), of_mean);
    let mut overlaps = all.clone();
    let mut path = Path {
        minimizer: Minimizer::default(),
        pressures: 0,
        planned: overlaps.len(),
        load: system.load(0.0),
        system,
        start,
        observer,
    };
    if let Some(earlier) = earlier {
        path.restore(earlier)?;
        overlaps.drain(..path.pressures);
    }
    let mut jamming = Jamming::new(gap, start, JamEnd::Unbalanced);
    let mut ending = Ending::Unbalanced;
    for _ in 0..MOST_REFINEMENTS {
        ending = path.descend(&overlaps);
        if ending == Ending::Unbalanced && options.gravity.is_some() {
            // Some spheres still roll, in steps that are small at this load.
            path.pressures = path.planned;
            overlaps.clone_from(&all);
            continue;
        }
        if ending != Ending::Balanced {
            break;
        }
        let contacts = path.system.contacts();
        let missing = missing_growth(&contacts);
        let growth = last_growth(&path.system, &contacts);
        let found = largest_gap(&contacts, growth);
        jamming.gap = Some(found);
        jamming.residual = Some(path.residual(&contacts));
        // Overlaps that the growth does not remove need a lower load, too.
        let found = found.max((missing - 1.0) / (growth - 1.0) * gap);
        if found <= gap {
            jamming.end = JamEnd::Jammed;
            break;
        }
        let [.., (last, balance)] = overlaps[..] else {
            break;
        };
        let lower = 0.7 * gap / found * last;
        overlaps = vec![(lower, of_mean(BALANCE)), (lower, balance)];
    }
    if ending == Ending::Stopped {
        jamming.end = JamEnd::Interrupted;
    }
    jamming.evaluations = path.minimizer.evaluations;
    Ok(finished(packing, &path.system, jamming))
}

/// A system under falling pressure.
struct Path<'a> {
    system: System,
    minimizer: Minimizer,
    /// Number of pressures that are over.
    pressures: usize,
    /// Number of pressures without those that follow because a gap is too large.
    planned: usize,
    /// The present load.
    load: Load,
    /// Packing fraction at the start.
    start: f64,
    observer: &'a mut dyn JamObserver,
}

/// Returns the mean overlaps under falling pressures down to the `last` one, with the balance that each of them needs in a container of this
/// `length`, in mean diameters.
fn overlaps(last: f64, length: f64, of_mean: fn(f64) -> Balance) -> Vec<(f64, Balance)> {
    let first = FIRST_OVERLAPS.map(|(overlap, mean)| (overlap, of_mean(mean)));
    let [.., (lowest, _)] = first;
    let further = std::iter::successors(Some(lowest * REDUCTION), |overlap| {
        Some(overlap * REDUCTION)
    });
    let further = further.map(|overlap| (overlap, of_mean(BALANCE)));
    let all = first.into_iter().chain(further);
    let before = all.take_while(|(overlap, _)| *overlap > last);
    let [mean, largest] = LAST_BALANCE.map(|share| share.max(ROUNDING * length / last));
    before.chain([(last, Balance { mean, largest })]).collect()
}

impl Path<'_> {
    /// Continues an earlier run of the same packing.
    fn restore(&mut self, earlier: JamState) -> Result<(), JamError> {
        let spheres = self.system.radii.len();
        if !earlier.place.is_of(spheres, self.system.length()) {
            return Err(JamError::Earlier);
        }
        self.system.restore(earlier.place);
        self.minimizer.evaluations = earlier.evaluations;
        self.pressures = earlier.pressures.min(self.planned - 1);
        Ok(())
    }

    /// Balances the forces under each of the pressures.
    fn descend(&mut self, overlaps: &[(f64, Balance)]) -> Ending {
        for (number, (overlap, balance)) in overlaps.iter().enumerate() {
            if (1..self.planned).contains(&self.pressures) {
                self.observer.save(JamState {
                    pressures: self.pressures,
                    evaluations: self.minimizer.evaluations,
                    place: self.system.place(),
                });
            }
            let is_last = number + 1 == overlaps.len();
            let most = if is_last {
                MOST_EVALUATIONS.min(LAST_WORK / self.system.radii.len() as u64)
            } else {
                MOST_EVALUATIONS
            };
            let ending = self.balance(*overlap, *balance, most);
            if ending != Ending::Balanced {
                return ending;
            }
            self.pressures += 1;
        }
        Ending::Balanced
    }

    /// Balances the forces under the load of a mean overlap, with at most this number of evaluations.
    fn balance(&mut self, overlap: f64, balance: Balance, most: u64) -> Ending {
        self.system
            .list((SKIN * overlap.sqrt()).clamp(SKINS[0], SKINS[1]));
        self.load = self.system.load(overlap);
        let (start, observer) = (self.start, &mut *self.observer);
        let all = self.planned.max(self.pressures + 1);
        let share = self.pressures as f64 / all as f64;
        let mut observe = |system: &System, evaluations: u64| {
            observer.step(&JamProgress {
                evaluations,
                share,
                packing_fraction: system.gravity.is_none().then(|| start / system.volume()),
            })
        };
        let (minimizer, system) = (&mut self.minimizer, &mut self.system);
        minimizer.run(system, (self.load, overlap), balance, most, &mut observe)
    }

    /// Returns the largest sum of the forces on one of the spheres that are not fixed, in mean forces.
    fn residual(&self, contacts: &[Contact]) -> f64 {
        let mut sums = self.system.weights(self.load);
        let mut total = 0.0;
        for contact in contacts {
            let push = contact.force() * contact.normal;
            sums[contact.sphere as usize] -= push;
            if let Partner::Sphere(id) = contact.partner {
                sums[id as usize] += push;
            }
            total += contact.force();
        }
        let largest = |largest: f64, sum: &DVec3| largest.max(sum.length());
        sums[..self.system.free()].iter().fold(0.0, largest) * contacts.len() as f64 / total
    }
}

fn check(packing: &Packing, options: &JamOptions) -> Result<(), JamError> {
    let overlap = packing.certificate.max_overlap;
    let along = |gravity: &Direction| packing.container.is_periodic(gravity.axis().number());
    if packing.spheres.is_empty() {
        Err(JamError::NoSpheres)
    } else if overlap > 0.0 {
        Err(JamError::Overlap(overlap))
    } else if options.gap.is_off() {
        Err(JamError::Off)
    } else if let Some(gravity) = options.gravity.filter(along) {
        Err(JamError::NoFloor { gravity })
    } else {
        Ok(())
    }
}

/// Returns the spheres under the load of a request.
fn loaded(packing: &Packing, options: &JamOptions) -> System {
    let system = System::new(packing, options.index, SKINS[1]);
    let Some(gravity) = options.gravity else {
        return system;
    };
    system.under_weights(gravity, room(packing.spheres.radii(), options.gap.into()))
}

/// Returns the share by which a container that keeps its size is smaller meanwhile: the gaps of contacts without overlap are nearly as large as requested
/// afterwards.
fn room(radii: &[f64], gap: f64) -> f64 {
    let bounds = (f64::INFINITY, 0.0);
    let widen = |(least, most), &radius| (f64::min(least, radius), f64::max(most, radius));
    let (least, most) = radii.iter().fold(bounds, widen);
    ROOM * gap * 2.0 * least / (least + most)
}

/// Returns the growth of the container at the end.
fn last_growth(system: &System, contacts: &[Contact]) -> f64 {
    match system.gravity {
        Some(_) => 1.0 / system.scale,
        None => missing_growth(contacts),
    }
}

/// Returns the growth of the container that removes all overlaps.
fn missing_growth(contacts: &[Contact]) -> f64 {
    let growths = contacts
        .iter()
        .map(|contact| contact.reach / contact.distance);
    growths.fold(1.0, f64::max)
}

/// Returns the largest gap after this growth of the container, in diameters of the smaller sphere.
fn largest_gap(contacts: &[Contact], growth: f64) -> f64 {
    let gap = |contact: &Contact| (growth * contact.distance - contact.reach) / contact.smaller;
    contacts.iter().map(gap).fold(0.0, f64::max)
}

/// Returns the packing without overlap, with forces if it is jammed.
fn finished(packing: &Packing, system: &System, mut jamming: Jamming) -> (Packing, Jamming) {
    let contacts = system.contacts();
    let growth = last_growth(system, &contacts);
    let fractions = system.fractions();
    let (mut container, rounds) = match system.gravity {
        Some(_) => (packing.container.clone(), 0),
        None => (packing.container.scaled(system.scale * growth), MOST_ROUNDS),
    };
    let mut result = placed(&fractions, packing, &container);
    for _ in 0..rounds {
        let overlap = result.certificate.max_overlap;
        if overlap == 0.0 {
            break;
        }
        let missing = (overlap / container.shortest_length()).max(1e-15);
        container = container.scaled(1.0 + missing);
        result = placed(&fractions, packing, &container);
    }
    let is_denser = container.lengths().x <= packing.container.lengths().x;
    if !is_denser || result.certificate.max_overlap > 0.0 {
        if jamming.end == JamEnd::Jammed {
            jamming.end = JamEnd::Looser;
        }
        return (packing.clone(), jamming);
    }
    let forces = (jamming.end == JamEnd::Jammed).then(|| {
        let unit = growth * system.unit();
        let forces = forces(&contacts, &result.container, unit);
        forces.map(|forces| forces.under_weights(system.gravity))
    });
    let result = Packing {
        spheres: result.spheres,
        container: result.container,
        certificate: result.certificate,
        forces: forces.and_then(Result::ok),
        // The spheres have left their places.
        supports: None,
        stability: None,
        ..packing.clone()
    };
    (result, jamming)
}

/// Returns the spheres of a packing at these shares of the bounding box of a container. Fixed spheres stay if it has the size of their own.
fn placed(fractions: &[DVec3], packing: &Packing, container: &Container) -> Packing {
    let center = |fraction: &DVec3| container.wrap(*fraction * container.lengths());
    let mut centers: Vec<DVec3> = fractions.iter().map(center).collect();
    if container.lengths() == packing.container.lengths() {
        let free = packing.spheres.len() - packing.fixed;
        centers[free..].copy_from_slice(&packing.spheres.centers()[free..]);
    }
    let radii = packing.spheres.radii().to_vec();
    Packing::new(Spheres::new(centers, radii), container.clone())
}

/// Returns the forces of contacts in a container under a pressure of 1. `unit` is that of the distances of contacts.
fn forces(
    contacts: &[Contact],
    container: &Container,
    unit: f64,
) -> Result<ContactForces, ForceError> {
    let virials = contacts
        .iter()
        .map(|contact| contact.force() * unit * contact.distance);
    let virial: f64 = virials.sum();
    let dimension = container.dimension().number() as f64;
    let factor = dimension * container.volume() / virial;
    let (mut pairs, mut walls) = (Vec::new(), Vec::new());
    for contact in contacts {
        let force = factor * contact.force();
        match contact.partner {
            Partner::Sphere(other) => {
                pairs.push(([contact.sphere, other], contact.distance, force));
            }
            Partner::Wall => walls.push(WallForce {
                sphere: contact.sphere,
                normal: contact.normal.to_array(),
                force,
            }),
        }
    }
    walls.sort_by_key(|wall| wall.sphere);
    pairs.sort_by(|a, b| a.0.cmp(&b.0).then(a.1.total_cmp(&b.1)));
    let (pairs, of_pairs) = pairs
        .into_iter()
        .map(|(pair, _, force)| (pair, force))
        .unzip();
    ContactForces::new(pairs, of_pairs, walls)
}

named_number! {
    /// The largest gap of contacts that bear force in a jammed packing, in diameters of the smaller sphere; 0 is `off`.
    pub struct JamGap up to LARGEST_GAP => {
        /// The packing is not jammed: the default.
        "off": OFF = 0.0;
        /// 10⁻⁶ diameters.
        "auto": AUTO = AUTO_GAP;
    }
    /// A text or number that is no gap of jammed contacts.
    error JamGapError
        "unknown gap of jammed contacts '{0}'; expected off, auto or a number of diameters from 0 to {LARGEST_GAP}";
}

impl JamGap {
    /// Returns whether the packing is not jammed.
    pub fn is_off(&self) -> bool {
        *self == Self::OFF
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn gaps_take_names_and_numbers() {
        assert_eq!("off".parse(), Ok(JamGap::default()));
        assert_eq!("auto".parse(), Ok(JamGap::AUTO));
        assert_eq!("1e-8".parse::<JamGap>().map(f64::from), Ok(1e-8));
        for bad in ["", "on", "-1e-6", "0.1", "NaN"] {
            assert!(bad.parse::<JamGap>().is_err(), "{bad} was accepted");
        }
    }
}
