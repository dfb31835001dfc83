//! The HTML report: one page that needs no other file and no network.

use std::fmt::Write;

use serde::Serialize;

use super::{
    colors::{CATEGORIES, NONE, scale},
    command::command,
    constants::BODY_BRIGHTNESS,
    error::ReportError,
    figure::Figure,
    history::History,
    outline::{outline, profile},
    payload::{Payload, encoded},
    solids::{Triangle, triangles},
    svg::{escaped, inline},
};
use crate::{
    analysis::{
        Analysis, ClassSummary, Contacts, size_class_summaries, size_classes, suitable_contacts,
    },
    container::{Axis, Solid},
    names::trimmed,
    packing::Packing,
};

const STYLE: &str = include_str!("page/page.css");
const SCRIPTS: [&str; 4] = [
    include_str!("page/data.js"),
    include_str!("page/viewer.js"),
    include_str!("page/slices.js"),
    include_str!("page/main.js"),
];

/// Numbers about the spheres that the scripts of the page need.
#[derive(Serialize)]
struct Meta<'a> {
    spheres: usize,
    lengths: [f64; 3],
    periodic: [bool; 3],
    smallest: f64,
    largest: f64,
    outer: usize,
    depth: f64,
    /// Largest number of contacts.
    contacts: u32,
    unit: &'a str,
    /// Names of the size classes.
    classes: Vec<String>,
    /// Labels of the components.
    components: Vec<&'a str>,
    /// Ends of line segments: x, y, z and x, y, z.
    outline: Vec<f32>,
    /// Rows of the coordinate along the axis and the radius of a container that is round about an axis; empty for other shapes.
    profile: Vec<[f32; 2]>,
    /// The axis of the profile: 0, 1 or 2.
    round: usize,
    /// Number of triangles on the surfaces of bodies.
    triangles: usize,
    /// 256 colors of six hexadecimal digits.
    scale: String,
    categories: String,
    /// The color of bodies.
    body: String,
    /// The color of spheres without a component.
    none: String,
}

/// Returns the HTML report of a packing, whose analysis is given.
///
/// The page contains the numbers and figures of the analysis, a three-dimensional view with a cutting plane, slices along each
/// axis, the certificate and the command that makes the packing. With a `history`, it also shows the course of the run. The page
/// takes about 13 bytes for each sphere, and 60 bytes for each triangle of a mesh that keeps spheres out.
///
/// # Cost
/// O(N), beyond a search for contacts.
///
/// # Errors
/// [`ReportError`] if the contacts cannot be found.
pub fn report(
    packing: &Packing,
    analysis: &Analysis,
    history: Option<&History>,
) -> Result<String, ReportError> {
    let contacts = Contacts::new(
        &packing.spheres,
        &packing.container,
        analysis.contacts.tolerance,
    )?;
    let mut body = format!("<h1>{}</h1>\n", title(packing));
    body += &overview(packing, analysis);
    body += VIEW;
    body += "<h2>Figures</h2>\n<div class=\"figures\">\n";
    let panels = Figure::ALL
        .iter()
        .filter_map(|figure| figure.panel(packing, analysis));
    let course = history.map_or_else(Vec::new, History::panels);
    for panel in panels.chain(course) {
        body += &(inline(&panel) + "\n");
    }
    body += "</div>\n";
    body += &bed_section(packing, analysis);
    body += &class_table(analysis);
    body += &component_table(analysis);
    body += &origin(packing, analysis.contacts.tolerance);
    Ok(page(packing, &analysis.sizes.classes, &contacts, &body))
}

/// Returns an HTML page with the three-dimensional view and the slices of [`report`], without its numbers and figures.
///
/// The page needs no other file and no network, so that a notebook can show it in a frame.
///
/// # Cost
/// O(N): a search for contacts, which are a choice of colors, at the tolerance that [suits](suitable_contacts) the packing.
///
/// # Errors
/// [`ReportError`] if the contacts cannot be found.
pub fn viewer(packing: &Packing) -> Result<String, ReportError> {
    let contacts = suitable_contacts(&packing.spheres, &packing.container)?;
    let classes = size_class_summaries(packing.spheres.radii());
    Ok(page(packing, &classes, &contacts, VIEW))
}

