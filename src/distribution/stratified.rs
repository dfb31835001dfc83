//! Stratified samples: diameters whose mass curve is as near to the law as whole spheres allow.
//!
//! The functions are named after spheres. Of disks, a cube is the square of a diameter, Σd³ is Σd², and a volume is an area.

use std::ops::Range;

use super::{
    basis::Basis,
    blend_curve::{BlendCurve, Leaf},
    class_curve::ClassCurve,
    constants::{
        COMPONENT_TRIALS, COMPUTED_STEPS, MOST_SPHERES, NUMBER_CURVE_ERROR,
        TRIALS_PER_LARGEST_SPHERE, VOLUME_ROUNDS, VOLUME_TRIALS,
    },
    curve::Curve,
    power_segments::{Parts, PowerSegments},
    sampling::SampleSize,
};
use crate::machine::{divided::Divided, ranks::Ranks};

/// Returns the diameters of a share of the spheres of a sample, sorted in each leaf. `counts` has the number of spheres of each leaf.
pub(super) fn by_number(curve: &BlendCurve, counts: &[usize], share: Range<usize>) -> Vec<f64> {
    let leaves = curve.leaves();
    let trials = trials(leaves.len());
    let mut diameters = Vec::with_capacity(share.len());
    let own = shares_of_counts(counts.iter().copied(), share);
    for ((leaf, &n), own) in leaves.iter().zip(counts).zip(own) {
        diameters.extend(leaf_by_number(&leaf.curve, n, trials, own));
    }
    diameters
}

/// Returns the number of trial volumes on each side of the expected volume of a leaf.
fn trials(leaves: usize) -> i32 {
    if leaves > 1 {
        COMPONENT_TRIALS
    } else {
        VOLUME_TRIALS
    }
}

/// Returns the diameters of a share of `n` spheres of one leaf, sorted.
fn leaf_by_number(curve: &Curve, n: usize, trials: i32, share: Range<usize>) -> Vec<f64> {
    match curve {
        Curve::Segments(law) => match law.parts() {
            None => law.strata(n, share),
            Some(parts) => strata_of(parts, &classes_by_number(&parts.classes, n, trials), share),
        },
        Curve::Classes(law) => diameters_of(law, &classes_by_number(law, n, trials), share),
    }
}

/// Returns the diameters of spheres with a total Σd³ of `cubes`, sorted in each leaf, divided among ranks; at least one. The second
/// result has the number of spheres of each leaf.
///
/// Of a blend, each rank holds all diameters for a while.
///
/// # Errors
/// The number of spheres, if the sample would have more than [`MOST_SPHERES`].
pub(super) fn by_cubes(
    curve: &BlendCurve,
    cubes: f64,
    ranks: &Ranks,
) -> Result<(Divided<'static>, Vec<usize>), f64> {
    let leaves = curve.leaves();
    if let [leaf] = leaves {
        let diameters = leaf_by_cubes(&leaf.curve, cubes, ranks)?;
        let count = diameters.len();
        return Ok((diameters, vec![count]));
    }
    let of_leaves = leaves_by_cubes(leaves, cubes)?;
    let counts: Vec<usize> = of_leaves.iter().map(Vec::len).collect();
    let share = ranks.share(counts.iter().sum());
    let mut own = Vec::with_capacity(share.len());
    let shares = shares_of_counts(counts.iter().copied(), share);
    for (diameters, share) in of_leaves.iter().zip(shares) {
        own.extend_from_slice(&diameters[share]);
    }
    Ok((Divided::new(own, ranks), counts))
}

/// Returns the diameters of the spheres of one leaf with a total Σd³ of `cubes`, sorted, divided among ranks; at least one.
fn leaf_by_cubes(curve: &Curve, cubes: f64, ranks: &Ranks) -> Result<Divided<'static>, f64> {
    match curve {
        Curve::Segments(law) => strata_by_cubes(law, cubes, ranks),
        Curve::Classes(law) => {
            let counts = classes_by_cubes(law, cubes)?;
            let share = ranks.share(counts.iter().sum::<f64>() as usize);
            Ok(Divided::new(diameters_of(law, &counts, share), ranks))
        }
    }
}

/// Returns the diameters of the spheres of each leaf.
///
/// The function goes from the leaf with the largest mean volume down. The Σd³ of the leaves so far is as near to its request as whole
/// spheres can bring it. A leaf has no spheres if half of its smallest one is too much.
fn leaves_by_cubes(leaves: &[Leaf], cubes: f64) -> Result<Vec<Vec<f64>>, f64> {
    let mut diameters = vec![Vec::new(); leaves.len()];
    let (mut requested, mut given, mut spheres) = (0.0, 0.0, 0.0);
    let order = from_the_largest(leaves);
    for (step, &k) in order.iter().enumerate() {
        requested += leaves[k].volume * cubes;
        let missing = requested - given;
        let is_alone = step + 1 == order.len() && spheres == 0.0;
        if missing < 0.5 * leaves[k].curve.dimension().power(leaves[k].curve.range().0) && !is_alone
        {
            continue;
        }
        let own = leaf_by_cubes(&leaves[k].curve, missing, &Ranks::default())?.into_own();
        let dimension = leaves[k].curve.dimension();
        given += own
            .iter()
            .map(|&diameter| dimension.power(diameter))
            .sum::<f64>();
        spheres += own.len() as f64;
        check_number(spheres)?;
        diameters[k] = own;
    }
    Ok(diameters)
}

