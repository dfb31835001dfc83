//! The figures of an analysis.

use super::{
    error::ReportError,
    figure::Figure,
    panel::{Axis, Mark, Panel},
    svg::document,
};
use crate::{
    analysis::{
        Analysis, ClassSummary, ForceNetwork, PowerLaw, ProfileAlong, RadiusOrigin, SampledProfile,
    },
    packing::Packing,
};

impl Figure {
    /// Returns the figures that a packing has.
    pub fn available(packing: &Packing, analysis: &Analysis) -> Vec<Self> {
        let has = |figure: &&Self| figure.panel(packing, analysis).is_some();
        Self::ALL.iter().filter(has).copied().collect()
    }

    /// Returns the panel of a packing and its analysis; `None` if the quantity is absent.
    pub(super) fn panel(self, packing: &Packing, analysis: &Analysis) -> Option<Panel> {
        let length = |name: &str| match packing.unit.as_str() {
            "" => name.to_owned(),
            unit => format!("{name} ({unit})"),
        };
        match self {
            Self::Sizes => Some(sizes(analysis, length("diameter"), &packing.unit)),
            Self::Rdf => rdf(analysis, length("distance r")),
            Self::PartialRdf => partial_rdf(analysis, &packing.unit),
            Self::StructureFactor => structure_factor(analysis),
            Self::Gaps => Some(gaps(analysis)),
            Self::Contacts => Some(contacts(analysis, length("diameters of the class"))),
            Self::ForceContacts => analysis.force_network.as_ref().map(force_contacts),
            Self::ForceContactsDepth => {
                force_contacts_depth(analysis.force_network.as_ref()?, length(FROM_WALL))
            }
            Self::Forces => analysis.force_network.as_ref().map(forces),
            Self::SmallGaps => analysis.force_network.as_ref().map(small_gaps),
            Self::Pores => pores(analysis, length("pore diameter")),
            Self::Profile => Some(profile(analysis, &length)),
            Self::ProfileByGroup => {
                let of_axis = |along: ProfileAlong| along.axis().is_some();
                let title = format!("Groups along the {} axis", analysis.profile.axis);
                let label = length(&analysis.profile.axis.to_string());
                by_group(analysis, of_axis, title, label)
            }
            Self::Wall => {
                let wall = analysis.profile.wall.as_ref()?;
                Some(sampled("From the walls", length(FROM_WALL), wall))
            }
            Self::WallByGroup => {
                let of_depth = |along: ProfileAlong| along == ProfileAlong::Depth;
                by_group(
                    analysis,
                    of_depth,
                    "Groups from the walls",
                    length(FROM_WALL),
                )
            }
            Self::Radius => {
                let radius = &analysis.profile.radius;
                let label = length(from_origin(analysis));
                Some(sampled("Along the radius", label, radius))
            }
            Self::RadiusByGroup => {
                let of_radius = |along: ProfileAlong| along == ProfileAlong::Radius;
                let label = length(from_origin(analysis));
                by_group(analysis, of_radius, "Groups along the radius", label)
            }
            Self::Homogeneity => homogeneity(analysis),
        }
    }

    /// Returns the panel, or the error that the quantity is absent.
    fn required_panel(self, packing: &Packing, analysis: &Analysis) -> Result<Panel, ReportError> {
        let panel = self.panel(packing, analysis);
        panel.ok_or(ReportError::NoFigure { figure: self })
    }
}

/// Returns figures of a packing as one SVG document, in rows of two if there are more than three, in light or dark mode as the reader prefers.
///
/// # Errors
/// [`ReportError`] if the analysis lacks the quantity of a figure.
///
/// # Example
/// ```
/// use jostle::{Effort, PackOptions, pack, analysis::{Analysis, AnalysisOptions}, report::{Figure, plot}};
///
/// let packing = pack(&[0.5; 300], &PackOptions::default().effort(Effort::QUICK))?.packing;
/// let analysis = Analysis::new(&packing, &AnalysisOptions::default())?;
/// let svg = plot(&packing, &analysis, &[Figure::Rdf, Figure::Pores])?;
/// assert!(svg.starts_with("<svg") && svg.contains("Pore sizes"));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn plot(
    packing: &Packing,
    analysis: &Analysis,
    figures: &[Figure],
) -> Result<String, ReportError> {
    let panel = |figure: &Figure| figure.required_panel(packing, analysis);
    let panels = figures.iter().map(panel).collect::<Result<Vec<_>, _>>()?;
    Ok(document(&panels))
}

