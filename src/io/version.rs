//! The version of the native format.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// A version: a major number and a minor number.
///
/// A reader accepts every minor version of its major version. In a file, version 1.0 is the number `1`, and version
/// 1.7 is the text `"1.7"`. A decimal number could not tell 1.1 from 1.10.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Version {
    pub major: u32,
    pub minor: u32,
}

impl Version {
    fn parse(text: &str) -> Option<Self> {
        let (major, minor) = text.split_once('.').unwrap_or((text, "0"));
        let number = |digits: &str| {
            // `parse` would also accept a sign.
            let only_digits = digits.bytes().all(|byte| byte.is_ascii_digit());
            only_digits.then(|| digits.parse().ok()).flatten()
        };
        Some(Self {
            major: number(major)?,
            minor: number(minor)?,
        })
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.major, self.minor)
    }
}

impl Serialize for Version {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self.minor {
            0 => serializer.serialize_u32(self.major),
            _ => serializer.collect_str(self),
        }
    }
}

impl<'de> Deserialize<'de> for Version {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Visitor;

        impl de::Visitor<'_> for Visitor {
            type Value = Version;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a version such as 1 or \"1.7\"")
            }

            fn visit_u64<E: de::Error>(self, number: u64) -> Result<Version, E> {
                let major = u32::try_from(number)
                    .map_err(|_| E::invalid_value(de::Unexpected::Unsigned(number), &self))?;
                Ok(Version { major, minor: 0 })
            }

            fn visit_str<E: de::Error>(self, text: &str) -> Result<Version, E> {
                Version::parse(text)
                    .ok_or_else(|| E::invalid_value(de::Unexpected::Str(text), &self))
            }
        }

        deserializer.deserialize_any(Visitor)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_read_back() {
        for (major, minor, json) in [(1, 0, "1"), (1, 7, "\"1.7\""), (12, 10, "\"12.10\"")] {
            let version = Version { major, minor };
            assert_eq!(serde_json::to_string(&version).unwrap(), json);
            assert_eq!(serde_json::from_str::<Version>(json).unwrap(), version);
        }
        let text = serde_json::from_str::<Version>("\"1\"").unwrap();
        assert_eq!(text, Version { major: 1, minor: 0 });
    }

    #[test]
    fn other_texts_and_numbers_are_refused() {
        for json in [
            "1.7",
            "-1",
            "\"\"",
            "\"1.\"",
            "\".7\"",
            "\"1.7.1\"",
            "\"+1.7\"",
            "\"1. 7\"",
            "4294967296",
            "null",
            "[1,7]",
        ] {
            let message = serde_json::from_str::<Version>(json)
                .unwrap_err()
                .to_string();
            assert!(
                message.contains("a version such as 1 or \"1.7\""),
                "{json}: {message}"
            );
        }
    }
}
