//! The shapes of an SVG document of this module.

use base64::{Engine, engine::general_purpose::STANDARD};
use roxmltree::{Document, Node};

use super::super::{colors::Color, error::ReportError};

/// Colors of the variables of a page, in light mode.
const VARIABLES: [(&str, Color); 4] = [
    ("var(--paper)", [0xff, 0xff, 0xff]),
    ("var(--ink)", [0x1b, 0x1f, 0x24]),
    ("var(--muted)", [0x57, 0x60, 0x6a]),
    ("var(--grid)", [0xe4, 0xe7, 0xeb]),
];

/// A document: its size in pixels and its shapes from back to front.
pub(super) struct Drawing {
    pub(super) size: [f64; 2],
    pub(super) shapes: Vec<Shape>,
}

/// A shape, with positions in pixels from the top left corner.
pub(super) enum Shape {
    Rectangle {
        corner: [f64; 2],
        size: [f64; 2],
        fill: Color,
    },
    Disc {
        center: [f64; 2],
        radius: f64,
        fill: Color,
        /// Color and width of the border.
        border: Option<(Color, f64)>,
    },
    /// An area between closed lines: points that an odd number of them encloses.
    Area {
        rings: Vec<Vec<[f64; 2]>>,
        fill: Color,
    },
    /// A rectangle to which the following items are clipped; `None` ends this.
    Clip(Option<[[f64; 2]; 2]>),
    /// A line through points.
    Line {
        points: Vec<[f64; 2]>,
        color: Color,
        width: f64,
        opacity: f64,
    },
    Text(Text),
    /// A picture in the format PNG.
    Image {
        corner: [f64; 2],
        size: [f64; 2],
        png: Vec<u8>,
    },
}

/// A line of text.
pub(super) struct Text {
    /// Position of the anchor on the base line.
    pub(super) at: [f64; 2],
    pub(super) size: f64,
    pub(super) is_bold: bool,
    /// Share of the length of the text before its anchor.
    pub(super) before: f64,
    pub(super) color: Color,
    /// Whether the text runs upwards.
    pub(super) is_turned: bool,
    /// Whether paper covers what is behind the text.
    pub(super) has_halo: bool,
    pub(super) content: String,
}

impl Drawing {
    /// Reads a document.
    pub(super) fn read(svg: &str) -> Result<Self, ReportError> {
        let read = || {
            let document = Document::parse(svg).ok()?;
            let root = document.root_element();
            let size = [number(root, "width")?, number(root, "height")?];
            let mut shapes = Vec::new();
            for node in root.children().filter(Node::is_element) {
                add(node, [0.0; 2], &mut shapes)?;
            }
            Some(Self { size, shapes })
        };
        read().ok_or(ReportError::Document)
    }
}

/// Adds the shapes of an element that is moved by a vector.
fn add(node: Node, moved: [f64; 2], shapes: &mut Vec<Shape>) -> Option<()> {
    match node.tag_name().name() {
        "style" | "title" | "clipPath" => {}
        "g" => {
            let shift = node.attribute("transform").and_then(translation);
            let moved = shift.map_or(moved, |[x, y]| [moved[0] + x, moved[1] + y]);
            let is_clipped = node.has_attribute("clip-path");
            if is_clipped {
                shapes.push(Shape::Clip(Some(clip_rectangle(node)?)));
            }
            for child in node.children().filter(Node::is_element) {
                add(child, moved, shapes)?;
            }
            if is_clipped {
                shapes.push(Shape::Clip(None));
            }
        }
        "path" => add_path(node, moved, shapes)?,
        _ => shapes.push(shape(node, moved)?),
    }
    Some(())
}

/// Adds an area, or the lines of a path.
fn add_path(node: Node, moved: [f64; 2], shapes: &mut Vec<Shape>) -> Option<()> {
    let parts = subpaths(node.attribute("d")?, moved)?;
    if let Some(fill) = node.attribute("fill").filter(|fill| *fill != "none") {
        shapes.push(Shape::Area {
            rings: parts,
            fill: color(fill)?,
        });
        return Some(());
    }
    let color = color(inherited(node, "stroke")?)?;
    let width = stroke_width(node);
    shapes.extend(parts.into_iter().map(|points| Shape::Line {
        points,
        color,
        width,
        opacity: 1.0,
    }));
    Some(())
}

