//! Promises about a packing, checked without the library.

use jostle::{
    PackOptions, Packing, Target,
    glam::DVec3,
    io::{Format, read_packing_from, write_packing},
    packing::{ClosestPair, StopReason},
};

use super::{gaps::Scene, request::RunRequest};

/// Largest relative error of a volume or a length that counts as rounding.
const ROUNDING: f64 = 1e-12;

/// The broken promises of one packing, and facts for the statistics.
#[derive(Debug, Default)]
pub struct Checked {
    pub failures: Vec<String>,
    /// Whether all pairs were compared.
    pub all_pairs: bool,
    /// Whether the smallest gap is negative, but within the rounding of the check.
    pub is_within_rounding: bool,
}

impl Checked {
    fn require(&mut self, holds: bool, failure: impl FnOnce() -> String) {
        if !holds {
            self.failures.push(failure());
        }
    }
}

/// Checks a packing of the given radii.
pub fn check(request: &RunRequest, radii: &[f64], packing: &Packing) -> Checked {
    let mut checked = Checked::default();
    let bits = |radii: &[f64]| radii.iter().map(|r| r.to_bits()).collect::<Vec<_>>();
    let found = packing.spheres().radii();
    checked.require(bits(found) == bits(radii), || {
        "the radii are not those of the request, in their order".to_owned()
    });
    check_container(&request.options, packing, &mut checked);
    check_gaps(&request.options, packing, &mut checked);
    check_provenance(request, packing, &mut checked);
    check_file(request, packing, &mut checked);
    checked
}

/// Sums with the rounding error of each sum carried on.
fn total_volume(radii: &[f64]) -> f64 {
    let (mut sum, mut rest) = (0.0, 0.0);
    for radius in radii {
        let term = radius * radius * radius - rest;
        let next = sum + term;
        rest = (next - sum) - term;
        sum = next;
    }
    4.0 / 3.0 * std::f64::consts::PI * sum
}

/// Checks shape, size and packing fraction.
fn check_container(options: &PackOptions, packing: &Packing, checked: &mut Checked) {
    let container = &packing.container();
    let lengths = container.lengths().to_array();
    checked.require(container.boundary() == options.container.boundary(), || {
        format!("the boundary is {}", container.boundary())
    });
    let volume = total_volume(packing.spheres().radii());
    let fraction = volume / (lengths[0] * lengths[1] * lengths[2]);
    let stated = packing.packing_fraction();
    checked.require((stated / fraction - 1.0).abs() <= ROUNDING, || {
        format!("packing fraction {stated}, but the volumes give {fraction}")
    });
    checked.require(fraction < 0.96, || format!("packing fraction {fraction}"));
    let requested = match options.target {
        Target::Exact => Some(options.container.lengths().to_array()),
        Target::Fraction(fraction) => Some([(volume / fraction).cbrt(); 3]),
        _ => None,
    };
    let Some(requested) = requested else {
        checked.require(lengths == [lengths[0]; 3], || {
            format!("the container {lengths:?} is no cube")
        });
        return;
    };
    let ratios = [0, 1, 2].map(|axis| lengths[axis] / requested[axis]);
    checked.require(
        ratios
            .iter()
            .all(|ratio| (ratio / ratios[0] - 1.0).abs() <= ROUNDING),
        || format!("the container {lengths:?} has not the shape of {requested:?}"),
    );
    checked.require(ratios[0] >= 1.0 - ROUNDING, || {
        format!("the container {lengths:?} is smaller than {requested:?}")
    });
    let stop = packing
        .provenance
        .as_ref()
        .map(|provenance| provenance.stop);
    if stop == Some(StopReason::FractionReached) {
        let is_equal = match options.target {
            Target::Exact => lengths == requested,
            _ => (ratios[0] - 1.0).abs() <= ROUNDING,
        };
        checked.require(is_equal, || {
            format!("the container {lengths:?} counts as {requested:?}")
        });
    }
}

