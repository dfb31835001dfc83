//! Size distributions that users name: a preset, an inline law, or a JSON file.

use std::fs;

use serde::{
    Deserialize, Serialize,
    de::{DeserializeOwned, IgnoredAny},
};
use serde_json::{Map, Number, Value};
use strum::VariantNames;

use super::{
    blend_text::BlendText,
    constants::{DEEPEST_BLEND, SCHEMA},
    length_unit::{LENGTH_UNITS, LengthUnit},
    sample::Sample,
    sampling::Sampling,
    size_distribution::{Blend, BlendBasis, Component, SizeDistribution},
    sizes_error::SizesError,
};
use crate::{
    dimension::Dimension,
    names::{did_you_mean, one_line},
};

/// A size distribution with its name, unit and reference.
///
/// ```
/// use jostle::{SizeSpec, distribution::{Interpolation, Sampling, SieveCurve}};
///
/// let passing = vec![[1.0, 0.0], [2.0, 35.0], [4.0, 100.0]];
/// let law = SieveCurve::new(passing, Interpolation::Log)?;
/// let spec = SizeSpec::new("pit-4", "mm", "sieve analysis of 12 kg", law);
/// let sample = spec.sample_number(1000, Sampling::Stratified, 0);
/// assert_eq!((&*sample.source.name, &*sample.source.unit), ("pit-4", "mm"));
/// # Ok::<(), jostle::distribution::SizesError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[serde(expecting = "an object with schema, name, unit, source and law")]
#[non_exhaustive]
pub struct SizeSpec {
    schema: Schema,
    /// The name of the preset, the text of the inline law, or the name in the file.
    pub name: String,
    /// The unit of all diameters, such as `"mm"`; empty for inline laws.
    pub unit: String,
    /// The reference of the distribution: a publication, a measurement or a formula.
    pub source: String,
    /// The distribution.
    #[serde(rename = "law")]
    pub distribution: SizeDistribution,
    /// What was assumed when the distribution was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    notes: Vec<String>,
}

/// The JSON text that `jostle sizes --json` prints, with quantities that follow from the law.
#[derive(Deserialize)]
struct Shown {
    name: String,
    unit: String,
    source: String,
    law: SizeDistribution,
    #[serde(default)]
    notes: Vec<String>,
    #[serde(rename = "quantiles")]
    _quantiles: IgnoredAny,
    #[serde(rename = "sauter_mean")]
    _sauter_mean: IgnoredAny,
}

/// The version of the file format. A type with its own check refuses other versions before the next field is read.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "u32")]
struct Schema(u32);

impl TryFrom<u32> for Schema {
    type Error = String;

    fn try_from(version: u32) -> Result<Self, Self::Error> {
        if version == SCHEMA {
            Ok(Self(version))
        } else {
            Err(format!(
                "schema {version} is unknown; expected schema {SCHEMA}"
            ))
        }
    }
}

/// A text or file without a valid size distribution.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SizeSpecError {
    /// The file cannot be read.
    #[error("{path}: {error}")]
    Read {
        /// The file.
        path: String,
        /// The error of the system.
        error: std::io::Error,
    },
    /// The text, or the content of the file, is no size distribution.
    #[error(transparent)]
    Sizes(#[from] SizesError),
}

impl SizeSpecError {
    /// Creates the error from its message, which may quote a text of several lines.
    pub(super) fn of_text(message: String) -> Self {
        Self::Sizes(SizesError(one_line(message)))
    }

    /// Creates the error of an inline law that does not have the form of one.
    pub(super) fn inline(text: &str, problem: &str) -> Self {
        Self::of_text(format!(
            "inline law '{text}': {problem}; expected law:key=value,key=value"
        ))
    }

    /// Creates the error of a field of a file, preset or inline law. The field is empty for the whole document.
    fn field(origin: &str, field: &str, problem: &str) -> Self {
        let field = if field.is_empty() {
            String::new()
        } else {
            format!("{field}: ")
        };
        Self::of_text(format!("{origin}: {field}{problem}"))
    }
}

impl SizeSpec {
    /// Creates a specification from its name, unit, reference and law.
    pub fn new(
        name: impl Into<String>,
        unit: impl Into<String>,
        source: impl Into<String>,
        law: impl Into<SizeDistribution>,
    ) -> Self {
        Self {
            schema: Schema(SCHEMA),
            name: name.into(),
            unit: unit.into(),
            source: source.into(),
            distribution: law.into(),
            notes: Vec::new(),
        }
    }

