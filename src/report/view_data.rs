//! Data of the three-dimensional view, in a compact form.

use glam::{DVec2, DVec3};
use serde::Serialize;

use super::{
    colors::{CATEGORIES, NONE, scale},
    constants::{BODY_BRIGHTNESS, VISIBLE_DEPTH},
    error::ReportError,
    outline::{body_rings, outline, profile},
    solids::{Triangle, triangles},
};
use crate::{
    Dimension,
    analysis::{ClassSummary, size_class_summaries, size_classes, suitable_contacts},
    container::Container,
    packing::Packing,
    spheres::Spheres,
};

/// The data of the viewer of [`report`](super::report), for pages of your own that use its scripts.
///
/// # Example
/// ```
/// use jostle::{Container, Spheres, glam::DVec3, report::ViewData};
///
/// let container = Container::cuboid(DVec3::splat(4.0), "www".parse()?)?;
/// let spheres = Spheres::new(vec![DVec3::splat(1.0), DVec3::splat(2.5)], vec![0.5, 1.0]);
/// let view = ViewData::new(&spheres, &container, "mm");
/// assert_eq!(view.spheres.len(), 20);
/// assert!(view.numbers.starts_with('{'));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ViewData {
    /// Lengths, outline, colors and counts, as JSON.
    pub numbers: String,
    /// Spheres in ten bytes each: first four 16-bit shares for each one, of the lengths of the container and of the largest radius, then
    /// the size classes and the numbers of contacts as bytes, and in packings with components these, counted from 1. Spheres that are visible from outside come first.
    pub spheres: Vec<u8>,
    /// Triangles on the surfaces of bodies in 45 bytes each: first nine `f32` for the corners of each triangle, then nine signed bytes
    /// for the normals at these corners, in 127ths.
    pub bodies: Vec<u8>,
}

impl ViewData {
    /// Returns the data of any spheres in a container, which may overlap. They have no contacts.
    ///
    /// # Cost
    /// O(N).
    pub fn new(spheres: &Spheres, container: &Container, unit: &str) -> Self {
        let classes = size_class_summaries(spheres.radii(), container.dimension());
        let numbers = Numbers {
            unit,
            classes: classes.iter().map(ClassSummary::name).collect(),
            ..Numbers::of(spheres, container)
        };
        let contacts = vec![0; spheres.len()];
        Self::with(
            numbers,
            Payload::new(spheres, container, &contacts, &[]),
            container,
        )
    }

    /// Returns the data of a packing, with its contacts at the tolerance that [suits](suitable_contacts) it.
    ///
    /// # Cost
    /// O(N).
    ///
    /// # Errors
    /// [`ReportError`] if the contacts cannot be found.
    pub fn of_packing(packing: &Packing) -> Result<Self, ReportError> {
        let contacts = suitable_contacts(&packing.spheres, &packing.container)?;
        let classes = size_class_summaries(packing.spheres.radii(), packing.container.dimension());
        Ok(Self::of(packing, &classes, &contacts.numbers()))
    }

    /// Returns the data of a packing with its size classes and numbers of contacts.
    pub(super) fn of(packing: &Packing, classes: &[ClassSummary], contacts: &[u32]) -> Self {
        let (spheres, container) = (&packing.spheres, &packing.container);
        let numbers = Numbers {
            unit: &packing.unit,
            contacts: contacts.iter().copied().max().unwrap_or(0),
            classes: classes.iter().map(ClassSummary::name).collect(),
            components: packing.components.iter().map(|own| &*own.label).collect(),
            ..Numbers::of(spheres, container)
        };
        let components = if packing.components.is_empty() {
            Vec::new()
        } else {
            packing.component_ids()
        };
        let payload = Payload::new(spheres, container, contacts, &components);
        Self::with(numbers, payload, container)
    }

    fn with(numbers: Numbers, payload: Payload, container: &Container) -> Self {
        let bodies = triangles(container);
        let numbers = Numbers {
            outer: payload.outer,
            depth: payload.depth,
            triangles: bodies.len(),
            ..numbers
        };
        Self {
            numbers: serde_json::to_string(&numbers).unwrap_or_default(),
            spheres: payload.bytes,
            bodies: encoded(&bodies),
        }
    }
}

