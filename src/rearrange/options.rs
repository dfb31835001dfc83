//! Requests to the packing loop, and the reasons to reject one.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{
    constants::{HOLD_MARGIN, MOST_SPHERES, ROUNDING, SPHERE_BYTES},
    effort::Effort,
    fixed::{FixedError, FixedSpheres},
    limit::{Interrupt, Limit},
    moves::{BreathingShare, ExchangeRate, GapShare},
    start::{Start, StartError},
};
use crate::{
    container::Container,
    distribution::SizeSource,
    index::IndexKind,
    jam::JamGap,
    machine::{clock::Instant, divided::Divided, ranks::Ranks},
    macros::setters,
    names::{rounded, short},
};

/// The requested size of the container.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Target {
    /// The smallest container similar to [`PackOptions::container`] that the effort finds.
    #[default]
    Densest,
    /// The container similar to [`PackOptions::container`] that the spheres fill to this packing fraction, above 0 and below 1.
    Fraction(f64),
    /// Exactly [`PackOptions::container`].
    Exact,
}

/// A request to the packing loop.
///
/// # Example
/// ```
/// use jostle::{Boundaries, Effort, PackOptions, Target};
///
/// let options = PackOptions::default()
///     .target(Target::Fraction(0.5))
///     .container("ppw".parse::<Boundaries>()?)
///     .effort(Effort::QUICK)
///     .seed(7);
/// assert_eq!(options.seed, 7);
/// # Ok::<(), jostle::container::ParseBoundariesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct PackOptions {
    /// The container: its shape and its boundary, and for [`Target::Exact`] its size. The default is a periodic cube of side 1.
    pub container: Container,
    /// Size of the container.
    pub target: Target,
    /// Smallest gap between the surfaces of two spheres, in the unit of the radii.
    pub min_gap: f64,
    /// Smallest gap between a sphere and a wall, in the unit of the radii; half of `min_gap` if absent.
    pub wall_gap: Option<f64>,
    /// Spheres that keep their positions while the others are packed around them. The target must be [`Target::Exact`].
    pub fixed: Option<FixedSpheres>,
    /// Centers at which the spheres start, instead of at random.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub start: Option<Start>,
    /// From quick to dense. A request without effort is packed at normal effort. Towards a requested container or packing fraction it
    /// begins with the effort that the sizes are expected to need, and goes on with slower growth, up to thorough effort, where that
    /// is not enough.
    pub effort: Option<Effort>,
    /// Attempts to exchange two spheres of nearly equal size, per sphere and sweep. Without exchanges, a run that cannot reach
    /// a requested packing fraction or container starts exchanges at the rate [`ExchangeRate::AUTO`].
    pub exchange: ExchangeRate,
    /// The share of its mean overlap by which the radius of each sphere follows before each sweep. The given radii then return to the
    /// spheres in the order of these radii.
    #[serde(skip_serializing_if = "BreathingShare::is_off")]
    pub breathe: BreathingShare,
    /// The share of the gap to its nearest neighbor by which a sphere without overlap moves before each sweep.
    #[serde(skip_serializing_if = "GapShare::is_off")]
    pub toward_nearest: GapShare,
    /// The largest gap of contacts that bear force, if the packing is jammed at last. A packing of a requested container or packing fraction
    /// keeps that, and is jammed only where it is out of reach.
    #[serde(skip_serializing_if = "JamGap::is_off")]
    pub jam: JamGap,
    /// The global index behind the Verlet lists. The packing is the same for any index.
    pub index: IndexKind,
    /// Seed of the random positions; 1 unless it is set.
    pub seed: u64,
    /// Number of threads; 0 means one for each core. The packing is the same for any number. Inside a rayon pool, the run
    /// uses that pool instead.
    pub threads: usize,
    /// Maximum number of sweeps. The last 40 compact the packing quickly.
    pub max_sweeps: Option<u64>,
    /// Wall time after which the loop ends, counted from the start of the run or from its continuation; 40 sweeps follow that
    /// compact the packing quickly. Spheres that are not placed yet are then placed without a search for free positions.
    pub time_limit: Option<Duration>,
    /// A request that ends the loop like the time limit.
    #[serde(skip)]
    pub interrupt: Option<Interrupt>,
    /// Origin of the radii, for the packing and its provenance; absent if the radii come without a size distribution.
    pub sizes: Option<SizeSource>,
}

impl Default for PackOptions {
    fn default() -> Self {
        Self {
            container: Container::default(),
            target: Target::default(),
            min_gap: 0.0,
            wall_gap: None,
            fixed: None,
            start: None,
            effort: None,
            exchange: ExchangeRate::default(),
            breathe: BreathingShare::default(),
            toward_nearest: GapShare::default(),
            jam: JamGap::default(),
            index: IndexKind::default(),
            seed: 1,
            threads: 0,
            max_sweeps: None,
            time_limit: None,
            interrupt: None,
            sizes: None,
        }
    }
}

