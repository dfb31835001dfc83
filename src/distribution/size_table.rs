//! The meaning of the columns of a table: sieve sizes with what passes or is retained, or diameters one by one.

use super::{
    class_table::{bounds, class_rows, reject_other_numbers},
    constants::{END_TOLERANCE, PASSING_ROUNDING, UNNOTED_SHARE_SUM},
    measured::brief,
    size_words::{Kind, has_weight, kind, tokens, unit_of},
    table_text::NumberTable,
};
use crate::names::short;

/// What a table says.
pub(super) enum Content {
    /// Diameters, one a row.
    Diameters(Vec<f64>),
    /// Pairs of sieve size and percent passing, by size.
    Passing(Vec<[f64; 2]>),
    /// Pairs of diameter and share of the number, by diameter.
    Numbers(Vec<[f64; 2]>),
}

/// The content of a table, its unit of length, and what was found and assumed.
pub(super) struct SizeTable {
    pub content: Content,
    /// Empty if the table names no unit.
    pub unit: &'static str,
    /// The reference of the distribution.
    pub source: String,
    pub notes: Vec<String>,
}

/// A way to read a column of shares by its numbers.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Reading {
    /// What passes each size.
    Passing,
    /// What all sieves of this size and above retain.
    RetainedAbove,
    /// What lies between each size and the next larger one.
    AboveSize,
    /// What lies between each size and the next smaller one.
    BelowSize,
}

impl Reading {
    fn words(self) -> &'static str {
        match self {
            Self::Passing => "cumulative passing",
            Self::RetainedAbove => "cumulative retained",
            Self::AboveSize => "shares between each size and the next larger one",
            Self::BelowSize => "shares between each size and the next smaller one",
        }
    }
}

/// Words to add to a table whose meaning is not clear.
const EXPECTED: &str = "add a header such as 'size [mm],passing [%]', with 'cumulative retained' or 'retained on each sieve' where that is meant";

impl Content {
    /// Turns radii into diameters.
    fn double(&mut self) {
        match self {
            Self::Diameters(diameters) => diameters.iter_mut().for_each(|d| *d *= 2.0),
            Self::Passing(pairs) | Self::Numbers(pairs) => {
                pairs.iter_mut().for_each(|pair| pair[0] *= 2.0);
            }
        }
    }
}

impl SizeTable {
    /// Finds the meaning of a table.
    ///
    /// # Errors
    /// A sentence about the column or the number that is not accepted, or about what must be added to an ambiguous table.
    pub fn interpret(table: &NumberTable) -> Result<Self, String> {
        let kinds: Vec<Kind> = table.header.iter().map(|words| kind(words)).collect();
        if let [column] = &table.columns[..] {
            return diameters(table, &column.values, kinds.first() == Some(&Kind::Radius));
        }
        reject_positions(table)?;
        let Columns { size, upper, share } = columns(table, &kinds)?;
        let kind = kinds.get(share).copied().unwrap_or(Kind::Unknown);
        if kind == Kind::Number {
            reject_other_numbers(table, share)?;
        }
        let (mut content, source, mut notes) = match (upper, kind) {
            (None, Kind::Number) => Sieves::new(table, (size, share))?.numbers()?,
            (None, _) => {
                let sieves = Sieves::new(table, (size, share))?;
                sieves.content(sieves.reading(kind)?)?
            }
            (Some(upper), _) => {
                let rows = class_rows(table, (size, upper, share), kind == Kind::Number)?;
                let mut sieves = Sieves::of_rows(table, (size, share), rows)?;
                sieves.whole = sieves.whole.filter(|_| kind != Kind::Number);
                sieves.content(Reading::AboveSize)?
            }
        };
        let is_radius = kinds.get(size) == Some(&Kind::Radius);
        if is_radius {
            content.double();
            notes.push(format!("the radii in {} are doubled", table.name(size)));
        }
        let used = [Some(size), upper, Some(share)];
        let unused = (0..table.columns.len()).filter(|column| !used.contains(&Some(*column)));
        let unused: Vec<String> = unused.map(|column| table.name(column)).collect();
        if !unused.is_empty() {
            notes.push(format!("not used: {}", unused.join(", ")));
        }
        Ok(Self {
            content,
            unit: unit_of(table, size),
            source,
            notes,
        })
    }
}

