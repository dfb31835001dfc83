//! The porosity at distances from the wall of a cylinder of 20 diameters.

use jostle::{
    Boundary, Container, Effort, PackOptions, Packing, Spheres, Target,
    analysis::{Analysis, AnalysisOptions},
    glam::DVec3,
    pack,
};

use super::{correlation::de_klerk, mean::Mean, outcome::Outcome};
use crate::beds::pour::bed;

/// Diameter of the cylinder, in diameters of the spheres.
pub const RATIO: f64 = 20.0;

/// Number of packings of each kind.
pub const SEEDS: u64 = 5;

/// Packing fractions at which packings are ended early.
const FRACTIONS: [f64; 2] = [0.58, 0.6];

/// Distance from the wall, in diameters, up to which profiles are compared with the correlation.
pub const EXTENT: f64 = 5.0;

/// Distance from the wall, in diameters, beyond which the wall does not matter.
pub const CORE: f64 = 6.0;

/// Number of spheres of a poured bed, which is a few diameters higher than the measured layer.
pub const POURED: usize = 12_000;

/// Layer of a poured bed that is measured, in diameters above the floor.
const LAYER: [f64; 2] = [6.0, 30.0];

/// The mean profile of some packings.
pub struct Profile {
    pub name: String,
    pub packing_fraction: Mean,
    /// Distances from the wall, in diameters.
    pub z: Vec<f64>,
    pub porosity: Vec<Mean>,
    /// Porosity farther than [`CORE`] from the wall.
    pub bulk: Mean,
}

/// Returns the profiles of densest packings, of poured beds, and of packings that are ended early.
pub fn measure() -> Outcome<Vec<Profile>> {
    let densest = || packings(Target::Densest, 0.626);
    let mut profiles = vec![
        Profile::of("densest packings", &densest()?)?,
        Profile::of("poured beds", &poured()?)?,
    ];
    for fraction in FRACTIONS {
        let name = format!("ended at φ = {fraction}");
        profiles.push(Profile::of(
            &name,
            &packings(Target::Fraction(fraction), fraction)?,
        )?);
    }
    Ok(profiles)
}

/// Packs cylinders that are as long as they are wide and periodic along the axis. At the packing fraction `expected`, the ratio is
/// [`RATIO`].
fn packings(target: Target, expected: f64) -> Outcome<Vec<Packing>> {
    let number = (1.5 * expected * RATIO.powi(3)).round() as usize;
    let cylinder = Container::cylinder(1.0, 1.0, Boundary::Periodic)?;
    let mut packings = Vec::new();
    for seed in 0..SEEDS {
        let options = PackOptions::default()
            .container(cylinder.clone())
            .target(target)
            .effort(Effort::NORMAL)
            .seed(seed);
        packings.push(pack(vec![0.5; number], &options)?.packing);
    }
    eprintln!("packings with φ = {expected}");
    Ok(packings)
}

/// Pours beds, and takes their layers.
fn poured() -> Outcome<Vec<Packing>> {
    let beds = (0..SEEDS).map(|seed| bed(vec![0.5; POURED], &vessel()?, seed));
    beds.map(|packing| layer(&packing?)).collect()
}

/// Returns the vessel of a bed of [`POURED`] spheres.
pub fn vessel() -> Outcome<Container> {
    Ok(Container::cylinder(RATIO, 2.0 * LAYER[1], Boundary::Wall)?)
}

/// Takes the layer of a bed far from the floor and from the surface. A sphere belongs to the layer with its whole volume if its center is in
/// the layer.
pub fn layer(bed: &Packing) -> Outcome<Packing> {
    let [low, high] = LAYER;
    let layer = Container::cylinder(RATIO, high - low, Boundary::Periodic)?;
    let centers = bed.spheres().centers().iter();
    let inside = centers.filter(|center| (low..high).contains(&center.z));
    let centers: Vec<_> = inside.map(|center| center - low * DVec3::Z).collect();
    let spheres = Spheres::new(centers.clone(), vec![0.5; centers.len()]);
    Ok(Packing::new(spheres, layer))
}