    /// Adds sentences about what was assumed.
    pub(super) fn with_notes(mut self, notes: impl IntoIterator<Item = String>) -> Self {
        self.notes.extend(notes);
        self
    }

    /// Returns what was assumed when the distribution was read.
    pub(crate) fn given_notes(&self) -> &[String] {
        &self.notes
    }

    /// Creates a blend from components, each with the unit of its sizes. The blend has the largest of these units, and an empty unit
    /// counts as the largest one.
    ///
    /// # Errors
    /// The components make no blend, or their units differ and one of them is unknown.
    pub fn blend(
        name: impl Into<String>,
        by: BlendBasis,
        components: Vec<(Component, String)>,
    ) -> Result<Self, SizeSpecError> {
        let (unit, blend) = blended(by, components)
            .map_err(|problem| SizeSpecError::field("blend", "", &problem))?;
        Ok(Self::new(name, unit, "blend", blend))
    }

    /// Loads the distribution that a user names.
    ///
    /// The text is the name of a preset, the name of a file that ends in `.json`, or an inline law such as
    /// `fuller:d_min=1,d_max=16`. They are tried in this order.
    ///
    /// An inline blend, `blend:sand.csv=0.6,din-a16=0.4`, names its components in the same way, each with its share of the mass. Inline
    /// laws are in parentheses: `blend:(mono:d=2)=0.3,equal=0.7`. A density follows `@`: `sand.csv@2650=0.6`. With `by=volume` the
    /// shares are by volume. The label of a component is the name of its file without directory and extension, or its text. The blend
    /// has the largest unit of its components.
    ///
    /// The name of a file that ends in `.csv`, `.tsv`, `.txt`, `.dat` or `.tab` is a table, see [`Self::from_table`], and
    /// `diameters:FILE` is a list of diameters. `sieve:0.25=3,1=12,16=100` has sieve sizes with the percent that passes them, and
    /// `dvalues:10=5,50=20,90=60` diameters below which 10, 50 and 90 % of the mass lie. Its mass curve is straight in ln d between the
    /// D-values, and its outer lines continue to 0 and 100 %, unless D0 and D100 are given.
    ///
    /// # Errors
    /// The text is none of these, the file cannot be read, or a field is wrong.
    pub fn load(text: &str) -> Result<Self, SizeSpecError> {
        Self::load_nested(text, 0)
    }

    /// [`Self::load`], for a text inside `depth` inline blends.
    fn load_nested(text: &str, depth: usize) -> Result<Self, SizeSpecError> {
        if let Some((_, json)) = PRESETS.iter().find(|(name, _)| *name == text) {
            Self::from_json(text, json)
        } else if text.to_lowercase().ends_with(".json") {
            let json = fs::read_to_string(text).map_err(|error| SizeSpecError::Read {
                path: text.to_owned(),
                error,
            })?;
            Self::from_json(text, &json)
        } else if let Some(components) = text.trim_start().strip_prefix("blend:") {
            Self::from_blend(text, components, depth)
        } else if let Some(input) = Self::load_input(text) {
            input
        } else if let Some((law, parameters)) = text.split_once(':') {
            let fields = inline_fields(parameters)
                .map_err(|problem| SizeSpecError::inline(text, &problem))?;
            Self::from_fields(text, law.trim(), fields)
        } else if <SizeDistribution as VariantNames>::VARIANTS.contains(&text) {
            // The error names the missing parameter.
            Self::from_fields(text, text, Map::new())
        } else {
            let presets = PRESETS.map(|(name, _)| name);
            Err(SizeSpecError::of_text(format!(
                "'{text}' is not a preset{}, an inline law such as mono:d=1, or a file ending in .json, .csv, .tsv or .txt; the presets are {}",
                did_you_mean(text, presets),
                presets.join(", ")
            )))
        }
    }

    /// Returns the name and the JSON text of each preset, by name.
    pub fn presets() -> impl ExactSizeIterator<Item = (&'static str, &'static str)> {
        PRESETS.into_iter()
    }

    /// Reads a distribution from a JSON text. Errors call the text `origin`.
    ///
    /// # Errors
    /// The text is not JSON of the documented form, or a field is wrong.
    pub fn from_json(origin: &str, json: &str) -> Result<Self, SizeSpecError> {
        let mut reader = serde_json::Deserializer::from_str(json);
        let spec = match read(&mut reader) {
            Ok(spec) => spec,
            Err(wrong) => return Self::shown(json).ok_or_else(|| explained(origin, wrong, json)),
        };
        reader
            .end()
            .map_err(|error| SizeSpecError::field(origin, "", &error.to_string()))?;
        Ok(spec)
    }

