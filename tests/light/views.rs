//! Views: what surfaces show of them against the pictures themselves, mirrors against mirrored models.

use stillframe::take::{Settings, Sitting, Take, TakeError, take};
use stillframe_frames::{Picture, Samples};
use stillframe_scene::scene::{Aov, CameraChoice, Scene};

use crate::truth::scene_of;

/// Things to look at.
const THINGS: &str = "[environment]\ngradient = { zenith = [0.3, 0.5, 0.9], horizon = [0.6, 0.6, 0.6], \
     ground = [0.2, 0.2, 0.1] }\n[[light]]\nilluminance_lux = 2.5\ndirection = [-0.6, -1.0, 0.0]\n[material.red]\n\
     base_color = '#c04030'\n[material.blue]\nbase_color = '#3050c0'\nroughness = 0.3\n";

fn text(output: &str, rest: &str) -> String {
    format!("title = 'x'\n[output]\nbackground = 'environment'\n{output}\n{THINGS}{rest}")
}

fn shapes(z: f64) -> String {
    format!(
        "[[node]]\nshape = 'box'\nsize_m = [0.6, 0.9, 0.5]\nposition = [-0.8, 0.45, {z:?}]\n\
         rotation_deg = [0.0, 20.0, 0.0]\nmaterial = 'red'\n[[node]]\nshape = 'cone'\nradius_m = 0.4\nheight_m = 1.0\n\
         position = [0.7, 0.5, {:?}]\nmaterial = 'blue'\n",
        z + 0.4
    )
}

const FLOOR: &str = "[[node]]\nshape = 'plane'\nsize_m = [14.0, 14.0]\n";

fn taken(scene: &Scene, settings: &Settings) -> Take {
    take(scene, settings, &mut |_| ()).unwrap_or_else(|error| panic!("{error:?}"))
}

fn picture(scene: &Scene) -> Picture {
    taken(scene, &Settings::default()).pictures.swap_remove(0).1
}

fn bytes(picture: &Picture) -> &[u8] {
    if let Samples::U8(bytes) = &picture.samples { bytes } else { panic!("8 bits") }
}

fn floats(scene: &Scene) -> Vec<f32> {
    let taken = taken(scene, &Settings { bits: 32, ..Settings::default() });
    if let Samples::F32(values) = &taken.pictures[0].1.samples { values.clone() } else { panic!("floats") }
}

/// A screen that a camera without perspective shows pixel by pixel, far from everything else.
fn screen(view: &str, [width, height]: [u32; 2]) -> String {
    format!(
        "[camera.screen]\nposition = [100.0, 0.0, 1.0]\nlook_at = [100.0, 0.0, 0.0]\nheight_m = 1.0\nnear_m = 0.1\n\
         [material.screen]\nunlit = true\nbase_color_texture = {{ view = '{view}', filter = 'nearest', \
         mip_filter = 'none', wrap = 'clamp' }}\n[[node]]\nshape = 'quad'\nsize_m = [{:?}, 1.0]\n\
         position = [100.0, 0.0, 0.0]\nmaterial = 'screen'\n",
        f64::from(width) / f64::from(height)
    )
}

/// Texels of a monitor are the pixels of the view's own picture.
#[test]
fn a_monitor_shows_the_picture_of_its_view() {
    let view = "[camera.own]\nposition = [1.0, 1.2, 3.0]\nlook_at = [0.0, 0.4, 0.0]\n[[view]]\nname = 'own'\n\
                camera = 'own'\nsize_px = [64, 48]\ntonemap = 'agx'\nsamples = 4\nexposure_ev = 0.5\n";
    let output = "size_px = [64, 48]\ncamera = 'screen'\ntonemap = 'none'\nsamples = 1";
    let scene = scene_of(&text(output, &[view, &screen("own", [64, 48]), FLOOR, &shapes(0.0)].concat()));
    let (shown, own) = (taken(&scene, &Settings::default()), picture(&scene.for_view("own").unwrap()));
    assert_eq!(shown.stats.views, 1);
    assert!(shown.pictures[0].1 == own, "the monitor shows another picture");
    // It is a picture of something.
    let (least, most) = (bytes(&own).iter().min(), bytes(&own).iter().max());
    assert!(most.zip(least).is_some_and(|(most, least)| most - least > 60), "{least:?} to {most:?}");
}

