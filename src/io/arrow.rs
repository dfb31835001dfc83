//! Apache Arrow: a file of the interprocess communication (IPC) format, which is also Feather of version 2.

use std::io::{self, BufRead, Cursor, Write};

use arrow_ipc::{reader::FileReader, writer::FileWriter};
use arrow_schema::ArrowError;

use super::{
    columns::{self, damaged, guarded},
    error::ReadError,
    export::Scene,
    read_options::ReadOptions,
    rows::ReadPacking,
};

/// Writes the table without compression, so that other programs can map it into memory.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let schema = columns::schema(scene)?;
    let mut writer = FileWriter::try_new(out, &schema).map_err(failure)?;
    for batch in columns::batches(scene, &schema) {
        writer.write(&batch.map_err(failure)?).map_err(failure)?;
    }
    writer.finish().map_err(failure)
}

/// Returns the error of the operating system, if there is one.
fn failure(error: ArrowError) -> io::Error {
    match error {
        ArrowError::IoError(_, source) => source,
        other => io::Error::other(other),
    }
}

/// Reads a table of jostle or of another program.
pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<ReadPacking, ReadError> {
    let table = guarded(input, |bytes| {
        let batches =
            FileReader::try_new(Cursor::new(bytes), None).map_err(|error| damaged(&error))?;
        columns::read(&batches.schema(), batches, options)
    })?;
    Ok(table.finish())
}
