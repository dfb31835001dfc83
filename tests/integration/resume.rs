//! A run that stops and continues from a checkpoint ends with the bits of an undisturbed run.

use jostle::{
    Boundaries, Container, Effort, PackOptions, Packer, Packing, SizeSpec, Target,
    distribution::Sampling,
    glam::DVec3,
    io::{read_checkpoint, read_checkpoint_from, write_checkpoint},
    rearrange::{Checkpoint, ExchangeRate},
    total_volume,
};

fn radii(sizes: &str, count: usize) -> Vec<f64> {
    let spec = SizeSpec::load(sizes).unwrap();
    spec.sample_number(count, Sampling::Stratified, 0).radii()
}

/// Returns a checkpoint that was written to a file and read again.
fn copied(checkpoint: &Checkpoint) -> Checkpoint {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.checkpoint");
    write_checkpoint(checkpoint, &path).unwrap();
    let per_sphere = path.metadata().unwrap().len() as f64 / checkpoint.radii().len() as f64;
    assert!(per_sphere < 50.0, "{per_sphere} bytes per sphere");
    let read = read_checkpoint(&path).unwrap();
    assert_eq!(&read, checkpoint);
    read
}

/// Packs without a stop. Returns the packing and the number of sweeps.
fn undisturbed(radii: &[f64], options: &PackOptions) -> (Packing, u64) {
    let mut packer = Packer::new(radii, options).unwrap();
    while packer.sweep().is_some() {}
    let sweeps = packer.progress().unwrap().sweeps;
    (packer.finish().packing, sweeps)
}

/// Packs, and continues from a checkpoint after each of the given numbers of sweeps.
fn disturbed(radii: &[f64], options: &PackOptions, stops: &[u64]) -> Packing {
    let mut packer = Packer::new(radii, options).unwrap();
    for &stop in stops {
        while packer.progress().map_or(0, |progress| progress.sweeps) < stop
            && packer.sweep().is_some()
        {}
        let checkpoint = copied(&packer.checkpoint());
        packer = Packer::resume(checkpoint.threads(1 + stop as usize % 3)).unwrap();
    }
    while packer.sweep().is_some() {}
    packer.finish().packing
}

#[test]
fn resumed_runs_end_with_the_bits_of_undisturbed_ones() {
    let wide = radii("concrete", 1500);
    let equal = radii("equal", 1200);
    let walls: Boundaries = "wpw".parse().unwrap();
    let quick = || PackOptions::default().effort(Effort::QUICK);
    let lengths = DVec3::new(1.0, 2.0, 0.7) * (total_volume(&wide) / 0.55 / 1.4).cbrt();
    let container = Container::cuboid(lengths, Boundaries::PERIODIC).unwrap();
    let out_of_reach = quick().target(Target::Fraction(0.92)).max_sweeps(900);
    let slower_growth = PackOptions::default().target(Target::Fraction(0.648));
    for (name, radii, options) in [
        ("equal", &equal, quick()),
        ("wide", &wide, quick().container(walls)),
        (
            "loose",
            &wide,
            quick().container(container).target(Target::Exact),
        ),
        (
            "exchanges",
            &wide,
            quick().exchange(ExchangeRate::AUTO).min_gap(0.01),
        ),
        ("later exchanges", &wide, out_of_reach),
        (
            "toward nearest",
            &wide,
            quick().toward_nearest(0.5.try_into().unwrap()),
        ),
        ("breathing", &wide, quick().breathe("auto".parse().unwrap())),
        ("slower growth", &equal, slower_growth),
        ("dilute", &equal, quick().target(Target::Fraction(0.2))),
    ] {
        let (expected, sweeps) = undisturbed(radii, &options);
        for share in 0..=6 {
            let stops = [share * sweeps / 6, share * sweeps / 6 + 7];
            let found = disturbed(radii, &options, &stops);
            assert_eq!(
                found, expected,
                "{name}, stopped after {stops:?} of {sweeps} sweeps"
            );
        }
    }
}

