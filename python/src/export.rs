//! Arguments of `Packing.save`, as the library takes them.

use jostle::io::{ExportOptions, Format};
use pyo3::{prelude::*, pybacked::PyBackedStr};

use super::errors::input;

/// The choices of an export. The Python files provide every item.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub struct Export {
    format: Option<PyBackedStr>,
    density: f64,
    scale: f64,
    origin: PyBackedStr,
    types: PyBackedStr,
    select: Option<PyBackedStr>,
    images: bool,
    repeat: [u64; 3],
    script: bool,
    bonds: Option<f64>,
    resolution: u64,
    shrink: f64,
    bridge: f64,
    cut: bool,
    voxel: Option<f64>,
    voxel_values: PyBackedStr,
}

impl Export {
    /// Returns the options of the library.
    pub fn options(&self) -> PyResult<ExportOptions> {
        let mut options = ExportOptions::default()
            .density(self.density)
            .scale(self.scale)
            .origin(self.origin.parse().map_err(input)?)
            .types(self.types.parse().map_err(input)?)
            .images(self.images)
            .repeat(self.repeat.map(narrow))
            .script(self.script)
            .resolution(narrow(self.resolution))
            .shrink(self.shrink)
            .bridge(self.bridge)
            .cut(self.cut);
        options.format = format(self.format.as_deref())?;
        if let Some(text) = &self.select {
            options = options.select(text.parse().map_err(input)?);
        }
        options.bonds = self.bonds;
        options.voxel = self.voxel;
        options.voxel_values = self.voxel_values.parse().map_err(input)?;
        Ok(options)
    }
}

/// Returns the format of this name.
pub fn format(name: Option<&str>) -> PyResult<Option<Format>> {
    name.map(str::parse).transpose().map_err(input)
}

/// Converts a number whose limit is far lower, which the library checks.
fn narrow(number: u64) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}
