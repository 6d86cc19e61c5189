//! Key: everything that decides a shader's text. Two items with equal keys share it.

use std::fmt;
use std::sync::Arc;

use stillframe_graph::{Geometry, Output, Program};

use crate::asset::{AlphaMode, GraphUse, Hook, Material, Slot, Slots, UvTransform, scatters, transmits};

use super::{Gbuffer, Kept, LayerId, Lobes};
use crate::light::{Asks, Kinds, Techniques};
use crate::scene::{Reads, Sums};

/// What is turned to the side that is seen.
const FRAME: [Geometry; 5] =
    [Geometry::Normal, Geometry::MeshNormal, Geometry::Tangent, Geometry::Bitangent, Geometry::ViewNormal];

/// What a shader is for. Each prunes the key to what it needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Variant {
    /// Light that reaches the camera.
    Lit,
    /// Depth, normal, albedo and id at pixel centres.
    Aov,
    /// Where surface points were one frame before, at pixel centres.
    Motion,
    /// Light that reaches the camera through blended surfaces that are put together later.
    Blending(Blending),
    /// Depth alone.
    Depth,
    /// What a surface keeps of light on its way, and its depth.
    Veil,
    /// What a surface is made of, to be shaded later.
    Store(Gbuffer),
    /// A screen that shades what is stored.
    Shade(Gbuffer),
    /// A screen that adds up the light that arrives at what is stored.
    Sums(Sums),
    /// Light that enters surfaces, as white paper in their place would show it.
    Irradiance,
    /// Light that reaches the camera from surfaces in such sums.
    Summed(Sums),
    /// Light that reaches the camera from triangles whose numbers are stored.
    Fetched,
    /// Light of a part of the lights.
    Round(Round),
    /// That nothing is kept.
    Blank(Kept),
    /// One layer, at pixel centres.
    Layer(LayerId),
}

/// Which part of the lights.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Round {
    /// The first ones, with all that shines besides lights.
    First,
    /// The next ones, added to those before.
    Next,
    /// The last ones: what reaches the camera.
    Last,
}

/// How blended surfaces are put together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Blending {
    /// As sums that a depth weighs.
    Weighted,
    /// The nearest one of each pixel.
    Nearest,
    /// The nearest one behind those that are peeled off.
    Peeled,
    /// As numbers of surfaces.
    Counted,
    /// As lists.
    Listed,
}

impl Variant {
    /// The variant that reads the same of a material: what is stored is what would be shaded.
    fn reads_as(self) -> Variant {
        match self {
            Variant::Store(Gbuffer::Ids) => self,
            Variant::Store(_)
            | Variant::Shade(_)
            | Variant::Sums(_)
            | Variant::Summed(_)
            | Variant::Irradiance
            | Variant::Fetched
            | Variant::Round(_) => Variant::Lit,
            _ => self,
        }
    }

    /// Whether it has light of whole pictures.
    pub fn is_picture(self) -> bool {
        self == Variant::Lit || matches!(self, Variant::Blending(how) if how != Blending::Counted)
    }

    /// How it puts blended surfaces together, where it does not draw them over each other.
    pub fn blending(self) -> Option<Blending> {
        if let Variant::Blending(how) = self { Some(how) } else { None }
    }

    /// What it reads, where it is a layer.
    fn layer(self) -> Option<Reads> {
        if let Variant::Layer(id) = self { Some(id.reads()) } else { None }
    }

    /// Whether of a material it reads its holes alone.
    fn is_cut(self) -> bool {
        matches!(
            self,
            Variant::Depth
                | Variant::Motion
                | Variant::Store(Gbuffer::Ids)
                | Variant::Blank(_)
                | Variant::Blending(Blending::Counted)
        ) || self.layer() == Some(Reads::Place)
    }

    /// Whether it adds to what was drawn before.
    pub fn continues(self) -> bool {
        matches!(self, Variant::Round(Round::Next | Round::Last))
    }

    /// Whether it reads of a surface where it is and where it faces.
    fn is_shape(self) -> bool {
        matches!(self, Variant::Store(Gbuffer::Shape) | Variant::Irradiance)
    }

    /// Whether it reads light that arrives.
    fn is_lit(self) -> bool {
        self.is_picture() || self.layer() >= Some(Reads::Around)
    }

    /// Whether surfaces without light are drawn by their base colour alone.
    fn is_shining(self) -> bool {
        self.is_picture() || self.layer() >= Some(Reads::Emitted)
    }

