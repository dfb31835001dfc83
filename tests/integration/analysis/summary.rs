//! The complete analysis: each quantity against its definition, computed in another way.

use std::f64::consts::{PI, TAU};

use glam::DVec3;
use jostle::{
    Packing,
    analysis::{Analysis, AnalysisError, AnalysisOptions, specific_surface},
};

use super::{Case, cases, fcc, lattice, mixture, packed, random};

impl Case {
    fn packing(&self) -> Packing {
        Packing::new(self.spheres.clone(), self.container.clone())
    }

    fn analysis(&self) -> Analysis {
        self.analysis_with(5_000)
    }

    pub(super) fn analysis_with(&self, points: usize) -> Analysis {
        let options = AnalysisOptions::default().tolerance(0.05).points(points);
        Analysis::new(&self.packing(), &options).unwrap()
    }
}

/// Returns the class of each sphere, from the printed borders of the classes.
fn classes(case: &Case, analysis: &Analysis) -> Vec<usize> {
    let class = |radius: &f64| {
        let borders = analysis.sizes.classes.iter();
        borders.filter(|class| class.d_min <= 2.0 * radius).count() - 1
    };
    case.spheres.radii().iter().map(class).collect()
}

#[test]
fn single_quantities_agree_with_the_complete_analysis() {
    for case in &cases() {
        let analysis = case.analysis();
        let contacts = case.contacts(0.05);
        assert_eq!(analysis.contacts.mean, contacts.mean());
        let [complete, single] = [analysis.fabric.unwrap(), case.fabric(0.05)];
        // The complete analysis adds in another order.
        let mut pairs = complete
            .tensor
            .iter()
            .flatten()
            .zip(single.tensor.iter().flatten());
        assert!(pairs.all(|(a, b)| (a - b).abs() < 1e-14));
        assert_eq!(complete.contacts, single.contacts);
        assert_eq!(
            analysis.order.unwrap().crystal_share,
            case.bond_order().crystal_share()
        );
        for mixing in &analysis.homogeneity {
            let single = case.homogeneity(mixing.cells_per_axis);
            assert_eq!(mixing.sizes.is_some(), single.is_some());
            let difference = mixing.sizes.unwrap_or(0.0) - single.unwrap_or(0.0);
            assert!(difference.abs() < 1e-12, "{difference}");
        }
        let surface: f64 = case
            .spheres
            .radii()
            .iter()
            .map(|r| 4.0 * PI * r.powi(2))
            .sum();
        let expected = surface / case.container.lengths().element_product();
        assert!((analysis.specific_surface / expected - 1.0).abs() < 1e-12);
        assert_eq!(
            analysis.specific_surface,
            specific_surface(&case.spheres, &case.container)
        );
    }
}

#[test]
fn classes_divide_the_spheres() {
    let two = Case::new(
        [1.0, 3.0, 5.0, 7.0].map(DVec3::splat).to_vec(),
        vec![0.5, 1.0, 0.5, 0.5],
        DVec3::splat(10.0),
        "ppp",
    );
    let summary = two.analysis().sizes;
    let rows: Vec<_> = summary
        .classes
        .iter()
        .map(|c| (c.d_min, c.d_max, c.number))
        .collect();
    assert_eq!(rows, [(1.0, 1.0, 3), (2.0, 2.0, 1)]);
    assert!((summary.classes[1].mass_share - 8.0 / 11.0).abs() < 1e-15);
    assert_eq!(
        (summary.d_min, summary.d_max, summary.mean),
        (1.0, 2.0, 1.25)
    );

    for case in &cases() {
        let (analysis, radii) = (case.analysis(), case.spheres.radii());
        let (of, summary) = (classes(case, &analysis), &analysis.sizes);
        assert!(summary.classes.len() <= 6);
        let mass: f64 = radii.iter().map(|r| r.powi(3)).sum();
        for (number, class) in summary.classes.iter().enumerate() {
            let own = || (0..radii.len()).filter(|&id| of[id] == number);
            assert_eq!(class.number, own().count());
            let share = own().map(|id| radii[id].powi(3)).sum::<f64>() / mass;
            assert!((class.mass_share - share).abs() < 1e-12);
        }
        for &(d, requested, achieved) in &summary.mass_curve {
            let below = radii.iter().filter(|r| 2.0 * **r <= d).map(|r| r.powi(3));
            assert_eq!(requested, None);
            assert!((achieved - below.sum::<f64>() / mass).abs() < 1e-12);
        }
        assert_eq!(summary.mass_curve.last().unwrap().0, summary.d_max);
    }
}

