//! The inputs of the fuzz targets: every file of `tests/fuzz/corpus` keeps the promises of its parser.

#[path = "../fuzz/src/parsers.rs"]
mod parsers;

use std::{collections::BTreeMap, fs, path::Path};

use parsers::PARSERS;

/// Returns the names and the contents of the files in a directory.
fn files_in(directory: &Path) -> BTreeMap<String, Vec<u8>> {
    let entries = fs::read_dir(directory).unwrap();
    entries
        .map(|entry| {
            let entry = entry.unwrap();
            let name = entry.file_name().into_string().unwrap();
            (name, fs::read(entry.path()).unwrap())
        })
        .collect()
}

#[test]
fn every_input_of_the_corpora_keeps_the_promises_of_its_parser() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    for &(parser, _) in PARSERS {
        let corpus = files_in(&fuzz.join("corpus").join(parser));
        let mut counts = [0; 3];
        for (name, input) in &corpus {
            // The test prints the names, so that the last one is that of the input that fails.
            println!("{parser}/{name}");
            let outcome = parsers::check(parser, input);
            counts[outcome as usize] += 1;
        }
        let [accepted, rejected, ignored] = counts;
        assert!(
            accepted > 0 && rejected > 0,
            "{parser}: {accepted}, {rejected}"
        );
        assert_eq!(corpus.len(), accepted + rejected + ignored);
        assert_eq!(ignored, 0, "{parser}: inputs that no check reads");
    }
}

#[test]
fn every_parser_has_a_target_and_a_corpus() {
    let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fuzz");
    let mut names: Vec<_> = PARSERS.iter().map(|(name, _)| (*name).to_owned()).collect();
    if !cfg!(feature = "parquet") {
        names.extend(["arrow", "parquet"].map(str::to_owned));
    }
    if !cfg!(feature = "report") {
        names.push("render".to_owned());
    }
    names.sort();
    let corpora = fs::read_dir(fuzz.join("corpus")).unwrap();
    let mut corpora: Vec<_> = corpora
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    corpora.sort();
    assert_eq!(corpora, names);
    let targets = files_in(&fuzz.join("src/bin"));
    let mut targets: Vec<_> = targets
        .keys()
        .map(|file| file.trim_end_matches(".rs"))
        .collect();
    targets.sort_unstable();
    assert_eq!(targets, names);
}
