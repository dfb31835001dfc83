//! The linked cell method.

use super::{
    BroadPhase, Tester, Work,
    cell_table::{CellTable, bounds},
    largest_diameter,
};
use crate::spheres::Spheres;

/// The linked cell method: cells of the largest diameter, each with its spheres; a sphere is tested against
/// the rest of its own cell and the 13 neighbours of the half mask.
///
/// The table of cells is bound to the number of spheres, not to the volume: dense scenes use it as the classical dense
/// array, sparse ones as a hash table. Rebuilt in every frame. Cost N for spheres of similar size.
///
/// Source: Quentrec & Brot, J. Comput. Phys. 13 (1973) 430; Hockney & Eastwood, *Computer Simulation Using Particles*
/// (1981).
#[derive(Clone, Debug, Default)]
pub struct LinkedCell {
    cells: CellTable,
}

impl LinkedCell {
    /// With no memory of any frame.
    pub fn new() -> Self {
        Self::default()
    }
}

impl BroadPhase for LinkedCell {
    fn detect(&mut self, spheres: &Spheres, report: &mut dyn FnMut(u32, u32)) -> Work {
        let mut tester = Tester::new(spheres, report);
        let Some(size) = largest_diameter(spheres) else {
            return tester.work;
        };
        let centers = spheres.centers();
        self.cells
            .lay_out(size, bounds(centers), None, spheres.len());
        self.cells.fill(0..centers.len() as u32, centers);
        self.cells.search_within(&mut tester);
        tester.work
    }

    fn bytes(&self) -> usize {
        self.cells.bytes()
    }
}