#[test]
fn contacts_by_class_and_gaps_agree_with_brute_force() {
    for case in &cases() {
        let (analysis, radii) = (case.analysis(), case.spheres.radii());
        let (of, pairs) = (classes(case, &analysis), case.brute_pairs(0.05));
        for (a, row) in analysis.contacts.by_class.iter().enumerate() {
            for (b, &mean) in row.iter().enumerate() {
                let joins = |pair: &&[u32; 2]| {
                    let [i, j] = pair.map(|id| of[id as usize]);
                    [i, j] == [a, b] || [j, i] == [a, b]
                };
                let count = pairs.iter().filter(joins).count() * if a == b { 2 } else { 1 };
                let number = of.iter().filter(|class| **class == a).count();
                assert_eq!(mean, count as f64 / number as f64);
            }
        }
        let gaps = &analysis.gaps;
        assert!((gaps.relative.last().unwrap() - 0.4).abs() < 1e-15);
        for (step, &relative) in gaps.relative.iter().enumerate().step_by(12) {
            let pairs = case.brute_pairs(relative).len();
            let mean = 2.0 * pairs as f64 / radii.len() as f64;
            assert!((gaps.neighbors[step] - mean).abs() < 1e-12);
        }
    }
}

/// g(r) by trying all pairs, for references far from walls.
fn brute_g(case: &Case, references: &[usize], others: &[usize], middles: &[f64]) -> Vec<f64> {
    let width = middles[1] - middles[0];
    let mut counts = vec![0.0; middles.len()];
    let mut pairs = 0.0;
    for &i in references {
        for &j in others.iter().filter(|&&j| j != i) {
            pairs += 1.0;
            let bin = (case.brute_vector(i, j).length() / width) as usize;
            if let Some(count) = counts.get_mut(bin) {
                *count += 1.0;
            }
        }
    }
    let volume = case.container.volume();
    let normalized = |(count, middle): (f64, &f64)| {
        let [low, high] = [middle - 0.5 * width, middle + 0.5 * width];
        count / (pairs * 4.0 / 3.0 * PI * (high.powi(3) - low.powi(3)) / volume)
    };
    counts.into_iter().zip(middles).map(normalized).collect()
}

#[test]
fn pair_distribution_agrees_with_brute_force() {
    let mut partial = 0;
    let mut walled = cases();
    walled.push(random(2000, 1.5, DVec3::new(9.0, 8.0, 7.0), "ppw", 12));
    for case in &walled {
        let analysis = case.analysis();
        let Some(rdf) = &analysis.rdf else { continue };
        let of = classes(case, &analysis);
        let inner = |class: Option<usize>, r_max: f64| -> Vec<usize> {
            let is_far = |&id: &usize| {
                let center = case.spheres.centers()[id];
                (0..3).all(|axis| {
                    let wall =
                        f64::min(center[axis], case.container.lengths()[axis] - center[axis]);
                    case.letters()[axis] == 'p' || wall >= r_max
                })
            };
            let of_class = |&id: &usize| class.is_none_or(|class| of[id] == class);
            (0..of.len()).filter(of_class).filter(is_far).collect()
        };
        let compare = |classes: [Option<usize>; 2], r: &[f64], g: &[f64], references: usize| {
            let r_max = r[r.len() - 1] + 0.5 * (r[1] - r[0]);
            let near = inner(classes[0], r_max);
            assert_eq!(near.len(), references);
            let expected = brute_g(case, &near, &inner(classes[1], 0.0), r);
            let differences = g
                .iter()
                .zip(&expected)
                .filter(|(g, e)| (*g - *e).abs() > 1e-9 * (1.0 + *e));
            // A distance at the border of two bins may count in either.
            assert!(differences.count() <= 2, "{g:?} {expected:?}");
        };
        compare([None; 2], &rdf.r, &rdf.g, rdf.references);
        for part in &rdf.partial {
            compare(part.classes.map(Some), &part.r, &part.g, part.references);
            partial += 1;
        }
    }
    assert!(partial > 10, "{partial}");
    assert!(walled.last().unwrap().analysis().rdf.is_some());
}