/// What is seen in a mirror is what is seen of the mirrored model through a hole in its place.
#[test]
fn a_mirror_shows_the_mirrored_model() {
    let camera = "[camera.main]\nposition = [0.6, 1.3, 4.0]\nlook_at = [0.0, 0.4, 0.0]\nfov_y_deg = 40.0\n";
    let mirror = "[[view]]\nname = 'mirror'\nkind = 'mirror'\nposition = [3.0, 0.0, -0.6]\nnormal = [0.0, 0.0, 2.0]\n\
                  [material.mirror]\nunlit = true\nbase_color_texture = { view = 'mirror' }\n[[node]]\nshape = 'quad'\n\
                  size_m = [30.0, 30.0]\nposition = [0.0, 0.0, -0.6]\nmaterial = 'mirror'\n";
    // About z = -0.6, as the floor is.
    let floor = FLOOR.replace("[[node]]\n", "[[node]]\nposition = [0.0, 0.0, -0.6]\n");
    let floor = floor.as_str();
    let copy = shapes(0.0).replace("[[node]]\n", "[[node]]\nparent = 'copy'\n");
    let copy = format!("[[node]]\nname = 'copy'\nposition = [0.0, 0.0, -1.2]\nscale = [1.0, 1.0, -1.0]\n{copy}");
    let output = "size_px = [96, 72]\nsamples = 1\nshadows = false";
    let seen = floats(&scene_of(&text(output, &[camera, mirror, floor, &shapes(0.0)].concat())));
    let model = floats(&scene_of(&text(output, &[camera, floor, &shapes(0.0), &copy].concat())));
    let plain = floats(&scene_of(&text(output, &[camera, floor, &shapes(0.0)].concat())));
    let differ = |a: &[f32], b: &[f32]| {
        let off = |(a, b): (&[f32], &[f32])| a.iter().zip(b).any(|(a, b)| (a - b).abs() > 0.01 * a.abs().max(0.02));
        a.chunks_exact(4).zip(b.chunks_exact(4)).filter(|(a, b)| off((a, b))).count()
    };
    assert_eq!(seen.len(), model.len());
    // Edges of triangles may fall on the other side of a pixel's centre.
    let wrong = differ(&seen, &model);
    assert!(wrong <= 12, "{wrong} pixels of {} differ", seen.len() / 4);
    assert!(differ(&plain, &model) > 60, "the mirrored model is not in sight");
}

/// Mirrors that face each other show each other once, and a mirror is no part of what it shows.
#[test]
fn mirrors_that_face_each_other_end() {
    let mirror = |name: &str, z: f64, turn: f64| {
        format!(
            "[[view]]\nname = '{name}'\nkind = 'mirror'\nposition = [0.0, 0.0, {z:?}]\nnormal = [0.0, 0.0, 1.0]\n\
             [material.{name}]\nunlit = true\nbase_color_texture = {{ view = '{name}' }}\n[[node]]\nshape = 'quad'\n\
             size_m = [3.0, 1.5]\nposition = [0.0, 0.75, {z:?}]\nrotation_deg = [0.0, {turn:?}, 0.0]\nmaterial = '{name}'\n"
        )
    };
    let camera = "[camera.main]\nposition = [0.2, 0.9, 1.4]\nlook_at = [0.0, 0.6, 0.0]\n";
    let both = [camera, FLOOR, &shapes(0.0), &mirror("back", -1.5, 0.0), &mirror("front", 2.8, 180.0)].concat();
    let taken = taken(&scene_of(&text("size_px = [48, 32]", &both)), &Settings::default());
    // The back one for the camera, and the front one for that.
    assert_eq!(taken.stats.views, 2);
}

const FILMED: &str = "[camera.film]\nposition = [100.2, 0.1, 2.0]\nlook_at = [100.0, 0.0, 0.0]\n[[view]]\nname = 'film'\n\
                      camera = 'film'\nsize_px = [32, 24]\nsamples = 1\n";

