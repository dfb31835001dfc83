//! The surfaces of a container and its bodies, one by one: a sphere in a corner touches several.

use glam::DVec3;

use super::constants::{PROBE, SAME_FACE};
use crate::container::{Axis, Boundaries, Boundary, Cone, Container, Outline, Solid};

/// A surface that a sphere can touch at one point.
#[derive(Clone, Debug)]
enum Surface {
    /// A plane at right angles to an axis: at the low or at the high end of the bounding box.
    Plane { axis: usize, is_high: bool },
    /// The walls of a container of which no other wall is near, at an offset.
    Side(Container, DVec3),
    /// The body of this number, which is convex.
    Body(usize),
    /// The face nearest to a point beside the center, of a mesh that is the container or the body of this number.
    Face(Option<usize>, DVec3),
    /// An edge of an outline.
    Edge(Edge),
}

/// A straight edge of an outline that is the container or a body.
#[derive(Clone, Copy, Debug)]
struct Edge {
    from: DVec3,
    /// Unit vector towards the end.
    along: DVec3,
    length: f64,
}

/// The surfaces of a container.
#[derive(Clone, Debug)]
pub(super) struct Surfaces {
    container: Container,
    /// The container without its bodies.
    outer: Container,
    surfaces: Vec<Surface>,
}

impl Surfaces {
    /// Lists the surfaces of a container. Probes look for faces of meshes at a distance of `reach`.
    pub fn new(container: &Container, reach: f64) -> Self {
        let mut surfaces = Vec::new();
        let planes = |axis: usize| [false, true].map(|is_high| Surface::Plane { axis, is_high });
        let own = container.axis().number();
        match container.solid() {
            Solid::Box(_) => surfaces.extend((0..3).flat_map(planes)),
            Solid::Rectangle(_) => surfaces.extend((0..2).flat_map(planes)),
            Solid::Cylinder(_) => {
                surfaces.extend(planes(own));
                surfaces.extend(pipe(container).map(|pipe| Surface::Side(pipe, DVec3::ZERO)));
            }
            Solid::Cone(cone) => {
                surfaces.extend(planes(own));
                surfaces.extend(side(cone, container.axis()));
            }
            #[cfg(feature = "mesh")]
            Solid::Mesh(_) => surfaces.extend(faces(None, reach)),
            Solid::Outline(outline) => surfaces.extend(edges(outline, DVec3::ZERO)),
            _ => surfaces.push(Surface::Side(container.outer(), DVec3::ZERO)),
        }
        surfaces.retain(
            |surface| !matches!(surface, Surface::Plane { axis, .. } if container.is_periodic(*axis)),
        );
        for (number, body) in container.bodies().iter().enumerate() {
            match &body.solid {
                Solid::Outline(outline) => surfaces.extend(edges(outline, body.position)),
                solid if solid.name() == "mesh" => surfaces.extend(faces(Some(number), reach)),
                _ => surfaces.push(Surface::Body(number)),
            }
        }
        Self {
            container: container.clone(),
            outer: container.outer(),
            surfaces,
        }
    }

    /// Returns the numbers of the surfaces within `reach` of a point.
    pub fn near(&self, point: DVec3, reach: f64) -> Vec<u32> {
        let mut faces: Vec<DVec3> = Vec::new();
        let mut is_near = |number: &u32| {
            if let Surface::Edge(edge) = &self.surfaces[*number as usize] {
                return self.to_edge(edge, point).1.length() < reach;
            }
            let found = self.distance_within(*number, point, reach);
            let is_face = matches!(self.surfaces[*number as usize], Surface::Face(..));
            found.is_some_and(|(_, normal)| {
                // Several probes find the same face.
                let is_known = is_face && faces.iter().any(|face| face.dot(normal) > SAME_FACE);
                faces.extend(is_face.then_some(normal));
                !is_known
            })
        };
        (0..self.surfaces.len() as u32)
            .filter(&mut is_near)
            .collect()
    }