/// Returns a figure of a packing as a JSON object, which another program can draw.
///
/// | key | value |
/// |---|---|
/// | `title` | the title |
/// | `x`, `y` | the axes: `label`, `is_log`, and `includes`, a value that the axis shows, or null |
/// | `series` | the series: `label`, which is empty without an entry in the legend, `mark` (`line`, `dots` or `bars`), and `points` with rows x, y and the error of y, which is 0 if unknown |
/// | `groups` | names of the groups of bars, whose x counts from 0; empty if x is a number |
///
/// # Errors
/// [`ReportError`] if the analysis lacks the quantity of the figure.
///
/// # Example
/// ```
/// use jostle::{Effort, PackOptions, pack, analysis::{Analysis, AnalysisOptions}, report::{Figure, figure_json}};
///
/// let packing = pack(&[0.5; 300], &PackOptions::default().effort(Effort::QUICK))?.packing;
/// let analysis = Analysis::new(&packing, &AnalysisOptions::default())?;
/// let json = figure_json(&packing, &analysis, Figure::Rdf)?;
/// assert!(json.starts_with(r#"{"title":"Radial distribution function","x":{"label":"distance r""#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn figure_json(
    packing: &Packing,
    analysis: &Analysis,
    figure: Figure,
) -> Result<String, ReportError> {
    let panel = figure.required_panel(packing, analysis)?;
    // Texts, numbers that are finite and lists of them have a JSON form.
    Ok(serde_json::to_string(&panel).unwrap_or_default())
}

/// Largest number of rows of a mass curve that are sieves, at which the axis has ticks.
const MOST_SIEVES: usize = 16;

/// The basic set of sieves in millimeters.
///
/// Source: EN 933-2, with the finer sieves of ISO 565.
const SIEVES: [f64; 12] = [
    0.063, 0.125, 0.25, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 31.5, 63.0, 125.0,
];

fn sizes(analysis: &Analysis, label: String, unit: &str) -> Panel {
    let sizes = &analysis.sizes;
    let axis = if sizes.d_max > 3.0 * sizes.d_min && sizes.d_min > 0.0 {
        Axis::log(label)
    } else {
        Axis::linear(label)
    };
    let curve = &sizes.mass_curve;
    let diameters: Vec<f64> = curve.iter().map(|row| row.0).collect();
    let ends = [diameters.first(), diameters.last()].map(|d| d.copied().unwrap_or(0.0));
    let standard = SIEVES.into_iter();
    let standard: Vec<f64> = standard
        .filter(|sieve| (ends[0]..=ends[1]).contains(sieve))
        .collect();
    let axis = if (2..=MOST_SIEVES).contains(&curve.len()) {
        axis.with_marks(diameters.clone())
    } else if axis.is_log && unit == "mm" && standard.len() > 1 {
        axis.with_marks(standard)
    } else {
        axis
    };
    let mut panel = Panel::new(
        "Grading curve",
        axis,
        Axis::from_zero("% of the mass passing"),
    );
    panel.is_rising = true;
    let percent = |share: f64| 100.0 * share;
    let requested: Vec<f64> = (curve.iter())
        .filter_map(|row| row.1.map(percent))
        .collect();
    let achieved: Vec<f64> = curve.iter().map(|row| percent(row.2)).collect();
    panel.add("achieved", Mark::Line, &diameters, &achieved);
    if requested.len() == diameters.len() {
        panel.add("requested", Mark::Dots, &diameters, &requested);
    }
    panel
}

fn rdf(analysis: &Analysis, label: String) -> Option<Panel> {
    let rdf = analysis.rdf.as_ref()?;
    let (x, y) = (Axis::from_zero(label), Axis::from_zero("g(r)"));
    let panel = Panel::new("Radial distribution function", x, y);
    Some(panel.with_line(&rdf.r, &rdf.g))
}

fn partial_rdf(analysis: &Analysis, unit: &str) -> Option<Panel> {
    let rdf = analysis
        .rdf
        .as_ref()
        .filter(|rdf| !rdf.partial.is_empty())?;
    let classes = &analysis.sizes.classes;
    let x = Axis::from_zero("distance / sum of the mean radii");
    let title = match unit {
        "" => "Radial distribution functions by size class".to_owned(),
        unit => format!("Radial distribution functions by size class in {unit}"),
    };
    let mut panel = Panel::new(title, x, Axis::from_zero("g(r)"));
    // Functions of one class, and between the smallest and the largest class.
    let is_shown = |[a, b]: [usize; 2]| a == b || (a == 0 && b + 1 == classes.len());
    for part in rdf.partial.iter().filter(|part| is_shown(part.classes)) {
        let [a, b] = part.classes;
        let label = if a == b {
            classes[a].name()
        } else {
            format!("{} with {}", classes[a].name(), classes[b].name())
        };
        let xs: Vec<f64> = part.r.iter().map(|r| r / part.diameter).collect();
        panel.add(label, Mark::Line, &xs, &part.g);
    }
    Some(panel)
}