/// The structure factor by its definition, for all wave vectors that its documentation names.
#[test]
fn structure_factor_agrees_with_its_definition() {
    let sparse = random(50, 1.0, DVec3::new(30.0, 20.0, 25.0), "ppw", 13);
    for case in cases().iter().chain([&sparse]) {
        let letters = case.letters();
        let Some(factor) = case.analysis().structure_factor else {
            assert_eq!(letters, ['w'; 3]);
            continue;
        };
        let radii = case.spheres.radii();
        let unit = TAU / (2.0 * radii.iter().sum::<f64>() / radii.len() as f64);
        let allowed = |n: [i32; 3]| (0..3).all(|axis| letters[axis] == 'p' || n[axis] == 0);
        let mut found = 0;
        let mut low = Vec::new();
        for n_x in -6..=6 {
            for n_y in -6..=6 {
                for n_z in -6..=6_i32 {
                    let n = [n_x, n_y, n_z];
                    let k = TAU * DVec3::from_array(n.map(f64::from)) / case.container.lengths();
                    if !allowed(n) || n == [0; 3] || k.length() > 4.0 * unit {
                        continue;
                    }
                    let phases = case.spheres.centers().iter().map(|center| k.dot(*center));
                    let (re, im) =
                        phases.fold((0.0, 0.0), |(re, im), p| (re + p.cos(), im + p.sin()));
                    low.push((k.length(), (re * re + im * im) / radii.len() as f64));
                    found += 1;
                }
            }
        }
        let total: usize = factor.vectors.iter().sum();
        assert!(2 * total >= found && total <= found / 2 + 49 * 48);
        // Bins below the seventh vector along the longest axis hold exactly the vectors of the block.
        let longest = (0..3).filter(|&axis| letters[axis] == 'p');
        let limit = longest
            .map(|axis| 7.0 * TAU / case.container.lengths()[axis])
            .fold(f64::INFINITY, f64::min);
        low.sort_by(|a, b| a.0.total_cmp(&b.0));
        // Each vector is in the list with its opposite.
        let (mut compared, mut start) = (0, 0);
        for ((&k, &s), &vectors) in factor.k.iter().zip(&factor.s).zip(&factor.vectors) {
            let Some(same) = low.get(start..start + 2 * vectors) else {
                break;
            };
            start += 2 * vectors;
            if same[2 * vectors - 1].0 < limit {
                let mean = |part: fn(&(f64, f64)) -> f64| {
                    same.iter().map(part).sum::<f64>() / same.len() as f64
                };
                assert!((k - mean(|value| value.0)).abs() < 1e-9 * k);
                let expected = mean(|value| value.1);
                assert!(
                    (s - expected).abs() < 1e-9 * (1.0 + expected),
                    "{k}: {s} {expected}"
                );
                compared += 1;
            }
        }
        // Along one axis, the first bin reaches beyond the block.
        let axes = letters.iter().filter(|letter| **letter == 'p').count();
        assert!(compared > 0 || axes == 1);
    }
}

