//! Sections 3.2 and 3.3: levels and nodes of the octrees.

use jostle::{
    Boundaries, Container, IndexKind, Packing, Spheres,
    glam::DVec3,
    laboratory::compare::{measure_index, published_octree_levels},
};

use super::scenes::{Scenes, candidates, levels, side, verlet_distance};
use crate::papers::row::Row;

/// Expansion factors of the strict and of the loose octree.
pub const STRICT: f64 = 1.0;
pub const LOOSE: f64 = 2.0;

/// Expansion factors that are compared.
const EXPANSIONS: [f64; 6] = [1.25, 1.5, 2.0, 2.5, 3.0, 4.0];

const COMPARISON: &str = "[comparison.md](comparison.md) has the means over ten packings";

pub fn rows(scenes: &Scenes) -> Vec<Row> {
    let mut rows = vec![nodes_of_a_level()];
    rows.extend(depths(scenes));
    rows.push(searched_nodes(&scenes.equal));
    rows.push(root(scenes));
    rows.extend(placements());
    rows.push(level_by_diameter(&scenes.fuller[0]));
    rows.push(expansion(scenes));
    rows.extend(levels_of_figure_9(scenes));
    rows
}

fn cube(side: f64) -> Container {
    Container::cuboid(DVec3::splat(side), Boundaries::WALLS).expect("the side is positive")
}

/// Returns the level of one sphere.
fn level(k: f64, center: DVec3, radius: f64, container: &Container) -> usize {
    let sphere = Spheres::new(vec![center], vec![radius]);
    published_octree_levels(k, &sphere, container).len() - 1
}

/// Returns ⌊log₂(side/diameter)⌋.
fn level_for(side: f64, diameter: f64) -> usize {
    (side / diameter).log2().floor() as usize
}

fn nodes_of_a_level() -> Row {
    // Spheres nearly as wide as the nodes of level 2 in a cube of side 8, at the middles of these nodes.
    let middles = (0..64).map(|i| {
        let cell = [i % 4, i / 4 % 4, i / 16].map(f64::from);
        2.0 * DVec3::from_array(cell) + 1.0
    });
    let spheres = Spheres::new(middles.collect(), vec![0.95; 64]);
    let found = published_octree_levels(STRICT, &spheres, &cube(8.0));
    Row::checked(
        "Fig. 3, Section 3.2",
        "Level l has 8^l nodes of side s0/2^l",
        "64 on level 2",
        format!("{} spheres that fill a node each on level 2", found[2]),
        found == [0, 0, 64],
        "Strict octree of the laboratory",
    )
}

/// Returns the rows of the deepest levels.
fn depths(scenes: &Scenes) -> [Row; 2] {
    let strict = level_for(side(&scenes.equal), 1.0);
    let of_fuller = level_for(side(&scenes.fuller[0]), 1.0);
    let deepest = |k, packing| levels(k, packing).len() - 1;
    let equal = [STRICT, LOOSE].map(|k| deepest(k, &scenes.equal));
    let fuller = [STRICT, LOOSE].map(|k| deepest(k, &scenes.fuller[0]));
    [
        Row::checked(
            "Eq. 2",
            "The strict octree needs the levels up to l_max = ⌊log₂(s0/d_min)⌋",
            format!("{strict} for equal spheres, {of_fuller} for Fuller sizes"),
            format!("{} and {}", equal[0], fuller[0]),
            equal[0] == strict && fuller[0] <= of_fuller,
            "The deepest level with a sphere. With Fuller sizes, nodes of the last level are hardly wider than d_min, so that few spheres or \
             none fit into them.",
        ),
        Row::checked(
            "Eq. 5",
            "The loose octree needs one level more",
            format!(
                "{} for equal spheres, {} for Fuller sizes",
                strict + 1,
                of_fuller + 1
            ),
            format!("{} and {}", equal[1], fuller[1]),
            equal[1] == strict + 1 && fuller[1] <= of_fuller + 1,
            "As for Eq. 2",
        ),
    ]
}

fn searched_nodes(packing: &Packing) -> Row {
    let deepest = level_for(side(packing), 1.0) as u32;
    let most: u64 = (0..=deepest).map(|i| 8u64.pow(i)).sum();
    let (kind, distance) = (IndexKind::StrictOctree, verlet_distance(packing));
    let opened = measure_index(kind, packing.spheres(), packing.container(), distance).nodes_opened;
    Row::checked(
        "Eq. 3, Fig. 4",
        "A sphere on level l has to search at most n_ν(l) nodes; checks of intersection reduce the number",
        format!("at most n_ν(0) = {most}"),
        format!("{opened:.0} opened per query"),
        opened < most as f64,
        "`strict-octree` with equal spheres. [comparison.md](comparison.md) has n_ν(l) for all levels.",
    )
}

fn root(scenes: &Scenes) -> Row {
    let packing = &scenes.equal;
    let middle = 0.5 * side(packing);
    let crosses = |&(center, radius): &(DVec3, f64)| (center - middle).abs().min_element() < radius;
    let crossing = packing.spheres().iter().filter(crosses).count();
    let strict = levels(STRICT, packing)[0];
    let loose = levels(LOOSE, packing)[0];
    Row::checked(
        "Figs. 5 and 7",
        "In the strict octree, all spheres that cross the middle planes are in the root; in the loose octree they are deep in the tree",
        format!("{crossing} spheres cross the planes"),
        format!("{strict} in the root; loose: {loose}"),
        strict == crossing && loose == 0,
        "10 000 equal spheres; the figures show 50 000. [command-line.md](../guide/command-line.md) has the command that draws them: `jostle \
         render --color`.",
    )
}

