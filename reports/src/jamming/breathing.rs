//! The densest jammed packings of a power law: exchanges and breathing radii.

use jostle::analysis::Analysis;

use super::{
    markdown,
    mean::Mean,
    outcome::Outcome,
    packings::{Request, analyses, backbone, crystal_share, mean_of, percent},
    text,
};

/// Rates of exchanges and shares of breathing.
const MOVES: [[&str; 2]; 4] = [
    ["off", "off"],
    ["auto", "off"],
    ["off", "auto"],
    ["auto", "auto"],
];

/// The packing fraction of Hoy 2025.
const PUBLISHED: f64 = 0.747;

/// Returns the section.
pub fn section() -> Outcome<String> {
    let (mut lines, mut best) = (Vec::new(), 0.0f64);
    for (effort, [exchange, breathe]) in [1.0, 2.0]
        .into_iter()
        .flat_map(|effort| MOVES.map(|moves| (effort, moves)))
    {
        let mut request =
            Request::new("power-law:exponent=-3,d_min=1,d_max=5.9", 4_000, 3).effort(effort)?;
        request.options = request
            .options
            .exchange(exchange.parse()?)
            .breathe(breathe.parse()?);
        let jammed = request.jammed()?;
        let [bearing, loose] = backbone(jammed.iter().map(|jammed| &jammed.packing))?;
        let analyses = analyses(&jammed)?;
        let mean = |value: &dyn Fn(&Analysis) -> f64| {
            Mean::of(&Vec::from_iter(analyses.iter().map(value)))
        };
        let sizes =
            |cells: usize| mean(&|analysis| analysis.homogeneity[cells].sizes.unwrap_or(f64::NAN));
        let fraction = mean(&|analysis| analysis.packing_fraction);
        best = best.max(fraction.value);
        lines.push(vec![
            effort.to_string(),
            exchange.to_owned(),
            breathe.to_owned(),
            mean_of(&jammed, |jammed| jammed.before.packing_fraction()).describe(),
            fraction.describe(),
            format!("{:.3} ± {:.3}", bearing.value, bearing.error),
            percent(loose),
            format!("{:.2} ± {:.2}", sizes(0).value, sizes(0).error),
            format!("{:.2} ± {:.2}", sizes(1).value, sizes(1).error),
            percent(mean(&crystal_share)),
        ]);
    }
    let header = [
        "effort",
        "exchange",
        "breathe",
        "φ before",
        "φ jammed",
        "contacts",
        "rattlers",
        "z-score in 2³ cells",
        "z-score in 4³ cells",
        "crystal-like spheres",
    ];
    let reached = if best >= PUBLISHED {
        "reaches"
    } else {
        "does not reach"
    };
    Ok(format!(
        "{}{}\nThe densest row, {best:.4}, {reached} the published {PUBLISHED}.\n",
        text::BREATHING,
        markdown::table(&header, lines)
    ))
}
