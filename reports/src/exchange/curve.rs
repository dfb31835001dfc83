//! Packing fraction and time over the effort, with and without exchanges.

use jostle::{Effort, PackOptions, pack, rearrange::ExchangeRate};

use super::{markdown, mixtures::Mixture, outcome::Outcome, statistics::Sample};

/// Efforts of the points of a curve.
const EFFORTS: [f64; 5] = [0.0, 0.5, 1.0, 1.5, 2.0];

/// Rates of the second table.
const RATES: [f64; 7] = [0.0, 0.01, 0.03, 0.12, 0.3, 1.0, 3.0];

/// Packings of each point, with different seeds.
const SEEDS: u64 = 5;

/// Medians over the seeds.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    pub packing_fraction: f64,
    pub seconds: f64,
}

/// The points of one mixture by effort.
pub struct Curves {
    pub without: Vec<Point>,
    pub with: Vec<Point>,
}

impl Curves {
    /// Packs a mixture with each effort, without exchanges and with the rate `auto` in turn.
    pub fn measure(mixture: Mixture) -> Outcome<Self> {
        let radii = mixture.radii()?;
        let mut curves = Self {
            without: Vec::new(),
            with: Vec::new(),
        };
        for effort in EFFORTS {
            let found = points(&radii, effort, &[ExchangeRate::OFF, ExchangeRate::AUTO])?;
            curves.without.push(found[0]);
            curves.with.push(found[1]);
            eprintln!("{}, effort {effort}", mixture.title);
        }
        Ok(curves)
    }

    /// Returns the table of the points.
    pub fn table(&self) -> String {
        let rows = EFFORTS.iter().zip(&self.without).zip(&self.with);
        let rows = rows.map(|((effort, without), with)| {
            vec![
                effort.to_string(),
                format!("{:.4}", without.packing_fraction),
                format!("{:.4}", with.packing_fraction),
                format!("{:+.4}", with.packing_fraction - without.packing_fraction),
                format!("{:.2} s", without.seconds),
                format!("{:.2}", with.seconds / without.seconds),
            ]
        });
        let header = [
            "effort",
            "φ without",
            "φ with",
            "gain",
            "time without",
            "time with / without",
        ];
        markdown::table(&header, rows)
    }
}

/// Returns a table of all mixtures by exchange rate, at normal effort.
pub fn by_rate(mixtures: &[Mixture]) -> Outcome<String> {
    let header: Vec<String> = std::iter::once("φ (time / time at rate 0)".to_owned())
        .chain(RATES.map(|rate| rate.to_string()))
        .collect();
    let mut rows = Vec::new();
    for mixture in mixtures {
        let rates = RATES.map(ExchangeRate::try_from).into_iter();
        let rates: Vec<ExchangeRate> = rates.collect::<Result<_, _>>()?;
        let points = points(&mixture.radii()?, f64::from(Effort::NORMAL), &rates)?;
        let first = points[0].seconds;
        let cell = |point: Point| {
            format!(
                "{:.4} ({:.2})",
                point.packing_fraction,
                point.seconds / first
            )
        };
        let mut row = vec![mixture.title.to_owned()];
        row.extend(points.into_iter().map(cell));
        rows.push(row);
        eprintln!("{} by rate", mixture.title);
    }
    Ok(markdown::table(&header, rows))
}

/// Packs spheres with each rate in turn, seed after seed, and returns the medians by rate.
fn points(radii: &[f64], effort: f64, rates: &[ExchangeRate]) -> Outcome<Vec<Point>> {
    let mut samples = vec![[Sample::default(), Sample::default()]; rates.len()];
    for seed in 0..SEEDS {
        for (&rate, [fractions, seconds]) in rates.iter().zip(&mut samples) {
            let options = PackOptions::default()
                .effort(Effort::try_from(effort)?)
                .exchange(rate)
                .seed(seed)
                .threads(1);
            let run = pack(radii, &options)?;
            fractions.add(run.packing.packing_fraction());
            seconds.add(run.elapsed.as_secs_f64());
        }
    }
    let point = |[fractions, seconds]: [Sample; 2]| Point {
        packing_fraction: fractions.median(),
        seconds: seconds.median(),
    };
    Ok(samples.into_iter().map(point).collect())
}
