//! Containers, which hold the spheres, and bodies in them, which keep spheres out: one file for each solid.

mod axis;
mod body;
mod body_text;
mod boundary;
mod cone;
mod constants;
mod cuboid;
mod cylinder;
mod deepest;
mod error;
mod fixed;
pub(crate) mod frame;
mod hollow;
mod json;
#[cfg(feature = "mesh")]
mod mesh;
#[cfg(feature = "mesh")]
mod mesh_text;
mod outline;
mod plane;
mod quadrature;
mod shape;
mod solid;
mod spec;
mod sphere;
mod text;
mod union;
mod wall;
mod walls;

use glam::DVec3;
use rand::Rng;

pub use axis::{Axis, Direction};
pub use body::{Body, BodyError};
pub use body_text::ParseBodyError;
pub use boundary::{
    Boundaries, Boundary, BoundarySpec, ParseBoundariesError, ParseBoundarySpecError,
};
pub use cone::Cone;
use cuboid::confine_to_cuboid;
pub use cuboid::{Cuboid, Rectangle};
pub use cylinder::{Circle, Cylinder};
pub use error::ContainerError;
use frame::{Frame, Steps};
use hollow::Hollow;
#[cfg(feature = "mesh")]
pub use mesh::{Mesh, MeshError, MeshFault, MeshReader, MeshRepairs, ReadMeshError};
#[cfg(feature = "mesh")]
pub(crate) use mesh_text::mesh_file;
pub use outline::{Outline, OutlineError, ReadOutlineError};
pub(crate) use quadrature::even_point;
pub use solid::Solid;
pub use spec::{ContainerSpec, ContainerSpecError};
pub use sphere::Ball;
use walls::Walls;

use crate::spheres::Spheres;

/// A region of space with walls or periodic faces, in a bounding box with one corner at the origin.
///
/// Lengths are in the caller's unit, which is also the unit of the diameters.
///
/// A flat container holds disks: spheres whose centers have z = 0. Its bounding box has no length along z, and its volume is an area.
///
/// The JSON form is `{"shape": "box", "lengths": [x, y, z], "boundary": "ppp", "volume": v}` or, for example,
/// `{"shape": "cylinder", "d": d, "h": h, "boundary": "w", "volume": v, "lengths": [d, d, h]}`, with `"axis": "x"` before the boundary
/// if the axis is not z. The boundary has a letter for each axis of a box, and one letter for all other shapes. Readers need neither `volume` nor, except of a box, `lengths`.
///
/// # Example
/// ```
/// use jostle::{Boundary, Container, glam::DVec3};
///
/// let container = Container::cuboid(DVec3::new(2.0, 2.0, 4.0), "ppw".parse()?)?;
/// assert_eq!(container.volume(), 16.0);
/// assert_eq!(container.wall_gap(DVec3::new(0.0, 0.0, 1.0), 0.25), 0.75);
///
/// let tube = Container::cylinder(2.0, 5.0, Boundary::Periodic)?;
/// assert_eq!(tube.lengths(), DVec3::new(2.0, 2.0, 5.0));
/// assert_eq!(tube.wall_gap(DVec3::new(1.0, 1.5, 0.0), 0.25), 0.25);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Container {
    walls: Walls,
    /// Absent without bodies.
    hollow: Option<Box<Hollow>>,
    /// Whether the container is its own bounding box: every relocation asks this.
    is_bounding_box: bool,
}

/// A periodic cube of side 1.
impl Default for Container {
    fn default() -> Self {
        Boundaries::PERIODIC.into()
    }
}

/// A cube of side 1.
impl From<Boundaries> for Container {
    fn from(boundary: Boundaries) -> Self {
        let lengths = DVec3::ONE;
        let solid = Solid::Box(Cuboid { lengths });
        Self::of(Walls::of(solid, Axis::Z, boundary), None)
    }
}

