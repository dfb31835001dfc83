//! The constants of the file formats and of the writing of files.

use super::version::Version;

/// Name of the native format, the first field of its files.
pub(super) const JSON_FORMAT: &str = "jostle-packing";

/// Version of the native format that this program writes for boxes. Version 1.1 adds the fields `shape` and `volume` to the
/// container, and `wall_gap` to the provenance.
///
/// The minor version rises when fields are added that an older reader may ignore. The major version rises when
/// an older reader would misunderstand the file.
pub(super) const JSON_VERSION: Version = Version { major: 1, minor: 1 };

/// Version of the native format that this program writes for containers of other shapes, and for containers with bodies in them.
/// Readers of version 1 would take them for their bounding boxes.
pub(super) const JSON_SHAPES_VERSION: Version = Version { major: 2, minor: 0 };

/// First bytes of a checkpoint. The version follows, up to the end of the line.
pub(super) const CHECKPOINT_MAGIC: &[u8] = b"jostle-checkpoint ";

/// Length of the first line of a checkpoint at most, in bytes.
pub(super) const LONGEST_FIRST_LINE: u64 = 64;

/// Version of the checkpoints that this program writes and reads. It rises with every change of their content, and with every
/// change of the packing loop after which a resumed run would not end with the bits of an undisturbed one.
pub(super) const CHECKPOINT_VERSION: u32 = 3;

/// First line of a checkpoint of a deposition, with the version of its content.
pub(super) const POUR_CHECKPOINT_LINE: &[u8] = b"jostle-pour-checkpoint 1\n";

/// Last bytes of a checkpoint, after the checksum.
pub(super) const CHECKPOINT_END: &[u8] = b"end\n";

/// Size of the buffer between a writer and its file, in bytes.
///
/// A larger buffer needs fewer system calls and more memory. At 256 KiB, ten million spheres of about 80 bytes
/// each take about three thousand calls.
pub(super) const WRITE_BUFFER: usize = 1 << 18;

/// Size of the pieces in which rows of text are written, in bytes: a call of the writer for each row would cost as much as the
/// numbers of the row.
pub(super) const ROW_BUFFER: usize = 1 << 16;

/// Number of rows of a table whose text is in memory at once: about 30 MB.
pub(super) const ROWS_PER_BLOCK: usize = 1 << 18;

/// Number of rows of a table whose text one task makes: enough to hide the cost of a task, few enough to balance threads.
pub(super) const ROWS_PER_PART: usize = 1 << 12;

/// First letters of the names of temporary files, before the name of the file that is written. The dot hides the files in
/// listings.
pub(super) const TEMPORARY_PREFIX: &str = ".jostle-";

/// Largest number of symbolic links from one name to a file: the limit of Linux.
pub(super) const MOST_LINKS: usize = 40;

/// Largest length of a file name, in bytes, that is part of the names of temporary files. Names of more than 255 bytes are
/// refused by usual file systems.
pub(super) const LONGEST_QUOTED_NAME: usize = 200;

/// Permissions of a new file before the user's mask applies, as for files that other programs create.
#[cfg(unix)]
pub(super) const NEW_FILE_MODE: u32 = 0o666;

/// Permissions of a new directory before the user's mask applies, as for directories that other programs create.
#[cfg(unix)]
pub(super) const NEW_DIRECTORY_MODE: u32 = 0o777;

/// Largest number of columns of one property in an extended XYZ file.
///
/// The limit keeps sums of column numbers far from overflow. Common properties have at most nine columns.
pub(super) const MAX_PROPERTY_WIDTH: usize = 1000;

/// Key of the metadata of Parquet and Arrow files that holds the container.
#[cfg(feature = "parquet")]
pub(super) const COLUMNS_KEY: &str = "jostle";

/// Number of rows that are written together to a Parquet or Arrow file: the usual size of a row group of Parquet. The columns of
/// one batch take 50 MiB.
#[cfg(feature = "parquet")]
pub(super) const ROWS_PER_BATCH: usize = 1 << 20;

/// Largest number of column names that an error message about a CSV header quotes, so that it stays readable.
pub(super) const MAX_QUOTED_NAMES: usize = 20;

/// The error message about text in another encoding.
pub(super) const NOT_UTF_8: &str = "the text is not UTF-8; only UTF-8 can be read";

/// Largest ratio of the size of expanded data to that of a compressed file, beyond [`FREE_EXPANSION`]. Centers and radii of packings compress
/// to two thirds, and those of perfect lattices by up to 12 (Deflate, 10⁶ spheres); Deflate reaches 1032 for equal bytes.
pub(super) const LARGEST_EXPANSION: u64 = 100;

/// Size to which any compressed file may expand, in bytes: that of 130 000 spheres.
pub(super) const FREE_EXPANSION: u64 = 1 << 22;

/// Largest number of spheres for each byte of a Parquet file, beyond [`FREE_ROWS`]. pyarrow stores a cubic
/// lattice of 10⁶ spheres in 50 kB, with dictionaries and Gzip.
#[cfg(feature = "parquet")]
pub(super) const MOST_ROWS_PER_BYTE: u64 = 32;

/// Number of spheres that any Parquet file may hold.
#[cfg(feature = "parquet")]
pub(super) const FREE_ROWS: u64 = 1 << 17;

/// Largest number of declarations of name spaces in a file of VTK. VTK declares none.
pub(super) const MOST_NAME_SPACES: usize = 16;

/// Largest number of attributes of an element in a file of VTK. VTK writes up to 14.
pub(super) const MOST_ATTRIBUTES: usize = 100;

/// Largest number of kinds of spheres in a file that become components. The analysis has a table of all pairs of components, and pictures
/// have few colors; files with more types, such as one for each size, number the spheres by them.
pub(super) const MAX_KINDS: usize = 64;
