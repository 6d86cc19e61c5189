//! Lines and columns of byte offsets.

/// Both from 1; the column counts characters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineColumn {
    pub line: usize,
    pub column: usize,
}

/// Where byte `offset` of `text` stands. Offsets past the end mean the end; those inside a character mean its start.
pub fn line_column(text: &str, offset: usize) -> LineColumn {
    let mut end = offset.min(text.len());
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let before = &text[..end];
    let line_start = before.rfind('\n').map_or(0, |at| at + 1);
    LineColumn {
        line: before.bytes().filter(|b| *b == b'\n').count() + 1,
        column: before[line_start..].chars().count() + 1,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counted_from_one_in_characters() {
        let text = "ab\nçd\n";
        for (offset, line, column) in [(0, 1, 1), (2, 1, 3), (3, 2, 1), (4, 2, 1), (5, 2, 2), (7, 3, 1), (99, 3, 1)] {
            assert_eq!(line_column(text, offset), LineColumn { line, column }, "{offset}");
        }
    }
}
