//! Spheres as columns of Apache Arrow, which the formats Parquet and Arrow share.
//!
//! The columns are `id`, `x`, `y`, `z` and `radius`, and `type` where types were chosen. The metadata of the file has the key
//! `jostle`, whose value is a JSON object with `container` (as in `.json` files), `origin` (the low corner of the container in
//! the file), `unit`, and `labels` (the names of the types 1, 2 …) where types have names.

use std::{
    borrow::Cow,
    cell::Cell,
    collections::HashMap,
    fmt,
    io::{self, BufRead},
    ops::Range,
    panic::{self, AssertUnwindSafe, catch_unwind},
    sync::{Arc, Once},
    thread,
};

use arrow_array::{
    Array, ArrayRef, ArrowPrimitiveType, Float64Array, Int64Array, RecordBatch,
    cast::AsArray,
    types::{Float32Type, Float64Type, Int32Type, Int64Type, UInt32Type, UInt64Type},
};
use arrow_schema::{ArrowError, DataType, Field, Schema, SchemaRef};
use glam::DVec3;
use serde::{Deserialize, Serialize};

use super::{
    columns_by_name::Columns,
    constants::{COLUMNS_KEY, MAX_QUOTED_NAMES, ROWS_PER_BATCH},
    error::ReadError,
    export::Scene,
    kinds::is_kind,
    read_options::ReadOptions,
    rows::{ReadPacking, Rows},
};
use crate::container::Container;

const NO_CONTAINER: &str = "a table of another program does not hold the container";

/// The facts about a packing that do not belong to single spheres.
#[derive(Serialize, Deserialize)]
struct Account<'a> {
    container: Cow<'a, Container>,
    origin: DVec3,
    unit: Cow<'a, str>,
    /// Names of the types, from type 1.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    labels: Vec<String>,
}

/// Returns the JSON object of the metadata.
pub(super) fn account(scene: &Scene) -> io::Result<String> {
    let account = Account {
        container: Cow::Borrowed(&scene.container),
        origin: scene.low,
        unit: Cow::Borrowed(&scene.packing.unit),
        labels: labels(scene),
    };
    serde_json::to_string(&account).map_err(io::Error::from)
}

/// Returns the names of the types, or none where they are the numbers of the types.
fn labels(scene: &Scene) -> Vec<String> {
    let names = (1..=scene.type_count).map(|kind| scene.type_name(kind));
    let names: Vec<String> = names.collect();
    let is_number = |(number, name): (u32, &String)| *name == number.to_string();
    if (1..).zip(&names).all(is_number) {
        return Vec::new();
    }
    names
}

/// Returns the names and types of the columns, and the metadata.
pub(super) fn schema(scene: &Scene) -> io::Result<SchemaRef> {
    let column = |name: &str, kind| Field::new(name, kind, false);
    let mut columns = vec![column("id", DataType::Int64)];
    columns.extend(["x", "y", "z", "radius"].map(|name| column(name, DataType::Float64)));
    columns.extend(
        scene
            .types
            .as_ref()
            .map(|_| column("type", DataType::Int64)),
    );
    let metadata = HashMap::from([(COLUMNS_KEY.to_owned(), account(scene)?)]);
    Ok(Arc::new(Schema::new_with_metadata(columns, metadata)))
}

/// Returns the spheres in batches, so that the columns of large packings are never in memory together.
pub(super) fn batches<'a>(
    scene: &'a Scene,
    schema: &'a SchemaRef,
) -> impl Iterator<Item = Result<RecordBatch, ArrowError>> + 'a {
    let starts = (0..scene.len()).step_by(ROWS_PER_BATCH);
    starts.map(move |start| {
        let spheres = start..scene.len().min(start + ROWS_PER_BATCH);
        RecordBatch::try_new(schema.clone(), columns(scene, &spheres))
    })
}