impl Container {
    /// Creates the container inside a solid.
    ///
    /// # Errors
    /// [`ContainerError`] if a parameter is not positive and finite, or if the solid cannot have the boundary.
    pub fn new(solid: Solid, boundary: Boundaries) -> Result<Self, ContainerError> {
        Self::with_axis(solid, Axis::Z, boundary)
    }

    /// Creates the container inside a solid whose axis has this direction. Only a cylinder and a cone have an axis; other solids ignore it.
    ///
    /// # Errors
    /// [`ContainerError`] if a parameter is not positive and finite, or if the solid cannot have the boundary.
    ///
    /// # Example
    /// ```
    /// use jostle::{Boundaries, Container, container::{Axis, Cylinder, Solid}, glam::DVec3};
    ///
    /// let pipe = Solid::Cylinder(Cylinder { diameter: 2.0, height: 5.0 });
    /// let pipe = Container::with_axis(pipe, Axis::X, "pww".parse()?)?;
    /// assert_eq!(pipe.lengths(), DVec3::new(5.0, 2.0, 2.0));
    /// assert_eq!(pipe.wall_gap(DVec3::new(0.0, 1.0, 1.5), 0.25), 0.25);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn with_axis(
        solid: Solid,
        axis: Axis,
        boundary: Boundaries,
    ) -> Result<Self, ContainerError> {
        Walls::new(solid, axis, boundary).map(|walls| Self::of(walls, None))
    }

    /// Creates a cuboid of the given side lengths.
    ///
    /// # Errors
    /// [`ContainerError`] if a length is not positive and finite.
    pub fn cuboid(lengths: DVec3, boundary: Boundaries) -> Result<Self, ContainerError> {
        Self::new(Solid::Box(Cuboid { lengths }), boundary)
    }

    /// Creates a cylinder whose axis is parallel to z, with the boundary `ends` along its axis.
    ///
    /// # Errors
    /// [`ContainerError`] if the diameter or the height is not positive and finite.
    pub fn cylinder(diameter: f64, height: f64, ends: Boundary) -> Result<Self, ContainerError> {
        let boundary = Boundaries([Boundary::Wall, Boundary::Wall, ends]);
        Self::new(Solid::Cylinder(Cylinder { diameter, height }), boundary)
    }

    /// Creates a sphere.
    ///
    /// # Errors
    /// [`ContainerError`] if the diameter is not positive and finite.
    pub fn sphere(diameter: f64) -> Result<Self, ContainerError> {
        Self::new(Solid::Sphere(Ball { diameter }), Boundaries::WALLS)
    }

    /// Creates the frustum of a cone whose axis is parallel to z, from its diameters at the lowest and at the highest z. One of
    /// them may be 0.
    ///
    /// # Errors
    /// [`ContainerError`] if the height is not positive and finite, if a diameter is negative or not finite, or if both are 0.
    pub fn cone(bottom: f64, top: f64, height: f64) -> Result<Self, ContainerError> {
        let cone = Cone {
            bottom,
            top,
            height,
        };
        Self::new(Solid::Cone(cone), Boundaries::WALLS)
    }

    /// Creates the container inside an outline, which holds disks.
    pub fn outline(outline: Outline) -> Self {
        let walls = Walls::of(Solid::Outline(outline), Axis::Z, Boundaries::WALLS);
        Self::of(walls, None)
    }

    /// Creates the container inside a mesh.
    #[cfg(feature = "mesh")]
    pub fn mesh(mesh: Mesh) -> Self {
        let walls = Walls::of(Solid::Mesh(mesh), Axis::Z, Boundaries::WALLS);
        Self::of(walls, None)
    }

    /// Returns a sentence about each mesh in a file that was repaired, that of the container and those of bodies, and one about a container
    /// that is the wall of a cavity.
    pub fn notes(&self) -> Vec<String> {
        #[cfg(feature = "mesh")]
        {
            let solids = std::iter::once(self.solid());
            let solids = solids.chain(self.bodies().iter().map(|body| &body.solid));
            let repairs = solids.enumerate().filter_map(repair_note);
            repairs.chain(self.cavity_note()).collect()
        }
        #[cfg(not(feature = "mesh"))]
        Vec::new()
    }

    /// Returns the sentence about a mesh whose holes are larger than the body between them.
    #[cfg(any(feature = "cli", feature = "mesh"))]
    pub(crate) fn cavity_note(&self) -> Option<String> {
        #[cfg(feature = "mesh")]
        if let Solid::Mesh(mesh) = self.solid() {
            return mesh.cavity_note();
        }
        None
    }

    fn of(walls: Walls, hollow: Option<Hollow>) -> Self {
        Self {
            is_bounding_box: matches!(walls.solid, Solid::Box(_) | Solid::Rectangle(_))
                && hollow.is_none(),
            walls,
            hollow: hollow.map(Box::new),
        }
    }

    /// Returns the solid whose inside this is, without the bodies in it.
    pub fn solid(&self) -> &Solid {
        &self.walls.solid
    }

    /// Returns the direction of the axis of a cylinder or a cone; z for other solids.
    pub fn axis(&self) -> Axis {
        self.walls.axis
    }

    /// Returns this container without the space that `bodies` take. Bodies that are in the container already remain.
    ///
    /// Spheres keep the same distances from bodies as from walls. The container and its bodies scale together: only
    /// [`Target::Exact`](crate::Target::Exact) keeps their sizes. Bodies may cross walls, periodic faces and each other.
    ///
    /// # Cost
    /// [`Self::volume`] is exact for bodies that lie inside and apart, by their bounding boxes. The union of other bodies is
    /// integrated when the volume is asked for first, in some milliseconds to a second. The error is below 10⁻⁷ of their bounding
    /// box, or below 10⁻⁵ with a mesh of more than 1000 vertices.
    ///
    /// # Errors
    /// [`BodyError`] if a body has a length that is not positive, lies outside, or is longer than a periodic axis; if a
    /// cylinder has no height along an axis with walls; or if the bodies fill the container.
    pub fn without(&self, bodies: impl IntoIterator<Item = Body>) -> Result<Self, BodyError> {
        let bodies: Vec<Body> = self.bodies().iter().cloned().chain(bodies).collect();
        if bodies.is_empty() {
            return Ok(self.clone());
        }
        let hollow = Hollow::new(&self.walls, bodies)?;
        Ok(Self::of(self.walls.clone(), Some(hollow)))
    }

    /// Returns the bodies in the container.
    pub fn bodies(&self) -> &[Body] {
        self.hollow.as_ref().map_or(&[], |hollow| &hollow.bodies)
    }

    /// Returns this container without its bodies.
    #[must_use]
    pub fn outer(&self) -> Self {
        Self::of(self.walls.clone(), None)
    }

    /// Returns this container with fixed spheres, enlarged by `enlargement`, as further walls. For the packing loop only: everything
    /// else takes fixed spheres for spheres.
    pub(crate) fn around(&self, fixed: &Spheres, enlargement: f64) -> Self {
        let radii = fixed.radii().iter().map(|radius| radius + enlargement);
        let enlarged = Spheres::new(fixed.centers().to_vec(), radii.collect());
        let hollow = Hollow::around_fixed(&self.walls, self.bodies().to_vec(), enlarged);
        Self::of(self.walls.clone(), Some(hollow))
    }

    /// Returns whether there are fixed spheres of [`Self::around`].
    pub(crate) fn has_fixed(&self) -> bool {
        (self.hollow.as_ref()).is_some_and(|hollow| hollow.has_fixed())
    }

    /// Like [`Self::random_position`], but the sphere may overlap bodies and fixed spheres.
    pub(crate) fn random_position_in_outer(
        &self,
        frame: &Frame,
        radius: f32,
        rng: &mut dyn Rng,
    ) -> Steps {
        self.walls.random_position(frame, radius, rng)
    }

    /// Returns the gap between a sphere and the nearest fixed sphere of [`Self::around`].
    pub(crate) fn gap_to_fixed(&self, center: DVec3, radius: f64) -> f64 {
        let of_hollow = |hollow: &Hollow| hollow.fixed_distance(&self.walls, center) - radius;
        (self.hollow.as_deref()).map_or(f64::INFINITY, of_hollow)
    }

    /// Returns whether the container is a cuboid or a rectangle without bodies, which is its own bounding box.
    pub fn is_bounding_box(&self) -> bool {
        self.is_bounding_box
    }

    /// Returns the lengths of the bounding box.
    #[inline]
    pub fn lengths(&self) -> DVec3 {
        self.walls.lengths
    }

    /// Returns the boundary of each axis of the bounding box.
    #[inline]
    pub fn boundary(&self) -> Boundaries {
        self.walls.boundary
    }

    /// Returns the boundary as a user writes it: a letter for each axis of a box or a rectangle, and one letter for all other shapes.
    pub fn boundary_spec(&self) -> BoundarySpec {
        let [x, y, _] = self.boundary().0;
        match self.solid() {
            Solid::Box(_) => BoundarySpec::Axes(self.boundary()),
            Solid::Rectangle(_) => BoundarySpec::Plane([x, y]),
            _ => BoundarySpec::Axis(self.boundary().0[self.axis().number()]),
        }
    }

    /// Returns whether the axis (0, 1, 2) is periodic.
    pub fn is_periodic(&self, axis: usize) -> bool {
        self.boundary().is_periodic(axis)
    }

    /// Returns the volume inside the walls and outside of the bodies: an area in a flat container.
    pub fn volume(&self) -> f64 {
        match &self.hollow {
            Some(hollow) => hollow.volume(&self.walls),
            None => self.solid().volume(),
        }
    }

    /// Returns the radius of the largest sphere that crosses no wall and does not overlap its own periodic image.
    pub fn largest_radius(&self) -> f64 {
        self.inradius().min(0.5 * self.shortest_period())
    }

    /// Returns the radius of the largest sphere that crosses no wall; infinity without walls.
    pub(crate) fn inradius(&self) -> f64 {
        match &self.hollow {
            Some(hollow) => hollow.largest_sphere(&self.walls).radius,
            None => self.walls.inradius(),
        }
    }

    /// Returns the shortest length along a periodic axis; infinity without periodic axes.
    pub(crate) fn shortest_period(&self) -> f64 {
        self.periods().min_element()
    }

    /// Returns the gap between a sphere and the nearest wall or body: negative if the sphere crosses it, infinite without
    /// walls and bodies. Beyond an edge between walls, the center has the distance of the edge.
    pub fn wall_gap(&self, center: DVec3, radius: f64) -> f64 {
        self.wall_distance(center) - radius
    }

    /// Returns the distance from a point to the nearest wall or body: negative beyond it, infinite without walls and bodies.
    fn wall_distance(&self, point: DVec3) -> f64 {
        match &self.hollow {
            Some(hollow) => hollow.distance(&self.walls, point),
            None => self.walls.distance(point),
        }
    }

    /// Returns whether the straight line between any two points of the container lies in it, for certain.
    pub(crate) fn is_convex(&self) -> bool {
        self.hollow.is_none() && self.solid().is_convex()
    }

    /// Returns the distance from a point to the nearest wall or body, as in [`Self::wall_gap`], and the unit vector toward it. Without walls
    /// and bodies, the vector has no meaning.
    pub(crate) fn nearest_wall(&self, point: DVec3) -> (f64, DVec3) {
        match &self.hollow {
            Some(hollow) => hollow.nearest(&self.walls, point),
            None => self.walls.nearest(point),
        }
    }

    /// Returns the distance of a point in the container from the body of this number, and the unit vector from the body, if the distance is
    /// below `reach`.
    pub(crate) fn nearest_of_body(
        &self,
        number: usize,
        point: DVec3,
        reach: f64,
    ) -> Option<(f64, DVec3)> {
        self.bodies()[number].nearest_within(point, self.periods(), reach)
    }

    /// Returns the factor by which the container must grow until a sphere does not overlap its own periodic image, and its center keeps the
    /// distance `wall_radius` from walls. The center moves with the container, the radius stays. A factor below 1 is possible.
    pub(crate) fn growth_to_keep(&self, center: DVec3, radius: f64, wall_radius: f64) -> f64 {
        let from_images = 2.0 * radius / self.shortest_period();
        from_images.max(wall_radius / self.wall_distance(center).max(0.0))
    }

    /// Returns this container with every length multiplied by `factor`, which must be positive.
    #[must_use]
    pub fn scaled(&self, factor: f64) -> Self {
        let walls = Walls::of(self.solid().scaled(factor), self.axis(), self.boundary());
        let hollow = self.hollow.as_ref().map(|hollow| hollow.scaled(factor));
        Self::of(walls, hollow)
    }

    /// Returns the lengths along periodic axes, and infinity along the others.
    pub(crate) fn periods(&self) -> DVec3 {
        self.walls.periods()
    }

    /// Returns `vector`, which leads from a point or the start of an edge, from those periodic images of the start that may be nearest.
    pub(crate) fn near_images(&self, vector: DVec3) -> impl Iterator<Item = DVec3> {
        body::from_near_images(vector, self.periods())
    }

    /// Returns the shortest vector from `from` to any periodic image of `to`, for points inside the container.
    #[inline]
    pub fn displacement(&self, from: DVec3, to: DVec3) -> DVec3 {
        let (lengths, boundary) = (self.lengths(), self.boundary());
        let mut d = to - from;
        for axis in 0..3 {
            if boundary.is_periodic(axis) {
                let length = lengths[axis];
                if d[axis] > 0.5 * length {
                    d[axis] -= length;
                } else if d[axis] < -0.5 * length {
                    d[axis] += length;
                }
            }
        }
        d
    }

    /// Returns `point` moved by whole lengths of the bounding box along the periodic axes into `0 ≤ x < length`.
    #[inline]
    pub fn wrap(&self, mut point: DVec3) -> DVec3 {
        let (lengths, boundary) = (self.lengths(), self.boundary());
        for axis in 0..3 {
            if boundary.is_periodic(axis) {
                let length = lengths[axis];
                // The remainder is slow, and most points are inside.
                if (0.0..length).contains(&point[axis]) {
                    continue;
                }
                // rem_euclid rounds a tiny negative number up to the length itself.
                let wrapped = point[axis].rem_euclid(length);
                point[axis] = if wrapped < length { wrapped } else { 0.0 };
            }
        }
        point
    }

    /// Returns the fixed-point frame of the bounding box.
    pub(crate) fn frame(&self) -> Frame {
        Frame::new(self.lengths(), self.boundary())
    }

    /// Returns the position of a sphere that starts at `at` and moves by `displacement`, both in steps of `frame`, but
    /// stops at the walls. `frame` is that of this container.
    ///
    /// Every relocation asks this. The code of the cuboid is part of the packing loop; that of other containers is a call.
    #[inline(always)]
    pub(crate) fn confine(
        &self,
        frame: &Frame,
        at: Steps,
        displacement: [i64; 3],
        radius: f32,
    ) -> Steps {
        if self.is_bounding_box {
            return confine_to_cuboid(frame, at, displacement, radius);
        }
        match &self.hollow {
            Some(hollow) => hollow.confine(&self.walls, frame, at, displacement, radius),
            None => self.walls.confine(frame, at, displacement, radius),
        }
    }

    /// Returns a random position, uniformly distributed over all positions at which a sphere crosses no wall. `frame` is
    /// that of this container.
    pub(crate) fn random_position(&self, frame: &Frame, radius: f32, rng: &mut dyn Rng) -> Steps {
        match &self.hollow {
            Some(hollow) => hollow.random_position(&self.walls, frame, radius, rng),
            None => self.random_position_in_outer(frame, radius, rng),
        }
    }
}