#[test]
fn structure_factors_of_lattices_and_of_random_points_are_known() {
    // On a cubic lattice all vectors but the reciprocal ones, which are multiples of 2π, have S = 0.
    let cubic = lattice(DVec3::ONE, &[[0.0; 3]], 10)
        .analysis()
        .structure_factor
        .unwrap();
    assert!(cubic.limit.unwrap().abs() < 1e-9);
    for ((&k, &s), &vectors) in cubic.k.iter().zip(&cubic.s).zip(&cubic.vectors) {
        let total = s * vectors as f64;
        let peaks = (total / 1000.0).round();
        assert!((total - 1000.0 * peaks).abs() < 1e-6, "{k}: {total}");
        assert!(k > 0.9 * TAU || peaks == 0.0, "{k}: {peaks}");
    }
    let peaks: f64 = cubic
        .s
        .iter()
        .zip(&cubic.vectors)
        .map(|(s, &n)| s * n as f64 / 1000.0)
        .sum();
    assert!(peaks.round() >= 3.0, "{peaks}");

    let case = random(20_000, 1.0, DVec3::new(9.0, 8.0, 7.0), "ppp", 14);
    let flat = case.analysis().structure_factor.unwrap();
    let total: usize = flat.vectors.iter().sum();
    let mean = flat
        .s
        .iter()
        .zip(&flat.vectors)
        .map(|(s, &n)| s * n as f64)
        .sum::<f64>()
        / total as f64;
    assert!((mean - 1.0).abs() < 5.0 / (total as f64).sqrt(), "{mean}");
    assert!((flat.limit.unwrap() - 1.0).abs() < 0.3, "{:?}", flat.limit);
    // An average over directions beyond the block.
    assert!(*flat.k.last().unwrap() > 3.8 * TAU / 0.2);
}

/// Random overlapping spheres: the share of the void whose distance from the nearest surface exceeds δ is
/// exp(−ρ (v(R + δ) − v(R))), with the volume v(R) of a sphere.
#[test]
fn pores_of_random_points_are_known() {
    let case = random(3000, 1.0, DVec3::new(3.0, 2.0, 4.0), "ppp", 15);
    let pores = case.analysis_with(100_000).pores.unwrap();
    let v = |radius: f64| 4.0 / 3.0 * PI * radius.powi(3);
    for (&d, &found) in pores.diameter.iter().zip(&pores.cumulative) {
        let expected = 1.0 - (-3000.0 / 24.0 * (v(0.1 + 0.5 * d) - v(0.1))).exp();
        assert!((found - expected).abs() < 0.02, "{d}: {found} {expected}");
    }
    assert_eq!(*pores.cumulative.last().unwrap(), 1.0);
}

/// Around one sphere in a cube with walls, the pore diameter is twice the distance to the nearer of sphere and walls.
#[test]
fn pores_reach_to_spheres_and_walls() {
    let case = Case::new(vec![DVec3::splat(0.5)], vec![0.3], DVec3::ONE, "www");
    let pores = case.analysis_with(100_000).pores.unwrap();
    // In a corner, the largest sphere touches three walls and the sphere, which defines its radius x: √3 (1/2 − x) = 0.3 + x.
    let half = 3_f64.sqrt() / 2.0;
    let largest = 2.0 * (half - 0.3) / (1.0 + 3_f64.sqrt());
    let found = *pores.diameter.last().unwrap();
    assert!(
        found <= largest && found > 0.95 * largest,
        "{found} {largest}"
    );
    // Small pores lie in shells at the walls and at the sphere.
    let d = pores.diameter[10];
    let void = 1.0 - 4.0 / 3.0 * PI * 0.027;
    let wall = 1.0 - (1.0 - d).powi(3);
    let shell = 4.0 / 3.0 * PI * ((0.3 + 0.5 * d).powi(3) - 0.027);
    assert!((pores.cumulative[10] - (wall + shell) / void).abs() < 0.004);
}

