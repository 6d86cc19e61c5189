//! Lists: how passes are recorded that draw nothing but items.

use super::frame::Frame;
use super::stretch::Stretch;
use crate::frame::{Draw, Pass};

/// Draws the lists of a pass, one after the other.
pub fn record(frame: &mut Frame<'_>, encoder: &mut wgpu::CommandEncoder, pass: &Pass, stretch: &Stretch) {
    let mut render = frame.begin(encoder, pass, stretch);
    draw(frame, &mut render, pass, stretch);
}

/// The same in a pass that has begun.
pub fn draw(frame: &Frame<'_>, render: &mut wgpu::RenderPass<'_>, pass: &Pass, stretch: &Stretch) {
    let mut at = 0;
    for draw in &pass.draws {
        match draw {
            Draw::List(id) => frame.draw(render, (pass, stretch), *id, at),
            Draw::Screen(name) | Draw::Grid(name) => unreachable!("{} draws items alone, not {name}", pass.name),
        }
        at += frame.count(draw);
    }
}
