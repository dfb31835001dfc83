//! The caller's choices and knowledge for the reading of a file, such as facts about the container that it may lack.

use std::{fmt, str::FromStr};

use glam::DVec3;

use super::{
    columns_by_name::ColumnNames,
    error::ReadError,
    format::{Format, names},
};
use crate::{
    container::{Boundaries, Container},
    machine::ranks::Ranks,
    macros::setters,
};

/// The choices for reading a file, and facts that the file may lack.
///
/// # Example
/// ```
/// use glam::DVec3;
/// use jostle::{Boundaries, Container, io::{FileOrigin, Format, ReadOptions, read_packing_from}};
///
/// let container = Container::cuboid(DVec3::splat(4.0), Boundaries::WALLS)?;
/// let options = ReadOptions::from(container)
///     .origin(FileOrigin::Center)
///     .columns("id,x,y,z,d".parse()?);
/// let read = read_packing_from("1 -1.5 0 0 1\n2 1 0 0 2\n".as_bytes(), Format::Yade, options)?;
/// assert_eq!(read.packing.spheres().centers()[0], DVec3::new(0.5, 2.0, 2.0));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct ReadOptions {
    /// Format of the file; `None` chooses it by the extension.
    pub format: Option<Format>,
    /// Facts about the container, for files that do not state them.
    pub container: Option<ContainerHint>,
    /// Position of the container in the coordinates of the file; `None` takes that of the file, or else the low corner as origin.
    pub origin: Option<FileOrigin>,
    /// Frame of a file that [holds several](Format::has_frames).
    pub frame: Frame,
    /// Names of the columns of a table, whatever the file states.
    pub columns: Option<ColumnNames>,
    /// Diameter of all spheres, in the unit of the file, for a file with centers only. A file that states sizes is refused with it, but for
    /// the format GSD, whose default size it replaces.
    pub diameter: Option<f64>,
    /// The ranks that read together. Each one receives the packing with its share of the spheres, without ids. See
    /// [`read_packing`](crate::read_packing).
    pub ranks: Ranks,
}

impl ReadOptions {
    /// Sets the facts about the container.
    #[must_use]
    pub fn container(mut self, container: impl Into<ContainerHint>) -> Self {
        self.container = Some(container.into());
        self
    }

    setters! {
        /// Sets the format.
        format: Format;
        /// Sets the position of the container.
        origin: FileOrigin;
        /// Sets the frame.
        frame: Frame;
        /// Sets the names of the columns.
        columns: ColumnNames;
        /// Sets the diameter of all spheres of a file with centers only.
        diameter: f64;
        /// Sets the ranks that read together.
        ranks: impl Into<Ranks>;
    }

    /// Rejects a format that cannot be read, and options that do not suit the format.
    pub(super) fn check(&self, format: Format) -> Result<(), ReadError> {
        if !format.is_readable() {
            return Err(ReadError::WriteOnly { path: None, format });
        }
        let one_frame = Frame::Number(0);
        if !(format.has_frames() || [Frame::Last, one_frame].contains(&self.frame)) {
            let what = self.frame.among(1).err().unwrap_or_default();
            return Err(ReadError::content(format!(
                "a file of the format {format} is one frame; {what}"
            )));
        }
        if self.columns.is_some() && !format.takes_columns() {
            return Err(ReadError::content(format!(
                "a file of the format {format} names its columns itself; names of columns can be given for {}",
                names(Format::all().filter(|format| format.takes_columns()))
            )));
        }
        let Some(diameter) = self.diameter else {
            return Ok(());
        };
        if !(diameter > 0.0 && diameter.is_finite()) {
            return Err(ReadError::content(format!(
                "the diameter of the spheres is {diameter}; it must be positive and finite"
            )));
        }
        if !format.may_lack_sizes() {
            return Err(ReadError::content(format!(
                "a file of the format {format} states the sizes of its spheres; a diameter can be given for centers in {}",
                names(Format::all().filter(|format| format.may_lack_sizes()))
            )));
        }
        Ok(())
    }

    /// Returns the radius of all spheres of a file with centers only, or `None` if the file has `sizes`. One of both must be known, and only
    /// one. `lacking` says what the file lacks.
    pub(super) fn radius_beside<T>(
        &self,
        sizes: Option<&T>,
        lacking: &str,
    ) -> Result<Option<f64>, ReadError> {
        match (self.diameter, sizes) {
            (None, Some(_)) => Ok(None),
            (Some(diameter), None) => Ok(Some(0.5 * diameter)),
            (None, None) => Err(ReadError::no_sizes(lacking)),
            (Some(diameter), Some(_)) => Err(ReadError::content(format!(
                "the file states the sizes of its spheres; the diameter {diameter} can be given for centers only"
            ))),
        }
    }

    /// Returns the boundary, if the caller states it.
    pub(super) fn boundary(&self) -> Option<Boundaries> {
        self.container.as_ref().map(ContainerHint::boundary)
    }

    /// Returns the complete container, if the caller states it.
    pub(super) fn whole_container(&self) -> Option<Container> {
        self.container
            .clone()
            .and_then(ContainerHint::into_container)
    }

    /// Returns the complete container, which the caller must state. `what` is the part that the file lacks.
    pub(super) fn required_container(&self, what: &'static str) -> Result<Container, ReadError> {
        self.whole_container().ok_or(ReadError::NoContainer {
            path: None,
            line: None,
            what,
        })
    }

