//! Spheres in a periodic cube, and contact searches among them.

use std::rc::Rc;

use jostle::{
    Boundaries, Container, Effort, PackOptions, Spheres, Target,
    distribution::{PowerLaw, Sampling, SizeDistribution},
    laboratory::broad_phase::{HGridSearch, SortedHGrid},
    laboratory::compare::{random_spheres, search, whole_cells},
    pack,
    tuning::{CostModel, Dimension, RadiusLaw, Search, SearchTiming, optimal},
};

use super::figures::Result;

/// Overhead factor K of the papers.
pub const OVERHEAD: f64 = 0.2;
/// Number of times that each search is timed, unless the total time reaches [`LONG_SECONDS`] first. More repetitions remove
/// more of the noise of other programs.
pub const REPEATS: usize = 12;
/// Time in seconds after which a search is not repeated.
pub const LONG_SECONDS: f64 = 2.0;
/// Number of spheres in most tables.
pub const MANY: usize = 50_000;
/// Largest number of spheres.
pub const MOST: usize = 1_000_000;

/// Packings made so far. Several tables show the largest packings.
#[derive(Default)]
pub struct Scenes(Vec<([f64; 4], Rc<Scene>)>);

impl Scenes {
    pub fn packed(
        &mut self,
        exponent: f64,
        size_ratio: f64,
        count: usize,
        packing_fraction: f64,
    ) -> Result<Rc<Scene>> {
        // Equal spheres have no exponent.
        let exponent = if size_ratio == 1.0 { 0.0 } else { exponent };
        let key = [exponent, size_ratio, count as f64, packing_fraction];
        if let Some((_, scene)) = self.0.iter().find(|(other, _)| *other == key) {
            return Ok(Rc::clone(scene));
        }
        let radii = radii(exponent, size_ratio, count)?;
        let scene = Rc::new(Scene::packed(&radii, packing_fraction)?);
        self.0.push((key, Rc::clone(&scene)));
        Ok(scene)
    }
}

/// Spheres in a periodic cube, with the distribution of their radii.
pub struct Scene {
    pub spheres: Spheres,
    pub container: Container,
    pub law: RadiusLaw,
}

impl Scene {
    fn new(spheres: Spheres, container: Container) -> Result<Self> {
        let law = RadiusLaw::from_radii(spheres.radii())?;
        Ok(Self {
            spheres,
            container,
            law,
        })
    }

    pub fn packed(radii: &[f64], packing_fraction: f64) -> Result<Self> {
        let scene = Self::packed_in(Boundaries::PERIODIC, radii, packing_fraction)?;
        let reached = scene.packing_fraction();
        if reached < 0.99 * packing_fraction {
            return Err(format!("packed to {reached} instead of {packing_fraction}").into());
        }
        Ok(scene)
    }

    /// Packs spheres between walls. Few spheres may not reach the packing fraction.
    pub fn packed_between_walls(radii: &[f64], packing_fraction: f64) -> Result<Self> {
        Self::packed_in(Boundaries::WALLS, radii, packing_fraction)
    }

    fn packed_in(boundaries: Boundaries, radii: &[f64], packing_fraction: f64) -> Result<Self> {
        let options = PackOptions::default()
            .container(boundaries)
            .target(Target::Fraction(packing_fraction))
            .effort(Effort::QUICK);
        let packing = pack(radii, &options)?.packing;
        Self::new(packing.spheres().clone(), packing.container().clone())
    }

    pub fn random(radii: &[f64], packing_fraction: f64) -> Result<Self> {
        let (spheres, container) = random_spheres(radii, packing_fraction, 1)?;
        Self::new(spheres, container)
    }

    /// Replaces the faces of the container by walls.
    pub fn into_walls(self) -> Result<Self> {
        let container = Container::cuboid(self.container.lengths(), Boundaries::WALLS)?;
        Ok(Self { container, ..self })
    }

    /// Returns the volume of the spheres over the volume of the container.
    pub fn packing_fraction(&self) -> f64 {
        self.spheres.volume() / self.container.volume()
    }

