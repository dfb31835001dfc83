//! The sentences of the page.

use jostle::rearrange::ExchangeRate;

use super::{
    mixtures::SPHERES,
    statistics::CRITICAL,
    structure::{CONTACT, SEEDS},
};

/// Returns the beginning of the page.
pub fn head(picture: &str) -> String {
    format!(
        "# Exchange moves

Written by `cargo run --release -p reports -- exchange`.

[exchanges.md](../method/exchanges.md) defines exchanges and their rate: the number of attempts per sphere and sweep. `--exchange auto`
is the rate {auto}.

![Packing fraction against time](../{picture})

## Packing fraction against time

{SPHERES} spheres in a periodic cube, one thread, rate `auto`, medians of five seeds. Runs without and with exchanges alternate.
Times belong to the machine that wrote this page; φ, the packing fraction, is the same on every machine for the same version of jostle.
",
        auto = f64::from(ExchangeRate::AUTO),
    )
}

/// The beginning of the section about rates.
pub const RATE: &str = "
## Packing fraction by rate

Normal effort, medians of five seeds; in parentheses the time as a multiple of that without exchanges.
";

/// Returns the beginning of the section about the structure.
pub fn structure() -> String {
    format!(
        "
## Structure

Each cell shows mean and standard error of {SEEDS} packings with different seeds, and Welch's t against rate 0. The sign ≠
marks |t| > {CRITICAL}: with this limit, a difference is found by mere chance in 5 % of the columns of twelve structural quantities.
A true difference of 4.2 standard errors (of the difference) is found with a probability of 80 %. Spheres are in contact if their
gap is at most {CONTACT} of the smaller diameter. The z-score is the root mean square of the deviations of the mean ln r in the
cells of the container, in units of the deviation of randomly distributed sizes: 1 is random, and more than 1 is segregated.
The partial g(r) are means up to 1.5 times the median diameter by volume, which divides small from large.

[exchanges.md](../method/exchanges.md#rate) explains how these tables decide on the rate `auto`.
"
    )
}
