//! Random requests.

use std::time::Duration;

use jostle::{
    Boundaries, Boundary, Container, Effort, IndexKind, PackOptions, Target,
    distribution::{Sampling, predicted_packing_fraction},
    glam::DVec3,
    io::Format,
    rearrange::ExchangeRate,
    total_volume,
};
use serde::Serialize;
use strum::VariantArray;

use super::{random::Random, sizes::Sizes};

/// Largest number of spheres.
const MOST_SPHERES: u64 = 20_000;

/// Largest number of spheres with an effort above 0.5.
const MOST_WITH_EFFORT: usize = 1_000;

/// A random request before its diameters are drawn.
#[derive(Clone, Debug, Serialize)]
pub struct SampleRequest {
    pub sizes: Sizes,
    pub count: u64,
    /// Whether the sample has a volume, that of `count` mean spheres, instead of a number.
    pub by_volume: bool,
    pub sampling: Sampling,
    pub seed: u64,
}

/// The options of a random request, and the treatment of its run.
#[derive(Clone, Debug, Serialize)]
pub struct RunRequest {
    pub options: PackOptions,
    /// Sweep after which the observer ends the run.
    pub interruption: Option<u64>,
    pub again: Again,
    /// Format of the file that is written and read back, by its extension.
    pub format: String,
}

/// A second run of the request, which must make the same packing.
#[derive(Clone, Debug, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Again {
    No,
    /// Stops at checkpoints after these shares of the sweeps, and continues with another number of threads.
    Resumed {
        shares: Vec<f64>,
        threads: usize,
    },
    /// Uses another index and another number of threads.
    Repeated {
        index: IndexKind,
        threads: usize,
    },
}

impl Again {
    pub fn name(&self) -> &'static str {
        match self {
            Self::No => "no",
            Self::Resumed { .. } => "continued from checkpoints",
            Self::Repeated { .. } => "another index, other threads",
        }
    }
}

impl SampleRequest {
    pub fn draw(random: &mut Random) -> Self {
        Self {
            sizes: Sizes::draw(random),
            count: random.count(1, MOST_SPHERES),
            by_volume: random.chance(0.15),
            sampling: random.pick(Sampling::VARIANTS),
            seed: random.bits() >> 32,
        }
    }
}

impl RunRequest {
    pub fn draw(random: &mut Random, radii: &[f64]) -> Self {
        let min_gap = min_gap(random, radii);
        let boundary =
            Boundaries([(); 3].map(|()| random.pick(&[Boundary::Periodic, Boundary::Wall])));
        let boundary = random.pick(&[boundary, boundary, Boundaries::PERIODIC, Boundaries::WALLS]);
        let (container, target) = size(random, radii, boundary, min_gap);
        let mut options = PackOptions::default()
            .container(container)
            .min_gap(min_gap)
            .target(target)
            .effort(effort(random, radii.len()))
            .exchange(exchange(random))
            .index(random.pick(IndexKind::ALL))
            .seed(random.bits() >> 32)
            .threads(random.pick(&[1, 2, 3]));
        if random.chance(0.15) {
            options = options.max_sweeps(random.count(1, 400));
        }
        let interruption = random.chance(0.12).then(|| random.count(1, 300));
        let mut again = again(random);
        if random.chance(0.03) {
            // The end of such a run depends on the speed of the machine.
            options = options.time_limit(Duration::from_millis(random.count(1, 100)));
            again = Again::No;
        }
        let formats = Format::VARIANTS.iter();
        let readable: Vec<Format> = formats
            .copied()
            .filter(|format| format.is_readable() && format.is_exact())
            .collect();
        Self {
            options,
            interruption,
            again,
            format: random.pick(&readable).to_string(),
        }
    }
}

fn min_gap(random: &mut Random, radii: &[f64]) -> f64 {
    let mean = 2.0 * radii.iter().sum::<f64>() / radii.len() as f64;
    if random.chance(0.65) {
        0.0
    } else if random.chance(0.95) {
        mean * random.log_uniform(1e-6, 2.0)
    } else {
        mean * random.log_uniform(2.0, 100.0)
    }
}

