//! Tone maps: one file each, with a function `tonemap_WORD`, and one line in [`TONEMAPS`].

/// The word that scene files use, and the text.
pub const TONEMAPS: &[(&str, &str)] = &[
    ("agx", include_str!("agx.wgsl")),
    ("aces", include_str!("aces.wgsl")),
    ("neutral", include_str!("neutral.wgsl")),
    ("none", include_str!("none.wgsl")),
];

const HEAD: &str = "\
// Tone maps: linear scene colour (after exposure) to linear display colour, 0..1. Grey 0.18, 1 and 8 become:
// agx 0.2145 0.590 0.937; aces 0.10559 0.61912 0.96304; neutral 0.14 0.86909 0.99226.
";

/// The functions of all tone maps.
pub fn tonemaps() -> String {
    let texts = TONEMAPS.iter().map(|(_, text)| *text);
    std::iter::once(HEAD).chain(texts).collect::<Vec<_>>().join("\n")
}

/// `tonemap`: the one of this word.
pub fn tonemap(word: &str) -> String {
    assert!(TONEMAPS.iter().any(|(known, _)| *known == word), "no tone map is called {word}");
    format!("{}\nfn tonemap(color: vec3f) -> vec3f {{\n    return tonemap_{word}(color);\n}}\n", tonemaps())
}
