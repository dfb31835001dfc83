//! Sieve tables and lists of diameters as people have them: each file means the curve that its author sees.

use std::{fmt::Write, time::Instant};

use jostle::{
    SizeSpec,
    distribution::{Sampling, SizeDistribution},
};

/// The curve of most tables here: sieve sizes and percent passing.
const CURVE: [[f64; 2]; 4] = [[0.063, 0.0], [0.25, 12.5], [2.0, 45.0], [16.0, 100.0]];

fn table(text: &str) -> SizeSpec {
    SizeSpec::from_table("sieves.csv", text.as_bytes())
        .unwrap_or_else(|error| panic!("{error}\n{text}"))
}

fn passing(law: &SizeDistribution) -> Vec<[f64; 2]> {
    let SizeDistribution::Sieve(curve) = law else {
        panic!("{law:?} is no sieve curve");
    };
    curve.passing().to_vec()
}

/// Asserts that a text has the points of a curve, within rounding errors.
#[track_caller]
fn assert_curve(text: &str, expected: &[[f64; 2]]) -> SizeSpec {
    let spec = table(text);
    let found = passing(&spec.distribution);
    assert_eq!(found.len(), expected.len(), "{text}: {found:?}");
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found[0], expected[0], "{text}");
        assert!((found[1] - expected[1]).abs() < 1e-9, "{text}: {found:?}");
    }
    spec
}

#[test]
fn separators_decimals_and_orders_do_not_matter() {
    for text in [
        "size,passing\n0.063,0\n0.25,12.5\n2,45\n16,100\n",
        "size;passing\n0,063;0\n0,25;12,5\n2;45\n16;100\n",
        "size\tpassing\n0,063\t0\n0,25\t12,5\n2\t45\n16\t100\n",
        "size passing\n0.063 0\n0.25 12.5\n2  45\n16  100",
        "0,063 0\n0,25 12,5\n2 45\n16 100\n",
        "0.063,0\n0.25,12.5\n2,45\n16,100\n",
        "# a comment\n# another one\n\n0.063 , 0\n# within\n0.25, 12.5\n2,45\n16,100\n;;\n",
        "passing,size\n100,16\n45,2\n12.5,0.25\n0,0.063\n",
        "100,16\n45,2\n12.5,0.25\n0,0.063\n",
        "2,45\n0.063,0\n16,100\n0.25,12.5\n",
        "size,passing\r\n0.063,0\r\n0.25,12.5\r\n2,45\r\n16,100\r\n",
        "size,passing\r0.063,0\r0.25,12.5\r2,45\r16,100\r",
        "\u{feff}\"size\",\"passing\"\n\"0.063\",\"0\"\n\"0,25\",\"12,5\"\n\"2\",\"45\"\n\"16\",\"100\"\n",
        "size,passing\n0.063,0%\n0.25,12.5 %\n2,45%\n16,100%\n",
        "size,passing\n0.063,0\n0.25,0.125\n2,0.45\n16,1\n",
        "size,passing [%]\n0.063,0\n0.25,0.125\n2,0.45\n16,1\n",
        "Sieve analysis of pit 4,,\nsize,passing,\n0.063,0,\n0.25,12.5,\n2,45,\n16,100,\n",
    ] {
        let spec = assert_curve(text, &CURVE);
        assert_eq!(spec.notes(), Vec::<String>::new(), "{text}");
        assert_eq!((&*spec.name, &*spec.unit), ("sieves.csv", ""));
    }
}