fn effort(random: &mut Random, count: usize) -> Effort {
    let most = if count <= MOST_WITH_EFFORT && random.chance(0.2) {
        1.5
    } else {
        0.5
    };
    let effort = if random.chance(0.1) {
        0.0
    } else {
        random.uniform(0.0, most)
    };
    Effort::try_from(effort).unwrap_or_default()
}

fn exchange(random: &mut Random) -> ExchangeRate {
    let rate = ExchangeRate::try_from(random.log_uniform(0.01, 5.0)).unwrap_or_default();
    random.pick(&[
        ExchangeRate::OFF,
        ExchangeRate::OFF,
        ExchangeRate::OFF,
        ExchangeRate::AUTO,
        rate,
    ])
}

fn again(random: &mut Random) -> Again {
    let threads = random.pick(&[1, 2, 3]);
    if random.chance(0.35) {
        let mut shares: Vec<f64> = (0..random.count(1, 4))
            .map(|_| random.uniform(0.0, 1.05))
            .collect();
        shares.sort_by(f64::total_cmp);
        Again::Resumed { shares, threads }
    } else if random.chance(0.4) {
        let index = random.pick(IndexKind::ALL);
        Again::Repeated { index, threads }
    } else {
        Again::No
    }
}

/// Returns a container and a target within reach, near its limit, or beyond.
fn size(
    random: &mut Random,
    radii: &[f64],
    boundary: Boundaries,
    min_gap: f64,
) -> (Container, Target) {
    let cuboid = |lengths| Container::cuboid(lengths, boundary).expect("lengths are positive");
    if random.chance(0.4) {
        return (cuboid(DVec3::ONE), Target::Densest);
    }
    let enlarged: Vec<f64> = radii.iter().map(|radius| radius + 0.5 * min_gap).collect();
    let predicted = predicted_packing_fraction(&enlarged);
    let fraction = match random.pick(&[0, 0, 0, 1, 1, 2]) {
        0 => random.log_uniform(0.001, predicted),
        1 => predicted * random.uniform(0.9, 1.02),
        _ => random.uniform(predicted, 1.001),
    };
    let volume = total_volume(&enlarged) / fraction;
    if random.chance(0.5) {
        // The requested packing fraction is that of the spheres without the gap.
        let fraction = total_volume(radii) / volume;
        return (cuboid(DVec3::ONE), Target::Fraction(fraction));
    }
    let largest = 2.0 * enlarged.iter().copied().fold(0.0, f64::max);
    (cuboid(lengths(random, volume, largest)), Target::Exact)
}

/// Returns the lengths of a cube, a cuboid, a plate or a needle of about this volume.
fn lengths(random: &mut Random, volume: f64, largest: f64) -> DVec3 {
    let short = match random.pick(&[0, 0, 0, 1, 2]) {
        0 => largest * random.uniform(1.0, 3.0),
        1 => largest * (1.0 + random.log_uniform(1e-9, 1e-2)),
        _ => largest * random.pick(&[0.999_999, 1.0, 1.0, 1.0]),
    };
    let stretch = random.log_uniform(1.0, 4.0);
    let rest = (volume / short).sqrt();
    let [x, y, z] = match random.pick(&["cube", "cuboid", "plate", "needle"]) {
        "cube" => [volume.cbrt(); 3],
        "cuboid" => [stretch, 1.0, 1.0 / stretch].map(|x| x * volume.cbrt()),
        "plate" => [short, rest * stretch, rest / stretch],
        _ => [short, short, rest * rest / short],
    };
    let turned = random.pick(&[[x, y, z], [y, z, x], [z, x, y]]);
    DVec3::from_array(if random.chance(0.9) {
        // A sphere that does not fit is rejected, which would be most requests otherwise.
        turned.map(|length| length.max(short.min(largest * 1.5)))
    } else {
        turned
    })
}