#[test]
fn profiles_agree_with_random_points_and_with_the_packing_fraction() {
    for case in &[
        packed(&mixture(300), "pww"),
        packed(&[0.5; 300], "ppp"),
        fcc(3),
    ] {
        let analysis = case.analysis();
        let profile = &analysis.profile;
        let mean = profile.packing_fraction.iter().sum::<f64>() / 100.0;
        assert!((mean - analysis.packing_fraction).abs() < 1e-12);
        // The area of the spheres' cross-sections, integrated over the slice.
        let height = case.container.lengths().z;
        let area = case.container.lengths().x * case.container.lengths().y;
        for (&z, &found) in profile.position.iter().zip(&profile.packing_fraction) {
            let steps = 200;
            let section: f64 = (0..steps)
                .map(|step| {
                    let z = z + height / 100.0 * ((f64::from(step) + 0.5) / f64::from(steps) - 0.5);
                    let section = |(center, radius): (DVec3, f64)| {
                        let image =
                            |shift: f64| (radius.powi(2) - (center.z + shift - z).powi(2)).max(0.0);
                        let images = [-height, 0.0, height].map(image);
                        PI * if case.letters()[2] == 'p' {
                            images.iter().sum()
                        } else {
                            images[1]
                        }
                    };
                    case.spheres.iter().map(section).sum::<f64>() / area / f64::from(steps)
                })
                .sum();
            assert!((found - section).abs() < 1e-4, "{z}: {found} {section}");
        }
        assert_eq!(profile.wall.is_some(), case.letters().contains(&'w'));
        let radial = &profile.radius;
        for (share, error) in radial.packing_fraction.iter().zip(&radial.standard_error) {
            assert!((share * (1.0 - share)).sqrt() >= *error && *share <= 1.0);
        }
    }
}

/// The profile from two walls equals the mean of the slices at this distance from either wall.
#[test]
fn profiles_from_walls_agree_with_slices() {
    let case = packed(&[0.5; 400], "ppw");
    let profile = case.analysis_with(500_000).profile;
    let (height, wall) = (case.container.lengths().z, profile.wall.unwrap());
    let slice = |z: f64| profile.packing_fraction[((z / height * 100.0) as usize).min(99)];
    let mut total = 0.0;
    for ((&distance, &found), &error) in wall
        .distance
        .iter()
        .zip(&wall.packing_fraction)
        .zip(&wall.standard_error)
    {
        let expected = 0.5 * (slice(distance) + slice(height - distance));
        // A slice is as wide as two bins, within which the packing fraction varies.
        assert!(
            (found - expected).abs() < 5.0 * error + 0.1,
            "{distance}: {found} {expected}"
        );
        total += (found - expected) / wall.distance.len() as f64;
    }
    assert!(total.abs() < 0.005, "{total}");
}

#[test]
fn homogeneity_of_classes_agrees_with_the_hypergeometric_distribution() {
    let case = random(4000, 8.0, DVec3::new(3.0, 2.0, 4.0), "ppp", 16);
    let analysis = case.analysis();
    let of = classes(&case, &analysis);
    for mixing in &analysis.homogeneity {
        let cells = mixing.cells_per_axis;
        let cell_of = |center: DVec3| {
            (0..3).fold(0, |cell, axis| {
                let share = center[axis] / case.container.lengths()[axis];
                cell * cells + (share * cells as f64) as usize
            })
        };
        for (class, found) in mixing.classes.iter().enumerate() {
            let (all, total) = (
                of.len() as f64,
                of.iter().filter(|&&of| of == class).count() as f64,
            );
            let mut counts = vec![[0.0; 2]; cells.pow(3)];
            for (id, center) in case.spheres.centers().iter().enumerate() {
                let count = &mut counts[cell_of(*center)];
                count[0] += 1.0;
                count[1] += f64::from(u8::from(of[id] == class));
            }
            counts.retain(|[n, _]| *n >= 2.0);
            let square = |&[n, hits]: &[f64; 2]| {
                let share = total / all;
                let variance = n * share * (1.0 - share) * (all - n) / (all - 1.0);
                (hits - n * share).powi(2) / variance
            };
            let mean = counts.iter().map(square).sum::<f64>() / counts.len() as f64;
            assert!((found.unwrap() - mean.sqrt()).abs() < 1e-9);
        }
    }
}

