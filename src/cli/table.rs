//! Tables on the terminal and in CSV files.

/// Returns a header and the rows, from the names and values of the fields of each row.
#[cfg(any(test, feature = "laboratory"))]
pub fn table<R, const N: usize>(
    rows: &[R],
    fields: impl Fn(&R) -> [(&'static str, String); N],
) -> Vec<Vec<String>> {
    let header = rows
        .first()
        .map(|row| fields(row).map(|(name, _)| name.to_owned()));
    let rows = rows.iter().map(|row| fields(row).map(|(_, value)| value));
    header.into_iter().chain(rows).map(Vec::from).collect()
}

/// Returns a header and rows in columns that are as wide as their widest word.
///
/// The first column is flush left, the others are flush right. Rows may be shorter than the header.
pub fn aligned(lines: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let words = lines.iter().filter_map(|line| line.get(column));
        words.map(|word| word.chars().count()).max()
    };
    let columns = lines.first().map_or(0, Vec::len);
    let widths: Vec<usize> = (0..columns)
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
        let lines = [
            vec!["index", "n", "m"],
            vec!["a", "12", "3"],
            vec!["b", "4"],
        ];
        let lines: [Vec<String>; 3] =
            lines.map(|words| words.into_iter().map(str::to_owned).collect());
        assert_eq!(aligned(&lines), "index   n  m\na      12  3\nb       4");
    }

    #[test]
    fn the_names_of_the_fields_are_the_header() {
        let fields = |row: &u32| [("n", row.to_string()), ("m", (2 * row).to_string())];
        assert_eq!(table(&[1, 2], fields), [["n", "m"], ["1", "2"], ["2", "4"]]);
    }
}
