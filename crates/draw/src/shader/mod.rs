//! Shader: the WGSL that draws, by family, and how texts are put together.
//!
//! In: nothing. Out: WGSL texts. Never here: materials (their part is emitted by `material`), bindings' contents, wgpu.
//!
//! A module is a list of parts one after the other; a part is a file here or a few emitted lines. There is one set of
//! functions for all routes: `surface`, `incident`, `lobes`, `visibility`, `ambient`. No text holds a transcendental
//! function of a constant (naga would fold it with the host's maths library) and no `fma`; a test reads the texts.

use stillframe_effects::EffectId;

mod albedo;
mod check;
mod display;
mod tonemap;

pub use albedo::{ALBEDO_SIZE, albedo_table};
pub use check::{check, folded_constants};
pub use display::{DISPLAYS, display};
pub use tonemap::{TONEMAPS, tonemap};

/// The view and the way from a pixel back to the world. Group 0.
pub const COMMON: &str = include_str!("common.wgsl");
/// Draw items. Group 3.
pub const OBJECT: &str = include_str!("object.wgsl");
/// Draw items now and one frame before, and `motion`. Group 3. Needs `COMMON`.
pub const MOTION: &str = include_str!("motion.wgsl");
/// `bend`. Group 3.
pub const BEND: &str = include_str!("bend.wgsl");
/// What `bend` needs for one posture an item.
pub const POSTURE: &str = include_str!("posture.wgsl");
/// What `bend` needs for figures of crowds.
pub const CROWD: &str = include_str!("crowd.wgsl");
/// `Surface`, `Incident` and `lobes`. Needs `DIELECTRIC` or `REFLECTION`.
pub const LOBES: &str = include_str!("lobes.wgsl");
/// The dielectric of materials without extensions.
pub const DIELECTRIC: &str = include_str!("dielectric.wgsl");
/// The dielectric of materials with `f0` and `f90` of their own. Needs a `material`.
pub const REFLECTION: &str = include_str!("reflection.wgsl");
/// `ambient`. Group 1. Needs `LOBES`.
pub const ENVIRONMENT: &str = include_str!("environment.wgsl");
/// `reflected`: what a mirror shows of what is around. Needs `ENVIRONMENT`.
pub const REFLECTED: &str = include_str!("reflected.wgsl");
/// The same, and of what is in sight. Needs `ENVIRONMENT` and [`reflections`].
pub const REFLECTED_SEEN: &str = include_str!("reflected_seen.wgsl");
/// `occlusion_at`. Group 1.
pub const OCCLUSION: &str = include_str!("occlusion.wgsl");
/// What is around where probes are: `far_diffuse` and `far_specular`.
const PROBES: &str = include_str!("probes.wgsl");
/// What nodes of materials read of the camera. Needs `COMMON`.
pub const GRAPH: &str = include_str!("graph.wgsl");
/// `hashed_threshold`.
pub const HASHED: &str = include_str!("hashed.wgsl");
/// `covered_samples`.
pub const COVERAGE: &str = include_str!("coverage.wgsl");
/// `weighted`: blended surfaces as sums.
pub const WEIGHT: &str = include_str!("weight.wgsl");
/// `is_hidden`: what opaque surfaces are before. Group 0, beside `COMMON`.
pub const NEAREST: &str = include_str!("nearest.wgsl");
/// `is_peeled`. Group 0, beside `NEAREST`.
pub const PEELED: &str = include_str!("peeled.wgsl");
/// `counts`: how many blended surfaces a pixel has. Group 0, beside `NEAREST`.
pub const COUNTED: &str = include_str!("counted.wgsl");
/// `Listed`.
pub const LIST_ENTRY: &str = include_str!("list_entry.wgsl");
/// `add_to_list`. Group 0, beside `COUNTED`. Needs `LIST_ENTRY`.
pub const LISTED: &str = include_str!("listed.wgsl");
/// `shown`: light of a display, of the linear picture. Group 0. Needs a `tonemap`.
const DEVELOP: &str = include_str!("develop.wgsl");
/// `shown`: the same, of what effects have left. Group 0.
const DEVELOPED: &str = include_str!("developed.wgsl");
/// The last pass. Needs `shown`.
pub const ENCODE: &str = include_str!("encode.wgsl");

