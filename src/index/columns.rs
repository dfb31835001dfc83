//! Spheres in vertical columns, sorted by height: the index of a deposition.

use glam::DVec3;

/// Number of columns of a level for each of its spheres, at most: few spheres in a wide vessel have wide columns.
const COLUMNS_PER_SPHERE: f64 = 4.0;

/// Number of halvings of the radius on a level: with one, depositions of a size ratio of 50 execute 1.21 times the instructions, with three 1.15
/// times.
const HALVINGS: i64 = 2;

/// Number of levels. The last one holds all smaller spheres.
const LEVELS: usize = 16;

/// Extra reach of a list of a [`Vicinity`], in radii of the largest sphere of its level: 0.25 and 1 execute more instructions.
const AHEAD: f64 = 0.5;

/// Share by which lists of a [`Vicinity`] are used less far than they reach, for rounding.
const ROUNDING: f64 = 1e-12;

/// A sphere, or a periodic image of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Item {
    pub center: DVec3,
    pub radius: f64,
    pub id: u32,
}

impl Item {
    /// Returns the height at which a sphere that falls from a point touches this one; `None` if it does not.
    pub fn below(&self, from: DVec3, radius: f64) -> Option<f64> {
        let limit = radius + self.radius;
        let room = limit * limit - (self.center - from).truncate().length_squared();
        let height = self.center.z + room.sqrt();
        // The root of a negative number is no height.
        (height <= from.z).then_some(height)
    }
}

/// Spheres in columns parallel to z, with a level of columns for radii that differ at most fourfold.
///
/// Spheres are inserted in about ascending order of z, so that an insertion moves few items. A query costs the columns within its
/// reach, and in each one a binary search and the spheres within reach. Columns have the width of the largest sphere of their level.
pub(crate) struct Columns {
    largest: f64,
    /// Lengths along x and y.
    lengths: [f64; 2],
    is_periodic: [bool; 2],
    /// The level of each range of radii; absent without spheres.
    levels: Vec<Option<Level>>,
}

struct Level {
    /// Largest radius.
    largest: f64,
    /// Number of columns along x and y.
    counts: [i64; 2],
    widths: [f64; 2],
    columns: Vec<Vec<Item>>,
    /// The height of the highest center of each column. Most queries end here: they are above most columns.
    tops: Vec<f64>,
}

/// Lists of the spheres near a moving point, so that queries at successive positions search the levels of large spheres only now and then.
#[derive(Default)]
pub(crate) struct Vicinity {
    /// One for each level.
    lists: Vec<List>,
}

impl Vicinity {
    /// Empties the lists, for another sphere or after an insertion.
    pub fn clear(&mut self) {
        self.lists
            .iter_mut()
            .for_each(|list| list.reach = f64::NEG_INFINITY);
    }
}

/// The spheres of a level whose surfaces are nearer than `reach` to a point.
struct List {
    point: DVec3,
    reach: f64,
    items: Vec<Item>,
}

impl Columns {
    /// Creates an index for spheres of these radii, of which none is inserted yet.
    pub fn new(
        lengths: DVec3,
        is_periodic: [bool; 2],
        radii: impl Iterator<Item = f64> + Clone,
    ) -> Self {
        let lengths = [lengths.x, lengths.y];
        let largest = radii.clone().fold(0.0, f64::max);
        let mut found = [(0.0f64, 0usize); LEVELS];
        for radius in radii {
            let (most, count) = &mut found[number(largest, radius)];
            *most = most.max(radius);
            *count += 1;
        }
        let level =
            |&(most, count): &(f64, usize)| (count > 0).then(|| Level::new(most, count, lengths));
        Self {
            largest,
            lengths,
            is_periodic,
            levels: found.iter().map(level).collect(),
        }
    }

    fn level_of(&mut self, radius: f64) -> &mut Level {
        let level = self.levels[number(self.largest, radius)].as_mut();
        level.expect("the radii were announced")
    }