/// Returns the rows of the placement of one sphere.
fn placements() -> [Row; 2] {
    let container = cube(8.0);
    let at = |k, x: f64, others: f64| {
        let center = DVec3::new(x, others, others);
        level(k, center, 0.5, &container)
    };
    let crossing = [STRICT, LOOSE].map(|k| at(k, 4.2, 2.5));
    let nearly_in_the_middle = [2.5, 4.25].map(|x| at(LOOSE, x, x));
    [
        Row::checked(
            "Fig. 6",
            "A sphere across a splitting plane stays on the upper level of the strict octree, and goes into a child node of the loose octree",
            "0 and 3",
            format!("{} and {}", crossing[0], crossing[1]),
            crossing == [0, 3],
            "A sphere of diameter 1 at 4.2 in a cube of side 8",
        ),
        Row::checked(
            "Fig. 8",
            "With k = 2 a sphere fits into the node of Eq. 4, and near the middle of a child node into this node",
            "3 and 4",
            format!(
                "{} and {}",
                nearly_in_the_middle[0], nearly_in_the_middle[1]
            ),
            nearly_in_the_middle == [3, 4],
            "Spheres of diameter 1 in a cube of side 8",
        ),
    ]
}

fn level_by_diameter(packing: &Packing) -> Row {
    let container = packing.container();
    let mut by_child = [0, 0];
    for (center, radius) in packing.spheres().iter() {
        let expected = level_for(side(packing), 2.0 * radius);
        let found = level(LOOSE, center, radius, container);
        if let Some(child) = found.checked_sub(expected)
            && child < 2
        {
            by_child[child] += 1;
        }
    }
    let all = packing.spheres().len();
    Row::checked(
        "Eq. 4, Section 3.3",
        "Spheres of diameters in (s0/2^(l+1), s0/2^l] are on level l(d) = ⌊log₂(s0/d)⌋ or one level deeper",
        format!("all of {all}"),
        format!("{} on l(d), {} one deeper", by_child[0], by_child[1]),
        by_child[0] + by_child[1] == all,
        "Fuller sizes",
    )
}

fn expansion(scenes: &Scenes) -> Row {
    let packings = [&scenes.equal, &scenes.fuller[0]];
    let of = |k| packings.map(|packing| candidates(k, packing, 0.0));
    let all = EXPANSIONS.map(of);
    let two = of(LOOSE);
    let least = [0, 1].map(|mixture| {
        let values = all.iter().map(|counts| counts[mixture]);
        values.fold(f64::INFINITY, f64::min)
    });
    let texts = EXPANSIONS.iter().zip(&all);
    let texts: Vec<String> = texts
        .map(|(k, [equal, fuller])| format!("k = {k}: {equal:.0} and {fuller:.0}"))
        .collect();
    Row::checked(
        "Section 3.3",
        "k = 2 performs very well",
        "k = 2",
        format!("{:.1} and {:.1} candidates", two[0], two[1]),
        two[0] <= 1.1 * least[0] && two[1] <= 1.1 * least[1],
        format!(
            "Equal spheres and Fuller sizes. Reproduced, if no other k has fewer by a tenth: {}. Only k = 2 finds the node without a search.",
            texts.join("; ")
        ),
    )
}

/// Returns the rows of the statements on Fig. 9.
fn levels_of_figure_9(scenes: &Scenes) -> [Row; 4] {
    let [strict, loose] = [STRICT, LOOSE].map(|k| levels(k, &scenes.equal));
    let used = |levels: &[usize]| levels.iter().filter(|&&count| count > 0).count();
    let all = scenes.equal.spheres().len();
    let last_two: usize = loose.iter().rev().take(2).sum();
    let upper: usize = loose.iter().take(4).sum();
    let of_fuller = levels(STRICT, &scenes.fuller[0]);
    // Level 7, into which spheres slip from level 6 where s0 is just above 64 d_min.
    let deepest = scenes.fuller.iter().map(|packing| {
        let levels = levels(LOOSE, packing);
        levels.get(7).copied().unwrap_or(0) as f64 / all as f64
    });
    let deepest = deepest.sum::<f64>() / scenes.fuller.len() as f64;
    [
        Row::checked(
            "Fig. 9",
            "In the strict octree, spheres are distributed widely among the levels, with equal and with polydisperse spheres",
            "all levels",
            format!(
                "{} of {} levels for equal spheres, {} of {} for Fuller sizes",
                used(&strict),
                strict.len(),
                used(&of_fuller),
                of_fuller.len()
            ),
            used(&strict) == strict.len() && used(&of_fuller) == of_fuller.len(),
            COMPARISON,
        ),
        Row::checked(
            "Fig. 9",
            "No equal sphere is on levels 0–3 of the loose octree",
            "0",
            upper.to_string(),
            upper == 0,
            COMPARISON,
        ),
        Row::checked(
            "Fig. 9",
            "Equal spheres are on the two deepest levels of the loose octree only",
            format!("all of {all}"),
            last_two.to_string(),
            last_two == all,
            COMPARISON,
        ),
        Row::checked(
            "Fig. 9",
            "Only very few polydisperse spheres slip into the deepest level of the loose octree",
            "very few",
            format!("{:.2} %", 100.0 * deepest),
            deepest < 0.02,
            format!(
                "Mean of six packings. The share depends on how far s0 is above 64 d_min. {COMPARISON}."
            ),
        ),
    ]
}
