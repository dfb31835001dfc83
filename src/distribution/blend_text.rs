//! The inline form of a blend: `sand.csv=0.6,gravel.csv@2650=0.4`.

use std::path::Path;

use super::size_distribution::BlendBasis;
use crate::names::decimal;

/// The parts of an inline blend.
#[derive(Debug, PartialEq)]
pub(super) struct BlendText<'a> {
    pub by: BlendBasis,
    pub components: Vec<ComponentText<'a>>,
}

/// A component of an inline blend.
#[derive(Debug, PartialEq)]
pub(super) struct ComponentText<'a> {
    /// The text that names the size distribution, without parentheses.
    pub sizes: &'a str,
    pub density: Option<f64>,
    pub share: f64,
}

impl ComponentText<'_> {
    /// Returns the label: the stem of a file, or the text.
    pub fn label(&self) -> &str {
        if self.sizes.contains(':') {
            return self.sizes;
        }
        let stem = Path::new(self.sizes).file_stem();
        stem.and_then(|stem| stem.to_str()).unwrap_or(self.sizes)
    }
}

impl<'a> BlendText<'a> {
    /// Reads the text behind `blend:`. An error is the reason why it is no blend.
    pub fn parse(text: &'a str) -> Result<Self, String> {
        let mut blend = Self {
            by: BlendBasis::default(),
            components: Vec::new(),
        };
        for item in split_outside(text, ',')? {
            let item = item.trim();
            let parts = split_outside(item, '=')?;
            let (Some(share), true) = (parts.last(), parts.len() > 1) else {
                return Err(format!("'{item}' is not a size distribution and its share"));
            };
            let (name, share) = (item[..item.len() - share.len() - 1].trim(), share.trim());
            if name == "by" {
                blend.by = share.parse().map_err(|error| format!("{error}"))?;
                continue;
            }
            blend.components.push(component(name, share)?);
        }
        Ok(blend)
    }
}

fn component<'a>(name: &'a str, share: &str) -> Result<ComponentText<'a>, String> {
    let (share, _) = decimal(share)
        .ok_or_else(|| format!("the share of '{name}' is '{share}', which is no number"))?;
    let (sizes, density) = match name.rsplit_once('@') {
        Some((sizes, density)) if !density.contains(')') => match density.trim().parse() {
            Ok(density) => (sizes.trim(), Some(density)),
            // The name of a file may have this sign.
            Err(_) => (name, None),
        },
        _ => (name, None),
    };
    let inside = sizes
        .strip_prefix('(')
        .and_then(|sizes| sizes.strip_suffix(')'));
    let sizes = inside.unwrap_or(sizes).trim();
    if sizes.is_empty() {
        return Err("a component has no size distribution".to_owned());
    }
    Ok(ComponentText {
        sizes,
        density,
        share,
    })
}

/// Divides a text at a sign outside of parentheses.
fn split_outside(text: &str, sign: char) -> Result<Vec<&str>, String> {
    let (mut depth, mut start, mut parts) = (0_u32, 0, Vec::new());
    for (at, found) in text.char_indices() {
        match found {
            '(' => depth += 1,
            ')' => depth = depth.checked_sub(1).ok_or("it has a ) without its (")?,
            _ if found == sign && depth == 0 => {
                parts.push(&text[start..at]);
                start = at + sign.len_utf8();
            }
            _ => {}
        }
    }
    if depth > 0 {
        return Err("it has a ( without its )".to_owned());
    }
    parts.push(&text[start..]);
    Ok(parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_shares_and_densities_are_read() {
        let text = "pit/sand.csv@2650=60 %, (blend:(mono:d=1)=0.5,equal=0.5)=0.3 ,a@b=10,by=volume";
        let blend = BlendText::parse(text).unwrap();
        assert_eq!(blend.by, BlendBasis::Volume);
        let components = blend.components.iter();
        let parts: Vec<_> = components
            .map(|part| (part.label(), part.density, part.share))
            .collect();
        let expected = [
            ("sand", Some(2650.0), 60.0),
            ("blend:(mono:d=1)=0.5,equal=0.5", None, 0.3),
            ("a@b", None, 10.0),
        ];
        assert_eq!(parts, expected);
    }

    #[test]
    fn other_texts_are_rejected() {
        for bad in [
            "",
            "equal",
            "equal=x",
            "=1",
            "()=1",
            "(equal=1",
            "equal)=1",
            "equal=1,by=length",
        ] {
            assert!(BlendText::parse(bad).is_err(), "{bad} was accepted");
        }
    }
}
