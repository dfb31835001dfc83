//! Gmsh geometries for its kernel OpenCASCADE: spheres in a container, with named volumes and faces. In the plane, surfaces are the
//! volumes, and curves are the faces.

use std::{
    fmt,
    io::{self, Write},
};

use glam::DVec3;

use super::{
    export::{ExportOptions, Scene},
    surface::bridges,
    text::write_numbers,
};
use crate::{
    container::{Container, Solid},
    dimension::Dimension,
};

/// Size of the tolerance with which faces are found, in units of the shortest length of the container.
const TOLERANCE: f64 = 1e-6;

/// The words of a dimension.
struct Words {
    /// The solids that are meshed.
    volume: &'static str,
    /// The next number of a solid.
    new: &'static str,
    /// The boundaries of the solids.
    face: &'static str,
    sphere: &'static str,
    /// The name of the spheres.
    spheres: &'static str,
}

impl Words {
    fn of(dimension: Dimension) -> Self {
        match dimension {
            Dimension::Two => Self {
                volume: "Surface",
                new: "news",
                face: "Curve",
                sphere: "Disk",
                spheres: "disks",
            },
            Dimension::Three => Self {
                volume: "Volume",
                new: "newv",
                face: "Surface",
                sphere: "Sphere",
                spheres: "spheres",
            },
        }
    }
}

/// Writes a script that cuts the spheres at the container, divides the container into spheres and matrix, and names all parts.
/// Periodic faces get matching meshes. A container that is a triangle mesh or an outline is replaced by its bounding box.
pub(super) fn write(scene: &Scene, options: &ExportOptions, out: &mut dyn Write) -> io::Result<()> {
    let scene = &scene.with_images();
    let dimension = scene.container.dimension();
    let Words {
        volume, spheres, ..
    } = Words::of(dimension);
    writeln!(
        out,
        "// {} {spheres} by jostle: gmsh -{} THIS_FILE",
        scene.len(),
        dimension.number()
    )?;
    writeln!(out, "SetFactory(\"OpenCASCADE\");")?;
    let solids = write_solids(scene, options, out)?;
    write_container(scene, "whole", out)?;
    if options.bridge > 0.0 {
        writeln!(
            out,
            "joined() = BooleanUnion{{ Volume{{1}}; Delete; }}{{ Volume{{2:{solids}}}; Delete; }};"
        )?;
    } else {
        writeln!(out, "joined() = {{1:{solids}}};")?;
    }
    writeln!(
        out,
        "inside() = BooleanIntersection{{ {volume}{{joined()}}; Delete; }}{{ {volume}{{whole}}; Delete; }};"
    )?;
    write_container(scene, "domain", out)?;
    writeln!(
        out,
        "parts() = BooleanFragments{{ {volume}{{domain}}; Delete; }}{{ {volume}{{inside()}}; Delete; }};\n\
         // The parts of the {spheres} keep their numbers; the other {} is the matrix.\n\
         matrix() = {volume}{{:}};\n\
         matrix() -= inside();\n\
         Physical {volume}(\"{spheres}\") = {{inside()}};\n\
         Physical {volume}(\"matrix\") = {{matrix()}};",
        volume.to_lowercase()
    )?;
    write_faces(scene, out)?;
    let radii = scene.spheres.radii();
    let mean = radii.iter().sum::<f64>() / radii.len().max(1) as f64;
    write!(out, "Mesh.MeshSizeMax = ")?;
    write_numbers(out, b"", [mean])?;
    writeln!(out, ";\nMesh.MeshSizeFromCurvature = 12;")?;
    write_size_of_side(scene, options, out)
}

