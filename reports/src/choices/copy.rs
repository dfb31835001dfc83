//! A copy of the sources in which every choice is read from an environment variable.

use std::{fs, path::Path};

use super::{
    AnyResult,
    choice::{Choice, definition},
};

/// Multiplies a constant by the factor in the environment variable of its name. An exponent of two, whose name ends with
/// `_BITS`, changes by the logarithm of the factor.
const SCALED: &str = r#"
/// A type of constants.
pub trait Scale: Copy {
    /// Converts from the nearest number.
    fn from_f64(x: f64) -> Self;
    /// Converts to a number.
    fn to_f64(self) -> f64;
}

macro_rules! scale {
    ($($kind:ty),*) => {
        $(impl Scale for $kind {
            fn from_f64(x: f64) -> Self { x as $kind }
            fn to_f64(self) -> f64 { self as f64 }
        })*
    };
}

scale!(f32, f64, u32, u64, usize);

/// Returns the changed constant.
pub fn scaled<T: Scale>(name: &str, value: T) -> T {
    let Some(factor) = std::env::var(name).ok().and_then(|text| text.parse::<f64>().ok()) else {
        return value;
    };
    T::from_f64(if name.ends_with("_BITS") {
        value.to_f64() + factor.log2()
    } else if name.ends_with("_RATIO") {
        value.to_f64().powf(factor)
    } else {
        value.to_f64() * factor
    })
}
"#;

/// Packs the mixtures of the page and prints packing fraction and seconds of each.
const MEASURE: &str = r#"
use jostle::{PackOptions, pack, distribution::{Fuller, Mono, PowerLaw, Sampling, SizeDistribution}, rearrange::ExchangeRate};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mixtures: [(SizeDistribution, ExchangeRate); 4] = [
        (Mono::new(1.0)?.into(), ExchangeRate::OFF),
        (PowerLaw::new(-3.0, 1.0, 10.0)?.into(), ExchangeRate::OFF),
        (Fuller::new(1.0, 50.0, 0.5)?.into(), ExchangeRate::OFF),
        (PowerLaw::new(-3.0, 1.0, 10.0)?.into(), ExchangeRate::AUTO),
    ];
    for (mixture, exchange) in mixtures {
        let radii = mixture.sample_number(2_000, Sampling::Stratified, 0).radii();
        // A changed constant may keep the loop from converging.
        let options = PackOptions::default().exchange(exchange).threads(1).max_sweeps(3_000);
        let run = pack(&radii, &options)?;
        println!("{} {}", run.packing.packing_fraction(), run.elapsed.as_secs_f64());
    }
    Ok(())
}
"#;

/// Writes the copy to `folder`.
pub fn write(root: &Path, folder: &Path, choices: &[Choice]) -> AnyResult<()> {
    let _ = fs::remove_dir_all(folder.join("src"));
    copy_folder(&root.join("src"), &folder.join("src"), choices)?;
    copy_folder(
        &root.join("distributions"),
        &folder.join("distributions"),
        &[],
    )?;
    let library = fs::read_to_string(folder.join("src/lib.rs"))?;
    fs::write(
        folder.join("src/lib.rs"),
        format!("{library}\n/// Changed constants.\npub mod scaled;\n"),
    )?;
    fs::write(
        folder.join("src/scaled.rs"),
        format!("//! Changed constants.\n{SCALED}"),
    )?;
    fs::create_dir_all(folder.join("src/bin"))?;
    fs::write(
        folder.join("src/bin/measure.rs"),
        format!("//! Measurement.\n{MEASURE}"),
    )?;
    fs::copy(root.join("README.md"), folder.join("README.md"))?;
    fs::copy(root.join("Cargo.lock"), folder.join("Cargo.lock"))?;
    let manifest = fs::read_to_string(root.join("Cargo.toml"))?;
    // The workspace, tests, examples and lints stay behind, and the default features are not needed.
    let (_, package) = manifest
        .split_once("[package]")
        .ok_or("Cargo.toml has a package")?;
    let package = package.split("[dev-dependencies]").next();
    let manifest = package
        .unwrap_or_default()
        .lines()
        .map(|line| {
            if line.starts_with("default = ") {
                "default = []"
            } else {
                line
            }
        })
        .collect::<Vec<_>>()
        .join("\n");
    fs::write(
        folder.join("Cargo.toml"),
        format!("[package]{manifest}\n[workspace]\n"),
    )?;
    Ok(())
}

fn copy_folder(from: &Path, to: &Path, choices: &[Choice]) -> AnyResult<()> {
    fs::create_dir_all(to)?;
    for entry in fs::read_dir(from)? {
        let path = entry?.path();
        let target = to.join(path.file_name().ok_or("a file has a name")?);
        if path.is_dir() {
            copy_folder(&path, &target, choices)?;
        } else {
            let text = fs::read_to_string(&path)?;
            fs::write(target, changed(&path, &text, choices))?;
        }
    }
    Ok(())
}

/// Replaces the definitions of the choices by statics, and their uses by dereferences, in the files of the same folder.
fn changed(path: &Path, text: &str, choices: &[Choice]) -> String {
    let folder = path.parent();
    let here: Vec<&Choice> = choices
        .iter()
        .filter(|choice| folder.is_some_and(|folder| folder.starts_with(module(choice))))
        .collect();
    if here.is_empty() {
        return text.to_owned();
    }
    let mut is_import = false;
    let lines = text.lines().map(|line| {
        let trimmed = line.trim_start();
        is_import |= trimmed.starts_with("use ") || trimmed.starts_with("pub use ");
        let keeps = is_import || trimmed.starts_with("//");
        is_import &= !line.ends_with(';');
        match definition(trimmed) {
            Some((name, kind, value)) if here.iter().any(|choice| choice.name == name) => format!(
                "pub(super) static {name}: std::sync::LazyLock<{kind}> = \
                 std::sync::LazyLock::new(|| crate::scaled::scaled(\"{name}\", {value}));"
            ),
            _ if keeps => line.to_owned(),
            _ => here.iter().fold(line.to_owned(), |line, choice| {
                dereferenced(&line, &choice.name)
            }),
        }
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// Returns the absolute folder of the module that owns a constant.
fn module(choice: &Choice) -> std::path::PathBuf {
    let file = Path::new(crate::ROOT).join(choice.file);
    file.parent().map(Path::to_owned).unwrap_or_default()
}

/// Replaces the whole word `name` by `(*name)`.
fn dereferenced(line: &str, name: &str) -> String {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut result = String::new();
    let mut rest = line;
    while let Some(at) = rest.find(name) {
        let (before, after) = (&rest[..at], &rest[at + name.len()..]);
        let is_whole = !before.ends_with(is_word) && !after.starts_with(is_word);
        result.push_str(before);
        if is_whole {
            result.push_str(&format!("(*{name})"));
        } else {
            result.push_str(name);
        }
        rest = after;
    }
    result + rest
}
