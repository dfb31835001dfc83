//! The choices of an export that every format shares.

use std::io;

use glam::DVec3;

use super::{selection::Selection, types::Types};
use crate::{
    container::Container,
    io::format::Format,
    machine::ranks::Ranks,
    macros::{choice, setters},
};

choice! {
    "origin", "lowercase";
    /// The position of the origin of coordinates in a file.
    #[derive(Default, strum::IntoStaticStr)]
    #[non_exhaustive]
    pub enum Origin {
        /// The low corner of the container.
        #[default]
        Corner,
        /// The center of the container.
        Center,
        /// The origin of the file from which a mesh was read, in its coordinates; the low corner of other containers.
        Mesh,
    }
}

choice! {
    "voxel value", "lowercase";
    /// The numbers in the cells of a voxel image. A cell outside of all spheres has the number 0.
    #[derive(Default, strum::IntoStaticStr)]
    #[non_exhaustive]
    pub enum VoxelValues {
        /// 1 in every sphere.
        #[default]
        Solid,
        /// The number of the sphere, from 1.
        Id,
        /// The type of the sphere, from 1.
        Class,
    }
}

/// Resolution of surfaces without a choice: 320 triangles a sphere look round, and enclose 96 % of its volume.
const USUAL_RESOLUTION: u32 = 2;

/// The choices of an export. The default writes every sphere once, as it is.
///
/// A selection comes first; then copies of the container ([`repeat`](Self::repeat)), the scale, the origin, and last copies
/// of spheres that cross periodic faces ([`images`](Self::images)).
///
/// # Example
/// ```
/// use jostle::io::{ExportOptions, Origin};
///
/// // From millimeters to meters, and only the spheres above 2 mm.
/// let options = ExportOptions::default()
///     .scale(1e-3)
///     .density(2650.0)
///     .origin(Origin::Center)
///     .select("d>2".parse()?);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ExportOptions {
    /// Format of the files; `None` chooses it by the extension of each file.
    pub format: Option<Format>,
    /// Density of the spheres, for formats that hold one, in the unit of the target program. The density of a component of a blend is
    /// multiplied by it.
    pub density: f64,
    /// Factor by which all lengths are multiplied.
    pub scale: f64,
    /// Position of the origin of coordinates.
    pub origin: Origin,
    /// Rule for the types of the spheres.
    pub types: Types,
    /// Spheres to export.
    pub select: Selection,
    /// Whether spheres that cross periodic faces get copies at the opposite faces. The file then states no periodicity.
    pub images: bool,
    /// Number of copies of the container along each axis.
    pub repeat: [u32; 3],
    /// Whether files of target programs get a script beside them.
    pub script: bool,
    /// Largest gap of two bonded spheres, in units of the smaller diameter; `None` writes no bonds. LAMMPS data then are for
    /// `atom_style bpm/sphere`. GenGeo and MUSEN have bonds, too; other formats have none.
    pub bonds: Option<f64>,
    /// Number of times that the triangles of an icosahedron are divided into four, for surfaces.
    pub resolution: u32,
    /// Factor on the radii of surfaces and of Gmsh's spheres. A factor below 1 leaves gaps, which meshers need.
    pub shrink: f64,
    /// Radius of bridges between spheres that nearly touch, in units of the smaller radius; 0 makes no bridges.
    pub bridge: f64,
    /// Whether surfaces end at the faces of the container. Spheres that cross periodic faces then have images on them.
    pub cut: bool,
    /// Size of the cells of voxel images.
    pub voxel: Option<f64>,
    /// Numbers in the cells of voxel images.
    pub voxel_values: VoxelValues,
    /// The ranks that write together. Each one passes the packing with its share of the spheres. See
    /// [`export_files`](crate::io::export_files).
    pub ranks: Ranks,
}

impl Default for ExportOptions {
    fn default() -> Self {
        Self {
            format: None,
            density: 1.0,
            scale: 1.0,
            origin: Origin::default(),
            types: Types::default(),
            select: Selection::default(),
            images: false,
            repeat: [1; 3],
            script: false,
            bonds: None,
            resolution: USUAL_RESOLUTION,
            shrink: 1.0,
            bridge: 0.0,
            cut: false,
            voxel: None,
            voxel_values: VoxelValues::default(),
            ranks: Ranks::default(),
        }
    }
}

impl ExportOptions {
    setters! {
        /// Sets the ranks that write together.
        ranks: impl Into<Ranks>;
        /// Sets the format of the files.
        format: Format;
        /// Sets the density of the spheres.
        density: f64;
        /// Sets the factor by which all lengths are multiplied.
        scale: f64;
        /// Sets the position of the origin.
        origin: Origin;
        /// Sets the rule for the types.
        types: Types;
        /// Selects the spheres to export.
        select: Selection;
        /// Adds copies of the spheres that cross periodic faces, or leaves them out.
        images: bool;
        /// Sets the number of copies of the container along each axis.
        repeat: [u32; 3];
        /// Writes a script beside each file, or leaves it out.
        script: bool;
        /// Writes a bond for each pair of spheres whose gap is at most `bonds` smaller diameters.
        bonds: f64;
        /// Sets the resolution of surfaces.
        resolution: u32;
        /// Sets the factor on the radii of surfaces.
        shrink: f64;
        /// Sets the radius of bridges.
        bridge: f64;
        /// Cuts surfaces at the faces of the container, or leaves them whole.
        cut: bool;
    }

    /// Sets the size of the cells of voxel images, and the numbers in them.
    pub fn voxel(mut self, size: f64, values: VoxelValues) -> Self {
        (self.voxel, self.voxel_values) = (Some(size), values);
        self
    }

    /// Checks whether the rule for types suits spheres of these radii, if all of them are selected. The other options do not
    /// depend on the radii.
    ///
    /// # Errors
    /// One of kind [`io::ErrorKind::InvalidInput`] when there are too many types.
    pub fn check_radii(&self, radii: &[f64]) -> io::Result<()> {
        if self.select.is_all() {
            self.types.bounds(radii)?;
        }
        Ok(())
    }

    /// Returns the low corner of a container in the file.
    pub(super) fn low_corner(&self, container: &Container) -> DVec3 {
        match (self.origin, container.solid()) {
            (Origin::Center, _) => -0.5 * container.lengths(),
            (Origin::Mesh, solid) => solid.file_origin().unwrap_or_default(),
            _ => DVec3::ZERO,
        }
    }

    /// Returns whether the centers and radii go into the file as they are, and each rank can write its own.
    pub(in crate::io) fn keeps_spheres(&self) -> bool {
        self.scale == 1.0
            && self.origin == Origin::Corner
            && self.select.is_all()
            && !self.images
            && self.repeat == [1; 3]
            && self.bonds.is_none()
    }
}
