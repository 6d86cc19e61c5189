//! Draw: the table's rows of pictures. They are here because `stillframe_lab` knows no device.
//!
//! What is timed is a further picture of a scene that stays loaded, so pipelines and uploads are there: placing,
//! preparing, drawing, reading back.

use std::path::Path;

use stillframe_frames::Samples;
use stillframe_lab::bench::{Case, Ready, Setting, Unit};

use crate::scene::resolve_text;
use crate::source::Vfs;
use crate::take::{Settings, Sitting};

const SUN: &str = "[[light]]\nkind = 'directional'\ndirection = [-0.5, -1.0, -0.4]\nilluminance_lux = 3.0\n";
const POINTS: &str = "[[light]]\nkind = 'point'\nposition = [1.5, 2.0, 1.0]\nintensity_cd = 8.0\n\
                      [[light]]\nkind = 'point'\nposition = [-1.2, 1.5, 1.5]\nintensity_cd = 8.0\n";

const fn case(name: &'static str, does: &'static str, prepare: fn(Setting) -> Ready) -> Case {
    Case { name, unit: Unit::UsPer("picture"), does, by_isa: true, by_threads: false, prepare }
}

/// Lights, with and without their shadows.
pub const CASES: &[Case] = &[
    case("draw/ball/plain", "64x64 pixels of a ball on a floor, three lights", |s| ball(s, &[SUN, POINTS], false)),
    case("draw/ball/sun", "the same under one light, a sun with a shadow", |s| ball(s, &[SUN], true)),
    case("draw/ball/sun_points", "the same under all three with shadows", |s| ball(s, &[SUN, POINTS], true)),
];

struct Pictured {
    sitting: Sitting,
    texels: Vec<f32>,
}

fn ball(setting: Setting, lights: &[&str], shadows: bool) -> Ready {
    let text = format!(
        "title = 'a ball'\n[output]\nsize_px = [64, 64]\nsamples = 1\nshadows = {shadows}\n\
         [camera.main]\nposition = [0.0, 1.0, 4.0]\nlook_at = [0.0, 0.3, 0.0]\n\
         [[node]]\nshape = 'sphere'\nradius_m = 0.5\nposition = [0.0, 0.5, 0.0]\n\
         [[node]]\nshape = 'plane'\nsize_m = [4.0, 4.0]\n{}",
        lights.concat()
    );
    let here = Path::new(".");
    let vfs = Vfs::open(here).expect("the working folder can be read");
    let resolved = resolve_text(&text, Path::new("ball.toml"), here, &vfs, &[]);
    let scene = resolved.unwrap_or_else(|found| unreachable!("the scene is whole: {found:?}")).scene;
    let settings = Settings { threads: setting.threads, isa: Some(setting.isa), bits: 32, ..Settings::default() };
    let sitting = Sitting::begin(&scene, &settings, &mut |_| ()).expect("the software adapter is always there");
    Ready::new(1, Pictured { sitting, texels: Vec::new() }, picture, |pictured| &pictured.texels)
}

fn picture(pictured: &mut Pictured) {
    let taken = pictured.sitting.at(0.0, &mut |_| ()).expect("the scene can be drawn");
    let picture = taken.pictures.into_iter().next().expect("one was asked for").1;
    let Samples::F32(texels) = picture.samples else { unreachable!("32 bits were asked for") };
    pictured.texels = texels;
}
