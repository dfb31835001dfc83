//! Cell sizes of least work, as a shortest path.
//!
//! Summed over the level that is searched, the work is a sum of terms that each depend on the two ends of one
//! level alone (`CostModel::work_of_cells`). The best levels are therefore a shortest path from the smallest
//! to the largest size: exact on any set of candidate sizes, for any distribution, without derivatives or
//! starting points. What lies between the candidates is found by repeating the search on
//! ever finer sets around the path.

use super::{
    TuningError,
    cell_sizes::check_levels,
    cost_model::{CostModel, Search},
    radius_law::Moments,
};

/// Ratio of neighbouring candidates, and the most of them.
const STEP: f64 = 1.01;
const MAX_CANDIDATES: usize = 512;

/// A cell size and the moments of the spheres that fit in it.
#[derive(Clone, Copy)]
struct Candidate {
    size: f64,
    moments: Moments,
}

/// The sizes of least total work for every number of levels from 1 to `max_levels`, in units of the smallest radius.
///
/// No level is left empty, so the list ends early when the sample has fewer different sizes. O(L G²) for G ≤ 512
/// candidates.
///
/// # Errors
/// When `max_levels` is not in `1..=MAX_LEVELS`.
pub fn optimal_up_to(
    model: &CostModel,
    max_levels: usize,
    search: Search,
) -> Result<Vec<Vec<f64>>, TuningError> {
    check_levels(max_levels)?;
    let candidates = candidates(model);
    let count = candidates.len();
    // Row `end` holds the work of the level from each `start < end`; start 0 is the bottom.
    let works: Vec<Vec<f64>> = (0..count)
        .map(|end| {
            (0..=end)
                .map(|start| {
                    level_work(
                        model,
                        start_of(&candidates, start),
                        &candidates[end],
                        search,
                    )
                })
                .collect()
        })
        .collect();
    let mut least: Vec<f64> = (0..count).map(|end| works[end][0]).collect();
    let mut steps_back: Vec<Vec<usize>> = Vec::new();
    let mut found = vec![vec![candidates[count - 1].size]];
    for levels in 2..=max_levels {
        let (work, back): (Vec<f64>, Vec<usize>) = (0..count)
            .map(|end| {
                (0..end)
                    .map(|start| (least[start] + works[end][start + 1], start))
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
    for levels in 0..found.len() {
        let mut starts = vec![found[levels].clone()];
        if let Some(fewer) = levels.checked_sub(1).map(|fewer| &found[fewer]) {
            // Past the best number of levels, the least work has a nearly empty one at either end, between the candidates.
            for at in [0, fewer.len() - 1] {
                let below = if at == 0 { 2.0 } else { fewer[at - 1] };
                let mut start = fewer.clone();
                start.insert(at, (below * fewer[at]).sqrt());
                starts.push(start);
            }
        }
        found[levels] = starts
            .into_iter()
            .map(|mut sizes| {
                refine(model, &mut sizes, search);
                (path_work(model, &sizes, search), sizes)
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .expect("there is a start")
            .1;
    }
    Ok(found)
}

/// The sizes of least total work over all numbers of levels, in units of the smallest radius. O(G²) for G ≤ 512
/// candidates.
pub fn optimal(model: &CostModel, search: Search) -> Vec<f64> {
    let mut sizes = coarse_optimum(model, search);
    refine(model, &mut sizes, search);
    sizes
}

/// The best of the candidate sizes.
pub(super) fn coarse_optimum(model: &CostModel, search: Search) -> Vec<f64> {
    let candidates = candidates(model);
    // Least work up to each candidate and where its last level starts, in the numbering of `start_of`.
    let mut least = vec![(0.0, 0)];
    for end in &candidates {
        let best = least
            .iter()
            .enumerate()
            .map(|(start, &(work, _))| {
                let start_candidate = start_of(&candidates, start);
                (
                    work + level_work(model, start_candidate, end, search),
                    start,
                )
            })
            .min_by(|a, b| a.0.total_cmp(&b.0))
            .expect("there is always the bottom to start from");
        least.push(best);
    }
    let mut sizes = Vec::new();
    let mut at = candidates.len();
    while at > 0 {
        sizes.push(candidates[at - 1].size);
        at = least[at].1;
    }
    sizes.reverse();
    sizes
}

fn start_of(candidates: &[Candidate], start: usize) -> Option<&Candidate> {
    start.checked_sub(1).map(|index| &candidates[index])
}

fn level_work(
    model: &CostModel,
    start: Option<&Candidate>,
    end: &Candidate,
    search: Search,
) -> f64 {
    let below = start.map_or_else(|| model.law().below(0.0), |start| start.moments);
    if end.moments[0] > below[0] {
        model.work_of_cells(end.size, below, end.moments, search)
    } else {
        f64::INFINITY
    }
}

/// The work of sizes that rise and leave no level empty; infinite otherwise.
fn path_work(model: &CostModel, sizes: &[f64], search: Search) -> f64 {
    let path: Vec<Candidate> = sizes.iter().map(|&size| candidate(model, size)).collect();
    (0..path.len())
        .map(|h| level_work(model, start_of(&path, h), &path[h], search))
        .sum()
}

fn candidate(model: &CostModel, size: f64) -> Candidate {
    Candidate {
        size,
        moments: model.law().below(0.5 * size),
    }
}

/// Rising sizes in equal ratios, each interval represented by the largest diameter in it.
fn candidates(model: &CostModel) -> Vec<Candidate> {
    let omega = model.law().size_ratio();
    let count = ((omega.ln() / STEP.ln()).ceil() as usize).clamp(1, MAX_CANDIDATES);
    let mut lower = 0.0;
    (1..=count)
        .map(|i| {
            let upper = match i {
                i if i == count => omega,
                i => omega.powf(i as f64 / count as f64),
            };
            let radius = model.law().largest_in(lower, upper);
            lower = upper;
            candidate(model, 2.0 * radius)
        })
        .collect()
}

/// Moves the inner sizes to lower work, within a few candidates of where they are.
fn refine(model: &CostModel, sizes: &mut [f64], search: Search) {
    const REACH: i32 = 3;
    let inner = sizes.len() - 1;
    let mut step = STEP - 1.0;
    while step > 1e-6 {
        // Least work of the levels so far for each place of the last, and the place of the one before.
        let mut least: Vec<Vec<(f64, usize)>> = Vec::with_capacity(inner + 1);
        let mut places: Vec<Vec<Candidate>> = Vec::with_capacity(inner + 1);
        for (h, &size) in sizes.iter().enumerate() {
            let around: Vec<Candidate> = if h == inner {
                vec![candidate(model, size)]
            } else {
                (-REACH..=REACH)
                    .map(|i| size * (1.0 + step * f64::from(i)))
                    .filter(|&size| size >= 2.0)
                    .map(|size| candidate(model, size))
                    .collect()
            };
            let row = around
                .iter()
                .map(|end| match h {
                    0 => (level_work(model, None, end, search), 0),
                    _ => places[h - 1]
                        .iter()
                        .zip(&least[h - 1])
                        .enumerate()
                        .map(|(place, (start, &(work, _)))| {
                            let ordered = start.size < end.size;
                            let level = level_work(model, Some(start), end, search);
                            (if ordered { work + level } else { f64::INFINITY }, place)
                        })
                        .min_by(|a, b| a.0.total_cmp(&b.0))
                        .expect("a size stays where it was at least"),
                })
                .collect();
            least.push(row);
            places.push(around);
        }
        let (before, mut place) = (sizes.to_vec(), 0);
        for h in (0..=inner).rev() {
            sizes[h] = places[h][place].size;
            place = least[h][place].1;
        }
        if before == sizes {
            step *= 0.25;
        }
    }
}
