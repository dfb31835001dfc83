//! The parts of a packing that a format cannot hold.

use super::scene::Scene;
use crate::{
    container::{Boundaries, Solid},
    io::format::Format,
};

/// A part of a packing that some formats cannot hold.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The lengths of the container.
    Lengths,
    /// The shape of a container that is no box.
    Shape,
    /// The bodies in the container.
    Bodies,
    /// Which axes are periodic.
    Periodicity,
    /// The radii.
    Radii,
    /// The centers.
    Centers,
    /// The types of the spheres.
    Types,
    /// The marks of fixed spheres.
    Fixed,
    /// The labels of the components.
    Labels,
    /// The density of the spheres.
    Density,
    /// Radii with 64 bits.
    Precision,
    /// Coordinates with 64 bits.
    Digits,
}

use Part::{
    Bodies, Centers, Density, Digits, Fixed, Labels, Lengths, Periodicity, Precision, Radii, Shape,
    Types,
};

impl Part {
    /// Returns the words of a warning about the file of a scene.
    fn words(self, scene: &Scene) -> String {
        let container = &scene.container;
        let words = match self {
            Labels => {
                let components = scene.packing.components.iter();
                let labels: Vec<&str> = components.map(|it| it.label.as_str()).collect();
                return format!(
                    "the labels of the components (the types are, in this order, {})",
                    labels.join(", ")
                );
            }
            Shape => {
                let shape = container.solid().name();
                return format!("the shape of the {shape} (only its bounding box)");
            }
            Lengths => "the container",
            Bodies => "the bodies that keep spheres out",
            Periodicity if container.boundary() == Boundaries::WALLS => "the walls",
            Periodicity => "the periodicity",
            Radii => "the radii",
            Centers => "the centers",
            Types => "the types",
            Fixed => "which spheres are fixed",
            Density => "the density",
            Precision => {
                "64-bit numbers, so a radius is smaller by a unit in the last place where rounding would cause overlap"
            }
            Digits => "64-bit numbers",
        };
        words.to_owned()
    }
}

/// Returns the parts that files of a format lack, whatever the packing.
fn lacking(format: Format) -> &'static [Part] {
    match format {
        Format::Json | Format::Pfc | Format::Musen | Format::Gmsh => &[Types, Density],
        Format::Npz | Format::Xyz | Format::LammpsDump | Format::GenGeo => &[Density],
        #[cfg(feature = "parquet")]
        Format::Parquet | Format::Arrow => &[Density],
        Format::Csv
        | Format::Tsv
        | Format::Vtp
        | Format::Pvtp
        | Format::Vtu
        | Format::Vtk
        | Format::DemEngine => &[Lengths, Periodicity, Density],
        Format::Npy => &[Lengths, Periodicity, Radii, Types, Density],
        Format::LammpsData | Format::Liggghts => &[Periodicity],
        Format::Yade | Format::YadeExt | Format::Neper | Format::Voro | Format::Xyzd => {
            &[Lengths, Periodicity, Types, Density]
        }
        Format::Mercury | Format::Vti | Format::Raw | Format::Dxf => &[Periodicity, Density],
        Format::Mfix => &[Lengths, Periodicity, Types],
        Format::MfixExa | Format::Abaqus => &[Lengths, Periodicity],
        Format::Lethe | Format::Obj | Format::Step => &[Lengths, Periodicity, Types, Density],
        Format::PhasicFlow | Format::NeperCenters => &[Lengths, Periodicity, Radii, Types, Density],
        Format::Gsd => &[Periodicity, Density, Precision],
        Format::Ply | Format::Pov | Format::VoxelNpy | Format::Tif | Format::Png => {
            &[Lengths, Periodicity, Density]
        }
        Format::Glb => &[Lengths, Periodicity, Types, Density, Precision],
        Format::Stl => &[Lengths, Periodicity, Types, Density, Digits],
        Format::NeperRadii => &[Lengths, Periodicity, Centers, Types, Density],
    }
}

/// Returns the parts of a scene that files of a format lack.
fn lacking_of(format: Format, scene: &Scene) -> Vec<Part> {
    let (container, lacking) = (&scene.container, lacking(format));
    let boundary = container.boundary();
    // YADE's rows can begin with the cell of a periodic container.
    let has_cell = format == Format::Yade && scene.is_periodic();
    let holds_lengths = has_cell || !lacking.contains(&Lengths);
    let is_lacking = |part: &Part| match part {
        Lengths => !holds_lengths,
        Periodicity => match format {
            // GSD's boxes are periodic.
            Format::Gsd => boundary != Boundaries::PERIODIC,
            _ if has_cell => false,
            _ => boundary != Boundaries::WALLS,
        },
        // These formats have the labels instead.
        Types if format.holds_labels() && scene.has_labels => false,
        Types => scene.has_chosen_types,
        Density if format == Format::Json => scene.density != 1.0,
        Density => scene.density != 1.0 || scene.has_component_densities(),
        _ => true,
    };
    let has_box_only = holds_lengths && !format.holds_shapes();
    let shape = (has_box_only && !format.knows(container.solid())).then_some(Shape);
    let bodies = (has_box_only && !container.bodies().is_empty()).then_some(Bodies);
    // Fixed spheres have a type of their own, and JSON has their number.
    let has_no_marks = lacking.contains(&Types) && format != Format::Json;
    let fixed = (has_no_marks && scene.has_fixed).then_some(Fixed);
    // A label that is the number of its type says nothing more.
    let mut labels = (1..).zip(scene.packing.components());
    let has_names =
        scene.has_labels && labels.any(|(number, own): (u32, _)| own.label != number.to_string());
    let has_numbers_only = has_names && !lacking.contains(&Types) && !format.holds_labels();
    let labels = has_numbers_only.then_some(Labels);
    let others = lacking.iter().copied().filter(is_lacking);
    (shape.into_iter().chain(bodies))
        .chain(others)
        .chain(labels)
        .chain(fixed)
        .collect()
}

impl Format {
    /// Returns whether files of this format hold a container of this shape, without bodies.
    fn knows(self, solid: &Solid) -> bool {
        match solid {
            Solid::Box(_) | Solid::Rectangle(_) => true,
            #[cfg(feature = "mesh")]
            Solid::Mesh(_) => false,
            Solid::Outline(_) => false,
            _ => self == Self::Gmsh,
        }
    }
}

/// Returns one sentence about the parts of a scene that a format cannot hold; `None` if it holds all of them, or all but the lengths and the
/// periodicity of a box, which no file of such a format holds.
pub(in crate::io) fn omissions(format: Format, scene: &Scene) -> Option<String> {
    let lacking = lacking_of(format, scene);
    let is_usual = |part: &Part| matches!(part, Lengths | Periodicity);
    if scene.container.is_bounding_box() && lacking.iter().all(is_usual) {
        return None;
    }
    let parts: Vec<String> = (lacking.iter()).map(|part| part.words(scene)).collect();
    let (last, others) = parts.split_last()?;
    let list = match others {
        [] => last.clone(),
        _ => format!("{} and {last}", others.join(", ")),
    };
    let has_more = !(scene.container.is_bounding_box() || format.holds_shapes());
    let advice = if has_more {
        "; json holds the whole container"
    } else {
        ""
    };
    Some(format!("the format {format} does not hold {list}{advice}"))
}
