//! A drawing as a PDF file of one page.
//!
//! Source: PDF 1.4 reference (Adobe, 2001): objects, cross references, content streams, the standard fonts Helvetica and Symbol.

use std::{fmt::Write as _, io::Write as _};

use flate2::{Compression, write::ZlibEncoder};

use super::{
    super::colors::Color,
    drawing::{Drawing, Shape, Text, decoded},
};

/// Points in a pixel.
const POINTS: f64 = 0.75;

/// Size of raised and lowered characters, and their distance from the base line, in sizes of the text.
const SMALL: f64 = 0.7;
const RAISED: f64 = 0.35;
const LOWERED: f64 = -0.15;

/// Distance of the control points of a quarter of a circle from its ends, in radii.
const CURVE: f64 = 0.5523;

/// Widths of the characters from space to tilde in Helvetica, in thousandths of the size.
///
/// Source: Adobe Font Metrics of the 14 standard fonts.
const WIDTHS: [u16; 95] = [
    278, 278, 355, 556, 556, 889, 667, 191, 333, 333, 389, 584, 278, 333, 278, 278, 556, 556, 556,
    556, 556, 556, 556, 556, 556, 556, 278, 278, 584, 584, 584, 556, 1015, 667, 667, 722, 722, 667,
    611, 778, 722, 278, 500, 667, 556, 833, 722, 778, 667, 778, 722, 667, 611, 722, 667, 944, 667,
    667, 611, 278, 278, 278, 469, 556, 333, 556, 556, 500, 556, 556, 278, 556, 556, 222, 222, 500,
    222, 833, 556, 556, 556, 556, 333, 500, 278, 556, 500, 722, 500, 500, 500, 334, 260, 334, 584,
];

/// Width of the other characters: that of most of them.
const OTHER_WIDTH: u16 = 556;

/// Letters of the font Symbol.
const SYMBOLS: [(char, u8); 14] = [
    ('α', b'a'),
    ('β', b'b'),
    ('δ', b'd'),
    ('λ', b'l'),
    ('π', b'p'),
    ('ρ', b'r'),
    ('σ', b's'),
    ('φ', b'f'),
    ('ψ', b'y'),
    ('ω', b'w'),
    ('−', b'-'),
    ('≤', 0xa3),
    ('≥', 0xb3),
    ('→', 0xae),
];

/// Characters of the encoding WinAnsi that are not those of Latin 1.
const WINDOWS: [(char, u8); 5] = [
    ('…', 0x85),
    ('–', 0x96),
    ('—', 0x97),
    ('’', 0x92),
    ('•', 0x95),
];

/// Returns the file.
pub(super) fn page(drawing: &Drawing) -> Vec<u8> {
    let [width, height] = drawing.size.map(|length| POINTS * length);
    let mut images = Vec::new();
    // Pixels from the top left corner.
    let mut content = format!("{POINTS} 0 0 -{POINTS} 0 {height:.2} cm\n");
    for shape in &drawing.shapes {
        draw(shape, &mut content, &mut images);
    }
    let names: String = (0..images.len())
        .map(|number| format!("/I{number} {} 0 R ", FIRST_IMAGE + number))
        .collect();
    let font = |name: &str, encoding: &str| {
        format!("<</Type/Font/Subtype/Type1/BaseFont/{name}{encoding}>>").into_bytes()
    };
    let windows = "/Encoding/WinAnsiEncoding";
    let mut objects = vec![
        b"<</Type/Catalog/Pages 2 0 R>>".to_vec(),
        b"<</Type/Pages/Kids[3 0 R]/Count 1>>".to_vec(),
        format!(
            "<</Type/Page/Parent 2 0 R/MediaBox[0 0 {width:.2} {height:.2}]/Contents 4 0 R/Resources<</Font<</F 5 0 R/B 6 0 R/S 7 0 R>>\
             /XObject<<{names}>>/ExtGState<</H<</CA 0.5>>/O<</CA 1>>>>>>>>"
        )
        .into_bytes(),
        stream("", content.as_bytes()),
        font("Helvetica", windows),
        font("Helvetica-Bold", windows),
        font("Symbol", ""),
    ];
    objects.extend(images);
    file(&objects)
}

/// Number of the object of the first image.
const FIRST_IMAGE: usize = 8;

