//! The sweep of keys: every text that can be emitted is valid WGSL, and no two keys share one.
//!
//! There are tens of thousands of keys, and a text takes milliseconds to validate. But texts are made of few different
//! items (functions, structs, variables), so each item is validated once, with what it uses: a text is cut into its
//! items, an item is the same as one of another key if its words and everything it uses are, and one module holds many
//! keys' items under names of their own.

use std::collections::{BTreeMap, BTreeSet};

use super::layout::{sampler_binding, texture_binding};
use super::{
    Bending, Blending, Gbuffer, Kept, Key, LayerId, MATERIAL_FLOATS, Round, Streams, Switches, Variant, emit,
    is_forward_only, shade_key, sums_key,
};
use crate::light::{Asks, Kinds, Techniques};
use crate::scene::{ShadowTechnique, Sums};
use crate::shader;

/// Items validated in one module.
const MODULE_ITEMS: usize = 600;

const ALPHA_MODES: [crate::asset::AlphaMode; 5] = {
    use crate::asset::AlphaMode::{Blend, Coverage, Hashed, Mask, Opaque};
    [Opaque, Mask { cutoff: 0.5 }, Blend, Hashed, Coverage]
};

/// What a text may begin with.
const ENABLE: &str = "enable primitive_index;";

/// Every key that can come out of `Key::new`, `Key::bent` and `Key::sampled`, textures by the bits of a number.
fn keys() -> Vec<Key> {
    use crate::asset::{
        AlphaMode, Filter, ImageId, Material, Reflection, Slot, TextureSlot, UvTransform, Wrap, textures,
    };
    let (mut out, mut unbent) = (BTreeSet::new(), BTreeSet::new());
    for bits in 0..1u32 << 15 {
        let bit = |i: u32| bits >> i & 1 == 1;
        let turned = UvTransform { x: [0.0, 1.0], y: [-1.0, 0.0], offset: [0.5, 0.0] };
        let slot = |on: bool, uv_set| {
            on.then(|| TextureSlot {
                image: ImageId::new(0),
                uv_set,
                on_screen: false,
                transform: if bit(5) { turned } else { UvTransform::IDENTITY },
                wrap: [Wrap::Repeat; 2],
                mag_filter: Filter::Linear,
                min_filter: Filter::Linear,
                mip_filter: None,
                anisotropy: 1,
            })
        };
        for alpha_mode in ALPHA_MODES {
            let material = Material {
                textures: textures((0..).zip(Slot::OF_ALL).map(|(i, own)| (own, slot(bit(i), u32::from(i == 0))))),
                double_sided: bit(6),
                unlit: bit(7),
                reflection: Reflection { f90: if bit(13) { 0.5 } else { 1.0 }, ..Reflection::default() },
                alpha_mode,
                ..Material::default()
            };
            let streams = Streams { uv1: bit(8), colors: bit(9) };
            let kinds = Kinds::default();
            let switches = Switches {
                lights: bit(10),
                shadows: bit(10) && bit(11),
                techniques: Techniques::default(),
                environment: bit(12),
                occluded: bit(12) && bit(8),
                reflects: false,
                probes: bit(12) && bit(9),
                asks: if bit(10) && bit(14) { Asks::Clusters } else { Asks::All },
                behind: false,
                kinds,
                sums: None,
                subsurface: false,
            };
            // Each kind of light by itself, and all: with what can be beside it in a text.
            let alone = Kinds::unusual().map(|place| Kinds::of([place]));
            let all = Kinds::of(Kinds::unusual());
            let shaded = [Kinds::default(), all].map(|kinds| kinds.with_functions(true));
            let kinds = alone.chain([all]).chain(shaded).filter(|_| bit(10) && bits & 0x1ff == 0);
            let more = kinds.map(|kinds| (Variant::Lit, Switches { kinds, ..switches }));
            // Each technique of shadows by itself, and all.
            let techniques = ShadowTechnique::ALL.iter().map(|own| Techniques::of([*own]));
            let all = Techniques::of(ShadowTechnique::ALL.iter().copied());
            let techniques = techniques.chain([all]);
            let beside = [Techniques::default(), all, Techniques::of([ShadowTechnique::Csm])];
            let beside = beside
                .into_iter()
                .flat_map(|of| [of.with_contact(true), of.with_veils(true), of.with_contact(true).with_veils(true)]);
            let techniques = techniques.chain(beside);
            let techniques = techniques.filter(|_| switches.shadows && bits & 0x1ff == 0);
            let techniques: Vec<_> =
                techniques.map(|techniques| (Variant::Lit, Switches { techniques, ..switches })).collect();
            let usual = [Variant::Lit, Variant::Aov, Variant::Motion, Variant::Depth, Variant::Store(Gbuffer::Exact)]
                .map(|of| (of, switches));
            let fetched = [Variant::Store(Gbuffer::Ids), Variant::Fetched].map(|of| (of, switches));
            let blanks = [Gbuffer::Exact, Gbuffer::Packed, Gbuffer::Shape, Gbuffer::Ids].map(Kept::Stored);
            let blanks = blanks.into_iter().chain([Kept::Light]).map(|kept| (Variant::Blank(kept), switches));
            let rounds = [Round::First, Round::Next, Round::Last].map(|of| (Variant::Round(of), switches));
            let rounds = rounds.into_iter().filter(|_| switches.lights);
            let fetched = fetched.into_iter().chain(rounds).chain(blanks).filter(|_| alpha_mode != AlphaMode::Blend);
            // Layers: with all textures and without.
            let layers = LayerId::all().filter(|_| [0, 31].contains(&(bits & 31)));
            let layers = layers.map(|id| (Variant::Layer(id), switches));
            let blending =
                [Blending::Weighted, Blending::Nearest, Blending::Peeled, Blending::Counted, Blending::Listed];
            let blending = blending.into_iter().filter(|_| alpha_mode == AlphaMode::Blend && bits & 31 == 31);
            let blending = blending.map(|how| (Variant::Blending(how), switches));
            let veils = (alpha_mode == AlphaMode::Blend).then_some((Variant::Veil, switches));
            // Sums hold what is lit and not blended.
            let has_sums = bit(10) && !bit(7) && matches!(alpha_mode, AlphaMode::Opaque | AlphaMode::Mask { .. });
            let summed = [Sums::Coloured, Sums::Grey].map(Variant::Summed);
            let summed = summed.into_iter().chain([Variant::Store(Gbuffer::Shape)]).filter(|_| has_sums);
            let summed = summed.map(|variant| (variant, switches));
            if has_sums {
                out.extend([Sums::Coloured, Sums::Grey].map(|sums| sums_key(sums, switches)));
            }
            let all = usual
                .into_iter()
                .chain(layers)
                .chain(blending)
                .chain(veils)
                .chain(more)
                .chain(techniques)
                .chain(summed)
                .chain(fetched);
            unbent.extend(all.map(|(variant, switches)| Key::new(variant, &material, streams, switches)));
        }
    }
    // Different materials have equal keys: those are bent once.
    for key in unbent {
        let is_fetched = key.variant == Variant::Fetched;
        let is_round = matches!(key.variant, Variant::Round(_));
        let samples: &[u32] = if is_fetched || is_round { &[1] } else { &[1, 4] };
        for bending in [Bending::No, Bending::Streams, Bending::Vertex, Bending::Crowd] {
            if !(is_fetched && bending.in_shader()) {
                out.extend(samples.iter().map(|&n| key.clone().bent(bending).sampled(n, n > 1 || is_round)));
            }
        }
    }
    out.extend(keys_of_models());
    out.into_iter().collect()
}