/// `Angles` and `Around`, for the texts of lighting models. Needs `LOBES`.
pub const AROUND: &str = include_str!("around.wgsl");
/// `leaving_around`. Group 1. Needs `AROUND` and lights with an area.
pub const AROUND_AREA: &str = include_str!("around_area.wgsl");
/// `ambient_of`. Needs `AROUND` and `ENVIRONMENT`.
pub const AMBIENT: &str = include_str!("ambient.wgsl");
/// `widened`. Needs `LOBES`.
pub const SPECULAR_AA: &str = include_str!("specular_aa.wgsl");
/// `behind_at` and what is seen through surfaces. Group 1. Needs `COMMON`.
pub const BEHIND: &str = include_str!("behind.wgsl");
/// `gathered_inside`: light that leaves surfaces elsewhere than it enters. Group 1. Needs `COMMON`.
pub const SUBSURFACE: &str = include_str!("subsurface.wgsl");
/// `ambient_coat`. Needs `AMBIENT`.
pub const AMBIENT_COAT: &str = include_str!("ambient_coat.wgsl");

/// `packed_normal` and `unpacked_normal`.
pub const OCTAHEDRAL: &str = include_str!("octahedral.wgsl");
/// `stored`: a surface with every bit. Needs `LOBES`.
pub const STORE_EXACT: &str = include_str!("store_exact.wgsl");
/// `Loaded`. Needs `LOBES`.
pub const LOADED: &str = include_str!("loaded.wgsl");
/// `loaded`: what `STORE_EXACT` has stored. Group 2. Needs `LOADED`.
pub const LOAD_EXACT: &str = include_str!("load_exact.wgsl");
/// `stored`: a surface in 28 bytes. Needs `LOBES` and `OCTAHEDRAL`.
pub const STORE_PACKED: &str = include_str!("store_packed.wgsl");
/// `loaded`: what `STORE_PACKED` has stored. Group 2. Needs `LOADED` and `OCTAHEDRAL`.
pub const LOAD_PACKED: &str = include_str!("load_packed.wgsl");
/// `stored`: what light that arrives needs of a surface. Needs `LOBES`.
pub const STORE_SHAPE: &str = include_str!("store_shape.wgsl");
/// `loaded`: what `STORE_SHAPE` has stored. Group 2. Needs `LOADED`.
pub const LOAD_SHAPE: &str = include_str!("load_shape.wgsl");
/// `light_before`: what earlier rounds of lights have left. Group 0. Needs `COMMON`.
pub const ROUND: &str = include_str!("round.wgsl");
/// `weights_of` and corners of the triangle that a pixel shows. Groups 0 and 3. Needs `COMMON`.
pub const FETCH: &str = include_str!("fetch.wgsl");
/// `summed`: a surface in three sums. Group 1. Needs `LOBES`.
pub const SUMMED_COLORED: &str = include_str!("summed_colored.wgsl");
/// `summed`: a surface in one sum. Group 1. Needs `LOBES`.
pub const SUMMED_GREY: &str = include_str!("summed_grey.wgsl");

/// What effects call that read lights, without lights.
const DARK_AIR: &str = include_str!("air_dark.wgsl");

const ACCUMULATE: &str = include_str!("accumulate.wgsl");
const MEAN: &str = include_str!("mean.wgsl");
/// `screen`: one triangle over everything.
pub const SCREEN: &str = include_str!("screen.wgsl");

