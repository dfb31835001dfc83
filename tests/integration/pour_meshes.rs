//! Beds in meshes.

use jostle::{
    container::{ContainerSpec, Direction, Mesh, Solid},
    distribution::Mono,
    glam::DVec3,
    pour::{PourOptions, PourRequest, Source},
};

use crate::pour::assert_at_rest;

/// Returns a prism of eight sides, 10 wide along x and y, whose lower part is a pyramid with a floor of 5.
fn hopper() -> Solid {
    let corner = |(radius, z): (f64, f64), k: u32| {
        let angle = f64::from(k) * std::f64::consts::FRAC_PI_4;
        DVec3::new(5.0 + radius * angle.cos(), 5.0 + radius * angle.sin(), z)
    };
    let rings = [(2.5, 0.0), (5.0, 5.0), (5.0, 14.0)];
    let corners = rings.map(|ring| [0, 1, 2, 3, 4, 5, 6, 7].map(|k| corner(ring, k)));
    let mut triangles = Vec::new();
    for (k, next) in (0..8_u32).map(|k| (k, (k + 1) % 8)) {
        for low in [0, 8] {
            triangles.push([low + k, low + next, low + 8 + next]);
            triangles.push([low + k, low + 8 + next, low + 8 + k]);
        }
        if k > 0 && next > 0 {
            triangles.push([0, next, k]);
            triangles.push([16, 16 + k, 16 + next]);
        }
    }
    Solid::Mesh(Mesh::new(corners.concat(), triangles).unwrap())
}

/// Faces of the mesh meet at 25° and 45°: a sphere that rolls on one of them must not pass through the next one.
#[test]
fn spheres_roll_from_face_to_face() {
    for gravity in ["-z", "+y", "-x"] {
        let gravity: Direction = gravity.parse().unwrap();
        let source = DVec3::new(5.0, 5.0, 7.0) - 2.0 * gravity.vector();
        let options = PourOptions::default()
            .gravity(gravity)
            .source(Source::at(source, 2.0));
        let vessel = ContainerSpec::exact(hopper());
        let request = PourRequest::new(Mono::new(1.0).unwrap(), vessel).number(120);
        let run = request.options(options).pour().unwrap();
        assert!(run.left_out.is_empty(), "{gravity}: {:?}", run.left_out);
        assert_at_rest(&run.packing);
    }
}