/// Returns the sentence about a mesh that was repaired: the container, which has the number 0, or a body.
#[cfg(feature = "mesh")]
fn repair_note((number, solid): (usize, &Solid)) -> Option<String> {
    let Solid::Mesh(mesh) = solid else {
        return None;
    };
    let repairs = mesh.repairs();
    let owner = match number.checked_sub(1) {
        None => "the container".to_owned(),
        Some(body) => format!("body {body}"),
    };
    (!repairs.is_empty()).then(|| format!("the mesh of {owner} was repaired: {repairs}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_must_be_positive_and_finite() {
        for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
            let message = Container::cuboid(DVec3::new(1.0, bad, 1.0), Boundaries::PERIODIC)
                .unwrap_err()
                .to_string();
            assert!(message.contains("length y"), "{message}");
        }
    }

    #[test]
    fn displacement_crosses_periodic_faces_only() {
        let container = Container::cuboid(DVec3::splat(10.0), "pwp".parse().unwrap()).unwrap();
        let d = container.displacement(DVec3::splat(0.5), DVec3::splat(9.5));
        assert_eq!(d, DVec3::new(-1.0, 9.0, -1.0));
    }

    #[test]
    fn wrap_stays_below_the_length() {
        let container = Container::cuboid(DVec3::splat(10.0), Boundaries::PERIODIC).unwrap();
        let wrapped = container.wrap(DVec3::new(-1e-20, 10.0, -23.0));
        assert_eq!(wrapped, DVec3::new(0.0, 0.0, 7.0));
    }

    #[test]
    fn wall_gap_is_signed() {
        let container = Container::cuboid(DVec3::splat(10.0), "ppw".parse().unwrap()).unwrap();
        assert_eq!(container.wall_gap(DVec3::new(0.0, 0.0, 9.5), 1.0), -0.5);
        assert_eq!(container.wall_gap(DVec3::splat(5.0), 1.0), 4.0);
    }

    #[test]
    fn grown_containers_just_hold_the_sphere() {
        let container =
            Container::cuboid(DVec3::new(4.0, 6.0, 8.0), "wpw".parse().unwrap()).unwrap();
        for (center, radius) in [
            (DVec3::new(1.0, 3.0, 4.0), 2.0),
            (DVec3::new(2.0, 0.5, 7.0), 0.25),
            (DVec3::new(2.0, 0.5, 4.0), 3.5),
        ] {
            let factor = container.growth_to_keep(center, radius, radius);
            let grown = container.scaled(factor);
            let image_gap = grown.lengths().y - 2.0 * radius;
            let gap = grown.wall_gap(factor * center, radius).min(image_gap);
            assert!(gap.abs() < 1e-12, "{center}, {radius}: {gap}");
        }
    }

    #[test]
    fn containers_survive_serialization() {
        let container = Container::cuboid(DVec3::new(1.0, 2.0, 0.1), Boundaries::WALLS).unwrap();
        let text = serde_json::to_string(&container).unwrap();
        assert_eq!(
            text,
            r#"{"shape":"box","lengths":[1.0,2.0,0.1],"boundary":"www","volume":0.2}"#
        );
        assert_eq!(serde_json::from_str::<Container>(&text).unwrap(), container);
        let older = r#"{"lengths":[1.0,2.0,0.1],"boundary":"www"}"#;
        assert_eq!(serde_json::from_str::<Container>(older).unwrap(), container);
        let flat = r#"{"lengths":[1.0,0.0,0.1],"boundary":"www"}"#;
        assert!(serde_json::from_str::<Container>(flat).is_err());
    }
}
