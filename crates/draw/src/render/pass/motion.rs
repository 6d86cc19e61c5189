//! Motion: where each surface point was one frame before, at pixel centres, one sample. What is around moves where the
//! camera turns.

use super::super::bind::{UNIFORM, filled};
use super::super::cover::{Cover, cover};
use super::super::frame::Frame;
use super::super::job::{Job, Look};
use super::super::lists;
use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row, no_texts};
use super::super::stretch::Stretch;
use crate::frame::{Draw, Format, How, Items, List, Part, Pass, Planner, Target, Use, ViewId};
use crate::material::Variant;
use crate::scene::Background;
use crate::shader;
use crate::view::{ShotCamera, inverse, product};

pub const ROW: Row =
    Row { name: "motion", declare: Declare::EachCamera(declare), record: lists::record, texts: no_texts };

/// Motion of what is around.
pub const AROUND: Row = Row { name: "motion around", declare: Declare::ByOthers, record, texts };

pub const MOTION: &str = "motion";
const DEPTH: &str = "motion_depth";
const FRAGMENT: &str = "motion_around";

/// Declares it where no row has done so.
pub fn declare(wish: &Wish<'_>, view: ViewId, planner: &mut Planner) {
    if planner.find(Some(view), MOTION).is_some() {
        return;
    }
    let mut target = |name, format| planner.add_flat(view, Target::texture(name, format, [0; 2]));
    let [motion, depth] = [target(MOTION, Format::Rg32Float), target(DEPTH, Format::Depth32Float)];
    let attached = |target, clear, keep| Use { target, part: Part::WHOLE, how: How::Attach { clear, keep } };
    planner.layer(MOTION.to_string(), motion, Part::WHOLE);
    let turns = wish.around.is_some() && turns(&wish.job.looks[view.0]);
    if turns {
        let draws = vec![Draw::Screen(FRAGMENT)];
        planner.pass(AROUND.name, AROUND.name.to_string(), Some(view), vec![attached(motion, true, true)], draws);
    }
    let items = planner.list(List { view, items: Items::Seen, variant: Variant::Motion });
    let uses = vec![attached(motion, !turns, true), attached(depth, true, false)];
    planner.pass(ROW.name, ROW.name.to_string(), Some(view), uses, vec![items]);
}

/// Whether what is around is seen to move.
fn turns(look: &Look<'_>) -> bool {
    let is_seen = look.output.background == Background::Environment;
    is_seen && clip_from_world(&look.shot.camera) != clip_from_world(&look.shot.camera_before)
}

fn clip_from_world(camera: &ShotCamera) -> glam::Mat4 {
    product(camera.clip_from_view, camera.view_from_world)
}

fn texts(_: &Job<'_>, _: &Prepared, _: &Pass) -> Vec<(String, String)> {
    vec![(AROUND.name.to_string(), shader::motion_around())]
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let look = &frame.job.looks[pass.view.expect("it is a camera's").0];
    let [now, before] = [&look.shot.camera, &look.shot.camera_before].map(clip_from_world);
    let matrices = [inverse(now), now, before].map(|matrix| matrix.to_cols_array());
    let ([width_px, height_px], [left_px, top_px]) = (look.size_px(), look.drawn().origin_px);
    let picture = [width_px, height_px, left_px, top_px].map(|px| px as f32);
    let numbers = [matrices.as_flattened(), &picture].concat();
    let uniform = filled(frame.device(), AROUND.name, wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&numbers));
    let bound = &[(0, UNIFORM, uniform.as_entire_binding())];
    let shown = Cover { name: AROUND.name, text: shader::motion_around(), fragment: FRAGMENT, bound, over: false };
    cover(frame, encoder, (pass, stretch), shown);
}
