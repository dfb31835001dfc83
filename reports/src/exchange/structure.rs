//! The structure of packings made with exchanges, compared with packings of relocations alone at equal packing fraction.

use jostle::{
    Effort, PackOptions, Packing,
    analysis::{
        BondOrder, Contacts, Fabric, HOMOGENEITY_CELLS, RadialDistribution, homogeneity,
        mean_backbone, rattlers,
    },
    pack,
    rearrange::ExchangeRate,
};

use super::{
    markdown,
    mixtures::Mixture,
    outcome::Outcome,
    statistics::{CRITICAL, Sample},
};

/// Exchange rates that are compared with the rate 0; the third is `auto`.
const RATES: [f64; 6] = [0.01, 0.03, 0.12, 0.2, 0.3, 1.0];

/// Number of packings of each rate.
pub const SEEDS: u64 = 10;

/// Effort of the packings of relocations alone, for the comparison at equal packing fraction.
const REFERENCE_EFFORT: f64 = 1.5;

/// Largest gap of a contact, as a share of the smaller diameter. Packings of little effort keep gaps of up to 10⁻³ of the
/// larger diameter, which must count as contacts like those of packings of much effort.
pub const CONTACT: f64 = 0.02;

/// Number of seeds and of bisections that determine the effort of equal packing fraction.
const MATCHING_SEEDS: u64 = 3;
const BISECTIONS: usize = 7;

/// The compared quantities.
const QUANTITIES: [&str; 13] = [
    "packing fraction",
    "correlation of ln r of spheres in contact",
    "z-score of mean ln r in 2³ cells",
    "z-score of mean ln r in 4³ cells",
    "z-score of mean ln r in 8³ cells",
    "g(r) of small and small spheres",
    "g(r) of small and large spheres",
    "g(r) of large and large spheres",
    "share of crystal-like spheres",
    "anisotropy of the fabric tensor",
    "contact number",
    "contact number without rattlers",
    "share of rattlers",
];

/// The packings that are compared.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Comparison {
    /// Packings with exchanges take the effort that gives the packing fraction of relocations alone.
    EqualFraction,
    /// All packings have normal effort.
    EqualEffort,
}

/// Returns a table of all quantities of a mixture by exchange rate.
pub fn table(mixture: Mixture, comparison: Comparison) -> Outcome<String> {
    let radii = mixture.radii()?;
    let effort = match comparison {
        Comparison::EqualFraction => REFERENCE_EFFORT,
        Comparison::EqualEffort => f64::from(Effort::NORMAL),
    };
    let reference = measured(&radii, ExchangeRate::OFF, effort)?;
    let mut header = vec!["rate".to_owned(), "0".to_owned()];
    let mut efforts = vec!["effort".to_owned(), format!("{effort:.2}")];
    let mut rows: Vec<Vec<String>> = QUANTITIES.map(|name| vec![name.to_owned()]).into();
    for (row, sample) in rows.iter_mut().zip(&reference) {
        row.push(sample.describe());
    }
    for rate in RATES {
        let exchange = ExchangeRate::try_from(rate)?;
        let effort = match comparison {
            Comparison::EqualFraction => matching_effort(&radii, exchange, reference[0].mean())?,
            Comparison::EqualEffort => effort,
        };
        header.push(rate.to_string());
        efforts.push(format!("{effort:.2}"));
        let found = measured(&radii, exchange, effort)?;
        for ((row, found), reference) in rows.iter_mut().zip(&found).zip(&reference) {
            let t = found.welch_t(reference);
            let differs = if t.abs() > CRITICAL { " ≠" } else { "" };
            row.push(format!("{}, {t:+.1}{differs}", found.describe()));
        }
        eprintln!("{}: structure at rate {rate}", mixture.title);
    }
    rows.insert(0, efforts);
    Ok(markdown::table(&header, rows))
}

/// Returns a sample of each quantity over all seeds.
fn measured(radii: &[f64], rate: ExchangeRate, effort: f64) -> Outcome<Vec<Sample>> {
    let mut samples = vec![Sample::default(); QUANTITIES.len()];
    for seed in 0..SEEDS {
        let values = quantities(&packing(radii, rate, effort, seed)?)?;
        for (sample, value) in samples.iter_mut().zip(values) {
            sample.add(value);
        }
    }
    Ok(samples)
}

fn packing(radii: &[f64], rate: ExchangeRate, effort: f64, seed: u64) -> Outcome<Packing> {
    let options = PackOptions::default()
        .effort(Effort::try_from(effort)?)
        .exchange(rate)
        .seed(seed);
    Ok(pack(radii, &options)?.packing)
}

/// Returns the effort at which packings with exchanges have the given mean packing fraction, or the nearest effort.
fn matching_effort(radii: &[f64], rate: ExchangeRate, fraction: f64) -> Outcome<f64> {
    let [mut low, mut high] = [0.0, 2.0];
    for _ in 0..BISECTIONS {
        let middle = 0.5 * (low + high);
        let mut mean = 0.0;
        for seed in 0..MATCHING_SEEDS {
            let packing = packing(radii, rate, middle, seed)?;
            mean += packing.packing_fraction() / MATCHING_SEEDS as f64;
        }
        *(if mean < fraction { &mut low } else { &mut high }) = middle;
    }
    Ok(if low == 0.0 { 0.0 } else { 0.5 * (low + high) })
}

/// Returns all quantities of a packing, in the order of their names.
fn quantities(packing: &Packing) -> Outcome<[f64; 13]> {
    let (spheres, container) = (&packing.spheres(), &packing.container());
    let contacts = Contacts::new(spheres, container, CONTACT)?;
    let cells = |k: usize| homogeneity(spheres, container, HOMOGENEITY_CELLS[k]);
    let count = spheres.len() as f64;
    let rattling = rattlers(&contacts)
        .into_iter()
        .filter(|&is_rattler| is_rattler);
    let [small, mixed, large] = partial_g(packing)?;
    Ok([
        packing.packing_fraction(),
        contacts.size_correlation(spheres.radii()).unwrap_or(0.0),
        cells(0)?.unwrap_or(1.0),
        cells(1)?.unwrap_or(1.0),
        cells(2)?.unwrap_or(1.0),
        small,
        mixed,
        large,
        BondOrder::new(spheres, container)?.crystal_share(),
        Fabric::new(spheres, container, &contacts)?.anisotropy,
        contacts.mean(),
        mean_backbone(&contacts),
        rattling.count() as f64 / count,
    ])
}

/// Returns the means of the partial g(r) of the smaller and the larger half of the spheres by volume, up to 1.5 times the
/// median diameter by volume, weighted by the volume of the shells.
fn partial_g(packing: &Packing) -> Outcome<[f64; 3]> {
    let mut radii = packing.spheres().radii().to_vec();
    radii.sort_by(f64::total_cmp);
    let half = 0.5 * radii.iter().map(|r| r.powi(3)).sum::<f64>();
    let mut sum = 0.0;
    let median = radii.iter().find(|r| {
        sum += r.powi(3);
        sum >= half
    });
    let median = 2.0 * median.copied().unwrap_or(1.0);
    let reach = 1.5 * median;
    let g = RadialDistribution::new(packing.spheres(), packing.container(), reach, 30, &[median])?;
    let mean = |a, b| {
        let bins = g.partial(a, b).unwrap_or(&[]);
        let shells = g.distances();
        let weights = shells.iter().map(|r| r * r);
        let sum: f64 = bins.iter().zip(weights.clone()).map(|(g, w)| g * w).sum();
        sum / weights.sum::<f64>()
    };
    Ok([mean(0, 0), mean(0, 1), mean(1, 1)])
}