#[test]
fn headers_in_any_words_name_unit_and_meaning() {
    let of = |header: &str, rows: &str| format!("{header}\n{rows}");
    let rising = "0.063;0\n0.25;12.5\n2;45\n16;100\n";
    for (header, unit) in [
        ("Sieve size [mm];Passing [%]", "mm"),
        ("Korngröße (µm);Siebdurchgang in %", "µm"),
        ("x_um;Q3", "µm"),
        ("Diameter micron;cumulative volume %", "µm"),
        ("tamis (mm);tamisats cumulés (%)", "mm"),
        ("d / m;finer", "m"),
        ("particle diameter nm;undersize", "nm"),
    ] {
        let spec = assert_curve(&of(header, rising), &CURVE);
        assert_eq!(spec.unit, unit, "{header}");
    }
    let falling = "0.063;100\n0.25;87.5\n2;55\n16;0\n";
    for header in [
        "Sieve [mm];Cumulative retained [%]",
        "Siebweite mm;Rückstand (Summe) %",
        "mm;retained",
        "mm;cum. %",
        "mm;%",
    ] {
        assert_curve(&of(header, falling), &CURVE);
    }
    let on_each = "0.063;12.5\n0.25;32.5\n2;55\n16;0\n";
    for header in [
        "Sieve [mm];retained on each sieve [%]",
        "Sieve [mm];retained",
        "Sieve [mm];mass %",
    ] {
        let spec = assert_curve(&of(header, on_each), &CURVE);
        assert!(spec.notes().is_empty());
    }
    assert_curve(
        &of(
            "Sieve [mm];mass retained [g]",
            "0.063;25\n0.25;65\n2;110\n16;0\nTotal;200\n",
        ),
        &CURVE,
    );
    // The pan holds nothing.
    assert_curve(
        &of(
            "Sieve [mm];mass retained [g]",
            "16;0\n2;110\n0.25;65\n0.063;25\nPan;0\n",
        ),
        &CURVE,
    );
    // A column of remarks may be empty.
    let with_remarks =
        "Siebweite [mm];Rückstand [g];Bemerkung\n0,063;25;\n0,25;65;\n2;110;\n16;0;\n";
    assert_curve(with_remarks, &CURVE);
    // Latin-1, the encoding of many spreadsheets.
    let latin = b"Korngr\xf6\xdfe [\xb5m];Durchgang [%]\n1;0\n2;100\n";
    let spec = SizeSpec::from_table("a.csv", latin).unwrap();
    assert_eq!(spec.unit, "µm");
    // The header may be a comment.
    let spec = assert_curve(
        "# size [mm] passing\n0.063 0\n0.25 12.5\n2 45\n16 100\n",
        &CURVE,
    );
    assert_eq!(spec.unit, "mm");
}

#[test]
fn assumptions_are_stated() {
    for (text, points, words) in [
        (
            "mm,passing\n0.25,3\n1,12\n16,100\n",
            [[0.25, 0.0], [1.0, 100.0 * 9.0 / 97.0], [16.0, 100.0]],
            vec!["the 3 % of the mass that pass the smallest size 0.25 are left out"],
        ),
        (
            "mm,passing\n0.25,0\n1,12\n16,99.2\n",
            [[0.25, 0.0], [1.0, 1200.0 / 99.2], [16.0, 100.0]],
            vec!["the largest size 16 passes 99.2 %"],
        ),
        (
            "mm,retained in class\n0.25,11.9\n1,87.9\n16,0\n",
            [[0.25, 0.0], [1.0, 1190.0 / 99.8], [16.0, 100.0]],
            vec!["sums to 99.8 and is divided by this sum"],
        ),
        (
            "radius [mm],passing,remark\n0.125,0,7\n0.5,12,8\n8,100,9\n",
            [[0.25, 0.0], [1.0, 12.0], [16.0, 100.0]],
            vec![
                "radii in column 'radius [mm]' are doubled",
                "not used: column 'remark'",
            ],
        ),
    ] {
        let spec = assert_curve(text, &points);
        let notes = spec.notes();
        assert_eq!(notes.len(), words.len(), "{notes:?}");
        for (note, words) in notes.iter().zip(words) {
            assert!(note.contains(words), "{note}");
        }
        // The JSON form keeps the notes.
        let json = serde_json::to_string(&spec).unwrap();
        assert_eq!(SizeSpec::from_json("a.json", &json).unwrap(), spec);
    }
}

