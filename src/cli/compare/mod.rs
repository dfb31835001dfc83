//! `jostle compare`: the tables of the papers, for every index and every broad phase algorithm.

mod broad_phase;
mod command;
mod constants;
mod index;
mod memory_access;
mod output;
mod paper;
mod selection;

pub use command::Compare;
