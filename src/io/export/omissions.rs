//! The parts of a packing that a format cannot hold.

use super::scene::Scene;
use crate::{container::Boundaries, io::format::Format};

/// A part of a packing that some formats cannot hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The lengths of the container.
    Container,
    /// Which axes are periodic.
    Periodicity,
    /// The bodies in the container.
    Bodies,
    /// The radii.
    Radii,
    /// The centres.
    Centers,
    /// The types of the spheres.
    Types,
    /// The marks of fixed spheres.
    Fixed,
    /// The density of the spheres.
    Density,
    /// Numbers with 64 bits.
    Precision,
}

use Part::{Bodies, Centers, Container, Density, Fixed, Periodicity, Precision, Radii, Types};

impl Part {
    /// Returns the words of a warning.
    fn words(self) -> &'static str {
        match self {
            Container => "the container",
            Periodicity => "the periodicity",
            Bodies => "the bodies that keep spheres out",
            Radii => "the radii",
            Centers => "the centres",
            Types => "the types",
            Fixed => "which spheres are fixed",
            Density => "the density",
            Precision => {
                "64-bit numbers, so a radius is smaller by a unit in the last place where rounding would cause overlap"
            }
        }
    }
}

/// Returns the parts that files of a format lack, whatever the packing.
fn lacking(format: Format) -> &'static [Part] {
    match format {
        Format::Json => &[Types, Density],
        Format::Npz | Format::Xyz => &[Density],
        #[cfg(feature = "parquet")]
        Format::Parquet | Format::Arrow => &[Density],
        Format::Csv | Format::Tsv | Format::Vtp | Format::Vtu => &[Container, Periodicity, Density],
        Format::Npy => &[Container, Periodicity, Radii, Types, Density],
        Format::LammpsData | Format::Liggghts => &[Periodicity],
        Format::LammpsDump | Format::GenGeo => &[Density],
        Format::Yade | Format::YadeExt | Format::Neper | Format::Xyzd => {
            &[Container, Periodicity, Types, Density]
        }
        Format::Mercury => &[Periodicity, Density],
        Format::Mfix => &[Container, Periodicity, Types],
        Format::MfixExa => &[Container, Periodicity],
        Format::Lethe => &[Container, Periodicity, Types, Density],
        Format::PhasicFlow | Format::NeperCenters => {
            &[Container, Periodicity, Radii, Types, Density]
        }
        Format::Pfc | Format::Musen => &[Types, Density],
        Format::Gsd => &[Periodicity, Density, Precision],
        Format::Ply | Format::Pov => &[Container, Periodicity, Density],
        Format::Glb => &[Container, Periodicity, Types, Density, Precision],
        Format::Stl | Format::Obj => &[Container, Periodicity, Types, Density],
        Format::Gmsh => &[Types, Density],
        Format::VoxelNpy => &[Container, Periodicity, Density],
        Format::Tif => &[Container, Periodicity, Density],
        Format::Vti | Format::Raw => &[Periodicity, Density],
        Format::NeperRadii => &[Container, Periodicity, Centers, Types, Density],
    }
}

/// Returns one sentence about the parts of a scene that a format cannot hold; `None` if it holds all of them.
pub(in crate::io) fn omissions(format: Format, scene: &Scene) -> Option<String> {
    let boundary = scene.container.boundary();
    let matters = |part: Part| match part {
        // YADE's rows can begin with the cell of a periodic container, and GSD's boxes are periodic.
        Container => !(format == Format::Yade && scene.is_periodic()),
        Periodicity => match format {
            Format::Yade | Format::Gsd => boundary != Boundaries::PERIODIC,
            _ => boundary != Boundaries::WALLS,
        },
        Bodies => !(format.holds_shapes() || scene.container.bodies().is_empty()),
        Types => scene.has_chosen_types,
        Fixed => scene.fixed > 0,
        Density => scene.density != 1.0,
        Radii | Centers | Precision => true,
    };
    let lacking = lacking(format);
    // Fixed spheres have a type of their own, and JSON has their number.
    let has_no_marks = lacking.contains(&Types) && format != Format::Json;
    let parts: Vec<&str> = lacking
        .iter()
        .chain(has_no_marks.then_some(&Fixed))
        .chain([&Bodies])
        .filter(|&&part| matters(part))
        .map(|part| part.words())
        .collect();
    let (last, others) = parts.split_last()?;
    let list = match others {
        [] => (*last).to_owned(),
        _ => format!("{} and {last}", others.join(", ")),
    };
    Some(format!("the format {format} does not hold {list}"))
}
