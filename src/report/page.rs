//! The HTML report: one page that needs no other file and no network.

use std::fmt::Write;

use base64::{Engine, engine::general_purpose::STANDARD};

use super::{
    command::command,
    error::ReportError,
    figure::Figure,
    history::History,
    panel::Panel,
    svg::{escaped, inline},
    terms::{explanations, tiles},
    view_data::ViewData,
};
use crate::{
    Dimension,
    analysis::{Analysis, Contacts},
    container::{Axis, Solid},
    names::trimmed,
    packing::Packing,
};

const STYLE: &str = include_str!("page/page.css");
const SCRIPTS: [&str; 6] = [
    include_str!("page/data.js"),
    include_str!("page/viewer.js"),
    include_str!("page/slices.js"),
    include_str!("page/tools.js"),
    include_str!("page/disks.js"),
    include_str!("page/main.js"),
];

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
    body += view(packing);
    body += "<h2>Figures</h2>\n<div class=\"figures\">\n";
    let panels = Figure::ALL
        .iter()
        .filter_map(|figure| figure.panel(packing, analysis));
    let panels: Vec<Panel> = panels
        .chain(history.map_or_else(Vec::new, History::panels))
        .collect();
    for panel in &panels {
        let _ = writeln!(
            body,
            "<figure>{}<figcaption></figcaption></figure>",
            inline(panel)
        );
    }
    body += "</div>\n";
    let _ = writeln!(
        body,
        "<script type=\"application/json\" id=\"figures\">{}</script>",
        for_script(&serde_json::to_string(&panels).unwrap_or_default())
    );
    body += &bed_section(packing, analysis);
    body += &class_table(packing, analysis);
    body += &component_table(analysis);
    body += &explanations(packing.container.dimension());
    body += &origin(packing, analysis.contacts.tolerance);
    let view = ViewData::of(packing, &analysis.sizes.classes, &contacts.numbers());
    Ok(page(packing, &view, &body))
}

/// Returns an HTML page with the three-dimensional view and the slices of [`report`], without its numbers and figures.
///
/// The page needs no other file and no network, so that a notebook can show it in a frame.
///
/// # Cost
/// O(N): a search for contacts, which are a choice of colors, at the tolerance that [suits](crate::analysis::suitable_contacts) the packing.
///
/// # Errors
/// [`ReportError`] if the contacts cannot be found.
pub fn viewer(packing: &Packing) -> Result<String, ReportError> {
    Ok(page(
        packing,
        &ViewData::of_packing(packing)?,
        view(packing),
    ))
}

/// Returns a page with this body, and with the scripts that fill its view.
fn page(packing: &Packing, view: &ViewData, body: &str) -> String {
    let [spheres, bodies] = [&view.spheres, &view.bodies].map(|bytes| STANDARD.encode(bytes));
    let mut page = String::with_capacity(spheres.len() + bodies.len() + (1 << 20));
    let title = title(packing);
    let _ = write!(
        page,
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>{title}</title>\n\
         <link rel=\"icon\" href=\"data:,\">\n<style>\n{STYLE}</style>\n</head>\n<body>\n<main>\n{body}"
    );
    let numbers = for_script(&view.numbers);
    let _ = write!(
        page,
        "</main>\n<script type=\"application/json\" id=\"meta\">{numbers}</script>\n\
         <script type=\"text/plain\" id=\"spheres\">{spheres}</script>\n\
         <script type=\"text/plain\" id=\"bodies\">{bodies}</script>\n",
    );
    for script in SCRIPTS {
        let _ = write!(page, "<script>\n{script}</script>\n");
    }
    page += "</body>\n</html>\n";
    page
}

/// Returns JSON for a script element, which `<` could end.
fn for_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}

/// Returns the elements that the scripts fill.
fn view(packing: &Packing) -> &'static str {
    match packing.container.dimension() {
        Dimension::Two => FLAT_VIEW,
        Dimension::Three => VIEW,
    }
}

const FLAT_VIEW: &str = include_str!("page/flat_view.html");

const VIEW: &str = include_str!("page/view.html");

/// Returns the name of the explanation of the number of spheres.
fn about_spheres(packing: &Packing) -> &'static str {
    match packing.container.dimension() {
        Dimension::Two => "about-disks",
        Dimension::Three => "about-spheres",
    }
}

/// Returns the noun for the spheres.
fn spheres(packing: &Packing) -> &'static str {
    match packing.container.dimension() {
        Dimension::Two => "disks",
        Dimension::Three => "spheres",
    }
}

fn title(packing: &Packing) -> String {
    let sizes = packing.provenance.as_ref().map_or("", |run| &run.sizes);
    let spheres = spheres(packing);
    match sizes {
        "" => format!("Packing of {} {spheres}", packing.spheres.len()),
        sizes => format!("{} {spheres} of {}", packing.spheres.len(), escaped(sizes)),
    }
}

