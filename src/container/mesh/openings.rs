//! Openings: loops of open edges, and the flat caps that close them.

use std::collections::{BTreeMap, BTreeSet};

use glam::DVec3;

use super::{
    constants::PLANAR,
    error::MeshError,
    patchwork::{Patchwork, Source},
    polygon,
    topology::{Side, edges, fault, open_edges, sides},
};

/// Open edges that hang together.
struct Opening {
    /// The vertices, along the edges if [`Self::is_loop`].
    vertices: Vec<u32>,
    edges: usize,
    /// Sum of the lengths of the edges.
    length: f64,
    /// Whether two edges meet at each vertex.
    is_loop: bool,
}

/// The triangles that close an opening, or the reason why there are none.
type Cap = Result<Vec<[u32; 3]>, &'static str>;

/// Returns an opening that cannot be closed, if there is any, or else the longest.
fn worst(openings: &[(Opening, Cap)]) -> Option<&(Opening, Cap)> {
    openings.iter().max_by(|(a, first), (b, second)| {
        let by_fault = first.is_err().cmp(&second.is_err());
        by_fault.then(a.length.total_cmp(&b.length))
    })
}

impl Patchwork {
    /// Rejects openings.
    ///
    /// # Errors
    /// [`MeshError`] about an opening, or about an edge of more than two triangles.
    pub fn reject_openings(&self) -> Result<(), MeshError> {
        let found = self.find_openings()?;
        worst(&found).map_or(Ok(()), |worst| Err(self.error(worst, found.len())))
    }

    /// Closes all openings by flat caps.
    ///
    /// # Errors
    /// [`MeshError`] about an opening that no cap can close, or about an edge of more than two triangles.
    pub fn cap_openings(&mut self) -> Result<(), MeshError> {
        let found = self.find_openings()?;
        if let Some(worst) = worst(&found).filter(|(_, cap)| cap.is_err()) {
            return Err(self.error(worst, found.len()));
        }
        for (opening, cap) in found {
            let source = Source::Cap(self.place(&opening));
            for triangle in cap.unwrap_or_default() {
                self.triangles.push(triangle);
                self.sources.push(source);
            }
        }
        Ok(())
    }

    /// Counts the caps, and measures their area.
    pub fn count_caps(&mut self) {
        let mut caps = Vec::new();
        for (triangle, source) in (0..).zip(&self.sources) {
            if let Source::Cap(_) = source {
                self.repairs.capped_area += 0.5 * self.normal(triangle).length();
                caps.push(source);
            }
        }
        // The triangles of a cap follow each other.
        caps.dedup();
        self.repairs.capped_openings = caps.len() as u64;
    }

    /// Returns the openings with their caps.
    fn find_openings(&self) -> Result<Vec<(Opening, Cap)>, MeshError> {
        let sides = sides(&self.triangles);
        if let Some(crowded) = edges(&sides).find(|edge| edge.len() > 2) {
            return Err(fault(&self.vertices, crowded));
        }
        let open: Vec<[u32; 2]> = open_edges(&sides).map(Side::ends).collect();
        let with_cap = |opening: Opening| {
            let cap = self.cap(&opening);
            (opening, cap)
        };
        Ok(self.openings(&open).into_iter().map(with_cap).collect())
    }

    /// Returns the error about one of several openings.
    fn error(&self, (opening, cap): &(Opening, Cap), count: usize) -> MeshError {
        MeshError::Opening {
            count,
            edges: opening.edges,
            length: opening.length,
            place: self.place(opening),
            fault: cap.as_ref().err().copied(),
        }
    }

    /// Returns the openings with these edges.
    fn openings(&self, open: &[[u32; 2]]) -> Vec<Opening> {
        let mut beside: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for &[a, b] in open {
            beside.entry(a).or_default().push(b);
            beside.entry(b).or_default().push(a);
        }
        let mut is_found = BTreeSet::new();
        let mut openings = Vec::new();
        for &start in beside.keys() {
            let mut vertices = Vec::new();
            let mut pending = vec![start];
            // The last neighbor comes first, which lists a loop along its edges.
            while let Some(vertex) = pending.pop() {
                if is_found.insert(vertex) {
                    vertices.push(vertex);
                    pending.extend(&beside[&vertex]);
                }
            }
            if vertices.is_empty() {
                continue;
            }
            let mut opening = Opening {
                is_loop: vertices.iter().all(|vertex| beside[vertex].len() == 2),
                vertices,
                edges: 0,
                length: 0.0,
            };
            for &from in &opening.vertices {
                for &to in beside[&from].iter().filter(|&&to| to > from) {
                    let [a, b] = self.at([from, to]);
                    opening.edges += 1;
                    opening.length += (b - a).length();
                }
            }
            openings.push(opening);
        }
        openings
    }

    /// Returns the positions of the vertices around an opening.
    fn points(&self, opening: &Opening) -> Vec<DVec3> {
        let vertices = opening.vertices.iter();
        vertices.map(|&v| self.vertices[v as usize]).collect()
    }

    /// Returns the mean of the vertices around an opening.
    fn center(&self, opening: &Opening) -> DVec3 {
        let sum: DVec3 = self.points(opening).into_iter().sum();
        sum / opening.vertices.len() as f64
    }

    /// Returns the mean of the vertices around an opening for messages, without the rounding errors of coordinates that are 0.
    fn place(&self, opening: &Opening) -> DVec3 {
        let center = self.center(opening);
        let rounding = self.tolerance;
        DVec3::select(
            center.abs().cmple(DVec3::splat(rounding)),
            DVec3::ZERO,
            center,
        )
    }

    /// Returns the triangles that close an opening, or why there are none.
    fn cap(&self, opening: &Opening) -> Cap {
        if !opening.is_loop {
            return Err("touches itself or another opening");
        }
        let points = self.points(opening);
        let center = self.center(opening);
        let around: Vec<DVec3> = points.iter().map(|&point| point - center).collect();
        let next = around.iter().cycle().skip(1);
        // Twice the area, by Newell's method.
        let area: DVec3 = around.iter().zip(next).map(|(a, b)| a.cross(*b)).sum();
        let rounding = self.tolerance;
        let Some(normal) = area
            .try_normalize()
            .filter(|_| area.length() > rounding * opening.length)
        else {
            return Err("encloses no area");
        };
        let extent = around.iter().map(|p| p.length()).fold(0.0, f64::max);
        let tolerance = (PLANAR * extent).max(rounding);
        if around.iter().any(|p| p.dot(normal).abs() > tolerance) {
            return Err("lies in no plane");
        }
        let triangles = polygon::triangles_across(normal, &points);
        let area_of = |[a, b, c]: [usize; 3]| {
            let [a, b, c] = [a, b, c].map(|k| around[k]);
            (b - a).cross(c - a).length()
        };
        let covered: f64 = triangles.iter().copied().map(area_of).sum();
        let is_covered = (covered / area.length() - 1.0).abs() <= PLANAR;
        if triangles.len() + 2 != around.len() || !is_covered {
            return Err("crosses itself");
        }
        let vertices = triangles
            .into_iter()
            .map(|t| t.map(|k| opening.vertices[k]));
        Ok(vertices.collect())
    }
}
