//! Tone maps: one file each, with a function `tonemap_WORD`, and one line in [`TONEMAPS`].

/// The word that scene files use, and the text.
pub const TONEMAPS: &[(&str, &str)] = &[
    ("agx", include_str!("agx.wgsl")),
    ("aces", include_str!("aces.wgsl")),
    ("neutral", include_str!("neutral.wgsl")),
    ("reinhard", include_str!("reinhard.wgsl")),
    ("reinhard_extended", include_str!("reinhard_extended.wgsl")),
    ("hable", include_str!("hable.wgsl")),
    ("aces_narkowicz", include_str!("aces_narkowicz.wgsl")),
    ("none", include_str!("none.wgsl")),
];

const HEAD: &str = "// Tone map: linear scene colour (after exposure) to linear display colour, 0..1.\n";

/// `tonemap`: the one of this word.
pub fn tonemap(word: &str) -> String {
    let row = TONEMAPS.iter().find(|(known, _)| *known == word);
    let (_, text) = row.unwrap_or_else(|| panic!("no tone map is called {word}"));
    format!("{HEAD}{text}\nfn tonemap(color: vec3f) -> vec3f {{\n    return tonemap_{word}(color);\n}}\n")
}