/// Returns the numbers of spheres of the leaves of a curve. Their sum is `n`, and each one is at most one sphere off its request.
pub(super) fn counts(curve: &BlendCurve, n: usize) -> Vec<usize> {
    let leaves = curve.leaves();
    let mut counts = vec![0; leaves.len()];
    let (mut requested, mut given) = (0.0, 0);
    for k in from_the_largest(leaves) {
        requested += leaves[k].number * n as f64;
        // With rounding errors, the sum of the shares can differ from 1.
        let end = (requested.round() as usize).clamp(given, n);
        counts[k] = end - given;
        given = end;
    }
    counts
}

/// Returns the positions of leaves from the largest mean volume to the smallest.
fn from_the_largest(leaves: &[Leaf]) -> Vec<usize> {
    let mean_cubes: Vec<f64> = leaves.iter().map(|leaf| leaf.curve.mean_power()).collect();
    let mut order: Vec<usize> = (0..leaves.len()).collect();
    order.sort_by(|&a, &b| mean_cubes[b].total_cmp(&mean_cubes[a]));
    order
}

fn check_number(spheres: f64) -> Result<(), f64> {
    if spheres <= MOST_SPHERES {
        Ok(())
    } else {
        Err(spheres)
    }
}

/// Returns strata whose volumes are scaled by one factor to the requested sum. Without gaps in the law, the factor differs from 1
/// by at most 1/2n.
fn strata_by_cubes(
    law: &PowerSegments,
    cubes: f64,
    ranks: &Ranks,
) -> Result<Divided<'static>, f64> {
    let own = match law.parts() {
        None => {
            let n = number_by_cubes(law, cubes);
            check_number(n)?;
            law.strata(n as usize, ranks.share(n as usize))
        }
        Some(parts) => {
            let counts = classes_by_cubes(&parts.classes, cubes)?;
            let share = ranks.share(counts.iter().sum::<f64>() as usize);
            strata_of(parts, &counts, share)
        }
    };
    let dimension = law.dimension();
    let mut diameters = Divided::new(own, ranks);
    // Spheres at the ends of the range cannot follow the factor. The next round gives their share to the other spheres.
    for _ in 0..VOLUME_ROUNDS {
        let total = diameters.fold(0.0, |sum, diameter| sum + dimension.power(diameter));
        let smallest = diameters.first().unwrap_or(0.0);
        if (total - cubes).abs() <= 0.5 * dimension.power(smallest) {
            break;
        }
        let factor = dimension.root(cubes / total);
        diameters = diameters.map(|d| law.within_support(d * factor));
    }
    Ok(diameters)
}

/// Returns the number of spheres of a law without gaps with this expected Σd³; at least one.
fn number_by_cubes(law: &PowerSegments, cubes: f64) -> f64 {
    (cubes / law.raw_moment(law.dimension().exponent()))
        .round()
        .max(1.0)
}

/// Returns the counts of classes with the requested Σd³. The number of spheres follows.
///
/// It exceeds the expected one where the volume is too small for the large classes.
fn classes_by_cubes(law: &ClassCurve, cubes: f64) -> Result<Vec<f64>, f64> {
    let (mut counts, left) = round_down_the_classes(law, cubes, f64::INFINITY);
    let smallest = law.dimension().power(law.classes()[0].diameter);
    counts[0] = (left / smallest).round().max(0.0);
    if counts.iter().all(|count| *count == 0.0) {
        counts[0] = 1.0;
    }
    check_number(counts.iter().sum())?;
    Ok(counts)
}

