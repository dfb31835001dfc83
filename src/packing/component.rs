//! The components of a blend in a packing.

use std::ops::Range;

use serde::{Deserialize, Serialize};

use crate::{distribution::SampledComponent, machine::ranks::Ranks};

/// A component of a blend in a packing: its label, its density and its spheres.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct PackedComponent {
    /// The name of the component.
    pub label: String,
    /// The density of the spheres; absent if all components have one density.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub density: Option<f64>,
    /// The positions of the spheres in the packing: ranges in ascending order.
    pub spheres: Vec<Range<usize>>,
}

impl PackedComponent {
    /// Creates a component of the spheres at these positions.
    pub fn new(label: impl Into<String>, density: Option<f64>, spheres: Vec<Range<usize>>) -> Self {
        Self {
            label: label.into(),
            density,
            spheres,
        }
    }

    /// Returns the number of spheres.
    pub fn len(&self) -> usize {
        self.spheres.iter().map(ExactSizeIterator::len).sum()
    }

    /// Returns whether there are no spheres.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// Ranges that are no components of a packing.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ComponentError {
    /// A range is reversed, or ends behind the last sphere.
    #[error("component {label:?}: {start} to {end} is no range of the {spheres} spheres")]
    Range {
        /// The label.
        label: String,
        /// The first position.
        start: usize,
        /// The position behind the last one.
        end: usize,
        /// The number of spheres.
        spheres: usize,
    },
    /// A density is not a positive, finite number.
    #[error(
        "component {label:?}: the density is {density:?}; it must be a positive, finite number"
    )]
    Density {
        /// The label.
        label: String,
        /// The density.
        density: f64,
    },
    /// A sphere is in two components.
    #[error("sphere {sphere} is in two components; it must be in at most one")]
    Twice {
        /// The position of the sphere.
        sphere: usize,
    },
}

/// Returns the position of the component of each sphere; `None` for spheres without one, such as fixed spheres.
///
/// # Errors
/// [`ComponentError`] if a range does not fit the number of spheres, two ranges overlap, or a density is not accepted.
pub(super) fn of_spheres(
    components: &[PackedComponent],
    spheres: usize,
) -> Result<Vec<Option<u32>>, ComponentError> {
    let mut ids = vec![None; spheres];
    for (id, component) in (0..).zip(components) {
        if let Some(density) = component.density
            && !(density > 0.0 && density.is_finite())
        {
            let label = component.label.clone();
            return Err(ComponentError::Density { label, density });
        }
        for range in &component.spheres {
            let own = ids.get_mut(range.clone()).ok_or(ComponentError::Range {
                label: component.label.clone(),
                start: range.start,
                end: range.end,
                spheres,
            })?;
            if let Some(within) = own.iter().position(Option::is_some) {
                let sphere = range.start + within;
                return Err(ComponentError::Twice { sphere });
            }
            own.fill(Some(id));
        }
    }
    Ok(ids)
}

/// Returns the components whose spheres have these ids: the reverse of [`of_spheres`].
pub(crate) fn with_spheres(
    components: &[PackedComponent],
    ids: &[Option<u32>],
) -> Vec<PackedComponent> {
    let mut new: Vec<PackedComponent> = components
        .iter()
        .map(|component| PackedComponent::new(&*component.label, component.density, Vec::new()))
        .collect();
    let mut start = 0;
    for equal in ids.chunk_by(PartialEq::eq) {
        let end = start + equal.len();
        if let Some(id) = equal[0] {
            new[id as usize].spheres.push(start..end);
        }
        start = end;
    }
    new
}

/// Returns the components of the spheres in a part of a packing.
pub(crate) fn of_part(components: &[PackedComponent], part: &Range<usize>) -> Vec<PackedComponent> {
    let local = |position: usize| position.clamp(part.start, part.end) - part.start;
    let component = |component: &PackedComponent| {
        let ranges = component.spheres.iter();
        let ranges = ranges.map(|range| local(range.start)..local(range.end));
        let ranges = ranges.filter(|range| !range.is_empty()).collect();
        PackedComponent::new(&*component.label, component.density, ranges)
    };
    components.iter().map(component).collect()
}

