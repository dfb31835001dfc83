//! The native format: a complete packing, with one sphere on each line.

use std::{
    borrow::Cow,
    fmt,
    io::{self, BufRead, Write},
};

use glam::DVec3;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, SeqAccess, Visitor},
};

use super::{
    constants::{JSON_FORMAT, JSON_SHAPES_VERSION, JSON_VERSION, MAX_QUOTED_NAMES, ROW_BUFFER},
    error::ReadError,
    export::{Scene, invalid},
    kinds::Kinds,
    read_options::{FileOrigin, ReadOptions},
    rows::{ReadPacking, not_used},
    text::write_numbers,
    version::Version,
};
use crate::{
    container::{Container, Solid},
    distribution::SizeReport,
    packing::{
        ContactForces, PackedComponent, Packing, PackingParts, Provenance, Supports, certify,
    },
    spheres::Spheres,
};

pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    if scene.low != DVec3::ZERO {
        return Err(invalid(
            "the format json has its origin at the low corner of the container; it cannot have another origin",
        ));
    }
    let packing = scene.packing;
    let is_whole = matches!(scene.spheres, Cow::Borrowed(_));
    // A certificate, and an account of sizes and run, are only true for the packing as it is.
    let new = (!is_whole).then(|| certify(&scene.spheres, &scene.container));
    let certificate = new.as_ref().unwrap_or(&packing.certificate);
    write!(out, "{{")?;
    field(out, "format", JSON_FORMAT)?;
    field(out, "version", &version(&packing.container))?;
    field(out, "unit", &packing.unit)?;
    field(out, "container", &*scene.container)?;
    if scene.fixed > 0 {
        field(out, "fixed", &scene.fixed)?;
    }
    if !packing.components.is_empty() {
        field(out, "components", &scene.components())?;
    }
    field(out, "certificate", certificate)?;
    if let Some(forces) = scene.forces() {
        field(out, "forces", &forces)?;
    }
    if is_whole && let (Some(supports), Some(stability)) = (&packing.supports, &packing.stability) {
        field(out, "supports", supports)?;
        field(out, "stability", stability)?;
    }
    field(out, "sizes", &packing.sizes.as_ref().filter(|_| is_whole))?;
    field(
        out,
        "provenance",
        &packing.provenance.as_ref().filter(|_| is_whole),
    )?;
    // Not by serde: each sphere needs its own line, and ten million spheres need no copy.
    write!(out, "\n\"spheres\":[")?;
    let mut rows = Vec::with_capacity(2 * ROW_BUFFER);
    for (i, (center, radius)) in scene.spheres.iter().enumerate() {
        rows.extend_from_slice(if i > 0 { b",\n[" } else { b"\n[" });
        write_numbers(&mut rows, b",", [center.x, center.y, center.z, radius])?;
        rows.push(b']');
        if rows.len() >= ROW_BUFFER {
            out.write_all(&rows)?;
            rows.clear();
        }
    }
    out.write_all(&rows)?;
    writeln!(out, "\n]}}")
}

/// Returns the oldest version whose readers understand a file with this container.
fn version(container: &Container) -> Version {
    if matches!(container.solid(), Solid::Box(_)) && container.bodies().is_empty() {
        JSON_VERSION
    } else {
        JSON_SHAPES_VERSION
    }
}

fn field<T: Serialize + ?Sized>(out: &mut dyn Write, name: &str, value: &T) -> io::Result<()> {
    write!(out, "\n\"{name}\":")?;
    serde_json::to_writer(&mut *out, value)?;
    write!(out, ",")
}

/// Fields that are written for other programs, and follow from the others.
const DERIVED: [&str; 3] = ["certificate", "container.volume", "stability"];

pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<ReadPacking, ReadError> {
    let corner = [FileOrigin::Corner, FileOrigin::LowCorner(DVec3::ZERO)];
    if (options.origin).is_some_and(|origin| !corner.contains(&origin)) {
        let what = "the format json has its origin at the low corner of the container; it cannot have another origin";
        return Err(ReadError::content(what));
    }
    let mut reader = serde_json::Deserializer::from_reader(input);
    let mut unused = Vec::new();
    let file = serde_ignored::deserialize(&mut reader, |path| {
        // Paths of a hostile file are not collected.
        if unused.len() <= MAX_QUOTED_NAMES {
            // The crate writes a question mark for an optional part.
            let path = path.to_string().replace(".?", "");
            unused.extend(Some(path).filter(|path| !DERIVED.contains(&path.as_str())));
        }
    });
    let file = file.and_then(|file| reader.end().map(|()| file));
    let file: ReadFile = file.map_err(read_error)?;
    let (mut centers, radii) = file.spheres.into_parts();
    for center in &mut centers {
        if !file.container.is_in_plane(*center) {
            let what = format!(
                "the center {center} is not in the plane of the flat container; its z must be 0"
            );
            return Err(ReadError::content(what));
        }
        *center = file.container.wrap(*center);
    }
    let parts = PackingParts {
        spheres: Spheres::new(centers, radii),
        fixed: file.fixed,
        components: file.components,
        forces: file.forces,
        supports: file.supports,
        container: file.container,
        sizes: file.sizes,
        provenance: file.provenance,
        unit: file.unit,
    };
    let names: Vec<&str> = unused.iter().map(String::as_str).collect();
    Ok(ReadPacking {
        packing: Packing::try_from(parts).map_err(|error| ReadError::content(error.to_string()))?,
        ids: None,
        unused: not_used("field", &names).into_iter().collect(),
        kinds: Kinds::default(),
    })
}

/// Moves the line from the text of the error, where the column remains.
fn read_error(error: serde_json::Error) -> ReadError {
    if error.is_io() {
        return ReadError::io(error.into());
    }
    let (line, column) = (error.line(), error.column());
    let text = error.to_string();
    match text.strip_suffix(&format!(" at line {line} column {column}")) {
        Some("missing field `format`") => {
            ReadError::content("this is not a packing of jostle: the field format is missing")
        }
        Some(text) => ReadError::at(line as u64, format!("{text} (column {column})")),
        None => ReadError::content(text),
    }
}

/// The fields that are read. Newer minor versions may have more fields, so unknown fields are named, here and in every part. The certificate is not read, because [`certify`] makes a new one.
#[derive(Deserialize)]
#[expect(dead_code, reason = "the format and the version are only checked")]
struct ReadFile {
    #[serde(deserialize_with = "known_format")]
    format: (),
    #[serde(deserialize_with = "known_version")]
    version: (),
    unit: String,
    container: Container,
    #[serde(default)]
    fixed: usize,
    #[serde(default)]
    components: Vec<PackedComponent>,
    forces: Option<ContactForces>,
    #[serde(default)]
    supports: Option<Supports>,
    sizes: Option<SizeReport>,
    provenance: Option<Provenance>,
    #[serde(deserialize_with = "rows")]
    spheres: Spheres,
}

fn known_format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        JSON_FORMAT => Ok(()),
        other => Err(D::Error::custom(format!(
            "the format is '{other}'; only {JSON_FORMAT} can be read"
        ))),
    }
}

fn known_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    let version = Version::deserialize(deserializer)?;
    if [JSON_VERSION.major, JSON_SHAPES_VERSION.major].contains(&version.major) {
        return Ok(());
    }
    Err(D::Error::custom(format!(
        "the file has version {version} of the format {JSON_FORMAT}; this program reads versions {JSON_VERSION} \
         and {JSON_SHAPES_VERSION}, and other minor versions of them"
    )))
}

fn rows<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Spheres, D::Error> {
    struct Rows;

    impl<'de> Visitor<'de> for Rows {
        type Value = Spheres;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an array of spheres [x, y, z, radius]")
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut rows: A) -> Result<Self::Value, A::Error> {
            let (mut centers, mut radii) = (Vec::new(), Vec::new());
            while let Some([x, y, z, radius]) = rows.next_element::<[f64; 4]>()? {
                if radius <= 0.0 {
                    let sphere = radii.len();
                    return Err(A::Error::custom(format!(
                        "the radius of sphere {sphere} is {radius}; it must be positive"
                    )));
                }
                centers.push(DVec3::new(x, y, z));
                radii.push(radius);
            }
            Ok(Spheres::new(centers, radii))
        }
    }

    deserializer.deserialize_seq(Rows)
}
