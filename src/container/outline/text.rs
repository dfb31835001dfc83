//! Outlines as users name them, such as `part.svg,scale=0.001`.

use std::path::Path;

use super::Outline;

/// Reads the outline in a file, as in `part.json`, `part.svg,scale=0.001` or `part.svg,fit`. Returns whether `fit` is there, too.
pub(crate) fn read_outline(text: &str) -> Result<(Outline, bool), String> {
    let (mut file, mut scale, mut fits) = (text.trim(), None, false);
    // The name of the file may hold commas.
    while let Some((front, field)) = file.rsplit_once(',') {
        match field.split_once('=') {
            None if field.trim() == "fit" && !fits => fits = true,
            Some((key, value)) if key.trim() == "scale" && scale.is_none() => scale = Some(value),
            _ => break,
        }
        file = front;
    }
    if file.is_empty() {
        return Err("an outline needs the name of a file, as in outline:part.svg".to_owned());
    }
    let factor = match scale {
        None => 1.0,
        Some(value) => (value.trim().parse().ok())
            .filter(|factor: &f64| *factor > 0.0 && factor.is_finite())
            .ok_or_else(|| format!("scale is '{value}'; it must be a positive, finite number"))?,
    };
    let outline = Outline::read(Path::new(file)).map_err(|error| error.to_string())?;
    Ok((outline.scaled(factor), fits))
}