#[test]
#[expect(clippy::too_many_lines, reason = "a table of cases")]
fn bad_tables_get_one_sentence_with_line_column_and_value() {
    for (text, words) in [
        ("", vec!["no row of numbers", "expected"]),
        ("size,passing\n", vec!["no row of numbers"]),
        (
            "mm,passing\n1,0\n2,abc\n4,100\n",
            vec!["line 3, column 2", "'abc'", "0.25"],
        ),
        (
            "mm,passing\n1x,0\n2,50\n4,100\n",
            vec!["line 2, column 1", "'1x'"],
        ),
        (
            "mm,passing\n1,0\n2\n4,100\n",
            vec!["line 3", "1 column", "2 columns"],
        ),
        ("mm,passing\n1,0\n2,\n4,100\n", vec!["line 3", "1 column"]),
        (
            "mm,passing\n1,0\n-2,50\n4,100\n",
            vec!["line 3, column 1", "-2"],
        ),
        (
            "mm,passing\n1,0\n2,-50\n4,100\n",
            vec!["line 3, column 2", "-50"],
        ),
        (
            "mm,passing\n1,0\n1,50\n4,100\n",
            vec!["line 3, column 1", "1 stands twice"],
        ),
        (
            "mm,passing\n1,0\n2,60\n3,50\n4,100\n",
            vec!["line 4, column 2: 50", "60", "does not fall"],
        ),
        (
            "mm,cum retained\n1,100\n2,60\n3,70\n4,0\n",
            vec!["line 4, column 2: 70", "does not rise"],
        ),
        (
            "mm,passing\n1,0\n2,160\n4,100\n",
            vec!["line 3, column 2", "160"],
        ),
        (
            "mm,passing\n1,0\n2,50\n4,95\n",
            vec!["95 % pass the largest size 4", "add"],
        ),
        (
            "mm,passing\n1,20\n2,50\n4,100\n",
            vec!["20 % pass the smallest size 1", "add"],
        ),
        (
            "mm,retained on each sieve\n1,20\n2,50\n4,0\n",
            vec!["sums to 70", "100 % or 1"],
        ),
        (
            "10,5\n50,60\n100,100\n",
            vec!["not clear which", "add a header"],
        ),
        (
            "1,0,0\n2,40,3\n4,100,5\n",
            vec!["3 columns", "add a header"],
        ),
        (
            "mm,share\n1,0\n2,60\n4,40\n8,0\n",
            vec![
                "may have",
                "next larger one",
                "next smaller one",
                "add a header",
            ],
        ),
        (
            "mm;passing\n1;0\n2,5;50.5\n4;100\n",
            vec!["line 3, column 2", "'50.5'", "'2,5' in line 3"],
        ),
        (
            "size [mm],size [µm],vol %\n1,1000,40\n2,2000,60\n",
            vec!["both sizes"],
        ),
        ("x,y,z,r\n1,2,3,0.5\n", vec!["positions"]),
        ("mm passing of all\n1 0\n2 100\n", vec!["line 1", "2 names"]),
        ("d\n1\n0\n3\n", vec!["line 3, column 1: 0"]),
        ("d\n1\n1e99\n3\n", vec!["diameter 2", "1e99"]),
        ("d\n1x\n2\n", vec!["line 2, column 1", "'1x'"]),
        ("1\0", vec!["UTF-8"]),
    ] {
        let error = SizeSpec::from_table("a.csv", text.as_bytes()).expect_err(text);
        let message = error.to_string();
        assert!(message.starts_with("a.csv: "), "{text}: {message}");
        for word in words {
            assert!(message.contains(word), "{text}: no '{word}' in: {message}");
        }
        assert!(!message.contains('\n'), "{text}: {message}");
    }
}

#[test]
fn one_column_is_a_list_of_diameters() {
    for text in [
        "3\n1.5\n1\n",
        "d [mm]\n3\n1.5\n1\n",
        "# grains\n\"3\"\n\"1.5\"\n1;\n",
        "d\n3,0\n1,5\n1,0\n",
    ] {
        let spec = table(text);
        assert_eq!(
            spec.distribution.listed().unwrap(),
            [3.0, 1.5, 1.0],
            "{text}"
        );
    }
    let list = SizeSpec::from_diameters("a.txt", b"0,5\n0,25\n").unwrap();
    assert_eq!(list.distribution.listed().unwrap(), [0.5, 0.25]);
    let radii = table("radius (µm)\n3\n");
    assert_eq!(radii.distribution.listed().unwrap(), [6.0]);
    assert_eq!((radii.unit.as_str(), radii.notes().len()), ("µm", 1));
    let error = SizeSpec::from_diameters("a.txt", b"1 2\n3 4\n").unwrap_err();
    assert!(error.to_string().contains("this table has 2"), "{error}");
}

#[test]
fn a_list_is_its_own_sample_and_the_law_of_others() {
    let mut text = String::new();
    let mut expected = Vec::new();
    for i in 0..3000u32 {
        let diameter = 1.0 + f64::from(i * 7919 % 3001) / 1000.0;
        writeln!(text, "{diameter}").unwrap();
        expected.push(diameter);
    }
    let spec = table(&text);
    let law = &spec.distribution;
    let sample = law.sample_number(3000, Sampling::Stratified, 1);
    assert_eq!(sample.diameters, expected);
    assert_eq!(
        (sample.report().mass_curve_error, &sample.report().warning),
        (0.0, &None)
    );
    let cubes: f64 = expected.iter().map(|d| d * d * d).sum();
    assert!((law.raw_moment(3) * 3000.0 / cubes - 1.0).abs() < 1e-12);
    for share in [0.1, 0.5, 0.9] {
        expected.sort_by(f64::total_cmp);
        let quantile = expected[(share * 3000.0) as usize];
        assert!(
            (law.number_quantile(share) / quantile - 1.0).abs() < 0.01,
            "{share}"
        );
    }
    let sample = law.sample_number(500, Sampling::Stratified, 1);
    assert!(
        sample.report().mass_curve_error < 0.02,
        "{:?}",
        sample.report()
    );
}

