//! The page.

use super::{
    core_density::{self, CoreDensity},
    correlation::{benyahia_oneill, continuous_bulk, published_point},
    fraction::{self, Tube},
    markdown,
    mean::Mean,
    opposite::{self, Row},
    profile::{CORE, EXTENT, EXTREMA, Profile, RATIO, SEEDS, extrema, extrema_cells},
};

/// Returns the page.
pub fn page(
    picture: &str,
    profiles: &[Profile],
    tubes: &[Tube],
    core: &CoreDensity,
    opposite: &[Row],
) -> String {
    [
        head(picture),
        profile_section(profiles),
        tube_section(tubes),
        core_section(core),
        opposite_section(opposite),
    ]
    .concat()
}

fn head(picture: &str) -> String {
    format!(
        "# Walls

Written by `cargo run --release -p reports -- walls`.

Equal spheres of diameter d in cylinders of diameter D, which are periodic along their axis. `jostle analyze` computes the profile along
the radius from the exact volumes of the spheres in shells. Errors are standard errors of the mean over packings with different seeds.

![Porosity against the distance from the wall, and packing fraction against the diameter of the tube](../{picture})
"
    )
}

/// Returns a point of a profile without its error.
fn value((z, porosity): (f64, Mean)) -> (f64, f64) {
    (z, porosity.value)
}

/// Returns the difference between the largest and the smallest porosity four to five diameters from the wall.
fn variation(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let far = points.filter(|(z, _)| (4.0..5.0).contains(z));
    let [low, high] = far.fold([1.0, 0.0], |[low, high], (_, porosity)| {
        [porosity.min(low), porosity.max(high)]
    });
    high - low
}

fn profile_table(profiles: &[Profile]) -> String {
    let mut rows = Vec::new();
    for profile in profiles {
        let mut row = vec![
            profile.name.clone(),
            profile.packing_fraction.describe(),
            profile.bulk.describe(),
        ];
        row.extend(extrema_cells(profile.points().map(value)));
        row.push(format!("{:.3}", profile.difference()));
        rows.push(row);
    }
    let mut row = vec![
        "de Klerk".to_owned(),
        "–".to_owned(),
        format!("{:.4}", continuous_bulk()),
    ];
    row.extend(extrema_cells((0..5000).map(published_point)));
    row.push("–".to_owned());
    rows.push(row);
    let header = ["", "φ"].into_iter().chain(EXTREMA);
    markdown::table(&Vec::from_iter(header), rows)
}

fn profile_section(profiles: &[Profile]) -> String {
    let errors = profiles.iter().map(Profile::largest_error);
    let error = errors.fold(0.0, f64::max);
    let densest = || profiles[0].points().map(value);
    let [(_, first), ..] = extrema(densest());
    let looser = profiles[2..].iter().map(Profile::difference);
    format!(
        "
## Porosity near the wall

D/d = {RATIO}, {SEEDS} packings of each kind. The porosity ε is 1 − φ in a shell of 0.05 d; its standard errors are at most {error:.4}. A. de
Klerk (AIChE J. 49 (2003) 2022) fitted measured beds; z is the distance from the wall in diameters:

    ε(z) = 2.14 z² − 2.53 z + 1                                                   for z ≤ 0.637
    ε(z) = ε_b + 0.29 exp(−0.6 z) cos(2.3 π (z − 0.16)) + 0.15 exp(−0.9 z)        beyond

The two parts meet if the porosity ε_b far from the wall is {:.3}. The last column is the root mean square difference from the
correlation up to z = {EXTENT}, with ε_b from the own core, which is farther than {CORE} d from the wall.
{}
Two experiments explain the differences:

- **Density.** Packings that end early have a looser core. With the ε_b of their own core, the difference from the correlation falls from
  {:.3} to {:.3} at most: density explains a small part of it.
- **Settling.** In a poured bed, spheres fall one after the other, roll down and never move again (after Visscher & Bolsterli, Nature 239
  (1972) 504, without friction and shaking). Few of them end exactly at the wall. The first minimum is shallow and farther from the
  wall, and the layers fade within two diameters. Random close packings rearrange all spheres together: nearly all spheres of the
  first layer touch the wall, and its solid share of {:.2} is near that of randomly packed discs (0.82 to 0.84).

The correlation lies between these two limits: in depth and distance of its first minimum, and in the reach of the layers. Between z = 4
and 5, the porosity varies by {:.2} in close packings, by {:.2} in the correlation and by {:.3} in poured beds. Measured beds are settled,
but not rearranged as a whole. The layers of the correlation are 0.87 d apart (the period of its cosine). The first two minima of close
packings are 0.80 d apart, near √(2/3) d, the distance of layers of touching spheres.
",
        continuous_bulk(),
        profile_table(profiles),
        profiles[0].difference(),
        looser.fold(f64::INFINITY, f64::min),
        1.0 - first,
        variation(densest()),
        variation((4000..5000).map(published_point)),
        variation(profiles[1].points().map(value)),
    )
}