    /// Whether it reads the surface, where that is lit.
    fn shades(self) -> bool {
        self.reads_as().is_picture() || self == Variant::Aov || self.layer() >= Some(Reads::Surface)
    }
}

/// How alpha shapes the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alpha {
    Opaque,
    Mask,
    Blend,
    /// A threshold that differs from point to point.
    Hashed,
    /// Samples of a pixel.
    Coverage,
}

/// Which optional streams a geometry has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Streams {
    pub uv1: bool,
    pub colors: bool,
}

/// How a geometry is bent.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Bending {
    /// It is not, or streams hold it as it is bent.
    #[default]
    No,
    /// Streams hold it, also as it was one frame before.
    Streams,
    /// The vertex shader bends it.
    Vertex,
    /// The vertex shader bends it as a figure of a crowd.
    Crowd,
}

impl Bending {
    /// Whether vertex shaders do it.
    pub fn in_shader(self) -> bool {
        matches!(self, Bending::Vertex | Bending::Crowd)
    }
}

/// What a scene has: the same for all its items.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Switches {
    pub lights: bool,
    /// Any of the lights has a shadow map.
    pub shadows: bool,
    /// How shadows are read.
    pub techniques: Techniques,
    pub environment: bool,
    /// A picture says how much light from around arrives.
    pub occluded: bool,
    /// What is in sight is reflected.
    pub reflects: bool,
    /// Light from around differs from place to place.
    pub probes: bool,
    /// Which of them a pixel asks.
    pub asks: Asks,
    /// What is behind them is drawn, for surfaces that let it through.
    pub behind: bool,
    /// Kinds of lights besides those of glTF.
    pub kinds: Kinds,
    /// Light of lights is added up.
    pub sums: Option<Sums>,
    /// Light that enters surfaces is there, for surfaces that let it leave elsewhere.
    pub subsurface: bool,
}

impl Switches {
    /// Whether shadows are read from moments.
    pub fn reads_moments(self) -> bool {
        self.shadows && self.techniques.reads_moments()
    }

    /// Whether light comes through surfaces on its way.
    pub fn reads_veils(self) -> bool {
        self.shadows && self.techniques.is_veiled()
    }

    /// Whether shadows are also looked for in what the camera sees.
    pub fn reads_seen(self) -> bool {
        self.shadows && self.techniques.reads_seen()
    }

    /// What surfaces read of it that are drawn in sums.
    pub fn summed(self, sums: Sums) -> Switches {
        Switches { sums: Some(sums), ..self.around() }
    }

    /// Light from around alone.
    fn around(self) -> Switches {
        Switches { environment: self.environment, probes: self.probes, occluded: self.occluded, ..Switches::default() }
            .of_occlusion()
    }

    /// All but that.
    pub fn without_around(self) -> Switches {
        Switches { environment: false, probes: false, ..self }.of_occlusion()
    }

    /// The same, where nothing reads how much light from around arrives.
    fn of_occlusion(self) -> Switches {
        let is_read = self.environment || self.lights && self.kinds.reads_occlusion();
        Switches { occluded: self.occluded && is_read, ..self }
    }

    /// What light in the air reads of it. What the camera sees says nothing of it.
    pub fn of_air(self) -> Switches {
        Switches {
            lights: self.lights,
            shadows: self.lights && self.shadows,
            techniques: self.techniques.with_contact(false),
            kinds: self.kinds,
            ..Switches::default()
        }
    }

    /// What light that enters surfaces reads of it. Lists of tiles know what is seen alone, and this is more.
    pub fn of_irradiance(self) -> Switches {
        let asks = if self.asks == Asks::Tiles { Asks::All } else { self.asks };
        Switches { asks, behind: false, sums: None, subsurface: false, reflects: false, ..self }
    }

    /// What shaders of a layer read of it. Lights are always in a list.
    pub fn of_layer(self, id: LayerId) -> Switches {
        let asks = if self.lights { Asks::Clusters } else { Asks::All };
        match id.reads() {
            Reads::Place | Reads::Texture | Reads::Surface | Reads::Emitted => Switches::default(),
            Reads::Around => self.around(),
            Reads::Lights | Reads::Lists => Switches { asks, ..self.without_around() },
            Reads::Everything => Switches { asks, ..self },
        }
    }
}

/// What a material's values come from besides its numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inputs {
    pub textures: Slots,
    /// Some texture's coordinates are transformed.
    pub uv_transform: bool,
    /// Those of them that are read at the pixel's place in the picture.
    pub on_screen: Slots,
    /// Normals that turn within a pixel make it rougher.
    pub specular_aa: bool,
    /// What nodes compute of the material.
    pub graph: Option<Arc<Program>>,
}

