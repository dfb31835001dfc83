//! Makes new lists from the global index, for several spheres that lie side by side at a time.
//!
//! Neighbouring spheres of about one size have nearly the same candidates. One query of the index, with a probe that holds a
//! whole group of inflated spheres, offers the candidates of them all, a run at a time, and every run is scanned for the
//! neighbours of each member.

use glam::DVec3;

use crate::{
    index::{Entry, GlobalIndex},
    instructions::Instructions,
};

/// Side of the cube that holds the centres of a group, in the smallest radii of its octave.
const GROUP_SIDE: f64 = 2.5;

/// Looks up lists; keeps its buffers from one batch to the next.
pub(super) struct Lookup<'a, F> {
    index: &'a dyn GlobalIndex,
    /// The container's lengths along periodic axes, infinite along the others.
    period: DVec3,
    /// Every sphere at its anchor, inflated.
    inflated: &'a F,
    instructions: Instructions,
    members: Vec<Member>,
}

/// A sphere of the group, and its neighbours so far.
struct Member {
    probe: Entry,
    found: Vec<u32>,
}

impl<'a, F: Fn(u32) -> Entry> Lookup<'a, F> {
    pub fn new(index: &'a dyn GlobalIndex, period: DVec3, inflated: &'a F) -> Self {
        Self {
            index,
            period,
            inflated,
            instructions: Instructions::detect(),
            members: Vec::new(),
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
            while self.members.len() < group.len() {
                self.members.push(Member {
                    probe: group[0].1,
                    found: Vec::new(),
                });
            }
            let members = &mut self.members[..group.len()];
            for (member, &(_, probe)) in members.iter_mut().zip(group) {
                member.probe = probe;
                member.found.clear();
            }
            let (center, radius) = hull(members);
            self.index.visit_candidates(center, radius, &mut |run| {
                // SAFETY: the instructions were detected.
                unsafe { scan(self.instructions, run, members, self.period) };
            });
            for member in members {
                member.found.sort_unstable();
                visit(member.probe.id, &member.found);
            }
        }
    }
}

/// A sphere that holds all the members.
fn hull(members: &[Member]) -> (DVec3, f64) {
    let probes = || members.iter().map(|member| member.probe);
    let centers = || probes().map(|probe| probe.center);
    let low = centers().reduce(DVec3::min).unwrap_or_default();
    let high = centers().reduce(DVec3::max).unwrap_or_default();
    let center = 0.5 * (low + high);
    let radius = probes()
        .map(|probe| center.distance(probe.center) + probe.radius)
        .fold(0.0, f64::max);
    (center, radius)
}

/// Adds to each member's list the candidates that intersect it, itself left out.
///
/// With any instructions the same operations are done, and the same lists found.
///
/// # Safety
/// The machine must have the instructions.
unsafe fn scan(instructions: Instructions, run: &[Entry], members: &mut [Member], period: DVec3) {
    match instructions {
        Instructions::Portable => scan_portable(run, members, period),
        // SAFETY: the caller vouches for them.
        #[cfg(target_arch = "x86_64")]
        Instructions::Avx2 => unsafe { scan_avx2(run, members, period) },
    }
}

fn scan_portable(run: &[Entry], members: &mut [Member], period: DVec3) {
    for Member { probe, found } in members {
        for entry in run {
            let way = (entry.center - probe.center).abs();
            let [x, y, z] = way.min(period - way).to_array();
            let reach = entry.radius + probe.radius;
            let excess = (x * x + z * z) + (y * y - reach * reach);
            if excess < 0.0 && entry.id != probe.id {
                found.push(entry.id);
            }
        }
    }
}

/// The three axes and the radius in one vector.
#[cfg(target_arch = "x86_64")]
#[target_feature(enable = "avx2")]
unsafe fn scan_avx2(run: &[Entry], members: &mut [Member], period: DVec3) {
    use std::arch::x86_64::*;

    let period = _mm256_set_pd(f64::INFINITY, period.z, period.y, period.x);
    let not_sign = _mm256_castsi256_pd(_mm256_set1_epi64x(i64::MAX));
    for Member { probe, found } in members {
        let [x, y, z] = probe.center.to_array();
        let own = _mm256_set_pd(-probe.radius, z, y, x);
        found.reserve(run.len());
        let mut len = found.len();
        for entry in run {
            let [x, y, z] = entry.center.to_array();
            let other = _mm256_set_pd(entry.radius, z, y, x);
            let way = _mm256_and_pd(_mm256_sub_pd(other, own), not_sign);
            let way = _mm256_min_pd(way, _mm256_sub_pd(period, way));
            let squares = _mm256_mul_pd(way, way);
            let (xy, zr) = (
                _mm256_castpd256_pd128(squares),
                _mm256_extractf128_pd::<1>(squares),
            );
            // x² + z², y² − reach².
            let sums = _mm_add_pd(xy, _mm_xor_pd(zr, _mm_set_pd(-0.0, 0.0)));
            let excess = _mm_add_sd(sums, _mm_unpackhi_pd(sums, sums));
            let near = _mm_comilt_sd(excess, _mm_setzero_pd()) != 0;
            // Written in any case, kept or not: a branch would be mispredicted at most hits.
            // SAFETY: there is room for the whole run.
            unsafe { found.as_mut_ptr().add(len).write(entry.id) };
            len += usize::from(near & (entry.id != probe.id));
        }
        // SAFETY: so many were written.
        unsafe { found.set_len(len) };
    }
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

#[cfg(test)]
mod tests {
    use rand::{RngExt, SeedableRng};
    use rand_pcg::Pcg64;

    use super::*;

    #[test]
    fn every_scan_finds_the_same_neighbours() {
        let mut rng = Pcg64::seed_from_u64(1);
        let period = DVec3::new(1.0, f64::INFINITY, 1.5);
        let run: Vec<Entry> = (0..500)
            .map(|id| Entry {
                center: DVec3::from_array(rng.random()),
                radius: rng.random_range(0.01..0.3),
                id,
            })
            .collect();
        let members = || -> Vec<Member> {
            let member = |&probe: &Entry| Member {
                probe,
                found: Vec::new(),
            };
            run[..20].iter().map(member).collect()
        };
        let (mut plain, mut fastest) = (members(), members());
        // SAFETY: `detect` returns what the machine has.
        unsafe {
            scan(Instructions::Portable, &run, &mut plain, period);
            scan(Instructions::detect(), &run, &mut fastest, period);
        }
        for (a, b) in plain.iter().zip(&fastest) {
            assert_eq!(a.found, b.found);
            assert!(!a.found.is_empty() && !a.found.contains(&a.probe.id));
        }
    }
}
