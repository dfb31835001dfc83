//! The course of a run in few numbers.

use super::{
    constants::HISTORY_POINTS,
    panel::{Axis, Panel},
};
use crate::rearrange::Progress;

/// The course of a run: packing fraction and overlap after at most 200 sweeps, evenly spaced.
///
/// # Example
/// ```
/// use std::ops::ControlFlow;
///
/// use jostle::{Effort, PackOptions, rearrange::{Progress, pack_observed}, report::History};
///
/// let mut history = History::default();
/// let mut observer = |progress: &Progress| {
///     history.record(progress);
///     ControlFlow::Continue(())
/// };
/// pack_observed(&[0.5; 100], &PackOptions::default().effort(Effort::QUICK), &mut observer)?;
/// assert!((10..=200).contains(&history.len()));
/// # Ok::<(), jostle::rearrange::PackError>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct History {
    /// Sweeps are recorded whose numbers are multiples of 2 to this power.
    thinning: u32,
    /// Number of the sweep, packing fraction, mean overlap.
    points: Vec<[f64; 3]>,
}

impl History {
    /// Records the progress after a sweep. It must receive every sweep.
    pub fn record(&mut self, progress: &Progress) {
        if !progress.sweeps.is_multiple_of(1 << self.thinning) {
            return;
        }
        let sweep = progress.sweeps as f64;
        self.points
            .push([sweep, progress.packing_fraction, progress.mean_overlap]);
        if self.points.len() == HISTORY_POINTS {
            self.thinning += 1;
            let step = (1_u64 << self.thinning) as f64;
            self.points.retain(|point| point[0] % step == 0.0);
        }
    }

    /// Returns the number of recorded sweeps.
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Returns whether no sweep is recorded.
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }

    /// Returns which sweeps are recorded, in words: a run that was continued from a checkpoint lacks the first ones.
    fn extent(&self) -> String {
        let first = self.points.first().map_or(0.0, |point| point[0]);
        if first > (1_u64 << self.thinning) as f64 {
            format!("from sweep {first} on, where the run was continued")
        } else {
            "during the run".to_owned()
        }
    }

    /// Returns the figures of the run.
    pub(super) fn panels(&self) -> Vec<Panel> {
        let [sweeps, fractions, overlaps] = [0, 1, 2].map(|part| {
            self.points
                .iter()
                .map(|point| point[part])
                .collect::<Vec<_>>()
        });
        let x = || Axis::from_zero("sweeps");
        let extent = self.extent();
        let y = Axis::linear("packing fraction");
        let fraction = Panel::new(format!("Packing fraction {extent}"), x(), y);
        let y = Axis::log("mean relative overlap");
        let overlap = Panel::new(format!("Overlap {extent}"), x(), y);
        vec![
            fraction.with_line(&sweeps, &fractions),
            overlap.with_line(&sweeps, &overlaps),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Effort, PackOptions, Packer};

    /// The history of a run of which the first `skipped` sweeps are not recorded.
    fn history(skipped: u64) -> History {
        let options = PackOptions::default().effort(Effort::QUICK);
        let mut packer = Packer::new(&[0.5; 100], &options).unwrap();
        let mut history = History::default();
        while let Some(progress) = packer.sweep() {
            if progress.sweeps > skipped {
                history.record(&progress);
            }
        }
        history
    }

    #[test]
    fn a_continued_run_says_where_its_history_begins() {
        assert_eq!(history(0).extent(), "during the run");
        let extent = "from sweep 21 on, where the run was continued";
        assert_eq!(history(20).extent(), extent);
    }
}
