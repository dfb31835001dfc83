//! Surfaces that divide a container into bins of equal width, and the volumes of spheres in these bins.

use std::ops::Range;

use glam::DVec3;

use super::{
    adjacency::by_task,
    constants::{
        CUT_POINTS, FEWEST_CUT_POINTS, MOST_CUT_POINTS, PROFILE_BINS, RADIAL_BINS, RADIAL_SHELLS,
        VOLUME_POINTS, WALL_BINS, WALL_DIAMETERS,
    },
    coordinate::{ProfileAlong, RadiusOrigin},
    error::AnalysisError,
    scene::Scene,
    shells::Shells,
    volumes::{ball, below_plane, in_box, in_unit_ball},
};
use crate::{
    container::{Container, even_point},
    dimension::Dimension,
};

/// Bins of equal width of a coordinate: the position along an axis, the depth from the walls, or a radius.
pub(super) struct Cuts<'a> {
    container: &'a Container,
    along: ProfileAlong,
    /// `None` if only points tell the volumes.
    surfaces: Option<Surfaces>,
    width: f64,
    bins: usize,
}

/// Surfaces that cut spheres into parts whose volumes have formulas.
enum Surfaces {
    /// Planes perpendicular to an axis. The slices of the container have equal volumes, or volumes from points.
    Slices { axis: usize, are_equal: bool },
    /// Shells around the middle of a cylinder or a sphere.
    Shells(Shells),
    /// Boxes in a box.
    Boxes,
    /// Cylinders in a cylinder, or balls in a ball.
    Inner(Shells),
}

impl<'a> Cuts<'a> {
    /// Divides a container.
    ///
    /// # Errors
    /// [`AnalysisError::NoWalls`] for the depth in a container without walls.
    pub(super) fn new(scene: &Scene<'a>, along: ProfileAlong) -> Result<Self, AnalysisError> {
        let container = scene.container;
        along.check(container)?;
        let lengths = container.lengths();
        let is_box = container.volume() == container.dimension().of_box(lengths);
        let shells = Shells::of(container);
        let (surfaces, extent, bins) = match along.axis() {
            Some(axis) => {
                let is_along = axis == scene.container.axis().number();
                let is_prism = is_along && shells.as_ref().is_some_and(Shells::is_prism);
                let are_equal = is_box || is_prism;
                let slices = Surfaces::Slices { axis, are_equal };
                (Some(slices), lengths[axis], PROFILE_BINS)
            }
            None if along == ProfileAlong::Radius => match shells {
                Some(shells) => {
                    let radius = shells.radius();
                    (Some(Surfaces::Shells(shells)), radius, RADIAL_SHELLS)
                }
                None => {
                    let reach = RadiusOrigin::of(container).reach(container);
                    (None, reach, RADIAL_BINS)
                }
            },
            None => {
                let boxes = is_box.then_some(Surfaces::Boxes);
                let surfaces = shells.map(Surfaces::Inner).or(boxes);
                (surfaces, depth(scene)?, WALL_BINS)
            }
        };
        Ok(Self {
            container,
            along,
            surfaces,
            width: extent / bins as f64,
            bins,
        })
    }

    /// Returns the dimension of space.
    fn dimension(&self) -> Dimension {
        self.container.dimension()
    }

    /// Returns the number of bins.
    pub(super) fn bins(&self) -> usize {
        self.bins
    }

    /// Returns whether the volumes are those of formulas, not of points.
    pub(super) fn are_exact(&self) -> bool {
        match self.surfaces {
            Some(Surfaces::Slices { are_equal, .. }) => are_equal,
            ref surfaces => surfaces.is_some(),
        }
    }

    /// Returns the middle of each bin.
    pub(super) fn middles(&self) -> Vec<f64> {
        let middle = |bin: usize| (bin as f64 + 0.5) * self.width;
        (0..self.bins).map(middle).collect()
    }

