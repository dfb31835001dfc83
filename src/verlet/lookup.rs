//! Makes new lists from the global index, for several spheres that lie side by side at a time.
//!
//! Neighbouring spheres of about one size have nearly the same candidates. One query of the index, with a probe that holds a
//! whole group of inflated spheres, gathers the candidates of them all as single-precision offsets from the probe's
//! centre; a vector scan then finds the neighbours of each member. What it cannot tell for sure is decided in double precision.

use glam::DVec3;

use super::distance_squared;
use crate::index::{Entry, GlobalIndex};

/// Side of the cube that holds the centres of a group, in the smallest radii of its octave.
const GROUP_SIDE: f64 = 5.0;

/// Candidates scanned at once.
const WIDTH: usize = 8;

/// What rounding to single precision may add to a distance, as a share of the container's longest side.
const ROUNDING: f32 = 1e-6;

/// Looks up lists; keeps its buffers from one batch to the next.
pub(super) struct Lookup<'a, F> {
    index: &'a dyn GlobalIndex,
    /// The container's lengths along periodic axes, infinite along the others.
    period: DVec3,
    /// One over the container's longest side, which is the unit of what is in single precision.
    scale: f64,
    /// Every sphere at its anchor, inflated.
    inflated: &'a F,
    candidates: Candidates,
    scan: ScanKernel,
    hits: Vec<(u32, f32)>,
    found: Vec<u32>,
}

/// The candidates of a group, in blocks. Those that fill up the last block are infinitely far away.
#[derive(Default)]
struct Candidates {
    ids: Vec<u32>,
    /// Offsets of their centres from the probe's, by axis.
    offsets: [Vec<[f32; WIDTH]>; 3],
    radii: Vec<[f32; WIDTH]>,
}

impl<'a, F: Fn(u32) -> Entry> Lookup<'a, F> {
    pub fn new(
        index: &'a dyn GlobalIndex,
        period: DVec3,
        longest_side: f64,
        inflated: &'a F,
    ) -> Self {
        Self {
            index,
            period,
            scale: 1.0 / longest_side,
            inflated,
            candidates: Candidates::default(),
            scan: scan_kernel(),
            hits: Vec::new(),
            found: Vec::new(),
        }
    }

    /// Hands the sorted list of every sphere of `ids` to `visit`, in some order.
    pub fn lists_of(&mut self, ids: impl Iterator<Item = u32>, mut visit: impl FnMut(u32, &[u32])) {
        let mut probes: Vec<(Group, Entry)> = ids
            .map(self.inflated)
            .map(|probe| (Group::of(&probe), probe))
            .collect();
        probes.sort_unstable_by_key(|&(group, probe)| (group, probe.id));
        for group in probes.chunk_by(|a, b| a.0 == b.0) {
            let centers = || group.iter().map(|(_, probe)| probe.center);
            let low = centers().reduce(DVec3::min).unwrap_or_default();
            let high = centers().reduce(DVec3::max).unwrap_or_default();
            let center = 0.5 * (low + high);
            let reaches = group
                .iter()
                .map(|(_, probe)| center.distance(probe.center) + probe.radius);
            let radius = reaches.fold(0.0, f64::max);
            self.candidates
                .gather(self.index, center, radius, self.scale);
            for (_, probe) in group {
                self.find(center, probe);
                visit(probe.id, &self.found);
            }
        }
    }

    /// The sorted list of one member of the group whose candidates were gathered about `center`.
    fn find(&mut self, center: DVec3, probe: &Entry) {
        let candidates = &self.candidates;
        let sphere = Probe {
            at: ((probe.center - center) * self.scale).as_vec3().to_array(),
            period: (self.period * self.scale).as_vec3().to_array(),
            reach: (probe.radius * self.scale) as f32 + ROUNDING,
        };
        self.hits.clear();
        // SAFETY: `scan` returns what the machine can run.
        unsafe { (self.scan)(candidates, sphere, &mut self.hits) };
        self.found.clear();
        for &(place, excess) in &self.hits {
            let id = candidates.ids[place as usize];
            let radius = candidates.radii.as_flattened()[place as usize];
            let certain = excess < -5.0 * ROUNDING * (sphere.reach + radius);
            if id != probe.id && (certain || self.intersects(probe, id)) {
                self.found.push(id);
            }
        }
        self.found.sort_unstable();
    }

