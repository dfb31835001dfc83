//! Rejects checkpoints that no run can have written.

use super::{
    checkpoint::{Account, Columns, ResumeError},
    constants::{LARGEST_COUNT, LEAST_SCALE, MOST_REPLACEMENTS, REACH_MARGIN, SIZE_TOLERANCE},
    options::enlarged,
    setup::power_of_two_below,
    state::Work,
};
use crate::{
    container::frame::{Frame, Point, Steps},
    distribution::SizeReport,
    machine::divided::Divided,
};

/// Rejects columns of different lengths.
pub(super) fn check_lengths(columns: &Columns) -> Result<(), ResumeError> {
    let present = columns.original.len();
    let may_be_empty = [columns.inner.len(), columns.active.len()];
    let is_complete = [columns.at.len(), columns.age.len(), columns.outer.len()] == [present; 3]
        && may_be_empty.iter().all(|&len| len == 0 || len == present);
    require(is_complete, "its columns have different lengths")
}

/// Rejects numbers that no run can have.
pub(super) fn check_account(account: &Account) -> Result<(), ResumeError> {
    let &Account {
        scale,
        mean_radius,
        sweeps,
        calm_sweeps,
        elapsed,
        work,
        ..
    } = account;
    require(
        (LEAST_SCALE..=1.0).contains(&scale),
        "the scale of the radii is out of range",
    )?;
    let mean_radius = mean_radius as f32;
    require(
        mean_radius > 0.0 && mean_radius.is_finite(),
        "the mean radius is not positive and finite",
    )?;
    let Work {
        relocations,
        refreshes,
        attempts,
        exchanges,
        relocating,
        refreshing,
        exchanging,
    } = work;
    let counts = [sweeps, relocations, refreshes, attempts, exchanges];
    let times = [elapsed, relocating, refreshing, exchanging];
    require(
        counts.iter().all(|&count| count < LARGEST_COUNT)
            && times.iter().all(|time| time.as_secs() < LARGEST_COUNT)
            && u64::from(calm_sweeps) <= sweeps,
        "a count or a time is larger than in any run",
    )?;
    let progress = account.phase.approach().copied().unwrap_or_default();
    require(
        progress.least_at <= sweeps
            && progress.replacements <= MOST_REPLACEMENTS
            && exchanges <= attempts,
        "a part of the run is longer than the run",
    )?;
    require(
        progress.least.is_none_or(|least| least >= 0.0),
        "the smallest sum of overlaps is negative",
    )
}

/// Rejects numbers that contradict the radii or the request.
pub(super) fn check_request(account: &Account, radii: &Divided) -> Result<(), ResumeError> {
    let options = &account.options;
    let [smallest, largest] = [radii.smallest(), radii.largest()];
    if let Some(sizes) = &options.sizes {
        let SizeReport {
            d_min,
            d_max,
            mass_curve,
            mass_curve_error,
            ..
        } = &sizes.report;
        let are_equal = |a: f64, b: f64| (a - b).abs() <= SIZE_TOLERANCE * b;
        require(
            are_equal(*d_min, 2.0 * smallest) && are_equal(*d_max, 2.0 * largest),
            "its smallest or largest diameter is not that of the spheres",
        )?;
        let components = sizes.components.iter().map(|component| component.spheres);
        let all = components.fold(0, u64::saturating_add);
        require(
            sizes.components.is_empty() || all == radii.len() as u64,
            "its components have more or fewer spheres than the packing",
        )?;
        let is_share = |share: &f64| (0.0..=1.0 + SIZE_TOLERANCE).contains(share);
        let is_row = |[diameter, shares @ ..]: &[f64; 3]| {
            *diameter > 0.0 && diameter.is_finite() && shares.iter().all(is_share)
        };
        require(
            mass_curve.iter().all(is_row)
                && mass_curve.is_sorted_by(|a, b| a[0] <= b[0])
                && is_share(mass_curve_error),
            "its mass curve is not a curve of shares from 0 to 1",
        )?;
    }
    let unit = power_of_two_below(enlarged(largest, options.min_gap));
    let bounds = [smallest, largest].map(|radius| enlarged(radius, options.min_gap) / unit);
    require(
        account.mean_radius >= bounds[0] * (1.0 - SIZE_TOLERANCE)
            && account.mean_radius <= bounds[1] * (1.0 + SIZE_TOLERANCE),
        "the mean radius is not between those of the smallest and the largest sphere",
    )?;
    require(
        account.chosen_effort.is_none() || options.effort.is_none(),
        "it has an effort beside the requested one",
    )?;
    let progress = account.phase.approach().copied().unwrap_or_default();
    require(
        options.fixed.is_some() || account.left_out.is_empty() && progress.replacements == 0,
        "spheres are left out without fixed spheres",
    )
}

/// Rejects positions, radii and ages that no run can have.
pub(super) fn check_columns(
    columns: &Columns,
    sweeps: u64,
    frame: &Frame,
) -> Result<(), ResumeError> {
    let inflated = || columns.outer.iter().chain(&columns.inner);
    let is_size = |inflated: &Point| inflated.radius > 0.0 && inflated.radius.is_finite();
    require(
        inflated().all(is_size),
        "an inflated radius is not positive and finite",
    )?;
    require(
        columns.age.iter().all(|&age| age <= sweeps as u32),
        "a list is older than the run",
    )?;
    let positions = inflated().map(|inflated| inflated.at);
    let is_inside = |at: Steps| (0..3).all(|axis| i64::from(at[axis] as u32) < frame.span(axis));
    require(
        positions.chain(columns.at.iter().copied()).all(is_inside),
        "a sphere is outside of the container",
    )?;
    let is_nested = |(inner, outer): (&Point, &Point)| {
        inner.radius + frame.distance(inner.at, outer.at) <= outer.radius * REACH_MARGIN
    };
    require(
        columns.inner.iter().zip(&columns.outer).all(is_nested),
        "an inner inflated sphere is outside of the outer one",
    )
}

/// Returns an error that names a contradiction unless a condition holds.
pub(super) fn require(holds: bool, contradiction: &'static str) -> Result<(), ResumeError> {
    holds
        .then_some(())
        .ok_or(ResumeError::Contradiction(contradiction.into()))
}
