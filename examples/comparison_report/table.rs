//! Numbers and tables in Markdown.

pub fn table(header: &[&str], rows: impl IntoIterator<Item = Vec<String>>) {
    println!("\n| {} |", header.join(" | "));
    println!("|{}", "---|".repeat(header.len()));
    for row in rows {
        println!("| {} |", row.join(" | "));
    }
}

pub fn significant(value: f64) -> String {
    match value.abs() {
        size if size >= 100.0 => format!("{value:.0}"),
        size if size >= 10.0 => format!("{value:.1}"),
        size if size >= 1.0 => format!("{value:.2}"),
        _ => format!("{value:.3}"),
    }
}

pub fn with_spread(mean: f64, spread: f64) -> String {
    format!("{} ± {}", significant(mean), significant(spread))
}

pub fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// Mean and standard deviation, and how far the mean is from the paper's value.
pub fn beside(values: &[f64], paper: Option<f64>) -> String {
    let count = values.len() as f64;
    let mean = mean(values);
    let squares: f64 = values.iter().map(|value| (value - mean).powi(2)).sum();
    let words = with_spread(mean, (squares / (count - 1.0).max(1.0)).sqrt());
    match paper {
        Some(paper) => format!("{words} ({:+.0} %)", 100.0 * (mean / paper - 1.0)),
        None => words,
    }
}
