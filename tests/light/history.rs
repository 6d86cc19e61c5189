//! Effects that read what they have left before: against points of pixels, closed forms, and pictures taken alone.

use stillframe::take::{Settings, Sitting, Take, take};
use stillframe_base::math::ops64 as m;
use stillframe_frames::{Picture, Samples};
use stillframe_scene::scene::{Aov, Scene};

use crate::truth::{linear, scene_of};

const FRAME_S: f64 = 0.1;

fn settings(bits: u8) -> Settings {
    Settings { bits, frame_s: FRAME_S, ..Settings::default() }
}

fn taken(scene: &Scene, settings: &Settings, time_s: f64) -> Take {
    take(&Scene { time_s, ..scene.clone() }, settings, &mut |_| ()).expect("a picture")
}

fn light(take: &Take) -> Vec<[f64; 3]> {
    let Picture { samples: Samples::F32(values), .. } = &take.pictures[0].1 else { panic!("floats") };
    values.chunks_exact(4).map(|c| [c[0], c[1], c[2]].map(f64::from)).collect()
}

/// Root of the mean square, of values up to 1.
fn rms(a: &[[f64; 3]], b: &[[f64; 3]]) -> f64 {
    let off = |(a, b): (&[f64; 3], &[f64; 3])| (0..3).map(|i| m::pow(a[i].min(1.0) - b[i].min(1.0), 2.0)).sum::<f64>();
    (a.iter().zip(b).map(off).sum::<f64>() / (3.0 * a.len() as f64)).sqrt()
}

/// A white square of 10 m, turned by 17 degrees, in 40 x 40 pixels of half a metre.
fn square(rest: &str) -> Scene {
    scene_of(&format!(
        "title = 'x'\n[output]\nsize_px = [40, 40]\nsamples = 1\ntonemap = 'none'\nbackground = '#000000'\nfps = 10\n\
         [camera.main]\nposition = [0.0, 0.0, 20.0]\nlook_at = [0.0, 0.0, 0.0]\nheight_m = 20.0\n\
         [material.m]\nunlit = true\nbase_color = [1.0, 1.0, 1.0]\n\
         [[node]]\nname = 'all'\nshape = 'quad'\nsize_m = [60.0, 60.0]\nposition = [0.0, 0.0, -1.0]\nmaterial = 'black'\n\
         [material.black]\nunlit = true\nbase_color = [0.0, 0.0, 0.0]\n\
         [[node]]\nname = 'square'\nshape = 'quad'\nsize_m = [10.0, 10.0]\nrotation_deg = [0.0, 0.0, 17.0]\nmaterial = 'm'\n{rest}"
    ))
}

/// Of a scene that rests, sixteen frames are sixteen points of each pixel: in the middles of as many rows and columns.
#[test]
fn what_rests_is_the_mean_of_its_points() {
    let scene = square("[[effect]]\nkind = 'taa'\nclip = 'none'\n");
    let take = taken(&scene, &settings(32), 0.0);
    assert_eq!(take.stats.frames_before, 15);
    let found = light(&take);
    let points: Vec<[f64; 2]> =
        (0..16u32).map(|at| [at, at.reverse_bits() >> 28].map(|at| (f64::from(at) + 0.5) / 16.0)).collect();
    let (sin, cos) = m::sin_cos(17f64.to_radians());
    let (mut edges, mut unsure) = (0, 0);
    for (at, pixel) in found.iter().enumerate() {
        let corner = [(at % 40) as f64, (at / 40) as f64];
        // From the nearest edge of the square, inwards, in pixels.
        let inwards = points.iter().map(|point| {
            let [x, y] = [(corner[0] + point[0]) * 0.5 - 10.0, 10.0 - (corner[1] + point[1]) * 0.5];
            let own = [x * cos + y * sin, y * cos - x * sin].map(f64::abs);
            2.0 * (5.0 - own[0].max(own[1]))
        });
        let inwards: Vec<f64> = inwards.collect();
        // Corners lie on a grid of 1/256 pixels.
        if inwards.iter().any(|inwards| inwards.abs() < 0.01) {
            unsure += 1;
            continue;
        }
        let want = inwards.iter().filter(|inwards| **inwards > 0.0).count() as f64 / 16.0;
        assert!((pixel[1] - want).abs() < 1e-6, "{corner:?}: {} instead of {want}", pixel[1]);
        edges += u32::from(want > 0.0 && want < 1.0);
    }
    assert!(edges > 40 && unsure < 40, "{edges} edges, {unsure} unsure");
}

