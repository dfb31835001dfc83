//! The linked cell method.

use super::{
    algorithm::{BroadPhase, OperationCounts},
    cell_table::CellTable,
    extent::{bounds, largest_diameter},
    tester::Tester,
};
use crate::spheres::Spheres;

/// The linked cell method: cells of the largest diameter, each with its spheres; a sphere is tested against
/// the rest of its own cell and the 13 neighbors of the half mask.
///
/// The length of the table of cells is proportional to the number of spheres, not to the volume: dense snapshots use it as
/// the classical dense array, sparse snapshots as a hash table. It is rebuilt for each snapshot. Cost N for spheres of
/// similar size.
///
/// Source: Quentrec & Brot, J. Comput. Phys. 13 (1973) 430; Hockney & Eastwood, *Computer Simulation Using Particles*
/// (1981).
#[derive(Clone, Debug, Default)]
pub struct LinkedCell {
    cells: CellTable,
}

impl BroadPhase for LinkedCell {
    fn detect_in_phases(
        &mut self,
        snapshot: &Spheres,
        sorted: &mut dyn FnMut(),
        report: &mut dyn FnMut(u32, u32),
    ) -> OperationCounts {
        let mut tester = Tester::new(snapshot, report);
        let Some(size) = largest_diameter(snapshot) else {
            return tester.counts;
        };
        let centers = snapshot.centers();
        self.cells
            .lay_out(size, bounds(centers), None, snapshot.len());
        self.cells.fill(0..centers.len() as u32, centers);
        sorted();
        self.cells.search_within(&mut tester);
        tester.counts
    }

    fn bytes(&self) -> usize {
        self.cells.bytes()
    }
}
