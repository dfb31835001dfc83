//! Cell sizes of least work, as a shortest path.
//!
//! The work is a sum of terms that each depend on the two ends of one level ([`CostModel::work_in_cells`]). The best levels
//! are therefore a shortest path from the smallest to the largest size. The path is exact on any set of candidate sizes,
//! for any distribution, without derivatives or starting points. The refinement repeats the search on ever finer sets
//! around the path, to reach the sizes between the candidates.

use super::{
    cell_sizes::check_levels,
    constants::{
        CANDIDATE_RATIO, LEAST_REFINEMENT_STEP, MAX_CANDIDATES, REFINEMENT_REACH, REFINEMENT_SHRINK,
    },
    cost_model::CostModel,
    error::TuningError,
    radius_law::Moments,
    search::Search,
};

/// A cell size, and the moments of the spheres that fit into the cell. A level lies between two of them; the first one starts at size 0.
#[derive(Clone, Copy)]
struct Candidate {
    size: f64,
    moments: Moments,
}

impl Candidate {
    fn new(model: &CostModel, size: f64) -> Self {
        Self {
            size,
            moments: model.law().moments_up_to(0.5 * size),
        }
    }
}

/// Returns the sizes of least total work for every number of levels from 1 to `max_levels`, in units of the smallest
/// radius.
///
/// No level is empty, so the list ends early if the sample has fewer different sizes. O(L G²) for G ≤ 512 candidates.
///
/// # Errors
/// If `max_levels` is not in `1..=MAX_LEVELS`.
pub fn optimal_up_to(
    model: &CostModel,
    max_levels: usize,
    search: Search,
) -> Result<Vec<Vec<f64>>, TuningError> {
    check_levels(max_levels)?;
    let mut best: Vec<Vec<f64>> = Vec::new();
    for coarse in coarse_optima(model, max_levels, search) {
        let starts = best.last().map(|fewer| with_one_more(fewer));
        let refined =
            starts
                .into_iter()
                .flatten()
                .fold(refined(model, coarse, search), |best, start| {
                    let other = refined(model, start, search);
                    if other.0.total_cmp(&best.0).is_lt() {
                        other
                    } else {
                        best
                    }
                });
        best.push(refined.1);
    }
    Ok(best)
}

/// Returns the sizes of least total work over all numbers of levels, in units of the smallest radius. O(G²) for G ≤ 512
/// candidates.
pub fn optimal(model: &CostModel, search: Search) -> Vec<f64> {
    let mut sizes = coarse_optimum(model, search);
    refine(model, &mut sizes, search);
    sizes
}

