//! Requests that need more memory than there is.

use anyhow::{Result, bail};

use super::{
    super::{
        constants::{GIB, MANY_SPHERES, MIB},
        words::rounded,
    },
    allocator::return_large_blocks,
    available::{Available, available},
};
use crate::{
    distribution::{Mono, SizeDistribution},
    pour::{PourOptions, ResolvedPour},
    rearrange::MemoryEstimate,
    request::ResolvedRequest,
};

/// Steps of the search for the diameter below which spheres can be left out: each halves the interval of ln d.
const CUT_STEPS: usize = 24;

/// Returns the memory of a number of spheres of a law.
pub type Estimate<'a> = dyn Fn(f64, &SizeDistribution) -> MemoryEstimate + 'a;

/// The memory that a run needs, by its number of spheres and their sizes.
pub struct Demand<'a> {
    /// Number of spheres, as far as it is known.
    pub spheres: f64,
    /// Volume of the spheres, if their number follows from it.
    pub volume: Option<f64>,
    /// The law of the sizes.
    pub sizes: SizeDistribution,
    /// Number of threads; 0 means one for each core.
    pub threads: usize,
    /// Whether checkpoints are written.
    pub has_checkpoints: bool,
    /// Returns the memory of a number of spheres of a law.
    pub estimate: Box<Estimate<'a>>,
}

impl<'a> Demand<'a> {
    /// Returns the need of a packing. The processes of this machine hold together `share` of the spheres; 1 without other machines.
    pub fn of_request(request: &'a ResolvedRequest, share: f64, has_checkpoints: bool) -> Self {
        let options = request.options();
        Self {
            spheres: request.expected_spheres(),
            volume: request.volume(),
            sizes: request.sizes().distribution(),
            threads: options.threads,
            has_checkpoints,
            estimate: Box::new(move |count, law| options.estimated_memory(count * share, law)),
        }
    }

    /// Returns the need of a deposition.
    pub fn of_pour(request: &'a ResolvedPour, has_checkpoints: bool) -> Self {
        Self {
            spheres: request.expected_spheres(),
            volume: request.volume(),
            sizes: request.sizes().distribution(),
            threads: 1,
            has_checkpoints,
            estimate: Box::new(|count, _| PourOptions::estimated_memory(count)),
        }
    }

    /// Returns the need of a run that is continued from a checkpoint. No law takes more memory for each sphere than equal spheres.
    ///
    /// # Errors
    /// None: the diameter of the equal spheres is 1.
    pub fn of_continued(
        spheres: usize,
        threads: usize,
        estimate: impl Fn(f64, &SizeDistribution) -> MemoryEstimate + 'a,
    ) -> Result<Self> {
        Ok(Self {
            spheres: spheres as f64,
            volume: None,
            sizes: Mono::new(1.0)?.into(),
            threads,
            has_checkpoints: true,
            estimate: Box::new(estimate),
        })
    }

    /// Rejects more spheres than the memory holds, and lets large packings take no more memory than they need. If the number of spheres
    /// follows from their volume, the message also names a diameter: without the spheres below it, the memory holds the others.
    /// `advice` turns the diameter into the words of the interface that cuts there.
    ///
    /// # Errors
    /// One sentence with the memory that the spheres need, the memory that is available, and the number of spheres that it holds.
    pub fn prepare(&self, advice: impl Fn(&str) -> String) -> Result<()> {
        let checked = check(self.spheres, self.threads, |count| {
            self.needed(count, &self.sizes)
        });
        let Err(error) = checked else {
            if self.spheres >= MANY_SPHERES {
                return_large_blocks();
            }
            return Ok(());
        };
        let (Some(volume), Some(available)) = (self.volume, available(self.threads)) else {
            return Err(error);
        };
        let fits = |law: &SizeDistribution| {
            self.needed(volume / law.mean_volume(), law) <= available.bytes
        };
        let Some(Fitting { diameter, law }) = fitting_cut(&self.sizes, fits) else {
            return Err(error);
        };
        let [left_out, _] = (self.sizes).mass_below_and_above(Some(diameter.parse()?), None);
        bail!(
            "{error}; {} keeps {} spheres and {} % of the mass",
            advice(&diameter),
            whole(rounded_down(volume / law.mean_volume())),
            rounded(100.0 * (1.0 - left_out), 3)
        );
    }