const STRIP: &str = include_str!("strip.wgsl");
const FILL: &str = include_str!("fill.wgsl");
const HALVE: &str = include_str!("halve.wgsl");
const PREFILTER: &str = include_str!("prefilter.wgsl");
const BEND_STREAMS: &str = include_str!("bend_streams.wgsl");
const BLUR: &str = include_str!("blur.wgsl");
const SOURCE: &str = include_str!("source.wgsl");
const SOURCES: &str = include_str!("sources.wgsl");
const TILE_LISTS: &str = include_str!("tile_lists.wgsl");
const DIRECTIONS: &str = include_str!("directions.wgsl");
const SUM: &str = include_str!("sum.wgsl");
const TANGENTS: &str = include_str!("tangents.wgsl");
const BEHIND_LEVELS: &str = include_str!("behind_levels.wgsl");
const BACKGROUND: &str = include_str!("background.wgsl");

/// What an environment's radiance comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Radiance {
    Constant,
    Gradient,
    Studio,
    Sky,
    /// An equirectangular picture.
    Map,
    /// Six pictures.
    Faces,
}

impl Radiance {
    pub const ALL: [Radiance; 6] =
        [Radiance::Constant, Radiance::Gradient, Radiance::Studio, Radiance::Sky, Radiance::Map, Radiance::Faces];

    /// `radiance` and `radiance_seen`. Group 1.
    pub fn text(self) -> &'static str {
        match self {
            Radiance::Constant => include_str!("radiance_constant.wgsl"),
            Radiance::Gradient => include_str!("radiance_gradient.wgsl"),
            Radiance::Studio => include_str!("radiance_studio.wgsl"),
            Radiance::Sky => include_str!("radiance_sky.wgsl"),
            Radiance::Map => include_str!("radiance_map.wgsl"),
            Radiance::Faces => include_str!("radiance_faces.wgsl"),
        }
    }

    /// `gather`: the light of a cube's texel.
    fn gather(self) -> &'static str {
        macro_rules! grid {
            ($side:literal) => {
                concat!("const FILL_TAPS: i32 = ", $side, ";\n", include_str!("gather_grid.wgsl"))
            };
        }
        match self {
            Radiance::Constant | Radiance::Faces => grid!(1),
            Radiance::Gradient | Radiance::Studio | Radiance::Sky => grid!(2),
            // Of the lattices of 16 to 64 points this small one keeps the light of single texels as well as 8x8 points.
            Radiance::Map => concat!(
                "const FILL_POINTS: i32 = 32;\nconst FILL_STEP: i32 = 7;\n",
                include_str!("gather_lattice.wgsl")
            ),
        }
    }

    /// `texel_share`: how texels count in the mean that the next level is.
    fn share(self) -> &'static str {
        match self {
            Radiance::Constant | Radiance::Gradient | Radiance::Studio | Radiance::Sky => {
                include_str!("share_even.wgsl")
            }
            Radiance::Map | Radiance::Faces => include_str!("share_solid.wgsl"),
        }
    }
}

/// `reflection_at`. Group 1. Needs `BEHIND`.
pub fn reflections() -> &'static str {
    EffectId::of_name("ssr").expect("it is an effect").row().text
}

/// `ambient` and what it asks of light from around, where probes are. Group 1. Needs `LOBES`.
pub fn environment_with_probes() -> String {
    let names = [
        ("fn unturned(", "fn unturned_far("),
        ("fn diffuse_radiance(", "fn far_diffuse("),
        ("fn specular_radiance(", "fn far_specular("),
    ];
    let mut far = ENVIRONMENT.to_string();
    for (own, far_name) in names {
        assert!(far.contains(own), "the environment's text has {own}");
        far = far.replace(own, far_name);
    }
    compose(&[&far, PROBES])
}

/// Parts one after the other.
pub fn compose(parts: &[&str]) -> String {
    parts.join("\n")
}

