//! Containers on the command line: `--container`, `--wall-gap`, and the check of files against shapes.

use serde_json::Value;
use tempfile::TempDir;

use crate::common::{
    outcomes::{assert_code, assert_refused, packed},
    program::{jostle, text},
};

#[test]
fn hostile_containers_are_refused() {
    let directory = TempDir::new().unwrap();
    for (arguments, words) in [
        ("--container cylinder:d=10,h=5", ["does not fit", "up to 5"]),
        (
            "--container cylindre:d=10,h=5 -n 5",
            ["did you mean cylinder", "cylinder:d=3"],
        ),
        (
            "--container cylinder:h=10 -n 5",
            ["needs d and h", "aspect"],
        ),
        ("--container sphere:d=1e200 -n 5", ["volume", "range"]),
        (
            "--container sphere:d=1e200 --fraction 0.5",
            ["volume", "range"],
        ),
        ("--container sphere --boundary p", ["sphere", "boundary"]),
        ("--container box --boundary w", ["box", "each axis"]),
        (
            "--container sphere:d=9 --box 3 -n 4",
            ["--container", "--box"],
        ),
        (
            "mono:d=20 --container sphere:d=10 -n 1",
            ["diameter 20", "up to 10"],
        ),
        ("--wall-gap -1", ["-1", "--wall-gap"]),
        // Positions do not resolve the spheres.
        (
            "mono:d=1 -n 50 --boundary www --wall-gap 1e9 --effort 0",
            ["diameter 1 in a container", "may be at most"],
        ),
        (
            "mono:d=1 -n 50 --boundary www --wall-gap 1e300",
            ["diameter 1 in a container", "may be at most"],
        ),
        (
            "mono:d=1 -n 50 --container cylinder:aspect=1e308",
            ["cannot resolve", "may be at most"],
        ),
        (
            "mono:d=1 -n 50 --container cylinder:aspect=1e50",
            ["cannot resolve", "may be at most"],
        ),
        (
            "mono:d=1 -n 50 --container cylinder:aspect=1e9",
            ["cannot resolve", "may be at most"],
        ),
        (
            "mono:d=1 -n 50 --container cylinder:aspect=1e-9",
            ["cannot resolve", "may be at most"],
        ),
        (
            "mono:d=1 -n 60 --box 1e11,3,3",
            ["cannot resolve", "may be at most"],
        ),
    ] {
        assert_refused(directory.path(), &format!("pack {arguments}"), &words);
    }
}

#[test]
fn other_shapes_than_boxes_are_packed_and_checked() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let summary = packed(
        directory,
        "mono:d=1 -n 300 --effort quick --container cylinder:aspect=2 --boundary p -o a.json -o a.csv -o a.data -o a.xyz",
    );
    let container = &summary["container"];
    let number = |key: &str| container[key].as_f64().unwrap();
    assert_eq!(
        (&container["shape"], &container["boundary"]),
        (&"cylinder".into(), &"p".into())
    );
    assert!((number("h") / number("d") - 2.0).abs() < 1e-12);
    let omissions = summary["omissions"].as_array().unwrap();
    assert_eq!(omissions.len(), 3, "{omissions:?}");
    assert!(
        omissions[0]
            .as_str()
            .unwrap()
            .contains("the format csv does not hold the container and the periodicity; json")
    );

    let shape = format!("--container cylinder:d={},h={}", number("d"), number("h"));
    for file in ["a.json", "a.csv", "a.data", "a.xyz"] {
        let check = format!("check {file} {shape} --boundary p --json");
        let checked = serde_json::from_slice::<Value>(&jostle(directory, &check).stdout).unwrap();
        assert_eq!(checked["max_overlap"], summary["max_overlap"], "{file}");
        assert_eq!(checked["min_gap"], summary["min_gap"], "{file}");
        assert_eq!(&checked["container"], container, "{file}");
    }
    // The spheres touch the curved wall, so that a smaller cylinder or a cone has overlap.
    for shape in [
        format!("cylinder:d={},h={}", 0.99 * number("d"), number("h")),
        format!("cone:d_bottom={0},d_top=0,h={1}", number("d"), number("h")),
    ] {
        let check = format!("check a.csv --container {shape} --json");
        let output = jostle(directory, &check);
        assert_eq!(output.status.code(), Some(1), "{shape}");
    }
    assert_refused(
        directory,
        "check a.csv --container sphere",
        &["no size", "cylinder:d=3,h=4"],
    );

    let exact = packed(
        directory,
        "mono:d=1 --fraction 0.3 --container cone:d_bottom=9,d_top=3,h=8 --wall-gap 0.2",
    );
    assert!((exact["packing_fraction"].as_f64().unwrap() - 0.3).abs() < 0.003);
    assert!(exact["min_gap"].as_f64().unwrap() >= 0.0);
    let output = jostle(
        directory,
        "pack mono:d=1 -n 400 --container sphere:d=8 --effort quick -o a.json",
    );
    assert_eq!(output.status.code(), Some(3));
    let message = text(&output.stderr).to_owned();
    assert!(
        message.contains("the requested sphere was not reached"),
        "{message}"
    );
}

