//! Surface: a row for each surface shader that is read, and what its inputs become.
//!
//! Inputs and defaults: `standard_surface.mtlx`, `gltf_pbr.mtlx`, `open_pbr_surface.mtlx`, `usd_preview_surface.mtlx`
//! of MaterialX 1.39. What a standard surface is in glTF's terms: `standard_surface_to_gltf_pbr.mtlx`.

use std::collections::BTreeSet;

use crate::scene::code;
use crate::scene::text::syntax::{Entry, Kind, Place, Table, Value};
use crate::source::did_you_mean;

use super::document::Element;
use super::maker::{At, Maker, Own};
use super::term::{Term, Trouble};

/// A kind of surface shader.
pub(super) struct Row {
    pub name: &'static str,
    pub inputs: &'static [Input],
    make: fn(&mut Shader<'_, '_, '_>),
}

pub(super) struct Input {
    pub name: &'static str,
    default: &'static [f32],
    is_shown: bool,
}

const fn input(name: &'static str, default: &'static [f32]) -> Input {
    Input { name, default, is_shown: true }
}

/// What changes no picture yet.
const fn unseen(name: &'static str, default: &'static [f32]) -> Input {
    Input { name, default, is_shown: false }
}

const ONES: &[f32] = &[1.0, 1.0, 1.0];
const ZEROS: &[f32] = &[0.0, 0.0, 0.0];
const GREY: &[f32] = &[0.8, 0.8, 0.8];
/// The surface's own.
const OWN: &[f32] = &[];

pub(super) const ROWS: &[Row] = &[
    Row {
        name: "standard_surface",
        inputs: &[
            input("base", &[1.0]),
            input("base_color", GREY),
            unseen("diffuse_roughness", &[0.0]),
            input("metalness", &[0.0]),
            input("specular", &[1.0]),
            input("specular_color", ONES),
            input("specular_roughness", &[0.2]),
            input("specular_IOR", &[1.5]),
            input("specular_anisotropy", &[0.0]),
            input("specular_rotation", &[0.0]),
            input("transmission", &[0.0]),
            input("transmission_color", ONES),
            input("transmission_depth", &[0.0]),
            unseen("transmission_scatter", ZEROS),
            unseen("transmission_scatter_anisotropy", &[0.0]),
            input("transmission_dispersion", &[0.0]),
            unseen("transmission_extra_roughness", &[0.0]),
            unseen("subsurface", &[0.0]),
            unseen("subsurface_color", ONES),
            unseen("subsurface_radius", ONES),
            unseen("subsurface_scale", &[1.0]),
            unseen("subsurface_anisotropy", &[0.0]),
            input("sheen", &[0.0]),
            input("sheen_color", ONES),
            input("sheen_roughness", &[0.3]),
            input("coat", &[0.0]),
            input("coat_color", ONES),
            input("coat_roughness", &[0.1]),
            unseen("coat_anisotropy", &[0.0]),
            unseen("coat_rotation", &[0.0]),
            unseen("coat_IOR", &[1.5]),
            unseen("coat_normal", OWN),
            unseen("coat_affect_color", &[0.0]),
            unseen("coat_affect_roughness", &[0.0]),
            input("thin_film_thickness", &[0.0]),
            input("thin_film_IOR", &[1.5]),
            input("emission", &[0.0]),
            input("emission_color", ONES),
            input("opacity", ONES),
            input("thin_walled", &[0.0]),
            input("normal", OWN),
            unseen("tangent", OWN),
        ],
        make: |shader| {
            let base = shader.product("base_color", "base");
            let tint = shader.get("coat_color");
            let coat = shader.get("coat");
            let base = match coat == Term::number(0.0) || tint == Term::Numbers(ONES.to_vec()) {
                true => base,
                false => {
                    let tint = shader.op("mix", 3, &[("a", &Term::Numbers(ONES.to_vec())), ("b", &tint), ("t", &coat)]);
                    shader.op("multiply", 3, &[("a", &base), ("b", &tint)])
                }
            };
            let base = shader.tinted(base, "transmission", "transmission_color", "transmission_depth");
            let opacity = shader.get("opacity");
            let alpha = shader.opacity(&opacity);
            shader.base_color(base, alpha, "base_color", Mode::Blend);
            shader.link("metallic", "metalness");
            shader.brushed("specular_roughness", "specular_anisotropy", |alpha, anisotropy| {
                let aspect = (1.0 - anisotropy.min(0.98)).sqrt();
                [(alpha / aspect).min(1.0), alpha * aspect]
            });
            shader.plain("specular", "specular", &[1.0]);
            shader.plain("specular_color", "specular_color", ONES);
            shader.plain("ior", "specular_IOR", &[1.5]);
            shader.turn("anisotropy_rotation_deg", "specular_rotation", -360.0);
            shader.plain("clearcoat", "coat", &[0.0]);
            shader.beside("clearcoat_roughness", "coat_roughness", &coat);
            let sheen = shader.product("sheen_color", "sheen");
            shader.put_plain("sheen_color", &sheen, "sheen_color", ZEROS);
            let fibres = shader.get("sheen");
            shader.beside("sheen_roughness", "sheen_roughness", &fibres);
            let abbe = shader.number("transmission_dispersion");
            let dispersion = if abbe > 0.0 { 20.0 / abbe } else { 0.0 };
            let is_thin = shader.number("thin_walled") > 0.5;
            shader.glass(["transmission", "transmission_color", "transmission_depth"], is_thin, dispersion);
            shader.film("thin_film_thickness", "thin_film_IOR", 1.0);
            let emissive = shader.product("emission_color", "emission");
            shader.emissive(emissive, "emission_color");
            shader.normal("normal");
            shader.flag("double_sided", "thin_walled");
        },
    },
    Row {
        name: "gltf_pbr",
        inputs: &[
            input("base_color", ONES),
            input("metallic", &[1.0]),
            input("roughness", &[1.0]),
            input("normal", OWN),
            unseen("tangent", OWN),
            input("occlusion", &[1.0]),
            input("transmission", &[0.0]),
            input("specular", &[1.0]),
            input("specular_color", ONES),
            input("ior", &[1.5]),
            input("alpha", &[1.0]),
            input("alpha_mode", &[0.0]),
            input("alpha_cutoff", &[0.5]),
            input("iridescence", &[0.0]),
            input("iridescence_ior", &[1.3]),
            input("iridescence_thickness", &[100.0]),
            input("sheen_color", ZEROS),
            input("sheen_roughness", &[0.0]),
            input("clearcoat", &[0.0]),
            input("clearcoat_roughness", &[0.0]),
            unseen("clearcoat_normal", OWN),
            input("emissive", ZEROS),
            input("emissive_strength", &[1.0]),
            input("thickness", &[0.0]),
            input("attenuation_distance", &[0.0]),
            input("attenuation_color", ONES),
            input("anisotropy_strength", &[0.0]),
            input("anisotropy_rotation", &[0.0]),
            input("dispersion", &[0.0]),
        ],
        make: |shader| {
            let (base, alpha) = (shader.get("base_color"), shader.get("alpha"));
            let mode = match shader.number("alpha_mode") as i32 {
                0 => Mode::Opaque,
                1 => Mode::Mask(shader.number("alpha_cutoff")),
                _ => Mode::Blend,
            };
            shader.base_color(base, alpha, "base_color", mode);
            shader.link("metallic", "metallic");
            shader.link("roughness", "roughness");
            if shader.is_given("occlusion") {
                shader.link("occlusion", "occlusion");
            }
            shader.plain("specular", "specular", &[1.0]);
            shader.plain("specular_color", "specular_color", ONES);
            shader.plain("ior", "ior", &[1.5]);
            shader.plain("anisotropy", "anisotropy_strength", &[0.0]);
            shader.turn("anisotropy_rotation_deg", "anisotropy_rotation", 180.0 / std::f32::consts::PI);
            let weight = shader.get("iridescence");
            shader.plain("iridescence", "iridescence", &[0.0]);
            shader.beside("iridescence_ior", "iridescence_ior", &weight);
            shader.beside("iridescence_thickness_nm", "iridescence_thickness", &weight);
            let sheen = shader.get("sheen_color");
            shader.plain("sheen_color", "sheen_color", ZEROS);
            let fibres = if sheen == Term::Numbers(ZEROS.to_vec()) { Term::number(0.0) } else { Term::number(1.0) };
            shader.beside("sheen_roughness", "sheen_roughness", &fibres);
            let coat = shader.get("clearcoat");
            shader.plain("clearcoat", "clearcoat", &[0.0]);
            shader.beside("clearcoat_roughness", "clearcoat_roughness", &coat);
            let through = shader.get("transmission");
            shader.plain("transmission", "transmission", &[0.0]);
            if through != Term::number(0.0) {
                shader.plain("thickness_m", "thickness", &[0.0]);
                shader.plain("attenuation_color", "attenuation_color", ONES);
                shader.plain("attenuation_distance_m", "attenuation_distance", &[0.0]);
                shader.plain("dispersion", "dispersion", &[0.0]);
            }
            let emissive = shader.product("emissive", "emissive_strength");
            shader.emissive(emissive, "emissive");
            shader.normal("normal");
        },
    },
    Row {
        name: "open_pbr_surface",
        inputs: &[
            input("base_weight", &[1.0]),
            input("base_color", GREY),
            input("base_diffuse_roughness", &[0.0]),
            input("base_metalness", &[0.0]),
            input("specular_weight", &[1.0]),
            input("specular_color", ONES),
            input("specular_roughness", &[0.3]),
            input("specular_ior", &[1.5]),
            input("specular_roughness_anisotropy", &[0.0]),
            input("transmission_weight", &[0.0]),
            input("transmission_color", ONES),
            input("transmission_depth", &[0.0]),
            unseen("transmission_scatter", ZEROS),
            unseen("transmission_scatter_anisotropy", &[0.0]),
            input("transmission_dispersion_scale", &[0.0]),
            input("transmission_dispersion_abbe_number", &[20.0]),
            input("subsurface_weight", &[0.0]),
            input("subsurface_color", GREY),
            input("subsurface_radius", &[1.0]),
            input("subsurface_radius_scale", &[1.0, 0.5, 0.25]),
            input("subsurface_scatter_anisotropy", &[0.0]),
            input("fuzz_weight", &[0.0]),
            input("fuzz_color", ONES),
            input("fuzz_roughness", &[0.5]),
            input("coat_weight", &[0.0]),
            input("coat_color", ONES),
            input("coat_roughness", &[0.0]),
            input("coat_roughness_anisotropy", &[0.0]),
            input("coat_ior", &[1.6]),
            input("coat_darkening", &[1.0]),
            input("thin_film_weight", &[0.0]),
            input("thin_film_thickness", &[0.5]),
            input("thin_film_ior", &[1.4]),
            input("emission_luminance", &[0.0]),
            input("emission_color", ONES),
            input("geometry_opacity", &[1.0]),
            input("geometry_thin_walled", &[0.0]),
            input("geometry_normal", OWN),
            unseen("geometry_coat_normal", OWN),
            unseen("geometry_tangent", OWN),
            unseen("geometry_coat_tangent", OWN),
        ],
        make: |shader| {
            shader.model("openpbr");
            let base = shader.product("base_color", "base_weight");
            let alpha = shader.get("geometry_opacity");
            shader.base_color(base, alpha, "base_color", Mode::Blend);
            shader.link("metallic", "base_metalness");
            shader.link("roughness", "specular_roughness");
            shader.same("base_diffuse_roughness");
            for name in ["specular_weight", "specular_color", "specular_ior", "specular_roughness_anisotropy"] {
                shader.same(name);
            }
            let beside = &["subsurface_color", "subsurface_radius_scale", "subsurface_scatter_anisotropy"];
            if shader.all_of("subsurface_weight", beside) {
                shader.plain("subsurface_radius_m", "subsurface_radius", &[1.0]);
            }
            shader.all_of(
                "coat_weight",
                &["coat_color", "coat_roughness", "coat_roughness_anisotropy", "coat_ior", "coat_darkening"],
            );
            shader.all_of("fuzz_weight", &["fuzz_color", "fuzz_roughness"]);
            if shader.all_of("transmission_weight", &["transmission_color"]) {
                shader.plain("transmission_depth_m", "transmission_depth", &[0.0]);
                if shader.number("geometry_thin_walled") <= 0.5 {
                    shader.put("thickness_m", &Term::number(1.0), "transmission_weight");
                    shader.all_of("transmission_dispersion_scale", &["transmission_dispersion_abbe_number"]);
                }
            }
            if shader.all_of("thin_film_weight", &["thin_film_ior"]) {
                // Micrometres.
                let thickness = shader.get("thin_film_thickness");
                let thickness = shader.op("multiply", 1, &[("a", &thickness), ("b", &Term::number(1000.0))]);
                shader.put_plain("thin_film_thickness_nm", &thickness, "thin_film_thickness", &[]);
            }
            let emissive = shader.product("emission_color", "emission_luminance");
            shader.emissive(emissive, "emission_color");
            shader.normal("geometry_normal");
            shader.flag("double_sided", "geometry_thin_walled");
        },
    },
    Row {
        name: "UsdPreviewSurface",
        inputs: &[
            input("diffuseColor", &[0.18, 0.18, 0.18]),
            input("emissiveColor", ZEROS),
            unseen("useSpecularWorkflow", &[0.0]),
            unseen("specularColor", ZEROS),
            input("metallic", &[0.0]),
            input("roughness", &[0.5]),
            input("clearcoat", &[0.0]),
            input("clearcoatRoughness", &[0.01]),
            input("opacity", &[1.0]),
            unseen("opacityMode", &[0.0]),
            input("opacityThreshold", &[0.0]),
            input("ior", &[1.5]),
            input("normal", &[0.0, 0.0, 1.0]),
            unseen("displacement", &[0.0]),
            input("occlusion", &[1.0]),
        ],
        make: |shader| {
            let (base, alpha) = (shader.get("diffuseColor"), shader.get("opacity"));
            let cutoff = shader.number("opacityThreshold");
            let mode = if cutoff > 0.0 { Mode::Mask(cutoff) } else { Mode::Blend };
            shader.base_color(base, alpha, "diffuseColor", mode);
            shader.link("metallic", "metallic");
            shader.link("roughness", "roughness");
            let coat = shader.get("clearcoat");
            shader.plain("clearcoat", "clearcoat", &[0.0]);
            shader.beside("clearcoat_roughness", "clearcoatRoughness", &coat);
            shader.plain("ior", "ior", &[1.5]);
            let emissive = shader.get("emissiveColor");
            shader.emissive(emissive, "emissiveColor");
            if shader.is_given("occlusion") {
                shader.link("occlusion", "occlusion");
            }
            // A direction beside the surface, from -1 to 1.
            let normal = shader.get("normal");
            if normal != Term::Numbers(vec![0.0, 0.0, 1.0]) {
                let half = Term::number(0.5);
                let texel = shader.op("multiply", 3, &[("a", &normal), ("b", &half)]);
                let texel = shader.op("add", 3, &[("a", &texel), ("b", &half)]);
                let own = Own { output: "normal", ..shader.own("normal_map", 3) };
                let normal = shader.maker.op(own, &[("texel", &texel)]);
                shader.put("normal", &normal, "normal");
            }
        },
    },
    Row {
        name: "surface_unlit",
        inputs: &[
            input("emission", &[1.0]),
            input("emission_color", ONES),
            unseen("transmission", &[0.0]),
            unseen("transmission_color", ONES),
            input("opacity", &[1.0]),
        ],
        make: |shader| {
            let (base, alpha) = (shader.product("emission_color", "emission"), shader.get("opacity"));
            shader.base_color(base, alpha, "emission_color", Mode::Blend);
            let place = shader.place;
            shader.add("unlit", Value { kind: Kind::Bool(true), place }, place);
        },
    },
];

/// What alpha means.
#[derive(Clone, Copy, Debug)]
enum Mode {
    Opaque,
    Mask(f32),
    Blend,
}

/// The keys of a material, from a surface shader.
pub(super) fn table<'d>(maker: &mut Maker<'d, '_>, element: Element<'d>) -> Table {
    let kind = element.tag_name().name();
    let place = maker.file.place(element);
    let Some(row) = ROWS.iter().find(|row| row.name == kind) else {
        let help = did_you_mean(kind, ROWS.iter().map(|row| row.name)).map_or_else(
            || {
                let names: Vec<String> = ROWS.iter().map(|row| format!("`{}`", row.name)).collect();
                format!("surface shaders that are read: {}", names.join(", "))
            },
            |near| format!("did you mean `{near}`?"),
        );
        maker.found.add(code::NOT_SHOWN, place, format!("a surface shader `{kind}` is not shown"), Some(help));
        return Table::default();
    };
    let at = maker.at(element);
    let mut shader = Shader { maker, at, row, place, entries: Vec::new() };
    (row.make)(&mut shader);
    shader.tell_of_others();
    let mut entries = shader.entries;
    let nodes = read_nodes(&entries, std::mem::take(&mut maker.nodes));
    if !nodes.is_empty() {
        let nodes = Value { kind: Kind::List(nodes), place };
        entries.push(Entry { key: "node".to_string(), key_place: place, value: nodes });
    }
    Table { entries }
}

