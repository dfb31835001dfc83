//! Flat containers, and what depends on the dimension of a container.

use glam::{DVec2, DVec3};

use super::{
    Container, axis::Axis, boundary::Boundaries, cuboid::Rectangle, cylinder::Circle,
    error::ContainerError, frame::dimension_of, solid::Solid, walls::Walls,
};
use crate::{dimension::Dimension, machine::divided::Divided};

impl Container {
    /// Creates a cube of side 1, or a square in the plane.
    pub(crate) fn unit(dimension: Dimension, boundary: Boundaries) -> Self {
        let lengths = match dimension {
            Dimension::Two => DVec3::ONE.with_z(0.0),
            Dimension::Three => DVec3::ONE,
        };
        Self::of(
            Walls::of(Solid::of_lengths(lengths), Axis::Z, boundary),
            None,
        )
    }

    /// Creates the container that is a bounding box of these lengths: a rectangle if that along z is 0, or else a cuboid.
    ///
    /// # Errors
    /// [`ContainerError`] if a length is not positive and finite.
    pub fn bounding_box(lengths: DVec3, boundary: Boundaries) -> Result<Self, ContainerError> {
        Self::new(Solid::of_lengths(lengths), boundary)
    }

    /// Creates a rectangle in the plane of x and y. Only the first two axes of the boundary count.
    ///
    /// # Errors
    /// [`ContainerError`] if a length is not positive and finite.
    ///
    /// # Example
    /// ```
    /// use jostle::{Boundaries, Container, Dimension, glam::DVec2};
    ///
    /// let square = Container::rectangle(DVec2::splat(3.0), Boundaries::PERIODIC)?;
    /// assert_eq!(square.dimension(), Dimension::Two);
    /// assert_eq!(square.volume(), 9.0);
    /// # Ok::<(), jostle::container::ContainerError>(())
    /// ```
    pub fn rectangle(lengths: DVec2, boundary: Boundaries) -> Result<Self, ContainerError> {
        Self::new(Solid::Rectangle(Rectangle { lengths }), boundary)
    }

    /// Creates a circle in the plane of x and y.
    ///
    /// # Errors
    /// [`ContainerError`] if the diameter is not positive and finite.
    pub fn circle(diameter: f64) -> Result<Self, ContainerError> {
        Self::new(Solid::Circle(Circle { diameter }), Boundaries::WALLS)
    }

    /// Returns the dimension of space: two in a flat container.
    pub fn dimension(&self) -> Dimension {
        dimension_of(self.lengths())
    }

    /// Returns the volume of spheres in the container; in a flat one, the area of disks.
    pub fn volume_of(&self, radii: &[f64]) -> f64 {
        self.dimension().volume(radii)
    }

    /// Returns the packing fraction of spheres with these radii.
    pub(crate) fn fraction_of(&self, radii: &Divided) -> f64 {
        radii.volume(self.dimension()) / self.volume()
    }

    /// Returns whether a point lies in the plane of a flat container; every point does in any other container.
    pub(crate) fn is_in_plane(&self, point: DVec3) -> bool {
        point.z == 0.0 || self.dimension() == Dimension::Three
    }

    /// Returns the shortest length of the bounding box; in a flat container, that along x or y.
    pub fn shortest_length(&self) -> f64 {
        let lengths = self.lengths().to_array();
        let axes = lengths.iter().take(self.dimension().number());
        axes.copied().fold(f64::INFINITY, f64::min)
    }

    /// Returns a point as fractions of the bounding box; the third one is 0 in a flat container.
    pub(crate) fn fractions(&self, point: DVec3) -> DVec3 {
        let fractions = point / self.lengths();
        match self.dimension() {
            Dimension::Two => fractions.with_z(0.0),
            Dimension::Three => fractions,
        }
    }
}
