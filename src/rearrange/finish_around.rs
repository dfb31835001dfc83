//! The last step around fixed spheres: spheres that overlap are left out, because the container cannot grow.

use glam::DVec3;

use super::{
    constants::ROUNDING,
    fixed::FixedSpheres,
    gaps::{Gaps, enlarged_by},
    last_step::{Finished, NumberedSphere},
};
use crate::{
    container::Container,
    machine::ranks::Ranks,
    packing::{Certificate, certify, certify_spheres, certify_walls},
    spheres::Spheres,
};

/// Adds the fixed spheres to the free spheres, in any order, and leaves out free spheres that overlap. Returns all spheres, the free ones
/// by their numbers, and then the fixed ones. It also returns the spheres that are left out, as numbers below `count`.
///
/// All decisions are made in f64, on the numbers of the result.
pub(super) fn finish_around(
    mut free: Vec<NumberedSphere>,
    count: usize,
    fixed: &FixedSpheres,
    container: &Container,
    gaps: Gaps,
) -> (Finished, Vec<usize>) {
    free.sort_unstable_by_key(|sphere| sphere.number);
    keep_apart_from_fixed(&mut free, fixed, container, gaps);
    let (spheres, certificate) = loop {
        let all = (free.iter().map(NumberedSphere::parts)).chain(fixed.spheres.iter());
        let (centers, radii) = all.unzip();
        let spheres = Spheres::new(centers, radii);
        let certificate = certify(&spheres, container);
        let Some(overlapping) = overlapping(&free, &spheres, &certificate, container, gaps) else {
            break (spheres, certificate);
        };
        free.remove(overlapping);
    };
    let mut is_present = vec![false; count];
    for sphere in &free {
        is_present[sphere.number as usize] = true;
    }
    let left_out: Vec<usize> = (0..count).filter(|&number| !is_present[number]).collect();
    let finished = Finished {
        spheres,
        container: container.clone(),
        certificate,
        fits: left_out.is_empty(),
    };
    (finished, left_out)
}

/// Removes free spheres that are too close to a fixed one. Rounding in the certificate cannot turn a remaining gap into overlap.
fn keep_apart_from_fixed(
    free: &mut Vec<NumberedSphere>,
    fixed: &FixedSpheres,
    container: &Container,
    gaps: Gaps,
) {
    let around = container.around(&fixed.spheres, gaps.spheres);
    let rounding = ROUNDING * container.lengths().max_element();
    free.retain(|sphere| around.gap_to_fixed(sphere.center.into(), sphere.radius) >= rounding);
}

/// Returns the position of a free sphere that overlaps, or that misses a requested gap to another free sphere or to a wall.
///
/// Only the smallest gap of a certificate names its spheres. The overlaps that fixed spheres may have would hide a smaller one of
/// free spheres, so that the free spheres have certificates without them.
fn overlapping(
    free: &[NumberedSphere],
    spheres: &Spheres,
    certificate: &Certificate,
    container: &Container,
    gaps: Gaps,
) -> Option<usize> {
    let alone = Spheres::new(
        spheres.centers()[..free.len()].to_vec(),
        spheres.radii()[..free.len()].to_vec(),
    );
    let certificates = [
        *certificate,
        certify_spheres(&enlarged_by(&alone, 0.5 * gaps.spheres), container),
        certify_walls(&enlarged_by(&alone, gaps.walls), container),
    ];
    certificates.into_iter().find_map(|certificate| {
        let pair = certificate
            .closest
            .filter(|_| certificate.max_overlap > 0.0)?;
        let of_pair = pair.spheres().into_iter().flatten();
        of_pair
            .filter(|&sphere| sphere < free.len())
            .min_by(|&a, &b| free[a].radius.total_cmp(&free[b].radius))
    })
}

/// Lets the first rank `finish` the `free` spheres of all ranks in a container. Returns the share of this rank of the result, and
/// the numbers of all spheres that are left out.
///
/// Cost: messages of 40 bytes per free sphere, and of 32 bytes per sphere.
pub(super) fn finish_on_first(
    ranks: &Ranks,
    free: Vec<NumberedSphere>,
    container: &Container,
    finish: impl FnOnce(Vec<NumberedSphere>) -> (Finished, Vec<usize>),
) -> (Finished, Vec<usize>) {
    let free = ranks.send_to_first(free);
    let mut shares = ranks.messages();
    let (mut words, mut left_out) = (Vec::new(), Vec::new());
    if ranks.is_first() {
        let (finished, numbers) = finish(free);
        let n = finished.spheres.len();
        for (k, (center, radius)) in finished.spheres.iter().enumerate() {
            shares[ranks.rank_of(k, n)].push(center.extend(radius).to_array());
        }
        words.extend(finished.certificate.to_words());
        left_out = numbers;
    }
    let own: Vec<[f64; 4]> = ranks.send_to_each(shares);
    let certificate = Certificate::from_words(&ranks.gather(words));
    let left_out = ranks.gather(left_out);
    let sphere = |[x, y, z, radius]: [f64; 4]| (DVec3::new(x, y, z), radius);
    let (centers, radii) = own.into_iter().map(sphere).unzip();
    let finished = Finished {
        spheres: Spheres::new(centers, radii),
        container: container.clone(),
        certificate,
        fits: left_out.is_empty(),
    };
    (finished, left_out)
}