/// Returns the content of a table of one column.
fn diameters(table: &NumberTable, values: &[f64], are_radii: bool) -> Result<SizeTable, String> {
    if let Some(row) = values.iter().position(|&value| value <= 0.0) {
        return Err(format!(
            "{}: {} is not a diameter above 0",
            table.place(row, 0),
            short(values[row])
        ));
    }
    let mut content = Content::Diameters(values.to_vec());
    let note = are_radii.then(|| format!("the radii in {} are doubled", table.name(0)));
    if are_radii {
        content.double();
    }
    Ok(SizeTable {
        content,
        unit: unit_of(table, 0),
        source: format!("list of {} diameters", values.len()),
        notes: note.into_iter().collect(),
    })
}

/// Rejects a table of the positions of spheres.
fn reject_positions(table: &NumberTable) -> Result<(), String> {
    let has = |axis: &str| {
        let mut first = table.header.iter().filter_map(|name| tokens(name).next());
        first.any(|token| token == axis)
    };
    if has("x") && has("y") && has("z") {
        return Err(
            "this is a table of positions, not of sizes; a list of diameters has one column"
                .to_owned(),
        );
    }
    Ok(())
}

/// The columns of a table that are used.
struct Columns {
    /// Sizes, or the lower bounds of the classes.
    size: usize,
    /// The upper bounds of the classes.
    upper: Option<usize>,
    share: usize,
}

/// Finds the columns of sizes and of shares.
fn columns(table: &NumberTable, kinds: &[Kind]) -> Result<Columns, String> {
    let count = table.columns.len();
    let is_size = |kind: &Kind| matches!(kind, Kind::Size | Kind::Radius);
    let sizes: Vec<usize> = (0..kinds.len()).filter(|&i| is_size(&kinds[i])).collect();
    let is_share = |kind: &Kind| !is_size(kind) && *kind != Kind::Unknown;
    let shares: Vec<usize> = (0..kinds.len()).filter(|&i| is_share(&kinds[i])).collect();
    let best = shares.iter().copied().min_by_key(|&share| kinds[share]);
    let (size, share) = match (&sizes[..], best) {
        ([size], Some(share)) => (*size, share),
        ([first, second], Some(share))
            if let Some((lower, upper)) = bounds(table, *first, *second) =>
        {
            let (size, upper) = match kinds[share] {
                Kind::Passing | Kind::Cumulative => (upper, None),
                Kind::RetainedAbove => (lower, None),
                _ => (lower, Some(upper)),
            };
            return Ok(Columns { size, upper, share });
        }
        ([size], None) if count == 2 => (*size, 1 - *size),
        ([], Some(share)) if count == 2 => (1 - share, share),
        ([] | [_, _], None) if count == 2 => columns_by_numbers(table)?,
        ([], _) => {
            return Err(format!(
                "the table has {count} columns, and none is named as the sieve size; add a header with a unit, such as 'size [mm]', above it"
            ));
        }
        ([_], _) => {
            return Err(format!(
                "the table has {count} columns, and none is named as the share of the mass; {EXPECTED}"
            ));
        }
        ([first, second, ..], _) => {
            return Err(format!(
                "{} and {} are both sizes; keep one of them, or the lower and the upper bound of each class",
                table.name(*first),
                table.name(*second)
            ));
        }
    };
    Ok(Columns {
        size,
        upper: None,
        share,
    })
}

