//! Parquet and Arrow files: metadata, tables of other programs, and batches. `tests/integration/formats.rs` has the round trips, and
//! `tests/readers` lets pyarrow read the files.

use std::{
    alloc::{GlobalAlloc, Layout, System},
    cell::Cell,
    env,
    process::Command,
    sync::Arc,
};

use arrow_array::{
    ArrayRef, Float32Array, Float64Array, Int32Array, RecordBatch, StringArray, UInt64Array,
    cast::AsArray,
    types::{Float64Type, Int64Type},
};
use bytes::Bytes;
use glam::DVec3;
use jostle::{
    Container, Packing, Spheres,
    io::{
        Column, ContainerHint, ExportOptions, Format, Origin, ReadOptions, Table, Types,
        export_packing, read_packing_from, write_packing, write_tables,
    },
    packing::PackedComponent,
};
use parquet::{
    basic::Compression,
    file::{
        properties::WriterVersion,
        reader::{FileReader, SerializedFileReader},
    },
};

/// Contacts and spheres are tables of other columns than those of a packing.
#[test]
fn tables_of_any_columns_are_written() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("t.parquet");
    let table = Table::default()
        .with("id", vec![-1_i64, 5])
        .with("gap", vec![0.5, f64::INFINITY])
        .with(
            "component",
            Column::Name {
                names: vec!["sand".to_owned(), "gravel".to_owned()],
                of: vec![1, 0],
            },
        );
    write_tables(&[(path.clone(), table)]).unwrap();
    let file = std::fs::File::open(path).unwrap();
    let reader = parquet::arrow::arrow_reader::ParquetRecordBatchReaderBuilder::try_new(file);
    let batch = reader.unwrap().build().unwrap().next().unwrap().unwrap();
    let schema = batch.schema();
    let names: Vec<&String> = schema.fields().iter().map(|field| field.name()).collect();
    assert_eq!(names, ["id", "gap", "component"]);
    assert_eq!(
        batch.column(0).as_primitive::<Int64Type>().values(),
        &[-1, 5]
    );
    let gaps = batch.column(1).as_primitive::<Float64Type>().values();
    assert_eq!(gaps, &[0.5, f64::INFINITY]);
    let labels: Vec<&str> = batch
        .column(2)
        .as_string::<i32>()
        .iter()
        .flatten()
        .collect();
    assert_eq!(labels, ["gravel", "sand"]);
}

const FORMATS: [Format; 2] = [Format::Parquet, Format::Arrow];

fn packing(container: Container) -> Packing {
    let spheres = Spheres::new(
        vec![DVec3::new(1.0, 1.5, 1.0), DVec3::new(1.5, 1.1, 2.0 + 1e-16)],
        vec![0.5, 1.0 / 3.0],
    );
    let mut packing = Packing::new(spheres, container);
    packing.unit = "mm".to_owned();
    packing
}

/// Writes columns as a table of another program.
fn table(format: Format, columns: &[(&str, ArrayRef)]) -> Vec<u8> {
    let batch = RecordBatch::try_from_iter(columns.iter().cloned()).unwrap();
    let mut bytes = Vec::new();
    if format == Format::Arrow {
        let mut writer =
            arrow_ipc::writer::FileWriter::try_new(&mut bytes, &batch.schema()).unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
    } else {
        let mut writer =
            parquet::arrow::ArrowWriter::try_new(&mut bytes, batch.schema(), None).unwrap();
        writer.write(&batch).unwrap();
        writer.close().unwrap();
    }
    bytes
}

#[test]
fn the_container_the_origin_and_the_unit_are_in_the_metadata() {
    for text in [
        "box:lx=3,ly=4,lz=5",
        "cylinder:d=3,h=4",
        "sphere:d=4",
        "cone:d_bottom=4,d_top=2,h=5",
    ] {
        let spec: jostle::container::ContainerSpec = text.parse().unwrap();
        let packing = packing(spec.container(None).unwrap());
        for format in FORMATS {
            let mut bytes = Vec::new();
            write_packing(&packing, format, &mut bytes).unwrap();
            let read = read_packing_from(&*bytes, format, ReadOptions::default()).unwrap();
            assert_eq!(read.packing, packing, "{format} {text}");
            assert_eq!(read.ids, Some(vec![0, 1]));
            // The center moves by half of the lengths, and back.
            let mut moved = Vec::new();
            let options = ExportOptions::default().origin(Origin::Center);
            let warnings = export_packing(&packing, format, &options, &mut moved).unwrap();
            assert!(!warnings.concat().contains("does not hold"), "{warnings:?}");
            let read = read_packing_from(&*moved, format, ReadOptions::default())
                .unwrap()
                .packing;
            assert_eq!(read.container(), packing.container());
            assert!(
                (read.spheres().centers()[1] - packing.spheres().centers()[1]).length() < 1e-14
            );
        }
    }
}

