//! `..._texture = { ... }`: a texture named by a scene file.

use std::path::{Path, PathBuf};

use crate::asset::{Filter, Slot, UvTransform, Wrap};
use crate::scene::angle::sin_cos_deg;
use crate::scene::code;
use crate::scene::key::{Key, Plain, choice, key, number, numbers, optional, rows, whole};
use crate::scene::printer::Printer;
use crate::scene::resolver::Resolver;
use crate::scene::schema::{ANY, Constant, Kind, Row, Type, kind};
use crate::scene::text::syntax::{Kind as Written, Table, Value};
use crate::scene::text::toml::{list, scene_text};
use crate::scene::track::Thing;
use crate::scene::word::Word;

pub(crate) static TABLE: Kind = Kind {
    exclusive: &[
        &[FILE.name(), VIEW.name()],
        &[FILTER.name(), MAG_FILTER.name()],
        &[FILTER.name(), MIN_FILTER.name()],
        &[MATRIX.name(), OFFSET.name()],
        &[MATRIX.name(), SCALE.name()],
        &[MATRIX.name(), ROTATION_DEG.name()],
    ],
    needs: &[&[FILE.name(), VIEW.name()]],
    ..kind(
        "..._texture = { ... }",
        "A texture is a file name, or a table with these keys. In an override, `\"none\"` removes the model's texture.",
        KEYS,
    )
};

const FILE: Key<String> = optional("file", Type::File, "none", "A `.png`, `.jpg`, `.hdr` or `.exr` file.");
const VIEW: Key<String> = optional("view", Type::Name("view"), "none", "A `[[view]]` of the scene instead of a file.");
const COORDINATES: Key<Option<Coordinates>> = optional(
    "coordinates",
    Type::Choice(Coordinates::NAMES),
    "`screen` for mirrors, else `uv`",
    "Where the texture is read: at the texture coordinates of the mesh (`uv`), or at the pixel's own place in the \
     picture (`screen`).",
);
const UV_SET: Key<u32> =
    key("uv_set", Type::ChoiceOf(&[0, 1]), Constant::Whole(0), "Which set of texture coordinates to use.");
const OFFSET: Key<[f32; 2]> = numbers("offset", &[0.0, 0.0], ANY, "Added to u and v, last.");
const SCALE: Key<[f64; 2]> = numbers("scale", &[1.0, 1.0], ANY, "Multiplies u and v, first.");
const ROTATION_DEG: Key<f64> = number(
    "rotation_deg",
    0.0,
    ANY,
    "Turns u and v about the origin, after `scale` and before `offset`, as KHR_texture_transform does.",
);
const MATRIX: Key<Option<[[f32; 2]; 3]>> = optional(
    "matrix",
    Type::Rows { rows: 3, columns: 2 },
    "none",
    "The same as a matrix: `[[a, b], [c, d], [e, f]]` gives u' = a u + b v + e, v' = c u + d v + f.",
);
const WRAP: Key<[Wrap; 2]> = key(
    "wrap",
    Type::ChoicePair(Wrap::NAMES),
    Constant::Word("repeat"),
    "How the texture continues beyond its edges, for both axes or as `[u, v]`.",
);
const FILTER: Key<Filter> = choice("filter", "linear", "Interpolation between texels.");
const MAG_FILTER: Key<Option<Filter>> =
    optional("mag_filter", Type::Choice(Filter::NAMES), "filter", "Interpolation between texels when magnified.");
const MIN_FILTER: Key<Option<Filter>> =
    optional("min_filter", Type::Choice(Filter::NAMES), "filter", "Interpolation between texels when minified.");
const MIP_FILTER: Key<MipFilter> =
    choice("mip_filter", "linear", "Interpolation between mip levels; `none` uses the full size only.");
const ANISOTROPY: Key<u16> = whole(
    "anisotropy",
    1,
    1,
    16,
    "Maximum number of samples on slanted surfaces; 1 is off. More than 1 needs linear filters.",
);
static KEYS: &[Row] = rows! {
    FILE, VIEW, COORDINATES, UV_SET, OFFSET, SCALE, ROTATION_DEG, MATRIX, WRAP, FILTER, MAG_FILTER, MIN_FILTER, MIP_FILTER, ANISOTROPY
};

