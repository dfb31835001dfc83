//! Beds at rest: spheres that fall into an open vessel under gravity, roll to a stable position, and stay there.

mod bed;
mod checkpoint;
mod checks;
mod constants;
mod curve;
mod descent;
mod error;
mod finish;
mod jamming;
mod motion;
mod options;
mod pourer;
mod request;
mod source;
mod vessel;
mod walls;

pub use checkpoint::PourCheckpoint;
pub use error::PourError;
pub use options::{Ceiling, Compaction, Order, PourOptions};
pub use pourer::{PourProgress, PourRun, Pourer};
pub use request::{PourRequest, ResolvedPour};
pub use source::Source;