#[test]
fn long_lists_are_read_fast() {
    // The release build reads 10⁶ diameters in a second; this build is several times slower.
    let count = 100_000;
    let text: String = (0..count)
        .map(|i| format!("{}\n", 1.0 + f64::from(i) * 1e-5))
        .collect();
    let start = Instant::now();
    let spec = table(&text);
    assert_eq!(spec.distribution.listed().unwrap().len(), count as usize);
    assert!(start.elapsed().as_secs_f64() < 5.0);
}

#[test]
fn files_and_texts_are_loaded_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let sieves = file("pit.CSV", "mm,passing\n1,0\n2,100\n");
    assert_eq!(
        passing(&SizeSpec::load(&sieves).unwrap().distribution),
        [[1.0, 0.0], [2.0, 100.0]]
    );
    let list = file("grains", "1\n2\n");
    let list = SizeSpec::load(&format!("diameters:{list}")).unwrap();
    assert_eq!(list.distribution.listed().unwrap(), [1.0, 2.0]);
    let error = SizeSpec::load("no-such-file.txt").unwrap_err();
    assert!(error.to_string().contains("No such file"), "{error}");

    let inline = SizeSpec::load("sieve:16=100,0.25=3,1=12,interpolation=linear").unwrap();
    assert_eq!(inline.notes().len(), 1);
    // A quarter of the mass between 1 and 16 lies below 4.75, by the straight line.
    let below = |d: f64| inline.distribution.mass_cdf(d);
    assert!((below(4.75) - (9.0 + 0.25 * 88.0) / 97.0).abs() < 1e-12);
    let d_values = SizeSpec::load("dvalues:10=5,50=20,90=60").unwrap();
    let with_letters = SizeSpec::load("dvalues:D10=5,d50=20,D90=60").unwrap();
    assert_eq!(d_values.distribution, with_letters.distribution);
    for (share, diameter) in [(0.1, 5.0), (0.5, 20.0), (0.9, 60.0)] {
        assert!((d_values.distribution.mass_quantile(share) / diameter - 1.0).abs() < 1e-12);
    }
    assert!((d_values.distribution.d_max() / (60.0 * 3f64.powf(0.25)) - 1.0).abs() < 1e-12);
    assert!(d_values.source.contains("straight in ln d"));
    for (text, words) in [
        ("sieve:0.25=3,1=x", ["'1=x'", "pair of numbers"]),
        ("sieve:0.25=3,1=2,16=100", ["2 % pass the size 1", "3 %"]),
        ("sieve:0.25=0,1=50", ["50 % pass the largest size 1", "add"]),
        (
            "sieve:0.25=0,1=100,shape=log",
            ["'shape=log'", "interpolation"],
        ),
        ("dvalues:50=20", ["at least two pairs", "percent"]),
        ("dvalues:10=20,50=5", ["D10 = 20", "D50 = 5"]),
        ("dvalues:10=5,150=20", ["150", "0 to 100"]),
    ] {
        let message = SizeSpec::load(text).unwrap_err().to_string();
        for word in words {
            assert!(message.contains(word), "{text}: no '{word}' in: {message}");
        }
    }
}

