//! Containers as users write them, such as `cylinder:d=10,h=20`.

use std::{fmt, str::FromStr};

#[cfg(feature = "mesh")]
use super::mesh_text::read_mesh;
use super::{
    Container,
    axis::Axis,
    body_text::read_axis,
    boundary::{Boundaries, Boundary, BoundarySpec},
    error::ContainerError,
    outline::read_outline,
    solid::Solid,
    text::{Fields, read_fields, unknown_shape},
};
use crate::{
    dimension::Dimension,
    names::{one_line, short},
};

/// A container as a user writes it, without its boundary.
///
/// | text | container |
/// |---|---|
/// | `box:lx=3,ly=4,lz=5` | exactly this cuboid |
/// | `cylinder:d=3,h=4`, `cylinder:d=3,h=4,axis=x` | exactly this cylinder, with its axis along z or x |
/// | `sphere:d=3` | exactly this sphere |
/// | `cone:d_bottom=3,d_top=1,h=4` | exactly this frustum of a cone, with its axis along z, or another `axis` |
/// | `box:lx=3,ly=4,lz=auto`, `cylinder:d=3,h=auto`, `cylinder:d=3` | this box or cylinder, whose free length follows from the volume of the spheres |
/// | `mesh:part.stl`, `mesh:part.stl,scale=0.001` | exactly the body in a file |
/// | `mesh:part.stl,cap`, `mesh:part.stl,inside=1,2,3` | the body after openings are closed, and the region around a point |
/// | `rectangle:lx=3,ly=4`, `circle:d=3` | exactly this rectangle or circle in the plane, which holds disks |
/// | `outline:part.svg`, `outline:part.json,scale=0.001` | the region inside the polygons of a file, which holds disks |
/// | `rectangle:lx=3,ly=auto` | this rectangle, whose free length follows from the area of the disks |
/// | `box` | the smallest cube |
/// | `cylinder:aspect=2` | the smallest cylinder with h/d = 2 |
/// | `sphere` | the smallest sphere |
/// | `cone:taper=0.5,aspect=1.5` | the smallest frustum with d_top/d_bottom = 0.5 and h/d_bottom = 1.5 |
/// | `rectangle`, `rectangle:aspect=2` | the smallest square, or rectangle with ly/lx = 2 |
/// | `circle` | the smallest circle |
/// | `outline:part.svg,fit` | the smallest outline similar to that of a file |
///
/// # Example
/// ```
/// use jostle::{Boundary, container::ContainerSpec};
///
/// let spec: ContainerSpec = "cylinder:d=3,h=4".parse()?;
/// assert!(spec.is_exact());
/// let container = spec.container(Some("p".parse()?))?;
/// assert!(container.is_periodic(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct ContainerSpec {
    solid: Solid,
    axis: Axis,
    is_exact: bool,
    /// The parameter that follows from the volume of the spheres.
    free: Option<&'static str>,
}

/// A text that describes no container.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", one_line(format!("container '{text}': {problem}")))]
pub struct ContainerSpecError {
    text: String,
    problem: String,
}

/// The texts that describe shapes.
const FORMS: &str = "box:lx=3,ly=4,lz=5, cylinder:d=3,h=4, cylinder:aspect=2, sphere:d=3, sphere, \
                     cone:d_bottom=3,d_top=1,h=4 or cone:taper=0.5,aspect=1.5, \
                     rectangle:lx=3,ly=4, circle:d=3, outline:part.svg, mesh:part.stl, mesh:part.stl,cap, mesh:part.stl,inside=1,2,3 or mesh:part.stl,fit";

/// The value of a length that follows from the volume of the spheres.
const AUTO: &str = "auto";

/// The key of the direction of the axis.
const AXIS: &str = "axis";