/// Returns a page with this body, and with the scripts that fill its view.
fn page(packing: &Packing, classes: &[ClassSummary], contacts: &Contacts, body: &str) -> String {
    let numbers = contacts.numbers();
    let class_of_each = size_classes(packing.spheres.radii());
    let payload = Payload::new(packing, &class_of_each, &numbers);
    let bodies = triangles(&packing.container);
    let meta = meta(packing, classes, &payload, &bodies, &numbers);
    let mut page = String::with_capacity(payload.text.len() + (1 << 20));
    let title = title(packing);
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}"
    );
    // `<` could end the script element.
    let meta = serde_json::to_string(&meta)
        .unwrap_or_default()
        .replace('<', "\\u003c");
    let _ = write!(
        page,
        "</main>\n<script type=\"application/json\" id=\"meta\">{meta}</script>\n\
         <script type=\"text/plain\" id=\"spheres\">{}</script>\n\
         <script type=\"text/plain\" id=\"bodies\">{}</script>\n",
        payload.text,
        encoded(&bodies)
    );
    for script in SCRIPTS {
        let _ = write!(page, "<script>\n{script}</script>\n");
    }
    page += "</body>\n</html>\n";
    page
}

/// The elements that the scripts fill.
const VIEW: &str = r#"<h2>View</h2>
<div id="view"><canvas id="canvas"></canvas><output id="note">Drag to turn, scroll to zoom.</output></div>
<div class="controls">
<label>Cut along <select id="axis"><option value="0">x</option><option value="1">y</option><option value="2">z</option></select>
<input id="cut" type="range" min="0" max="1" step="0.005" value="1"></label>
<label>Color by <select id="color"><option value="size">size</option><option value="contacts">contacts</option>
<option value="type">size class</option></select></label>
<span class="scale"><span id="low"></span><canvas id="bar"></canvas><span id="high"></span></span>
</div>
<h2>Slices</h2>
<div class="slices">
<div><canvas id="slice0"></canvas><label>x <input id="at0" type="range" min="0" max="1" step="0.002" value="0.5"></label></div>
<div><canvas id="slice1"></canvas><label>y <input id="at1" type="range" min="0" max="1" step="0.002" value="0.5"></label></div>
<div><canvas id="slice2"></canvas><label>z <input id="at2" type="range" min="0" max="1" step="0.002" value="0.5"></label></div>
</div>
"#;

fn title(packing: &Packing) -> String {
    let sizes = packing.provenance.as_ref().map_or("", |run| &run.sizes);
    match sizes {
        "" => format!("Packing of {} spheres", packing.spheres.len()),
        sizes => format!("{} spheres of {}", packing.spheres.len(), escaped(sizes)),
    }
}

fn meta<'a>(
    packing: &'a Packing,
    classes: &[ClassSummary],
    payload: &Payload,
    bodies: &[Triangle],
    contacts: &[u32],
) -> Meta<'a> {
    let container = &packing.container;
    let radii = packing.spheres.radii();
    let segments = outline(container);
    let digits = |[r, g, b]: [u8; 3]| format!("{r:02x}{g:02x}{b:02x}");
    Meta {
        spheres: packing.spheres.len(),
        lengths: container.lengths().to_array(),
        periodic: [0, 1, 2].map(|axis| container.is_periodic(axis)),
        smallest: radii.iter().copied().fold(f64::MAX, f64::min),
        largest: radii.iter().copied().fold(0.0, f64::max),
        outer: payload.outer,
        depth: payload.depth,
        contacts: contacts.iter().copied().max().unwrap_or(0),
        unit: &packing.unit,
        classes: classes.iter().map(ClassSummary::name).collect(),
        components: packing.components.iter().map(|own| &*own.label).collect(),
        outline: segments
            .iter()
            .flatten()
            .flat_map(|end| end.as_vec3().to_array())
            .collect(),
        profile: profile(container)
            .into_iter()
            .map(|row| row.map(|x| x as f32))
            .collect(),
        round: container.axis().number(),
        triangles: bodies.len(),
        scale: (0..256)
            .map(|step| digits(scale(f64::from(step) / 255.0)))
            .collect(),
        categories: CATEGORIES.iter().map(|&color| digits(color)).collect(),
        body: digits([(255.0 * BODY_BRIGHTNESS) as u8; 3]),
        none: digits(NONE),
    }
}

/// Returns a number with `digits` decimals and without trailing zeros, or as a power of ten if it has few digits or many.
fn number(value: f64, digits: usize) -> String {
    let size = value.abs();
    if size != 0.0 && !(10_f64.powi(-(digits as i32))..1e9).contains(&size) {
        return format!("{value:.3e}");
    }
    trimmed(&format!("{value:.digits$}")).to_owned()
}

