//! Volume curves of powers of the diameter beside the rods of Farr & Groot.

use jostle::distribution::PackingModel;

use super::{comparison, markdown, outcome::Outcome, packings::Request, text};

/// Exponent of the volume curve, size ratio, and number of spheres.
const CURVES: [(f64, f64, usize); 6] = [
    (0.5, 4.0, 10_000),
    (0.5, 16.0, 20_000),
    (0.5, 64.0, 100_000),
    (0.37, 4.0, 10_000),
    (0.37, 16.0, 20_000),
    (0.37, 64.0, 100_000),
];

/// Returns the section.
pub fn section() -> Outcome<String> {
    let request = |&(exponent, ratio, spheres): &(f64, f64, usize)| {
        let sizes = format!("fuller:d_min=1,d_max={ratio},n={exponent}");
        let request = Request::new(sizes, spheres);
        let published = request.predicted()?;
        Ok((format!("q = {exponent}, ratio {ratio}"), request, published))
    };
    let requests = CURVES.iter().map(request).collect::<Outcome<Vec<_>>>()?;
    let predictions = predictions(&requests)?;
    Ok(text::WIDE.to_owned() + &comparison::table("Farr & Groot", requests)? + &predictions)
}

/// Returns the table of both predictions for an infinite number of spheres.
fn predictions(requests: &[(String, Request, f64)]) -> Outcome<String> {
    let row = |(title, request, _): &(String, Request, f64)| {
        let predicted =
            |model| -> Outcome<String> { Ok(format!("{:.4}", request.predicted_by(model)?)) };
        Ok(vec![
            title.clone(),
            predicted(PackingModel::Rods)?,
            predicted(PackingModel::Compressible)?,
        ])
    };
    let header = [
        "sizes",
        "rods of Farr & Groot, infinite",
        "compressible packing model, infinite",
    ];
    let rows = requests.iter().map(row).collect::<Outcome<Vec<_>>>()?;
    Ok(markdown::table(&header, rows))
}
