//! Equal spheres: effort and number of spheres.

use jostle::analysis::Analysis;

use super::{
    markdown,
    mean::Mean,
    numbers::grouped,
    outcome::Outcome,
    packings::{Request, analyses, backbone, crystal_share, mean_of, percent, range},
    text,
};

/// Returns the limit of the structure factor at small wave numbers.
fn limit(analysis: &Analysis) -> f64 {
    let factor = analysis.structure_factor.as_ref();
    factor.and_then(|factor| factor.limit).unwrap_or(f64::NAN)
}

/// Returns the section on efforts.
pub fn by_effort() -> Outcome<String> {
    let (mut lines, mut fractions, mut contacts, mut rattlers) =
        (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    for effort in [0.0, 0.5, 1.0, 1.5, 2.0] {
        let jammed = Request::new("mono:d=1", 4_000, 4)
            .effort(effort)?
            .jammed()?;
        let [bearing, loose] = backbone(jammed.iter().map(|jammed| &jammed.packing))?;
        let analyses = analyses(&jammed)?;
        let mean =
            |value: fn(&Analysis) -> f64| Mean::of(&Vec::from_iter(analyses.iter().map(value)));
        let limit = mean(limit);
        let fraction = mean(|analysis| analysis.packing_fraction);
        lines.push(vec![
            effort.to_string(),
            mean_of(&jammed, |jammed| jammed.before.packing_fraction()).describe(),
            fraction.describe(),
            format!("{:.3} ± {:.3}", bearing.value, bearing.error),
            percent(loose),
            limit.describe(),
            percent(mean(crystal_share)),
        ]);
        fractions.push(fraction);
        contacts.push(bearing);
        rattlers.push(loose);
    }
    let header = [
        "effort",
        "φ before",
        "φ jammed",
        "contacts",
        "rattlers",
        "S(k → 0)",
        "crystal-like spheres",
    ];
    let [[loosest, densest], [fewest, most], [least, greatest]] =
        [&fractions, &contacts, &rattlers].map(|means| range(means.iter().copied()));
    let isostatic = if fewest > 5.97 && most < 6.03 {
        "All packings are isostatic within 0.03 contacts"
    } else {
        "Not all packings are isostatic within 0.03 contacts"
    };
    let published = if least >= 0.01 && greatest <= 0.025 {
        "as in published packings"
    } else {
        "which is not the published range everywhere"
    };
    Ok(format!(
        "{}{}{}{isostatic}: {fewest:.3} to {most:.3}. Rattlers are {:.1} to {:.1} %, {published}. The packing fraction is {loosest:.4} to \
         {densest:.4}: there is no single density of jamming, because slower growth ends denser.\n",
        text::EQUAL,
        markdown::table(&header, lines),
        text::PUBLISHED,
        100.0 * least,
        100.0 * greatest,
    ))
}

/// Returns the section on the number of spheres.
pub fn by_number() -> Outcome<String> {
    let (mut lines, mut fractions) = (Vec::new(), Vec::new());
    for (spheres, seeds) in [(500, 16), (1_000, 8), (2_000, 8), (4_000, 4), (8_000, 2)] {
        let jammed = Request::new("mono:d=1", spheres, seeds).jammed()?;
        let [bearing, loose] = backbone(jammed.iter().map(|jammed| &jammed.packing))?;
        let fraction = mean_of(&jammed, |jammed| jammed.packing.packing_fraction());
        let backbone = spheres as f64 * (1.0 - loose.value);
        lines.push(vec![
            grouped(spheres),
            seeds.to_string(),
            fraction.describe(),
            format!("{:.4} ± {:.4}", bearing.value, bearing.error),
            format!("{:.4}", 6.0 - 6.0 / backbone),
            percent(loose),
        ]);
        fractions.push(fraction);
    }
    let header = [
        "spheres",
        "packings",
        "φ jammed",
        "contacts",
        "6 − 6/n",
        "rattlers",
    ];
    let [least, most] = range(fractions.into_iter());
    Ok(format!(
        "{}{}\nThe packing fraction varies by {:.4} over these numbers.\n",
        text::NUMBER,
        markdown::table(&header, lines),
        most - least
    ))
}
