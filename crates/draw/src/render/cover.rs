//! Cover: a pass that draws one triangle over its whole picture.

use super::bind::{FRAGMENT, group};
use super::frame::Frame;
use super::shaders::Screen;
use super::stretch::Stretch;
use crate::frame::Pass;

/// What the triangle shows.
#[derive(Clone, Debug)]
pub struct Cover<'a> {
    pub name: &'a str,
    /// Its vertex function is `screen`.
    pub text: String,
    /// Name of the fragment function.
    pub fragment: &'static str,
    /// Bindings of group 0, by their numbers.
    pub bound: &'a [(u32, wgpu::BindingType, wgpu::BindingResource<'a>)],
    /// It is drawn over what is there, with premultiplied alpha.
    pub over: bool,
}

/// Records the pass.
pub fn cover(
    frame: &mut Frame<'_>,
    encoder: &mut wgpu::CommandEncoder,
    (pass, stretch): (&Pass, &Stretch),
    shown: Cover<'_>,
) {
    cover_lit(frame, encoder, (pass, stretch), shown, None);
}

/// The same; with lights, they are group 1, the view is group 0, and what is bound is group 2.
pub fn cover_lit(
    frame: &mut Frame<'_>,
    encoder: &mut wgpu::CommandEncoder,
    (pass, stretch): (&Pass, &Stretch),
    Cover { name, text, fragment, bound, over }: Cover<'_>,
    lights: Option<(wgpu::BindGroupLayout, wgpu::BindGroup)>,
) {
    let entries: Vec<_> = bound.iter().map(|(at, ty, _)| (*at, FRAGMENT, *ty)).collect();
    let resources: Vec<_> = bound.iter().map(|(at, _, resource)| (*at, resource.clone())).collect();
    let layout = frame.layout(name, &entries);
    let group = group(frame.device(), name, &layout, &resources);
    let formats = frame.prepared.plan.colors(pass);
    let view_layout = frame.view_layout();
    let groups: &[_] = match &lights {
        Some((light_layout, _)) => &[&view_layout, light_layout, &layout],
        None => &[&layout],
    };
    let pipeline = frame.screen(Screen { name, text, fragment, groups, formats, samples: 1, behind: false, over });
    let mut render = frame.begin(encoder, pass, stretch);
    render.set_pipeline(&pipeline);
    match &lights {
        Some((_, lights)) => {
            render.set_bind_group(1, lights, &[]);
            render.set_bind_group(2, &group, &[]);
        }
        None => render.set_bind_group(0, &group, &[]),
    }
    render.draw(0..3, 0..1);
}
