//! Numbers of single spheres and pairs, as arrays.

use jostle::analysis::{
    AnalysisError, ForceContacts, Neighbors, local_densities as densities, rattlers,
};
use numpy::{IntoPyArray, PyArray1};
use pyo3::prelude::*;

use super::{
    constants::BYTES_PER_NEIGHBOR, errors::input, memory::check_memory, packing::Packing,
    run::interruptible, tables::contacts_at,
};

/// Contact numbers, whether each sphere is a rattler, and the tolerance of contacts in smaller diameters.
type Structure<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<bool>>, f64);

/// Returns the contact number of each sphere, and which spheres are rattlers, at a tolerance or at the one that suits the packing.
#[pyfunction]
#[pyo3(signature = (packing, tolerance))]
pub fn structure<'py>(
    py: Python<'py>,
    packing: Py<Packing>,
    tolerance: Option<f64>,
) -> PyResult<Structure<'py>> {
    let work = move || {
        let contacts = contacts_at(packing.get().library(), tolerance)?;
        let numbers: Vec<i64> = contacts.numbers().into_iter().map(i64::from).collect();
        Ok::<_, AnalysisError>((numbers, rattlers(&contacts), contacts.tolerance()))
    };
    let (numbers, is_rattler, tolerance) = interruptible(py, work)?.map_err(input)?;
    Ok((
        numbers.into_pyarray(py),
        is_rattler.into_pyarray(py),
        tolerance,
    ))
}

/// Ids of pairs, shape (m, 2) in one dimension, and their distances.
type Pairs<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<f64>>);

/// Returns the pairs of spheres whose centers are at most `cutoff` apart, and their distances.
#[pyfunction]
pub fn neighbors<'py>(py: Python<'py>, packing: Py<Packing>, cutoff: f64) -> PyResult<Pairs<'py>> {
    check_memory("the list of neighbors", memory(&packing, cutoff))?;
    let work = move || {
        let packing = packing.get().library();
        let found = Neighbors::new(packing.spheres(), packing.container(), cutoff)?;
        let ids: Vec<i64> = found
            .pairs()
            .iter()
            .flatten()
            .copied()
            .map(i64::from)
            .collect();
        Ok::<_, AnalysisError>((ids, found.distances().to_vec()))
    };
    let (ids, distances) = interruptible(py, work)?.map_err(input)?;
    Ok((ids.into_pyarray(py), distances.into_pyarray(py)))
}

/// Returns the expected memory of a list of neighbors in bytes, with spheres everywhere in the container.
fn memory(packing: &Py<Packing>, cutoff: f64) -> f64 {
    let packing = packing.get().library();
    let ball = 4.0 / 3.0 * std::f64::consts::PI * cutoff.powi(3);
    let share = (ball / packing.container().volume()).min(1.0);
    let spheres = packing.spheres().len() as f64;
    0.5 * spheres * spheres * share * BYTES_PER_NEIGHBOR
}

/// Returns the local packing fraction of each sphere.
#[pyfunction]
pub fn local_densities<'py>(
    py: Python<'py>,
    packing: Py<Packing>,
) -> PyResult<Bound<'py, PyArray1<f64>>> {
    let work = move || {
        let packing = packing.get().library();
        densities(packing.spheres(), packing.container())
    };
    let densities = interruptible(py, work)?.map_err(input)?;
    Ok(densities.into_pyarray(py))
}

/// Numbers of contacts that bear force, with spheres and with walls.
type ForceNumbers<'py> = [Bound<'py, PyArray1<i64>>; 2];

/// Returns the numbers of contacts of each sphere that bear force; `None` if the forces are not known.
#[pyfunction]
pub fn force_contacts<'py>(py: Python<'py>, packing: Py<Packing>) -> Option<ForceNumbers<'py>> {
    let contacts = ForceContacts::new(packing.get().library())?;
    let array = |numbers: Vec<u32>| {
        let numbers = numbers.into_iter().map(i64::from);
        numbers.collect::<Vec<i64>>().into_pyarray(py)
    };
    Some([contacts.with_spheres, contacts.with_walls].map(array))
}
