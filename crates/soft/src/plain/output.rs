//! Output: what one fragment does to one sample. Source: `docs/adapter-rules.md`, Output.

use wgpu_types::{BlendComponent, BlendFactor, BlendOperation, CompareFunction, StencilOperation, TextureAspect};

use super::figure::clamp_depth;
use super::target::{self, Target};
use super::texel;
use super::value::Scalar;
use crate::work::{Draw, RenderPass};

/// What the fragment stage gave for one pixel.
#[derive(Clone, Debug, Default)]
pub struct Shaded {
    /// `(location, second source, parts)`.
    pub colors: Vec<(u32, bool, Vec<Scalar>)>,
    pub depth: Option<f32>,
    pub sample_mask: Option<u32>,
}

impl Shaded {
    fn color(&self, location: u32, second: bool) -> Option<&[Scalar]> {
        self.colors.iter().find(|(l, s, _)| (*l, *s) == (location, second)).map(|(_, _, parts)| &parts[..])
    }

    /// The samples that alpha to coverage leaves.
    pub fn alpha_coverage(&self) -> u32 {
        let alpha = self.color(0, false).map_or(1.0, |parts| parts[3].f32());
        let alpha = limited(alpha, 0.0, 0.0);
        (1 << (4.0 * alpha + 0.5).floor() as u32) - 1
    }
}

/// NaN: `nan`; below `low`: that; above 1: 1.
fn limited(v: f32, low: f32, nan: f32) -> f32 {
    if v.is_nan() {
        nan
    } else if v < low {
        low
    } else if v > 1.0 {
        1.0
    } else {
        v
    }
}

/// `new compare stored`.
fn holds<T: PartialOrd>(compare: CompareFunction, new: T, stored: T) -> bool {
    match compare {
        CompareFunction::Never => false,
        CompareFunction::Less => new < stored,
        CompareFunction::Equal => new == stored,
        CompareFunction::LessEqual => new <= stored,
        CompareFunction::Greater => new > stored,
        CompareFunction::NotEqual => new != stored,
        CompareFunction::GreaterEqual => new >= stored,
        CompareFunction::Always => true,
    }
}

/// One sample of one draw.
pub struct Sample<'a> {
    pub pass: &'a RenderPass,
    pub draw: &'a Draw,
    pub x: u32,
    pub y: u32,
    pub sample: u32,
    pub front_facing: bool,
}

impl Sample<'_> {
    /// Stencil and depth tests with their writes; whether the sample passed.
    pub fn test(&self, depth: f32) -> bool {
        let passes = self.passes(depth);
        if let (true, Some(query), Some(set)) = (passes, self.draw.occlusion_query, &self.pass.occlusion) {
            set.values[query as usize].fetch_add(1, std::sync::atomic::Ordering::Relaxed);
        }
        passes
    }

    fn passes(&self, depth: f32) -> bool {
        let (Some(state), Some(both)) = (&self.draw.pipeline.depth_stencil, &self.pass.depth_stencil) else {
            return true;
        };
        let face = if self.front_facing { &state.stencil.front } else { &state.stencil.back };
        let stencil = Target::stencil(both);
        let stored = stencil.map(|s| s.bytes(self.x, self.y, self.sample)[0] as u32);
        let mask = state.stencil.read_mask & 0xFF;
        let reference = self.draw.stencil_reference & 0xFF;
        if stored.is_some_and(|stored| !holds(face.compare, reference & mask, stored & mask)) {
            self.write_stencil(stencil, face.fail_op);
            return false;
        }
        if let Some(target) = Target::depth(both) {
            let new = target::depth_bytes(target.format, depth);
            let old = target.bytes(self.x, self.y, self.sample);
            let compare = state.depth_compare.unwrap_or(CompareFunction::Always);
            let passes = match target.format {
                wgpu_types::TextureFormat::Depth16Unorm => {
                    holds(compare, u16::from_le_bytes([new[0], new[1]]), u16::from_le_bytes([old[0], old[1]]))
                }
                _ => {
                    let float = |b: Vec<u8>| f32::from_le_bytes(b.try_into().expect("four bytes"));
                    holds(compare, depth, float(old))
                }
            };
            if !passes {
                self.write_stencil(stencil, face.depth_fail_op);
                return false;
            }
            if state.depth_write_enabled.unwrap_or(false) {
                target.set_bytes(self.x, self.y, self.sample, &new);
            }
        }
        self.write_stencil(stencil, face.pass_op);
        true
    }

    fn write_stencil(&self, target: Option<Target<'_>>, operation: StencilOperation) {
        let Some(target) = target else { return };
        let stored = target.bytes(self.x, self.y, self.sample)[0];
        let new = match operation {
            StencilOperation::Keep => stored,
            StencilOperation::Zero => 0,
            StencilOperation::Replace => self.draw.stencil_reference as u8,
            StencilOperation::Invert => !stored,
            StencilOperation::IncrementClamp => stored.saturating_add(1),
            StencilOperation::DecrementClamp => stored.saturating_sub(1),
            StencilOperation::IncrementWrap => stored.wrapping_add(1),
            StencilOperation::DecrementWrap => stored.wrapping_sub(1),
        };
        let state = self.draw.pipeline.depth_stencil.as_ref().expect("tested");
        let mask = state.stencil.write_mask as u8;
        target.set_bytes(self.x, self.y, self.sample, &[stored & !mask | new & mask]);
    }

    /// The depth that the tests see.
    pub fn depth(&self, interpolated: f32, shaded: &Shaded) -> f32 {
        shaded.depth.map_or(interpolated, |depth| clamp_depth(depth, &self.draw.viewport))
    }

    /// Writes all colour targets.
    pub fn write_colors(&self, shaded: &Shaded) {
        for (location, target) in self.pass.color.iter().enumerate() {
            let (Some(target), Some(Some(state))) = (target, self.draw.pipeline.color_targets.get(location)) else {
                continue;
            };
            let Some(source) = shaded.color(location as u32, false) else { continue };
            let target = Target::new(&target.view, target.depth_slice);
            let new = match (&state.blend, texel::is_integer(target.format, TextureAspect::All)) {
                (Some(blend), None) => {
                    let second = shaded.color(location as u32, true);
                    let stored = target.color(self.x, self.y, self.sample);
                    let mixed = self.blended(target, blend, &four(source), &four(second.unwrap_or(&[])), stored);
                    texel::encode(target.format, &mixed.map(Scalar::F32))
                }
                _ => texel::encode(target.format, source),
            };
            let stored = target.bytes(self.x, self.y, self.sample);
            let merged = texel::merged(target.format, &stored, &new, state.write_mask);
            target.set_bytes(self.x, self.y, self.sample, &merged);
        }
    }

    fn blended(
        &self,
        target: Target<'_>,
        blend: &wgpu_types::BlendState,
        source: &[f32; 4],
        second: &[f32; 4],
        stored: [f32; 4],
    ) -> [f32; 4] {
        let name = format!("{:?}", target.format);
        let limit = |v: f32| match () {
            () if name.contains("Unorm") => limited(v, 0.0, 0.0),
            () if name.contains("Snorm") => limited(v, -1.0, 0.0),
            () => v,
        };
        let inputs = Inputs {
            source: source.map(limit),
            second: second.map(limit),
            constant: self.draw.blend_constant.map(limit),
            stored,
        };
        [0, 1, 2, 3].map(|c| inputs.component(c, if c == 3 { &blend.alpha } else { &blend.color }))
    }
}