#[test]
fn touching_fcc_has_its_known_values() {
    let analysis = Analysis::new(&fcc(6).packing(), &AnalysisOptions::default()).unwrap();
    assert!((analysis.packing_fraction - PI / 18_f64.sqrt()).abs() < 1e-12);
    assert_eq!(
        (analysis.contacts.mean, analysis.contacts.mean_backbone),
        (12.0, 12.0)
    );
    assert_eq!(analysis.contacts.by_class, [[12.0]]);
    assert_eq!(
        (
            analysis.rattlers.number,
            analysis.order.unwrap().crystal_share
        ),
        (0, 1.0)
    );
    assert!((analysis.order.unwrap().q6_mean - 0.574_52).abs() < 1e-5);
    assert!((analysis.order.unwrap().q4_mean - 0.190_94).abs() < 1e-5);
    assert!(analysis.fabric.unwrap().anisotropy < 1e-12);
    assert_eq!(analysis.gaps.neighbors[0], 12.0);
    // The largest hole of the lattice is the octahedral one: diameter √2 − 1.
    let largest = *analysis.pores.unwrap().diameter.last().unwrap();
    assert!(largest <= 2_f64.sqrt() - 1.0 && largest > 0.97 * (2_f64.sqrt() - 1.0));
}

#[test]
fn axes_and_tolerances_out_of_range_are_rejected() {
    let packing = fcc(2).packing();
    let error = Analysis::new(&packing, &AnalysisOptions::default().axis(3)).unwrap_err();
    assert!(error.to_string().contains("0, 1 or 2"));
    assert!(Analysis::new(&packing, &AnalysisOptions::default().tolerance(2.0)).is_err());
}

#[test]
fn extreme_packings_are_analyzed_without_a_panic() {
    let empty = Case::new(vec![], vec![], DVec3::ONE, "ppp").analysis();
    assert_eq!((empty.spheres, empty.contacts.mean), (0, 0.0));
    assert_eq!(
        (empty.rdf, empty.structure_factor, empty.fabric),
        (None, None, None)
    );
    for boundary in ["ppp", "www"] {
        for length in [1e-300, 1.0, 1e300] {
            for radii in [[5e-324; 3], [1e-9, 1.0, 1e9], [1e-3, 0.1, 0.2]] {
                let centers = [0.0, 0.5, 1.0].map(|x| DVec3::splat(x * length)).to_vec();
                let case = Case::new(centers, radii.to_vec(), DVec3::splat(length), boundary);
                let options = AnalysisOptions::default().tolerance(0.05).points(5_000);
                match Analysis::new(&case.packing(), &options) {
                    Ok(analysis) => assert_eq!(analysis.spheres, 3),
                    // The volume of the container is 0 in f64.
                    Err(error) => {
                        assert!(matches!(error, AnalysisError::Volume { .. }), "{error}");
                        assert_eq!(length, 1e-300);
                    }
                }
            }
        }
    }
}

#[test]
fn the_json_form_has_the_documented_keys() {
    let json = serde_json::to_value(packed(&mixture(300), "pww").analysis()).unwrap();
    for path in [
        "packing_fraction",
        "predicted_packing_fraction",
        "specific_surface",
        "contacts.tolerance",
        "contacts.note",
        "contacts.mean",
        "contacts.mean_backbone",
        "contacts.by_class",
        "rattlers.number",
        "rattlers.share",
        "rdf",
        "structure_factor.k",
        "structure_factor.s",
        "order.q6_mean",
        "order.crystal_share",
        "fabric.tensor",
        "fabric.anisotropy",
        "homogeneity",
        "pores.diameter",
        "pores.cumulative",
        "profile.position",
        "profile.wall.distance",
        "profile.radius.standard_error",
        "profile.radius_origin",
        "sizes.mass_curve",
    ] {
        let found = path.split('.').try_fold(&json, |value, key| value.get(key));
        assert!(found.is_some(), "{path}");
    }
}

#[test]
fn the_analysis_does_not_depend_on_the_number_of_threads() {
    for case in [
        packed(&mixture(400), "ppp"),
        random(20_000, 6.0, DVec3::new(6.0, 7.0, 8.0), "ppw", 17),
    ] {
        let packing = case.packing();
        let [one, three] = [1, 3].map(|threads| {
            let pool = rayon::ThreadPoolBuilder::new()
                .num_threads(threads)
                .build()
                .unwrap();
            pool.install(|| format!("{:?}", Analysis::new(&packing, &AnalysisOptions::default())))
        });
        assert_eq!(one, three);
    }
}
