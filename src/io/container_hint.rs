//! Facts about the container that a file may lack.

use crate::container::{Boundaries, Container};

/// The caller's knowledge of the container, for files that do not state it.
///
/// A reader uses the hint only for facts that are not in the file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContainerHint {
    /// The boundary, for `.data` files and for `.xyz` files without `pbc`.
    Boundary(Boundaries),
    /// The complete container, for tables such as `.csv` files, and for `.xyz` files without `Lattice`.
    Container(Container),
}

impl ContainerHint {
    /// Returns the boundary.
    pub fn boundary(&self) -> Boundaries {
        match self {
            Self::Boundary(boundary) => *boundary,
            Self::Container(container) => container.boundary(),
        }
    }

    /// Returns the complete container, if the hint holds it.
    pub fn into_container(self) -> Option<Container> {
        match self {
            Self::Boundary(_) => None,
            Self::Container(container) => Some(container),
        }
    }
}

impl From<Boundaries> for ContainerHint {
    fn from(boundary: Boundaries) -> Self {
        Self::Boundary(boundary)
    }
}

impl From<Container> for ContainerHint {
    fn from(container: Container) -> Self {
        Self::Container(container)
    }
}
