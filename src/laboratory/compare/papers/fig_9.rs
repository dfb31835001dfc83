//! Fig. 9 of Raschdorf & Kolonko 2011: spheres on the levels of the octrees; and Eq. 3: the nodes that a search opens.

use serde::{Deserialize, Serialize};

use super::{
    constants::{MOST_ON_ONE_LEVEL, MOST_SPHERES, PAPER_SPHERES, VERY_FEW},
    index_comparison_options::{IndexComparison, IndexComparisonError},
    paper_packings::{PaperSizes, PaperStep, diameters, pack_each},
    statistics::mean_and_spread,
};
use crate::{
    container::Boundaries,
    laboratory::compare::{
        PublishedOctree, published_octree_levels, published_octree_searched_nodes,
    },
    packing::Packing,
};

/// Spheres on one level of an octree: a bar of Fig. 9 of Raschdorf & Kolonko 2011.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fig9Level {
    /// Size distribution.
    pub sizes: PaperSizes,
    /// Boundary of each axis.
    pub boundary: Boundaries,
    /// Number of spheres.
    pub spheres: usize,
    /// Number of packings.
    pub runs: u64,
    /// Octree.
    pub octree: PublishedOctree,
    /// Level; 0 is the root.
    pub level: usize,
    /// Share of the spheres on this level, from 0 to 1: mean over the packings.
    pub share: f64,
    /// Standard deviation of the share over the packings.
    pub spread: f64,
    /// Maximum number of nodes that a sphere on this level of the strict octree must search: n_ν(l) of Eq. 3, see
    /// [`most_searched_nodes`]. Mean over the packings with spheres on this level.
    pub most_nodes: Option<f64>,
    /// Number of these nodes that exist, because they or their descendants store spheres: mean over the packings.
    pub existing_nodes: Option<f64>,
}

/// Statement of Raschdorf & Kolonko 2011 on their Fig. 9, and the share of the spheres that decides whether it holds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fig9Statement {
    /// Size distribution.
    pub sizes: PaperSizes,
    /// Octree.
    pub octree: PublishedOctree,
    /// Statement of the paper.
    pub statement: String,
    /// Spheres whose share decides.
    pub counted: String,
    /// Share of these spheres, from 0 to 1: mean over the packings.
    pub share: f64,
    /// Whether the statement holds.
    pub holds: bool,
    /// Reason if it does not hold.
    pub reason: Option<String>,
}

/// Levels of the octrees, and the statements of Raschdorf & Kolonko 2011 on them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Fig9 {
    /// Levels, by sizes and octree, the root first.
    pub levels: Vec<Fig9Level>,
    /// Statements of the paper.
    pub statements: Vec<Fig9Statement>,
}

/// Repeats Fig. 9 of Raschdorf & Kolonko 2011: counts the spheres on the levels of the strict and the loose octree, on packings of equal spheres and of two Fuller samples.
///
/// `comparison` is usually [`IndexComparison::of_the_paper`]; its indexes and its Verlet distance are not used. `begin` is called
/// before each packing run. The result is the same on every machine.
///
/// # Errors
/// When there is no run, the Verlet distance is negative or not finite, or the spheres cannot be packed.
pub fn fig_9(
    comparison: &IndexComparison,
    begin: &mut dyn FnMut(PaperStep),
) -> Result<Fig9, IndexComparisonError> {
    comparison.check()?;
    let (mut levels, mut statements) = (Vec::new(), Vec::new());
    for &sizes in PaperSizes::ALL {
        let mut runs = Vec::new();
        pack_each(comparison, sizes, begin, &mut |packing| {
            runs.push(Counts::new(packing));
        })?;
        let series = Series {
            comparison,
            sizes,
            runs,
        };
        for &octree in PublishedOctree::ALL {
            levels.extend((0..series.depth(octree)).map(|level| series.level(octree, level)));
        }
        statements.extend(series.statements());
    }
    Ok(Fig9 { levels, statements })
}

/// Counts on one packing.
struct Counts {
    /// Side of the container over the smallest diameter.
    side: f64,
    /// Number of spheres on each level of each octree, in the order of [`PublishedOctree::ALL`].
    levels: Vec<Vec<usize>>,
    /// Mean number of existing nodes that a sphere on each level of the strict octree must search.
    searched: Vec<f64>,
}

impl Counts {
    fn new(packing: &Packing) -> Self {
        let (spheres, container) = (&packing.spheres, &packing.container);
        let levels = |octree: &PublishedOctree| {
            published_octree_levels(octree.expansion(), spheres, container)
        };
        Self {
            side: container.lengths().x / diameters(packing)[0],
            levels: PublishedOctree::ALL.iter().map(levels).collect(),
            searched: published_octree_searched_nodes(spheres, container),
        }
    }

    fn on(&self, octree: PublishedOctree) -> &[usize] {
        &self.levels[octree as usize]
    }

    /// Returns l̃_max of Eq. 5, the deepest level of the loose octree.
    fn deepest_loose(&self) -> usize {
        deepest_level(self.side) as usize + 1
    }
}

