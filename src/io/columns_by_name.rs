//! The columns of a table, by their names.

use std::{fmt, str::FromStr};

use super::{constants::MAX_QUOTED_NAMES, error::ReadError, kinds::is_kind};

/// The columns of a table that describe a sphere, counted from 0.
#[derive(Clone, Copy, Debug)]
pub(super) struct Columns {
    /// Columns of x, y and z.
    pub center: [usize; 3],
    /// Column of the radius or of the diameter; `None` if the table holds centers only.
    pub size: Option<usize>,
    /// Whether the column `size` holds the diameter.
    pub is_diameter: bool,
    /// Column of the id, if there is one.
    pub id: Option<usize>,
    /// Column of the kind of the sphere, if there is one.
    pub kind: Option<usize>,
    /// Number of columns of the table.
    pub width: usize,
}

impl Columns {
    /// The columns of a binary file, which are known by other means. Such a file may have ids.
    pub(super) const NONE: Self = Self {
        center: [0; 3],
        size: None,
        is_diameter: false,
        id: Some(0),
        kind: None,
        width: 0,
    };

    /// Returns whether a column is one of them.
    pub(super) fn uses(&self, column: usize) -> bool {
        let others = [self.size, self.id, self.kind];
        self.center.contains(&column) || others.contains(&Some(column))
    }
}

/// The names of the columns of a table, in their order.
///
/// `x`, `y` and `z` must be among them, and `radius` (or `r`) or `diameter` (or `d`) unless the diameter is given otherwise; `id` and `type` may be.
/// Columns of other names are not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnNames(Vec<String>);

impl ColumnNames {
    /// The names of the columns of a format.
    pub(super) fn of(names: &[&str]) -> Self {
        Self(names.iter().map(|&name| name.to_owned()).collect())
    }

    /// Returns the names of the first columns, without the words behind them in a comment.
    pub(super) fn first(mut self, columns: usize) -> Self {
        self.0.truncate(columns);
        self
    }

    /// Finds the columns.
    pub(super) fn find(&self) -> Result<NamedColumns, ReadError> {
        let names: Vec<&str> = self.0.iter().map(String::as_str).collect();
        NamedColumns::find(&names).map_err(ReadError::content)
    }
}

impl fmt::Display for ColumnNames {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0.join(","))
    }
}

impl FromStr for ColumnNames {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let names: Vec<&str> = text.split(',').map(str::trim).collect();
        NamedColumns::find(&names)?;
        Ok(Self::of(&names))
    }
}

/// Returns the usual name of a column whose name, in upper or lower case, has no unit. ParaView writes `Points:0` or `Points_0` for x, and
/// Lethe `p_x`.
pub(super) fn usual(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "x" | "points:0" | "points_0" | "p_x" => "x",
        "y" | "points:1" | "points_1" | "p_y" => "y",
        "z" | "points:2" | "points_2" | "p_z" => "z",
        "r" | "radius" | "radii" => "radius",
        "d" | "diameter" | "diameters" => "diameter",
        "id" | "ids" => "id",
        _ => return None,
    })
}

/// Splits the name of a column, such as `x [mm]`, into name and unit.
fn split_unit(name: &str) -> (&str, &str) {
    for (open, close) in [('[', ']'), ('(', ')')] {
        if let Some((name, unit)) = name
            .strip_suffix(close)
            .and_then(|rest| rest.split_once(open))
        {
            return (name.trim_end(), unit.trim());
        }
    }
    (name, "")
}

/// The columns that describe a sphere, and the others.
#[derive(Debug)]
pub(super) struct NamedColumns {
    pub columns: Columns,
    /// The unit that the names state; empty if they state none.
    pub unit: String,
    /// The sentence about a missing size.
    pub lacking: String,
    /// The columns that are not used, with their names.
    pub unused: Vec<(usize, String)>,
}

