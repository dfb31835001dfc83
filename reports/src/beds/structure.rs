//! Packing fraction, contacts and supports of beds of equal spheres without side walls, and layers on the floor.

use jostle::{
    Container, Packing,
    analysis::{Contacts, mean_backbone},
    glam::DVec3,
    packing::Support,
    pour::{Compaction, PourOptions},
};

use super::{
    layers::{fraction, top},
    mean::Mean,
    outcome::Outcome,
    pour::poured,
};

/// Side of the beds, which are periodic across gravity, in diameters.
const SIDE: f64 = 16.0;

/// Number of spheres in a bed.
pub const SPHERES: usize = 8000;

/// Number of beds of each kind.
pub const SEEDS: u64 = 4;

/// Distance of the measured layer from the floor and from the surface, in diameters.
const MARGIN: f64 = 5.0;

/// Stop angles of loose beds, in degrees.
const STOP_ANGLES: [f64; 3] = [10.0, 20.0, 30.0];

/// Number of taps of tapped beds.
pub const TAPS: u64 = 6;

/// Name of the beds whose spheres stick where they first touch.
const STICKING: &str = "sticking 1";

/// Tolerance of contacts, in diameters.
pub const TOLERANCE: f64 = 1e-6;

/// Thickness of the slices of the profile along the height, in diameters.
const SLICE: f64 = 0.1;

/// Height up to which the profile is shown, in diameters.
pub const EXTENT: f64 = 8.0;

/// Beds of one kind.
pub struct Structure {
    pub name: String,
    /// Of the measured layer.
    pub packing_fraction: Mean,
    /// Mean contact number of the spheres in the measured layer.
    pub contacts: Mean,
    /// Mean contact number of the spheres that are no rattlers, in the whole bed.
    pub backbone: Mean,
    /// Mean number of supports of a sphere in the measured layer.
    pub supports: Mean,
    /// Middle of each slice above the floor and its packing fraction.
    pub profile: Vec<(f64, f64)>,
}

/// Pours and taps all beds.
pub fn measure() -> Outcome<Vec<Structure>> {
    let container = Container::cuboid(DVec3::new(SIDE, SIDE, 160.0), "ppw".parse()?)?;
    let kind = |name: &str, options: PourOptions| -> Outcome<Structure> {
        let bed = |seed| poured(vec![0.5; SPHERES], &container, options.clone().seed(seed));
        let beds: Vec<Packing> = (0..SEEDS).map(bed).collect::<Outcome<_>>()?;
        eprintln!("beds of equal spheres: {name}");
        of(name.to_owned(), &beds)
    };
    let plain = PourOptions::default;
    let mut kinds = vec![kind("poured", plain())?];
    for stop_angle in STOP_ANGLES {
        let options = plain().stop_angle(stop_angle);
        kinds.push(kind(&format!("stop angle {stop_angle}°"), options)?);
    }
    kinds.push(kind(STICKING, plain().sticking(1.0))?);
    let taps = Compaction::Taps(TAPS);
    kinds.push(kind(&format!("{TAPS} taps"), plain().compaction(taps))?);
    Ok(kinds)
}

/// The layer of a bed that is far from the floor and from the surface.
pub struct Layer {
    pub packing_fraction: f64,
    /// Mean contact number.
    pub contacts: f64,
    /// Mean number of spheres that support a sphere; 0 if the packing has no supports.
    pub supports: f64,
}

/// Measures the layer of a bed that has the cross-section `area`. `found` are the contacts of the bed.
pub fn layer(packing: &Packing, area: f64, found: &Contacts) -> Layer {
    let layer = [MARGIN, top(packing) - MARGIN];
    let is_inside = |&id: &usize| {
        let z = packing.spheres().centers()[id].z;
        (layer[0]..layer[1]).contains(&z)
    };
    let inside: Vec<usize> = (0..packing.spheres().len()).filter(is_inside).collect();
    let mean = |count: &dyn Fn(usize) -> usize| {
        let total: usize = inside.iter().map(|&id| count(id)).sum();
        total as f64 / inside.len() as f64
    };
    let (numbers, of) = (found.numbers(), packing.supports());
    let is_sphere = |support: &Support| matches!(support, Support::Sphere(_));
    Layer {
        packing_fraction: fraction(packing, area, layer),
        contacts: mean(&|id| numbers[id] as usize),
        supports: mean(&|id| of.map_or(0, |of| of.of(id).filter(is_sphere).count())),
    }
}

fn of(name: String, beds: &[Packing]) -> Outcome<Structure> {
    let area = SIDE * SIDE;
    let (mut layers, mut backbones) = (Vec::new(), Vec::new());
    let mut profile = vec![0.0; (EXTENT / SLICE) as usize];
    for packing in beds {
        let found = Contacts::new(packing.spheres(), packing.container(), TOLERANCE)?;
        backbones.push(mean_backbone(&found));
        layers.push(layer(packing, area, &found));
        for (slice, sum) in profile.iter_mut().enumerate() {
            let low = slice as f64 * SLICE;
            *sum += fraction(packing, area, [low, low + SLICE]) / beds.len() as f64;
        }
    }
    let middle = |slice: usize| (slice as f64 + 0.5) * SLICE;
    let mean = |value: fn(&Layer) -> f64| Mean::of(&layers.iter().map(value).collect::<Vec<_>>());
    Ok(Structure {
        name,
        packing_fraction: mean(|layer| layer.packing_fraction),
        contacts: mean(|layer| layer.contacts),
        backbone: Mean::of(&backbones),
        supports: mean(|layer| layer.supports),
        profile: (profile.into_iter().enumerate())
            .map(|(slice, fraction)| (middle(slice), fraction))
            .collect(),
    })
}
