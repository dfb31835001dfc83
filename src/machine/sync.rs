//! How the threads that visit blocks synchronize. The model check in `tests/visits` has the types of loom in this place.

pub(crate) use std::sync::{
    Condvar, Mutex, MutexGuard,
    atomic::{AtomicBool, AtomicU32, AtomicU64, Ordering},
};
