//! Containers as users write them, such as `cylinder:d=10,h=20`.

use std::{fmt, str::FromStr};

#[cfg(feature = "mesh")]
use super::mesh_text::read_mesh;
use super::{
    Container,
    boundary::{Boundaries, Boundary, BoundarySpec},
    error::ContainerError,
    solid::Solid,
    text::{read_fields, unknown_shape},
};
use crate::names::one_line;

/// A container as a user writes it, without its boundary.
///
/// | text | container |
/// |---|---|
/// | `box:lx=3,ly=4,lz=5` | exactly this cuboid |
/// | `cylinder:d=3,h=4` | exactly this cylinder, with its axis along z |
/// | `sphere:d=3` | exactly this sphere |
/// | `cone:d_bottom=3,d_top=1,h=4` | exactly this frustum of a cone, with its axis along z |
/// | `mesh:part.stl`, `mesh:part.stl,scale=0.001` | exactly the body in a file |
/// | `mesh:part.stl,cap`, `mesh:part.stl,inside=1,2,3` | the body after openings are closed, and the region around a point |
/// | `box` | the smallest cube |
/// | `cylinder:aspect=2` | the smallest cylinder with h/d = 2 |
/// | `sphere` | the smallest sphere |
/// | `cone:taper=0.5,aspect=1.5` | the smallest frustum with d_top/d_bottom = 0.5 and h/d_bottom = 1.5 |
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
    is_exact: bool,
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
                     mesh:part.stl, mesh:part.stl,cap, mesh:part.stl,inside=1,2,3 or mesh:part.stl,fit";

/// Returns the names of the parameters of a solid without a size: the ratios of its second and further parameters to the first.
fn ratios(solid: &Solid) -> &'static [&'static str] {
    match solid {
        Solid::Cylinder(_) => &["aspect"],
        Solid::Cone(_) => &["taper", "aspect"],
        _ => &[],
    }
}

impl ContainerSpec {
    /// Describes exactly this solid.
    pub fn exact(solid: Solid) -> Self {
        Self {
            solid,
            is_exact: true,
        }
    }

    /// Describes the smallest container that is similar to this solid.
    pub fn smallest(solid: Solid) -> Self {
        Self {
            solid,
            is_exact: false,
        }
    }

    /// Returns whether the text gives the size of the container. Without a size, the smallest container of the shape is
    /// requested.
    pub fn is_exact(&self) -> bool {
        self.is_exact
    }

    /// Returns the solid; without a size, one of the shape with a length of 1.
    pub fn solid(&self) -> &Solid {
        &self.solid
    }

    /// Returns the container with this boundary. Without a boundary, a box is periodic along all axes, and other shapes have walls
    /// everywhere.
    ///
    /// # Errors
    /// [`ContainerError`] if the shape cannot have the boundary, or if a parameter makes no container.
    pub fn container(&self, boundary: Option<BoundarySpec>) -> Result<Container, ContainerError> {
        Container::new(self.solid.clone(), axes(&self.solid, boundary)?)
    }

    fn parse(text: &str) -> Result<Self, String> {
        #[cfg(feature = "mesh")]
        if let Some(file) = text.trim().strip_prefix("mesh:") {
            let (mesh, fits) = read_mesh(file)?;
            let (solid, is_exact) = (Solid::Mesh(mesh), !fits);
            return Ok(Self { solid, is_exact });
        }
        let (name, mut fields) = read_fields(text)?;
        let mut solid = Solid::unit(name).ok_or_else(|| unknown_shape(name, FORMS))?;
        let ratios = ratios(&solid);
        fields.check_keys(&solid, ratios, FORMS)?;
        let mut parameters = solid.parameters_mut();
        let is_exact = parameters.iter().any(|(key, _)| fields.has(key));
        if !is_exact {
            // The first parameter remains 1.
            let others = parameters.into_iter().skip(1).zip(ratios);
            parameters = others.map(|((_, value), &ratio)| (ratio, value)).collect();
        }
        for (key, value) in parameters {
            *value = fields.take_number(key)?.ok_or_else(|| needs(name))?;
        }
        if !fields.is_empty() {
            return Err(needs(name));
        }
        let spec = Self { solid, is_exact };
        // The parameters are the same for any boundary.
        spec.container(None).map_err(|error| error.to_string())?;
        Ok(spec)
    }
}

/// Returns the sentence about parameters that are missing or too many.
fn needs(name: &str) -> String {
    match name {
        "box" => "a box needs lx, ly and lz, or none of them for the smallest cube".to_owned(),
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
        if self.is_exact {
            return self.solid.fmt(f);
        }
        let parameters = self.solid.parameters();
        let others = ratios(&self.solid).iter().zip(parameters.iter().skip(1));
        let ratios = others.map(|(&ratio, (_, value))| (ratio, value / parameters[0].1));
        self.solid.write_name_and(ratios, f)
    }
}

/// Returns the boundary of each axis of a solid, from the boundary as a user writes it.
///
/// # Errors
/// If the solid cannot have the boundary.
pub(super) fn axes(
    solid: &Solid,
    boundary: Option<BoundarySpec>,
) -> Result<Boundaries, ContainerError> {
    let is_box = matches!(solid, Solid::Box(_));
    match boundary {
        None if is_box => Ok(Boundaries::PERIODIC),
        None => Ok(Boundaries::WALLS),
        Some(BoundarySpec::Axis(_)) if is_box => Err(ContainerError::BoxBoundary),
        Some(boundary @ BoundarySpec::Axis(Boundary::Periodic)) if !solid.may_be_periodic(2) => {
            let shape = solid.name();
            Err(ContainerError::Boundary { shape, boundary })
        }
        Some(BoundarySpec::Axis(axis)) => Ok(Boundaries([Boundary::Wall, Boundary::Wall, axis])),
        Some(BoundarySpec::Axes(boundaries)) => Ok(boundaries),
    }
}
