//! Shared: maps that do not depend on the camera are drawn once, for all cameras of a picture and for later pictures.

use stillframe::take::{Capture, Settings, Sitting, Take, take};
use stillframe_scene::scene::Scene;

use crate::rays::{Traced, Wrong, still_life};
use crate::truth::scene_of;

/// A floor, something that stands, something that moves or shines as `rest` says, and two cameras.
fn text(shadows: [&str; 2], rest: &str) -> String {
    let [sun, lamp] = shadows;
    format!(
        "title = 'x'\n[output]\nsize_px = [48, 32]\nfps = 10\n[camera.main]\nfov_y_deg = 50.0\n\
         position = {{ keys = [[0.0, [0.5, 1.5, 3.0]], [1.0, [1.5, 2.0, 2.5]]] }}\nlook_at = [0.0, 0.3, 0.0]\n\
         [camera.top]\nposition = [0.0, 4.0, 0.1]\nlook_at = [0.0, 0.0, 0.0]\n\
         [[view]]\nname = 'top'\ncamera = 'top'\nsize_px = [40, 24]\n\
         [[view]]\nname = 'around'\nkind = 'panorama'\nposition = [0.0, 0.8, 0.6]\nsize_px = [32, 16]\n\
         [[view]]\nname = 'eyes'\nkind = 'stereo'\nsize_px = [24, 24]\n\
         [[light]]\nname = 'sun'\nilluminance_lux = 2.0\ndirection = [-0.6, -1.0, -0.2]\nshadow = {sun}\n\
         [[light]]\nname = 'lamp'\nkind = 'point'\nintensity_cd = 6.0\nposition = [0.3, 1.2, 0.4]\nshadow = {lamp}\n\
         [[node]]\nshape = 'plane'\nsize_m = [5.0, 5.0]\n\
         [[node]]\nname = 'post'\nshape = 'box'\nsize_m = [0.2, 0.8, 0.2]\nposition = [-0.5, 0.4, 0.0]\n{rest}"
    )
}

const OF_SCENE: [&str; 2] = ["{ fit = 'scene' }", "{ technique = 'cube', fit = 'scene' }"];
const TIGHT: [&str; 2] = ["true", "'cube'"];
const BALL: &str = "[[node]]\nname = 'ball'\nshape = 'sphere'\nradius_m = 0.2\nposition = [0.6, 0.3, 0.3]\n";
const ROLLING: &str = "[[node]]\nname = 'ball'\nshape = 'sphere'\nradius_m = 0.2\n\
                       position = { keys = [[0.0, [0.6, 0.3, 0.3]], [0.2, [0.6, 0.3, 0.3]], [0.5, [0.2, 0.3, 0.3]]] }\n";

fn settings() -> Settings {
    Settings { capture: Capture::Passes, ..Settings::default() }
}

fn alone(scene: &Scene) -> Take {
    take(scene, &settings(), &mut |_| ()).unwrap_or_else(|error| panic!("{error:?}"))
}

fn begin(scene: &Scene) -> Sitting {
    Sitting::begin(scene, &settings(), &mut |_| ()).expect("it loads")
}

fn at(sitting: &mut Sitting, time_s: f64) -> Take {
    sitting.at(time_s, &mut |_| ()).unwrap_or_else(|error| panic!("{error:?}"))
}

/// Pixels and what every pass left are those of a picture by itself.
fn assert_same(found: &Take, want: &Take, what: &str) {
    assert!(found.pictures == want.pictures, "{what}: another picture");
    let hashes = |taken: &Take| taken.captures.iter().map(|pass| (pass.name.clone(), pass.hash)).collect::<Vec<_>>();
    assert_eq!(hashes(found), hashes(want), "{what}");
}

/// The sun's map, and the sides of the lamp's cube: once for two eyes and six faces, and for all views of a sitting.
#[test]
fn cameras_share_maps_of_the_scene() {
    let scene = scene_of(&text(OF_SCENE, BALL));
    let maps = alone(&scene).stats.shadow_maps;
    assert!((3..=7).contains(&maps), "{maps}");
    let mut sitting = begin(&scene);
    for (at_view, view) in scene.views.iter().enumerate() {
        let own = scene.for_view(&view.name).unwrap();
        sitting.show(at_view, &own.output);
        let (taken, alone) = (at(&mut sitting, 0.0), alone(&own));
        assert_eq!(alone.stats.shadow_maps, maps, "{}", view.name);
        assert_eq!(taken.stats.shadow_maps, if at_view == 0 { maps } else { 0 }, "{}", view.name);
        assert_same(&taken, &alone, &view.name);
    }
    // Where each fits its own, none is shared.
    let tight = scene_of(&text(TIGHT, BALL)).for_view("eyes").unwrap();
    let one = scene_of(&text(TIGHT, BALL)).for_view("top").unwrap();
    assert!(alone(&tight).stats.shadow_maps > alone(&one).stats.shadow_maps);
}

