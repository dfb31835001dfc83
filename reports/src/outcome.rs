//! Result of the functions.

/// Result with any error.
pub type Outcome<T = ()> = Result<T, Box<dyn std::error::Error>>;
