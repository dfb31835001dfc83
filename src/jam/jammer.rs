//! From a packing to a jammed packing with its forces.

use std::ops::ControlFlow;

use glam::DVec3;

use super::{
    constants::{
        ALMOST, AUTO_GAP, BALANCE, FIRST_OVERLAPS, LARGEST_GAP, LAST_BALANCE, LAST_OVERLAP,
        LAST_WORK, LEAST_OVERLAP, MOST_EVALUATIONS, MOST_REFINEMENTS, MOST_ROUNDS, MOST_TRIES,
        REDUCTION, ROOM, ROUNDING, SHAKEN_OVERLAP, SKIN, SKINS, USUAL_EVALUATIONS,
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
/// Some 10⁴ to 10⁵ evaluations of all forces, each linear in the number of spheres.
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
    let mut path = Path {
        minimizer: Minimizer::default(),
        gap,
        overlap: f64::INFINITY,
        pressures: 0,
        tries: 1,
        load: system.load(0.0),
        system,
        start,
        observer,
    };
    if let Some(earlier) = earlier {
        path.restore(earlier)?;
    }
    let mut jamming = Jamming::new(gap, start, JamEnd::Unbalanced);
    let mut refinements = 0;
    let ending = loop {
        let mut ending = path.descend();
        if ending == Ending::Balanced {
            ending = path.finish();
        }
        match ending {
            // A layer on the floor may be wedged where it is exactly flat, and spheres may roll in steps that are small at this load.
            Ending::Unbalanced if options.gravity.is_some() && path.tries < MOST_TRIES => {
                path.system.shake(path.tries.into());
                path.tries += 1;
                (path.overlap, path.pressures) = (SHAKEN_OVERLAP, FIRST_OVERLAPS.len());
            }
            Ending::Balanced if path.is_too_high() && refinements < MOST_REFINEMENTS => {
                refinements += 1;
            }
            _ => break ending,
        }
    };
    match ending {
        Ending::Balanced => {
            let contacts = path.system.contacts();
            let growth = last_growth(&path.system, &contacts);
            jamming.gap = Some(largest_gap(&contacts, growth));
            jamming.residual = Some(path.residual(&contacts));
            if !path.is_too_high() {
                jamming.end = JamEnd::Jammed;
            }
        }
        Ending::Unbalanced => {}
        Ending::Stopped => jamming.end = JamEnd::Interrupted,
    }
    jamming.evaluations = path.minimizer.evaluations;
    Ok(finished(packing, &path.system, jamming))
}

/// A system under falling pressure.
struct Path<'a> {
    system: System,
    minimizer: Minimizer,
    /// The requested gap.
    gap: f64,
    /// Mean overlap under the last pressure that is over.
    overlap: f64,
    /// Number of pressures that are over.
    pressures: usize,
    /// Number of times that the pressure falls.
    tries: u32,
    /// The present load.
    load: Load,
    /// Packing fraction at the start.
    start: f64,
    observer: &'a mut dyn JamObserver,
}

impl Path<'_> {
    /// Continues an earlier run of the same packing.
    fn restore(&mut self, earlier: JamState) -> Result<(), JamError> {
        let spheres = self.system.radii.len();
        if !earlier.place.is_of(spheres, self.system.length()) || earlier.overlap.is_nan() {
            return Err(JamError::Earlier);
        }
        self.system.restore(earlier.place);
        self.minimizer.evaluations = earlier.evaluations;
        (self.overlap, self.pressures) = (earlier.overlap, earlier.pressures);
        Ok(())
    }

    /// Balances the forces under falling pressures, until the gaps of the contacts are as small as requested.
    fn descend(&mut self) -> Ending {
        loop {
            let (overlap, balance) = if let Some(first) = FIRST_OVERLAPS.get(self.pressures) {
                *first
            } else {
                let found = self.found();
                if found <= self.gap {
                    return Ending::Balanced;
                }
                let share = (0.9 * self.gap / found).max(REDUCTION);
                (self.overlap * share, BALANCE)
            };
            if overlap < LEAST_OVERLAP * self.system.length() {
                return Ending::Unbalanced;
            }
            self.save();
            let (of_mean, usual): (fn(f64) -> Balance, u64) = match self.system.gravity {
                // Spheres that still roll would hardly move under a lower load.
                Some(_) => (Balance::of_each, MOST_EVALUATIONS),
                None => (Balance::of_mean, USUAL_EVALUATIONS),
            };
            let ending = self.balance(overlap, of_mean(balance), usual);
            if ending != Ending::Balanced {
                return ending;
            }
            self.overlap = overlap;
            self.pressures += 1;
        }
    }

    /// Balances the forces under the last pressure again, as far as the evaluations suffice.
    fn finish(&mut self) -> Ending {
        self.save();
        let rounding = ROUNDING * self.system.length() / self.overlap;
        let [mean, largest] = LAST_BALANCE.map(|share| share.max(rounding));
        let usual = MOST_EVALUATIONS.min(LAST_WORK / self.system.radii.len() as u64);
        self.balance(self.overlap, Balance { mean, largest }, usual)
    }

    /// Hands the state to the observer. Further tries are repeated from the end of the first one.
    fn save(&mut self) {
        if self.pressures > 0 && self.tries == 1 {
            self.observer.save(JamState {
                overlap: self.overlap,
                pressures: self.pressures,
                evaluations: self.minimizer.evaluations,
                place: self.system.place(),
            });
        }
    }

    /// Returns the largest gap of the contacts, were the spheres taken apart now.
    fn found(&self) -> f64 {
        let contacts = self.system.contacts();
        let growth = last_growth(&self.system, &contacts);
        let missing = missing_growth(&contacts);
        // Overlaps that the growth does not remove need a lower load, too.
        largest_gap(&contacts, growth).max((missing - 1.0) / (growth - 1.0) * self.gap)
    }

    /// Returns whether gaps are larger than requested.
    fn is_too_high(&self) -> bool {
        self.found() > self.gap
    }

    /// Balances the forces under the load of a mean overlap, usually with at most this number of evaluations.
    fn balance(&mut self, overlap: f64, balance: Balance, usual: u64) -> Ending {
        self.system
            .list((SKIN * overlap.sqrt()).clamp(SKINS[0], SKINS[1]));
        self.load = self.system.load(overlap);
        let (start, observer) = (self.start, &mut *self.observer);
        // The overlaps at the end are several times the mean, and the last balance takes as long as many pressures.
        let [.., (lowest, _)] = FIRST_OVERLAPS;
        let further = (LAST_OVERLAP * self.gap / lowest).ln() / REDUCTION.ln();
        let all = FIRST_OVERLAPS.len() as f64 + further.max(0.0) + 1.0;
        let share = (self.pressures as f64 / all).min(ALMOST);
        let mut observe = |system: &System, evaluations: u64| {
            observer.step(&JamProgress {
                evaluations,
                share,
                packing_fraction: system.gravity.is_none().then(|| start / system.volume()),
            })
        };
        let (minimizer, system) = (&mut self.minimizer, &mut self.system);
        minimizer.run(system, (self.load, overlap), balance, usual, &mut observe)
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