fn structure_factor(analysis: &Analysis) -> Option<Panel> {
    let factor = analysis.structure_factor.as_ref()?;
    let unit = std::f64::consts::TAU / analysis.sizes.mean;
    let xs: Vec<f64> = factor.k.iter().map(|k| k / unit).collect();
    let x = Axis::from_zero("k · mean diameter / 2π");
    let panel = Panel::new("Structure factor", x, Axis::from_zero("S(k)"));
    Some(panel.with_line(&xs, &factor.s))
}

fn gaps(analysis: &Analysis) -> Panel {
    let x = Axis::log("gap / smaller diameter");
    let y = Axis::from_zero("mean number of neighbors");
    let gaps = &analysis.gaps;
    Panel::new("Neighbors within a gap", x, y).with_line(&gaps.relative, &gaps.neighbors)
}

fn contacts(analysis: &Analysis, label: String) -> Panel {
    let (contacts, classes) = (&analysis.contacts, &analysis.sizes.classes);
    let title = format!(
        "Contacts at a tolerance of {} smaller diameters",
        contacts.tolerance
    );
    if classes.len() < 2 {
        return contact_numbers(title, &contacts.distribution);
    }
    let y = Axis::from_zero("mean number of contacts");
    let mut panel = Panel::new(title, Axis::linear(label), y);
    panel.groups = classes.iter().map(ClassSummary::name).collect();
    let groups: Vec<f64> = (0..classes.len()).map(|class| class as f64).collect();
    for (with, class) in classes.iter().enumerate() {
        let numbers: Vec<f64> = contacts.by_class.iter().map(|row| row[with]).collect();
        panel.add(
            format!("with {}", class.name()),
            Mark::Bars,
            &groups,
            &numbers,
        );
    }
    panel
}

/// Returns the bars of the shares of the spheres with 0, 1, 2 … contacts.
fn contact_numbers(title: impl Into<String>, distribution: &[f64]) -> Panel {
    let y = Axis::from_zero("share of the spheres");
    let mut panel = Panel::new(title, Axis::linear("number of contacts"), y);
    let last = distribution.iter().rposition(|share| *share > 0.0);
    let shares = &distribution[..=last.unwrap_or(0)];
    panel.groups = (0..shares.len()).map(|number| number.to_string()).collect();
    let numbers: Vec<f64> = (0..shares.len()).map(|number| number as f64).collect();
    panel.add("", Mark::Bars, &numbers, shares);
    panel
}

fn force_contacts(network: &ForceNetwork) -> Panel {
    contact_numbers(
        "Contacts that bear force, without rattlers",
        &network.distribution,
    )
}

fn force_contacts_depth(network: &ForceNetwork, label: String) -> Option<Panel> {
    let depth = network.depth.as_ref()?;
    let y = Axis::from_zero("contacts of a sphere, walls twice");
    let panel = Panel::new(
        "Contacts that bear force, from the walls",
        Axis::from_zero(label),
        y,
    );
    let rows = depth.distance.iter().zip(&depth.contacts);
    let rows = rows.zip(&depth.standard_error).zip(&depth.spheres);
    let rows = rows.filter(|(_, spheres)| **spheres > 0);
    Some(panel.with_errors(rows.map(|(((&x, &y), &error), _)| [x, y, error])))
}

fn forces(network: &ForceNetwork) -> Panel {
    let forces = &network.forces;
    let x = Axis::log("force / mean force");
    let mut panel = Panel::new(
        "Forces between spheres",
        x,
        Axis::log("probability density"),
    );
    add_positive(&mut panel, Mark::Dots, &forces.relative, &forces.density);
    if let Some(weak) = &forces.weak {
        let anchor = middle_of(weak, &forces.relative, &forces.density);
        add_power(&mut panel, weak, weak.exponent, anchor);
    }
    panel
}

fn small_gaps(network: &ForceNetwork) -> Panel {
    let gaps = &network.gaps;
    let x = Axis::log("gap / smaller diameter");
    let y = Axis::log("mean number of spheres without force within the gap");
    let mut panel = Panel::new("Small gaps", x, y);
    panel.is_rising = true;
    add_positive(&mut panel, Mark::Line, &gaps.relative, &gaps.neighbors);
    if let Some(law) = &gaps.exponent {
        let anchor = middle_of(law, &gaps.relative, &gaps.neighbors);
        add_power(&mut panel, law, 1.0 - law.exponent, anchor);
    }
    panel
}