/// The nodes that keys name, and those that these name. Each stands behind those that it names.
fn read_nodes(keys: &[Entry], nodes: Vec<Value>) -> Vec<Value> {
    let mut wanted: BTreeSet<String> = names_in(keys).collect();
    let mut out = Vec::new();
    for node in nodes.into_iter().rev() {
        let Kind::Table(table) = &node.kind else { continue };
        let name = table.value("name").and_then(|name| name.kind.text()).unwrap_or_default();
        if wanted.contains(name) {
            wanted.extend(names_in(&table.entries));
            out.push(node);
        }
    }
    out.reverse();
    out
}

fn names_in(entries: &[Entry]) -> impl Iterator<Item = String> {
    let texts = entries.iter().filter_map(|entry| entry.value.kind.text());
    texts.filter_map(|text| text.rsplit_once('.')).map(|(name, _)| name.to_string())
}

struct Shader<'a, 'd, 'f> {
    maker: &'a mut Maker<'d, 'f>,
    at: At<'d>,
    row: &'static Row,
    place: Place,
    entries: Vec<Entry>,
}

impl<'d> Shader<'_, 'd, '_> {
    fn own(&self, kind: &'static str, width: usize) -> Own<'d> {
        let base = self.at.element.attribute("name").unwrap_or("surface");
        Own { base, place: self.place, kind, output: "value", width }
    }

    fn op(&mut self, kind: &'static str, width: usize, pins: &[(&str, &Term)]) -> Term {
        let own = self.own(kind, width);
        self.maker.op(own, pins)
    }

    fn element(&self, name: &str) -> Option<Element<'d>> {
        self.maker.file.input(self.at.element, name)
    }

