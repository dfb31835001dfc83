//! Packings as files that several ranks write together.

use std::{
    fs::File,
    io::{self, BufWriter, Write},
    path::{Path, PathBuf},
};

use super::{
    constants::WRITE_BUFFER,
    data_set::DataSet,
    error::{WriteError, in_file},
    export::{ExportOptions, Part, Scene, Types},
    format::Format,
    gzip,
    staged::{Staged, StagedDirectory, StagedFile, write_out},
    write::{add_new, format_of, options_for, stage, stage_index, warnings, write_scene},
};
use crate::{
    machine::{communicator::WriteAt, ranks::Ranks},
    packing::Packing,
};

/// Writes the shares of several ranks to files, of which `first` is the first one. Returns the sentences on the first rank.
pub(super) fn export_shares(
    packing: &Packing,
    first: &Path,
    paths: &[impl AsRef<Path>],
    options: &ExportOptions,
) -> Result<Vec<String>, WriteError> {
    let ranks = &options.ranks;
    let format_and_options = |path: &Path| {
        let own = options_for(path, paths, options);
        Ok((format_of(path, options)?, own))
    };
    let choices = paths
        .iter()
        .map(|path| format_and_options(path.as_ref()))
        .collect::<Result<Vec<(Format, ExportOptions)>, WriteError>>()?;
    let needs_all = choices
        .iter()
        .any(|(format, own)| Division::of(*format, own) == Division::None);
    let all = needs_all.then(|| packing.on_first_rank(ranks));
    let scenes = || {
        let part = Part {
            first: ranks.before(packing.spheres.len()),
            total: ranks.total(packing.spheres.len()),
            has_fixed: ranks.any(packing.fixed > 0),
        };
        let part = Scene::of_part(packing, options, part);
        let all = all.as_ref().filter(|_| ranks.is_first());
        let all = all.map(|all| Scene::new(all, options)).transpose();
        Ok((part?, all?))
    };
    let (part, all) = agreed(ranks, in_file(first, scenes()))?;
    let mut files = Vec::new();
    let mut sentences = Vec::new();
    for (path, (format, options)) in paths.iter().zip(&choices) {
        let (path, format) = (path.as_ref(), *format);
        let (scene, staged) = match (Division::of(format, options), &all) {
            (Division::Rows, _) => (&part, stage_rows(&part, format, path, options)),
            (Division::Files(set), _) => (&part, stage_files(&part, set, path, ranks)),
            (Division::None, Some(all)) => (all, stage(all, format, path, options)),
            (Division::None, None) => (&part, Ok(Vec::new())),
        };
        files.extend(agreed(ranks, staged)?);
        add_new(&mut sentences, warnings(scene, format));
    }
    let published = files.into_iter().try_for_each(Staged::publish);
    agreed(ranks, published)?;
    Ok(sentences)
}

/// The division of an output among the ranks.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Division {
    /// Each rank writes its rows to one file, the first one also the head.
    Rows,
    /// Each rank writes a file of its own.
    Files(DataSet),
    /// The first rank writes everything.
    None,
}

impl Division {
    fn of(format: Format, options: &ExportOptions) -> Self {
        let of_one_sphere = [Types::One, Types::Components].contains(&options.types);
        let keeps_spheres = options.keeps_spheres() && of_one_sphere;
        if !keeps_spheres || options.script {
            return Self::None;
        }
        match format {
            Format::Csv
            | Format::Tsv
            | Format::Xyz
            | Format::LammpsData
            | Format::Liggghts
            | Format::LammpsDump
            | Format::Xyzd => Self::Rows,
            Format::Pvtp => Self::Files(DataSet::Pieces),
            #[cfg(feature = "parquet")]
            Format::Parquet => Self::Files(DataSet::Parquet),
            _ => Self::None,
        }
    }
}

/// Writes the rows of this rank to a file under a temporary name. The first rank returns the file.
fn stage_rows(
    part: &Scene,
    format: Format,
    path: &Path,
    options: &ExportOptions,
) -> Result<Vec<Staged>, WriteError> {
    let file = SharedFile::create(path, &options.ranks)?;
    file.write(&options.ranks, |out| {
        // The parts of a compressed file are compressed one by one.
        gzip::write_as(path, out, |out| write_scene(part, format, options, out))
    })?;
    Ok(file.staged.into_iter().map(Staged::File).collect())
}

