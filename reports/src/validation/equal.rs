//! Equal spheres: compression rate, contacts, and order.

use jostle::{
    Effort, Packing,
    analysis::{Analysis, AnalysisOptions, Contacts, RadialDistribution, mean_backbone, rattlers},
};

use super::{markdown, mean::Mean, outcome::Outcome, packings::Request, text};

const SPHERES: usize = 10_000;
const SEEDS: u64 = 5;

/// Efforts of the first table.
const EFFORTS: [f64; 5] = [0.0, 0.5, 1.0, 1.5, 2.0];

/// Largest gaps of a contact, in diameters.
const TOLERANCES: [f64; 6] = [1e-4, 3e-4, 1e-3, 2e-3, 3e-3, 1e-2];

/// Bins of g(r) for each diameter, and its largest distance in diameters.
const BINS_PER_DIAMETER: usize = 50;
const DIAMETERS: usize = 3;

/// Returns the section.
pub fn section() -> Outcome<String> {
    let mut lines = Vec::new();
    let mut last = Vec::new();
    for effort in EFFORTS {
        let request = Request {
            effort: Effort::try_from(effort)?,
            seeds: SEEDS,
            ..Request::new("mono:d=1", SPHERES)
        };
        last = request.packings()?;
        lines.push(by_effort(effort, &last)?);
        eprintln!("equal spheres, effort {effort}");
    }
    let header = [
        "effort",
        "relative growth in a sweep",
        "packing fraction",
        "S(k → 0)",
        "crystal-like spheres",
    ];
    let mut page = text::EQUAL.to_owned();
    page += &markdown::table(&header, lines);
    page += text::CONTACTS;
    page += &contacts(&last)?;
    page += &second_peak(&last)?;
    Ok(page)
}

fn by_effort(effort: f64, packings: &[Packing]) -> Outcome<Vec<String>> {
    let options = AnalysisOptions::default().points(1000);
    let analyses: Vec<Analysis> = packings
        .iter()
        .map(|packing| Analysis::new(packing, &options))
        .collect::<Result<_, _>>()?;
    let mean = |value: &dyn Fn(&Analysis) -> f64| {
        Mean::of(&analyses.iter().map(value).collect::<Vec<_>>())
    };
    let limit = |analysis: &Analysis| {
        let factor = analysis.structure_factor.as_ref();
        factor.and_then(|factor| factor.limit).unwrap_or(f64::NAN)
    };
    let crystal = mean(&|analysis| analysis.order.map_or(f64::NAN, |order| order.crystal_share));
    Ok(vec![
        effort.to_string(),
        format!("{:.1e}", 2e-4 * 5f64.powf(1.0 - effort)),
        mean(&|analysis| analysis.packing_fraction).describe(),
        mean(&limit).describe(),
        format!(
            "{:.2} ± {:.2} %",
            100.0 * crystal.value,
            100.0 * crystal.error
        ),
    ])
}

/// Returns contact numbers and rattlers by the largest gap of a contact.
fn contacts(packings: &[Packing]) -> Outcome<String> {
    let mut lines = Vec::new();
    for tolerance in TOLERANCES {
        let (mut all, mut backbone, mut loose) = (Vec::new(), Vec::new(), Vec::new());
        for packing in packings {
            let contacts = Contacts::new(packing.spheres(), packing.container(), tolerance)?;
            let rattlers = rattlers(&contacts)
                .iter()
                .filter(|&&rattles| rattles)
                .count();
            all.push(contacts.mean());
            backbone.push(mean_backbone(&contacts));
            loose.push(100.0 * rattlers as f64 / contacts.len() as f64);
        }
        let describe = |values: &[f64]| {
            let mean = Mean::of(values);
            format!("{:.2} ± {:.2}", mean.value, mean.error)
        };
        lines.push(vec![
            tolerance.to_string(),
            describe(&all),
            describe(&backbone),
            describe(&loose) + " %",
        ]);
    }
    let header = [
        "largest gap [d]",
        "contacts",
        "contacts without rattlers",
        "rattlers",
    ];
    Ok(markdown::table(&header, lines))
}

/// Returns the two maxima of the second peak of g(r), and the minimum between them.
fn second_peak(packings: &[Packing]) -> Outcome<String> {
    let bins = DIAMETERS * BINS_PER_DIAMETER;
    let mut functions = Vec::new();
    for packing in packings {
        let (spheres, container) = (&packing.spheres(), &packing.container());
        functions.push(RadialDistribution::new(
            spheres,
            container,
            DIAMETERS as f64,
            bins,
            &[],
        )?);
    }
    let g = |bin: usize| {
        Mean::of(
            &functions
                .iter()
                .map(|function| function.total()[bin])
                .collect::<Vec<_>>(),
        )
    };
    let bin_of = |r: f64| (r * BINS_PER_DIAMETER as f64) as usize;
    let highest = |from: f64, to: f64| {
        let bins = bin_of(from)..bin_of(to);
        bins.max_by(|&a, &b| g(a).value.total_cmp(&g(b).value))
            .unwrap_or(0)
    };
    let (first, second) = (highest(1.6, 1.85), highest(1.9, 2.1));
    let between = (first..second).min_by(|&a, &b| g(a).value.total_cmp(&g(b).value));
    let middle = |bin: usize| (bin as f64 + 0.5) / BINS_PER_DIAMETER as f64;
    let lines = [
        ("first maximum of the second peak, √3 = 1.732", first),
        ("minimum between the maxima", between.unwrap_or(first)),
        ("second maximum of the second peak, 2", second),
    ];
    let lines = lines.map(|(name, bin)| {
        let height = g(bin);
        vec![
            name.to_owned(),
            format!("{:.2}", middle(bin)),
            format!("{:.3} ± {:.3}", height.value, height.error),
        ]
    });
    Ok(text::PEAK.to_owned() + &markdown::table(&["", "r [d]", "g(r)"], lines))
}
