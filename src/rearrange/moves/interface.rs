//! The interface of a move, and the spheres as moves see and change them.

use std::fmt::Debug;

use glam::DVec3;
use serde_json::Value;

use crate::{
    container::Container,
    rearrange::{checkpoint::ResumeError, refresh::Outgrown, state::State},
};

/// A kind of rearrangement that a run repeats: before each sweep, the packer calls the rounds of all moves that are due.
///
/// A move that keeps random numbers or counts returns them as its state, so that a run that continues from a checkpoint has the bits of an
/// undisturbed one. On several ranks, all of them call a round, and must decide alike; each one moves its own spheres.
///
/// # Example
/// A move that shakes every tenth sphere before every hundredth sweep:
/// ```
/// use jostle::{PackOptions, Packer, rearrange::{Arrangement, Move}};
/// use jostle::glam::DVec3;
///
/// #[derive(Debug)]
/// struct Shake;
///
/// impl Move for Shake {
///     fn name(&self) -> &'static str {
///         "shake"
///     }
///
///     fn is_due(&self, spheres: &Arrangement) -> bool {
///         spheres.is_complete() && spheres.sweeps() % 100 == 99
///     }
///
///     fn round(&mut self, spheres: &mut Arrangement) {
///         let tenth = spheres.own().filter(|&id| spheres.number(id) % 10 == 0);
///         let shaken: Vec<_> = tenth
///             .map(|id| (id, DVec3::X * 0.1 * spheres.radius(id)))
///             .collect();
///         spheres.displace(&shaken);
///     }
/// }
///
/// let mut packer = Packer::builder()
///     .with_move(Shake)
///     .place(&[0.5; 200], &PackOptions::default())?;
/// while packer.sweep().is_some() {}
/// assert_eq!(packer.finish().packing.certificate().max_overlap, 0.0);
/// # Ok::<(), jostle::rearrange::PackError>(())
/// ```
pub trait Move: Debug + Send {
    /// Returns the name, by which a checkpoint keeps the state. The moves of a run have different names.
    fn name(&self) -> &'static str;

    /// Returns whether the move has a round before the next sweep.
    fn is_due(&self, spheres: &Arrangement) -> bool;

    /// Rearranges the spheres.
    fn round(&mut self, spheres: &mut Arrangement);

    /// Returns the state that a checkpoint keeps beside the name; null if none is needed.
    fn state(&self) -> Value {
        Value::Null
    }

    /// Continues from the state that [`Self::state`] returned in an earlier run of the same spheres.
    ///
    /// # Errors
    /// [`ResumeError`] if the move cannot have had this state, which comes from a file.
    fn restore(&mut self, _state: Value, _spheres: &Arrangement) -> Result<(), ResumeError> {
        Ok(())
    }
}

/// The spheres of a run between two rounds of moves.
///
/// All lengths have the unit of the loop, in which the container keeps its size: when the container grows, all radii shrink instead. Ids count
/// the spheres in the container. They change when spheres are inserted; the numbers of the caller do not.
pub struct Arrangement<'a>(pub(in crate::rearrange) &'a mut State);

impl Arrangement<'_> {
    /// Returns the number of sweeps so far.
    pub fn sweeps(&self) -> u64 {
        self.0.sweeps
    }

    /// Returns whether all spheres are in the container, so that none is still to be inserted.
    pub fn is_complete(&self) -> bool {
        self.0.is_complete()
    }

    /// Returns the container.
    pub fn container(&self) -> &Container {
        self.0.points.container()
    }

    /// Returns the ids of the spheres that this rank owns: of all spheres, unless the run has several ranks.
    pub fn own(&self) -> impl Iterator<Item = u32> {
        self.0.halo.own.iter()
    }

    /// Returns the caller's number of an own sphere.
    pub fn number(&self, id: u32) -> u32 {
        self.0.points.number(id)
    }

    /// Returns the present radius of an own sphere.
    pub fn radius(&self, id: u32) -> f64 {
        self.0.points.sphere(id).radius.into()
    }

    /// Returns the center of an own sphere.
    pub fn center(&self, id: u32) -> DVec3 {
        self.0.points.center(id)
    }

    /// Returns the ids of the spheres that an own sphere may overlap, and of some more.
    pub fn neighbors(&self, id: u32) -> &[u32] {
        self.0.neighbors.of(id)
    }

    /// Displaces own spheres by the given vectors, but not through walls or into bodies. The next sweep visits all spheres.
    ///
    /// On several ranks, all of them must call. Cost: new lists for these spheres.
    ///
    /// # Panics
    /// If a rank does not own one of the spheres.
    pub fn displace(&mut self, displacements: &[(u32, DVec3)]) {
        let state = &mut *self.0;
        for &(id, displacement) in displacements {
            assert!(state.halo.owns(id), "sphere {id} belongs to another rank");
            let unit = state.points.frame().unit.map(f64::from);
            let step = |axis: usize| (displacement[axis] / unit[axis]) as i64;
            state.points.displace(id, [0, 1, 2].map(step));
        }
        state.activity.activate_all();
        let stale = displacements.iter().map(|&(id, _)| id).collect();
        state.refresh_outgrown(Outgrown {
            stale,
            on_new_levels: Vec::new(),
        });
    }
}
