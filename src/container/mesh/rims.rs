//! Rims of vessels with thick walls: flat rings of triangles at which the walls of a cavity end.

use std::collections::BTreeMap;

use glam::DVec3;

use super::{
    error::MeshError,
    patchwork::Patchwork,
    topology::{edges, sides},
};

/// The triangles beyond the edges of each triangle.
type Beside = Vec<Vec<u32>>;

impl Patchwork {
    /// Removes the rims at which the cavity around a point is open, so that caps can close the cavity there. Without such a cavity, no rim is
    /// removed.
    ///
    /// A rim is a flat region of triangles with several loops of edges, beside which the surface lies on one side of its plane. The removed rims
    /// are as few as the cavity needs: a flat ring within the cavity stays.
    ///
    /// Cost: that of [`Patchwork::orient`] for each rim.
    ///
    /// # Errors
    /// The errors of [`Patchwork::cap_openings`].
    pub fn open_rims(&mut self, point: DVec3) -> Result<(), MeshError> {
        let mut rims = self.rims();
        if rims.is_empty() || !self.is_closed_around(point, &rims)? {
            return Ok(());
        }
        let mut k = 0;
        while k < rims.len() {
            let rim = rims.remove(k);
            if !self.is_closed_around(point, &rims)? {
                rims.insert(k, rim);
                k += 1;
            }
        }
        self.repairs.left_out_triangles += self.without(&rims);
        Ok(())
    }

    /// Returns whether a shell encloses a point when these rims are removed, and all openings are closed by caps.
    fn is_closed_around(&self, point: DVec3, rims: &[Vec<u32>]) -> Result<bool, MeshError> {
        let mut opened = self.clone();
        opened.without(rims);
        opened.cap_openings()?;
        let shells = opened.orient();
        Ok(opened.innermost(&shells, point).is_some())
    }

    /// Removes the triangles of rims. Returns their number.
    fn without(&mut self, rims: &[Vec<u32>]) -> u64 {
        let mut is_kept = vec![true; self.triangles.len()];
        for &triangle in rims.iter().flatten() {
            is_kept[triangle as usize] = false;
        }
        let kept: Vec<u32> = (0..)
            .zip(&is_kept)
            .filter_map(|(k, kept)| kept.then_some(k))
            .collect();
        self.keep(&kept)
    }

    /// Returns the rims, each as its triangles.
    fn rims(&self) -> Vec<Vec<u32>> {
        let mut beside: Beside = vec![Vec::new(); self.triangles.len()];
        for edge in edges(&sides(&self.triangles)) {
            if let [a, b] = edge {
                beside[a.triangle as usize].push(b.triangle);
                beside[b.triangle as usize].push(a.triangle);
            }
        }
        // The plane of a large triangle is the most exact one.
        let mut seeds: Vec<(f64, u32)> = (0..self.triangles.len() as u32)
            .map(|triangle| (self.normal(triangle).length(), triangle))
            .collect();
        seeds.sort_by(|a, b| b.0.total_cmp(&a.0));
        let mut is_found = vec![false; self.triangles.len()];
        let mut rims = Vec::new();
        for (_, seed) in seeds {
            if !is_found[seed as usize] {
                rims.extend(self.rim(seed, &beside, &mut is_found));
            }
        }
        rims
    }

    /// Returns the flat region around a triangle, if it is a rim.
    fn rim(&self, seed: u32, beside: &Beside, is_found: &mut [bool]) -> Option<Vec<u32>> {
        let (origin, normal) = (self.corners(seed)[0], self.normal(seed).normalize());
        let height = |point: DVec3| (point - origin).dot(normal);
        let is_flat = |triangle: u32| {
            self.corners(triangle)
                .iter()
                .all(|&p| height(p).abs() <= self.tolerance)
        };
        is_found[seed as usize] = true;
        let mut region = vec![seed];
        let mut around = Vec::new();
        let mut next = 0;
        while let Some(&triangle) = region.get(next) {
            next += 1;
            for &other in &beside[triangle as usize] {
                if !is_flat(other) {
                    around.push(other);
                } else if !is_found[other as usize] {
                    is_found[other as usize] = true;
                    region.push(other);
                }
            }
        }
        // The corner farthest from the plane tells the side of a triangle.
        let side = |&triangle: &u32| {
            let heights = self.corners(triangle).map(height);
            heights
                .into_iter()
                .max_by(|a, b| a.abs().total_cmp(&b.abs()))
        };
        let mut signs = around.iter().filter_map(side).map(f64::is_sign_positive);
        let first = signs.next()?;
        (signs.all(|sign| sign == first) && self.loops(&region) > 1).then_some(region)
    }

    /// Returns the number of loops of edges around triangles; 0 if loops touch.
    fn loops(&self, region: &[u32]) -> usize {
        let triangles: Vec<[u32; 3]> = region.iter().map(|&t| self.triangles[t as usize]).collect();
        let mut beside: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for edge in edges(&sides(&triangles)).filter(|edge| edge.len() == 1) {
            let [a, b] = edge[0].ends();
            beside.entry(a).or_default().push(b);
            beside.entry(b).or_default().push(a);
        }
        if beside.values().any(|others| others.len() != 2) {
            return 0;
        }
        let mut loops = 0;
        while let Some((_, mut others)) = beside.pop_first() {
            loops += 1;
            while let Some(next) = others.iter().find_map(|other| beside.remove(other)) {
                others = next;
            }
        }
        loops
    }
}