#[test]
fn the_same_packing_makes_the_same_bytes() {
    let container = Container::cuboid(DVec3::splat(4.0), "ppw".parse().unwrap()).unwrap();
    for format in FORMATS {
        let [first, second] = [0; 2].map(|_| {
            let mut bytes = Vec::new();
            write_packing(&packing(container.clone()), format, &mut bytes).unwrap();
            bytes
        });
        assert_eq!(first, second);
    }
}

#[test]
fn types_are_a_column() {
    let container = Container::cuboid(DVec3::splat(4.0), "ppw".parse().unwrap()).unwrap();
    let mut bytes = Vec::new();
    let options = ExportOptions::default().types(Types::Classes).density(2.0);
    let warnings =
        export_packing(&packing(container), Format::Parquet, &options, &mut bytes).unwrap();
    assert_eq!(warnings, ["the format parquet does not hold the density"]);
    let reader = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
    let rows: Vec<String> = reader
        .get_row_iter(None)
        .unwrap()
        .map(|row| row.unwrap().to_string())
        .collect();
    assert!(rows[0].ends_with("radius: 0.5, type: 2}"), "{rows:?}");
    assert!(
        rows[1].ends_with("radius: 0.3333333333333333, type: 1}"),
        "{rows:?}"
    );
}

#[test]
fn labels_of_components_are_in_the_metadata() {
    let container = Container::cuboid(DVec3::splat(4.0), "ppw".parse().unwrap()).unwrap();
    let labels = |packing: &Packing| -> Vec<String> {
        let components = packing.components().iter();
        components.map(|it| it.label.clone()).collect()
    };
    for names in [["sand", "gravel"], ["2", "1"], ["1", "2"]] {
        let component = |(&name, sphere): (&&str, usize)| {
            let own = std::iter::once(sphere..sphere + 1).collect();
            PackedComponent::new(name, None, own)
        };
        let components = names.iter().zip(0..).map(component).collect();
        let packing = packing(container.clone());
        let packing = packing.with_components(components).unwrap();
        for format in FORMATS {
            let mut bytes = Vec::new();
            let options = ExportOptions::default();
            let warnings = export_packing(&packing, format, &options, &mut bytes).unwrap();
            assert_eq!(warnings, [""; 0], "{format}");
            let read = read_packing_from(&*bytes, format, ReadOptions::default()).unwrap();
            let sphere_of = |packing: &Packing, name: &str| {
                let component = packing.components().iter().find(|it| it.label == name);
                component.unwrap().spheres[0].start
            };
            assert_eq!(labels(&read.packing).len(), 2);
            for name in names {
                assert_eq!(sphere_of(&read.packing, name), sphere_of(&packing, name));
            }
        }
    }
}

#[test]
fn large_packings_are_written_in_batches() {
    let count = (1 << 20) + 5;
    let centers: Vec<DVec3> = (0..count)
        .map(|i| DVec3::new(f64::from(i), 0.5, 0.5))
        .collect();
    let spheres = Spheres::new(centers, vec![0.25; count as usize]);
    let container = Container::cuboid(DVec3::new(2e6, 1.0, 1.0), "ppp".parse().unwrap()).unwrap();
    let packing = Packing::new(spheres, container);
    let mut bytes = Vec::new();
    write_packing(&packing, Format::Parquet, &mut bytes).unwrap();
    let reader = SerializedFileReader::new(Bytes::from(bytes)).unwrap();
    let groups = reader.metadata().row_groups();
    let rows: Vec<i64> = groups
        .iter()
        .map(parquet::file::metadata::RowGroupMetaData::num_rows)
        .collect();
    assert_eq!(rows, [1 << 20, 5]);
    let last = reader
        .get_row_group(1)
        .unwrap()
        .get_row_iter(None)
        .unwrap()
        .last();
    assert!(
        last.unwrap()
            .unwrap()
            .to_string()
            .starts_with("{id: 1048580, x: 1048580.0, y: 0.5")
    );
    let mut bytes = Vec::new();
    write_packing(&packing, Format::Arrow, &mut bytes).unwrap();
    let reader = arrow_ipc::reader::FileReader::try_new(std::io::Cursor::new(bytes), None).unwrap();
    let rows: Vec<usize> = reader.map(|batch| batch.unwrap().num_rows()).collect();
    assert_eq!(rows, [1 << 20, 5]);
}

