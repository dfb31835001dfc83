//! Tables of an analysis: contacts, spheres and curves.

use glam::DVec3;

use super::table::{Column, Table};
use crate::{
    analysis::{
        Analysis, ContactGeometry, ContactTable, ForceNetwork, Groups, PartialDistribution,
        SampledProfile, SphereTable,
    },
    packing::{Packing, Support, Supports},
};

/// The second sphere of a contact with a wall.
const WALL: i64 = -1;

/// Returns the contacts as a table with the columns `a`, `b`, `gap`, `nx`, `ny`, `nz`, `area`, and `force` if the forces are known.
///
/// `a` and `b` are ids of spheres, and `b` is −1 for a wall or a body. The normal points from `a` to `b`. Contacts with walls follow those
/// between spheres. `ids` are the ids of the spheres, or their positions if there are none.
pub fn contacts_as_table(contacts: &ContactTable, ids: Option<&[u64]>) -> Table {
    let geometries = [&contacts.of_pairs, &contacts.of_walls];
    let real = |values: &dyn Fn(&ContactGeometry) -> Vec<f64>| -> Vec<f64> {
        geometries.into_iter().flat_map(values).collect()
    };
    let first = contacts.pairs.iter().map(|pair| pair[0]);
    let first = first.chain(contacts.at_walls.iter().copied());
    let second = contacts.pairs.iter().map(|pair| id_of(pair[1], ids));
    let second = second.chain(contacts.at_walls.iter().map(|_| WALL));
    let table = Table::default()
        .with("a", first.map(|id| id_of(id, ids)).collect::<Vec<i64>>())
        .with("b", second.collect::<Vec<i64>>())
        .with("gap", real(&|geometry| geometry.gaps.clone()));
    let normals = geometries.map(|geometry| &geometry.normals[..]).concat();
    let table = with_vectors(table, ["nx", "ny", "nz"], &normals);
    let table = table.with("area", real(&|geometry| geometry.areas.clone()));
    let forces = geometries.map(|geometry| geometry.forces.clone());
    match forces {
        [Some(of_pairs), Some(of_walls)] => table.with("force", [of_pairs, of_walls].concat()),
        _ => table,
    }
}

/// Returns the supports of spheres at rest in the order of the spheres: the positions of a sphere and of the sphere on which it rests, or
/// −1 for a wall or a body, and the unit vector that points from the support to the center of the first sphere.
pub fn supports_of(packing: &Packing, supports: &Supports) -> (Vec<[i64; 2]>, Vec<DVec3>) {
    let (spheres, container) = (packing.spheres(), packing.container());
    let row = |sphere: usize, (support, branch): (Support, DVec3)| match support {
        Support::Sphere(other) => ([sphere as i64, other as i64], branch.normalize_or_zero()),
        Support::Wall(normal) => ([sphere as i64, WALL], normal),
    };
    let rows = |sphere: usize| {
        let listed = supports.with_branches(sphere, spheres, container);
        listed.map(move |support| row(sphere, support))
    };
    (0..supports.len()).flat_map(rows).unzip()
}

/// Returns the supports of spheres at rest as a table with the columns `a`, `b`, `nx`, `ny` and `nz`: see [`supports_of`].
///
/// `ids` are the ids of the spheres, or their positions if there are none.
pub fn supports_as_table(packing: &Packing, supports: &Supports, ids: Option<&[u64]>) -> Table {
    let (pairs, normals) = supports_of(packing, supports);
    let id = |position: i64| match position {
        WALL => WALL,
        _ => id_of(position as u32, ids),
    };
    let column = |side: usize| Vec::from_iter(pairs.iter().map(|pair| id(pair[side])));
    let table = Table::default().with("a", column(0)).with("b", column(1));
    with_vectors(table, ["nx", "ny", "nz"], &normals)
}

