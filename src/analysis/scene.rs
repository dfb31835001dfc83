//! Spheres that are checked for the analysis, and distances between them.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::DVec3;
use rayon::prelude::*;

use super::{
    constants::TASK,
    copies::{Copies, Region},
    curve,
    error::AnalysisError,
};
use crate::{
    container::Container,
    dimension::Dimension,
    machine::{parallel::Erase, ranks::Ranks},
    spheres::Spheres,
};

/// Spheres in a container, with centers inside it.
pub(super) struct Scene<'a> {
    /// Centers, wrapped into the container.
    pub(super) centers: Vec<DVec3>,
    /// Radii.
    pub(super) radii: Vec<f64>,
    /// The group of each sphere, such as its component; 0 unless [`Self::with_groups`] sets it.
    pub(super) groups: Vec<u32>,
    /// The container.
    pub(super) container: &'a Container,
    /// The spheres of this process. The others are copies of spheres of other ranks.
    pub(super) own: Range<usize>,
    /// Number of spheres on all ranks.
    pub(super) total: usize,
    /// The ranks that share the spheres.
    pub(super) ranks: Ranks,
    copies: Option<Copies>,
    /// Lengths along periodic axes, infinity along the others.
    pub(super) periods: DVec3,
}

impl<'a> Scene<'a> {
    /// Checks and wraps the spheres.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center or a radius is not accepted, or if there are too many spheres.
    pub(super) fn new(spheres: &Spheres, container: &'a Container) -> Result<Self, AnalysisError> {
        let count = spheres.len();
        check_number(count)?;
        let mut centers = Vec::with_capacity(count);
        for (id, (center, radius)) in spheres.iter().enumerate() {
            centers.push(wrapped(id, center, radius, container)?);
        }
        Ok(Self {
            centers,
            radii: spheres.radii().to_vec(),
            groups: vec![0; count],
            container,
            own: 0..count,
            total: count,
            ranks: Ranks::default(),
            copies: None,
            periods: container.periods(),
        })
    }

    /// Like [`Self::new`], for a quantity of spheres or of disks only.
    ///
    /// # Errors
    /// The errors of [`Self::new`], and [`AnalysisError::OtherDimension`] in a container of another dimension.
    pub(super) fn of_dimension(
        dimension: Dimension,
        quantity: &'static str,
        spheres: &Spheres,
        container: &'a Container,
    ) -> Result<Self, AnalysisError> {
        if container.dimension() != dimension {
            return Err(AnalysisError::OtherDimension {
                quantity,
                dimension,
            });
        }
        Self::new(spheres, container)
    }

    /// Returns the dimension of space.
    pub(super) fn dimension(&self) -> Dimension {
        self.container.dimension()
    }

    /// Checks and wraps the spheres of which each rank passes a part.
    ///
    /// # Errors
    /// The errors of [`Self::new`], on all ranks.
    pub(super) fn of_ranks(
        spheres: &Spheres,
        container: &'a Container,
        ranks: &Ranks,
    ) -> Result<Self, AnalysisError> {
        let counts = ranks.gather(vec![spheres.len()]);
        counts.iter().try_for_each(|&count| check_number(count))?;
        let first: usize = counts[..ranks.rank()].iter().sum();
        let scene = Self::new(spheres, container);
        let fault = match scene {
            Err(AnalysisError::Center { id, .. } | AnalysisError::Radius { id, .. }) => {
                vec![Fault {
                    id: (first + id) as u64,
                    center: spheres.centers()[id],
                    radius: spheres.radii()[id],
                }]
            }
            _ => Vec::new(),
        };
        if let Some(fault) = ranks.gather(fault).first() {
            wrapped(fault.id as usize, fault.center, fault.radius, container)?;
        }
        Ok(Self {
            total: counts.iter().sum(),
            ranks: ranks.clone(),
            ..scene?
        })
    }

    /// Sets the group of each sphere, in the order of the spheres so far.
    pub(super) fn with_groups(self, groups: Vec<u32>) -> Self {
        Self { groups, ..self }
    }

    /// Sorts the spheres along a space-filling curve, and divides them among the ranks. The spheres of a rank and their copies have all
    /// pairs whose gap is at most `tolerance` smaller diameters.
    pub(super) fn along_curve(self, tolerance: f64) -> Self {
        let lengths = self.container.lengths();
        let columns = curve::sort((&self.centers, &self.radii, &self.groups), lengths);
        if self.ranks.is_alone() {
            let (centers, radii, groups) = columns;
            return Self {
                centers,
                radii,
                groups,
                ..self
            };
        }
        let (centers, radii, groups) = curve::divide(&columns, lengths, &self.ranks);
        drop(columns);
        let copies = Copies::new(&centers, &radii, self.container, &self.ranks, tolerance);
        let (centers, own) = copies.exchange(centers);
        Self {
            centers,
            radii: copies.exchange(radii).0,
            groups: copies.exchange(groups).0,
            own,
            copies: Some(copies),
            ..self
        }
    }

