//! Rejects requests that cannot be poured, before the first sphere falls.

use glam::DVec3;
use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::{
    bed::Bed,
    constants::MOST_SPHERES,
    error::PourError,
    options::{Ceiling, Compaction, Order, PourOptions},
    source::Source,
    vessel::{Turn, is_open},
};
use crate::{
    Dimension,
    container::{Container, Solid},
    machine::divided::Divided,
    rearrange::check_radii,
    request::RequestError,
};

/// Rejects radii and options that cannot be poured. `bed` is empty.
pub(super) fn check(radii: &[f64], options: &PourOptions, bed: &Bed) -> Result<(), PourError> {
    check_numbers(radii, options)?;
    let (container, gravity) = (&options.container, options.gravity);
    check_dimension(container)?;
    let axis = gravity.axis().number();
    if container.is_periodic(axis) {
        let axis = ["x", "y", "z"][axis];
        return Err(PourError::Periodic { axis });
    }
    if let Some(fixed) = &options.fixed {
        fixed.check(container)?;
    }
    let largest = radii.iter().copied().fold(0.0, f64::max);
    check_height(largest, options.ceiling, bed.turn.lengths().z)?;
    let is_prism = is_open(container, gravity) && !matches!(container.solid(), Solid::Cone(_));
    if options.ceiling == Ceiling::Free && !is_prism {
        return Err(PourError::Closed {
            solid: container.solid().name(),
            diameter: 0.0,
            gravity: gravity.to_string(),
        });
    }
    let has_positions = options.fixed.is_some() || !container.bodies().is_empty();
    let points_up = gravity.vector().element_sum() > 0.0;
    if options.ceiling == Ceiling::Free && has_positions && points_up {
        let gravity = gravity.to_string();
        return Err(PourError::FreeFloor { gravity });
    }
    check_width(largest, options, bed.turn)?;
    check_source(largest, options, bed)
}

/// Rejects a container of disks.
pub(super) fn check_dimension(container: &Container) -> Result<(), PourError> {
    match container.dimension() {
        Dimension::Three => Ok(()),
        Dimension::Two => Err(PourError::Disks {
            solid: container.solid().name(),
        }),
    }
}

/// Rejects numbers out of range.
fn check_numbers(radii: &[f64], options: &PourOptions) -> Result<(), PourError> {
    check_radii(&Divided::alone(radii)).map_err(RequestError::from)?;
    if radii.len() > MOST_SPHERES {
        let count = radii.len() as u64;
        return Err(PourError::TooMany { count });
    }
    check_ranges(options)?;
    let is_blend = options
        .sizes
        .as_ref()
        .is_some_and(|sizes| sizes.components.len() > 1);
    if options.order == Order::Layers && !is_blend {
        return Err(PourError::NoLayers);
    }
    Ok(())
}

/// Rejects numbers of the options out of their ranges.
fn check_ranges(options: &PourOptions) -> Result<(), PourError> {
    let (ceiling, fraction) = (
        match options.ceiling {
            Ceiling::At(height) => height,
            _ => 1.0,
        },
        match options.compaction {
            Compaction::Fraction(fraction) => fraction,
            _ => 0.5,
        },
    );
    let in_range = |value: f64, low: f64, high: f64| value >= low && value <= high;
    let numbers = [
        (
            "the stop angle",
            options.stop_angle,
            in_range(options.stop_angle, 0.0, 90.0),
            "an angle from 0 to 90 degrees",
        ),
        (
            "the sticking probability",
            options.sticking,
            in_range(options.sticking, 0.0, 1.0),
            "a number from 0 to 1",
        ),
        (
            "the height of the bed",
            ceiling,
            ceiling > 0.0 && ceiling.is_finite(),
            "a positive, finite number",
        ),
        (
            "the packing fraction",
            fraction,
            fraction > 0.0 && fraction < 1.0,
            "a number above 0 and below 1",
        ),
    ];
    for (name, value, is_accepted, accepted) in numbers {
        if !is_accepted {
            return Err(PourError::Number {
                name,
                value,
                accepted,
            });
        }
    }
    Ok(())
}

/// Rejects a height of the bed above the vessel, or below the diameter of the largest sphere.
fn check_height(largest: f64, ceiling: Ceiling, vessel: f64) -> Result<(), PourError> {
    let Ceiling::At(height) = ceiling else {
        return Ok(());
    };
    if height > vessel {
        return Err(PourError::HigherThanVessel { height, vessel });
    }
    let diameter = 2.0 * largest;
    if height < diameter {
        return Err(PourError::LowerThanSphere { height, diameter });
    }
    Ok(())
}

/// Rejects a vessel that is narrower than the largest sphere.
fn check_width(largest: f64, options: &PourOptions, turn: Turn) -> Result<(), PourError> {
    let container = &options.container;
    let mut widest = container.largest_radius();
    if options.ceiling == Ceiling::Free {
        // Without the height, which follows.
        let lengths = turn.lengths();
        widest = 0.5 * lengths.x.min(lengths.y);
    }
    if largest > widest {
        let (diameter, largest) = (2.0 * largest, 2.0 * widest);
        return Err(PourError::Narrow { diameter, largest });
    }
    Ok(())
}

/// Rejects a source from which the largest sphere cannot fall.
fn check_source(largest: f64, options: &PourOptions, bed: &Bed) -> Result<(), PourError> {
    let Source::Outlet { path, diameter, .. } = &options.source else {
        let mut random = Pcg64::seed_from_u64(options.seed);
        let start = bed.start(options, largest, 0.0, &mut random);
        return match start {
            Some(_) => Ok(()),
            None => Err(PourError::Closed {
                solid: options.container.solid().name(),
                diameter: 2.0 * largest,
                gravity: options.gravity.to_string(),
            }),
        };
    };
    let is_width = diameter.is_none_or(|diameter| diameter >= 0.0 && diameter.is_finite());
    if path.is_empty() || !is_width || !path.iter().all(|point| point.is_finite()) {
        return Err(PourError::Path);
    }
    let blocked = |point: &&DVec3| {
        let point = bed.turn.point(**point);
        point.z < largest || !bed.is_free(point, largest, true)
    };
    match path.iter().find(blocked) {
        None => Ok(()),
        Some(&DVec3 { x, y, z }) => Err(PourError::Source {
            x,
            y,
            z,
            radius: largest,
        }),
    }
}