    fn is_given(&self, name: &str) -> bool {
        self.element(name).is_some()
    }

    /// Where an input is written; the shader where it is not.
    fn place_of(&self, name: &str) -> Place {
        self.element(name).map_or(self.place, |input| self.maker.place_of(input))
    }

    fn default(&self, name: &str) -> Term {
        let input = self.row.inputs.iter().find(|input| input.name == name);
        Term::Numbers(input.expect("an input of the row").default.to_vec())
    }

    /// An input, or its default: also where what it needs is not read, which is reported.
    fn get(&mut self, name: &str) -> Term {
        match self.maker.input(self.at, name) {
            None => self.default(name),
            Some((Ok(term), _)) => {
                let width = self.default(name).width();
                let place = self.place_of(name);
                if width == 0 { term } else { self.maker.widen(term, width, place) }
            }
            Some((Err(trouble), _)) => {
                if let Trouble::NotRead(why, place) = trouble {
                    let message = format!("`{name}` of `{}` is not shown: {why}", self.row.name);
                    self.tell(message, place, "it has its default instead");
                }
                self.default(name)
            }
        }
    }

    /// Once, though several keys may need the same input.
    fn tell(&mut self, message: String, place: Place, help: &str) {
        let is_known = self.maker.found.list.iter().any(|known| known.place == place && known.message == message);
        if !is_known {
            self.maker.found.add(code::NOT_SHOWN, place, message, Some(help.to_string()));
        }
    }