/// Writes the file of this rank in a directory under a temporary name. The first rank returns the directory, and the file that refers to
/// the files in it if there is one.
fn stage_files(
    part: &Scene,
    set: DataSet,
    path: &Path,
    ranks: &Ranks,
) -> Result<Vec<Staged>, WriteError> {
    let directory = in_file(path, set.directory(path))?;
    let (staged, temporary) = created_by_first(path, ranks, || {
        let staged = StagedDirectory::create(path, set)?;
        let temporary = staged.temporary_path().to_owned();
        Ok((staged, temporary))
    })?;
    let write_part = || {
        let file = temporary.join(set.part(&directory, ranks.rank()));
        write_out(&mut File::create(file)?, |out| set.write(part, out))
    };
    // The first rank must not remove the directory before all ranks have finished with it.
    agreed(ranks, in_file(path, write_part()))?;
    let Some(staged) = staged else {
        return Ok(Vec::new());
    };
    let mut files = vec![Staged::Directory(staged)];
    if set == DataSet::Pieces {
        let index = stage_index(part, path, &directory, ranks.ranks())?;
        files.push(Staged::File(index));
    }
    Ok(files)
}

/// Creates a temporary file or directory on the first rank, and tells all ranks its name.
///
/// # Errors
/// When the first rank cannot create it, on all ranks.
fn created_by_first<T>(
    path: &Path,
    ranks: &Ranks,
    create: impl FnOnce() -> Result<(T, PathBuf), WriteError>,
) -> Result<(Option<T>, PathBuf), WriteError> {
    let create = || {
        let (staged, temporary) = create()?;
        let name = in_file(path, std::path::absolute(temporary))?;
        let name = name.to_str().ok_or(io::ErrorKind::InvalidFilename.into());
        let name = in_file(path, name)?.to_owned();
        Ok((staged, name))
    };
    let created = (ranks.is_first()).then(create).transpose();
    let (staged, name) = agreed(ranks, created)?.unzip();
    let names = ranks.all_gather(name.unwrap_or_default().as_bytes());
    let name = String::from_utf8_lossy(&names[0]).into_owned();
    Ok((staged, name.into()))
}

/// A temporary file that all ranks write together. The first rank publishes or removes it.
pub(super) struct SharedFile {
    /// The file on the first rank.
    pub staged: Option<StagedFile>,
    /// The later name.
    path: PathBuf,
    temporary: PathBuf,
}

impl SharedFile {
    /// Creates the file on the first rank, and tells all ranks its name.
    ///
    /// # Errors
    /// When the first rank cannot create the file, on all ranks.
    pub fn create(path: &Path, ranks: &Ranks) -> Result<Self, WriteError> {
        let (staged, temporary) = created_by_first(path, ranks, || {
            let file = StagedFile::create(path)?;
            let temporary = file.temporary_path().to_owned();
            Ok((file, temporary))
        })?;
        Ok(Self {
            staged,
            path: path.to_owned(),
            temporary,
        })
    }

    /// Writes the parts of all ranks one after the other. `write` writes the part of this rank; it is called twice.
    ///
    /// # Errors
    /// When this rank cannot write its part.
    pub fn write(
        &self,
        ranks: &Ranks,
        write: impl Fn(&mut dyn Write) -> io::Result<()>,
    ) -> Result<(), WriteError> {
        // The length of the part is known before any rank writes, and no rank holds its text.
        let mut counter = Section {
            file: None,
            offset: 0,
        };
        let counted = write(&mut counter);
        let offset = ranks.before(counter.offset as usize) as u64;
        let written = self.write_at(ranks, |file| {
            let file = Some(file);
            let mut out = BufWriter::with_capacity(WRITE_BUFFER, Section { file, offset });
            write(&mut out)?;
            out.flush()
        });
        in_file(&self.path, counted).and(written)
    }

    /// Writes the part of this rank at the offsets that `write` passes.
    ///
    /// # Errors
    /// When this rank cannot write its part.
    pub fn write_at(
        &self,
        ranks: &Ranks,
        mut write: impl FnMut(&mut dyn WriteAt) -> io::Result<()>,
    ) -> Result<(), WriteError> {
        in_file(&self.path, ranks.write_shared(&self.temporary, &mut write))
    }
}

/// A writer to a file from an offset on; without a file, it counts bytes.
struct Section<'a> {
    file: Option<&'a mut dyn WriteAt>,
    offset: u64,
}

impl Write for Section<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if let Some(file) = &mut self.file {
            file.write_at(self.offset, bytes)?;
        }
        self.offset += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

/// Returns the result of this rank, or an error if another rank has one.
pub(super) fn agreed<T>(ranks: &Ranks, result: Result<T, WriteError>) -> Result<T, WriteError> {
    ranks.agreed(result, |reason| WriteError::OnRank { reason })
}
