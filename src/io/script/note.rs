//! Comments about parts of the container that a script lacks, and commands that hold fixed spheres.

use crate::{container::Solid, io::export::Scene};

/// Returns a comment for a script that knows the bounding box of the container only; nothing for a box.
pub(super) fn shape_note(scene: &Scene) -> String {
    if matches!(scene.container.solid(), Solid::Box(_)) {
        return String::new();
    }
    format!(
        "# The container is a {}. This script has its bounding box.\n",
        scene.container.solid().name()
    )
}

/// Returns the parts of scripts for LAMMPS and LIGGGHTS that depend on fixed spheres: the definition of the groups of fixed and moving
/// spheres, the command that holds the fixed ones, after all commands that add forces, and the name of the group of the moving ones.
pub(super) fn groups(scene: &Scene) -> (String, &'static str, &'static str) {
    if scene.fixed == 0 {
        return (String::new(), "", "all");
    }
    let definition = format!(
        "group           fixed type {}\ngroup           free subtract all fixed\n",
        scene.type_count
    );
    (definition, "fix             hold fixed freeze\n", "free")
}

/// Returns a comment for a script of a container with bodies, which the script lacks.
pub(super) fn bodies_note(scene: &Scene) -> &'static str {
    if scene.container.bodies().is_empty() {
        ""
    } else {
        "# The bodies that keep spheres out are not in this script.\n"
    }
}