/// Returns the candidate sizes of least total work over all numbers of levels.
pub(super) fn coarse_optimum(model: &CostModel, search: Search) -> Vec<f64> {
    let candidates = candidates(model);
    // Least work up to each candidate, and the start of its last level.
    let mut least = vec![(0.0, 0)];
    for end in &candidates[1..] {
        let best = least
            .iter()
            .enumerate()
            .map(|(start, &(work, _))| {
                let level = level_work(model, &candidates[start], end, search);
                (work + level, start)
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .expect("the smallest radius is a start");
        least.push(best);
    }
    let mut sizes = Vec::new();
    let mut end = candidates.len() - 1;
    while end > 0 {
        sizes.push(candidates[end].size);
        end = least[end].1;
    }
    sizes.reverse();
    sizes
}

/// Returns the candidate sizes of least total work for every number of levels from 1 to `max_levels`. The list ends early
/// if more levels would leave one empty.
fn coarse_optima(model: &CostModel, max_levels: usize, search: Search) -> Vec<Vec<f64>> {
    let candidates = candidates(model);
    let count = candidates.len();
    // Row `end` holds the work of the level from each start up to `end`.
    let works: Vec<Vec<f64>> = candidates
        .iter()
        .enumerate()
        .map(|(number, end)| {
            let starts = candidates[..number].iter();
            let work = |start| level_work(model, start, end, search);
            starts.map(work).collect()
        })
        .collect();
    // The first candidate ends no level.
    let first_level = |row: &Vec<f64>| row.first().copied().unwrap_or(f64::INFINITY);
    let mut least: Vec<f64> = works.iter().map(first_level).collect();
    let mut steps_back: Vec<Vec<usize>> = Vec::new();
    let mut found = vec![vec![candidates[count - 1].size]];
    for levels in 2..=max_levels {
        let (work, back): (Vec<f64>, Vec<usize>) = (0..count)
            .map(|end| {
                (1..end)
                    .map(|start| (least[start] + works[end][start], start))
                    .min_by(|a, b| a.0.total_cmp(&b.0))
                    .unwrap_or((f64::INFINITY, 0))
            })
            .unzip();
        least = work;
        steps_back.push(back);
        if least[count - 1].is_infinite() {
            break;
        }
        let mut end = count - 1;
        let mut sizes = vec![candidates[end].size; levels];
        for h in (1..levels).rev() {
            end = steps_back[h - 1][end];
            sizes[h - 1] = candidates[end].size;
        }
        found.push(sizes);
    }
    found
}

/// Returns starts of a refinement with one level more than `fewer`.
///
/// Beyond the best number of levels, the least work has a nearly empty level at either end, between the candidates.
fn with_one_more(fewer: &[f64]) -> [Vec<f64>; 2] {
    [0, fewer.len() - 1].map(|h| {
        let below = if h == 0 { 2.0 } else { fewer[h - 1] };
        let mut sizes = fewer.to_vec();
        sizes.insert(h, (below * fewer[h]).sqrt());
        sizes
    })
}

/// Returns the work in the cells of the level from `start` to `end`; infinity for an empty level.
fn level_work(model: &CostModel, start: &Candidate, end: &Candidate, search: Search) -> f64 {
    if end.moments[0] > start.moments[0] {
        model.work_in_cells(end.size, start.moments, end.moments, search)
    } else {
        f64::INFINITY
    }
}

/// Returns the total work of the sizes; infinity if a level is empty.
fn path_work(model: &CostModel, sizes: &[f64], search: Search) -> f64 {
    let sizes = [0.0].iter().chain(sizes);
    let path: Vec<Candidate> = sizes.map(|&size| Candidate::new(model, size)).collect();
    path.windows(2)
        .map(|level| level_work(model, &level[0], &level[1], search))
        .sum()
}

/// Returns ascending sizes in equal ratios, after the start of the first level. The largest diameter of each interval represents the
/// interval.
fn candidates(model: &CostModel) -> Vec<Candidate> {
    let omega = model.law().size_ratio();
    let count = ((omega.ln() / CANDIDATE_RATIO.ln()).ceil() as usize).clamp(1, MAX_CANDIDATES);
    let mut candidates = vec![Candidate::new(model, 0.0)];
    let mut lower = 0.0;
    for i in 1..=count {
        let upper = match i {
            i if i == count => omega,
            i => omega.powf(i as f64 / count as f64),
        };
        let radius = model.law().largest_in(lower, upper);
        candidates.push(Candidate::new(model, 2.0 * radius));
        lower = upper;
    }
    candidates
}

/// Returns the refined sizes with their total work.
fn refined(model: &CostModel, mut sizes: Vec<f64>, search: Search) -> (f64, Vec<f64>) {
    refine(model, &mut sizes, search);
    (path_work(model, &sizes, search), sizes)
}

/// Moves all sizes but the last to lower work, in steps that shrink when no size moves.
fn refine(model: &CostModel, sizes: &mut Vec<f64>, search: Search) {
    let mut step = CANDIDATE_RATIO - 1.0;
    while step > LEAST_REFINEMENT_STEP {
        let moved = least_path(model, &choices_around(model, sizes, step), search);
        if moved == *sizes {
            step *= REFINEMENT_SHRINK;
        }
        *sizes = moved;
    }
}

/// Returns the sizes that each level may take: a few relative steps around the present size, and only the present size for
/// the last level.
fn choices_around(model: &CostModel, sizes: &[f64], step: f64) -> Vec<Vec<Candidate>> {
    sizes
        .iter()
        .enumerate()
        .map(|(h, &size)| {
            if h == sizes.len() - 1 {
                return vec![Candidate::new(model, size)];
            }
            (-REFINEMENT_REACH..=REFINEMENT_REACH)
                .map(|i| size * (1.0 + step * f64::from(i)))
                .filter(|&size| size >= 2.0)
                .map(|size| Candidate::new(model, size))
                .collect()
        })
        .collect()
}

/// Returns the sizes of least total work that take one of the choices on each level.
fn least_path(model: &CostModel, choices: &[Vec<Candidate>], search: Search) -> Vec<f64> {
    // The start of the first level. For each choice on each level: the least work up to there, and the choice on the level below.
    let first = [Candidate::new(model, 0.0)];
    let mut starts = &first[..];
    let mut least: Vec<Vec<(f64, usize)>> = vec![vec![(0.0, 0)]];
    for ends in choices {
        let row = ends
            .iter()
            .map(|end| {
                starts
                    .iter()
                    .zip(&least[least.len() - 1])
                    .enumerate()
                    .map(|(choice, (start, &(work, _)))| {
                        let rises = start.size < end.size;
                        let level = level_work(model, start, end, search);
                        (if rises { work + level } else { f64::INFINITY }, choice)
                    })
                    .min_by(|a, b| a.0.total_cmp(&b.0))
                    .expect("the present size is a choice")
            })
            .collect();
        least.push(row);
        starts = ends;
    }
    let mut choice = 0;
    let mut sizes: Vec<f64> = choices
        .iter()
        .zip(&least[1..])
        .rev()
        .map(|(candidates, least)| {
            let size = candidates[choice].size;
            choice = least[choice].1;
            size
        })
        .collect();
    sizes.reverse();
    sizes
}
