//! Outputs with one file for each rank: Parquet data sets, and `.pvtp` files with their pieces. Ranks also read them together.
//! `tests/mpi/run` does both with MPI.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::{Arc, Barrier, Mutex},
    thread,
};

use glam::DVec3;
use jostle::{
    Container, Effort, PackOptions, Packing, Spheres, certify,
    container::Body,
    io::{
        ContainerHint, ExportOptions, Format, ReadError, ReadOptions, WriteError, check_exportable,
        export_files,
    },
    pack,
    ranks::{Communicator, Ranks},
    read_packing, write_files,
};
use tempfile::TempDir;

use crate::common::directory::names_in;

/// Ranks that are threads.
struct Thread {
    rank: usize,
    messages: Arc<Vec<Mutex<Vec<Vec<u8>>>>>,
    barrier: Arc<Barrier>,
    /// Calls a function with each message of the first rank to all.
    heard: fn(usize, &[u8]),
}

impl Communicator for Thread {
    fn rank(&self) -> usize {
        self.rank
    }

    fn ranks(&self) -> usize {
        self.messages.len()
    }

    fn all_to_all(&self, messages: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
        *self.messages[self.rank].lock().unwrap() = messages;
        self.barrier.wait();
        let received = self
            .messages
            .iter()
            .map(|all| all.lock().unwrap()[self.rank].clone())
            .collect();
        self.barrier.wait();
        received
    }

    fn exchange(&self, _: &[(usize, Vec<u8>)], _: &[usize]) -> Vec<Vec<u8>> {
        unreachable!("files need no messages between pairs")
    }

    fn all_gather(&self, message: &[u8]) -> Vec<Vec<u8>> {
        let received = self.all_to_all(vec![message.to_vec(); self.ranks()]);
        (self.heard)(self.rank, &received[0]);
        received
    }
}

fn container() -> Container {
    Container::cuboid(DVec3::new(16.0, 2.0, 1.0 / 3.0), "ppw".parse().unwrap()).unwrap()
}

/// Spheres with numbers that need many digits.
fn packing(count: usize) -> Packing {
    let centers =
        (0..count).map(|i| DVec3::new(i as f64 + 0.1, (0.1 * i as f64).sqrt(), 1.0 / 7.0));
    let radii = (0..count).map(|i| 1.0 / (i + 30) as f64);
    let spheres = Spheres::new(centers.collect(), radii.collect());
    let mut packing = Packing::new(spheres, container());
    packing.unit = "mm".to_owned();
    packing
}

/// Calls a function on some ranks, and returns the results by rank.
fn on_ranks<T: Send>(
    ranks: usize,
    heard: fn(usize, &[u8]),
    call: impl Fn(Ranks) -> T + Sync,
) -> Vec<T> {
    let messages = Arc::new((0..ranks).map(|_| Mutex::default()).collect());
    let barrier = Arc::new(Barrier::new(ranks));
    thread::scope(|scope| {
        let threads: Vec<_> = (0..ranks)
            .map(|rank| {
                let thread = Thread {
                    rank,
                    messages: Arc::clone(&messages),
                    barrier: Arc::clone(&barrier),
                    heard,
                };
                scope.spawn(|| call(Arc::new(thread).into()))
            })
            .collect();
        threads
            .into_iter()
            .map(|thread| thread.join().unwrap())
            .collect()
    })
}

/// Writes a packing as some ranks, and returns their results.
fn write(
    packing: &Packing,
    path: &Path,
    ranks: usize,
    heard: fn(usize, &[u8]),
) -> Vec<Result<Vec<String>, WriteError>> {
    on_ranks(ranks, heard, |ranks| {
        let share = ranks.share(packing.spheres().len());
        let (centers, radii) = packing.spheres().clone().into_parts();
        let spheres = Spheres::new(centers[share.clone()].to_vec(), radii[share].to_vec());
        let mut part = Packing::new(spheres, packing.container().clone());
        part.unit.clone_from(&packing.unit);
        part.sizes.clone_from(&packing.sizes);
        part.provenance.clone_from(&packing.provenance);
        export_files(&part, &[path], &ExportOptions::default().ranks(ranks))
    })
}

/// Reads a packing as some ranks, and returns their results.
fn read(path: &Path, hint: Option<&Container>, ranks: usize) -> Vec<Result<Packing, ReadError>> {
    on_ranks(
        ranks,
        |_, _| (),
        |ranks| {
            let options = ReadOptions::from(hint.cloned().map(ContainerHint::from));
            read_packing(path, options.ranks(ranks)).map(|read| read.packing)
        },
    )
}

