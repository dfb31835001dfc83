//! Text for the import of MUSEN, which its export writes too.
//!
//! Each line is a sequence of numeric commands and values (`ETXTCommands` of MUSEN): 0 id, 1 type (1: sphere, 9: solid bond), 5 geometry (radius, contact
//! radius), 23 compound, 24 first and last time of activity, 2 time, 12 center at this time. 22 is the simulation domain, and 28 the periodic
//! boundaries.

use std::{
    collections::BTreeSet,
    io::{self, BufRead, Write},
    str::SplitAsciiWhitespace,
};

use glam::DVec3;

use super::{
    columns_by_name::Columns,
    error::ReadError,
    export::{Bond, Scene},
    read_options::{Frame, ReadOptions},
    rows::Rows,
    template::write_rows,
    text::{Lines, boundaries, by_boundary, number, write_numbers},
};
use crate::container::{Boundaries, Container};

/// Writes one line for each sphere and each bond, and lines about the domain. The user must define the compounds: `jostle` or the label of a
/// component, and `bond`. All objects are active for longer than any simulation.
///
/// The geometry of a bond is the ids of its spheres, its diameter (that of the smaller sphere) and its length. Source:
/// `Modules/SystemStructure/Bond.cpp` of MUSEN.
pub(super) fn write(scene: &Scene, bonds: &[Bond], out: &mut dyn Write) -> io::Result<()> {
    let row = "0 {id} 1 1 5 {r} {r} 23 COMPOUND 24 0 1e9 2 0 12 {x} {y} {z}\n";
    let compound = if scene.has_labels { "{name}" } else { "jostle" };
    write_rows(scene, &row.replace("COMPOUND", compound), out)?;
    let next = (0..scene.len()).map(|sphere| scene.id(sphere) + 1).max();
    for (id, bond) in (next.unwrap_or(0)..).zip(bonds) {
        let [a, b] = bond.spheres.map(|sphere| scene.id(sphere));
        let radii = bond.spheres.map(|sphere| scene.spheres.radii()[sphere]);
        let (diameter, length) = (2.0 * radii[0].min(radii[1]), bond.length);
        writeln!(
            out,
            "0 {id} 1 9 5 {a} {b} {diameter:?} {length:?} 23 bond 24 0 1e9 2 0"
        )?;
    }
    write!(out, "22 ")?;
    write_numbers(out, b" ", scene.corners())?;
    let [px, py, pz] = by_boundary(scene.container.boundary(), "1", "0");
    let is_any = [px, py, pz].contains(&"1");
    write!(out, "\n28 {} {px} {py} {pz} ", u8::from(is_any))?;
    write_numbers(out, b" ", scene.corners())?;
    writeln!(out)
}

/// The quantities of a sphere at one time that are not read: command, number of values, name.
const QUANTITIES: [(&str, usize, &str); 13] = [
    ("10", 3, "acceleration"),
    ("11", 3, "angular acceleration"),
    ("15", 3, "velocity"),
    ("16", 3, "angular velocity"),
    ("17", 3, "angles"),
    ("18", 1, "force amplitude"),
    ("20", 3, "force"),
    ("31", 4, "orientation"),
    ("36", 9, "stress tensor"),
    ("37", 1, "temperature"),
    ("42", 3, "principal stress"),
    ("43", 1, "total torque"),
    ("45", 3, "tangential overlap"),
];

/// Reads the spheres at one of the times.
pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let mut lines = Lines::new(input);
    let mut scene = Content::default();
    while let Some((line, text)) = lines.next_filled()? {
        let mut words = Words {
            words: text.split_ascii_whitespace(),
            line,
        };
        match words.next("a command")? {
            "0" => scene.object(&mut words, options.frame)?,
            "22" => scene.domain = Some([words.vector("the domain")?, words.vector("the domain")?]),
            "28" => scene.periodic = Some(Periodic::read(&mut words)?),
            command => {
                number(command, "the command", line)?;
                scene
                    .ignored
                    .insert(format!("lines of the command {command}"));
            }
        }
    }
    scene.finish(options)
}

/// The words of a line.
struct Words<'a> {
    words: SplitAsciiWhitespace<'a>,
    line: u64,
}

impl<'a> Words<'a> {
    fn next(&mut self, name: &str) -> Result<&'a str, ReadError> {
        let missing = || {
            ReadError::at(
                self.line,
                format!("{name} is missing at the end of the line"),
            )
        };
        self.words.next().ok_or_else(missing)
    }

    fn number(&mut self, name: &str) -> Result<f64, ReadError> {
        number(self.next(name)?, name, self.line)
    }

    fn vector(&mut self, name: &str) -> Result<DVec3, ReadError> {
        let mut component = || self.number(name);
        Ok(DVec3::new(component()?, component()?, component()?))
    }
}

/// The periodic boundaries.
struct Periodic {
    is_enabled: bool,
    axes: [bool; 3],
    corners: [DVec3; 2],
}

impl Periodic {
    fn read(words: &mut Words) -> Result<Self, ReadError> {
        let name = "the periodic boundary";
        let is_enabled = words.number(name)? != 0.0;
        let axes = words.vector(name)?.to_array().map(|flag| flag != 0.0);
        let corners = [words.vector(name)?, words.vector(name)?];
        Ok(Self {
            is_enabled,
            axes,
            corners,
        })
    }
}

/// A sphere at the time that is read.
struct Particle {
    line: u64,
    id: Option<u64>,
    center: DVec3,
    radius: f64,
    compound: Option<String>,
}

