//! Several views in one plan.

use glam::{Mat4, Vec3};

use super::super::{Colour, Look, ROWS, Texels};
use super::stage::{Bench, Stage, look, names, output};
use crate::frame::ViewId;
use crate::scene::{Background, Display, Tonemap};

const LAYERS: [&str; 7] = ["color", "linear", "depth", "id", "motion", "shadow.0", "shadow.1"];

/// All that differs between cameras: place, size, samples, exposure, tone map, background, form.
#[test]
fn two_views_in_one_plan_are_two_takes() {
    let stage = Stage::new();
    let layers = names(&LAYERS);
    let shots = [stage.shot(Vec3::new(2.0, 1.5, 4.0), 1.5), stage.shot(Vec3::new(-3.0, 2.5, 2.0), 0.75)];
    let wide = output([96, 64], 4);
    let mut tall = output([48, 64], 1);
    (tall.exposure_ev, tall.tonemap) = (1.5, Tonemap::Neutral);
    tall.background = Background::Color([0.1, 0.2, 0.3]);
    let second = Look { colour: Colour::Bits16(Display::Srgb), ..look(&shots[1], &tall, &layers) };
    let looks = [look(&shots[0], &wide, &layers), second];

    let (both, together) = Bench::new().draw(&stage.job(&looks), ROWS);
    assert!(both.plan.targets.iter().filter(|target| target.name == "linear").count() == 2, "{}", both.plan);
    for (camera, look) in looks.iter().enumerate() {
        let one = [*look];
        let (prepared, alone) = Bench::new().draw(&stage.job(&one), ROWS);
        for name in LAYERS {
            let of_both = together.texels(both.plan.layer(ViewId(camera), name).expect(name));
            let of_one = alone.texels(prepared.plan.layer(ViewId(0), name).expect(name));
            assert!(of_both == of_one, "{name} of camera {camera}");
            assert!(of_one.bytes.iter().any(|byte| *byte != of_one.bytes[0]), "{name} shows nothing");
        }
        // Passes of all cameras, and those of this one, by their hashes.
        let own = |name: &str| if camera == 0 { name.to_string() } else { format!("{name} @{camera}") };
        for pass in &alone.captures {
            let mut same =
                together.captures.iter().filter(|other| other.name == pass.name || other.name == own(&pass.name));
            assert!(same.any(|other| other.hash == pass.hash), "pass {} of camera {camera}", pass.name);
        }
    }
    // The light from around is made once; each camera's scene in halves and in floats.
    let named = |name: &str| together.captures.iter().filter(|pass| pass.name.starts_with(name)).count();
    assert_eq!((named("radiance"), named("sources"), named("prefilter"), named("scene")), (1, 1, 1, 4));
}

fn ids(texels: &Texels) -> Vec<u32> {
    let words: Vec<u32> = bytemuck::pod_collect_to_vec(&texels.bytes);
    words.chunks_exact(4).map(|texel| texel[3]).collect()
}

/// A camera that exchanges left and right sees the same sides of things.
#[test]
fn a_mirrored_view_shows_the_picture_turned_round() {
    let stage = Stage::new();
    let layers = names(&["id", "color"]);
    let shot = stage.shot(Vec3::new(2.0, 1.5, 4.0), 1.0);
    let mut turned = shot.clone();
    turned.camera.view_from_world = Mat4::from_scale(Vec3::new(-1.0, 1.0, 1.0)) * turned.camera.view_from_world;
    turned.camera_before = turned.camera.clone();
    let output = output([64, 64], 1);
    let looks = [look(&shot, &output, &layers), look(&turned, &output, &layers)];
    let (prepared, drawn) = Bench::new().draw(&stage.job(&looks), ROWS);
    assert_eq!(prepared.plan.views[..2].iter().map(|view| view.mirrored).collect::<Vec<_>>(), [false, true]);
    let layer = |camera, name| drawn.texels(prepared.plan.layer(ViewId(camera), name).unwrap());
    let (plain, turned) = (ids(layer(0, "id")), ids(layer(1, "id")));
    assert!([1, 2].iter().all(|id| plain.iter().filter(|seen| *seen == id).count() > 100));
    let differs = |x: usize, y: usize| plain[y * 64 + x] != turned[y * 64 + 63 - x];
    let count = (0..64 * 64).filter(|at| differs(at % 64, at / 64)).count();
    // Edges through the middle of pixels are another triangle's from the other side.
    assert!(count <= 8, "{count} of 4096 pixels show another object");
    let (plain, turned) = (&layer(0, "color").bytes, &layer(1, "color").bytes);
    let is_near = |x: usize, y: usize| {
        (0..3).all(|c| plain[(y * 64 + x) * 4 + c].abs_diff(turned[(y * 64 + 63 - x) * 4 + c]) <= 2)
    };
    let near = (0..64 * 64).filter(|at| is_near(at % 64, at / 64)).count();
    assert!(near >= 4096 * 95 / 100, "{near} of 4096 pixels are lit the same");
}