/// Returns the names of the parameters of a solid without a size: the ratios of its second and further parameters to the first.
fn ratios(solid: &Solid) -> &'static [&'static str] {
    match solid {
        Solid::Cylinder(_) => &["aspect"],
        Solid::Rectangle(_) => &["aspect"],
        Solid::Cone(_) => &["taper", "aspect"],
        _ => &[],
    }
}

impl ContainerSpec {
    /// Describes exactly this solid.
    pub fn exact(solid: Solid) -> Self {
        Self {
            solid,
            axis: Axis::Z,
            is_exact: true,
            free: None,
        }
    }

    /// Describes the smallest container that is similar to this solid.
    pub fn smallest(solid: Solid) -> Self {
        Self {
            is_exact: false,
            ..Self::exact(solid)
        }
    }

    /// Returns this description with the axis of the solid in another direction. Only a cylinder and a cone have an axis.
    #[must_use]
    pub fn along(self, axis: Axis) -> Self {
        let axis = if self.solid.has_axis() { axis } else { Axis::Z };
        Self { axis, ..self }
    }

    /// Returns this description with a free length, such as `lz` of a box or `h` of a cylinder, which follows from the volume of the
    /// spheres; `None` if the solid has no such length.
    #[must_use]
    pub fn with_free(self, length: &str) -> Option<Self> {
        let names: &[&'static str] = match self.solid {
            Solid::Box(_) => &["lx", "ly", "lz"],
            Solid::Rectangle(_) => &["lx", "ly"],
            Solid::Cylinder(_) => &["h"],
            _ => &[],
        };
        let free = Some(names.iter().copied().find(|&name| name == length)?);
        self.is_exact().then_some(Self { free, ..self })
    }

    /// Returns whether the text gives the size of the container. Without a size, the smallest container of the shape is
    /// requested.
    pub fn is_exact(&self) -> bool {
        self.is_exact && self.free.is_none()
    }

    /// Returns whether a length of the container follows from the volume of the spheres.
    pub fn has_free_length(&self) -> bool {
        self.free.is_some()
    }

    /// Returns the direction of the axis of a cylinder or a cone; z for other solids.
    pub fn axis(&self) -> Axis {
        self.axis
    }

