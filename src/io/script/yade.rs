//! Scripts for YADE.

use super::material::{GRAVITY, Material, bodies_note, shape_note};
use crate::io::export::Scene;

/// Returns whether YADE accepts the spheres. Their bounding boxes must not exceed half of a periodic cell, because it finds one
/// image of each pair. The boxes are wider than the spheres by half of the smallest radius at each side.
pub(super) fn has_room(scene: &Scene) -> bool {
    let Material {
        smallest, largest, ..
    } = Material::new(scene);
    let half = 0.5 * scene.container.lengths().min_element();
    !scene.is_periodic() || 2.0 * largest + smallest < half
}

/// Returns a script that reads the rows of `file` and lets the spheres settle for 1000 steps.
pub(super) fn script(scene: &Scene, file: &str) -> String {
    let reading = if scene.is_periodic() {
        format!(
            "spheres = pack.SpherePack()
spheres.load('{file}')
spheres.isPeriodic = True
spheres.toSimulation(material='placeholder')  # with the periodic cell of the file"
        )
    } else {
        format!("O.bodies.append(ymport.text('{file}', material='placeholder'))")
    };
    settling(scene, &reading)
}

/// Returns a script that reads the geometry of `file`.
pub(super) fn gengeo_script(scene: &Scene, file: &str) -> String {
    let reading = format!("O.bodies.append(ymport.gengeoFile('{file}', material='placeholder'))");
    settling(scene, &reading)
}

fn settling(scene: &Scene, reading: &str) -> String {
    let Material {
        stiffness, largest, ..
    } = Material::new(scene);
    // The fixed spheres are the last ones of the file.
    let fixed = match scene.fixed {
        0 => String::new(),
        count => format!(
            "for body in list(O.bodies)[-{count}:]:\n    body.state.blockedDOFs = 'xyzXYZ'  # a fixed sphere\n"
        ),
    };
    let mut walls = bodies_note(scene).to_owned() + &shape_note(scene);
    for axis in (0..3).filter(|&axis| !scene.container.is_periodic(axis)) {
        for at in [scene.low[axis], scene.high()[axis]] {
            walls.push_str(&format!(
                "O.bodies.append(utils.wall({at:?}, axis={axis}, material='placeholder'))\n"
            ));
        }
    }
    format!(
        "# Starts from a packing of {count} spheres: yade THIS_FILE
# The material is a placeholder.
from yade import pack, utils, ymport

O.materials.append(FrictMat(young={young:e}, poisson=0.3, density={density:?}, frictionAngle=0.5, label='placeholder'))
{reading}
{fixed}{walls}O.engines = [
    ForceResetter(),
    InsertionSortCollider([Bo1_Sphere_Aabb(), Bo1_Wall_Aabb()]),
    InteractionLoop(
        [Ig2_Sphere_Sphere_ScGeom(), Ig2_Wall_Sphere_ScGeom()],
        [Ip2_FrictMat_FrictMat_FrictPhys()],
        [Law2_ScGeom_FrictPhys_CundallStrack()],
    ),
    NewtonIntegrator(gravity=(0, 0, -{GRAVITY}), damping=0.3),
]
O.dt = 0.5 * utils.PWaveTimeStep()
O.run(1000, True)
",
        count = scene.len(),
        // The stiffness of a contact is Young's modulus times the radius.
        young = stiffness / largest,
        density = scene.densities().1,
    )
}