/// Keys with lighting models, layers and their textures.
fn keys_of_models() -> BTreeSet<Key> {
    use crate::asset::{
        Filter, ImageId, Lighting, Material, ModelId, Reflection, Slot, TextureSlot, UvTransform, Wrap,
    };
    let texture = TextureSlot {
        image: ImageId::new(0),
        uv_set: 0,
        on_screen: false,
        transform: UvTransform::IDENTITY,
        wrap: [Wrap::Repeat; 2],
        mag_filter: Filter::Linear,
        min_filter: Filter::Linear,
        mip_filter: None,
        anisotropy: 1,
    };
    let mut out = BTreeSet::new();
    for model in ModelId::all() {
        let mut weights: Vec<&str> = model.row().layers.iter().flat_map(|layer| layer.weights).copied().collect();
        weights.sort_unstable();
        weights.dedup();
        weights.retain(|weight| *weight != "specular" && *weight != "subsurface_weight");
        let own = model.row().slots;
        // No texture, each alone, each missing, all; a normal map beside all.
        let sets = (0..2 * own.len() + 3).map(|at| -> Vec<Slot> {
            let (from, count) = (at.saturating_sub(1), own.len());
            match at {
                0 => Vec::new(),
                _ if from < count => vec![own[from]],
                _ if from < 2 * count => own.iter().copied().filter(|slot| *slot != own[from - count]).collect(),
                _ if from == 2 * count => own.to_vec(),
                _ => own.iter().copied().chain([Slot::Normal]).collect(),
            }
        });
        for (set, at) in sets.zip(0..) {
            for bits in 0..1u32 << (6 + weights.len()) {
                let bit = |i: u32| bits >> i & 1 == 1;
                // With textures: all layers, under each kind of light.
                if at > 0 && (bits >> 6 != (1 << weights.len()) - 1 || bit(0)) {
                    continue;
                }
                // Many layers at once: in the light of everything.
                if (bits >> 6).count_ones() > 2 && bits & 0b11100 != 0b11100 {
                    continue;
                }
                let mut lighting = Lighting::new(model);
                for (at, weight) in weights.iter().enumerate() {
                    lighting.set(weight, if bit(6 + at as u32) { [0.5; 3] } else { [0.0; 3] });
                }
                // Its radius is its switch.
                let radius = weights.iter().position(|weight| *weight == "subsurface_radius_m");
                let scatters = radius.is_some_and(|at| bit(6 + at as u32));
                if radius.is_some() {
                    lighting.set("subsurface_weight", [0.5; 3]);
                }
                let reflection = Reflection { f90: if bit(0) { 0.5 } else { 1.0 }, ..Reflection::default() };
                let textures = set.iter().map(|slot| (*slot, texture.clone())).collect();
                let material = Material {
                    double_sided: bit(1),
                    specular_aa: bit(1) && bit(5),
                    reflection,
                    lighting,
                    textures,
                    ..Material::default()
                };
                let kinds = if bit(2) && bit(5) { Kinds::of(Kinds::unusual()) } else { Kinds::default() };
                let kinds = kinds.with_functions(bit(2) && bit(3) && bit(5));
                let (lights, shadows) = (bit(2), bit(2) && bit(3));
                let techniques = Techniques::default();
                let behind = bits >> 6 & 1 == 1 || bits >> 6 == (1 << weights.len()) - 1 || bits >> 6 == 0 && bit(0);
                let asks = if lights && bit(1) { Asks::Tiles } else { Asks::All };
                let (environment, probes) = (bit(4), bit(4) && bit(0));
                let subsurface = (lights || bit(4)) && (scatters || bits >> 6 == 0 && bit(1));
                let switches = Switches {
                    lights,
                    shadows,
                    techniques,
                    environment,
                    occluded: environment && bit(1),
                    reflects: environment && behind && bit(3),
                    probes,
                    asks,
                    behind,
                    kinds,
                    sums: None,
                    subsurface,
                };
                let key = Key::new(Variant::Lit, &material, Streams { uv1: false, colors: bit(5) }, switches);
                out.extend([Bending::No, Bending::Vertex].map(|bending| key.clone().bent(bending).sampled(4, true)));
                if scatters && subsurface {
                    let key =
                        Key::new(Variant::Irradiance, &material, Streams { uv1: false, colors: bit(5) }, switches);
                    out.extend([Bending::No, Bending::Vertex].map(|bending| key.clone().bent(bending)));
                }
                if crate::asset::transmits(&material) && !lights && !environment {
                    out.insert(Key::new(Variant::Veil, &material, Streams { uv1: false, colors: bit(5) }, switches));
                }
                let switches = Switches { subsurface: false, ..switches };
                if !behind {
                    let streams = Streams { uv1: false, colors: bit(5) };
                    out.insert(Key::new(Variant::Fetched, &material, streams, switches).sampled(1, false));
                    let rounds = [Round::First, Round::Next, Round::Last].into_iter().filter(|_| lights);
                    let rounds = rounds.map(|round| Key::new(Variant::Round(round), &material, streams, switches));
                    out.extend(rounds.map(|key| key.sampled(1, true)));
                }
                let stored = Key::new(
                    Variant::Store(if bit(5) { Gbuffer::Packed } else { Gbuffer::Exact }),
                    &material,
                    Streams { uv1: false, colors: bit(5) },
                    switches,
                );
                if !behind && !is_forward_only(&stored) {
                    out.extend([shade_key(&stored, switches), stored]);
                }
            }
        }
    }
    out
}

