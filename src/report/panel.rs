//! The content of a figure: axes and series of numbers.

use serde::Serialize;

/// One figure with two axes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Panel {
    pub(super) title: String,
    pub(super) x: Axis,
    pub(super) y: Axis,
    pub(super) series: Vec<Series>,
    /// Names of the groups of bars along x, instead of numbers.
    pub(super) groups: Vec<String>,
    /// Whether the legend is at the bottom, because the curves rise to the right.
    #[serde(skip)]
    pub(super) is_rising: bool,
}

/// One axis.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Axis {
    pub(super) label: String,
    pub(super) is_log: bool,
    /// A value that the axis must show.
    pub(super) includes: Option<f64>,
    /// Values of the ticks, such as sieve sizes; empty for round values.
    #[serde(skip)]
    pub(super) marks: Vec<f64>,
}

/// Points with one mark.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(super) struct Series {
    /// Text of the legend; empty for a series without an entry.
    pub(super) label: String,
    pub(super) mark: Mark,
    /// x, y and the error of y, which is 0 if unknown.
    pub(super) points: Vec<[f64; 3]>,
}

/// The drawing of a series.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Mark {
    Line,
    Dots,
    /// Bars beside each other, or on top of each other if several series have them.
    Bars,
}

impl Panel {
    pub(super) fn new(title: impl Into<String>, x: Axis, y: Axis) -> Self {
        Self {
            title: title.into(),
            x,
            y,
            series: Vec::new(),
            groups: Vec::new(),
            is_rising: false,
        }
    }

    /// Returns the panel with a line that needs no entry in a legend.
    pub(super) fn with_line(mut self, xs: &[f64], ys: &[f64]) -> Self {
        self.add("", Mark::Line, xs, ys);
        self
    }

    /// Adds dots `[x, y, standard error]`.
    pub(super) fn with_errors(mut self, points: impl Iterator<Item = [f64; 3]>) -> Self {
        self.series.push(Series {
            label: String::new(),
            mark: Mark::Dots,
            points: points.collect(),
        });
        self
    }

    /// Adds a series of points without errors. Points that are not finite are left out.
    pub(super) fn add(&mut self, label: impl Into<String>, mark: Mark, xs: &[f64], ys: &[f64]) {
        let points = xs.iter().zip(ys).map(|(&x, &y)| [x, y, 0.0]);
        self.series.push(Series {
            label: label.into(),
            mark,
            points: points
                .filter(|point| point.iter().all(|value| value.is_finite()))
                .collect(),
        });
    }
}

impl Axis {
    /// An axis with equal steps.
    pub(super) fn linear(label: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            is_log: false,
            includes: None,
            marks: Vec::new(),
        }
    }

    /// An axis with equal factors.
    pub(super) fn log(label: impl Into<String>) -> Self {
        Self {
            is_log: true,
            ..Self::linear(label)
        }
    }

    /// Returns the axis with ticks at these values, in ascending order.
    pub(super) fn with_marks(mut self, marks: Vec<f64>) -> Self {
        self.marks = marks;
        self
    }

    /// An axis with equal steps that shows zero.
    pub(super) fn from_zero(label: impl Into<String>) -> Self {
        Self {
            includes: Some(0.0),
            ..Self::linear(label)
        }
    }
}