/// Returns a file of objects, the first of which is the catalog.
fn file(objects: &[Vec<u8>]) -> Vec<u8> {
    let mut bytes = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n".to_vec();
    let mut table = format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1);
    for (number, object) in objects.iter().enumerate() {
        let _ = writeln!(table, "{:010} 00000 n ", bytes.len());
        bytes.extend(format!("{} 0 obj\n", number + 1).bytes());
        bytes.extend(object);
        bytes.extend(b"\nendobj\n");
    }
    let end = format!(
        "{table}trailer\n<</Size {}/Root 1 0 R>>\nstartxref\n{}\n%%EOF\n",
        objects.len() + 1,
        bytes.len()
    );
    bytes.extend(end.bytes());
    bytes
}

/// Returns a compressed stream.
fn stream(dictionary: &str, data: &[u8]) -> Vec<u8> {
    let mut encoder = ZlibEncoder::new(Vec::new(), Compression::default());
    // Writing to a vector cannot fail.
    let _ = encoder.write_all(data);
    let data = encoder.finish().unwrap_or_default();
    let mut object = format!(
        "<<{dictionary}/Filter/FlateDecode/Length {}>>\nstream\n",
        data.len()
    )
    .into_bytes();
    object.extend(data);
    object.extend(b"\nendstream");
    object
}

fn draw(shape: &Shape, content: &mut String, images: &mut Vec<Vec<u8>>) {
    let _ = match shape {
        Shape::Rectangle {
            corner: [x, y],
            size: [width, height],
            fill,
        } => writeln!(content, "{} rg {x} {y} {width} {height} re f", rgb(*fill)),
        Shape::Disc {
            center,
            radius,
            fill,
            border,
        } => {
            let (fill, path) = (rgb(*fill), circle(*center, *radius));
            match border.map(|(color, width)| (rgb(color), width)) {
                None => writeln!(content, "{fill} rg {path} f"),
                Some((color, width)) => {
                    writeln!(content, "{fill} rg {color} RG {width} w {path} B")
                }
            }
        }
        Shape::Area { rings, fill } => {
            let rings: Vec<String> = rings.iter().map(|ring| line(ring) + " h").collect();
            writeln!(content, "{} rg {} f*", rgb(*fill), rings.join(" "))
        }
        Shape::Clip(Some([[x, y], [right, low]])) => {
            let (width, height) = (right - x, low - y);
            writeln!(content, "q {x:.2} {y:.2} {width:.2} {height:.2} re W n")
        }
        Shape::Clip(None) => writeln!(content, "Q"),
        Shape::Line {
            points,
            color,
            width,
            opacity,
        } => {
            let state = if *opacity < 1.0 { "H" } else { "O" };
            let (color, path) = (rgb(*color), line(points));
            writeln!(
                content,
                "/{state} gs {color} RG {width} w 1 j {path} S /O gs"
            )
        }
        Shape::Text(text) => {
            write_text(text, content);
            Ok(())
        }
        Shape::Image { corner, size, png } => match image(png) {
            Some(object) => {
                let ([x, y], [width, height]) = (corner, size);
                let (name, low) = (images.len(), y + height);
                images.push(object);
                writeln!(
                    content,
                    "q {width} 0 0 -{height} {x} {low} cm /I{name} Do Q"
                )
            }
            None => Ok(()),
        },
    };
}

/// Returns the steps along points.
fn line(points: &[[f64; 2]]) -> String {
    let steps = points.iter().enumerate().map(|(number, [x, y])| {
        let step = if number == 0 { 'm' } else { 'l' };
        format!("{x:.2} {y:.2} {step}")
    });
    steps.collect::<Vec<_>>().join(" ")
}

/// Returns an image object of a PNG picture of three bytes for each pixel.
fn image(png: &[u8]) -> Option<Vec<u8>> {
    let (pixels, [width, height]) = decoded(png)?;
    let dictionary = format!(
        "/Type/XObject/Subtype/Image/Width {width}/Height {height}/ColorSpace/DeviceRGB/BitsPerComponent 8"
    );
    Some(stream(&dictionary, &pixels))
}

fn rgb(color: Color) -> String {
    let [r, g, b] = color.map(|byte| f64::from(byte) / 255.0);
    format!("{r:.3} {g:.3} {b:.3}")
}