/// Numbers that the scripts of the view need.
#[derive(Default, Serialize)]
struct Numbers<'a> {
    spheres: usize,
    lengths: [f64; 3],
    periodic: [bool; 3],
    smallest: f64,
    largest: f64,
    outer: usize,
    depth: f64,
    /// Largest number of contacts.
    contacts: u32,
    unit: &'a str,
    /// Names of the size classes.
    classes: Vec<String>,
    /// Labels of the components.
    components: Vec<&'a str>,
    /// Ends of line segments: x, y, z and x, y, z.
    outline: Vec<f32>,
    /// Bodies in a flat container, as rings of x and y; empty in space.
    rings: Vec<Vec<Vec<[f32; 2]>>>,
    /// Rows of the coordinate along the axis and the radius of a container that is round about an axis; empty for other shapes.
    profile: Vec<[f32; 2]>,
    /// The axis of the profile: 0, 1 or 2.
    round: usize,
    /// Number of triangles on the surfaces of bodies.
    triangles: usize,
    /// 256 colors of six hexadecimal digits.
    scale: String,
    categories: String,
    /// The color of bodies.
    body: String,
    /// The color of spheres without a component.
    none: String,
}

impl Numbers<'_> {
    /// Returns the numbers of spheres and container alone.
    fn of(spheres: &Spheres, container: &Container) -> Self {
        let radii = spheres.radii();
        let segments = outline(container);
        let digits = |[r, g, b]: [u8; 3]| format!("{r:02x}{g:02x}{b:02x}");
        Self {
            spheres: spheres.len(),
            lengths: container.lengths().to_array(),
            periodic: [0, 1, 2].map(|axis| container.is_periodic(axis)),
            smallest: radii.iter().copied().fold(f64::MAX, f64::min),
            largest: radii.iter().copied().fold(0.0, f64::max),
            outline: segments
                .iter()
                .flatten()
                .flat_map(|end| end.as_vec3().to_array())
                .collect(),
            rings: match container.dimension() {
                Dimension::Two => body_rings(container)
                    .into_iter()
                    .map(|body| body.into_iter().map(points).collect())
                    .collect(),
                Dimension::Three => Vec::new(),
            },
            profile: profile(container)
                .into_iter()
                .map(|row| row.map(|x| x as f32))
                .collect(),
            round: container.axis().number(),
            scale: (0..256)
                .map(|step| digits(scale(f64::from(step) / 255.0)))
                .collect(),
            categories: CATEGORIES.iter().map(|&color| digits(color)).collect(),
            body: digits([(255.0 * BODY_BRIGHTNESS) as u8; 3]),
            none: digits(NONE),
            ..Self::default()
        }
    }
}

/// Returns the points of a ring as single-precision numbers.
fn points(ring: Vec<DVec2>) -> Vec<[f32; 2]> {
    let points = ring.into_iter();
    points.map(|point| point.as_vec2().to_array()).collect()
}

/// Spheres in ten bytes each, or eleven.
///
/// Positions are 16-bit shares of the lengths of the container, and radii 16-bit shares of the largest radius; then follow the
/// size class and the number of contacts of each sphere as one byte, and in packings with components the component, counted from 1; 0 stands
/// for none.
struct Payload {
    bytes: Vec<u8>,
    /// Number of spheres that are visible from outside; they come first.
    outer: usize,
    /// Depth below a surface to which spheres are visible through the gaps between others.
    depth: f64,
}

impl Payload {
    /// Encodes the spheres, those near the surface of the packing first. `components` is empty in packings without components.
    fn new(
        spheres: &Spheres,
        container: &Container,
        contacts: &[u32],
        components: &[Option<u32>],
    ) -> Self {
        let classes = size_classes(spheres.radii());
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
        if !components.is_empty() {
            let number = |component: u32| component.saturating_add(1).min(255) as u8;
            bytes.extend(order.iter().map(|&id| components[id].map_or(0, number)));
        }
        Self {
            bytes,
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

/// Returns triangles in 45 bytes each: first nine little-endian `f32` for the corners of each triangle, then nine signed bytes
/// for the normals at these corners, in 127ths.
fn encoded(triangles: &[Triangle]) -> Vec<u8> {
    let corners = triangles.iter().flat_map(|triangle| triangle.corners);
    let normals = triangles.iter().flat_map(|triangle| triangle.normals);
    let mut bytes: Vec<u8> = corners
        .flat_map(|corner| corner.as_vec3().to_array())
        .flat_map(f32::to_le_bytes)
        .collect();
    let shares = normals.flat_map(|normal| normal.to_array());
    bytes.extend(shares.map(|share| (127.0 * share).round() as i8 as u8));
    bytes
}