#[test]
fn spheres_are_packed_around_bodies_and_checked() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let bars = "--keep-out cylinder:d=2@5,5,4,axis=x --keep-out cylinder:d=2@5,5,5.5,axis=y";
    let summary = packed(
        directory,
        &format!("mono:d=1 --fraction 0.5 --box 10 --effort quick {bars} -o a.json -o a.csv"),
    );
    let volume = summary["container"]["volume"].as_f64().unwrap();
    let count = summary["spheres"].as_f64().unwrap();
    let fraction = summary["packing_fraction"].as_f64().unwrap();
    let spheres = count * std::f64::consts::PI / 6.0;
    assert!((fraction - spheres / volume).abs() < 1e-9);
    assert!(volume > 1000.0 - 20.0 * std::f64::consts::PI && volume < 1000.0 - 57.0);
    let omissions = summary["omissions"].as_array().unwrap();
    assert_eq!(omissions.len(), 1, "{omissions:?}");
    let omission = omissions[0].as_str().unwrap();
    assert!(
        omission.ends_with("; json holds the whole container"),
        "{omission}"
    );

    let checked = |arguments: &str, code: i32| -> Value {
        let output = jostle(directory, &format!("check --json {arguments}"));
        assert_code(&output, code);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let csv = checked(&format!("a.csv --box 10 {bars}"), 0);
    for found in [checked("a.json", 0), csv] {
        assert_eq!(found["container"], summary["container"]);
        assert_eq!(found["min_gap"], summary["min_gap"]);
        assert_eq!(found["packing_fraction"], summary["packing_fraction"]);
    }
    // Another body in the place of the bars.
    let found = checked("a.json --keep-out sphere:d=9@5,5,5", 1);
    assert_eq!(found["closest"]["body"]["body"], 0);
    let output = jostle(directory, "check a.json --keep-out sphere:d=9@5,5,5");
    let line = text(&output.stdout).to_owned();
    assert!(line.contains("and the body sphere:d=9@5,5,5"), "{line}");
    assert!(line.contains("periodic, around 1 body"), "{line}");

    let copies = "convert a.json b.json --repeat 2,1,1";
    assert_code(&jostle(directory, copies), 0);
    let twice = checked("b.json", 0);
    assert!((twice["packing_fraction"].as_f64().unwrap() / fraction - 1.0).abs() < 1e-7);
    assert_eq!(twice["container"]["keep_out"].as_array().unwrap().len(), 3);
}

/// A tetrahedron with the volume 4.5 and a corner at (1, 0, 0).
#[cfg(feature = "mesh")]
const TETRAHEDRON: &str =
    "v 1 0 0\nv 4 0 0\nv 1 3 0\nv 1 0 3\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";

#[cfg(feature = "mesh")]
#[test]
fn spheres_are_packed_around_meshes_and_checked() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    std::fs::write(directory.join("t.obj"), TETRAHEDRON).unwrap();
    // Through three periodic faces, and twice as large.
    let bodies = "--keep-out mesh:t.obj@6,-1,-1 --keep-out mesh:t.obj,scale=2@1,3,3";
    let request = format!("mono:d=0.8 --fraction 0.45 --box 12 --effort quick {bodies}");
    let summary = packed(directory, &format!("{request} -o a.json -o a.csv"));
    let volume = 1728.0 - 4.5 - 36.0;
    assert!((summary["container"]["volume"].as_f64().unwrap() / volume - 1.0).abs() < 1e-12);
    let spheres = summary["spheres"].as_f64().unwrap() * 0.512 * std::f64::consts::PI / 6.0;
    let fraction = summary["packing_fraction"].as_f64().unwrap();
    assert!((fraction - spheres / volume).abs() < 1e-12);
    let omissions = summary["omissions"].as_array().unwrap();
    assert_eq!(omissions.len(), 1, "{omissions:?}");
    // The JSON file needs no mesh file.
    let checked = |arguments: &str, code: i32| -> Value {
        let output = jostle(directory, &format!("check --json {arguments}"));
        assert_code(&output, code);
        serde_json::from_slice(&output.stdout).unwrap()
    };
    let csv = checked(&format!("a.csv --box 12 {bodies}"), 0);
    std::fs::rename(directory.join("t.obj"), directory.join("u.obj")).unwrap();
    for found in [checked("a.json", 0), csv] {
        assert_eq!(found["container"], summary["container"]);
        assert_eq!(found["min_gap"], summary["min_gap"]);
        assert_eq!(found["packing_fraction"], summary["packing_fraction"]);
    }
    let moved = checked("a.json --keep-out mesh:u.obj@4,4,4", 1);
    assert_eq!(moved["closest"]["body"]["body"], 0);
    let other = checked("a.csv --container mesh:u.obj", 1);
    assert_eq!(other["container"]["shape"], "mesh");
}

