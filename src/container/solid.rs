//! Solids as sets of lines parallel to z, for volumes.

use glam::{DVec2, DVec3};

#[cfg(feature = "mesh")]
use super::mesh::Mesh;
use super::{body::Body, parameters::ContainerShape};

/// A solid at a fixed position.
pub(super) struct Solid {
    /// Corners of the bounding box.
    pub low: DVec3,
    pub high: DVec3,
    form: Form,
}

enum Form {
    Cuboid,
    Ball {
        center: DVec3,
        radius: f64,
    },
    /// A cylinder between two faces of the bounding box.
    Rod {
        center: DVec3,
        radius: f64,
        axis: usize,
    },
    /// The frustum of a cone around a line parallel to z, from z = 0 to the top of the bounding box.
    Cone {
        middle: DVec2,
        bottom: f64,
        top: f64,
    },
    #[cfg(feature = "mesh")]
    Mesh {
        mesh: Mesh,
        corner: DVec3,
    },
}

impl Solid {
    /// Returns the space inside the walls of a container, in its bounding box.
    pub fn of_container(shape: &ContainerShape, lengths: DVec3) -> Self {
        let middle = 0.5 * lengths;
        let form = match *shape {
            ContainerShape::Box { .. } => Form::Cuboid,
            ContainerShape::Cylinder { diameter, .. } => Form::Rod {
                center: middle,
                radius: 0.5 * diameter,
                axis: 2,
            },
            ContainerShape::Sphere { diameter } => Form::Ball {
                center: middle,
                radius: 0.5 * diameter,
            },
            ContainerShape::Cone { bottom, top, .. } => Form::Cone {
                middle: middle.truncate(),
                bottom: 0.5 * bottom,
                top: 0.5 * top,
            },
            #[cfg(feature = "mesh")]
            ContainerShape::Mesh(ref mesh) => Form::Mesh {
                mesh: mesh.clone(),
                corner: DVec3::ZERO,
            },
        };
        Self {
            low: DVec3::ZERO,
            high: lengths,
            form,
        }
    }

    /// Returns a body.
    pub fn of_body(body: &Body) -> Self {
        let (low, high) = body.bounds();
        let form = match *body {
            Body::Cylinder {
                diameter,
                center,
                axis,
                ..
            } => Form::Rod {
                center,
                radius: 0.5 * diameter,
                axis: axis.number(),
            },
            Body::Sphere { diameter, center } => Form::Ball {
                center,
                radius: 0.5 * diameter,
            },
            Body::Box { .. } => Form::Cuboid,
            #[cfg(feature = "mesh")]
            Body::Mesh { ref mesh, corner } => Form::Mesh {
                mesh: mesh.clone(),
                corner,
            },
        };
        Self { low, high, form }
    }

    /// Returns whether the breaks divide integrals into parts in which no mesh has an edge.
    pub fn has_breaks(&self) -> bool {
        match &self.form {
            #[cfg(feature = "mesh")]
            Form::Mesh { mesh, .. } => mesh.has_breaks(),
            _ => true,
        }
    }

    /// Returns whether the plane of points with this coordinate `x` meets the bounding box.
    pub fn has_x(&self, x: f64) -> bool {
        self.low.x < x && x < self.high.x
    }

    /// Adds the parts of the line through (x, y) that lie inside, each as its lowest and its highest z.
    pub fn add_chords(&self, x: f64, y: f64, chords: &mut Vec<[f64; 2]>) {
        let (low, high) = (self.low, self.high);
        if !(low.x < x && x < high.x && low.y < y && y < high.y) {
            return;
        }
        match self.form {
            Form::Cuboid => chords.push([low.z, high.z]),
            Form::Ball { center, radius } => {
                let (x, y) = (x - center.x, y - center.y);
                add_round(center.z, radius * radius - x * x - y * y, chords);
            }
            Form::Rod {
                center,
                radius,
                axis,
            } => {
                let (x, y) = (x - center.x, y - center.y);
                match axis {
                    0 => add_round(center.z, radius * radius - y * y, chords),
                    1 => add_round(center.z, radius * radius - x * x, chords),
                    _ if x * x + y * y < radius * radius => chords.push([low.z, high.z]),
                    _ => {}
                }
            }
            Form::Cone {
                middle,
                bottom,
                top,
            } => {
                let beyond = DVec2::new(x, y).distance(middle) - bottom;
                // Share of the height at which the side is at this distance from the axis.
                let share = beyond / (top - bottom);
                if bottom > top {
                    chords.push([0.0, high.z * share.clamp(0.0, 1.0)]);
                } else if bottom < top {
                    chords.push([high.z * share.clamp(0.0, 1.0), high.z]);
                } else if beyond < 0.0 {
                    chords.push([0.0, high.z]);
                }
            }
            #[cfg(feature = "mesh")]
            Form::Mesh { ref mesh, corner } => mesh.add_chords(x, y, corner, chords),
        }
    }

    /// Adds the coordinates x at which the areas of slices may change abruptly.
    pub fn add_x_breaks(&self, breaks: &mut Vec<f64>) {
        breaks.extend([self.low.x, self.high.x, 0.5 * (self.low.x + self.high.x)]);
        match self.form {
            Form::Cone {
                middle,
                bottom,
                top,
            } => {
                let ends = [bottom, top].into_iter();
                breaks.extend(ends.flat_map(|radius| [middle.x - radius, middle.x + radius]));
            }
            #[cfg(feature = "mesh")]
            Form::Mesh { ref mesh, corner } => mesh.add_x_breaks(corner, breaks),
            _ => {}
        }
    }

    /// Adds the coordinates y at which the lengths of lines in the slice at `x` may change abruptly.
    pub fn add_y_breaks(&self, x: f64, breaks: &mut Vec<f64>) {
        if !self.has_x(x) {
            return;
        }
        breaks.push(0.5 * (self.low.y + self.high.y));
        let mut add_disc = |middle: DVec2, radius: f64| {
            let squared = radius * radius - (x - middle.x) * (x - middle.x);
            if squared > 0.0 {
                breaks.extend([middle.y - squared.sqrt(), middle.y + squared.sqrt()]);
            }
        };
        match self.form {
            Form::Ball { center, radius } => add_disc(center.truncate(), radius),
            Form::Rod {
                center,
                radius,
                axis: 2,
            } => add_disc(center.truncate(), radius),
            Form::Cuboid | Form::Rod { .. } => breaks.extend([self.low.y, self.high.y]),
            Form::Cone {
                middle,
                bottom,
                top,
            } => {
                add_disc(middle, bottom);
                add_disc(middle, top);
            }
            #[cfg(feature = "mesh")]
            Form::Mesh { ref mesh, corner } => {
                breaks.extend([self.low.y, self.high.y]);
                mesh.add_y_breaks(x, corner, breaks);
            }
        }
    }
}

/// Adds the chord around `middle` whose half has this square, if it is positive.
fn add_round(middle: f64, squared: f64, chords: &mut Vec<[f64; 2]>) {
    if squared > 0.0 {
        chords.push([middle - squared.sqrt(), middle + squared.sqrt()]);
    }
}