/// The content read so far. The domain may follow the objects.
#[derive(Default)]
struct Content {
    particles: Vec<Particle>,
    /// Number of times of each sphere; `None` before the first one.
    times: Option<u64>,
    domain: Option<[DVec3; 2]>,
    periodic: Option<Periodic>,
    /// Names of the parts that are not used.
    ignored: BTreeSet<String>,
}

impl Content {
    /// Reads an object behind its command 0.
    fn object(&mut self, words: &mut Words, frame: Frame) -> Result<(), ReadError> {
        let line = words.line;
        let id = words.next("the id")?.parse().ok();
        if words.next("the command 1 (type)")? != "1" {
            let what = "the command 1 (type) must follow the id of an object";
            return Err(ReadError::at(line, what));
        }
        let kind = words.next("the type")?;
        if kind != "1" {
            self.ignored.insert(match kind {
                "9" => "solid bonds".to_owned(),
                "13" => "liquid bonds".to_owned(),
                "14" => "triangular walls".to_owned(),
                other => format!("objects of the type '{other}'"),
            });
            return Ok(());
        }
        self.sphere(id, words, frame)
    }

    /// Reads a sphere behind its type.
    fn sphere(
        &mut self,
        id: Option<u64>,
        words: &mut Words,
        frame: Frame,
    ) -> Result<(), ReadError> {
        let line = words.line;
        let (mut radius, mut centers, mut active, mut times) = (None, Vec::new(), None, Vec::new());
        let mut compound = None;
        while let Some(command) = words.words.next() {
            match command {
                "5" => {
                    let found = words.number("the radius")?;
                    let contact = words.number("the contact radius")?;
                    if contact != 0.0 && contact != found {
                        self.ignored.insert("contact radius".to_owned());
                    }
                    radius = Some(found);
                }
                "2" => times.push(words.number("the time")?),
                "12" => centers.push(words.vector("the center")?),
                "23" => compound = Some(words.next("the compound")?.to_owned()),
                "24" => {
                    active = Some([words.number("the activity")?, words.number("the activity")?]);
                }
                other => self.quantity(other, words)?,
            }
        }
        let mistake = |what: &str| ReadError::at(line, what);
        let radius =
            radius.ok_or_else(|| mistake("the sphere has no command 5 with its radius"))?;
        if centers.len() != times.len() || centers.is_empty() {
            return Err(mistake(
                "the sphere must have the commands 2 (time) and 12 (center) for each time",
            ));
        }
        let count = times.len() as u64;
        if *self.times.get_or_insert(count) != count {
            return Err(mistake(
                "the sphere has another number of times than the spheres before; they must agree",
            ));
        }
        let chosen = frame
            .among(count)
            .map_err(|what| ReadError::at(line, what))? as usize;
        if active.is_some_and(|[first, last]| !(first..=last).contains(&times[chosen])) {
            self.ignored
                .insert("spheres that are not active at this time".to_owned());
            return Ok(());
        }
        self.particles.push(Particle {
            line,
            id,
            center: centers[chosen],
            radius,
            compound,
        });
        Ok(())
    }

    /// Reads a quantity that says nothing about the packing if it is 0. The orientation of a sphere says nothing either.
    fn quantity(&mut self, command: &str, words: &mut Words) -> Result<(), ReadError> {
        let known = QUANTITIES.into_iter().find(|(known, ..)| *known == command);
        let (_, count, name) = known.ok_or_else(|| {
            let what = format!("'{command}' is no command of a sphere");
            ReadError::at(words.line, what)
        })?;
        for _ in 0..count {
            if words.number(name)? != 0.0 && name != "orientation" {
                self.ignored.insert(name.to_owned());
            }
        }
        Ok(())
    }

    /// Returns the spheres in their container: the periodic box, the domain, or the container of the options.
    fn finish(self, options: &ReadOptions) -> Result<Rows, ReadError> {
        let walls = options.boundary().unwrap_or(Boundaries::WALLS);
        let box_of = |[low, high]: [DVec3; 2], boundary: Boundaries| {
            let container = Container::cuboid(high - low, boundary);
            let container = container.map_err(|error| ReadError::content(error.to_string()));
            Ok::<_, ReadError>((low, container?))
        };
        let (low, container) = match (self.periodic, self.domain) {
            (Some(periodic), domain) if periodic.is_enabled || domain.is_none() => {
                let axes = periodic.axes.map(|axis| axis && periodic.is_enabled);
                box_of(periodic.corners, boundaries(axes))?
            }
            (Some(_), Some(domain)) => box_of(domain, Boundaries::WALLS)?,
            (_, Some(domain)) => box_of(domain, walls)?,
            _ => {
                let missing = "the file has no line with the command 22 or 28 about the domain";
                (DVec3::ZERO, options.required_container(missing)?)
            }
        };
        let mut rows = Rows::new(Columns::NONE, low, container, options);
        for particle in self.particles {
            if let Some(compound) = &particle.compound {
                rows.push_kind(compound);
            }
            rows.push_numbers(particle.line, particle.center, particle.radius, particle.id)?;
        }
        let frames = self.times.unwrap_or(1);
        let frame = options.frame.among(frames).map_err(ReadError::content)?;
        rows.note_frames(frame, frames);
        let ignored: Vec<String> = self.ignored.into_iter().collect();
        rows.leave_out("part", &ignored);
        Ok(rows)
    }
}
