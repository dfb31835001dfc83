//! Apache Parquet: a table with one row for each sphere, in a file or in the files of a directory.

use std::{
    ffi::OsStr,
    fs::{self, File},
    io::{self, BufRead, BufReader, Write},
    ops::Range,
    path::{Path, PathBuf},
    sync::Arc,
};

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch, StringArray};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use bytes::Bytes;
use parquet::{
    arrow::{
        ArrowWriter, ProjectionMask, arrow_reader::ParquetRecordBatchReaderBuilder,
        arrow_writer::ArrowWriterOptions,
    },
    file::{
        metadata::{KeyValue, ParquetMetaDataReader},
        properties::WriterProperties,
        reader::ChunkReader,
    },
    schema::types::ColumnPath,
};

use super::{
    columns::{self, Tables, caught, damaged, guarded},
    constants::{COLUMNS_KEY, ROWS_PER_BATCH},
    error::ReadError,
    export::Scene,
    parquet_checks,
    read_options::ReadOptions,
    regular::open_inside,
    rows::ReadPacking,
    table::{Column, Table},
};

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
    write_batches(&schema, properties, columns::batches(scene, &schema), out)
}

/// Writes a table of any columns without compression. Names are stored once, in dictionaries.
pub(super) fn write_table(table: &Table, out: &mut dyn Write) -> io::Result<()> {
    let field = |(name, column): &(String, Column)| {
        let kind = match column {
            Column::Whole(_) => DataType::Int64,
            Column::Real(_) => DataType::Float64,
            Column::Name { .. } => DataType::Utf8,
        };
        Field::new(name, kind, false)
    };
    let fields: Vec<Field> = table.columns().iter().map(field).collect();
    let schema: SchemaRef = Arc::new(Schema::new(fields));
    let is_name = |column: &&(String, Column)| matches!(column.1, Column::Name { .. });
    let mut properties = WriterProperties::builder()
        .set_max_row_group_row_count(Some(ROWS_PER_BATCH))
        .set_dictionary_enabled(false);
    for (name, _) in table.columns().iter().filter(is_name) {
        let path = ColumnPath::new(vec![name.clone()]);
        properties = properties.set_column_dictionary_enabled(path, true);
    }
    let starts = (0..table.rows()).step_by(ROWS_PER_BATCH);
    let batches = starts.map(|start| {
        let rows = start..table.rows().min(start + ROWS_PER_BATCH);
        let columns = table.columns().iter();
        let columns = columns.map(|(_, column)| values(column, rows.clone()));
        RecordBatch::try_new(schema.clone(), columns.collect())
    });
    write_batches(&schema, properties.build(), batches, out)
}

/// Returns some values of a column.
fn values(column: &Column, rows: Range<usize>) -> ArrayRef {
    match column {
        Column::Whole(values) => Arc::new(Int64Array::from(values[rows].to_vec())),
        Column::Real(values) => Arc::new(Float64Array::from(values[rows].to_vec())),
        Column::Name { names, of } => {
            let names = of[rows].iter().map(|&name| &names[name as usize]);
            Arc::new(StringArray::from_iter_values(names))
        }
    }
}