/// Returns what follows a length: its unit after a space, if it has one.
fn unit(packing: &Packing) -> String {
    match packing.unit.as_str() {
        "" => String::new(),
        unit => format!(" {}", escaped(unit)),
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
    let unit = unit(packing);
    let mut page = format!(
        "<p class=\"lead\">{} \
         Diameters {}{unit}. {}</p>\n",
        container_sentence(packing, &unit),
        diameters(analysis.sizes.d_min, analysis.sizes.d_max),
        certificate(packing, &unit),
    );
    let percent = |share: f64| format!("{} %", number(100.0 * share, 2));
    let limit = analysis
        .structure_factor
        .as_ref()
        .and_then(|factor| factor.limit);
    let mut numbers = vec![
        (
            "about-packing-fraction",
            number(analysis.packing_fraction, 4),
        ),
        (
            "about-expected",
            number(analysis.predicted_packing_fraction, 4),
        ),
        (about_spheres(packing), analysis.spheres.to_string()),
        ("about-contacts", number(analysis.contacts.mean, 3)),
        ("about-rattlers", percent(analysis.rattlers.share)),
        (
            "about-structure-factor",
            limit.map_or("–".to_owned(), |limit| number(limit, 4)),
        ),
    ];
    if let Some(order) = &analysis.order {
        numbers.push(("about-bond-order", number(order.q6_mean, 3)));
        numbers.push(("about-crystal-like", percent(order.crystal_share)));
    }
    if let Some(hexatic) = &analysis.hexatic {
        numbers.push(("about-hexatic", number(hexatic.psi6_mean, 3)));
        numbers.push(("about-global-hexatic", number(hexatic.psi6_global, 3)));
    }
    page += &tiles(&numbers);
    let _ = writeln!(
        page,
        "<p>{} count as touching up to a gap of {} smaller diameters.</p>",
        match packing.container.dimension() {
            Dimension::Two => "Disks",
            Dimension::Three => "Spheres",
        },
        analysis.contacts.tolerance
    );
    if let Some(note) = &analysis.contacts.note {
        let _ = writeln!(page, "<p>Contacts: {}.</p>", escaped(note));
    }
    page
}

/// Returns sentences about the container, whose lengths have a unit, and about bodies and fixed spheres in it.
fn container_sentence(packing: &Packing, unit: &str) -> String {
    let container = &packing.container;
    let lengths = container.lengths().to_array();
    let sides = &lengths[..container.dimension().number()];
    let sides: Vec<String> = sides.iter().map(|&length| number(length, 4)).collect();
    let box_of = sides.join(" × ");
    let parameter = |(name, value)| format!("{name} = {}{unit}", number(value, 4));
    let parameters = container.solid().parameters().into_iter().map(parameter);
    let shape = match container.solid() {
        Solid::Box(_) => format!("Container {box_of}{unit}"),
        Solid::Outline(outline) => format!(
            "Container: outline of {} rings in a rectangle of {box_of}{unit}",
            outline.rings().count()
        ),
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
    let boundary = container.boundary();
    let faces = boundary.in_words(container.dimension(), "periodic along all axes");
    let mut sentence = format!("{shape}{axis}; {faces}.");
    let them = spheres(packing);
    sentence += &match container.bodies().len() {
        0 => String::new(),
        1 => format!(" One body, which is gray, keeps {them} out."),
        bodies => format!(" {bodies} bodies, which are gray, keep {them} out."),
    };
    if packing.fixed > 0 {
        sentence += &format!(" Fixed {them}: {}.", packing.fixed);
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
fn certificate(packing: &Packing, unit: &str) -> String {
    let certificate = &packing.certificate;
    if certificate.max_overlap > 0.0 {
        format!(
            "Certificate: the largest overlap is {:.3e}{unit}.",
            certificate.max_overlap
        )
    } else {
        format!(
            "Certificate: no overlap; the smallest gap is {:.3e}{unit}.",
            certificate.min_gap
        )
    }
}

/// Returns the numbers of a bed at rest; nothing for other packings.
fn bed_section(packing: &Packing, analysis: &Analysis) -> String {
    let Some(bed) = &analysis.bed else {
        return String::new();
    };
    let mut page = String::from("<h2>Bed</h2>\n<div class=\"numbers\">\n");
    let unit = unit(packing);
    let core = bed.core.map_or("–".to_owned(), |core| number(core, 4));
    let mut rows = vec![
        ("height", number(bed.height, 3) + &unit),
        ("free surface", number(bed.surface, 3) + &unit),
        ("below the surface", number(bed.packing_fraction, 4)),
        ("in the core", core),
    ];
    let supports = bed.supports.map(|total| ("supports", total.to_string()));
    let mean = (bed.mean_supports).map(|mean| ("for each sphere", number(mean, 3)));
    rows.extend(supports.into_iter().chain(mean));
    for (name, value) in rows {
        let _ = writeln!(page, "<div><b>{value}</b><span>{name}</span></div>");
    }
    let verdict = match packing.stability() {
        None => "The forces at the contacts carry the weights".to_owned(),
        Some(certificate) => {
            let verdict = match certificate.unsupported {
                0 => "every sphere rests on its supports".to_owned(),
                count => format!("{count} spheres do not rest on their supports"),
            };
            let margin = number(certificate.worst_margin, 3);
            format!("Certificate of rest: {verdict}; the smallest margin is {margin}°")
        }
    };
    let _ = writeln!(
        page,
        "</div>\n<p>Gravity points along {}. {verdict}.</p>",
        bed.gravity
    );
    page
}

/// Returns a table of the size classes.
fn class_table(packing: &Packing, analysis: &Analysis) -> String {
    let diameters = match packing.unit.as_str() {
        "" => "diameters".to_owned(),
        unit => format!("diameters in {}", escaped(unit)),
    };
    let mut page = format!(
        "<h2>Size classes</h2>\n<table>\n<tr><th>{diameters}</th><th>spheres</th><th>% of the mass</th><th>mean contacts</th></tr>\n",
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
