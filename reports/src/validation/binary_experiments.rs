//! Experiments on packings of two sizes that differ from the prediction by more than 0.01.

use jostle::Effort;

use super::{
    binary::{Curve, Point},
    comparison::NOTABLE,
    markdown,
    mean::Mean,
    outcome::Outcome,
    packings::Request,
    text,
};

/// Number of packings of the large spheres alone.
const ALONE: u64 = 10;

/// Returns the sentences and the table of the experiments.
pub fn section(curves: &[Curve]) -> Outcome<String> {
    let mut lines = Vec::new();
    for curve in curves {
        for point in &curve.points {
            if (point.measured.value - point.predicted).abs() > NOTABLE {
                lines.push(experiment(curve.ratio, point)?);
            }
        }
    }
    let header = [
        "ratio",
        "mass share of the small",
        "large spheres",
        "measured − rods",
        "large spheres alone",
        "they allow",
        "thorough effort",
    ];
    Ok(text::BINARY_EXPERIMENTS.to_owned() + &markdown::table(&header, lines))
}

/// Packs the large spheres alone. Where they allow what the rods predict, packs the mixture at thorough effort.
fn experiment(ratio: f64, point: &Point) -> Outcome<Vec<String>> {
    let alone = Request {
        seeds: ALONE,
        effort: Effort::THOROUGH,
        ..Request::new("mono:d=1", point.large)
    };
    let alone = alone.fraction()?;
    let allowed = alone.value / (1.0 - point.share);
    let thorough = if allowed > point.predicted {
        let request = Request {
            effort: Effort::THOROUGH,
            seeds: 2,
            ..point.request.clone()
        };
        beside(request.fraction()?, point.predicted)
    } else {
        "–".to_owned()
    };
    Ok(vec![
        ratio.to_string(),
        point.share.to_string(),
        point.large.to_string(),
        format!("{:+.4}", point.measured.value - point.predicted),
        alone.describe(),
        format!("{allowed:.4}"),
        thorough,
    ])
}

/// Returns a mean, and its difference from the prediction.
fn beside(mean: Mean, predicted: f64) -> String {
    format!("{} ({:+.4})", mean.describe(), mean.value - predicted)
}
