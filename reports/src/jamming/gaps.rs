//! Contact numbers by the largest gap of a contact, before and after jamming.

use jostle::{
    Packing,
    analysis::{Contacts, mean_backbone, rattlers},
};

use super::{
    markdown,
    mean::Mean,
    outcome::Outcome,
    packings::{Request, percent, range},
    text,
};

/// Largest gaps of a contact, in diameters.
const TOLERANCES: [f64; 7] = [1e-6, 3e-6, 1e-5, 3e-5, 1e-4, 3e-4, 1e-3];

/// Returns the section.
pub fn section() -> Outcome<String> {
    let jammed = Request::new("mono:d=1", 4_000, 4).jammed()?;
    let (mut lines, mut flat) = (Vec::new(), Vec::new());
    let mut falling = Vec::new();
    for tolerance in TOLERANCES {
        let before = contacts(jammed.iter().map(|jammed| &jammed.before), tolerance)?;
        let after = contacts(jammed.iter().map(|jammed| &jammed.packing), tolerance)?;
        let cells = [before, after].map(|[all, backbone, loose]| {
            let text = |mean: Mean| format!("{:.3} ± {:.3}", mean.value, mean.error);
            [text(all), text(backbone), percent(loose)]
        });
        lines.push([vec![tolerance.to_string()], cells.concat()].concat());
        falling.push(before[0]);
        flat.push(after[0]);
    }
    let header = [
        "largest gap [d]",
        "contacts before",
        "without rattlers",
        "rattlers",
        "contacts jammed",
        "without rattlers",
        "rattlers",
    ];
    // Up to 10⁻⁴, before the neighbors that nearly touch count.
    let [before, after] = [&falling, &flat].map(|means| {
        let [least, most] = range(means[..5].iter().copied());
        most - least
    });
    Ok(format!(
        "{}{}\nFrom a gap of 10⁻⁶ to one of 10⁻⁴, the contact number changes by {before:.2} before jamming, and by {after:.2} after it.\n",
        text::GAPS,
        markdown::table(&header, lines)
    ))
}

/// Returns the means of the contacts of all spheres, of those without rattlers, and of the share of rattlers.
fn contacts<'a>(packings: impl Iterator<Item = &'a Packing>, tolerance: f64) -> Outcome<[Mean; 3]> {
    let mut columns: [Vec<f64>; 3] = Default::default();
    for packing in packings {
        let contacts = Contacts::new(packing.spheres(), packing.container(), tolerance)?;
        let loose = rattlers(&contacts);
        let loose = loose.iter().filter(|&&rattles| rattles).count();
        let values = [
            contacts.mean(),
            mean_backbone(&contacts),
            loose as f64 / contacts.len() as f64,
        ];
        columns
            .iter_mut()
            .zip(values)
            .for_each(|(column, value)| column.push(value));
    }
    Ok(columns.map(|column| Mean::of(&column)))
}
