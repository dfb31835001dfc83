//! The spheres and the container as they go into a file.

use std::{borrow::Cow, io};

use glam::DVec3;

use super::{
    invalid::invalid,
    options::ExportOptions,
    rounding::{f32_down, keep_off_walls, separate},
    types::Types,
};
use crate::{
    container::{Body, Boundaries, Container, Cylinder, Solid},
    packing::{ContactForces, PackedComponent, Packing, with_spheres},
    spheres::Spheres,
};

/// A packing after the choices of an export: the input of every writer.
pub(in crate::io) struct Scene<'a> {
    /// The packing from which the scene was made: unit, sizes and provenance.
    pub packing: &'a Packing,
    /// The spheres with their centers as in the file.
    pub spheres: Cow<'a, Spheres>,
    /// The container. Its low corner is at [`low`](Self::low) in the file.
    pub container: Cow<'a, Container>,
    /// Low corner of the container in the file.
    pub low: DVec3,
    /// Types from 1, or `None` if no types were chosen and no sphere is fixed: all spheres have type 1.
    pub types: Option<Vec<u32>>,
    /// Number of types. The last type is that of the fixed spheres, if there are any.
    pub type_count: u32,
    /// Whether the spheres have types by a choice or by their components.
    pub has_chosen_types: bool,
    /// Whether the types are the components, with labels.
    pub has_labels: bool,
    /// Number of fixed spheres, the last ones of `spheres`.
    pub fixed: usize,
    /// Whether there are fixed spheres, here or in another part of the packing.
    pub has_fixed: bool,
    /// Density of the spheres; of spheres in a component with a density, the factor on it.
    pub density: f64,
    /// The component of each sphere; `None` for a packing without components.
    component_ids: Option<Vec<Option<u32>>>,
    /// Number of radii that are smaller than requested, because rounding would make spheres overlap.
    pub shrunk: usize,
    /// Position of the first sphere in a packing of which this one is a part.
    first: usize,
    /// Number of spheres in the file, of all parts.
    pub total: usize,
    /// The positions of the spheres in the packing; `None` if every sphere is at its own position.
    ids: Option<Vec<u64>>,
}

/// The part of a packing that a scene shows.
#[derive(Clone, Copy)]
pub(in crate::io) struct Part {
    /// Position of the first sphere.
    pub first: usize,
    /// Number of spheres of the packing.
    pub total: usize,
    /// Whether the packing has fixed spheres.
    pub has_fixed: bool,
}

impl<'a> Scene<'a> {
    /// Applies the options to a packing.
    ///
    /// # Errors
    /// One of kind [`io::ErrorKind::InvalidInput`] when a number is not finite or an option does not fit the packing.
    pub(in crate::io) fn new(packing: &'a Packing, options: &ExportOptions) -> io::Result<Self> {
        let whole = Part {
            first: 0,
            total: packing.spheres.len(),
            has_fixed: packing.fixed > 0,
        };
        Self::of_part(packing, options, whole)
    }

    /// Applies the options to a part of a packing. If it is not the whole packing, the options must keep the spheres.
    ///
    /// # Errors
    /// The errors of [`Self::new`].
    pub(in crate::io) fn of_part(
        packing: &'a Packing,
        options: &ExportOptions,
        part: Part,
    ) -> io::Result<Self> {
        check_numbers(&packing.spheres)?;
        check_options(packing, options)?;
        let mut scene = Self {
            packing,
            spheres: Cow::Borrowed(&packing.spheres),
            container: Cow::Borrowed(&packing.container),
            low: DVec3::ZERO,
            types: None,
            type_count: 1,
            has_chosen_types: match options.types {
                Types::One => false,
                Types::Components => !packing.components.is_empty(),
                _ => true,
            },
            has_labels: options.types == Types::Components && !packing.components.is_empty(),
            fixed: packing.fixed.min(packing.spheres.len()),
            has_fixed: part.has_fixed,
            density: options.density,
            component_ids: (!packing.components.is_empty()).then(|| packing.component_ids()),
            shrunk: 0,
            first: part.first,
            total: part.total,
            ids: None,
        };
        if !options.keeps_spheres() {
            scene.change(packing, options)?;
        }
        scene.number_types(options.types)?;
        scene.number_fixed();
        Ok(scene)
    }

