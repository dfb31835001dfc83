//! Comments about walls that a script lacks.

use crate::{container::ContainerShape, io::export::Scene};

/// Returns a comment for a script whose walls are those of the bounding box, although the container has another shape.
pub(super) fn bounding_box_note(scene: &Scene) -> String {
    if matches!(scene.container.shape(), ContainerShape::Box { .. }) {
        return String::new();
    }
    format!(
        "# The container is a {}. The walls below are those of its bounding box.\n",
        scene.container.shape().name()
    )
}

/// Returns a comment for a script of a container with bodies, which the script lacks.
pub(super) fn bodies_note(scene: &Scene) -> &'static str {
    if scene.container.bodies().is_empty() {
        ""
    } else {
        "# The bodies that keep spheres out are not in this script.\n"
    }
}
