//! Narrow distributions beside the formula of Desmond & Weeks.

use super::{comparison, numbers::fixed, outcome::Outcome, packings::Request, text};

const SPHERES: usize = 10_000;

/// Size distributions with a standard deviation of at most 0.4 means.
const SIZES: [(&str, &str); 12] = [
    ("equal", "mono:d=1"),
    ("uniform, 1 to 1.42", "uniform-size:d_min=1,d_max=1.42"),
    ("uniform, 1 to 2.06", "uniform-size:d_min=1,d_max=2.06"),
    ("uniform, 1 to 3.17", "uniform-size:d_min=1,d_max=3.17"),
    ("uniform, 1 to 5.5", "uniform-size:d_min=1,d_max=5.5"),
    ("lognormal, σ = 0.1", "lognormal:d50=1,sigma=0.1"),
    ("lognormal, σ = 0.2", "lognormal:d50=1,sigma=0.2"),
    ("lognormal, σ = 0.3", "lognormal:d50=1,sigma=0.3"),
    (
        "two sizes, 1 : 1.4, half of the mass small",
        "bidisperse:d_small=1,d_large=1.4,mass_small=0.5",
    ),
    (
        "two sizes, 1 : 1.4, a tenth of the mass small",
        "bidisperse:d_small=1,d_large=1.4,mass_small=0.1",
    ),
    (
        "two sizes, 1 : 2, half of the mass small",
        "bidisperse:d_small=1,d_large=2,mass_small=0.5",
    ),
    (
        "two sizes, 1 : 2, 3 % of the mass small",
        "bidisperse:d_small=1,d_large=2,mass_small=0.03",
    ),
];

/// Returns the section.
pub fn section() -> Outcome<String> {
    let mut requests = Vec::new();
    for (title, sizes) in SIZES {
        let request = Request::new(sizes, SPHERES);
        let moments = moments(&request.radii()?);
        let published = desmond_weeks(moments);
        requests.push((titled(title, moments), request, published));
    }
    Ok(text::NARROW.to_owned() + &comparison::table("Desmond & Weeks", requests)?)
}

/// Returns the standard deviation of the radii in means, and their skewness; both are 0 for equal radii.
pub fn moments(radii: &[f64]) -> [f64; 2] {
    let count = radii.len() as f64;
    let mean = radii.iter().sum::<f64>() / count;
    let moment = |power: i32| {
        let powers = radii.iter().map(|radius| (radius / mean - 1.0).powi(power));
        powers.sum::<f64>() / count
    };
    let variance = moment(2);
    if variance < 1e-20 {
        return [0.0, 0.0];
    }
    [variance.sqrt(), moment(3) / variance.powf(1.5)]
}

/// Returns the title of sizes that have these [`moments`].
pub fn titled(title: &str, [delta, skewness]: [f64; 2]) -> String {
    format!("{title} (δ = {delta:.3}, S = {})", fixed(skewness, 2))
}

/// Returns the packing fraction by the formula of Desmond & Weeks.
pub fn desmond_weeks([delta, skewness]: [f64; 2]) -> f64 {
    0.634 + 0.0658 * delta + 0.0857 * skewness * delta * delta
}
