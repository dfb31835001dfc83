//! Figures and pictures as PNG and PDF.

use std::fs;

use jostle::report::{svg_as_pdf, svg_as_png};
use tempfile::TempDir;

use crate::common::{
    outcomes::{assert_code, assert_refused},
    program::jostle,
};

/// Returns the width, the height and the pixels of a PNG file.
fn decoded(bytes: &[u8]) -> (usize, usize, Vec<[u8; 3]>) {
    let mut reader = png::Decoder::new(std::io::Cursor::new(bytes))
        .read_info()
        .unwrap();
    let mut pixels = vec![0; reader.output_buffer_size().unwrap()];
    let info = reader.next_frame(&mut pixels).unwrap();
    assert_eq!(info.color_type, png::ColorType::Rgb);
    let pixels = pixels.chunks_exact(3).map(|rgb| [rgb[0], rgb[1], rgb[2]]);
    (info.width as usize, info.height as usize, pixels.collect())
}

fn svg(shapes: &str) -> String {
    format!("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"40\" height=\"20\">{shapes}</svg>")
}

#[test]
fn shapes_have_their_pixels() {
    let red = [255, 0, 0];
    for (shapes, area, at) in [
        (
            "<rect x=\"4\" y=\"2\" width=\"8\" height=\"6\" fill=\"#f00\"/>",
            48.0,
            [8, 5],
        ),
        (
            "<g transform=\"translate(20 0)\"><circle cx=\"10\" cy=\"10\" r=\"7\" fill=\"#ff0000\"/></g>",
            153.94,
            [30, 10],
        ),
        (
            "<path fill-rule=\"evenodd\" d=\"M2 2L20 2L20 18L2 18ZM6 6L10 6L10 10L6 10Z\" fill=\"#f00\"/>",
            288.0 - 16.0,
            [15, 5],
        ),
        (
            "<clipPath id=\"box\"><rect x=\"10\" y=\"5\" width=\"12\" height=\"10\"/></clipPath>\
             <g clip-path=\"url(#box)\"><rect x=\"0\" y=\"0\" width=\"40\" height=\"20\" fill=\"#f00\"/></g>",
            120.0,
            [15, 10],
        ),
        (
            "<line x1=\"5\" y1=\"15\" x2=\"35\" y2=\"15\" stroke=\"#f00\" stroke-width=\"4\"/>",
            120.0 + 12.57,
            [20, 15],
        ),
    ] {
        let (width, height, pixels) = decoded(&svg_as_png(&svg(shapes), 160).unwrap());
        assert_eq!((width, height), (160, 80));
        let ink: f64 = pixels
            .iter()
            .map(|pixel| 1.0 - f64::from(pixel[1]) / 255.0)
            .sum();
        // Sixteen pixels for each one of the drawing. The ends of a line are round.
        assert!(
            (ink / 16.0 / area - 1.0).abs() < 0.02,
            "{shapes}: {}",
            ink / 16.0
        );
        assert_eq!(pixels[4 * at[1] * width + 4 * at[0]], red, "{shapes}");
    }
}

#[test]
fn texts_lie_at_their_anchor() {
    for (anchor, columns) in [("start", 20..40), ("end", 0..20), ("middle", 10..30)] {
        let text = format!(
            "<text x=\"20\" y=\"14\" font-size=\"10\" fill=\"#000\" text-anchor=\"{anchor}\">Hx</text>"
        );
        let (width, _, pixels) = decoded(&svg_as_png(&svg(&text), 160).unwrap());
        let dark = |(at, pixel): (usize, &[u8; 3])| {
            (pixel[0] < 128).then(|| (at % width / 4, at / width / 4))
        };
        let dark: Vec<_> = pixels.iter().enumerate().filter_map(dark).collect();
        assert!(dark.len() > 100, "{anchor}");
        assert!(dark.iter().all(|(x, _)| columns.contains(x)), "{anchor}");
        // Letters stand on the base line and are seven tenths of the size high.
        let rows: Vec<usize> = dark.iter().map(|(_, y)| *y).collect();
        assert!(*rows.iter().max().unwrap() <= 14 && (6..=7).contains(rows.iter().min().unwrap()));
    }
}

