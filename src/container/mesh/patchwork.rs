//! Triangles of a file during their repair.

use std::collections::HashSet;

use glam::DVec3;

use super::{
    constants::{CRACK, WELD},
    error::MeshError,
    exact::is_flat,
    repairs::MeshRepairs,
    soup::Soup,
    surface::bounds,
    weld::first_of_each,
};

/// Vertices and triangles, and what was changed so far.
#[derive(Clone)]
pub(super) struct Patchwork {
    pub vertices: Vec<DVec3>,
    pub triangles: Vec<[u32; 3]>,
    /// The origin of each triangle.
    pub sources: Vec<Source>,
    pub repairs: MeshRepairs,
    /// Distance at which vertices at open edges count as one.
    pub tolerance: f64,
}

/// The origin of a triangle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Source {
    /// The triangle of this number in the file, from 0.
    File(u32),
    /// The cap of an opening around this point.
    Cap(DVec3),
}

impl Patchwork {
    /// Joins vertices that are at most [`WELD`] longest lengths apart along each axis, and drops the triangles whose area is 0 then. All
    /// lengths are multiplied by `scale`.
    pub fn welded(soup: Soup, scale: f64) -> Self {
        let mut repairs = MeshRepairs::default();
        let count = soup.triangles.len() as u32;
        let mut sources: Vec<Source> = (0..count).map(Source::File).collect();
        let (low, lengths) = bounds(&soup.vertices);
        let tolerance = WELD * lengths.max_element();
        let mut welded = soup;
        if tolerance.is_normal() && lengths.is_finite() {
            let soup = std::mem::take(&mut welded);
            let joined = first_of_each(&soup.vertices, low, tolerance);
            sources.clear();
            for (triangle, number) in soup.triangles.iter().zip(0..) {
                let corners = triangle.map(|vertex| soup.vertices[joined[vertex as usize]]);
                if !is_flat(corners) {
                    welded.add(corners);
                    sources.push(Source::File(number));
                }
            }
            let others = joined.iter().enumerate();
            repairs.welded_vertices = others.filter(|&(k, &first)| k != first).count() as u64;
            repairs.dropped_triangles = u64::from(count) - sources.len() as u64;
        }
        let vertices = welded.vertices.into_iter().map(|vertex| vertex * scale);
        let tolerance = CRACK * scale * lengths.length();
        Self {
            vertices: vertices.collect(),
            triangles: welded.triangles,
            sources,
            repairs,
            tolerance,
        }
    }

    /// Returns the positions of vertices.
    pub fn at<const N: usize>(&self, vertices: [u32; N]) -> [DVec3; N] {
        vertices.map(|vertex| self.vertices[vertex as usize])
    }

    /// Returns the corners of a triangle.
    pub fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.at(self.triangles[triangle as usize])
    }

    /// Returns a normal of a triangle as long as twice its area.
    pub fn normal(&self, triangle: u32) -> DVec3 {
        let [a, b, c] = self.corners(triangle);
        (b - a).cross(c - a)
    }

    /// Turns a triangle to its other side.
    pub fn turn(&mut self, triangle: u32) {
        self.triangles[triangle as usize].swap(1, 2);
    }

    /// Drops triangles without area, and triangles with the corners of an earlier one.
    pub fn drop_useless(&mut self) {
        let mut known = HashSet::new();
        let is_useful = |&triangle: &u32| {
            let mut vertices = self.triangles[triangle as usize];
            vertices.sort_unstable();
            !is_flat(self.corners(triangle)) && known.insert(vertices)
        };
        let count = self.triangles.len() as u32;
        let kept: Vec<u32> = (0..count).filter(is_useful).collect();
        self.repairs.dropped_triangles += self.keep(&kept);
    }

    /// Removes all triangles but these, which are sorted. Returns the number of removed ones.
    pub fn keep(&mut self, kept: &[u32]) -> u64 {
        let removed = self.triangles.len() - kept.len();
        let kept = || kept.iter().map(|&triangle| triangle as usize);
        self.triangles = kept().map(|k| self.triangles[k]).collect();
        self.sources = kept().map(|k| self.sources[k]).collect();
        removed as u64
    }

    /// Removes vertices that no triangle has.
    pub fn drop_vertices(&mut self) {
        const NONE: u32 = u32::MAX;
        let mut numbers = vec![NONE; self.vertices.len()];
        let mut used = Vec::new();
        for vertex in self.triangles.as_flattened_mut() {
            let number = &mut numbers[*vertex as usize];
            if *number == NONE {
                *number = used.len() as u32;
                used.push(self.vertices[*vertex as usize]);
            }
            *vertex = *number;
        }
        self.vertices = used;
    }

    /// Replaces the numbers of triangles in an error by those in the file.
    pub fn explain(&self, error: MeshError) -> MeshError {
        let source = |number: usize| self.sources.get(number - 1).copied();
        if let MeshError::Intersecting { first, second } = error
            && let (Some(Source::Cap(place)), other) | (other, Some(Source::Cap(place))) =
                (source(first), source(second))
        {
            let triangle = match other {
                Some(Source::File(number)) => Some(number as usize + 1),
                _ => None,
            };
            return MeshError::Cap { place, triangle };
        }
        error.with_triangles(|number| match source(number) {
            Some(Source::File(number)) => number as usize + 1,
            _ => number,
        })
    }
}
