//! Reasons why a report or a picture is impossible.

use glam::DVec3;

use super::figure::Figure;
use crate::analysis::AnalysisError;

/// Reason why a report or a picture cannot be made.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum ReportError {
    /// The direction to the viewer has no length.
    #[error(
        "the direction to the viewer is {view}; it must be a finite vector of a length above 0"
    )]
    View {
        /// Rejected direction.
        view: DVec3,
    },
    /// The cutting plane is not accepted.
    #[error(
        "the cutting plane is at {position} along axis {axis}; the axis must be 0, 1 or 2 and the position from 0 to 1"
    )]
    Cut {
        /// Rejected axis.
        axis: usize,
        /// Rejected position in units of the container's length.
        position: f64,
    },
    /// The packing is flat, and the setting is for spheres.
    #[error("{setting} of a picture is for spheres, not for disks; the packing is flat")]
    Flat {
        /// The setting.
        setting: &'static str,
    },
    /// The side of a picture is not accepted.
    #[error("the side of the picture is {side} pixels; it must be from 1 to 8192")]
    Side {
        /// Rejected side.
        side: usize,
    },
    /// The container is too small or too large for the numbers of a picture.
    #[error(
        "the longest side of the container is {longest:e}; a picture needs one from 1e-150 to 1e150"
    )]
    Container {
        /// Longest side of the bounding box.
        longest: f64,
    },
    /// The spheres cover the picture more often than spheres without overlap can.
    #[error(
        "the spheres cover the picture {layers:.0} times; at most {most:.0} layers are drawn, because {spheres} spheres without overlap \
         have fewer: the spheres overlap too much, or the container is too small"
    )]
    Layers {
        /// Area of the spheres divided by the area of the picture.
        layers: f64,
        /// Largest accepted value.
        most: f64,
        /// Number of spheres.
        spheres: usize,
    },
    /// The analysis lacks the quantity of a figure.
    #[error("the figure '{figure}' is not available: {}", figure.condition())]
    NoFigure {
        /// The figure.
        figure: Figure,
    },
    /// The map of a blend has no picture.
    #[error(
        "{components} components, {points} compositions; a map has two or three components and at least two compositions"
    )]
    BlendMap {
        /// Number of components.
        components: usize,
        /// Number of compositions.
        points: usize,
    },
    /// A composition or a series of a map does not have a number for each component or composition.
    #[error("'{name}' has {found} numbers; {expected} are expected")]
    BlendNumbers {
        /// The series, or the composition.
        name: String,
        /// How many numbers there are.
        found: usize,
        /// The expected numbers.
        expected: usize,
    },
    /// A document is none of this module.
    #[error(
        "the SVG document is not one of the figures and pictures of jostle, which can be written as PDF and PNG"
    )]
    Document,
    /// No contacts can give the spheres colors.
    #[error(
        "no two spheres touch at a tolerance of {0} smaller diameters, so that the number of contacts gives all spheres one color; choose size or type"
    )]
    NoContacts(f64),
    /// Colors show the component of each sphere, but there are none.
    #[error(
        "the packing has no components: it is no blend, and was read from no file with several types; choose the color size or type"
    )]
    NoComponents,
    /// The spheres cannot be analyzed.
    #[error(transparent)]
    Analysis(#[from] AnalysisError),
    /// The picture cannot be encoded.
    #[error("the picture cannot be encoded: {0}")]
    Encoding(#[from] png::EncodingError),
}