    fn number(&mut self, name: &str) -> f32 {
        let term = self.get(name);
        self.numbers(&term, name)
            .map_or_else(|| self.default(name).numbers().unwrap_or(&[0.0])[0], |numbers| numbers[0])
    }

    /// Its numbers; one that comes from nodes is reported.
    fn numbers(&mut self, term: &Term, name: &str) -> Option<Vec<f32>> {
        if term.numbers().is_none() {
            let message = format!("`{name}` of `{}` is not shown: it comes from nodes", self.row.name);
            let place = self.place_of(name);
            self.tell(message, place, "give it one value for the whole surface");
        }
        term.numbers().map(<[f32]>::to_vec)
    }

    fn product(&mut self, color: &str, weight: &str) -> Term {
        let (color, weight) = (self.get(color), self.get(weight));
        match weight == Term::number(1.0) {
            true => color,
            false => self.op("multiply", 3, &[("a", &color), ("b", &weight)]),
        }
    }

    fn add(&mut self, key: &str, value: Value, place: Place) {
        self.entries.push(Entry { key: key.to_string(), key_place: place, value });
    }

    /// A key that can name a node.
    fn put(&mut self, key: &str, term: &Term, name: &str) {
        let place = self.place_of(name);
        self.add(key, term.value(place), place);
    }

