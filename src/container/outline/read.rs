//! Outlines from files.

use std::{fs, path::Path};

use glam::DVec2;
use serde::Deserialize;

use super::{Outline, ReadOutlineError};

/// A polygon of GeoJSON (RFC 7946, section 3.1.6): an outer ring and its holes.
#[derive(Deserialize)]
struct Polygon {
    coordinates: Vec<Vec<DVec2>>,
}

impl Outline {
    /// Reads the outline in a file, whose extension tells the format: `.json` or `.geojson` for a polygon of GeoJSON, such as
    /// `{"type": "Polygon", "coordinates": [[[0, 0], [4, 0], [0, 3]]]}`, `.svg` for the closed paths and polygons of an SVG file, and `.dxf` for
    /// the lines, polylines, arcs and circles of a DXF file, whose ends must meet. Curves become polygons that deviate by at most 10⁻⁴ of
    /// the longest length. The y axis of an SVG file points down, so that y changes its sign.
    ///
    /// # Errors
    /// [`ReadOutlineError`] if the file cannot be read, or if its rings are no outline.
    pub fn read(path: &Path) -> Result<Self, ReadOutlineError> {
        let read = || {
            let extension = path.extension().and_then(|extension| extension.to_str());
            let extension = extension.unwrap_or_default().to_ascii_lowercase();
            let rings = match extension.as_str() {
                "json" | "geojson" => polygon(&text(path)?)?,
                #[cfg(feature = "files")]
                "svg" => super::svg::rings(&text(path)?)?,
                // The encoding of texts depends on the program; lines have digits only.
                #[cfg(feature = "files")]
                "dxf" => super::dxf::rings(&String::from_utf8_lossy(&bytes(path)?))?,
                _ => {
                    return Err("the extension names no outline; use .json for a polygon of GeoJSON, .svg or .dxf".to_owned());
                }
            };
            Self::new(rings).map_err(|error| error.to_string())
        };
        read().map_err(|problem| ReadOutlineError {
            path: path.to_owned(),
            problem,
        })
    }
}

fn text(path: &Path) -> Result<String, String> {
    fs::read_to_string(path).map_err(|error| error.to_string())
}

#[cfg(feature = "files")]
fn bytes(path: &Path) -> Result<Vec<u8>, String> {
    fs::read(path).map_err(|error| error.to_string())
}

fn polygon(text: &str) -> Result<Vec<Vec<DVec2>>, String> {
    let polygon: Result<Polygon, _> = serde_json::from_str(text);
    let polygon = polygon.map_err(|error| {
        format!("{error}; a polygon such as {{\"type\": \"Polygon\", \"coordinates\": [[[0, 0], [4, 0], [0, 3]]]}} is expected")
    })?;
    Ok(polygon.coordinates)
}
