//! Spheres from the rows of a table.

use glam::DVec3;

use super::{
    columns_by_name::{Columns, NamedColumns, quoted},
    error::ReadError,
    kinds::{Kinds, is_kind},
    read_options::ReadOptions,
    text::number,
};
use crate::{
    container::Container, machine::ranks::Ranks, names::one_line, packing::Packing,
    spheres::Spheres,
};

/// A packing that was read, with the ids of its spheres in the file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ReadPacking {
    /// The packing. Its spheres have the order of the file, and its certificate is new.
    pub packing: Packing,
    /// The ids of the spheres, in the order of the spheres; `None` when the file has no ids or some ids are not whole
    /// numbers. Ids may occur more than once.
    pub ids: Option<Vec<u64>>,
    /// Sentences about the parts of the file that are not used, such as `the columns vx, vy, vz are not used`.
    pub unused: Vec<String>,
    pub(super) kinds: Kinds,
}

impl ReadPacking {
    /// Makes the kinds of the spheres in the file, or in the files of all ranks, the components of the packing.
    pub(super) fn with_components(mut self, ranks: &Ranks) -> Self {
        let kinds = std::mem::take(&mut self.kinds);
        self.unused.extend(kinds.apply(&mut self.packing, ranks));
        self
    }
}

/// A column that is not used. It says nothing about the spheres if all its values are equal.
struct Unused {
    column: usize,
    name: String,
    /// The value of the first row.
    first: Option<String>,
    varies: bool,
}

/// The spheres of the rows that were read.
pub(super) struct Rows {
    columns: Columns,
    /// The low corner of the container in the file.
    origin: DVec3,
    container: Container,
    /// Low corner in the file, and lengths, of the box whose shares the coordinates are; `None` if they are lengths.
    pub(super) scale: Option<(DVec3, DVec3)>,
    /// Unit of all lengths; empty if it is unknown.
    pub(super) unit: String,
    /// Radius of all spheres of a table with centers only.
    radius: Option<f64>,
    watched: Vec<Unused>,
    unused: Vec<String>,
    kinds: Kinds,
    centers: Vec<DVec3>,
    radii: Vec<f64>,
    /// `None` when the table has no ids or an id was not a whole number.
    ids: Option<Vec<u64>>,
}

impl Rows {
    /// Begins with no sphere. `origin` is the low corner of the container that the file states, which the options may replace.
    pub(super) fn new(
        columns: Columns,
        origin: DVec3,
        container: Container,
        options: &ReadOptions,
    ) -> Self {
        Self {
            origin: options.low_corner(origin, &container),
            container,
            scale: None,
            unit: String::new(),
            radius: None,
            watched: Vec::new(),
            unused: Vec::new(),
            kinds: Kinds::default(),
            centers: Vec::new(),
            radii: Vec::new(),
            ids: columns.id.map(|_| Vec::new()),
            columns,
        }
    }

    /// Begins with no sphere, in a table whose columns have names. All other columns are unused; a second column of the kind of the spheres
    /// needs no mention if all spheres are of one kind.
    ///
    /// # Errors
    /// When the options must give the diameter of all spheres and do not, or the reverse.
    pub(super) fn named(
        named: NamedColumns,
        origin: DVec3,
        container: Container,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let radius = options.radius_beside(named.columns.size.as_ref(), &named.lacking)?;
        let mut rows = Self::new(named.columns, origin, container, options);
        rows.radius = radius;
        rows.unit = named.unit;
        let (kinds, others): (Vec<_>, Vec<_>) =
            (named.unused.into_iter()).partition(|(_, name)| is_kind(name));
        for (column, name) in &kinds {
            rows.watch(*column, name);
        }
        let names: Vec<String> = others.into_iter().map(|(_, name)| name).collect();
        rows.leave_out("column", &names);
        Ok(rows)
    }

