//! The page.

use std::sync::atomic::Ordering;

use super::{
    Measured,
    compaction::{self, Compacted},
    markdown,
    mean::Mean,
    numbers::{grouped, signed},
    pile,
    pour::SPHERES,
    radial, segregation,
    settling::{self, Settling},
    speed, structure,
    tubes::{self, Tube},
};
use crate::walls::{
    correlation::{benyahia_oneill, continuous_bulk, published_point},
    profile::{EXTREMA, RATIO, extrema_cells},
};

/// Returns the page.
pub fn page(picture: &str, measured: &Measured) -> String {
    [
        head(picture),
        structure_section(measured),
        compaction_section(&measured.compacted),
        tube_section(measured),
        radial_section(measured),
        pile_section(measured),
        segregation_section(measured),
        speed_section(measured),
        settling_section(measured.settling.as_ref()),
    ]
    .concat()
}

fn head(picture: &str) -> String {
    let [all, left_out, unsupported] = [0, 1, 2].map(|k| SPHERES[k].load(Ordering::Relaxed));
    format!(
        "# Poured beds

Written by `cargo run --release -p reports -- beds`.

`jostle pour` drops spheres one after the other into an open vessel, where they roll to a stable position (after Visscher & Bolsterli,
Nature 239 (1972) 504). No bed of this page has an overlap. Of its {} spheres, {} found no place, and {} came to no rest on supports.
Errors are standard errors of the mean over beds with different seeds. Lengths are in diameters d of the spheres unless a section says
otherwise.

![Porosity of tubes, near a wall, and packing fraction above a floor](../{picture})
",
        grouped(all),
        left_out,
        unsupported,
    )
}

