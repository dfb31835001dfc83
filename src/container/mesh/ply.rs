//! PLY files, ASCII and binary.
//!
//! Turk, *The PLY polygon file format* (1994). A header lists the elements of the file with their properties.

use glam::DVec3;

use super::{
    soup::{MeshFault, Soup, not_utf8, shown},
    words::Words,
};

/// Longest header in bytes. Files of other formats have no end of a header.
const LONGEST_HEADER: usize = 1 << 20;

/// A type of numbers.
#[derive(Clone, Copy)]
enum Kind {
    I8,
    U8,
    I16,
    U16,
    I32,
    U32,
    F32,
    F64,
}

impl Kind {
    fn named(name: &str) -> Option<Self> {
        Some(match name {
            "char" | "int8" => Self::I8,
            "uchar" | "uint8" => Self::U8,
            "short" | "int16" => Self::I16,
            "ushort" | "uint16" => Self::U16,
            "int" | "int32" => Self::I32,
            "uint" | "uint32" => Self::U32,
            "float" | "float32" => Self::F32,
            "double" | "float64" => Self::F64,
            _ => return None,
        })
    }

    fn bytes(self) -> usize {
        match self {
            Self::I8 | Self::U8 => 1,
            Self::I16 | Self::U16 => 2,
            Self::I32 | Self::U32 | Self::F32 => 4,
            Self::F64 => 8,
        }
    }

    /// Returns the number that the last bytes of eight make, the lowest byte first.
    fn number(self, bytes: [u8; 8]) -> f64 {
        let whole = u64::from_le_bytes(bytes);
        match self {
            Self::I8 => f64::from(whole as i8),
            Self::U8 => f64::from(whole as u8),
            Self::I16 => f64::from(whole as i16),
            Self::U16 => f64::from(whole as u16),
            Self::I32 => f64::from(whole as i32),
            Self::U32 => f64::from(whole as u32),
            Self::F32 => f64::from(f32::from_bits(whole as u32)),
            Self::F64 => f64::from_bits(whole),
        }
    }
}

/// A property of an element.
struct Property<'a> {
    name: &'a str,
    /// The type of the number of values, if there is a list of them.
    count: Option<Kind>,
    kind: Kind,
}

/// A list of items with the same properties.
struct Element<'a> {
    name: &'a str,
    count: u64,
    properties: Vec<Property<'a>>,
}

/// Reads the triangles of a PLY file. A face of more than three corners is divided into triangles.
pub(super) fn parse(bytes: &[u8]) -> Result<Soup, MeshFault> {
    let start = end_of_header(bytes)?;
    let text = |bytes| std::str::from_utf8(bytes).map_err(|error| not_utf8(error, "PLY"));
    let mut lines = text(&bytes[..start])?.lines().enumerate().skip(1);
    let format = lines.next().map_or("", |(_, line)| line.trim());
    let is_big = format == "format binary_big_endian 1.0";
    let mut elements = Vec::new();
    for (k, line) in lines {
        add_line(line, &mut elements).map_err(|fault| MeshFault::Line { line: k + 1, fault })?;
    }
    let mut numbers: Box<dyn Numbers + '_> = match format {
        "format ascii 1.0" => {
            let mut words = Words::new(text(bytes)?);
            while words.next() != Some("end_header") {
                words.skip_line();
            }
            words.skip_line();
            Box::new(words)
        }
        "format binary_little_endian 1.0" | "format binary_big_endian 1.0" => Box::new(Binary {
            bytes,
            at: start,
            is_big,
        }),
        _ => {
            let fault = format!(
                "{} instead of 'format ascii 1.0', 'format binary_little_endian 1.0' or 'format binary_big_endian 1.0'",
                shown(format)
            );
            return Err(MeshFault::Line { line: 2, fault });
        }
    };
    read(&elements, numbers.as_mut())
}

/// Returns the byte after the header.
fn end_of_header(bytes: &[u8]) -> Result<usize, MeshFault> {
    const END: &[u8] = b"end_header";
    let head = &bytes[..bytes.len().min(LONGEST_HEADER)];
    let mut at = 0;
    for line in head.split_inclusive(|&byte| byte == b'\n') {
        let is_first = at == 0;
        at += line.len();
        match line.trim_ascii() {
            b"ply" if is_first => {}
            _ if is_first => break,
            END => return Ok(at),
            _ => {}
        }
    }
    let fault = "a PLY file starts with a line 'ply', and its header ends with a line 'end_header'";
    Err(MeshFault::File(fault.to_owned()))
}

