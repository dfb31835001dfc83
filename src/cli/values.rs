//! Values of arguments, from text.

use std::{
    fmt::{self, Display},
    str::FromStr,
    time::Duration,
};

use anyhow::{Result, anyhow, ensure};
use glam::DVec3;

use super::constants::MOST_THREADS;
use crate::{
    Boundaries, Container, Dimension,
    container::{ContainerSpec, Solid},
    names::decimal,
    report::LARGEST_SIDE,
    request::{has_units, in_unit},
};

/// A value whose lengths may have units. They are converted when the unit of the sizes is known.
#[derive(Clone, Debug)]
pub struct Measured<T> {
    /// The value, with lengths that have units in meters.
    value: T,
    /// The text, if it has units.
    text: Option<String>,
    read: Read<T>,
}

/// A function that reads a value without units.
type Read<T> = fn(&str) -> Result<T, String>;

impl<T: Clone> Measured<T> {
    /// Reads a value. The mistakes of a text do not depend on the unit of the sizes.
    fn new(text: &str, read: Read<T>) -> Result<Self, String> {
        let in_meters = in_unit(text, "m").map_err(|error| error.to_string())?;
        Ok(Self {
            value: read(&in_meters)?,
            text: has_units(text).then(|| text.to_owned()),
            read,
        })
    }

    /// Returns the value in the unit of the sizes.
    pub fn in_unit(&self, unit: &str) -> Result<T> {
        match &self.text {
            None => Ok(self.value.clone()),
            Some(text) => (self.read)(&in_unit(text, unit)?).map_err(|error| anyhow!(error)),
        }
    }

    /// Returns the value with lengths in some unit, for what does not depend on it.
    pub fn in_any_unit(&self) -> &T {
        &self.value
    }

    /// Returns the value if it does not depend on a unit.
    pub fn without_unit(&self) -> Option<&T> {
        self.text.is_none().then_some(&self.value)
    }
}

/// Reads a diameter, which may have a unit.
pub fn measured_diameter(text: &str) -> Result<Measured<f64>, String> {
    Measured::new(text, positive)
}

/// Reads a minimum gap, which may have a unit.
pub fn measured_gap(text: &str) -> Result<Measured<f64>, String> {
    Measured::new(text, gap)
}

/// Reads the lengths of a box, which may have units, and of which one may be `auto`.
pub fn measured_box(text: &str) -> Result<Measured<ContainerSpec>, String> {
    Measured::new(text, box_with_free_length)
}

/// Reads a container or a body as [`shape`] does; its lengths may have units.
pub fn measured_shape<T>(text: &str) -> Result<Measured<T>, String>
where
    T: Clone + FromStr<Err: Display + Send> + Send,
{
    Measured::new(text, shape::<T>)
}

/// Reads the lengths of a box, of which one may be `auto`.
fn box_with_free_length(text: &str) -> Result<ContainerSpec, String> {
    let mut lengths: Vec<&str> = text.split(',').map(str::trim).collect();
    let free = lengths.iter().position(|length| *length == "auto");
    if let (Some(free), 2 | 3) = (free, lengths.len()) {
        lengths[free] = "1";
        let BoxLengths(lengths) = lengths.join(",").parse()?;
        let spec = ContainerSpec::exact(Solid::of_lengths(lengths));
        let spec = spec.with_free(["lx", "ly", "lz"][free]);
        return spec.ok_or_else(|| "one length of a box may be auto".to_owned());
    }
    let BoxLengths(lengths) = text.parse()?;
    Ok(ContainerSpec::exact(Solid::of_lengths(lengths)))
}

/// Reads a whole number of at least 1, such as `1000000` or `1e6`.
pub fn whole_number(text: &str) -> Result<u64, String> {
    if number(text).is_some_and(|value| value >= u64::MAX as f64) {
        return Err(format!(
            "a whole number of at most {} is expected",
            u64::MAX
        ));
    }
    let whole = number(text).filter(|value| value.fract() == 0.0);
    let from_real = || whole.map(|value| value as u64);
    text.parse()
        .ok()
        .or_else(from_real)
        .filter(|&value| value > 0)
        .ok_or_else(|| "a whole number of at least 1 is expected, such as 10000 or 1e6".to_owned())
}

/// Reads a whole number of at least 0.
pub fn count<T: FromStr>(text: &str) -> Result<T, String> {
    text.parse()
        .map_err(|_| "a whole number of at least 0 is expected".to_owned())
}

/// Reads a number of threads.
pub fn threads(text: &str) -> Result<usize, String> {
    let found = text.parse().ok().filter(|&threads| threads <= MOST_THREADS);
    found.ok_or_else(|| format!("a whole number from 0 to {MOST_THREADS} is expected"))
}

/// Reads the side of a picture in pixels.
pub fn side(text: &str) -> Result<usize, String> {
    let found = text
        .parse()
        .ok()
        .filter(|side| (1..=LARGEST_SIDE).contains(side));
    found.ok_or_else(|| format!("a whole number from 1 to {LARGEST_SIDE} is expected"))
}

