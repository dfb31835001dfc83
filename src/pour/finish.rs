//! The packing of a bed.

use super::{
    bed::Bed,
    options::{Ceiling, Compaction, PourOptions},
    vessel::{Turn, of_height},
};
use crate::{
    container::{Container, ContainerSpec, Solid},
    machine::divided::Divided,
    packing::{
        ContactForces, Deposition, Jamming, Packing, Provenance, StopReason, Support, Supports,
        of_sample,
    },
    rearrange::{FixedSpheres, GENERATOR},
    spheres::Spheres,
};

/// Returns the packing of the spheres in a bed, in the given order, with fixed spheres at the end.
pub(super) fn packing_of(
    bed: &Bed,
    radii: &[f64],
    options: &PourOptions,
    [taps, rearrangements]: [u64; 2],
    stop: StopReason,
    jamming: Option<(Jamming, Option<ContactForces>)>,
) -> Packing {
    let lying = &bed.lying;
    let mut places: Vec<Option<usize>> = vec![None; radii.len()];
    for (k, &id) in lying.ids.iter().enumerate() {
        places[id as usize] = Some(k);
    }
    let (present, left_out): (Vec<usize>, Vec<usize>) =
        (0..radii.len()).partition(|&id| places[id].is_some());
    let mut numbers = vec![0; radii.len()];
    for (number, &id) in present.iter().enumerate() {
        numbers[id] = number;
    }
    let (container, turn) = cut(options, bed, 0.0);
    let mut centers = Vec::with_capacity(present.len());
    let mut lists = Vec::with_capacity(present.len());
    for &k in present.iter().filter_map(|&id| places[id].as_ref()) {
        centers.push(turn.back(lying.centers[k]));
        let of_fixed = |id: usize| present.len() + id - radii.len();
        let number = |id: usize| (numbers.get(id).copied()).unwrap_or_else(|| of_fixed(id));
        let supports = lying.supports_of(k).iter().map(|support| match *support {
            Support::Sphere(id) => Support::Sphere(number(id)),
            Support::Wall(normal) => Support::Wall(turn.back_vector(normal)),
        });
        lists.push(supports.collect());
    }
    let mut own: Vec<f64> = present.iter().map(|&id| radii[id]).collect();
    let (sizes, dimension) = (options.sizes.as_ref(), container.dimension());
    let report = sizes.map(|sizes| {
        let (left_out, own) = (left_out.len(), Divided::alone(&own[..]));
        sizes.report.clone().without(left_out, dimension, &own)
    });
    let fixed = options.fixed.as_ref().map(|fixed| &fixed.spheres);
    for (center, radius) in fixed.iter().flat_map(|fixed| fixed.iter()) {
        centers.push(center);
        own.push(radius);
        lists.push(Vec::new());
    }
    let packing = Packing::new(Spheres::new(centers, own), container)
        .with_fixed(fixed.map_or(0, Spheres::len));
    let components = sizes.map_or_else(Vec::new, |sizes| of_sample(&sizes.components, &left_out));
    let (jamming, forces) = jamming.map_or((None, None), |(it, forces)| (Some(it), forces));
    let supports = || Supports::new(options.gravity, stop_angle(options), &lists);
    let supports = forces.is_none().then(supports);
    let mut packing = (packing.with_components(components))
        .expect("the components are those of the sample")
        .with_supports(supports)
        .expect("there is a list for each sphere")
        .with_forces(forces)
        .expect("each contact is one of the bed");
    packing.unit = sizes.map_or_else(String::new, |sizes| sizes.unit.clone());
    packing.sizes = report;
    packing.provenance = Some(provenance(
        bed,
        options,
        [taps, rearrangements],
        stop,
        left_out.len(),
        &packing,
        jamming,
    ));
    packing
}

/// Returns the steepest slope in degrees on which a sphere rests. A sphere that sticks rests on any slope.
fn stop_angle(options: &PourOptions) -> f64 {
    if options.sticking > 0.0 {
        90.0
    } else {
        options.stop_angle
    }
}

/// Returns the container, which ends at a distance `room` above the bed if its height is free, and the coordinates in it.
pub(super) fn cut(options: &PourOptions, bed: &Bed, room: f64) -> (Container, Turn) {
    let container = &options.container;
    if options.ceiling != Ceiling::Free || bed.top == 0.0 {
        return (container.clone(), bed.turn);
    }
    let fixed = options.fixed.iter().flat_map(|fixed| fixed.spheres.iter());
    let top = |(center, radius)| bed.turn.point(center).z + bed.inflated(radius);
    let height = fixed.map(top).fold(bed.top, f64::max);
    of_height(options, height + room).unwrap_or_else(|| (container.clone(), bed.turn))
}

fn provenance(
    bed: &Bed,
    options: &PourOptions,
    [taps, rearrangements]: [u64; 2],
    stop: StopReason,
    left_out: usize,
    packing: &Packing,
    jamming: Option<Jamming>,
) -> Provenance {
    let sizes = options.sizes.as_ref();
    let (solid, axis) = (options.container.solid(), options.container.axis());
    let spec = ContainerSpec::exact(solid.clone()).along(axis);
    let free = (options.ceiling == Ceiling::Free).then(|| match solid {
        Solid::Box(_) => ["lx", "ly", "lz"][options.gravity.axis().number()],
        _ => "h",
    });
    let spec = free
        .and_then(|length| spec.clone().with_free(length))
        .unwrap_or(spec);
    Provenance {
        program: concat!("jostle ", env!("CARGO_PKG_VERSION")).to_owned(),
        generator: GENERATOR.to_owned(),
        seed: options.seed,
        sizes: sizes.map_or_else(String::new, |sizes| sizes.name.clone()),
        sampling: sizes.map(|sizes| sizes.sampling),
        sample_seed: sizes.map(|sizes| sizes.seed),
        sample_volume: sizes.and_then(|sizes| sizes.volume),
        start: None,
        index: "columns".to_owned(),
        effort: 0.0,
        effort_is_chosen: false,
        fraction: match options.compaction {
            Compaction::Fraction(fraction) => Some(fraction),
            _ => None,
        },
        container: (options.container.solid().name() != "mesh").then(|| spec.to_string()),
        lengths: Some(packing.container().lengths()),
        min_gap: 0.0,
        wall_gap: None,
        max_sweeps: None,
        sweeps: 0,
        relocations: 0,
        exchange_rate: 0.0,
        exchange_start: None,
        exchanges: 0,
        toward_nearest: 0.0,
        breathe: 0.0,
        fixed_may_overlap: options.fixed.as_ref().map(FixedSpheres::accepts_overlap),
        left_out: left_out as u64,
        jamming,
        deposition: Some(Deposition {
            gravity: options.gravity,
            order: options.order.to_string(),
            source: options.source.to_string(),
            stop_angle: options.stop_angle,
            sticking: options.sticking,
            height: match options.ceiling {
                Ceiling::At(height) => Some(height),
                _ => None,
            },
            taps,
            rearrangements,
            bed_height: bed.top,
        }),
        stop,
    }
}
