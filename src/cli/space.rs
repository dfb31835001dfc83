//! The options of the space that spheres fill: its container, the bodies and fixed spheres in it, and its boundary.

use anyhow::{Result, anyhow};
use clap::Args;

use super::{
    fixed::FixedFile,
    help,
    values::{self, Measured},
};
use crate::{
    Container,
    container::{Body, BoundarySpec, ContainerSpec},
    rearrange::{FixedSpheres, PackError},
    request::RequestError,
};

/// Options of the space that spheres fill.
#[derive(Args)]
#[command(next_help_heading = help::CONTAINER)]
pub struct SpaceOptions {
    /// Fill a box of these lengths: one for a cube, three, or two for a rectangle of disks. One of several may be auto to follow from
    /// --number. Lengths are in the unit of the diameters, or have one, as in 15cm. Without --number and --fraction, the box is filled
    /// densely [default: the smallest cube]
    #[arg(long = "box", value_name = "LENGTHS", allow_hyphen_values = true, value_parser = values::measured_box)]
    pub lengths: Option<Measured<ContainerSpec>>,

    /// Fill a container of this shape, such as cylinder:d=3,h=4. Lengths are in the unit of the diameters. Other shapes are
    /// box:lx=3,ly=4,lz=5, sphere:d=3, cone:d_bottom=3,d_top=1,h=4 and mesh:part.stl. Without a size, as in cylinder:aspect=2 (h/d), sphere,
    /// cone:taper=0.5,aspect=1.5 (d_top/d_bottom, h/d_bottom) or mesh:part.stl,fit, the smallest container of the shape is found.
    /// mesh:part.stl,cap closes planar openings; mesh:part.stl,inside=x,y,z fills the region around a point, such as the cavity of a vessel.
    /// cylinder:d=3,h=auto has the height that follows from --number; axis=x lays a cylinder or a cone down. rectangle:lx=3,ly=4,
    /// circle:d=3 and outline:part.svg (or .dxf, or .json of GeoJSON) hold disks in the plane
    #[arg(long, value_name = "SHAPE", conflicts_with = "lengths", value_parser = values::measured_shape::<ContainerSpec>)]
    pub container: Option<Measured<ContainerSpec>>,

    /// Keep spheres out of this body, such as sphere:d=2@5,5,5. The container needs a size. Bodies are sphere:d=2@5,5,5,
    /// box:lx=1,ly=2,lz=3@5,5,5, cylinder:d=2,h=8@5,5,5,axis=x (x,y,z is the center; h may be left out along a periodic axis),
    /// cone:d_bottom=3,d_top=1,h=4@5,5,5 (with an axis, too), mesh:part.stl@5,5,5 (x,y,z moves the coordinates of the file), and circle:d=2@5,5,
    /// rectangle:lx=1,ly=2@5,5 and outline:part.svg@5,5 among disks. Repeat the option for several bodies
    #[arg(long, value_name = "BODY", allow_hyphen_values = true, value_parser = values::measured_shape::<Body>)]
    pub keep_out: Vec<Measured<Body>>,

    #[command(flatten)]
    pub fixed: FixedFile,

    /// Make the faces along x, y and z periodic (p) or walls (w), such as ppw. Two letters are the sides of a rectangle, such as pw, and one
    /// letter the ends of a cylinder [default: periodic for a box or a rectangle, walls for other shapes]
    #[arg(long)]
    pub boundary: Option<BoundarySpec>,
}

impl SpaceOptions {
    /// Returns the container that --box or --container describes, as it is written.
    pub fn described(&self) -> Option<&Measured<ContainerSpec>> {
        self.lengths.as_ref().or(self.container.as_ref())
    }

    /// Returns the requested container, in the unit of the sizes.
    pub fn spec(&self, unit: &str) -> Result<Option<ContainerSpec>> {
        in_unit(self.described(), unit)
    }

    /// Returns the requested bodies, in the unit of the sizes.
    pub fn bodies(&self, unit: &str) -> Result<Vec<Body>> {
        let bodies = self.keep_out.iter();
        bodies.map(|body| body.in_unit(unit)).collect()
    }

    /// Reads the fixed spheres, which lie in this container.
    pub fn fixed(&self, container: &Container, quiet: bool) -> Result<Option<FixedSpheres>> {
        self.fixed.read(container, quiet)
    }

    /// Names the file and the option in an error about fixed spheres, and the cavity of a wall that is too thin.
    pub fn explain(&self, error: PackError, container: &Container) -> anyhow::Error {
        match (&error, container.cavity_note()) {
            (PackError::Fixed(fixed), _) => self.fixed.explain(fixed),
            (PackError::TooLarge { .. } | PackError::TooFew { .. }, Some(note)) => {
                anyhow!("{error}; {note}")
            }
            (PackError::TooFew { .. }, None) => {
                anyhow!("{error} (--number, --fraction, --cut-above)")
            }
            _ => error.into(),
        }
    }
}

/// Names the options of a request that gives too much or too little.
pub fn explain_request(error: RequestError) -> anyhow::Error {
    let options = match error {
        RequestError::TooMuch => "--box or --container, --fraction, --number",
        RequestError::FreeLength => "--number",
        RequestError::ShortLength { .. } => "--number, --box or --container, --cut-above",
        RequestError::NoSize(_) => "add --box or --container to --keep-out or --fixed",
        _ => return error.into(),
    };
    anyhow!("{error} ({options})")
}

/// Returns a value in the unit of the sizes, if it is given.
pub fn in_unit<T: Clone>(value: Option<&Measured<T>>, unit: &str) -> Result<Option<T>> {
    value.map(|value| value.in_unit(unit)).transpose()
}
