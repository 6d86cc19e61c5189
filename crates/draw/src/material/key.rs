//! Key: everything that decides a shader's text. Two items with equal keys share it.

use std::fmt;
use std::sync::Arc;

use stillframe_graph::{Geometry, Output, Program};

use crate::asset::{AlphaMode, GraphUse, Hook, Material, Slot, Slots, UvTransform};

use super::Lobes;
use crate::light::Kinds;

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
    /// Depth alone.
    Depth,
}

/// How alpha shapes the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Alpha {
    Opaque,
    Mask,
    Blend,
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
    pub environment: bool,
    /// Pixels ask the lights of their cluster, not all.
    pub clusters: bool,
    /// What is behind them is drawn, for surfaces that let it through.
    pub behind: bool,
    /// Kinds of lights besides those of glTF.
    pub kinds: Kinds,
}

/// What a material's values come from besides its numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Inputs {
    pub textures: Slots,
    /// Some texture's coordinates are transformed.
    pub uv_transform: bool,
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
        let alpha = match material.alpha_mode {
            AlphaMode::Opaque => Alpha::Opaque,
            AlphaMode::Mask { .. } => Alpha::Mask,
            // Elsewhere a blended surface is there where it is at least half there.
            AlphaMode::Blend if variant == Variant::Lit => Alpha::Blend,
            AlphaMode::Blend => Alpha::Mask,
        };
        let graph = material.graph.as_ref().and_then(|own| {
            let program = match variant {
                Variant::Depth | Variant::Motion if alpha == Alpha::Opaque => return None,
                Variant::Depth | Variant::Motion => &own.bound(GraphUse::Holes).program,
                Variant::Aov => &own.bound(GraphUse::Layers).program,
                Variant::Lit if material.unlit => &own.bound(GraphUse::Base).program,
                Variant::Lit if switches.environment => &own.bound(GraphUse::Surrounded).program,
                Variant::Lit => &own.bound(GraphUse::Lit).program,
            };
            (!program.outputs.is_empty()).then(|| program.clone())
        });
        let has = |output: Output| graph.as_ref().is_some_and(|program| program.has(output));
        let looks_at = |geometry: Geometry| graph.as_ref().is_some_and(|program| program.reads(geometry));
        // What a node says stands for the texture, too.
        let is_replaced = |slot: Slot| match slot {
            Slot::BaseColor if matches!(variant, Variant::Depth | Variant::Motion) => graph.is_some(),
            Slot::BaseColor => has(Output::BaseColor),
            Slot::MetallicRoughness if variant == Variant::Aov => has(Output::Metallic),
            Slot::MetallicRoughness => has(Output::Metallic) && has(Output::Roughness),
            Slot::Normal => has(Output::Normal),
            Slot::Occlusion => has(Output::Occlusion),
            Slot::Emissive => has(Output::Emissive),
            _ => false,
        };
        let lit = variant == Variant::Lit && !material.unlit;
        let shines = material.lighting.model.row().needs.shines;
        let is_lit = lit && (switches.lights || switches.environment || switches.behind || shines);
        let lobes = if is_lit { Lobes::new(material) } else { Lobes::default() };
        let reads = |slot: Slot| match variant {
            _ if is_replaced(slot) => false,
            _ if !slot.is_of_all() => is_lit && lobes.reads(slot),
            Variant::Depth | Variant::Motion => slot == Slot::BaseColor && alpha != Alpha::Opaque,
            Variant::Aov if material.unlit => matches!(slot, Slot::BaseColor | Slot::Normal),
            Variant::Aov => matches!(slot, Slot::BaseColor | Slot::MetallicRoughness | Slot::Normal),
            Variant::Lit if material.unlit => slot == Slot::BaseColor,
            Variant::Lit if slot == Slot::Occlusion => switches.environment || switches.kinds.reads_occlusion(),
            Variant::Lit => true,
        };
        let textures: Slots = material.textures.keys().copied().filter(|slot| reads(*slot)).collect();
        let used = || textures.iter().map(|slot| &material.textures[&slot]);
        let shades = matches!(variant, Variant::Lit | Variant::Aov);
        let is_dielectric = material.metallic < 1.0 || textures.has(Slot::MetallicRoughness) || has(Output::Metallic);
        let reads_normal = FRAME.into_iter().any(looks_at);
        let reads_color = (shades || alpha != Alpha::Opaque) && !is_replaced(Slot::BaseColor);
        let uv_transform = used().any(|texture| texture.transform != UvTransform::IDENTITY);
        let streams = Streams {
            uv1: streams.uv1 && (used().any(|texture| texture.uv_set == 1) || looks_at(Geometry::Uv1)),
            colors: streams.colors && (reads_color || looks_at(Geometry::Color)),
        };
        Key {
            variant,
            alpha,
            inputs: Inputs { textures, uv_transform, specular_aa: is_lit && material.specular_aa, graph },
            streams,
            double_sided: material.double_sided && (lit || variant == Variant::Aov || reads_normal),
            unlit: material.unlit && variant == Variant::Lit,
            reflection: is_lit
                && is_dielectric
                && lobes.model.row().needs.dielectric
                && (!material.reflection.is_plain()
                    || textures.has(Slot::Specular)
                    || textures.has(Slot::SpecularColor)),
            lobes,
            switches: if lit { switches } else { Switches::default() },
            bending: Bending::No,
            centroid: false,
        }
    }

    /// The same for a geometry that is bent.
    pub fn bent(self, bending: Bending) -> Key {
        let reads = bending != Bending::Streams || self.variant == Variant::Motion;
        Key { bending: if reads { bending } else { Bending::No }, ..self }
    }

    /// The same for pixels of so many samples.
    pub fn sampled(self, samples: u32) -> Key {
        if self.variant != Variant::Lit || samples == 1 {
            return self;
        }
        // Depth was drawn before, without what is cut out.
        let alpha = if self.is_prepassed(samples) { Alpha::Opaque } else { self.alpha };
        let reads_between = !self.unlit || self.streams.colors || self.inputs.graph.is_some();
        Key { centroid: reads_between, alpha, ..self }
    }

    /// Whether its depth is drawn first, so that the shader runs for what is seen alone.
    pub fn is_prepassed(&self, samples: u32) -> bool {
        samples > 1 && self.alpha != Alpha::Blend
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

    /// Whether it asks for lengths in the space of the mesh.
    pub fn measures(&self) -> bool {
        self.shows_behind() && self.lobes.laid().any(|layer| layer.is_measured)
    }

    /// Whether the shader reads the material at all.
    pub fn reads_material(&self) -> bool {
        matches!(self.variant, Variant::Lit | Variant::Aov) || self.alpha != Alpha::Opaque
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
        };
        let alpha = match self.alpha {
            Alpha::Opaque => "opaque",
            Alpha::Mask => "mask",
            Alpha::Blend => "blend",
        };
        write!(f, "{variant} {alpha}")?;
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
            (self.switches.clusters, "clusters"),
            (self.switches.behind, "behind"),
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
