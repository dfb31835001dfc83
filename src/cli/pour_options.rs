//! The options that determine a bed, beside those of its sizes and its vessel.

use anyhow::{Result, bail};
use clap::Args;
use glam::DVec3;
use strum::VariantNames;

use super::{
    help,
    space::in_unit,
    values::{self, Measured},
    words::choices,
};
use crate::{
    container::Direction,
    jam::JamGap,
    pour::{Compaction, Order, PourOptions, PourRequest, Source},
};

/// Options of a deposition.
#[derive(Args)]
#[command(next_help_heading = help::DEPOSITION)]
pub struct DepositionOptions {
    /// Pour up to this height above the lowest point of the vessel, in the unit of the diameters
    #[arg(long, value_name = "HEIGHT", conflicts_with_all = ["number", "mass", "volume"], value_parser = values::measured_gap)]
    height: Option<Measured<f64>>,

    /// Pour spheres of this mass. Its unit is that of --density or of the densities of a blend, which --density multiplies, times the cube of the unit of the diameters
    #[arg(long, value_name = "MASS", conflicts_with_all = ["number", "volume"], value_parser = values::positive)]
    mass: Option<f64>,

    /// Pour spheres of this volume, in the cube of the unit of the diameters
    #[arg(long, value_name = "VOLUME", conflicts_with = "number", value_parser = values::positive)]
    volume: Option<f64>,

    /// Let gravity point along an axis: -x, +x, -y, +y, -z or +z. The face of the vessel against it is open [default: -z]
    #[arg(long, value_name = "DIRECTION", allow_hyphen_values = true)]
    gravity: Option<Direction>,

    #[arg(long, value_name = "ORDER", help = choices("Pour the spheres in this order; layers are the components of a blend, one after the other", Order::VARIANTS, Order::default()))]
    order: Option<Order>,

    /// Let the spheres fall from an outlet at x,y,z. The outlet moves along straight lines between several points, as in 5,5,40/15,5,40
    /// [default: rain on the whole cross-section]
    #[arg(long, value_name = "POINTS", allow_hyphen_values = true, value_parser = path)]
    source: Option<Path>,

    /// Diameter of the outlet of --source, in which the centers of the spheres start [default: 4 diameters of the
    /// largest sphere]
    #[arg(long, value_name = "DIAMETER", requires = "source", value_parser = values::gap)]
    source_diameter: Option<f64>,

    /// Let the outlet of --source pass PASSES times over its path [default: 1]
    #[arg(long, value_name = "PASSES", requires = "source", value_parser = values::count::<u32>)]
    passes: Option<u32>,

    /// Let spheres stop on slopes below this angle in degrees, as friction does. Angles from 0 to 90 make beds looser [default: 0]
    #[arg(long, value_name = "DEGREES", value_parser = values::slope)]
    stop_angle: Option<f64>,

    /// Let spheres stick where they touch another sphere with this probability. Values from 0 to 1 make very loose beds, as cohesion
    /// does [default: 0]
    #[arg(long, value_name = "SHARE", value_parser = values::tolerance)]
    sticking: Option<f64>,

    /// Tap the bed TAPS times after the deposition, which compacts it [default: 0]
    #[arg(long, value_name = "TAPS", conflicts_with = "fraction", value_parser = values::whole_number)]
    taps: Option<u64>,

    /// Compact the bed until it has this packing fraction, by taps, and with --stop-angle by rearrangements before. It is the volume of the
    /// spheres by that of the vessel up to twice the height of their center of mass, between 0 and 1, or in percent
    #[arg(long, value_parser = values::fraction)]
    fraction: Option<f64>,

    /// Jam the bed at last: the spheres come to rest together under their weights, without friction, until the contacts bear force with
    /// gaps of at most GAP diameters. A bed that reaches --fraction keeps it [default: off; without GAP: auto, which is 1e-6]
    #[arg(long, value_name = "GAP", num_args = 0..=1, default_missing_value = "auto")]
    jam: Option<JamGap>,
}

impl DepositionOptions {
    /// Returns the requested height of the bed, in the unit of the sizes.
    pub fn height(&self, unit: &str) -> Result<Option<f64>> {
        in_unit(self.height.as_ref(), unit)
    }

    /// Completes a request for spheres whose sizes have this unit.
    pub fn complete(&self, request: PourRequest, unit: &str) -> Result<PourRequest> {
        Ok(request
            .height(self.height(unit)?)
            .mass(self.mass)
            .volume(self.volume))
    }

    /// Adds these options to those of a deposition.
    pub fn add_to(&self, options: PourOptions) -> PourOptions {
        let compaction = match (self.taps, self.fraction) {
            (Some(taps), _) => Compaction::Taps(taps),
            (None, Some(fraction)) => Compaction::Fraction(fraction),
            (None, None) => Compaction::None,
        };
        options
            .gravity(self.gravity.unwrap_or_default())
            .order(self.order.unwrap_or_default())
            .source(self.source())
            .stop_angle(self.stop_angle.unwrap_or_default())
            .sticking(self.sticking.unwrap_or_default())
            .compaction(compaction)
            .jam(self.jam.unwrap_or_default())
    }

    fn source(&self) -> Source {
        let Some(Path(path)) = self.source.clone() else {
            return Source::Rain;
        };
        Source::Outlet {
            path,
            diameter: self.source_diameter,
            passes: self.passes.unwrap_or(1),
        }
    }
}

/// The points of a path.
#[derive(Clone)]
struct Path(Vec<DVec3>);

/// Reads points that are separated by slashes.
fn path(text: &str) -> Result<Path> {
    let points = text.split('/').map(values::vector);
    match points.collect::<Result<Vec<DVec3>, String>>() {
        Ok(points) => Ok(Path(points)),
        Err(_) => bail!(
            "points x,y,z are expected, separated by slashes, such as 5,5,40 or 5,5,40/15,5,40"
        ),
    }
}
