//! Beds at rest: spheres that fall into an open vessel under gravity, roll to a stable position, and stay there.

mod checkpoint;
mod compaction;
mod error;
mod options;
mod order;
mod pourer;
mod request;
mod source;

pub use checkpoint::PourCheckpoint;
pub use compaction::Compaction;
pub use error::PourError;
pub use options::{Ceiling, PourOptions};
pub use order::Order;
pub use pourer::{PourProgress, PourRun, Pourer};
pub use request::PourRequest;
pub use source::Source;
