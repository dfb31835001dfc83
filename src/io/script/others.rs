//! Scripts for HOOMD-blue, OpenMC and Neper.

use super::material::{bodies_note, shape_note};
use crate::io::export::Scene;

/// Returns a script that starts HOOMD-blue from the frame in `file`.
pub(super) fn hoomd(scene: &Scene, file: &str) -> String {
    format!(
        "# Starts HOOMD-blue from a packing: python3 THIS_FILE
{}import hoomd

simulation = hoomd.Simulation(device=hoomd.device.CPU(), seed=1)
simulation.create_state_from_gsd(filename='{file}')
print(simulation.state.N_particles, 'spheres in', simulation.state.box)
",
        notes(scene)
    )
}

/// Returns a script that makes OpenMC spheres of the centers in `file`. Lengths are in centimeters.
pub(super) fn openmc(scene: &Scene, file: &str) -> String {
    let [x, y, z, right, back, top] = scene.corners();
    format!(
        "# Makes an OpenMC geometry of a packing. Lengths are in cm.
{notes}import numpy as np
import openmc

centers = np.load('{file}')
radii = {radii}
fuel, coolant = openmc.Material(name='pebble'), openmc.Material(name='coolant')
surfaces = [openmc.Sphere(*center, r=radius) for center, radius in zip(centers, radii)]
pebbles = [openmc.Cell(fill=fuel, region=-surface) for surface in surfaces]
box = openmc.model.RectangularParallelepiped({x:?}, {right:?}, {y:?}, {back:?}, {z:?}, {top:?}, boundary_type='reflective')
between = openmc.Intersection([-box] + [+surface for surface in surfaces])
geometry = openmc.Geometry(pebbles + [openmc.Cell(fill=coolant, region=between)])
",
        notes = notes(scene),
        radii = radii(scene),
    )
}

/// Returns the radii in the syntax of Python: one number and the number of centers if all spheres are equal, or a list.
fn radii(scene: &Scene) -> String {
    let radii = scene.spheres.radii();
    match radii.split_first() {
        Some((first, others)) if others.iter().all(|other| other == first) => {
            format!("[{first:?}] * len(centers)")
        }
        _ => format!("{radii:?}"),
    }
}

/// Returns comments about the parts of the container that a script lacks.
fn notes(scene: &Scene) -> String {
    shape_note(scene) + bodies_note(scene)
}

/// Returns a command that makes a tessellation with one cell for each row of `file`.
pub(super) fn neper(scene: &Scene, file: &str) -> String {
    let [x, y, z] = scene.container.lengths().to_array();
    let periodicity = if scene.is_periodic() {
        " -periodicity all"
    } else {
        ""
    };
    format!(
        "# Makes a tessellation whose cells have the centers and diameters of the spheres.
{notes}neper -T -n {count} -domain \"cube({x:?},{y:?},{z:?})\"{periodicity} -morpho \"centroiddiameq:file({file})\"
",
        notes = notes(scene),
        count = scene.len()
    )
}