    /// Returns the values of all spheres of the scene, from the values of the spheres of this process.
    pub(super) fn with_copies<T: Pod>(&self, own: Vec<T>) -> Vec<T> {
        match &self.copies {
            None => own,
            Some(copies) => copies.exchange(own).0,
        }
    }

    /// Returns the regions of this rank; `None` if this process has all spheres.
    pub(super) fn regions(&self) -> Option<&[Region]> {
        self.copies.as_ref().map(|copies| copies.regions.as_slice())
    }

    /// Returns the ids of the spheres of this process, for rayon's threads.
    pub(super) fn ids(&self) -> impl ParallelIterator<Item = usize> {
        self.own.clone().into_par_iter().with_min_len(TASK).erased()
    }

    /// Returns the largest radius of all spheres.
    pub(super) fn largest_radius(&self) -> f64 {
        let own = self.radii[self.own.clone()].iter().copied();
        self.ranks.largest(own.fold(0.0, f64::max))
    }

    /// Returns the sum of the values of all spheres, from those of the spheres of this process.
    pub(super) fn sum(&self, own: impl IntoIterator<Item = f64>) -> f64 {
        let add = |sum: f64| own.into_iter().fold(sum, |sum, value| sum + value);
        self.ranks.in_turn(0.0, add)
    }

    /// Returns the number of spheres on all ranks for each sphere of this process; at least 1.
    pub(super) fn dilution(&self) -> f64 {
        self.total.max(1) as f64 / self.own.len().max(1) as f64
    }

    /// Returns the number of spheres, with copies.
    pub(super) fn len(&self) -> usize {
        self.radii.len()
    }

    /// Returns the shortest vector between any periodic images of two points in the container: the value of
    /// [`Container::displacement`], without a choice of the container's shape for each pair.
    #[inline]
    pub(super) fn displacement(&self, from: DVec3, to: DVec3) -> DVec3 {
        let shortest = |d: f64, period: f64| {
            if d > 0.5 * period {
                d - period
            } else if d < -0.5 * period {
                d + period
            } else {
                d
            }
        };
        let d = to - from;
        DVec3::new(
            shortest(d.x, self.periods.x),
            shortest(d.y, self.periods.y),
            shortest(d.z, self.periods.z),
        )
    }

    /// Returns the displacement between the centers of two spheres.
    #[inline]
    pub(super) fn between(&self, from: usize, to: usize) -> DVec3 {
        self.displacement(self.centers[from], self.centers[to])
    }

    /// Returns the gap between two spheres.
    #[inline]
    pub(super) fn gap(&self, a: usize, b: usize) -> f64 {
        self.between(a, b).length() - (self.radii[a] + self.radii[b])
    }

    /// Returns whether the gap of two spheres is at most `tolerance` smaller diameters.
    #[inline]
    pub(super) fn is_near(&self, a: usize, b: usize, tolerance: f64) -> bool {
        self.gap(a, b) <= tolerance * 2.0 * self.radii[a].min(self.radii[b])
    }
}

/// A sphere that is not accepted, as a message.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Fault {
    /// Position of the sphere among those of all ranks.
    id: u64,
    center: DVec3,
    radius: f64,
}

/// Rejects more spheres than ids.
fn check_number(spheres: usize) -> Result<(), AnalysisError> {
    let too_many = |_| AnalysisError::TooManySpheres { spheres };
    u32::try_from(spheres).map(drop).map_err(too_many)
}

/// Returns the center of a sphere, wrapped into the container.
fn wrapped(
    id: usize,
    center: DVec3,
    radius: f64,
    container: &Container,
) -> Result<DVec3, AnalysisError> {
    if !(radius > 0.0 && radius.is_finite()) {
        return Err(AnalysisError::Radius { id, radius });
    }
    let wrapped = container.wrap(center);
    let is_inside = wrapped.cmpge(DVec3::ZERO).all() && wrapped.cmple(container.lengths()).all();
    if !(center.is_finite() && is_inside) {
        return Err(AnalysisError::Center { id, center });
    }
    Ok(wrapped)
}