/// Returns the quantities of single spheres as a table with the columns `id`, `x`, `y`, `z`, `radius`, `contacts`, `wall` (1 if the sphere
/// touches a wall or a body), `rattler` (0 or 1), `class` (size class, from 0), `force_contacts` (number of contacts that bear force, with walls)
/// and `force_rattler` (0 or 1) if the forces are known, `component` (the label, in packings of a blend), `wall_gap` (in containers with walls
/// or bodies) and `local_density` (where cells are computed).
///
/// `ids` are the ids of the spheres, or their positions if there are none.
pub fn spheres_as_table(packing: &Packing, spheres: &SphereTable, ids: Option<&[u64]>) -> Table {
    let (centers, count) = (packing.spheres().centers(), packing.spheres().len());
    let whole = |value: &dyn Fn(usize) -> i64| (0..count).map(value).collect::<Vec<i64>>();
    let table = Table::default().with("id", whole(&|sphere| id_of(sphere as u32, ids)));
    let mut table = with_vectors(table, ["x", "y", "z"], centers)
        .with("radius", packing.spheres().radii().to_vec())
        .with("contacts", whole(&|sphere| spheres.contacts[sphere].into()))
        .with("wall", whole(&|sphere| spheres.touches_wall[sphere].into()))
        .with(
            "rattler",
            whole(&|sphere| spheres.is_rattler[sphere].into()),
        )
        .with("class", whole(&|sphere| spheres.classes[sphere].into()));
    if let Some(forces) = &spheres.forces {
        let contacts = whole(&|sphere| forces.of(sphere).into());
        let is_rattler = whole(&|sphere| forces.is_rattler[sphere].into());
        table = table.with("force_contacts", contacts);
        table = table.with("force_rattler", is_rattler);
    }
    if let Some(groups) = Groups::by_component(packing) {
        let (names, of) = (groups.names().to_vec(), groups.of().to_vec());
        table = table.with("component", Column::Name { names, of });
    }
    if spheres.wall_gaps.iter().all(|gap| gap.is_finite()) {
        table = table.with("wall_gap", spheres.wall_gaps.clone());
    }
    match &spheres.local_densities {
        Some(fractions) => table.with("local_density", fractions.clone()),
        None => table,
    }
}

/// Adds a column for each component of vectors.
fn with_vectors(table: Table, names: [&str; 3], vectors: &[DVec3]) -> Table {
    (names.into_iter().zip(0..)).fold(table, |table, (name, axis)| {
        let components: Vec<f64> = vectors.iter().map(|vector| vector[axis]).collect();
        table.with(name, components)
    })
}

/// Returns the id of the sphere at a position.
fn id_of(position: u32, ids: Option<&[u64]>) -> i64 {
    ids.map_or_else(|| position.into(), |ids| ids[position as usize] as i64)
}

/// Returns the functions of an analysis as tables, each with the name of its file without extension.
///
/// Size classes have their positions in [`SizeSummary::classes`](crate::analysis::SizeSummary::classes). Values that do not exist are NaN.
pub fn curves_as_tables(analysis: &Analysis) -> Vec<(String, Table)> {
    let mut tables = vec![
        ("sizes", mass_curve(analysis)),
        ("gaps", {
            let gaps = &analysis.gaps;
            let table = Table::default().with("relative_gap", gaps.relative.clone());
            table.with("neighbors", gaps.neighbors.clone())
        }),
        (
            "contact-numbers",
            contact_numbers(&analysis.contacts.distribution),
        ),
        (
            "contacts-by-class",
            contacts_by_class(&analysis.contacts.by_class),
        ),
        ("homogeneity", homogeneity(analysis)),
    ];
    if let Some(rdf) = &analysis.rdf {
        let table = Table::default().with("r", rdf.r.clone());
        tables.push(("rdf", table.with("g", rdf.g.clone())));
        if !rdf.partial.is_empty() {
            tables.push(("partial-rdf", partial_rdf(analysis)));
        }
    }
    if let Some(factor) = &analysis.structure_factor {
        let table = Table::default().with("k", factor.k.clone());
        let table = table.with("s", factor.s.clone());
        let vectors: Vec<i64> = factor.vectors.iter().map(|&count| count as i64).collect();
        tables.push(("structure-factor", table.with("vectors", vectors)));
    }
    if let Some(pores) = &analysis.pores {
        let table = Table::default().with("diameter", pores.diameter.clone());
        let table = table.with("cumulative", pores.cumulative.clone());
        tables.push(("pores", table));
    }
    let tables = tables.into_iter();
    let mut tables: Vec<(String, Table)> = tables
        .map(|(name, table)| (name.to_owned(), table))
        .collect();
    tables.extend(profiles(analysis));
    tables.extend(analysis.force_network.iter().flat_map(force_network));
    tables
}

