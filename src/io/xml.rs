//! XML documents whose parsing takes time in proportion to their length.

use roxmltree::Document;

use super::{
    constants::{MOST_ATTRIBUTES, MOST_NAME_SPACES},
    error::ReadError,
};

/// Parses a document, perhaps after a byte order mark.
pub(super) fn parse(text: &str) -> Result<Document<'_>, ReadError> {
    let text = text.trim_start_matches('\u{feff}');
    check(text)?;
    Document::parse(text).map_err(|error| {
        let what = format!("the file is no XML: {error}");
        ReadError::at(u64::from(error.pos().row), what)
    })
}

/// Refuses a text whose parsing would take more than linear time: the parser compares each attribute of an element with all others, and
/// copies all name spaces to each element that declares one.
fn check(text: &str) -> Result<(), ReadError> {
    if text.matches("xmlns").nth(MOST_NAME_SPACES).is_some() {
        return Err(ReadError::content(format!(
            "the file declares more than {MOST_NAME_SPACES} XML name spaces; files of VTK have none"
        )));
    }
    // Each attribute has two quotation marks. A tag holds no other '<'.
    let quotes = |tag: &str| tag.matches(['"', '\'']).count();
    let mut tags = text.split('<').filter(|tag| !tag.starts_with('!'));
    if tags.any(|tag| quotes(tag) > 2 * MOST_ATTRIBUTES) {
        return Err(ReadError::content(format!(
            "an XML element has more than {MOST_ATTRIBUTES} attributes; elements of VTK have less than 20"
        )));
    }
    Ok(())
}