/// Returns the most important numbers.
fn overview(packing: &Packing, analysis: &Analysis) -> String {
    let unit = match packing.unit.as_str() {
        "" => String::new(),
        unit => format!(" {}", escaped(unit)),
    };
    let contacts = format!("contacts at tolerance {}", analysis.contacts.tolerance);
    let mut page = format!(
        "<p class=\"lead\">{} \
         Diameters {}{unit}. {}</p>\n<div class=\"numbers\">\n",
        container_sentence(packing, &unit),
        diameters(analysis.sizes.d_min, analysis.sizes.d_max),
        certificate(packing),
    );
    let percent = |share: f64| format!("{} %", number(100.0 * share, 2));
    let limit = analysis
        .structure_factor
        .as_ref()
        .and_then(|factor| factor.limit);
    let rows = [
        ("packing fraction", number(analysis.packing_fraction, 4)),
        ("expected", number(analysis.predicted_packing_fraction, 4)),
        ("spheres", analysis.spheres.to_string()),
        (contacts.as_str(), number(analysis.contacts.mean, 3)),
        ("rattlers", percent(analysis.rattlers.share)),
        ("mean q₆", number(analysis.order.q6_mean, 3)),
        ("crystal-like", percent(analysis.order.crystal_share)),
        (
            "S(k → 0)",
            limit.map_or("–".to_owned(), |limit| number(limit, 4)),
        ),
    ];
    for (name, value) in rows {
        let _ = writeln!(page, "<div><b>{value}</b><span>{name}</span></div>");
    }
    page += "</div>\n";
    if let Some(note) = &analysis.contacts.note {
        let _ = writeln!(page, "<p>Contacts: {}.</p>", escaped(note));
    }
    page
}

/// Returns sentences about the container, whose lengths have a unit, and about bodies and fixed spheres in it.
fn container_sentence(packing: &Packing, unit: &str) -> String {
    let container = &packing.container;
    let lengths = container.lengths().to_array();
    let box_of = lengths.map(|length| number(length, 4)).join(" × ");
    let parameter = |(name, value)| format!("{name} = {}{unit}", number(value, 4));
    let parameters = container.solid().parameters().into_iter().map(parameter);
    let shape = match container.solid() {
        Solid::Box(_) => format!("Container {box_of}{unit}"),
        #[cfg(feature = "mesh")]
        Solid::Mesh(mesh) => format!(
            "Container: mesh of {} triangles in a box of {box_of}{unit}",
            mesh.triangles().len()
        ),
        solid => format!(
            "Container: {}, {}",
            solid.name(),
            parameters.collect::<Vec<_>>().join(", ")
        ),
    };
    let axis = match container.axis() {
        Axis::Z => String::new(),
        axis => format!(", axis along {axis}"),
    };
    let mut sentence = format!(
        "{shape}{axis}; boundary {} (p periodic, w wall).",
        container.boundary_spec()
    );
    match container.bodies().len() {
        0 => {}
        1 => sentence += " One body, which is gray, keeps spheres out.",
        bodies => {
            let _ = write!(
                sentence,
                " {bodies} bodies, which are gray, keep spheres out."
            );
        }
    }
    if packing.fixed > 0 {
        let _ = write!(sentence, " Fixed spheres: {}.", packing.fixed);
    }
    sentence
}

/// Returns the range of the diameters, or the diameter of equal spheres.
fn diameters(smallest: f64, largest: f64) -> String {
    let [smallest, largest] = [smallest, largest].map(|value| number(value, 4));
    if smallest == largest {
        smallest
    } else {
        format!("{smallest} to {largest}")
    }
}

/// Returns a sentence about the certificate.
fn certificate(packing: &Packing) -> String {
    let certificate = &packing.certificate;
    if certificate.max_overlap > 0.0 {
        format!(
            "Certificate: the largest overlap is {:e}.",
            certificate.max_overlap
        )
    } else {
        format!(
            "Certificate: no overlap; the smallest gap is {:.3e}.",
            certificate.min_gap
        )
    }
}

