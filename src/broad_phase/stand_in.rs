//! Stands in for `IndexKind::build`, which takes precedence as soon as it exists; then this file goes.

use glam::DVec3;

use crate::{
    container::Container,
    index::{Entry, GlobalIndex, IndexKind},
};

#[allow(dead_code)]
pub(super) trait Build {
    fn build(self, container: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex>;
}

impl Build for IndexKind {
    fn build(self, _: &Container, entries: &[Entry]) -> Box<dyn GlobalIndex> {
        Box::new(List(entries.to_vec()))
    }
}

struct List(Vec<Entry>);

impl GlobalIndex for List {
    fn insert(&mut self, entry: Entry) {
        self.0.push(entry);
    }

    fn relocate(&mut self, entry: Entry) {
        self.remove(entry.id);
        self.insert(entry);
    }

    fn remove(&mut self, id: u32) {
        if let Some(at) = self.0.iter().position(|entry| entry.id == id) {
            self.0.swap_remove(at);
        }
    }

    fn len(&self) -> usize {
        self.0.len()
    }

    fn visit_candidates(&self, _: DVec3, _: f64, visit: &mut dyn FnMut(&[Entry])) -> usize {
        visit(&self.0);
        1
    }

    fn bytes(&self) -> usize {
        super::vec_bytes(&self.0)
    }

    fn spheres_per_level(&self) -> Vec<usize> {
        vec![self.0.len()]
    }

    fn assert_well_formed(&self) {}
}