/// `screen` and `fill_strip`: radiance into a cube.
pub fn fill(radiance: Radiance) -> String {
    compose(&[SCREEN, STRIP, radiance.text(), radiance.gather(), FILL])
}

/// `screen` and `halve_strip`: the next level of a cube.
pub fn halve(radiance: Radiance) -> String {
    compose(&[SCREEN, STRIP, radiance.share(), HALVE])
}

/// `gather_sources`: small levels of a cube as a list.
pub fn sources() -> String {
    compose(&[STRIP, SOURCE, SOURCES])
}

/// `screen` and `blur_strip`: a cube blurred a little more.
pub fn blur() -> String {
    compose(&[SCREEN, STRIP, TANGENTS, BLUR])
}

/// `screen` and `sum_strip`: what a wide lobe sees.
pub fn sum() -> String {
    compose(&[SCREEN, STRIP, SOURCE, SUM])
}

/// `screen` and `prefilter_strip`: a step of the specular cubes.
pub fn prefilter() -> String {
    compose(&[SCREEN, STRIP, PREFILTER])
}

/// `screen` and `directions_strip`: a step of the specular cubes, direction by direction.
pub fn directions() -> String {
    compose(&[SCREEN, STRIP, TANGENTS, DIRECTIONS])
}

/// `bend_streams`: a geometry as it is bent.
pub fn bend_streams() -> String {
    compose(&[BEND, POSTURE, BEND_STREAMS])
}

/// `screen` and `background`: the environment behind everything.
pub fn background(radiance: Radiance) -> String {
    compose(&[COMMON, SCREEN, radiance.text(), BACKGROUND])
}

/// The same, blurred.
pub fn background_blurred() -> String {
    compose(&[COMMON, SCREEN, LOBES, DIELECTRIC, ENVIRONMENT, REFLECTED, include_str!("background_blurred.wgsl")])
}

/// `tile_lists`: which lights can reach what is seen in each tile.
pub fn tile_lists() -> String {
    TILE_LISTS.to_string()
}

/// `screen`, `moments_across` and `moments_down`. `of`: four numbers of the distance `t`.
pub fn moments(of: &str) -> String {
    let own = format!("fn moments_of(t: f32, own: vec4f) -> vec4f {{\n    return {of};\n}}\n");
    compose(&[SCREEN, include_str!("moments.wgsl"), &own])
}

/// `screen`, `behind_first` and `behind_next`: levels of what is seen through surfaces.
pub fn behind_levels() -> String {
    compose(&[SCREEN, BEHIND_LEVELS])
}

/// `screen`, `depth_first` and `depth_next`: levels of depth.
pub fn depth_levels() -> String {
    compose(&[SCREEN, include_str!("depth_levels.wgsl")])
}

/// `screen` and `motion_around`.
pub fn motion_around() -> String {
    compose(&[SCREEN, include_str!("motion_around.wgsl")])
}

/// `screen` and `accumulate`: one more sample of every pixel.
pub fn accumulate() -> String {
    compose(&[SCREEN, ACCUMULATE])
}

/// `screen` and `mean`: a sum over the number of its pictures.
pub fn mean() -> String {
    compose(&[SCREEN, MEAN])
}

/// `screen` and `put`: sums of blended surfaces over the picture.
pub fn put_weighted() -> String {
    compose(&[SCREEN, include_str!("put_weighted.wgsl")])
}

/// `screen` and `put`: blended surfaces that were peeled off, over the picture.
pub fn put_peeled() -> String {
    compose(&[SCREEN, include_str!("put_peeled.wgsl")])
}

/// `list_starts`: where lists of blended surfaces begin.
pub fn list_starts() -> String {
    include_str!("list_starts.wgsl").to_string()
}

/// `screen` and `put`: lists of blended surfaces over the picture.
pub fn put_listed() -> String {
    compose(&[SCREEN, LIST_ENTRY, include_str!("put_listed.wgsl")])
}

