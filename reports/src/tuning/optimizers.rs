//! Section of the report that compares the shortest path with general optimizers.

use crate::page::Page;
// argmin uses it for vectors.
use argmin_math as _;

use argmin::{
    core::{CostFunction, Error, Executor, Gradient},
    solver::{linesearch::MoreThuenteLineSearch, neldermead::NelderMead, quasinewton::LBFGS},
};
use jostle::tuning::{CostModel, Dimension, RadiusLaw, Search, optimal_up_to};

use super::{
    figures::{Outcome, Result as ReportResult},
    scene::radii,
};

/// Least work as a problem without constraints. The logarithmic steps between the sizes are a softmax of the parameters.
struct LeastWork<'a>(CostModel<'a>);

impl CostFunction for LeastWork<'_> {
    type Param = Vec<f64>;
    type Output = f64;

    fn cost(&self, parameters: &Vec<f64>) -> Result<f64, Error> {
        let steps: Vec<f64> = parameters.iter().map(|x| x.exp()).chain([1.0]).collect();
        let total: f64 = steps.iter().sum();
        let omega = self.0.law().size_ratio();
        let mut sum = 0.0;
        let mut sizes: Vec<f64> = steps
            .iter()
            .map(|step| {
                sum += step / total;
                // Rounding must not make an inner size larger than the last.
                (2.0 * omega.powf(sum)).min(2.0 * omega)
            })
            .collect();
        sizes[parameters.len()] = 2.0 * omega;
        // Parameters whose exponentials overflow describe no sizes.
        Ok(self
            .0
            .work(&sizes, Search::TopDown)
            .unwrap_or(f64::INFINITY))
    }
}

impl Gradient for LeastWork<'_> {
    type Param = Vec<f64>;
    type Gradient = Vec<f64>;

    fn gradient(&self, parameters: &Vec<f64>) -> Result<Vec<f64>, Error> {
        const STEP: f64 = 1e-5;
        (0..parameters.len())
            .map(|i| {
                let shifted = |by: f64| {
                    let mut shifted = parameters.clone();
                    shifted[i] += by;
                    self.cost(&shifted)
                };
                Ok((shifted(STEP)? - shifted(-STEP)?) / (2.0 * STEP))
            })
            .collect()
    }
}

pub fn comparison(page: &mut Page) -> Outcome {
    page.line("\n## Shortest path against general optimizers\n
The work is a sum of terms that each depend on the two ends of one level, so that the optimal sizes are a shortest path. The
table compares the least work of the shortest path with that of the optimization crate argmin 0.11, started from exponential
sizes. The case is the same as above, once as a law and once as a stratified sample of 100 000 radii.\n
| L | law: shortest path | Nelder–Mead | L-BFGS | sample: shortest path | Nelder–Mead | L-BFGS |\n|---|---|---|---|---|---|---|");
    let law = RadiusLaw::power_law(-3.0, 100.0)?;
    let sample = RadiusLaw::from_radii(&radii(-3.0, 100.0, 100_000)?)?;
    let paths = [
        optimal_up_to(&model(&law)?, 16, Search::TopDown)?,
        optimal_up_to(&model(&sample)?, 16, Search::TopDown)?,
    ];
    for levels in [2, 4, 7, 9, 12, 16] {
        page.text(&format!("| {levels} |"));
        for (law, path) in [&law, &sample].into_iter().zip(&paths) {
            let work = model(law)?.work(&path[levels - 1], Search::TopDown)?;
            let [nelder_mead, lbfgs] = least_by_argmin(law, levels)?;
            page.text(&format!(" {work:.4} | {nelder_mead:.4} | {lbfgs:.4} |"));
        }
        page.line("");
    }
    page.line("\nThe shortest path is the global minimum, needs no derivatives and gives every L at once. For a sample, the work is a step
function of the sizes. L-BFGS stops early on a step function, and its line search may never end.");
    Ok(())
}

fn model(law: &RadiusLaw) -> ReportResult<CostModel<'_>> {
    Ok(CostModel::new(law, Dimension::Three, 0.7, 0.2)?)
}

/// Returns the least work that Nelder–Mead and L-BFGS find.
fn least_by_argmin(law: &RadiusLaw, levels: usize) -> ReportResult<[f64; 2]> {
    let start = vec![0.0; levels - 1];
    let corners = (0..levels - 1).map(|i| {
        let mut corner = start.clone();
        corner[i] = 0.5;
        corner
    });
    let simplex = std::iter::once(start.clone()).chain(corners).collect();
    let nelder_mead = Executor::new(
        LeastWork(model(law)?),
        NelderMead::new(simplex).with_sd_tolerance(1e-10)?,
    )
    .configure(|state| state.max_iters(10_000))
    .run()?;
    let lbfgs = Executor::new(
        LeastWork(model(law)?),
        LBFGS::new(MoreThuenteLineSearch::new(), 7),
    )
    .configure(|state| state.param(start).max_iters(500))
    .run()?;
    Ok([
        nelder_mead.state().get_best_cost(),
        lbfgs.state().get_best_cost(),
    ])
}
