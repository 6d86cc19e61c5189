//! Encode: the linear picture becomes the picture people get.

use super::super::bind::{TEXTURE_RAW, UNIFORM, filled};
use super::super::cover::{Cover, cover};
use super::super::frame::Frame;
use super::super::job::{Colour, Job};
use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row};
use super::super::stretch::Stretch;
use super::scene::{LINEAR, LINEAR_FLOAT};
use crate::frame::{Format, How, Part, Pass, Planner, Target, Use, ViewId};
use crate::scene::Background;
use crate::shader;

pub const ROW: Row = Row { name: "encode", declare: Declare::EachCamera(declare), record, texts };

const ENCODED: &str = "encoded";

fn declare(wish: &Wish<'_>, view: ViewId, planner: &mut Planner) {
    let format = match wish.job.looks[view.0].colour {
        Colour::Srgb8 => Format::Rgba8UnormSrgb,
        Colour::Srgb16 => Format::Rgba16Uint,
        Colour::Linear32 => Format::Rgba32Float,
    };
    let target = planner.add_flat(view, Target::texture(ENCODED, format, [0; 2]));
    let is_half = format != Format::Rgba32Float && planner.find(Some(view), LINEAR).is_some();
    let mut uses = planner.sampled(Some(view), &[if is_half { LINEAR } else { LINEAR_FLOAT }]);
    uses.push(Use { target, part: Part::WHOLE, how: How::Attach { clear: true, keep: true } });
    planner.layer("color".to_string(), target, Part::WHOLE);
    planner.pass(ROW.name, ROW.name.to_string(), Some(view), uses, Vec::new());
}

fn text(job: &Job<'_>, pass: &Pass) -> String {
    let view = pass.view.expect("it is a camera's");
    shader::encode(job.looks[view.0].output.tonemap.word())
}

fn texts(job: &Job<'_>, _: &Prepared, pass: &Pass) -> Vec<(String, String)> {
    vec![(ROW.name.to_string(), text(job, pass))]
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let look = &frame.job.looks[pass.view.expect("it is a camera's").0];
    let background = match look.output.background {
        Background::Color([r, g, b]) => [r, g, b, 1.0],
        // Where there is no environment to be seen there is black.
        Background::Environment => [0.0, 0.0, 0.0, 1.0],
        Background::Transparent => [0.0; 4],
        Background::Auto => unreachable!("settled when the files were loaded"),
    };
    let fragment = match look.colour {
        Colour::Srgb8 => "encode_8",
        Colour::Srgb16 => "encode_16",
        Colour::Linear32 => "encode_32",
    };
    let uniform = filled(frame.device(), ROW.name, wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&background));
    let linear = frame.try_texture(pass, LINEAR).unwrap_or_else(|| frame.texture(pass, LINEAR_FLOAT));
    let linear = linear.create_view(&wgpu::TextureViewDescriptor::default());
    let bound = &[(UNIFORM, uniform.as_entire_binding()), (TEXTURE_RAW, wgpu::BindingResource::TextureView(&linear))];
    let text = text(frame.job, pass);
    cover(frame, encoder, (pass, stretch), Cover { name: ROW.name, text, fragment, bound, over: false });
}

#[cfg(test)]
mod tests {
    use crate::scene::Tonemap;
    use crate::shader::TONEMAPS;

    #[test]
    fn scene_files_know_every_tone_map() {
        let drawn: Vec<&str> = TONEMAPS.iter().map(|(word, _)| *word).collect();
        let read: Vec<&str> = Tonemap::WORDS.iter().map(|(word, _)| *word).collect();
        assert_eq!(drawn, read);
    }
}
