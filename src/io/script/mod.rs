//! Short input scripts with which a target program starts from a packing.
//!
//! The material is a placeholder: stiff enough for small overlaps under gravity, with a stable time step.

mod lammps;
mod liggghts;
mod material;
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
pub(super) type Write = fn(&Scene, &str) -> String;

/// Returns whether a script exists for a format.
pub(super) fn exists(format: Format) -> bool {
    SCRIPTS.iter().any(|(found, ..)| *found == format)
}

/// Returns the path of the script beside a file, and the function that writes the script.
///
/// # Errors
/// When no script exists for the format, and when the file is the script.
pub(super) fn path_beside(format: Format, file: &Path) -> io::Result<(PathBuf, Write)> {
    let Some((_, extension, write)) = SCRIPTS.into_iter().find(|(found, ..)| *found == format)
    else {
        let formats = names(SCRIPTS.into_iter().map(|(format, ..)| format));
        return Err(invalid(format!(
            "no script exists for the format {format}; scripts exist for {formats}"
        )));
    };
    let path = file.with_extension(extension);
    if path == file {
        return Err(invalid(format!(
            "the script would have the name of the file; its extension must not be .{extension}"
        )));
    }
    Ok((path, write))
}

/// Returns the path and the text of the script beside a file.
///
/// # Errors
/// The errors of [`path_beside`], and when a script cannot quote the name of the file, when copies of spheres would cross the walls of
/// the script, and when the target program refuses the spheres.
pub(super) fn beside(
    scene: &Scene,
    format: Format,
    file: &Path,
    options: &ExportOptions,
) -> io::Result<(PathBuf, String)> {
    let (path, write) = path_beside(format, file)?;
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
    let name = file.file_name().and_then(|name| name.to_str());
    let name = name.filter(|name| is_quotable(name)).ok_or_else(|| {
        invalid(
            "the script of a file cannot quote its name; the name may have letters, digits, blanks and signs other than quotes, $, `, \\, & and brackets",
        )
    })?;
    Ok((path, write(scene, name)))
}

/// Returns whether a name between quotes means itself in the scripts of all target programs.
///
/// Neper parses the name a second time, after the shell. LAMMPS and LIGGGHTS have no escapes.
fn is_quotable(name: &str) -> bool {
    let is_special = |c: char| c.is_control() || "'\"$`\\&(){}[]<>|;*?!#,".contains(c);
    !name.contains(is_special)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_that_a_script_could_execute_are_not_quoted() {
        for name in ["a.data", "my file-2.data", "Körner.txt"] {
            assert!(is_quotable(name), "{name}");
        }
        for name in [
            "a'b", "a\"b", "$(id)", "`id`", "a\nb", "a\\b", "a&", "a#b", "a)b",
        ] {
            assert!(!is_quotable(name), "{name}");
        }
    }
}
