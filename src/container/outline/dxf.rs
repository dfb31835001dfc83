//! The closed lines of a DXF file, as text.
//!
//! Source of the group codes: DXF Reference (Autodesk), sections "ENTITIES" and "Object Coordinate Systems". The crate `dxf` 0.6, which
//! reads all entities, takes 76 s of processor time to compile.

use glam::DVec2;

use super::{
    constants::{CHAINED, FLATNESS, MOST_EDGES},
    error::OutlineError,
};

/// Entities with borders.
const LINES: [&str; 5] = ["LINE", "ARC", "CIRCLE", "LWPOLYLINE", "POLYLINE"];

/// Entities beside a drawing, and the last one of a polyline, which have no borders.
const BESIDE: [&str; 10] = [
    "ATTDEF",
    "DIMENSION",
    "HATCH",
    "LEADER",
    "MTEXT",
    "POINT",
    "SEQEND",
    "TEXT",
    "VERTEX",
    "VIEWPORT",
];

/// Flags of a polyline that is closed, and of one that is a mesh.
const CLOSED: u32 = 1;
const MESH: u32 = 16 | 64;

/// Flag of a vertex that controls a curve and is no point of it.
const CONTROL: u32 = 16;

/// A group code and its value.
type Tag<'a> = (i32, &'a str);

/// Returns the rings of all closed lines of the section ENTITIES. Lines that meet at their ends are one line.
pub(super) fn rings(text: &str) -> Result<Vec<Vec<DVec2>>, String> {
    let entities = entities(text)?;
    let mut lines = Vec::new();
    let mut rest = &entities[..];
    while let Some((entity, others)) = rest.split_first() {
        rest = others;
        if entity.number(67, 0.0)? != 0.0 || BESIDE.contains(&entity.kind) {
            // Paper space, or no border.
            continue;
        }
        let vertices = rest
            .iter()
            .take_while(|vertex| vertex.kind == "VERTEX")
            .collect();
        lines.push(entity.line(vertices)?);
    }
    if lines.is_empty() {
        return Err(format!(
            "the file has no line in its section ENTITIES; one of {} is expected",
            LINES.join(", ")
        ));
    }
    let longest = longest_length(&lines);
    let (mut closed, mut open) = (Vec::new(), Vec::new());
    for line in lines {
        let points = line.flat(FLATNESS * longest);
        if line.is_closed {
            closed.push(points);
        } else if points
            .iter()
            .any(|point| point.distance(points[0]) > CHAINED * longest)
        {
            open.push(points);
        }
    }
    closed.extend(chained(open, CHAINED * longest)?);
    Ok(closed)
}

/// Returns the entities of the section ENTITIES.
fn entities(text: &str) -> Result<Vec<Entity<'_>>, String> {
    if text.starts_with("AutoCAD Binary DXF") {
        return Err("the file is a binary DXF file; DXF as text is expected".to_owned());
    }
    let (mut entities, mut is_inside) = (Vec::<Entity>::new(), false);
    let mut last = (0, "");
    let mut lines = text.lines().map(str::trim).enumerate();
    while let (Some((number, code)), Some((_, value))) = (lines.next(), lines.next()) {
        let tag = match code.parse::<i32>() {
            Ok(code) => (code, value),
            Err(_) => {
                return Err(format!(
                    "line {} of the file is '{code}'; a group code of DXF is expected",
                    number + 1
                ));
            }
        };
        match tag {
            (0, "ENDSEC") => is_inside = false,
            (2, "ENTITIES") if last == (0, "SECTION") => is_inside = true,
            (0, kind) if is_inside => entities.push(Entity {
                kind,
                tags: Vec::new(),
            }),
            _ if is_inside => {
                if let Some(entity) = entities.last_mut() {
                    entity.tags.push(tag);
                }
            }
            _ => {}
        }
        last = tag;
    }
    Ok(entities)
}

/// An object of a drawing.
struct Entity<'a> {
    kind: &'a str,
    tags: Vec<Tag<'a>>,
}