#[test]
fn sieves_have_names_and_lengths_have_inches() {
    let astm = [[0.075, 0.0], [0.425, 20.0], [4.75, 60.0], [12.5, 100.0]];
    for text in [
        "Sieve,passing [%]\n1/2 in.,100\n#4,60\n#40,20\n#200,0\n",
        "Sieve [in],passing\n1/2\",100\nNo. 4,60\nNo. 40,20\nNo. 200,0\n",
        "# a comment\n#200;0\n#40;20\n#4;60\n\"1/2\"\"\";100\n",
        "#200 0\n#40 20\n#4 60\n1/2\" 100\n",
    ] {
        assert_eq!(assert_curve(text, &astm).unit, "mm", "{text}");
    }
    let spec = assert_curve(
        "opening [in],passing\n0.5,0\n1,100\n",
        &[[0.5, 0.0], [1.0, 100.0]],
    );
    assert_eq!(spec.unit, "in");
    let millimeters = spec.in_unit("mm").unwrap().distribution;
    assert!((millimeters.d_max() / 25.4 - 1.0).abs() < 1e-15);
    assert!((millimeters.d_min() / 12.7 - 1.0).abs() < 1e-15);
    let mixed = SizeSpec::from_table("a.csv", b"sieve,passing\n#4,0\n12.5,100\n").unwrap_err();
    assert!(mixed.to_string().contains("line 3, column 1"), "{mixed}");
    // `in` is a word as well.
    assert_curve(
        "Sieve [mm];retained in class %\n0.063;12.5\n0.25;32.5\n2;55\n16;0\n",
        &CURVE,
    );
}

#[test]
fn numbers_of_spheres_make_classes() {
    for header in ["diameter [µm],count", "d/µm,number", "size (µm),Anzahl"] {
        let spec = table(&format!("{header}\n5,30\n10,60\n20,0\n40,10\n"));
        let law = &spec.distribution;
        assert_eq!(spec.unit, "µm");
        assert_eq!((law.d_min(), law.d_max()), (5.0, 40.0));
        for (d, share) in [(5.0, 0.3), (10.0, 0.9), (20.0, 0.9), (40.0, 1.0)] {
            assert!((law.number_cdf(d) - share).abs() < 1e-15, "{header}: {d}");
        }
        let mass = [5.0f64, 10.0, 40.0].map(|d| d.powi(3));
        let finer = 0.3 * mass[0] + 0.6 * mass[1];
        let share = finer / (finer + 0.1 * mass[2]);
        assert!((law.mass_cdf(10.0) / share - 1.0).abs() < 1e-12);
    }
    for (text, words) in [
        ("diameter,cumulative count\n1,5\n2,10\n3,20\n", "cumulative"),
        ("number,diameter\n1,5.5\n2,4\n3,7\n", "counts the rows"),
        ("diameter,count\n1,0\n2,0\n", "sums to 0"),
    ] {
        let error = SizeSpec::from_table("a.csv", text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}

#[test]
fn classes_have_bounds() {
    for text in [
        "lower [mm],upper [mm],mass %\n0.063,0.25,12.5\n0.25,2,32.5\n2,16,55\n",
        "from mm;to mm;retained [g]\n2;16;110\n0.25;2;65\n0.063;0.25;25\n",
        "d_max,d_min,share\n0.25,0.063,0.125\n2,0.25,0.325\n16,2,0.55\n",
    ] {
        assert_curve(text, &CURVE);
    }
    // Nothing lies between separate classes, and passing belongs to the upper bounds.
    assert_curve(
        "lower mm,upper mm,mass %\n1,2,40\n4,8,60\n",
        &[[1.0, 0.0], [2.0, 40.0], [4.0, 40.0], [8.0, 100.0]],
    );
    assert_curve(
        "lower mm,upper mm,passing\n0.1,0.2,0\n0.2,2,45\n2,16,100\n",
        &[[0.2, 0.0], [2.0, 45.0], [16.0, 100.0]],
    );
    // The numbers in the classes are those of the table.
    let spec = table("lower [µm],upper [µm],number\n1,2,700\n2,4,0\n4,8,250\n8,10,50\n");
    for (d, share) in [(1.0, 0.0), (2.0, 0.7), (4.0, 0.7), (8.0, 0.95), (10.0, 1.0)] {
        let found = spec.distribution.number_cdf(d);
        assert!((found - share).abs() < 1e-9, "{d}: {found}");
    }
    for (text, words) in [
        (
            "lower mm,upper mm,mass %\n1,2,40\n1.5,4,60\n",
            "inside of the class from 1 to 2",
        ),
        (
            "lower mm,upper mm,count\n0,2,40\n2,4,60\n",
            "lower bound above 0",
        ),
        ("lower mm,upper mm,mass %\n1,2,40\n2,4,50\n", "sums to 90"),
        ("a mm,b mm,mass %\n1,2,40\n4,2,60\n", "both sizes"),
    ] {
        let error = SizeSpec::from_table("a.csv", text.as_bytes()).unwrap_err();
        assert!(error.to_string().contains(words), "{text}: {error}");
    }
}