#[cfg(not(feature = "mesh"))]
#[test]
fn a_build_without_meshes_names_the_feature() {
    let directory = TempDir::new().unwrap();
    for option in [
        "--container mesh:part.stl",
        "--box 9 --keep-out mesh:part.stl@1,2,3",
    ] {
        let output = jostle(
            directory.path(),
            &format!("pack mono:d=1 -n 9 {option} -o a.json"),
        );
        assert_code(&output, 2);
        let message = text(&output.stderr);
        assert!(
            message.contains("lacks the shape mesh; 'cargo install --path . --features mesh'"),
            "{message}"
        );
    }
}

#[cfg(feature = "mesh")]
#[test]
fn the_wall_of_a_mesh_is_its_surface() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    std::fs::write(directory.join("t.obj"), TETRAHEDRON).unwrap();
    packed(
        directory,
        "mono:d=0.5 -n 1 --container mesh:t.obj --effort quick -o a.json",
    );
    let output = jostle(directory, "check a.json");
    assert_code(&output, 0);
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(
        text.contains("between sphere 0 and the surface of the mesh"),
        "{text}"
    );
}

#[cfg(feature = "mesh")]
#[test]
fn repairs_of_meshes_are_stated() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    // The tetrahedron stands on a prism without a floor, and one of its triangles is turned.
    let text = "v 0 0 0\nv 9 0 0\nv 0 9 0\nv 0 0 4\nv 9 0 4\nv 0 9 4\nv 0 0 13\nf 1 2 5 4\nf 2 3 6 5\nf 3 1 4 6\nf 4 5 7\n\
        f 6 5 7\nf 6 4 7\n";
    std::fs::write(directory.join("open.obj"), text).unwrap();
    let arguments = "pack mono:d=2 -n 5 --container mesh:open.obj";
    let words = ["open.obj", "3 edges", "30.73 long", "'cap' closes it"];
    assert_refused(directory, arguments, &words);
    let request = "mono:d=2 -n 5 --effort quick --container mesh:open.obj,cap";
    let output = jostle(directory, &format!("pack {request} -o a.json"));
    assert_code(&output, 0);
    let text = String::from_utf8(output.stderr).unwrap();
    let note = "note: the mesh of the container was repaired: 1 triangle turned, 1 opening closed by an area of 40.5";
    assert!(text.contains(note), "{text}");
    let file = std::fs::read(directory.join("a.json")).unwrap();
    let file: Value = serde_json::from_slice(&file).unwrap();
    let area = &file["container"]["repairs"]["capped_area"];
    assert!((area.as_f64().unwrap() - 40.5).abs() < 1e-9, "{area}");
    let volume = file["container"]["volume"].as_f64().unwrap();
    assert!((volume - 40.5 * 4.0 - 121.5).abs() < 1e-9, "{volume}");
    assert_code(&jostle(directory, "check a.json"), 0);
}

/// The corners of the tetrahedron are moved by (−20, 5, 0.5) and halved by the scale.
#[cfg(feature = "mesh")]
#[test]
fn files_may_have_the_coordinates_of_the_mesh() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    let corners = ["-20 5 0.5", "-2 5 0.5", "-20 23 0.5", "-20 5 18.5"];
    let text = corners.map(|corner| format!("v {corner}\n")).concat();
    std::fs::write(
        directory.join("t.obj"),
        text + "f 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n",
    )
    .unwrap();
    let request = "mono:d=1 -n 9 --effort quick --container mesh:t.obj,scale=0.5";
    assert_code(
        &jostle(directory, &format!("pack {request} -q -o a.json")),
        0,
    );
    for (arguments, factor) in [("", 1.0), (" --scale 10", 10.0)] {
        let moved = format!("convert a.json mesh.csv -q --origin mesh{arguments}");
        assert_code(&jostle(directory, &moved), 0);
        assert_code(&jostle(directory, "convert a.json corner.csv -q"), 0);
        let [moved, corner] = ["mesh.csv", "corner.csv"].map(|name| {
            let table = std::fs::read_to_string(directory.join(name)).unwrap();
            let numbers = |line: &str| -> Vec<f64> {
                line.split(',')
                    .map(|field| field.parse().unwrap())
                    .collect()
            };
            table.lines().skip(1).map(numbers).collect::<Vec<_>>()
        });
        assert_eq!(moved.len(), 9);
        for (a, b) in moved.iter().zip(&corner) {
            for (axis, low) in [-10.0, 2.5, 0.25].into_iter().enumerate() {
                let expected = factor * (b[axis + 1] + low);
                assert!((a[axis + 1] - expected).abs() < 1e-9, "{a:?} {b:?}");
            }
        }
    }
    // Other containers have no such file.
    assert_code(
        &jostle(
            directory,
            "pack mono:d=1 -n 5 --effort quick -q -o b.json -o b.csv",
        ),
        0,
    );
    assert_code(
        &jostle(directory, "convert b.json c.csv -q --origin mesh"),
        0,
    );
    let [b, c] = ["b.csv", "c.csv"].map(|name| std::fs::read(directory.join(name)).unwrap());
    assert_eq!(b, c);
}