impl NamedColumns {
    /// Finds the columns of the center, the size, the id and the kind. Of several columns with one meaning, the first one counts. The size may be missing.
    pub(super) fn find(names: &[&str]) -> Result<Self, String> {
        let parts: Vec<(&str, &str)> = names.iter().map(|name| split_unit(name)).collect();
        let find = |wanted: &str| {
            let mut parts = parts.iter();
            parts.position(|(name, _)| usual(name) == Some(wanted))
        };
        let require = |found: Option<usize>, missing: &str| {
            found.ok_or_else(|| {
                format!(
                    "the columns '{}' lack {missing}; they must include x, y, z and radius or diameter",
                    quoted(names)
                )
            })
        };
        let center = [
            require(find("x"), "x")?,
            require(find("y"), "y")?,
            require(find("z"), "z")?,
        ];
        let radius = find("radius");
        let size = radius.or_else(|| find("diameter"));
        let columns = Columns {
            center,
            size,
            is_diameter: radius.is_none(),
            id: find("id"),
            kind: names.iter().position(|name| is_kind(name)),
            width: names.len(),
        };
        let length = size.unwrap_or(center[0]);
        let unit = parts[length].1;
        if let Some(&other) = center.iter().find(|&&column| parts[column].1 != unit) {
            return Err(format!(
                "the columns '{}' and '{}' have different units; all lengths must have one unit",
                names[other], names[length]
            ));
        }
        // A separator at the end of the line makes a column without a name.
        let unused = names.iter().enumerate();
        let unused = unused.filter(|(column, name)| !(columns.uses(*column) || name.is_empty()));
        Ok(Self {
            unit: unit.to_owned(),
            lacking: format!("the columns '{}' lack radius and diameter", quoted(names)),
            unused: unused
                .map(|(column, name)| (column, (*name).to_owned()))
                .collect(),
            columns,
        })
    }
}

/// Returns the names of the columns of a table that has none, by their number: centers, or centers and radii. `line` shows the columns, if the table has lines. The
/// columns of a wider table are unknown, and so are those of four columns beside a given diameter.
pub(super) fn unnamed(
    width: usize,
    line: Option<u64>,
    diameter: Option<f64>,
) -> Result<ColumnNames, ReadError> {
    match (width, diameter) {
        (3, _) => Ok(ColumnNames::of(&["x", "y", "z"])),
        (4, None) => Ok(ColumnNames::of(&["x", "y", "z", "r"])),
        (4, Some(_)) => {
            let what =
                "the row has 4 columns, not the three x y z of centers with a given diameter";
            Err(ReadError::no_columns(line, what))
        }
        _ => {
            let what = format!("the row has {width} columns, not the four x y z r");
            Err(ReadError::no_columns(line, what))
        }
    }
}

/// Tells whether the first column of a table without names counts the rows in whole numbers, from 0 or from 1. Coordinates of jostle have a
/// decimal point.
#[derive(Default)]
pub(super) struct Numbering {
    rows: u64,
    first: Option<u64>,
    is_broken: bool,
}

impl Numbering {
    /// Adds the first field of a row.
    pub(super) fn add(&mut self, field: &str) {
        if self.is_broken {
            return;
        }
        let number: Option<u64> = field.parse().ok();
        let first = *self.first.get_or_insert(number.unwrap_or(u64::MAX));
        self.is_broken = first > 1 || number != Some(first + self.rows);
        self.rows += 1;
    }

    /// Rejects a column that counts at least two rows.
    pub(super) fn check(&self) -> Result<(), ReadError> {
        if self.rows > 1 && !self.is_broken {
            let what = "the first column counts the rows, so that it is no x";
            return Err(ReadError::no_columns(None, what));
        }
        Ok(())
    }
}

/// Lists names for a message, not too many of them.
pub(super) fn quoted(names: &[&str]) -> String {
    match names.get(..MAX_QUOTED_NAMES) {
        Some(first) if names.len() > first.len() => format!("{},…", first.join(",")),
        _ => names.join(","),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_found_by_their_names() {
        let found = NamedColumns::find(&["id", "type", "X [mm]", "y (mm)", "z[mm]", "D [mm]"]);
        let NamedColumns {
            columns,
            unit,
            unused,
            ..
        } = found.unwrap();
        assert_eq!((columns.center, columns.size), ([2, 3, 4], Some(5)));
        assert!(columns.is_diameter && columns.id == Some(0));
        assert_eq!(unit, "mm");
        assert_eq!((columns.kind, unused), (Some(1), Vec::new()));

        let error = NamedColumns::find(&["x [mm]", "y [mm]", "z [mm]", "r [um]"]).unwrap_err();
        assert!(error.contains("different units"), "{error}");
        let error = "x,y,radius".parse::<ColumnNames>().unwrap_err();
        assert!(error.contains("'x,y,radius' lack z"), "{error}");
        for text in ["x, y,z,r", "id,x,y,z", "p_x,p_y,p_z,diameters"] {
            let names: ColumnNames = text.parse().unwrap();
            assert_eq!(names.to_string(), text.replace(' ', ""));
        }
    }
}
