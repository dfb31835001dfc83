//! Contacts and spheres as tables, against brute force.

use std::{f64::consts::PI, fs};

use glam::DVec3;
use jostle::{
    Packing, Spheres,
    analysis::{Analysis, AnalysisOptions, ContactTable, Contacts, SphereTable, rattlers},
    io::{Column, Table, contacts_as_table, curves_as_tables, spheres_as_table, write_tables},
    packing::PackedComponent,
};

use super::{Case, cases};

impl Case {
    fn contact_table(&self, contacts: &Contacts) -> ContactTable {
        ContactTable::new(&self.spheres, &self.container, contacts).unwrap()
    }
}

/// Returns the area inside the circle of intersection, from the distance of its plane to the first center.
fn brute_area(distance: f64, r: f64, s: f64) -> f64 {
    if distance >= r + s || distance <= (r - s).abs() {
        return 0.0;
    }
    let plane = (distance * distance + r * r - s * s) / (2.0 * distance);
    PI * (r * r - plane * plane)
}

#[test]
fn contacts_have_the_gaps_normals_and_areas_of_brute_force() {
    for case in cases() {
        let table = case.contact_table(&case.contacts(0.01));
        assert_eq!(table.pairs, case.brute_pairs(0.01));
        let radii = case.spheres.radii();
        for (row, &[i, j]) in table.pairs.iter().enumerate() {
            let (i, j) = (i as usize, j as usize);
            let vector = case.brute_vector(i, j);
            let (distance, scale) = (vector.length(), radii[i].max(radii[j]));
            let geometry = &table.of_pairs;
            assert!((geometry.gaps[row] - (distance - radii[i] - radii[j])).abs() < 1e-12 * scale);
            assert!((geometry.normals[row] * distance - vector).length() < 1e-12 * scale);
            let area = brute_area(distance, radii[i], radii[j]);
            assert!(
                (geometry.areas[row] - area).abs() < 1e-9 * scale * scale,
                "{i}, {j}: {area}"
            );
        }
    }
}

#[test]
fn contacts_with_walls_have_the_nearest_wall() {
    for case in cases() {
        let table = case.contact_table(&case.contacts(0.01));
        let touching = case.brute_walls(0.01);
        let expected: Vec<u32> = (0_u32..)
            .zip(&touching)
            .filter(|(_, walls)| **walls > 0)
            .map(|(id, _)| id)
            .collect();
        assert_eq!(table.at_walls, expected);
        let (letters, lengths) = (case.letters(), case.container.lengths());
        for (row, &id) in table.at_walls.iter().enumerate() {
            let (center, radius) = (
                case.spheres.centers()[id as usize],
                case.spheres.radii()[id as usize],
            );
            // Distance and direction of each wall.
            let walls = (0..3)
                .filter(|&axis| letters[axis] == 'w')
                .flat_map(|axis| {
                    let beyond = lengths[axis] - center[axis];
                    [
                        (center[axis], -DVec3::AXES[axis]),
                        (beyond, DVec3::AXES[axis]),
                    ]
                });
            let (distance, toward) = walls.min_by(|a, b| a.0.total_cmp(&b.0)).unwrap();
            let geometry = &table.of_walls;
            assert!((geometry.gaps[row] - (distance - radius)).abs() < 1e-12);
            assert_eq!(geometry.normals[row], toward);
            let area = PI * (radius * radius - distance * distance).max(0.0);
            assert!((geometry.areas[row] - area).abs() < 1e-12);
        }
    }
}

#[test]
fn the_table_of_spheres_agrees_with_single_quantities() {
    for case in cases() {
        let contacts = case.contacts(0.01);
        let table = SphereTable::new(&case.spheres, &case.container, &contacts).unwrap();
        let mut numbers = vec![0; case.spheres.len()];
        for id in case.brute_pairs(0.01).into_flattened() {
            numbers[id as usize] += 1;
        }
        assert_eq!(table.contacts, numbers);
        assert_eq!(table.is_rattler, rattlers(&contacts));
        let walls: Vec<u32> = table
            .touches_wall
            .iter()
            .map(|&touches| touches.into())
            .collect();
        assert_eq!(walls, case.brute_walls(0.01));
        // Cells divide the container among spheres that do not overlap.
        let fractions = table.local_densities.unwrap();
        let cells = case.spheres.radii().iter().zip(&fractions);
        let cells: f64 = cells
            .map(|(radius, fraction)| 4.0 / 3.0 * PI * radius.powi(3) / fraction)
            .sum();
        assert!(
            (cells / case.container.volume() - 1.0).abs() < 1e-9,
            "{cells}"
        );
        let has_walls = case.letters().contains(&'w');
        for (gap, (center, radius)) in table.wall_gaps.iter().zip(case.spheres.iter()) {
            assert_eq!(*gap, case.container.wall_gap(center, radius));
            assert_eq!(gap.is_finite(), has_walls);
        }
    }
}

#[test]
fn contacts_of_other_spheres_are_refused() {
    let [case, other] = [0, 3].map(|number| cases().swap_remove(number));
    let contacts = other.contacts(0.01);
    let error = ContactTable::new(&case.spheres, &case.container, &contacts).unwrap_err();
    assert!(
        error
            .to_string()
            .contains("contacts are those of 20 spheres"),
        "{error}"
    );
    assert!(SphereTable::new(&case.spheres, &case.container, &contacts).is_err());
}

fn column<'a>(table: &'a Table, name: &str) -> &'a Column {
    let found = table.columns().iter().find(|(column, _)| column == name);
    &found.unwrap_or_else(|| panic!("no column {name}")).1
}