    /// Begins with no sphere, in a table whose format fixes the columns. Columns that say nothing about the spheres, such as velocities, need
    /// no mention if all their values are equal.
    pub(super) fn fixed(
        names: &[&str],
        origin: DVec3,
        container: Container,
        options: &ReadOptions,
    ) -> Result<Self, ReadError> {
        let named = NamedColumns::find(names).map_err(ReadError::content)?;
        let radius = options.radius_beside(named.columns.size.as_ref(), &named.lacking)?;
        let mut rows = Self::new(named.columns, origin, container, options);
        rows.radius = radius;
        for (column, name) in &named.unused {
            rows.watch(*column, name);
        }
        Ok(rows)
    }

    /// States in one sentence that parts of the file are not used. `kind` is the singular of the word for them.
    pub(super) fn leave_out(&mut self, kind: &str, names: &[impl AsRef<str>]) {
        let names: Vec<&str> = names.iter().map(AsRef::as_ref).collect();
        // The pieces of a packing may have the same parts.
        let sentence = not_used(kind, &names).filter(|new| !self.unused.contains(new));
        self.unused.extend(sentence);
    }

    /// States a part of the file that is not used, in one sentence.
    pub(super) fn note(&mut self, sentence: impl Into<String>) {
        self.unused.push(one_line(sentence));
    }

    /// States which of several frames is used.
    pub(super) fn note_frames(&mut self, frame: u64, frames: u64) {
        if frames > 1 {
            self.note(format!(
                "only frame {frame} of the frames 0 to {} is used",
                frames - 1
            ));
        }
    }

    /// Names a column of a text as unused if it has two values.
    pub(super) fn watch(&mut self, column: usize, name: &str) {
        self.watched.push(Unused {
            column,
            name: name.to_owned(),
            first: None,
            varies: false,
        });
    }

    /// Returns the number of spheres.
    pub(super) fn len(&self) -> usize {
        self.radii.len()
    }

    /// Adds the sphere of one row, whose fields have white space between them. `line` is for the error message.
    pub(super) fn push_words(&mut self, line: u64, row: &str) -> Result<(), ReadError> {
        let fields: Vec<&str> = row.split_ascii_whitespace().collect();
        self.push(line, |column| fields.get(column).copied())
    }

    /// Adds the sphere of one row that must have all columns, with white space between them.
    pub(super) fn push_complete(&mut self, line: u64, row: &str) -> Result<(), ReadError> {
        let fields: Vec<&str> = row.split_ascii_whitespace().collect();
        let width = self.columns.width;
        if fields.len() != width {
            let what = format!(
                "the row has {} fields, not the {width} columns of the format",
                fields.len()
            );
            return Err(ReadError::at(line, what));
        }
        self.push(line, |column| fields.get(column).copied())
    }