impl Entity<'_> {
    /// Returns the number with a group code, or a default where it is missing.
    fn number(&self, code: i32, default: f64) -> Result<f64, String> {
        let tag = self.tags.iter().find(|(own, _)| *own == code);
        tag.map_or(Ok(default), |&tag| self.read(tag))
    }

    fn read(&self, (code, value): Tag) -> Result<f64, String> {
        value.parse().map_err(|_| {
            format!(
                "group {code} of {} is '{value}'; a number is expected",
                self.kind
            )
        })
    }

    fn flags(&self) -> Result<u32, String> {
        Ok(self.number(70, 0.0)? as u32)
    }

    /// Returns the point with the group code `x` of its first coordinate.
    fn point(&self, x: i32) -> Result<DVec2, String> {
        let coordinate = |code| self.number(code, f64::NAN);
        let point = DVec2::new(coordinate(x)?, coordinate(x + 10)?);
        if point.is_finite() {
            return Ok(point);
        }
        Err(format!(
            "{} has no finite coordinates in the groups {x} and {}",
            self.kind,
            x + 10
        ))
    }

    /// Returns the line of this entity. `vertices` are those of a POLYLINE.
    fn line(&self, vertices: Vec<&Self>) -> Result<Line, String> {
        let flags = self.flags()?;
        let mut line = Line::default();
        match self.kind {
            "LINE" => {
                line.push(self.point(10)?, 0.0);
                line.push(self.point(11)?, 0.0);
                // The only entity in the coordinates of the drawing.
                return Ok(line);
            }
            "CIRCLE" => line.arc(self, 0.0, 360.0)?,
            "ARC" => {
                let [from, to] = [self.number(50, 0.0)?, self.number(51, 360.0)?];
                line.arc(self, from, (to - from).rem_euclid(360.0))?;
            }
            "LWPOLYLINE" => {
                for &tag in &self.tags {
                    let last = line.points.last_mut().zip(line.bulges.last_mut());
                    match (tag.0, last) {
                        (10, _) => line.push(DVec2::new(self.read(tag)?, 0.0), 0.0),
                        (20, Some((point, _))) => point.y = self.read(tag)?,
                        (42, Some((_, bulge))) => *bulge = self.read(tag)?,
                        _ => {}
                    }
                }
                line.is_closed = flags & CLOSED != 0;
            }
            "POLYLINE" if flags & MESH == 0 => {
                for vertex in vertices {
                    if vertex.flags()? & CONTROL == 0 {
                        line.push(vertex.point(10)?, vertex.number(42, 0.0)?);
                    }
                }
                line.is_closed = flags & CLOSED != 0;
            }
            kind => {
                return Err(format!(
                    "the file has the entity {kind}; outlines are read from {}",
                    LINES.join(", ")
                ));
            }
        }
        if line.points.is_empty() {
            return Err(format!("{} has no points", self.kind));
        }
        let normal = [(210, 0.0), (220, 0.0), (230, 1.0)].map(|(code, z)| self.number(code, z));
        match normal {
            [Ok(0.0), Ok(0.0), Ok(z)] if z > 0.0 => Ok(line),
            [Ok(0.0), Ok(0.0), Ok(z)] if z < 0.0 => Ok(line.mirrored()),
            _ => Err(format!("{} does not lie in the plane", self.kind)),
        }
    }
}

/// A line of straight parts and arcs.
#[derive(Default)]
struct Line {
    points: Vec<DVec2>,
    /// The tangent of a quarter of the angle of the arc behind each point, positive to the left; 0 for a straight part.
    bulges: Vec<f64>,
    is_closed: bool,
}

impl Line {
    fn push(&mut self, point: DVec2, bulge: f64) {
        self.points.push(point);
        self.bulges.push(bulge);
    }

    /// Adds an arc as two halves, as an arc of a full turn has no finite bulge. Angles are in degrees.
    fn arc(&mut self, entity: &Entity, from: f64, angle: f64) -> Result<(), String> {
        let (center, radius) = (entity.point(10)?, entity.number(40, f64::NAN)?);
        if !(radius > 0.0 && radius.is_finite()) {
            return Err(format!(
                "the radius of {} is {radius}; it must be positive",
                entity.kind
            ));
        }
        self.is_closed = angle == 360.0;
        let halves = if self.is_closed { 0..2 } else { 0..3 };
        for half in halves {
            let turn = (from + 0.5 * angle * f64::from(half)).to_radians();
            let (sin, cos) = libm::sincos(turn);
            let bulge = libm::tan(0.125 * angle.to_radians());
            self.push(center + radius * DVec2::new(cos, sin), bulge);
        }
        Ok(())
    }

