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

/// Returns the names of presets and formats as JSON.
pub fn choices() -> Result<String, String> {
    let presets: Vec<_> = SizeSpec::presets().map(|(name, _)| name).collect();
    let formats = FORMATS.map(|format| [format.to_string(), format.extension().to_owned()]);
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
    let sizes = request.sizes()?;
    let law = &sizes.distribution;
    let (least, most) = (law.d_min(), law.d_max());
    let ratio = most / least;
    let point = |step: usize| {
        let share = step as f64 / (CURVE_POINTS - 1) as f64;
        let diameter = least * ratio.powf(share);
        [diameter, law.mass_cdf(diameter)]
    };
    let resolved = request.request()?.resolve();
    let resolved = resolved.map_err(|error| error.to_string())?;
    let spheres = resolved.expected_spheres();
    let preview = Preview {
        spheres,
        expected: resolved.expected_fraction(),
        memory: resolved.options().estimated_memory(spheres, law).needed,
        doubt: resolved.doubt(),
        notes: sizes.notes(),
        unit: sizes.unit.clone(),
        quantiles: [0.1, 0.5, 0.9].map(|share| law.mass_quantile(share)),
        curve: (0..CURVE_POINTS).map(point).collect(),
    };
    serde_json::to_string(&preview).map_err(|error| error.to_string())
}
