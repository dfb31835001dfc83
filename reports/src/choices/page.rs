//! The page `docs/reports/choices.md`.

use std::fmt::Write;

use super::{FACTORS, Measurement, Measurements, choice::Choice};

const HEAD: &str = "\
# Constants chosen by measurement

Written by `cargo run --release -p reports -- choices`.

Each constant is halved and doubled while all others keep their values; of a ratio, the logarithm is. Each cell shows the change of
the packing fraction in units of 10⁻³, and the time as a multiple of the unchanged engine in the same run: the shortest time of
four packings of 2 000 spheres at normal effort on one thread. *same* means that the packing has the same packing fraction to all
digits. *fails* means that the packing did not end. The copy of the engine reads its constants from memory, which slows all runs
alike. Where the packing is the same and the constant cannot change the speed, the factor shows how much the times of the machine
vary. The sources give the reason for each value.

";

const MIXTURES: [&str; 4] = [
    "equal",
    "r⁻³, ratio 10",
    "Fuller, ratio 50",
    "r⁻³, ratio 10, exchanges",
];

pub fn page(choices: &[Choice], measurements: &Measurements) -> String {
    let mut page = HEAD.to_owned();
    let base = measurements[&(String::new(), 1f64.to_bits())]
        .as_deref()
        .unwrap_or_default();
    for (mixture, found) in MIXTURES.into_iter().zip(base) {
        let _ = writeln!(page, "- {mixture}: φ {:.4}", found.packing_fraction);
    }
    let mut file = "";
    for choice in choices {
        if file != choice.file {
            file = choice.file;
            let _ = write!(page, "\n## `{file}`\n\n| constant | value |");
            for mixture in MIXTURES {
                let _ = write!(page, " {mixture}: halved | doubled |");
            }
            page.push_str(&format!(
                "\n|---|---|{}\n",
                "---|---|".repeat(MIXTURES.len())
            ));
        }
        let _ = write!(page, "| `{}` | `{}` |", choice.name, choice.value);
        for mixture in 0..MIXTURES.len() {
            for factor in FACTORS {
                let key = (choice.name.clone(), factor.to_bits());
                let found = measurements[&key].as_ref().map(|found| found[mixture]);
                let _ = write!(page, " {} |", cell(base[mixture], found));
            }
        }
        page.push('\n');
    }
    page
}

fn cell(base: Measurement, found: Option<Measurement>) -> String {
    let Some(found) = found else {
        return "fails".to_owned();
    };
    let change = 1e3 * (found.packing_fraction - base.packing_fraction);
    let change = if change == 0.0 {
        "same".to_owned()
    } else {
        format!("{change:+.1}")
    };
    format!("{change}, {:.2}", found.seconds / base.seconds)
}
