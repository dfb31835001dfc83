//! Packing fraction and time of one size distribution with increasing effort.

use jostle::{
    Effort, PackOptions, distribution::predicted_packing_fraction, pack, packing::StopReason,
};

use super::{markdown::table, mixtures::Mixture, numbers::grouped, outcome::Outcome};

/// Packings of one sample with increasing effort.
pub struct Curve {
    pub spheres: usize,
    size_ratio: f64,
    /// Packing fraction that Farr & Groot predict for this sample.
    pub predicted: f64,
    pub points: Vec<Point>,
}

/// One packing.
pub struct Point {
    effort: f64,
    pub packing_fraction: f64,
    sweeps: u64,
    seconds: f64,
}

impl Point {
    /// Returns the time in microseconds per sphere.
    pub fn cost(&self, spheres: usize) -> f64 {
        1e6 * self.seconds / spheres as f64
    }
}

impl Curve {
    /// Packs a sample once with each effort.
    pub fn measure(mixture: Mixture, spheres: usize, efforts: &[f64]) -> Outcome<Self> {
        let sample = mixture.sample(spheres)?;
        let radii = sample.radii();
        let points = efforts
            .iter()
            .map(|&effort| point(&radii, effort))
            .collect::<Outcome<_>>()?;
        Ok(Self {
            spheres,
            size_ratio: sample.report().d_max / sample.report().d_min,
            predicted: predicted_packing_fraction(&radii),
            points,
        })
    }

    /// Returns a sentence on the sample and the table of its packings.
    pub fn describe(&self) -> String {
        let rows = self.points.iter().map(|point| {
            vec![
                point.effort.to_string(),
                format!("{:.4}", point.packing_fraction),
                point.sweeps.to_string(),
                format!("{:.2}", point.seconds),
                format!("{:.0}", point.cost(self.spheres)),
            ]
        });
        format!(
            "\n{} spheres, size ratio {:.1}, predicted φ {:.4}:\n{}",
            grouped(self.spheres),
            self.size_ratio,
            self.predicted,
            table(&["effort", "φ", "sweeps", "seconds", "µs per sphere"], rows)
        )
    }
}

fn point(radii: &[f64], effort: f64) -> Outcome<Point> {
    let options = PackOptions::default()
        .effort(Effort::try_from(effort)?)
        .threads(1);
    let run = pack(radii, &options)?;
    let provenance = run.packing.provenance.as_ref();
    let converged = provenance.is_some_and(|p| p.stop == StopReason::Converged);
    if !converged || run.packing.certificate().max_overlap > 0.0 {
        return Err(
            format!("the packing with effort {effort} is not converged or has overlaps").into(),
        );
    }
    Ok(Point {
        effort,
        packing_fraction: run.packing.packing_fraction(),
        sweeps: provenance.map_or(0, |p| p.sweeps),
        seconds: run.elapsed.as_secs_f64(),
    })
}