/// Returns the numbers of a bed at rest; nothing for other packings.
fn bed_section(packing: &Packing, analysis: &Analysis) -> String {
    let (Some(bed), Some(stability)) = (&analysis.bed, packing.stability()) else {
        return String::new();
    };
    let mut page = String::from("<h2>Bed</h2>\n<div class=\"numbers\">\n");
    let core = bed.core.map_or("–".to_owned(), |core| number(core, 4));
    let rows = [
        ("height", number(bed.height, 3)),
        ("free surface", number(bed.surface, 3)),
        ("below the surface", number(bed.packing_fraction, 4)),
        ("in the core", core),
        ("supports", bed.supports.to_string()),
        ("for each sphere", number(bed.mean_supports, 3)),
    ];
    for (name, value) in rows {
        let _ = writeln!(page, "<div><b>{value}</b><span>{name}</span></div>");
    }
    let verdict = match stability.unsupported {
        0 => "every sphere rests on its supports".to_owned(),
        count => format!("{count} spheres do not rest on their supports"),
    };
    let _ = writeln!(
        page,
        "</div>\n<p>Gravity points along {}. Certificate of rest: {verdict}; the smallest margin is {}°.</p>",
        bed.gravity,
        number(stability.worst_margin, 3)
    );
    page
}

/// Returns a table of the size classes.
fn class_table(analysis: &Analysis) -> String {
    let mut page = String::from(
        "<h2>Size classes</h2>\n<table>\n<tr><th>diameters</th><th>spheres</th><th>% of the mass</th><th>mean contacts</th></tr>\n",
    );
    let classes = analysis.sizes.classes.iter();
    for (class, contacts) in classes.zip(&analysis.contacts.by_class) {
        let _ = writeln!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
            class.name(),
            class.number,
            number(100.0 * class.mass_share, 2),
            number(contacts.iter().sum(), 3)
        );
    }
    page + "</table>\n"
}

/// Returns a table of the components of a blend, with the contacts of a sphere of the row with spheres of each component.
fn component_table(analysis: &Analysis) -> String {
    if analysis.components.is_empty() {
        return String::new();
    }
    let mut page = String::from(
        "<h2>Components</h2>\n<table>\n<tr><th>component</th><th>spheres</th><th>% of the mass</th><th>% of the volume</th><th>mixing index</th>",
    );
    for component in &analysis.components {
        let _ = write!(page, "<th>contacts with {}</th>", escaped(&component.label));
    }
    page += "</tr>\n";
    for component in &analysis.components {
        // The middle one of the numbers of cells.
        let mixing = component.mixing.get(1).and_then(|mixing| mixing.index);
        let _ = write!(
            page,
            "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>",
            escaped(&component.label),
            component.number,
            number(100.0 * component.mass_share, 2),
            number(100.0 * component.volume_share, 2),
            mixing.map_or_else(String::new, |index| number(index, 2)),
        );
        for &contacts in &component.contacts {
            let _ = write!(page, "<td>{}</td>", number(contacts, 3));
        }
        page += "</tr>\n";
    }
    page + "</table>\n"
}

/// Returns the account of the run. `tolerance` is that of the contacts.
fn origin(packing: &Packing, tolerance: f64) -> String {
    let Some(run) = &packing.provenance else {
        return "<footer>The file has no account of the run that made the packing.</footer>\n"
            .to_owned();
    };
    let mut page = String::from("<h2>Origin</h2>\n");
    let _ = match command(packing) {
        Some(command) => writeln!(
            page,
            "<p>This command of {} makes the same spheres again:</p>\n<pre>{}</pre>",
            escaped(&run.program),
            escaped(&command)
        ),
        None => writeln!(
            page,
            "<p>No command is shown, because the packing does not hold everything that its request named, such as files.</p>"
        ),
    };
    let stop = serde_json::to_value(run.stop).unwrap_or_default();
    let stop = escaped(stop.as_str().unwrap_or("unknown"));
    let _ = match &run.deposition {
        Some(deposition) => writeln!(
            page,
            "<p>Poured in {} order, source {}, gravity along {}, {} taps; the run ended as {stop}.</p>",
            escaped(&deposition.order),
            escaped(&deposition.source),
            deposition.gravity,
            deposition.taps
        ),
        None => writeln!(
            page,
            "<p>{} sweeps, {} relocations, {} exchanges; the run ended as {stop}.</p>",
            run.sweeps, run.relocations, run.exchanges
        ),
    };
    let _ = writeln!(
        page,
        "<footer>Made by {}. Random numbers: {}. Spheres count as touching up to a gap of {} smaller diameters.</footer>",
        escaped(&run.program),
        escaped(&run.generator),
        tolerance,
    );
    page
}
