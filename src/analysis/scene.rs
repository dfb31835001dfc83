//! Spheres that are checked for the analysis, and distances between them.

use std::ops::Range;

use bytemuck::{Pod, Zeroable};
use glam::DVec3;

use super::{
    copies::{Copies, Region},
    curve,
    error::AnalysisError,
};
use crate::{container::Container, machine::ranks::Ranks, spheres::Spheres};

/// Spheres in a container, with centers inside it.
pub(super) struct Scene<'a> {
    /// Centers, wrapped into the container.
    pub(super) centers: Vec<DVec3>,
    /// Radii.
    pub(super) radii: Vec<f64>,
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
    periods: DVec3,
}

impl<'a> Scene<'a> {
    /// Checks and wraps the spheres.
    ///
    /// # Errors
    /// [`AnalysisError`] if a center or a radius is not accepted, or if there are too many spheres.
    pub(super) fn new(spheres: &Spheres, container: &'a Container) -> Result<Self, AnalysisError> {
        let (count, lengths) = (spheres.len(), container.lengths());
        if u32::try_from(count).is_err() {
            return Err(AnalysisError::TooManySpheres { spheres: count });
        }
        let mut centers = Vec::with_capacity(count);
        for (id, (center, radius)) in spheres.iter().enumerate() {
            if !(radius > 0.0 && radius.is_finite()) {
                return Err(AnalysisError::Radius { id, radius });
            }
            let wrapped = container.wrap(center);
            let is_inside = wrapped.cmpge(DVec3::ZERO).all() && wrapped.cmple(lengths).all();
            if !(center.is_finite() && is_inside) {
                return Err(AnalysisError::Center { id, center });
            }
            centers.push(wrapped);
        }
        Ok(Self {
            centers,
            radii: spheres.radii().to_vec(),
            container,
            own: 0..count,
            total: count,
            ranks: Ranks::default(),
            copies: None,
            periods: container.periods(),
        })
    }

    /// Checks and wraps the spheres of which each rank passes a part.
    ///
    /// # Errors
    /// Those of [`Self::new`], on all ranks.
    pub(super) fn of_ranks(
        spheres: &Spheres,
        container: &'a Container,
        ranks: &Ranks,
    ) -> Result<Self, AnalysisError> {
        let scene = agreed(Self::new(spheres, container), spheres.len(), ranks)?;
        Ok(Self {
            total: ranks.total(scene.total),
            ranks: ranks.clone(),
            ..scene
        })
    }

    /// Sorts the spheres along a space-filling curve, and divides them among the ranks. The spheres of a rank and their copies have all
    /// pairs whose gap is at most `tolerance` smaller diameters.
    pub(super) fn along_curve(self, tolerance: f64) -> Self {
        let lengths = self.container.lengths();
        let (centers, radii) = curve::sort(&self.centers, &self.radii, lengths);
        if self.ranks.is_alone() {
            return Self {
                centers,
                radii,
                ..self
            };
        }
        let (centers, radii) = curve::divide(&centers, &radii, lengths, &self.ranks);
        let copies = Copies::new(&centers, &radii, self.container, &self.ranks, tolerance);
        let (centers, own) = copies.exchange(centers);
        Self {
            centers,
            radii: copies.exchange(radii).0,
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

    /// Returns the number of spheres on all ranks for each sphere of this process; at least 1.
    pub(super) fn dilution(&self) -> f64 {
        self.total.max(1) as f64 / self.own.len().max(1) as f64
    }

    /// Returns the lengths along periodic axes, and infinity along the others.
    pub(super) fn periods(&self) -> DVec3 {
        self.periods
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

/// An error about a sphere of a rank, as a message.
#[derive(Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Fault {
    /// 0 for a center, 1 for a radius, 2 for too many spheres.
    kind: u64,
    /// Position of the sphere, or number of spheres.
    number: u64,
    center: [f64; 3],
    radius: f64,
}

/// Returns the result of this rank, or the first error of all ranks. Ids count the spheres of all ranks.
fn agreed<T>(
    result: Result<T, AnalysisError>,
    spheres: usize,
    ranks: &Ranks,
) -> Result<T, AnalysisError> {
    let first = ranks.before(spheres) as u64;
    let fault = |kind, number, center: DVec3, radius| Fault {
        kind,
        number,
        center: center.to_array(),
        radius,
    };
    let own = match result.as_ref().err() {
        Some(&AnalysisError::Center { id, center }) => {
            vec![fault(0, first + id as u64, center, 0.0)]
        }
        Some(&AnalysisError::Radius { id, radius }) => {
            vec![fault(1, first + id as u64, DVec3::ZERO, radius)]
        }
        Some(&AnalysisError::TooManySpheres { spheres }) => {
            vec![fault(2, spheres as u64, DVec3::ZERO, 0.0)]
        }
        _ => Vec::new(),
    };
    let Some(fault) = ranks.gather(own).into_iter().next() else {
        return result;
    };
    let number = fault.number as usize;
    Err(match fault.kind {
        0 => AnalysisError::Center {
            id: number,
            center: fault.center.into(),
        },
        1 => AnalysisError::Radius {
            id: number,
            radius: fault.radius,
        },
        _ => AnalysisError::TooManySpheres { spheres: number },
    })
}