/// Returns the shape of an element without parts.
fn shape(node: Node, moved: [f64; 2]) -> Option<Shape> {
    let at = |x: &str, y: &str| {
        let [x, y] = [x, y].map(|name| number(node, name).unwrap_or(0.0));
        [x + moved[0], y + moved[1]]
    };
    let size = || Some([number(node, "width")?, number(node, "height")?]);
    Some(match node.tag_name().name() {
        "rect" => Shape::Rectangle {
            corner: at("x", "y"),
            size: size()?,
            fill: color(node.attribute("fill")?)?,
        },
        "circle" => Shape::Disc {
            center: at("cx", "cy"),
            radius: number(node, "r")?,
            fill: color(node.attribute("fill")?)?,
            border: (node.attribute("stroke").and_then(color))
                .map(|color| (color, stroke_width(node))),
        },
        "line" => Shape::Line {
            points: vec![at("x1", "y1"), at("x2", "y2")],
            color: color(inherited(node, "stroke")?)?,
            width: stroke_width(node),
            opacity: number(node, "stroke-opacity").unwrap_or(1.0),
        },
        "text" => Shape::Text(Text {
            at: at("x", "y"),
            size: inherited(node, "font-size")?.parse().ok()?,
            is_bold: node.attribute("font-weight").is_some(),
            before: match node.attribute("text-anchor") {
                Some("middle") => 0.5,
                Some("end") => 1.0,
                _ => 0.0,
            },
            color: color(inherited(node, "fill")?)?,
            is_turned: node.attribute("transform").is_some(),
            has_halo: node.attribute("paint-order").is_some(),
            content: node.text().unwrap_or_default().to_owned(),
        }),
        "image" => {
            let data = node.attribute("href")?;
            let data = data.strip_prefix("data:image/png;base64,")?;
            Shape::Image {
                corner: at("x", "y"),
                size: size()?,
                png: STANDARD.decode(data).ok()?,
            }
        }
        _ => return None,
    })
}

fn stroke_width(node: Node) -> f64 {
    number(node, "stroke-width").unwrap_or(1.0)
}

fn number(node: Node, name: &str) -> Option<f64> {
    node.attribute(name)?.parse().ok()
}

/// Returns an attribute of an element or of the nearest group that has it.
fn inherited<'a>(node: Node<'a, '_>, name: &str) -> Option<&'a str> {
    node.ancestors().find_map(|it| it.attribute(name))
}

/// Reads the vector of `translate(x y)`.
fn translation(text: &str) -> Option<[f64; 2]> {
    let numbers = text.strip_prefix("translate(")?.strip_suffix(')')?;
    let (x, y) = numbers.split_once(' ')?;
    Some([x.parse().ok()?, y.parse().ok()?])
}

/// Returns the low and the high corner of the rectangle to which a group is clipped.
fn clip_rectangle(group: Node) -> Option<[[f64; 2]; 2]> {
    let id = group.attribute("clip-path")?;
    let id = id.strip_prefix("url(#")?.strip_suffix(')')?;
    let mut nodes = group.document().root().descendants();
    let clip = nodes.find(|node| node.attribute("id") == Some(id))?;
    let rectangle = clip.first_element_child()?;
    let [x, y] = [number(rectangle, "x")?, number(rectangle, "y")?];
    let sides = [number(rectangle, "width")?, number(rectangle, "height")?];
    Some([[x, y], [x + sides[0], y + sides[1]]])
}

/// Reads the parts of a path of lines, such as `M1 2L3 4Z`.
fn subpaths(path: &str, moved: [f64; 2]) -> Option<Vec<Vec<[f64; 2]>>> {
    let parts = path.split('M').filter(|text| !text.is_empty());
    parts.map(|part| points(part, moved)).collect()
}

/// Reads the points of a part of a path.
fn points(path: &str, moved: [f64; 2]) -> Option<Vec<[f64; 2]>> {
    let points = path.trim_end_matches('Z').split('L');
    let point = |text: &str| {
        let (x, y) = text.split_once(' ')?;
        let [x, y]: [f64; 2] = [x.parse().ok()?, y.parse().ok()?];
        Some([x + moved[0], y + moved[1]])
    };
    points.map(point).collect()
}

/// Reads a variable, `#rgb` or `#rrggbb`.
fn color(text: &str) -> Option<Color> {
    if let Some((_, color)) = VARIABLES.iter().find(|(name, _)| *name == text) {
        return Some(*color);
    }
    let digits = text.strip_prefix('#')?;
    let value = u32::from_str_radix(digits, 16).ok()?;
    match digits.len() {
        3 => Some([8, 4, 0].map(|shift| 17 * ((value >> shift) & 15) as u8)),
        6 => Some([16, 8, 0].map(|shift| (value >> shift) as u8)),
        _ => None,
    }
}

/// Returns the pixels of a PNG file, three bytes each, its width and its height.
pub(super) fn decoded(png: &[u8]) -> Option<(Vec<u8>, [usize; 2])> {
    let mut reader = png::Decoder::new(std::io::Cursor::new(png))
        .read_info()
        .ok()?;
    let mut pixels = vec![0; reader.output_buffer_size()?];
    let info = reader.next_frame(&mut pixels).ok()?;
    Some((pixels, [info.width, info.height].map(|side| side as usize)))
}
