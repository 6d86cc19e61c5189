//! Counts in messages.

/// `1 face`, `2 faces`.
pub fn count(number: usize, one: &str, many: &str) -> String {
    format!("{number} {}", if number == 1 { one } else { many })
}