/// Reads a container or a body, which may be a mesh in a file.
///
/// Threads check a mesh. They are started here and end here: a command starts its own threads when all arguments are known.
pub fn shape<T>(text: &str) -> Result<T, String>
where
    T: FromStr<Err: Display + Send> + Send,
{
    #[cfg(feature = "mesh")]
    if let Some(file) = crate::container::mesh_file(text) {
        super::files::note_input(file);
    }
    let threads = rayon::ThreadPoolBuilder::new().build();
    let threads = threads.map_err(|error| format!("cannot start threads: {error}"))?;
    let read = threads.install(|| text.parse());
    read.map_err(|error: T::Err| error.to_string())
}

/// Reads a packing fraction or a porosity, such as `0.6` or `60%`.
pub fn fraction(text: &str) -> Result<f64, String> {
    let found = share(text).filter(|&value| value > 0.0 && value < 1.0);
    found.ok_or_else(|| "a number above 0 and below 1 is expected, such as 0.6 or 60%".to_owned())
}

/// Reads a number, or a percentage as the decimal number that is a hundredth of it.
fn share(text: &str) -> Option<f64> {
    match decimal(text)? {
        (percent, true) => number(&format!("{percent}e-2")),
        (share, false) => Some(share),
    }
}

/// Reads three finite numbers.
pub fn vector(text: &str) -> Result<DVec3, String> {
    match list::<f64>(text).as_deref() {
        Some(&[x, y, z]) if DVec3::new(x, y, z).is_finite() => Ok(DVec3::new(x, y, z)),
        _ => Err("three finite numbers x,y,z are expected, such as 5,5,0".to_owned()),
    }
}

/// A vector with as many numbers as were given: two for disks, three for spheres.
#[derive(Clone, Copy, Debug)]
pub struct Shift {
    vector: DVec3,
    numbers: usize,
}

impl Shift {
    /// Returns the vector in a container of this dimension. `option` names it in the error.
    pub fn in_dimension(self, option: &str, dimension: Dimension) -> Result<DVec3> {
        let (found, expected) = (self.numbers, dimension.number());
        ensure!(
            found == expected,
            "{option} has {found} numbers; {expected} are expected, one for each axis of the container"
        );
        Ok(self.vector)
    }
}

/// Reads a vector of two or three finite numbers.
pub fn shift(text: &str) -> Result<Shift, String> {
    let numbers =
        list::<f64>(text).filter(|numbers| numbers.iter().all(|number| number.is_finite()));
    let vector = match numbers.as_deref() {
        Some(&[x, y]) => DVec3::new(x, y, 0.0),
        Some(&[x, y, z]) => DVec3::new(x, y, z),
        _ => {
            return Err(
                "finite numbers x,y,z are expected, such as 5,5,0, or x,y for disks".to_owned(),
            );
        }
    };
    Ok(Shift {
        vector,
        numbers: numbers.map_or(0, |numbers| numbers.len()),
    })
}

/// Reads a positive, finite number.
pub fn positive(text: &str) -> Result<f64, String> {
    let found = number(text).filter(|&value| value > 0.0 && value.is_finite());
    found.ok_or_else(|| "a finite number above 0 is expected".to_owned())
}

/// Reads a minimum gap or a Verlet distance.
pub fn gap(text: &str) -> Result<f64, String> {
    let found = number(text).filter(|&value| value >= 0.0 && value.is_finite());
    found.ok_or_else(|| "a finite length of at least 0 is expected".to_owned())
}

/// Reads the angle of a slope in degrees.
pub fn slope(text: &str) -> Result<f64, String> {
    let found = number(text).filter(|value| (0.0..=90.0).contains(value));
    found.ok_or_else(|| "an angle from 0 to 90 degrees is expected".to_owned())
}

/// Reads the tolerance of a contact.
pub fn tolerance(text: &str) -> Result<f64, String> {
    let found = share(text).filter(|value| (0.0..=1.0).contains(value));
    found.ok_or_else(|| "a number from 0 to 1 is expected, such as 0.001".to_owned())
}

/// Reads a time, such as `90`, `90s`, `1.5m`, `12h` or `1h30m`. A number without a unit is in seconds.
pub fn time(text: &str) -> Result<Duration, String> {
    seconds(text)
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .filter(|&time| time > Duration::ZERO)
        .ok_or_else(|| {
            "a time above 0 is expected, such as 90 (seconds), 90s, 15m, 12h or 1h30m".to_owned()
        })
}

/// Returns the seconds of a time: a number, or numbers with units from days to seconds, each unit at most once.
fn seconds(text: &str) -> Option<f64> {
    const UNITS: [(char, f64); 4] = [('d', 86400.0), ('h', 3600.0), ('m', 60.0), ('s', 1.0)];
    if !text.ends_with(UNITS.map(|(unit, _)| unit)) {
        return number(text);
    }
    let (mut rest, mut total) = (text, 0.0);
    for (unit, seconds) in UNITS {
        if let Some((digits, others)) = rest.split_once(unit) {
            total += number(digits).filter(|&value| value >= 0.0)? * seconds;
            rest = others;
        }
    }
    rest.is_empty().then_some(total)
}