#[test]
fn a_view_that_sees_itself_is_a_mistake() {
    let output = "size_px = [32, 24]\ncamera = 'screen'";
    let scene = scene_of(&text(output, &[FILMED, &screen("film", [32, 24])].concat()));
    let Err(TakeError::Scene(found)) = take(&scene, &Settings::default(), &mut |_| ()) else { panic!("an error") };
    assert_eq!((found.len(), found[0].code), (1, "E0607"), "{found:#?}");
    assert!(found[0].span.is_some() && found[0].help.as_deref().unwrap_or("").contains("previous_frame"), "{found:#?}");
}

/// A monitor that is filmed shows the picture of the frame before, and nothing at the first one; in whatever order
/// pictures are made.
#[test]
fn previous_frames_are_those_before() {
    let view = format!("{FILMED}previous_frame = true\n");
    let output = "size_px = [32, 24]\ncamera = 'screen'\ntonemap = 'none'\nsamples = 1";
    let ball = "[[node]]\nshape = 'sphere'\nradius_m = 0.1\nmaterial = 'red'\n\
                position = { keys = [[0.0, [99.9, 0.0, 0.3]], [1.0, [102.0, 0.0, 0.3]]] }\n";
    let scene = scene_of(&text(output, &[view.as_str(), &screen("film", [32, 24]), ball].concat()));
    // The ball hides a part of the monitor: it is left out of the comparison by not being there.
    let bare = scene_of(&text(output, &[view.as_str(), &screen("film", [32, 24])].concat()));
    let settings = Settings::default();
    let at = |sitting: &mut Sitting, frame: u32| {
        let taken = sitting.at(f64::from(frame) / 30.0, &mut |_| ()).unwrap_or_else(|error| panic!("{error:?}"));
        taken.pictures[0].1.clone()
    };
    let begin = |scene: &Scene| Sitting::begin(scene, &settings, &mut |_| ()).expect("it loads");
    let (mut shown, mut film) = (begin(&bare), begin(&bare.for_view("film").unwrap()));
    assert!(bytes(&at(&mut shown, 0)).iter().all(|value| *value == 0), "the first frame is not black");
    for frame in 1..4 {
        assert!(at(&mut shown, frame) == at(&mut film, frame - 1), "frame {frame}");
    }
    assert!(at(&mut film, 0) != at(&mut film, 2));
    let mut moving = begin(&scene);
    let forward: Vec<Picture> = (0..4).map(|frame| at(&mut moving, frame)).collect();
    assert!(forward[1] != forward[2] && forward[2] != forward[3]);
    for frame in [3, 1, 2, 0] {
        assert!(at(&mut moving, frame) == forward[frame as usize], "frame {frame}, after another");
        assert!(at(&mut begin(&scene), frame) == forward[frame as usize], "frame {frame} alone");
    }
}

/// The faces of a cube are what cameras see of 90 degrees.
#[test]
fn a_cube_is_six_pictures() {
    const SIDE: usize = 24;
    let views = "[camera.ahead]\nposition = [0.1, 0.6, 0.2]\nlook_at = [0.1, 0.6, -5.0]\nfov_y_deg = 90.0\n\
                 near_m = 0.05\n[camera.right]\nposition = [0.1, 0.6, 0.2]\nlook_at = [5.0, 0.6, 0.2]\nfov_y_deg = 90.0\n\
                 near_m = 0.05\n[[view]]\nname = 'cube'\nkind = 'cube'\nposition = [0.1, 0.6, 0.2]\nsize_px = [24, 24]\n";
    let scene = scene_of(&text("size_px = [24, 24]", &[views, FLOOR, &shapes(-1.0)].concat()));
    let cube = picture(&scene.for_view("cube").unwrap());
    assert_eq!((cube.width_px, cube.height_px), (6 * SIDE as u32, SIDE as u32));
    for (face, camera) in [(5, "ahead"), (0, "right")] {
        let mut alone = scene.clone();
        let at = scene.cameras.iter().position(|own| own.name == camera).expect("it is there");
        alone.camera = CameraChoice::Scene(at);
        let want = picture(&alone);
        let lines = bytes(&cube).chunks_exact(6 * SIDE * 3);
        let got: Vec<u8> = lines.flat_map(|line| &line[face * SIDE * 3..(face + 1) * SIDE * 3]).copied().collect();
        let off = got.iter().zip(bytes(&want)).filter(|(a, b)| a.abs_diff(**b) > 2).count();
        assert!(off <= 12, "{camera}: {off} values differ");
    }
}

