//! Jammed disks of two sizes, beside a limit at high skewness and a line in the third virial coefficient.

use std::f64::consts::PI;

use super::{
    jammed_disks::{JammedDisks, radii},
    markdown,
    mean::{Mean, line},
    numbers::signed,
    outcome::Outcome,
    text,
};

/// Standard deviations of the radii in means.
const DELTAS: [f64; 3] = [0.2, 0.4, 0.6];

/// Skewness of the radii.
const SKEWNESS: [f64; 6] = [-2.0, -1.0, 0.0, 1.0, 2.0, 3.0];

/// Largest size ratio: many small disks between few large ones would be rattlers.
const LARGEST_RATIO: f64 = 5.0;

const DISKS: usize = 1000;
const SEEDS: u64 = 4;

/// Third virial coefficient of equal disks over the square of their area, 16/3 − 4 √3/π.
const EQUAL: f64 = 3.128_017_75;

/// Points of the integral over the distance of two disks: its relative error is below 10⁻⁶ for equal disks.
const POINTS: u32 = 1000;

/// Disks of two diameters, 1 and `ratio`.
struct Mixture {
    ratio: f64,
    /// Share of the number that the large disks have.
    large: f64,
}

impl Mixture {
    /// Returns the mixture with a standard deviation δ in means and a skewness S; `None` beyond the largest size ratio.
    ///
    /// With a share p of large disks, S = (1 − 2p) / √(p (1 − p)) and δ = (ratio − 1) √(p (1 − p)) / (1 + p (ratio − 1)).
    fn with(delta: f64, skewness: f64) -> Option<Self> {
        let large = (1.0 - skewness / (4.0 + skewness * skewness).sqrt()) / 2.0;
        let spread = (large * (1.0 - large)).sqrt();
        let ratio = 1.0 + delta / (spread - delta * large);
        (1.0..=LARGEST_RATIO)
            .contains(&ratio)
            .then_some(Self { ratio, large })
    }

    fn law(&self) -> String {
        let Self { ratio, large } = self;
        let small = 1.0 - large;
        format!("bidisperse:d_small=1,d_large={ratio},number_small={small}")
    }

    /// Returns the third virial coefficient B₃ over the square of the mean area; 16/3 − 4 √3/π for equal disks.
    fn third_virial(&self) -> f64 {
        let diameters = [1.0, self.ratio];
        let shares = [1.0 - self.large, self.large];
        let areas = [0, 1].map(|i| shares[i] * PI / 4.0 * diameters[i] * diameters[i]);
        let mut sum = 0.0;
        for triple in 0..8 {
            let [i, j, k] = [triple & 1, triple >> 1 & 1, triple >> 2];
            let mean = |a: usize, b: usize| (diameters[a] + diameters[b]) / 2.0;
            let share = shares[i] * shares[j] * shares[k];
            sum += share * cluster(mean(i, j), mean(i, k), mean(j, k));
        }
        sum / (areas[0] + areas[1]).powi(2)
    }
}

/// Returns the third virial coefficient of three disks whose distances of contact are `a`, `b` and `c`: a third of the integral, over the
/// plane, of the area where the third disk overlaps two that overlap each other.
fn cluster(a: f64, b: f64, c: f64) -> f64 {
    let width = a / f64::from(POINTS);
    let middles = (0..POINTS).map(|point| (f64::from(point) + 0.5) * width);
    2.0 * PI / 3.0 * width * middles.map(|r| r * common_area(r, b, c)).sum::<f64>()
}

/// Returns the area that two circles of radii `a` and `b` at a distance have in common.
fn common_area(distance: f64, a: f64, b: f64) -> f64 {
    if distance >= a + b {
        return 0.0;
    }
    if distance <= (a - b).abs() {
        return PI * a.min(b).powi(2);
    }
    let x = (distance * distance + a * a - b * b) / (2.0 * distance);
    let segment = |radius: f64, x: f64| {
        radius * radius * (x / radius).acos() - x * (radius * radius - x * x).sqrt()
    };
    segment(a, x) + segment(b, distance - x)
}

/// A measured mixture.
struct Row {
    mixture: Mixture,
    delta: f64,
    skewness: f64,
    virial: f64,
    jammed: usize,
    fraction: Mean,
    order: Mean,
}

/// Returns the section.
pub fn section() -> Outcome<String> {
    let mut rows = Vec::new();
    for delta in DELTAS {
        for skewness in SKEWNESS {
            let Some(mixture) = Mixture::with(delta, skewness) else {
                continue;
            };
            let jammed = JammedDisks::pack(&radii(&mixture.law(), DISKS)?, 0.0, SEEDS)?;
            rows.push(Row {
                virial: mixture.third_virial(),
                mixture,
                delta,
                skewness,
                jammed: jammed.packings.len(),
                fraction: jammed.fraction(),
                order: jammed.order()?,
            });
            eprintln!("two sizes of disks, δ = {delta}, S = {skewness}");
        }
    }
    let points = rows.iter().map(|row| [row.virial, row.fraction.value]);
    let [level, slope] = line(&Vec::from_iter(points));
    let predicted = |row: &Row| level + slope * row.virial;
    let differences = rows.iter().map(|row| row.fraction.value - predicted(row));
    let largest = differences.fold(0.0f64, |largest, difference| largest.max(difference.abs()));
    let lines = rows.iter().map(|row| {
        vec![
            format!("{:.1}", row.delta),
            format!("{:.0}", row.skewness),
            format!("{:.2}", row.mixture.ratio),
            format!("{:.3}", row.mixture.large),
            format!("{:.3}", row.virial),
            row.jammed.to_string(),
            row.fraction.describe(),
            signed(row.fraction.value - predicted(row), 4),
            row.order.describe(),
        ]
    });
    let header = [
        "δ",
        "S",
        "size ratio",
        "share of large disks",
        "B₃ / area²",
        "jammed packings",
        "packing fraction",
        "beside the line",
        "mean modulus of ψ₆",
    ];
    let table = markdown::table(&header, lines);
    Ok(format!(
        "{}{table}\nThe line is φ = {level:.3} − {:.3} · B₃ / area²: {:.3} for equal disks. The largest difference is {largest:.4}.\n",
        text::DISK_MIXTURES,
        -slope,
        level + slope * EQUAL
    ))
}
