//! Tests of the contract of [`GlobalIndex`](crate::index::GlobalIndex), for the indexes of this crate and of users.
//!
//! [`assert_holds`] compares an index with a brute-force search, on random and on hostile input. The example of
//! [`GlobalIndex`](crate::index::GlobalIndex) ends with such a test.

mod changes;
mod probes;
mod rejections;
mod scene;
mod suite;
mod trial;

pub use self::suite::assert_holds;
