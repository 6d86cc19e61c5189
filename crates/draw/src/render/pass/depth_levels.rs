//! Depth levels: how near opaque surfaces are in squares of pixels, for rays that are followed across the picture.
//!
//! Source: Uludag, Hi-Z Screen-Space Cone-Traced Reflections (GPU Pro 5), 2014.

use super::super::bind::{DEPTH, TEXTURE_RAW};
use super::super::cover::{Cover, cover};
use super::super::frame::Frame;
use super::super::job::Job;
use super::super::prepared::Prepared;
use super::super::row::{Declare, Row};
use super::super::stretch::Stretch;
use super::seen;
use crate::frame::{Draw, Format, How, Part, Pass, Planner, Target, Use, View, ViewId};
use crate::shader;

pub const ROW: Row = Row { name: "depth level", declare: Declare::ByOthers, record, texts };

pub const DEPTH_LEVELS: &str = "depth_levels";
/// The first level is depth itself, others are made from the one before.
const FIRST: &str = "depth_first";
const NEXT: &str = "depth_next";

/// What reads a camera's levels, which are made once. Out: their uses by who reads them.
pub fn declare(planner: &mut Planner, camera: ViewId) -> Vec<Use> {
    let target = planner.find(Some(camera), DEPTH_LEVELS).unwrap_or_else(|| {
        let depth = seen::opaque_depth(planner, camera);
        let View { width_px, height_px, .. } = planner.view(camera);
        let levels = width_px.max(height_px).ilog2() + 1;
        let made = Target { levels, ..Target::texture(DEPTH_LEVELS, Format::R32Float, [0; 2]) };
        let target = planner.add_flat(camera, made);
        for level in 0..levels {
            let read = match level {
                0 => Use { target: depth, part: Part::WHOLE, how: How::Sample },
                _ => Use { target, part: Part { level: level - 1, ..Part::WHOLE }, how: How::Sample },
            };
            let how = How::Attach { clear: true, keep: true };
            let written = Use { target, part: Part { level, ..Part::WHOLE }, how };
            let draw = Draw::Screen(if level == 0 { FIRST } else { NEXT });
            planner.pass(ROW.name, format!("{} {level}", ROW.name), Some(camera), vec![read, written], vec![draw]);
        }
        target
    });
    planner.whole(target, How::Sample).collect()
}

fn texts(_: &Job<'_>, _: &Prepared, _: &Pass) -> Vec<(String, String)> {
    vec![(ROW.name.to_string(), shader::depth_levels())]
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let read = pass.uses.iter().find(|usage| usage.how == How::Sample).expect("it reads a depth");
    let finer = frame.texture_of(read.target).create_view(&wgpu::TextureViewDescriptor {
        base_mip_level: read.part.level,
        mip_level_count: Some(1),
        ..Default::default()
    });
    let Some(Draw::Screen(fragment)) = pass.draws.first() else { unreachable!("it draws one screen") };
    let finer = wgpu::BindingResource::TextureView(&finer);
    let bound = &[if *fragment == FIRST { (0, DEPTH, finer) } else { (1, TEXTURE_RAW, finer) }];
    cover(
        frame,
        encoder,
        (pass, stretch),
        Cover { name: fragment, text: shader::depth_levels(), fragment, bound, over: false },
    );
}
