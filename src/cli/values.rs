//! The values of arguments, from text.

use std::{str::FromStr, time::Duration};

use glam::DVec3;
use jostle::{Boundaries, Container, PackError};

/// A whole number of at least 1, written `1000000` or `1e6`.
pub fn whole_number(text: &str) -> Result<u64, String> {
    let from_real = || {
        text.parse()
            .ok()
            .filter(|value: &f64| value.fract() == 0.0 && *value < u64::MAX as f64)
            .map(|value| value as u64)
    };
    text.parse()
        .ok()
        .or_else(from_real)
        .filter(|&value| value > 0)
        .ok_or_else(|| "a whole number of at least 1 is expected, such as 10000 or 1e6".to_owned())
}

/// A whole number of at least 0.
pub fn count<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| "a whole number of at least 0 is expected".to_owned())
}

/// A packing fraction.
pub fn fraction(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value > 0.0 && value < 1.0 {
        Ok(value)
    } else {
        Err(PackError::Fraction(value).to_string())
    }
}

/// A smallest gap.
pub fn gap(text: &str) -> Result<f64, String> {
    let value = number(text)?;
    if value >= 0.0 && value.is_finite() {
        Ok(value)
    } else {
        Err(PackError::MinGap(value).to_string())
    }
}

/// A time in seconds.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let value = number(text)?;
    if value > 0.0 {
        Duration::try_from_secs_f64(value).map_err(|error| error.to_string())
    } else {
        Err("a number of seconds above 0 is expected".to_owned())
    }
}

fn number(text: &str) -> Result<f64, String> {
    text.parse().map_err(|_| "a number is expected".to_owned())
}

/// The lengths of a box: one for a cube, or three.
#[derive(Clone, Copy, Debug)]
pub struct BoxLengths(pub DVec3);

impl FromStr for BoxLengths {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lengths: Option<Vec<f64>> = text
            .split(',')
            .map(|part| part.trim().parse().ok())
            .collect();
        let lengths = match lengths.as_deref() {
            Some(&[length]) => DVec3::splat(length),
            Some(&[x, y, z]) => DVec3::new(x, y, z),
            _ => return Err("one length L or three lengths Lx,Ly,Lz are expected".to_owned()),
        };
        let container =
            Container::new(lengths, Boundaries::default()).map_err(|error| error.to_string())?;
        if container.volume().is_normal() {
            Ok(Self(lengths))
        } else {
            Err("the volume of this box is too large or too small for a number".to_owned())
        }
    }
}
