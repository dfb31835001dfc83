//! Declarations that many types repeat: enumerations with names, and setters of builders.

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

pub(crate) use {choice, setters};
