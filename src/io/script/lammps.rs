//! A script for LAMMPS.

use super::material::{GRAVITY, Material, bodies_note, groups, shape_note};
use crate::{
    container::Solid,
    io::{export::Scene, text::by_boundary},
};

/// Returns a script that reads the data `file` and lets the spheres settle for 1000 steps.
pub(super) fn script(scene: &Scene, file: &str) -> String {
    let Material {
        stiffness,
        damping,
        step,
        smallest,
        largest,
    } = Material::new(scene);
    let boundary = by_boundary(scene.container.boundary(), "p", "f").join(" ");
    let contact = format!("{stiffness:e} NULL {damping:e} NULL 0.5 1");
    let walls = bodies_note(scene).to_owned() + &walls(scene, &contact);
    let (definition, hold, moving) = groups(scene);
    format!(
        "# Starts from a packing of {count} spheres: lammps -in THIS_FILE
# The stiffness {stiffness:e} and the damping are placeholders.
units           si
atom_style      sphere
boundary        {boundary}
newton          off
comm_modify     vel yes cutoff {cutoff:e}
read_data       \"{file}\"

pair_style      gran/hooke/history {contact}
pair_coeff      * *
neighbor        {skin:e} bin
neigh_modify    delay 0
{definition}{walls}fix             move {moving} nve/sphere
fix             weight {moving} gravity {GRAVITY} vector 0 0 -1
{hold}
timestep        {step:e}
thermo          100
run             1000
",
        count = scene.len(),
        cutoff = 2.0 * largest + 2.0 * smallest,
        skin = 0.5 * smallest,
    )
}

/// Returns the commands of the walls: a region for a curved wall, planes for the others.
fn walls(scene: &Scene, contact: &str) -> String {
    if let Some(region) = region(scene) {
        return format!(
            "region          container {region} units box
fix             wall all wall/gran/region hooke/history {contact} region container
"
        );
    }
    let mut walls = shape_note(scene);
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        if !scene.container.is_periodic(axis) {
            let (low, high) = (scene.low[axis], scene.high()[axis]);
            walls.push_str(&format!(
                "fix             wall_{name} all wall/gran hooke/history {contact} {name}plane {low:?} {high:?}\n"
            ));
        }
    }
    walls
}

/// Returns a round container as a region; `None` for a box, and for a mesh, which is no region.
fn region(scene: &Scene) -> Option<String> {
    let middle = scene.low + 0.5 * scene.container.lengths();
    // A cylinder without ends continues beyond the periodic faces.
    let axis = scene.container.axis();
    let own = axis.number();
    let [low, high] = if scene.container.is_periodic(own) {
        ["INF".to_owned(), "INF".to_owned()]
    } else {
        [scene.low[own], scene.high()[own]].map(|end| format!("{end:?}"))
    };
    let [x, y, z] = middle.to_array();
    // The coordinates of the axis of the container, in the order of the axes.
    let [a, b] = [[y, z], [x, z], [x, y]][own];
    Some(match scene.container.solid() {
        Solid::Cylinder(cylinder) => {
            let radius = 0.5 * cylinder.diameter;
            format!("cylinder {axis} {a:?} {b:?} {radius:?} {low} {high}")
        }
        Solid::Sphere(ball) => {
            format!("sphere {x:?} {y:?} {z:?} {:?}", 0.5 * ball.diameter)
        }
        Solid::Cone(cone) => format!(
            "cone {axis} {a:?} {b:?} {:?} {:?} {low} {high}",
            0.5 * cone.bottom,
            0.5 * cone.top
        ),
        _ => return None,
    })
}
