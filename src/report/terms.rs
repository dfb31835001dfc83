//! The numbers at the top of a report, explained for readers outside the field.

use std::fmt::Write;

use crate::dimension::Dimension;

/// A number of a report.
struct Term {
    /// Name of its explanation in the page.
    id: &'static str,
    name: &'static str,
    /// The dimension of the packings that have the number; `None` for all.
    dimension: Option<Dimension>,
    explanation: &'static str,
    /// Address of the source; empty without one.
    source: &'static str,
}

/// The numbers. `docs/guide/analysis.md` has the definitions.
const TERMS: [Term; 11] = [
    Term {
        id: "about-packing-fraction",
        name: "packing fraction",
        dimension: None,
        explanation: "Volume of the spheres divided by the volume of the container, or areas in the plane. The rest is the porosity.",
        source: "",
    },
    Term {
        id: "about-expected",
        name: "expected",
        dimension: None,
        explanation: "Packing fraction of random close packing that a model predicts from the sizes alone. Walls lower it.",
        source: "https://doi.org/10.1063/1.3276799",
    },
    Term {
        id: "about-spheres",
        name: "spheres",
        dimension: Some(Dimension::Three),
        explanation: "Number of spheres in the container.",
        source: "",
    },
    Term {
        id: "about-contacts",
        name: "contacts",
        dimension: None,
        explanation: "Mean number of spheres and walls that touch a sphere. The tolerance is the largest gap that counts as a contact, in \
                      diameters of the smaller sphere.",
        source: "",
    },
    Term {
        id: "about-rattlers",
        name: "rattlers",
        dimension: None,
        explanation: "Share of the spheres that are not held in place: they have too few contacts with spheres that are held, or with walls: fewer than \
                      four, or three in the plane.",
        source: "https://doi.org/10.1103/PhysRevE.68.011306",
    },
    Term {
        id: "about-bond-order",
        name: "mean q₆",
        dimension: Some(Dimension::Three),
        explanation: "Regularity of the directions to the neighbors of a sphere, from 0 to 1. Crystals of equal spheres have about 0.5 and more.",
        source: "https://doi.org/10.1103/PhysRevB.28.784",
    },
    Term {
        id: "about-crystal-like",
        name: "crystal-like",
        dimension: Some(Dimension::Three),
        explanation: "Share of the spheres whose neighbors have neighbors in similar directions, as in a crystal.",
        source: "https://doi.org/10.1063/1.471721",
    },
    Term {
        id: "about-structure-factor",
        name: "S(k → 0)",
        dimension: None,
        explanation: "Strength of fluctuations of the number of spheres over long distances. It is 1 for points at random, and near 0 where \
                      spheres are spread evenly.",
        source: "https://doi.org/10.1103/PhysRevLett.95.090604",
    },
    Term {
        id: "about-disks",
        name: "disks",
        dimension: Some(Dimension::Two),
        explanation: "Number of disks in the container.",
        source: "",
    },
    Term {
        id: "about-hexatic",
        name: "mean |ψ₆|",
        dimension: Some(Dimension::Two),
        explanation: "Regularity of the directions to the neighbors of a disk. It is 1 for six neighbors in equal angles, as in a crystal.",
        source: "",
    },
    Term {
        id: "about-global-hexatic",
        name: "|mean ψ₆|",
        dimension: Some(Dimension::Two),
        explanation: "Order of the whole packing. It is 1 if all crystals have one orientation, and near 0 for many orientations or none.",
        source: "",
    },
];

/// Returns tiles with these numbers, each of which leads to its explanation.
pub(super) fn tiles(numbers: &[(&str, String)]) -> String {
    let mut page = String::from("<div class=\"numbers\">\n");
    for (name, value) in numbers {
        let Some(term) = TERMS.iter().find(|term| term.id == *name) else {
            continue;
        };
        // Writing to a String cannot fail.
        let _ = writeln!(
            page,
            "<div><b>{value}</b><a href=\"#{}\" title=\"{}\">{}</a></div>",
            term.id, term.explanation, term.name
        );
    }
    page + "</div>\n"
}

/// Returns the explanations for packings of a dimension.
pub(super) fn explanations(dimension: Dimension) -> String {
    let mut page = String::from("<h2>What the numbers mean</h2>\n<dl>\n");
    for term in &TERMS {
        if term.dimension.is_some_and(|other| other != dimension) {
            continue;
        }
        let source = match term.source {
            "" => String::new(),
            source => format!(" <a href=\"{source}\">Source</a>"),
        };
        let _ = writeln!(
            page,
            "<dt id=\"{}\">{}</dt><dd>{}{source}</dd>",
            term.id, term.name, term.explanation
        );
    }
    page + "</dl>\n"
}
