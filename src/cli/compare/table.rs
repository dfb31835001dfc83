//! Tables on the terminal.

/// Returns a header and rows in columns that are as wide as their widest word.
///
/// The first column is flush left, the others are flush right. Rows may be shorter than the header.
pub fn aligned<H: AsRef<str>>(header: &[H], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let names = header.iter().map(|name| name.as_ref().to_owned());
    let lines: Vec<Vec<String>> = std::iter::once(names.collect()).chain(rows).collect();
    let width = |column: usize| {
        let words = lines.iter().filter_map(|line| line.get(column));
        words.map(|word| word.chars().count()).max()
    };
    let widths: Vec<usize> = (0..header.len())
        .map(|column| width(column).unwrap_or(0))
        .collect();
    let line = |words: &Vec<String>| {
        let cells = words.iter().zip(&widths).enumerate();
        let cells: Vec<String> = cells
            .map(|(column, (word, &width))| match column {
                0 => format!("{word:<width$}"),
                _ => format!("{word:>width$}"),
            })
            .collect();
        cells.join("  ").trim_end().to_owned()
    };
    lines.iter().map(line).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_word() {
        let rows = [
            vec!["a".to_owned(), "12".to_owned(), "3".to_owned()],
            vec!["b".to_owned(), "4".to_owned()],
        ];
        assert_eq!(
            aligned(&["index", "n", "m"], rows),
            "index   n  m\na      12  3\nb       4"
        );
    }
}
