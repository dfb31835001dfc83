//! A script for LIGGGHTS.

use std::f64::consts::PI;

use super::material::{GRAVITY, Material, bodies_note, groups, shape_note};
use crate::{
    container::Solid,
    io::{export::Scene, text::by_boundary},
};

/// Young's modulus: the smallest that LIGGGHTS accepts in SI units.
const YOUNG: f64 = 5e6;

/// Poisson's ratio.
const POISSON: f64 = 0.3;

/// Time step in units of the Rayleigh time of the smallest sphere.
const STEP: f64 = 0.1;

/// Returns a script that reads the data `file` and lets the spheres settle for 1000 steps.
pub(super) fn script(scene: &Scene, file: &str) -> String {
    let Material { smallest, .. } = Material::new(scene);
    let boundary = by_boundary(scene.container.boundary(), "p", "f").join(" ");
    let types = scene.type_count as usize;
    let each = |value: f64| vec![value.to_string(); types].join(" ");
    let pairs = |value: f64| vec![value.to_string(); types * types].join(" ");
    let shear = YOUNG / (2.0 * (1.0 + POISSON));
    let rayleigh = PI * smallest * (scene.densities().0 / shear).sqrt() / (0.163 * POISSON + 0.877);
    let walls = bodies_note(scene).to_owned() + &walls(scene);
    let (definition, hold, moving) = groups(scene);
    format!(
        "# Starts from a packing of {count} spheres: liggghts -in THIS_FILE
# Young's modulus, Poisson's ratio, restitution and friction are placeholders.
atom_style      granular
atom_modify     map array
boundary        {boundary}
newton          off
communicate     single vel yes
units           si
read_data       \"{file}\"

neighbor        {skin:e} bin
neigh_modify    delay 0
fix             young all property/global youngsModulus peratomtype {young}
fix             poisson all property/global poissonsRatio peratomtype {poisson}
fix             restitution all property/global coefficientRestitution peratomtypepair {types} {restitution}
fix             friction all property/global coefficientFriction peratomtypepair {types} {friction}
pair_style      gran model hertz tangential history
pair_coeff      * *
{definition}{walls}fix             weight {moving} gravity {GRAVITY} vector 0.0 0.0 -1.0
fix             move {moving} nve/sphere
{hold}
timestep        {step:e}
thermo          100
run             1000
",
        count = scene.len(),
        skin = 0.5 * smallest,
        young = each(YOUNG),
        poisson = each(POISSON),
        restitution = pairs(0.3),
        friction = pairs(0.5),
        step = STEP * rayleigh,
    )
}

/// Returns the commands of the walls: a cylinder, and planes for all other walls.
fn walls(scene: &Scene) -> String {
    const MODEL: &str = "all wall/gran model hertz tangential history primitive type 1";
    let mut walls = String::new();
    let mut axes = 0..3;
    if let Solid::Cylinder(cylinder) = scene.container.solid() {
        let axis = scene.container.axis();
        let center = (scene.low + 0.5 * scene.container.lengths()).to_array();
        let along = axis as usize;
        let across: Vec<String> = (0..3)
            .filter(|&k| k != along)
            .map(|k| format!("{:?}", center[k]))
            .collect();
        walls.push_str(&format!(
            "fix             side {MODEL} {axis}cylinder {:?} {}\n",
            0.5 * cylinder.diameter,
            across.join(" ")
        ));
        axes = along..along + 1;
    } else {
        walls.push_str(&shape_note(scene));
    }
    for axis in axes.filter(|&axis| !scene.container.is_periodic(axis)) {
        let name = ["x", "y", "z"][axis];
        for (side, at) in [("low", scene.low[axis]), ("high", scene.high()[axis])] {
            walls.push_str(&format!(
                "fix             {name}_{side} {MODEL} {name}plane {at:?}\n"
            ));
        }
    }
    walls
}