/// Adds a line of the header: an element, or a property of the last one.
fn add_line<'a>(line: &'a str, elements: &mut Vec<Element<'a>>) -> Result<(), String> {
    let words: Vec<&str> = line.split_ascii_whitespace().collect();
    let kind = |name: &str| {
        Kind::named(name).ok_or_else(|| {
            let name = shown(name);
            format!("{name} is no type of numbers, such as 'float', 'uchar' or 'int'")
        })
    };
    let property = match words[..] {
        [] | ["comment" | "obj_info" | "end_header", ..] => return Ok(()),
        ["element", name, count] => {
            let count = count.parse().map_err(|_| {
                let count = shown(count);
                format!("{count} instead of the number of elements, which must be whole")
            })?;
            elements.push(Element {
                name,
                count,
                properties: Vec::new(),
            });
            return Ok(());
        }
        ["property", "list", count, values, name] => Property {
            name,
            count: Some(kind(count)?),
            kind: kind(values)?,
        },
        ["property", values, name] => Property {
            name,
            count: None,
            kind: kind(values)?,
        },
        _ => {
            let line = shown(line.trim());
            return Err(format!("{line} is neither an element nor a property"));
        }
    };
    let element = elements.last_mut();
    let element = element.ok_or("there is no element before this property")?;
    element.properties.push(property);
    Ok(())
}

/// The numbers after the header.
trait Numbers {
    /// Returns the next number.
    fn next(&mut self, kind: Kind) -> Result<f64, MeshFault>;

    /// Returns a fault at the last number.
    fn fault(&self, fault: String) -> MeshFault;
}

impl Numbers for Words<'_> {
    fn next(&mut self, _kind: Kind) -> Result<f64, MeshFault> {
        let word = self.next();
        let number = word.and_then(|word| word.parse().ok());
        number.ok_or_else(|| self.unexpected(word, "a number"))
    }

    fn fault(&self, fault: String) -> MeshFault {
        let line = self.line;
        MeshFault::Line { line, fault }
    }
}

/// Numbers as bytes.
struct Binary<'a> {
    bytes: &'a [u8],
    /// Position of the next number.
    at: usize,
    /// Whether the highest byte is the first.
    is_big: bool,
}

impl Numbers for Binary<'_> {
    fn next(&mut self, kind: Kind) -> Result<f64, MeshFault> {
        let end = self.at + kind.bytes();
        let Some(bytes) = self.bytes.get(self.at..end) else {
            return Err(self.fault("the file ends before its last element".to_owned()));
        };
        let mut number = [0; 8];
        number[..bytes.len()].copy_from_slice(bytes);
        if self.is_big {
            number[..bytes.len()].reverse();
        }
        self.at = end;
        Ok(kind.number(number))
    }

    fn fault(&self, fault: String) -> MeshFault {
        let byte = self.at;
        MeshFault::Byte { byte, fault }
    }
}

/// Reads the elements.
fn read(elements: &[Element], numbers: &mut dyn Numbers) -> Result<Soup, MeshFault> {
    let mut points = Vec::new();
    let mut soup = Soup::default();
    for element in elements.iter().filter(|it| !it.properties.is_empty()) {
        for _ in 0..element.count {
            let mut point = DVec3::ZERO;
            for property in &element.properties {
                let name = (element.name, property.name);
                if let Some(count) = property.count {
                    let values = list(numbers, count, property.kind)?;
                    if let ("face", "vertex_indices" | "vertex_index") = name {
                        add_face(&values, &points, numbers, &mut soup)?;
                    }
                    continue;
                }
                let number = numbers.next(property.kind)?;
                match name {
                    ("vertex", "x") => point.x = number,
                    ("vertex", "y") => point.y = number,
                    ("vertex", "z") => point.z = number,
                    _ => {}
                }
            }
            if element.name == "vertex" {
                if !point.is_finite() {
                    let number = points.len();
                    let fault = format!(
                        "vertex {number} is {point}; its coordinates must be finite numbers"
                    );
                    return Err(numbers.fault(fault));
                }
                points.push(point);
            }
        }
    }
    Ok(soup)
}

/// Reads a list of numbers.
fn list(numbers: &mut dyn Numbers, count: Kind, kind: Kind) -> Result<Vec<f64>, MeshFault> {
    let found = numbers.next(count)?;
    if found < 0.0 || found.fract() != 0.0 {
        return Err(numbers.fault(format!(
            "a list has {found} numbers; their number must be whole and at least 0"
        )));
    }
    let mut values = Vec::new();
    for _ in 0..found as u64 {
        values.push(numbers.next(kind)?);
    }
    Ok(values)
}

