//! The sides that triangles face, and the region that a point chooses.

use glam::DVec3;

use super::{
    error::MeshError,
    patchwork::{Patchwork, Source},
    shells::{volume, winding},
    surface::bounds,
    topology::{edges, sides},
};

/// Triangles that hang together by edges.
pub(super) struct Shell {
    /// The triangles, sorted.
    triangles: Vec<u32>,
    /// The lowest and the highest corner of the bounding box.
    low: DVec3,
    high: DVec3,
    /// A point within one of the triangles. A vertex may lie in the plane of a cap that touches no other shell.
    point: DVec3,
    /// The volume inside.
    volume: f64,
    /// Number of shells that enclose this one.
    depth: usize,
}

impl Patchwork {
    /// Turns triangles to the side that their neighbors face, and shells to the outside, or to the inside if an odd number of other shells
    /// encloses them. Returns the shells.
    ///
    /// Cost: linear in the number of triangles for one shell; for several, also each pair of shells, and the triangles of those whose
    /// bounding boxes contain a vertex of another shell.
    pub fn orient(&mut self) -> Vec<Shell> {
        let given = self.triangles.clone();
        let mut shells: Vec<Shell> = (self.turn_to_neighbors().into_iter())
            .map(|triangles| self.outward_shell(triangles))
            .collect();
        let depths: Vec<usize> = (0..shells.len())
            .map(|k| {
                let encloses =
                    |&other: &usize| other != k && self.encloses(&shells[other], shells[k].point);
                (0..shells.len()).filter(encloses).count()
            })
            .collect();
        for (shell, depth) in shells.iter_mut().zip(depths) {
            shell.depth = depth;
            if depth % 2 == 1 {
                shell
                    .triangles
                    .iter()
                    .for_each(|&triangle| self.turn(triangle));
            }
        }
        let turned = given.iter().zip(&self.triangles).zip(&self.sources);
        let of_file =
            turned.filter(|((old, new), source)| old != new && matches!(source, Source::File(_)));
        self.repairs.flipped_triangles = of_file.count() as u64;
        shells
    }

    /// Turns each triangle to the side that the first triangle of its shell faces. Returns the triangles of each shell.
    fn turn_to_neighbors(&mut self) -> Vec<Vec<u32>> {
        let count = self.triangles.len();
        // The triangle beyond each edge, and whether both run along it in the same direction.
        let mut neighbors: Vec<[Option<(u32, bool)>; 3]> = vec![[None; 3]; count];
        for edge in edges(&sides(&self.triangles)) {
            if let [a, b] = edge {
                let is_same = a.is_reversed == b.is_reversed;
                neighbors[a.triangle as usize][a.edge as usize] = Some((b.triangle, is_same));
                neighbors[b.triangle as usize][b.edge as usize] = Some((a.triangle, is_same));
            }
        }
        let mut is_turned: Vec<Option<bool>> = vec![None; count];
        let mut shells = Vec::new();
        for seed in 0..count as u32 {
            if is_turned[seed as usize].is_some() {
                continue;
            }
            is_turned[seed as usize] = Some(false);
            let mut shell = vec![seed];
            let mut next = 0;
            while let Some(&triangle) = shell.get(next) {
                next += 1;
                let turned = is_turned[triangle as usize] == Some(true);
                for (other, is_same) in neighbors[triangle as usize].into_iter().flatten() {
                    if is_turned[other as usize].is_none() {
                        is_turned[other as usize] = Some(turned != is_same);
                        shell.push(other);
                    }
                }
            }
            shell.sort_unstable();
            shells.push(shell);
        }
        for (triangle, turned) in (0..).zip(is_turned) {
            if turned == Some(true) {
                self.turn(triangle);
            }
        }
        shells
    }

    /// Turns triangles, which face one side, to the outside.
    fn outward_shell(&mut self, triangles: Vec<u32>) -> Shell {
        let corners: Vec<[DVec3; 3]> = triangles.iter().map(|&t| self.corners(t)).collect();
        let [a, b, c] = corners[0];
        let point = (a + b + c) / 3.0;
        let volume = volume(corners.iter().copied(), point);
        if volume < 0.0 {
            triangles.iter().for_each(|&triangle| self.turn(triangle));
        }
        let (low, lengths) = bounds(corners.as_flattened());
        Shell {
            triangles,
            low,
            high: low + lengths,
            point,
            volume: volume.abs(),
            depth: 0,
        }
    }

    /// Returns whether a point is inside a shell, whatever side this faces.
    fn encloses(&self, shell: &Shell, point: DVec3) -> bool {
        let is_in_box = point.cmpge(shell.low).all() && point.cmple(shell.high).all();
        let corners = shell
            .triangles
            .iter()
            .map(|&triangle| self.corners(triangle));
        is_in_box && winding(corners, point) % 2 != 0
    }

    /// Returns the innermost shell around a point.
    pub fn innermost<'a>(&self, shells: &'a [Shell], point: DVec3) -> Option<&'a Shell> {
        (shells.iter())
            .filter(|shell| self.encloses(shell, point))
            .min_by(|a, b| a.volume.total_cmp(&b.volume))
    }

    /// Keeps the region that contains a point: the innermost shell around it, turned to the outside, and the shells of the holes in it.
    ///
    /// # Errors
    /// [`MeshError::Outside`] if no shell encloses the point.
    pub fn choose(&mut self, shells: &[Shell], point: DVec3) -> Result<(), MeshError> {
        let Some(outer) = self.innermost(shells, point) else {
            return Err(MeshError::Outside { point });
        };
        let is_hole =
            |shell: &&Shell| shell.depth == outer.depth + 1 && self.encloses(outer, shell.point);
        let holes = shells.iter().filter(is_hole);
        let bounding = std::iter::once(outer).chain(holes);
        let mut kept: Vec<u32> = bounding.flat_map(|it| &it.triangles).copied().collect();
        kept.sort_unstable();
        if outer.depth % 2 == 1 {
            kept.iter().for_each(|&triangle| self.turn(triangle));
        }
        self.repairs.left_out_triangles += self.keep(&kept);
        Ok(())
    }
}
