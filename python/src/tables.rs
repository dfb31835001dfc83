//! Contacts and profiles of a packing.

use glam::DVec3;
use jostle::analysis::{
    AnalysisError, ContactGeometry, ContactTable, Contacts, GroupProfile, Groups, suitable_contacts,
};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use jostle::io::supports_of;

use super::{errors::input, packing::Packing, run::interruptible};

/// Returns the contacts at a tolerance, or at the one that suits the packing.
pub fn contacts_at(
    packing: &jostle::Packing,
    tolerance: Option<f64>,
) -> Result<Contacts, AnalysisError> {
    let (spheres, container) = (packing.spheres(), packing.container());
    match tolerance {
        Some(tolerance) => Contacts::new(spheres, container, tolerance),
        None => suitable_contacts(spheres, container),
    }
}

/// Gaps, normals (shape (m, 3) in one dimension), areas, and forces (if they are known) of contacts.
type Geometry<'py> = (
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Bound<'py, PyArray1<f64>>,
    Option<Bound<'py, PyArray1<f64>>>,
);

/// Positions of the spheres of contacts in one dimension, and the geometry of the contacts.
type Rows<'py> = (Bound<'py, PyArray1<i64>>, Geometry<'py>);

/// Returns the contacts between spheres (two positions each), those with walls (one position each), and the tolerance in smaller
/// diameters: the given one, or the one that suits the packing.
#[pyfunction]
#[pyo3(signature = (packing, tolerance))]
pub fn contacts<'py>(
    py: Python<'py>,
    packing: Py<Packing>,
    tolerance: Option<f64>,
) -> PyResult<(Rows<'py>, Rows<'py>, f64)> {
    let work = move || {
        let packing = packing.get().library();
        let (spheres, container) = (packing.spheres(), packing.container());
        let contacts = contacts_at(packing, tolerance)?;
        let mut table = ContactTable::new(spheres, container, &contacts)?;
        if let Some(forces) = packing.forces() {
            table = table.with_forces(spheres, container, forces)?;
        }
        Ok::<_, AnalysisError>((table, contacts.tolerance()))
    };
    let (table, tolerance) = interruptible(py, work)?.map_err(input)?;
    let ids = |ids: Vec<u32>| {
        let ids = ids.into_iter().map(i64::from);
        ids.collect::<Vec<i64>>().into_pyarray(py)
    };
    let geometry = |geometry: ContactGeometry| {
        let normals = geometry.normals.iter().flat_map(DVec3::to_array);
        let normals: Vec<f64> = normals.collect();
        (
            geometry.gaps.into_pyarray(py),
            normals.into_pyarray(py),
            geometry.areas.into_pyarray(py),
            geometry.forces.map(|forces| forces.into_pyarray(py)),
        )
    };
    let pairs = (ids(table.pairs.concat()), geometry(table.of_pairs));
    let walls = (ids(table.at_walls), geometry(table.of_walls));
    Ok((pairs, walls, tolerance))
}

/// The positions of the sphere and of its support, or -1 for a wall, and the normal of each support, in one dimension each; the direction
/// of gravity; the smallest margin in degrees, the number of spheres that are not supported, and the largest gap.
type SupportRows<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<f64>>,
    String,
    (f64, u64, f64),
);

/// Returns the supports of spheres at rest; `None` of other packings.
#[pyfunction]
pub fn supports<'py>(py: Python<'py>, packing: Py<Packing>) -> Option<SupportRows<'py>> {
    let packing = packing.get().library();
    let (supports, stability) = (packing.supports()?, packing.stability()?);
    let (pairs, normals) = supports_of(packing, supports);
    let pairs: Vec<i64> = pairs.concat();
    let normals: Vec<f64> = normals.iter().flat_map(DVec3::to_array).collect();
    Some((
        pairs.into_pyarray(py),
        normals.into_pyarray(py),
        supports.gravity().to_string(),
        (
            stability.worst_margin,
            stability.unsupported,
            stability.max_gap,
        ),
    ))
}

/// Returns the profile of groups of spheres as JSON. The groups are those of a rule, or have names and a position in their list for each
/// sphere.
#[pyfunction]
#[pyo3(signature = (packing, along, by, given))]
pub fn profile(
    py: Python,
    packing: Py<Packing>,
    along: &str,
    by: &str,
    given: Option<(Vec<String>, Vec<u32>)>,
) -> PyResult<String> {
    let along = along.parse().map_err(input)?;
    let by = by.parse().map_err(input)?;
    let work = move || -> Result<_, AnalysisError> {
        let packing = packing.get().library();
        let groups = match given {
            Some((names, of)) => Groups::new(names, of)?,
            None => Groups::of_packing(packing, by)?,
        };
        GroupProfile::new(packing.spheres(), packing.container(), &groups, along)
    };
    let profile = interruptible(py, work)?.map_err(input)?;
    serde_json::to_string(&profile).map_err(input)
}