    /// Reads the text that `jostle sizes --json` prints.
    fn shown(json: &str) -> Option<Self> {
        let shown: Shown = serde_json::from_str(json).ok()?;
        let spec = Self::new(shown.name, shown.unit, shown.source, shown.law);
        Some(spec.with_notes(shown.notes))
    }

    /// Returns a sample of `n` spheres, as [`SizeDistribution::sample_number`] does, with the name and the unit.
    pub fn sample_number(&self, n: usize, sampling: Sampling, seed: u64) -> Sample {
        self.with_name_and_unit(self.distribution.sample_number(n, sampling, seed))
    }

    /// Returns a sample with a total volume, as [`SizeDistribution::sample_volume`] does, with the name and the unit.
    ///
    /// # Errors
    /// The errors of [`SizeDistribution::sample_volume`].
    pub fn sample_volume(
        &self,
        volume: f64,
        sampling: Sampling,
        seed: u64,
    ) -> Result<Sample, SizesError> {
        let sample = self.distribution.sample_volume(volume, sampling, seed)?;
        Ok(self.with_name_and_unit(sample))
    }

    /// Returns the distribution with its diameters in another unit of length. An unknown unit, an empty text, keeps the numbers.
    ///
    /// # Errors
    /// The units differ, and one of them is not a unit of length.
    pub fn in_unit(&self, unit: &str) -> Result<Self, SizeSpecError> {
        let is_same = self.unit == unit || self.unit.is_empty() || unit.is_empty();
        let (largest, scales) =
            common_unit([&*self.unit, unit].into_iter().filter(|_| !is_same))
                .map_err(|problem| SizeSpecError::field(&self.name, "unit", &problem))?;
        let [own, other] = scales[..] else {
            return Ok(self.clone());
        };
        let problem = |error: SizesError| {
            SizeSpecError::field(&self.name, &format!("in {largest}"), &error.to_string())
        };
        let scaled = Component::new(unit, 1.0, self.distribution.clone()).scale(own / other);
        let scaled = SizeDistribution::blend(vec![scaled]).map_err(problem)?;
        Ok(Self::new(&*self.name, unit, &*self.source, scaled))
    }

    /// Returns the distribution for spheres of another dimension: see [`SizeDistribution::in_dimension`].
    ///
    /// # Errors
    /// The errors of [`SizeDistribution::in_dimension`].
    pub fn in_dimension(&self, dimension: Dimension) -> Result<Self, SizesError> {
        Ok(Self {
            distribution: self.distribution.in_dimension(dimension)?,
            ..self.clone()
        })
    }

    /// Writes the name and the unit into the source of a sample.
    pub(crate) fn with_name_and_unit(&self, mut sample: Sample) -> Sample {
        sample.source.name.clone_from(&self.name);
        sample.source.unit.clone_from(&self.unit);
        sample
    }

    /// Reads an inline blend: the text behind `blend:` at some depth of blends in blends.
    fn from_blend(text: &str, components: &str, depth: usize) -> Result<Self, SizeSpecError> {
        let inline = |problem| {
            SizeSpecError::of_text(format!(
                "inline blend '{text}': {problem}; expected blend:SIZES=SHARE,SIZES=SHARE with inline laws in parentheses"
            ))
        };
        if depth == DEEPEST_BLEND {
            let problem = format!("blends in blends are more than {DEEPEST_BLEND} deep");
            return Err(inline(problem));
        }
        let parts = BlendText::parse(components).map_err(inline)?;
        let mut components = Vec::with_capacity(parts.components.len());
        let mut notes = Vec::new();
        for part in &parts.components {
            let spec = Self::load_nested(part.sizes, depth + 1)?;
            let given = spec.notes.iter();
            notes.extend(given.map(|note| format!("{}: {note}", part.label())));
            let component = Component::new(part.label(), part.share, spec.distribution);
            components.push((component.density(part.density), spec.unit));
        }
        let (unit, blend) = blended(parts.by, components).map_err(inline)?;
        Ok(Self::new(text, unit, "inline blend", blend).with_notes(notes))
    }

    /// Reads an inline law.
    fn from_fields(
        text: &str,
        law: &str,
        fields: Map<String, Value>,
    ) -> Result<Self, SizeSpecError> {
        let origin = format!("inline law '{text}'");
        let laws = <SizeDistribution as VariantNames>::VARIANTS;
        if !laws.contains(&law) {
            let suggestion = did_you_mean(law, laws.iter().copied());
            let laws = laws.join(", ");
            let problem = format!("unknown law '{law}'{suggestion}; expected one of {laws}");
            return Err(SizeSpecError::field(&origin, "", &problem));
        }
        let tagged = Value::Object(Map::from_iter([(law.to_owned(), Value::Object(fields))]));
        let distribution: SizeDistribution = read(tagged)
            .map_err(|(field, problem)| SizeSpecError::field(&origin, &field, &problem))?;
        Ok(Self::new(text, "", "inline law", distribution))
    }
}

