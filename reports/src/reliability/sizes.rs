//! Random size distributions, as users name them.

use jostle::{SizeSpec, distribution::SizeSpecError};
use serde::Serialize;
use serde_json::json;

use super::random::Random;

/// A size distribution by name.
#[derive(Clone, Debug, Serialize)]
pub struct Sizes {
    /// Kind of law, or `preset`.
    pub law: &'static str,
    /// A preset, an inline law, or the text of a JSON file.
    pub text: String,
}

const LAWS: [&str; 12] = [
    "mono",
    "bidisperse",
    "power-law",
    "uniform-size",
    "uniform-volume",
    "fuller",
    "andreasen",
    "rosin-rammler",
    "lognormal",
    "sieve",
    "classes",
    "preset",
];

impl Sizes {
    /// Draws a law and its parameters. A few combinations of parameters are invalid.
    pub fn draw(random: &mut Random) -> Self {
        let law = random.pick(&LAWS);
        // The unit of most requests is near the diameters, as in practice.
        let largest_exponent = random.pick(&[0.0, 0.0, 0.0, 3.0, 50.0]);
        let unit = 10f64.powf(random.uniform(-largest_exponent, largest_exponent));
        let widest = random.pick(&[1.5, 10.0, 10.0, 100.0, 1000.0]);
        let ratio = random.log_uniform(1.01, widest);
        let range = format!("d_min={unit:e},d_max={:e}", unit * ratio);
        let text = match law {
            "mono" => format!("mono:d={unit:e}"),
            "bidisperse" => format!(
                "bidisperse:d_small={unit:e},d_large={:e},mass_small={}",
                unit * ratio,
                random.uniform(0.001, 0.999)
            ),
            "power-law" => format!("power-law:exponent={},{range}", random.uniform(-7.0, 3.0)),
            "fuller" => {
                let n = random.uniform(0.1, 1.5);
                let classes = random.pick(&["", "", ",classes=", ",classes="]);
                let number = match classes {
                    "" => String::new(),
                    _ => random.count(2, 70).to_string(),
                };
                format!("fuller:{range},n={n}{classes}{number}")
            }
            "andreasen" => format!("andreasen:q={},{range}", random.uniform(0.1, 1.5)),
            "rosin-rammler" => format!(
                "rosin-rammler:d_prime={:e},n={},{range}",
                unit * random.uniform(1.0, ratio),
                random.log_uniform(0.3, 10.0)
            ),
            "lognormal" => lognormal(random, unit),
            "sieve" => sieve(random, unit, ratio),
            "classes" => classes(random, unit, ratio),
            "preset" => {
                let names: Vec<&str> = SizeSpec::presets().map(|(name, _)| name).collect();
                random.pick(&names).to_owned()
            }
            _ => format!("{law}:{range}"),
        };
        Self { law, text }
    }

    /// Reads the size distribution.
    pub fn load(&self) -> Result<SizeSpec, SizeSpecError> {
        if self.text.starts_with('{') {
            SizeSpec::from_json("request.json", &self.text)
        } else {
            SizeSpec::load(&self.text)
        }
    }
}

fn lognormal(random: &mut Random, unit: f64) -> String {
    let sigma = random.log_uniform(0.01, 1.2);
    let by = random.pick(&["", ",by=number", ",by=mass"]);
    if random.chance(0.3) {
        let factor = (1.2816 * sigma).exp();
        return format!(
            "lognormal:d10={:e},d50={unit:e},d90={:e}{by}",
            unit / factor,
            unit * factor
        );
    }
    let bounds = if random.chance(0.5) {
        let [low, high] = [(); 2].map(|()| random.uniform(0.2, 3.0) * sigma);
        format!(
            ",d_min={:e},d_max={:e}",
            unit * (-low).exp(),
            unit * high.exp()
        )
    } else {
        String::new()
    };
    format!("lognormal:d50={unit:e},sigma={sigma}{by}{bounds}")
}

/// Returns a sieve curve with two to ten sieves.
fn sieve(random: &mut Random, unit: f64, ratio: f64) -> String {
    let count = random.count(2, 10) as usize;
    let mut passing: Vec<f64> = (2..count).map(|_| random.uniform(0.0, 100.0)).collect();
    passing.sort_by(f64::total_cmp);
    passing.insert(0, 0.0);
    passing.push(100.0);
    let sieves = diameters(random, unit, ratio, count).zip(passing);
    let interpolation = random.pick(&["log", "linear"]);
    let rows: Vec<[f64; 2]> = sieves.map(|(size, percent)| [size, percent]).collect();
    file(&json!({"sieve": {"interpolation": interpolation, "passing": rows}}))
}

/// Returns one to eight classes.
fn classes(random: &mut Random, unit: f64, ratio: f64) -> String {
    let count = random.count(1, 8) as usize;
    let weights: Vec<f64> = (0..count).map(|_| random.log_uniform(0.01, 1.0)).collect();
    let total: f64 = weights.iter().sum();
    let by = random.pick(&["number", "mass"]);
    let shares: Vec<[f64; 2]> = diameters(random, unit, ratio, count)
        .zip(&weights)
        .map(|(diameter, weight)| [diameter, weight / total])
        .collect();
    file(&json!({"classes": {"by": by, "shares": shares}}))
}

/// Returns rising diameters.
fn diameters(
    random: &mut Random,
    unit: f64,
    ratio: f64,
    count: usize,
) -> impl Iterator<Item = f64> + use<> {
    let mut exponents: Vec<f64> = (0..count).map(|_| random.uniform(0.0, 1.0)).collect();
    exponents.sort_by(f64::total_cmp);
    exponents
        .into_iter()
        .map(move |exponent| unit * ratio.powf(exponent))
}

fn file(law: &serde_json::Value) -> String {
    let document = json!({
        "schema": 1,
        "name": "request",
        "unit": "mm",
        "source": "random",
        "law": law,
    });
    document.to_string()
}
