//! Size distributions as users give them: a preset's name, an inline law, or a JSON file.

use std::fs;

use serde::{Deserialize, Serialize, de::DeserializeOwned};
use serde_json::{Map, Number, Value};

use super::{SizeDistribution, presets};

/// The version of the file format that this program reads and writes.
const SCHEMA: u32 = 1;
/// How alike a name must be to a preset's to be offered, from 0 to 1.
const LIKENESS: f64 = 0.8;

/// A size distribution with its name, unit and source.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(from = "Document", into = "Document")]
pub struct SizeSpec {
    /// The preset's name, the inline law as given, or the name in the file.
    pub name: String,
    /// The unit of all diameters, such as `"mm"`; empty for inline laws.
    pub unit: String,
    /// Where the distribution comes from.
    pub source: String,
    /// The distribution.
    pub distribution: SizeDistribution,
}

/// The JSON form.
#[derive(Serialize, Deserialize)]
#[serde(
    deny_unknown_fields,
    expecting = "an object with schema, name, unit, source and law"
)]
struct Document {
    schema: Schema,
    name: String,
    unit: String,
    source: String,
    law: SizeDistribution,
}

/// A schema version that can be read. It has its own type so that the version is judged before the fields after it.
#[derive(Clone, Copy, Serialize, Deserialize)]
#[serde(try_from = "u32")]
struct Schema(u32);

impl TryFrom<u32> for Schema {
    type Error = String;

    fn try_from(version: u32) -> Result<Self, Self::Error> {
        if version == SCHEMA {
            Ok(Self(version))
        } else {
            Err(format!(
                "schema {version} is not known, only schema {SCHEMA} is"
            ))
        }
    }
}

impl From<Document> for SizeSpec {
    fn from(document: Document) -> Self {
        let Document {
            name,
            unit,
            source,
            law,
            ..
        } = document;
        Self {
            name,
            unit,
            source,
            distribution: law,
        }
    }
}

impl From<SizeSpec> for Document {
    fn from(spec: SizeSpec) -> Self {
        let SizeSpec {
            name,
            unit,
            source,
            distribution,
        } = spec;
        Self {
            schema: Schema(SCHEMA),
            name,
            unit,
            source,
            law: distribution,
        }
    }
}

/// A size distribution that cannot be had.
#[derive(Debug, thiserror::Error)]
pub enum SizeSpecError {
    /// Neither a preset, nor an inline law, nor a JSON file.
    #[error(
        "'{name}' is not a preset{}, an inline law such as mono:d=1, or a file ending in .json; the presets are {}",
        did_you_mean(name),
        presets::PRESETS.map(|(name, _)| name).join(", ")
    )]
    UnknownPreset {
        /// What was given.
        name: String,
    },
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Read {
        /// The file.
        path: String,
        /// Why not.
        error: std::io::Error,
    },
    /// An inline law that is not written as one.
    #[error("inline law '{text}': {problem}, where law:key=value,key=value is expected")]
    Inline {
        /// The law as given.
        text: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A field is missing, unknown, of the wrong type or of a value that no distribution has.
    #[error("{origin}: {field}{problem}")]
    Field {
        /// The file, preset or inline law.
        origin: String,
        /// Where in it, followed by a colon; empty for the whole.
        field: String,
        /// What is wrong there, with the value.
        problem: String,
    },
}

fn did_you_mean(name: &str) -> String {
    let near = presets::PRESETS
        .iter()
        .map(|(preset, _)| (strsim::jaro_winkler(&name.to_lowercase(), preset), *preset))
        .filter(|(likeness, _)| *likeness >= LIKENESS)
        .max_by(|a, b| a.0.total_cmp(&b.0));
    near.map_or_else(String::new, |(_, preset)| {
        format!(" (did you mean {preset}?)")
    })
}

