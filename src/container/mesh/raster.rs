//! The triangles near each cell of a grid, layer by layer.

use glam::{DVec3, Vec4};

use super::{
    constants::OUTLINE_ERROR, facet::Facet, grid::Grid, outline::Outline, surface::Surface,
};

/// The cells to which a triangle is near. Their centers are within its reach.
#[derive(Clone, Copy, PartialEq)]
pub(super) enum Region {
    /// All these cells.
    Around,
    /// The cells with a point inside the body to which the triangle may be the closest.
    Inwards,
}

/// A grid, and the triangles that may be near the cells of each layer.
pub(super) struct Raster<'a> {
    surface: &'a Surface,
    grid: &'a Grid,
    region: Region,
    /// Where the triangles of a layer start.
    starts: Vec<u32>,
    triangles: Vec<u32>,
    /// The extents of all triangles.
    extents: Vec<Extent>,
}

/// A triangle near a cell, with the square of a lower bound of its distance from the center, in units of the longest length of the
/// surface.
#[derive(Clone, Copy, Default)]
pub(super) struct Near {
    pub triangle: u32,
    pub squared: f32,
}

/// The triangles near the cells of a layer, in ascending order for each cell.
#[derive(Default)]
pub(super) struct Layer {
    /// Numbers of cells in the layer, with triangles.
    found: Vec<(u32, Near)>,
    ends: Vec<u32>,
    near: Vec<Near>,
}

impl Layer {
    /// Returns the triangles near a cell, by its number in the layer.
    pub fn cell(&self, number: usize) -> &[Near] {
        let start = number.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.near[start as usize..self.ends[number] as usize]
    }

    /// Sorts what was found by cells.
    fn sort(&mut self, cells: usize) {
        self.ends.clear();
        self.ends.resize(cells + 1, 0);
        for &(cell, _) in &self.found {
            self.ends[cell as usize + 1] += 1;
        }
        for cell in 0..cells {
            self.ends[cell + 1] += self.ends[cell];
        }
        self.near.clear();
        self.near.resize(self.found.len(), Near::default());
        // Each start becomes an end.
        for &(cell, near) in &self.found {
            let place = &mut self.ends[cell as usize];
            self.near[*place as usize] = near;
            *place += 1;
        }
    }
}

/// The cells that a triangle may be near.
struct Extent {
    /// Range of the centers.
    low: DVec3,
    high: DVec3,
    /// Greatest values of the functions of the outline at the centers.
    most: Vec4,
    /// Greatest distance from the centers, in units of the longest length.
    reach: f32,
}

impl<'a> Raster<'a> {
    /// Finds the layers of all triangles, each of which has a reach.
    pub fn new(
        surface: &'a Surface,
        grid: &'a Grid,
        region: Region,
        reach: impl Fn(u32) -> f64,
    ) -> Self {
        let mut raster = Self {
            surface,
            grid,
            region,
            starts: vec![0; grid.counts[2] + 1],
            triangles: Vec::new(),
            extents: Vec::new(),
        };
        let facets = (0..).zip(&surface.tree.facets);
        raster.extents = facets
            .map(|(id, facet)| raster.extent(id, facet, reach(id)))
            .collect();
        let layers = |extent: &Extent| grid.between(2, extent.low.z, extent.high.z);
        for layer in raster.extents.iter().flat_map(layers) {
            raster.starts[layer + 1] += 1;
        }
        for layer in 0..grid.counts[2] {
            raster.starts[layer + 1] += raster.starts[layer];
        }
        let mut places = raster.starts.clone();
        raster.triangles = vec![0; raster.starts[grid.counts[2]] as usize];
        for (id, extent) in (0..).zip(&raster.extents) {
            for layer in layers(extent) {
                let place = &mut places[layer];
                raster.triangles[*place as usize] = id;
                *place += 1;
            }
        }
        raster
    }

    /// Finds the triangles near the cells of a layer.
    pub fn layer(&self, z: usize, layer: &mut Layer) {
        layer.found.clear();
        let [start, end] = [self.starts[z], self.starts[z + 1]];
        for &id in &self.triangles[start as usize..end as usize] {
            self.add(id, z, &mut layer.found);
        }
        layer.sort(self.grid.layer_len());
    }