/// Returns the components of a packing of the spheres of a sample, component by component, without those of the numbers `left_out`,
/// sorted.
pub(crate) fn of_sample(sample: &[SampledComponent], left_out: &[usize]) -> Vec<PackedComponent> {
    let remaining = |number: usize| number - left_out.partition_point(|&left| left < number);
    let mut end = 0_usize;
    let component = |component: &SampledComponent| {
        let start = end;
        end = end.saturating_add(component.spheres as usize);
        let spheres = remaining(start)..remaining(end);
        PackedComponent::new(&*component.label, component.density, vec![spheres])
    };
    sample.iter().map(component).collect()
}

/// Returns the components of the spheres of all ranks on the first one, and components without spheres on the others. `count` is the
/// number of spheres of this rank.
pub(super) fn on_first_rank(
    components: &[PackedComponent],
    count: usize,
    ranks: &Ranks,
) -> Vec<PackedComponent> {
    let before = ranks.before(count);
    let own = (0..).zip(components).flat_map(|(id, component)| {
        let ranges = component.spheres.iter();
        ranges.map(move |range| {
            [
                id,
                (before + range.start) as u64,
                (before + range.end) as u64,
            ]
        })
    });
    let all: Vec<[u64; 3]> = ranks.send_to_first(own.collect());
    let mut new = with_spheres(components, &[]);
    for [id, start, end] in all {
        let spheres = &mut new[id as usize].spheres;
        match spheres.last_mut() {
            Some(last) if last.end == start as usize => last.end = end as usize,
            _ => spheres.push(start as usize..end as usize),
        }
    }
    new
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns one range.
    fn range(start: usize, end: usize) -> Vec<Range<usize>> {
        std::iter::once(start..end).collect()
    }

    fn blend(a: Vec<Range<usize>>, b: Vec<Range<usize>>) -> Vec<PackedComponent> {
        vec![
            PackedComponent::new("a", Some(2.0), a),
            PackedComponent::new("b", None, b),
        ]
    }

    #[test]
    fn ids_and_ranges_follow_from_each_other() {
        let components = blend(vec![0..2, 5..6], range(2, 4));
        let ids = of_spheres(&components, 7).unwrap();
        let expected = [Some(0), Some(0), Some(1), Some(1), None, Some(0), None];
        assert_eq!(ids, expected);
        assert_eq!(with_spheres(&components, &ids), components);
    }

    #[test]
    fn parts_and_spheres_that_are_left_out_shift_the_ranges() {
        let sample = |label: &str, spheres| SampledComponent::new(label, None, spheres);
        let sample = [sample("a", 4), sample("b", 3), sample("c", 2)];
        // Of a, sphere 1 is missing, and of b all.
        let components = of_sample(&sample, &[1, 4, 5, 6]);
        let ranges = |components: &[PackedComponent]| -> Vec<Vec<Range<usize>>> {
            components.iter().map(|own| own.spheres.clone()).collect()
        };
        let expected = [range(0, 3), range(3, 3), range(3, 5)];
        assert_eq!(ranges(&components), expected);
        let part = of_part(&components, &(2..4));
        assert_eq!(ranges(&part), [range(0, 1), Vec::new(), range(1, 2)]);
    }

    #[test]
    fn wrong_components_are_rejected() {
        let mut dense = blend(range(0, 1), range(1, 2));
        dense[1].density = Some(-1.0);
        for (components, message) in [
            (
                blend(range(0, 8), Vec::new()),
                "component \"a\": 0 to 8 is no range of the 7 spheres",
            ),
            (
                blend(range(0, 3), range(2, 4)),
                "sphere 2 is in two components; it must be in at most one",
            ),
            (
                dense,
                "component \"b\": the density is -1.0; it must be a positive, finite number",
            ),
        ] {
            let error = of_spheres(&components, 7).unwrap_err();
            assert_eq!(error.to_string(), message);
        }
    }
}