/// The value of a key that holds a texture.
#[derive(Debug)]
pub(crate) enum Texture {}

/// The key of a slot.
pub(super) const fn key_of(slot: Slot) -> Key<Texture> {
    let row = slot.row();
    optional(row.key, Type::Texture(&TABLE), "none", row.doc)
}

/// What is written under a texture's key.
#[derive(Clone, Debug, PartialEq)]
pub enum TextureChoice {
    /// `"none"`: the model's own is taken away.
    None,
    File(TexturePath),
}

/// What a texture shows.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum TextureSource {
    /// Absolute.
    File(PathBuf),
    /// By position in `Scene::views`.
    View(usize),
}

/// Where a texture is read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// At texture coordinates of the mesh.
    Uv,
    /// At the pixel's place in the picture.
    Screen,
}

impl Word for Coordinates {
    const WORDS: &'static [(&'static str, Coordinates)] = &[("uv", Coordinates::Uv), ("screen", Coordinates::Screen)];
}

impl TexturePath {
    /// The file that it names.
    pub fn file(&self) -> Option<&Path> {
        if let TextureSource::File(file) = &self.source { Some(file) } else { None }
    }

    /// The view that it shows.
    pub fn view(&self) -> Option<usize> {
        if let TextureSource::View(view) = self.source { Some(view) } else { None }
    }
}

/// A texture named by a scene file.
#[derive(Clone, Debug, PartialEq)]
pub struct TexturePath {
    pub source: TextureSource,
    /// `None`: as the source has it.
    pub coordinates: Option<Coordinates>,
    pub uv_set: u32,
    pub transform: UvTransform,
    pub wrap: [Wrap; 2],
    pub mag_filter: Filter,
    pub min_filter: Filter,
    pub mip_filter: Option<Filter>,
    pub anisotropy: u16,
}

/// The filter between levels; none uses the full size only.
#[derive(Clone, Copy, Debug, PartialEq)]
struct MipFilter(Option<Filter>);

impl Word for MipFilter {
    const WORDS: &'static [(&'static str, MipFilter)] = &[
        ("nearest", MipFilter(Some(Filter::Nearest))),
        ("linear", MipFilter(Some(Filter::Linear))),
        ("none", MipFilter(None)),
    ];
}

impl Word for Filter {
    const WORDS: &'static [(&'static str, Filter)] = &[("nearest", Filter::Nearest), ("linear", Filter::Linear)];
}

impl Word for Wrap {
    const WORDS: &'static [(&'static str, Wrap)] =
        &[("repeat", Wrap::Repeat), ("mirror", Wrap::Mirror), ("clamp", Wrap::Clamp)];
}

/// A word for both axes, or one for each.
impl Plain for [Wrap; 2] {
    fn read(value: &Value) -> Option<[Wrap; 2]> {
        match Wrap::read(value) {
            Some(both) => Some([both; 2]),
            None => Vec::<Wrap>::read(value)?.try_into().ok(),
        }
    }

    fn print(&self) -> Option<String> {
        Some(list(self.iter().filter_map(Wrap::print)))
    }

    fn blank() -> [Wrap; 2] {
        [Wrap::Repeat; 2]
    }
}

/// What is written under `key`.
pub(super) fn texture(resolver: &mut Resolver<'_>, table: &Table, key: Key<Texture>) -> Option<TextureChoice> {
    let value = table.value(key.name())?;
    if value.kind.text() == Some("none") {
        return Some(TextureChoice::None);
    }
    picture(resolver, value).map(TextureChoice::File)
}