    /// Selects, repeats, scales and moves the spheres, and adds images.
    fn change(&mut self, packing: &Packing, options: &ExportOptions) -> io::Result<()> {
        let mut copies = Copies::selected(packing, options);
        copies.repeat(packing, options.repeat);
        let container = scaled_container(packing, options)?;
        let low = options.low_corner(&container);
        copies.place(options.scale, low);
        if !(container.volume().is_normal() && copies.radii.iter().all(|radius| radius.is_normal()))
        {
            return Err(invalid(format!(
                "the scale is {:e}, with which lengths or volumes leave the range of numbers; it must be nearer to 1",
                options.scale
            )));
        }
        // Powers of two change no digit.
        let is_exact = low == DVec3::ZERO
            && options.repeat == [1; 3]
            && options.scale.abs().to_bits().trailing_zeros() >= f64::MANTISSA_DIGITS - 1;
        if !is_exact && packing.certificate.max_overlap == 0.0 {
            let inside: Vec<DVec3> = copies.centers.iter().map(|&center| center - low).collect();
            self.shrunk = separate(&inside, &mut copies.radii, &container, f64::next_down);
        }
        let container = if options.images {
            copies.add_images(&container, low);
            without_periodicity(&container)
        } else {
            container
        };
        let copies = copies.fixed_last();
        self.fixed = copies.fixed.iter().filter(|&&is_fixed| is_fixed).count();
        self.has_fixed = self.fixed > 0;
        self.total = copies.ids.len();
        self.component_ids = self.component_ids.as_ref().map(|_| copies.components);
        let spheres = Spheres::new(copies.centers, copies.radii);
        check_numbers(&spheres)?;
        self.spheres = Cow::Owned(spheres);
        self.container = Cow::Owned(container);
        self.low = low;
        self.ids = Some(copies.ids);
        Ok(())
    }

    fn number_types(&mut self, types: Types) -> io::Result<()> {
        match (types, &self.component_ids) {
            (Types::One, _) | (Types::Components, None) => return Ok(()),
            (Types::Components, Some(ids)) => {
                self.type_count = self.packing.components.len() as u32;
                // Fixed spheres have no component, and get their type later.
                let type_of = |id: &Option<u32>| id.map_or(1, |id| id + 1);
                self.types = Some(ids.iter().map(type_of).collect());
                return Ok(());
            }
            _ => {}
        }
        let radii = self.spheres.radii();
        let bounds = types.bounds(radii)?;
        self.type_count = bounds.len() as u32 + 1;
        let type_of = |&radius: &f64| bounds.partition_point(|&bound| bound <= radius) as u32 + 1;
        self.types = Some(radii.iter().map(type_of).collect());
        Ok(())
    }

    /// Gives the fixed spheres a type of their own, after the others.
    fn number_fixed(&mut self) {
        if self.has_fixed {
            let free = self.len() - self.fixed;
            let types = self
                .types
                .get_or_insert_with(|| vec![1; self.spheres.len()]);
            types[free..].fill(self.type_count + 1);
            self.type_count += 1;
        }
    }

