//! Lists of choices on the command line.

/// Returns each requested item once, in the given order, or `all` items if none is requested.
pub fn distinct_or_all<T: Copy + PartialEq>(requested: &[T], all: &[T]) -> Vec<T> {
    let items = if requested.is_empty() { all } else { requested };
    let mut distinct = Vec::new();
    for &item in items {
        if !distinct.contains(&item) {
            distinct.push(item);
        }
    }
    distinct
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn repeated_items_are_dropped_and_none_selects_all() {
        assert_eq!(distinct_or_all(&[3, 1, 3], &[1, 2, 3]), [3, 1]);
        assert_eq!(distinct_or_all(&[], &[1, 2, 3]), [1, 2, 3]);
    }
}
