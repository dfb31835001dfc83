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

/// Commands of LAMMPS and LIGGGHTS about fixed spheres.
pub(super) struct Groups {
    /// Definition of the groups of fixed and moving spheres; empty without fixed spheres.
    pub definition: String,
    /// Command that holds the fixed spheres, after all commands that add forces.
    pub hold: &'static str,
    /// Name of the group of the spheres that move.
    pub moving: &'static str,
}

impl Groups {
    pub(super) fn new(scene: &Scene) -> Self {
        if scene.fixed == 0 {
            return Self {
                definition: String::new(),
                hold: "",
                moving: "all",
            };
        }
        let fixed = scene.type_count;
        Self {
            definition: format!(
                "group           fixed type {fixed}\ngroup           free subtract all fixed\n"
            ),
            hold: "fix             hold fixed freeze\n",
            moving: "free",
        }
    }
}

/// Returns a comment for a script of a container with bodies, which the script lacks.
pub(super) fn bodies_note(scene: &Scene) -> &'static str {
    if scene.container.bodies().is_empty() {
        ""
    } else {
        "# The bodies that keep spheres out are not in this script.\n"
    }
}
