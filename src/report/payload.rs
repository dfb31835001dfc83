//! The spheres and bodies of a page, in a compact form.

use base64::{Engine, engine::general_purpose::STANDARD};
use glam::DVec3;

use super::{constants::VISIBLE_DEPTH, solids::Triangle};
use crate::{container::Container, packing::Packing, spheres::Spheres};

/// Spheres in ten bytes each, or eleven.
///
/// Positions are 16-bit shares of the lengths of the container, and radii 16-bit shares of the largest radius; then follow the
/// size class and the number of contacts of each sphere as one byte, and in packings with components the component, counted from 1; 0 stands
/// for none.
pub(super) struct Payload {
    /// The bytes in base 64.
    pub(super) text: String,
    /// Number of spheres that are visible from outside; they come first.
    pub(super) outer: usize,
    /// Depth below a surface to which spheres are visible through the gaps between others.
    pub(super) depth: f64,
}

impl Payload {
    /// Encodes the spheres, those near the surface of the packing first.
    pub(super) fn new(packing: &Packing, classes: &[u8], contacts: &[u32]) -> Self {
        let (spheres, container) = (&packing.spheres, &packing.container);
        let largest = spheres.radii().iter().copied().fold(0.0, f64::max);
        let depth = VISIBLE_DEPTH * 2.0 * largest;
        let is_outer = |&id: &usize| {
            let (center, radius) = (spheres.centers()[id], spheres.radii()[id]);
            surface_gap(container, center) < depth + radius
        };
        let (mut order, inner): (Vec<usize>, Vec<usize>) = (0..spheres.len()).partition(is_outer);
        let outer = order.len();
        order.extend(inner);
        let mut bytes = positions(spheres, container.lengths(), largest, &order);
        bytes.extend(order.iter().map(|&id| classes[id]));
        bytes.extend(order.iter().map(|&id| contacts[id].min(255) as u8));
        if !packing.components.is_empty() {
            let ids = packing.component_ids();
            let number = |component: u32| component.saturating_add(1).min(255) as u8;
            bytes.extend(order.iter().map(|&id| ids[id].map_or(0, number)));
        }
        Self {
            text: STANDARD.encode(bytes),
            outer,
            depth,
        }
    }
}

/// Returns the distance from a point to the nearest wall or periodic face.
fn surface_gap(container: &Container, center: DVec3) -> f64 {
    let lengths = container.lengths();
    let faces = center.min(lengths - center).min_element();
    faces.min(container.wall_gap(center, 0.0))
}

/// Returns four little-endian numbers of 16 bits for each sphere.
fn positions(spheres: &Spheres, lengths: DVec3, largest: f64, order: &[usize]) -> Vec<u8> {
    let most = f64::from(u16::MAX);
    let mut bytes = Vec::with_capacity(10 * order.len());
    for &id in order {
        let shares = (spheres.centers()[id] / lengths).to_array();
        let radius = spheres.radii()[id] / largest;
        for share in [shares[0], shares[1], shares[2], radius] {
            // No radius becomes zero.
            let least = if share == radius { 1.0 } else { 0.0 };
            let number = (share * most).round().clamp(least, most) as u16;
            bytes.extend(number.to_le_bytes());
        }
    }
    bytes
}

/// Returns triangles in 45 bytes each, in base 64: first nine little-endian `f32` for the corners of each triangle, then nine signed bytes
/// for the normals at these corners, in 127ths.
pub(super) fn encoded(triangles: &[Triangle]) -> String {
    let corners = triangles.iter().flat_map(|triangle| triangle.corners);
    let normals = triangles.iter().flat_map(|triangle| triangle.normals);
    let mut bytes: Vec<u8> = corners
        .flat_map(|corner| corner.as_vec3().to_array())
        .flat_map(f32::to_le_bytes)
        .collect();
    let shares = normals.flat_map(|normal| normal.to_array());
    bytes.extend(shares.map(|share| (127.0 * share).round() as i8 as u8));
    STANDARD.encode(bytes)
}
