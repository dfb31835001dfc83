//! Spheres from the rows of a table.

use glam::DVec3;

use super::{error::ReadError, text::number};
use crate::{container::Container, packing::Packing, spheres::Spheres};

/// The columns of a table that describe a sphere, counted from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// Columns of x, y and z.
    pub center: [usize; 3],
    /// Column of the radius or of the diameter.
    pub size: usize,
    /// Whether the column `size` holds the diameter.
    pub is_diameter: bool,
    /// Column of the id, if there is one.
    pub id: Option<usize>,
}

impl Columns {
    /// The columns of a binary file, which are known by other means. Such a file may have ids.
    pub(super) const NONE: Self = Self {
        center: [0; 3],
        size: 0,
        is_diameter: false,
        id: Some(0),
    };
}

/// The spheres of the rows that were read.
pub(super) struct Rows {
    columns: Columns,
    /// The low corner of the container in the file.
    origin: DVec3,
    container: Container,
    centers: Vec<DVec3>,
    radii: Vec<f64>,
    /// `None` when the table has no ids or an id was not a whole number.
    ids: Option<Vec<u64>>,
}

impl Rows {
    pub(super) fn new(columns: Columns, origin: DVec3, container: Container) -> Self {
        Self {
            origin,
            container,
            centers: Vec::new(),
            radii: Vec::new(),
            ids: columns.id.map(|_| Vec::new()),
            columns,
        }
    }

    /// Returns the number of spheres.
    pub(super) fn len(&self) -> usize {
        self.radii.len()
    }

    /// Adds the sphere of one row. `field` returns the text of a column; `line` is for the error message.
    pub(super) fn push<'a>(
        &mut self,
        line: u64,
        field: impl Fn(usize) -> Option<&'a str>,
    ) -> Result<(), ReadError> {
        let text = |column: usize, name: &str| {
            field(column).ok_or_else(|| {
                let what = format!("column {} ({name}) is missing", column + 1);
                ReadError::at(line, what)
            })
        };
        let coordinate = |axis: usize| {
            let name = ["x", "y", "z"][axis];
            number(text(self.columns.center[axis], name)?, name, line)
        };
        let center = DVec3::new(coordinate(0)?, coordinate(1)?, coordinate(2)?);
        let name = if self.columns.is_diameter {
            "diameter"
        } else {
            "radius"
        };
        let size_text = text(self.columns.size, name)?;
        let size = number(size_text, name, line)?;
        let radius = if self.columns.is_diameter {
            0.5 * size
        } else {
            size
        };
        // Half of the smallest positive number is 0.
        if radius <= 0.0 {
            let what = format!("{name} is '{size_text}'; it must be positive");
            return Err(ReadError::at(line, what));
        }
        let id = self.columns.id.and_then(field);
        self.add(center, radius, id.and_then(|id| id.parse().ok()))
            .map_err(|what| ReadError::at(line, what))
    }

    /// Adds a sphere from a binary file. An `id` makes sense only if every sphere has one.
    pub(super) fn push_binary(
        &mut self,
        center: DVec3,
        radius: f64,
        id: Option<u64>,
    ) -> Result<(), ReadError> {
        let sphere = self.len();
        let what = if !center.is_finite() {
            Err("the centre must be finite")
        } else if !(radius > 0.0 && radius.is_finite()) {
            Err("the radius must be positive and finite")
        } else {
            self.add(center, radius, id)
        };
        what.map_err(|what| ReadError::content(format!("sphere {sphere} (from 0): {what}")))
    }

    /// Adds a sphere with finite numbers. Returns the mistake if there is one.
    fn add(&mut self, center: DVec3, radius: f64, id: Option<u64>) -> Result<(), &'static str> {
        let center = center - self.origin;
        if !center.is_finite() {
            return Err(
                "the centre is so far from the container that f64 cannot hold its distance; it must be nearer",
            );
        }
        self.centers.push(self.container.wrap(center));
        self.radii.push(radius);
        match (&mut self.ids, id) {
            (Some(ids), Some(id)) => ids.push(id),
            _ => self.ids = None,
        }
        Ok(())
    }

    /// Certifies the packing, and returns it with the ids of its spheres.
    pub(super) fn finish(self) -> (Packing, Option<Vec<u64>>) {
        let spheres = Spheres::new(self.centers, self.radii);
        let packing = Packing::new(spheres, self.container);
        (packing, self.ids)
    }
}
