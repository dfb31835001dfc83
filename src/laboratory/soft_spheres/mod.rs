//! A simulation of soft spheres, or of disks in a plane, that finds its contacts with a broad phase in each step.
//!
//! The simulation measures what a hierarchical grid gains in the whole time of a simulation (Krijgsman, Ogarko & Luding
//! 2014, Section 5.4.2). Forces are a linear spring and a dashpot. The time step is a fixed share of the shortest contact
//! duration. There is one thread.
//!
//! Disks are spheres whose centers lie in the middle of a container that is one largest diameter thick, with walls along z.
//! Their velocities have no component along z, so that they stay there.
//!
//! Density and spring constant are 1, and lengths have the caller's unit. The time step sets the unit of time: the course of a
//! simulation, step by step, does not depend on density and spring constant.
//!
//! # Example
//! ```
//! use jostle::{
//!     Boundary,
//!     laboratory::{
//!         broad_phase::{HGridSearch, SortedHGrid},
//!         soft_spheres::{SoftSphereOptions, SoftSpheres, best_cell_sizes, random_start},
//!     },
//!     tuning::{Dimension, Search},
//! };
//!
//! // 200 disks of two sizes between walls, at packing fraction 0.4.
//! let radii: Vec<f64> = (0..200).map(|i| if i % 10 == 0 { 5.0 } else { 1.0 }).collect();
//! let options = SoftSphereOptions { restitution: 0.9, ..SoftSphereOptions::default() };
//! let (disks, container) = random_start(&radii, 0.4, Dimension::Two, Boundary::Wall, 1)?;
//! let sizes = best_cell_sizes(&radii, 0.4, Dimension::Two, 0.2, Search::TopDown)?;
//! let mut hgrid = SortedHGrid::new(sizes, HGridSearch::TopDown)?.in_container(container.clone());
//!
//! let run = SoftSpheres::new(disks, container, &options)?.run(1000, &mut hgrid);
//! assert!(run.contacts > 0 && run.last.total() < run.first.total());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod constants;
mod error;
mod simulation;
mod start;

pub use self::{
    error::SoftSphereError,
    simulation::{Energy, SoftSphereOptions, SoftSphereRun, SoftSpheres},
    start::{best_cell_sizes, random_start},
};