#[cfg(feature = "mesh")]
#[test]
fn hostile_mesh_bodies_are_refused() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    std::fs::write(directory.join("t.obj"), TETRAHEDRON).unwrap();
    let open = TETRAHEDRON.replace("f 2 3 4\n", "");
    std::fs::write(
        directory.join("open.obj"),
        format!("{open}v 9 9 9\nf 2 3 5\n"),
    )
    .unwrap();
    for (body, words) in [
        ("mesh:open.obj@5,5,5", ["open.obj", "edge"]),
        (
            "mesh:open.obj,cap@5,5,5",
            ["lies in no plane", "'cap' closes"],
        ),
        (
            "mesh:t.obj,inside=9,9,9@5,5,5",
            ["(9.0, 9.0, 9.0)", "outside of all shells"],
        ),
        (
            "mesh:t.obj,inside=9,x,9@5,5,5",
            ["inside is '9,x,9'", "three finite numbers"],
        ),
        ("mesh:none.obj@5,5,5", ["none.obj", "No such file"]),
        ("mesh:t.obj", ["--keep-out", "no position after an @"]),
        ("mesh:t.obj@1,2", ["'1,2'", "three finite numbers"]),
        ("mesh:t.obj@1,2,3,axis=x", ["axis", "only a cylinder"]),
        ("mesh:t.obj,fit@1,2,3", ["'fit'", "scale"]),
        ("mesh:t.obj,scale=0@1,2,3", ["scale is '0'", "positive"]),
        (
            "mesh:t.obj,scale=1e308@1,2,3",
            ["vertex 2 is (0.0, inf, 0.0)", "finite"],
        ),
        (
            "mesh:t.obj@8,2,3",
            ["mesh:FILE@8,2,3", "outside of the container"],
        ),
        ("mesh:t.obj,scale=100@-150,-50,-50", ["bodies", "fill"]),
        // The largest sphere between the mesh and the walls is smaller than the spheres.
        ("mesh:t.obj,scale=5@-4,1,1", ["diameter 4", "up to"]),
    ] {
        let arguments = format!("pack mono:d=4 -n 2 --box 8 --boundary www --keep-out {body}");
        assert_refused(directory, &arguments, &words);
    }
}

#[test]
fn hostile_bodies_are_refused() {
    let directory = TempDir::new().unwrap();
    let directory = directory.path();
    for (arguments, words) in [
        ("-n 9 --keep-out sphere:d=1@1,1,1", ["--box", "--container"]),
        (
            "-n 9 --box 5 --keep-out spher:d=1@1,1,1",
            ["--keep-out", "did you mean sphere"],
        ),
        (
            "-n 9 --box 5 --keep-out sphere:d=-1@1,1,1",
            ["is -1", "positive"],
        ),
        (
            "-n 9 --box 5 --boundary www --keep-out cylinder:d=1@1,1,1",
            ["no h", "walls along z"],
        ),
        (
            "-n 9 --box 5 --boundary www --keep-out sphere:d=1@9,1,1",
            ["sphere:d=1@9,1,1", "outside"],
        ),
        (
            "-n 9 --box 5 --boundary www --keep-out box:lx=9,ly=9,lz=9@2,2,2",
            ["bodies", "fill"],
        ),
        (
            "mono:d=4 -n 1 --box 5 --boundary www --keep-out box:lx=9,ly=9,lz=4@2,2,0",
            ["diameter 4", "up to 3"],
        ),
        (
            "mono:d=1 -n 200 --box 5 --keep-out sphere:d=4@1,1,1",
            ["volume of 104", "container has a volume of 91"],
        ),
    ] {
        assert_refused(directory, &format!("pack {arguments}"), &words);
    }
}
