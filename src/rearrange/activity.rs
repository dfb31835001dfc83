//! The spheres that a sweep visits.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

use crate::machine::ids::Ids;

/// The spheres that the next sweep must visit; all, until relocations have become few.
///
/// A sphere without overlap becomes inactive, and active again when a neighbor is relocated. As radii only shrink, an inactive sphere would
/// not move.
#[derive(Default)]
pub(super) struct Activity(Option<Vec<AtomicBool>>);

impl Activity {
    /// Returns whether all spheres are active, because none is marked.
    pub fn is_all(&self) -> bool {
        self.0.is_none()
    }

    /// Lets the next sweep visit all spheres.
    pub fn activate_all(&mut self) {
        self.0 = None;
    }

    /// Begins with marks of the active ones among `n` spheres: `own`, or none. The point that pads lists has a mark, too.
    pub fn begin(&mut self, n: usize, own: Option<&Ids>) {
        let mut marks: Vec<AtomicBool> = bytemuck::zeroed_vec(n + 1);
        if let Some(own) = own {
            own.write(&mut marks, |_, mark| *mark.get_mut() = true);
        }
        self.0 = Some(marks);
    }

    #[inline(always)]
    pub fn is_active(&self, id: u32) -> bool {
        let marks = self.0.as_ref();
        marks.is_none_or(|marks| marks[id as usize].load(Relaxed))
    }

    /// Makes spheres active.
    pub fn activate(&self, ids: impl IntoIterator<Item = u32>) {
        if let Some(marks) = &self.0 {
            ids.into_iter()
                .for_each(|id| marks[id as usize].store(true, Relaxed));
        }
    }

    /// Returns the marks, for visits.
    #[inline(always)]
    pub fn marks(&self) -> Option<&[AtomicBool]> {
        self.0.as_deref()
    }

    /// Returns the marks, to set them.
    pub fn marks_mut(&mut self) -> Option<&mut [AtomicBool]> {
        self.0.as_deref_mut()
    }
}