/// Returns the counts of classes with `n` spheres.
///
/// The function tries the expected total volume, and `trials` volumes above and below it. It keeps the counts whose mass curve
/// is nearest to the law, with a penalty on errors of the number curve. Without the penalty, a law whose largest class has few
/// spheres would often get one large sphere and the smallest class only.
fn classes_by_number(law: &ClassCurve, n: usize, trials: i32) -> Vec<f64> {
    if n == 0 {
        return Vec::new();
    }
    let n = n as f64;
    let dimension = law.dimension();
    let expected = n * law.raw_moment(dimension.exponent());
    let largest = dimension.power(law.classes()[law.classes().len() - 1].diameter);
    let step = expected.min(largest) / TRIALS_PER_LARGEST_SPHERE;
    let mut best = (f64::INFINITY, Vec::new());
    for i in std::iter::once(0).chain((1..=trials).flat_map(|i| [i, -i])) {
        let cubes = (expected + step * f64::from(i)).max(0.0);
        let (mut counts, _) = round_down_the_classes(law, cubes, n);
        counts[0] = n - counts.iter().sum::<f64>();
        let number_error = curve_error(law, &counts, Basis::Number) - NUMBER_CURVE_ERROR - 1.0 / n;
        let error = curve_error(law, &counts, Basis::Mass) + number_error.max(0.0);
        if error < best.0 {
            best = (error, counts);
        }
    }
    best.1
}

/// Returns the counts of all classes but the smallest, and the rest of `cubes` that is left for the smallest.
///
/// `cubes` is the requested Σd³ and `n` the largest number of spheres. The function goes from the largest class down. Each
/// count brings the Σd³ of the classes so far as near to its request as whole spheres can, within `cubes` and `n`.
fn round_down_the_classes(law: &ClassCurve, cubes: f64, n: f64) -> (Vec<f64>, f64) {
    let mut counts = vec![0.0; law.classes().len()];
    let (mut requested, mut given, mut spheres) = (0.0, 0.0, 0.0);
    for (class, count) in law.classes().iter().zip(&mut counts).skip(1).rev() {
        let cube = law.dimension().power(class.diameter);
        requested += class.mass_share * cubes;
        let nearest = ((requested - given) / cube).round();
        let room = ((cubes - given) / cube).floor().min(n - spheres);
        *count = nearest.min(room).max(0.0);
        given += *count * cube;
        spheres += *count;
    }
    (counts, cubes - given)
}

/// Returns the largest difference between the curve of the law and that of the counts.
fn curve_error(law: &ClassCurve, counts: &[f64], basis: Basis) -> f64 {
    let weight = |diameter: f64| match basis {
        Basis::Number => 1.0,
        Basis::Mass => law.dimension().power(diameter),
    };
    let classes = || law.classes().iter().zip(counts);
    let total: f64 = classes()
        .map(|(class, count)| count * weight(class.diameter))
        .sum();
    let (mut achieved, mut error) = (0.0, 0.0_f64);
    for (class, count) in classes() {
        achieved += count * weight(class.diameter) / total;
        error = error.max((law.cdf(basis, class.diameter) - achieved).abs());
    }
    error
}

/// Returns the diameters of a share of the spheres in classes.
fn diameters_of(law: &ClassCurve, counts: &[f64], share: Range<usize>) -> Vec<f64> {
    let mut diameters = Vec::with_capacity(share.len());
    let counts = counts.iter().map(|&count| count as usize);
    for (class, own) in law.classes().iter().zip(shares_of_counts(counts, share)) {
        diameters.extend(std::iter::repeat_n(class.diameter, own.len()));
    }
    diameters
}

/// Returns the diameters of a share of the spheres in the parts of a law with gaps: the strata of each part.
fn strata_of(parts: &Parts, counts: &[f64], share: Range<usize>) -> Vec<f64> {
    let mut diameters = Vec::with_capacity(share.len());
    let counts = counts.iter().map(|&count| count as usize);
    let own = shares_of_counts(counts.clone(), share);
    for ((law, count), own) in parts.laws.iter().zip(counts).zip(own) {
        diameters.extend(law.strata(count, own));
    }
    diameters
}

/// Returns the share of each class, part or leaf, numbered from 0 within it.
pub(super) fn shares_of_counts(
    counts: impl Iterator<Item = usize>,
    share: Range<usize>,
) -> impl Iterator<Item = Range<usize>> {
    let mut end = 0;
    counts.map(move |count| {
        let start = end;
        end += count;
        let within = |i: usize| i.clamp(start, end) - start;
        within(share.start)..within(share.end)
    })
}

/// Returns the error of the mass curve of a stratified sample, or a slightly larger number; `None` if a class or a component has no
/// sphere.
///
/// The cost does not depend on the number of spheres.
pub(super) fn mass_error(curve: &BlendCurve, size: SampleSize) -> Option<f64> {
    let leaves = curve.leaves();
    let sizes: Vec<SampleSize> = match size {
        SampleSize::Number(n) => (counts(curve, n as usize).into_iter())
            .map(|count| SampleSize::Number(count as f64))
            .collect(),
        SampleSize::Volume(volume) => (leaves.iter())
            .map(|leaf| SampleSize::Volume(leaf.volume * volume))
            .collect(),
    };
    let of_leaf = |(leaf, size): (&Leaf, &SampleSize)| {
        size.cubes(leaf.curve.dimension(), leaf.curve.mean_power())
    };
    let cubes: Vec<f64> = leaves.iter().zip(&sizes).map(of_leaf).collect();
    let total: f64 = cubes.iter().sum();
    let trials = trials(leaves.len());
    // The error of a mixture is at most that of its parts, and half of the sum of the errors of their shares.
    let errors = (leaves.iter().zip(sizes).zip(cubes)).map(|((leaf, size), cubes)| {
        let is_present = cubes >= 0.5 * leaf.curve.dimension().power(leaf.curve.range().0);
        let error = leaf_error(&leaf.curve, size, trials).filter(|_| is_present)?;
        Some(leaf.volume * error + 0.5 * (cubes / total - leaf.volume).abs())
    });
    errors.sum()
}