fn circle([x, y]: [f64; 2], r: f64) -> String {
    let c = CURVE * r;
    let mut path = format!("{:.2} {y:.2} m", x + r);
    for [a, b, end] in [
        [[x + r, y + c], [x + c, y + r], [x, y + r]],
        [[x - c, y + r], [x - r, y + c], [x - r, y]],
        [[x - r, y - c], [x - c, y - r], [x, y - r]],
        [[x + c, y - r], [x + r, y - c], [x + r, y]],
    ] {
        let _ = write!(
            path,
            " {:.2} {:.2} {:.2} {:.2} {:.2} {:.2} c",
            a[0], a[1], b[0], b[1], end[0], end[1]
        );
    }
    path
}

/// Characters in one font, at one height.
struct Run {
    font: char,
    bytes: Vec<u8>,
    /// Height of the base line, in sizes of the text.
    rise: f64,
    /// Width in sizes of the text.
    width: f64,
}

fn write_text(text: &Text, content: &mut String) {
    let runs = runs(text);
    let length: f64 = runs.iter().map(|run| run.width).sum::<f64>() * text.size;
    let start = -text.before * length;
    let [x, y] = text.at;
    // Letters stand upright in coordinates whose y points down.
    let matrix = if text.is_turned {
        format!("0 -1 -1 0 {x:.2} {:.2} Tm", y - start)
    } else {
        format!("1 0 0 -1 {:.2} {y:.2} Tm", x + start)
    };
    if text.has_halo {
        let _ = writeln!(
            content,
            "1 1 1 rg {:.2} {:.2} {length:.2} {:.2} re f",
            x + start,
            y - 0.8 * text.size,
            text.size
        );
    }
    let _ = write!(content, "BT {} rg {matrix}", rgb(text.color));
    for run in runs {
        let size = if run.rise == 0.0 { 1.0 } else { SMALL } * text.size;
        let bytes: String = run.bytes.iter().map(|byte| format!("{byte:02x}")).collect();
        let _ = write!(
            content,
            " /{} {size:.2} Tf {:.2} Ts <{bytes}> Tj",
            run.font,
            run.rise * text.size
        );
    }
    *content += " ET\n";
}

/// Divides a text into runs.
fn runs(text: &Text) -> Vec<Run> {
    let usual = if text.is_bold { 'B' } else { 'F' };
    let mut runs: Vec<Run> = Vec::new();
    for character in text.content.chars() {
        let (character, rise) = unraised(character);
        let symbol = SYMBOLS.iter().find(|(letter, _)| *letter == character);
        let (font, byte) = match symbol {
            Some((_, byte)) => ('S', *byte),
            None => (usual, windows(character)),
        };
        let width = (usize::from(byte).checked_sub(32))
            .and_then(|at| WIDTHS.get(at))
            .unwrap_or(&OTHER_WIDTH);
        let width = f64::from(*width) / 1000.0 * if rise == 0.0 { 1.0 } else { SMALL };
        match runs.last_mut() {
            Some(run) if run.font == font && run.rise == rise => {
                run.bytes.push(byte);
                run.width += width;
            }
            _ => runs.push(Run {
                font,
                bytes: vec![byte],
                rise,
                width,
            }),
        }
    }
    runs
}

/// Returns the usual form of a raised or lowered digit or sign, and the height of its base line in sizes of the text.
pub(super) fn unraised(character: char) -> (char, f64) {
    let digit = |from: char| char::from(b'0' + (character as u32 - from as u32) as u8);
    match character {
        '¹' => ('1', RAISED),
        '²' => ('2', RAISED),
        '³' => ('3', RAISED),
        '⁻' => ('-', RAISED),
        '⁰' | '⁴'..='⁹' => (digit('⁰'), RAISED),
        '₀'..='₉' => (digit('₀'), LOWERED),
        _ => (character, 0.0),
    }
}

/// Returns the byte of a character in the encoding WinAnsi; a question mark if it has none.
fn windows(character: char) -> u8 {
    let special = WINDOWS.iter().find(|(it, _)| *it == character);
    match (special, u8::try_from(character)) {
        (Some((_, byte)), _) => *byte,
        (None, Ok(byte)) if !(0x7f..0xa0).contains(&byte) => byte,
        _ => b'?',
    }
}
