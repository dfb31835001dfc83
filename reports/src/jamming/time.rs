//! The time of jamming.

use super::{
    markdown,
    numbers::grouped,
    outcome::Outcome,
    packings::{Backbone, Request},
    text,
};

const SIZES: [(&str, &str, usize); 4] = [
    ("equal", "mono:d=1", 4_000),
    ("equal", "mono:d=1", 10_000),
    (
        "f(r) ∝ r⁻³, ratio 10",
        "power-law:exponent=-3,d_min=1,d_max=10",
        4_000,
    ),
    ("Fuller, ratio 16", "fuller:d_min=1,d_max=16", 2_000),
];

/// Returns the section.
pub fn section() -> Outcome<String> {
    let mut lines = Vec::new();
    for (title, sizes, spheres) in SIZES {
        let mut rows = Vec::new();
        for seed in 1..=3 {
            let mut request = Request::new(sizes, spheres, 1);
            request.options = request.options.seed(seed);
            let (seconds, packing) = request.seconds()?;
            rows.push((seconds, Backbone::of(&packing)?));
        }
        rows.sort_by(|(a, _), (b, _)| (a[1] - a[0]).total_cmp(&(b[1] - b[0])));
        let ([before, with], backbone) = rows[1];
        lines.push(vec![
            title.to_owned(),
            grouped(spheres),
            format!("{before:.2} s"),
            format!("{:.2} s", with - before),
            format!("{:.1}", with / before),
            format!("{:.3}", backbone.contacts),
        ]);
    }
    let header = [
        "sizes",
        "spheres",
        "time before",
        "time of jamming",
        "with / without jamming",
        "contacts",
    ];
    Ok(text::TIME.to_owned() + &markdown::table(&header, lines))
}