    /// Returns the name of the length that follows from the volume of the spheres; `None` without one.
    pub fn free_length(&self) -> Option<&'static str> {
        self.free
    }

    /// Returns the axis of the container along which the free length lies.
    pub(crate) fn free_axis(&self) -> Option<usize> {
        let of_box = ["lx", "ly", "lz"].iter();
        self.free.map(|name| {
            let own = of_box.clone().position(|&length| length == name);
            own.unwrap_or(self.axis.number())
        })
    }

    /// Returns the description of the same container with this `volume`, if it has a free length.
    #[must_use]
    pub fn with_volume(&self, volume: f64) -> Self {
        let mut solid = self.solid.clone();
        let of_solid = solid.volume();
        for (name, length) in solid.parameters_mut() {
            if Some(name) == self.free {
                *length *= volume / of_solid;
            }
        }
        Self {
            free: None,
            solid,
            ..*self
        }
    }

    /// Returns an upright vessel: the container with this length in place of a free one, and with walls where no boundary is given.
    ///
    /// # Errors
    /// The errors of [`Self::container`].
    pub fn vessel(
        &self,
        boundary: Option<BoundarySpec>,
        length: f64,
    ) -> Result<Container, ContainerError> {
        let is_box = matches!(self.solid, Solid::Box(_));
        let walls = is_box.then_some(BoundarySpec::Axes(Boundaries::WALLS));
        let vessel = if self.free.is_some() {
            self.with_volume(self.solid.volume() * length)
        } else {
            self.clone()
        };
        vessel.container(boundary.or(walls))
    }

    /// Returns the solid; without a size, one of the shape with a length of 1. A free length is 1, too.
    pub fn solid(&self) -> &Solid {
        &self.solid
    }

    /// Returns the container with this boundary. Without a boundary, a box is periodic along all axes, and other shapes have walls
    /// everywhere.
    ///
    /// # Errors
    /// [`ContainerError`] if the shape cannot have the boundary, or if a parameter makes no container.
    pub fn container(&self, boundary: Option<BoundarySpec>) -> Result<Container, ContainerError> {
        let boundary = axes(&self.solid, self.axis, boundary)?;
        Container::with_axis(self.solid.clone(), self.axis, boundary)
    }

    fn parse(text: &str) -> Result<Self, String> {
        if let Some(file) = text.trim().strip_prefix("outline:") {
            let (outline, fits) = read_outline(file)?;
            return Ok(Self {
                is_exact: !fits,
                ..Self::exact(Solid::Outline(outline))
            });
        }
        #[cfg(feature = "mesh")]
        if let Some(file) = text.trim().strip_prefix("mesh:") {
            let (mesh, fits) = read_mesh(file)?;
            return Ok(Self {
                is_exact: !fits,
                ..Self::exact(Solid::Mesh(mesh))
            });
        }
        let (name, mut fields) = read_fields(text)?;
        let mut solid = Solid::unit(name).ok_or_else(|| unknown_shape(name, FORMS))?;
        let ratios = ratios(&solid);
        let axis: &[&str] = if solid.has_axis() { &[AXIS] } else { &[] };
        fields.check_keys(&solid, &[ratios, axis].concat(), FORMS)?;
        let axis = fields.take_text(AXIS).map_or(Ok(Axis::Z), read_axis)?;
        let free = take_free(&solid, &mut fields)?;
        let mut parameters = solid.parameters_mut();
        let is_exact = free.is_some() || parameters.iter().any(|(key, _)| fields.has(key));
        if !is_exact {
            // The first parameter remains 1.
            let others = parameters.into_iter().skip(1).zip(ratios);
            parameters = others.map(|((_, value), &ratio)| (ratio, value)).collect();
        }
        for (key, value) in parameters.into_iter().filter(|(key, _)| free != Some(key)) {
            match fields.take_number(key)? {
                Some(number) => *value = number,
                // The smallest rectangle is a square.
                None if !is_exact && name == "rectangle" => {}
                None => return Err(needs(name)),
            }
        }
        if !fields.is_empty() {
            return Err(needs(name));
        }
        let spec = Self {
            solid,
            axis,
            is_exact,
            free,
        };
        // The parameters are the same for any boundary.
        spec.container(None).map_err(|error| error.to_string())?;
        Ok(spec)
    }
}

/// Removes the key whose value is [`AUTO`], and returns it.
fn take_free(solid: &Solid, fields: &mut Fields) -> Result<Option<&'static str>, String> {
    let mut names = solid.parameters().into_iter().map(|(name, _)| name);
    let Some(name) = names.find(|name| fields.text(name) == Some(AUTO)) else {
        // The height of a cylinder of given diameter alone is free, too.
        let has_diameter_alone = solid.name() == "cylinder" && fields.has("d") && !fields.has("h");
        return Ok(has_diameter_alone.then_some("h"));
    };
    let spec = ContainerSpec::exact(solid.clone());
    if spec.with_free(name).is_none() {
        return Err(format!(
            "{name} of a {} is auto; only one length of a box or a rectangle, or the height h of a cylinder, can follow from the spheres",
            solid.name()
        ));
    }
    fields.take_text(name);
    Ok(Some(name))
}

/// Returns the sentence about parameters that are missing or too many.
fn needs(name: &str) -> String {
    match name {
        "box" => "a box needs lx, ly and lz, or none of them for the smallest cube".to_owned(),
        "rectangle" => {
            "a rectangle needs lx and ly, or aspect (ly/lx) for the smallest one, or neither for the smallest square"
                .to_owned()
        }
        "cylinder" => {
            "a cylinder needs d and h, or aspect (h/d) for the smallest one, as in cylinder:d=3,h=4 or cylinder:aspect=2"
                .to_owned()
        }
        "cone" => "a cone needs d_bottom, d_top and h, or taper (d_top/d_bottom) and aspect (h/d_bottom) for the smallest one, \
                   as in cone:d_bottom=3,d_top=1,h=4 or cone:taper=0.5,aspect=1.5"
            .to_owned(),
        _ => format!("a {name} lacks a parameter; expected {FORMS}"),
    }
}