/// Finds the columns of sizes and shares of a table of two columns, from their numbers.
fn columns_by_numbers(table: &NumberTable) -> Result<(usize, usize), String> {
    let orders = [(0, 1), (1, 0)].into_iter();
    let fitting: Vec<(usize, usize)> = orders
        .filter(|&order| {
            let sieves = Sieves::new(table, order);
            sieves.is_ok_and(|sieves| !sieves.readings().is_empty())
        })
        .collect();
    match fitting[..] {
        [order] => Ok(order),
        [] => Sieves::new(table, (0, 1)).and_then(|sieves| Err(sieves.unclear(&[]))),
        _ => Err(format!(
            "it is not clear which of the two columns has the sieve sizes and what the other one has; {EXPECTED}"
        )),
    }
}

/// The rows of a table by size.
struct Sieves<'a> {
    table: &'a NumberTable,
    /// The column of shares.
    column: usize,
    /// Row in the table, size and share.
    rows: Vec<(usize, f64, f64)>,
    /// The share of all the mass: 100, 1, or its amount in a unit of weight.
    whole: Option<f64>,
}

impl<'a> Sieves<'a> {
    /// Sorts the rows of the columns of sizes and shares.
    fn new(table: &'a NumberTable, (size, share): (usize, usize)) -> Result<Self, String> {
        let sizes = &table.columns[size].values;
        let shares = &table.columns[share].values;
        let rows = sizes.iter().zip(shares).enumerate();
        let rows = rows.map(|(row, (&size, &share))| (row, size, share));
        Self::of_rows(table, (size, share), rows.collect())
    }

    /// Sorts rows, each with its position in the table, size and share.
    fn of_rows(
        table: &'a NumberTable,
        (size, share): (usize, usize),
        mut rows: Vec<(usize, f64, f64)>,
    ) -> Result<Self, String> {
        rows.sort_by(|a, b| a.1.total_cmp(&b.1));
        for &(row, value, part) in &rows {
            if value < 0.0 {
                let place = table.place(row, size);
                return Err(format!(
                    "{place}: {} is not a sieve size above 0",
                    short(value)
                ));
            }
            if part < 0.0 {
                let place = table.place(row, share);
                return Err(format!(
                    "{place}: {} is not a share of at least 0",
                    short(part)
                ));
            }
        }
        if let Some(pair) = rows.windows(2).find(|pair| pair[0].1 == pair[1].1) {
            let place = table.place(pair[1].0.max(pair[0].0), size);
            return Err(format!(
                "{place}: the size {} stands twice",
                short(pair[1].1)
            ));
        }
        let words = table.header.get(share).map_or("", String::as_str);
        let mut sieves = Self {
            table,
            column: share,
            rows,
            whole: None,
        };
        sieves.whole = sieves.whole_of(words, table.columns[share].is_percent);
        Ok(sieves)
    }

    /// Returns the share of all the mass, as far as it does not depend on the reading.
    fn whole_of(&self, words: &str, is_percent: bool) -> Option<f64> {
        let largest = self.shares().fold(0.0, f64::max);
        let sum: f64 = self.shares().sum();
        let one_percent = 0.01 * END_TOLERANCE;
        let is_in_small_classes =
            largest < 1.0 - one_percent && (sum / 100.0 - 1.0).abs() <= one_percent;
        let unit = if largest > 1.0 + one_percent || is_in_small_classes {
            100.0
        } else {
            1.0
        };
        if is_percent {
            Some(100.0)
        } else if words.contains('%') {
            // A spreadsheet may write 35 % as 0.35 below a header with %.
            Some(unit)
        } else if has_weight(words) {
            None
        } else {
            Some(unit)
        }
    }

    fn shares(&self) -> impl DoubleEndedIterator<Item = f64> + Clone {
        self.rows.iter().map(|row| row.2)
    }

    /// Returns whether a number is the whole within 1 %.
    fn is_whole(&self, value: f64) -> bool {
        let tolerance = 0.01 * END_TOLERANCE;
        self.whole
            .is_none_or(|whole| (value / whole - 1.0).abs() <= tolerance + 1e-12)
    }