/// Returns the error of the mass curve of a stratified sample of one leaf, as [`mass_error`] does.
fn leaf_error(curve: &Curve, size: SampleSize, trials: i32) -> Option<f64> {
    let counts_of = |law: &ClassCurve| match size {
        SampleSize::Number(n) => Some(classes_by_number(law, n as usize, trials)),
        SampleSize::Volume(_) => {
            classes_by_cubes(law, size.cubes(curve.dimension(), curve.mean_power())).ok()
        }
    };
    match curve {
        Curve::Classes(law) => {
            let counts = counts_of(law)?;
            let is_complete = counts.iter().all(|count| *count > 0.0);
            is_complete.then(|| curve_error(law, &counts, Basis::Mass))
        }
        Curve::Segments(law) => match law.parts() {
            Some(parts) => Some(strata_error(
                law,
                &parts.laws,
                &counts_of(&parts.classes)?,
                size,
            )),
            None => {
                let n = number_by_cubes(law, size.cubes(curve.dimension(), curve.mean_power()));
                Some(strata_error(law, std::slice::from_ref(law), &[n], size))
            }
        },
    }
}

/// Returns the largest difference between the mass curve of a law and that of strata of its parts, or a slightly larger number.
///
/// Strata keep the mean volume. Their curve meets that of their part wherever a stratum begins, and it differs within the
/// stratum by at most the mass of one sphere.
fn strata_error(
    law: &PowerSegments,
    parts: &[PowerSegments],
    counts: &[f64],
    size: SampleSize,
) -> f64 {
    let dimension = law.dimension();
    let mean_cubes = parts
        .iter()
        .map(|part| part.raw_moment(dimension.exponent()));
    let cubes: Vec<f64> = mean_cubes
        .zip(counts)
        .map(|(cube, count)| cube * count)
        .collect();
    let total: f64 = cubes.iter().sum();
    let factor = match size {
        SampleSize::Number(_) => 1.0,
        SampleSize::Volume(volume) => dimension.root(dimension.diameters_of(volume) / total),
    };
    let (mut achieved, mut error, mut error_before) = (0.0, 0.0_f64, 0.0_f64);
    for ((part, &count), part_cubes) in parts.iter().zip(counts).zip(&cubes) {
        achieved += part_cubes / total;
        let error_after = (law.cdf(Basis::Mass, part.d_max()) - achieved).abs();
        let count = count as usize;
        let computed = count.saturating_sub(COMPUTED_STEPS)..count;
        let mut above = achieved;
        let mut step = 0.0;
        for diameter in part.strata(count, computed.clone()).into_iter().rev() {
            let requested = law.cdf(Basis::Mass, law.within_support(diameter * factor));
            step = dimension.power(diameter) / total;
            let below = above - step;
            error = error
                .max((requested - above).abs())
                .max((requested - below).abs());
            above = below;
        }
        if computed.start > 0 {
            error = error.max(error_before.max(error_after) + step);
        }
        error = error.max(error_after);
        error_before = error_after;
    }
    error
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::dimension::Dimension;

    #[test]
    fn rounding_down_the_classes_keeps_within_volume_and_count() {
        let law = ClassCurve::new(
            Dimension::Three,
            Basis::Mass,
            &[(1.0, 0.2), (2.0, 0.3), (3.0, 0.5)],
        );
        // Half of 108 belongs to cubes of 27, and 30 % to cubes of 8.
        assert_eq!(
            round_down_the_classes(&law, 108.0, f64::INFINITY),
            (vec![0.0, 4.0, 2.0], 22.0)
        );
        assert_eq!(round_down_the_classes(&law, 108.0, 3.0).0, [0.0, 1.0, 2.0]);
        // One cube of 27 is nearer to half of 30 than none, and no other cube fits beside it.
        assert_eq!(
            round_down_the_classes(&law, 30.0, f64::INFINITY),
            (vec![0.0, 0.0, 1.0], 3.0)
        );
        // A cube of 27 does not fit into 26.
        assert_eq!(
            round_down_the_classes(&law, 26.0, f64::INFINITY).0,
            [0.0, 3.0, 0.0]
        );
    }
}
