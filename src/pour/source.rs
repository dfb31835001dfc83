//! The place from which spheres fall.

use std::fmt;

use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::constants::OUTLET;

/// The place from which spheres fall.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Source {
    /// Rain: uniformly distributed over the cross-section of the vessel.
    #[default]
    Rain,
    /// An outlet, which moves along straight lines between points, and back: over a pass of the path, equal numbers of spheres fall on
    /// equal lengths. One point is an outlet at rest.
    Outlet {
        /// The points, in the coordinates of the container. The coordinate along gravity is the height at which spheres start.
        path: Vec<DVec3>,
        /// Diameter of the outlet, in which the centers of spheres start; `None` for that of an opening of five diameters of the largest
        /// sphere, less one diameter. Spheres block openings narrower than four to five diameters (Pacheco-Martinez et al.,
        /// [Phys. Rev. E 77 (2008) 021303](https://doi.org/10.1103/PhysRevE.77.021303)). Piles under outlets of every width are steep, about 55°,
        /// as a sphere stops in the first hollow.
        diameter: Option<f64>,
        /// Number of passes over the path during the deposition; at least 1.
        passes: u32,
    },
}

/// `rain`, or the points of the path as `x,y,z/x,y,z`, with a given ` diameter D`, and with ` passes N` other than 1.
impl fmt::Display for Source {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self::Outlet {
            path,
            diameter,
            passes,
        } = self
        else {
            return f.write_str(self.name());
        };
        let points = path.iter().map(|at| format!("{},{},{}", at.x, at.y, at.z));
        f.write_str(&points.collect::<Vec<_>>().join("/"))?;
        if let Some(diameter) = diameter {
            write!(f, " diameter {diameter}")?;
        }
        if *passes != 1 {
            write!(f, " passes {passes}")?;
        }
        Ok(())
    }
}

impl Source {
    /// Returns an outlet at rest.
    pub fn at(point: DVec3, diameter: impl Into<Option<f64>>) -> Self {
        Self::Outlet {
            path: vec![point],
            diameter: diameter.into(),
            passes: 1,
        }
    }

    /// Gives an outlet its diameter, for spheres up to a radius.
    pub(super) fn with_diameter(mut self, largest: f64) -> Self {
        if let Self::Outlet { diameter, .. } = &mut self {
            diameter.get_or_insert(OUTLET * 2.0 * largest);
        }
        self
    }

    /// Returns the name: `rain` or `outlet`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Rain => "rain",
            Self::Outlet { .. } => "outlet",
        }
    }
}