fn tube_section(tubes: &[Tube]) -> String {
    let row = |tube: &Tube| {
        let published = 1.0 - benyahia_oneill(tube.ratio.value);
        vec![
            format!("{:.3}", tube.ratio.value),
            tube.spheres.to_string(),
            tube.packing_fraction.describe(),
            format!("{published:.4}"),
            format!("{:+.4}", tube.packing_fraction.value - published),
        ]
    };
    let header = ["D/d", "spheres", "φ", "Benyahia & O'Neill", "difference"];
    format!(
        "
## Packing fraction of tubes

{} densest packings of each tube, in the smallest tube of their shape. F. Benyahia & K. E. O'Neill
([Part. Sci. Technol. 23 (2005) 169](https://doi.org/10.1080/02726350590922242)) fitted poured beds, for D/d from 1.5 to 50:
ε = 0.390 + 1.740 / (D/d + 1.140)².
{}
From D/d = 4 on, the packings are denser than poured beds by 0.02 to 0.03. This is the difference in wide containers, between random
close packing (0.641) and the limit of the correlation (0.610). In narrower tubes, φ rises and falls as more spheres fit beside
each other. A smooth correlation cannot follow; measured beds vary with D/d in this way too (Guo et al., Powder Technol. 354 (2019) 842).
",
        fraction::SEEDS,
        markdown::table(&header, tubes.iter().map(row))
    )
}

fn core_section(core: &CoreDensity) -> String {
    let rows = [
        ("cylinder", core.cylinder),
        ("core of the cylinder", core.core),
        ("periodic cube", core.cube),
        ("core − cube", core.difference()),
    ];
    let rows = rows.map(|(name, mean)| vec![name.to_owned(), mean.describe()]);
    format!(
        "
## Near the axis

{} densest packings of {2} spheres each, in cylinders of D/d = {1} and in periodic cubes. The core is farther than {CORE} d from the wall.
{3}
The core is as dense as the periodic cube within the errors: the wall lowers the packing fraction only in its layers.
",
        core_density::SEEDS,
        core_density::RATIO,
        core.spheres,
        markdown::table(&["", "φ"], rows)
    )
}

fn opposite_section(rows: &[Row]) -> String {
    let cell = |means: &Vec<Mean>| {
        let texts = means.iter().map(|mean| format!("{:+.4}", mean.value));
        let errors = means.iter().map(|mean| mean.error);
        let texts: Vec<String> = texts.collect();
        format!("{} (± {:.4})", texts.join(", "), errors.fold(0.0, f64::max))
    };
    let table = rows.iter().map(|row| {
        let names = [row.container.to_owned(), row.sizes.to_owned()];
        names
            .into_iter()
            .chain(row.differences.iter().map(cell))
            .collect()
    });
    let targets = opposite::TARGETS.map(|(name, _)| name);
    let header: Vec<&str> = ["container", "sizes"].into_iter().chain(targets).collect();
    let all = rows.iter().flat_map(|row| row.differences.iter().flatten());
    let ratios: Vec<f64> = all
        .clone()
        .map(|mean| mean.value.abs() / mean.error)
        .collect();
    let beyond = |errors: f64| ratios.iter().filter(|&&ratio| ratio > errors).count();
    format!(
        "
## Opposite layers

No direction is preferred. {} packings of each kind, to a packing fraction or as dense as possible; the numbers are the difference of the
packing fraction between two layers, as thick as the largest sphere. Box: the layers at both walls of each axis. Cylinder, sphere and
cone: the halves of the layer at all walls, on both sides of the middle, along x, y and z (cone: x and y). L: its two arms, and the halves
on both sides of the middle. The body is a sphere in the middle of a periodic cube of twice its diameter, with the halves of the layer around it. In
brackets: the largest of the standard errors.
{}
Of the {} differences, {} exceed two and {} exceed three standard errors; by chance, {:.0} and {:.0} would. The largest is {:.4}, the
largest standard error {:.4}. Where spheres of a block were visited along the space-filling curve, boxes packed to 0.45 had differences
of 0.04 to 0.07.
",
        opposite::SEEDS,
        markdown::table(&header, table),
        ratios.len(),
        beyond(2.0),
        beyond(3.0),
        0.0455 * ratios.len() as f64,
        0.0027 * ratios.len() as f64,
        all.clone().map(|mean| mean.value.abs()).fold(0.0, f64::max),
        all.map(|mean| mean.error).fold(0.0, f64::max),
    )
}