/// Writes the largest size of elements of a curved wall. Flat elements cut into the container there, by about a sixth of the square
/// of their size times the curvature. They must not cut the spheres, which shrank away from the wall: they use a third of the gap.
fn write_size_of_side(
    scene: &Scene,
    options: &ExportOptions,
    out: &mut dyn Write,
) -> io::Result<()> {
    if !matches!(
        scene.container.solid(),
        Solid::Cylinder(_) | Solid::Sphere(_) | Solid::Cone(_) | Solid::Circle(_)
    ) {
        return Ok(());
    }
    let across = (scene.container.axis().number() + 1) % 3;
    let radius = 0.5 * scene.container.lengths()[across];
    let smallest = scene.spheres.radii().iter().copied().reduce(f64::min);
    let gap = (1.0 - options.shrink) * smallest.unwrap_or(0.0);
    if gap <= 0.0 {
        return Ok(());
    }
    let face = Words::of(scene.container.dimension()).face;
    write!(
        out,
        "Field[1] = Constant;\nField[1].{face}sList = {{side()}};\nField[1].VIn = "
    )?;
    write_numbers(out, b"", [(2.0 * gap * radius).sqrt()])?;
    writeln!(out, ";\nBackground Field = 1;")
}

/// Writes the container as a volume whose number is in the variable `name`.
fn write_container(scene: &Scene, name: &str, out: &mut dyn Write) -> io::Result<()> {
    let (low, lengths) = (scene.low, scene.container.lengths());
    let DVec3 { x, y, z } = low + 0.5 * lengths;
    let own = scene.container.axis().number();
    // From the low end of the axis to the high one.
    let (mut from, mut way) = (low + 0.5 * lengths, DVec3::ZERO);
    (from[own], way[own]) = (low[own], lengths[own]);
    let new = Words::of(scene.container.dimension()).new;
    write!(out, "{name} = {new}; ")?;
    match scene.container.solid() {
        Solid::Cylinder(cylinder) => {
            let radius = 0.5 * cylinder.diameter;
            let numbers = [from.x, from.y, from.z, way.x, way.y, way.z, radius];
            write_volume("Cylinder", &name, numbers, out)
        }
        Solid::Sphere(ball) => write_volume("Sphere", &name, [x, y, z, 0.5 * ball.diameter], out),
        Solid::Cone(cone) => {
            let [bottom, top] = [0.5 * cone.bottom, 0.5 * cone.top];
            let numbers = [from.x, from.y, from.z, way.x, way.y, way.z, bottom, top];
            write_volume("Cone", &name, numbers, out)
        }
        Solid::Circle(circle) => write_volume("Disk", &name, [x, y, z, 0.5 * circle.diameter], out),
        Solid::Rectangle(_) | Solid::Outline(_) => {
            let numbers = [low.x, low.y, low.z, lengths.x, lengths.y];
            write_volume("Rectangle", &name, numbers, out)
        }
        _ => {
            let numbers = [low.x, low.y, low.z, lengths.x, lengths.y, lengths.z];
            write_volume("Box", &name, numbers, out)
        }
    }
}

/// Writes a volume with the number `name`, or with the number in this variable.
fn write_volume<const N: usize>(
    kind: &str,
    name: &dyn fmt::Display,
    numbers: [f64; N],
    out: &mut dyn Write,
) -> io::Result<()> {
    write!(out, "{kind}({name}) = {{")?;
    write_numbers(out, b", ", numbers)?;
    writeln!(out, "}};")
}

/// Returns the axes that have flat faces at both ends of the volume of the container.
fn flat_axes(container: &Container) -> std::ops::Range<usize> {
    let own = container.axis().number();
    match container.solid() {
        Solid::Cylinder(_) | Solid::Cone(_) => own..own + 1,
        Solid::Sphere(_) | Solid::Circle(_) => 0..0,
        _ => 0..container.dimension().number(),
    }
}

