//! The file that a command reads, with facts about its container.

use std::path::PathBuf;

use anyhow::{Context, Result, anyhow, ensure};
use clap::Args;
use jostle::{
    Boundaries, Container, ContainerHint, Format, ReadError, ReadPacking, read_packing,
    read_packing_as,
};

use super::values::BoxLengths;

/// A file with a packing.
#[derive(Args)]
pub struct Input {
    /// File to read; its extension names the format. docs/formats.md lists the formats
    pub file: PathBuf,

    /// Read the file in this format [default: the format of the extension]
    #[arg(long, value_name = "FORMAT")]
    from: Option<Format>,

    /// Lengths of the container in the unit of the file, for files that do not state them, such as .csv
    #[arg(long = "box", value_name = "L|Lx,Ly,Lz", allow_hyphen_values = true)]
    lengths: Option<BoxLengths>,

    /// Boundary of the x, y and z axis, periodic (p) or wall (w), for files that do not state it, such as .data (LAMMPS).
    /// With --box: [default: ppp]
    #[arg(long, value_name = "ppp|www|ppw…")]
    boundary: Option<Boundaries>,
}

impl Input {
    /// Reads and certifies the packing.
    pub fn read(&self) -> Result<ReadPacking> {
        let hint = self.hint()?;
        let read = match self.from {
            Some(format) => read_packing_as(&self.file, format, hint),
            None => read_packing(&self.file, hint),
        };
        let read = read.map_err(explain)?;
        let container = &read.packing.container;
        let agrees = self
            .lengths
            .is_none_or(|BoxLengths(lengths)| lengths == container.lengths())
            && self
                .boundary
                .is_none_or(|boundary| boundary == container.boundary());
        ensure!(
            agrees,
            "'{}' states its container (--box {} --boundary {}); --box and --boundary must agree with it or be left out",
            self.file.display(),
            container
                .lengths()
                .to_array()
                .map(|length| length.to_string())
                .join(","),
            container.boundary(),
        );
        Ok(read)
    }

    fn hint(&self) -> Result<Option<ContainerHint>> {
        Ok(match (self.lengths, self.boundary) {
            (None, boundary) => boundary.map(ContainerHint::Boundary),
            (Some(BoxLengths(lengths)), boundary) => {
                Some(Container::cuboid(lengths, boundary.unwrap_or_default())?.into())
            }
        })
    }
}

/// Names the arguments that give missing facts.
fn explain(error: ReadError) -> anyhow::Error {
    match &error {
        ReadError::NoContainer { .. } => anyhow!("{error} with --box Lx,Ly,Lz and --boundary"),
        ReadError::NoBoundary { .. } => {
            anyhow!("{error} with --boundary, such as --boundary ppp for a periodic container")
        }
        ReadError::Format(unknown) if !unknown.candidates().is_empty() => {
            anyhow!("{error}; choose it with --from")
        }
        _ => error.into(),
    }
}

/// Starts the threads on which a command reads and analyses; 0 means one for each core. Threads that rayon starts by itself
/// panic if the system refuses them.
pub fn start_threads(threads: usize) -> Result<()> {
    rayon::ThreadPoolBuilder::new()
        .num_threads(threads)
        .build_global()
        .context("cannot start threads")
}