/// A picture's name, or a table that says more of it.
fn picture(resolver: &mut Resolver<'_>, value: &Value) -> Option<TexturePath> {
    let empty = Table::default();
    let (source, settings) = match &value.kind {
        Written::Text(name) => (TextureSource::File(resolver.file_named(name, value.place)), &empty),
        Written::Table(settings) if settings.has(VIEW) => {
            let names = resolver.views.clone();
            (TextureSource::View(resolver.name(settings, VIEW, &names).unwrap_or(0)), settings)
        }
        Written::Table(settings) => (TextureSource::File(resolver.file(settings, FILE)), settings),
        _ => return None,
    };
    let filter = settings.ask(FILTER);
    let texture = TexturePath {
        source,
        coordinates: settings.ask(COORDINATES),
        uv_set: settings.ask(UV_SET),
        transform: transform(settings),
        wrap: settings.ask(WRAP),
        mag_filter: settings.ask(MAG_FILTER).unwrap_or(filter),
        min_filter: settings.ask(MIN_FILTER).unwrap_or(filter),
        mip_filter: settings.ask(MIP_FILTER).0,
        anisotropy: settings.ask(ANISOTROPY),
    };
    let all_linear = [Some(texture.mag_filter), Some(texture.min_filter), texture.mip_filter];
    if texture.anisotropy > 1 && all_linear.iter().any(|f| *f != Some(Filter::Linear)) {
        let message = "`anisotropy` above 1 needs linear filters between texels and levels";
        resolver.complain_of(settings, &[ANISOTROPY.name()], code::WITHOUT_EFFECT, message);
    }
    Some(texture)
}

/// The picture under `key` of a node, which says itself where it is read; `None` where that has been reported.
pub(super) fn sampled(resolver: &mut Resolver<'_>, table: &Table, key: Key<Texture>) -> Option<TexturePath> {
    if let Some(Written::Table(settings)) = table.value(key.name()).map(|value| &value.kind) {
        let help = Some("link `uv` to a node `uv` or `uv_transform`");
        resolver.without_effect(settings, COORDINATES, "in a node", help);
        resolver.without_effect(settings, UV_SET, "in a node", help);
        resolver.without_effect(settings, OFFSET, "in a node", help);
        resolver.without_effect(settings, SCALE, "in a node", help);
        resolver.without_effect(settings, ROTATION_DEG, "in a node", help);
        resolver.without_effect(settings, MATRIX, "in a node", help);
    }
    picture(resolver, table.value(key.name())?)
}

/// Scale, then rotation, then offset; the rotation as KHR_texture_transform means it (v points down).
fn transform(settings: &Table) -> UvTransform {
    if let Some([x, y, offset]) = settings.ask(MATRIX) {
        return UvTransform { x, y, offset };
    }
    let [scale_u, scale_v] = settings.ask(SCALE);
    let (sin, cos) = sin_cos_deg(settings.ask(ROTATION_DEG));
    UvTransform {
        x: [(cos * scale_u) as f32, (sin * scale_v) as f32],
        y: [(-sin * scale_u) as f32, (cos * scale_v) as f32],
        offset: settings.ask(OFFSET),
    }
}

pub(super) fn print(out: &mut Printer<'_>, key: Key<Texture>, texture: &TextureChoice) {
    let texture = match texture {
        TextureChoice::None => return out.write(key.name(), &scene_text("none")),
        TextureChoice::File(texture) => texture,
    };
    let mut inner = match &texture.source {
        TextureSource::File(file) => out.inline().written(FILE, &out.name_of(file)),
        TextureSource::View(view) => out.inline().named(VIEW, &out.scene.views[*view].name),
    };
    inner.add(COORDINATES, texture.coordinates);
    if !matches!(out.thing, Thing::MaterialNode(..) | Thing::OverrideNode(..)) {
        inner.add(UV_SET, texture.uv_set);
    }
    let inner = inner
        .with(WRAP, texture.wrap)
        .with(MAG_FILTER, Some(texture.mag_filter))
        .with(MIN_FILTER, Some(texture.min_filter))
        .with(MIP_FILTER, MipFilter(texture.mip_filter))
        .with(ANISOTROPY, texture.anisotropy);
    let UvTransform { x, y, offset } = texture.transform;
    let is_moved = texture.transform != UvTransform::IDENTITY;
    let inner = inner.with(MATRIX, is_moved.then_some([x, y, offset]));
    out.write(key.name(), &inner.text());
}
