//! Packing fraction over the number of spheres, and its limit.

use jostle::Boundaries;

use super::{markdown, mean::Mean, numbers::grouped, outcome::Outcome, packings::Request, text};

/// Numbers of spheres, and of packings of each.
const NUMBERS: [(usize, u64); 6] = [
    (250, 40),
    (1_000, 20),
    (4_000, 10),
    (16_000, 6),
    (64_000, 4),
    (256_000, 2),
];

/// Returns the section.
pub fn section() -> Outcome<String> {
    let periodic = means(Boundaries::PERIODIC)?;
    let walled = means(Boundaries::WALLS)?;
    let rows = NUMBERS.iter().zip(&periodic).zip(&walled);
    let lines = rows.map(|((&(spheres, seeds), periodic), walled)| {
        vec![
            grouped(spheres),
            seeds.to_string(),
            periodic.describe(),
            walled.describe(),
            format!(
                "{:.3}",
                (walled.value - periodic.value) * (spheres as f64).cbrt()
            ),
        ]
    });
    let header = [
        "spheres N",
        "packings",
        "periodic cube",
        "cube with walls",
        "difference · N^(1/3)",
    ];
    let table = markdown::table(&header, lines);
    // A wall acts on a layer of constant depth, whose share of the volume falls with N^(−1/3).
    let in_periodic = limit(&periodic, |spheres| 1.0 / spheres);
    let in_walls = limit(&walled, |spheres| spheres.cbrt().recip());
    Ok(text::FINITE_SIZE.to_owned() + &table + &text::limits(in_periodic, in_walls))
}

fn means(boundary: Boundaries) -> Outcome<Vec<Mean>> {
    let mean = |&(spheres, seeds): &(usize, u64)| {
        let request = Request {
            boundary,
            seeds,
            ..Request::new("mono:d=1", spheres)
        };
        request.fraction()
    };
    NUMBERS.iter().map(mean).collect()
}

/// Returns the value at `x = 0` of the straight line through the means by least squares, weighted by their errors, without the smallest
/// number of spheres.
fn limit(means: &[Mean], x: impl Fn(f64) -> f64) -> Mean {
    let [mut weight, mut first, mut second, mut values, mut products] = [0.0; 5];
    for (&(spheres, _), mean) in NUMBERS.iter().zip(means).skip(1) {
        let x = x(spheres as f64);
        let w = mean.error.powi(-2);
        weight += w;
        first += w * x;
        second += w * x * x;
        values += w * mean.value;
        products += w * x * mean.value;
    }
    let determinant = weight * second - first * first;
    Mean {
        value: (second * values - first * products) / determinant,
        error: (second / determinant).sqrt(),
    }
}
