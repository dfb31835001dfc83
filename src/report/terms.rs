//! The numbers at the top of a report, explained for readers who do not know their names.

use std::fmt::Write;

/// A number of a report.
pub(super) struct Term {
    /// Name of its explanation in the page.
    pub(super) id: &'static str,
    pub(super) name: &'static str,
    explanation: &'static str,
    /// Address of the source; empty without one.
    source: &'static str,
}

/// The numbers, in the order of the page. `docs/guide/analysis.md` has the definitions.
pub(super) const TERMS: [Term; 8] = [
    Term {
        id: "about-packing-fraction",
        name: "packing fraction",
        explanation: "Volume of the spheres divided by the volume of the container. The rest is the porosity.",
        source: "",
    },
    Term {
        id: "about-expected",
        name: "expected",
        explanation: "Packing fraction of random close packing that a model predicts from the sizes alone. Walls lower it.",
        source: "https://doi.org/10.1063/1.3276799",
    },
    Term {
        id: "about-spheres",
        name: "spheres",
        explanation: "Number of spheres in the container.",
        source: "",
    },
    Term {
        id: "about-contacts",
        name: "contacts",
        explanation: "Mean number of spheres and walls that touch a sphere. The tolerance is the largest gap that counts as a contact, in \
                      diameters of the smaller sphere.",
        source: "",
    },
    Term {
        id: "about-rattlers",
        name: "rattlers",
        explanation: "Share of the spheres that are not held in place: they have fewer than four contacts with spheres that are held, or with \
                      walls.",
        source: "https://doi.org/10.1103/PhysRevE.68.011306",
    },
    Term {
        id: "about-bond-order",
        name: "mean q₆",
        explanation: "Regularity of the directions to the neighbors of a sphere, from 0 to 1. Crystals of equal spheres have about 0.5 and more.",
        source: "https://doi.org/10.1103/PhysRevB.28.784",
    },
    Term {
        id: "about-crystal-like",
        name: "crystal-like",
        explanation: "Share of the spheres whose neighbors have neighbors in similar directions, as in a crystal.",
        source: "https://doi.org/10.1063/1.471721",
    },
    Term {
        id: "about-structure-factor",
        name: "S(k → 0)",
        explanation: "Strength of fluctuations of the number of spheres over long distances. It is 1 for points at random, and near 0 where \
                      spheres are spread evenly.",
        source: "https://doi.org/10.1103/PhysRevLett.95.090604",
    },
];

/// Returns the tiles with these values, each of which leads to its explanation.
pub(super) fn tiles(values: [String; TERMS.len()]) -> String {
    let mut page = String::from("<div class=\"numbers\">\n");
    for (term, value) in TERMS.iter().zip(values) {
        let Term {
            id,
            name,
            explanation,
            ..
        } = term;
        // Writing to a String cannot fail.
        let _ = writeln!(
            page,
            "<div><b>{value}</b><a href=\"#{id}\" title=\"{explanation}\">{name}</a></div>"
        );
    }
    page + "</div>\n"
}

/// Returns the explanations.
pub(super) fn explanations() -> String {
    let mut page = String::from("<h2>What the numbers mean</h2>\n<dl>\n");
    for Term {
        id,
        name,
        explanation,
        source,
    } in &TERMS
    {
        let source = if source.is_empty() {
            String::new()
        } else {
            format!(" <a href=\"{source}\">Source</a>")
        };
        let _ = writeln!(
            page,
            "<dt id=\"{id}\">{name}</dt><dd>{explanation}{source}</dd>"
        );
    }
    page + "</dl>\n"
}