/// Returns the columns of some spheres, in the order of the schema.
fn columns(scene: &Scene, spheres: &Range<usize>) -> Vec<ArrayRef> {
    let centers = &scene.spheres.centers()[spheres.clone()];
    let radii = &scene.spheres.radii()[spheres.clone()];
    let ids = spheres.clone().map(|sphere| scene.id(sphere) as i64);
    let mut columns: Vec<ArrayRef> = vec![Arc::new(Int64Array::from_iter_values(ids))];
    for axis in 0..3 {
        let coordinates = centers.iter().map(|center| center[axis]);
        columns.push(Arc::new(Float64Array::from_iter_values(coordinates)));
    }
    columns.push(Arc::new(Float64Array::from(radii.to_vec())));
    if let Some(types) = &scene.types {
        let types = types[spheres.clone()]
            .iter()
            .map(|&number| i64::from(number));
        columns.push(Arc::new(Int64Array::from_iter_values(types)));
    }
    columns
}

/// The spheres of a table, or of tables of a data set, and the facts that all tables share.
pub(super) struct Tables {
    /// The JSON object of the metadata; `None` in tables of another program.
    account: Option<String>,
    rows: Rows,
    /// Names of the types, from type 1.
    labels: Vec<String>,
    /// Names of the columns that are not used in a table.
    unused: Vec<String>,
}

impl Tables {
    /// Begins with no sphere, and with the JSON object of the metadata of all tables. A table of another program has none, so that the
    /// hint must give the container.
    pub(super) fn new(text: Option<&String>, options: &ReadOptions) -> Result<Self, ReadError> {
        let account: Account = match text {
            Some(text) => serde_json::from_str(text).map_err(|error| {
                let what =
                    format!("the metadata '{COLUMNS_KEY}' of the file cannot be read: {error}");
                ReadError::content(what)
            })?,
            None => Account {
                container: Cow::Owned(options.required_container(NO_CONTAINER)?),
                origin: DVec3::ZERO,
                unit: Cow::Borrowed(""),
                labels: Vec::new(),
            },
        };
        let container = account.container.into_owned();
        let mut rows = Rows::new(Columns::NONE, account.origin, container, options);
        rows.unit = account.unit.into_owned();
        Ok(Self {
            account: text.cloned(),
            rows,
            labels: account.labels,
            unused: Vec::new(),
        })
    }

    /// Reads the columns `x`, `y`, `z`, `radius` (or `diameter`), and `id` and `type` if they exist, and names the other columns. `open` returns the
    /// batches of the table with the columns that are read.
    pub(super) fn read<I>(
        &mut self,
        schema: &Schema,
        open: impl FnOnce(Vec<usize>) -> Result<I, ReadError>,
    ) -> Result<(), ReadError>
    where
        I: Iterator<Item = Result<RecordBatch, ReadError>>,
    {
        if self.account.as_ref() != schema.metadata().get(COLUMNS_KEY) {
            let what = "the file states another container, origin, unit or labels than the first file of its directory";
            return Err(ReadError::content(what));
        }
        let columns = find(schema)?;
        let (used, unused): (Vec<usize>, Vec<usize>) =
            (0..schema.fields().len()).partition(|&column| columns.uses(column));
        let names = unused.into_iter().map(|column| schema.field(column).name());
        self.unused.extend(names.cloned());
        for batch in open(used)? {
            add(&batch?, &self.labels, &mut self.rows)?;
        }
        Ok(())
    }

    /// Certifies the packing, and returns it with the ids of its spheres.
    pub(super) fn finish(mut self) -> ReadPacking {
        self.unused.sort();
        self.unused.dedup();
        self.rows.leave_out("column", &self.unused);
        self.rows.finish()
    }
}

/// Calls a reader of the crates of Arrow with the bytes of a file. A panic becomes an error.
pub(super) fn guarded<T>(
    mut input: impl BufRead,
    reader: impl FnOnce(Vec<u8>) -> Result<T, ReadError>,
) -> Result<T, ReadError> {
    let mut bytes = Vec::new();
    input.read_to_end(&mut bytes).map_err(ReadError::io)?;
    caught(|| reader(bytes))
}

