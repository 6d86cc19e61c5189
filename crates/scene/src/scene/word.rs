//! Words: closed families that files and arguments spell.
//!
//! In: a word. Out: what it means, and back. Never here: the families, which are with their nouns.

/// A closed family that files spell in words, each word in one place.
pub(crate) trait Word: Copy + PartialEq + 'static {
    const WORDS: &'static [(&'static str, Self)];

    /// As many words as any family has.
    const PADDED: [&'static str; 16] = add_words([""; 16], 0, Self::WORDS);
    /// The words alone, for the table.
    const NAMES: &'static [&'static str] = {
        let padded: &'static [&'static str; 16] = &Self::PADDED;
        padded.split_at(Self::WORDS.len()).0
    };

    fn of_word(word: &str) -> Option<Self> {
        Self::WORDS.iter().find(|(known, _)| *known == word).map(|(_, meaning)| *meaning)
    }

    fn word(self) -> &'static str {
        Self::WORDS.iter().find(|(_, meaning)| *meaning == self).map_or("", |(word, _)| word)
    }
}

/// Writes the words of a family into `out`, from `at` on.
pub(crate) const fn add_words<T, const N: usize>(
    mut out: [&'static str; N],
    at: usize,
    words: &[(&'static str, T)],
) -> [&'static str; N] {
    let mut number = 0;
    while number < words.len() {
        out[at + number] = words[number].0;
        number += 1;
    }
    out
}