/// Missing parts are (0, 0, 0, 1).
fn four(parts: &[Scalar]) -> [f32; 4] {
    std::array::from_fn(|c| parts.get(c).map_or([0.0, 0.0, 0.0, 1.0][c], |p| p.f32()))
}

/// The four colours that blending knows.
struct Inputs {
    source: [f32; 4],
    second: [f32; 4],
    constant: [f32; 4],
    stored: [f32; 4],
}

impl Inputs {
    fn component(&self, c: usize, blend: &BlendComponent) -> f32 {
        let (source, stored) = (self.source[c], self.stored[c]);
        if *blend == BlendComponent::REPLACE {
            return source;
        }
        let from = self.term(c, source, blend.src_factor);
        let to = self.term(c, stored, blend.dst_factor);
        match blend.operation {
            BlendOperation::Add => from + to,
            BlendOperation::Subtract => from - to,
            BlendOperation::ReverseSubtract => to - from,
            BlendOperation::Min if stored < source => stored,
            BlendOperation::Max if stored > source => stored,
            BlendOperation::Min | BlendOperation::Max => source,
        }
    }

    fn term(&self, c: usize, value: f32, factor: BlendFactor) -> f32 {
        use BlendFactor as Bf;
        let weight = match factor {
            Bf::Zero => return 0.0,
            Bf::One => return value,
            Bf::SrcAlphaSaturated if c == 3 => return value,
            Bf::SrcAlphaSaturated => {
                let room = 1.0 - self.stored[3];
                if room < self.source[3] { room } else { self.source[3] }
            }
            Bf::Src => self.source[c],
            Bf::OneMinusSrc => 1.0 - self.source[c],
            Bf::SrcAlpha => self.source[3],
            Bf::OneMinusSrcAlpha => 1.0 - self.source[3],
            Bf::Dst => self.stored[c],
            Bf::OneMinusDst => 1.0 - self.stored[c],
            Bf::DstAlpha => self.stored[3],
            Bf::OneMinusDstAlpha => 1.0 - self.stored[3],
            Bf::Constant => self.constant[c],
            Bf::OneMinusConstant => 1.0 - self.constant[c],
            Bf::Src1 => self.second[c],
            Bf::OneMinusSrc1 => 1.0 - self.second[c],
            Bf::Src1Alpha => self.second[3],
            Bf::OneMinusSrc1Alpha => 1.0 - self.second[3],
        };
        value * weight
    }
}