/// Calls a reader of the crates of Arrow. The crates panic on some damaged files, such as one whose pages contradict each other; a panic
/// becomes an error, and its message is not printed.
pub(super) fn caught<T>(reader: impl FnOnce() -> Result<T, ReadError>) -> Result<T, ReadError> {
    thread_local! {
        /// Whether this thread calls a reader.
        static IS_READING: Cell<bool> = const { Cell::new(false) };
    }
    static HOOK: Once = Once::new();
    // The process has one hook. It is set once, before the first reader, and passes on the panics of everything else.
    if !thread::panicking() {
        HOOK.call_once(|| {
            let other = panic::take_hook();
            panic::set_hook(Box::new(move |panic| {
                if !IS_READING.get() {
                    other(panic);
                }
            }));
        });
    }
    let before = IS_READING.replace(true);
    let result = catch_unwind(AssertUnwindSafe(reader));
    IS_READING.set(before);
    result.unwrap_or_else(|_| Err(damaged(&"its content is damaged")))
}

/// Creates the error about a damaged file, or one that the crates of Arrow reject.
pub(super) fn damaged(reason: &dyn fmt::Display) -> ReadError {
    ReadError::content(format!("the file cannot be read: {reason}"))
}

/// Finds the columns of a table.
fn find(schema: &Schema) -> Result<Columns, ReadError> {
    let find = |name: &str| {
        let mut fields = schema.fields().iter();
        fields.position(|field| field.name().eq_ignore_ascii_case(name))
    };
    let require = |found: Option<usize>, name: &str| {
        found.ok_or_else(|| {
            let fields = schema.fields().iter().take(MAX_QUOTED_NAMES);
            let names: Vec<&str> = fields.map(|field| field.name().as_str()).collect();
            ReadError::content(format!(
                "the table with the columns '{}' has no column {name}; it must have x, y, z and radius or diameter",
                names.join(",")
            ))
        })
    };
    let radius = find("radius");
    let numbers = |found: Option<usize>, name: &str| {
        let column = require(found, name)?;
        check_type(schema.field(column)).map(|()| column)
    };
    let kind_of = |column: usize| schema.field(column).data_type();
    let is_id = |&column: &usize| is_whole(kind_of(column));
    let mut kinds =
        (0..schema.fields().len()).filter(|&column| is_kind(schema.field(column).name()));
    Ok(Columns {
        center: [
            numbers(find("x"), "x")?,
            numbers(find("y"), "y")?,
            numbers(find("z"), "z")?,
        ],
        size: Some(numbers(radius.or_else(|| find("diameter")), "radius")?),
        is_diameter: radius.is_none(),
        id: find("id").filter(is_id),
        kind: kinds.find(|&column| is_whole(kind_of(column)) || is_text(kind_of(column))),
        width: schema.fields().len(),
    })
}

/// Adds the spheres of a batch. `labels` are the names of the types, from type 1.
fn add(batch: &RecordBatch, labels: &[String], rows: &mut Rows) -> Result<(), ReadError> {
    let columns = find(batch.schema_ref())?;
    let column = |place: usize| numbers(batch.column(place), batch.schema_ref().field(place));
    let [x, y, z] = columns.center;
    let (x, y, z) = (column(x)?, column(y)?, column(z)?);
    let sizes = columns.size.map(column).transpose()?.unwrap_or_default();
    let factor = if columns.is_diameter { 0.5 } else { 1.0 };
    let ids = columns.id.and_then(|place| ids(batch.column(place)));
    let kinds = columns.kind.map(|place| texts(batch.column(place)));
    for (row, size) in sizes.into_iter().enumerate() {
        let center = DVec3::new(x[row], y[row], z[row]);
        let id = ids.as_ref().map(|ids| ids[row]);
        if let Some(kinds) = &kinds {
            rows.push_kind(label_of(&kinds[row], labels));
        }
        rows.push_binary(center, factor * size, id)?;
    }
    Ok(())
}

/// Returns the name of a type, which is its number if it has no other one.
fn label_of<'a>(kind: &'a str, labels: &'a [String]) -> &'a str {
    let number = kind.parse::<usize>().ok();
    let label = number.and_then(|number| labels.get(number.checked_sub(1)?));
    label.map_or(kind, String::as_str)
}

