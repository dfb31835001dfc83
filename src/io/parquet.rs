//! Apache Parquet: a table with one row for each sphere.

use std::io::{self, BufRead, Write};

use bytes::Bytes;
use parquet::{
    arrow::{
        ArrowWriter, arrow_reader::ParquetRecordBatchReaderBuilder,
        arrow_writer::ArrowWriterOptions,
    },
    file::{metadata::KeyValue, properties::WriterProperties},
};

use super::{
    columns::{self, damaged, guarded},
    constants::{COLUMNS_KEY, ROWS_PER_BATCH},
    container_hint::ContainerHint,
    error::ReadError,
    export::Scene,
};
use crate::packing::Packing;

/// Writes the table without compression. Equal radii and types are stored once, in dictionaries; coordinates differ.
pub(super) fn write(scene: &Scene, out: &mut dyn Write) -> io::Result<()> {
    let schema = columns::schema(scene)?;
    let account = KeyValue::new(COLUMNS_KEY.to_owned(), columns::account(scene)?);
    let properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(ROWS_PER_BATCH))
        .set_key_value_metadata(Some(vec![account]))
        .set_dictionary_enabled(false)
        .set_column_dictionary_enabled("radius".into(), true)
        .set_column_dictionary_enabled("type".into(), true)
        .build();
    let options = ArrowWriterOptions::new()
        .with_properties(properties)
        .with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), schema.clone(), options)
        .map_err(io::Error::other)?;
    for batch in columns::batches(scene, &schema) {
        writer
            .write(&batch.map_err(io::Error::other)?)
            .map_err(io::Error::other)?;
        writer.flush().map_err(io::Error::other)?;
        // The crate writes to vectors and files only.
        writer.sync()?;
        out.write_all(writer.inner())?;
        writer.inner_mut().clear();
    }
    out.write_all(&writer.into_inner().map_err(io::Error::other)?)
}

/// Reads a table of jostle or of another program.
pub(super) fn read(
    input: impl BufRead,
    hint: Option<ContainerHint>,
) -> Result<(Packing, Option<Vec<u64>>), ReadError> {
    guarded(input, |bytes| {
        let builder = ParquetRecordBatchReaderBuilder::try_new(Bytes::from(bytes))
            .map_err(|error| damaged(&error))?;
        let schema = builder.schema().clone();
        let batches = builder.build().map_err(|error| damaged(&error))?;
        columns::read(&schema, batches, hint)
    })
}
