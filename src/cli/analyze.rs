//! `jostle analyze`: the structure of a packing in a file, in numbers.

use std::path::PathBuf;

use anyhow::{Result, ensure};
use clap::{Args, ValueEnum};
use serde::Serialize;
use strum::VariantNames;

use super::{
    analysis_files::AnalysisFiles,
    files::{Output, is_stream},
    help,
    input::Input,
    launch::Launch,
    output::{json, print_result},
    values,
    words::{self, choices, range, rounded, with_unit},
};
use crate::{
    Dimension, Packing,
    analysis::{
        Analysis, AnalysisOptions, ClassSummary, ComponentSummary, ForceNetwork, GroupProfile,
        Grouping, Groups, PowerLaw,
    },
};

/// Number of characters of a label above a column.
const LONGEST_COLUMN: usize = 10;
/// Number of components whose contacts fit beside each other.
const COLUMNS: usize = 3;

/// Analyze the structure of a packing: contacts, order, pores, profiles and more
#[derive(Args)]
#[command(after_help = "\
docs/guide/analysis.md defines each quantity. The JSON object holds all of them, with the functions g(r), S(k), gaps, pores and \
profiles as arrays. With --quiet, nothing but the tables is computed.

Examples:
  jostle analyze packing.json --tolerance 0.003
  jostle analyze packing.json -o analysis.json
  jostle analyze spheres.csv --box 20 --boundary www --json
  jostle analyze packing.json --contacts pairs.npz --spheres spheres.csv --curves curves
  jostle analyze packing.json --contacts pairs.npz --quiet
  jostle analyze packing.json --by class --axis x

Exit codes:
  0  the packing is analyzed
  2  wrong usage, too little memory, or the file cannot be read")]
pub struct Analyze {
    #[command(flatten)]
    input: Input,

    #[command(flatten)]
    settings: Settings,

    /// Also write the result to FILE, or to stdout (-), as one JSON object
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: Option<PathBuf>,

    /// Print the result as one JSON object
    #[arg(long, help_heading = help::OUTPUT)]
    json: bool,

    #[command(flatten)]
    files: AnalysisFiles,
}

/// Settings of an analysis.
#[derive(Args)]
#[command(next_help_heading = help::ANALYSIS)]
pub struct Settings {
    /// Count spheres as touching up to this gap, in smaller diameters, from 0 to 1 [default: the smallest of 0.0001, 0.0002, 0.0005 …
    /// 0.02 at which contacts hold most of the volume]
    #[arg(long, value_name = "SHARE", value_parser = values::tolerance)]
    tolerance: Option<f64>,

    /// Divide the container into slices along this axis for the profile of the packing fraction [default: z; y in the plane]
    #[arg(long, value_enum)]
    axis: Option<Axis>,

    #[arg(long, value_name = "GROUPS", help = choices("Add the profiles of groups of spheres along the axis, from the walls and along the radius", Grouping::VARIANTS, "none; jostle report and plot: component, or class without a blend"))]
    by: Option<Grouping>,
}

/// An axis of the container.
#[derive(Clone, Copy, ValueEnum)]
enum Axis {
    X,
    Y,
    Z,
}

/// An analysis with the file and its unit, and sentences about the parts of the file that are not used.
#[derive(Serialize)]
pub struct AnalysisOfFile {
    file: PathBuf,
    unit: String,
    #[serde(flatten)]
    pub analysis: Analysis,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    unused: Vec<String>,
}

/// A packing that was read, with its analysis.
pub struct Analyzed {
    pub packing: Packing,
    /// The ids in the file, if it has any and they are asked for.
    pub ids: Option<Vec<u64>>,
    pub result: AnalysisOfFile,
}

/// The use of the analysis.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// Numbers, and tables with the ids of the spheres.
    Tables,
    /// Numbers.
    Numbers,
    /// Figures, which show groups of spheres.
    Figures,
}

