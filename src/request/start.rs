//! The spheres at whose positions a run starts.

use glam::DVec3;

use crate::{
    container::{BoundarySpec, Container, ContainerError, ContainerSpec},
    dimension::Dimension,
    distribution::{SampledComponent, Sampling, SizeReport, SizeSource},
    packing::{PackedComponent, Packing},
    rearrange::Start,
};

/// A packing at whose positions the spheres of a request start.
#[derive(Clone, Debug)]
pub(super) struct StartingPacking {
    container: Container,
    centers: Vec<DVec3>,
    /// The components of a blend, in the order of the spheres.
    components: Vec<SampledComponent>,
    unit: String,
    name: String,
    /// Factor on all diameters.
    pub scale_sizes: f64,
    /// Whether the smallest container similar to that of the packing is requested, and not exactly that one.
    pub is_densest: bool,
}

impl StartingPacking {
    /// Splits a packing into its diameters and the start.
    pub fn new(packing: Packing, name: String) -> (Vec<f64>, Self) {
        let (container, unit) = (packing.container().clone(), packing.unit.clone());
        let components = in_order(packing.components(), packing.spheres().len());
        let (centers, radii) = packing.into_spheres().into_parts();
        let diameters = radii.into_iter().map(|radius| 2.0 * radius).collect();
        let start = Self {
            container,
            centers,
            components,
            unit,
            name,
            scale_sizes: 1.0,
            is_densest: false,
        };
        (diameters, start)
    }

    /// Returns the container of the packing, with this boundary if one is requested.
    pub fn container(&self, boundary: Option<BoundarySpec>) -> Result<Container, ContainerError> {
        if boundary.is_none_or(|boundary| boundary == self.container.boundary_spec()) {
            return Ok(self.container.clone());
        }
        let solid = self.container.solid().clone();
        ContainerSpec::exact(solid)
            .along(self.container.axis())
            .container(boundary)
    }

    /// Returns the dimension of space.
    pub fn dimension(&self) -> Dimension {
        self.container.dimension()
    }

    /// Returns the boundary of a requested container that leaves it open: that of the packing, if both have the same kind of shape.
    pub fn boundary_for(&self, requested: &ContainerSpec) -> Option<BoundarySpec> {
        let is_same = requested.solid().name() == self.container.solid().name();
        is_same.then(|| self.container.boundary_spec())
    }

    /// Returns the start in a container whose bounding box may have other lengths than that of the packing: the centers move with its
    /// faces.
    pub fn in_container(self, container: &Container) -> Start {
        let (from, to) = (self.container.lengths(), container.lengths());
        if from == to {
            return Start::new(self.name, self.centers);
        }
        let moved = self
            .centers
            .iter()
            .map(|&center| self.container.fractions(center) * to);
        Start::new(self.name, moved.collect::<Vec<_>>())
    }

    /// Returns the origin of the diameters, for the packing.
    pub fn size_source(&self, diameters: &[f64], seed: u64) -> SizeSource {
        let name = if self.scale_sizes == 1.0 {
            self.name.clone()
        } else {
            format!("{}, times {}", self.name, self.scale_sizes)
        };
        let report = SizeReport::of_given(self.container.dimension(), diameters);
        let (unit, sampling) = (self.unit.clone(), Sampling::Stratified);
        SizeSource {
            components: self.components.clone(),
            ..SizeSource::new(name, unit, sampling, seed, report)
        }
    }
}

/// Returns the components of all `spheres` of a packing if they follow each other as in a sample; none otherwise.
fn in_order(components: &[PackedComponent], spheres: usize) -> Vec<SampledComponent> {
    let mut end = 0;
    let mut ranges = components.iter().flat_map(|component| &component.spheres);
    let follows = ranges.all(|range| range.start == std::mem::replace(&mut end, range.end));
    if !(follows && end == spheres) {
        return Vec::new();
    }
    let sampled = |component: &PackedComponent| {
        let spheres = component.len() as u64;
        SampledComponent::new(&*component.label, component.density, spheres)
    };
    components.iter().map(sampled).collect()
}
