//! Displays: what files of pictures are for. One file each, and one line in [`DISPLAYS`].

const SRGB_CODE: &str = include_str!("srgb_code.wgsl");

/// The word that scene files use, and the texts.
pub const DISPLAYS: &[(&str, &[&str])] = &[
    ("srgb", &[include_str!("srgb.wgsl"), SRGB_CODE]),
    ("p3", &[include_str!("p3.wgsl"), SRGB_CODE]),
    ("rec2020_pq", &[include_str!("rec2020_pq.wgsl")]),
];

const HEAD: &str =
    "// Display: its peak over its white, its primaries, and the codes of light, which is 1 at the peak.\n";

/// `HEADROOM`, `on_display` and `display_code`: those of this word.
pub fn display(word: &str) -> String {
    let row = DISPLAYS.iter().find(|(known, _)| *known == word);
    let (_, texts) = row.unwrap_or_else(|| panic!("no display is called {word}"));
    format!("{HEAD}{}\n", texts.concat())
}