    /// Returns the readings that the numbers allow.
    fn readings(&self) -> Vec<Reading> {
        let mut readings = Vec::new();
        let (Some(first), Some(last)) = (self.shares().next(), self.shares().next_back()) else {
            return readings;
        };
        let sum: f64 = self.shares().sum();
        let slack = PASSING_ROUNDING;
        let are_sizes = self.rows.iter().filter(|row| row.1 > 0.0).count() > 1;
        if !are_sizes || sum == 0.0 {
            return readings;
        }
        let largest = self.shares().fold(0.0, f64::max);
        if self.shares().is_sorted_by(|a, b| *a <= b + slack) && self.is_whole(last) && last > first
        {
            readings.push(Reading::Passing);
        }
        if self.shares().is_sorted_by(|a, b| a + slack >= *b)
            && self.is_whole(first)
            && first > last
        {
            readings.push(Reading::RetainedAbove);
        }
        let nothing = 0.01 * END_TOLERANCE * self.whole.unwrap_or(sum);
        let is_in_classes = self.is_whole(sum) && largest < sum - nothing;
        if is_in_classes && last <= nothing {
            readings.push(Reading::AboveSize);
        }
        if is_in_classes && first <= nothing {
            readings.push(Reading::BelowSize);
        }
        readings
    }

    /// Chooses the reading by the words above the column and by the numbers.
    fn reading(&self, kind: Kind) -> Result<Reading, String> {
        let readings = self.readings();
        let rises = self.shares().is_sorted();
        match kind {
            Kind::Passing => Ok(Reading::Passing),
            Kind::RetainedAbove => Ok(Reading::RetainedAbove),
            Kind::RetainedOn => Ok(Reading::AboveSize),
            Kind::Cumulative if rises => Ok(Reading::Passing),
            Kind::Cumulative => Ok(Reading::RetainedAbove),
            Kind::Retained if self.whole.is_none() => Ok(Reading::AboveSize),
            Kind::Retained => {
                let mut fitting = readings.iter().filter(|reading| {
                    matches!(reading, Reading::RetainedAbove | Reading::AboveSize)
                });
                match (fitting.next(), fitting.next()) {
                    (Some(&reading), None) => Ok(reading),
                    _ => Err(self.unclear(&readings)),
                }
            }
            _ => {
                // Weights are those of classes.
                let is_of_classes =
                    |reading: &Reading| matches!(reading, Reading::AboveSize | Reading::BelowSize);
                let readings: Vec<Reading> = (readings.into_iter())
                    .filter(|reading| self.whole.is_some() || is_of_classes(reading))
                    .collect();
                match readings[..] {
                    [reading] => Ok(reading),
                    _ => Err(self.unclear(&readings)),
                }
            }
        }
    }

    /// The sentence about a column that the numbers allow to read in no way, or in several.
    fn unclear(&self, readings: &[Reading]) -> String {
        let name = self.table.name(self.column);
        if readings.is_empty() {
            let sum: f64 = self.shares().sum();
            if self.is_whole(sum) && self.rows.len() > 1 {
                return format!(
                    "{name} sums to {}, but neither the first nor the last share is 0, so that one class lacks a bound; add this size with \
                     the share 0, or a column with the lower and one with the upper bound of each class",
                    brief(sum)
                );
            }
            return format!(
                "{name} is neither cumulative with an end at 100 % or 1 (within 1 %), nor does it sum to that: it sums to {}; {EXPECTED}",
                brief(sum)
            );
        }
        let words: Vec<&str> = readings.iter().map(|reading| reading.words()).collect();
        format!("{name} may have {}; {EXPECTED}", words.join(", or "))
    }

