//! Apache Arrow: a file of the interprocess communication (IPC) format, which is also Feather of version 2.

use std::{
    io::{self, BufRead, Write},
    sync::Arc,
};

use arrow_array::RecordBatch;
use arrow_buffer::Buffer;
use arrow_ipc::{
    Block, MetadataVersion,
    convert::try_fb_to_schema,
    reader::{FileDecoder, read_footer_length},
    root_as_footer, root_as_message,
    writer::FileWriter,
};
use arrow_schema::{ArrowError, SchemaRef};

use super::{
    columns::{self, Tables, damaged, guarded},
    constants::COLUMNS_KEY,
    error::ReadError,
    expansion::Expansion,
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
        let file = Footer::new(&bytes)?;
        let mut table = Tables::new(file.schema.metadata().get(COLUMNS_KEY), options)?;
        table.read(&file.schema, |columns| Ok(file.batches(&bytes, columns)))?;
        Ok(table)
    })?;
    Ok(table.finish())
}

/// The end of a file, which states the columns and the positions of the batches.
struct Footer {
    schema: SchemaRef,
    version: MetadataVersion,
    blocks: Vec<Block>,
}

impl Footer {
    fn new(bytes: &[u8]) -> Result<Self, ReadError> {
        let cut_off = || damaged(&"the file is cut off");
        let (rest, end) = bytes.split_last_chunk::<10>().ok_or_else(cut_off)?;
        let length = read_footer_length(*end).map_err(|error| damaged(&error))?;
        let start = rest.len().checked_sub(length).ok_or_else(cut_off)?;
        // The numbers must be aligned.
        let footer = rest[start..].to_vec();
        let footer = root_as_footer(&footer).map_err(|error| damaged(&error))?;
        let schema = footer
            .schema()
            .ok_or_else(|| damaged(&"the footer has no schema"))?;
        if !schema.endianness().equals_to_target_endianness() {
            return Err(damaged(&"the numbers have another order of bytes"));
        }
        let blocks = footer.recordBatches();
        Ok(Self {
            schema: Arc::new(try_fb_to_schema(schema).map_err(|error| damaged(&error))?),
            version: footer.version(),
            blocks: blocks.iter().flatten().copied().collect(),
        })
    }

    /// Returns some columns of the batches.
    fn batches(
        &self,
        bytes: &[u8],
        columns: Vec<usize>,
    ) -> impl Iterator<Item = Result<RecordBatch, ReadError>> {
        let decoder = FileDecoder::new(self.schema.clone(), self.version).with_projection(columns);
        // Each byte belongs to one batch.
        let mut left = bytes.len();
        let expansion = Expansion::of_file(bytes.len());
        self.blocks.iter().filter_map(move |block| {
            let mut read = || {
                let content = content(bytes, block)
                    .filter(|content| content.len() <= left)
                    .ok_or_else(|| damaged(&"a batch lies outside of the file"))?;
                left -= content.len();
                check(block, &content, &expansion)?;
                let batch = decoder.read_record_batch(block, &content);
                batch.map_err(|error| damaged(&error))
            };
            read().transpose()
        })
    }
}

/// Returns the bytes of a batch, aligned.
fn content(bytes: &[u8], block: &Block) -> Option<Buffer> {
    let start = usize::try_from(block.offset()).ok()?;
    let head = usize::try_from(block.metaDataLength()).ok()?;
    let length = head.checked_add(usize::try_from(block.bodyLength()).ok()?)?;
    // Before the message are its length and perhaps a mark.
    (head >= 8).then_some(())?;
    bytes
        .get(start..start.checked_add(length)?)
        .map(Buffer::from)
}

/// Refuses a batch whose buffers lie outside of it, or expand too much. The crate panics on the former and allocates memory for the
/// latter.
fn check(block: &Block, content: &Buffer, expansion: &Expansion) -> Result<(), ReadError> {
    let message = match content.strip_prefix(&[0xff; 4]) {
        Some(_) => &content[8..],
        None => &content[4..],
    };
    let message = root_as_message(message).map_err(|error| damaged(&error))?;
    let Some(batch) = message.header_as_record_batch() else {
        return Ok(());
    };
    let is_count = |count: i64| (0..1 << 48).contains(&count);
    let mut nodes = batch.nodes().into_iter().flatten();
    if !is_count(batch.length())
        || !nodes.all(|node| is_count(node.length()) && is_count(node.null_count()))
    {
        return Err(damaged(&"a batch states an impossible number of rows"));
    }
    let body = &content[block.metaDataLength() as usize..];
    let is_compressed = batch.compression().is_some();
    for buffer in batch.buffers().into_iter().flatten() {
        let bytes = usize::try_from(buffer.offset())
            .ok()
            .zip(usize::try_from(buffer.length()).ok())
            .and_then(|(start, length)| body.get(start..start.checked_add(length)?))
            .ok_or_else(|| damaged(&"a column lies outside of its batch"))?;
        if !is_compressed || bytes.is_empty() {
            continue;
        }
        let Some(prefix) = bytes.first_chunk() else {
            return Err(damaged(&"a column is cut off"));
        };
        // -1 means bytes without compression.
        if let Ok(expanded) = u64::try_from(i64::from_le_bytes(*prefix)) {
            expansion.spend(expanded)?;
        }
    }
    Ok(())
}
