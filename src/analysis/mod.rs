//! Numbers about spheres, one file for each quantity.

mod constants;
mod random_close_packing;

pub use random_close_packing::predicted_packing_fraction;