    fn link(&mut self, key: &str, name: &str) {
        let term = self.get(name);
        // `occlusion`, `normal` and `alpha` are nodes' alone.
        let term = match term.numbers() {
            Some(_) if key == "occlusion" => self.constant(&term),
            _ => term,
        };
        self.put(key, &term, name);
    }

    fn constant(&mut self, term: &Term) -> Term {
        let own = self.own("constant", term.width());
        let place = self.place;
        self.maker.emit(own, &[], vec![("value", term.value(place))])
    }

    /// A key that is a number or a colour for the whole surface. Its default need not be written.
    fn put_plain(&mut self, key: &str, term: &Term, name: &str, default: &[f32]) {
        let Some(numbers) = self.numbers(term, name) else { return };
        if numbers != default {
            self.put(key, term, name);
        }
    }

    fn plain(&mut self, key: &str, name: &str, default: &[f32]) {
        let term = self.get(name);
        self.put_plain(key, &term, name, default);
    }

    fn model(&mut self, name: &str) {
        let place = self.place;
        self.add("model", Value { kind: Kind::Text(name.to_string()), place }, place);
    }

    /// A key of the same name for the whole surface.
    fn same(&mut self, name: &'static str) {
        let default = self.default(name);
        self.plain(name, name, default.numbers().expect("defaults are numbers"));
    }