    /// Returns the scene with images of the spheres that cross periodic faces.
    pub(in crate::io) fn with_images(&self) -> Scene<'_> {
        let ids: Vec<u64> = (0..self.len()).map(|sphere| self.id(sphere)).collect();
        let mut copies = Copies {
            centers: self.spheres.centers().to_vec(),
            radii: self.spheres.radii().to_vec(),
            next: ids.iter().max().map_or(0, |id| id + 1),
            ids,
            fixed: vec![false; self.len()],
            components: self.ids_of_components(),
        };
        copies.add_images(&self.container, self.low);
        Scene {
            component_ids: self.component_ids.as_ref().map(|_| copies.components),
            total: copies.ids.len(),
            spheres: Cow::Owned(Spheres::new(copies.centers, copies.radii)),
            container: Cow::Owned(without_periodicity(&self.container)),
            types: None,
            fixed: 0,
            has_fixed: false,
            ids: Some(copies.ids),
            ..*self
        }
    }

    /// Returns whether the scene begins with the first sphere of the file.
    pub(in crate::io) fn is_first_part(&self) -> bool {
        self.first == 0
    }

    /// Returns the number of spheres.
    pub(in crate::io) fn len(&self) -> usize {
        self.spheres.len()
    }

    /// Returns the number by which a sphere is known, from 0: its position in the packing, or a later number for a copy.
    pub(in crate::io) fn id(&self, sphere: usize) -> u64 {
        self.ids
            .as_ref()
            .map_or((self.first + sphere) as u64, |ids| ids[sphere])
    }

    /// Returns the type of a sphere, from 1.
    pub(in crate::io) fn type_of(&self, sphere: usize) -> u32 {
        self.types.as_ref().map_or(1, |types| types[sphere])
    }

    /// Returns the name of a type of spheres: the label of a component, or the number of the type.
    pub(in crate::io) fn type_name(&self, kind: u32) -> String {
        let components = &self.packing.components;
        let component = components.get(kind as usize - 1);
        component
            .filter(|_| self.has_labels)
            .map_or_else(|| kind.to_string(), |component| component.label.clone())
    }

    /// Returns the density of a sphere.
    pub(in crate::io) fn density_of(&self, sphere: usize) -> f64 {
        let ids = self.component_ids.as_ref();
        let component = ids.and_then(|ids| self.packing.components.get(ids[sphere]? as usize));
        let own = component.and_then(|component| component.density);
        self.density * own.unwrap_or(1.0)
    }

    /// Returns the smallest and the largest density of the spheres.
    pub(in crate::io) fn densities(&self) -> (f64, f64) {
        let components = self.packing.components.iter();
        let own = components.filter_map(|component| component.density);
        let [low, high] = [f64::min, f64::max].map(|choose| own.clone().reduce(choose));
        let factor = |own: Option<f64>| self.density * own.unwrap_or(1.0);
        (factor(low), factor(high))
    }

    /// Returns whether components have densities.
    pub(in crate::io) fn has_component_densities(&self) -> bool {
        let mut components = self.packing.components.iter();
        components.any(|component| component.density.is_some())
    }

    /// Returns the components of the spheres in the file.
    pub(in crate::io) fn components(&self) -> Vec<PackedComponent> {
        with_spheres(&self.packing.components, &self.ids_of_components())
    }

    /// Returns the forces at the contacts of the spheres in the file; `None` unless the file holds exactly the spheres of a jammed packing.
    pub(in crate::io) fn forces(&self) -> Option<Cow<'a, ContactForces>> {
        let forces = self.packing.forces.as_ref()?;
        let Some(ids) = &self.ids else {
            return Some(Cow::Borrowed(forces));
        };
        let is_whole = ids.iter().copied().eq(0..self.packing.spheres.len() as u64);
        let scale = self.container.lengths().x / self.packing.container.lengths().x;
        is_whole.then(|| Cow::Owned(forces.scaled(scale)))
    }

    fn ids_of_components(&self) -> Vec<Option<u32>> {
        let ids = self.component_ids.clone();
        ids.unwrap_or_else(|| vec![None; self.len()])
    }

    /// Returns the high corner of the container in the file.
    pub(in crate::io) fn high(&self) -> DVec3 {
        self.low + self.container.lengths()
    }

    /// Returns the coordinates of the low and of the high corner of the container in the file.
    pub(in crate::io) fn corners(&self) -> [f64; 6] {
        let (low, high) = (self.low, self.high());
        [low.x, low.y, low.z, high.x, high.y, high.z]
    }

    /// Returns whether every axis is periodic.
    pub(in crate::io) fn is_periodic(&self) -> bool {
        self.container.boundary() == Boundaries::PERIODIC
    }
}

/// The spheres and the container in 32-bit numbers, relative to the center of the container.
pub(in crate::io) struct Narrow {
    pub centers: Vec<[f32; 3]>,
    pub radii: Vec<f32>,
    pub lengths: [f32; 3],
}

impl Scene<'_> {
    /// Rounds all numbers to 32 bits. The container becomes at most larger, and radii become smaller where the rounded spheres
    /// would overlap, unless spheres of the packing overlap already.
    pub(in crate::io) fn narrowed(&self) -> Narrow {
        let lengths = self.container.lengths();
        let narrow_lengths = lengths.to_array().map(|length| -f32_down(-length));
        let wide = DVec3::from_array(narrow_lengths.map(f64::from));
        let middle = self.low + 0.5 * lengths;
        let centers: Vec<[f32; 3]> = (self.spheres.centers().iter())
            .map(|&center| (center - middle).to_array().map(|x| x as f32))
            .collect();
        let mut radii: Vec<f64> = (self.spheres.radii().iter())
            .map(|&radius| f64::from(f32_down(radius)))
            .collect();
        let container = Container::cuboid(wide, self.container.boundary());
        if let (0.0, Ok(container)) = (self.packing.certificate.max_overlap, container) {
            let from_corner = |lengths: DVec3| -> Vec<DVec3> {
                let centers = centers.iter().map(|center| center.map(f64::from));
                let centers = centers.map(|center| DVec3::from_array(center) + 0.5 * lengths);
                centers.collect()
            };
            let round_down = |radius| f64::from(f32_down(radius));
            separate(&from_corner(wide), &mut radii, &container, round_down);
            if !self.container.is_bounding_box() {
                // Curved walls and bodies are where they were before the box became larger.
                let inside = from_corner(lengths);
                keep_off_walls(&inside, &mut radii, &self.container, round_down);
            }
        }
        Narrow {
            centers,
            radii: radii.into_iter().map(|radius| radius as f32).collect(),
            lengths: narrow_lengths,
        }
    }
}

