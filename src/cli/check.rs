//! `jostle check`: the overlap in a file of any origin.

use anyhow::Result;
use clap::Args;
use serde::Serialize;

use super::{
    constants::{DONE, OVERLAP},
    help,
    input::Input,
    launch::Launch,
    output::print_result,
    values,
    words::{self, rounded, with_unit},
};
use crate::{
    Container, Packing,
    io::ReadPacking,
    packing::{ClosestPair, StabilityCertificate, exceeds_tolerance},
};

/// Check a packing in a file for overlap
#[derive(Args)]
#[command(after_help = "\
Examples:
  jostle check packing.json
  jostle check spheres.csv --box 20 --boundary www --tolerance 1e-6

Exit codes:
  0  no overlap, or none beyond the tolerance
  1  overlap
  2  wrong usage, too little memory, or the file cannot be read")]
pub struct Check {
    #[command(flatten)]
    input: Input,

    /// Accept overlaps up to SHARE times the smaller diameter, from 0 to 1, such as 1e-6 for a file with few digits
    #[arg(help_heading = help::INPUT, long, value_name = "SHARE", value_parser = values::tolerance, default_value_t = 0.0)]
    tolerance: f64,

    /// Print the result as one JSON object
    #[arg(long, help_heading = help::OUTPUT)]
    json: bool,
}

impl Check {
    /// Returns the exit code.
    pub fn run(self, launch: &Launch) -> Result<u8> {
        let (screen, read) = self.input.read_on_screen(launch)?;
        let result = Verdict::new(&read, self.tolerance);
        drop(screen);
        self.input.print_unused(result.unused);
        if self.json || !self.input.quiet {
            print_result(self.json, &result, || result.describe(&self, &read.packing))?;
        }
        Ok(if result.overlaps { OVERLAP } else { DONE })
    }
}

/// The result of the check, as printed.
#[derive(Serialize)]
struct Verdict<'a> {
    spheres: usize,
    packing_fraction: f64,
    /// Whether an overlap is larger than the tolerance.
    overlaps: bool,
    tolerance: f64,
    max_overlap: f64,
    min_gap: f64,
    closest: Option<Closest>,
    /// The certificate of spheres at rest on supports; absent of other packings.
    #[serde(skip_serializing_if = "Option::is_none")]
    stability: Option<StabilityCertificate>,
    container: &'a Container,
    unused: &'a [String],
}

/// The closest pair. Spheres are named by their ids in the file if these are unique, or else by their position from 0.
#[derive(Serialize)]
#[serde(rename_all = "kebab-case")]
enum Closest {
    Spheres([u64; 2]),
    Side { sphere: u64 },
    Body { sphere: u64, body: usize },
    Wall { sphere: u64, axis: char },
    Image { sphere: u64, axis: char },
}

impl<'a> Verdict<'a> {
    fn new(read: &'a ReadPacking, tolerance: f64) -> Self {
        let (packing, ids) = (&read.packing, read.ids.as_deref());
        let overlaps = packing.certificate.max_overlap > 0.0
            && (tolerance == 0.0
                || exceeds_tolerance(&packing.spheres, &packing.container, tolerance));
        // An id that occurs twice names no sphere.
        let is_unique = |ids: &&[u64]| {
            let named = packing.certificate.closest.map(ClosestPair::spheres);
            let named = named.into_iter().flatten().flatten();
            let count = |id: u64| ids.iter().filter(|other| **other == id).count();
            named.into_iter().all(|sphere| count(ids[sphere]) == 1)
        };
        let ids = ids.filter(is_unique);
        let id = |position: usize| ids.map_or(position as u64, |ids| ids[position]);
        let axis = |axis: usize| ['x', 'y', 'z'][axis];
        Self {
            spheres: packing.spheres.len(),
            packing_fraction: packing.packing_fraction(),
            overlaps,
            tolerance,
            unused: &read.unused,
            max_overlap: packing.certificate.max_overlap,
            min_gap: packing.certificate.min_gap,
            closest: packing.certificate.closest.map(|pair| match pair {
                ClosestPair::Spheres(a, b) => Closest::Spheres([id(a), id(b)]),
                ClosestPair::Wall(sphere, wall) => Closest::Wall {
                    sphere: id(sphere),
                    axis: axis(wall),
                },
                ClosestPair::Side(sphere) => Closest::Side { sphere: id(sphere) },
                ClosestPair::Body(sphere, body) => Closest::Body {
                    sphere: id(sphere),
                    body,
                },
                ClosestPair::Image(sphere, image) => Closest::Image {
                    sphere: id(sphere),
                    axis: axis(image),
                },
            }),
            stability: packing.stability(),
            container: &packing.container,
        }
    }