/// Adds the points above 0, which logarithmic axes show.
fn add_positive(panel: &mut Panel, mark: Mark, xs: &[f64], ys: &[f64]) {
    let points = xs.iter().zip(ys).filter(|(_, y)| **y > 0.0);
    let (xs, ys): (Vec<f64>, Vec<f64>) = points.unzip();
    panel.add("", mark, &xs, &ys);
}

/// Returns the point of a curve at the geometric middle of the range of a power law, if the curve has one.
fn middle_of(law: &PowerLaw, xs: &[f64], ys: &[f64]) -> Option<[f64; 2]> {
    let middle = (law.from * law.to).sqrt();
    let mut points = xs.iter().zip(ys);
    let (&x, &y) = points.find(|(x, y)| **x >= middle && **y > 0.0)?;
    Some([x, y])
}

/// Adds the line of a power of x through a point, in the range of a power law.
fn add_power(panel: &mut Panel, law: &PowerLaw, power: f64, through: Option<[f64; 2]>) {
    let Some([x, y]) = through else {
        return;
    };
    let ends = [law.from, law.to];
    let at = |end: f64| y * libm::pow(end / x, power);
    let label = format!("exponent {:.2} ± {:.2}", law.exponent, law.standard_error);
    panel.add(label, Mark::Line, &ends, &ends.map(at));
}

fn pores(analysis: &Analysis, label: String) -> Option<Panel> {
    let pores = analysis.pores.as_ref()?;
    let (x, y) = (Axis::from_zero(label), Axis::from_zero("share of the void"));
    Some(Panel::new("Pore sizes", x, y).with_line(&pores.diameter, &pores.cumulative))
}

fn profile(analysis: &Analysis, length: &dyn Fn(&str) -> String) -> Panel {
    let profile = &analysis.profile;
    let x = Axis::from_zero(length(&profile.axis.to_string()));
    let title = format!("Along the {} axis", profile.axis);
    let panel = Panel::new(title, x, Axis::from_zero("packing fraction"));
    panel.with_line(&profile.position, &profile.packing_fraction)
}

/// The label of the depth.
const FROM_WALL: &str = "distance from the nearest wall";

/// Returns the label of the radius.
fn from_origin(analysis: &Analysis) -> &'static str {
    match analysis.profile.radius_origin {
        RadiusOrigin::Axis => "distance from the axis",
        RadiusOrigin::Center => "distance from the center",
    }
}

/// Returns the profile of several groups along the coordinate that passes.
fn by_group(
    analysis: &Analysis,
    passes: impl Fn(ProfileAlong) -> bool,
    title: impl Into<String>,
    label: String,
) -> Option<Panel> {
    let profile = analysis.profiles.iter().find(|it| passes(it.along))?;
    if profile.groups.len() < 2 {
        return None;
    }
    let (x, y) = (Axis::from_zero(label), Axis::from_zero("packing fraction"));
    let mut panel = Panel::new(title, x, y);
    for (name, fractions) in profile.groups.iter().zip(&profile.packing_fraction) {
        panel.add(name, Mark::Line, &profile.distance, fractions);
    }
    panel.add("all", Mark::Line, &profile.distance, &profile.total);
    Some(panel)
}

fn sampled(title: &str, label: String, profile: &SampledProfile) -> Panel {
    let (x, y) = (Axis::from_zero(label), Axis::from_zero("packing fraction"));
    let panel = Panel::new(title, x, y);
    if profile.standard_error.iter().all(|&error| error == 0.0) {
        return panel.with_line(&profile.distance, &profile.packing_fraction);
    }
    let values = profile.distance.iter().zip(&profile.packing_fraction);
    let values = values.zip(&profile.standard_error);
    panel.with_errors(values.map(|((&x, &y), &error)| [x, y, error]))
}

fn homogeneity(analysis: &Analysis) -> Option<Panel> {
    let rows = &analysis.homogeneity;
    let cells: Vec<f64> = rows.iter().map(|row| row.cells_per_axis as f64).collect();
    let x = Axis::log("cells along each axis");
    let y = Axis::from_zero("root mean square z-score");
    let mut panel = Panel::new("Mixing of the size classes (1: at random)", x, y);
    for (number, class) in analysis.sizes.classes.iter().enumerate() {
        let scores: Vec<f64> = rows.iter().filter_map(|row| row.classes[number]).collect();
        if scores.len() == cells.len() {
            panel.add(class.name(), Mark::Line, &cells, &scores);
        }
    }
    (!panel.series.is_empty()).then_some(panel)
}