/// Checks overlap, the requested gap and the certificate.
fn check_gaps(options: &PackOptions, packing: &Packing, checked: &mut Checked) {
    let container = &packing.container();
    let scene = Scene {
        centers: packing
            .spheres()
            .centers()
            .iter()
            .map(DVec3::to_array)
            .collect(),
        radii: packing.spheres().radii().to_vec(),
        lengths: container.lengths().to_array(),
        is_periodic: [0, 1, 2].map(|axis| container.is_periodic(axis)),
    };
    for center in &scene.centers {
        let is_inside = (0..3).all(|axis| {
            let (x, length) = (center[axis], scene.lengths[axis]);
            x >= 0.0 && x < length
        });
        checked.require(is_inside, || format!("a center is at {center:?}"));
    }
    let certificate = packing.certificate();
    checked.all_pairs = scene.compares_all_pairs();
    let gaps = scene.gaps(certificate.min_gap.max(options.min_gap));
    let (smallest, rounding) = (gaps.smallest(), scene.rounding());
    checked.require(smallest >= -rounding, || {
        format!("the smallest gap is {smallest:e}")
    });
    checked.is_within_rounding = smallest < 0.0;
    checked.require(certificate.max_overlap == 0.0, || {
        format!(
            "the certificate states an overlap of {:e}",
            certificate.max_overlap
        )
    });
    let difference = (certificate.min_gap - smallest).abs();
    checked.require(difference <= rounding, || {
        format!(
            "the smallest gap is {smallest:e}, but the certificate states {:e}",
            certificate.min_gap
        )
    });
    let named = certificate.closest.map(|pair| match pair {
        ClosestPair::Spheres(i, j) => scene.gap(i, j),
        ClosestPair::Wall(i, axis) => scene.wall_gap(i, axis),
        ClosestPair::Image(i, axis) => scene.image_gap(i, axis),
        _ => f64::NAN,
    });
    checked.require(
        named.is_some_and(|gap| (gap - smallest).abs() <= rounding),
        || {
            format!(
                "the certificate names {:?} with gap {named:?}",
                certificate.closest
            )
        },
    );
    let min_gap = options.min_gap;
    checked.require(
        gaps.spheres >= min_gap - rounding && gaps.walls >= 0.5 * min_gap - rounding,
        || format!("the minimum gap {min_gap:e} is requested, but there is {gaps:?}"),
    );
}

/// Checks that the packing tells its request, and a possible end of its run.
fn check_provenance(request: &RunRequest, packing: &Packing, checked: &mut Checked) {
    let RunRequest {
        options,
        interruption,
        ..
    } = request;
    let Some(provenance) = &packing.provenance else {
        return checked
            .failures
            .push("the packing has no provenance".to_owned());
    };
    let is_told = provenance.seed == options.seed
        && provenance.min_gap == options.min_gap
        && options
            .effort
            .is_none_or(|effort| provenance.effort == f64::from(effort))
        && provenance.exchange_rate == f64::from(options.exchange)
        && provenance.index == options.index.to_string();
    checked.require(is_told, || {
        format!("the provenance tells another request: {provenance:?}")
    });
    let is_densest = options.target == Target::Densest;
    let is_possible = match provenance.stop {
        StopReason::Converged => is_densest,
        StopReason::FractionReached | StopReason::Stalled => !is_densest,
        StopReason::SweepLimit => options.max_sweeps.is_some(),
        StopReason::TimeLimit => options.time_limit.is_some(),
        StopReason::Interrupted => interruption.is_some(),
        _ => false,
    };
    checked.require(is_possible, || {
        format!("the run ended as {:?}", provenance.stop)
    });
    let sweeps = provenance.sweeps;
    checked.require(
        options.max_sweeps.is_none_or(|most| sweeps <= most.max(1)),
        || format!("the run made {sweeps} sweeps"),
    );
}

/// Writes a file and compares the packing that is read from it.
fn check_file(request: &RunRequest, packing: &Packing, checked: &mut Checked) {
    let Ok(format) = request.format.parse::<Format>() else {
        return checked.failures.push("the format is unknown".to_owned());
    };
    let mut file = Vec::new();
    if let Err(error) = write_packing(packing, format, &mut file) {
        return checked.failures.push(format!(
            "the packing cannot be written as .{format}: {error}"
        ));
    }
    let hint = packing.container().clone();
    match read_packing_from(&*file, format, hint) {
        Err(error) => checked
            .failures
            .push(format!("the .{format} file cannot be read: {error}")),
        Ok(read) => {
            let again = read.packing;
            let is_equal = again.spheres() == packing.spheres()
                && again.container() == packing.container()
                && again.certificate() == packing.certificate()
                && (format != Format::Json || again == *packing);
            checked.require(is_equal, || {
                format!("the .{format} file holds another packing")
            });
        }
    }
}
