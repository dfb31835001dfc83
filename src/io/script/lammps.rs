//! A script for LAMMPS.

use super::material::{GRAVITY, Material};
use crate::io::{export::Scene, text::by_boundary};

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
    let mut walls = String::new();
    for (axis, name) in ["x", "y", "z"].into_iter().enumerate() {
        if !scene.container.is_periodic(axis) {
            let (low, high) = (scene.low[axis], scene.high()[axis]);
            walls.push_str(&format!(
                "fix             wall_{name} all wall/gran hooke/history {contact} {name}plane {low:?} {high:?}\n"
            ));
        }
    }
    format!(
        "# Starts from a packing of {count} spheres: lammps -in THIS_FILE
# The stiffness {stiffness:e} and the damping are placeholders.
units           si
atom_style      sphere
boundary        {boundary}
newton          off
comm_modify     vel yes cutoff {cutoff:e}
read_data       {file}

pair_style      gran/hooke/history {contact}
pair_coeff      * *
neighbor        {skin:e} bin
neigh_modify    delay 0
{walls}fix             move all nve/sphere
fix             weight all gravity {GRAVITY} vector 0 0 -1

timestep        {step:e}
thermo          100
run             1000
",
        count = scene.len(),
        cutoff = 2.0 * largest + 2.0 * smallest,
        skin = 0.5 * smallest,
    )
}