    /// Returns the words for the closest pair.
    fn pair(&self) -> String {
        match &self.closest {
            None => "(the file holds no spheres)".to_owned(),
            Some(Closest::Spheres([a, b])) => format!("between spheres {a} and {b}"),
            Some(Closest::Wall { sphere, axis }) => {
                format!("between sphere {sphere} and a wall along {axis}")
            }
            Some(Closest::Side { sphere }) => {
                let wall = match self.container.solid().name() {
                    "mesh" => "the surface of the mesh",
                    "outline" => "the border of the outline",
                    _ => "the curved wall",
                };
                format!("between sphere {sphere} and {wall}")
            }
            Some(Closest::Body { sphere, body }) => {
                let text = &self.container.bodies()[*body];
                format!("between sphere {sphere} and the body {text}")
            }
            Some(Closest::Image { sphere, axis }) => {
                format!("between sphere {sphere} and its periodic image along {axis}")
            }
        }
    }

    fn describe(&self, check: &Check, packing: &Packing) -> String {
        let length = |value: f64| with_unit(&rounded(value, 4), &packing.unit);
        let pair = self.pair();
        let (verdict, detail) = if self.max_overlap > 0.0 {
            let overlap = length(self.max_overlap);
            let verdict = if self.overlaps {
                "overlap"
            } else {
                "no overlap beyond the tolerance"
            };
            let tolerance = match self.tolerance {
                0.0 => String::new(),
                share => {
                    let share = rounded(share, 6);
                    format!("\n  tolerance        {share} of the smaller diameter")
                }
            };
            (
                verdict,
                format!("largest overlap  {overlap} {pair}{tolerance}"),
            )
        } else {
            let gap = match &self.closest {
                None => "none".to_owned(),
                Some(_) => length(self.min_gap),
            };
            (
                "no overlap",
                format!("largest overlap  0\n  smallest gap     {gap} {pair}"),
            )
        };
        let fraction = if self.packing_fraction.is_finite() {
            format!("at packing fraction {}", rounded(self.packing_fraction, 5))
        } else {
            "whose packing fraction cannot be computed: volumes leave the range of numbers"
                .to_owned()
        };
        let rest = (self.stability.as_ref()).map_or_else(String::new, |stability| {
            format!("\n  rest             {}", words::stability(stability))
        });
        let hint = if is_outside(packing) {
            "\n  note             its center lies outside of the container; --origin center or X,Y,Z states where the container lies in the file"
        } else {
            ""
        };
        format!(
            "{}: {verdict}
  spheres          {} {fraction}
  container        {}
  {detail}{hint}{rest}",
            check.input.file.display(),
            self.spheres,
            words::container(self.container, &packing.unit),
        )
    }
}

/// Returns whether the center of the sphere with the largest overlap lies beyond a wall.
fn is_outside(packing: &Packing) -> bool {
    match packing.certificate.closest {
        Some(ClosestPair::Wall(sphere, _) | ClosestPair::Side(sphere)) => {
            packing.certificate.max_overlap > packing.spheres.radii()[sphere]
        }
        _ => false,
    }
}
