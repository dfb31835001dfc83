//! Packs with a user-written global index, and compares the bits with those of a built-in one.
//!
//! `cargo run --release --example own_index`

use std::collections::HashMap;

use jostle::{
    Container, Effort, Entry, EntryError, GlobalIndex, IndexBuilder, IndexKind, PackOptions,
    Packer, Packing, glam::DVec3, index_contract,
};

type Cell = [i64; 3];

/// Equal cells in a hash table, each with the ids of the spheres whose centers it contains.
struct HashGrid {
    container: Container,
    /// Number of cells along each axis.
    counts: Cell,
    cells: HashMap<Cell, Vec<u32>>,
    /// The cell of every stored sphere.
    cell_of: HashMap<u32, Cell>,
    /// No stored sphere is larger.
    largest_radius: f64,
}

impl HashGrid {
    /// Returns the cell that contains a coordinate, without wrapping.
    fn coordinate(&self, axis: usize, x: f64) -> i64 {
        (x / self.container.lengths()[axis] * self.counts[axis] as f64).floor() as i64
    }

    fn cell(&self, center: DVec3) -> Cell {
        std::array::from_fn(|axis| {
            self.coordinate(axis, center[axis])
                .clamp(0, self.counts[axis] - 1)
        })
    }

    /// Returns the cells along an axis that come within `reach` of `x`, each once.
    fn cells_near(&self, axis: usize, x: f64, reach: f64) -> Vec<i64> {
        let count = self.counts[axis];
        let (first, last) = (
            self.coordinate(axis, x - reach),
            self.coordinate(axis, x + reach),
        );
        if !self.container.is_periodic(axis) {
            return (first.clamp(0, count - 1)..=last.clamp(0, count - 1)).collect();
        }
        // Fewer than `count` successive cells stay distinct when they are wrapped.
        (first..=last.min(first + count - 1))
            .map(|cell| cell.rem_euclid(count))
            .collect()
    }
}

impl GlobalIndex for HashGrid {
    fn insert(&mut self, entry: Entry) -> Result<(), EntryError> {
        entry.check()?;
        let id = entry.id;
        if self.contains(id) {
            return Err(EntryError::Duplicate { id });
        }
        let cell = self.cell(entry.center);
        self.cells.entry(cell).or_default().push(id);
        self.cell_of.insert(id, cell);
        self.largest_radius = self.largest_radius.max(entry.radius);
        Ok(())
    }

    fn remove(&mut self, entry: Entry) -> Result<(), EntryError> {
        entry.check()?;
        let id = entry.id;
        let cell = self.cell_of.remove(&id).ok_or(EntryError::Unknown { id })?;
        if let Some(ids) = self.cells.get_mut(&cell) {
            ids.retain(|&other| other != id);
        }
        Ok(())
    }

    fn contains(&self, id: u32) -> bool {
        self.cell_of.contains_key(&id)
    }

    fn len(&self) -> usize {
        self.cell_of.len()
    }

    fn visit_candidates(&self, center: DVec3, radius: f64, visit: &mut dyn FnMut(&[u32])) -> usize {
        let margin = 1e-12 * (self.container.lengths().max_element() + radius);
        let reach = radius + self.largest_radius + margin;
        let [xs, ys, zs] = [0, 1, 2].map(|axis| self.cells_near(axis, center[axis], reach));
        let mut opened = 0;
        for &x in &xs {
            for &y in &ys {
                for &z in &zs {
                    opened += 1;
                    if let Some(ids) = self.cells.get(&[x, y, z]) {
                        visit(ids);
                    }
                }
            }
        }
        opened
    }

    fn bytes(&self) -> usize {
        let ids: usize = self.cells.values().map(Vec::capacity).sum();
        4 * ids + 48 * self.cells.capacity() + 32 * self.cell_of.capacity()
    }
}

/// Builds a [`HashGrid`] with cells as wide as the largest sphere.
struct HashGridBuilder;

impl IndexBuilder for HashGridBuilder {
    fn name(&self) -> String {
        "hash grid".to_owned()
    }

    fn build(&self, container: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex> {
        let largest = entries.iter().map(|e| e.radius).fold(0.0, f64::max);
        let mut grid = HashGrid {
            counts: (container.lengths().to_array())
                .map(|length| (length / (2.0 * largest)).clamp(1.0, 100.0) as i64),
            container: container.clone(),
            cells: HashMap::new(),
            cell_of: HashMap::new(),
            largest_radius: largest,
        };
        for &entry in entries {
            grid.insert(entry).expect("entries are valid");
        }
        Box::new(grid)
    }
}

/// Packs 2 000 spheres of two sizes.
fn packed(index: impl IndexBuilder + 'static) -> Result<Packing, jostle::PackError> {
    let radii: Vec<f64> = (0..2000)
        .map(|i| if i % 4 == 0 { 1.0 } else { 0.5 })
        .collect();
    let options = PackOptions::default().effort(Effort::QUICK);
    let mut packer = Packer::with_index(&radii, &options, index)?;
    while packer.sweep().is_some() {}
    Ok(packer.finish().packing)
}

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // The contract tests compare the index with brute force.
    index_contract::assert_holds(&HashGridBuilder);

    let own = packed(HashGridBuilder)?;
    let builtin = packed(IndexKind::LooseOctree)?;
    assert_eq!(
        own.spheres(),
        builtin.spheres(),
        "the bits must not depend on the index"
    );
    println!(
        "{} spheres, packing fraction {:.4}, the same bits with the own index and the loose octree",
        own.spheres().len(),
        own.packing_fraction()
    );
    Ok(())
}