/// Every technique, opaque and transparent casters.
#[test]
fn shared_maps_are_those_of_each_camera() {
    for shadow in
        ["'pcf3'", "'pcss'", "'msm'", "'esm'", "{ transparent = true }", "{ technique = 'vsm', transparent = true }"]
    {
        let table = match shadow.strip_prefix("{ ") {
            Some(rest) => format!("{{ fit = 'scene', {rest}"),
            None => format!("{{ fit = 'scene', technique = {shadow} }}"),
        };
        let pane = "[material.pane]\nbase_color = [0.8, 0.2, 0.2, 0.5]\nalpha_mode = 'blend'\n[[node]]\nshape = 'quad'\n\
                    material = 'pane'\nsize_m = [0.5, 0.5]\nposition = [0.2, 0.5, 0.0]\n";
        let scene = scene_of(&text([&table, &table], &[BALL, pane].concat()));
        let mut sitting = begin(&scene);
        for (at_view, view) in scene.views.iter().enumerate() {
            let own = scene.for_view(&view.name).unwrap();
            sitting.show(at_view, &own.output);
            assert_same(&at(&mut sitting, 0.0), &alone(&own), &format!("{shadow} {}", view.name));
        }
    }
}

/// While the camera moves, maps of the scene stay; what moves draws them again, and so does a light.
#[test]
fn pictures_keep_maps_while_nothing_moves() {
    // It is made anew, under the same number.
    let growing = "[[node]]\nname = 'ball'\nshape = 'sphere'\nposition = [0.6, 0.3, 0.3]\n\
                   radius_m = { keys = [[0.0, 0.1], [0.1, 0.2], [0.2, 0.2], [0.3, 0.3]] }\n";
    for (rest, drawn) in [
        (BALL, [true, false, false, false]),
        (ROLLING, [true, false, false, true]),
        (growing, [true, true, false, true]),
    ] {
        let scene = scene_of(&text(OF_SCENE, rest));
        let mut sitting = begin(&scene);
        for (frame, drawn) in drawn.into_iter().enumerate() {
            let time_s = frame as f64 * 0.1;
            let (taken, alone) = (at(&mut sitting, time_s), at(&mut begin(&scene), time_s));
            assert_eq!(taken.stats.shadow_maps > 0, drawn, "frame {frame}");
            assert!(alone.stats.shadow_maps > 0);
            assert_same(&taken, &alone, &format!("frame {frame}"));
        }
        // Back to the first one.
        assert_same(&at(&mut sitting, 0.0), &at(&mut begin(&scene), 0.0), "the first frame again");
    }
    let tight = scene_of(&text(TIGHT, BALL));
    let mut sitting = begin(&tight);
    assert!(at(&mut sitting, 0.0).stats.shadow_maps > 0 && at(&mut sitting, 0.1).stats.shadow_maps > 0);
    assert_eq!(at(&mut sitting, 0.1).stats.shadow_maps, 0, "the same picture again");
}

/// A material that is cut out changes its shadow with its texture's view: nothing is kept then.
#[test]
fn casters_that_show_views_are_drawn_again() {
    let cut = "[[view]]\nname = 'cut'\ncamera = 'main'\nsize_px = [16, 16]\nbackground = 'transparent'\n\
               previous_frame = true\n[material.cut]\nalpha_mode = 'mask'\nbase_color_texture = { view = 'cut' }\n\
               [[node]]\nname = 'screen'\nshape = 'quad'\nmaterial = 'cut'\nposition = [0.0, 0.6, -0.4]\n";
    let scene = scene_of(&text(OF_SCENE, &[ROLLING, cut].concat()));
    let mut sitting = begin(&scene);
    for frame in 0..3 {
        let time_s = f64::from(frame) * 0.1;
        let (taken, alone) = (at(&mut sitting, time_s), at(&mut begin(&scene), time_s));
        assert_same(&taken, &alone, &format!("frame {frame}"));
    }
}

/// Shadows by maps of all of the scene against rays.
#[test]
fn maps_of_the_scene_fall_where_rays_say() {
    for (light, shadow) in [
        ("kind = 'directional'\ndirection = [0.9, -1.0, 0.5]", "{ technique = 'pcf3', fit = 'scene' }"),
        ("kind = 'point'\nposition = [-0.5, 2.9, 0.6]", "{ technique = 'pcf3', fit = 'scene' }"),
        ("kind = 'point'\nposition = [0.1, 0.5, -0.4]", "{ technique = 'pcf2', fit = 'scene' }"),
    ] {
        let scene = still_life(&format!("{light}\nshadow = {shadow}"));
        let Wrong { pixels, looked_at: [dark, lit] } = Traced::new(scene).wrong("lamp", 8.0);
        assert!(dark > 15 && lit > 5000, "{light}: {dark} dark, {lit} lit");
        assert!(pixels.is_empty(), "{light}: {} of {} wrong: {pixels:?}", pixels.len(), dark + lit);
    }
}