    /// Adds the sphere of one row. `field` returns the text of a column; `line` is for the error message.
    pub(super) fn push<'a>(
        &mut self,
        line: u64,
        field: impl Fn(usize) -> Option<&'a str>,
    ) -> Result<(), ReadError> {
        // Empty fields, as after a comma at the end of a line, are no fields.
        let width = self.columns.width;
        let surplus = (width..).map_while(|column| Some((column, field(column)?)));
        if let Some((last, _)) = surplus.filter(|(_, text)| !text.is_empty()).last() {
            let what = format!(
                "the row has {} fields, but the table has {width} columns; they must agree",
                last + 1
            );
            return Err(ReadError::at(line, what));
        }
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
        let (name, factor) = if self.columns.is_diameter {
            ("diameter", 0.5)
        } else {
            ("radius", 1.0)
        };
        let radius = match (self.radius, self.columns.size) {
            (Some(radius), _) => radius,
            (None, Some(size)) => {
                let size = text(size, name)?;
                let radius = factor * number(size, name, line)?;
                // Half of the smallest positive number is 0.
                if radius <= 0.0 {
                    let what = format!("{name} is '{size}'; it must be positive");
                    return Err(ReadError::at(line, what));
                }
                radius
            }
            (None, None) => return Err(ReadError::no_sizes("the table lacks radius and diameter")),
        };
        for unused in self.watched.iter_mut().filter(|unused| !unused.varies) {
            let value = field(unused.column).unwrap_or("");
            let first = unused.first.get_or_insert_with(|| value.to_owned());
            unused.varies = first != value;
        }
        let center = (self.scale).map_or(center, |(low, lengths)| low + center * lengths);
        let id = self.columns.id.and_then(&field);
        if let Some(kind) = self.columns.kind.and_then(field) {
            self.push_kind(kind);
        }
        self.add(center, radius, id.and_then(|id| id.parse().ok()))
            .map_err(|what| ReadError::at(line, what))
    }

    /// Adds the sphere of one row of numbers from a binary file.
    pub(super) fn push_row(&mut self, row: &[f64]) -> Result<(), ReadError> {
        let columns = self.columns;
        let factor = if columns.is_diameter { 0.5 } else { 1.0 };
        let size = columns.size.map(|column| factor * row[column]);
        // A given radius stands beside no size.
        let radius = self.radius.or(size).unwrap_or(f64::NAN);
        let is_id = |id: &f64| *id >= 0.0 && id.fract() == 0.0 && *id < f64::from(u32::MAX);
        let id = columns.id.map(|column| row[column]).filter(is_id);
        let center = columns.center.map(|column| row[column]);
        self.push_binary(center.into(), radius, id.map(|id| id as u64))
    }

    /// States the kind of the sphere that is added next.
    pub(super) fn push_kind(&mut self, label: &str) {
        self.kinds.add(label, self.radii.len());
    }

    /// Adds a sphere from a binary file. An `id` makes sense only if every sphere has one.
    pub(super) fn push_binary(
        &mut self,
        center: DVec3,
        radius: f64,
        id: Option<u64>,
    ) -> Result<(), ReadError> {
        let sphere = self.len();
        let what = self.add_checked(center, radius, id);
        what.map_err(|what| ReadError::content(format!("sphere {sphere} (from 0): {what}")))
    }

    /// Adds a sphere whose numbers stand in a line of a text.
    pub(super) fn push_numbers(
        &mut self,
        line: u64,
        center: DVec3,
        radius: f64,
        id: Option<u64>,
    ) -> Result<(), ReadError> {
        self.add_checked(center, radius, id)
            .map_err(|what| ReadError::at(line, what))
    }

    /// Adds a sphere. Returns the mistake if there is one.
    fn add_checked(
        &mut self,
        center: DVec3,
        radius: f64,
        id: Option<u64>,
    ) -> Result<(), &'static str> {
        if !center.is_finite() {
            Err("the center must be finite")
        } else if !(radius > 0.0 && radius.is_finite()) {
            Err("the radius must be positive and finite")
        } else {
            self.add(center, radius, id)
        }
    }

    /// Adds a sphere with finite numbers. Returns the mistake if there is one.
    fn add(&mut self, center: DVec3, radius: f64, id: Option<u64>) -> Result<(), &'static str> {
        let center = center - self.origin;
        if !center.is_finite() {
            return Err(
                "the center is so far from the container that f64 cannot hold its distance; it must be nearer",
            );
        }
        if !self.container.is_in_plane(center) {
            return Err("the center is not in the plane of the flat container; its z must be 0");
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
    pub(super) fn finish(mut self) -> ReadPacking {
        let varying = self.watched.iter().filter(|unused| unused.varies);
        let names: Vec<String> = varying.map(|unused| unused.name.clone()).collect();
        self.leave_out("column", &names);
        let spheres = Spheres::new(self.centers, self.radii);
        let mut packing = Packing::new(spheres, self.container);
        packing.unit = self.unit;
        ReadPacking {
            packing,
            ids: self.ids,
            unused: self.unused,
            kinds: self.kinds,
        }
    }
}

/// Returns the sentence about parts of a file that are not used; `None` without such parts.
pub(super) fn not_used(kind: &str, names: &[&str]) -> Option<String> {
    Some(one_line(match names {
        [] => return None,
        [name] => format!("the {kind} '{name}' is not used"),
        _ => format!("the {kind}s '{}' are not used", quoted(names)),
    }))
}
