//! The parts of the name of a file that tell its content.

use std::{ffi::OsStr, path::Path};

/// Extension of files that are compressed with gzip.
const GZIP: &str = "gz";

/// Returns whether a file of this name is compressed with gzip.
pub(super) fn is_compressed(path: &Path) -> bool {
    let extension = path.extension().and_then(OsStr::to_str);
    extension.is_some_and(|extension| extension.eq_ignore_ascii_case(GZIP))
}

/// Returns the extension that chooses the format, in lower case: that before `.gz`, if the name has both.
pub(super) fn format_extension(path: &Path) -> String {
    let extension = match path.file_stem() {
        Some(stem) if is_compressed(path) => Path::new(stem).extension(),
        _ => path.extension(),
    };
    let extension = extension.and_then(OsStr::to_str).unwrap_or("");
    extension.to_ascii_lowercase()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_choose_the_compression_and_the_format() {
        for (name, compressed, extension) in [
            ("p.csv.gz", true, "csv"),
            ("p.DUMP.GZ", true, "dump"),
            ("p.gz", true, ""),
            ("p.csv", false, "csv"),
            ("gz", false, ""),
        ] {
            let path = Path::new(name);
            assert_eq!(is_compressed(path), compressed, "{name}");
            assert_eq!(format_extension(path), extension, "{name}");
        }
    }
}
