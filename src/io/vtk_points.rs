//! The points of a file of VTK with the arrays that describe spheres.

use glam::DVec3;

use super::{
    columns_by_name::{Columns, usual},
    error::ReadError,
    kinds::is_kind,
    read_options::ReadOptions,
    rows::Rows,
};

/// Types of cells without extent: an empty cell, a vertex and several vertices.
const POINT_CELLS: [f64; 3] = [0.0, 1.0, 2.0];

/// The points of a file, and its arrays with one number for each point.
#[derive(Default)]
pub(super) struct Points {
    /// x, y and z of each point.
    pub coordinates: Vec<f64>,
    pub radii: Option<Vec<f64>>,
    pub diameters: Option<Vec<f64>>,
    pub ids: Option<Vec<f64>>,
    pub kinds: Option<Vec<f64>>,
    /// Names of the other arrays.
    pub unused: Vec<String>,
}

/// Returns the meaning of an array with this name: `radius`, `diameter`, `id` or `type`. Letters such as `r` may be anything in files of VTK.
fn meaning(name: &str) -> Option<&'static str> {
    if is_kind(name) {
        return Some("type");
    }
    let meaning = usual(name).filter(|_| name.len() > 1);
    meaning.filter(|meaning| ["radius", "diameter", "id"].contains(meaning))
}

/// Returns whether an array with this name describes spheres. A diameter beside a radius is the same fact.
pub(super) fn is_used(name: &str) -> bool {
    meaning(name).is_some()
}

/// Returns the rows of a file without spheres.
pub(super) fn rows(options: &ReadOptions) -> Result<Rows, ReadError> {
    let container = options.required_container("a file of VTK does not hold the container")?;
    Ok(Rows::new(Columns::NONE, DVec3::ZERO, container, options))
}

/// Rejects a surface or a grid, whose points are corners and not centers. `faces` is the number of its faces or cells.
pub(super) fn refuse_surface(faces: usize) -> Result<(), ReadError> {
    if faces == 0 {
        return Ok(());
    }
    let what = format!(
        "the file is a surface or a grid with {faces} faces or cells, whose points are corners and not centers of spheres; it must hold one vertex for each sphere"
    );
    Err(ReadError::content(what))
}

/// Returns the number of cells whose type has an extent.
pub(super) fn extended(types: &[f64]) -> usize {
    types
        .iter()
        .filter(|kind| !POINT_CELLS.contains(kind))
        .count()
}

impl Points {
    /// Stores an array with one number for each point, unless its name says nothing about spheres. Of several arrays with one meaning, the
    /// first one counts.
    pub(super) fn store(&mut self, name: &str, values: Vec<f64>) {
        let array = match meaning(name) {
            Some("radius") => &mut self.radii,
            Some("diameter") => &mut self.diameters,
            Some("id") => &mut self.ids,
            Some("type") => &mut self.kinds,
            _ => {
                self.unused.push(name.to_owned());
                return;
            }
        };
        array.get_or_insert(values);
    }

    /// Adds the spheres to rows.
    pub(super) fn add_to(self, rows: &mut Rows, options: &ReadOptions) -> Result<(), ReadError> {
        let (points, _) = self.coordinates.as_chunks::<3>();
        // Other programs write no arrays in pieces without points.
        if points.is_empty() {
            return Ok(());
        }
        let halved = |diameters: Vec<f64>| diameters.into_iter().map(|d| 0.5 * d).collect();
        let radii: Option<Vec<f64>> = self.radii.or_else(|| self.diameters.map(halved));
        let lacking = "there is no point array radius or diameter";
        let sizes = match options.radius_beside(radii.as_ref(), lacking)? {
            Some(radius) => vec![radius; points.len()],
            None => radii.unwrap_or_default(),
        };
        let (ids, kinds) = (self.ids, self.kinds);
        let is_short = |array: &Vec<f64>| array.len() != points.len();
        if is_short(&sizes) || ids.iter().chain(&kinds).any(is_short) {
            let (points, sizes) = (points.len(), sizes.len());
            let what = format!("there are {points} points and {sizes} sizes");
            return Err(ReadError::content(what));
        }
        for (sphere, point) in points.iter().enumerate() {
            let id = ids.as_ref().map(|ids| ids[sphere] as u64);
            if let Some(kinds) = &kinds {
                rows.push_kind(&kinds[sphere].to_string());
            }
            rows.push_binary(DVec3::from_array(*point), sizes[sphere], id)?;
        }
        rows.leave_out("array", &self.unused);
        Ok(())
    }
}