fn structure_section(measured: &Measured) -> String {
    let rows = measured.structures.iter().map(|kind| {
        vec![
            kind.name.clone(),
            kind.packing_fraction.describe(),
            kind.contacts.describe(),
            kind.backbone.describe(),
            kind.supports.describe(),
        ]
    });
    let header = [
        "",
        "φ",
        "contacts",
        "without rattlers",
        "supports by spheres",
    ];
    let poured = &measured.structures[0];
    let first = (poured.profile.iter().enumerate())
        .filter(|(_, (height, _))| *height < 1.0)
        .map(|(_, point)| *point)
        .fold(
            (0.0, 0.0),
            |best, point| if point.1 > best.1 { point } else { best },
        );
    format!(
        "
## Equal spheres without side walls

{} beds of {} spheres each, periodic to the sides. φ, contacts and supports are those of the layer that is at least five diameters from the
floor and from the surface. Contacts are gaps of at most {:e} diameters.
{}
Published drop-and-roll beds have φ = 0.58 ± 0.01. Each sphere adds as many contacts as it has supports, so that the mean contact number
is twice the mean number of supports. Spheres that stick where they first touch have published beds of φ about 0.15 with 2 contacts
(B. D. Lubachevsky, V. Privman & S. C. Roy, [arXiv:cond-mat/9207014](https://arxiv.org/abs/cond-mat/9207014)). The axial profile shows layers on the floor: the densest slice of the first one is at height {:.2},
with φ = {:.2}.
",
        structure::SEEDS,
        grouped(structure::SPHERES),
        structure::TOLERANCE,
        markdown::table(&header, rows),
        first.0,
        first.1,
    )
}

fn compaction_section(compacted: &[Compacted]) -> String {
    let rows = compacted.iter().map(|bed| {
        let supports = if bed.layer.supports > 0.0 {
            format!("{:.2}", bed.layer.supports)
        } else {
            "–".to_owned()
        };
        vec![
            bed.how.clone(),
            (bed.requested).map_or_else(|| "–".to_owned(), |fraction| format!("{fraction:.2}")),
            format!("{:.4}", bed.reached),
            format!("{:.4}", bed.layer.packing_fraction),
            format!("{:.2}", bed.layer.contacts),
            supports,
            bed.rest.clone(),
        ]
    });
    let header = [
        "",
        "requested φ",
        "φ",
        "φ of the layer",
        "contacts",
        "supports",
        "rest",
    ];
    let poured = compacted.iter().filter(|bed| bed.layer.supports > 0.0);
    let fractions = poured.map(|bed| bed.layer.packing_fraction);
    let [low, high] =
        [f64::min, f64::max].map(|fold| fractions.clone().reduce(fold).unwrap_or_default());
    format!(
        "
## Compaction

One bed of {} spheres of each kind, periodic to the sides. The first two φ are those between the floor and the mean surface, the third one is that of the
layer as above, as are contacts and supports. `--fraction` compacts without a stop angle by taps, and with one also by the packing loop, from whose
places the spheres fall again. Beds at rest have φ from {low:.3} to {high:.3} in the layer. The packing loop alone compresses the bed without a stop angle along
gravity: at the same φ, its spheres have gaps and no supports. With `--jam`, the spheres come to rest together under their weights, without
friction.
{}",
        grouped(compaction::SPHERES),
        markdown::table(&header, rows),
    )
}

fn tube_row(tube: &Tube) -> Vec<String> {
    let stated = |value: Option<String>| value.unwrap_or("–".to_owned());
    let exact = tubes::single_file(tube.ratio);
    let published = (tube.ratio >= 1.5).then(|| benyahia_oneill(tube.ratio));
    let difference = |porosity: f64| published.map(|value| signed(porosity - value, 4));
    vec![
        tube.ratio.to_string(),
        grouped(tube.spheres),
        tube.porosity.describe(),
        tube.tapped.describe(),
        stated(tube.jammed.map(Mean::describe)),
        stated(exact.map(|exact| format!("{exact:.4}"))),
        stated(published.map(|value| format!("{value:.4}"))),
        stated(difference(tube.porosity.value)),
        stated(difference(tube.tapped.value)),
        stated(tube.jammed.and_then(|jammed| difference(jammed.value))),
    ]
}

fn tube_section(measured: &Measured) -> String {
    let rows = measured.tubes.iter().map(tube_row);
    let tapped = format!("{} taps", structure::TAPS);
    let header = [
        "D/d",
        "spheres",
        "poured",
        tapped.as_str(),
        "jammed",
        "exact",
        "Benyahia & O'Neill",
        "poured, difference",
        "taps, difference",
        "jammed, difference",
    ];
    let narrow = measured.tubes.iter().filter_map(|tube| {
        let exact = tubes::single_file(tube.ratio)?;
        Some((tube.porosity.value - exact).abs())
    });
    let wide = || measured.tubes.iter().filter(|tube| tube.ratio >= 4.0);
    let range = |porosity: fn(&Tube) -> Option<f64>| {
        let differences =
            wide().filter_map(|tube| Some(porosity(tube)? - benyahia_oneill(tube.ratio)));
        let [low, high] =
            [f64::min, f64::max].map(|fold| differences.clone().reduce(fold).unwrap_or_default());
        format!("{} to {}", signed(low, 3), signed(high, 3))
    };
    format!(
        "
## Tubes

{} poured and {} tapped beds in each tube of diameter D, and {} jammed ones of {} diameters of height in some. Of the jammed ones, {} did not come to
rest and are left out. The porosity is that of the layer that is at least {} diameters from the floor and from the
surface. F. Benyahia & K. E. O'Neill ([Part. Sci. Technol. 23 (2005) 169](https://doi.org/10.1080/02726350590922242)) fitted measured beds,
for D/d from 1.5 to 50: ε = 0.390 + 1.740 / (D/d + 1.140)².
{}
Below D/d = 1 + √3/2, each sphere rests on the last one and on the wall opposite to it, so that the porosity is
1 − (2/3) (d/D)³ / √(2d/D − 1) exactly. The porosities of poured beds, whose layer cuts spheres at its ends, differ from it by at most {:.0e}.
Other correlations, those of Zou & Yu (1995) and of Cheng (2011), are left out: their constants were not found in two independent sources.
From D/d = 4 on, the difference is {} for poured beds, {} for tapped ones, and {} for jammed ones.
Poured spheres never move again, so that a bed is as loose as the drop-and-roll beds above; measured beds settle while they are filled, to 0.39 in
wide tubes.
",
        tubes::SEEDS,
        tubes::TAPPED,
        tubes::JAMMED,
        tubes::HEIGHT,
        (measured.tubes.iter().map(|tube| tube.restless)).sum::<usize>(),
        tubes::MARGIN,
        markdown::table(&header, rows),
        narrow.fold(0.0, f64::max),
        range(|tube| Some(tube.porosity.value)),
        range(|tube| Some(tube.tapped.value)),
        range(|tube| tube.jammed.map(|jammed| jammed.value)),
    )
}

fn radial_section(measured: &Measured) -> String {
    let mut rows = Vec::new();
    for profile in &measured.profiles {
        let points = profile.points().map(|(z, porosity)| (z, porosity.value));
        let mut row = vec![profile.name.clone(), profile.bulk.describe()];
        row.extend(extrema_cells(points));
        row.push(format!("{:.3}", profile.difference()));
        rows.push(row);
    }
    let mut row = vec!["de Klerk".to_owned(), format!("{:.4}", continuous_bulk())];
    row.extend(extrema_cells((0..5000).map(published_point)));
    row.push("–".to_owned());
    rows.push(row);
    let header = Vec::from_iter([""].into_iter().chain(EXTREMA));
    format!(
        "
## Wall of a tube

{} beds of each kind at D/d = {RATIO}, measured as in [walls.md](walls.md), which states the correlation of A. de Klerk (AIChE J. 49
(2003) 2022). The last column is the root mean square difference from the correlation, with ε in the own core.
{}",
        radial::SEEDS,
        markdown::table(&header, rows)
    )
}

fn pile_section(measured: &Measured) -> String {
    let rows = measured.piles.iter().map(|pile| {
        let angle = format!("{:.1} ± {:.1}", pile.angle.value, pile.angle.error);
        let height = format!("{:.1} ± {:.1}", pile.height.value, pile.height.error);
        vec![pile.name.to_owned(), angle, height]
    });
    format!(
        "
## Piles

{} piles of {} equal spheres of each kind, under an outlet above a wide floor. Spheres start with their centers in the outlet. The angle is the
slope of the line through the highest points of rings around the axis, from 0.15 to 0.85 of the radius of the pile. A sphere stops in the first
hollow, as it has no momentum and pushes no other sphere. Piles are therefore about as steep as the faces of stacked tetrahedra, 54.7°, under
outlets of every width. Real piles are flatter: one of bubbles without friction has 3.75 ± 0.11°
([Granular Matter, 2017](https://doi.org/10.1007/s10035-017-0774-x)). For flat piles, `jostle pour` is no model.
{}",
        pile::SEEDS,
        grouped(pile::SPHERES),
        markdown::table(&["", "angle of repose in degrees", "height"], rows)
    )
}

fn segregation_section(measured: &Measured) -> String {
    let segregation = &measured.segregation;
    let percent = |mean: Mean| {
        format!(
            "{} ± {:.1}",
            signed(100.0 * mean.value, 1),
            100.0 * mean.error
        )
    };
    let rows = [
        ("rain, lower half", segregation.low),
        ("rain, upper half", segregation.high),
        ("pile, inner half", segregation.inner),
        ("pile, outer half", segregation.outer),
    ];
    let rows = rows.map(|(name, mean)| vec![name.to_owned(), percent(mean)]);
    format!(
        "
## Two sizes

{} beds and {} piles of two sizes of ratio {}, of equal volume and in random order. The table has the volume share of the small spheres in
each half, less one half, in percentage points.
{}",
        segregation::SEEDS,
        segregation::SEEDS,
        segregation::RATIO,
        markdown::table(&["", "small spheres"], rows)
    )
}

fn speed_section(measured: &Measured) -> String {
    let rows = measured.speed.iter().map(|row| {
        vec![
            row.what.clone(),
            grouped(row.spheres),
            format!("{:.2}", row.seconds),
            format!("{:.1}", 1e6 * row.seconds / row.spheres as f64),
        ]
    });
    let equal = measured
        .speed
        .iter()
        .find(|row| row.spheres == speed::MIXTURE);
    let ratio = |row: &speed::Row| row.seconds / equal.map_or(f64::NAN, |equal| equal.seconds);
    let [.., uniform, fuller] = &measured.speed[..] else {
        unreachable!("the last rows are two mixtures");
    };
    format!(
        "
## Time

One run each, with both certificates, in a cylinder of {} diameters of equal spheres, or as wide for mixtures of the same volume. The
volume of the mixtures is uniformly distributed over the diameters, or follows a Fuller curve. Deposition is sequential: it uses one thread.
The last two mixtures take {:.1} and {:.1} times the time of as many equal spheres: a small sphere rolls along large ones and falls on from
them, again and again.
{}",
        speed::RATIO,
        ratio(uniform),
        ratio(fuller),
        markdown::table(&["sizes", "spheres", "s", "µs per sphere"], rows)
    )
}

fn settling_section(settling: Option<&Settling>) -> String {
    let head = "\n## LAMMPS\n\n";
    let Some(settling) = settling else {
        return format!(
            "{head}Not measured: LAMMPS is not installed where this page was written. `tests/readers/run dem` installs it.\n"
        );
    };
    let rest = |at_rest: bool| if at_rest { "yes" } else { "no" };
    let row = |what: String, seconds: f64, fraction: f64, at_rest: bool| {
        let seconds = format!("{seconds:.2}");
        vec![
            what,
            seconds,
            format!("{fraction:.4}"),
            rest(at_rest).to_owned(),
        ]
    };
    let mut rows = Vec::new();
    for bed in &settling.beds {
        rows.push(row(
            format!("`{}`", bed.name),
            bed.seconds,
            bed.before,
            true,
        ));
        let settled = &bed.settled;
        let what = "the same bed, settled by LAMMPS".to_owned();
        rows.push(row(what, settled.seconds, bed.after, settled.at_rest));
    }
    let poured = &settling.poured;
    let what = "LAMMPS, `fix pour`".to_owned();
    rows.push(row(
        what,
        poured.seconds,
        settling.of_lammps,
        poured.at_rest,
    ));
    format!(
        "{head}{} equal spheres in a tube of {} diameters, all in one run on one thread. LAMMPS reads the beds with `gran/hooke/history`, stiffness
{:e} m g/d, friction 0.5, restitution 0.5 and gravity, and runs until the mean kinetic energy is below 10⁻⁹ m g d. φ is that of the layer at
least three diameters from the floor and from the surface.
{}
Displacements of the spheres by settling, in diameters. Soft contacts have their part in them: LAMMPS compresses each bed by its weight.
{}",
        grouped(settling::SPHERES),
        settling::RATIO,
        settling::STIFFNESS,
        markdown::table(&["", "s", "φ", "at rest"], rows),
        moved(settling),
    )
}

/// Returns the table of the displacements.
fn moved(settling: &Settling) -> String {
    let rows = settling.beds.iter().map(|bed| {
        let settled = &bed.settled;
        let lengths = [
            settled.median,
            settled.mean,
            settled.share_90,
            settled.largest,
            settled.mean_sinking,
        ];
        let cells = lengths.map(|length| format!("{length:.4}"));
        [format!("`{}`", bed.name)]
            .into_iter()
            .chain(cells)
            .collect()
    });
    let displacements = [
        "",
        "median",
        "mean",
        "nine of ten below",
        "largest",
        "mean sinking",
    ];
    markdown::table(&displacements, rows)
}