    /// Returns the volume of the container in each bin.
    ///
    /// # Cost
    /// That of [`VOLUME_POINTS`] distances from walls if the volumes are not exact, on rayon's threads.
    pub(super) fn volumes(&self) -> Vec<f64> {
        let between = |volume: &dyn Fn(f64) -> f64| {
            let bin = |bin: usize| {
                let [near, far] = [bin, bin + 1].map(|edge| volume(edge as f64 * self.width));
                (far - near).abs()
            };
            (0..self.bins).map(bin).collect()
        };
        match &self.surfaces {
            Some(Surfaces::Slices {
                are_equal: true, ..
            }) => vec![self.container.volume() / self.bins as f64; self.bins],
            Some(Surfaces::Shells(shells)) => between(&|radius| shells.volume(radius)),
            Some(Surfaces::Inner(shells)) => between(&|depth| shells.volume_deeper(depth)),
            Some(Surfaces::Boxes) => between(&|depth| {
                let [low, high] = self.inner_box(depth, 0.0);
                self.dimension().of_box((high - low).max(DVec3::ZERO))
            }),
            Some(Surfaces::Slices { .. }) | None => self.counted_volumes(),
        }
    }

    /// Returns the volumes of spheres in the bins: for each group, the volume in each bin. `group_of` returns the group of a sphere of the
    /// scene.
    ///
    /// # Cost
    /// O(number of crossings of spheres with the surfaces between bins), on rayon's threads. Where there is no formula, each sphere has up
    /// to [`MOST_CUT_POINTS`] points.
    pub(super) fn of_spheres(
        &self,
        scene: &Scene,
        groups: usize,
        group_of: impl Fn(usize) -> usize + Sync,
    ) -> Vec<f64> {
        let points = CUT_POINTS / scene.total.max(1) as u64;
        let points = points.clamp(FEWEST_CUT_POINTS, MOST_CUT_POINTS);
        let parts = by_task(scene.own.clone(), |spheres| {
            let mut volumes = vec![0.0; groups * self.bins];
            for id in spheres {
                let first = group_of(id) * self.bins;
                let volumes = &mut volumes[first..first + self.bins];
                let (center, radius) = (scene.centers[id], scene.radii[id]);
                match &self.surfaces {
                    Some(surfaces) => self.cut(surfaces, center, radius, volumes),
                    None => {
                        let numbers = points * id as u64..points * (id as u64 + 1);
                        self.count(numbers, center, radius, volumes);
                    }
                }
            }
            volumes
        });
        scene.ranks.sum_in_turn(groups * self.bins, &parts)
    }

    /// Adds the parts of a sphere to the bins.
    fn cut(&self, surfaces: &Surfaces, center: DVec3, radius: f64, volumes: &mut [f64]) {
        let at = match surfaces {
            Surfaces::Slices { axis, .. } => center[*axis],
            Surfaces::Shells(shells) => shells.distance(center),
            Surfaces::Boxes | Surfaces::Inner(_) => self.container.wall_gap(center, 0.0),
        };
        // A sphere wider than the container counts in each slice as often as it covers the slice.
        let bin = |at: f64| (at / self.width).floor().clamp(-1e4, 1e4) as i64;
        let (mut first, mut last) = (bin(at - radius), bin(at + radius));
        if !matches!(surfaces, Surfaces::Slices { .. }) {
            (first, last) = (first.max(0), last.min(self.bins as i64 - 1));
        }
        let below = |bin: i64| self.below(surfaces, center, radius, bin as f64 * self.width);
        let mut so_far = if at - radius < first as f64 * self.width {
            below(first)
        } else {
            0.0
        };
        for bin in first..=last {
            let up_to = below(bin + 1);
            volumes[bin.rem_euclid(self.bins as i64) as usize] += up_to - so_far;
            so_far = up_to;
        }
    }