/// Refuses a column whose type is not among those of [`numbers`].
fn check_type(field: &Field) -> Result<(), ReadError> {
    let kind = field.data_type();
    if is_whole(kind) || matches!(kind, DataType::Float64 | DataType::Float32) {
        return Ok(());
    }
    Err(ReadError::content(format!(
        "the column {} has the type {kind}; expected float or whole numbers of 32 or 64 bits",
        field.name()
    )))
}

fn is_whole(kind: &DataType) -> bool {
    use DataType::{Int32, Int64, UInt32, UInt64};
    matches!(kind, Int64 | Int32 | UInt64 | UInt32)
}

fn is_text(kind: &DataType) -> bool {
    use DataType::{Dictionary, LargeUtf8, Utf8};
    match kind {
        Dictionary(_, values) => is_text(values),
        kind => matches!(kind, Utf8 | LargeUtf8),
    }
}

/// Returns the values of a column of whole numbers or texts as texts. Empty values are empty texts.
fn texts(column: &dyn Array) -> Vec<String> {
    let text = |value: Option<&str>| value.unwrap_or_default().to_owned();
    match column.data_type() {
        DataType::Utf8 => column.as_string::<i32>().iter().map(text).collect(),
        DataType::LargeUtf8 => column.as_string::<i64>().iter().map(text).collect(),
        DataType::Dictionary(..) => {
            let dictionary = column.as_any_dictionary();
            let values = texts(dictionary.values());
            let keys = dictionary.normalized_keys().into_iter();
            keys.map(|key| values[key].clone()).collect()
        }
        DataType::Int64 => printed::<Int64Type>(column),
        DataType::Int32 => printed::<Int32Type>(column),
        DataType::UInt64 => printed::<UInt64Type>(column),
        _ => printed::<UInt32Type>(column),
    }
}

fn printed<T: ArrowPrimitiveType<Native: ToString>>(column: &dyn Array) -> Vec<String> {
    let numbers = column.as_primitive::<T>().values().iter();
    numbers.map(ToString::to_string).collect()
}

/// Returns the numbers of a column.
fn numbers(column: &ArrayRef, field: &Field) -> Result<Vec<f64>, ReadError> {
    let name = field.name();
    let empty = column.logical_null_count();
    if empty > 0 {
        let what = format!("the column {name} has {empty} empty values; it must have none");
        return Err(ReadError::content(what));
    }
    Ok(match column.data_type() {
        DataType::Float64 => column.as_primitive::<Float64Type>().values().to_vec(),
        DataType::Float32 => converted::<Float32Type>(column, f64::from),
        DataType::Int64 => converted::<Int64Type>(column, |number| number as f64),
        DataType::Int32 => converted::<Int32Type>(column, f64::from),
        DataType::UInt64 => converted::<UInt64Type>(column, |number| number as f64),
        _ => converted::<UInt32Type>(column, f64::from),
    })
}

fn converted<T: ArrowPrimitiveType>(
    column: &ArrayRef,
    convert: impl Fn(T::Native) -> f64,
) -> Vec<f64> {
    let values = column.as_primitive::<T>().values().iter();
    values.map(|&value| convert(value)).collect()
}

/// Returns the ids of a column; `None` if one of them is no whole number from 0.
fn ids(column: &ArrayRef) -> Option<Vec<u64>> {
    if column.logical_null_count() > 0 {
        return None;
    }
    match column.data_type() {
        DataType::Int64 => whole::<Int64Type>(column),
        DataType::Int32 => whole::<Int32Type>(column),
        DataType::UInt64 => whole::<UInt64Type>(column),
        _ => whole::<UInt32Type>(column),
    }
}

fn whole<T: ArrowPrimitiveType<Native: TryInto<u64>>>(column: &ArrayRef) -> Option<Vec<u64>> {
    let numbers = column.as_primitive::<T>().values().iter();
    numbers.map(|&number| number.try_into().ok()).collect()
}