    /// Inserts a sphere, whose center lies in the bounding box.
    pub fn insert(&mut self, item: Item) {
        let level = self.level_of(item.radius);
        let [x, y] = level.column(item.center);
        let number = (x * level.counts[1] + y) as usize;
        let (column, top) = (&mut level.columns[number], &mut level.tops[number]);
        *top = top.max(item.center.z);
        let place = column.partition_point(|other| other.center.z <= item.center.z);
        column.insert(place, item);
    }

    /// Calls `visit` with each sphere, and each image of a sphere, whose surface is nearer than `reach` to a point.
    pub fn near(&self, point: DVec3, reach: f64, mut visit: impl FnMut(Item)) {
        for level in self.levels.iter().flatten() {
            self.near_on(level, point, reach, &mut visit);
        }
    }

    /// Like [`near`](Self::near) in the same order, for successive positions of one sphere, and before the next insertion.
    pub fn near_again(
        &self,
        vicinity: &mut Vicinity,
        point: DVec3,
        reach: f64,
        mut visit: impl FnMut(Item),
    ) {
        let lists = &mut vicinity.lists;
        if lists.is_empty() {
            lists.extend(self.levels.iter().flatten().map(|_| List::default()));
        }
        for (level, list) in self.levels.iter().flatten().zip(lists) {
            if level.largest <= reach {
                self.near_on(level, point, reach, &mut visit);
                continue;
            }
            if list.point.distance(point) + reach > list.reach * (1.0 - ROUNDING) {
                list.items.clear();
                (list.point, list.reach) = (point, reach + AHEAD * level.largest);
                self.near_on(level, point, list.reach, &mut |item| list.items.push(item));
            }
            for item in &list.items {
                let limit = reach + item.radius;
                if item.center.distance_squared(point) < limit * limit {
                    visit(*item);
                }
            }
        }
    }

    fn near_on(&self, level: &Level, point: DVec3, reach: f64, visit: &mut impl FnMut(Item)) {
        let most = reach + level.largest;
        let low = point.z - most;
        self.visit_columns(level, point, most, low, |number, shift, aside| {
            let square = most * most - aside;
            let above = point.z - level.tops[number];
            if above > 0.0 && above * above > square {
                return low;
            }
            let (column, half) = (&level.columns[number], square.sqrt());
            let first = count_below(column, point.z - half);
            for item in &column[first..] {
                if item.center.z > point.z + half {
                    break;
                }
                let center = item.center + shift;
                let limit = reach + item.radius;
                if center.distance_squared(point) < limit * limit {
                    visit(Item { center, ..*item });
                }
            }
            low
        });
    }

    /// Returns the height at which a sphere that falls from a point first touches another one, if that is above `floor`, with the sphere
    /// that it touches. `is_ignored` names images of spheres through which it falls.
    pub fn first_below(
        &self,
        from: DVec3,
        radius: f64,
        floor: f64,
        is_ignored: impl Fn(&Item) -> bool,
    ) -> Option<(f64, Item)> {
        let mut best = (floor, None);
        for level in self.levels.iter().flatten() {
            let most = radius + level.largest;
            self.visit_columns(level, from, most, best.0 - most, |number, shift, _| {
                let column = &level.columns[number];
                let above = count_below(column, from.z);
                for item in column[..above].iter().rev() {
                    if item.center.z + most <= best.0 {
                        break;
                    }
                    let image = Item {
                        center: item.center + shift,
                        ..*item
                    };
                    let height = image.below(from, radius);
                    if let Some(height) = height.filter(|height| *height > best.0)
                        && !is_ignored(&image)
                    {
                        best = (height, Some(image));
                    }
                }
                best.0 - most
            });
        }
        best.1.map(|item| (best.0, item))
    }

