//! The closed paths and polygons of an SVG file.

use glam::DVec2;
use kurbo::{BezPath, PathEl, Point, Shape};
use roxmltree::{Document, Node};

use super::constants::FLATNESS;

/// Returns the rings of all paths and polygons of an SVG file, with y pointing up.
pub(super) fn rings(text: &str) -> Result<Vec<Vec<DVec2>>, String> {
    let document = Document::parse(text).map_err(|error| error.to_string())?;
    let mut paths = Vec::new();
    for node in document.descendants().filter(Node::is_element) {
        let path = match node.tag_name().name() {
            "path" => node.attribute("d").map(BezPath::from_svg),
            "polygon" => node.attribute("points").map(polygon),
            _ => None,
        };
        let Some(path) = path else {
            continue;
        };
        if node.ancestors().any(|node| node.has_attribute("transform")) {
            return Err("a path has a transform; apply transforms to the paths".to_owned());
        }
        paths.push(path.map_err(|error| format!("the path is not understood: {error}"))?);
    }
    let lengths = paths.iter().map(|path| path.bounding_box().size());
    let longest = lengths.fold(0.0, |longest, size| {
        size.width.max(size.height).max(longest)
    });
    let mut rings: Vec<Vec<DVec2>> = Vec::new();
    for path in paths {
        kurbo::flatten(path, FLATNESS * longest, |element| match element {
            PathEl::MoveTo(point) => rings.push(vec![upwards(point)]),
            PathEl::LineTo(point) => {
                if let Some(ring) = rings.last_mut() {
                    ring.push(upwards(point));
                }
            }
            _ => {}
        });
    }
    if rings.is_empty() {
        return Err("the file has neither paths nor polygons".to_owned());
    }
    Ok(rings)
}

/// Returns the path of the points of a polygon.
fn polygon(points: &str) -> Result<BezPath, kurbo::SvgParseError> {
    BezPath::from_svg(&format!("M{points}Z"))
}

fn upwards(point: Point) -> DVec2 {
    DVec2::new(point.x, -point.y)
}
