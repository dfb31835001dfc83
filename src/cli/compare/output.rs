//! Output of a comparison: files of rows, and a table or JSON on stdout.

use std::{
    fmt,
    path::{Path, PathBuf},
};

use anyhow::{Result, bail};
use clap::Args;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{MapAccess, Visitor},
};
use serde_json::Value;

use crate::cli::{
    files::{Output, check_outputs, is_stream},
    output::{json, print, print_json},
};

/// Options for the output of a comparison.
#[derive(Args)]
pub struct OutputOptions {
    /// Write the rows to FILE, which ends in .json or .csv, or as CSV to stdout (-); may be repeated
    #[arg(short, long, value_name = "FILE")]
    output: Vec<PathBuf>,

    /// Print the results as JSON instead of tables
    #[arg(long)]
    json: bool,
}

impl OutputOptions {
    /// Refuses files that could not be written after the comparison.
    pub fn check(&self) -> Result<()> {
        check_outputs(&self.output, &[])?;
        for path in &self.output {
            is_json(path)?;
            Output::new(Some(path), "").check()?;
        }
        Ok(())
    }

    /// Writes each file completely, or leaves the existing file unchanged: the results as JSON, or the rows as CSV. Prints the results as
    /// JSON or as the text that `describe` returns.
    pub fn write<T: Serialize>(
        &self,
        results: &T,
        rows: &[impl Serialize],
        describe: impl FnOnce(&T) -> String,
    ) -> Result<()> {
        for path in &self.output {
            let mut text = Vec::new();
            if is_json(path)? {
                text.extend(json(results)?.into_bytes());
                text.push(b'\n');
            } else {
                write_csv(rows, &mut text)?;
            }
            Output::new(Some(path), "").write(&text)?;
        }
        if self.json {
            return print_json(results);
        }
        print(&describe(results))?;
        let mut files = self.output.iter();
        files.try_for_each(|file| print(&file.display().to_string()))
    }
}

/// Returns whether a file of rows is a JSON file; otherwise it is a CSV file. Rejects other names.
fn is_json(path: &Path) -> Result<bool> {
    if is_stream(path) {
        return Ok(false);
    }
    let extension = path.extension().map(|e| e.to_string_lossy().to_lowercase());
    match extension.as_deref() {
        Some("json") => Ok(true),
        Some("csv") => Ok(false),
        _ => bail!(
            "'{}' is not a file of rows; its name must end in .json or .csv, or be - for CSV on stdout",
            path.display()
        ),
    }
}

/// Writes the fields of rows under a header with their names. A list is the numbers in one field, with spaces between them.
fn write_csv(rows: &[impl Serialize], out: &mut Vec<u8>) -> Result<()> {
    let mut writer = csv::Writer::from_writer(out);
    for (k, row) in rows.iter().enumerate() {
        let Fields(fields) = serde_json::from_slice(&serde_json::to_vec(row)?)?;
        if k == 0 {
            writer.write_record(fields.iter().map(|(name, _)| name))?;
        }
        writer.write_record(fields.iter().map(|(_, value)| cell(value)))?;
    }
    Ok(writer.flush()?)
}

/// Returns a value as the text of a field.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => text.clone(),
        Value::Number(number) => match number.as_f64().filter(|_| number.is_f64()) {
            Some(number) => number.to_string(),
            None => number.to_string(),
        },
        Value::Array(values) => values.iter().map(cell).collect::<Vec<_>>().join(" "),
        other => other.to_string(),
    }
}

/// The names and values of an object in their order.
struct Fields(Vec<(String, Value)>);

impl<'de> Deserialize<'de> for Fields {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct InOrder;

        impl<'de> Visitor<'de> for InOrder {
            type Value = Fields;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a row with names")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut row: A) -> Result<Fields, A::Error> {
                let mut fields = Vec::new();
                while let Some(field) = row.next_entry()? {
                    fields.push(field);
                }
                Ok(Fields(fields))
            }
        }

        deserializer.deserialize_map(InOrder)
    }
}