fn write_batches(
    schema: &SchemaRef,
    properties: WriterProperties,
    batches: impl Iterator<Item = Result<RecordBatch, ArrowError>>,
    out: &mut dyn Write,
) -> io::Result<()> {
    let options = ArrowWriterOptions::new()
        .with_properties(properties)
        .with_skip_arrow_metadata(true);
    let mut writer = ArrowWriter::try_new_with_options(Vec::new(), schema.clone(), options)
        .map_err(io::Error::other)?;
    for batch in batches {
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
pub(super) fn read(input: impl BufRead, options: &ReadOptions) -> Result<ReadPacking, ReadError> {
    let table = guarded(input, |bytes| {
        let (bytes, builder) = opened(bytes)?;
        let schema = builder.schema().clone();
        let mut table = Tables::new(schema.metadata().get(COLUMNS_KEY), options)?;
        table.read(&schema, |columns| batches(&bytes, builder, columns))?;
        Ok(table)
    })?;
    Ok(table.finish())
}

/// Reads some tables of a directory, whose tables have the metadata of `first`.
pub(super) fn read_tables(
    directory: &Path,
    first: &Path,
    files: &[PathBuf],
    account: Option<&String>,
    options: &ReadOptions,
) -> Result<ReadPacking, ReadError> {
    let mut tables =
        Tables::new(account, options).map_err(|error| error.in_file(&directory.join(first)))?;
    for file in files {
        open_inside(directory, file)
            .map_err(ReadError::io)
            .and_then(|table| add(BufReader::new(table), &mut tables))
            .map_err(|error| error.in_file(&directory.join(file)))?;
    }
    Ok(tables.finish())
}

fn add(input: impl BufRead, tables: &mut Tables) -> Result<(), ReadError> {
    guarded(input, |bytes| {
        let (bytes, builder) = opened(bytes)?;
        let schema = builder.schema().clone();
        tables.read(&schema, |columns| batches(&bytes, builder, columns))
    })
}

type Builder<T> = ParquetRecordBatchReaderBuilder<T>;

/// Returns a file with the reader of its head.
fn opened(bytes: Vec<u8>) -> Result<(Bytes, Builder<Bytes>), ReadError> {
    let bytes = Bytes::from(bytes);
    let builder = builder(bytes.clone())?;
    Ok((bytes, builder))
}

/// Returns some columns of the rows of a file.
fn batches(
    bytes: &[u8],
    builder: Builder<Bytes>,
    columns: Vec<usize>,
) -> Result<impl Iterator<Item = Result<RecordBatch, ReadError>>, ReadError> {
    let columns = ProjectionMask::roots(builder.parquet_schema(), columns);
    parquet_checks::check_pages(bytes, builder.metadata(), &columns)?;
    let builder = builder.with_projection(columns);
    let batches = builder.build().map_err(|error| damaged(&error))?;
    Ok(batches.map(|batch| batch.map_err(|error| damaged(&error))))
}

fn builder<T: ChunkReader + 'static>(input: T) -> Result<Builder<T>, ReadError> {
    parquet_checks::check_head(&input)?;
    Builder::try_new(input).map_err(|error| damaged(&error))
}

/// Returns the metadata of jostle in a table of a directory; `None` if another program wrote it.
pub(super) fn account(directory: &Path, table: &Path) -> Result<Option<String>, ReadError> {
    let read = || {
        let file = open_inside(directory, table).map_err(ReadError::io)?;
        let builder = caught(|| builder(file))?;
        Ok(builder.schema().metadata().get(COLUMNS_KEY).cloned())
    };
    read().map_err(|error: ReadError| error.in_file(&directory.join(table)))
}

/// Returns the names of the tables in a directory, sorted. Names that begin with a dot or an underscore belong to the administration of a
/// data set.
pub(super) fn tables_in(directory: &Path) -> Result<Vec<PathBuf>, ReadError> {
    let mut files = Vec::new();
    for entry in fs::read_dir(directory).map_err(ReadError::io)? {
        let path = entry.map_err(ReadError::io)?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name.starts_with(['.', '_']) {
            continue;
        }
        if path.is_dir() {
            let what = format!(
                "the directory holds the directory '{name}'; only files with the extension .parquet are read"
            );
            return Err(ReadError::content(what));
        }
        if path.extension() == Some(OsStr::new("parquet")) {
            files.extend(path.file_name().map(PathBuf::from));
        }
    }
    if files.is_empty() {
        let what = "the directory holds no table; it must hold files with the extension .parquet";
        return Err(ReadError::content(what));
    }
    files.sort();
    Ok(files)
}

/// Returns whether a file is a table of jostle.
pub(super) fn is_own(path: &Path) -> bool {
    let metadata = caught(|| {
        let file = File::open(path).map_err(ReadError::io)?;
        parquet_checks::check_head(&file)?;
        let metadata = ParquetMetaDataReader::new().parse_and_finish(&file);
        metadata.map_err(|error| damaged(&error))
    });
    metadata.is_ok_and(|metadata| {
        let keys = metadata.file_metadata().key_value_metadata();
        keys.is_some_and(|keys| keys.iter().any(|pair| pair.key == COLUMNS_KEY))
    })
}
