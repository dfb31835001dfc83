//! The private module `jostle._core` of the Python package `jostle`.
//!
//! The Python files in `jostle/` are the public interface: they check the types of arguments, hold the documentation, and call
//! this module. The module converts arguments and results, and releases the interpreter's lock while the library works.
#![expect(
    clippy::needless_pass_by_value,
    reason = "PyO3 passes extracted arguments by value"
)]

mod arrays;
mod blends;
mod checkpoints;
mod constants;
mod container;
mod errors;
mod export;
mod functions;
mod memory;
mod packer;
mod packing;
mod pictures;
mod pour;
mod progress;
mod request;
mod run;
mod sizes;
mod structure;
mod tables;

#[cfg(unix)]
#[global_allocator]
static ALLOCATOR: ::jostle::cli::Allocator = ::jostle::cli::Allocator;

/// The functions and classes that the Python files use.
#[pyo3::pymodule(name = "_core")]
mod core_module {
    #[pymodule_export]
    use super::{
        blends::{blend_map, densest, fitted, plot_blends, predicted_of, with_shares},
        container::container,
        errors::{FileError, InputError, PackingError},
        functions::{certify, command, predicted_packing_fraction, read, tune},
        packer::Packer,
        packing::Packing,
        pictures::{figure, report_page, still, viewer, write_file},
        pour::{InterruptedPour, pour},
        run::{InterruptedRun, estimate, pack},
        sizes::Sizes,
        structure::{force_contacts, local_densities, neighbors, structure},
        tables::{contacts, profile, supports},
    };

    #[pymodule_export]
    const VERSION: &str = env!("CARGO_PKG_VERSION");
}