    /// A weight, and what counts beside it alone: whether it is there.
    fn all_of(&mut self, weight: &'static str, beside: &[&'static str]) -> bool {
        self.same(weight);
        let is_there = self.get(weight) != Term::number(0.0);
        if is_there {
            beside.iter().for_each(|name| self.same(name));
        }
        is_there
    }

    /// What counts beside a weight alone.
    fn beside(&mut self, key: &str, name: &str, weight: &Term) {
        if weight != &Term::number(0.0) {
            self.plain(key, name, &[]);
        }
    }

    fn turn(&mut self, key: &str, name: &str, factor: f32) {
        let term = self.get(name);
        let Some(numbers) = self.numbers(&term, name) else { return };
        if numbers[0] != 0.0 {
            self.put(key, &Term::number(numbers[0] * factor), name);
        }
    }

    /// Roughness and anisotropy, from the widths of the highlight along and across the brushing. glTF's are
    /// `mix(a, 1, anisotropy^2)` and `a = roughness^2`.
    fn brushed(&mut self, roughness: &str, anisotropy: &str, widths: fn(f32, f32) -> [f32; 2]) {
        let (rough, brushed) = (self.get(roughness), self.get(anisotropy));
        if brushed == Term::number(0.0) {
            return self.link("roughness", roughness);
        }
        match (rough.numbers(), brushed.numbers()) {
            (Some(rough), Some(brushed)) => {
                let [along, across] = widths(rough[0] * rough[0], brushed[0].clamp(0.0, 1.0));
                let strength = if across < 1.0 { ((along - across).max(0.0) / (1.0 - across)).sqrt() } else { 0.0 };
                self.put("roughness", &Term::number(across.sqrt()), roughness);
                self.put("anisotropy", &Term::number(strength), anisotropy);
            }
            _ => {
                self.link("roughness", roughness);
                let message = format!("`{anisotropy}` of `{}` is not shown: it comes from nodes", self.row.name);
                let place = self.place_of(anisotropy);
                self.tell(message, place, "give it and the roughness one value for the whole surface");
            }
        }
    }

    /// The base colour of glass without a depth is that of what goes through (`standard_surface_to_gltf_pbr.mtlx`).
    fn tinted(&mut self, base: Term, weight: &str, color: &str, depth: &str) -> Term {
        let through = self.get(weight);
        if through == Term::number(0.0) {
            return base;
        }
        let tint = if self.number(depth) > 0.0 { Term::Numbers(ONES.to_vec()) } else { self.get(color) };
        let share = self.op("multiply", 1, &[("a", &through), ("b", &through)]);
        self.op("mix", 3, &[("a", &base), ("b", &tint), ("t", &share)])
    }

    /// Light that goes through: its weight, its colour, and the depth in which white becomes that colour.
    fn glass(&mut self, [weight, color, depth]: [&str; 3], is_thin: bool, dispersion: f32) {
        self.plain("transmission", weight, &[0.0]);
        if is_thin || self.get(weight) == Term::number(0.0) {
            return;
        }
        self.put("thickness_m", &Term::number(1.0), weight);
        let depth_m = self.number(depth);
        if depth_m > 0.0 {
            self.plain("attenuation_color", color, ONES);
            self.put("attenuation_distance_m", &Term::number(depth_m), depth);
        }
        if dispersion > 0.0 {
            self.put("dispersion", &Term::number(dispersion), weight);
        }
    }

    /// A thin film is there where it has a thickness.
    fn film(&mut self, thickness: &str, ior: &str, nanometres: f32) {
        let term = self.get(thickness);
        let Some(numbers) = self.numbers(&term, thickness) else { return };
        if numbers[0] > 0.0 {
            self.put("iridescence", &Term::number(1.0), thickness);
            self.put("iridescence_thickness_nm", &Term::number(numbers[0] * nanometres), thickness);
            self.plain("iridescence_ior", ior, &[]);
        }
    }

    fn flag(&mut self, key: &str, name: &str) {
        if self.number(name) > 0.5 {
            let place = self.place_of(name);
            self.add(key, Value { kind: Kind::Bool(true), place }, place);
        }
    }

    /// Its luminance.
    fn opacity(&mut self, color: &Term) -> Term {
        match color.numbers() {
            Some(numbers) if numbers.iter().all(|x| *x == numbers[0]) => Term::number(numbers[0]),
            Some(numbers) => Term::number(0.2126 * numbers[0] + 0.7152 * numbers[1] + 0.0722 * numbers[2]),
            None => self.op("luminance", 1, &[("color", color)]),
        }
    }

    fn base_color(&mut self, base: Term, alpha: Term, name: &str, mode: Mode) {
        let is_opaque = matches!(mode, Mode::Opaque) || alpha == Term::number(1.0);
        match (base.numbers(), alpha.numbers()) {
            (Some(rgb), Some(own)) if !is_opaque => {
                let rgba = Term::Numbers(vec![rgb[0], rgb[1], rgb[2], own[0]]);
                self.put("base_color", &rgba, name);
            }
            _ => {
                self.put("base_color", &base, name);
                if !is_opaque {
                    let alpha = if alpha.numbers().is_some() { self.constant(&alpha) } else { alpha };
                    self.put("alpha", &alpha, name);
                }
            }
        }
        if is_opaque {
            return;
        }
        let place = self.place;
        let word = if matches!(mode, Mode::Mask(_)) { "mask" } else { "blend" };
        self.add("alpha_mode", Value { kind: Kind::Text(word.to_string()), place }, place);
        if let Mode::Mask(cutoff) = mode {
            self.add("alpha_cutoff", Term::number(cutoff).value(place), place);
        }
    }

    fn emissive(&mut self, term: Term, name: &str) {
        if term.numbers().is_none_or(|numbers| numbers.iter().any(|x| *x != 0.0)) {
            self.put("emissive", &term, name);
        }
    }

    fn normal(&mut self, name: &str) {
        if !self.is_given(name) {
            return;
        }
        let term = self.get(name);
        if term.numbers().is_none() {
            self.put("normal", &term, name);
        } else if term.width() > 0 {
            let place = self.place_of(name);
            let message = format!("`{name}` of `{}` is not shown: it is one direction", self.row.name);
            self.tell(message, place, "connect it to a node");
        }
    }

    /// Inputs that are written and change nothing, or that there are not.
    fn tell_of_others(&mut self) {
        let elements: Vec<Element<'d>> = self.maker.file.inputs(self.at.element).collect();
        for element in elements {
            let name = element.attribute("name").unwrap_or_default();
            let Some(input) = self.row.inputs.iter().find(|input| input.name == name) else {
                let place = self.maker.file.place(element);
                let message = format!("`{}` has no input `{name}`", self.row.name);
                let help = did_you_mean(name, self.row.inputs.iter().map(|input| input.name));
                let help = help.map(|near| format!("did you mean `{near}`?"));
                self.maker.found.add(code::UNKNOWN_KEY, place, message, help);
                continue;
            };
            if input.is_shown {
                continue;
            }
            let is_default = self.maker.input(self.at, name).is_some_and(|(made, _)| match made {
                Ok(term) => term.numbers() == Some(input.default),
                Err(Trouble::Told) => true,
                Err(Trouble::NotRead(..)) => false,
            });
            if !is_default {
                let place = self.maker.file.place(element);
                let message = format!("`{name}` of `{}` is not shown", self.row.name);
                self.tell(message, place, "the picture is as if it had its default");
            }
        }
    }
}