#[test]
fn tables_have_ids_and_walls() {
    let case = cases().swap_remove(2);
    let contacts = case.contacts(0.01);
    let table = case.contact_table(&contacts);
    let ids: Vec<u64> = (0..case.spheres.len() as u64).map(|id| 1000 - id).collect();
    let rows = contacts_as_table(&table, Some(&ids));
    assert_eq!(rows.rows(), table.pairs.len() + table.at_walls.len());
    let first = table
        .pairs
        .iter()
        .map(|pair| pair[0])
        .chain(table.at_walls.iter().copied());
    let first: Vec<i64> = first.map(|id| 1000 - i64::from(id)).collect();
    assert_eq!(*column(&rows, "a"), Column::Whole(first));
    let Column::Whole(second) = column(&rows, "b") else {
        panic!()
    };
    assert!(second[table.pairs.len()..].iter().all(|&id| id == -1));
    assert!(second[..table.pairs.len()].iter().all(|&id| id > 0));

    let packing = Packing::new(case.spheres.clone(), case.container.clone());
    let spheres = SphereTable::new(&case.spheres, &case.container, &contacts).unwrap();
    let packing = packing
        .with_components(vec![
            PackedComponent::new("sand", None, vec![0..100, 200..299]),
            PackedComponent::new("gravel", None, vec![100..150, 150..200]),
        ])
        .unwrap();
    let rows = spheres_as_table(&packing, &spheres, None);
    let names = ["sand", "gravel", "other"].map(str::to_owned).to_vec();
    let mut of = vec![0; 300];
    of[100..200].fill(1);
    of[299] = 2;
    assert_eq!(*column(&rows, "component"), Column::Name { names, of });
    assert_eq!(
        *column(&rows, "id"),
        Column::Whole((0..case.spheres.len() as i64).collect())
    );
    assert_eq!(*column(&rows, "wall_gap"), Column::Real(spheres.wall_gaps));
}

#[test]
fn text_reads_back_to_the_same_numbers_and_quotes_names() {
    let directory = tempfile::tempdir().unwrap();
    let numbers = vec![0.1 + 0.2, -1e-300, f64::NAN, f64::INFINITY];
    let names = ["sand, fine", "say \"gravel\""].map(str::to_owned).to_vec();
    let table = Table::default()
        .with("number", numbers.clone())
        .with("id", vec![-1, 0, 1, i64::MAX])
        .with(
            "name, quoted",
            Column::Name {
                names,
                of: vec![0, 1, 1, 0],
            },
        );
    let paths = ["t.csv", "t.tsv", "t.npz"].map(|name| directory.path().join(name));
    write_tables(&paths.clone().map(|path| (path, table.clone()))).unwrap();
    for (path, separator) in [(&paths[0], b','), (&paths[1], b'\t')] {
        let mut reader = csv::ReaderBuilder::new()
            .delimiter(separator)
            .from_path(path)
            .unwrap();
        assert_eq!(
            reader.headers().unwrap(),
            vec!["number", "id", "name, quoted"]
        );
        let rows: Vec<csv::StringRecord> = reader.records().map(Result::unwrap).collect();
        let read: Vec<f64> = rows.iter().map(|row| row[0].parse().unwrap()).collect();
        let bits = |values: &[f64]| {
            values
                .iter()
                .map(|value| value.to_bits())
                .collect::<Vec<_>>()
        };
        assert_eq!(bits(&read[..2]), bits(&numbers[..2]));
        assert!(read[2].is_nan() && read[3] == f64::INFINITY);
        assert_eq!(&rows[0][2], "sand, fine");
        assert_eq!(&rows[1][2], "say \"gravel\"");
    }
    let archive = fs::read(&paths[2]).unwrap();
    let header = b"{'descr': '<U12', 'fortran_order': False, 'shape': (4,), }";
    assert!(archive.windows(header.len()).any(|bytes| bytes == header));
}

#[test]
fn no_table_appears_if_one_cannot_be_written() {
    let directory = tempfile::tempdir().unwrap();
    let table = Table::default().with("x", vec![1.0]);
    let paths = [
        directory.path().join("good.csv"),
        directory.path().join("missing/bad.csv"),
    ];
    write_tables(&paths.map(|path| (path, table.clone()))).unwrap_err();
    assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 0);
    let error = write_tables(&[(directory.path().join("t.vtp"), table)]).unwrap_err();
    assert!(
        error.to_string().contains(".csv, .tsv, .npz or .parquet"),
        "{error}"
    );
}

#[test]
fn every_function_of_the_analysis_is_a_curve() {
    let centers = (0..8)
        .map(|k| DVec3::new(f64::from(k) + 0.5, 2.0, 2.0))
        .collect();
    let container = jostle::Container::cuboid(DVec3::new(8.0, 4.0, 4.0), "ppw".parse().unwrap());
    let packing = Packing::new(Spheres::new(centers, vec![0.5; 8]), container.unwrap());
    let groups = jostle::analysis::Groups::by_class(packing.spheres().radii());
    let options = AnalysisOptions::default().points(1000).groups(groups);
    let analysis = Analysis::new(&packing, &options).unwrap();
    let curves = curves_as_tables(&analysis);
    let mut names: Vec<&str> = curves.iter().map(|(name, _)| name.as_str()).collect();
    names.sort_unstable();
    assert_eq!(
        names,
        [
            "contact-numbers",
            "contacts-by-class",
            "gaps",
            "groups-depth",
            "groups-radius",
            "groups-z",
            "homogeneity",
            "pores",
            "profile-depth",
            "profile-radius",
            "profile-z",
            "sizes",
            "structure-factor",
        ]
    );
    let (_, slices) = curves.iter().find(|(name, _)| name == "groups-z").unwrap();
    assert_eq!(column(slices, "1"), column(slices, "total"));
}