    /// Returns the distance from a point to a surface, negative behind it, and the unit vector toward it, if the distance is below `reach`.
    pub fn distance_within(&self, number: u32, point: DVec3, reach: f64) -> Option<(f64, DVec3)> {
        let found = match &self.surfaces[number as usize] {
            Surface::Plane { axis, is_high } => {
                let normal = DVec3::AXES[*axis];
                if *is_high {
                    (self.container.lengths()[*axis] - point[*axis], normal)
                } else {
                    (point[*axis], -normal)
                }
            }
            Surface::Side(container, offset) => container.nearest_wall(point + *offset),
            Surface::Body(body) => {
                let point = self.container.wrap(point);
                let (distance, outwards) = self.container.nearest_of_body(*body, point, reach)?;
                (distance, -outwards)
            }
            Surface::Face(body, aside) => {
                let point = self.container.wrap(point + *aside);
                let limit = reach + aside.length();
                let (distance, normal) = match body {
                    Some(body) => {
                        let found = self.container.nearest_of_body(*body, point, limit);
                        found.map(|(distance, outwards)| (distance, -outwards))?
                    }
                    None => self.outer.nearest_wall(point),
                };
                // Faces are planes.
                (distance + aside.dot(normal), normal)
            }
            Surface::Edge(edge) => {
                let (at, away) = self.to_edge(edge, point);
                // The end belongs to the next edge.
                let distance = (at < edge.length).then(|| away.length())?;
                (distance, -away / distance)
            }
        };
        (found.0 < reach).then_some(found)
    }

    /// Returns the position along an edge of its point nearest to `point`, and the vector from there.
    fn to_edge(&self, edge: &Edge, point: DVec3) -> (f64, DVec3) {
        let images = self.container.near_images(point - edge.from);
        let feet = images.map(|from_start| {
            let at = from_start.dot(edge.along).clamp(0.0, edge.length);
            (at, from_start - at * edge.along)
        });
        let nearest = feet.min_by(|a, b| a.1.length_squared().total_cmp(&b.1.length_squared()));
        nearest.unwrap_or((0.0, DVec3::INFINITY))
    }
}

/// Returns the edges of an outline at an offset.
fn edges(outline: &Outline, offset: DVec3) -> impl Iterator<Item = Surface> {
    outline.rings().flat_map(move |ring| {
        let points = Vec::from_iter(ring.iter().map(|point| offset + point.extend(0.0)));
        let ends = points.clone().into_iter().cycle().skip(1);
        let edge = |(from, to): (DVec3, DVec3)| {
            Surface::Edge(Edge {
                from,
                along: (to - from).normalize(),
                length: from.distance(to),
            })
        };
        points.into_iter().zip(ends).map(edge)
    })
}

/// Returns the container of a cylinder without its ends.
fn pipe(container: &Container) -> Option<Container> {
    let mut boundary = [Boundary::Wall; 3];
    boundary[container.axis().number()] = Boundary::Periodic;
    let solid = container.solid().clone();
    Container::with_axis(solid, container.axis(), Boundaries(boundary)).ok()
}

/// Returns the side of a cone: that of a longer cone, whose ends are far away.
fn side(cone: &Cone, axis: Axis) -> Option<Surface> {
    let slope = (cone.top - cone.bottom) / cone.height;
    let most = 10.0 * (cone.height + cone.top.max(cone.bottom));
    // A cone ends at its apex.
    let below = if slope > 0.0 {
        most.min(cone.bottom / slope)
    } else {
        most
    };
    let above = if slope < 0.0 {
        most.min(-cone.top / slope)
    } else {
        most
    };
    let longer = Cone {
        bottom: (cone.bottom - slope * below).max(0.0),
        top: (cone.top + slope * above).max(0.0),
        height: cone.height + below + above,
    };
    let widest = |cone: &Cone| cone.top.max(cone.bottom);
    let aside = 0.5 * (widest(&longer) - widest(cone));
    let mut offset = DVec3::splat(aside);
    offset[axis.number()] = below;
    let longer = Container::with_axis(Solid::Cone(longer), axis, Boundaries::WALLS).ok()?;
    Some(Surface::Side(longer, offset))
}

/// Returns probes around the center of a sphere that look for the faces of a mesh.
fn faces(body: Option<usize>, reach: f64) -> impl Iterator<Item = Surface> {
    let around = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
    let around = around.map(move |axis| PROBE * reach * axis);
    std::iter::once(DVec3::ZERO)
        .chain(around)
        .map(move |aside| Surface::Face(body, aside))
}