/// The top-level items of a text: functions, structs and variables, each with its attributes and with the comments
/// before it.
fn items(text: &str) -> Vec<&str> {
    let (mut out, mut from, mut depth, mut in_comment) = (Vec::new(), 0, 0, false);
    let bytes = text.as_bytes();
    for (at, byte) in bytes.iter().enumerate() {
        match byte {
            b'\n' => in_comment = false,
            b'/' if bytes.get(at + 1) == Some(&b'/') => in_comment = true,
            _ if in_comment => {}
            b'{' => depth += 1,
            b'}' | b';' => {
                depth -= i32::from(*byte == b'}');
                if depth == 0 {
                    out.push(text[from..=at].trim());
                    from = at + 1;
                }
            }
            _ => {}
        }
    }
    assert_eq!(code(&text[from..]).trim(), "", "every item ends");
    out.retain(|item| *item != ";");
    out
}

/// Without comments.
fn code(text: &str) -> String {
    text.lines().map(|line| line.split("//").next().unwrap_or("").trim_end()).collect::<Vec<_>>().join("\n")
}

fn is_word(c: char) -> bool {
    c.is_ascii_alphanumeric() || c == '_'
}

/// The words of an item and what is between them.
fn words(item: &str) -> Vec<&str> {
    let mut out = Vec::new();
    let mut rest = item;
    while let Some(first) = rest.chars().next() {
        let end = rest.find(|c| is_word(c) != is_word(first)).unwrap_or(rest.len());
        let (word, after) = rest.split_at(end);
        out.push(word);
        rest = after;
    }
    out
}

