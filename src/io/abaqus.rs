//! Input files of Abaqus/Explicit: discrete particles, which are elements of one node.
//!
//! Source: the documentation of Abaqus, "Discrete particle elements" (element `PD3D`, `*DISCRETE SECTION`), `*DISTRIBUTION` and
//! `*DISTRIBUTION TABLE`.

use std::{
    collections::BTreeMap,
    io::{self, Write},
};

use super::{export::Scene, template::write_rows};

/// Writes the nodes, an element for each of them, their radii as a distribution, and a section with the density for each type. The user adds
/// contacts and steps.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let mut types: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
    for sphere in 0..scene.len() {
        let spheres = types.entry(scene.type_of(sphere)).or_default();
        spheres.push(sphere);
    }
    writeln!(
        out,
        "*HEADING\n{} spheres, packed by jostle\n*NODE",
        scene.len()
    )?;
    write_rows(scene, "{id1}, {x}, {y}, {z}\n", out)?;
    for (kind, spheres) in &types {
        writeln!(out, "** {} is {}", set(*kind), scene.type_name(*kind))?;
        writeln!(out, "*ELEMENT, TYPE=PD3D, ELSET={}", set(*kind))?;
        for &sphere in spheres {
            let id = scene.id(sphere) + 1;
            writeln!(out, "{id}, {id}")?;
        }
    }
    let radii = scene.spheres.radii();
    writeln!(out, "*DISTRIBUTION TABLE, NAME=RADIUS_TABLE\nLENGTH")?;
    writeln!(
        out,
        "*DISTRIBUTION, NAME=RADIUS, LOCATION=ELEMENT, TABLE=RADIUS_TABLE"
    )?;
    // The first line has the radius of elements that no other line names.
    writeln!(out, ", {:?}", radii.first().unwrap_or(&1.0))?;
    write_rows(scene, "{id1}, {r}\n", out)?;
    for (kind, spheres) in types {
        let (set, density) = (set(kind), scene.density_of(spheres[0]));
        writeln!(
            out,
            "*DISCRETE SECTION, ELSET={set}, SHAPE=SPHERE, DENSITY={density:?}\nRADIUS"
        )?;
    }
    Ok(())
}

/// Returns the name of the set of the elements of a type.
fn set(kind: u32) -> String {
    format!("SPHERES_{kind}")
}