impl PackOptions {
    setters! {
        /// Sets the size of the container.
        target: Target;
        /// Sets the container, or its shape if the target is not [`Target::Exact`]. The boundary of each axis alone stands for a cube.
        container: impl Into<Container>;
        /// Sets the smallest gap between two spheres.
        min_gap: f64;
        /// Sets the smallest gap between a sphere and a wall.
        wall_gap: f64;
        /// Sets the spheres that keep their positions. The target must be [`Target::Exact`].
        fixed: FixedSpheres;
        /// Sets the centers at which the spheres start.
        start: Start;
        /// Sets the effort.
        effort: Effort;
        /// Sets the rate of exchanges.
        exchange: ExchangeRate;
        /// Sets the share of its mean overlap by which the radius of each sphere follows.
        breathe: BreathingShare;
        /// Sets the share of the gap to its nearest neighbor by which a sphere without overlap moves before each sweep.
        toward_nearest: GapShare;
        /// Sets the largest gap of contacts that bear force, and lets the packing be jammed at last.
        jam: JamGap;
        /// Sets the global index.
        index: IndexKind;
        /// Sets the seed of the random positions.
        seed: u64;
        /// Sets the number of threads.
        threads: usize;
        /// Sets the maximum number of sweeps.
        max_sweeps: u64;
        /// Sets the origin of the radii, [`Sample::source`](crate::distribution::Sample::source).
        sizes: SizeSource;
        /// Sets the wall time after which the loop ends.
        time_limit: Duration;
        /// Sets the request that ends the loop.
        interrupt: Interrupt;
    }
}

/// A request that cannot be packed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum PackError {
    /// There are no radii.
    #[error("the number of spheres is 0; it must be at least 1")]
    NoSpheres,
    /// There are more spheres than numbers for them.
    #[error(
        "{count} spheres would need about {gib:.0} GiB of memory; at most {most} can be packed at once",
        gib = SPHERE_BYTES * *count as f64 / f64::from(1 << 30),
        most = MOST_SPHERES
    )]
    TooMany {
        /// The requested number.
        count: u64,
    },
    /// A radius is not a positive, normal, finite number.
    #[error(
        "radius {value:e} of sphere {sphere} must be a positive, finite number of at least 2.3e-308"
    )]
    Radius {
        /// Position in the array.
        sphere: usize,
        /// The radius.
        value: f64,
    },
    /// The volume of the spheres overflows or underflows.
    #[error(
        "the spheres have a total volume of {0:e}, beyond the range of numbers; choose a unit in which the radii are nearer to 1"
    )]
    Volume(f64),
    /// The volume of the requested container overflows or underflows.
    #[error(
        "the container has a volume of {0:e}, beyond the range of numbers; choose a unit in which its lengths are nearer to 1"
    )]
    ContainerVolume(f64),
    /// The requested packing fraction is outside (0, 1).
    #[error("packing fraction {} must be above 0 and below 1", short(*.0))]
    Fraction(f64),
    /// The gap is negative or not finite.
    #[error("minimum gap {} must be a finite number of at least 0", short(*.0))]
    MinGap(f64),
    /// The gap to walls is negative or not finite.
    #[error("wall gap {} must be a finite number of at least 0", short(*.0))]
    WallGap(f64),
    /// A sphere, with its share of the gap, does not fit into the container.
    #[error(
        "a sphere of diameter {}, gaps included, does not fit into the container, which holds spheres of diameter up to {}",
        short(*diameter),
        short(*largest)
    )]
    TooLarge {
        /// Diameter, with the minimum gap or the gap to walls.
        diameter: f64,
        /// Diameter of the largest sphere that fits.
        largest: f64,
    },
    /// The largest sphere, with its share of the gap, does not fit into the container of the requested packing fraction.
    #[error(
        "the container of packing fraction {} holds spheres of diameter up to {}, but the largest sphere needs {}, gaps included; give about {number:.0} spheres or more, or a lower packing fraction, or leave out the largest sizes",
        short(*fraction),
        rounded(*largest),
        rounded(*diameter)
    )]
    TooFew {
        /// The requested packing fraction.
        fraction: f64,
        /// Diameter, with the minimum gap or the gap to walls.
        diameter: f64,
        /// Diameter of the largest sphere that fits.
        largest: f64,
        /// Number of spheres with which the container would hold the largest one.
        number: f64,
    },
    /// The container is so long that positions cannot resolve the smallest sphere.
    #[error(
        "positions cannot resolve a sphere of diameter {} in a container of length {}, which may be at most {}",
        short(*diameter),
        short(*length),
        short(*longest)
    )]
    Resolution {
        /// Diameter of the smallest sphere, with the minimum gap.
        diameter: f64,
        /// The length of the container at the start.
        length: f64,
        /// The longest length in which positions resolve the sphere.
        longest: f64,
    },
    /// The spheres have more volume than the container.
    #[error(
        "the spheres have a volume of {}, minimum gap included, and the container has a volume of {}; the container must be larger",
        short(*spheres),
        short(*container)
    )]
    TooMuchVolume {
        /// Sum of the volumes, each with its share of the gap.
        spheres: f64,
        /// Volume of the container.
        container: f64,
    },
    /// Fixed spheres are given without a container of exactly the requested size.
    #[error("fixed spheres need a container of exactly the requested size")]
    FixedWithoutContainer,
    /// The fixed spheres are rejected.
    #[error(transparent)]
    Fixed(#[from] FixedError),
    /// The centers of the start are rejected.
    #[error(transparent)]
    Start(#[from] StartError),
    /// A packing is to be jammed with gaps between its spheres.
    #[error(
        "a packing with a minimum gap or a wall gap cannot be jammed, as its spheres do not touch; leave out the gap or the jamming"
    )]
    JamWithGap,
    /// A packing is to be jammed on several ranks.
    #[error("a packing of {0} ranks cannot be jammed; start one process, or leave out the jamming")]
    JamOnRanks(usize),
    /// A rank passes more or fewer radii than its share.
    #[error(
        "a rank passes more or fewer than its share of the {spheres} radii of all ranks; Ranks::share returns this share"
    )]
    Share {
        /// The number of radii of all ranks.
        spheres: usize,
    },
    /// The threads did not start.
    #[error("could not start {threads} threads: {reason}")]
    Threads {
        /// The requested number; 0 means one for each core.
        threads: usize,
        /// The reason of the operating system.
        reason: String,
    },
}

