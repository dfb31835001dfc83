//! The native format: all of a packing, one sphere on each line.

use std::{
    fmt,
    io::{self, BufRead, Write},
};

use glam::DVec3;
use serde::{
    Deserialize, Deserializer, Serialize,
    de::{Error, SeqAccess, Visitor},
};

use super::{Found, Problem, bare_packing, rows::write_numbers};
use crate::{
    container::{Boundaries, Container},
    distribution::SizeReport,
    packing::{Certificate, ClosestPair, Packing, Provenance},
    spheres::Spheres,
};

const FORMAT: &str = "jostle-packing";
const VERSION: u32 = 1;

pub(super) fn write(packing: &Packing, out: &mut dyn Write) -> io::Result<()> {
    write!(out, "{{")?;
    field(out, "format", FORMAT)?;
    field(out, "version", &VERSION)?;
    field(out, "unit", &packing.unit)?;
    field(out, "container", &packing.container)?;
    field(
        out,
        "certificate",
        &WrittenCertificate::from(packing.certificate),
    )?;
    field(out, "sizes", &packing.sizes)?;
    field(out, "provenance", &packing.provenance)?;
    // By hand, so that ten million spheres need no second copy and each has a line of its own.
    write!(out, "\n\"spheres\":[")?;
    for (i, (center, radius)) in packing.spheres.iter().enumerate() {
        write!(out, "{}", if i > 0 { ",\n[" } else { "\n[" })?;
        write_numbers(out, b",", [center.x, center.y, center.z, radius])?;
        write!(out, "]")?;
    }
    writeln!(out, "\n]}}")
}

fn field<T: Serialize + ?Sized>(out: &mut dyn Write, name: &str, value: &T) -> io::Result<()> {
    write!(out, "\n\"{name}\":")?;
    serde_json::to_writer(&mut *out, value)?;
    write!(out, ",")
}

pub(super) fn read(input: impl BufRead) -> Result<Found, Problem> {
    let Written {
        unit,
        container: WrittenContainer(container),
        sizes,
        provenance,
        spheres: WrittenSpheres { mut centers, radii },
        ..
    } = serde_json::from_reader(input).map_err(|error| Problem::new(error.to_string()))?;
    for center in &mut centers {
        *center = container.wrap(*center);
    }
    Ok(Found {
        packing: Packing {
            sizes,
            provenance,
            unit,
            ..bare_packing(Spheres::new(centers, radii), container)
        },
        ids: None,
    })
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "some fields are only checked")]
struct Written {
    #[serde(deserialize_with = "known_format")]
    format: (),
    #[serde(deserialize_with = "known_version")]
    version: (),
    unit: String,
    container: WrittenContainer,
    certificate: WrittenCertificate,
    sizes: Option<SizeReport>,
    provenance: Option<Provenance>,
    spheres: WrittenSpheres,
}

fn known_format<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    match String::deserialize(deserializer)?.as_str() {
        FORMAT => Ok(()),
        other => Err(D::Error::custom(format!(
            "the format is '{other}'; only {FORMAT} can be read"
        ))),
    }
}

fn known_version<'de, D: Deserializer<'de>>(deserializer: D) -> Result<(), D::Error> {
    match u32::deserialize(deserializer)? {
        VERSION => Ok(()),
        other => Err(D::Error::custom(format!(
            "the version of the format is {other}; only {VERSION} can be read"
        ))),
    }
}

struct WrittenContainer(Container);

impl<'de> Deserialize<'de> for WrittenContainer {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        #[derive(Deserialize)]
        #[serde(deny_unknown_fields)]
        struct Fields {
            lengths: DVec3,
            boundary: Boundaries,
        }
        let Fields { lengths, boundary } = Fields::deserialize(deserializer)?;
        Container::new(lengths, boundary)
            .map(Self)
            .map_err(D::Error::custom)
    }
}

/// A [`Certificate`] whose infinite gap is `null`.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WrittenCertificate {
    max_overlap: f64,
    min_gap: Option<f64>,
    closest: Option<ClosestPair>,
}

impl From<Certificate> for WrittenCertificate {
    fn from(certificate: Certificate) -> Self {
        Self {
            max_overlap: certificate.max_overlap,
            min_gap: Some(certificate.min_gap).filter(|gap| gap.is_finite()),
            closest: certificate.closest,
        }
    }
}

struct WrittenSpheres {
    centers: Vec<DVec3>,
    radii: Vec<f64>,
}

impl<'de> Deserialize<'de> for WrittenSpheres {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Rows;

        impl<'de> Visitor<'de> for Rows {
            type Value = WrittenSpheres;

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
                Ok(WrittenSpheres { centers, radii })
            }
        }

        deserializer.deserialize_seq(Rows)
    }
}