impl Profile {
    pub fn of(name: &str, packings: &[Packing]) -> Outcome<Self> {
        let fractions: Vec<f64> = packings.iter().map(Packing::packing_fraction).collect();
        let ratios: Vec<f64> = packings.iter().map(|p| p.container().lengths().x).collect();
        let ratio = Mean::of(&ratios).value;
        let mut porosities = Vec::new();
        let mut bulks = Vec::new();
        for packing in packings {
            let options = AnalysisOptions::default().points(1000);
            let radius = Analysis::new(packing, &options)?.profile.radius;
            bulks.push(1.0 - within(&radius.packing_fraction, 1.0 - 2.0 * CORE / ratio));
            // From the wall to the axis.
            let porosity = radius
                .packing_fraction
                .iter()
                .rev()
                .map(|share| 1.0 - share);
            porosities.push(porosity.collect::<Vec<_>>());
        }
        let bins = porosities[0].len();
        let mean = |bin: usize| {
            let values: Vec<f64> = porosities.iter().map(|porosity| porosity[bin]).collect();
            Mean::of(&values)
        };
        Ok(Self {
            name: name.to_owned(),
            packing_fraction: Mean::of(&fractions),
            z: (0..bins)
                .map(|bin| 0.5 * ratio * (bin as f64 + 0.5) / bins as f64)
                .collect(),
            porosity: (0..bins).map(mean).collect(),
            bulk: Mean::of(&bulks),
        })
    }

    /// Returns the profile as points up to [`EXTENT`].
    pub fn points(&self) -> impl Iterator<Item = (f64, Mean)> {
        let points = self.z.iter().copied().zip(self.porosity.iter().copied());
        points.take_while(|(z, _)| *z < EXTENT)
    }

    /// Returns the root mean square difference from de Klerk's correlation, for the own porosity in the core.
    pub fn difference(&self) -> f64 {
        let squares = self
            .points()
            .map(|(z, porosity)| (porosity.value - de_klerk(z, self.bulk.value)).powi(2));
        let squares: Vec<f64> = squares.collect();
        (squares.iter().sum::<f64>() / squares.len() as f64).sqrt()
    }

    /// Returns the largest standard error of the porosity up to [`EXTENT`].
    pub fn largest_error(&self) -> f64 {
        self.points()
            .map(|(_, porosity)| porosity.error)
            .fold(0.0, f64::max)
    }
}

/// Returns the packing fraction within a share of the radius of a cylinder, from that of shells of equal width.
pub fn within(shells: &[f64], share: f64) -> f64 {
    let count = (share * shells.len() as f64) as usize;
    // Shells have areas in the ratio 1 : 3 : 5 …
    let area = |shell: usize| (2 * shell + 1) as f64;
    let solid: f64 = (0..count).map(|shell| area(shell) * shells[shell]).sum();
    solid / (0..count).map(area).sum::<f64>()
}

/// Windows of the first two minima and maxima of a profile, in diameters from the wall.
const WINDOWS: [[f64; 2]; 4] = [[0.3, 0.8], [0.8, 1.25], [1.25, 1.65], [1.65, 2.1]];

/// Returns the first two minima and maxima of a profile: distances and porosities in turn.
pub fn extrema(points: impl Iterator<Item = (f64, f64)>) -> [(f64, f64); 4] {
    let points: Vec<(f64, f64)> = points.collect();
    std::array::from_fn(|k| {
        let [low, high] = WINDOWS[k];
        let sign = if k % 2 == 0 { 1.0 } else { -1.0 };
        let inside = points.iter().filter(|(z, _)| (low..high).contains(z));
        let first = |a: &&(f64, f64), b: &&(f64, f64)| (sign * a.1).total_cmp(&(sign * b.1));
        inside
            .min_by(first)
            .copied()
            .unwrap_or((f64::NAN, f64::NAN))
    })
}

/// Headings of a profile: its porosity far from the wall, its extrema, and its difference from the correlation.
pub const EXTREMA: [&str; 6] = [
    "ε in the core",
    "first minimum",
    "first maximum",
    "second minimum",
    "second maximum",
    "difference",
];

/// Returns the extrema of a profile as cells of a table.
pub fn extrema_cells(points: impl Iterator<Item = (f64, f64)>) -> [String; 4] {
    extrema(points).map(|(z, porosity)| format!("{porosity:.3} at {z:.2}"))
}
