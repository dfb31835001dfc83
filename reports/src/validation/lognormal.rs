//! Lognormal distributions beside the formula of Farr, and the rods of Farr & Groot.

use std::f64::consts::TAU;

use jostle::distribution::PackingModel;

use super::{comparison, outcome::Outcome, packings::Request, text};

const SPHERES: usize = 20_000;
const SIGMAS: [f64; 8] = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 1.0];

/// Returns the section.
pub fn section() -> Outcome<String> {
    let requests = |published: &dyn Fn(f64, &Request) -> Outcome<f64>| {
        let request = |&sigma: &f64| {
            let request = Request::new(format!("lognormal:d50=1,sigma={sigma}"), SPHERES);
            let published = published(sigma, &request)?;
            Ok((format!("σ = {sigma}"), request, published))
        };
        SIGMAS.iter().map(request).collect::<Outcome<Vec<_>>>()
    };
    let by_formula = requests(&|sigma, _| Ok(formula(sigma)))?;
    Ok(text::LOGNORMAL.to_owned()
        + &comparison::table("Farr 2013", by_formula)?
        + &finite(&SIGMAS)?)
}

/// Returns the packing fraction of lognormal sizes by Farr (2013). `sigma` is the standard deviation of ln d.
fn formula(sigma: f64) -> f64 {
    1.0 - 0.57 * (-sigma).exp()
        + 0.2135 * (-0.57 * sigma / 0.2135).exp()
        + 0.0019 * ((TAU * (1.0 - (-0.75 * sigma.powf(0.7)).exp())).cos() - 1.0)
}

/// Returns a table of the predictions, of the rods for the finite samples, beside the formula for infinite ones.
fn finite(sigmas: &[f64]) -> Outcome<String> {
    let mut lines = Vec::new();
    for &sigma in sigmas {
        let request = Request::new(format!("lognormal:d50=1,sigma={sigma}"), SPHERES);
        lines.push(vec![
            sigma.to_string(),
            format!("{:.4}", formula(sigma)),
            format!("{:.4}", request.predicted()?),
            format!("{:.4}", request.predicted_by(PackingModel::Compressible)?),
        ]);
    }
    let header = [
        "σ",
        "Farr 2013, infinite",
        "rods of Farr & Groot, sample of the table above",
        "compressible packing model, infinite",
    ];
    Ok(super::markdown::table(&header, lines))
}
