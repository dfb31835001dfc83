//! Size distributions as people have them: tables of sieves, lists of diameters, pairs in a text.

use std::{fs, path::Path};

use super::{
    basis::Basis,
    diameter_list::DiameterList,
    measured::{Measured, brief, from_d_values, from_passing},
    sieve_curve::Interpolation,
    size_classes::SizeClasses,
    size_distribution::SizeDistribution,
    size_table::{Content, SizeTable},
    sizes_error::SizesError,
    spec::{SizeSpec, SizeSpecError},
    table_text::{NumberTable, Width},
};
use crate::names::{decimal, short};

/// Extensions of files with a table.
const TABLES: [&str; 5] = ["csv", "tsv", "txt", "dat", "tab"];

/// Beginning of a text that names a file with a list of diameters.
const LIST: &str = "diameters:";

/// Returns whether a text names a file with sizes, which a packing in another folder does not find.
#[cfg(feature = "report")]
pub(crate) fn names_file(text: &str) -> bool {
    let is_json = |name: &str| name.to_lowercase().ends_with(".json");
    names(text).any(|name| name.starts_with(LIST) || is_table(name) || is_json(name))
}

/// Returns what may be the files that a text names, without the words before them.
#[cfg(feature = "cli")]
pub(crate) fn files_of(text: &str) -> impl Iterator<Item = &Path> {
    names(text).map(|name| Path::new(name.strip_prefix(LIST).unwrap_or(name)))
}

/// Returns the text, or the names in a blend.
#[cfg(feature = "report")]
fn names(text: &str) -> impl Iterator<Item = &str> {
    const BLEND: &str = "blend:";
    let is_blend = text.trim_start().starts_with(BLEND);
    let parts = text.split(move |c| is_blend && ",=()@".contains(c));
    parts.map(|part| part.trim_start().trim_start_matches(BLEND))
}

fn is_table(text: &str) -> bool {
    let extension = Path::new(text)
        .extension()
        .and_then(|extension| extension.to_str());
    extension.is_some_and(|extension| TABLES.contains(&extension.to_lowercase().as_str()))
}

impl SizeSpec {
    /// Reads a table of sieves or of diameters. Errors call the text `origin`, and so does the distribution.
    ///
    /// Commas, semicolons, tabs or blanks separate the columns. Decimals may have a comma. Lines that begin with `#` are comments. The
    /// header names the columns in any words, such as `Size [µm]`; it may be missing where the numbers tell what they are. The unit is one of
    /// length from pm to km or inch, or unknown. Sieves may have their names in ASTM E11, such as `#40` or `3/8"`; their openings are in mm. The
    /// rows have any order.
    ///
    /// | columns | distribution |
    /// |---|---|
    /// | size and cumulative passing | sieve curve |
    /// | size and cumulative retained | sieve curve |
    /// | size and what is retained on each sieve, in percent, as shares of 1 or in a unit of weight | sieve curve |
    /// | lower and upper bound of each class, and what lies in it, in percent, as shares of 1, in a unit of weight, or the number of spheres | sieve curve |
    /// | diameter and number of spheres | size classes |
    /// | diameter, or radius if the header says so | list of diameters |
    ///
    /// A sieve curve is straight in ln d between the sizes. It may end up to 1 % beside 100 %. What passes the smallest size is left out if it is at
    /// most 10 %. [`Self::notes`] states what was assumed.
    ///
    /// A list of 10⁶ diameters takes less than a second.
    ///
    /// # Errors
    /// The text is no such table, or it is not clear what its columns are.
    pub fn from_table(origin: &str, table: &[u8]) -> Result<Self, SizeSpecError> {
        Self::of_table(origin, NumberTable::read(table, Width::Any))
    }

    /// Reads a list of diameters, one a line, with a header or without. Errors call the text `origin`, and so does the distribution.
    ///
    /// # Errors
    /// The text has no numbers, a line is not one number, or a number is not a diameter.
    pub fn from_diameters(origin: &str, list: &[u8]) -> Result<Self, SizeSpecError> {
        let table =
            NumberTable::read(list, Width::One).and_then(|table| match table.columns.len() {
                1 => Ok(table),
                count => Err(format!(
                    "a list of diameters has one column, and this table has {count}"
                )),
            });
        Self::of_table(origin, table)
    }

    /// Reads the JSON text of a distribution, or a table as [`Self::from_table`] does. Errors call the text `origin`.
    ///
    /// # Errors
    /// The errors of [`Self::from_json`] for a text that begins with a brace, and those of [`Self::from_table`] for others.
    pub fn from_text(origin: &str, text: &[u8]) -> Result<Self, SizeSpecError> {
        let begin = text.trim_ascii_start();
        match str::from_utf8(text) {
            Ok(json) if begin.is_empty() || begin.starts_with(b"{") || begin.starts_with(b"[") => {
                Self::from_json(origin, json)
            }
            _ => Self::from_table(origin, text),
        }
    }

    /// Creates a distribution from columns of numbers with their names, as [`Self::from_table`] does from a text.
    ///
    /// # Errors
    /// The columns have different lengths, a number is not finite, or those of [`Self::from_table`].
    pub fn from_columns(
        name: &str,
        header: Vec<String>,
        columns: Vec<Vec<f64>>,
    ) -> Result<Self, SizeSpecError> {
        Self::of_table(name, NumberTable::from_columns(header, columns))
    }

    /// Returns sentences about what was assumed when the distribution was read, and about shares that were divided by their sum.
    pub fn notes(&self) -> Vec<String> {
        let given = self.given_notes().iter().cloned();
        given.chain(self.distribution.note()).collect()
    }