    /// Returns the memory in bytes that the run needs, which is compared with the available memory.
    pub fn total(&self) -> f64 {
        self.needed(self.spheres, &self.sizes)
    }

    fn checkpoint(&self, estimate: &MemoryEstimate) -> f64 {
        if self.has_checkpoints {
            estimate.checkpoint
        } else {
            0.0
        }
    }

    /// Returns the memory in bytes without which a run of `count` spheres fails.
    fn needed(&self, count: f64, law: &SizeDistribution) -> f64 {
        let estimate = (self.estimate)(count, law);
        let spare = if count < MANY_SPHERES {
            estimate.spare
        } else {
            0.0
        };
        estimate.needed + spare + self.checkpoint(&estimate)
    }
}

/// A distribution without the spheres below a diameter, which has two digits.
struct Fitting {
    diameter: String,
    law: SizeDistribution,
}

/// Returns the distribution with the smallest cut that fits, about.
fn fitting_cut(
    sizes: &SizeDistribution,
    fits: impl Fn(&SizeDistribution) -> bool,
) -> Option<Fitting> {
    let (mut low, mut high) = (sizes.d_min(), sizes.d_max());
    for _ in 0..CUT_STEPS {
        let middle = low.sqrt() * high.sqrt();
        if sizes.cut(Some(middle), None).is_ok_and(|law| fits(&law)) {
            high = middle;
        } else {
            low = middle;
        }
    }
    let unit = 10f64.powf(high.log10().floor() - 1.0);
    let diameter = rounded((high / unit).ceil() * unit, 2);
    let law = sizes.cut(Some(diameter.parse().ok()?), None).ok()?;
    fits(&law).then_some(Fitting { diameter, law })
}

/// Rejects `count` spheres that need more than the available memory, on `threads` threads (0 means one for each core). `bytes`
/// returns the need of a number of spheres.
pub fn check(count: f64, threads: usize, bytes: impl Fn(f64) -> f64) -> Result<()> {
    check_against(available(threads), count, bytes)
}

/// Rejects work that needs more than the available memory. The message calls it `what`, and ends with `advice`.
pub fn check_work(what: &str, needed: f64, threads: usize, advice: &str) -> Result<()> {
    match shortage(available(threads), needed) {
        None => Ok(()),
        Some((_, shortage)) => bail!("{what} needs {shortage}; {advice}"),
    }
}

/// Returns the available memory, and words for it and for a need that exceeds it.
fn shortage(available: Option<Available>, needed: f64) -> Option<(f64, String)> {
    let Available { bytes: free, limit } = available.filter(|it| it.bytes < needed)?;
    let words = format!(
        "about {} of memory, but only {} are available ({limit})",
        amount(needed),
        amount(free),
    );
    Some((free, words))
}

fn check_against(
    available: Option<Available>,
    count: f64,
    bytes: impl Fn(f64) -> f64,
) -> Result<()> {
    let Some((free, shortage)) = shortage(available, bytes(count)) else {
        return Ok(());
    };
    let fitting = match largest_fitting(free, count, bytes) {
        0.0 => "no sphere fits".to_owned(),
        1.0 => "at most 1 sphere fits".to_owned(),
        number => format!("at most {number} spheres fit"),
    };
    bail!("{} spheres need {shortage}; {fitting}", whole(count));
}