/// Returns a radius enlarged by half the minimum gap: enlarged spheres that do not overlap keep the gap.
pub(super) fn enlarged(radius: f64, min_gap: f64) -> f64 {
    radius + 0.5 * min_gap
}

/// Rejects radii that are no radii, and an empty list.
pub(crate) fn check_radii(radii: &Divided) -> Result<(), PackError> {
    if radii.len() == 0 {
        return Err(PackError::NoSpheres);
    }
    let is_bad = |radius: f64| !(radius > 0.0 && radius.is_normal());
    match radii.find(is_bad) {
        Some((sphere, value)) => Err(PackError::Radius { sphere, value }),
        None => Ok(()),
    }
}

impl PackOptions {
    /// Rejects a request that cannot be packed. Returns the container that the target names, if it names one.
    pub(crate) fn check(&self, radii: &Divided) -> Result<Option<Container>, PackError> {
        check_radii(radii)?;
        let fixed = self.fixed.as_ref().map_or(0, |fixed| fixed.spheres.len());
        let count = (radii.len() + fixed) as u64;
        if count > MOST_SPHERES {
            return Err(PackError::TooMany { count });
        }
        if !(self.min_gap >= 0.0 && self.min_gap.is_finite()) {
            return Err(PackError::MinGap(self.min_gap));
        }
        if let Some(gap) = self.wall_gap
            && !(gap >= 0.0 && gap.is_finite())
        {
            return Err(PackError::WallGap(gap));
        }
        let enlarged = radii.map(|radius| enlarged(radius, self.min_gap));
        let dimension = self.container.dimension();
        for volume in [radii.volume(dimension), enlarged.volume(dimension)] {
            if !volume.is_normal() {
                return Err(PackError::Volume(volume));
            }
        }
        let requested = self.requested_container(radii)?;
        if let Some(fixed) = &self.fixed {
            let container = requested
                .as_ref()
                .filter(|_| self.target == Target::Exact)
                .ok_or(PackError::FixedWithoutContainer)?;
            fixed.check(container)?;
        }
        if let Some(container) = &requested {
            self.check_fit(&enlarged, container)?;
        }
        self.check_jam(radii.ranks())?;
        Ok(requested)
    }

    /// Rejects the jamming of a packing that cannot be jammed.
    fn check_jam(&self, ranks: &Ranks) -> Result<(), PackError> {
        let has_gap = self.min_gap > 0.0 || self.wall_gap.is_some_and(|gap| gap > 0.0);
        if self.jam.is_off() {
            Ok(())
        } else if !ranks.is_alone() {
            Err(PackError::JamOnRanks(ranks.ranks()))
        } else if has_gap {
            Err(PackError::JamWithGap)
        } else {
            Ok(())
        }
    }

    /// Returns the container that the target names, if it names one.
    fn requested_container(&self, radii: &Divided) -> Result<Option<Container>, PackError> {
        Ok(match self.target {
            Target::Densest => None,
            Target::Fraction(fraction) if fraction > 0.0 && fraction < 1.0 => {
                let dimension = self.container.dimension();
                let factor = radii.volume(dimension) / fraction / self.container.volume();
                Some(self.container.scaled(dimension.root(factor)))
            }
            Target::Fraction(fraction) => return Err(PackError::Fraction(fraction)),
            Target::Exact => Some(self.container.clone()),
        })
    }