/// Returns the functions of a network of forces.
fn force_network(network: &ForceNetwork) -> Vec<(String, Table)> {
    let (forces, gaps) = (&network.forces, &network.gaps);
    let table = || Table::default();
    let mut tables = vec![
        (
            "force-distribution",
            table()
                .with("relative_force", forces.relative.clone())
                .with("density", forces.density.clone()),
        ),
        (
            "small-gaps",
            table()
                .with("relative_gap", gaps.relative.clone())
                .with("neighbors", gaps.neighbors.clone()),
        ),
        (
            "force-contact-numbers",
            contact_numbers(&network.distribution),
        ),
        (
            "force-contacts-by-class",
            contacts_by_class(&network.by_class),
        ),
    ];
    if let Some(depth) = &network.depth {
        let spheres: Vec<i64> = depth.spheres.iter().map(|&count| count as i64).collect();
        let table = table()
            .with("distance", depth.distance.clone())
            .with("spheres", spheres)
            .with("contacts", depth.contacts.clone())
            .with("standard_error", depth.standard_error.clone());
        tables.push(("force-contacts-depth", table));
    }
    let named = tables.into_iter();
    named
        .map(|(name, table)| (name.to_owned(), table))
        .collect()
}

fn contact_numbers(shares: &[f64]) -> Table {
    let table = Table::default().with("contacts", positions(shares.len()));
    table.with("share", shares.to_vec())
}

/// Returns the whole numbers from 0.
fn positions(count: usize) -> Vec<i64> {
    (0..count as i64).collect()
}

fn mass_curve(analysis: &Analysis) -> Table {
    let rows = || analysis.sizes.mass_curve.iter();
    let requested = rows().map(|row| row.1.unwrap_or(f64::NAN));
    Table::default()
        .with("diameter", rows().map(|row| row.0).collect::<Vec<f64>>())
        .with("requested", requested.collect::<Vec<f64>>())
        .with("achieved", rows().map(|row| row.2).collect::<Vec<f64>>())
}

fn contacts_by_class(rows: &[Vec<f64>]) -> Table {
    let cells = || (0..rows.len()).flat_map(|a| (0..rows.len()).map(move |b| (a, b)));
    Table::default()
        .with(
            "class",
            cells().map(|(a, _)| a as i64).collect::<Vec<i64>>(),
        )
        .with(
            "with_class",
            cells().map(|(_, b)| b as i64).collect::<Vec<i64>>(),
        )
        .with(
            "contacts",
            cells().map(|(a, b)| rows[a][b]).collect::<Vec<f64>>(),
        )
}

fn homogeneity(analysis: &Analysis) -> Table {
    let rows = &analysis.homogeneity;
    let cells: Vec<i64> = rows.iter().map(|row| row.cells_per_axis as i64).collect();
    let scores = |score: &dyn Fn(usize) -> Option<f64>| -> Vec<f64> {
        let scores = (0..rows.len()).map(score);
        scores.map(|score| score.unwrap_or(f64::NAN)).collect()
    };
    let mut table = Table::default()
        .with("cells_per_axis", cells)
        .with("sizes", scores(&|row| rows[row].sizes));
    for class in 0..analysis.sizes.classes.len() {
        let scores = scores(&|row| rows[row].classes[class]);
        table = table.with(format!("class_{class}"), scores);
    }
    table
}

fn partial_rdf(analysis: &Analysis) -> Table {
    let partial = || analysis.rdf.iter().flat_map(|rdf| &rdf.partial);
    let class = |end: usize| -> Vec<i64> {
        let classes = partial().flat_map(|part| part.r.iter().map(move |_| part.classes[end]));
        classes.map(|class| class as i64).collect()
    };
    let real = |values: fn(&PartialDistribution) -> &[f64]| -> Vec<f64> {
        partial().flat_map(values).copied().collect()
    };
    Table::default()
        .with("class", class(0))
        .with("with_class", class(1))
        .with("r", real(|part| &part.r))
        .with("g", real(|part| &part.g))
}

/// Returns the profiles of all spheres, and those of groups.
fn profiles(analysis: &Analysis) -> Vec<(String, Table)> {
    let profile = &analysis.profile;
    let along = Table::default()
        .with("position", profile.position.clone())
        .with("packing_fraction", profile.packing_fraction.clone());
    let mut tables = vec![
        (format!("profile-{}", profile.axis), along),
        ("profile-radius".to_owned(), sampled(&profile.radius)),
    ];
    tables.extend(
        profile
            .wall
            .iter()
            .map(|wall| ("profile-depth".to_owned(), sampled(wall))),
    );
    for groups in &analysis.profiles {
        let mut table = Table::default()
            .with("distance", groups.distance.clone())
            .with("total", groups.total.clone());
        for (name, fractions) in groups.groups.iter().zip(&groups.packing_fraction) {
            table = table.with(name, Column::Real(fractions.clone()));
        }
        tables.push((format!("groups-{}", groups.along), table));
    }
    tables
}

fn sampled(profile: &SampledProfile) -> Table {
    Table::default()
        .with("distance", profile.distance.clone())
        .with("packing_fraction", profile.packing_fraction.clone())
        .with("standard_error", profile.standard_error.clone())
}