/// Adds the triangles of a face, which names vertices from 0.
fn add_face(
    vertices: &[f64],
    points: &[DVec3],
    numbers: &dyn Numbers,
    soup: &mut Soup,
) -> Result<(), MeshFault> {
    let count = points.len();
    if vertices.len() < 3 {
        let corners = vertices.len();
        let fault = format!("a face has {corners} corners; it must have at least 3");
        return Err(numbers.fault(fault));
    }
    let mut corners = Vec::with_capacity(vertices.len());
    for &vertex in vertices {
        let is_number = vertex >= 0.0 && vertex.fract() == 0.0 && vertex < count as f64;
        if !is_number {
            let fault = format!(
                "a face names vertex {vertex}; the {count} vertices before it have the numbers from 0"
            );
            return Err(numbers.fault(fault));
        }
        corners.push(points[vertex as usize]);
    }
    soup.add_polygon(&corners);
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "ply\nformat ascii 1.0\ncomment a square and a triangle\nelement vertex 4\nproperty float x\n\
        property float y\nproperty uchar red\nproperty float z\nelement edge 1\nproperty int vertex1\nelement face 2\n\
        property float area\nproperty list uchar int vertex_indices\nend_header\n0 0 255 0\n1 0 255 0\n1 1 255 0.5\n\
        0 1 255 0.5\n7\n1 4 0 1 2 3\n0.5 3 0 2 1\n";

    /// The bytes of `TEXT`.
    fn binary(is_big: bool) -> Vec<u8> {
        let format = if is_big { "big" } else { "little" };
        let (head, body) = TEXT.split_once("end_header\n").unwrap();
        let head = head.replace("ascii", &format!("binary_{format}_endian"));
        let mut bytes = (head + "end_header\n").into_bytes();
        let mut add = |mut number: Vec<u8>| {
            if is_big {
                number.reverse();
            }
            bytes.extend(number);
        };
        for (k, line) in body.lines().enumerate() {
            for (column, word) in line.split(' ').enumerate() {
                let number: f32 = word.parse().unwrap();
                let is_vertex = k < 4;
                if column == if is_vertex { 2 } else { 1 } {
                    add(vec![number as u8]);
                } else if is_vertex || k > 4 && column == 0 {
                    add(number.to_le_bytes().to_vec());
                } else {
                    add((number as i32).to_le_bytes().to_vec());
                }
            }
        }
        bytes
    }

    #[test]
    fn all_forms_give_the_same_triangles() {
        let text = parse(TEXT.as_bytes()).unwrap();
        assert_eq!((text.vertices.len(), text.triangles.len()), (4, 3));
        let last = text.triangles[2].map(|corner| text.vertices[corner as usize]);
        let corners = [[0.0, 0.0, 0.0], [1.0, 1.0, 0.5], [1.0, 0.0, 0.0]];
        assert_eq!(last, corners.map(DVec3::from_array));
        for is_big in [false, true] {
            assert_eq!(parse(&binary(is_big)).unwrap(), text);
        }
        assert_eq!(parse(TEXT.replace('\n', "\r\n").as_bytes()).unwrap(), text);
    }

    /// A part of `TEXT`, what takes its place, and the message about it.
    const FAULTS: [(&str, &str, &str); 10] = [
        (
            "ply\n",
            "PLY\n",
            "a PLY file starts with a line 'ply', and its header ends with a line 'end_header'",
        ),
        (
            "ascii",
            "binary",
            "line 2: 'format binary 1.0' instead of 'format ascii 1.0', 'format binary_little_endian 1.0' or 'format binary_big_endian 1.0'",
        ),
        (
            "vertex 4",
            "vertex x",
            "line 4: 'x' instead of the number of elements, which must be whole",
        ),
        (
            "float y",
            "half y",
            "line 6: 'half' is no type of numbers, such as 'float', 'uchar' or 'int'",
        ),
        (
            "property float y",
            "proprety",
            "line 6: 'proprety' is neither an element nor a property",
        ),
        (
            "1 1 255",
            "1 nan 255",
            "line 17: vertex 2 is [1, NaN, 0.5]; its coordinates must be finite numbers",
        ),
        ("1 1 255", "1 a 255", "line 17: 'a' instead of 'a number'"),
        (
            "3 0 2 1\n",
            "3 0 2 4\n",
            "line 21: a face names vertex 4; the 4 vertices before it have the numbers from 0",
        ),
        (
            "3 0 2 1\n",
            "2 0 2\n",
            "line 21: a face has 2 corners; it must have at least 3",
        ),
        (
            "3 0 2 1\n",
            "-1",
            "line 21: a list has -1 numbers; their number must be whole and at least 0",
        ),
    ];

    #[test]
    fn faults_are_found_at_their_places() {
        for (old, new, message) in FAULTS {
            assert_eq!(
                parse(TEXT.replacen(old, new, 1).as_bytes())
                    .unwrap_err()
                    .to_string(),
                message
            );
        }
        let mut short = binary(false);
        short.truncate(short.len() - 1);
        let message = parse(&short).unwrap_err().to_string();
        assert!(
            message.ends_with("the file ends before its last element"),
            "{message}"
        );
    }
}
