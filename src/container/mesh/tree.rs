//! The triangles of a surface in a tree of bounding boxes.

use glam::DVec3;
use parry3d_f64::{
    bounding_volume::Aabb,
    math::Vector,
    partitioning::{Bvh, BvhBuildStrategy, BvhNode},
};

use super::{
    facet::{Facet, Nearest, vector},
    outline::Outlines,
};

/// Triangles in a tree of their bounding boxes.
pub(super) struct Tree {
    pub facets: Vec<Facet>,
    pub outlines: Outlines,
    boxes: Bvh,
}

impl Tree {
    /// Builds the tree of at least one triangle in a bounding box, whose low corner is the origin.
    pub fn new(triangles: impl Iterator<Item = [DVec3; 3]>, lengths: DVec3) -> Self {
        let facets: Vec<Facet> = triangles.map(Facet::new).collect();
        let boxes: Vec<Aabb> = facets.iter().map(Facet::bounds).collect();
        let longest = lengths.max_element();
        let outlines = facets.iter().map(|facet| facet.outline(longest)).collect();
        Self {
            outlines: Outlines::new(outlines, longest),
            boxes: Bvh::from_leaves(BvhBuildStrategy::Binned, &boxes),
            facets,
        }
    }

    /// Returns the triangles whose bounding boxes meet that of a triangle.
    pub fn overlapping(&self, triangle: u32) -> impl Iterator<Item = u32> {
        let bounds = self.facets[triangle as usize].bounds();
        self.boxes.leaves(move |node| {
            node.mins().cmple(bounds.maxs).all() && node.maxs().cmpge(bounds.mins).all()
        })
    }

    /// Returns the triangles whose bounding boxes meet the line through (x, y) that is parallel to z.
    pub fn along_z(&self, x: f64, y: f64) -> impl Iterator<Item = u32> {
        self.boxes.leaves(move |node| {
            let (low, high) = (node.mins(), node.maxs());
            low.x <= x && x <= high.x && low.y <= y && y <= high.y
        })
    }

    /// Returns the closest point of the surface.
    pub fn nearest(&self, p: DVec3) -> Nearest {
        self.nearest_between(p, f64::NEG_INFINITY, f64::MAX, Facet::improve)
            // No distance is smaller than the largest number: the point is not finite.
            .unwrap_or_else(|| self.facets[0].nearest(p, 0))
    }

    /// Returns the closest point of the surface if it is closer than `most`.
    pub fn nearest_within(&self, p: DVec3, most: f64) -> Option<Nearest> {
        self.nearest_between(p, f64::NEG_INFINITY, most, Facet::improve)
    }

    /// Returns the closest point of the surface, or the first one found at a distance below `least`.
    pub fn nearest_beyond(&self, p: DVec3, least: f64) -> Nearest {
        self.nearest_between(p, least, f64::MAX, Facet::improve)
            .unwrap_or_else(|| self.facets[0].nearest(p, 0))
    }

    /// Returns the closest point of the surface to a point inside if that is closer than `most`, as exact as the loop needs it.
    pub fn nearest_from_inside(&self, p: DVec3, most: f64) -> Option<Nearest> {
        self.nearest_between(p, f64::NEG_INFINITY, most, Facet::improve_from_inside)
    }

    #[inline(always)]
    fn nearest_between(
        &self,
        p: DVec3,
        least: f64,
        most: f64,
        improve: impl Fn(&Facet, DVec3, u32, &mut Nearest),
    ) -> Option<Nearest> {
        let from = vector(p);
        let bound = |node: &BvhNode, best: f64| {
            if best < least {
                f64::MAX
            } else {
                box_distance(node, from)
            }
        };
        let cost = |id: u32, best: f64| {
            let mut nearest = Nearest::bound(best);
            improve(&self.facets[id as usize], p, id, &mut nearest);
            (nearest.triangle == id).then_some((nearest.distance, nearest))
        };
        let found = self.boxes.find_best(most, bound, cost);
        found.map(|(_, (_, nearest))| nearest)
    }
}

/// Returns the distance of a point from a bounding box.
#[inline(always)]
fn box_distance(node: &BvhNode, p: Vector) -> f64 {
    (node.mins() - p)
        .max(p - node.maxs())
        .max(Vector::ZERO)
        .length()
}