/// Checks the parts of a packing on some ranks, and returns the numbers of their spheres and fixed spheres.
fn assert_parts_of(packing: &Packing, parts: Vec<Packing>) -> Vec<(usize, usize)> {
    let (mut centers, mut radii, mut counts) = (Vec::new(), Vec::new(), Vec::new());
    for part in parts {
        assert_eq!(part.container(), packing.container());
        assert_eq!(part.sizes, packing.sizes);
        assert_eq!(part.provenance, packing.provenance);
        assert_eq!(part.unit, packing.unit);
        assert_eq!(
            part.certificate(),
            certify(part.spheres(), part.container())
        );
        counts.push((part.spheres().len(), part.fixed()));
        let (own_centers, own_radii) = part.into_spheres().into_parts();
        centers.extend(own_centers);
        radii.extend(own_radii);
    }
    assert_eq!(Spheres::new(centers, radii), *packing.spheres());
    counts
}

fn written(packing: &Packing, path: &Path, ranks: usize) {
    for result in write(packing, path, ranks, |_, _| ()) {
        result.unwrap();
    }
}

/// An output with one file for each rank.
struct Output {
    path: PathBuf,
    /// The directory of the files.
    directory: PathBuf,
    /// The name of the file of a rank.
    part: fn(usize) -> String,
}

/// Returns the outputs that this build can write.
fn outputs(folder: &Path) -> Vec<Output> {
    let pieces = Output {
        path: folder.join("p.pvtp"),
        directory: folder.join("p"),
        part: |rank| format!("p_{rank}.vtp"),
    };
    let parts = Output {
        path: folder.join("p.parquet"),
        directory: folder.join("p.parquet"),
        part: |rank| format!("part-{rank:05}.parquet"),
    };
    let with_parquet = cfg!(feature = "parquet").then_some(parts);
    [pieces].into_iter().chain(with_parquet).collect()
}

fn assert_holds(path: &Path, packing: &Packing) {
    let hint = ContainerHint::from(container());
    let read = read_packing(path, hint).unwrap();
    assert_eq!(read.packing.spheres(), packing.spheres());
    assert_eq!(read.packing.container(), packing.container());
    assert_eq!(read.packing.certificate(), packing.certificate());
    let count = packing.spheres().len() as u64;
    assert_eq!(read.ids, Some((0..count).collect()));
}

#[test]
fn each_rank_writes_one_file() {
    // Three ranks for two spheres leave one without spheres, and the twelfth piece follows the second by name.
    for (count, ranks) in [(7, 3), (2, 3), (12, 12)] {
        let folder = TempDir::new().unwrap();
        let packing = packing(count);
        for Output {
            path,
            directory,
            part,
        } in outputs(folder.path())
        {
            written(&packing, &path, ranks);
            let mut names: Vec<_> = (0..ranks).map(part).collect();
            names.sort();
            assert_eq!(names_in(&directory), names);
            assert_holds(&path, &packing);
        }
        let names = names_in(folder.path());
        assert!(names.iter().all(|name| name.starts_with('p')), "{names:?}");
    }
}

#[test]
fn one_process_writes_one_piece_and_one_table() {
    let folder = TempDir::new().unwrap();
    let paths: Vec<_> = outputs(folder.path())
        .into_iter()
        .map(|output| output.path)
        .collect();
    write_files(&packing(5), &paths).unwrap();
    assert_eq!(names_in(&folder.path().join("p")), ["p_0.vtp"]);
    for path in paths {
        assert!(path.is_file());
        assert_holds(&path, &packing(5));
    }
}

#[test]
fn the_file_with_the_pieces_is_as_documented() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("a & \"b\" <c>.pvtp");
    written(&packing(5), &path, 2);
    insta::assert_snapshot!(fs::read_to_string(&path).unwrap());
    assert_holds(&path, &packing(5));
}

#[test]
fn older_outputs_are_replaced() {
    let folder = TempDir::new().unwrap();
    for Output {
        path,
        directory,
        part,
    } in outputs(folder.path())
    {
        for (count, ranks) in [(9, 4), (8, 2), (7, 1), (6, 3)] {
            check_exportable(&path, &ExportOptions::default(), container().boundary()).unwrap();
            written(&packing(count), &path, ranks);
            assert_holds(&path, &packing(count));
            if directory.is_dir() {
                assert_eq!(names_in(&directory).len(), ranks);
            }
        }
        write_files(&packing(5), &[&path]).unwrap();
        assert_holds(&path, &packing(5));
        assert!(!directory.join(part(1)).exists());
    }
    let names = names_in(folder.path());
    assert!(names.iter().all(|name| name.starts_with('p')), "{names:?}");
}

