//! Numbers as text.

/// Returns a number with a space between its thousands.
pub fn grouped(number: usize) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(' ');
        }
        text.push(digit);
    }
    text
}

/// Returns a number with `decimals` decimals. What rounds to zero has no sign.
pub fn fixed(value: f64, decimals: usize) -> String {
    signed(value, decimals).trim_start_matches('+').to_owned()
}

/// Returns a number with its sign and `decimals` decimals. What rounds to zero has no sign.
pub fn signed(value: f64, decimals: usize) -> String {
    let text = format!("{value:+.decimals$}");
    let zero = text.bytes().all(|byte| !(b'1'..=b'9').contains(&byte));
    text[usize::from(zero)..].to_owned()
}