/// The packings of one size distribution.
struct Series<'a> {
    comparison: &'a IndexComparison,
    sizes: PaperSizes,
    runs: Vec<Counts>,
}

impl Series<'_> {
    /// Returns the number of levels of an octree, down to the deepest one with spheres in any packing.
    fn depth(&self, octree: PublishedOctree) -> usize {
        let depths = self.runs.iter().map(|run| run.on(octree).len());
        depths.max().unwrap_or(0)
    }

    /// Returns the share of the spheres on those levels of an octree that `counts` accepts, in each packing.
    fn shares(&self, octree: PublishedOctree, counts: impl Fn(&Counts, usize) -> bool) -> Vec<f64> {
        let share = |run: &Counts| {
            let levels = run.on(octree).iter().enumerate();
            let counted = levels.filter(|&(level, _)| counts(run, level));
            let spheres: usize = counted.map(|(_, spheres)| spheres).sum();
            spheres as f64 / self.comparison.spheres as f64
        };
        self.runs.iter().map(share).collect()
    }

    fn level(&self, octree: PublishedOctree, level: usize) -> Fig9Level {
        let (share, spread) = mean_and_spread(&self.shares(octree, |_, at| at == level));
        let runs = self.runs.iter().filter(|run| {
            let is_occupied = run
                .on(octree)
                .get(level)
                .is_some_and(|&spheres| spheres > 0);
            octree == PublishedOctree::Strict && is_occupied
        });
        let (most, existing): (Vec<_>, Vec<_>) = runs
            .map(|run| {
                let most = most_searched_nodes(level as u32, deepest_level(run.side));
                (most.unwrap_or(0.0), run.searched[level])
            })
            .unzip();
        Fig9Level {
            sizes: self.sizes,
            boundary: self.comparison.boundary,
            spheres: self.comparison.spheres,
            runs: self.comparison.runs,
            octree,
            level,
            share,
            spread,
            most_nodes: mean_of(&most),
            existing_nodes: mean_of(&existing),
        }
    }

    fn statements(&self) -> Vec<Fig9Statement> {
        let strict = PublishedOctree::Strict;
        let fullest = (0..self.depth(strict))
            .map(|level| mean_and_spread(&self.shares(strict, |_, at| at == level)).0)
            .fold(0.0, f64::max);
        let is_spread = fullest < MOST_ON_ONE_LEVEL;
        let words = [
            "the spheres are spread over the levels",
            "on the fullest level",
        ];
        let mut statements = vec![self.statement(strict, words, fullest, is_spread)];
        statements.extend(if self.sizes == PaperSizes::Equal {
            self.loose_statements_on_equal_spheres()
        } else {
            self.loose_statements_on_fuller_sizes()
        });
        statements
    }

    fn loose_statements_on_equal_spheres(&self) -> [Fig9Statement; 2] {
        let upper = self.loose_share(|_, level| level <= 3);
        let deepest = self.loose_share(|run, level| level + 1 >= run.deepest_loose());
        let words = [
            ["no spheres are on levels 0 to 3", "on levels 0 to 3"],
            [
                "all spheres are on the two deepest levels",
                "on these levels",
            ],
        ];
        [
            self.statement(PublishedOctree::Loose, words[0], upper, upper == 0.0),
            self.statement(PublishedOctree::Loose, words[1], deepest, deepest == 1.0),
        ]
    }

    fn loose_statements_on_fuller_sizes(&self) -> [Fig9Statement; 2] {
        let last = self.loose_share(|run, level| level + 3 >= run.on(PublishedOctree::Loose).len());
        let deepest = self.loose_share(|run, level| level == run.deepest_loose());
        let words = [
            [
                "the spheres are mainly on the last few levels",
                "on the last three levels",
            ],
            [
                "very few spheres are on the deepest level",
                "on the deepest level",
            ],
        ];
        let (is_most, is_few) = (last > MOST_SPHERES, deepest < VERY_FEW);
        [
            self.statement(PublishedOctree::Loose, words[0], last, is_most),
            self.statement(PublishedOctree::Loose, words[1], deepest, is_few),
        ]
    }

    /// Returns the mean share of the spheres on those levels of the loose octree that `counts` accepts.
    fn loose_share(&self, counts: impl Fn(&Counts, usize) -> bool) -> f64 {
        mean_and_spread(&self.shares(PublishedOctree::Loose, counts)).0
    }

    fn statement(
        &self,
        octree: PublishedOctree,
        [statement, counted]: [&str; 2],
        share: f64,
        holds: bool,
    ) -> Fig9Statement {
        Fig9Statement {
            sizes: self.sizes,
            octree,
            statement: statement.to_owned(),
            counted: counted.to_owned(),
            share,
            holds,
            reason: (!holds).then(|| self.reason()),
        }
    }

    /// Returns why the levels differ from those of the paper. The share of each level follows from the side of the container.
    fn reason(&self) -> String {
        if self.comparison.spheres != PAPER_SPHERES {
            return format!("the paper packs {PAPER_SPHERES} spheres");
        }
        let sides: Vec<f64> = self.runs.iter().map(|run| run.side).collect();
        let side = mean_and_spread(&sides).0;
        format!("s0 is {side:.1} d_min; in the paper it is just above a power of two")
    }
}

