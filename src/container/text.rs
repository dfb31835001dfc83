//! The text form `name:key=value,key=value` of shapes.

use super::solid::{Solid, UNITS};
use crate::names::{did_you_mean, lacks};

/// The keys and values of a text that have not been taken yet.
pub(super) struct Fields<'a> {
    left: Vec<(&'a str, &'a str)>,
}

/// Returns the name and the fields of a text.
pub(super) fn read_fields(text: &str) -> Result<(&str, Fields<'_>), String> {
    let (name, fields) = match text.split_once(':') {
        Some((name, fields)) => (name, Some(fields)),
        None => (text, None),
    };
    let name = name.trim();
    if name == "mesh" && !cfg!(feature = "mesh") {
        return Err(lacks("the shape mesh", "mesh"));
    }
    let mut left: Vec<(&str, &str)> = Vec::new();
    for field in fields.into_iter().flat_map(|fields| fields.split(',')) {
        let field = field.trim();
        let (key, value) = field
            .split_once('=')
            .map(|(key, value)| (key.trim(), value.trim()))
            .filter(|(key, value)| !key.is_empty() && !value.is_empty())
            .ok_or_else(|| {
                format!("'{field}' is not a key and a value; expected name:key=value,key=value")
            })?;
        if left.iter().any(|&(other, _)| other == key) {
            return Err(format!("{key} is given twice; it must be given once"));
        }
        left.push((key, value));
    }
    Ok((name, Fields { left }))
}

/// Returns the sentence about a shape that is none of [`UNITS`]. `forms` are examples of accepted texts.
pub(super) fn unknown_shape(name: &str, forms: &str) -> String {
    let suggestion = did_you_mean(name, UNITS.map(|solid| solid.name()));
    format!("unknown shape '{name}'{suggestion}; expected {forms}")
}

impl Fields<'_> {
    /// Rejects keys that are neither parameters of a solid nor `others`. `forms` are examples of accepted texts.
    pub fn check_keys(&self, solid: &Solid, others: &[&str], forms: &str) -> Result<(), String> {
        let parameters = solid.parameters().into_iter().map(|(name, _)| name);
        let accepted: Vec<&str> = parameters.chain(others.iter().copied()).collect();
        let is_unknown = |key: &&str| !accepted.contains(key);
        let Some(key) = self.left.iter().map(|&(key, _)| key).find(is_unknown) else {
            return Ok(());
        };
        let suggestion = did_you_mean(key, accepted.iter().copied());
        Err(format!(
            "a {} has no parameter '{key}'{suggestion}; expected {forms}",
            solid.name()
        ))
    }

    /// Returns whether a key is left.
    pub fn has(&self, key: &str) -> bool {
        self.left.iter().any(|&(other, _)| other == key)
    }

    /// Returns whether no key is left.
    pub fn is_empty(&self) -> bool {
        self.left.is_empty()
    }

    /// Returns the value of a key that is left, as it was written.
    pub fn text(&self, key: &str) -> Option<&str> {
        let field = self.left.iter().find(|&&(other, _)| other == key)?;
        Some(field.1)
    }

    /// Removes a key and returns its value as it was written.
    pub fn take_text(&mut self, key: &str) -> Option<&str> {
        let position = self.left.iter().position(|&(other, _)| other == key)?;
        Some(self.left.remove(position).1)
    }

    /// Removes a key and returns its value as a finite number.
    pub fn take_number(&mut self, key: &str) -> Result<Option<f64>, String> {
        let Some(value) = self.take_text(key) else {
            return Ok(None);
        };
        let number = value.parse().ok().filter(|number: &f64| number.is_finite());
        let problem = || format!("{key} is '{value}'; it must be a finite number");
        number.map(Some).ok_or_else(problem)
    }
}
