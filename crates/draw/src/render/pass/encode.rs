//! Encode: the linear picture becomes the picture people get.

use super::super::bind::{TEXTURE_RAW, UNIFORM, filled};
use super::super::cover::{Cover, cover};
use super::super::frame::Frame;
use super::super::job::{Colour, Job, Look};
use super::super::prepared::{Prepared, Wish};
use super::super::row::{Declare, Row};
use super::super::stretch::Stretch;
use super::effects;
use crate::frame::{Format, How, Part, Pass, Planner, Target, Use, ViewId};
use crate::shader;

pub const ROW: Row = Row { name: "encode", declare: Declare::EachCamera(declare), record, texts };

const ENCODED: &str = "encoded";

fn declare(wish: &Wish<'_>, view: ViewId, planner: &mut Planner) {
    let format = match wish.job.looks[view.0].colour {
        Colour::Bits8(_) => Format::Rgba8UnormSrgb,
        Colour::Bits16(_) => Format::Rgba16Uint,
        Colour::Linear32 => Format::Rgba32Float,
    };
    let target = planner.add_flat(view, Target::texture(ENCODED, format, [0; 2]));
    let mut uses = planner.sampled(Some(view), &[effects::shown(planner, view, wish.job.looks[view.0].colour)]);
    uses.push(Use { target, part: Part::WHOLE, how: How::Attach { clear: true, keep: true } });
    planner.layer("color".to_string(), target, Part::WHOLE);
    planner.pass(ROW.name, ROW.name.to_string(), Some(view), uses, Vec::new());
}

fn text(job: &Job<'_>, prepared: &Prepared, pass: &Pass) -> String {
    let camera = pass.view.expect("it is a camera's").0;
    let Look { output, colour, .. } = &job.looks[camera];
    match prepared.chains[camera].is_developed {
        true => shader::encode_developed(colour.display().word()),
        false => shader::encode(output.tonemap.word(), colour.display().word()),
    }
}

fn texts(job: &Job<'_>, prepared: &Prepared, pass: &Pass) -> Vec<(String, String)> {
    vec![(ROW.name.to_string(), text(job, prepared, pass))]
}

fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let look = &frame.job.looks[pass.view.expect("it is a camera's").0];
    let fragment = match look.colour {
        Colour::Bits8(_) => "encode_8",
        Colour::Bits16(_) => "encode_16",
        Colour::Linear32 => "encode_32",
    };
    let uniform =
        filled(frame.device(), ROW.name, wgpu::BufferUsages::UNIFORM, bytemuck::cast_slice(&look.background()));
    let picture = pass.uses.iter().find(|usage| usage.how == How::Sample).expect("it encodes a picture");
    let picture = frame.texture_of(picture.target).create_view(&wgpu::TextureViewDescriptor::default());
    let bound =
        &[(0, UNIFORM, uniform.as_entire_binding()), (1, TEXTURE_RAW, wgpu::BindingResource::TextureView(&picture))];
    let text = text(frame.job, frame.prepared, pass);
    cover(frame, encoder, (pass, stretch), Cover { name: ROW.name, text, fragment, bound, over: false });
}

#[cfg(test)]
mod tests {
    use crate::scene::{Display, Tonemap};
    use crate::shader::{DISPLAYS, TONEMAPS};

    #[test]
    fn scene_files_know_every_tone_map_and_every_display() {
        let drawn: Vec<&str> = TONEMAPS.iter().map(|(word, _)| *word).collect();
        let read: Vec<&str> = Tonemap::WORDS.iter().map(|(word, _)| *word).collect();
        assert_eq!(drawn, read);
        let drawn: Vec<&str> = DISPLAYS.iter().map(|(word, _)| *word).collect();
        let read: Vec<&str> = Display::WORDS.iter().map(|(word, _)| *word).collect();
        assert_eq!(drawn, read);
    }
}
