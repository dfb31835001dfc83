//! Laws of the cost: sums of known functions of the number of spheres and of ranks, fitted to runs.

use super::{
    FEW,
    cost::{Cost, Run},
    counted::{Sent, Traffic},
};

/// Functions of the number of spheres and of ranks.
type Term = fn(f64, f64) -> f64;

/// A sum of terms with factors, which have the least sum of squared relative errors.
pub struct Law {
    terms: [Term; 2],
    pub factors: [f64; 2],
    /// Largest relative error over the runs.
    pub error: f64,
}

impl Law {
    fn fitted(terms: [Term; 2], points: &[(Run, f64)]) -> Self {
        let rows: Vec<[f64; 2]> = points
            .iter()
            .map(|(run, value)| {
                terms.map(|term| term(run.spheres as f64, run.ranks as f64) / value)
            })
            .collect();
        let product = |i: usize, j: usize| -> f64 { rows.iter().map(|row| row[i] * row[j]).sum() };
        let sum = |i: usize| -> f64 { rows.iter().map(|row| row[i]).sum() };
        let (aa, ab, bb) = (product(0, 0), product(0, 1), product(1, 1));
        let determinant = aa * bb - ab * ab;
        let mut factors = [
            (sum(0) * bb - sum(1) * ab) / determinant,
            (sum(1) * aa - sum(0) * ab) / determinant,
        ];
        // No cost falls with the number of spheres or ranks.
        for k in 0..2 {
            if factors[k] < 0.0 {
                factors[k] = 0.0;
                factors[1 - k] = sum(1 - k) / product(1 - k, 1 - k);
            }
        }
        let error = |row: &[f64; 2]| (factors[0] * row[0] + factors[1] * row[1] - 1.0).abs();
        Self {
            terms,
            factors,
            error: rows.iter().map(error).fold(0.0, f64::max),
        }
    }

    /// Returns the law of values that are proportional to one term.
    fn proportional(term: Term, points: &[(Run, f64)]) -> Self {
        let ratio = |&(run, value): &(Run, f64)| term(run.spheres as f64, run.ranks as f64) / value;
        let sum: f64 = points.iter().map(ratio).sum();
        let squares: f64 = points.iter().map(|point| ratio(point).powi(2)).sum();
        let factor = sum / squares;
        let errors = points
            .iter()
            .map(|point| (factor * ratio(point) - 1.0).abs());
        Self {
            terms: [term; 2],
            factors: [factor, 0.0],
            error: errors.fold(0.0, f64::max),
        }
    }

    /// Returns the value for a number of spheres and of ranks.
    pub fn at(&self, spheres: f64, ranks: f64) -> f64 {
        let terms = self.terms.iter().zip(self.factors);
        terms
            .map(|(term, factor)| factor * term(spheres, ranks))
            .sum()
    }
}

/// The laws of the runs with one size distribution.
pub struct Laws {
    pub phases: f64,
    /// Bytes of all ranks in a run.
    pub exchanges: Law,
    pub all_to_all: Law,
    pub all_gather: Law,
    /// Calls in a run.
    pub all_to_all_calls: Law,
    pub all_gather_calls: Law,
    /// Peak memory of a rank in bytes, above `base`.
    pub memory: Law,
    /// Peak memory of a rank with few spheres.
    pub base: f64,
}

impl Laws {
    /// Fits the laws to the runs on several ranks, and that of the phases to those with most spheres. Runs with few spheres give the
    /// memory that does not depend on the spheres.
    pub fn new(costs: &[Cost]) -> Self {
        let is_few = |cost: &&Cost| cost.run.spheres == FEW;
        let several: Vec<&Cost> = costs
            .iter()
            .filter(|cost| cost.run.ranks > 1 && !is_few(cost))
            .collect();
        let most = several.iter().map(|cost| cost.run.spheres).max();
        let largest: Vec<(Run, f64)> = several
            .iter()
            .filter(|cost| Some(cost.run.spheres) == most)
            .map(|cost| (cost.run, cost.bytes(EXCHANGES).1))
            .collect();
        let base = costs.iter().filter(is_few).map(|cost| cost.peak().0);
        let base = base.fold(0.0, f64::max);
        let fitted = |terms: [Term; 2], of: &dyn Fn(&Cost) -> f64| {
            let points: Vec<_> = several.iter().map(|cost| (cost.run, of(cost))).collect();
            Law::fitted(terms, &points)
        };
        let bytes = |kind: fn(&Traffic) -> Sent| move |cost: &Cost| cost.bytes(kind).1;
        let calls = |kind: fn(&Traffic) -> Sent| move |cost: &Cost| cost.calls(kind);
        let phases: f64 = several.iter().map(|cost| cost.calls(EXCHANGES)).sum();
        Self {
            phases: phases / several.len() as f64,
            exchanges: Law::proportional(surface, &largest),
            all_to_all: fitted([surface, migrated], &bytes(ALL_TO_ALL)),
            all_gather: fitted(
                [|n, p| n * (p - 1.0), |_, p| p * (p - 1.0)],
                &bytes(ALL_GATHER),
            ),
            all_to_all_calls: fitted([|n, p| n / p, |_, _| 1.0], &calls(ALL_TO_ALL)),
            all_gather_calls: fitted([|n, p| n / p, |_, _| 1.0], &calls(ALL_GATHER)),
            memory: memory(costs, &several, base),
            base,
        }
    }
}

