//! A row of the page: what a paper shows or states, and what jostle finds.

/// Whether jostle finds what a paper states.
#[derive(Clone, Copy, PartialEq)]
pub enum Verdict {
    /// The same within the tolerance of the row.
    Reproduced,
    /// Another value; the reason follows from an experiment.
    Deviates,
    /// Not measured; the reason says why.
    OutOfReach,
}

impl Verdict {
    /// Returns the verdict on a statement that `holds` here or not.
    pub fn of(holds: bool) -> Self {
        if holds {
            Self::Reproduced
        } else {
            Self::Deviates
        }
    }

    /// Returns the word of the page.
    pub fn word(self) -> &'static str {
        match self {
            Self::Reproduced => "reproduced",
            Self::Deviates => "deviates",
            Self::OutOfReach => "out of reach",
        }
    }
}

/// A figure, table, numbered equation or claim of a paper.
pub struct Row {
    /// Its name in the paper, such as "Fig. 4" or "Section 5.4".
    pub item: &'static str,
    /// What the paper shows or states.
    pub statement: &'static str,
    /// The value of the paper.
    pub theirs: String,
    /// The value found here.
    pub ours: String,
    /// The result of the comparison.
    pub verdict: Verdict,
    /// The reason of a difference, or where the page shows more.
    pub reason: String,
}

impl Row {
    /// Returns a row that is reproduced if the statement `holds`, and deviates otherwise. The reason is printed in both cases.
    pub fn checked(
        item: &'static str,
        statement: &'static str,
        theirs: impl Into<String>,
        ours: impl Into<String>,
        holds: bool,
        reason: impl Into<String>,
    ) -> Self {
        Self {
            item,
            statement,
            theirs: theirs.into(),
            ours: ours.into(),
            verdict: Verdict::of(holds),
            reason: reason.into(),
        }
    }

    /// Compares two values: reproduced, if they differ by at most `tolerance` of the paper's value.
    pub fn compared(
        item: &'static str,
        statement: &'static str,
        theirs: f64,
        ours: f64,
        tolerance: f64,
        reason: impl Into<String>,
    ) -> Self {
        let near = (ours - theirs).abs() <= tolerance * theirs.abs();
        Self::checked(item, statement, short(theirs), short(ours), near, reason)
    }
}

/// Returns a number with about four significant digits.
fn short(value: f64) -> String {
    match value.abs() {
        size if size >= 1000.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.4}"),
    }
}