/// Returns the largest number of spheres below `count` that need at most `free` bytes, rounded down to two digits.
fn largest_fitting(free: f64, count: f64, bytes: impl Fn(f64) -> f64) -> f64 {
    // The need is a straight line nearly everywhere.
    let none = bytes(0.0);
    let on_the_line = |number: f64| number * (free - none).max(0.0) / (bytes(number) - none);
    let mut number = rounded_down(on_the_line(count));
    while number > 0.0 && bytes(number) > free {
        number = rounded_down(on_the_line(number).min(number - 1.0));
    }
    number
}

/// Returns a number rounded down to two significant digits.
fn rounded_down(number: f64) -> f64 {
    if number < 100.0 {
        return number.floor();
    }
    let unit = 10f64.powf(number.log10().floor() - 1.0);
    ((number / unit).floor() * unit).round()
}

/// Returns a number of bytes as text.
pub fn amount(bytes: f64) -> String {
    if bytes < 0.1 * GIB {
        format!("{} MiB", rounded(bytes / MIB, 3))
    } else {
        format!("{} GiB", rounded(bytes / GIB, 3))
    }
}

/// Returns a whole number as text, in powers of ten if it is very large.
fn whole(count: f64) -> String {
    if count < 1e15 {
        format!("{count:.0}")
    } else {
        rounded(count, 3)
    }
}

#[cfg(test)]
mod tests {
    use super::{super::available::Limit, *};

    fn refusal(free: f64, count: f64) -> Option<String> {
        let available = Available {
            bytes: free,
            limit: Limit::ControlGroup,
        };
        let bytes = |count| 1e7 + 300.0 * count;
        let result = check_against(Some(available), count, bytes);
        result.err().map(|error| error.to_string())
    }

    #[test]
    fn a_refusal_states_the_need_the_limit_and_the_largest_number() {
        assert_eq!(
            refusal(2e10, 1e9).unwrap(),
            "1000000000 spheres need about 279 GiB of memory, but only 18.6 GiB are available (limit of the control group); \
             at most 66000000 spheres fit"
        );
        assert_eq!(
            refusal(1e7 + 310.0, 1e5).unwrap(),
            "100000 spheres need about 38.1 MiB of memory, but only 9.54 MiB are available (limit of the control group); \
             at most 1 sphere fits"
        );
        assert!(refusal(1e6, 1e5).unwrap().ends_with("; no sphere fits"));
        assert_eq!(refusal(2e10, 66e6), None);
    }

    #[test]
    fn the_largest_number_fits_where_the_need_is_no_straight_line() {
        // Below a million spheres, each sphere needs more.
        let bytes = |count: f64| count * if count < 1e6 { 500.0 } else { 300.0 };
        for free in [2e8, 2.9e8, 3e8, 4e8, 6e8] {
            let number = largest_fitting(free, 1e8, bytes);
            assert!(bytes(number) <= free && number > 0.9 * free / 500.0);
        }
    }

    #[test]
    fn numbers_are_rounded_down_to_two_digits() {
        for (number, expected) in [
            (0.9, 0.0),
            (99.9, 99.0),
            (100.0, 100.0),
            (129.0, 120.0),
            (999_999.0, 990_000.0),
            (63_999_999.0, 63_000_000.0),
        ] {
            assert_eq!(rounded_down(number), expected);
        }
    }

    #[test]
    fn the_named_cut_has_two_digits_and_is_the_smallest_that_fits() {
        let law: SizeDistribution = crate::distribution::Fuller::new(0.01, 16.0, 0.5)
            .unwrap()
            .into();
        // The mean volume of the cut law must exceed that of spheres of diameter 1.
        let fits = |law: &SizeDistribution| law.raw_moment(3) >= 1.0;
        let found = fitting_cut(&law, fits).unwrap();
        let diameter: f64 = found.diameter.parse().unwrap();
        assert!(fits(&found.law) && found.law.d_min() == diameter);
        assert!(!fits(&law.cut(Some(0.9 * diameter), None).unwrap()));
        assert!(found.diameter.trim_start_matches(['0', '.']).len() <= 2);
        assert!(fitting_cut(&law, |_| false).is_none());
    }
}
