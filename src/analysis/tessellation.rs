//! The radical tessellation: the part of the container that belongs to each sphere.

use glam::DVec3;

use super::{
    adjacency::{Adjacency, by_task},
    cells::{Level, levels},
    constants::{FIRST_REACH, MOST_WALL_PLANES, REACH_GROWTH, WALL_PRECISION},
    error::AnalysisError,
    polyhedron::Polyhedron,
    scene::Scene,
    volumes::ball,
};
use crate::{container::Container, dimension::Dimension, spheres::Spheres};

/// Returns the volume of the cell of each sphere in the radical tessellation, in the caller's unit cubed; the area of the cell of
/// each disk in the plane.
///
/// The cell of a sphere has the points of the container whose power distance, `distance² − radius²`, from this sphere is the smallest. Of
/// spheres without overlap, each lies in its own cell. Cells fill the container: their volumes add up to that of a box. A cell at a
/// curved wall is cut by planes that touch the wall, until no corner is beyond the wall by more than 10⁻³ radii: its volume is too large
/// by up to this depth at the wall. The volume is 0 for a sphere to which no point belongs, because other spheres overlap it.
///
/// The local packing fraction of a sphere is its volume divided by that of its cell.
///
/// # Cost
/// O(N) for a given size distribution, on rayon's threads. A sphere searches in one grid for each octave of radii, so that few spheres
/// are visited at any size ratio.
///
/// # Errors
/// [`AnalysisError`] if a center or a radius is not accepted, or if very many spheres overlap at one place. It is also returned if the
/// container has bodies or is a mesh, whose cells need not be convex.
///
/// # Reference
/// B. J. Gellatly & J. L. Finney, Characterisation of models of multicomponent amorphous metals: the radical alternative to the Voronoi
/// polyhedron, J. Non-Cryst. Solids 50 (1982) 313.
///
/// # Example
/// ```
/// use jostle::{Container, Spheres, analysis::cell_volumes, glam::DVec3};
///
/// let container = Container::cuboid(DVec3::new(4.0, 1.0, 1.0), "www".parse()?)?;
/// let centers = vec![DVec3::new(1.0, 0.5, 0.5), DVec3::new(3.0, 0.5, 0.5)];
/// let volumes = cell_volumes(&Spheres::new(centers, vec![0.5, 0.25]), &container)?;
/// // The plane is at x = 2 + (0.5² − 0.25²) / (2 · 2).
/// assert!((volumes[0] - 2.046875).abs() < 1e-12 && (volumes[1] - 1.953125).abs() < 1e-12);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn cell_volumes(spheres: &Spheres, container: &Container) -> Result<Vec<f64>, AnalysisError> {
    volumes(&Scene::new(spheres, container)?)
}

/// Returns the local packing fraction of each sphere: its volume divided by that of its [cell](cell_volumes), infinite for a sphere without
/// a cell.
///
/// # Cost
/// That of [`cell_volumes`].
///
/// # Errors
/// The errors of [`cell_volumes`].
pub fn local_densities(
    spheres: &Spheres,
    container: &Container,
) -> Result<Vec<f64>, AnalysisError> {
    densities(&Scene::new(spheres, container)?)
}

/// Returns the local packing fractions of the spheres of a scene.
pub(super) fn densities(scene: &Scene) -> Result<Vec<f64>, AnalysisError> {
    let cells = scene.radii.iter().zip(volumes(scene)?);
    Ok(cells
        .map(|(&radius, cell)| ball(scene.dimension(), radius) / cell)
        .collect())
}

/// Returns the volumes of the cells of the spheres of a scene.
fn volumes(scene: &Scene) -> Result<Vec<f64>, AnalysisError> {
    if !scene.container.is_convex() {
        return Err(AnalysisError::NotConvex);
    }
    let levels = levels(scene);
    // Rejects spheres that overlap so much that a search would visit all of them.
    Adjacency::new(scene, &levels, 0.0)?;
    let parts = by_task(0..scene.len(), |ids| {
        let mut search = Search::new(scene, &levels);
        ids.map(|id| search.cell(id).volume() / scene.thickness(id))
            .collect::<Vec<f64>>()
    });
    Ok(parts.concat())
}

impl Scene<'_> {
    /// Returns the thickness of the prism that represents the cell of a disk, and 1 in space. A prism about as thick as wide keeps all digits.
    fn thickness(&self, id: usize) -> f64 {
        match self.dimension() {
            Dimension::Two => self.radii[id],
            Dimension::Three => 1.0,
        }
    }
}

/// The search for the planes between a sphere and the spheres near it.
struct Search<'a> {
    scene: &'a Scene<'a>,
    levels: &'a [Level],
    planes: Vec<Plane>,
    cell: Polyhedron,
}

