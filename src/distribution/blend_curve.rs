//! The curve of any law: one leaf, or those of the components of a blend.

use rand::{Rng, RngExt};

use super::{basis::Basis, class_curve::ClassCurve, curve::Curve, power_segments::PowerSegments};
use crate::dimension::Dimension;

/// The curve of a law as a mixture of leaves. A law that is no blend has one leaf.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BlendCurve {
    /// The leaves that have spheres, by component; at least one.
    leaves: Vec<Leaf>,
    /// The classes of several leaves, if none of them is continuous.
    merged: Option<ClassCurve>,
}

/// A law that is no blend, with its shares of the whole.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Leaf {
    /// Position of the component; 0 in a law that is no blend.
    pub component: usize,
    /// Share of the number of all spheres.
    pub number: f64,
    /// Share of the volume of all spheres, above 0.
    pub volume: f64,
    pub curve: Curve,
}

impl Leaf {
    fn share(&self, basis: Basis) -> f64 {
        match basis {
            Basis::Number => self.number,
            Basis::Mass => self.volume,
        }
    }
}

impl<C: Into<Curve>> From<C> for BlendCurve {
    fn from(curve: C) -> Self {
        Self {
            leaves: vec![Leaf {
                component: 0,
                number: 1.0,
                volume: 1.0,
                curve: curve.into(),
            }],
            merged: None,
        }
    }
}

impl BlendCurve {
    /// Creates the curve of f(r) ∝ r^`exponent` by number.
    pub fn power_law(dimension: Dimension, exponent: f64, d_min: f64, d_max: f64) -> Self {
        PowerSegments::single(dimension, d_min, d_max, exponent + 1.0).into()
    }

    /// Creates the curve of a blend from the volume share and the curve of each component. The shares sum to 1.
    pub fn new(components: impl IntoIterator<Item = (f64, Self)>) -> Self {
        let of_component = |(component, (share, curve)): (usize, (f64, Self))| {
            let leaves = curve.leaves.into_iter();
            leaves.map(move |leaf| Leaf {
                component,
                volume: share * leaf.volume,
                ..leaf
            })
        };
        let leaves = components.into_iter().enumerate().flat_map(of_component);
        let mut leaves: Vec<Leaf> = leaves.filter(|leaf| leaf.volume > 0.0).collect();
        let number = |leaf: &Leaf| leaf.volume / leaf.curve.mean_power();
        let numbers: f64 = leaves.iter().map(number).sum();
        for leaf in &mut leaves {
            leaf.number = number(leaf) / numbers;
        }
        let merged = if leaves.len() > 1 {
            merged_classes(&leaves)
        } else {
            None
        };
        Self { leaves, merged }
    }

    /// Returns the leaves that have spheres, by component.
    pub fn leaves(&self) -> &[Leaf] {
        &self.leaves
    }

    /// Returns the same curve for diameters that are larger by a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        let leaves = self.leaves.iter().map(|leaf| Leaf {
            curve: leaf.curve.scaled(factor),
            ..*leaf
        });
        Self {
            leaves: leaves.collect(),
            merged: self.merged.as_ref().map(|classes| classes.scaled(factor)),
        }
    }

    /// Returns the classes; `None` for a distribution that is continuous, even in part.
    pub fn classes(&self) -> Option<&ClassCurve> {
        match &self.leaves[..] {
            [leaf] => leaf.curve.classes(),
            _ => self.merged.as_ref(),
        }
    }

    /// Returns the smallest and the largest diameter.
    pub fn range(&self) -> (f64, f64) {
        let ranges = self.leaves.iter().map(|leaf| leaf.curve.range());
        ranges.fold((f64::INFINITY, 0.0), |all, own| {
            (f64::min(all.0, own.0), f64::max(all.1, own.1))
        })
    }

    /// Returns the share of the number or the volume at or below a diameter.
    pub fn cdf(&self, basis: Basis, diameter: f64) -> f64 {
        match (&self.leaves[..], &self.merged) {
            ([leaf], _) => leaf.curve.cdf(basis, diameter),
            (_, Some(classes)) => classes.cdf(basis, diameter),
            _ if diameter >= self.range().1 => 1.0,
            (leaves, None) => {
                let below = |leaf: &Leaf| leaf.share(basis) * leaf.curve.cdf(basis, diameter);
                leaves.iter().map(below).sum::<f64>().min(1.0)
            }
        }
    }

    /// Returns the smallest diameter at or below which the share lies.
    pub fn quantile(&self, basis: Basis, share: f64) -> f64 {
        match (&self.leaves[..], &self.merged) {
            ([leaf], _) => leaf.curve.quantile(basis, share),
            (_, Some(classes)) => classes.quantile(basis, share),
            _ => self.quantile_by_bisection(basis, share),
        }
    }

    /// [`Self::quantile`], by bisection to neighboring numbers.
    fn quantile_by_bisection(&self, basis: Basis, share: f64) -> f64 {
        let (mut low, mut high) = self.range();
        if self.cdf(basis, low) >= share {
            return low;
        }
        loop {
            let middle = if high > 2.0 * low {
                (low * high).sqrt()
            } else {
                0.5 * (low + high)
            };
            if !(low < middle && middle < high) {
                return high;
            }
            if self.cdf(basis, middle) >= share {
                high = middle;
            } else {
                low = middle;
            }
        }
    }

    /// Returns the mean of d^`power` by number.
    pub fn raw_moment(&self, power: f64) -> f64 {
        match &self.leaves[..] {
            [leaf] => leaf.curve.raw_moment(power),
            leaves => {
                let moments = leaves.iter();
                let moments = moments.map(|leaf| leaf.number * leaf.curve.raw_moment(power));
                moments.sum()
            }
        }
    }

    /// Returns the dimension of the spheres.
    pub fn dimension(&self) -> Dimension {
        self.leaves[0].curve.dimension()
    }

    /// Returns the mean of d³ by number, or of d² of disks.
    pub fn mean_power(&self) -> f64 {
        self.raw_moment(self.dimension().exponent())
    }

    /// Draws one diameter by number, from one uniform number: it chooses a leaf, and the diameter in this leaf.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let mut rest: f64 = rng.random();
        let last = self.leaves.len() - 1;
        for leaf in &self.leaves[..last] {
            if rest < leaf.number {
                return leaf.curve.quantile(Basis::Number, rest / leaf.number);
            }
            rest -= leaf.number;
        }
        let leaf = &self.leaves[last];
        leaf.curve.quantile(Basis::Number, rest / leaf.number)
    }
}

/// Returns the classes of all leaves, if none of them is continuous. Equal diameters are one class.
fn merged_classes(leaves: &[Leaf]) -> Option<ClassCurve> {
    let mut classes = Vec::new();
    for leaf in leaves {
        let own = leaf.curve.classes()?.classes().iter();
        classes.extend(own.map(|class| (class.diameter, leaf.volume * class.mass_share)));
    }
    classes.sort_by(|a, b| f64::total_cmp(&a.0, &b.0));
    let merged = classes.chunk_by(|a, b| a.0 == b.0);
    let merged = merged.map(|equal| (equal[0].0, equal.iter().map(|class| class.1).sum()));
    let dimension = leaves[0].curve.dimension();
    Some(ClassCurve::new(
        dimension,
        Basis::Mass,
        &merged.collect::<Vec<_>>(),
    ))
}