#[test]
fn tables_of_other_programs_are_read() {
    let columns: [(&str, ArrayRef); 6] = [
        ("comment", Arc::new(StringArray::from(vec!["a", "b"]))),
        ("Z", Arc::new(Int32Array::from(vec![1, 2]))),
        ("y", Arc::new(Float32Array::from(vec![0.5, 1.25]))),
        ("x", Arc::new(UInt64Array::from(vec![3, 1]))),
        ("ID", Arc::new(Int32Array::from(vec![7, 4]))),
        ("Diameter", Arc::new(Float64Array::from(vec![0.5, 0.25]))),
    ];
    let container = Container::cuboid(DVec3::splat(4.0), "ppw".parse().unwrap()).unwrap();
    for format in FORMATS {
        let bytes = table(format, &columns);
        let hint = ContainerHint::from(container.clone());
        let read = read_packing_from(&*bytes, format, hint).unwrap();
        let expected = [DVec3::new(3.0, 0.5, 1.0), DVec3::new(1.0, 1.25, 2.0)];
        assert_eq!(read.packing.spheres().centers(), expected);
        assert_eq!(read.packing.spheres().radii(), [0.25, 0.125]);
        assert_eq!(read.ids, Some(vec![7, 4]));
        let error = read_packing_from(&*bytes, format, ReadOptions::default())
            .unwrap_err()
            .to_string();
        assert_eq!(
            error,
            "a table of another program does not hold the container; its lengths and boundary must be given"
        );
    }
}

#[test]
fn tables_that_are_no_packings_are_refused() {
    let numbers = |values: Vec<Option<f64>>| -> ArrayRef { Arc::new(Float64Array::from(values)) };
    let good = || numbers(vec![Some(1.0), Some(2.0)]);
    let texts: ArrayRef = Arc::new(StringArray::from(vec!["1", "2"]));
    let container = Container::cuboid(DVec3::splat(4.0), "ppw".parse().unwrap()).unwrap();
    for (name, column, words) in [
        (
            "height",
            good(),
            "the columns 'y,z,radius,height' has no column x; it must have x, y, z and radius",
        ),
        (
            "x",
            numbers(vec![None, Some(1.0)]),
            "the column x has 1 empty values; it must have none",
        ),
        (
            "x",
            texts,
            "the column x has the type Utf8; expected float or whole numbers of 32 or 64 bits",
        ),
        (
            "x",
            numbers(vec![Some(1.0), Some(f64::NAN)]),
            "sphere 1 (from 0): the center must be finite",
        ),
    ] {
        let columns = [
            ("y", good()),
            ("z", good()),
            ("radius", good()),
            (name, column),
        ];
        for format in FORMATS {
            let bytes = table(format, &columns);
            let hint = ContainerHint::from(container.clone());
            let error = read_packing_from(&*bytes, format, hint)
                .unwrap_err()
                .to_string();
            assert!(error.contains(words), "{format}: {error}");
        }
    }
    for format in FORMATS {
        let error = read_packing_from(&b"PAR1"[..], format, ReadOptions::default())
            .unwrap_err()
            .to_string();
        assert!(error.starts_with("the file cannot be read: "), "{error}");
    }
}

thread_local! {
    /// Bytes that this thread has allocated and not freed, and the largest number of them since the last reset.
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}

/// The allocator of the system, with a count of bytes.
struct Counting;

fn count(bytes: isize) {
    LIVE.set(LIVE.get() + bytes);
    PEAK.set(PEAK.get().max(LIVE.get()));
}

// SAFETY: every call is passed on to the allocator of the system.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(layout.size() as isize);
        // SAFETY: the caller keeps the contract, which is the same for both allocators.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        count(-(layout.size() as isize));
        // SAFETY: as in `alloc`.
        unsafe { System.dealloc(block, layout) }
    }
}

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Returns tables in several encodings and compressions.
fn examples(format: Format) -> Vec<Vec<u8>> {
    let container = Container::cuboid(DVec3::splat(4.0), "ppw".parse().unwrap()).unwrap();
    let mut own = Vec::new();
    write_packing(&packing(container), format, &mut own).unwrap();
    let numbers = |step: f64| -> ArrayRef {
        Arc::new(Float64Array::from_iter_values(
            (0..40).map(|i| 0.5 + step * f64::from(i)),
        ))
    };
    let columns: [(&str, ArrayRef); 5] = [
        ("x", numbers(0.05)),
        ("comment", Arc::new(StringArray::from(vec!["a"; 40]))),
        ("y", numbers(0.0)),
        ("z", numbers(0.03)),
        ("radius", numbers(0.0)),
    ];
    let batch = RecordBatch::try_from_iter(columns.clone()).unwrap();
    let mut all = vec![own, table(format, &columns)];
    if format == Format::Arrow {
        let options = arrow_ipc::writer::IpcWriteOptions::default()
            .try_with_compression(Some(arrow_ipc::CompressionType::LZ4_FRAME))
            .unwrap();
        let mut bytes = Vec::new();
        let mut writer = arrow_ipc::writer::FileWriter::try_new_with_options(
            &mut bytes,
            &batch.schema(),
            options,
        )
        .unwrap();
        writer.write(&batch).unwrap();
        writer.finish().unwrap();
        drop(writer);
        all.push(bytes);
        return all;
    }
    for compression in [Compression::SNAPPY, Compression::GZIP(Default::default())] {
        for version in [WriterVersion::PARQUET_1_0, WriterVersion::PARQUET_2_0] {
            let properties = parquet::file::properties::WriterProperties::builder()
                .set_compression(compression)
                .set_writer_version(version)
                .build();
            let mut bytes = Vec::new();
            let mut writer =
                parquet::arrow::ArrowWriter::try_new(&mut bytes, batch.schema(), Some(properties))
                    .unwrap();
            writer.write(&batch).unwrap();
            writer.close().unwrap();
            all.push(bytes);
        }
    }
    all
}