/// Returns a blend of components with their units, and its unit. An error is the reason why there is none.
fn blended(
    by: BlendBasis,
    components: Vec<(Component, String)>,
) -> Result<(String, Blend), String> {
    let (unit, scales) = common_unit(components.iter().map(|(_, unit)| unit.as_str()))?;
    let unit = unit.to_owned();
    let scaled = components
        .into_iter()
        .zip(scales)
        .map(|((component, _), scale)| {
            let scale = scale * component.scale;
            component.scale(scale)
        });
    let blend = Blend::new(by, scaled.collect()).map_err(|error| error.to_string())?;
    Ok((unit, blend))
}

/// Returns the largest of some units, and the factor from each unit to it. An empty unit counts as the largest one.
///
/// # Errors
/// The reason, if units differ and one of them is unknown.
fn common_unit<'a>(
    units: impl Iterator<Item = &'a str> + Clone,
) -> Result<(&'a str, Vec<f64>), String> {
    let named = units.clone().filter(|unit| !unit.is_empty());
    let meters = |unit: &str| LengthUnit::find(unit).map_or(0.0, LengthUnit::meters);
    let largest = named.max_by(|a, b| meters(a).total_cmp(&meters(b)));
    let largest = largest.unwrap_or_default();
    let scale = |unit: &str| match (LengthUnit::find(unit), LengthUnit::find(largest)) {
        _ if unit.is_empty() || unit == largest => Ok(1.0),
        (Some(own), Some(largest)) => {
            let (factor, power) = own.in_unit(largest);
            Ok(factor / libm::pow(10.0, f64::from(-power)))
        }
        _ => Err(format!(
            "the components have the units '{unit}' and '{largest}'; units that differ must be among {}",
            LENGTH_UNITS.map(|unit| unit.symbol).join(", ")
        )),
    };
    let scales = units.map(scale).collect::<Result<_, _>>()?;
    Ok((largest, scales))
}

/// Creates the error of a wrong field of a JSON text. It says what the text is, and what is expected.
fn explained(
    origin: &str,
    (mut field, mut problem): (String, String),
    json: &str,
) -> SizeSpecError {
    if is_packing(json) {
        field.clear();
        "this is a packing, not a size distribution".clone_into(&mut problem);
    }
    if field.is_empty() {
        problem += "; expected an object with schema, name, unit, source and law";
    }
    SizeSpecError::field(origin, &field, &problem)
}

/// Returns whether a JSON text is an object with the field by which files of packings are recognized.
fn is_packing(json: &str) -> bool {
    #[derive(Deserialize)]
    struct Head {
        #[serde(rename = "format")]
        _format: String,
    }
    serde_json::from_str::<Head>(json).is_ok()
}

/// Reads a value. An error is the field, empty for the whole document, and the reason.
fn read<'de, T, D>(reader: D) -> Result<T, (String, String)>
where
    T: DeserializeOwned,
    D: serde::Deserializer<'de>,
{
    serde_path_to_error::deserialize(reader).map_err(|error| {
        let path = error.path().to_string();
        let field = if path == "." { String::new() } else { path };
        (field, error.into_inner().to_string())
    })
}

/// Returns the parameters of an inline law as numbers, or as words if they are no numbers.
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
        Err(_) if value.starts_with(|c: char| c.is_ascii_digit()) => Err(format!(
            "{key} = {value} is not a number; an inline law has no unit"
        )),
        Err(_) => Ok(Value::from(value)),
    }
}

macro_rules! preset {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../distributions/", $name, ".json")),
        )
    };
}

/// Name and JSON text of each file in `distributions/`, by name.
const PRESETS: [(&str, &str); 15] = [
    preset!("astm-c33-fine"),
    preset!("cement"),
    preset!("concrete"),
    preset!("din-a16"),
    preset!("din-a32"),
    preset!("din-b16"),
    preset!("din-b32"),
    preset!("din-c16"),
    preset!("din-c32"),
    preset!("equal"),
    preset!("fuller-16"),
    preset!("fuller-2011"),
    preset!("power-law-0"),
    preset!("power-law-2"),
    preset!("power-law-3"),
];