fn stage(rest: &str) -> Scene {
    scene_of(&format!(
        "title = 'x'\ninclude = ['assets/post_stage.toml']\n[output]\nsize_px = [192, 128]\ntonemap = 'none'\nfps = 10\n\
         samples = 1\n{rest}"
    ))
}

const TAA: &str = "[[effect]]\nkind = 'taa'\n";

/// Against 256 points of each pixel, with and without motion.
#[test]
fn taa_is_near_many_points() {
    for (moves, time_s, most) in [("", 0.0, 0.35), (CAMERA_MOVES, 0.5, 0.75)] {
        let many = linear(&Scene { time_s, ..stage(&format!("{moves}[accumulate]\npixel = 256\n")) });
        let plain = rms(&many, &light(&taken(&stage(moves), &settings(32), time_s)));
        let found = rms(&many, &light(&taken(&stage(&format!("{moves}{TAA}")), &settings(32), time_s)));
        println!("taa {found:.4}, plain {plain:.4}");
        assert!(found < most * plain, "{found} of {plain}");
    }
}

/// Sideways by about half a pixel a frame.
const CAMERA_MOVES: &str = "[camera.main]\nposition = { keys = [[-10.0, [-0.9, 1.5, 4.4]], [10.0, [0.9, 1.5, 4.4]]], interpolation = 'linear' }\n";

/// Clipping keeps what has gone from being seen: a thing that moves by its own width a frame leaves no trail.
#[test]
fn clipping_removes_trails() {
    let moving = |keys: &str| {
        let keyed = "[[node]]\nname = 'thing'\nshape = 'quad'\nsize_m = [2.0, 4.0]\nmaterial = 'm'\n\
                     position = { keys = [[0.0, [-8.0, 8.0, 1.0]], [1.0, [8.0, 8.0, 1.0]]], interpolation = 'linear' }\n";
        let scene = square(&format!("{keyed}[[effect]]\nkind = 'taa'\nframes = 8\n{keys}"));
        light(&taken(&scene, &settings(32), 0.5))
    };
    // It has been between x = -8 and -1 there.
    let trail = |found: &[[f64; 3]]| (6..17).map(|x| found[4 * 40 + x][1]).fold(0.0, f64::max);
    let [with, without] = ["", "clip = 'none'"].map(|keys| trail(&moving(keys)));
    assert!(with < 1e-3 && without > 0.05, "{with}, {without}");
}

/// A frame of a sequence is the picture that is taken of it alone, to the bit.
#[test]
fn sequences_are_their_pictures() {
    let rest = format!(
        "{CAMERA_MOVES}[[effect]]\nkind = 'auto_exposure'\nframes = 3\n[[effect]]\nkind = 'taa'\nframes = 4\n\
         [[effect]]\nkind = 'afterimage'\nframes = 2\n"
    );
    let mut scene = stage(&rest);
    scene.output.width_px = 48;
    scene.output.height_px = 32;
    let settings = settings(8);
    let mut sitting = Sitting::begin(&scene, &settings, &mut |_| ()).expect("it loads");
    let mut before = Vec::new();
    for number in -1..10 {
        let time_s = f64::from(number) * FRAME_S;
        let shown = sitting.at(time_s, &mut |_| ()).expect("a picture");
        let alone = taken(&scene, &settings, time_s);
        assert!(shown.pictures == alone.pictures, "frame {number}");
        before.push((shown.stats.frames_before, alone.stats.frames_before));
    }
    let went_on: Vec<u32> = before.iter().map(|(shown, _)| *shown).collect();
    let alone: Vec<u32> = before.iter().map(|(_, alone)| *alone).collect();
    assert_eq!(alone, [6, 3, 4, 5, 6, 3, 4, 5, 6, 3, 4]);
    assert_eq!(went_on, [6, 3, 0, 0, 0, 3, 0, 0, 0, 3, 0]);
    // Backwards, too, and twice.
    for number in [5, 2, 2, 9] {
        let time_s = f64::from(number) * FRAME_S;
        let shown = sitting.at(time_s, &mut |_| ()).expect("a picture");
        assert!(shown.pictures == taken(&scene, &settings, time_s).pictures, "frame {number}");
    }
}