    /// Returns the line seen from the other side of the plane.
    fn mirrored(mut self) -> Self {
        self.points.iter_mut().for_each(|point| point.x = -point.x);
        self.bulges.iter_mut().for_each(|bulge| *bulge = -*bulge);
        self
    }

    /// Returns the ends of each part, and its bulge.
    fn parts(&self) -> impl Iterator<Item = (DVec2, DVec2, f64)> {
        let count = self.points.len();
        let parts = if self.is_closed { count } else { count - 1 };
        (0..parts).map(move |k| {
            let [from, to] = [k, (k + 1) % count].map(|k| self.points[k]);
            (from, to, self.bulges[k])
        })
    }

    /// Returns points on the line, with the last one of an open line. Straight parts between them deviate by at most `deviation`.
    fn flat(&self, deviation: f64) -> Vec<DVec2> {
        let mut points = Vec::new();
        for (from, to, bulge) in self.parts() {
            points.push(from);
            if bulge == 0.0 {
                continue;
            }
            let aside = (to - from).perp() * (1.0 - bulge * bulge) / (4.0 * bulge);
            let center = from.midpoint(to) + aside;
            let (radius, angle) = (center.distance(from), 4.0 * libm::atan(bulge));
            // Half the angle of a chord whose middle is the deviation away from the arc.
            let half = 2.0 * libm::asin((0.5 * deviation / radius).min(1.0).sqrt());
            let count = (angle.abs() / (2.0 * half)).ceil();
            // An arc of a hardly positive angle has a center beyond all numbers.
            let count = count.clamp(1.0, MOST_EDGES as f64);
            points.extend((1..count as usize).map(|k| {
                let (sin, cos) = libm::sincos(angle * k as f64 / count);
                center + DVec2::new(cos, sin).rotate(from - center)
            }));
        }
        points.extend(self.points.last().filter(|_| !self.is_closed));
        points
    }
}

/// Returns the longest length of the bounding box of the ends of all parts, and of the middles of arcs.
fn longest_length(lines: &[Line]) -> f64 {
    let of_part = |(from, to, bulge): (DVec2, DVec2, f64)| {
        [
            from,
            to,
            from.midpoint(to) - 0.5 * bulge * (to - from).perp(),
        ]
    };
    let points = || lines.iter().flat_map(Line::parts).flat_map(of_part);
    let high = points().fold(DVec2::NEG_INFINITY, DVec2::max);
    let low = points().fold(DVec2::INFINITY, DVec2::min);
    (high - low).max_element()
}

/// Joins open lines whose ends are closer than `reach` to rings.
fn chained(mut open: Vec<Vec<DVec2>>, reach: f64) -> Result<Vec<Vec<DVec2>>, String> {
    if open.len() > MOST_EDGES {
        return Err(OutlineError::TooManyEdges { edges: open.len() }.to_string());
    }
    let mut rings = Vec::new();
    while let Some(mut ring) = open.pop() {
        loop {
            let end = ring[ring.len() - 1];
            let meets = |point: &DVec2| point.distance(end) <= reach;
            if meets(&ring[0]) {
                break;
            }
            let next = |line: &Vec<DVec2>| {
                line.first().is_some_and(meets) || line.last().is_some_and(meets)
            };
            let Some(number) = open.iter().position(next) else {
                return Err(format!(
                    "a line ends at {end}, where no other line begins; lines must be closed"
                ));
            };
            let mut line = open.swap_remove(number);
            if !meets(&line[0]) {
                line.reverse();
            }
            ring.extend(line.into_iter().skip(1));
        }
        // The last point is the first one.
        ring.pop();
        rings.push(ring);
    }
    Ok(rings)
}