#[test]
fn other_directories_are_kept() {
    type Change = fn(&Path, &str);
    let changes: [(&str, Change); 5] = [
        ("a further file", |directory, _| {
            fs::write(directory.join("notes.txt"), "precious").unwrap();
        }),
        ("a missing file", |directory, part| {
            fs::rename(directory.join(part), directory.join("other")).unwrap();
        }),
        ("the file of another program", |directory, part| {
            fs::write(directory.join(part), "precious").unwrap();
        }),
        ("a directory", |directory, part| {
            fs::remove_file(directory.join(part)).unwrap();
            fs::create_dir(directory.join(part)).unwrap();
        }),
        ("nothing", |directory, _| {
            fs::remove_dir_all(directory).unwrap();
            fs::create_dir(directory).unwrap();
        }),
    ];
    for (name, change) in changes {
        let folder = TempDir::new().unwrap();
        for Output {
            path,
            directory,
            part,
        } in outputs(folder.path())
        {
            written(&packing(9), &path, 3);
            change(&directory, &part(1));
            let before = (names_in(folder.path()), names_in(&directory));
            let options = ExportOptions::default();
            let refused = check_exportable(&path, &options, container().boundary());
            let mut errors = vec![refused.unwrap_err()];
            errors.extend(
                write(&packing(9), &path, 3, |_, _| ())
                    .into_iter()
                    .map(Result::unwrap_err),
            );
            errors.push(write_files(&packing(9), &[&path]).unwrap_err());
            for error in errors {
                let expected = format!(
                    "cannot write '{}': a directory of that name exists",
                    directory.display()
                );
                assert_eq!(error.to_string(), expected, "{name}");
            }
            assert_eq!(
                (names_in(folder.path()), names_in(&directory)),
                before,
                "{name}"
            );
        }
    }
}

#[test]
fn a_rank_that_fails_leaves_nothing() {
    /// Takes the name of the file of the second rank when the temporary directory is known.
    fn obstruct(rank: usize, message: &[u8]) {
        let directory = Path::new(str::from_utf8(message).unwrap());
        if rank == 1 && directory.is_absolute() {
            for name in ["p_1.vtp", "part-00001.parquet"] {
                fs::create_dir(directory.join(name)).unwrap();
            }
        }
    }
    let folder = TempDir::new().unwrap();
    for Output { path, .. } in outputs(folder.path()) {
        written(&packing(5), &path, 3);
        let before = names_in(folder.path());
        for result in write(&packing(9), &path, 3, obstruct) {
            let message = result.unwrap_err().to_string();
            let expected = format!("cannot write '{}': Is a directory", path.display());
            assert!(message.starts_with(&expected), "{message}");
        }
        assert_eq!(names_in(folder.path()), before);
        assert_holds(&path, &packing(5));
    }
}

#[test]
fn an_extension_is_needed_beside_a_directory() {
    let folder = TempDir::new().unwrap();
    let options = ExportOptions::default().format(Format::Pvtp);
    let path = folder.path().join("p");
    let error = check_exportable(&path, &options, container().boundary()).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("the name must have an extension"),
        "{error}"
    );
    assert!(names_in(folder.path()).is_empty());
}

#[test]
fn damaged_data_sets_are_refused() {
    let folder = TempDir::new().unwrap();
    let hint = || Some(ContainerHint::from(container()));
    let message = |path: &Path| read_packing(path, hint()).unwrap_err().to_string();
    let path = folder.path().join("p.pvtp");
    written(&packing(5), &path, 3);
    let index = fs::read_to_string(&path).unwrap();
    for (source, words) in [
        ("/p/p_1.vtp", "no relative path"),
        ("p/../p/p_1.vtp", "no relative path"),
        ("", "no relative path"),
        ("p", "the piece 'p' cannot be read: it is no regular file"),
        (
            "p/p_0.vtp",
            "the file names the piece 'p/p_0.vtp' twice; each piece must be named once",
        ),
        (
            "./p/./p_0.vtp",
            "the file names the piece './p/./p_0.vtp' twice",
        ),
        (
            "p/p_7.vtp",
            "the piece 'p/p_7.vtp' cannot be read: No such file",
        ),
    ] {
        fs::write(&path, index.replace("p/p_1.vtp", source)).unwrap();
        let message = message(&path);
        assert!(message.contains(words), "{message}");
    }
    fs::write(&path, &index[..index.len() - 10]).unwrap();
    assert!(message(&path).contains("the file is no XML"));
    fs::write(&path, index.replace("\"PPolyData\"", "\"PImageData\"")).unwrap();
    assert!(
        message(&path).contains(
            "the file holds 'PImageData'; only PPolyData and PUnstructuredGrid can be read"
        )
    );
    fs::write(&path, index).unwrap();
    let piece = folder.path().join("p/p_1.vtp");
    fs::write(&piece, "<VTKFile").unwrap();
    let message = message(&path);
    assert!(
        message.starts_with(&format!("'{}', line 1: ", piece.display())),
        "{message}"
    );
}

