//! Spheres in vertical columns, sorted by height: the index of a deposition.

use glam::DVec3;

/// Number of columns of a level for each of its spheres, at most: few spheres in a wide vessel have wide columns.
const COLUMNS_PER_SPHERE: f64 = 4.0;

/// Number of levels. The last one holds all smaller spheres.
const LEVELS: usize = 32;

/// A sphere, or a periodic image of it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Item {
    pub center: DVec3,
    pub radius: f64,
    pub id: u32,
}

/// Spheres in columns parallel to z, with a level of columns for each octave of the radius.
///
/// Spheres are inserted in about ascending order of z, so that an insertion moves few items. A query costs the columns within its
/// reach, and in each one a binary search and the spheres within reach. Columns have the width of the largest sphere of their level.
pub(crate) struct Columns {
    largest: f64,
    /// Lengths along x and y.
    lengths: [f64; 2],
    is_periodic: [bool; 2],
    /// The level of each octave; absent without spheres.
    levels: Vec<Option<Level>>,
}

struct Level {
    /// Largest radius.
    largest: f64,
    /// Number of columns along x and y.
    counts: [i64; 2],
    widths: [f64; 2],
    columns: Vec<Vec<Item>>,
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
            let (most, count) = &mut found[octave(largest, radius)];
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
        let level = self.levels[octave(self.largest, radius)].as_mut();
        level.expect("the radii were announced")
    }

    /// Inserts a sphere, whose center lies in the bounding box.
    pub fn insert(&mut self, item: Item) {
        let column = self.level_of(item.radius).column(item.center);
        let place = column.partition_point(|other| other.center.z <= item.center.z);
        column.insert(place, item);
    }

    /// Calls `visit` with each sphere, and each image of a sphere, whose surface is nearer than `reach` to a point.
    pub fn near(&self, point: DVec3, reach: f64, mut visit: impl FnMut(Item)) {
        for level in self.levels.iter().flatten() {
            let most = reach + level.largest;
            self.visit_columns(level, point, most, |column, shift, aside| {
                let half = (most * most - aside).sqrt();
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
            });
        }
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
            self.visit_columns(level, from, most, |column, shift, _| {
                let above = count_below(column, from.z);
                for item in column[..above].iter().rev() {
                    if item.center.z + most <= best.0 {
                        break;
                    }
                    let center = item.center + shift;
                    let limit = radius + item.radius;
                    let room = limit * limit - (center - from).truncate().length_squared();
                    if room > 0.0 {
                        let height = center.z + room.sqrt();
                        let image = Item { center, ..*item };
                        if height > best.0 && height <= from.z && !is_ignored(&image) {
                            best = (height, Some(image));
                        }
                    }
                }
            });
        }
        best.1.map(|item| (best.0, item))
    }

    /// Calls `visit` with each column within `reach` of a point along x and y, the displacement of its spheres to their image there, and
    /// the square of the distance of the column from the point.
    fn visit_columns(
        &self,
        level: &Level,
        point: DVec3,
        reach: f64,
        mut visit: impl FnMut(&[Item], DVec3, f64),
    ) {
        let [xs, ys] = [0, 1].map(|axis| {
            let cell = |x: f64| (x / level.widths[axis]).floor() as i64;
            let range = cell(point[axis] - reach)..=cell(point[axis] + reach);
            if self.is_periodic[axis] {
                range
            } else {
                let last = level.counts[axis] - 1;
                (*range.start()).clamp(0, last)..=(*range.end()).clamp(0, last)
            }
        });
        // The outermost columns hold spheres beyond the bounding box, which rounding makes.
        let aside = |axis: usize, cell: i64| {
            let low = cell as f64 * level.widths[axis] - point[axis];
            low.max(-low - level.widths[axis]).max(0.0)
        };
        let [nx, ny] = level.counts;
        for x in xs {
            let (dx, (row, turns_x)) = (aside(0, x), wrapped(x, nx));
            for y in ys.clone() {
                let dy = aside(1, y);
                let square = dx * dx + dy * dy;
                if square < reach * reach {
                    let (y, turns_y) = wrapped(y, ny);
                    let [length_x, length_y] = self.lengths;
                    let shift = DVec3::new(turns_x * length_x, turns_y * length_y, 0.0);
                    visit(&level.columns[(row * ny + y) as usize], shift, square);
                }
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
        }
    }

    /// Returns the column of a point.
    fn column(&mut self, point: DVec3) -> &mut Vec<Item> {
        let [x, y] = [0, 1].map(|axis| {
            let cell = (point[axis] / self.widths[axis]) as i64;
            cell.clamp(0, self.counts[axis] - 1)
        });
        &mut self.columns[(x * self.counts[1] + y) as usize]
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

/// Returns the number of halvings from the largest radius down to a radius.
fn octave(largest: f64, radius: f64) -> usize {
    let exponent = ((largest / radius).to_bits() >> 52 & 0x7ff) as i64 - 1023;
    exponent.clamp(0, LEVELS as i64 - 1) as usize
}
