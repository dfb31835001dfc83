//! `jostle report`, `jostle plot` and `jostle render`: pictures of a packing in a file.

use std::path::{Path, PathBuf};

use anyhow::{Result, bail, ensure};
use clap::Args;
use glam::DVec3;
use strum::VariantNames;

use super::{
    analyze::{Analyzed, Purpose, Settings},
    files::{Output, is_stream},
    help,
    input::Input,
    launch::Launch,
    memory, values,
    words::choices,
};
use crate::{
    Packing,
    analysis::{Analysis, AnalysisOptions, Groups},
    io::write_atomically,
    report::{self, Coloring, Figure, History, Still},
};

const REPORT_HELP: &str = "\
Example:
  jostle report packing.json -o packing.html

Exit codes:
  0  the file is written
  2  wrong usage, too little memory, or a file cannot be read or written";

const PLOT_HELP: &str = "\
Examples:
  jostle plot packing.json -o figures.svg
  jostle plot packing.json --what sizes,pores -o figures.png

Exit codes:
  0  the file is written
  2  wrong usage, too little memory, or a file cannot be read or written";

/// Write an HTML page about a packing: 3-D view, slices, figures and numbers
#[derive(Args)]
#[command(after_help = REPORT_HELP)]
pub struct Report {
    #[command(flatten)]
    input: Input,

    #[command(flatten)]
    settings: Settings,

    /// Write the page to FILE (.html), which needs no other file and no network, or to stdout (-) [default: report.html]
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: Option<PathBuf>,
}

impl Report {
    pub fn run(self, launch: &Launch) -> Result<()> {
        let output = checked(
            &self.input,
            self.output.as_deref(),
            "report.html",
            &["html"],
        )?;
        let Analyzed {
            packing, result, ..
        } = self
            .settings
            .analyze(&self.input, launch, Purpose::Figures)?;
        let page = report::report(&packing, &result.analysis, None)?;
        deliver(&output, page.as_bytes(), &self.input)
    }
}

/// Analyzes a packing and writes its page, for `jostle pack -o report.html`.
pub fn write_report(packing: &Packing, history: &History, path: &Path) -> Result<()> {
    let options = AnalysisOptions::default().groups(Groups::usual(packing));
    let analysis = Analysis::new(packing, &options)?;
    let page = report::report(packing, &analysis, Some(history))?;
    Ok(write_atomically(path, |file| {
        file.write_all(page.as_bytes())
    })?)
}

/// Returns whether a file name is that of a page.
pub fn is_page(path: &Path) -> bool {
    check_extension(path, &["html"]).is_ok()
}

/// Draw figures of a packing: sizes, g(r), gaps, contacts, pores, profiles and more
#[derive(Args)]
#[command(after_help = PLOT_HELP)]
pub struct Plot {
    #[command(flatten)]
    input: Input,

    #[command(flatten)]
    settings: Settings,

    #[arg(long, value_name = "FIGURES", help_heading = help::PICTURE, value_delimiter = ',', help = choices("Draw these figures, separated by commas", Figure::VARIANTS, "all"))]
    what: Vec<Figure>,

    /// Width of a .png file in pixels [default: 960 for each column]
    #[arg(long, value_name = "PIXELS", help_heading = help::PICTURE, value_parser = values::side)]
    width: Option<usize>,

    /// Write the figures to FILE (.svg, .pdf or .png), or as SVG to stdout (-) [default: figures.svg]
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: Option<PathBuf>,
}

impl Plot {
    pub fn run(self, launch: &Launch) -> Result<()> {
        let output = checked(
            &self.input,
            self.output.as_deref(),
            "figures.svg",
            &["svg", "pdf", "png"],
        )?;
        ensure!(
            self.width.is_none() || has_extension(output.path(), "png"),
            "--width is that of a .png file, but the output is '{}'",
            output.path().display()
        );
        let Analyzed {
            packing, result, ..
        } = self
            .settings
            .analyze(&self.input, launch, Purpose::Figures)?;
        let analysis = result.analysis;
        let all = Figure::available(&packing, &analysis);
        let figures = if self.what.is_empty() {
            &all
        } else {
            &self.what
        };
        let svg = report::plot(&packing, &analysis, figures)?;
        let content = if has_extension(output.path(), "pdf") {
            report::svg_as_pdf(&svg)?
        } else if has_extension(output.path(), "png") {
            let columns = if figures.len() > 3 { 2 } else { 1 };
            report::svg_as_png(&svg, self.width.unwrap_or(960 * columns))?
        } else {
            svg.into_bytes()
        };
        deliver(&output, &content, &self.input)
    }
}

/// Draw a still picture of a packing as PNG, SVG or PDF
#[derive(Args)]
#[command(after_help = "\
Colors:
  size          logarithm of the diameter
  contacts      number of contacts
  type          size class
  component     component of a blend, or type in the file
  level         node level in the loose octree (Raschdorf & Kolonko 2011, Fig. 7)
  strict-level  node level in the strict octree (Fig. 5); the root is dark

Examples:
  jostle render packing.json
  jostle render packing.json -o cut.png --view 1,-1,0.5 --cut x=0.5 --color contacts
  jostle render packing.json -o levels.svg --color level

Exit codes:
  0  the file is written
  2  wrong usage, too little memory, or a file cannot be read or written")]
pub struct Render {
    #[command(flatten)]
    input: Input,