    /// Returns the distribution without the spheres that are smaller than `below` or larger than `above`, see
    /// [`SizeDistribution::cut`]. The [notes](Self::notes) state the mass that is left out, and the name states the limits.
    ///
    /// # Errors
    /// The errors of [`SizeDistribution::cut`].
    pub fn cut(self, below: Option<f64>, above: Option<f64>) -> Result<Self, SizesError> {
        if below.is_none() && above.is_none() {
            return Ok(self);
        }
        let law = &self.distribution;
        let masses = law.mass_below_and_above(below, above);
        let has_density = |component: &super::Component| component.density.is_some();
        let quantity = if law.components().iter().any(has_density) {
            "volume"
        } else {
            "mass"
        };
        let sides = [("below", below), ("above", above)].into_iter().zip(masses);
        let sides: Vec<(String, String)> = sides
            .filter_map(|((side, limit), mass)| {
                let limit = format!("{side} {}", short(limit?));
                let percent = brief(100.0 * mass);
                let mass = format!("{percent} % of the {quantity} {limit} {}", self.unit);
                Some((limit, mass.trim_end().to_owned()))
            })
            .collect();
        let (limits, left_out): (Vec<String>, Vec<String>) = sides.into_iter().unzip();
        let distribution = law.cut(below, above)?;
        let name = format!("{}, cut {}", self.name, limits.join(" and "));
        let mut cut = self.with_notes([format!("left out: {}", left_out.join(" and "))]);
        (cut.name, cut.distribution) = (name, distribution);
        Ok(cut)
    }

    /// Loads what the text names if it is a file of a table or a list, or pairs of sizes and percentages.
    pub(super) fn load_input(text: &str) -> Option<Result<Self, SizeSpecError>> {
        let read = |path: &str| {
            fs::read(path).map_err(|error| SizeSpecError::Read {
                path: path.to_owned(),
                error,
            })
        };
        if let Some(path) = text.strip_prefix(LIST) {
            return Some(read(path).and_then(|list| Self::from_diameters(text, &list)));
        }
        if is_table(text) {
            return Some(read(text).and_then(|table| Self::from_table(text, &table)));
        }
        let (law, parameters) = text.split_once(':')?;
        let (measured, source) = match law.trim() {
            "sieve" => (sieve(parameters), "inline sieve curve"),
            "dvalues" => (
                pairs(parameters).and_then(from_d_values),
                "D-values; the mass curve is straight in ln d between them and through the outer ones",
            ),
            _ => return None,
        };
        let spec = measured
            .map(|Measured { curve, notes }| Self::new(text, "", source, curve).with_notes(notes));
        Some(spec.map_err(|problem| SizeSpecError::inline(text, &problem)))
    }

    fn of_table(origin: &str, table: Result<NumberTable, String>) -> Result<Self, SizeSpecError> {
        let spec = table
            .and_then(|table| SizeTable::interpret(&table))
            .and_then(|table| Self::of_content(origin, table));
        spec.map_err(|problem| SizeSpecError::of_text(format!("{origin}: {problem}")))
    }

    fn of_content(origin: &str, table: SizeTable) -> Result<Self, String> {
        let SizeTable {
            content,
            unit,
            source,
            mut notes,
        } = table;
        let law: SizeDistribution = match content {
            Content::Diameters(diameters) => {
                let list = DiameterList::new(diameters);
                list.map_err(|error| error.to_string())?.into()
            }
            Content::Numbers(shares) => {
                let classes = SizeClasses::new(Basis::Number, shares);
                classes.map_err(|error| error.to_string())?.into()
            }
            Content::Passing(pairs) => {
                let measured = from_passing(pairs, Interpolation::Log)?;
                notes.extend(measured.notes);
                measured.curve.into()
            }
        };
        Ok(Self::new(origin, unit, source, law).with_notes(notes))
    }
}

/// Reads `0.25=3,1=12,16=100`, sieve sizes with percent passing; `interpolation` may be among them.
fn sieve(parameters: &str) -> Result<Measured, String> {
    let (words, numbers): (Vec<&str>, Vec<&str>) = parameters
        .split(',')
        .partition(|parameter| parameter.trim_start().starts_with(char::is_alphabetic));
    let mut interpolation = Interpolation::default();
    for word in words {
        interpolation = match word.split_once('=') {
            Some((key, value)) if key.trim() == "interpolation" => value
                .trim()
                .parse()
                .map_err(|error: crate::UnknownName| error.to_string())?,
            _ => {
                return Err(format!(
                    "'{}' is neither size=percent, as in 0.25=3, nor interpolation=linear or log",
                    word.trim()
                ));
            }
        };
    }
    from_passing(pairs(&numbers.join(","))?, interpolation)
}

/// Reads pairs of numbers, `10=5,50=20` or `D10=5,D50=20`.
fn pairs(parameters: &str) -> Result<Vec<[f64; 2]>, String> {
    let number = |text: &str| decimal(text).map(|(number, _)| number);
    let pair = |parameter: &str| {
        let (key, value) = parameter.split_once('=')?;
        let key = key.trim().trim_start_matches(['D', 'd']);
        Some([number(key)?, number(value)?])
    };
    let pairs = parameters.split(',').map(|parameter| {
        pair(parameter).ok_or_else(|| {
            format!(
                "'{}' is not a pair of numbers such as 10=5",
                parameter.trim()
            )
        })
    });
    pairs.collect()
}