    /// Calls `visit` with the number of each column within `reach` of a point along x and y, the displacement of its spheres to their image
    /// there, and the square of the distance of the column from the point. Columns whose highest center is not above `low` are left out;
    /// `visit` returns the next `low`.
    fn visit_columns(
        &self,
        level: &Level,
        point: DVec3,
        reach: f64,
        mut low: f64,
        mut visit: impl FnMut(usize, DVec3, f64) -> f64,
    ) {
        let [[x, last_x], [first_y, last_y]] = [0, 1].map(|axis| {
            let cell = |x: f64| floor(x / level.widths[axis]);
            let ends = [cell(point[axis] - reach), cell(point[axis] + reach)];
            if self.is_periodic[axis] {
                ends
            } else {
                ends.map(|end| end.clamp(0, level.counts[axis] - 1))
            }
        });
        // The outermost columns hold spheres beyond the bounding box, which rounding makes.
        let aside = |axis: usize, cell: i64| {
            let low = cell as f64 * level.widths[axis] - point[axis];
            low.max(-low - level.widths[axis]).max(0.0)
        };
        let ([nx, ny], [length_x, length_y]) = (level.counts, self.lengths);
        for x in x..last_x + 1 {
            let (dx, (row, turns_x)) = (aside(0, x), wrapped(x, nx));
            let mut first = first_y;
            while first <= last_y {
                // The columns up to the end of the period are neighbors in memory.
                let (column, turns_y) = wrapped(first, ny);
                let start = (row * ny + column) as usize;
                let length = (ny - column).min(last_y + 1 - first) as usize;
                for (k, top) in level.tops[start..start + length].iter().enumerate() {
                    if *top <= low {
                        continue;
                    }
                    let dy = aside(1, first + k as i64);
                    let square = dx * dx + dy * dy;
                    if square < reach * reach {
                        let shift = DVec3::new(turns_x * length_x, turns_y * length_y, 0.0);
                        low = visit(start + k, shift, square);
                    }
                }
                first += length as i64;
            }
        }
    }
}

/// Returns the cell of which a cell is an image, and the number of periods between them.
fn wrapped(cell: i64, count: i64) -> (i64, f64) {
    // Divisions are slow.
    if (0..count).contains(&cell) {
        return (cell, 0.0);
    }
    (cell.rem_euclid(count), cell.div_euclid(count) as f64)
}

/// Returns the largest whole number that is not above a number.
fn floor(x: f64) -> i64 {
    // Without an instruction for it, `f64::floor` is a call.
    let cut = x as i64;
    cut - i64::from((cut as f64) > x)
}

impl Default for List {
    fn default() -> Self {
        Self {
            point: DVec3::ZERO,
            reach: f64::NEG_INFINITY,
            items: Vec::new(),
        }
    }
}

impl Level {
    fn new(largest: f64, count: usize, lengths: [f64; 2]) -> Self {
        let least = (lengths[0] * lengths[1] / (COLUMNS_PER_SPHERE * count as f64)).sqrt();
        let width = (2.0 * largest).max(least);
        let counts = lengths.map(|length| ((length / width) as i64).max(1));
        Self {
            largest,
            counts,
            widths: [0, 1].map(|axis| lengths[axis] / counts[axis] as f64),
            columns: vec![Vec::new(); (counts[0] * counts[1]) as usize],
            tops: vec![f64::NEG_INFINITY; (counts[0] * counts[1]) as usize],
        }
    }

    /// Returns the numbers of the column of a point along x and y.
    fn column(&self, point: DVec3) -> [i64; 2] {
        [0, 1].map(|axis| {
            let cell = (point[axis] / self.widths[axis]) as i64;
            cell.clamp(0, self.counts[axis] - 1)
        })
    }
}

/// Returns the number of spheres of a column whose centers lie below a height.
///
/// The search begins at the top, where most queries are, and doubles its steps.
fn count_below(column: &[Item], height: f64) -> usize {
    let mut step = 1;
    let mut above = column.len();
    while let Some(probe) = above.checked_sub(step) {
        if column[probe].center.z < height {
            let lower = &column[probe..above];
            return probe + lower.partition_point(|item| item.center.z < height);
        }
        above = probe;
        step *= 2;
    }
    column[..above].partition_point(|item| item.center.z < height)
}