/// Returns the mean; `None` without values.
fn mean_of(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| mean_and_spread(values).0)
}

/// Returns n_ν(l) = l + Σ 8^i for i from 0 to l_max − l, the maximum number of nodes that a sphere on a level l of the strict
/// octree must search; `None` if the level is deeper than l_max.
///
/// These nodes are the node of the sphere, its l ancestors and all its descendants, in a tree where every node down to the
/// deepest level exists. Numbers above 2⁵³ are rounded.
pub fn most_searched_nodes(level: u32, deepest: u32) -> Option<f64> {
    let below = deepest.checked_sub(level)?;
    let subtree: f64 = (0..=below).map(|i| 8f64.powi(i as i32)).sum();
    Some(f64::from(level) + subtree)
}

/// Returns l_max of Eq. 2, the deepest level of the strict octree, from the side of the container over the smallest diameter;
/// 0 for a container that is smaller than the sphere.
pub(super) fn deepest_level(side_over_smallest: f64) -> u32 {
    libm::log2(side_over_smallest).floor().max(0.0) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rearrange::Effort;

    #[test]
    fn shares_of_the_levels_sum_to_1_and_nodes_obey_eq_3() {
        let comparison = IndexComparison::of_the_paper()
            .spheres(300)
            .runs(2)
            .effort(Effort::QUICK);
        let found = fig_9(&comparison, &mut |_| ()).unwrap();
        for &sizes in PaperSizes::ALL {
            for &octree in PublishedOctree::ALL {
                let levels = found.levels.iter();
                let rows: Vec<&Fig9Level> = levels
                    .filter(|row| row.sizes == sizes && row.octree == octree)
                    .collect();
                let total: f64 = rows.iter().map(|row| row.share).sum();
                assert!((total - 1.0).abs() < 1e-12, "{sizes} {octree}: {total}");
                assert!(rows.iter().zip(0..).all(|(row, level)| row.level == level));
                for row in rows {
                    let is_searched = octree == PublishedOctree::Strict && row.share > 0.0;
                    assert_eq!(row.most_nodes.is_some(), is_searched, "{row:?}");
                    if let (Some(most), Some(existing)) = (row.most_nodes, row.existing_nodes) {
                        assert!(existing <= most && existing > row.level as f64, "{row:?}");
                    }
                }
            }
        }
        assert_eq!(found.statements.len(), 9);
        let holds = |words: &str| {
            let mut statements = found.statements.iter();
            statements
                .find(|row| row.statement.contains(words))
                .unwrap()
        };
        // 300 equal spheres are in a container of 6 to 8 diameters: levels 2 and 3.
        assert!(holds("two deepest").holds);
        let upper = holds("0 to 3");
        assert!(!upper.holds && upper.share == 1.0, "{upper:?}");
        assert_eq!(
            upper.reason.as_deref(),
            Some("the paper packs 10000 spheres")
        );
    }

    /// Whether the insides of two nodes of a tree with this deepest level intersect. A node is its level and its coordinates.
    fn intersect(a: (u32, [u32; 3]), b: (u32, [u32; 3]), deepest: u32) -> bool {
        let ends = |(level, cell): (u32, [u32; 3]), axis: usize| {
            let side = 1 << (deepest - level);
            [cell[axis] * side, (cell[axis] + 1) * side]
        };
        (0..3).all(|axis| {
            let [[a_low, a_high], [b_low, b_high]] = [ends(a, axis), ends(b, axis)];
            a_low < b_high && b_low < a_high
        })
    }

    /// Spheres on two levels can overlap only if their nodes, which enclose them, intersect. The test counts these nodes one by one.
    #[test]
    fn eq_3_is_the_number_of_nodes_that_intersect_a_node() {
        for deepest in 0..=3 {
            let mut nodes = Vec::new();
            for level in 0..=deepest {
                let side = 1 << level;
                let cells =
                    (0..side * side * side).map(|i| [i % side, i / side % side, i / side / side]);
                nodes.extend(cells.map(|cell| (level, cell)));
            }
            for &node in &nodes {
                let count = nodes
                    .iter()
                    .filter(|&&other| intersect(node, other, deepest));
                let published = most_searched_nodes(node.0, deepest);
                assert_eq!(
                    published,
                    Some(count.count() as f64),
                    "{node:?} of {deepest}"
                );
            }
        }
        assert_eq!(most_searched_nodes(4, 3), None);
    }

    #[test]
    fn the_deepest_level_is_that_of_eq_2() {
        for (side, level) in [
            (1.0, 0),
            (1.9, 0),
            (20.6, 4),
            (63.4, 5),
            (64.1, 6),
            (0.5, 0),
        ] {
            assert_eq!(deepest_level(side), level, "{side}");
            let width = side / f64::from(1 << level);
            assert!(side < 1.0 || (1.0..2.0).contains(&width));
        }
    }
}
