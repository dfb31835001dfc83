//! Memory: rejects requests that exceed it, returns freed blocks to the system, and reports a failed allocation.

mod address_space;
mod allocator;
mod available;
mod control_groups;
mod request;

#[cfg(unix)]
pub use allocator::Failing as Allocator;
pub use allocator::limit_arenas;
pub use available::{Available, Limit, available};
pub use request::{Demand, amount, check, check_work};
