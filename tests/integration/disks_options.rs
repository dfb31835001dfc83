//! Every option of the program in the plane: it works, or one sentence refuses it by name.

use std::{collections::BTreeSet, fs, path::Path};

use tempfile::TempDir;

use crate::common::{
    outcomes::{assert_code, assert_refused},
    program::{jostle, text},
};

/// Arguments, and the sentence that refuses them, or `None` if they work.
type Row = (&'static str, Option<&'static str>);

const PACK: &[Row] = &[
    (
        "pack mono:d=1 --number 40 --fraction 0.6 --container rectangle:aspect=2 --boundary pw --min-gap 0.01 --wall-gap 0.02 \
         --sampling random --seed 2 --max-sweeps 400 --effort quick --quiet --output a.json",
        None,
    ),
    (
        "pack mono:d=1 --box 9,9 --porosity 0.4 --index grid --exchange auto --toward-nearest 0.1 --breathe 0.1 --threads 1 \
         --time-limit 30s --json --output b.csv",
        None,
    ),
    (
        "pack mono:d=1 --box 9,9 --porosity 0.4 --keep-out circle:d=2@4,4 --fixed disks.csv --fixed-at 1,1 --fixed-crop \
         --fixed-tolerance 0.01 --fixed-may-overlap --fixed-from csv --fixed-frame 0 --fixed-columns id,x,y,z,r \
         --fixed-origin 0,0,0 --output c.npz",
        None,
    ),
    (
        "pack mono:d=1 --box 9,9 --porosity 0.4 --fixed centers.csv --fixed-columns id,x,y,z --fixed-diameter 1 --output c.csv",
        None,
    ),
    (
        "pack mono:d=1 --container rectangle:aspect=1 --number 40 --effort quick --jam --color never --output k.json",
        None,
    ),
    (
        "pack mono:d=1 --container rectangle:aspect=1 --number 40 --compare-efforts 2",
        None,
    ),
    (
        "pack mono:d=1 --box 9,9 --fixed disks.csv --fixed-at 1,1,0",
        Some("--fixed-at has 3 numbers; 2 are expected"),
    ),
    (
        "pack concrete --box 60,60 --porosity 0.5 --checkpoint d.cp --checkpoint-every 10s --cut-below 1.5 --cut-above 12 --output d.json",
        None,
    ),
    (
        "pack mono:d=1 --box 9,9 --porosity 0.4 --strict --output d.json",
        None,
    ),
    ("pack mono:d=1 --box 9,9 --porosity 0.4 --dry-run", None),
    (
        "pack --start disks.json --densest --effort quick --output e.json",
        None,
    ),
    (
        "pack --start disks.csv --start-container rectangle:lx=9,ly=9 --start-from csv --start-frame 0 \
         --start-columns id,x,y,z,r --start-origin 0,0,0 --scale-sizes 0.9 --output f.json",
        None,
    ),
    (
        "pack --start centers.csv --start-columns id,x,y,z --diameter 0.5 --box 9,9 --output g.json",
        None,
    ),
    (
        "pack mono:d=1 --box 9,9 --porosity 0.4 --format vtp --density 2 --scale 0.1 --origin center --types classes --select x<6 \
         --images --output h.dat",
        None,
    ),
    (
        "pack mono:d=1 --box 9,9 --porosity 0.4 --repeat 2,2 --output i.csv",
        None,
    ),
    (
        "pack mono:d=1 --box 9,9 --porosity 0.4 --output i.html",
        None,
    ),
    (
        "pack mono:d=1 --box 9,9 --repeat 1,1,2 --output i.csv",
        Some("has no length along z"),
    ),
    (
        "pack mono:d=1 --box 9,9 --bonds 0.01 --output j.data",
        Some("bonds belong to spheres"),
    ),
    (
        "pack mono:d=1 --box 9,9 --script --output j.data",
        Some("scripts belong to spheres"),
    ),
    (
        "pack mono:d=1 --box 9,9 --resolution 1 --shrink 0.9 --bridge 0.1 --cut --output j.stl",
        Some("the format stl holds spheres"),
    ),
    (
        "pack mono:d=1 --box 9,9 --porosity 0.4 --voxel 0.5 --voxel-values id --output j.tif",
        None,
    ),
    (
        "pack mono:d=1 --box 9,9 --porosity 0.4 --shrink 0.9 --format gmsh --output j.geo",
        None,
    ),
    (
        "pack mono:d=1 --box 9,9 --bridge 0.1 --format gmsh --output j.geo",
        Some("bridges belong to spheres"),
    ),
    (
        "pack mono:d=1 --box 9,9 --keep-out sphere:d=1@5,5,0",
        Some("has 3 dimensions"),
    ),
];

/// Options of the file that a command reads, after its name.
const INPUT: &[&str] = &[
    "disks.csv --from csv --frame 0 --columns id,x,y,z,r --box 9,9 --boundary pp --origin corner --keep-out circle:d=0.01@8,1",
    "centers.csv --columns id,x,y,z --diameter 0.5 --container rectangle:lx=9,ly=9",
];

