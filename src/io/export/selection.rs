//! Conditions by which spheres are selected: `d>2`.

use std::{
    cmp::Ordering::{self, Equal, Greater, Less},
    str::FromStr,
};

use glam::DVec3;

/// Conditions that a sphere must meet to be exported. The default selects every sphere.
///
/// The text form is one condition or several between commas, all of which must hold: `d>2`, `d>=2,z<10`. The quantities are
/// the diameter `d`, the radius `r`, the coordinates `x`, `y` and `z` of the center, and the position `id` in the list of
/// spheres, from 0. The comparisons are `<`, `<=`, `>`, `>=` and `=`. Lengths have the unit of the packing.
///
/// # Example
/// ```
/// use jostle::{glam::DVec3, io::Selection};
///
/// let selection: Selection = "d>=2, z<10".parse()?;
/// assert!(selection.contains(0, DVec3::splat(5.0), 1.0));
/// assert!(!selection.contains(0, DVec3::splat(5.0), 0.9));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Selection {
    conditions: Vec<Condition>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
struct Condition {
    /// Position among [`QUANTITIES`].
    quantity: usize,
    /// Orders of the quantity and the limit that meet the condition.
    accepted: &'static [Ordering],
    limit: f64,
}

/// The names of the quantities.
const QUANTITIES: [&str; 6] = ["d", "r", "x", "y", "z", "id"];

/// The signs of comparisons, longer signs first, with the orders that they accept.
const COMPARISONS: [(&str, &[Ordering]); 5] = [
    ("<=", &[Less, Equal]),
    (">=", &[Greater, Equal]),
    ("<", &[Less]),
    (">", &[Greater]),
    ("=", &[Equal]),
];

impl Selection {
    /// Returns whether every sphere is selected.
    pub fn is_all(&self) -> bool {
        self.conditions.is_empty()
    }

    /// Returns whether the sphere at position `id` of the list of spheres is selected.
    pub fn contains(&self, id: usize, center: DVec3, radius: f64) -> bool {
        let DVec3 { x, y, z } = center;
        let values = [2.0 * radius, radius, x, y, z, id as f64];
        self.conditions.iter().all(|condition| {
            let order = values[condition.quantity].partial_cmp(&condition.limit);
            order.is_some_and(|order| condition.accepted.contains(&order))
        })
    }
}

/// A text that is no selection.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "'{0}' is no condition; expected d, r, x, y, z or id, then <, <=, >, >= or =, then a number, such as d>2 or d>=2,z<10"
)]
pub struct ParseSelectionError(String);

impl FromStr for Selection {
    type Err = ParseSelectionError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let conditions = text
            .split(',')
            .map(|part| condition(part).ok_or_else(|| ParseSelectionError(part.trim().to_owned())));
        Ok(Self {
            conditions: conditions.collect::<Result<_, _>>()?,
        })
    }
}

fn condition(text: &str) -> Option<Condition> {
    let (sign, accepted) = COMPARISONS
        .into_iter()
        .find(|(sign, _)| text.contains(sign))?;
    let (quantity, limit) = text.split_once(sign)?;
    let mut names = QUANTITIES.into_iter();
    Some(Condition {
        quantity: names.position(|name| name == quantity.trim())?,
        accepted,
        limit: limit
            .trim()
            .parse()
            .ok()
            .filter(|limit: &f64| !limit.is_nan())?,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_condition_must_hold() {
        let center = DVec3::new(1.0, 2.0, 3.0);
        for (text, expected) in [
            ("d>2", false),
            ("d>=2", true),
            ("d<2", false),
            ("r<=1", true),
            ("x=1", true),
            ("y<2", false),
            ("z>2.5,id=7", true),
            ("z > 2.5 , id = 8", false),
        ] {
            let selection: Selection = text.parse().unwrap();
            assert_eq!(selection.contains(7, center, 1.0), expected, "{text}");
        }
        assert!(Selection::default().contains(7, center, 1.0));
    }

    #[test]
    fn other_texts_are_rejected() {
        for bad in ["", "d", "d>", ">2", "q>2", "d>2,", "d!2", "d>nan", "d>2>3"] {
            assert!(bad.parse::<Selection>().is_err(), "{bad} was accepted");
        }
    }
}
