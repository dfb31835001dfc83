//! The place of NumPy archives in a browser, which lacks them.

use std::io::{self, BufRead, Write};

use super::{error::ReadError, export::Scene, read_options::ReadOptions, rows::Rows, table::Table};

const LACKING: &str = "the browser page has no .npz; use .npy or .csv";

fn lacking() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, LACKING)
}

pub(super) fn write(_scene: &Scene, _out: &mut dyn Write) -> io::Result<()> {
    Err(lacking())
}

pub(super) fn write_table(_table: &Table, _out: &mut dyn Write) -> io::Result<()> {
    Err(lacking())
}

pub(super) fn read(_input: impl BufRead, _options: &ReadOptions) -> Result<Rows, ReadError> {
    Err(ReadError::io(lacking()))
}
