//! The tests of the public interface and of the program. They are one program, because each one would be linked with the library anew.

mod analysis;
#[cfg(feature = "cli")]
mod blend_command;
mod blends;
mod breathing;
#[cfg(feature = "laboratory")]
mod broad_phase;
#[cfg(feature = "cli")]
mod cli;
#[cfg(feature = "cli")]
mod cli_analyze;
#[cfg(feature = "cli")]
mod cli_containers;
#[cfg(feature = "cli")]
mod cli_fixed;
#[cfg(all(feature = "cli", feature = "report"))]
mod cli_pour;
#[cfg(feature = "cli")]
mod cli_sizes;
#[cfg(feature = "cli")]
mod cli_start;
#[cfg(feature = "cli")]
mod cli_tune;
#[cfg(feature = "cli")]
mod cli_words;
mod common;
#[cfg(all(feature = "cli", feature = "laboratory"))]
mod compare;
mod compressible_packing;
mod container_axis;
mod containers;
#[cfg(all(feature = "files", feature = "mesh"))]
mod corpora;
#[cfg(feature = "files")]
mod data_sets;
mod degenerate;
mod disks;
mod disks_analysis;
#[cfg(feature = "files")]
mod disks_files;
#[cfg(feature = "cli")]
mod disks_options;
mod distributions;
mod exchange;
#[cfg(feature = "files")]
mod export;
#[cfg(all(feature = "files", feature = "report"))]
mod file_types;
#[cfg(feature = "files")]
mod fixed;
#[cfg(feature = "files")]
mod foreign_files;
#[cfg(feature = "files")]
mod formats;
#[cfg(feature = "kd-tree")]
mod golden;
mod index_contract;
#[cfg(all(feature = "cli", unix))]
mod interruption;
mod jamming;
mod keep_out;
#[cfg(feature = "files")]
mod keep_out_fixed;
#[cfg(all(feature = "files", feature = "mesh"))]
mod keep_out_mesh;
#[cfg(all(feature = "cli", target_os = "linux", target_env = "gnu"))]
mod memory;
#[cfg(feature = "mesh")]
mod mesh;
mod outlines;
#[cfg(all(feature = "cli", target_os = "linux"))]
mod output_errors;
mod packing;
mod papers_2009;
#[cfg(feature = "laboratory")]
mod papers_2011;
#[cfg(feature = "laboratory")]
mod papers_2011_loop;
#[cfg(feature = "laboratory")]
mod papers_2012;
#[cfg(feature = "laboratory")]
mod papers_2014;
#[cfg(feature = "laboratory")]
mod papers_2014_soft_spheres;
#[cfg(feature = "laboratory")]
mod papers_schiava;
#[cfg(feature = "cli")]
mod pictures;
mod pour;
mod pour_jammed;
#[cfg(feature = "mesh")]
mod pour_meshes;
mod pour_requests;
#[cfg(feature = "cli")]
mod readme;
#[cfg(feature = "report")]
mod report;
mod request;
mod requested_fraction;
#[cfg(feature = "files")]
mod resume;
mod size_tables;
mod start;
mod tuning;
#[cfg(feature = "laboratory")]
mod tuning_measured;
mod verlet;