/// Changes some bytes, or cuts the end off. `random` returns a number below its argument.
fn damage(bytes: &mut Vec<u8>, random: &mut impl FnMut(usize) -> usize) {
    const LARGE: [&[u8]; 6] = [
        &[0xff],
        &[0x7f, 0xff, 0xff, 0xff],
        &[0xff, 0xff, 0xff, 0x7f],
        &[0xff, 0xff, 0xff, 0xff, 0x0f],
        &[0; 8],
        &[0, 0, 0, 0, 1, 0, 0, 0],
    ];
    for _ in 0..1 + random(3) {
        // Most numbers that state positions and lengths are at the end.
        let at = bytes.len() - 1 - random(bytes.len()).min(random(bytes.len()));
        match random(8) {
            0..4 => bytes[at] = random(256) as u8,
            4 => bytes[at] ^= 1 << random(8),
            5 => bytes.truncate(at.max(1)),
            _ => {
                let large = LARGE[random(LARGE.len())];
                let end = bytes.len().min(at + large.len());
                bytes[at..end].copy_from_slice(&large[..end - at]);
            }
        }
    }
}

/// Most bytes that a damaged table of a few kilobytes may take.
const MOST_MEMORY: isize = 32 << 20;

/// The variable of a process that reads damaged tables.
const READER: &str = "JOSTLE_TEST_READS_DAMAGED_TABLES";

#[test]
fn damaged_tables_print_nothing_and_take_little_memory() {
    if env::var_os(READER).is_none() {
        let name = "damaged_tables_print_nothing_and_take_little_memory";
        let output = Command::new(env::current_exe().unwrap())
            .args(["--exact", name, "--nocapture"])
            .env(READER, "1")
            .output()
            .unwrap();
        let printed = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success() && printed.is_empty(), "{printed}");
        return;
    }
    let container = Container::cuboid(DVec3::splat(4.0), "ppw".parse().unwrap()).unwrap();
    let mut state = 1_u64;
    let mut random = |limit: usize| {
        // Knuth's multiplier; the high bits are random.
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % limit
    };
    for format in FORMATS {
        let examples = examples(format);
        let mut accepted = 0;
        for round in 0..6000 {
            let mut bytes = examples[round % examples.len()].clone();
            if round >= examples.len() {
                damage(&mut bytes, &mut random);
            }
            PEAK.set(LIVE.get());
            let before = LIVE.get();
            let hint = ContainerHint::from(container.clone());
            let read = read_packing_from(&*bytes, format, Some(hint));
            let peak = PEAK.get() - before;
            assert!(peak < MOST_MEMORY, "{format}, round {round}: {peak} bytes");
            assert!(
                read.is_ok() || round >= examples.len(),
                "{format}: {read:?}"
            );
            accepted += usize::from(read.is_ok());
            if let Err(error) = read {
                assert!(!error.to_string().contains(char::is_control), "{error}");
            }
        }
        assert!((500..5500).contains(&accepted), "{format}: {accepted}");
    }
}

#[test]
fn few_bytes_never_become_many_spheres() {
    let many = 3_000_000;
    let equal: ArrayRef = Arc::new(Float64Array::from(vec![1.0; many]));
    let columns = ["x", "y", "z", "radius"].map(|name| (name, equal.clone()));
    let bytes = table(Format::Parquet, &columns);
    assert!(bytes.len() < 40_000, "{}", bytes.len());
    let container = Container::cuboid(DVec3::splat(4.0), "ppw".parse().unwrap()).unwrap();
    let hint = Some(ContainerHint::from(container));
    let error = read_packing_from(&*bytes, Format::Parquet, hint).unwrap_err();
    let error = error.to_string();
    assert!(
        error.starts_with("the file states ") && error.contains("are read from a file of its size"),
        "{error}"
    );
}
