//! Containers and random spheres.

use std::f64::consts::PI;

use glam::DVec3;
use rand::RngExt;
use rand_pcg::Pcg64;

use crate::{
    container::{Boundaries, Container},
    index::{entry::Entry, global_index::IndexBuilder},
};

/// A builder under test, a container, and the name of the set of checks.
pub(super) struct Scene<'a> {
    pub builder: &'a dyn IndexBuilder,
    pub container: &'a Container,
    pub name: &'static str,
}

impl Scene<'_> {
    /// Returns where a violation occurred.
    pub fn describe(&self) -> String {
        let lengths = self.container.lengths();
        let boundary = self.container.boundary();
        format!(
            "index '{}' in a {} × {} × {} container ({boundary}), {}",
            self.builder.name(),
            lengths.x,
            lengths.y,
            lengths.z,
            self.name,
        )
    }

    /// Returns a random point in the container.
    pub fn point(&self, rng: &mut Pcg64) -> DVec3 {
        let share = DVec3::new(rng.random(), rng.random(), rng.random());
        self.container.wrap(share * self.container.lengths())
    }

    /// Returns `count` spheres at random points, with the ids from 0 on.
    pub fn random_entries(
        &self,
        rng: &mut Pcg64,
        count: u32,
        mut radius: impl FnMut(&mut Pcg64) -> f64,
    ) -> Vec<Entry> {
        (0..count)
            .map(|id| Entry {
                center: self.point(rng),
                radius: radius(rng),
                id,
            })
            .collect()
    }

    /// Returns the radius at which `count` spheres fill 60 % of the container.
    pub fn dense_radius(&self, count: u32) -> f64 {
        (0.6 * self.container.volume() / f64::from(count) * 0.75 / PI).cbrt()
    }

    pub fn shortest_side(&self) -> f64 {
        self.container.lengths().min_element()
    }

    pub fn longest_side(&self) -> f64 {
        self.container.lengths().max_element()
    }
}

/// Returns cubes and long boxes with all kinds of boundaries.
pub(super) fn containers() -> Vec<Container> {
    let shapes = [
        ([10.0, 10.0, 10.0], "ppp"),
        ([10.0, 10.0, 10.0], "www"),
        ([10.0, 10.0, 10.0], "ppw"),
        ([7.0, 3.0, 11.0], "ppp"),
        ([100.0, 1.0, 1.0], "ppp"),
        ([100.0, 1.0, 1.3], "wpw"),
        ([0.3, 0.5, 40.0], "pwp"),
    ];
    shapes
        .into_iter()
        .map(|(lengths, boundary)| {
            let boundary: Boundaries = boundary.parse().expect("the boundary is valid");
            Container::cuboid(DVec3::from_array(lengths), boundary)
                .expect("the lengths are positive")
        })
        .collect()
}

/// Returns the greatest vector below `v` in each component.
pub(super) fn just_below(v: DVec3) -> DVec3 {
    DVec3::from_array(v.to_array().map(f64::next_down))
}