/// Writes the spheres and bridges as volumes from 1 on, and returns their number.
fn write_solids(scene: &Scene, options: &ExportOptions, out: &mut dyn Write) -> io::Result<usize> {
    let sphere = Words::of(scene.container.dimension()).sphere;
    let mut count = 0;
    for (DVec3 { x, y, z }, radius) in scene.spheres.iter() {
        count += 1;
        write_volume(sphere, &count, [x, y, z, options.shrink * radius], out)?;
    }
    for bridge in bridges(scene, options.bridge) {
        count += 1;
        let (from, way) = (bridge.from, bridge.to - bridge.from);
        let numbers = [from.x, from.y, from.z, way.x, way.y, way.z, bridge.radius];
        write_volume("Cylinder", &count, numbers, out)?;
    }
    Ok(count)
}

/// Writes the names of the faces, and pairs the faces of periodic axes. All curved faces have one name.
fn write_faces(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let periodic = scene.packing.container.boundary();
    let (low, high) = (scene.low, scene.high());
    let axes = scene.container.dimension().number();
    let Words { volume, face, .. } = Words::of(scene.container.dimension());
    let lengths = scene.container.lengths().to_array();
    let e = TOLERANCE
        * lengths[..axes]
            .iter()
            .copied()
            .fold(f64::INFINITY, f64::min);
    let flat = flat_axes(&scene.container);
    let has_side = flat.len() < axes;
    if has_side {
        writeln!(out, "side() = Abs(CombinedBoundary{{ {volume}{{:}}; }});")?;
    }
    for axis in flat.clone() {
        let name = ["x", "y", "z"][axis];
        for (side, at) in [("low", low[axis]), ("high", high[axis])] {
            let (mut from, mut to) = (low - e, high + e);
            (from[axis], to[axis]) = (at - e, at + e);
            write!(out, "{name}_{side}() = {face} In BoundingBox{{")?;
            write_numbers(out, b", ", [from.x, from.y, from.z, to.x, to.y, to.z])?;
            writeln!(
                out,
                "}};\nPhysical {face}(\"{name}_{side}\") = {{{name}_{side}()}};"
            )?;
            if has_side {
                writeln!(out, "side() -= {name}_{side}();")?;
            }
        }
        if periodic.is_periodic(axis) {
            let mut way = DVec3::ZERO;
            way[axis] = high[axis] - low[axis];
            write_pairs(face, name, way, e, out)?;
        }
    }
    if has_side {
        writeln!(out, "Physical {face}(\"side\") = {{side()}};")?;
    }
    Ok(())
}

/// Pairs each part of the low face of an axis with the part of the high face that lies at the distance `way`.
fn write_pairs(face: &str, name: &str, way: DVec3, e: f64, out: &mut dyn Write) -> io::Result<()> {
    let [x, y, z] = way.to_array();
    writeln!(
        out,
        "For i In {{0:#{name}_low()-1}}\n  \
           a() = BoundingBox {face}{{ {name}_low(i) }};\n  \
           b() = {face} In BoundingBox{{a(0)+{x:?}-{e:?}, a(1)+{y:?}-{e:?}, a(2)+{z:?}-{e:?}, \
         a(3)+{x:?}+{e:?}, a(4)+{y:?}+{e:?}, a(5)+{z:?}+{e:?}}};\n  \
           For j In {{0:#b()-1}}\n    \
             c() = BoundingBox {face}{{ b(j) }};\n    \
             If (Fabs(c(0)-a(0)-{x:?}) < {e:?} && Fabs(c(1)-a(1)-{y:?}) < {e:?} && Fabs(c(2)-a(2)-{z:?}) < {e:?} && \
         Fabs(c(3)-a(3)-{x:?}) < {e:?} && Fabs(c(4)-a(4)-{y:?}) < {e:?} && Fabs(c(5)-a(5)-{z:?}) < {e:?})\n      \
               Periodic {face}{{b(j)}} = {{{name}_low(i)}} Translate{{{x:?}, {y:?}, {z:?}}};\n    \
             EndIf\n  \
           EndFor\n\
         EndFor"
    )
}
