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

/// Sixty-four lamps that reach less than a metre.
const LAMPS: &str = "[[node]]\nname = 'lamps'\nposition = [0.0, 0.35, 0.0]\n\
                     grid = { count = [8, 1, 8], step_m = [0.7, 0.0, 0.7] }\n\
                     [[light]]\nparent = 'lamps'\nkind = 'point'\nintensity_cd = 0.2\nrange_m = 0.8\nshadow = false\n";

/// Lights, with and without their shadows, and by each method of lighting.
pub const CASES: &[Case] = &[
    case("draw/ball/plain", "64x64 pixels of a ball on a floor, three lights", |s| ball(s, &[SUN, POINTS], false)),
    case("draw/ball/sun", "the same under one light, a sun with a shadow", |s| ball(s, &[SUN], true)),
    case("draw/lamps/forward", "512x512 pixels of a floor under 64 lamps, each asked by every pixel", |s| {
        lamps(s, "forward")
    }),
    case("draw/lamps/clustered", "the same, each asked where it reaches", |s| lamps(s, "clustered")),
    case("draw/lamps/forward_plus", "the same by lists of tiles", |s| lamps(s, "forward_plus")),
    case("draw/lamps/deferred", "the same, surfaces stored first, all lamps asked", |s| lamps(s, "deferred")),
    case("draw/lamps/tiled_deferred", "surfaces stored first, by lists of tiles", |s| lamps(s, "tiled_deferred")),
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
    drawn(setting, &text)
}

fn lamps(setting: Setting, lighting: &str) -> Ready {
    let text = format!(
        "title = 'lamps'\n[output]\nsize_px = [512, 512]\nsamples = 1\n[render]\nlighting = '{lighting}'\n\
         [camera.main]\nposition = [0.0, 3.4, 5.2]\nlook_at = [0.0, 0.1, 0.2]\n\
         [[node]]\nshape = 'plane'\nsize_m = [9.0, 9.0]\n{LAMPS}"
    );
    drawn(setting, &text)
}

fn drawn(setting: Setting, text: &str) -> Ready {
    let here = Path::new(".");
    let vfs = Vfs::open(here).expect("the working folder can be read");
    let resolved = resolve_text(text, Path::new("bench.toml"), here, &vfs, &[]);
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