impl Settings {
    /// Rejects settings of which several processes are not capable.
    pub fn check(&self, launch: &Launch) -> Result<()> {
        if self.by.is_some() {
            launch.check_alone_for("--by")?;
        }
        Ok(())
    }

    /// Reads and analyzes a packing. Several processes share the work: each one returns its share of the spheres, and the same analysis.
    pub fn analyze(&self, input: &Input, launch: &Launch, purpose: Purpose) -> Result<Analyzed> {
        self.check(launch)?;
        let (screen, mut read) = input.read_on_screen(launch)?;
        if purpose != Purpose::Tables {
            // The ids would take memory in vain.
            read.ids = None;
        }
        let (packing, ids, unused) = (read.packing, read.ids, read.unused);
        screen.phase(&format!("analyzing {}", input.file.display()));
        let mut options = AnalysisOptions::default()
            .axis(self.axis.map(|axis| axis as usize))
            .ranks(launch.ranks.clone());
        options.tolerance = self.tolerance;
        options.groups = match self.by {
            Some(by) => Some(Groups::of_packing(&packing, by)?),
            None => (purpose == Purpose::Figures).then(|| Groups::usual(&packing)),
        };
        let analysis = Analysis::new(&packing, &options)?;
        let unit = packing.unit.clone();
        drop(screen);
        input.print_unused(&unused);
        Ok(Analyzed {
            packing,
            ids,
            result: AnalysisOfFile {
                file: input.file.clone(),
                unit,
                analysis,
                unused,
            },
        })
    }
}

impl Analyze {
    pub fn run(self, launch: &Launch) -> Result<()> {
        let output = self
            .output
            .as_deref()
            .map(|path| Output::new(Some(path), ""));
        let streams = self.output.as_deref().is_some_and(is_stream);
        ensure!(
            !(streams && self.json),
            "--output - writes the JSON object to stdout already; leave --json out"
        );
        self.input.note();
        output.iter().try_for_each(Output::check)?;
        self.files.check(self.output.as_deref(), launch)?;
        let purpose = if self.files.need_ids() {
            Purpose::Tables
        } else {
            Purpose::Numbers
        };
        if self.wants_only_tables() {
            return self.write_tables(launch);
        }
        let Analyzed {
            packing,
            ids,
            result,
        } = self.settings.analyze(&self.input, launch, purpose)?;
        if launch.is_first() {
            self.files
                .write(&packing, ids.as_deref(), &result.analysis)?;
        }
        if let Some(output) = output.filter(|_| launch.is_first()) {
            output.write(format!("{}\n", json(&result)?).as_bytes())?;
        }
        if self.input.quiet && !self.json {
            return Ok(());
        }
        print_result(self.json, &result, || {
            self.describe(&packing, &result.analysis)
        })
    }

    /// Returns whether nobody sees the numbers of the analysis, so that they need not be computed.
    fn wants_only_tables(&self) -> bool {
        let shows_numbers = self.json || self.output.is_some() || !self.input.quiet;
        !shows_numbers && self.files.need_no_analysis()
    }

    fn write_tables(&self, launch: &Launch) -> Result<()> {
        let (screen, read) = self.input.read_on_screen(launch)?;
        screen.phase(&format!("analyzing {}", self.input.file.display()));
        let (ids, tolerance) = (read.ids.as_deref(), self.settings.tolerance);
        self.files.write_tables(&read.packing, ids, tolerance)?;
        drop(screen);
        self.input.print_unused(&read.unused);
        Ok(())
    }

    /// Returns the summary. The packing may hold a share of the spheres.
    fn describe(&self, packing: &Packing, analysis: &Analysis) -> String {
        let mut lines = vec![self.input.file.display().to_string()];
        let rows = [
            basic_rows(packing, analysis),
            structure_rows(packing, analysis),
            bed_rows(packing, analysis),
        ]
        .concat();
        lines.extend(
            rows.iter()
                .map(|(name, value)| words::row(&format!("  {name}"), value, 20)),
        );
        if analysis.sizes.classes.len() > 1 {
            lines.push(String::new());
            lines.extend(class_table(analysis));
        }
        if !analysis.components.is_empty() {
            lines.push(String::new());
            lines.extend(component_table(analysis));
        }
        for profile in &analysis.profiles {
            lines.push(String::new());
            lines.extend(profile_table(profile));
        }
        let files = self.output.iter().chain(self.files.named());
        lines.extend(files.map(|file| format!("  {:<18}{}", "file", file.display())));
        lines.join("\n")
    }
}