/// Everything that decides a shader's text; nothing in it is ever without effect.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Key {
    pub variant: Variant,
    pub alpha: Alpha,
    pub inputs: Inputs,
    pub streams: Streams,
    pub double_sided: bool,
    pub unlit: bool,
    /// The dielectric reflects by numbers of the material, not as most do.
    pub reflection: bool,
    /// How light that arrives becomes light that leaves.
    pub lobes: Lobes,
    pub switches: Switches,
    pub bending: Bending,
    /// Values are taken where a pixel is covered, not at its centre: it has several samples.
    pub centroid: bool,
}

impl Key {
    /// The key of an item, pruned to what `variant` reads.
    pub fn new(variant: Variant, material: &Material, streams: Streams, switches: Switches) -> Key {
        let of = variant.reads_as();
        let alpha = match material.alpha_mode {
            AlphaMode::Opaque => Alpha::Opaque,
            AlphaMode::Mask { .. } => Alpha::Mask,
            AlphaMode::Blend if variant == Variant::Blending(Blending::Counted) => Alpha::Opaque,
            AlphaMode::Blend if variant == Variant::Veil => Alpha::Blend,
            // Elsewhere a blended surface is there where it is at least half there.
            AlphaMode::Blend if variant.is_picture() => Alpha::Blend,
            AlphaMode::Blend => Alpha::Mask,
            AlphaMode::Hashed => Alpha::Hashed,
            // Samples are drawn in pictures alone, depth first.
            AlphaMode::Coverage if matches!(variant, Variant::Lit | Variant::Depth) => Alpha::Coverage,
            AlphaMode::Coverage => Alpha::Mask,
        };
        let switches = match variant {
            Variant::Layer(id) => switches.of_layer(id),
            Variant::Store(Gbuffer::Shape) => switches.without_around(),
            Variant::Summed(sums) => switches.summed(sums),
            Variant::Irradiance => switches.of_irradiance(),
            Variant::Veil => Switches::default(),
            _ if variant.continues() => switches.without_around(),
            _ => switches,
        };
        // Its colour is its lighting model's.
        let is_glass = variant == Variant::Veil && transmits(material);
        let is_veil = variant == Variant::Veil && !is_glass;
        let graph = material.graph.as_ref().and_then(|own| {
            let program = match of {
                _ if of.is_cut() || is_veil => &own.bound(GraphUse::Holes).program,
                Variant::Aov => &own.bound(GraphUse::Layers).program,
                _ if material.unlit && of.is_shining() => &own.bound(GraphUse::Base).program,
                _ if switches.environment => &own.bound(GraphUse::Surrounded).program,
                _ if of.layer() == Some(Reads::Texture) => &own.bound(GraphUse::Base).program,
                _ => &own.bound(GraphUse::Lit).program,
            };
            (!program.outputs.is_empty()).then(|| program.clone())
        });
        let has = |output: Output| graph.as_ref().is_some_and(|program| program.has(output));
        let looks_at = |geometry: Geometry| graph.as_ref().is_some_and(|program| program.reads(geometry));
        // What a node says stands for the texture, too.
        let is_replaced = |slot: Slot| match slot {
            Slot::BaseColor if variant.is_cut() || is_veil => has(Output::BaseColor) || has(Output::Alpha),
            Slot::BaseColor => has(Output::BaseColor),
            Slot::MetallicRoughness if variant == Variant::Aov => has(Output::Metallic),
            Slot::MetallicRoughness => has(Output::Metallic) && has(Output::Roughness),
            Slot::Normal => has(Output::Normal),
            Slot::Occlusion => has(Output::Occlusion),
            Slot::Emissive => has(Output::Emissive),
            _ => false,
        };
        let lit = of.is_lit() && !material.unlit;
        let shines = material.lighting.model.row().needs.shines;
        let is_lit = lit && (switches != Switches::default() || shines);
        let lobes = match variant {
            _ if is_glass => Lobes::new(material).without(Hook::Subsurface),
            _ if !is_lit => Lobes::default(),
            Variant::Irradiance => Lobes::matt(),
            _ if switches.subsurface && scatters(material) => Lobes::new(material),
            // Elsewhere it leaves where it enters.
            _ => Lobes::new(material).without(Hook::Subsurface),
        };
        let reads = |slot: Slot| match of {
            _ if is_replaced(slot) => false,
            _ if is_veil => slot == Slot::BaseColor,
            _ if !slot.is_of_all() => (is_lit || is_glass) && lobes.reads(slot),
            _ if is_glass => matches!(slot, Slot::BaseColor | Slot::MetallicRoughness | Slot::Normal),
            _ if variant.is_cut() => slot == Slot::BaseColor && alpha != Alpha::Opaque,
            Variant::Aov if material.unlit => matches!(slot, Slot::BaseColor | Slot::Normal),
            Variant::Aov => matches!(slot, Slot::BaseColor | Slot::MetallicRoughness | Slot::Normal),
            _ if of.layer() == Some(Reads::Texture) => slot == Slot::BaseColor,
            _ if material.unlit && of.is_shining() => slot == Slot::BaseColor,
            _ if variant.is_shape() && slot == Slot::BaseColor => alpha != Alpha::Opaque,
            _ if (variant.is_shape() || variant.continues()) && slot == Slot::Emissive => false,
            _ if variant == Variant::Irradiance && slot == Slot::MetallicRoughness => false,
            _ if matches!(variant, Variant::Summed(_)) && slot == Slot::Normal => switches.environment,
            _ if slot == Slot::Occlusion => switches.environment || switches.kinds.reads_occlusion(),
            _ => slot != Slot::Emissive || of.is_shining(),
        };
        let textures: Slots = material.textures.keys().copied().filter(|slot| reads(*slot)).collect();
        let used = || textures.iter().map(|slot| &material.textures[&slot]);
        let shades = of.shades() || is_glass || of.layer() == Some(Reads::Texture);
        let is_dielectric = material.metallic < 1.0 || textures.has(Slot::MetallicRoughness) || has(Output::Metallic);
        let reads_normal = FRAME.into_iter().any(looks_at);
        let at_corners =
            |geometry: Geometry| graph.as_ref().is_some_and(|program| program.corner_geometry.contains(&geometry));
        let reads_color = (shades || alpha != Alpha::Opaque) && !is_replaced(Slot::BaseColor);
        let turns = (variant.shades() || is_glass) && !(material.unlit && of.is_shining());
        let uv_transform = used().any(|texture| texture.transform != UvTransform::IDENTITY);
        let on_screen = textures.iter().filter(|slot| material.textures[slot].on_screen).collect();
        let streams = Streams {
            uv1: streams.uv1
                && (used().any(|texture| texture.uv_set == 1) || looks_at(Geometry::Uv1) || at_corners(Geometry::Uv1)),
            colors: streams.colors && (reads_color || looks_at(Geometry::Color) || at_corners(Geometry::Color)),
        };
        Key {
            variant,
            alpha,
            inputs: Inputs {
                textures,
                uv_transform,
                on_screen,
                specular_aa: is_lit && material.specular_aa && variant != Variant::Irradiance,
                graph,
            },
            streams,
            double_sided: material.double_sided && (turns || reads_normal),
            unlit: material.unlit && of.is_shining(),
            reflection: is_lit
                && is_dielectric
                && variant != Variant::Store(Gbuffer::Shape)
                && lobes.model.row().needs.dielectric
                && (!material.reflection.is_plain()
                    || textures.has(Slot::Specular)
                    || textures.has(Slot::SpecularColor)),
            lobes,
            switches: if lit && !matches!(variant, Variant::Store(_)) { switches } else { Switches::default() },
            bending: Bending::No,
            centroid: false,
        }
    }

