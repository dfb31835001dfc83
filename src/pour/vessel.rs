//! A vessel in coordinates in which gravity points along −z.

use glam::DVec3;

use super::{
    constants::PROBE,
    options::PourOptions,
    walls::{Field, Wall, Walls},
};
use crate::container::{Body, Container, Direction, Solid};

/// The change of coordinates to those in which gravity points along −z, and back.
#[derive(Clone, Copy, Debug)]
pub(super) struct Turn {
    gravity: Direction,
    lengths: DVec3,
}

impl Turn {
    /// Returns the change of coordinates in a container of these lengths.
    pub fn new(gravity: Direction, lengths: DVec3) -> Self {
        Self { gravity, lengths }
    }

    fn points_up(self) -> bool {
        self.gravity.vector().element_sum() > 0.0
    }

    /// Returns a point of the container in the coordinates of the vessel.
    pub fn point(self, mut point: DVec3) -> DVec3 {
        let axis = self.gravity.axis();
        if self.points_up() {
            point[axis.number()] = self.lengths[axis.number()] - point[axis.number()];
        }
        axis.turned(point.to_array()).into()
    }

    /// Returns a vector of the container in the coordinates of the vessel.
    pub fn vector(self, vector: DVec3) -> DVec3 {
        self.point(vector) - self.point(DVec3::ZERO)
    }

    /// Returns a point of the vessel in the coordinates of the container.
    pub fn back(self, point: DVec3) -> DVec3 {
        let axis = self.gravity.axis();
        let mut point = DVec3::from(axis.turned(point.to_array()));
        if self.points_up() {
            point[axis.number()] = self.lengths[axis.number()] - point[axis.number()];
        }
        point
    }

    /// Returns a vector of the vessel in the coordinates of the container.
    pub fn back_vector(self, vector: DVec3) -> DVec3 {
        self.back(vector) - self.back(DVec3::ZERO)
    }

    /// Returns the lengths of the vessel.
    pub fn lengths(self) -> DVec3 {
        let axis = self.gravity.axis();
        axis.turned(self.lengths.to_array()).into()
    }
}

/// Returns whether the walls of a container go on above its top, so that spheres may start there: those of an upright box, cylinder or
/// funnel.
pub(super) fn is_open(container: &Container, gravity: Direction) -> bool {
    match container.solid() {
        Solid::Box(_) => true,
        Solid::Cylinder(_) => container.axis() == gravity.axis(),
        Solid::Cone(_) => container.axis() == gravity.axis() && cone(container, gravity).1 >= 0.0,
        _ => false,
    }
}

/// Returns the container of another height with its coordinates; `None` if it has no such height: only an upright box or cylinder has.
pub(super) fn of_height(options: &PourOptions, height: f64) -> Option<(Container, Turn)> {
    let (container, gravity) = (&options.container, options.gravity);
    let mut solid = container.solid().clone();
    match &mut solid {
        Solid::Box(cuboid) => cuboid.lengths[gravity.axis().number()] = height,
        Solid::Cylinder(cylinder) if container.axis() == gravity.axis() => cylinder.height = height,
        _ => return None,
    }
    let outer = Container::with_axis(solid, container.axis(), container.boundary()).ok()?;
    let container = outer.without(container.bodies().iter().cloned()).ok()?;
    let turn = Turn::new(gravity, container.lengths());
    Some((container, turn))
}

/// Returns the walls and bodies of a container for spheres of diameters up to `widest`. The floor of its bounding box is one of the walls; its
/// top is none.
pub(super) fn walls(container: &Container, gravity: Direction, widest: f64) -> Walls {
    let turn = Turn::new(gravity, container.lengths());
    let (lengths, outer) = (turn.lengths(), container.outer());
    let (normal, level) = (DVec3::Z, 0.0);
    let mut walls = vec![Wall::Plane { normal, level }];
    let upright = container.axis() == gravity.axis();
    let axis = (0.5 * lengths).with_z(0.0);
    match container.solid() {
        Solid::Box(_) => walls.extend(sides(container, turn)),
        Solid::Cylinder(cylinder) if upright => {
            let (radius, slope) = (0.5 * cylinder.diameter, 0.0);
            walls.push(Wall::Cone {
                axis,
                radius,
                slope,
            });
        }
        Solid::Cone(_) if upright => {
            let (radius, slope) = cone(container, gravity);
            walls.push(Wall::Cone {
                axis,
                radius,
                slope,
            });
        }
        Solid::Cylinder(cylinder) => {
            let along = turn.vector(DVec3::AXES[container.axis().number()]).abs();
            let is_end = |wall: &Wall| matches!(wall, Wall::Plane { normal, .. } if normal.dot(along) != 0.0);
            walls.extend(sides(container, turn).into_iter().filter(is_end));
            walls.push(mantle(0.5 * lengths, along, 0.5 * cylinder.diameter));
        }
        solid => {
            let wall = wall_of(solid);
            walls.push(wall(field(turn, true, move |point, _| {
                let (distance, towards) = outer.nearest_wall(point);
                Some((distance, -towards))
            })));
        }
    }
    for (number, body) in container.bodies().iter().enumerate() {
        let (wall, has_corners) = (wall_of(&body.solid), body.solid.name() == "mesh");
        for image in images(container, body, widest) {
            let (container, position) = (container.clone(), body.position);
            walls.push(wall(field(turn, has_corners, move |point, reach| {
                let Some(image) = image else {
                    return container.nearest_of_body(number, container.wrap(point), reach);
                };
                let point = from_image(point, position, container.periods(), image);
                container.bodies()[number].nearest_within(point, DVec3::INFINITY, reach)
            })));
        }
    }
    Walls(walls)
}

