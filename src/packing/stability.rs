//! The certificate that spheres at rest are supported.
//!
//! The check shares no code with the deposition: it measures each contact anew, and finds the margin from the faces of the cone of normals.

use std::collections::VecDeque;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::support::{Support, Supports};
use crate::{container::Container, spheres::Spheres};

/// The result of the independent check that every sphere rests on its supports.
///
/// The margin of a sphere is the angle in degrees between the vertical and the nearest boundary of the cone that the normals of its
/// supports span. It is positive if the vertical lies inside. Outside, it is minus the slope of the steepest way down. A sphere on a
/// horizontal plane has the margin 0.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct StabilityCertificate {
    /// Smallest margin of all spheres that are not fixed, in degrees.
    pub worst_margin: f64,
    /// Position of a sphere with the smallest margin; absent without spheres.
    pub worst: Option<usize>,
    /// Number of spheres that are not supported: a margin is below minus the stop angle by more than [`Self::ANGLE_TOLERANCE`] and its
    /// error, a support is farther away than [`Self::TOLERANCE`], or the supports lead back to the sphere itself.
    pub unsupported: u64,
    /// Largest gap between a sphere and one of its supports, in diameters of the smaller sphere.
    pub max_gap: f64,
}

impl StabilityCertificate {
    /// Largest gap between a sphere and its support, in diameters of the smaller sphere.
    pub const TOLERANCE: f64 = 1e-7;
    /// Tolerance of margins, in degrees.
    pub const ANGLE_TOLERANCE: f64 = 1e-4;
}

/// Largest error of a margin, in degrees: two spheres side by side in a tube of two diameters have 0.1.
const MOST_ERROR: f64 = 1.0;

/// Checks the supports of spheres, of which the last `fixed` ones need none.
pub(super) fn certify_supports(
    spheres: &Spheres,
    fixed: usize,
    container: &Container,
    supports: &Supports,
) -> StabilityCertificate {
    let free = spheres.len() - fixed;
    let up = -supports.gravity().vector();
    let grounded = grounded(supports, free);
    let mut certificate = StabilityCertificate {
        worst_margin: 90.0,
        worst: None,
        unsupported: 0,
        max_gap: 0.0,
    };
    let tolerated = supports.stop_angle() + StabilityCertificate::ANGLE_TOLERANCE;
    for (sphere, is_grounded) in grounded.into_iter().enumerate() {
        let (mut gap, mut normals) = (0.0, Vec::new());
        for (support, branch) in supports.with_branches(sphere, spheres, container) {
            let (own_gap, normal) = measured(spheres, container, sphere, (support, branch));
            gap = f64::max(gap, own_gap);
            normals.push(normal);
        }
        let (margin, error) = margin(&normals, up);
        let is_supported =
            is_grounded && gap <= StabilityCertificate::TOLERANCE && margin + error >= -tolerated;
        certificate.unsupported += u64::from(!is_supported);
        certificate.max_gap = certificate.max_gap.max(gap);
        if margin < certificate.worst_margin || certificate.worst.is_none() {
            certificate.worst_margin = margin;
            certificate.worst = Some(sphere);
        }
    }
    certificate
}

/// Returns whether the supports of each sphere lead down to walls and fixed spheres only, without a circle.
fn grounded(supports: &Supports, free: usize) -> Vec<bool> {
    let mut missing = vec![0_u32; free];
    let mut carried: Vec<Vec<u32>> = vec![Vec::new(); free];
    for (sphere, missing) in missing.iter_mut().enumerate() {
        for support in supports.of(sphere) {
            if let Support::Sphere(other) = support
                && other < free
            {
                *missing += 1;
                carried[other].push(sphere as u32);
            }
        }
    }
    let rests = (0..free).filter(|&k| missing[k] == 0 && supports.of(k).next().is_some());
    let mut ready: VecDeque<usize> = rests.collect();
    let mut grounded = vec![false; free];
    while let Some(sphere) = ready.pop_front() {
        grounded[sphere] = true;
        for &other in &carried[sphere] {
            missing[other as usize] -= 1;
            if missing[other as usize] == 0 {
                ready.push_back(other as usize);
            }
        }
    }
    grounded
}