    /// Adds the cells of a layer that a triangle is near.
    fn add(&self, triangle: u32, z: usize, found: &mut Vec<(u32, Near)>) {
        let Self { surface, grid, .. } = *self;
        let tree = &surface.tree;
        let extent = &self.extents[triangle as usize];
        let columns = grid.between(0, extent.low.x, extent.high.x);
        let rows = grid.between(1, extent.low.y, extent.high.y);
        let outline = tree.outlines.outline(triangle);
        let local_side = (grid.side / tree.outlines.longest) as f32;
        let (step_x, step_y) = (outline.x * local_side, outline.y * local_side);
        let corner = [columns.start, rows.start, z];
        let values = outline.values(tree.outlines.local(grid.center(corner)));
        let across = step_x * (columns.len() as f32 - 1.0);
        let least = values + across.min(Vec4::ZERO);
        let (low, high) = range(least, values.x + across.x.max(0.0), step_y, extent);
        let squared_reach = extent.reach * extent.reach;
        for row in steps(low, high, rows.len()) {
            let values = values + step_y * row;
            let number = grid.counts[0] * (rows.start + row as usize) + columns.start;
            let (low, high) = range(values, values.x, step_x, extent);
            for column in steps(low, high, columns.len()) {
                let squared = Outline::squared(values + step_x * column);
                if squared <= squared_reach {
                    let cell = (number + column as usize) as u32;
                    found.push((cell, Near { triangle, squared }));
                }
            }
        }
    }

    fn extent(&self, triangle: u32, facet: &Facet, reach: f64) -> Extent {
        let outlines = &self.surface.tree.outlines;
        let per_length = 1.0 / outlines.longest;
        let bounds = facet.bounds();
        let point = |v: parry3d_f64::math::Vector| DVec3::new(v.x, v.y, v.z);
        let (low, high) = (point(bounds.mins), point(bounds.maxs));
        let local_reach = (reach * per_length + OUTLINE_ERROR) as f32;
        let ball = Extent {
            low: low - reach,
            high: high + reach,
            most: Vec4::splat(local_reach),
            reach: local_reach,
        };
        let slope = facet.edge_slope as f32;
        if self.region == Region::Around || slope.is_infinite() {
            return ball;
        }
        // How much the functions grow between the center of a cell and its corners.
        let half = (0.5 * self.grid.side * per_length) as f32;
        let spread = outlines.outline(triangle).most_change(half);
        let beside = slope * (local_reach + spread.x);
        let margin = 2.0 * OUTLINE_ERROR as f32;
        let most = spread + Vec4::new(0.0, beside, beside, beside) + margin;
        let inwards = facet.normal() * -reach;
        let wider = 0.5 * self.grid.side + f64::from(beside) * outlines.longest;
        Extent {
            low: low.min(low + inwards) - wider,
            high: high.max(high + inwards) + wider,
            most,
            reach: local_reach,
        }
    }
}

/// Returns the whole numbers from `low` to `high` that are below `count`.
#[inline(always)]
fn steps(low: f32, high: f32, count: usize) -> impl Iterator<Item = f32> {
    let end = (high as usize + 1).min(count);
    let steps = if high < 0.0 { 0..0 } else { low as usize..end };
    steps.map(|step| step as f32)
}

/// Returns the first and the last number of steps for which no function exceeds its greatest value, and the distance from the plane is
/// small enough inwards. The functions have at least the values `least` at the start, and the first one at most `most_height`.
#[inline(always)]
fn range(least: Vec4, most_height: f32, step: Vec4, extent: &Extent) -> (f32, f32) {
    const ROUNDING: f32 = 1e-2;
    const SMALLEST: Vec4 = Vec4::splat(1e-20);
    let is_level = step.abs().cmplt(SMALLEST);
    let step = Vec4::select(is_level, SMALLEST, step);
    let rises = step.cmpgt(Vec4::ZERO);
    let numbers = (extent.most - least) / step;
    // The inward distance from the plane grows where its function falls.
    let inward = (-extent.reach - most_height) / step.x;
    let (inward_low, inward_high) = if rises.test(0) {
        (inward, f32::INFINITY)
    } else {
        (f32::NEG_INFINITY, inward)
    };
    let low = Vec4::select(rises, Vec4::NEG_INFINITY, numbers).max_element();
    let high = Vec4::select(rises, numbers, Vec4::INFINITY).min_element();
    (
        (low.max(inward_low) - ROUNDING).ceil(),
        (high.min(inward_high) + ROUNDING).floor(),
    )
}
