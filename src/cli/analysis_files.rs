//! The files of `jostle analyze` beside its JSON object: contacts, spheres and curves as tables.

use std::{
    fs, io,
    path::{Path, PathBuf},
};

use anyhow::{Context, Result, ensure};
use clap::Args;

use super::{
    files::{check_outputs, is_stream},
    launch::Launch,
};
use crate::{
    Packing,
    analysis::{Analysis, ContactTable, Contacts, ForceContacts, SphereTable, suitable_contacts},
    io::{
        Table, check_table, contacts_as_table, curves_as_tables, remove_leftovers,
        spheres_as_table, supports_as_table, write_tables,
    },
};

/// Files with the parts of an analysis.
#[derive(Args)]
#[command(next_help_heading = "Tables")]
pub struct AnalysisFiles {
    /// Write all contacts to FILE (.csv, .tsv, .npz or .parquet): ids of the spheres, gap, normal, area of the overlap, and the force in
    /// jammed packings; -1 for a wall
    #[arg(long, value_name = "FILE")]
    contacts: Option<PathBuf>,

    /// Write the supports of spheres at rest, as 'jostle pour' makes them, to FILE (.csv, .tsv, .npz or .parquet): id of the sphere, id of
    /// the sphere on which it rests or -1 for a wall, normal
    #[arg(long, value_name = "FILE")]
    supports: Option<PathBuf>,

    /// Write a row for each sphere to FILE (.csv, .tsv, .npz or .parquet): center, radius, contacts, rattler, class, distance to the
    /// nearest wall, local packing fraction, and contacts with force in jammed packings
    #[arg(long, value_name = "FILE")]
    spheres: Option<PathBuf>,

    /// Write every function of the analysis to a .csv file in DIRECTORY, which is made if it does not exist: g(r), S(k), gaps, pores,
    /// profiles and others
    #[arg(long, value_name = "DIRECTORY")]
    curves: Option<PathBuf>,
}

impl AnalysisFiles {
    /// Returns whether the ids of the spheres are needed.
    pub fn need_ids(&self) -> bool {
        self.tables().next().is_some()
    }

    /// Returns whether tables of spheres are all that is written.
    pub fn need_no_analysis(&self) -> bool {
        self.need_ids() && self.curves.is_none()
    }

    /// Returns the files and the directory that the options name.
    pub fn named(&self) -> impl Iterator<Item = &PathBuf> {
        self.tables().chain(&self.curves)
    }

    fn tables(&self) -> impl Iterator<Item = &PathBuf> {
        (self.contacts.iter())
            .chain(&self.supports)
            .chain(&self.spheres)
    }

    /// Rejects files that cannot or must not be written, beside `output`.
    pub fn check(&self, output: Option<&Path>, launch: &Launch) -> Result<()> {
        if self.need_ids() {
            launch.check_alone_for("--contacts, --supports and --spheres")?;
        }
        let output = output.filter(|path| !is_stream(path)).map(Path::to_owned);
        let named: Vec<PathBuf> = self.tables().cloned().chain(output).collect();
        check_outputs(&named, &[])?;
        for path in self.tables() {
            check_table(path)?;
            remove_leftovers(path);
        }
        if let Some(directory) = &self.curves {
            ensure!(
                directory.is_dir() || !directory.exists(),
                "--curves names '{}', which is a file; a directory is expected",
                directory.display()
            );
        }
        Ok(())
    }

    /// Writes the files. After a failure, none of them appears. `ids` are the ids of the spheres, if they have any.
    pub fn write(&self, packing: &Packing, ids: Option<&[u64]>, analysis: &Analysis) -> Result<()> {
        let mut tables = Vec::new();
        if self.need_ids() {
            let tolerance = Some(analysis.contacts.tolerance);
            tables.extend(self.tables_of_spheres(packing, ids, tolerance)?);
        }
        let Some(directory) = &self.curves else {
            return Ok(write_tables(&tables)?);
        };
        let curves = curves_as_tables(analysis);
        let in_directory = |(name, table)| (directory.join(format!("{name}.csv")), table);
        tables.extend(curves.into_iter().map(in_directory));
        let is_new = made(directory)
            .with_context(|| format!("cannot make the directory '{}'", directory.display()))?;
        let paths: Vec<PathBuf> = tables.iter().map(|(path, _)| path.clone()).collect();
        let written = check_outputs(&paths, &[]).and_then(|()| Ok(write_tables(&tables)?));
        if written.is_err() && is_new {
            // It is empty.
            let _ = fs::remove_dir(directory);
        }
        written
    }

    /// Writes the tables of contacts, supports and spheres, which need no analysis, at a tolerance or at the one that suits the packing.
    pub fn write_tables(
        &self,
        packing: &Packing,
        ids: Option<&[u64]>,
        tolerance: Option<f64>,
    ) -> Result<()> {
        Ok(write_tables(
            &self.tables_of_spheres(packing, ids, tolerance)?,
        )?)
    }

    /// Returns the tables of contacts, supports and spheres with their files.
    fn tables_of_spheres(
        &self,
        packing: &Packing,
        ids: Option<&[u64]>,
        tolerance: Option<f64>,
    ) -> Result<Vec<(PathBuf, Table)>> {
        let (spheres, container) = (packing.spheres(), packing.container());
        let contacts = match tolerance {
            Some(tolerance) => Contacts::new(spheres, container, tolerance)?,
            None => suitable_contacts(spheres, container)?,
        };
        let mut tables = Vec::new();
        if let Some(path) = &self.contacts {
            let mut table = ContactTable::new(spheres, container, &contacts)?;
            if let Some(forces) = packing.forces() {
                table = table.with_forces(spheres, container, forces)?;
            }
            tables.push((path.clone(), contacts_as_table(&table, ids)));
        }
        if let Some(path) = &self.supports {
            let supports = packing.supports().context(
                "--supports needs spheres at rest on supports, as 'jostle pour' writes them to .json files; this packing has none",
            )?;
            tables.push((path.clone(), supports_as_table(packing, supports, ids)));
        }
        if let Some(path) = &self.spheres {
            let table = SphereTable::new(spheres, container, &contacts)?
                .with_forces(ForceContacts::new(packing));
            tables.push((path.clone(), spheres_as_table(packing, &table, ids)));
        }
        Ok(tables)
    }
}

/// Makes a directory if it does not exist. Returns whether it is new.
fn made(directory: &Path) -> io::Result<bool> {
    if directory.is_dir() {
        return Ok(false);
    }
    fs::create_dir(directory).map(|()| true)
}