/// Returns the gap of a sphere and its support, in diameters of the smaller one, and the unit vector from the support to the sphere.
/// `branch` leads from the center of a support to that of the sphere.
fn measured(
    spheres: &Spheres,
    container: &Container,
    sphere: usize,
    (support, branch): (Support, DVec3),
) -> (f64, DVec3) {
    let (center, radius) = (spheres.centers()[sphere], spheres.radii()[sphere]);
    match support {
        Support::Sphere(other) => {
            let (distance, reach) = (branch.length(), radius + spheres.radii()[other]);
            let smaller = radius.min(spheres.radii()[other]);
            (
                (distance - reach).abs() / (2.0 * smaller),
                branch / distance,
            )
        }
        Support::Wall(normal) => {
            // The point of contact lies in the wall.
            let contact = container.wrap(center - radius * normal);
            let inside = container.wrap(center - 0.999 * radius * normal);
            let gap = container.wall_gap(contact, 0.0).abs();
            let is_steep = container.wall_gap(inside, 0.0) > 0.0;
            let gap = if is_steep { gap } else { f64::INFINITY };
            (gap / (2.0 * radius), normal)
        }
    }
}

/// Returns the signed angle in degrees between `up` and the boundary of the cone that the normals span, and its error: the directions of
/// normals are as exact as the gaps, which turns the plane of two nearly opposite ones.
fn margin(normals: &[DVec3], up: DVec3) -> (f64, f64) {
    let angle = |cosine: f64| libm::acos(cosine.clamp(-1.0, 1.0)).to_degrees();
    // The planes through two normals that have all normals on one side bound the cone.
    let mut inside = f64::INFINITY;
    let mut faces = 0;
    for (i, a) in normals.iter().enumerate() {
        for b in normals.iter().skip(i + 1) {
            let Some(face) = a.cross(*b).try_normalize() else {
                continue;
            };
            for face in [face, -face] {
                let others = normals.iter().map(|normal| normal.dot(face));
                if others.fold(f64::INFINITY, f64::min) > -1e-9 {
                    faces += 1;
                    inside = inside.min(90.0 - angle(up.dot(face)));
                }
            }
        }
    }
    if faces >= 3 && inside >= 0.0 {
        return (inside, 0.0);
    }
    // Outside, the nearest point of the cone lies on an edge or on a face.
    let (mut nearest, mut error) = (90.0_f64, 0.0);
    for (i, a) in normals.iter().enumerate() {
        nearest = nearest.min(libm::atan2(a.cross(up).length(), a.dot(up)).to_degrees());
        for b in normals.iter().skip(i + 1) {
            let across = a.cross(*b);
            let Some(face) = across.try_normalize() else {
                continue;
            };
            let foot = up - up.dot(face) * face;
            let is_between = a.cross(foot).dot(across) >= 0.0 && foot.cross(*b).dot(across) >= 0.0;
            let aside = libm::asin(up.dot(face).abs().min(1.0)).to_degrees();
            if is_between && aside < nearest {
                nearest = aside;
                error = (StabilityCertificate::TOLERANCE / across.length())
                    .to_degrees()
                    .min(MOST_ERROR);
            }
        }
    }
    (-nearest, error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_margin_is_the_angle_to_the_boundary_of_the_cone() {
        let tilted = |degrees: f64, around: f64| {
            let (a, b) = (degrees.to_radians(), around.to_radians());
            DVec3::new(a.sin() * b.cos(), a.sin() * b.sin(), a.cos())
        };
        let three = |degrees: f64| [0.0, 120.0, 240.0].map(|around| tilted(degrees, around));
        // The middle of a side of the triangle lies at tan(b) = tan(a)/2.
        let expected = (0.5 * 30f64.to_radians().tan()).atan().to_degrees();
        assert!((margin(&three(30.0), DVec3::Z).0 - expected).abs() < 1e-9);
        assert!((margin(&[tilted(20.0, 7.0)], DVec3::Z).0 + 20.0).abs() < 1e-9);
        assert!(margin(&[DVec3::Z], DVec3::Z).0.abs() < 1e-9);
        let pair = [tilted(40.0, 0.0), tilted(40.0, 180.0)];
        assert!(margin(&pair, DVec3::Z).0.abs() < 1e-5);
        // Two nearly opposite normals hardly carry: an error of 1e-7 turns their plane by a degree.
        let [a, b] = [tilted(89.999_7, 0.0), tilted(89.999_7, 180.0)];
        assert!(margin(&[a, b], DVec3::Z).1 > 0.5);
        assert!(margin(&pair, DVec3::Z).1 < 1e-5);
        let open = [tilted(40.0, 0.0), tilted(40.0, 90.0), tilted(40.0, 45.0)];
        assert!(margin(&open, DVec3::Z).0 < -20.0);
    }
}
