//! Lengths with a unit in texts, such as `150mm` or `cylinder:d=15cm,h=0.3m`, in the unit of the sizes.

use crate::distribution::LengthUnit;

/// Keys of ratios, which have no unit.
const RATIOS: [&str; 2] = ["aspect", "taper"];

/// A length with a unit that cannot be converted into the unit of the sizes.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum UnitError {
    /// The sizes have no unit.
    #[error(
        "'{length}' has a unit, but the sizes have none; expected a number in the unit of the diameters"
    )]
    NoUnit {
        /// The length.
        length: String,
    },
    /// The unit of the sizes is not among the known ones.
    #[error(
        "'{length}' cannot be converted into '{unit}', the unit of the sizes; expected a number in this unit"
    )]
    Unknown {
        /// The length.
        length: String,
        /// The unit of the sizes.
        unit: String,
    },
}

/// Returns whether a text holds a length with a unit.
pub fn has_units(text: &str) -> bool {
    lengths(text).next().is_some()
}

/// Returns a text with its lengths in the unit of the sizes, which the text may give in another one: `15cm` becomes `150` in mm. Numbers
/// are shifted as decimals, so that no digit changes, and inches are 25.4 mm.
///
/// # Errors
/// [`UnitError`] if the text holds a length with a unit and `unit` is no unit of length.
///
/// # Example
/// ```
/// use jostle::request::in_unit;
///
/// assert_eq!(in_unit("cylinder:d=15cm,h=0.3m", "mm")?, "cylinder:d=15e1,h=0.3e3");
/// assert_eq!(in_unit("20,20,40", "")?, "20,20,40");
/// assert!(in_unit("300um", "").is_err());
/// # Ok::<(), jostle::request::UnitError>(())
/// ```
pub fn in_unit(text: &str, unit: &str) -> Result<String, UnitError> {
    let known = LengthUnit::find(unit.trim());
    let mut converted = String::with_capacity(text.len());
    let mut end = 0;
    for Length {
        start,
        number,
        unit: own,
        text: length,
    } in lengths(text)
    {
        let length_text = || length.to_owned();
        let Some(known) = known else {
            return Err(match unit.trim() {
                "" => UnitError::NoUnit {
                    length: length_text(),
                },
                unit => UnitError::Unknown {
                    length: length_text(),
                    unit: unit.to_owned(),
                },
            });
        };
        converted += &text[end..start];
        converted += &in_other_unit(number, own.in_unit(known));
        end = start + length.len();
    }
    converted += &text[end..];
    Ok(converted)
}

/// A length with a unit in a text.
struct Length<'a> {
    /// Position in the text.
    start: usize,
    number: &'a str,
    unit: &'static LengthUnit,
    /// The number with its unit.
    text: &'a str,
}

/// Returns the lengths with units. They stand between separators, and no ratio has one. A file name may look like a length.
fn lengths(text: &str) -> impl Iterator<Item = Length<'_>> {
    let is_file = text.trim_start().starts_with("mesh:");
    let end = if is_file { 0 } else { text.len() };
    let separated = text[..end].split(['=', ',', '@', ':']);
    let mut start = 0;
    let mut before = "";
    separated.filter_map(move |part| {
        let at = start + (part.len() - part.trim_start().len());
        start += part.len() + 1;
        let key = std::mem::replace(&mut before, part.trim());
        let text = part.trim();
        let letters = text.find(|c: char| c == '"' || c.is_alphabetic() && !"eE".contains(c))?;
        let number = text[..letters].trim_end();
        let unit = LengthUnit::find(text[letters..].trim())?;
        let is_length = number.parse::<f64>().is_ok() && !RATIOS.contains(&key);
        is_length.then_some(Length {
            start: at,
            number,
            unit,
            text,
        })
    })
}

/// Returns a number of one unit in another one, as a text. A number of a decimal unit is shifted.
fn in_other_unit(number: &str, (factor, power): (f64, i32)) -> String {
    let scaled = (number.parse::<f64>().ok())
        .filter(|_| factor != 1.0)
        .map(|value| (value * factor).to_string());
    let number = scaled.as_deref().unwrap_or(number);
    let (digits, exponent) = number.split_once(['e', 'E']).unwrap_or((number, "0"));
    let exponent = exponent.parse().unwrap_or(0) + power;
    if exponent == 0 {
        digits.to_owned()
    } else {
        format!("{digits}e{exponent}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_are_converted_without_rounding() {
        for (text, unit, expected) in [
            ("150mm", "mm", 150.0),
            ("15cm", "mm", 150.0),
            ("0.15m", "mm", 150.0),
            ("0.15 m", "mm", 150.0),
            ("300um", "mm", 0.3),
            ("300\u{b5}m", "mm", 0.3),
            ("300\u{3bc}m", "\u{b5}m", 300.0),
            ("1.5e-4m", "um", 150.0),
            ("1.5in", "mm", 38.1),
            ("2\"", "m", 0.0508),
            ("7", "mm", 7.0),
        ] {
            let converted = in_unit(text, unit).unwrap();
            assert_eq!(
                converted.parse(),
                Ok(expected),
                "{text} in {unit}: {converted}"
            );
        }
    }

    #[test]
    fn inches_are_converted_to_the_last_digit_but_one() {
        let inch: f64 = in_unit("25.4mm", "in").unwrap().parse().unwrap();
        assert!((inch - 1.0).abs() < 2e-16);
    }

    #[test]
    fn only_lengths_are_converted() {
        for same in [
            "cylinder:aspect=2",
            "sphere",
            "mesh:10mm.stl,fit",
            "1e3,2e3,auto",
            "box:lx=1,ly=1m2,lz=3",
        ] {
            assert!(!has_units(same), "{same}");
            assert_eq!(in_unit(same, ""), Ok(same.to_owned()));
        }
        assert_eq!(
            in_unit("cylinder:d=2cm,h=8@5mm,5,5,axis=x", "mm").unwrap(),
            "cylinder:d=2e1,h=8@5,5,5,axis=x"
        );
        assert!(!has_units("cylinder:aspect=2mm"));
        assert!(matches!(in_unit("1mm", " "), Err(UnitError::NoUnit { .. })));
        assert!(matches!(
            in_unit("1mm", "pixel"),
            Err(UnitError::Unknown { .. })
        ));
    }
}
