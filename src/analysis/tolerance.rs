//! The tolerance of contacts that suits a packing.

use super::{
    adjacency::Adjacency,
    constants::{CONTACT_TOLERANCES, HELD_SHARE, LARGEST_DEFAULT_TOLERANCE},
    contacts::{Contacts, near_pairs},
    error::AnalysisError,
    rattlers::rattlers_of,
    scene::Scene,
};
use crate::{container::Container, spheres::Spheres};

/// Finds all contacts at the tolerance that suits the packing.
///
/// It is the smallest one of 1, 2, 5 · 10⁻⁴, 10⁻³ … 2 · 10⁻² smaller diameters at which the contacts hold the packing: the spheres that are
/// no [`rattlers`](fn@super::rattlers) have at least half of the volume of all spheres. It is 2 · 10⁻² if none of them is large enough, as in
/// loose packings. `docs/guide/analysis.md` lists examples.
///
/// # Cost
/// O(N) time and memory for spheres that overlap little.
///
/// # Errors
/// [`AnalysisError`] if a center or a radius is not accepted, or if very many spheres overlap at one place.
pub fn suitable_contacts(
    spheres: &Spheres,
    container: &Container,
) -> Result<Contacts, AnalysisError> {
    let (scene, near) = near_pairs(spheres, container, LARGEST_DEFAULT_TOLERANCE)?;
    Ok(suitable(&scene, &near).0.renumbered(&scene))
}

/// Returns the contacts at the tolerance that suits the packing, without the list of pairs, and for each sphere whether it is a rattler at this
/// tolerance.
///
/// `near` holds the pairs within [`LARGEST_DEFAULT_TOLERANCE`].
pub(super) fn suitable(scene: &Scene, near: &Adjacency) -> (Contacts, Vec<bool>) {
    let at = |tolerance: f64| {
        let contacts = Contacts::unlisted(scene, near.within(scene, tolerance), tolerance);
        let is_rattler = rattlers_of(scene, &contacts);
        (contacts, is_rattler)
    };
    // Larger tolerances hold at least the same spheres, so that a bisection finds the smallest one. Until one of them holds the packing, the
    // largest one so far is the choice.
    let (mut low, mut high) = (0, CONTACT_TOLERANCES.len());
    let mut chosen = None;
    while low < high {
        let middle = usize::midpoint(low, high);
        let found = at(CONTACT_TOLERANCES[middle]);
        let is_held = is_held(scene, &found.1);
        if is_held || high == CONTACT_TOLERANCES.len() {
            chosen = Some(found);
        }
        if is_held {
            high = middle;
        } else {
            low = middle + 1;
        }
    }
    chosen.unwrap_or_else(|| at(LARGEST_DEFAULT_TOLERANCE))
}

/// Returns whether the spheres that are no rattlers have enough of the volume.
fn is_held(scene: &Scene, is_rattler: &[bool]) -> bool {
    let own = || scene.own.clone();
    let largest = scene.largest_radius();
    let dimension = scene.container.dimension();
    let volumes = scene.ranks.sums_in_turn(2, |volumes| {
        for id in own() {
            let volume = dimension.power(scene.radii[id] / largest);
            volumes[0] += volume;
            if !is_rattler[id] {
                volumes[1] += volume;
            }
        }
    });
    volumes[1] >= HELD_SHARE * volumes[0]
}
