//! Two sizes over composition and size ratio.

use jostle::distribution::PackingModel;

use super::{
    binary_experiments, markdown, mean::Mean, numbers::grouped, outcome::Outcome,
    packings::Request, plot, text,
};

/// Size ratios, and the largest number of spheres of a packing.
const RATIOS: [(f64, usize); 6] = [
    (2.0, 10_000),
    (4.0, 20_000),
    (6.7, 30_000),
    (10.0, 50_000),
    (20.0, 100_000),
    (60.0, 400_000),
];

/// Shares of the mass that the small spheres have.
const SHARES: [f64; 7] = [0.1, 0.2, 0.25, 0.3, 0.4, 0.6, 0.8];

/// Least number of large spheres of a packing.
const FEWEST_LARGE: f64 = 4.0;

/// Large spheres that a packing has where that is possible.
const LARGE: f64 = 200.0;

/// Packings of one ratio and one composition.
pub struct Point {
    pub share: f64,
    pub request: Request,
    pub large: usize,
    pub predicted: f64,
    pub compressible: f64,
    pub measured: Mean,
}

/// The packings of one ratio.
pub struct Curve {
    pub ratio: f64,
    pub points: Vec<Point>,
}

/// The picture, from `docs/`.
const PICTURE: &str = "images/binaries.svg";

/// Returns the section, and draws its picture.
pub fn section() -> Outcome<String> {
    let mut curves = Vec::new();
    for (ratio, most) in RATIOS {
        let points = SHARES
            .into_iter()
            .filter_map(|share| point(ratio, share, most).transpose());
        curves.push(Curve {
            ratio,
            points: points.collect::<Outcome<_>>()?,
        });
    }
    let equal = Request::new("mono:d=1", 10_000).fraction()?.value;
    plot::draw(&format!("docs/{PICTURE}"), &curves, |share| {
        limit(equal, share)
    })?;
    let header = [
        "ratio",
        "mass share of the small",
        "spheres",
        "large spheres",
        "infinite ratio",
        "rods of Farr & Groot",
        "compressible packing model",
        "measured",
        "measured − rods",
    ];
    let lines = curves.iter().flat_map(|curve| {
        curve.points.iter().map(|point| {
            vec![
                curve.ratio.to_string(),
                point.share.to_string(),
                grouped(point.request.spheres),
                grouped(point.large),
                format!("{:.4}", limit(equal, point.share)),
                format!("{:.4}", point.predicted),
                format!("{:.4}", point.compressible),
                point.measured.describe(),
                format!("{:+.4}", point.measured.value - point.predicted),
            ]
        })
    });
    Ok([
        text::binary(PICTURE),
        markdown::table(&header, lines),
        binary_experiments::section(&curves)?,
    ]
    .concat())
}

/// Packs one composition, if there are enough large spheres.
fn point(ratio: f64, share: f64, most: usize) -> Outcome<Option<Point>> {
    let small_per_large = share / (1.0 - share) * ratio.powi(3);
    let spheres = most.min((LARGE * (1.0 + small_per_large)).max(10_000.0) as usize);
    let large = spheres as f64 / (1.0 + small_per_large);
    if large < FEWEST_LARGE {
        return Ok(None);
    }
    let sizes = format!("bidisperse:d_small=1,d_large={ratio},mass_small={share}");
    let request = Request {
        seeds: if spheres > 50_000 { 2 } else { 3 },
        ..Request::new(sizes, spheres)
    };
    let radii = request.radii()?;
    Ok(Some(Point {
        share,
        large: radii.iter().filter(|&&radius| radius > 0.6).count(),
        predicted: request.predicted()?,
        compressible: request.predicted_by(PackingModel::Compressible)?,
        measured: request.fraction()?,
        request,
    }))
}

/// Returns the packing fraction at an infinite size ratio, from that of equal spheres: either the large spheres are packed and the small
/// ones fill their voids, or the small ones are packed around the large ones.
fn limit(equal: f64, share: f64) -> f64 {
    (equal / (1.0 - share)).min(1.0 / (1.0 - share + share / equal))
}
