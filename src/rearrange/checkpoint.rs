//! The complete state of a run between two sweeps.
//!
//! A checkpoint contains what does not follow from anything else. Container, schedule and pending spheres follow from radii and
//! options. Verlet lists, shortlists, blocks and index follow from the spheres and their inflated spheres.

use std::{borrow::Cow, collections::BTreeMap, ops::Range, time::Duration};

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{
    effort::Effort,
    limit::Interrupt,
    options::{PackError, PackOptions},
    phase::{ApproachProgress, Phase},
    state::Work,
};
use crate::{
    container::frame::{Point, Steps},
    jam::JamState,
    machine::{divided::Divided, ranks::Ranks},
};

/// The complete state of a run between two sweeps.
///
/// [`Packer::checkpoint`](crate::Packer::checkpoint) makes it, and [`Packer::resume`](crate::Packer::resume) continues the run,
/// which ends with the bits of an undisturbed run.
///
/// Memory: 61 bytes per sphere.
#[derive(Clone, Debug, PartialEq)]
pub struct Checkpoint {
    /// Arguments that name the files of the packing, as on the command line; empty unless the caller names them. Only programs read and
    /// write them.
    pub output: Vec<String>,
    /// The wall time from one checkpoint to the next, if the caller names it.
    pub interval: Option<Duration>,
    pub(crate) account: Account,
    pub(crate) columns: Columns,
    /// The ranks of the run. Each one has a part of the columns.
    pub(crate) ranks: Ranks,
    /// Number of radii of all ranks.
    pub(crate) spheres: usize,
    /// Number of spheres in the container, of all ranks.
    pub(crate) present: usize,
    /// Volume of the spheres of all radii.
    pub(crate) volume: f64,
}

/// Numbers of a column that a file holds as one unit. Ranks divide columns at blocks.
pub(crate) const BLOCK: usize = 128;

/// The division of a column among ranks.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Shares {
    /// Length of the column.
    pub len: usize,
    pub ranks: usize,
}

impl Shares {
    /// Returns the rank that holds an item.
    pub fn rank_of(self, item: usize) -> usize {
        item / BLOCK * self.ranks / self.len.div_ceil(BLOCK)
    }

    /// Returns the items of a rank.
    pub fn of_rank(self, rank: usize) -> Range<usize> {
        let blocks = self.len.div_ceil(BLOCK);
        let start = |rank: usize| ((blocks * rank).div_ceil(self.ranks) * BLOCK).min(self.len);
        start(rank)..start(rank + 1)
    }
}

/// Everything in a checkpoint that does not belong to single spheres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Account {
    pub options: PackOptions,
    /// Name of the global index.
    pub index: String,
    /// The present effort of a request without effort; absent where the request names one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chosen_effort: Option<Effort>,
    /// Common factor of all radii.
    pub scale: f64,
    /// Radius of a sphere of mean volume when the last spheres were inserted, at scale 1: a number of single precision.
    pub mean_radius: f64,
    pub sweeps: u64,
    pub calm_sweeps: u32,
    pub phase: Phase<ApproachProgress>,
    /// The states of moves, by their names.
    pub moves: BTreeMap<String, Value>,
    /// The caller's numbers of spheres that found no room around fixed ones.
    #[serde(default)]
    pub left_out: Vec<u32>,
    /// The jamming of a packing whose loop is over.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub jamming: Option<JamState>,
    pub work: Work,
    pub elapsed: Duration,
}

/// The numbers of single spheres. All columns but `radii` have the order of the spheres along the space-filling curve.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Columns {
    /// The requested radii, by the caller's numbers.
    pub radii: Vec<f64>,
    /// The caller's numbers of the spheres in the container.
    pub original: Vec<u32>,
    pub at: Vec<Steps>,
    /// Number of sweeps since the last refresh.
    pub age: Vec<u32>,
    /// The inflated spheres of the Verlet lists.
    pub outer: Vec<Point>,
    /// The inflated spheres of the shortlists; empty without shortlists.
    pub inner: Vec<Point>,
    /// Whether the next sweep must visit a sphere; empty while it must visit all.
    pub active: Vec<bool>,
}

/// A checkpoint that cannot be resumed.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ResumeError {
    /// The radii or options are not accepted.
    #[error("the checkpoint holds a request that is not accepted: {0}")]
    Request(#[from] PackError),
    /// Numbers of the checkpoint contradict each other.
    #[error("the checkpoint contradicts itself: {0}")]
    Contradiction(Cow<'static, str>),
    /// The index is not built in.
    #[error(
        "the checkpoint was made with the index '{0}', which is not built in; Packer::builder().index(…).resume(checkpoint) continues it"
    )]
    Index(String),
    /// The run has a move that is not built in.
    #[error(
        "the checkpoint was made with the move '{0}', which is not built in; Packer::builder().with_move(…).resume(checkpoint) continues it"
    )]
    Move(String),
}

impl Checkpoint {
    /// Brings together the parts of a checkpoint. All ranks call.
    pub(crate) fn new(account: Account, columns: Columns, ranks: Ranks) -> Self {
        let radii = Divided::new(&columns.radii[..], &ranks);
        let (spheres, volume) = (
            radii.len(),
            radii.volume(account.options.container.dimension()),
        );
        Self {
            present: ranks.total(columns.original.len()),
            output: Vec::new(),
            interval: None,
            account,
            columns,
            ranks,
            spheres,
            volume,
        }
    }

    /// Returns the request of the run.
    pub fn options(&self) -> &PackOptions {
        &self.account.options
    }

    /// Returns the number of spheres of the run, in the container or not.
    pub fn spheres(&self) -> usize {
        self.spheres
    }

    /// Returns the volume of the spheres of the run, in the container or not.
    pub fn volume(&self) -> f64 {
        self.volume
    }

    /// Returns the requested radii, in the caller's order and unit. The checkpoint of one of several ranks holds a part of them.
    pub fn radii(&self) -> &[f64] {
        &self.columns.radii
    }

    /// Returns the name of the global index.
    pub fn index(&self) -> &str {
        &self.account.index
    }

    /// Returns the number of sweeps so far.
    pub fn sweeps(&self) -> u64 {
        self.account.sweeps
    }

    /// Returns the wall time of the run so far.
    pub fn elapsed(&self) -> Duration {
        self.account.elapsed
    }

    /// Sets the number of threads that continue the run; 0 means one for each core. The packing is the same for any number.
    #[must_use]
    pub fn threads(mut self, threads: usize) -> Self {
        self.account.options.threads = threads;
        self
    }

    /// Sets the request that ends the continued run.
    #[must_use]
    pub fn interrupt(mut self, interrupt: Interrupt) -> Self {
        self.account.options.interrupt = Some(interrupt);
        self
    }

    /// Sets or removes the wall time after which the continued run ends, counted from its continuation.
    #[must_use]
    pub fn time_limit(mut self, time_limit: Option<Duration>) -> Self {
        self.account.options.time_limit = time_limit;
        self
    }
}
