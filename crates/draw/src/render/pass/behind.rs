//! Behind: the opaque scene with levels, each half as wide as the one before, for surfaces that let light through.
//!
//! Rows whose items show what is behind them declare these passes between their own.

use super::super::bind::{FRAGMENT, TEXTURE_RAW, UNIFORM, filled, group};
use super::super::frame::Frame;
use super::super::resources::Stored;
use super::super::shaders::Screen;
use super::super::stretch::Stretch;
use crate::frame::{Draw, Format, How, Part, Pass, Planner, Target, TargetId, Use, View, ViewId};
use crate::scene::Background;
use crate::shader;

/// Behind the picture in halves, and behind the one in floats.
pub const BEHIND: [&str; 2] = ["behind", "behind float"];
/// The first level shows the picture itself, others the level before.
const FIRST: &str = "behind_first";
const NEXT: &str = "behind_next";

/// Declares what makes the levels of a view's picture `linear`; `label` begins the names of its passes. Out: their uses
/// by who shows them.
pub fn declare(planner: &mut Planner, view: ViewId, name: &'static str, label: &str, linear: TargetId) -> Vec<Use> {
    let View { width_px, height_px, .. } = planner.view(view);
    let levels = width_px.max(height_px).ilog2() + 1;
    let target = planner.add_flat(view, Target { levels, ..Target::texture(name, Format::Rgba16Float, [0; 2]) });
    for level in 0..levels {
        let read = match level {
            0 => Use { target: linear, part: Part::WHOLE, how: How::Sample },
            _ => Use { target, part: Part { level: level - 1, ..Part::WHOLE }, how: How::Sample },
        };
        let how = How::Attach { clear: true, keep: true };
        let written = Use { target, part: Part { level, ..Part::WHOLE }, how };
        let draw = Draw::Screen(if level == 0 { FIRST } else { NEXT });
        planner.pass(format!("{label} {level}"), Some(view), vec![read, written], vec![draw]);
    }
    planner.whole(target, How::Sample).collect()
}

/// Whether a pass is one of these.
pub fn is(pass: &Pass) -> bool {
    matches!(pass.draws[..], [Draw::Screen(FIRST | NEXT)])
}

pub fn texts() -> Vec<(String, String)> {
    vec![(BEHIND[0].to_string(), shader::behind_levels())]
}

/// What a pass shows behind its items; `None` where it shows nothing.
pub fn of(frame: &Frame<'_>, pass: &Pass) -> Option<wgpu::Texture> {
    BEHIND.iter().find_map(|name| frame.try_texture(pass, name))
}

pub fn sampler(frame: &Frame<'_>) -> wgpu::Sampler {
    frame.device().create_sampler(&wgpu::SamplerDescriptor {
        label: Some(BEHIND[0]),
        mag_filter: wgpu::FilterMode::Linear,
        min_filter: wgpu::FilterMode::Linear,
        ..Default::default()
    })
}

pub fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let camera = frame.prepared.plan.camera(pass.view.expect("it is a camera's"));
    let [r, g, b, alpha] = match frame.job.looks[camera.0].output.background {
        Background::Color([r, g, b]) => [r, g, b, 1.0],
        Background::Environment => [0.0, 0.0, 0.0, 1.0],
        Background::Transparent => [0.0; 4],
        Background::Auto => unreachable!("settled when the files were loaded"),
    };
    let uniform =
        filled(frame.device(), BEHIND[0], wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&[r, g, b, alpha]));
    let read = pass.uses.iter().find(|usage| usage.how == How::Sample).expect("it reads a picture");
    let Stored::Texture(finer) = frame.stored(read.target) else { unreachable!("pictures are textures") };
    let finer = finer.create_view(&wgpu::TextureViewDescriptor {
        base_mip_level: read.part.level,
        mip_level_count: Some(1),
        ..Default::default()
    });
    let layout = frame.layout(BEHIND[0], &[(0, FRAGMENT, UNIFORM), (1, FRAGMENT, TEXTURE_RAW)]);
    let resources = [(0, uniform.as_entire_binding()), (1, wgpu::BindingResource::TextureView(&finer))];
    let group = group(frame.device(), BEHIND[0], &layout, &resources);
    let Some(Draw::Screen(fragment)) = pass.draws.first() else { unreachable!("it draws one screen") };
    let pipeline = frame.screen(Screen {
        name: BEHIND[0],
        text: shader::behind_levels(),
        fragment,
        groups: &[&layout],
        format: Format::Rgba16Float,
        samples: 1,
        behind: false,
        over: false,
    });
    let mut render = frame.begin(encoder, pass, stretch);
    render.set_pipeline(&pipeline);
    render.set_bind_group(0, &group, &[]);
    render.draw(0..3, 0..1);
}