    /// Returns the volume of the part of a sphere where the coordinate is below a value.
    fn below(&self, surfaces: &Surfaces, center: DVec3, radius: f64, value: f64) -> f64 {
        match surfaces {
            Surfaces::Slices { axis, .. } => {
                below_plane(self.dimension(), radius, value - center[*axis])
            }
            Surfaces::Shells(shells) => shells.common(center, radius, value),
            Surfaces::Inner(shells) => {
                ball(self.dimension(), radius) - shells.deeper(center, radius, value)
            }
            Surfaces::Boxes => {
                let inner = self.inner_box(value, f64::INFINITY);
                ball(self.dimension(), radius) - in_box(self.dimension(), center, radius, inner)
            }
        }
    }

    /// Returns the corners of the box of points that are at least `depth` away from the walls. Along a periodic axis, it reaches beyond
    /// the container by `margin`.
    fn inner_box(&self, depth: f64, margin: f64) -> [DVec3; 2] {
        let lengths = self.container.lengths();
        let inset = |axis: usize| {
            if self.container.is_periodic(axis) {
                -margin
            } else {
                depth
            }
        };
        let inset = DVec3::new(inset(0), inset(1), inset(2));
        [inset, lengths - inset]
    }

    /// Returns the coordinate of a point in the container.
    fn value(&self, point: DVec3) -> f64 {
        match self.along.axis() {
            Some(axis) => point[axis],
            None if self.along == ProfileAlong::Radius => {
                RadiusOrigin::of(self.container).distance(self.container, point)
            }
            None => self.container.wall_gap(point, 0.0),
        }
    }

    /// Returns the bin of a value.
    fn bin(&self, value: f64) -> Option<usize> {
        let bin = (value / self.width).floor();
        (0.0..self.bins as f64)
            .contains(&bin)
            .then_some(bin as usize)
    }

    /// Adds the volume of a sphere from points of the sequence. The coordinate of a point differs from that of the center by at most the
    /// radius, so that a sphere within one bin needs no points.
    fn count(&self, numbers: Range<u64>, center: DVec3, radius: f64, volumes: &mut [f64]) {
        let at = self.value(center);
        if at - radius >= self.bins as f64 * self.width {
            return;
        }
        if let (Some(low), Some(high)) = (self.bin(at - radius), self.bin(at + radius))
            && low == high
        {
            volumes[low] += ball(self.dimension(), radius);
            return;
        }
        let share = ball(self.dimension(), radius) / (numbers.end - numbers.start) as f64;
        for number in numbers {
            let point = self
                .container
                .wrap(center + radius * in_unit_ball(self.dimension(), even_point(number)));
            if let Some(bin) = self.bin(self.value(point)) {
                volumes[bin] += share;
            }
        }
    }

    /// Returns the volume of the container in each bin, from points that are spread evenly over the bounding box.
    fn counted_volumes(&self) -> Vec<f64> {
        let lengths = self.container.lengths();
        let parts = by_task(0..VOLUME_POINTS, |numbers| {
            let mut counts = vec![0_u64; self.bins];
            for number in numbers {
                let point = lengths * even_point(number as u64);
                if self.container.wall_gap(point, 0.0) >= 0.0
                    && let Some(bin) = self.bin(self.value(point))
                {
                    counts[bin] += 1;
                }
            }
            counts
        });
        let share = self.dimension().of_box(lengths) / VOLUME_POINTS as f64;
        let count = |bin: usize| parts.iter().map(|counts| counts[bin]).sum::<u64>();
        (0..self.bins)
            .map(|bin| share * count(bin) as f64)
            .collect()
    }
}

/// Returns the largest depth of a profile.
fn depth(scene: &Scene) -> Result<f64, AnalysisError> {
    let deepest = scene.container.inradius();
    if deepest == f64::INFINITY {
        return Err(AnalysisError::NoWalls);
    }
    let wanted = WALL_DIAMETERS * 2.0 * scene.largest_radius();
    Ok(if wanted > 0.0 {
        deepest.min(wanted)
    } else {
        deepest
    })
}
