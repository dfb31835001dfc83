//! Spheres as an index receives them.

use glam::DVec3;

use super::constants::{ID_TABLE_BASE, ID_TABLE_PER_SPHERE};

/// One sphere, as the caller passes it to an index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Entry {
    /// Center, inside the container, in the unit of the container's lengths.
    pub center: DVec3,
    /// Radius, finite and at least 0, in the same unit.
    pub radius: f64,
    /// Number of the sphere, chosen by the caller and different from that of every other sphere in the index.
    ///
    /// Numbers without gaps from 0 are best, because indexes keep a table by id; see [`Entry::id_limit`].
    pub id: u32,
}

impl Entry {
    /// Checks that the center is finite and that the radius is finite and at least 0.
    ///
    /// # Errors
    /// [`EntryError::Center`] or [`EntryError::Radius`].
    #[inline]
    pub fn check(&self) -> Result<(), EntryError> {
        let Self { center, radius, id } = *self;
        if !center.is_finite() {
            Err(EntryError::Center { id, center })
        } else if !(radius >= 0.0 && radius.is_finite()) {
            Err(EntryError::Radius { id, radius })
        } else {
            Ok(())
        }
    }

    /// Returns the limit of ids in an index with `stored` spheres: every index accepts ids below 2²⁰ + 64 · `stored`.
    ///
    /// An index that keeps a table by id rejects the id of a new sphere from this limit on, unless its table is that
    /// long already. Otherwise one wrong id could take gigabytes.
    #[inline]
    pub fn id_limit(stored: usize) -> u32 {
        let limit = ID_TABLE_BASE.saturating_add(ID_TABLE_PER_SPHERE.saturating_mul(stored));
        u32::try_from(limit).unwrap_or(u32::MAX)
    }

    /// Checks the spheres of a bulk build.
    ///
    /// # Panics
    /// When a sphere has a center, a radius or an id that [`GlobalIndex::insert`](super::GlobalIndex::insert) rejects.
    pub(super) fn assert_all_valid(entries: &[Self]) {
        let limit = Self::id_limit(entries.len());
        for entry in entries {
            entry.assert_valid(limit);
        }
    }

    /// Checks one sphere of a bulk build.
    ///
    /// # Panics
    /// When [`check`](Self::check) rejects the sphere, or the id is not below `id_limit`.
    #[inline]
    pub(super) fn assert_valid(&self, id_limit: u32) {
        if let Err(error) = self.check() {
            panic!("{error}");
        }
        let (id, limit) = (self.id, id_limit);
        assert!(id < limit, "{}", EntryError::IdTooLarge { id, limit });
    }
}

/// Reason why an index rejects a change. The index is as it was before.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[must_use]
#[non_exhaustive]
pub enum EntryError {
    /// A coordinate of the center is infinite or not a number.
    #[error("sphere {id} has the center {center}; each coordinate must be a finite number")]
    Center {
        /// Id of the sphere.
        id: u32,
        /// Rejected center.
        center: DVec3,
    },
    /// The radius is negative, infinite or not a number.
    #[error("sphere {id} has the radius {radius}; it must be a finite number of at least 0")]
    Radius {
        /// Id of the sphere.
        id: u32,
        /// Rejected radius.
        radius: f64,
    },
    /// The id of a new sphere is too large for a table by id; see [`Entry::id_limit`].
    #[error("sphere {id} has too large an id; ids below {limit} are accepted")]
    IdTooLarge {
        /// Rejected id.
        id: u32,
        /// Smallest id that is rejected at present.
        limit: u32,
    },
    /// The index holds a sphere with this id.
    #[error("sphere {id} is already in the index; relocate it or insert the sphere with a new id")]
    Duplicate {
        /// Id of both spheres.
        id: u32,
    },
    /// The index holds no sphere with this id.
    #[error("sphere {id} is not in the index; only stored spheres can be relocated or removed")]
    Unknown {
        /// Rejected id.
        id: u32,
    },
    /// The index holds a sphere with this id, but not where the given center and radius belong.
    #[error(
        "sphere {id} was not stored with the center and radius given; pass those of its last insertion or relocation"
    )]
    Mismatch {
        /// Id of the sphere.
        id: u32,
    },
    /// The two entries of a relocation have different ids.
    #[error(
        "sphere {from} cannot become sphere {to}; both entries of a relocation need the same id"
    )]
    DifferentIds {
        /// Id of the old entry.
        from: u32,
        /// Id of the new entry.
        to: u32,
    },
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn id_limit_grows_with_the_spheres_and_spares_the_largest_id() {
        assert_eq!(Entry::id_limit(0), 1 << 20);
        assert_eq!(Entry::id_limit(10), (1 << 20) + 640);
        assert_eq!(Entry::id_limit(usize::MAX), u32::MAX);
    }

    #[test]
    fn errors_name_the_sphere_and_what_is_accepted() {
        let entry = Entry {
            center: DVec3::new(1.0, f64::NAN, 2.0),
            radius: 1.0,
            id: 7,
        };
        let message = entry.check().unwrap_err().to_string();
        assert_eq!(
            message,
            "sphere 7 has the center [1, NaN, 2]; each coordinate must be a finite number"
        );
        let entry = Entry {
            center: DVec3::ONE,
            radius: -0.5,
            id: 8,
        };
        let message = entry.check().unwrap_err().to_string();
        assert!(message.contains("radius -0.5"), "{message}");
    }
}
