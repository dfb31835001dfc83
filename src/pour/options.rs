//! Options of a deposition: the order of the spheres, the compaction of their bed, and the others.

use std::time::Duration;

use serde::{Deserialize, Serialize};

use super::{
    constants::{CHECKPOINT_BYTES, PROCESS_BYTES, SPHERE_BYTES},
    source::Source,
};
use crate::{
    container::{Container, Direction},
    distribution::SizeSource,
    jam::JamGap,
    macros::{choice, setters},
    rearrange::{FixedSpheres, Interrupt, MemoryEstimate},
};

/// The height above which no sphere may lie.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ceiling {
    /// The top of the container.
    #[default]
    Container,
    /// This height above the lowest point of the container, in the unit of the radii.
    At(f64),
    /// None: the walls of the vessel are as high as the bed, and the container is cut at its highest point. For a box, and for a cylinder
    /// whose axis is parallel to gravity.
    Free,
}

/// Options of a deposition.
///
/// # Example
/// ```
/// use jostle::{container::Direction, pour::{Order, PourOptions}};
///
/// let options = PourOptions::default().gravity(Direction::NegX).order(Order::LargeFirst).seed(7);
/// assert_eq!(options.stop_angle, 0.0);
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
#[non_exhaustive]
pub struct PourOptions {
    /// The vessel. Its face against gravity is open during the deposition.
    pub container: Container,
    /// Height above which no sphere may lie.
    pub ceiling: Ceiling,
    /// Direction of gravity.
    pub gravity: Direction,
    /// Order of the spheres.
    pub order: Order,
    /// Place from which the spheres fall.
    pub source: Source,
    /// Slope in degrees, from 0 to 90, below which a sphere does not roll: a friction-like rule for loose beds.
    pub stop_angle: f64,
    /// Probability, from 0 to 1, that a sphere sticks where it touches another sphere: for cohesive beds.
    pub sticking: f64,
    /// The stage after the deposition.
    pub compaction: Compaction,
    /// Largest gap of contacts that bear force, if the bed is jammed at last: its spheres come to rest together under their weights, without friction.
    /// A bed that has the packing fraction of its compaction keeps it.
    pub jam: JamGap,
    /// Spheres that keep their positions, on which the others may rest.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub fixed: Option<FixedSpheres>,
    /// Seed of all random choices; 1 unless it is set.
    pub seed: u64,
    /// Wall time after which the deposition ends. The spheres that lie in the bed then remain.
    pub time_limit: Option<Duration>,
    /// A request that ends the deposition like the time limit.
    #[serde(skip)]
    pub interrupt: Option<Interrupt>,
    /// Origin of the radii, for the packing and its provenance.
    pub sizes: Option<SizeSource>,
}

impl Default for PourOptions {
    fn default() -> Self {
        Self {
            container: Container::default(),
            ceiling: Ceiling::default(),
            gravity: Direction::default(),
            order: Order::default(),
            source: Source::default(),
            stop_angle: 0.0,
            sticking: 0.0,
            compaction: Compaction::default(),
            jam: JamGap::OFF,
            fixed: None,
            seed: 1,
            time_limit: None,
            interrupt: None,
            sizes: None,
        }
    }
}

impl PourOptions {
    setters! {
        /// Sets the vessel.
        container: impl Into<Container>;

        /// Sets the height above which no sphere may lie.
        ceiling: Ceiling;

        /// Sets the direction of gravity.
        gravity: Direction;

        /// Sets the order of the spheres.
        order: Order;

        /// Sets the place from which the spheres fall.
        source: Source;

        /// Sets the slope in degrees below which a sphere does not roll.
        stop_angle: f64;

        /// Sets the probability that a sphere sticks where it touches another sphere.
        sticking: f64;

        /// Sets what follows the deposition.
        compaction: Compaction;

        /// Sets the largest gap of contacts that bear force in a jammed bed.
        jam: JamGap;

        /// Sets the spheres that keep their positions.
        fixed: impl Into<Option<FixedSpheres>>;

        /// Sets the seed.
        seed: u64;

        /// Sets the wall time after which the deposition ends.
        time_limit: impl Into<Option<Duration>>;

        /// Sets a request that ends the deposition.
        interrupt: impl Into<Option<Interrupt>>;

        /// Sets the origin of the radii.
        sizes: impl Into<Option<SizeSource>>;
    }

    /// Returns the estimated peak memory of pouring `count` spheres, which hardly depends on their sizes.
    ///
    /// # Example
    /// ```
    /// use jostle::pour::PourOptions;
    ///
    /// let estimate = PourOptions::estimated_memory(1e6);
    /// assert!(estimate.needed > 1e8 && estimate.needed < 1e9);
    /// ```
    pub fn estimated_memory(count: f64) -> MemoryEstimate {
        MemoryEstimate {
            needed: PROCESS_BYTES + SPHERE_BYTES * count,
            spare: 0.0,
            checkpoint: CHECKPOINT_BYTES * count,
        }
    }
}

/// The stage after the deposition.
///
/// In a tap, from the lowest sphere up, each one falls again from several places near its own, and takes the lowest position that it
/// finds. The number of places doubles with each tap, from 2 to 64. Equal spheres then fill 0.586 to 0.605 of the space far from walls, and
/// each one still rests on spheres that were there before.
///
/// In a rearrangement, the packing loop compresses the bed along gravity to a packing fraction, and then each sphere falls from the place
/// that it has there. With a stop angle, most spheres stay near this place.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Compaction {
    /// Nothing: the bed remains as it was poured.
    #[default]
    None,
    /// This number of taps.
    Taps(u64),
    /// Rearrangements and taps until the bed has this packing fraction between its floor and its mean surface, or until they no longer help.
    /// Beds are rearranged with a stop angle, in boxes and cylinders without bodies and fixed spheres.
    Fraction(f64),
}

choice! {
    "order", "kebab-case";
    /// The order in which spheres are poured.
    #[derive(Default)]
    #[non_exhaustive]
    pub enum Order {
        /// A random order, which the seed determines.
        #[default]
        Random,
        /// The order of the diameters of a list, or of a sample.
        AsGiven,
        /// From the largest sphere to the smallest.
        LargeFirst,
        /// Component by component of a blend, in their order, with the spheres of each one in random order.
        Layers,
    }
}
