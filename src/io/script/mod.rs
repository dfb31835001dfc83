//! Short input scripts with which a target program starts from a packing.
//!
//! The material is a placeholder: stiff enough for small overlaps under gravity, with a stable time step.

mod lammps;
mod liggghts;
mod material;
mod note;
mod others;
mod yade;

use std::{
    io,
    path::{Path, PathBuf},
};

use super::{
    export::{ExportOptions, Scene, invalid},
    format::{Format, names},
};

/// The formats with scripts, and the extensions of the scripts.
const SCRIPTS: [(Format, &str, Write); 7] = [
    (Format::LammpsData, "in", lammps::script),
    (Format::Liggghts, "in", liggghts::script),
    (Format::Yade, "py", yade::script),
    (Format::GenGeo, "py", yade::gengeo_script),
    (Format::Gsd, "py", others::hoomd),
    (Format::Npy, "py", others::openmc),
    (Format::Neper, "sh", others::neper),
];

/// The formats whose scripts have walls.
const WALLED: [Format; 4] = [
    Format::LammpsData,
    Format::Liggghts,
    Format::Yade,
    Format::GenGeo,
];

/// Returns the text of the script for a file of this name.
type Write = fn(&Scene, &str) -> String;

/// Returns the path and the text of the script beside a file.
///
/// # Errors
/// When no script exists for the format, when the file is the script, when copies of spheres would cross the walls of the
/// script, and when the target program refuses the spheres.
pub(super) fn beside(
    scene: &Scene,
    format: Format,
    file: &Path,
    options: &ExportOptions,
) -> io::Result<(PathBuf, String)> {
    let Some((_, extension, write)) = SCRIPTS.into_iter().find(|(found, ..)| *found == format)
    else {
        let formats = names(SCRIPTS.into_iter().map(|(format, ..)| format));
        return Err(invalid(format!(
            "no script exists for the format {format}; scripts exist for {formats}"
        )));
    };
    if options.images && WALLED.contains(&format) {
        return Err(invalid(
            "images of spheres would cross the walls of the script; a script needs a packing without images",
        ));
    }
    if format == Format::Yade && !yade::has_room(scene) {
        return Err(invalid(
            "YADE refuses spheres that are wider than half of the periodic cell; copies of the container (repeat) make the cell wider",
        ));
    }
    let path = file.with_extension(extension);
    if path == file {
        return Err(invalid(format!(
            "the script would have the name of the file; its extension must not be .{extension}"
        )));
    }
    let name = file.file_name().unwrap_or_default().to_string_lossy();
    Ok((path, write(scene, &name)))
}