    /// Look from this direction
    #[arg(long, help_heading = help::PICTURE, value_name = "X,Y,Z", default_value = "1,0.62,0.52", value_parser = direction, allow_hyphen_values = true)]
    view: DVec3,

    /// Cut the packing at this share of its length along an axis, and remove the viewer's side [default: no cut]
    #[arg(long, value_name = "AXIS=SHARE", help_heading = help::PICTURE, value_parser = cut_plane)]
    cut: Option<(usize, f64)>,

    #[arg(long, value_name = "PROPERTY", help_heading = help::PICTURE, default_value_t = Coloring::Size, hide_default_value = true, help = choices("Show this property by color", Coloring::VARIANTS, Coloring::Size))]
    color: Coloring,

    /// Side of the picture in pixels
    #[arg(long, value_name = "PIXELS", help_heading = help::PICTURE, default_value_t = 640, value_parser = values::side)]
    side: usize,

    /// Leave out the legend of a .png file
    #[arg(long, help_heading = help::PICTURE)]
    no_legend: bool,

    /// Leave out the edges of the container
    #[arg(long, help_heading = help::PICTURE)]
    no_outline: bool,

    /// Write the picture with a legend to FILE (.png, .svg or .pdf), or as PNG to stdout (-) [default: packing.png]
    #[arg(short, long, value_name = "FILE", help_heading = help::OUTPUT)]
    output: Option<PathBuf>,
}

impl Render {
    pub fn run(self, launch: &Launch) -> Result<()> {
        let requested = self.output.as_deref();
        let output = checked(
            &self.input,
            requested,
            "packing.png",
            &["png", "svg", "pdf"],
        )?;
        let (screen, mut read) = self.input.read_on_screen(launch)?;
        // The ids would take memory in vain.
        read.ids = None;
        screen.phase(&format!("drawing {}", output.path().display()));
        let mut still = Still::default()
            .view(self.view)
            .coloring(self.color)
            .side(self.side)
            .outline(!self.no_outline);
        still.cut = self.cut;
        let what = format!("a picture of {0} × {0} pixels", self.side);
        let needed = still.estimated_memory();
        memory::check_work(
            &what,
            needed,
            self.input.threads(),
            "choose a smaller --side",
        )?;
        let content = if has_extension(output.path(), "svg") {
            still.svg(&read.packing)?.into_bytes()
        } else if has_extension(output.path(), "pdf") {
            still.pdf(&read.packing)?
        } else if self.no_legend {
            still.png(&read.packing)?
        } else {
            still.png_with_legend(&read.packing)?
        };
        drop(screen);
        self.input.print_unused(&read.unused);
        deliver(&output, &content, &self.input)
    }
}

/// Returns whether a file has an extension.
fn has_extension(path: &Path, extension: &str) -> bool {
    check_extension(path, &[extension]).is_ok()
}

/// Rejects a file whose extension is none of `expected`.
fn check_extension(path: &Path, expected: &[&str]) -> Result<()> {
    let extension = path.extension().and_then(|extension| extension.to_str());
    let extension = extension.map(str::to_ascii_lowercase);
    if extension.is_some_and(|extension| expected.contains(&extension.as_str())) {
        return Ok(());
    }
    bail!(
        "the name '{}' ends with no accepted extension; use .{}",
        path.display(),
        expected.join(" or .")
    )
}

/// Returns the output of a command that reads `input`. Rejects one that cannot or must not be written.
fn checked(
    input: &Input,
    requested: Option<&Path>,
    default: &str,
    extensions: &[&str],
) -> Result<Output> {
    let output = Output::new(requested, default);
    if !is_stream(output.path()) {
        check_extension(output.path(), extensions)?;
    }
    input.note();
    output.check()?;
    Ok(output)
}

/// Writes the content of an output and lists its name, unless the command is quiet.
fn deliver(output: &Output, content: &[u8], input: &Input) -> Result<()> {
    output.write(content)?;
    if input.quiet {
        return Ok(());
    }
    output.list()
}

/// Reads a direction: three numbers that are not all zero.
fn direction(text: &str) -> Result<DVec3, String> {
    let found = values::vector(text).ok();
    let found = found.filter(|direction| direction.length() > 0.0);
    found.ok_or_else(|| {
        "three numbers x,y,z are expected that are not all 0, such as 1,0.62,0.52".to_owned()
    })
}

/// Reads a plane perpendicular to an axis (0, 1, 2), at a share of the length of the container.
fn cut_plane(text: &str) -> Result<(usize, f64), String> {
    let plane = text.split_once('=').and_then(|(axis, share)| {
        let axis = ["x", "y", "z"].iter().position(|name| *name == axis)?;
        let share = share
            .parse()
            .ok()
            .filter(|share| (0.0..=1.0).contains(share))?;
        Some((axis, share))
    });
    plane.ok_or_else(|| "an axis and a share from 0 to 1 are expected, such as z=0.5".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn views_and_cuts_are_read() {
        assert_eq!(direction("1, -2,0"), Ok(DVec3::new(1.0, -2.0, 0.0)));
        assert_eq!(cut_plane("y=0.25"), Ok((1, 0.25)));
        for bad in ["", "1", "1,2", "0,0,0", "1,2,NaN", "1,2,3,4"] {
            assert!(direction(bad).is_err(), "{bad} was accepted");
        }
        for bad in ["", "z", "z=", "z=1.1", "w=0.5", "z=-0.1", "0.5"] {
            assert!(cut_plane(bad).is_err(), "{bad} was accepted");
        }
    }
}