/// Returns the images of a body that are walls of their own: `None` for all of them together, if no sphere touches two at a time. Otherwise, an
/// image stands for each third one along a periodic axis, so that the nearest one and both beside it are different walls.
fn images(container: &Container, body: &Body, widest: f64) -> Vec<Option<DVec3>> {
    let (periods, lengths) = (container.periods(), body.lengths());
    let is_close = |axis: usize| {
        periods[axis].is_finite()
            && lengths[axis] < periods[axis]
            && periods[axis] <= lengths[axis] + widest
    };
    if !(0..3).any(is_close) {
        return vec![None];
    }
    let mut images = vec![DVec3::ZERO];
    for axis in (0..3).filter(|&axis| periods[axis].is_finite()) {
        let along = DVec3::AXES[axis];
        let three = |image: &DVec3| [0.0, 1.0, 2.0].map(|shift| image + shift * along);
        images = images.iter().flat_map(three).collect();
    }
    images.into_iter().map(Some).collect()
}

/// Returns a point seen from an image of a body, as if the image were the body.
fn from_image(mut point: DVec3, position: DVec3, periods: DVec3, image: DVec3) -> DVec3 {
    for axis in (0..3).filter(|&axis| periods[axis].is_finite()) {
        let nearest = ((point[axis] - position[axis]) / periods[axis]).round();
        let beside = (image[axis] - nearest + 1.0).rem_euclid(3.0) - 1.0;
        point[axis] -= (nearest + beside) * periods[axis];
    }
    point
}

/// Returns the kind of the walls of a solid that are no planes and no upright cones.
fn wall_of(solid: &Solid) -> fn(Box<Field>) -> Wall {
    match solid.name() {
        "mesh" => Wall::Faces,
        _ => Wall::Field,
    }
}

/// Returns the radius of an upright cone at the floor, and the increase of the radius with the height.
fn cone(container: &Container, gravity: Direction) -> (f64, f64) {
    let Solid::Cone(cone) = container.solid() else {
        return (0.0, 0.0);
    };
    let (low, high) = if gravity.vector().element_sum() > 0.0 {
        (cone.top, cone.bottom)
    } else {
        (cone.bottom, cone.top)
    };
    (0.5 * low, 0.5 * (high - low) / cone.height)
}

/// Returns the inside of an endless cylinder around a horizontal line. Its ends are walls of their own, because a field reports one surface.
fn mantle(middle: DVec3, along: DVec3, radius: f64) -> Wall {
    Wall::Field(Box::new(move |point, reach, report| {
        let aside = (point - middle).reject_from_normalized(along);
        let distance = radius - aside.length();
        if distance < reach {
            report(distance, -aside.try_normalize().unwrap_or(DVec3::NEG_Z));
        }
    }))
}

/// Returns the walls at the sides of a box.
fn sides(container: &Container, turn: Turn) -> Vec<Wall> {
    let lengths = turn.lengths();
    let mut walls = Vec::new();
    for axis in 0..2 {
        let normal = DVec3::AXES[axis];
        let own = turn.back_vector(normal).abs().max_position();
        if !container.is_periodic(own) {
            let (opposite, level) = (-normal, -lengths[axis]);
            walls.push(Wall::Plane { normal, level: 0.0 });
            walls.push(Wall::Plane {
                normal: opposite,
                level,
            });
        }
    }
    walls
}

/// Returns the surfaces of a solid in the coordinates of the vessel. `nearest` returns the distance of the nearest point, and the unit
/// vector from it, if the distance is below a limit.
///
/// In a corner of a mesh, several faces touch a sphere. The nearest face is found from its center, and the other faces from points around
/// the center. Faces are planes, so that their distances from the center follow. Other solids have no such corners.
fn field(
    turn: Turn,
    has_corners: bool,
    nearest: impl Fn(DVec3, f64) -> Option<(f64, DVec3)> + Send + Sync + 'static,
) -> Box<Field> {
    Box::new(move |point, reach, report| {
        let own = turn.back(point);
        let Some((distance, normal)) = nearest(own, reach) else {
            return;
        };
        report(distance, turn.vector(normal));
        if !has_corners {
            return;
        }
        let mut found = vec![normal];
        let around = DVec3::AXES.into_iter().flat_map(|axis| [axis, -axis]);
        for aside in around.map(|axis| PROBE * reach * axis) {
            let Some((distance, normal)) = nearest(own + aside, 2.0 * reach) else {
                continue;
            };
            let distance = distance - aside.dot(normal);
            if distance < reach && found.iter().all(|other| other.dot(normal) < 1.0 - 1e-4) {
                found.push(normal);
                report(distance, turn.vector(normal));
            }
        }
    })
}