/// Finest resolution of surfaces: 1.3 million triangles a sphere.
const FINEST: u32 = 8;

fn check_numbers(spheres: &Spheres) -> io::Result<()> {
    let broken = spheres
        .iter()
        .position(|(center, radius)| !(center.is_finite() && (2.0 * radius).is_finite()));
    broken.map_or(Ok(()), |sphere| {
        Err(invalid(format!(
            "the center or diameter of sphere {sphere} is not finite; both must be finite numbers"
        )))
    })
}

/// Rejects options that do not fit a packing.
pub(in crate::io) fn check_options(packing: &Packing, options: &ExportOptions) -> io::Result<()> {
    for (name, value) in [("scale", options.scale), ("density", options.density)] {
        if !(value > 0.0 && value.is_finite()) {
            return Err(invalid(format!(
                "the {name} is {value}; it must be a positive, finite number"
            )));
        }
    }
    if options.resolution > FINEST {
        let resolution = options.resolution;
        return Err(invalid(format!(
            "the resolution is {resolution}; it must be from 0 to {FINEST}"
        )));
    }
    for (name, value, may_be_0) in [
        ("shrink factor", options.shrink, false),
        ("bridge radius", options.bridge, true),
    ] {
        let is_allowed = value > 0.0 || may_be_0 && value == 0.0;
        if !(is_allowed && value <= 1.0) {
            return Err(invalid(format!(
                "the {name} is {value}; it must be above 0 and at most 1"
            )));
        }
    }
    for axis in 0..3 {
        let (copies, name) = (options.repeat[axis], ["x", "y", "z"][axis]);
        if copies == 0 {
            return Err(invalid(format!(
                "the number of copies along {name} is 0; it must be at least 1"
            )));
        }
        if copies > 1 && !packing.container.is_periodic(axis) {
            return Err(invalid(format!(
                "the container {} along {name}; only periodic axes can be repeated",
                if packing.container.lengths()[axis] > 0.0 {
                    "has walls"
                } else {
                    "has no length"
                }
            )));
        }
    }
    let copies = options
        .repeat
        .iter()
        .map(|&n| u64::from(n))
        .product::<u64>();
    let count = copies.saturating_mul(packing.spheres.len() as u64);
    if u32::try_from(count).is_err() {
        return Err(invalid(format!(
            "{copies} copies of the container hold {count} spheres; at most {} can be written",
            u32::MAX
        )));
    }
    Ok(())
}

/// Returns the container after copies and scale.
fn scaled_container(packing: &Packing, options: &ExportOptions) -> io::Result<Container> {
    let container = &packing.container;
    if options.repeat == [1; 3] {
        return Ok(container.scaled(options.scale));
    }
    let period = container.lengths();
    let copies = DVec3::from(options.repeat.map(f64::from));
    let solid = match container.solid() {
        &Solid::Cylinder(Cylinder { diameter, height }) => Solid::Cylinder(Cylinder {
            diameter,
            height: height * copies[container.axis().number()],
        }),
        // No other solids than this and the bounding boxes have a periodic axis.
        _ => Solid::of_lengths(period * copies),
    };
    let copy = |body: &Body| body.repeated(period, options.repeat);
    let bodies: Vec<Body> = container.bodies().iter().flat_map(copy).collect();
    let repeated = Container::with_axis(solid, container.axis(), container.boundary())
        .map_err(|error| invalid(error.to_string()))?
        .without(bodies)
        .map_err(|error| invalid(error.to_string()))?;
    Ok(repeated.scaled(options.scale))
}

/// Returns the container without periodic axes: its images are among the spheres, and images of bodies among the bodies.
fn without_periodicity(container: &Container) -> Container {
    // The shape comes from a container, and every shape can have walls.
    let (solid, axis) = (container.solid().clone(), container.axis());
    let Ok(walled) = Container::with_axis(solid, axis, Boundaries::WALLS) else {
        return container.clone();
    };
    let images = container
        .bodies()
        .iter()
        .flat_map(|body| body.images(container.lengths(), container.periods()));
    // An image may meet the bounding box alone.
    let inside: Vec<Body> = images
        .filter(|image| walled.without([image.clone()]).is_ok())
        .collect();
    walled.without(inside).unwrap_or(walled)
}