impl SizeSpec {
    /// The distribution a user names: a preset, else a file if the text ends in `.json`, else an inline law such as
    /// `fuller:d_min=1,d_max=16`.
    ///
    /// # Errors
    /// When it is none of these, the file cannot be read, or a field of it is wrong.
    pub fn load(text: &str) -> Result<Self, SizeSpecError> {
        if let Some((_, json)) = presets::PRESETS.iter().find(|(name, _)| *name == text) {
            Self::from_json(text, json)
        } else if text.to_lowercase().ends_with(".json") {
            let json = fs::read_to_string(text).map_err(|error| SizeSpecError::Read {
                path: text.to_owned(),
                error,
            })?;
            Self::from_json(text, &json)
        } else if let Some((law, parameters)) = text.split_once(':') {
            Self::from_inline(text, law.trim(), parameters)
        } else {
            Err(SizeSpecError::UnknownPreset {
                name: text.to_owned(),
            })
        }
    }

    /// The presets: name and JSON text of each.
    pub fn presets() -> impl ExactSizeIterator<Item = (&'static str, &'static str)> {
        presets::PRESETS.into_iter()
    }

    /// The distribution in a JSON text; `origin` names the text in errors.
    ///
    /// # Errors
    /// When the text is not JSON of the documented form, or a field of it is wrong.
    pub fn from_json(origin: &str, json: &str) -> Result<Self, SizeSpecError> {
        let mut reader = serde_json::Deserializer::from_str(json);
        let spec = read(origin, &mut reader)?;
        reader.end().map_err(|error| SizeSpecError::Field {
            origin: origin.to_owned(),
            field: String::new(),
            problem: error.to_string(),
        })?;
        Ok(spec)
    }

    fn from_inline(text: &str, law: &str, parameters: &str) -> Result<Self, SizeSpecError> {
        let fields = inline_fields(parameters).map_err(|problem| SizeSpecError::Inline {
            text: text.to_owned(),
            problem,
        })?;
        let tagged = Value::Object(Map::from_iter([(law.to_owned(), Value::Object(fields))]));
        Ok(Self {
            name: text.to_owned(),
            unit: String::new(),
            source: "inline law".to_owned(),
            distribution: read(&format!("inline law '{text}'"), tagged)?,
        })
    }
}

/// Reads a value, and names the field that is at fault if it fails.
fn read<'de, T, D>(origin: &str, reader: D) -> Result<T, SizeSpecError>
where
    T: DeserializeOwned,
    D: serde::Deserializer<'de>,
{
    serde_path_to_error::deserialize(reader).map_err(|error| {
        let path = error.path().to_string();
        SizeSpecError::Field {
            origin: origin.to_owned(),
            field: if path == "." {
                String::new()
            } else {
                format!("{path}: ")
            },
            problem: error.into_inner().to_string(),
        }
    })
}

/// The parameters of an inline law; numbers where they read as numbers, else words.
fn inline_fields(parameters: &str) -> Result<Map<String, Value>, String> {
    let mut fields = Map::new();
    for parameter in parameters.split(',') {
        let (key, value) = parameter
            .split_once('=')
            .map(|(key, value)| (key.trim(), value.trim()))
            .filter(|(key, value)| !key.is_empty() && !value.is_empty())
            .ok_or_else(|| format!("'{}' is not a key and a value", parameter.trim()))?;
        if fields
            .insert(key.to_owned(), inline_value(key, value)?)
            .is_some()
        {
            return Err(format!("{key} is given twice"));
        }
    }
    Ok(fields)
}

fn inline_value(key: &str, value: &str) -> Result<Value, String> {
    if let Ok(whole) = value.parse::<u64>() {
        return Ok(Value::from(whole));
    }
    match value.parse::<f64>() {
        Ok(number) => Number::from_f64(number)
            .map(Value::Number)
            .ok_or_else(|| format!("{key} = {value} is not a finite number")),
        Err(_) => Ok(Value::from(value)),
    }
}
