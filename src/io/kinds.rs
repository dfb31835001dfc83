//! The kinds of the spheres of a file, such as the types of LAMMPS: the components of the packing that is read.

use std::mem;

use super::constants::MAX_KINDS;
use crate::{
    machine::ranks::Ranks,
    packing::{PackedComponent, Packing},
};

/// Names of columns that hold the kind of each sphere.
const NAMES: [&str; 9] = [
    "type",
    "types",
    "component",
    "species",
    "element",
    "clump_type",
    "phase",
    "tag",
    "compound",
];

/// Returns whether a column with this name, in upper or lower case, holds the kind of each sphere.
pub(super) fn is_kind(name: &str) -> bool {
    NAMES.iter().any(|kind| kind.eq_ignore_ascii_case(name))
}

/// The kinds of the spheres of a file. A file without them has none.
#[derive(Clone, Debug, Default)]
pub(super) struct Kinds {
    /// One component for each kind, in the order of the first spheres.
    kinds: Vec<PackedComponent>,
    /// Position of the kind of the last sphere.
    last: usize,
}

impl Kinds {
    /// Adds the kind of the next sphere, which has the number `sphere`. Further kinds than [`MAX_KINDS`] + 1 are not kept.
    pub(super) fn add(&mut self, label: &str, sphere: usize) {
        if self.kinds.len() > MAX_KINDS {
            return;
        }
        let is_same = |kind: &PackedComponent| kind.label == label;
        if !self.kinds.get(self.last).is_some_and(is_same) {
            let known = self.kinds.iter().position(is_same);
            self.last = known.unwrap_or(self.kinds.len());
            if known.is_none() {
                let kind = PackedComponent::new(label, None, Vec::new());
                self.kinds.push(kind);
            }
        }
        let spheres = &mut self.kinds[self.last].spheres;
        match spheres.last_mut() {
            Some(range) if range.end == sphere => range.end += 1,
            _ => spheres.push(sphere..sphere + 1),
        }
    }

    /// Makes the kinds of the spheres on all ranks the components of a packing. One kind is no component. Returns the sentence about kinds
    /// that are too many.
    pub(super) fn apply(self, packing: &mut Packing, ranks: &Ranks) -> Option<String> {
        let labels = self.all_labels(ranks);
        if labels.len() > MAX_KINDS {
            let what = "the kinds of the spheres are not used";
            return Some(format!("{what}: there are more than {MAX_KINDS}"));
        }
        if labels.len() > 1 {
            let mut kinds = self.kinds;
            let component = |label| {
                let own = kinds.iter_mut().find(|kind| kind.label == label);
                let spheres = own.map(|kind| mem::take(&mut kind.spheres));
                PackedComponent::new(label, None, spheres.unwrap_or_default())
            };
            packing.components = labels.into_iter().map(component).collect();
        }
        None
    }

    /// Returns the labels of the kinds on all ranks. Whole numbers are sorted, so that types keep their numbers when they are written.
    fn all_labels(&self, ranks: &Ranks) -> Vec<String> {
        let own: Vec<&str> = self.kinds.iter().map(|kind| &*kind.label).collect();
        let own = serde_json::to_vec(&own).unwrap_or_default();
        let mut labels: Vec<String> = Vec::new();
        for message in ranks.all_gather(&own) {
            let others: Vec<String> = serde_json::from_slice(&message).unwrap_or_default();
            for label in others {
                if !labels.contains(&label) {
                    labels.push(label);
                }
            }
        }
        let number = |label: &String| label.parse::<u64>().ok();
        if labels.iter().all(|label| number(label).is_some()) {
            labels.sort_by_key(number);
        }
        labels
    }
}
