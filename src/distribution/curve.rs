//! The representations of a law: separate classes, a continuous curve, or the curves of the components of a blend.

use rand::{Rng, RngExt};

use super::{basis::Basis, class_curve::ClassCurve, power_segments::PowerSegments};

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Curve {
    Classes(ClassCurve),
    Segments(PowerSegments),
    Blend(BlendCurve),
}

/// A curve in a law, with its shares: the law itself, or a component of a blend that is no blend.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Leaf<C> {
    /// Position of the component in the blend; 0 in a law that is no blend.
    pub component: usize,
    /// Share of the number of all spheres.
    pub number: f64,
    /// Share of the volume of all spheres, above 0.
    pub volume: f64,
    /// The curve, which is no blend.
    pub curve: C,
}

impl<C> Leaf<C> {
    fn share(&self, basis: Basis) -> f64 {
        match basis {
            Basis::Number => self.number,
            Basis::Mass => self.volume,
        }
    }
}

impl Curve {
    /// Creates the curve of f(r) ∝ r^`exponent` by number.
    pub fn power_law(exponent: f64, d_min: f64, d_max: f64) -> Self {
        Self::Segments(PowerSegments::single(d_min, d_max, exponent + 1.0))
    }

    /// Returns the same curve for diameters that are larger by a factor.
    pub fn scaled(&self, factor: f64) -> Self {
        match self {
            _ if factor == 1.0 => self.clone(),
            Self::Classes(curve) => Self::Classes(curve.scaled(factor)),
            Self::Segments(curve) => Self::Segments(curve.scaled(factor)),
            Self::Blend(curve) => Self::Blend(curve.scaled(factor)),
        }
    }

    /// Returns the classes; `None` for a distribution that is continuous, even in part.
    pub fn classes(&self) -> Option<&ClassCurve> {
        match self {
            Self::Classes(curve) => Some(curve),
            Self::Segments(_) => None,
            Self::Blend(curve) => curve.classes.as_ref(),
        }
    }

    /// Returns the curves of a blend that have spheres, by component; of another law, the curve itself.
    pub fn leaves(&self) -> Vec<Leaf<&Curve>> {
        let Self::Blend(blend) = self else {
            return vec![Leaf {
                component: 0,
                number: 1.0,
                volume: 1.0,
                curve: self,
            }];
        };
        let leaf = |leaf: &'_ Leaf<Self>| Leaf {
            curve: &leaf.curve,
            ..*leaf
        };
        blend.leaves.iter().map(leaf).collect()
    }

    /// Returns the smallest and the largest diameter.
    pub fn range(&self) -> (f64, f64) {
        match self {
            Self::Classes(curve) => {
                let classes = curve.classes();
                (classes[0].diameter, classes[classes.len() - 1].diameter)
            }
            Self::Segments(curve) => (curve.d_min(), curve.d_max()),
            Self::Blend(curve) => curve.range(),
        }
    }

    pub fn cdf(&self, basis: Basis, diameter: f64) -> f64 {
        match self {
            Self::Classes(curve) => curve.cdf(basis, diameter),
            Self::Segments(curve) => curve.cdf(basis, diameter),
            Self::Blend(curve) => curve.cdf(basis, diameter),
        }
    }

    pub fn quantile(&self, basis: Basis, share: f64) -> f64 {
        match self {
            Self::Classes(curve) => curve.quantile(basis, share),
            Self::Segments(curve) => curve.quantile(basis, share),
            Self::Blend(curve) => curve.quantile(basis, share),
        }
    }

    pub fn raw_moment(&self, power: f64) -> f64 {
        match self {
            Self::Classes(curve) => curve.raw_moment(power),
            Self::Segments(curve) => curve.raw_moment(power),
            Self::Blend(curve) => {
                let moments = curve.leaves.iter();
                let moments = moments.map(|leaf| leaf.number * leaf.curve.raw_moment(power));
                moments.sum()
            }
        }
    }

    /// Draws one diameter by number, from one uniform number.
    pub fn draw<R: Rng + ?Sized>(&self, rng: &mut R) -> f64 {
        let share = rng.random();
        match self {
            Self::Blend(curve) => curve.at_share_of_leaves(share),
            _ => self.quantile(Basis::Number, share),
        }
    }
}