#[cfg(feature = "parquet")]
#[test]
fn damaged_parquet_data_sets_are_refused() {
    let folder = TempDir::new().unwrap();
    let message = |path: &Path| read_packing(path, None).unwrap_err().to_string();
    let path = folder.path().join("p.parquet");
    fs::create_dir(&path).unwrap();
    assert!(message(&path).contains("the directory holds no table"));
    fs::remove_dir(&path).unwrap();
    written(&packing(5), &path, 3);
    // Such files are no part of the data.
    for name in ["_SUCCESS", ".part-00000.parquet.crc", "notes.txt"] {
        fs::write(path.join(name), "").unwrap();
    }
    assert_holds(&path, &packing(5));
    fs::create_dir(path.join("d=1")).unwrap();
    assert!(message(&path).contains("holds the directory 'd=1'"));
    fs::remove_dir(path.join("d=1")).unwrap();
    let mut other = packing(2);
    other.unit = "m".to_owned();
    let part = path.join("part-00001.parquet");
    write_files(&other, &[&part]).unwrap();
    let expected = format!(
        "'{}': the file states another container, origin, unit or labels",
        part.display()
    );
    assert!(message(&path).starts_with(&expected), "{}", message(&path));
    fs::write(&part, "PAR1").unwrap();
    let expected = format!("'{}': the file cannot be read", part.display());
    assert!(message(&path).starts_with(&expected), "{}", message(&path));
}

/// Neither links to other folders nor pipes, whose reading would not end.
#[cfg(unix)]
#[test]
fn only_regular_files_of_the_folder_are_read() {
    let folder = TempDir::new().unwrap();
    for Output {
        path,
        directory,
        part,
    } in outputs(folder.path())
    {
        written(&packing(5), &path, 3);
        let part = directory.join(part(1));
        let outside = folder.path().join("outside");
        fs::rename(&part, &outside).unwrap();
        let message = || {
            let read = read_packing(&path, Some(ContainerHint::from(container())));
            read.unwrap_err().to_string()
        };
        if path != directory {
            // Beside the file is inside of its folder.
            std::os::unix::fs::symlink(&outside, &part).unwrap();
            read_packing(&path, Some(container().into())).unwrap();
            fs::remove_file(&part).unwrap();
        }
        let other = TempDir::new().unwrap();
        let elsewhere = other.path().join("elsewhere");
        fs::rename(&outside, &elsewhere).unwrap();
        std::os::unix::fs::symlink(&elsewhere, &part).unwrap();
        assert!(
            message().contains("it is a link to a file outside of the folder"),
            "{}",
            message()
        );
        fs::remove_file(&part).unwrap();
        let made = std::process::Command::new("mkfifo").arg(&part).status();
        assert!(made.unwrap().success());
        assert!(message().contains("it is no regular file"), "{}", message());
        fs::remove_file(&part).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &part).unwrap();
        assert!(message().contains("it is no regular file"), "{}", message());
    }
}

#[cfg(feature = "parquet")]
#[test]
fn each_part_has_the_schema_and_the_metadata_of_the_single_file() {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    let folder = TempDir::new().unwrap();
    let metadata = |path: &Path| {
        let reader = SerializedFileReader::new(fs::File::open(path).unwrap()).unwrap();
        let metadata = reader.metadata().file_metadata();
        let pairs = metadata.key_value_metadata().cloned();
        (metadata.schema().clone(), pairs.unwrap())
    };
    let [single, set] = ["single.parquet", "set.parquet"].map(|name| folder.path().join(name));
    write_files(&packing(2), &[&single]).unwrap();
    written(&packing(2), &set, 3);
    for name in names_in(&set) {
        assert_eq!(metadata(&set.join(name)), metadata(&single));
    }
    assert_eq!(metadata(&single).1[0].key, "jostle");
}

