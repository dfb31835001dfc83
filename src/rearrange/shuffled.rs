//! The order in which the members of a block are visited.
//!
//! A relocation moves a sphere away from its neighbors. Those that are visited later meet the sphere at its new position, those that were
//! visited before do not. Where all visits advance along the space-filling curve, spheres drift along the curve while overlaps are large:
//! 20 000 equal spheres between walls, packed to 0.45, were denser by 0.04 to 0.07 at the lower wall of each axis. The order here prefers no
//! direction. It is the same in every sweep: a new random order in each sweep packs looser by 0.004, because convergence by over-relaxation
//! needs a constant order.

/// Successive members that are visited one after the other, forward or backward: their lists lie side by side in memory. With runs of 8,
/// runs of 100 000 equal spheres took a tenth more time, and 10 000 equal spheres packed to 0.6405 instead of 0.6407.
const RUN: usize = 32;

/// Returns the members of a block in the order of their visits, which depends on `seed` and on the number of members.
///
/// Runs follow each other in the order of the permutation polynomial c (a + b c) + d modulo a power of two, with odd a and even b.
pub(super) fn shuffled(members: &[u32], seed: u64) -> Vec<u32> {
    let [a, b, d, backward] = [1, 2, 3, 4].map(|stream| mixed(seed ^ stream << 56));
    let runs = members.len().div_ceil(RUN).next_power_of_two() as u64;
    let mut shuffled = Vec::with_capacity(members.len());
    for c in 0..runs {
        let run = c
            .wrapping_mul((a | 1).wrapping_add((b & !1).wrapping_mul(c)))
            .wrapping_add(d)
            & (runs - 1);
        let start = run as usize * RUN;
        let Some(run_members) = members.get(start..members.len().min(start + RUN)) else {
            continue;
        };
        if backward >> (run % 64) & 1 == 1 {
            shuffled.extend(run_members.iter().rev());
        } else {
            shuffled.extend_from_slice(run_members);
        }
    }
    shuffled
}

/// Returns a number all of whose bits depend on all bits of `x`: the finalizer of SplitMix64.
fn mixed(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_member_has_one_turn() {
        for len in (0..200).chain([1024, 1025, 5000]) {
            let members: Vec<u32> = (0..len).map(|k| 3 * k).collect();
            for seed in 0..20 {
                let mut visited = shuffled(&members, seed);
                visited.sort_unstable();
                assert_eq!(visited, members, "{len} members, seed {seed}");
            }
        }
    }

    /// Members at any distance along the curve are visited in both orders equally often.
    #[test]
    fn no_direction_is_preferred() {
        let members: Vec<u32> = (0..1000).collect();
        for distance in [1, 2, 3, 8, 20, 100, 400] {
            let (mut forward, mut pairs) = (0, 0);
            for seed in 0..100 {
                let mut turn_of = vec![0; members.len()];
                for (turn, &member) in shuffled(&members, seed).iter().enumerate() {
                    turn_of[member as usize] = turn;
                }
                for (first, second) in turn_of.iter().zip(&turn_of[distance..]) {
                    forward += u32::from(first < second);
                    pairs += 1;
                }
            }
            let share = f64::from(forward) / f64::from(pairs);
            assert!((share - 0.5).abs() < 0.02, "distance {distance}: {share}");
        }
    }
}
