//! `jostle check`: is there overlap in a file, whoever wrote it?

use std::path::PathBuf;

use anyhow::{Result, anyhow, ensure};
use clap::Args;
use jostle::{
    Boundaries, ClosestPair, Container, Format, Packing, ReadError, read_packing_with_ids,
};
use serde::Serialize;

use super::{
    Outcome, print, print_json,
    progress::Screen,
    values::BoxLengths,
    words::{self, rounded, with_unit},
};

/// Check a packing in a file for overlap
#[derive(Args)]
#[command(after_help = "\
Exit codes:
  0  no overlap
  1  overlap
  2  usage, or the file cannot be read")]
pub struct Check {
    /// A .json, .csv, .xyz or .data (LAMMPS) file
    file: PathBuf,

    /// Lengths of the box, for files that do not hold them (.csv)
    #[arg(long = "box", value_name = "L|Lx,Ly,Lz", allow_hyphen_values = true)]
    lengths: Option<BoxLengths>,

    /// Periodic (p) or wall (w) for each axis, for files that do not say (.csv, .data) [default: ppp]
    #[arg(long, value_name = "ppp|www|ppw…")]
    boundary: Option<Boundaries>,

    /// Print the result as one JSON object
    #[arg(long)]
    json: bool,
}

impl Check {
    pub fn run(self) -> Result<Outcome> {
        let screen = Screen::new(false);
        screen.phase(&format!("reading and certifying {}", self.file.display()));
        let (packing, ids) = self.read()?;
        drop(screen);
        let result = Verdict::new(&packing, ids.as_deref());
        if self.json {
            print_json(&result)?;
        } else {
            print(&result.describe(&self, &packing))?;
        }
        Ok(if packing.certificate.max_overlap > 0.0 {
            Outcome::Overlap
        } else {
            Outcome::Done
        })
    }

    fn read(&self) -> Result<(Packing, Option<Vec<u64>>)> {
        let hint = match (self.lengths, self.boundary) {
            (None, None) => None,
            (Some(BoxLengths(lengths)), boundary) => {
                Some(Container::new(lengths, boundary.unwrap_or_default())?)
            }
            // The reader adds a boundary to the lengths in the file only as part of a whole container.
            (None, Some(boundary)) => {
                let (packing, _) =
                    read_packing_with_ids(&self.file, None).map_err(|error| self.explain(error))?;
                Some(Container::new(packing.container.lengths(), boundary)?)
            }
        };
        let found = read_packing_with_ids(&self.file, hint).map_err(|error| self.explain(error))?;
        let own = found.0.container;
        let agrees = self.lengths.is_none_or(|asked| asked.0 == own.lengths())
            && self.boundary.is_none_or(|asked| asked == own.boundary());
        ensure!(
            agrees,
            "'{}' holds a box of its own ({} {}), which --box or --boundary contradicts",
            self.file.display(),
            own.lengths()
                .to_array()
                .map(|length| length.to_string())
                .join(","),
            own.boundary(),
        );
        Ok(found)
    }

    /// Names the argument that would help a file without a box.
    fn explain(&self, error: ReadError) -> anyhow::Error {
        let is_csv = Format::from_path(&self.file) == Ok(Format::Csv);
        if is_csv && self.lengths.is_none() && matches!(error, ReadError::Content { .. }) {
            anyhow!(
                "'{}': a .csv file does not hold the box; give it with --box Lx,Ly,Lz and --boundary",
                self.file.display()
            )
        } else {
            error.into()
        }
    }
}

/// What is printed at the end.
#[derive(Serialize)]
struct Verdict {
    spheres: usize,
    packing_fraction: f64,
    max_overlap: f64,
    min_gap: f64,
    closest: Option<Closest>,
    container: Container,
}

/// Which two bodies came closest, by the ids in the file, else by position from 0.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Closest {
    Spheres([u64; 2]),
    Wall { sphere: u64, axis: char },
    Image { sphere: u64, axis: char },
}

impl Verdict {
    fn new(packing: &Packing, ids: Option<&[u64]>) -> Self {
        let id = |position: usize| ids.map_or(position as u64, |ids| ids[position]);
        let axis = |axis: usize| ['x', 'y', 'z'][axis];
        Self {
            spheres: packing.spheres.len(),
            packing_fraction: packing.packing_fraction(),
            max_overlap: packing.certificate.max_overlap,
            min_gap: packing.certificate.min_gap,
            closest: packing.certificate.closest.map(|pair| match pair {
                ClosestPair::Spheres(a, b) => Closest::Spheres([id(a), id(b)]),
                ClosestPair::Wall(sphere, wall) => Closest::Wall {
                    sphere: id(sphere),
                    axis: axis(wall),
                },
                ClosestPair::Image(sphere, image) => Closest::Image {
                    sphere: id(sphere),
                    axis: axis(image),
                },
            }),
            container: packing.container,
        }
    }

    fn describe(&self, check: &Check, packing: &Packing) -> String {
        let length = |value: f64| with_unit(&rounded(value, 4), &packing.unit);
        let place = match &self.closest {
            None => "nothing to compare".to_owned(),
            Some(Closest::Spheres([a, b])) => format!("between spheres {a} and {b}"),
            Some(Closest::Wall { sphere, axis }) => {
                format!("between sphere {sphere} and a wall along {axis}")
            }
            Some(Closest::Image { sphere, axis }) => {
                format!("between sphere {sphere} and its own image along {axis}")
            }
        };
        let (verdict, detail) = if self.max_overlap > 0.0 {
            (
                "overlap",
                format!("largest overlap  {} {place}", length(self.max_overlap)),
            )
        } else {
            (
                "no overlap",
                format!(
                    "largest overlap  0\n  smallest gap     {} {place}",
                    length(self.min_gap)
                ),
            )
        };
        format!(
            "{}: {verdict}
  spheres          {} at packing fraction {}
  box              {}
  {detail}",
            check.file.display(),
            self.spheres,
            rounded(self.packing_fraction, 5),
            words::container(&packing.container, &packing.unit),
        )
    }
}
