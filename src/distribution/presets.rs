//! The distributions that come with the program.

macro_rules! preset {
    ($name:literal) => {
        (
            $name,
            include_str!(concat!("../../distributions/", $name, ".json")),
        )
    };
}

/// Name and JSON text of each file in `distributions/`, by name.
pub(super) const PRESETS: [(&str, &str); 15] = [
    preset!("astm-c33-fine"),
    preset!("cement"),
    preset!("concrete"),
    preset!("din-a16"),
    preset!("din-a32"),
    preset!("din-b16"),
    preset!("din-b32"),
    preset!("din-c16"),
    preset!("din-c32"),
    preset!("equal"),
    preset!("fuller-16"),
    preset!("fuller-2011"),
    preset!("power-law-0"),
    preset!("power-law-2"),
    preset!("power-law-3"),
];