/// Reads values that are separated by commas.
pub fn list<T: FromStr>(text: &str) -> Option<Vec<T>> {
    let values = text.split(',').map(|part| part.trim().parse().ok());
    values.collect()
}

fn number(text: &str) -> Option<f64> {
    text.parse().ok()
}

/// The lengths of a box: one for a cube, or three. A rectangle has two, and 0 along z.
#[derive(Clone, Copy, Debug)]
pub struct BoxLengths(pub DVec3);

impl fmt::Display for BoxLengths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [x, y, z] = self.0.to_array();
        match z {
            0.0 => write!(f, "{x},{y}"),
            _ => write!(f, "{x},{y},{z}"),
        }
    }
}

impl FromStr for BoxLengths {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lengths = match list::<f64>(text).as_deref() {
            Some(&[length]) => DVec3::splat(length),
            Some(&[x, y]) => DVec3::new(x, y, 0.0),
            Some(&[x, y, z]) if z != 0.0 => DVec3::new(x, y, z),
            _ => {
                return Err(
                    "one length, three positive lengths x,y,z, or two lengths x,y of a rectangle are expected, such as 20, 20,20,40 or 50,50"
                        .to_owned(),
                );
            }
        };
        let container = Container::bounding_box(lengths, Boundaries::default())
            .map_err(|error| error.to_string())?;
        if container.volume().is_normal() {
            Ok(Self(lengths))
        } else {
            Err("the volume of this box is beyond the range of numbers; lengths nearer to 1 are expected".to_owned())
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whole_numbers_may_have_an_exponent() {
        assert_eq!(whole_number("1e6"), Ok(1_000_000));
        assert_eq!(whole_number("20000"), Ok(20_000));
        for bad in ["", "0", "-1", "2.5", "1e30", "inf", "NaN"] {
            assert!(whole_number(bad).is_err(), "{bad} was accepted");
        }
    }

    #[test]
    fn times_may_have_a_unit() {
        for (text, seconds) in [
            ("90", 90.0),
            ("1.5s", 1.5),
            ("15m", 900.0),
            ("12h", 43200.0),
            ("2d", 172_800.0),
            ("1h30m", 5400.0),
            ("1d2h3m4.5s", 93_784.5),
        ] {
            assert_eq!(
                time(text).map(|time| time.as_secs_f64()),
                Ok(seconds),
                "{text}"
            );
        }
        for bad in [
            "s", "1w", "1e300d", "-1m", "m5", "1m30", "30m1h", "1h1h", "1h-5m",
        ] {
            assert!(time(bad).is_err(), "{bad} was accepted");
        }
    }

    #[test]
    fn fractions_may_be_percentages() {
        for (text, value) in [("0.6", 0.6), ("60%", 0.6), ("58.3 %", 0.583)] {
            assert_eq!(fraction(text), Ok(value), "{text}");
        }
        assert_eq!(tolerance("0.1%"), Ok(0.001));
        for bad in ["100%", "0%", "%", "60%%"] {
            assert!(fraction(bad).is_err(), "{bad} was accepted");
        }
    }

    #[test]
    fn one_length_of_a_box_may_be_free() {
        let spec = |text: &str, unit: &str| measured_box(text).map(|it| it.in_unit(unit).unwrap());
        assert_eq!(
            spec("30,3cm,auto", "mm").unwrap().to_string(),
            "box:lx=30,ly=30,lz=auto"
        );
        assert_eq!(spec("2", "").unwrap().to_string(), "box:lx=2,ly=2,lz=2");
        for bad in ["auto", "1,auto,auto", "1,2,auto,3"] {
            assert!(spec(bad, "").is_err(), "{bad} was accepted");
        }
        assert_eq!(
            spec("1,auto", "").unwrap().to_string(),
            "rectangle:lx=1,ly=auto"
        );
        assert!(measured_box("30mm").unwrap().in_unit("").is_err());
    }

    #[test]
    fn numbers_out_of_range_are_rejected() {
        for bad in ["", "x", "-1", "NaN", "inf", "1e400"] {
            assert!(fraction(bad).is_err(), "fraction {bad} was accepted");
            assert!(gap(bad).is_err(), "gap {bad} was accepted");
            assert!(positive(bad).is_err(), "number {bad} was accepted");
            assert!(time(bad).is_err(), "time {bad} was accepted");
            assert!(threads(bad).is_err(), "threads {bad} was accepted");
            assert!(bad.parse::<BoxLengths>().is_err(), "box {bad} was accepted");
        }
        assert!(fraction("1").is_err() && fraction("0").is_err());
        assert!(gap("0").is_ok() && time("0").is_err());
        assert!(threads("1024").is_ok() && threads("1025").is_err());
    }
}
