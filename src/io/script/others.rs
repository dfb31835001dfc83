//! Scripts for HOOMD-blue, OpenMC and Neper.

use crate::io::export::Scene;

/// Returns a script that starts HOOMD-blue from the frame in `file`.
pub(super) fn hoomd(_: &Scene, file: &str) -> String {
    format!(
        "# Starts HOOMD-blue from a packing: python3 THIS_FILE
import hoomd

simulation = hoomd.Simulation(device=hoomd.device.CPU(), seed=1)
simulation.create_state_from_gsd(filename='{file}')
print(simulation.state.N_particles, 'spheres in', simulation.state.box)
"
    )
}

/// Returns a script that makes OpenMC spheres of the centres in `file`. Lengths are in centimetres.
pub(super) fn openmc(scene: &Scene, file: &str) -> String {
    let (low, high) = (scene.low, scene.high());
    let largest = scene.spheres.radii().iter().copied().fold(0.0, f64::max);
    format!(
        "# Makes an OpenMC geometry of a packing of equal spheres. Lengths are in cm.
import numpy as np
import openmc

centers = np.load('{file}')
radius = {largest:?}
fuel, coolant = openmc.Material(name='pebble'), openmc.Material(name='coolant')
surfaces = [openmc.Sphere(*center, r=radius) for center in centers]
pebbles = [openmc.Cell(fill=fuel, region=-surface) for surface in surfaces]
box = openmc.model.RectangularParallelepiped({}, {}, {}, {}, {}, {}, boundary_type='reflective')
between = openmc.Intersection([-box] + [+surface for surface in surfaces])
geometry = openmc.Geometry(pebbles + [openmc.Cell(fill=coolant, region=between)])
",
        low.x, high.x, low.y, high.y, low.z, high.z
    )
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
        "# Makes a tessellation whose cells have the centres and diameters of the spheres.
neper -T -n {count} -domain \"cube({x:?},{y:?},{z:?})\"{periodicity} -morpho \"centroiddiameq:file({file})\"
",
        count = scene.len()
    )
}