impl FromStr for ContainerSpec {
    type Err = ContainerSpecError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        Self::parse(text).map_err(|problem| ContainerSpecError {
            text: text.to_owned(),
            problem,
        })
    }
}

/// Writes the text from which the description can be read.
impl fmt::Display for ContainerSpec {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parameters = self.solid.parameters();
        let fields: Vec<(&str, String)> = if self.is_exact {
            let finite = parameters
                .into_iter()
                .filter(|(_, value)| value.is_finite());
            let text = |(name, value): (&'static str, f64)| match self.free {
                Some(free) if free == name => (name, AUTO.to_owned()),
                _ => (name, short(value)),
            };
            finite.map(text).collect()
        } else {
            let others = ratios(&self.solid).iter().zip(parameters.iter().skip(1));
            let ratio = |(&name, (_, value)): (&&'static str, &(&str, f64))| {
                (name, short(value / parameters[0].1))
            };
            others.map(ratio).collect()
        };
        let axis = (self.axis != Axis::Z).then(|| (AXIS, self.axis.to_string()));
        f.write_str(self.solid.name())?;
        for (k, (name, value)) in fields.into_iter().chain(axis).enumerate() {
            let separator = if k == 0 { ':' } else { ',' };
            write!(f, "{separator}{name}={value}")?;
        }
        Ok(())
    }
}

/// Returns the boundary of each axis of a solid with an `axis`, from the boundary as a user writes it.
///
/// # Errors
/// If the solid cannot have the boundary.
pub(super) fn axes(
    solid: &Solid,
    axis: Axis,
    boundary: Option<BoundarySpec>,
) -> Result<Boundaries, ContainerError> {
    let own = axis.number();
    let is_box = matches!(solid, Solid::Box(_));
    let is_rectangle = matches!(solid, Solid::Rectangle(_));
    let is_flat = solid.dimension() == Dimension::Two;
    let axes_of = |letters: usize, boundary| ContainerError::Letters {
        shape: solid.name(),
        boundary,
        letters,
    };
    match boundary {
        None if is_box || is_rectangle => Ok(Boundaries::PERIODIC),
        None => Ok(Boundaries::WALLS),
        Some(BoundarySpec::Plane([Boundary::Wall, Boundary::Wall])) if is_flat => {
            Ok(Boundaries::WALLS)
        }
        Some(BoundarySpec::Plane(axes)) if is_rectangle => Ok(Boundaries::of_plane(axes)),
        Some(boundary) if is_rectangle => Err(axes_of(2, boundary)),
        Some(boundary @ BoundarySpec::Plane(_)) if is_box => Err(axes_of(3, boundary)),
        Some(boundary @ BoundarySpec::Plane(_)) => {
            let shape = solid.name();
            Err(ContainerError::Boundary { shape, boundary })
        }
        Some(BoundarySpec::Axis(_)) if is_box => Err(ContainerError::BoxBoundary),
        Some(boundary @ BoundarySpec::Axis(Boundary::Periodic))
            if !solid.may_be_periodic(own, own) =>
        {
            let shape = solid.name();
            Err(ContainerError::Boundary { shape, boundary })
        }
        Some(BoundarySpec::Axis(ends)) => Ok(Boundaries(axis.turned([
            Boundary::Wall,
            Boundary::Wall,
            ends,
        ]))),
        Some(BoundarySpec::Axes(boundaries)) => Ok(boundaries),
    }
}