/// Greek letters and signs have pictures of their own, as wide as other letters, upright and turned.
#[test]
fn greek_letters_are_drawn() {
    let picture = |letter: char, turn: &str| {
        let text =
            format!("<text x=\"20\" y=\"14\" font-size=\"10\" fill=\"#000\"{turn}>{letter}</text>");
        decoded(&svg_as_png(&svg(&text), 160).unwrap()).2
    };
    for turn in ["", " transform=\"rotate(-90 20 14)\""] {
        let others: Vec<_> = "αβδλπρσφψω−→≤≥?opyw-"
            .chars()
            .map(|letter| picture(letter, turn))
            .collect();
        for (number, pixels) in others.iter().enumerate() {
            assert!(!others[..number].contains(pixels), "{turn}, {number}");
            let dark = pixels.iter().enumerate().filter(|(_, it)| it[0] < 128);
            let at: Vec<_> = dark.map(|(at, _)| [at % 160 / 4, at / 160 / 4]).collect();
            assert!(at.len() > 30, "{turn}, {number}");
            // Letters are 5.9 pixels wide, and lie between 2.5 below and 7.5 above the base line.
            let is_inside = |[x, y]: &[usize; 2]| match turn {
                "" => (20..26).contains(x) && (6..17).contains(y),
                _ => (12..23).contains(x) && (8..14).contains(y),
            };
            assert!(at.iter().all(is_inside), "{turn}, {number}: {at:?}");
        }
    }
}

/// Each entry of the table of a PDF file is the position of its object.
fn assert_is_pdf(bytes: &[u8], size: [f64; 2]) {
    let text = String::from_utf8_lossy(bytes);
    assert!(text.starts_with("%PDF-1.4") && text.ends_with("%%EOF\n"));
    let [width, height] = size;
    assert!(text.contains(&format!("/MediaBox[0 0 {width:.2} {height:.2}]")));
    let at = |from: &[u8], word: &str| {
        let mut windows = from.windows(word.len());
        windows.position(|it| it == word.as_bytes()).unwrap()
    };
    let table = at(bytes, "\nxref\n") + 1;
    let start = String::from_utf8_lossy(&bytes[at(bytes, "startxref\n") + 10..]).into_owned();
    assert_eq!(start.lines().next().unwrap(), table.to_string());
    let table = String::from_utf8_lossy(&bytes[table..]).into_owned();
    let rows = table
        .lines()
        .skip(3)
        .take_while(|line| line.ends_with(" n "));
    let mut count = 0;
    for (number, row) in rows.enumerate() {
        let offset: usize = row[..10].parse().unwrap();
        let beginning = format!("{} 0 obj\n", number + 1);
        assert_eq!(
            &bytes[offset..offset + beginning.len()],
            beginning.as_bytes()
        );
        count += 1;
    }
    assert!(count >= 7);
}