    /// Whether two inflated spheres intersect.
    #[cold]
    fn intersects(&self, probe: &Entry, id: u32) -> bool {
        let other = (self.inflated)(id);
        let reach = probe.radius + other.radius;
        distance_squared(self.period, probe.center, other.center) < reach * reach
    }
}

impl Candidates {
    fn gather(&mut self, index: &dyn GlobalIndex, center: DVec3, radius: f64, scale: f64) {
        self.ids.clear();
        for offsets in &mut self.offsets {
            offsets.clear();
        }
        self.radii.clear();
        let (ids, radii) = (&mut self.ids, &mut self.radii);
        let [xs, ys, zs] = &mut self.offsets;
        index.visit_candidates(center, radius, &mut |run| {
            let blocks = (ids.len() + run.len()).div_ceil(WIDTH);
            for offsets in [&mut *xs, &mut *ys, &mut *zs] {
                offsets.resize(blocks, [f32::INFINITY; WIDTH]);
            }
            radii.resize(blocks, [0.0; WIDTH]);
            let (x, y, z) = (
                &mut xs.as_flattened_mut()[ids.len()..][..run.len()],
                &mut ys.as_flattened_mut()[ids.len()..][..run.len()],
                &mut zs.as_flattened_mut()[ids.len()..][..run.len()],
            );
            let r = &mut radii.as_flattened_mut()[ids.len()..][..run.len()];
            for (k, entry) in run.iter().enumerate() {
                let offset = (entry.center - center) * scale;
                (x[k], y[k], z[k]) = (offset.x as f32, offset.y as f32, offset.z as f32);
                r[k] = (entry.radius * scale) as f32;
            }
            ids.extend(run.iter().map(|entry| entry.id));
        });
    }
}

/// A member of a group, in the unit and from the origin of the candidates.
#[derive(Clone, Copy)]
struct Probe {
    at: [f32; 3],
    period: [f32; 3],
    reach: f32,
}

/// Finds the places of the candidates that intersect the probe as far as single precision can tell, each with the excess of
/// the squared distance over the square of the sum of radii, which is negative.
type ScanKernel = unsafe fn(&Candidates, Probe, &mut Vec<(u32, f32)>);

/// The fastest scan for this machine. How it rounds does not matter, since close calls are decided otherwise.
fn scan_kernel() -> ScanKernel {
    #[cfg(target_arch = "x86_64")]
    if is_x86_feature_detected!("avx2") {
        return scan_avx2;
    }
    scan
}

#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn scan_avx2(candidates: &Candidates, probe: Probe, hits: &mut Vec<(u32, f32)>) {
    scan(candidates, probe, hits);
}

#[inline(always)]
fn scan(candidates: &Candidates, probe: Probe, hits: &mut Vec<(u32, f32)>) {
    let [x, y, z] = candidates.offsets.each_ref();
    let blocks = x.iter().zip(y).zip(z).zip(&candidates.radii);
    for (block, (((x, y), z), radii)) in blocks.enumerate() {
        let excess: [f32; WIDTH] = std::array::from_fn(|lane| {
            let [x, y, z]: [f32; 3] = std::array::from_fn(|axis| {
                let straight = ([x, y, z][axis][lane] - probe.at[axis]).abs();
                let round = probe.period[axis] - straight;
                if round < straight { round } else { straight }
            });
            let reach = probe.reach + radii[lane];
            x * x + y * y + z * z - reach * reach
        });
        let mut near = signs(&excess);
        while near != 0 {
            let lane = near.trailing_zeros() as usize;
            near &= near - 1;
            hits.push(((block * WIDTH + lane) as u32, excess[lane]));
        }
    }
}

/// One bit for each number below zero.
#[inline(always)]
fn signs(numbers: &[f32; WIDTH]) -> u32 {
    numbers
        .iter()
        .enumerate()
        .fold(0, |signs, (lane, x)| signs | x.to_bits() >> 31 << lane)
}

/// Spheres of one octave of size in one cube of space.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct Group {
    octave: u32,
    cube: [u32; 3],
}

impl Group {
    fn of(probe: &Entry) -> Self {
        let octave = (probe.radius.to_bits() >> 52) as u32;
        let smallest = f64::from_bits(u64::from(octave) << 52);
        Self {
            octave,
            cube: (probe.center / (GROUP_SIDE * smallest))
                .to_array()
                .map(|x| x as u32),
        }
    }
}
