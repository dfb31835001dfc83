//! Declarations that many types repeat: enumerations and numbers with names, and setters of builders.

/// Declares a choice: an enumeration whose variants have the names that users write, in a case such as `kebab-case`. A text that is none of
/// these names gives an [`UnknownName`], which calls the choice `$what`.
macro_rules! choice {
    (
        $what:literal, $case:literal;
        $(#[$attribute:meta])*
        $visibility:vis enum $name:ident { $($variants:tt)* }
    ) => {
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[derive(strum::Display, strum::EnumString, strum::VariantArray, strum::VariantNames)]
        #[serde(rename_all = $case)]
        #[strum(
            serialize_all = $case,
            parse_err_ty = $crate::names::UnknownName,
            parse_err_fn = $name::unknown
        )]
        $(#[$attribute])*
        $visibility enum $name { $($variants)* }

        impl $name {
            fn unknown(name: &str) -> $crate::names::UnknownName {
                let names = <Self as strum::VariantNames>::VARIANTS;
                $crate::names::UnknownName::new($what, name, names)
            }
        }
    };
}

/// Declares a number from 0 to `$most` in which some values have names, such as `off`; the first of them is the default. A text that is
/// neither a name nor such a number, and a number out of the range, give the error `$error`.
macro_rules! named_number {
    (
        $(#[$attribute:meta])*
        pub struct $name:ident up to $most:expr => {
            $($(#[$of_value:meta])* $text:literal: $constant:ident = $value:expr;)+
        }
        $(#[$of_error:meta])*
        error $error:ident $message:literal;
    ) => {
        $(#[$attribute])*
        #[derive(Clone, Copy, Debug, PartialEq, PartialOrd)]
        #[derive(serde::Serialize, serde::Deserialize)]
        #[serde(try_from = "f64", into = "f64")]
        pub struct $name(f64);

        impl $name {
            $($(#[$of_value])* pub const $constant: Self = Self($value);)+
        }

        impl Default for $name {
            fn default() -> Self {
                [$(Self::$constant),+][0]
            }
        }

        impl From<$name> for f64 {
            fn from(number: $name) -> Self {
                number.0
            }
        }

        $(#[$of_error])*
        #[derive(Clone, Debug, PartialEq, thiserror::Error)]
        #[error($message)]
        pub struct $error(String);

        impl TryFrom<f64> for $name {
            type Error = $error;

            fn try_from(value: f64) -> Result<Self, Self::Error> {
                (0.0..=$most)
                    .contains(&value)
                    .then_some(Self(value))
                    .ok_or_else(|| $error(value.to_string()))
            }
        }

        impl std::str::FromStr for $name {
            type Err = $error;

            fn from_str(text: &str) -> Result<Self, Self::Err> {
                match text {
                    $($text => Ok(Self::$constant),)+
                    _ => (text.parse().ok())
                        .and_then(|value: f64| Self::try_from(value).ok())
                        .ok_or_else(|| $error(text.to_owned())),
                }
            }
        }
    };
}

/// Declares methods that set one field each and return the value: `name: Type;` sets the field `name` from a value that converts into it.
macro_rules! setters {
    ($($(#[$attribute:meta])* $field:ident: $type:ty;)*) => {
        $(
            $(#[$attribute])*
            #[must_use]
            pub fn $field(mut self, $field: $type) -> Self {
                self.$field = $field.into();
                self
            }
        )*
    };
}

pub(crate) use {choice, named_number, setters};
