//! The start of a run, from radii or from a checkpoint.

use std::{borrow::Cow, sync::Arc};

use rand::SeedableRng;
use rand_pcg::Pcg64;

use super::{
    checkpoint::{Checkpoint, ResumeError},
    moves::{Move, Moves},
    options::{PackError, PackOptions},
    packer::{Packer, fraction_of_few},
    points::Points,
    setup::{Radii, Setup},
    state::State,
};
use crate::{
    index::IndexBuilder,
    machine::{divided::Divided, ranks::Ranks, trace::part},
};

/// Builder of a [`Packer`] with an index or moves of the caller, or on several ranks. The packing is the same for any index and any number of ranks.
///
/// # Example
/// ```
/// use jostle::{IndexKind, PackOptions, Packer};
///
/// let mut packer = Packer::builder()
///     .index(IndexKind::Grid)
///     .place(&[0.5; 200], &PackOptions::default())?;
/// while packer.sweep().is_some() {}
/// assert!(packer.finish().packing.packing_fraction() > 0.6);
/// # Ok::<(), jostle::rearrange::PackError>(())
/// ```
#[derive(Debug, Default)]
pub struct PackerBuilder {
    index: Option<Arc<dyn IndexBuilder>>,
    ranks: Ranks,
    moves: Vec<Box<dyn Move>>,
}

impl PackerBuilder {
    /// Takes neighbors from this global index, instead of the one that the options name.
    #[must_use]
    pub fn index(mut self, index: impl IndexBuilder + 'static) -> Self {
        self.index = Some(Arc::new(index));
        self
    }

    /// Sets the ranks that make the packing together. Each rank passes the radii of its [share](Ranks::share) of all spheres, as
    /// [`Request::packer`](crate::Request::packer) draws them, and the same options.
    #[must_use]
    pub fn ranks(mut self, ranks: impl Into<Ranks>) -> Self {
        self.ranks = ranks.into();
        self
    }

    /// Adds a move, which precedes each sweep where it is due.
    #[must_use]
    pub fn with_move(mut self, further: impl Move + 'static) -> Self {
        self.moves.push(Box::new(further));
        self
    }

    /// Places spheres of the given radii, a slice or a vector, at random, or at the centers of [`PackOptions::start`].
    ///
    /// # Errors
    /// [`PackError`] if the request cannot be packed; on all ranks.
    pub fn place<'a>(
        self,
        radii: impl Into<Cow<'a, [f64]>>,
        options: &PackOptions,
    ) -> Result<Packer, PackError> {
        let radii = radii.into().into_owned();
        let index = self.index.unwrap_or_else(|| Arc::new(options.index));
        Packer::in_pool(options.threads, |started| {
            let divided = Divided::new(&radii[..], &self.ranks);
            let spheres = divided.len();
            let is_share = self.ranks.share(spheres).len() == radii.len();
            if !self.ranks.everywhere(is_share) {
                return Err(PackError::Share { spheres });
            }
            let requested = options.check(&divided)?;
            if let Some(start) = &options.start {
                start.check(&divided, &options.container)?;
            }
            let setup = part("setup", || {
                Setup::new(&divided, options, requested, fraction_of_few)
            });
            setup.check_resolution()?;
            let mut rng = Pcg64::seed_from_u64(options.seed);
            let name = index.name();
            let points = Points::new(setup.start.clone(), setup.wall_offset);
            let limit = options.limit(started);
            let (state, pending) = part("placement", || {
                State::place(&setup.radii, points, options, index, limit, &mut rng)
            });
            let groups = pending.groups();
            let moves = Moves::new(pending, groups, &setup.schedule, options, self.moves);
            let radii = Radii::new(radii, options.min_gap, setup.unit);
            let packer = Packer::assemble(radii, options.clone(), name, setup, state, moves);
            Ok(packer)
        })
    }

    /// Continues a run from a checkpoint, like [`Packer::resume`]. Its ranks are those for which the checkpoint was read or made.
    ///
    /// # Errors
    /// [`ResumeError`] if the checkpoint contradicts itself, or if it was made with an index or a move that is not built in, and this builder
    /// has none; on all ranks.
    pub fn resume(self, checkpoint: Checkpoint) -> Result<Packer, ResumeError> {
        let index = match self.index {
            Some(index) => index,
            None => checkpoint.built_in_index()?,
        };
        Packer::continued(checkpoint, index, self.moves)
    }
}

impl Packer {
    /// Places spheres of the given radii, a slice or a vector, at random.
    ///
    /// # Errors
    /// [`PackError`] if the request cannot be packed.
    pub fn new<'a>(
        radii: impl Into<Cow<'a, [f64]>>,
        options: &PackOptions,
    ) -> Result<Self, PackError> {
        Self::builder().place(radii, options)
    }

    /// Returns a builder, which sets the global index, the moves and the ranks of a run.
    pub fn builder() -> PackerBuilder {
        PackerBuilder::default()
    }
}