/// Every view of a scene in one sitting is what it is by itself.
#[test]
fn views_of_one_sitting_are_those_of_their_own() {
    let views = "[camera.main]\nposition = [0.5, 1.0, 3.0]\nlook_at = [0.0, 0.4, 0.0]\n[camera.top]\n\
                 position = [0.0, 4.0, 0.1]\nlook_at = [0.0, 0.0, 0.0]\n\
                 [[view]]\nname = 'top'\ncamera = 'top'\nsize_px = [40, 24]\n\
                 [[view]]\nname = 'mirror'\nkind = 'mirror'\nnormal = [0.0, 1.0, 0.1]\nsize_px = [32, 24]\n\
                 [[view]]\nname = 'around'\nkind = 'panorama'\nposition = [0.0, 0.7, 0.3]\nsize_px = [32, 16]\n\
                 [[view]]\nname = 'cube'\nkind = 'cube'\nposition = [0.0, 0.7, 0.3]\nsize_px = [16, 16]\n\
                 [[view]]\nname = 'eyes'\nkind = 'stereo'\nconvergence_m = 3.0\nsize_px = [24, 24]\n\
                 [material.tv]\nunlit = true\nbase_color_texture = { view = 'top' }\n[[node]]\nshape = 'quad'\n\
                 position = [0.0, 1.0, -1.5]\nmaterial = 'tv'\n";
    let scene = scene_of(&text("size_px = [48, 32]\nsamples = 4", &[views, FLOOR, &shapes(0.0)].concat()));
    let mut sitting = Sitting::begin(&scene, &Settings::default(), &mut |_| ()).expect("it loads");
    let sizes = [[40, 24], [32, 24], [32, 16], [96, 16], [48, 24]];
    for (at, (view, size)) in scene.views.iter().zip(sizes).enumerate() {
        let own = scene.for_view(&view.name).unwrap();
        sitting.show(at, &own.output);
        let taken = sitting.at(0.0, &mut |_| ()).unwrap_or_else(|error| panic!("{error:?}"));
        let alone = picture(&own);
        assert_eq!([alone.width_px, alone.height_px], size, "{}", view.name);
        assert!(taken.pictures[0].1 == alone, "{}", view.name);
    }
}

/// Nodes that a view hides are not in it, nor what is below them; their shadows are.
#[test]
fn what_a_view_hides_is_left_out() {
    let rest = |hide: &str| {
        format!(
            "[camera.main]\nposition = [0.5, 1.0, 3.0]\nlook_at = [0.0, 0.4, 0.0]\n[[view]]\nname = 'own'\n{hide}\
             size_px = [48, 32]\n{FLOOR}[[node]]\nname = 'group'\n[[node]]\nname = 'ball'\nparent = 'group'\n\
             shape = 'sphere'\nradius_m = 0.3\nposition = [0.0, 0.5, 0.0]\nmaterial = 'red'\n\
             [[node]]\nname = 'groups'\nshape = 'box'\nsize_m = [0.3, 0.3, 0.3]\nposition = [0.6, 0.2, 0.5]\n"
        )
    };
    let [all, without] = ["", "hide = 'group'\n"].map(|hide| {
        let scene = scene_of(&text("size_px = [48, 32]", &rest(hide))).for_view("own").unwrap();
        let settings = Settings { aovs: vec![Aov::COLOR, Aov::ID], ..Settings::default() };
        taken(&scene, &settings)
    });
    let ids = |taken: &Take| {
        let Samples::U32(ids) = &taken.pictures[1].1.samples else { panic!("ids") };
        ids.iter().copied().collect::<std::collections::BTreeSet<_>>()
    };
    let named = |name: &str| all.object_names.iter().position(|own| own == name).expect("it is there") as u32 + 1;
    assert!(ids(&all).contains(&named("group/ball")) && ids(&all).contains(&named("groups")));
    assert!(!ids(&without).contains(&named("group/ball")) && ids(&without).contains(&named("groups")));
    assert_eq!(without.stats.shadow_maps, 1);
}