/// The plane of equal power distance from a sphere, which is the origin, and another one.
#[derive(Clone, Copy)]
struct Plane {
    /// Direction to the other sphere.
    normal: DVec3,
    offset: f64,
}

impl<'a> Search<'a> {
    fn new(scene: &'a Scene<'a>, levels: &'a [Level]) -> Self {
        Self {
            scene,
            levels,
            planes: Vec::new(),
            cell: Polyhedron::default(),
        }
    }

    /// Returns the cell of a sphere, whose center is the origin.
    fn cell(&mut self, id: usize) -> &Polyhedron {
        self.start_cell(id);
        let mut known = f64::NEG_INFINITY;
        let mut limit = FIRST_REACH * self.scene.radii[id];
        loop {
            if !self.find_planes(id, known, limit) {
                self.cell.clear();
                return &self.cell;
            }
            for plane in &self.planes {
                if plane.offset >= self.cell.reach() {
                    break;
                }
                self.cell.cut(plane.normal, plane.offset);
            }
            let reach = self.cell.reach();
            if limit >= reach {
                break;
            }
            known = limit;
            limit = reach.min(REACH_GROWTH * limit);
        }
        if !self.scene.container.is_bounding_box() {
            self.cut_by_walls(id);
        }
        &self.cell
    }

    /// Starts with the bounding box of the container, or the points that are nearer than to an image of the sphere along periodic axes.
    fn start_cell(&mut self, id: usize) {
        let (container, center) = (self.scene.container, self.scene.centers[id]);
        let (mut low, mut high) = (-center, container.lengths() - center);
        for axis in 0..3 {
            if container.is_periodic(axis) {
                let half = 0.5 * container.lengths()[axis];
                (low[axis], high[axis]) = (-half, half);
            }
        }
        if self.scene.dimension() == Dimension::Two {
            high.z = 0.5 * self.scene.thickness(id);
            low.z = -high.z;
        }
        self.cell.set_cuboid(low, high);
    }

    /// Finds the planes whose offsets are above `known` and at most `limit`, sorted by the offset. Returns whether the sphere has a cell: of
    /// spheres with one center, only the first of the largest ones has one.
    fn find_planes(&mut self, id: usize, known: f64, limit: f64) -> bool {
        let scene = self.scene;
        let (center, radius) = (scene.centers[id], scene.radii[id]);
        let (planes, mut has_cell) = (&mut self.planes, true);
        planes.clear();
        for level in self.levels {
            // A plane has an offset of at most `limit` if `distance² − 2 limit · distance + radius² − other² ≤ 0`.
            let squared = limit * limit - radius * radius + level.largest * level.largest;
            if squared < 0.0 {
                continue;
            }
            let reach = limit + squared.sqrt();
            let images = if 2.0 * reach < scene.periods.min_element() {
                1
            } else {
                8
            };
            level.grid.visit(center, reach, |other, at| {
                let other = other as usize;
                if other == id {
                    return;
                }
                let nearest = scene.displacement(center, at);
                let larger = scene.radii[other];
                if nearest == DVec3::ZERO && (larger, id) > (radius, other) {
                    has_cell = false;
                }
                for image in (0..images).filter_map(|image| image_of(nearest, scene.periods, image))
                {
                    let distance = image.length();
                    let offset =
                        0.5 * (distance + (radius - larger) * (radius + larger) / distance);
                    if offset > known && offset <= limit {
                        let normal = image / distance;
                        planes.push(Plane { normal, offset });
                    }
                }
            });
        }
        planes.sort_by(|a, b| a.offset.total_cmp(&b.offset));
        has_cell
    }

    /// Cuts the cell by planes that touch curved walls.
    fn cut_by_walls(&mut self, id: usize) {
        let (container, center) = (self.scene.container, self.scene.centers[id]);
        let precision = WALL_PRECISION * self.scene.radii[id];
        for _ in 0..MOST_WALL_PLANES {
            let beyond = self.cell.corners().map(|corner| {
                let (gap, outwards) = container.nearest_wall(center + corner);
                (-gap, outwards, corner)
            });
            let farthest = beyond.max_by(|a, b| a.0.total_cmp(&b.0));
            match farthest {
                Some((depth, outwards, corner)) if depth > precision => {
                    self.cell.cut(outwards, outwards.dot(corner) - depth);
                }
                _ => return,
            }
        }
    }
}

/// Returns an image of a point by its number from 0, the nearest one, to 7: each bit moves it to the other side along an axis. `None` along
/// an axis with walls. Images that are farther away along an axis cut nothing that these images leave.
fn image_of(nearest: DVec3, periods: DVec3, number: usize) -> Option<DVec3> {
    let mut image = nearest;
    for axis in (0..3).filter(|axis| (number >> axis) & 1 == 1) {
        image[axis] -= periods[axis].copysign(nearest[axis]);
    }
    image.is_finite().then_some(image)
}
