//! Result of the functions of an example.

/// Result with any error.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;