    /// Returns the optimal sizes for K of the papers, as whole cells.
    pub fn tuned(&self) -> Result<Vec<f64>> {
        Ok(self.whole(&optimal(&self.model(OVERHEAD)?, Search::TopDown)))
    }

    pub fn model(&self, overhead: f64) -> Result<CostModel<'_>> {
        Ok(CostModel::new(
            &self.law,
            Dimension::Three,
            self.packing_fraction(),
            overhead,
        )?)
    }

    /// Returns the sizes of whole cells that fill the cube, in units of the smallest radius. Between walls, cells of any size
    /// extend beyond the cube.
    pub fn whole(&self, sizes: &[f64]) -> Vec<f64> {
        if !self.container.is_periodic(0) {
            return sizes.to_vec();
        }
        whole_cells(
            self.container.lengths().x / self.law.smallest_radius(),
            sizes,
        )
    }

    pub fn grid(&self, sizes: &[f64]) -> Result<SortedHGrid> {
        let smallest = self.law.smallest_radius();
        let mut sizes: Vec<f64> = sizes.iter().map(|size| size * smallest).collect();
        // Rounding must not leave the largest sphere without a level.
        *sizes.last_mut().ok_or("there is no level")? *= 1.0 + 1e-12;
        Ok(SortedHGrid::new(sizes, HGridSearch::TopDown)?.in_container(self.container.clone()))
    }

    /// Returns the counted work per sphere: overlap tests, cell accesses, and T.
    pub fn counted(&self, sizes: &[f64]) -> Result<[f64; 3]> {
        Ok(self.per_sphere(&search(&mut self.grid(sizes)?, &self.spheres)))
    }

    /// Returns the predicted work per sphere: overlap tests, cell accesses, and T.
    pub fn predicted(&self, sizes: &[f64]) -> Result<[f64; 3]> {
        let levels = self.model(OVERHEAD)?.levels(sizes, Search::TopDown)?;
        let tests: f64 = levels.iter().map(|level| level.collision_work).sum();
        let accesses: f64 = levels.iter().map(|level| level.access_work).sum();
        Ok([tests, accesses, tests + OVERHEAD * accesses])
    }

    /// Returns the work of a search per sphere: overlap tests, cell accesses, and T.
    pub fn per_sphere(&self, timing: &SearchTiming) -> [f64; 3] {
        let count = self.spheres.len() as f64;
        let (tests, accesses) = (timing.pair_tests / count, timing.cell_accesses / count);
        [tests, accesses, tests + OVERHEAD * accesses]
    }

    /// Returns the fastest of several searches for each choice of levels. The choices take turns.
    pub fn timed(&self, choices: &[Vec<f64>]) -> Result<Vec<SearchTiming>> {
        let mut grids: Vec<SortedHGrid> = choices
            .iter()
            .map(|sizes| self.grid(sizes))
            .collect::<Result<_>>()?;
        let mut fastest: Vec<SearchTiming> = grids
            .iter_mut()
            .map(|grid| search(grid, &self.spheres))
            .collect();
        for turn in 1..REPEATS {
            for (grid, fastest) in grids.iter_mut().zip(&mut fastest) {
                if turn as f64 * fastest.seconds < LONG_SECONDS {
                    let timing = search(grid, &self.spheres);
                    if timing.seconds < fastest.seconds {
                        *fastest = timing;
                    }
                }
            }
        }
        Ok(fastest)
    }
}

/// Returns a stratified sample of radii with f(r) ∝ r^α; equal radii for ω = 1.
pub fn radii(exponent: f64, size_ratio: f64, count: usize) -> Result<Vec<f64>> {
    if size_ratio == 1.0 {
        return Ok(vec![1.0; count]);
    }
    let law = SizeDistribution::PowerLaw(PowerLaw::new(exponent, 2.0, 2.0 * size_ratio)?);
    let sample = law.sample_number(count, Sampling::Stratified, 0);
    Ok(sample.diameters.into_iter().map(|d| 0.5 * d).collect())
}
