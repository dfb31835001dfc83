//! The sentences of the page.

use jostle::ExchangeRate;

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

Between two sweeps, pairs of spheres whose radii differ by at most 8 % are drawn anywhere in the container. A pair exchanges its
positions if that lowers its overlap energy, the sum over the neighbors of the square of the overlap times the smaller radius.
The spheres of the result are exactly the requested ones. `--exchange RATE` sets the number of attempts per sphere and sweep;
`--exchange auto` is the rate {auto}. Without the option there are no exchanges: the packing fraction of relocations alone is
what theory and other programs call random close packing. Packings with exchanges are denser than that.

![Packing fraction against time](../{picture})

## Packing fraction against time

{SPHERES} spheres in a periodic cube, one thread, rate `auto`, medians of five seeds. Runs without and with exchanges alternate.
Times belong to the machine that wrote this page; φ, the packing fraction, is the same on every machine.
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

Exchanges make packings that jam at a higher packing fraction. At equal packing fraction they are therefore less compressed than
packings of relocations alone, and have fewer contacts and more rattlers at every rate, however small. Contact numbers cannot
decide which rate is harmless. The rate `auto` is chosen by the other quantities: it is the largest rate of the tables at which the
sizes in 2³ and 4³ cells are mixed as well as without exchanges within these limits, both at equal packing fraction and at equal
effort, and no sphere is more crystal-like. At higher rates, the sizes in cells approach the deviations of random mixtures, and
exceed them in narrow mixtures.
"
    )
}