    /// The same for a geometry that is bent.
    pub fn bent(self, bending: Bending) -> Key {
        let reads = bending != Bending::Streams || self.variant == Variant::Motion;
        Key { bending: if reads { bending } else { Bending::No }, ..self }
    }

    /// The same for pixels of so many samples. `is_covered`: its depth was drawn before, without what is cut out.
    pub fn sampled(mut self, samples: u32, is_covered: bool) -> Key {
        if self.alpha == Alpha::Coverage && samples == 1 {
            self.alpha = Alpha::Mask;
        }
        if !matches!(self.variant, Variant::Lit | Variant::Summed(_) | Variant::Fetched | Variant::Round(_)) {
            return self;
        }
        let is_covered = is_covered || self.variant == Variant::Fetched;
        let alpha = if is_covered && self.alpha != Alpha::Blend { Alpha::Opaque } else { self.alpha };
        let reads_between = !self.unlit || self.streams.colors || self.program_of_pixels().is_some();
        Key { centroid: samples > 1 && reads_between, alpha, ..self }
    }

    pub fn has(&self, slot: Slot) -> bool {
        self.inputs.textures.has(slot)
    }

    /// Whether the shader samples anything, and so needs texture coordinates.
    pub fn textured(&self) -> bool {
        !self.inputs.textures.is_empty()
    }

