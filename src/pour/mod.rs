//! Beds at rest: spheres that fall into an open vessel under gravity, roll to a stable position, and stay there.

mod bed;
mod checkpoint;
mod checks;
mod compaction;
mod constants;
mod curve;
mod descent;
mod error;
mod finish;
mod motion;
mod options;
mod order;
mod pourer;
mod rearranged;
mod request;
mod source;
mod vessel;
mod walls;

pub use checkpoint::PourCheckpoint;
pub use compaction::Compaction;
pub use error::PourError;
pub use options::{Ceiling, PourOptions};
pub use order::Order;
pub use pourer::{PourProgress, PourRun, Pourer};
pub use request::{PourRequest, ResolvedPour};
pub use source::Source;
