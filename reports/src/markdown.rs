//! Tables in Markdown.

/// Returns a table, with an empty line before it.
pub fn table<H: AsRef<str>>(header: &[H], rows: impl IntoIterator<Item = Vec<String>>) -> String {
    let names: Vec<&str> = header.iter().map(AsRef::as_ref).collect();
    let mut text = format!("\n| {} |\n", names.join(" | "));
    text += &format!("|{}\n", "---|".repeat(header.len()));
    for row in rows {
        text += &format!("| {} |\n", row.join(" | "));
    }
    text
}