    /// Returns the shares of the number at each size.
    fn numbers(&self) -> Result<(Content, String, Vec<String>), String> {
        let sum: f64 = self.shares().sum();
        let name = self.table.name(self.column);
        if sum == 0.0 {
            return Err(format!("{name} sums to 0; a number above 0 is expected"));
        }
        let rows = self.rows.iter().filter(|row| row.2 > 0.0);
        let numbers = rows.map(|&(_, size, number)| [size, number / sum]);
        let source = format!("table of classes: numbers in {name}");
        Ok((Content::Numbers(numbers.collect()), source, Vec::new()))
    }

    /// Returns the mass curve of a reading.
    fn content(&self, reading: Reading) -> Result<(Content, String, Vec<String>), String> {
        let (passing, notes) = self.passing(reading)?;
        let name = self.table.name(self.column);
        let source = format!("sieve table: {} in {name}", reading.words());
        Ok((Content::Passing(passing), source, notes))
    }

    /// Returns pairs of size and percent passing, and notes.
    fn passing(&self, reading: Reading) -> Result<(Vec<[f64; 2]>, Vec<String>), String> {
        let sum: f64 = self.shares().sum();
        let largest = self.shares().fold(0.0, f64::max);
        let is_cumulative = matches!(reading, Reading::Passing | Reading::RetainedAbove);
        let whole = match self.whole {
            Some(whole) if is_cumulative => whole,
            None if is_cumulative => largest,
            Some(_) if !self.is_whole(sum) => {
                return Err(format!(
                    "{} sums to {}; the sum must be 100 % or 1 (within 1 %)",
                    self.table.name(self.column),
                    brief(sum)
                ));
            }
            _ => sum,
        };
        let mut notes = Vec::new();
        if !is_cumulative
            && self
                .whole
                .is_some_and(|given| (sum / given - 1.0).abs() > UNNOTED_SHARE_SUM)
        {
            notes.push(format!(
                "{} sums to {} and is divided by this sum",
                self.table.name(self.column),
                brief(sum)
            ));
        }
        let percent = |value: f64| {
            if whole == 100.0 {
                value
            } else {
                100.0 * value / whole
            }
        };
        let mut below = 0.0;
        let passing = self.rows.iter().map(|&(_, size, share)| {
            let before = below;
            below += share;
            let passes = match reading {
                Reading::Passing => percent(share),
                Reading::RetainedAbove => 100.0 - percent(share),
                Reading::AboveSize => percent(before),
                Reading::BelowSize => percent(below),
            };
            [size, passes]
        });
        let passing: Vec<[f64; 2]> = passing.collect();
        if is_cumulative {
            self.check_order(reading, &passing)?;
        }
        // The pan has no size.
        let passing = passing.into_iter().filter(|pair| pair[0] > 0.0);
        Ok((passing.collect(), notes))
    }

    /// Rejects a cumulative column that falls where it must rise, or that leaves 0 to 100 %.
    fn check_order(&self, reading: Reading, passing: &[[f64; 2]]) -> Result<(), String> {
        let place = |i: usize| self.table.place(self.rows[i].0, self.column);
        let range = -END_TOLERANCE..=(100.0 + END_TOLERANCE);
        if let Some(i) = passing.iter().position(|pair| !range.contains(&pair[1])) {
            return Err(format!(
                "{}: {} is not from 0 to 100 %",
                place(i),
                short(self.rows[i].2)
            ));
        }
        let falls = |pair: &[[f64; 2]]| pair[1][1] < pair[0][1] - PASSING_ROUNDING;
        let Some(i) = passing.windows(2).position(falls) else {
            return Ok(());
        };
        let (compared, rule) = match reading {
            Reading::Passing => ("less", "passing does not fall"),
            _ => ("more", "retained does not rise"),
        };
        Err(format!(
            "{}: {} at size {} is {compared} than {} at the smaller size {}; cumulative {rule} with the size, and shares of each class need the header 'retained on each sieve'",
            place(i + 1),
            short(self.rows[i + 1].2),
            short(self.rows[i + 1].1),
            short(self.rows[i].2),
            short(self.rows[i].1),
        ))
    }
}
