//! Mixtures beside the formula of Desmond & Weeks, and wide mixtures.

use super::{
    markdown,
    numbers::signed,
    outcome::Outcome,
    packings::{Request, backbone, mean_of, percent},
    text,
};
use crate::validation::{desmond_weeks, moments, titled};

const SPHERES: usize = 2_000;

/// Number half and half, 1 : 1.4: the mass share of the small ones is 1 / (1 + 1.4³).
const TWO_SIZES: &str = "bidisperse:d_small=1,d_large=1.4,mass_small=0.2670940171";

/// Size distributions with a standard deviation of at most 0.4 means.
const NARROW: [(&str, &str); 7] = [
    ("equal", "mono:d=1"),
    ("two sizes, 1 : 1.4, number half and half", TWO_SIZES),
    ("uniform, 1 to 1.42", "uniform-size:d_min=1,d_max=1.42"),
    ("uniform, 1 to 2.06", "uniform-size:d_min=1,d_max=2.06"),
    ("uniform, 1 to 5.5", "uniform-size:d_min=1,d_max=5.5"),
    ("lognormal, σ = 0.2", "lognormal:d50=1,sigma=0.2"),
    ("lognormal, σ = 0.3", "lognormal:d50=1,sigma=0.3"),
];

const WIDE: [(&str, &str); 2] = [
    (
        "f(r) ∝ r⁻³, ratio 10",
        "power-law:exponent=-3,d_min=1,d_max=10",
    ),
    ("Fuller, ratio 16", "fuller:d_min=1,d_max=16"),
];

/// Returns the section.
pub fn section() -> Outcome<String> {
    let (mut lines, mut largest, mut deviation) = (Vec::new(), 0.0f64, 0.0f64);
    let narrow = NARROW.iter().map(|sizes| (sizes, true));
    for (&(title, sizes), has_formula) in narrow.chain(WIDE.iter().map(|sizes| (sizes, false))) {
        let request = Request::new(sizes, SPHERES, 3);
        let moments = moments(&request.radii()?);
        let published = desmond_weeks(moments);
        let jammed = request.jammed()?;
        let [bearing, loose] = backbone(jammed.iter().map(|jammed| &jammed.packing))?;
        let fraction = mean_of(&jammed, |jammed| jammed.packing.packing_fraction());
        let difference = fraction.value - published;
        let beside = if has_formula {
            largest = largest.max(difference.abs());
            [format!("{published:.4}"), signed(difference, 4)]
        } else {
            ["–".to_owned(), "–".to_owned()]
        };
        deviation = deviation.max((bearing.value - 6.0).abs());
        let [published, difference] = beside;
        lines.push(vec![
            titled(title, moments),
            published,
            mean_of(&jammed, |jammed| jammed.before.packing_fraction()).describe(),
            fraction.describe(),
            difference,
            format!("{:.3} ± {:.3}", bearing.value, bearing.error),
            percent(loose),
        ]);
    }
    let header = [
        "sizes",
        "Desmond & Weeks",
        "φ before",
        "φ jammed",
        "jammed − formula",
        "contacts",
        "rattlers",
    ];
    Ok(format!(
        "{}{}\nThe largest difference from the formula is {largest:.4}. No contact number differs from 6 by more than {deviation:.3}.\n",
        text::DESMOND_WEEKS,
        markdown::table(&header, lines)
    ))
}