    /// Whether its nodes read the normal or the frame of normal maps.
    pub fn reads_frame(&self) -> bool {
        FRAME.into_iter().any(|geometry| self.looks_at(geometry))
    }

    /// Whether its nodes read something of the point.
    pub fn looks_at(&self, geometry: Geometry) -> bool {
        self.inputs.graph.as_ref().is_some_and(|program| program.reads(geometry))
    }

    /// What nodes compute for pixels.
    pub fn program_of_pixels(&self) -> Option<&Program> {
        self.inputs.graph.as_deref().filter(|program| program.has_pixels())
    }

    /// What nodes compute for corners, which it moves.
    pub fn program_of_corners(&self) -> Option<&Program> {
        self.inputs.graph.as_deref().filter(|program| program.displaces())
    }

    /// Whether nodes of corners read something of them.
    pub fn looks_at_corners(&self, geometry: Geometry) -> bool {
        self.inputs.graph.as_ref().is_some_and(|program| program.corner_geometry.contains(&geometry))
    }

    /// Whether it reads the place in the object's own space.
    pub fn reads_place(&self) -> bool {
        self.looks_at(Geometry::ObjectPosition) || self.alpha == Alpha::Hashed
    }

    /// Whether nodes compute an input of the material.
    pub fn computes(&self, output: Output) -> bool {
        self.inputs.graph.as_ref().is_some_and(|program| program.has(output))
    }

    /// Whether its lighting model reads the direction to the eye, whatever lights it.
    pub fn looks_back(&self) -> bool {
        !self.lobes.is_plain()
    }

    /// Whether it shows what is behind.
    pub fn shows_behind(&self) -> bool {
        self.switches.behind && self.lobes.has(Hook::Through)
    }

    /// Whether light leaves it elsewhere than it enters.
    pub fn scatters(&self) -> bool {
        self.switches.subsurface && self.lobes.has(Hook::Subsurface)
    }

    /// Whether it shows lights with an area in each of its lobes.
    pub fn shows_areas(&self) -> bool {
        self.switches.lights && self.switches.kinds.reads_lobes() && self.lobes.sees_areas()
    }

    /// Whether it asks for lengths in the space of the mesh.
    pub fn measures(&self) -> bool {
        self.shows_behind() && self.lobes.laid().any(|layer| layer.is_measured)
    }

    /// Whether its pixels read the material.
    pub fn reads_pixels(&self) -> bool {
        (!self.variant.is_cut() && !self.is_screen()) || self.alpha != Alpha::Opaque
    }

    /// Whether the shader reads the material at all.
    pub fn reads_material(&self) -> bool {
        self.reads_pixels() || self.inputs.graph.is_some()
    }

    /// Whether it covers the picture, and draws no item.
    pub fn is_screen(&self) -> bool {
        matches!(self.variant, Variant::Shade(_) | Variant::Sums(_))
    }

    /// Whether the shader makes a surface of the material.
    pub fn has_surface(&self) -> bool {
        let is_glass = self.variant == Variant::Veil && !self.lobes.is_plain();
        (self.variant.shades() || is_glass) && !self.unlit
    }

    /// Whether it tells which object it is.
    pub fn tells_object(&self) -> bool {
        matches!(self.variant, Variant::Aov | Variant::Blending(Blending::Listed))
    }

    /// Whether its layer's expression holds a word.
    pub fn shows(&self, word: &str) -> bool {
        matches!(self.variant, Variant::Layer(id) if id.mentions(word))
    }
}