/// The name that an item declares.
fn name_of(item: &str) -> &str {
    let words = words(item);
    let at = words.iter().position(|word| ["fn", "struct", "const", "var", "alias"].contains(word));
    let at = at.unwrap_or_else(|| panic!("no item: {item}"));
    // `var<storage, read> name`.
    let has_space = words.get(at + 1).is_some_and(|next| next.starts_with('<'));
    let skip = if has_space { words[at..].iter().position(|w| w.contains('>')).unwrap_or(0) } else { 0 };
    words[at + skip + 1..].iter().find(|word| word.starts_with(is_word)).expect("a name")
}

/// An item as it is written.
struct Written {
    text: String,
    name: String,
    /// Positions of the words that can name other items: not members, parameters, attributes and what stands behind
    /// `let` and `var`.
    outside: Vec<usize>,
    /// Those words, each once.
    names: BTreeSet<String>,
}

impl Written {
    fn new(text: &str) -> Written {
        let words = words(text);
        let name = name_of(text);
        let mut locals = BTreeSet::new();
        for (at, word) in words.iter().enumerate() {
            let is_typed = words.get(at + 1).is_some_and(|next| next.trim_start().starts_with(':'));
            let is_bound = at >= 2 && ["let", "var"].contains(&words[at - 2]);
            if (is_typed || is_bound) && *word != name {
                locals.insert(*word);
            }
        }
        let is_outside = |at: &usize| {
            let is_part = *at > 0 && words[at - 1].ends_with(['.', '@']);
            words[*at].starts_with(is_word) && !is_part && !locals.contains(words[*at])
        };
        let outside: Vec<usize> = (0..words.len()).filter(is_outside).collect();
        let mut names: BTreeSet<String> = outside.iter().map(|at| words[*at].to_string()).collect();
        names.remove(name);
        Written { name: name.to_string(), outside, names, text: text.to_string() }
    }

    /// Its text with other names.
    fn renamed(&self, name: &dyn Fn(&str) -> Option<String>) -> String {
        let mut out = String::new();
        let mut outside = self.outside.iter().copied().peekable();
        for (at, word) in words(&self.text).into_iter().enumerate() {
            let other = outside.next_if_eq(&at).and_then(|_| name(word));
            out.push_str(other.as_deref().unwrap_or(word));
        }
        out
    }
}

/// Different items, each under a name that no other one has.
#[derive(Default)]
struct Items {
    written: Vec<Written>,
    by_text: BTreeMap<String, usize>,
    /// By what is written and by the items that it uses.
    numbers: BTreeMap<(usize, Vec<usize>), usize>,
    texts: Vec<String>,
    uses: Vec<Vec<usize>>,
}

impl Items {
    /// The numbers of a text's items.
    fn add(&mut self, text: &str) -> Vec<usize> {
        let mut at: BTreeMap<String, usize> = BTreeMap::new();
        let mut all = Vec::new();
        // Before every module, not in it.
        for item in items(&text.replacen(ENABLE, "", 1)) {
            let written = self.by_text.get(item).copied().unwrap_or_else(|| {
                self.by_text.insert(item.to_string(), self.written.len());
                self.written.push(Written::new(code(item).trim()));
                self.written.len() - 1
            });
            let twice = at.insert(self.written[written].name.clone(), written);
            assert_eq!(twice, None, "every item has a name of its own: {item}");
            all.push(written);
        }
        let mut known = BTreeMap::new();
        all.into_iter().map(|item| self.number(&at, item, &mut known)).collect()
    }