/// Layers that are no light are taken at pixels' centres.
#[test]
fn other_layers_do_not_move() {
    let aovs = vec![Aov::DEPTH, Aov::COLOR, Aov::ID];
    let settings = Settings { aovs, ..settings(8) };
    let [plain, smoothed] = ["", TAA].map(|rest| taken(&stage(rest), &settings, 0.0).pictures);
    assert!(plain[0] == smoothed[0] && plain[2] == smoothed[2] && plain[1] != smoothed[1]);
    assert_eq!(smoothed[1].0, Aov::COLOR);
    let alone = taken(&stage(TAA), &Settings { aovs: vec![Aov::COLOR], ..settings }, 0.0).pictures;
    assert!(alone[0] == smoothed[1]);
}

/// Adaptation is what a filter of first order makes of the logarithms of the frames.
#[test]
fn exposure_adapts() {
    let rest = "[output]\nexposure_ev = { keys = [[0.0, 0.0], [0.25, 3.0]], interpolation = 'step' }\n\
                [[effect]]\nkind = 'auto_exposure'\nframes = 8\nadapt_s = 0.3\n";
    let scene = scene_of(&format!(
        "title = 'x'\n[camera.main]\nposition = [0.0, 0.0, 20.0]\nlook_at = [0.0, 0.0, 0.0]\nheight_m = 24.0\n\
         [material.m]\nunlit = true\nbase_color = [0.4, 0.4, 0.4]\n\
         [[node]]\nname = 'all'\nshape = 'quad'\nsize_m = [100.0, 100.0]\nmaterial = 'm'\n{}",
        rest.replace("[output]", "[output]\nsize_px = [36, 24]\nsamples = 1\nfps = 10")
    ));
    let kept = m::exp(-FRAME_S / 0.3);
    for number in [0i32, 2, 3, 5, 7, 8] {
        let ev = |at: i32| if at >= 3 { 3.0 } else { 0.0 };
        let first = number - 7 - number.rem_euclid(8);
        let adapted = (first + 1..=number).fold(ev(first), |before, at| ev(at) + (before - ev(at)) * kept);
        let want = 0.18 * m::pow(2.0, ev(number) - adapted);
        let found = light(&taken(&scene, &settings(32), f64::from(number) * FRAME_S));
        for pixel in found {
            assert!((pixel[1] / want - 1.0).abs() < 1e-4, "frame {number}: {} instead of {want}", pixel[1]);
        }
    }
}

/// What was there some frames before has faded as often.
#[test]
fn afterimages_fade() {
    let moving = "[[node]]\nname = 'thing'\nshape = 'quad'\nsize_m = [1.0, 4.0]\nmaterial = 'm'\n\
                  position = { keys = [[0.0, [-8.0, 8.0, 1.0]], [1.0, [2.0, 8.0, 1.0]]], interpolation = 'linear' }\n";
    let scene = square(&format!("{moving}[[effect]]\nkind = 'afterimage'\nframes = 5\nkept = 0.75\n"));
    let found = light(&taken(&scene, &settings(32), 0.4));
    // By 2 pixels a frame: from 3 and 4 on.
    let row: Vec<f64> = (3..13).map(|x| found[4 * 40 + x][1]).collect();
    let want: Vec<f64> = (0..10).map(|x| m::pow(0.75, f64::from(4 - x / 2))).collect();
    assert!(row.iter().zip(&want).all(|(found, want)| (found - want).abs() < 1e-6), "{row:?} {want:?}");
}
