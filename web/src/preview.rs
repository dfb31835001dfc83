//! What is known of a request before it is packed.

use jostle::{SizeSpec, io::Format};
use serde::Serialize;
use serde_json::json;

use crate::request::BrowserRequest;

/// Formats that a page offers: one for each kind of program.
const FORMATS: [Format; 10] = [
    Format::Json,
    Format::Csv,
    Format::Xyz,
    Format::LammpsData,
    Format::LammpsDump,
    Format::Liggghts,
    Format::Yade,
    Format::Vtk,
    Format::Pov,
    Format::Gmsh,
];

/// Returns the names of presets, and of formats their names, their extensions and whether they hold disks, as JSON.
pub fn choices() -> Result<String, String> {
    let presets: Vec<_> = SizeSpec::presets().map(|(name, _)| name).collect();
    let formats =
        FORMATS.map(|format| (format.to_string(), format.extension(), format.holds_disks()));
    Ok(json!({ "presets": presets, "formats": formats }).to_string())
}

/// Number of points of the grading curve.
const CURVE_POINTS: usize = 64;

/// Numbers of a request.
#[derive(Serialize)]
struct Preview {
    spheres: f64,
    /// Expected packing fraction.
    expected: Option<f64>,
    /// Length of a cube, or a square, that the spheres are expected to fill.
    side: f64,
    /// Bytes.
    memory: f64,
    /// A sentence if the request may be out of reach.
    doubt: Option<String>,
    /// Sentences on how the sizes were read.
    notes: Vec<String>,
    unit: String,
    /// Diameters below which a tenth, the half and nine tenths of the mass lie.
    quantiles: [f64; 3],
    /// Diameter, and share of the mass of smaller spheres.
    curve: Vec<[f64; 2]>,
}

/// Returns the numbers of a request as JSON.
pub fn preview(request: &BrowserRequest) -> Result<String, String> {
    let resolved = request.request()?.resolve();
    let resolved = resolved.map_err(|error| error.to_string())?;
    let dimension = resolved.options().container.dimension();
    let sizes = request.sizes()?.in_dimension(dimension);
    let sizes = sizes.map_err(|error| error.to_string())?;
    let law = &sizes.distribution;
    let (least, most) = (law.d_min(), law.d_max());
    let ratio = most / least;
    let point = |step: usize| {
        let share = step as f64 / (CURVE_POINTS - 1) as f64;
        let diameter = least * ratio.powf(share);
        [diameter, law.mass_cdf(diameter)]
    };
    let spheres = resolved.expected_spheres();
    let expected = resolved.expected_fraction();
    let volume = spheres * law.mean_volume() / expected.unwrap_or(1.0);
    let preview = Preview {
        spheres,
        expected,
        side: volume.powf(1.0 / dimension.number() as f64),
        memory: resolved.options().estimated_memory(spheres, law).needed,
        doubt: resolved.doubt(),
        notes: sizes.notes(),
        unit: sizes.unit.clone(),
        quantiles: [0.1, 0.5, 0.9].map(|share| law.mass_quantile(share)),
        curve: (0..CURVE_POINTS).map(point).collect(),
    };
    serde_json::to_string(&preview).map_err(|error| error.to_string())
}
