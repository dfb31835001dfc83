//! NumPy arrays over the memory of a packing, and their contents as the library takes them.

use glam::DVec3;
use jostle::Spheres;
use numpy::{
    Element, PyArray, PyArray1, PyArray2, PyArrayMethods, PyReadonlyArray1, PyReadonlyArray2,
    PyUntypedArrayMethods,
    ndarray::{ArrayView, ArrayView1, ArrayView2, Dimension, ShapeBuilder},
};
use pyo3::prelude::*;

use super::errors::input;

/// Returns an array over `values`, which belong to `owner`. The array keeps the owner alive and cannot be written to.
pub fn view<'py, T: Element>(values: &[T], owner: &Bound<'py, PyAny>) -> Bound<'py, PyArray1<T>> {
    borrowed(&ArrayView1::from(values), owner)
}

/// Returns an array of shape (n, 3), or (n, 2) in the plane, over `points`, which belong to `owner`, like [`view`].
pub fn view_of_points<'py>(
    dimension: jostle::Dimension,
    points: &[DVec3],
    owner: &Bound<'py, PyAny>,
) -> Bound<'py, PyArray2<f64>> {
    // SAFETY: `DVec3` has the memory of three `f64`, without padding.
    let values =
        unsafe { std::slice::from_raw_parts(points.as_ptr().cast::<f64>(), 3 * points.len()) };
    let shape = (points.len(), dimension.number()).strides((3, 1));
    let rows = ArrayView2::from_shape(shape, values);
    borrowed(&rows.expect("three coordinates for each point"), owner)
}

fn borrowed<'py, T: Element, D: Dimension>(
    values: &ArrayView<T, D>,
    owner: &Bound<'py, PyAny>,
) -> Bound<'py, PyArray<T, D>> {
    // SAFETY: the owners are frozen classes, whose buffers neither move nor change until the owner is dropped.
    let array = unsafe { PyArray::borrow_from_array(values, owner.clone()) };
    // The array is new, so nothing else writes to it.
    let _ = array.readwrite().make_nonwriteable();
    array
}

/// Returns the rows of an array of shape (n, 3), or of shape (n, 2) in the plane, where z is 0. `dimension` is called for two columns only.
pub fn points(
    array: &PyReadonlyArray2<f64>,
    dimension: impl FnOnce() -> PyResult<jostle::Dimension>,
) -> PyResult<Vec<DVec3>> {
    let fits = match array.shape()[1] {
        2 => dimension()? == jostle::Dimension::Two,
        columns => columns == 3,
    };
    if !fits {
        return Err(input(format!(
            "the centers have the shape ({}, {}); (n, 3) is expected, or (n, 2) for disks",
            array.shape()[0],
            array.shape()[1]
        )));
    }
    let rows = array.as_array();
    Ok(rows
        .rows()
        .into_iter()
        .map(|row| DVec3::new(row[0], row[1], row.get(2).copied().unwrap_or(0.0)))
        .collect())
}

/// Returns spheres from arrays of [`points`] and of shape (n,). `subject` begins the sentence about numbers that differ, as in `fixed has`.
pub fn spheres(
    centers: &PyReadonlyArray2<f64>,
    radii: &PyReadonlyArray1<f64>,
    subject: &str,
    dimension: impl FnOnce() -> PyResult<jostle::Dimension>,
) -> PyResult<Spheres> {
    let (centers, radii) = (points(centers, dimension)?, radii.to_vec()?);
    if centers.len() != radii.len() {
        return Err(input(format!(
            "{subject} {} centers and {} radii; their numbers must be equal",
            centers.len(),
            radii.len()
        )));
    }
    Ok(Spheres::new(centers, radii))
}
