//! `.xyzd`: x, y, z and diameter of each sphere as little-endian f64, and nothing else.

use std::io::{self, BufRead, Write};

use glam::DVec3;

use super::{
    columns_by_name::Columns, error::ReadError, export::Scene, read_options::ReadOptions,
    rows::Rows,
};

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    for (center, radius) in scene.spheres.iter() {
        let numbers = [center.x, center.y, center.z, 2.0 * radius].map(f64::to_le_bytes);
        out.write_all(numbers.as_flattened())?;
    }
    Ok(())
}

pub(super) fn read(mut input: impl BufRead, options: &ReadOptions) -> Result<Rows, ReadError> {
    let container = options.required_container("an .xyzd file does not hold the container")?;
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(ReadError::io)?;
    let (spheres, rest) = bytes.as_chunks::<32>();
    if !rest.is_empty() {
        let what = format!(
            "the file has {} bytes; it must have 32 for each sphere",
            bytes.len()
        );
        return Err(ReadError::content(what));
    }
    let mut rows = Rows::new(Columns::NONE, DVec3::ZERO, container, options);
    for sphere in spheres {
        let (numbers, _) = sphere.as_chunks::<8>();
        let [x, y, z, diameter] = [0, 1, 2, 3].map(|i| f64::from_le_bytes(numbers[i]));
        rows.push_binary(DVec3::new(x, y, z), 0.5 * diameter, None)?;
    }
    Ok(rows)
}