type Row = (&'static str, String);

/// Returns rows about spheres, container and sizes.
fn basic_rows(packing: &Packing, analysis: &Analysis) -> Vec<Row> {
    let sizes = &analysis.sizes;
    let mut diameters = with_unit(&range(sizes.d_min, sizes.d_max, 4), &packing.unit);
    if sizes.d_min != sizes.d_max {
        diameters += &format!(", mean {}", rounded(sizes.mean, 4));
    }
    let mut rows = vec![
        ("spheres", analysis.spheres.to_string()),
        ("packing fraction", rounded(analysis.packing_fraction, 5)),
        (
            "expected",
            format!(
                "{} {}{}",
                rounded(analysis.predicted_packing_fraction, 4),
                words::prediction(&packing.container),
                words::lowering(&packing.container, sizes.d_max)
                    .map_or_else(String::new, |reason| format!("; {reason}"))
            ),
        ),
        (
            "container",
            words::container(&packing.container, &packing.unit),
        ),
        ("diameters", diameters),
    ];
    if let Some(error) = sizes.mass_curve_error {
        let percent = rounded(100.0 * error, 2);
        rows.push((
            "mass curve",
            format!("within {percent} % of the requested one"),
        ));
    }
    let per_length = match packing.unit.as_str() {
        "" => String::new(),
        unit => format!(" / {unit}"),
    };
    let surface = rounded(analysis.specific_surface, 4);
    rows.push(("specific surface", format!("{surface}{per_length}")));
    rows
}

/// Returns rows about contacts, order and pores.
fn structure_rows(packing: &Packing, analysis: &Analysis) -> Vec<Row> {
    let length = |value: f64| with_unit(&rounded(value, 4), &packing.unit);
    let mut rows = contact_rows(analysis);
    rows.extend(analysis.force_network.iter().flat_map(force_rows));
    rows.extend(order_rows(analysis));
    if let Some(fabric) = &analysis.fabric {
        let anisotropy = rounded(fabric.anisotropy, 3);
        rows.push((
            "fabric",
            format!("anisotropy {anisotropy} of {} contacts", fabric.contacts),
        ));
    }
    if let Some(limit) = analysis
        .structure_factor
        .as_ref()
        .and_then(|factor| factor.limit)
    {
        rows.push(("S(k → 0)", rounded(limit, 3)));
    }
    if let Some(pores) = &analysis.pores {
        let largest = pores.diameter.last().copied().unwrap_or(0.0);
        let text = format!(
            "mean diameter {}, largest {}",
            length(pores.mean),
            length(largest)
        );
        rows.push(("pores", text));
    }
    let mixing = analysis.homogeneity.iter().filter_map(|mixing| {
        let cells = mixing.cells_per_axis;
        let power = match packing.container.dimension() {
            Dimension::Two => '²',
            Dimension::Three => '³',
        };
        Some(format!(
            "{} in {cells}{power} cells",
            rounded(mixing.sizes?, 3)
        ))
    });
    let mixing: Vec<String> = mixing.collect();
    if !mixing.is_empty() {
        rows.push(("homogeneity", mixing.join(", ")));
    }
    rows
}

/// Returns the row about the order of spheres, or that of disks.
fn order_rows(analysis: &Analysis) -> Vec<Row> {
    let percent = |share: f64| format!("{} %", rounded(100.0 * share, 3));
    let mut rows = Vec::new();
    rows.extend(analysis.order.as_ref().map(|order| {
        let text = format!(
            "mean q4 {}, mean q6 {}, crystal-like {}",
            rounded(order.q4_mean, 3),
            rounded(order.q6_mean, 3),
            percent(order.crystal_share)
        );
        ("bond order", text)
    }));
    rows.extend(analysis.hexatic.as_ref().map(|hexatic| {
        let text = format!(
            "mean |psi6| {}, |mean psi6| {}",
            rounded(hexatic.psi6_mean, 3),
            rounded(hexatic.psi6_global, 3)
        );
        ("hexatic order", text)
    }));
    rows
}

/// Returns rows about a bed at rest; none for other packings.
fn bed_rows(packing: &Packing, analysis: &Analysis) -> Vec<Row> {
    let Some(bed) = &analysis.bed else {
        return Vec::new();
    };
    let mut rows = words::bed(bed, &packing.unit);
    let stability = packing.stability();
    rows.extend(stability.map(|certificate| ("rest", words::stability(&certificate))));
    rows
}

/// Returns rows about contacts and rattlers.
fn contact_rows(analysis: &Analysis) -> Vec<Row> {
    let (contacts, rattlers) = (&analysis.contacts, &analysis.rattlers);
    let share = format!("{} %", rounded(100.0 * rattlers.share, 3));
    let mut rows = vec![
        (
            "contacts",
            format!(
                "mean {}, {} without rattlers, at tolerance {}",
                rounded(contacts.mean, 4),
                rounded(contacts.mean_backbone, 4),
                rounded(contacts.tolerance, 3)
            ),
        ),
        ("rattlers", format!("{}, {}", rattlers.number, share)),
    ];
    rows.extend(contacts.note.clone().map(|note| ("", note)));
    rows
}

/// Returns rows about the contacts that bear force.
fn force_rows(network: &ForceNetwork) -> Vec<Row> {
    let (maxwell, stress) = (&network.maxwell, &network.stress);
    let excess = match maxwell.excess {
        0 => "isostatic".to_owned(),
        excess => format!("{excess:+} to isostatic"),
    };
    let spheres = (network.backbone + network.rattlers).max(1) as f64;
    let share = network.rattlers as f64 / spheres;
    let mut rows = vec![
        (
            "force contacts",
            format!(
                "mean {} without rattlers, {} contacts of {} degrees of freedom ({excess})",
                rounded(network.mean, 5),
                maxwell.contacts,
                maxwell.degrees_of_freedom
            ),
        ),
        (
            "without force",
            format!("{}, {} %", network.rattlers, rounded(100.0 * share, 3)),
        ),
        (
            "stress",
            format!(
                "pressure {}, anisotropy {}",
                rounded(stress.pressure, 4),
                rounded(stress.anisotropy, 3)
            ),
        ),
    ];
    let laws = [
        ("small gaps", &network.gaps.exponent),
        ("weak forces", &network.forces.weak),
    ];
    let present = |(name, law): (_, &Option<PowerLaw>)| Some((name, exponent(law.as_ref()?)));
    rows.extend(laws.into_iter().filter_map(present));
    rows
}

/// Returns an exponent beside the published ones.
fn exponent(law: &PowerLaw) -> String {
    let published = law.published.iter().map(|it| it.exponent.to_string());
    let published: Vec<String> = published.collect();
    format!(
        "exponent {:.3} ± {:.3}; published: {}",
        law.exponent,
        law.standard_error,
        published.join(", ")
    )
}

/// Returns a table of the size classes.
fn class_table(analysis: &Analysis) -> Vec<String> {
    let mut head = format!(
        "{:>23}{:>12}{:>12}{:>12}",
        "class d", "spheres", "% of mass", "contacts"
    );
    let network = analysis.force_network.as_ref();
    if network.is_some() {
        head += &format!("{:>16}{:>15}", "force contacts", "without force");
    }
    let contacts = &analysis.contacts.by_class;
    let forces = |position: usize| {
        let network = network?;
        let contacts = rounded(network.by_class[position].iter().sum(), 4);
        let rattlers = network.rattlers_by_class[position];
        Some(format!("{contacts:>16}{rattlers:>15}"))
    };
    let row = |(position, (class, contacts)): (usize, (&ClassSummary, &Vec<f64>))| {
        let diameters = range(class.d_min, class.d_max, 4);
        let mass = rounded(100.0 * class.mass_share, 4);
        let contacts = rounded(contacts.iter().sum(), 4);
        format!(
            "{diameters:>23}{:>12}{mass:>12}{contacts:>12}{}",
            class.number,
            forces(position).unwrap_or_default()
        )
    };
    let rows = analysis.sizes.classes.iter().zip(contacts);
    let rows = rows.enumerate().map(row);
    std::iter::once(head).chain(rows).collect()
}

/// Number of rows of a profile in the summary.
const PROFILE_ROWS: usize = 10;

/// Returns a table of the packing fractions of groups, of which each row is the mean of several bins of equal width.
fn profile_table(profile: &GroupProfile) -> Vec<String> {
    let width = |name: &str| name.chars().count().max(8) + 2;
    let cells = |values: &mut dyn Iterator<Item = String>| -> String {
        let columns = profile.groups.iter().map(String::as_str).chain(["all"]);
        let cells = columns.zip(values);
        cells
            .map(|(name, value)| format!("{value:>width$}", width = width(name)))
            .collect()
    };
    let mut names = profile.groups.iter().cloned().chain(["all".to_owned()]);
    let head = format!("{:>23}{}", profile.along, cells(&mut names));
    let bins = profile.distance.len();
    let row = |row: usize| {
        let range = row * bins / PROFILE_ROWS..(row + 1) * bins / PROFILE_ROWS;
        let mean = |values: &[f64]| {
            let part = &values[range.clone()];
            part.iter().sum::<f64>() / part.len().max(1) as f64
        };
        let groups = profile.packing_fraction.iter().map(|group| mean(group));
        let mut fractions = groups
            .chain([mean(&profile.total)])
            .map(|fraction| format!("{fraction:.4}"));
        format!(
            "{:>23}{}",
            rounded(mean(&profile.distance), 4),
            cells(&mut fractions)
        )
    };
    std::iter::once(head)
        .chain((0..PROFILE_ROWS).map(row))
        .collect()
}

/// Returns a table of the components of a blend, with the contacts of a sphere of the row with spheres of each column.
fn component_table(analysis: &Analysis) -> Vec<String> {
    let components = &analysis.components;
    let short = |label: &str| -> String { label.chars().take(LONGEST_COLUMN).collect() };
    let width = 2 + components
        .iter()
        .map(|own| own.label.chars().count())
        .max()
        .unwrap_or(0);
    let width = width.max(23);
    let head = format!(
        "{:>width$}{:>12}{:>12}{:>12}{:>12}",
        "component", "spheres", "% of mass", "% of volume", "mixing"
    );
    let row = |component: &ComponentSummary| {
        let percent = |share: f64| rounded(100.0 * share, 4);
        // The middle one of the numbers of cells.
        let mixing = component.mixing.get(1).and_then(|mixing| mixing.index);
        format!(
            "{:>width$}{:>12}{:>12}{:>12}{:>12}",
            component.label,
            component.number,
            percent(component.mass_share),
            percent(component.volume_share),
            mixing.map_or_else(|| "-".to_owned(), |index| rounded(index, 3)),
        )
    };
    let mut lines = vec![head];
    lines.extend(components.iter().map(row));
    for start in (0..components.len()).step_by(COLUMNS) {
        let columns = start..components.len().min(start + COLUMNS);
        let mut head = format!("{:>width$}", "contacts of");
        for component in &components[columns.clone()] {
            head += &format!("{:>16}", format!("with {}", short(&component.label)));
        }
        lines.extend([String::new(), head]);
        lines.extend(components.iter().map(|component| {
            let contacts = component.contacts[columns.clone()].iter();
            let contacts = contacts.map(|&mean| format!("{:>16}", rounded(mean, 4)));
            format!("{:>width$}", component.label) + &contacts.collect::<String>()
        }));
    }
    lines
}