#[test]
fn commands_write_each_format() {
    let directory = TempDir::new().unwrap();
    let file = |name: &str| fs::read(directory.path().join(name)).unwrap();
    let packed =
        "pack bidisperse:d_small=1,d_large=2,mass_small=0.5 -n 300 --effort quick -q -o p.json";
    assert_code(&jostle(directory.path(), packed), 0);
    for arguments in [
        "plot p.json --what sizes,contacts,pores -o three.pdf",
        "plot p.json --what sizes,contacts,pores,gaps,profile -o five.pdf",
        "plot p.json --what sizes -o one.png",
        "plot p.json --what sizes,gaps -o two.png --width 300",
        "render p.json --side 200 -o p.pdf --color type",
        "render p.json --side 200 -o p.png",
        "render p.json --side 200 -o bare.png --no-legend",
        "render p.json --side 200 -o contacts.svg --color contacts",
        "pack mono:d=1 --box 12,10 --keep-out circle:d=3@6,5 --effort quick -q -o disks.json",
        "render disks.json --side 200 -o disks.png",
        "render disks.json --side 200 -o disks.pdf",
    ] {
        assert_code(&jostle(directory.path(), arguments), 0);
    }
    assert_is_pdf(&file("three.pdf"), [360.0, 720.0]);
    assert_is_pdf(&file("five.pdf"), [720.0, 720.0]);
    assert_is_pdf(&file("p.pdf"), [150.0, 183.0]);
    let sizes = ["one.png", "two.png", "p.png", "bare.png"].map(|name| {
        let (width, height, _) = decoded(&file(name));
        (width, height)
    });
    assert_eq!(sizes, [(960, 640), (300, 400), (200, 244), (200, 200)]);
    assert_is_pdf(&file("disks.pdf"), [150.0, 183.0]);
    // The picture with a legend has the pixels of the picture without.
    let (_, _, with) = decoded(&file("p.png"));
    let (_, _, bare) = decoded(&file("bare.png"));
    assert_eq!(with[..bare.len()], bare[..]);
    let legend = String::from_utf8(file("contacts.svg")).unwrap();
    assert!(legend.contains(">contacts</text>") && legend.contains(">0</text>"));
    assert_refused(
        directory.path(),
        "plot p.json --width 300 -o a.svg",
        &["--width", "a.svg"],
    );
}

#[test]
fn other_documents_are_refused() {
    for document in [
        "",
        "<svg/>",
        "<svg xmlns=\"x\" width=\"1\" height=\"1\"><foo/></svg>",
        "not XML",
    ] {
        let png = svg_as_png(document, 10).unwrap_err().to_string();
        let pdf = svg_as_pdf(document).unwrap_err().to_string();
        assert!(
            png.starts_with("the SVG document is not one") && pdf == png,
            "{document}"
        );
    }
    assert!(svg_as_png(&svg(""), 10_000).is_err());
}

/// The middle of a cut packing is the middle of its picture.
#[test]
fn a_cut_packing_is_centered() {
    use jostle::{Container, Packing, Spheres, glam::DVec3, report::Still};

    // Spheres fill the half of a box that the cut keeps.
    let centers = (0..5).flat_map(|x| (0..10).flat_map(move |y| (0..10).map(move |z| [x, y, z])));
    let centers: Vec<DVec3> = centers
        .map(|at| DVec3::from_array(at.map(|i| f64::from(i) + 0.5)))
        .collect();
    let radii = vec![0.5; centers.len()];
    let container = Container::cuboid(DVec3::splat(10.0), "www".parse().unwrap()).unwrap();
    let packing = Packing::new(Spheres::new(centers, radii), container);
    let still = Still::default()
        .side(100)
        .outline(false)
        .view(DVec3::X)
        .cut(0, 0.5);
    let pixels = still.draw(&packing).unwrap();
    let colored: Vec<usize> = (0..10_000)
        .filter(|at| pixels[3 * at].abs_diff(pixels[3 * at + 2]) > 30)
        .collect();
    let mean = |part: fn(usize) -> usize| {
        let sum: usize = colored.iter().map(|&at| part(at)).sum();
        sum as f64 / colored.len() as f64
    };
    assert!(colored.len() > 1000);
    for middle in [mean(|at| at % 100), mean(|at| at / 100)] {
        assert!((middle - 49.5).abs() < 2.0, "{middle}");
    }
    let oblique = still
        .view(DVec3::new(1.0, 0.6, 0.5))
        .draw(&packing)
        .unwrap();
    let column: Vec<usize> = (0..10_000)
        .filter(|at| oblique[3 * at].abs_diff(oblique[3 * at + 2]) > 30)
        .map(|at| at % 100)
        .collect();
    let ends = [column.iter().min().unwrap(), column.iter().max().unwrap()];
    assert!((ends[0] + ends[1]).abs_diff(99) <= 6, "{ends:?}");
}