/// The curves of the components of a blend.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct BlendCurve {
    /// The curves that have spheres, by component.
    leaves: Vec<Leaf<Curve>>,
    /// The classes of all components, if none of them is continuous.
    classes: Option<ClassCurve>,
}

impl BlendCurve {
    /// Creates the curve from the volume share and the curve of each component. The shares sum to 1. Blends among the components are
    /// replaced by their own components.
    pub fn new(shares: &[f64], curves: impl IntoIterator<Item = Curve>) -> Self {
        let mut leaves = Vec::new();
        for (component, (&share, curve)) in shares.iter().zip(curves).enumerate() {
            let parts = match curve {
                Curve::Blend(blend) => blend.leaves,
                curve => vec![Leaf {
                    component,
                    number: 1.0,
                    volume: 1.0,
                    curve,
                }],
            };
            leaves.extend(parts.into_iter().map(|part| Leaf {
                component,
                volume: share * part.volume,
                ..part
            }));
        }
        leaves.retain(|leaf| leaf.volume > 0.0);
        let number = |leaf: &Leaf<Curve>| leaf.volume / leaf.curve.raw_moment(3.0);
        let numbers: f64 = leaves.iter().map(number).sum();
        for leaf in &mut leaves {
            leaf.number = number(leaf) / numbers;
        }
        let classes = merged_classes(&leaves);
        Self { leaves, classes }
    }

    fn scaled(&self, factor: f64) -> Self {
        let leaves = self.leaves.iter().map(|leaf| Leaf {
            curve: leaf.curve.scaled(factor),
            ..*leaf
        });
        Self {
            leaves: leaves.collect(),
            classes: self.classes.as_ref().map(|curve| curve.scaled(factor)),
        }
    }

    fn range(&self) -> (f64, f64) {
        let ranges = self.leaves.iter().map(|leaf| leaf.curve.range());
        ranges.fold((f64::INFINITY, 0.0), |all, own| {
            (f64::min(all.0, own.0), f64::max(all.1, own.1))
        })
    }

    fn cdf(&self, basis: Basis, diameter: f64) -> f64 {
        if let Some(classes) = &self.classes {
            return classes.cdf(basis, diameter);
        }
        if diameter >= self.range().1 {
            return 1.0;
        }
        let below = |leaf: &Leaf<Curve>| leaf.share(basis) * leaf.curve.cdf(basis, diameter);
        self.leaves.iter().map(below).sum::<f64>().min(1.0)
    }

    /// Returns the smallest diameter at or below which the share lies, by bisection to neighboring numbers.
    fn quantile(&self, basis: Basis, share: f64) -> f64 {
        if let Some(classes) = &self.classes {
            return classes.quantile(basis, share);
        }
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

    /// Returns the diameter at a share of the number of all spheres, which are sorted by component first.
    fn at_share_of_leaves(&self, share: f64) -> f64 {
        let mut rest = share;
        let (last, others) = self.leaves.split_last().expect("a share is above 0");
        for leaf in others {
            if rest < leaf.number {
                return leaf.curve.quantile(Basis::Number, rest / leaf.number);
            }
            rest -= leaf.number;
        }
        last.curve.quantile(Basis::Number, rest / last.number)
    }
}

/// Returns the classes of all curves, if none of them is continuous. Equal diameters are one class.
fn merged_classes(leaves: &[Leaf<Curve>]) -> Option<ClassCurve> {
    let mut classes = Vec::new();
    for leaf in leaves {
        let own = leaf.curve.classes()?.classes().iter();
        classes.extend(own.map(|class| (class.diameter, leaf.volume * class.mass_share)));
    }
    classes.sort_by(|a, b| f64::total_cmp(&a.0, &b.0));
    let merged = classes.chunk_by(|a, b| a.0 == b.0);
    let merged = merged.map(|equal| (equal[0].0, equal.iter().map(|class| class.1).sum()));
    Some(ClassCurve::new(Basis::Mass, &merged.collect::<Vec<_>>()))
}