#[test]
fn each_rank_reads_its_share_of_the_files() {
    let folder = TempDir::new().unwrap();
    let packing = packing(7);
    for Output { path, .. } in outputs(folder.path()) {
        written(&packing, &path, 3);
        // A .pvtp file holds no unit.
        let whole = read_packing(&path, container()).unwrap();
        for (ranks, counts) in [
            (1, &[7][..]),
            (2, &[5, 2]),
            (3, &[3, 2, 2]),
            (5, &[3, 2, 0, 2, 0]),
        ] {
            let parts = read(&path, Some(&container()), ranks);
            let parts = parts.into_iter().map(Result::unwrap).collect();
            let counts: Vec<_> = counts.iter().map(|&count| (count, 0)).collect();
            assert_eq!(
                assert_parts_of(&whole.packing, parts),
                counts,
                "{ranks} ranks"
            );
        }
    }
}

#[test]
fn the_first_rank_reads_other_files_and_sends_shares() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("p.json");
    let body = "sphere:d=0.3@0.1,0.2,0.3".parse::<Body>().unwrap();
    let options = PackOptions::default().effort(Effort::QUICK);
    let run = pack(&[0.1; 50], &options).unwrap();
    let around = run.packing.container().without([body]).unwrap();
    let mut packing = Packing::new(run.packing.spheres().clone(), around).with_fixed(20);
    packing.provenance = run.packing.provenance;
    packing.unit = "mm".to_owned();
    write_files(&packing, &[&path]).unwrap();
    for (ranks, counts) in [
        (1, &[(50, 20)][..]),
        (2, &[(25, 0), (25, 20)]),
        (3, &[(17, 0), (17, 4), (16, 16)]),
    ] {
        let parts = read(&path, None, ranks);
        let parts = parts.into_iter().map(Result::unwrap).collect();
        assert_eq!(assert_parts_of(&packing, parts), counts, "{ranks} ranks");
    }
    // Fewer spheres than ranks, and none.
    for count in [2, 0] {
        let path = folder.path().join("p.csv");
        let mut packing = self::packing(count);
        packing.unit.clear();
        write_files(&packing, &[&path]).unwrap();
        let parts = read(&path, Some(&container()), 3);
        assert_parts_of(&packing, parts.into_iter().map(Result::unwrap).collect());
    }
}

/// Checks that all ranks refuse a file, the first one with the sentence of one process, which is returned.
fn assert_refused(path: &Path, hint: Option<&Container>) -> String {
    let alone = read_packing(path, hint.cloned().map(ContainerHint::from));
    let expected = alone.unwrap_err().to_string();
    for ranks in [2, 3, 4] {
        let errors = read(path, hint, ranks).into_iter().map(Result::unwrap_err);
        let errors: Vec<String> = errors.map(|error| error.to_string()).collect();
        assert_eq!(errors[0], expected, "{ranks} ranks");
    }
    expected
}

#[test]
fn all_ranks_refuse_what_one_process_refuses() {
    let folder = TempDir::new().unwrap();
    for name in [
        "missing.json",
        "missing.pvtp",
        "p.txt",
        "p.html",
        "p.csv",
        "p.pvtp",
    ] {
        let path = folder.path().join(name);
        if matches!(name, "p.csv" | "p.pvtp") {
            written(&packing(3), &path, 3);
        }
        let message = assert_refused(&path, None);
        assert!(message.contains(path.to_str().unwrap()), "{message}");
    }
    for output in outputs(folder.path()) {
        written(&packing(7), &output.path, 4);
        fs::write(output.directory.join((output.part)(2)), "damaged").unwrap();
        let message = assert_refused(&output.path, Some(&container()));
        assert!(message.contains(&(output.part)(2)), "{message}");
    }
    fs::remove_file(folder.path().join("p/p_3.vtp")).unwrap();
    fs::remove_file(folder.path().join("p/p_2.vtp")).unwrap();
    let message = assert_refused(&folder.path().join("p.pvtp"), Some(&container()));
    assert!(
        message.contains("the piece 'p/p_2.vtp' cannot be read"),
        "{message}"
    );
}

#[cfg(feature = "parquet")]
#[test]
fn tables_of_several_ranks_have_one_container() {
    let folder = TempDir::new().unwrap();
    let path = folder.path().join("p.parquet");
    written(&packing(7), &path, 4);
    let mut other = packing(2);
    other.unit = "m".to_owned();
    for part in [3, 2, 1] {
        // The first file of a rank, for two ranks or four.
        let part = path.join(format!("part-{part:05}.parquet"));
        write_files(&other, &[&part]).unwrap();
        let message = assert_refused(&path, None);
        let expected = format!("'{}': the file states another", part.display());
        assert!(message.starts_with(&expected), "{message}");
    }
    fs::remove_dir_all(&path).unwrap();
    fs::create_dir(&path).unwrap();
    assert!(assert_refused(&path, None).contains("the directory holds no table"));
}
