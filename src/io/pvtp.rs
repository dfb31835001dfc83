//! VTK PolyData in several files, the pieces, and a file that refers to them.

use std::{
    collections::HashSet,
    fs,
    io::{self, BufReader, Write},
    path::{Component, Path, PathBuf},
};

use super::{
    data_set::DataSet,
    error::ReadError,
    export::{Scene, name_in_file},
    read_options::ReadOptions,
    regular::open_inside,
    rows::Rows,
    vtk_points, vtk_reader, vtp, xml,
};

/// The data whose pieces are read: those of `.pvtp` and of `.pvtu` files.
const KINDS: [&str; 2] = ["PPolyData", "PUnstructuredGrid"];

/// Message about a file without a path.
pub(super) const NEEDS_PATH: &str = "a file of the format pvtp refers to other files; it can be written to and read from a path only";

/// Writes the file that refers to the pieces in `directory`.
pub(super) fn write(
    scene: &Scene,
    directory: &Path,
    pieces: usize,
    out: &mut dyn Write,
) -> io::Result<()> {
    let folder = name_in_file(directory.file_name())?;
    let pieces = (0..pieces).map(|piece| {
        let name = DataSet::Pieces.part(directory, piece);
        format!("{folder}/{name}")
    });
    vtp::write_index(scene, pieces, out)
}

/// Reads the spheres of some pieces of a file, in their order.
pub(super) fn read(
    path: &Path,
    pieces: &[PathBuf],
    options: &ReadOptions,
) -> Result<Rows, ReadError> {
    let mut rows = vtk_points::rows(options)?;
    for piece in pieces {
        let folder = path.parent().unwrap_or(Path::new(""));
        let file = open_inside(folder, piece).map_err(|error| {
            let what = format!("the piece '{}' cannot be read: {error}", piece.display());
            ReadError::content(what)
        })?;
        let read = vtk_reader::add(BufReader::new(file), &mut rows, options);
        read.map_err(|error| error.in_file(&folder.join(piece)))?;
    }
    Ok(rows)
}

/// Returns the paths of the pieces of a file, relative to its directory. Each piece has spheres of its own.
pub(super) fn pieces(path: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let text = fs::read_to_string(path).map_err(ReadError::io)?;
    let document = xml::parse(&text)?;
    let root = document.root_element();
    let kind = root.attribute("type").unwrap_or("");
    if root.tag_name().name() != "VTKFile" || !KINDS.contains(&kind) {
        let what = format!(
            "the file holds '{kind}'; only {} can be read",
            KINDS.join(" and ")
        );
        return Err(ReadError::content(what));
    }
    let pieces = root.descendants().filter(|node| node.has_tag_name("Piece"));
    let mut known = HashSet::new();
    pieces
        .map(|piece| {
            let source = PathBuf::from(piece.attribute("Source").unwrap_or(""));
            let is_below = |part: Component| matches!(part, Component::Normal(_) | Component::CurDir);
            if source.file_name().is_none() || !source.components().all(is_below) {
                let what = format!(
                    "the piece '{}' is no relative path to a file in or below the directory of the file",
                    source.display()
                );
                return Err(ReadError::content(what));
            }
            let is_name = |part: &Component| matches!(part, Component::Normal(_));
            if !known.insert(source.components().filter(is_name).collect::<PathBuf>()) {
                let what = format!(
                    "the file names the piece '{}' twice; each piece must be named once",
                    source.display()
                );
                return Err(ReadError::content(what));
            }
            Ok(source)
        })
        .collect()
}