/// Returns the law of the memory above `base`. The largest run on one rank gives the memory of own spheres, and the runs on `several`
/// ranks that of copies.
fn memory(costs: &[Cost], several: &[&Cost], base: f64) -> Law {
    let alone = costs.iter().filter(|cost| cost.run.ranks == 1);
    let per_sphere = alone
        .max_by_key(|cost| cost.run.spheres)
        .map_or(0.0, |cost| (cost.peak().0 - base) / cost.run.spheres as f64);
    let share = |cost: &Cost| cost.run.spheres as f64 / cost.run.ranks as f64;
    let copies: Vec<(Run, f64)> = several
        .iter()
        .map(|cost| (cost.run, cost.peak().0 - base - per_sphere * share(cost)))
        .collect();
    let beside: Term = |spheres, ranks| surface(spheres, ranks) / ranks;
    let of_copies = Law::proportional(beside, &copies);
    let law = Law {
        terms: [|spheres, ranks| spheres / ranks, beside],
        factors: [per_sphere, of_copies.factors[0]],
        error: 0.0,
    };
    let errors = several.iter().map(|cost| {
        let value = law.at(cost.run.spheres as f64, cost.run.ranks as f64);
        (value / (cost.peak().0 - base) - 1.0).abs()
    });
    Law {
        error: errors.fold(0.0, f64::max),
        ..law
    }
}

/// Returns the exponent of the number of spheres in the bytes per phase of runs on the same number of ranks.
pub fn exponent<'a>(costs: impl Iterator<Item = &'a Cost>) -> f64 {
    let points: Vec<[f64; 2]> = costs
        .map(|cost| {
            let bytes = cost.bytes(EXCHANGES).1 / cost.calls(EXCHANGES);
            [(cost.run.spheres as f64).ln(), bytes.ln()]
        })
        .collect();
    let mean = |k: usize| points.iter().map(|point| point[k]).sum::<f64>() / points.len() as f64;
    let (x, y) = (mean(0), mean(1));
    let of = |product: fn(f64, f64) -> f64| -> f64 {
        points.iter().map(|p| product(p[0] - x, p[1] - y)).sum()
    };
    of(|x, y| x * y) / of(|x, _| x * x)
}

pub const EXCHANGES: fn(&Traffic) -> Sent = |traffic| traffic.exchanges;
pub const ALL_TO_ALL: fn(&Traffic) -> Sent = |traffic| traffic.all_to_all;
pub const ALL_GATHER: fn(&Traffic) -> Sent = |traffic| traffic.all_gather;

/// Returns the number of spheres beside the planes between ranks, up to a factor.
fn surface(spheres: f64, ranks: f64) -> f64 {
    planes(ranks) * spheres.powf(2.0 / 3.0)
}

/// Returns the number of spheres of which a rank that is chosen at random is not the owner.
fn migrated(spheres: f64, ranks: f64) -> f64 {
    spheres * (1.0 - 1.0 / ranks)
}

/// Returns the numbers of parts along the axes of a cube. It is halved again and again, across its longest axis.
fn parts(ranks: f64) -> [f64; 3] {
    let mut parts = [1.0; 3];
    while parts.iter().product::<f64>() < ranks {
        let longest = (0..3).min_by(|&a, &b| f64::total_cmp(&parts[a], &parts[b]));
        parts[longest.unwrap_or(0)] *= 2.0;
    }
    parts
}

/// Returns the number of planes across the periodic cube that separate ranks; about 3 P^(1/3) for many ranks.
pub fn planes(ranks: f64) -> f64 {
    parts(ranks).into_iter().filter(|&parts| parts > 1.0).sum()
}

/// Returns the number of ranks whose parts touch that of a rank.
pub fn neighbors(ranks: f64) -> f64 {
    let beside = parts(ranks).map(|parts| parts.min(3.0));
    beside.into_iter().product::<f64>() - 1.0
}