    /// The number of one item of a text, after those that it uses. `at`: the text's items by name. WGSL has no
    /// recursion.
    fn number(&mut self, at: &BTreeMap<String, usize>, item: usize, known: &mut BTreeMap<usize, usize>) -> usize {
        if let Some(number) = known.get(&item) {
            return *number;
        }
        let used: Vec<usize> = self.written[item].names.iter().filter_map(|name| at.get(name).copied()).collect();
        let uses: Vec<usize> = used.iter().map(|other| self.number(at, *other, known)).collect();
        let next = self.texts.len();
        let number = *self.numbers.entry((item, uses.clone())).or_insert(next);
        if number == next {
            let written = &self.written[item];
            let mut names: BTreeMap<&str, usize> = BTreeMap::from([(written.name.as_str(), number)]);
            names.extend(used.iter().map(|other| self.written[*other].name.as_str()).zip(uses.iter().copied()));
            let text = written.renamed(&|word| names.get(word).map(|number| format!("{word}_{number}")));
            self.texts.push(text);
            self.uses.push(uses);
        }
        known.insert(item, number);
        number
    }

    /// A module of these items and of all that they use.
    fn module(&self, wanted: impl Iterator<Item = usize>) -> String {
        let mut all = BTreeSet::new();
        let mut stack: Vec<usize> = wanted.collect();
        while let Some(item) = stack.pop() {
            if all.insert(item) {
                stack.extend(&self.uses[item]);
            }
        }
        let items = all.into_iter().map(|item| format!("{}\n", self.texts[item]));
        [format!("{ENABLE}\n")].into_iter().chain(items).collect()
    }
}

#[test]
fn every_key_emits_valid_text_and_equal_bindings() {
    let keys = keys();
    assert!(keys.len() > 5000, "{} keys", keys.len());
    let mut items = Items::default();
    let mut modules: BTreeMap<Vec<usize>, Key> = BTreeMap::new();
    for key in &keys {
        let numbers = items.add(&emit(key));
        compare_bindings(key, numbers.iter().map(|number| items.texts[*number].as_str()));
        if let Some(other) = modules.insert(numbers, key.clone()) {
            panic!("two keys, one text: {other} and {key}");
        }
    }
    for (number, text) in items.texts.iter().enumerate() {
        assert_eq!(shader::folded_constants(text), Vec::<String>::new(), "item {number}: {text}");
    }
    let count = items.texts.len();
    for first in (0..count).step_by(MODULE_ITEMS) {
        let text = items.module(first..count.min(first + MODULE_ITEMS));
        let module = shader::check(&text).unwrap_or_else(|error| panic!("{error}"));
        for (_, ty) in module.types.iter().filter(|(_, ty)| ty.name.as_deref().is_some_and(is_material)) {
            let naga::TypeInner::Struct { span, .. } = &ty.inner else { panic!("Material is a struct") };
            assert!(*span as usize >= MATERIAL_FLOATS * 4);
        }
    }
}

fn is_material(name: &str) -> bool {
    name.strip_prefix("Material_").is_some_and(|number| number.bytes().all(|b| b.is_ascii_digit()))
}

/// Group 2 of a text against the layout's table, and that it has its entry points.
fn compare_bindings<'a>(key: &Key, items: impl Iterator<Item = &'a str>) {
    let (mut found, mut entry_points) = (Vec::new(), Vec::new());
    for item in items {
        if let Some((_, binding)) = item.split_once("@group(2) @binding(") {
            found.push(binding.split(')').next().unwrap_or("").parse::<u32>().expect("a number"));
        }
        entry_points.extend(["@vertex", "@fragment"].into_iter().filter(|stage| item.starts_with(stage)));
    }
    found.sort_unstable();
    // Of a screen it is the pass's.
    if key.is_screen() {
        found.clear();
    }
    let mut want: Vec<u32> = key.reads_material().then_some(0).into_iter().collect();
    let slots = key.inputs.textures;
    for slot in slots.iter() {
        want.extend([texture_binding(slots, slot), sampler_binding(slots, slot)]);
    }
    assert_eq!(found, want, "{key}");
    let stages = ["@vertex", "@fragment"];
    assert_eq!(entry_points, stages, "{key}");
}

/// A fault in one item of one key is found.
#[test]
fn a_wrong_item_is_found() {
    let key = &keys()[0];
    let text = emit(key);
    let mut items = Items::default();
    items.add(&text);
    let all = items.texts.len();
    assert!(shader::check(&items.module(0..all)).is_ok());
    items.add(&text.replacen("let object = objects[in.instance];", "let object = objects[in.instances];", 1));
    assert_eq!(items.texts.len(), all + 1, "one function differs");
    assert!(shader::check(&items.module(0..all)).is_ok());
    assert!(shader::check(&items.module(all..all + 1)).is_err());
}
