//! The columns of a table, by their names.

use std::{fmt, str::FromStr};

use super::{constants::MAX_QUOTED_NAMES, error::ReadError};

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
    /// Number of columns of the table.
    pub width: usize,
}

impl Columns {
    /// The columns of a binary file, which are known by other means. Such a file may have ids.
    pub(super) const NONE: Self = Self {
        center: [0; 3],
        size: 0,
        is_diameter: false,
        id: Some(0),
        width: 0,
    };

    /// Returns whether a column is one of them.
    pub(super) fn uses(&self, column: usize) -> bool {
        self.center.contains(&column) || self.size == column || self.id == Some(column)
    }
}

/// The names of the columns of a table, in their order.
///
/// `x`, `y`, `z`, and `radius` (or `r`) or `diameter` (or `d`), must be among them; `id` may be. Columns of other names are not used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnNames(Vec<String>);

impl ColumnNames {
    /// The names of the columns of a format.
    pub(super) fn of(names: &[&str]) -> Self {
        Self(names.iter().map(|&name| name.to_owned()).collect())
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

/// Returns the usual name of a column whose name, in upper or lower case, has no unit. ParaView writes `Points:0` for x.
fn usual(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "x" | "points:0" => "x",
        "y" | "points:1" => "y",
        "z" | "points:2" => "z",
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
    /// The columns that are not used, with their names.
    pub unused: Vec<(usize, String)>,
}

impl NamedColumns {
    /// Finds the columns of the center, the size and the id. Of several columns with one meaning, the first one counts.
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
        let size = require(radius.or_else(|| find("diameter")), "radius")?;
        let columns = Columns {
            center,
            size,
            is_diameter: radius.is_none(),
            id: find("id"),
            width: names.len(),
        };
        let unit = parts[size].1;
        if let Some(&other) = center.iter().find(|&&column| parts[column].1 != unit) {
            return Err(format!(
                "the columns '{}' and '{}' have different units; all lengths must have one unit",
                names[other], names[size]
            ));
        }
        let unused = names.iter().enumerate();
        let unused = unused.filter(|(column, _)| !columns.uses(*column));
        Ok(Self {
            unit: unit.to_owned(),
            unused: unused
                .map(|(column, name)| (column, (*name).to_owned()))
                .collect(),
            columns,
        })
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
        } = found.unwrap();
        assert_eq!((columns.center, columns.size), ([2, 3, 4], 5));
        assert!(columns.is_diameter && columns.id == Some(0));
        assert_eq!(unit, "mm");
        assert_eq!(unused, [(1, "type".to_owned())]);

        let error = NamedColumns::find(&["x [mm]", "y [mm]", "z [mm]", "r [um]"]).unwrap_err();
        assert!(error.contains("different units"), "{error}");
        let error = "x,y,radius".parse::<ColumnNames>().unwrap_err();
        assert!(error.contains("'x,y,radius' lack z"), "{error}");
        assert_eq!(
            "x, y,z,r".parse::<ColumnNames>().unwrap().to_string(),
            "x,y,z,r"
        );
    }
}
