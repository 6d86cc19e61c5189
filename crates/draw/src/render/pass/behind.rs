//! Behind: the opaque scene with levels, each half as wide as the one before, for surfaces that let light through.
//!
//! Rows whose items show what is behind them declare these passes between their own.

use super::super::bind::{TEXTURE_RAW, UNIFORM, filled};
use super::super::cover::{Cover, cover};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::prepared::Prepared;
use super::super::row::{Declare, Row};
use super::super::stretch::Stretch;
use crate::frame::{Draw, Format, How, Part, Pass, Planner, Target, TargetId, Use, View, ViewId};
use crate::scene::Background;
use crate::shader;

pub const ROW: Row = Row { name: "behind", declare: Declare::ByOthers, record, texts };

/// Behind the picture in halves, and behind the one in floats.
pub const BEHIND: [&str; 2] = [ROW.name, "behind float"];
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
        planner.pass(ROW.name, format!("{label} {level}"), Some(view), vec![read, written], vec![draw]);
    }
    planner.whole(target, How::Sample).collect()
}

fn texts(_: &Job<'_>, _: &Prepared, _: &Pass) -> Vec<(String, String)> {
    vec![(ROW.name.to_string(), shader::behind_levels())]
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
        filled(frame.device(), ROW.name, wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&[r, g, b, alpha]));
    let read = pass.uses.iter().find(|usage| usage.how == How::Sample).expect("it reads a picture");
    let finer = frame.texture_of(read.target).create_view(&wgpu::TextureViewDescriptor {
        base_mip_level: read.part.level,
        mip_level_count: Some(1),
        ..Default::default()
    });
    let bound =
        &[(0, UNIFORM, uniform.as_entire_binding()), (1, TEXTURE_RAW, wgpu::BindingResource::TextureView(&finer))];
    let Some(Draw::Screen(fragment)) = pass.draws.first() else { unreachable!("it draws one screen") };
    let shown = Cover { name: ROW.name, text: shader::behind_levels(), fragment, bound, over: false };
    cover(frame, encoder, (pass, stretch), shown);
}
