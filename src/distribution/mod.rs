//! Particle size distributions: the laws, their files, and samples drawn from them.
//!
//! A law has one of two representations, see `Curve`: separate classes (`class_curve`) or a continuous curve of power
//! laws (`power_segments`). A blend has those of its components.
//!
//! # Random numbers
//!
//! Every law implements `rand_distr::Distribution<f64>`, the trait that `rand_distr` re-exports from `rand`. A draw
//! inverts the number curve: it takes one uniform number with 53 bits and returns the quantile. The quantile uses `libm`
//! only, so a seed gives the same bits on every platform.
//!
//! The samplers of `rand_distr` 0.6 do not replace this inversion:
//! - `LogNormal`, `Weibull` and `Pareto` have no bounds. Their `ln`, `exp` and `powf` belong to the platform as soon as
//!   any crate of the build enables `num-traits/std`, and `kiddo` enables it. The normal law uses the platform's `ln` and
//!   `exp` in any build with `std`.
//! - `Uniform` and `weighted::WeightedAliasIndex` use portable arithmetic only. They turn the numbers of the generator into
//!   other diameters, so they would change the random samples of every seed.
//!
//! `tests/integration/distributions.rs` compares the laws with `LogNormal`, `Weibull`, `Pareto` and `Uniform`.

mod andreasen;
mod basis;
mod bidisperse;
mod blend;
mod blend_curve;
mod blend_shares;
mod blend_text;
mod class_curve;
mod class_table;
mod compressible_packing;
mod constants;
mod curve;
mod cut;
mod diameter_list;
mod exponential;
mod fuller;
mod law;
mod length_unit;
mod lognormal;
mod measured;
mod mono;
mod normal;
mod packing_model;
mod power_law;
mod power_segments;
mod random_close_packing;
mod range;
mod rosin_rammler;
mod sample;
mod sampling;
mod sieve_curve;
mod size_classes;
mod size_distribution;
mod size_report;
mod size_table;
mod size_words;
mod sizes_error;
mod spec;
mod spec_input;
mod stratified;
mod table_text;
mod uniform_size;
mod uniform_volume;
mod volume_classes;

pub use andreasen::Andreasen;
pub use basis::Basis;
pub use bidisperse::Bidisperse;
pub use blend_shares::{BlendPoint, CurveComparison, compared_sizes, share_grid};
pub use class_curve::SizeClass;
pub use compressible_packing::CompressiblePacking;
pub use constants::DEFAULT_PRESET;
pub use diameter_list::DiameterList;
pub use fuller::{FirstClass, Fuller};
pub(crate) use length_unit::LengthUnit;
pub use lognormal::Lognormal;
pub use mono::Mono;
pub use normal::Normal;
pub use packing_model::{PackingModel, PackingPredictions};
pub use power_law::PowerLaw;
pub(crate) use random_close_packing::{estimated_fraction, prediction_with_gap};
pub use random_close_packing::{predicted_packing_fraction, predicted_packing_fraction_with_gap};
pub use rosin_rammler::RosinRammler;
pub use sample::{Sample, SampledComponent, SizeSource};
pub use sampling::Sampling;
pub use sieve_curve::{Interpolation, SieveCurve};
pub use size_classes::SizeClasses;
pub use size_distribution::{Blend, BlendBasis, Component, Cut, SizeDistribution};
pub use size_report::{SizeReport, SufficientSample};
pub use sizes_error::SizesError;
pub use spec::{SizeSpec, SizeSpecError};
#[cfg(feature = "cli")]
pub(crate) use spec_input::files_of;
#[cfg(feature = "report")]
pub(crate) use spec_input::names_file;
pub use uniform_size::UniformSize;
pub use uniform_volume::UniformVolume;
pub use volume_classes::VolumeClasses;