    /// Returns the low corner of the container in the file, where `stated` is that of the file.
    pub(super) fn low_corner(&self, stated: DVec3, container: &Container) -> DVec3 {
        match self.origin {
            None => stated,
            Some(origin) => origin.low_corner(container),
        }
    }
}

impl From<Option<ContainerHint>> for ReadOptions {
    fn from(container: Option<ContainerHint>) -> Self {
        Self {
            container,
            ..Self::default()
        }
    }
}

impl From<ContainerHint> for ReadOptions {
    fn from(hint: ContainerHint) -> Self {
        Some(hint).into()
    }
}

impl From<Container> for ReadOptions {
    fn from(container: Container) -> Self {
        ContainerHint::from(container).into()
    }
}

impl From<Boundaries> for ReadOptions {
    fn from(boundary: Boundaries) -> Self {
        ContainerHint::from(boundary).into()
    }
}

/// The frame of a file that is read.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Frame {
    /// The last frame.
    #[default]
    Last,
    /// The frame with this number. The first frame has the number 0.
    Number(u64),
}

impl Frame {
    /// Returns whether the frame with this number may be the one to read.
    pub(super) fn may_be(self, number: u64) -> bool {
        match self {
            Self::Last => true,
            Self::Number(wanted) => wanted == number,
        }
    }

    /// Returns the number of the frame among `count` frames, or the mistake.
    pub(super) fn among(self, count: u64) -> Result<u64, String> {
        let frames = if count == 1 { "frame" } else { "frames" };
        match self {
            _ if count == 0 => Err("the file holds no frame".to_owned()),
            Self::Last => Ok(count - 1),
            Self::Number(number) if number < count => Ok(number),
            Self::Number(number) => Err(format!(
                "the file has no frame {number}: it holds {count} {frames}, and the first one has the number 0"
            )),
        }
    }
}

impl fmt::Display for Frame {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Last => f.write_str("last"),
            Self::Number(number) => number.fmt(f),
        }
    }
}

impl FromStr for Frame {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "last" => Ok(Self::Last),
            _ => text
                .parse()
                .map(Self::Number)
                .map_err(|_| format!("the frame is '{text}'; it must be a number from 0, or last")),
        }
    }
}

/// The position of the container in the coordinates of a file.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum FileOrigin {
    /// The origin of the file is the low corner of the container's bounding box.
    Corner,
    /// The origin of the file is the center of the container's bounding box.
    Center,
    /// The low corner of the container's bounding box has these coordinates in the file.
    LowCorner(DVec3),
}

impl FileOrigin {
    /// Returns the low corner of a container in the coordinates of the file.
    pub fn low_corner(self, container: &Container) -> DVec3 {
        match self {
            Self::Corner => DVec3::ZERO,
            Self::Center => -0.5 * container.lengths(),
            Self::LowCorner(corner) => corner,
        }
    }
}

impl fmt::Display for FileOrigin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Corner => f.write_str("corner"),
            Self::Center => f.write_str("center"),
            Self::LowCorner(DVec3 { x, y, z }) => write!(f, "{x},{y},{z}"),
        }
    }
}

impl FromStr for FileOrigin {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        match text {
            "corner" => return Ok(Self::Corner),
            "center" => return Ok(Self::Center),
            _ => {}
        }
        let numbers: Option<Vec<f64>> = text
            .split(',')
            .map(|part| part.trim().parse().ok())
            .collect();
        let corner = numbers.and_then(|numbers| <[f64; 3]>::try_from(numbers).ok());
        corner
            .map(DVec3::from_array)
            .filter(|corner| corner.is_finite())
            .map(Self::LowCorner)
            .ok_or_else(|| {
                format!(
                    "the origin is '{text}'; it must be corner, center, or the coordinates x,y,z of the low corner of the container"
                )
            })
    }
}

/// The caller's knowledge of the container, for files that do not state it.
///
/// A reader uses the hint only for facts that are not in the file.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum ContainerHint {
    /// The boundary, for `.data` files and for `.xyz` files without `pbc`.
    Boundary(Boundaries),
    /// The complete container, for tables such as `.csv` files, and for `.xyz` files without `Lattice`.
    Container(Container),
}

impl ContainerHint {
    /// Returns the boundary.
    pub fn boundary(&self) -> Boundaries {
        match self {
            Self::Boundary(boundary) => *boundary,
            Self::Container(container) => container.boundary(),
        }
    }

    /// Returns the complete container, if the hint holds it.
    pub fn into_container(self) -> Option<Container> {
        match self {
            Self::Boundary(_) => None,
            Self::Container(container) => Some(container),
        }
    }
}

impl From<Boundaries> for ContainerHint {
    fn from(boundary: Boundaries) -> Self {
        Self::Boundary(boundary)
    }
}

impl From<Container> for ContainerHint {
    fn from(container: Container) -> Self {
        Self::Container(container)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_and_origins_are_read_and_printed() {
        for text in ["last", "0", "17"] {
            assert_eq!(
                text.parse().map(|frame: Frame| frame.to_string()),
                Ok(text.to_owned())
            );
        }
        for text in ["corner", "center", "-5,0.5,-100"] {
            let origin: FileOrigin = text.parse().unwrap();
            assert_eq!(origin.to_string(), text);
        }
        for bad in ["", "-1", "first", "1.5"] {
            assert!(bad.parse::<Frame>().is_err(), "{bad} was accepted");
        }
        for bad in ["", "1", "1,2", "1,2,3,4", "1,2,inf", "middle"] {
            assert!(bad.parse::<FileOrigin>().is_err(), "{bad} was accepted");
        }
    }
}