/// `screen` and `develop`, `encode_8`, `encode_16`, `encode_32`, with the tone map and the display of these words.
pub fn encode(tonemap_word: &str, display_word: &str) -> String {
    compose(&[SCREEN, &tonemap(tonemap_word), &display(display_word), DEVELOP, ENCODE])
}

/// `screen` and `encode_8`, `encode_16`, of what has been developed for this display.
pub fn encode_developed(display_word: &str) -> String {
    compose(&[SCREEN, &display(display_word), DEVELOPED, ENCODE])
}

/// `screen` and `stage`, a stage of an effect that reads no lights.
pub fn effect(effect: EffectId, function: &str) -> String {
    let own = stillframe_effects::text(effect.row(), function);
    if effect.row().reads_lights() { compose(&[SCREEN, DARK_AIR, &own]) } else { compose(&[SCREEN, &own]) }
}

/// The same, of a stage that reads lights: the view is group 0, `lights` are group 1, its own bindings are group 2.
pub fn effect_lit(effect: EffectId, function: &str, lights: &[&str]) -> String {
    let own = stillframe_effects::text(effect.row(), function).replace("@group(0)", "@group(2)");
    compose(&[&[COMMON, SCREEN, LOBES, DIELECTRIC], lights, &[&own]].concat())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn texts() -> Vec<(String, String)> {
        let mut out = vec![
            ("accumulate".to_string(), accumulate()),
            ("mean".to_string(), mean()),
            ("put weighted".to_string(), put_weighted()),
            ("put peeled".to_string(), put_peeled()),
            ("put listed".to_string(), put_listed()),
            ("list starts".to_string(), list_starts()),
            ("halve".to_string(), halve(Radiance::Gradient)),
            ("halve fine".to_string(), halve(Radiance::Map)),
            ("prefilter".to_string(), prefilter()),
            ("sources".to_string(), sources()),
            ("blur".to_string(), blur()),
            ("sum".to_string(), sum()),
            ("directions".to_string(), directions()),
            ("background blurred".to_string(), background_blurred()),
            ("tile_lists".to_string(), tile_lists()),
            ("environment".to_string(), compose(&[COMMON, LOBES, DIELECTRIC, ENVIRONMENT, REFLECTED])),
            (
                "environment with probes".to_string(),
                compose(&[COMMON, LOBES, DIELECTRIC, &environment_with_probes(), REFLECTED]),
            ),
            ("graph".to_string(), compose(&[COMMON, GRAPH])),
            ("object".to_string(), OBJECT.to_string()),
            ("subsurface".to_string(), compose(&[COMMON, SUBSURFACE])),
            ("depth levels".to_string(), depth_levels()),
            ("motion around".to_string(), motion_around()),
            ("motion".to_string(), compose(&[COMMON, MOTION])),
        ];
        for radiance in Radiance::ALL {
            out.push((format!("fill {radiance:?}"), fill(radiance)));
            out.push((format!("background {radiance:?}"), background(radiance)));
        }
        for (word, _) in TONEMAPS {
            out.push((format!("encode {word}"), encode(word, "srgb")));
        }
        for (word, _) in DISPLAYS {
            out.push((format!("encode for {word}"), encode("agx", word)));
            out.push((format!("encode developed for {word}"), encode_developed(word)));
        }
        for id in EffectId::all() {
            for stage in (id.row().stages)(&stillframe_effects::Values::new(id), [256; 2]) {
                out.push((format!("{} {}", id.row().name, stage.function), effect(id, stage.function)));
            }
        }
        out
    }

    #[test]
    fn every_text_is_valid() {
        for (name, text) in texts() {
            check(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        }
    }

    #[test]
    fn no_text_lets_naga_fold_with_the_hosts_maths() {
        for (name, text) in texts() {
            assert_eq!(folded_constants(&text), Vec::<String>::new(), "{name}");
            assert!(!text.contains("fma("), "{name}: fma");
        }
    }
}