const ANALYZE: &[Row] = &[
    (
        "analyze disks.json --tolerance 0.01 --axis x --by class --threads 1 --output k.json --contacts c.csv --spheres s.csv \
         --curves curves",
        None,
    ),
    ("analyze disks.json --json --quiet --color never", None),
    (
        "analyze disks.json --axis z",
        Some("the profile along z is known for spheres"),
    ),
    (
        "analyze disks.json --supports supports.csv",
        Some("--supports needs spheres at rest"),
    ),
];

const REPORT: &[Row] = &[
    (
        "report disks.json --tolerance 0.01 --axis x --by class --threads 1 --quiet --color never --output l.html",
        None,
    ),
    (
        "report disks.json --axis z --output m.html",
        Some("the profile along z is known for spheres"),
    ),
];

const PLOT: &[Row] = &[
    (
        "plot disks.json --what sizes,gaps,structure-factor,pores --tolerance 0.01 --axis y --by class --threads 1 --width 400 --quiet \
         --color never --output n.png",
        None,
    ),
    (
        "plot disks.json --what forces --output o.svg",
        Some("must be jammed"),
    ),
];

const RENDER: &[Row] = &[
    (
        "render disks.json --color type --side 64 --no-outline --threads 1 --output p.svg",
        None,
    ),
    (
        "render disks.json --view 0,0,1 --side 64 --no-legend --quiet --output q.png",
        None,
    ),
    (
        "render disks.json --view 1,1,1",
        Some("the view of a picture is for spheres"),
    ),
    (
        "render disks.json --cut x=0.5",
        Some("the cut of a picture is for spheres"),
    ),
    (
        "render disks.json --color level",
        Some("the color by level of a picture is for spheres"),
    ),
];

const SIZES: &[Row] = &[(
    "sizes concrete --number 100 --cut-below 1.5 --cut-above 12 --dimension 2 --json --color never",
    None,
)];

/// Returns the long options that a help text lists.
fn options(help: &str) -> BTreeSet<String> {
    let is_option = |line: &&str| {
        let spaces = line.len() - line.trim_start().len();
        spaces <= 6 && line.trim_start().starts_with('-')
    };
    let lines = help.lines().filter(is_option);
    let long = lines.filter_map(|line| line.split_whitespace().find(|word| word.starts_with("--")));
    long.map(str::to_owned).collect()
}

/// Writes 12 disks in a square of side 9, as a packing, as a table, and as a table of centers.
fn write_disks(directory: &Path) {
    let (mut disks, mut centers) = ("id,x,y,z,r\n".to_owned(), "id,x,y,z\n".to_owned());
    for k in 0..12 {
        let [x, y] = [k % 4, k / 4].map(|k| 1.0 + 2.0 * f64::from(k) + 0.1 * f64::from(k % 2));
        disks += &format!("{k},{x},{y},0,{}\n", 0.3 + 0.01 * f64::from(k));
        centers += &format!("{k},{x},{y},0\n");
    }
    fs::write(directory.join("disks.csv"), disks).unwrap();
    fs::write(directory.join("centers.csv"), centers).unwrap();
    let convert = "convert disks.csv disks.json --columns id,x,y,z,r --box 9,9";
    assert_code(&jostle(directory, convert), 0);
}

/// Runs all rows, which together have every option of the command. A command that reads a packing writes the file `output_of_input`.
fn check(command: &str, rows: &[Row], output_of_input: Option<&str>) {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    write_disks(directory);
    let help = jostle(directory, &format!("{command} --help"));
    let mut missing = options(text(&help.stdout));
    missing.remove("--help");
    let mut run = |arguments: &str, refused: Option<&str>| {
        for word in arguments.split_whitespace() {
            missing.remove(word);
        }
        match refused {
            None => assert_code(&jostle(directory, arguments), 0),
            Some(sentence) => assert_refused(directory, arguments, &[sentence]),
        }
    };
    rows.iter()
        .for_each(|&(arguments, refused)| run(arguments, refused));
    for (input, output) in INPUT.iter().zip(output_of_input.into_iter().cycle()) {
        run(&format!("{command} {input} --output {output}"), None);
    }
    assert!(missing.is_empty(), "{command} {missing:?}");
}

#[test]
fn every_option_of_pack_knows_disks() {
    check("pack", PACK, None);
}

#[test]
fn every_option_of_analyze_knows_disks() {
    check("analyze", ANALYZE, Some("in.json"));
}

#[test]
fn every_option_of_report_knows_disks() {
    check("report", REPORT, Some("in.html"));
}

#[test]
fn every_option_of_plot_knows_disks() {
    check("plot", PLOT, Some("in.svg"));
}

#[test]
fn every_option_of_render_knows_disks() {
    check("render", RENDER, Some("in.png"));
}

#[test]
fn every_option_of_sizes_knows_disks() {
    check("sizes", SIZES, None);
}
