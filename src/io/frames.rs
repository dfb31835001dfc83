//! Files of several frames, of which one is read.

use std::io::BufRead;

use super::{
    error::ReadError,
    read_options::{Frame, ReadOptions},
    rows::Rows,
    text::Lines,
};

/// The frames of a file. One frame at a time is in memory.
pub(super) struct Frames {
    wanted: Frame,
    /// Number of frames so far.
    pub(super) count: u64,
    kept: Option<Rows>,
}

impl Frames {
    pub(super) fn new(options: &ReadOptions) -> Self {
        Self {
            wanted: options.frame,
            count: 0,
            kept: None,
        }
    }

    /// Returns whether the next frame may be the one to read. The one before it is dropped then.
    pub(super) fn wants_next(&mut self) -> bool {
        let wants = self.wanted.may_be(self.count);
        if wants {
            self.kept = None;
        }
        wants
    }

    /// Ends a frame, which has rows if it was wanted.
    pub(super) fn end(&mut self, rows: Option<Rows>) {
        self.kept = rows.or(self.kept.take());
        self.count += 1;
    }

    /// Returns the rows of the frame to read. `name` is the word of the format for a frame.
    pub(super) fn chosen(self, name: &str) -> Result<Rows, ReadError> {
        let frame = self.wanted.among(self.count).map_err(ReadError::content)?;
        let missing = || ReadError::content(format!("the {name} is missing"));
        let mut rows = self.kept.ok_or_else(missing)?;
        rows.note_frames(frame, self.count);
        Ok(rows)
    }
}

/// Reads the rows that line `first` announces as a number of `things`.
pub(super) fn announced_rows(
    lines: &mut Lines<impl BufRead>,
    (first, count): (u64, u64),
    things: &str,
    mut push: impl FnMut(u64, &str) -> Result<(), ReadError>,
) -> Result<(), ReadError> {
    for number in 0..count {
        let Some((line, text)) = lines.next_filled()? else {
            let what =
                format!("line {first} announces {count} {things}, but the file has {number}");
            return Err(ReadError::content(what));
        };
        push(line, text)?;
    }
    Ok(())
}