/// Returns the bytes of a checkpoint in the middle of a run with all parts: shortlists, inactive spheres, exchanges.
fn checkpoint_bytes() -> Vec<u8> {
    let radii = radii("power-law-3", 40);
    let options = PackOptions::default().exchange(ExchangeRate::AUTO);
    let mut packer = Packer::new(&radii, &options).unwrap();
    for _ in 0..100 {
        packer.sweep().unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.checkpoint");
    write_checkpoint(&packer.checkpoint(), &path).unwrap();
    std::fs::read(path).unwrap()
}

#[track_caller]
fn assert_unreadable(bytes: &[u8], words: &str) {
    let error = read_checkpoint_from(bytes).unwrap_err().to_string();
    assert!(
        error.contains(words) && error.lines().count() == 1,
        "no '{words}' in: {error}"
    );
}

#[test]
fn cut_off_changed_foreign_and_newer_checkpoints_are_rejected() {
    let bytes = checkpoint_bytes();
    assert!(read_checkpoint_from(&bytes).is_ok());
    for len in 0..bytes.len() {
        let words = if len < 18 {
            "is no checkpoint of jostle"
        } else {
            "is cut off"
        };
        assert_unreadable(&bytes[..len], words);
    }
    // The text before the checksum tells what the file is.
    for position in 20..bytes.len() {
        let mut changed = bytes.clone();
        changed[position] ^= 1 << (position % 8);
        let words = if position < bytes.len() - 4 {
            "was changed"
        } else {
            "is cut off"
        };
        assert_unreadable(&changed, words);
    }
    let mut longer = bytes.clone();
    longer.push(b'\n');
    assert_unreadable(&longer, "is cut off");
    assert_unreadable(
        b"{\"format\":\"jostle-packing\"}",
        "is no checkpoint of jostle",
    );
    let newer = [b"jostle-checkpoint 4\n", &bytes[20..]].concat();
    assert_unreadable(
        &newer,
        "has version 4 of the checkpoint format; this program reads version 3",
    );
}

/// Returns the error of a run that continues from a checkpoint whose head holds `new` instead of `old`, with the right checksum.
#[track_caller]
fn resumed_with(old: &str, new: &str) -> String {
    let radii = radii("power-law-3", 40);
    let sample = SizeSpec::load("power-law-3").unwrap();
    let sample = sample.sample_number(40, Sampling::Stratified, 1);
    let options = PackOptions::default()
        .target(Target::Fraction(0.5))
        .exchange(ExchangeRate::AUTO)
        .sizes(sample.source);
    let mut packer = Packer::new(&radii, &options).unwrap();
    for _ in 0..5 {
        packer.sweep().unwrap();
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("run.checkpoint");
    write_checkpoint(&packer.checkpoint(), &path).unwrap();
    let bytes = std::fs::read(path).unwrap();
    let (line, rest) = bytes.split_at(20);
    let (len, rest) = rest.split_at(8);
    let len = u64::from_le_bytes(len.try_into().unwrap()) as usize;
    let (head, rest) = rest.split_at(len);
    let head = str::from_utf8(head).unwrap();
    let start = head
        .find(old)
        .unwrap_or_else(|| panic!("no {old} in {head}"));
    // The number behind the key.
    let end = start + old.len();
    let end = end + head[end..].find([',', '}']).unwrap();
    let head = [&head[..start], new, &head[end..]].concat();
    let columns = &rest[..rest.len() - 8];
    let len = (head.len() as u64).to_le_bytes();
    let content = [line, &len, head.as_bytes(), columns].concat();
    let checksum = crc32fast::hash(&content).to_le_bytes();
    let changed = [&content[..], &checksum, b"end\n"].concat();
    let changed = read_checkpoint_from(&changed).unwrap();
    let error = Packer::resume(changed).err();
    error.map_or_else(|| "accepted".to_owned(), |error| error.to_string())
}

#[test]
fn checkpoints_that_contradict_themselves_are_rejected() {
    assert_eq!(resumed_with("\"seed\":1", "\"seed\":1"), "accepted");
    for (old, new, words) in [
        ("\"least_at\":", "\"least_at\":31", "longer than the run"),
        ("\"start\":", "\"start\":31", "longer than the run"),
        (
            "\"replacements\":",
            "\"replacements\":1",
            "without fixed spheres",
        ),
        (
            "\"least\":",
            "\"least\":-1.0",
            "sum of overlaps is negative",
        ),
        ("\"due\":", "\"due\":1.5", "more than one attempt"),
        ("\"rounds\":", "\"rounds\":-1", "invalid value"),
        (
            "\"approaching\":{\"least\":",
            "\"inserting\":{\"least\":1.0",
            "its phase does not fit",
        ),
        (
            "\"exchanges\":{\"due\":",
            "\"kicks\":{\"due\":0.1",
            "the move 'kicks'",
        ),
        ("\"mean_radius\":", "\"mean_radius\":3.0", "mean radius"),
        ("\"mean_radius\":", "\"mean_radius\":1e-5", "mean radius"),
        (
            "\"d_min\":",
            "\"d_min\":0.5",
            "smallest or largest diameter",
        ),
        (
            "\"d_max\":",
            "\"d_max\":1e150",
            "smallest or largest diameter",
        ),
        (
            "\"mass_curve_error\":",
            "\"mass_curve_error\":1.5",
            "mass curve",
        ),
        ("\"scale\":", "\"scale\":1e-50", "scale of the radii"),
    ] {
        let error = resumed_with(old, new);
        assert!(error.contains(words), "{new}: {error}");
    }
}