    /// Returns the limit of a run that began, or was continued, at `start`.
    pub(super) fn limit(&self, start: Instant) -> Limit {
        Limit::new(self.time_limit, self.interrupt.clone(), start)
    }

    /// Returns the volume of the fixed spheres.
    pub(super) fn fixed_volume(&self) -> f64 {
        (self.fixed.as_ref()).map_or(0.0, |fixed| self.container.volume_of(fixed.spheres.radii()))
    }

    /// Returns the distance that a sphere keeps from walls beyond its radius, which is enlarged by half the minimum gap: the gap
    /// to walls less half the minimum gap. It can be negative.
    pub(super) fn wall_offset(&self) -> f64 {
        let half = 0.5 * self.min_gap;
        self.wall_gap.unwrap_or(half) - half
    }

    /// Returns the length that a sphere takes along an axis of the container, with its gaps to walls or to its own image.
    pub(crate) fn diameter_along(&self, axis: usize, radius: f64) -> f64 {
        let to_wall = if self.container.is_periodic(axis) {
            0.0
        } else {
            self.wall_offset()
        };
        2.0 * (enlarged(radius, self.min_gap) + to_wall)
    }

    /// Returns the container for the placement: of the requested shape, filled to `start_fraction`, but never too small for the largest
    /// sphere, nor much denser than the requested container, which is the container of given centers. Spheres keep `wall_offset` from
    /// walls.
    pub(super) fn start_container(
        &self,
        enlarged: &Divided,
        wall_offset: f64,
        requested: Option<&Container>,
        start_fraction: f64,
    ) -> Container {
        let shape = requested.unwrap_or(&self.container);
        let dimension = shape.dimension();
        let volume = enlarged.volume(dimension);
        let fraction = match requested.map(|requested| volume / requested.volume()) {
            // Far below random close packing, a jammed start would only spread out again.
            Some(fraction) if fraction < 0.75 * start_fraction => 1.05 * fraction,
            _ => start_fraction,
        };
        let largest = enlarged.largest();
        let (mut image, mut wall) = (largest, largest + wall_offset);
        if requested.is_some() {
            // Where a sphere just fits into the requested container, its radius must exceed the requested one, too.
            image /= 1.0 + HOLD_MARGIN;
            wall /= 1.0 + HOLD_MARGIN;
        }
        let mut filled = match requested {
            // Given centers move as little as possible.
            Some(_) if self.start.is_some() => 1.0 / (1.0 + HOLD_MARGIN),
            _ => dimension.root(volume / fraction / shape.volume()),
        };
        if enlarged.len() == 1 {
            // A single sphere can fill a spherical container.
            filled = requested.map_or(0.0, |_| filled.min(1.0));
        }
        let mut factor = filled
            .max(image / (0.5 * shape.shortest_period()))
            .max(wall / shape.inradius());
        if self.fixed.is_some() {
            // The container cannot end larger than requested.
            factor = factor.min(1.0 / (1.0 + HOLD_MARGIN));
        }
        shape.scaled(factor)
    }

    /// Rejects a container that is too small for the spheres, or for one of them.
    fn check_fit(&self, radii: &Divided, container: &Container) -> Result<(), PackError> {
        if !container.volume().is_normal() {
            return Err(PackError::ContainerVolume(container.volume()));
        }
        let radius = radii.largest();
        let to_image = (2.0 * radius, container.shortest_period());
        let to_walls = (
            2.0 * (radius + self.wall_offset()),
            2.0 * container.inradius(),
        );
        let excess = |(diameter, largest): (f64, f64)| diameter / largest;
        let (diameter, largest) = if excess(to_image) > excess(to_walls) {
            to_image
        } else {
            to_walls
        };
        if diameter > largest {
            let Target::Fraction(fraction) = self.target else {
                return Err(PackError::TooLarge { diameter, largest });
            };
            let needed = container.scaled(diameter / largest);
            return Err(PackError::TooFew {
                fraction,
                diameter,
                largest,
                number: (radii.len() as f64 * needed.volume() / container.volume()).ceil(),
            });
        }
        let mut spheres = radii.volume(container.dimension());
        if let Some(fixed) = self.fixed.as_ref().filter(|fixed| !fixed.may_overlap) {
            spheres += container.volume_of(fixed.spheres.radii());
        }
        // One sphere may fill a sphere.
        if spheres > container.volume() * (1.0 + ROUNDING) {
            return Err(PackError::TooMuchVolume {
                spheres,
                container: container.volume(),
            });
        }
        Ok(())
    }
}
