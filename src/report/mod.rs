//! Pictures of packings: an HTML report, single figures and still pictures.
//!
//! | result | item |
//! |---|---|
//! | one HTML page with all figures, a three-dimensional view and slices | [`report`] |
//! | the three-dimensional view and slices alone, for notebooks | [`viewer`] |
//! | the data of that view, for pages of your own | [`ViewData`] |
//! | single figures as SVG | [`plot`], [`Figure`] |
//! | these documents as PDF and as PNG | [`svg_as_pdf`], [`svg_as_png`] |
//! | axes and series of a figure, for other plotting programs | [`figure_json`] |
//! | packing fractions over the composition of a blend, as SVG | [`plot_blends`] |
//! | a still picture as PNG or SVG, without a GPU | [`Still`], [`Coloring`] |
//! | lines and triangles of a container and its bodies, for other viewers | [`outline`], [`body_surfaces`] |
//!
//! Colors are perceptually uniform and safe for color-blind readers: viridis, and the colors of Okabe & Ito.

mod blend_map;
mod coloring;
mod colors;
mod command;
mod constants;
mod disks;
mod error;
mod figure;
mod figures;
mod history;
mod outline;
mod page;
mod panel;
mod paper;
mod picture;
mod raster;
mod scale;
mod solids;
mod still;
mod svg;
mod terms;
mod ternary;
mod view;
mod view_data;

pub use blend_map::{BlendSeries, plot_blends};
pub use coloring::Coloring;
pub use command::command;
#[cfg(feature = "cli")]
pub(crate) use constants::LARGEST_SIDE;
pub use error::ReportError;
pub use figure::Figure;
pub use figures::{figure_json, plot};
pub use history::History;
pub use outline::outline;
pub use page::{report, viewer};
pub use paper::{svg_as_pdf, svg_as_png};
pub use solids::body_surfaces;
pub use still::Still;
pub use view_data::ViewData;