impl fmt::Display for Key {
    /// `lit mask base_color+normal colors double_sided lights shadows`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let variant = match self.variant {
            Variant::Lit => "lit",
            Variant::Aov => "aov",
            Variant::Motion => "motion",
            Variant::Depth => "depth",
            Variant::Veil => "veil",
            Variant::Store(Gbuffer::Exact) => "gbuffer",
            Variant::Store(Gbuffer::Packed) => "packed gbuffer",
            Variant::Store(Gbuffer::Shape) => "shape",
            Variant::Store(Gbuffer::Ids) => "ids",
            Variant::Blank(Kept::Stored(Gbuffer::Exact)) => "gbuffer blank",
            Variant::Blank(Kept::Stored(Gbuffer::Packed)) => "packed gbuffer blank",
            Variant::Blank(Kept::Stored(Gbuffer::Shape)) => "shape blank",
            Variant::Blank(Kept::Stored(Gbuffer::Ids)) => "ids blank",
            Variant::Blank(Kept::Light) => "round blank",
            Variant::Fetched => "fetched",
            Variant::Round(Round::First) => "first round",
            Variant::Round(Round::Next) => "next round",
            Variant::Round(Round::Last) => "last round",
            Variant::Shade(Gbuffer::Shape | Gbuffer::Ids) => unreachable!("screens shade whole surfaces"),
            Variant::Irradiance => "irradiance",
            Variant::Sums(Sums::Coloured) => "sums",
            Variant::Sums(Sums::Grey) => "grey sums",
            Variant::Summed(Sums::Coloured) => "summed",
            Variant::Summed(Sums::Grey) => "grey summed",
            Variant::Shade(Gbuffer::Exact) => "shade",
            Variant::Shade(Gbuffer::Packed) => "packed shade",
            Variant::Blending(Blending::Weighted) => "weighted",
            Variant::Blending(Blending::Nearest) => "nearest",
            Variant::Blending(Blending::Peeled) => "peeled",
            Variant::Blending(Blending::Counted) => "counted",
            Variant::Blending(Blending::Listed) => "listed",
            Variant::Layer(id) => id.row().word(),
        };
        let alpha = match self.alpha {
            Alpha::Opaque => "opaque",
            Alpha::Mask => "mask",
            Alpha::Blend => "blend",
            Alpha::Hashed => "hashed",
            Alpha::Coverage => "coverage",
        };
        let layer = if matches!(self.variant, Variant::Layer(_)) { "layer " } else { "" };
        write!(f, "{layer}{variant} {alpha}")?;
        if self.lobes.model != Lobes::default().model {
            write!(f, " {}", self.lobes.model.row().name)?;
        }
        let layers: Vec<&str> = self.lobes.laid().map(|layer| layer.name).collect();
        if !layers.is_empty() {
            write!(f, " {}", layers.join("+"))?;
        }
        let textures: Vec<&str> = self.inputs.textures.iter().map(Slot::name).collect();
        if !textures.is_empty() {
            write!(f, " {}", textures.join("+"))?;
        }
        let on_screen: Vec<&str> = self.inputs.on_screen.iter().map(Slot::name).collect();
        if !on_screen.is_empty() {
            write!(f, " on_screen({})", on_screen.join("+"))?;
        }
        for (on, name) in [
            (self.inputs.uv_transform, "uv_transform"),
            (self.inputs.specular_aa, "specular_aa"),
            (self.streams.uv1, "uv1"),
            (self.streams.colors, "colors"),
            (self.double_sided, "double_sided"),
            (self.unlit, "unlit"),
            (self.reflection, "reflection"),
            (self.switches.lights, "lights"),
            (self.switches.shadows, "shadows"),
            (self.switches.environment, "environment"),
            (self.switches.probes, "probes"),
            (self.switches.occluded, "occluded"),
            (self.switches.reflects, "reflects"),
            (self.switches.asks == Asks::Clusters, "clusters"),
            (self.switches.asks == Asks::Tiles, "tiles"),
            (self.switches.behind, "behind"),
            (self.switches.subsurface, "inside"),
            (self.switches.kinds.has_functions(), "functions"),
            (self.bending == Bending::Streams, "bent"),
            (self.bending == Bending::Vertex, "bending"),
            (self.bending == Bending::Crowd, "crowd"),
            (self.centroid, "centroid"),
        ] {
            if on {
                write!(f, " {name}")?;
            }
        }
        for row in self.switches.kinds.own() {
            write!(f, " {}", row.name)?;
        }
        for technique in self.switches.techniques.own() {
            write!(f, " {}", technique.row().name)?;
        }
        if self.switches.reads_seen() {
            write!(f, " contact")?;
        }
        if self.switches.reads_veils() {
            write!(f, " veils")?;
        }
        if let Some(program) = &self.inputs.graph {
            write!(f, " graph:{}", graph_name(program))?;
        }
        Ok(())
    }
}

/// A name of a graph's program; keys are compared by the whole of it.
pub fn graph_name(program: &Program) -> String {
    blake3::hash(program.to_string().as_bytes()).to_hex()[..8].to_string()
}