/// Returns the number of the level of a radius.
fn number(largest: f64, radius: f64) -> usize {
    let exponent = ((largest / radius).to_bits() >> 52 & 0x7ff) as i64 - 1023;
    (exponent / HALVINGS).clamp(0, LEVELS as i64 - 1) as usize
}

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    const LENGTHS: DVec3 = DVec3::new(30.0, 17.0, 60.0);

    /// Returns spheres of a size ratio of 50, and columns that hold them.
    fn filled(is_periodic: [bool; 2], random: &mut Pcg64) -> (Vec<Item>, Columns) {
        let item = |id| {
            let at: [f64; 3] = [random.random(), random.random(), random.random()];
            let radius = 4.0 * 50f64.powf(-random.random::<f64>());
            let center = DVec3::from(at) * LENGTHS;
            Item { center, radius, id }
        };
        let items: Vec<Item> = (0..2000).map(item).collect();
        let radii = items.iter().map(|item| item.radius);
        let mut columns = Columns::new(LENGTHS, is_periodic, radii);
        items.iter().for_each(|item| columns.insert(*item));
        (items, columns)
    }

    /// Returns the images of all spheres, by id.
    fn images(items: &[Item], is_periodic: [bool; 2]) -> Vec<Item> {
        let turns = |axis: usize| if is_periodic[axis] { -2..=2 } else { 0..=0 };
        let shifts = turns(0).flat_map(|x| turns(1).map(move |y| (f64::from(x), f64::from(y))));
        let image = |item: &Item, (x, y): (f64, f64)| Item {
            center: item.center + DVec3::new(x, y, 0.0) * LENGTHS,
            ..*item
        };
        let of = |item: &Item| {
            shifts
                .clone()
                .map(|shift| image(item, shift))
                .collect::<Vec<_>>()
        };
        items.iter().flat_map(of).collect()
    }

    #[test]
    fn searches_find_what_brute_force_finds() {
        let mut random = Pcg64::seed_from_u64(3);
        for is_periodic in [[false, false], [true, false], [true, true]] {
            let (items, columns) = filled(is_periodic, &mut random);
            let images = images(&items, is_periodic);
            let mut vicinity = Vicinity::default();
            let mut point = 0.5 * LENGTHS;
            for step in 0..200 {
                let reach = 0.1 + 3.0 * random.random::<f64>();
                let mut found = Vec::new();
                columns.near(point, reach, |item| found.push(item));
                let mut again = Vec::new();
                columns.near_again(&mut vicinity, point, reach, |item| again.push(item));
                assert_eq!(again, found);
                let is_near = |item: &&Item| item.center.distance(point) < reach + item.radius;
                assert_eq!(found.len(), images.iter().filter(is_near).count());

                let lowest = columns.first_below(point, reach, f64::NEG_INFINITY, |_| false);
                let height = |item: &Item| {
                    let aside = (item.center - point).truncate().length_squared();
                    item.center.z + ((reach + item.radius).powi(2) - aside).sqrt()
                };
                let heights = images
                    .iter()
                    .filter(|item| item.center.z < point.z)
                    .map(height);
                let below = heights
                    .filter(|height| *height <= point.z)
                    .fold(f64::NAN, f64::max);
                let lowest = lowest.map_or(f64::NAN, |(height, _)| height);
                assert!((lowest - below).abs() < 1e-9 || lowest.is_nan() && below.is_nan());

                // Mostly short steps, along which the lists serve again.
                let far = if step % 20 == 0 { 9.0 } else { 0.4 };
                let by: [f64; 3] = [random.random(), random.random(), random.random()];
                point += far * (2.0 * DVec3::from(by) - DVec3::ONE);
                point = point.clamp(DVec3::ZERO, LENGTHS);
            }
        }
    }
}