/// Spheres with the numbers by which they are known.
struct Copies {
    centers: Vec<DVec3>,
    radii: Vec<f64>,
    ids: Vec<u64>,
    fixed: Vec<bool>,
    components: Vec<Option<u32>>,
    /// The number of the next copy.
    next: u64,
}

impl Copies {
    fn selected(packing: &Packing, options: &ExportOptions) -> Self {
        let spheres = &packing.spheres;
        let mut copies = Self {
            centers: Vec::new(),
            radii: Vec::new(),
            ids: Vec::new(),
            fixed: Vec::new(),
            components: Vec::new(),
            next: spheres.len() as u64,
        };
        let components = packing.component_ids();
        for (id, (center, radius)) in spheres.iter().enumerate() {
            if options.select.contains(id, center, radius) {
                copies.centers.push(center);
                copies.radii.push(radius);
                copies.ids.push(id as u64);
                copies.fixed.push(packing.is_fixed(id));
                copies.components.push(components[id]);
            }
        }
        copies
    }

    /// Adds a copy of a sphere at another center.
    fn push_copy(&mut self, sphere: usize, center: DVec3) {
        self.centers.push(center);
        self.radii.push(self.radii[sphere]);
        self.ids.push(self.next);
        self.fixed.push(self.fixed[sphere]);
        self.components.push(self.components[sphere]);
        self.next += 1;
    }

    /// Returns the spheres in the order in which the fixed ones are the last ones.
    fn fixed_last(self) -> Self {
        if self.fixed.is_sorted() {
            return self;
        }
        let mut order: Vec<usize> = (0..self.radii.len()).collect();
        order.sort_by_key(|&sphere| self.fixed[sphere]);
        Self {
            centers: order.iter().map(|&k| self.centers[k]).collect(),
            radii: order.iter().map(|&k| self.radii[k]).collect(),
            ids: order.iter().map(|&k| self.ids[k]).collect(),
            fixed: order.iter().map(|&k| self.fixed[k]).collect(),
            components: order.iter().map(|&k| self.components[k]).collect(),
            ..self
        }
    }

    /// Adds the spheres of the further copies of the container.
    fn repeat(&mut self, packing: &Packing, repeat: [u32; 3]) {
        let (count, lengths) = (self.radii.len(), packing.container.lengths());
        for cell in cells(repeat.map(|n| 0..n as i32)) {
            let shift = lengths * DVec3::from(cell.map(f64::from));
            for sphere in (0..count).filter(|_| cell != [0; 3]) {
                self.push_copy(sphere, self.centers[sphere] + shift);
            }
        }
    }

    /// Scales the spheres, then moves them.
    fn place(&mut self, scale: f64, low: DVec3) {
        for center in &mut self.centers {
            *center = *center * scale + low;
        }
        for radius in &mut self.radii {
            *radius *= scale;
        }
    }

    /// Adds copies of the spheres that cross periodic faces, at the opposite faces.
    fn add_images(&mut self, container: &Container, low: DVec3) {
        for sphere in 0..self.radii.len() {
            let (center, radius) = (self.centers[sphere], self.radii[sphere]);
            let shifts = image_shifts(container, center - low, radius);
            for shift in shifts.filter(|&shift| shift != DVec3::ZERO) {
                self.push_copy(sphere, center + shift);
            }
        }
    }
}

/// Returns the shifts to the images of a sphere across the periodic faces that it crosses, and the shift 0 of the sphere itself. `inside` is
/// its center from the low corner of the container.
pub(in crate::io) fn image_shifts(
    container: &Container,
    inside: DVec3,
    radius: f64,
) -> impl Iterator<Item = DVec3> {
    let lengths = container.lengths();
    let shifts = [0, 1, 2].map(|axis| {
        let is_periodic = container.is_periodic(axis);
        let crosses_low = is_periodic && inside[axis] < radius;
        let crosses_high = is_periodic && inside[axis] + radius > lengths[axis];
        -i32::from(crosses_high)..1 + i32::from(crosses_low)
    });
    cells(shifts).map(move |cell| lengths * DVec3::from(cell.map(f64::from)))
}

/// Returns all combinations of three ranges of whole numbers.
fn cells(ranges: [std::ops::Range<i32>; 3]) -> impl Iterator<Item = [i32; 3]> {
    let [xs, ys, zs] = ranges;
    zs.flat_map(move |z| {
        let xs = xs.clone();
        ys.clone()
            .flat_map(move |y| xs.clone().map(move |x| [x, y, z]))
    })
}
