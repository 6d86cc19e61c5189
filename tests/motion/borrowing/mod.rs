//! Clips of other files on a model: joints and shapes are found by name, whatever units, axes and bones lie between
//! them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use glam::{DAffine3, DQuat, DVec3};
use stillframe_anim::compress::{Compression, NamedClip, compress};
use stillframe_anim::sample::DTrs;
use stillframe_asset::source::{Diagnostic, Vfs};
use stillframe_base::tick::{FrameRate, Tick};
use stillframe_models::import::{self, Model};
use stillframe_scene::scene::{ClipNaming, resolve_text};
use stillframe_testkit::worse;
use stillframe_world::animate::{Borrowed, Lender, Rig, Source, Unfit};
use stillframe_world::world::{Loaded, open};

mod kit;

use kit::Kit;

fn assets() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/assets")
}

fn asset(name: &str) -> Model {
    let read = |path: &Path| Ok(std::fs::read(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())));
    import::model(&assets().join(name), &read).unwrap_or_else(|found| panic!("{found:#?}"))
}

fn clip_of(model: &Model, name: &str) -> usize {
    // Blender writes the armature's name before it.
    let is = |clip: &stillframe_anim::RawClip| clip.name.rsplit('|').next() == Some(name);
    model.clips.iter().position(is).unwrap_or_else(|| panic!("{name} of {}", model.clips.len()))
}

fn borrowed(model: &Model, lender: Lender, naming: &ClipNaming) -> (Source, Vec<String>) {
    let (borrowed, unmet) = Borrowed::new(lender, model, naming).unwrap_or_else(|unfit| panic!("{unfit:?}"));
    (Source::Borrowed(Arc::new(borrowed)), unmet)
}

/// Where nodes stand in the model.
fn places(model: &Model, locals: &[DTrs]) -> Vec<DAffine3> {
    let mut out: Vec<DAffine3> = Vec::new();
    for (local, node) in locals.iter().zip(&model.nodes) {
        let own = DAffine3::from_scale_rotation_translation(local.scale, local.rotation, local.translation);
        out.push(node.parent.map_or(own, |parent| out[parent] * own));
    }
    out
}

/// How far joints of two poses of a model are apart, and points beside them.
fn apart_m(model: &Model, one: &[DTrs], other: &[DTrs], beside_m: f64) -> f64 {
    let (one, other) = (places(model, one), places(model, other));
    let mut worst = 0.0_f64;
    for joint in stillframe_world::pose::joints(model) {
        for point in [DVec3::ZERO, DVec3::X, DVec3::Y, DVec3::Z] {
            // The joint's own unit may be another.
            let size = one[joint].matrix3.x_axis.length();
            let point = point * beside_m / size;
            worst = worse(worst, one[joint].transform_point3(point).distance(other[joint].transform_point3(point)));
        }
    }
    worst
}

/// Moments at which the figure's clips have keys.
fn frames(length: Tick) -> impl Iterator<Item = Tick> {
    let count = (length.seconds() * 30.0).round() as i64;
    (0..=count).map(|frame| Tick::of_frame(frame, FrameRate::whole(30)))
}

/// So many moments of a clip, between keys too.
fn moments(length: Tick) -> impl Iterator<Item = Tick> {
    (0..=97).map(move |step| Tick((i128::from(length.0) * step / 97) as i64))
}

/// The figure in glTF and in FBX, in metres and in centimetres under a scale of 100, has the same clips: each body
/// plays each file's.
#[test]
fn a_walk_of_another_file_is_the_own_walk() {
    let (glb, fbx) = (asset("mannequin.glb"), asset("mannequin.fbx"));
    let (walk, wave) = (asset("mannequin_walk.fbx"), asset("mannequin_wave.fbx"));
    for (body, name, lender, clip) in [
        (&glb, "walk", &walk, 0),
        (&glb, "wave", &wave, 0),
        (&fbx, "walk", &walk, 0),
        (&fbx, "run", &glb, clip_of(&glb, "run")),
        (&glb, "run", &fbx, clip_of(&fbx, "run")),
    ] {
        let (own, theirs) = (Source::Own(clip_of(body, name)), Source::Own(clip));
        for retarget in [false, true] {
            let naming = ClipNaming { retarget, ..ClipNaming::default() };
            let (other, unmet) = borrowed(body, Lender::of_model(lender, clip), &naming);
            assert!(unmet.is_empty(), "{name}: {unmet:?}");
            let length = own.length(body);
            assert!((other.length(body).0 - length.0).abs() < 1000, "{name}");
            // On frames both files have the same numbers; between them one turns evenly, the other angle by angle.
            let (mut worst, mut most) = (0.0_f64, 0.0_f64);
            let still = own.locals(body, Tick::ZERO);
            for at in frames(length) {
                let wanted = own.locals(body, at);
                worst = worse(worst, apart_m(body, &wanted, &other.locals(body, at), 0.1));
                most = most.max(apart_m(body, &wanted, &still, 0.0));
            }
            assert!(most > 0.2, "{name} moves by {most} m");
            assert!(worst < 1e-4, "{name}, retarget {retarget}: {worst} m");
            // At any moment joints are where the clip's own body has them.
            for at in moments(length) {
                let (wanted, found) =
                    (places(lender, &theirs.locals(lender, at)), places(body, &other.locals(body, at)));
                for joint in stillframe_world::pose::joints(body) {
                    let source = lender.nodes.iter().position(|node| node.name == body.nodes[joint].name).unwrap();
                    let off = wanted[source].translation.distance(found[joint].translation);
                    let most_m = if retarget { 1e-5 } else { 2e-6 };
                    assert!(off < most_m, "{name}, retarget {retarget}: {} is {off} m off", body.nodes[joint].name);
                }
            }
        }
    }
}

/// Shapes follow by name, and take the numbers that the clip's own file has.
#[test]
fn shapes_of_another_file_follow_by_name() {
    let (glb, wave) = (asset("mannequin.glb"), asset("mannequin_wave.fbx"));
    let own = Source::Own(clip_of(&glb, "wave"));
    let (other, _) = borrowed(&glb, Lender::of_model(&wave, 0), &ClipNaming::default());
    let mut most = 0.0_f64;
    for at in moments(own.length(&glb)) {
        for (wanted, found) in own.morph_weights(&glb, at).iter().zip(other.morph_weights(&glb, at)) {
            assert_eq!(wanted.len(), found.len());
            for (wanted, found) in wanted.iter().zip(found) {
                assert!((wanted - found).abs() < 1e-4, "{wanted} {found}");
                most = most.max(found);
            }
        }
    }
    assert!(most > 0.5, "{most}");
}

/// A compressed clip is as near to the model's as it says, on the body that it was made of and on that of another file.
#[test]
fn a_compressed_clip_is_within_its_error() {
    let (glb, fbx) = (asset("mannequin.glb"), asset("mannequin.fbx"));
    let number = clip_of(&glb, "walk");
    let rig = Rig::new(&glb).unwrap();
    let (error_m, shell_m) = (2e-4, 0.03);
    let compression = Compression { rate: FrameRate::whole(30), object_error_max_m: error_m, shell_m };
    let own = Source::Own(number);
    let mut pose = |at: Tick, out: &mut [DTrs]| out.copy_from_slice(&own.locals(&glb, at));
    let (clip, _) = compress(&rig.skeleton, own.length(&glb), &[], &compression, &mut pose).unwrap();
    let bytes = NamedClip::new(&rig.skeleton, clip).unwrap().to_bytes();
    let file = Arc::new(import::clip(Path::new("walk.clip"), &bytes).unwrap());
    let (mut worst, mut worst_of_fbx) = (0.0_f64, 0.0_f64);
    let of_fbx = Source::Own(clip_of(&fbx, "walk"));
    let (on_glb, unmet) = borrowed(&glb, Lender::File(file.clone()), &ClipNaming::default());
    assert!(unmet.is_empty(), "{unmet:?}");
    let (on_fbx, _) = borrowed(&fbx, Lender::File(file), &ClipNaming::default());
    for at in moments(own.length(&glb)) {
        worst = worse(worst, apart_m(&glb, &own.locals(&glb, at), &on_glb.locals(&glb, at), shell_m));
    }
    for at in frames(own.length(&glb)) {
        worst_of_fbx = worse(worst_of_fbx, apart_m(&fbx, &of_fbx.locals(&fbx, at), &on_fbx.locals(&fbx, at), shell_m));
    }
    assert!(worst > 1e-5 && worst < error_m, "{worst} m");
    assert!(worst_of_fbx < error_m + 1e-4, "{worst_of_fbx} m");
}

/// The same motion on the same body, however its file says it: in another unit, with axes turned above the skeleton,
/// with a bone between two others, under other names.
#[test]
fn units_axes_and_bones_between_do_not_matter() {
    let plain = Kit::default();
    let body = plain.model();
    let own = Source::Own(0);
    let kits = [
        Kit { unit: 100.0, ..plain },
        Kit { is_turned: true, ..plain },
        Kit { has_twist: true, ..plain },
        Kit { unit: 100.0, is_turned: true, has_twist: true, prefix: "mixamorig:", ..plain },
    ];
    for (kit, body_kit) in kits.iter().map(|kit| (kit, &plain)).chain(kits.iter().map(|kit| (&plain, kit))) {
        let naming = ClipNaming { strip: vec!["mixamorig:".to_string()], ..ClipNaming::default() };
        let (other, _) = borrowed(&body_kit.model(), Lender::of_model(&kit.model(), 0), &naming);
        let model = body_kit.model();
        for at in [0.0, 1.0].map(Tick::from_seconds) {
            let wanted = own.locals(&model, at);
            let off = apart_m(&model, &wanted, &other.locals(&model, at), 0.1);
            assert!(off < 1e-6, "{kit:?} on {body_kit:?} at {at:?}: {off} m");
        }
        assert!(apart_m(&body, &own.locals(&body, Tick::ZERO), &own.locals(&body, Tick::from_seconds(1.0)), 0.1) > 0.3);
    }
}

/// What hangs beside a skeleton is not turned by the axes of another file.
#[test]
fn nodes_above_the_skeleton_that_stand_still_are_left_alone() {
    let (body, lender) = (Kit::default().model(), Kit { is_turned: true, unit: 100.0, ..Kit::default() }.model());
    let (other, _) = borrowed(&body, Lender::of_model(&lender, 0), &ClipNaming::default());
    let rig = body.nodes.iter().position(|node| node.name == "rig").unwrap();
    let rest = stillframe_world::pose::locals(&body, &[]);
    assert_eq!(other.locals(&body, Tick::from_seconds(1.0))[rig], rest[rig]);
}

/// Another body keeps its own bones, turns as the clip's does, and walks farther as it is taller; whatever axes its
/// joints have, and whether it rests with stretched arms or not.
#[test]
fn a_body_of_other_proportions_keeps_them() {
    let naming = ClipNaming { retarget: true, ..ClipNaming::default() };
    let lender = Kit { unit: 100.0, is_turned: true, ..Kit::default() };
    for kit in [
        Kit { height: 2.0, ..Kit::default() },
        Kit { height: 2.0, has_other_axes: true, ..Kit::default() },
        Kit { height: 0.5, has_other_axes: true, arm_is_down: true, is_turned: true, ..Kit::default() },
    ] {
        // Its own clip is the same motion, made for its height, from its own rest.
        let (body, from) = (kit.model(), Kit { arm_is_down: false, ..kit }.model());
        let (other, unmet) = borrowed(&body, Lender::of_model(&lender.model(), 0), &naming);
        assert!(unmet.is_empty(), "{unmet:?}");
        for at in [0.0, 1.0].map(Tick::from_seconds) {
            let wanted = places(&from, &Source::Own(0).locals(&from, at));
            let found = places(&body, &other.locals(&body, at));
            for (node, (wanted, found)) in wanted.iter().zip(&found).enumerate() {
                let off = wanted.translation.distance(found.translation);
                assert!(off < 1e-5 * kit.height, "{kit:?}, {} at {at:?}: {off} m", body.nodes[node].name);
            }
        }
        // Without it, it stands as the lender does.
        let (other, _) = borrowed(&body, Lender::of_model(&lender.model(), 0), &ClipNaming::default());
        let found = places(&body, &other.locals(&body, Tick::ZERO));
        let hips = body.nodes.iter().position(|node| node.name == "hips").unwrap();
        assert!((found[hips].translation.y - 1.0).abs() < 1e-6, "{kit:?}: {}", found[hips].translation);
    }
}

/// A clip that only turns joints leaves bones as long as they are.
#[test]
fn bones_that_the_clip_only_turns_keep_their_lengths() {
    let lender = Kit { only_turns: true, ..Kit::default() }.model();
    let body = Kit { height: 2.0, ..Kit::default() }.model();
    let (other, _) = borrowed(&body, Lender::of_model(&lender, 0), &ClipNaming::default());
    let rest = stillframe_world::pose::locals(&body, &[]);
    let pose = other.locals(&body, Tick::from_seconds(1.0));
    for (node, (rest, pose)) in body.nodes.iter().zip(rest.iter().zip(&pose)) {
        assert_eq!(rest.translation, pose.translation, "{}", node.name);
    }
    assert!(rest.iter().zip(&pose).any(|(rest, pose)| rest.rotation.angle_between(pose.rotation) > 0.3));
}

#[test]
fn names_that_do_not_meet_are_told() {
    let (body, lender) = (Kit::default().model(), Kit { prefix: "mixamorig:", ..Kit::default() }.model());
    let new = |naming: &ClipNaming| Borrowed::new(Lender::of_model(&lender, 0), &body, naming);
    let refused = |naming: &ClipNaming| new(naming).map(|_| ()).unwrap_err();
    let Unfit::Nothing { moved, names } = refused(&ClipNaming::default()) else { panic!() };
    assert!(moved.contains(&"mixamorig:hips".to_string()) && names.contains(&"hips".to_string()));
    let renames = |pairs: &[(&str, &str)]| ClipNaming {
        renames: pairs.iter().map(|(from, to)| (from.to_string(), to.to_string())).collect(),
        ..ClipNaming::default()
    };
    let (_, unmet) = new(&renames(&[("mixamorig:hips", "hips"), ("mixamorig:hand", "spine")])).unwrap();
    assert_eq!(unmet.len(), kit::JOINTS.len() - 2, "{unmet:?}");
    assert!(unmet.contains(&"mixamorig:arm".to_string()) && !unmet.contains(&"mixamorig:hand".to_string()));
    let Unfit::From { name, .. } = refused(&renames(&[("hips", "hips")])) else { panic!() };
    assert_eq!(name, "hips");
    let Unfit::To { name, .. } = refused(&renames(&[("mixamorig:hips", "pelvis")])) else { panic!() };
    assert_eq!(name, "pelvis");
    let twice = Unfit::Names(stillframe_anim::figure::FigureError::Rule { name: "hips".into(), count: 2 });
    assert_eq!(refused(&renames(&[("mixamorig:hips", "hips"), ("mixamorig:hand", "hips")])), twice);
    let loose = ClipNaming { loose: true, strip: vec!["mixamorig:".into()], ..ClipNaming::default() };
    assert!(new(&loose).unwrap().1.is_empty());
}

/// Any cut and any changed byte of a `.clip` is told, not played.
#[test]
fn damaged_clip_files_are_told() {
    let bytes = std::fs::read(assets().join("mannequin_walk.clip")).unwrap();
    assert!(import::clip(Path::new("walk.clip"), &bytes).is_ok());
    let told = |bytes: &[u8]| import::clip(Path::new("walk.clip"), bytes).unwrap_err();
    for length in [0, 3, 23, 24, 100, bytes.len() - 1] {
        let diagnostic = told(&bytes[..length]);
        assert_eq!((diagnostic.code, diagnostic.help.is_some()), ("E0432", true), "{length}");
    }
    let mut changed = bytes.clone();
    changed[200] ^= 1;
    assert!(told(&changed).message.contains("checksum"), "{}", told(&changed).message);
    // What was written before names were.
    let bare = NamedClip::from_bytes(&bytes).unwrap().clip().to_bytes();
    assert!(told(&bare).message.contains("no joint names"), "{}", told(&bare).message);
}

fn loaded(text: &str) -> Result<Loaded, Vec<Diagnostic>> {
    let folder = assets();
    let vfs = Vfs::open(&folder).unwrap();
    let text = format!("title = \"x\"\n[camera.main]\n[[node]]\nshape = \"sphere\"\n{text}");
    let scene = resolve_text(&text, Path::new("scene.toml"), &folder, &vfs, &[]);
    let scene = scene.unwrap_or_else(|found| panic!("{found:#?}\n{text}")).scene;
    open(&scene, None, &|path| vfs.read(path))
}

const BODY: &str = "[model.body]\nfile = \"mannequin.glb\"\n[model.walk]\nfile = \"mannequin_walk.fbx\"\n\
                    [model.doll]\nfile = \"doll.gltf\"\n[model.blocks]\nfile = \"blocks.glb\"\n";

/// An animator's surface is where its own clip would have it, and a part, events and the root's way are those of the
/// scene.
#[test]
fn animators_play_clips_of_other_files() {
    let clips = "[[clip]]\nname = \"a\"\nmodel = \"body\"\nsource = \"walk\"\nstart_s = 0.2\nend_s = 0.9\n\
                 [[clip]]\nname = \"b\"\nmodel = \"walk\"\nsource = \"#0\"\nstart_s = 0.2\nend_s = 0.9\n\
                 [[clip]]\nname = \"c\"\nfile = \"mannequin_walk.clip\"\nstart_s = 0.2\nend_s = 0.9\n";
    let figure = |clip: &str| {
        let text = format!(
            "{BODY}{clips}[[animator]]\nname = \"f\"\nmodel = \"body\"\nclip = \"{clip}\"\nroot_motion = [\"horizontal\"]\n\
             root_joint = \"Root\"\n[[node]]\nname = \"f\"\nmodel = \"body\"\nanimator = \"f\"\n"
        );
        loaded(&text).unwrap_or_else(|found| panic!("{found:#?}"))
    };
    let vfs = Vfs::open(&assets()).unwrap();
    let [own, other, packed] = ["a", "b", "c"].map(figure);
    assert!(other.warnings.is_empty() && packed.warnings.is_empty(), "{:?} {:?}", other.warnings, packed.warnings);
    for step in 0..12 {
        let at = Tick::of_frame(step * 5, FrameRate::whole(30));
        let [own, other, packed] = [&own, &other, &packed]
            .map(|loaded| loaded.place(at, &|path| vfs.read(path)).unwrap_or_else(|e| panic!("{e:#?}")).world);
        for (found, most_m) in [(&other, 1e-4), (&packed, 5e-4)] {
            let is = |a: &stillframe_world::world::Item, b: &stillframe_world::world::Item| {
                a.world_from_local.abs_diff_eq(b.world_from_local, most_m)
            };
            assert_eq!((own.items.len(), own.bents.len()), (found.items.len(), found.bents.len()));
            assert!(own.items.iter().zip(&found.items).all(|(a, b)| is(a, b)), "{step}");
            assert!(!own.bents.is_empty());
            for (a, b) in own.bents.iter().zip(&found.bents) {
                assert_eq!(a.positions.len(), b.positions.len());
                let off = a.positions.iter().zip(&b.positions);
                let off = off.map(|(a, b)| glam::Vec3::from(*a).distance(glam::Vec3::from(*b))).fold(0.0, worse);
                // Shapes are not in a .clip: the breast does not breathe.
                let most_m = if most_m > 1e-4 { 0.03 } else { 2e-4 };
                assert!(off < most_m, "{step}: {off} m");
            }
        }
    }
    let text = other.describe_animators(Tick::ZERO, &|path| vfs.read(path)).unwrap();
    assert!(text.contains("clip \"b\": ") && text.contains(" joints and 5 shapes by name"), "{text}");
}

#[test]
fn what_a_model_lacks_is_a_warning_and_what_none_has_an_error() {
    let play = |clip: &str| {
        let animator = "[[animator]]\nname = \"f\"\nmodel = \"blocks\"\nclip = \"c\"\n";
        loaded(&format!("{BODY}[[clip]]\nname = \"c\"\n{clip}{animator}"))
    };
    let warnings = play("model = \"walk\"\nsource = \"#0\"\n").unwrap().warnings;
    assert_eq!(warnings.len(), 1, "{warnings:#?}");
    assert_eq!(warnings[0].code, "W0556");
    let told = &warnings[0].message;
    // 27 joints, the node above them, the mesh and its shapes are in the file alone.
    assert!(told.contains("that `blocks.glb` does not have: ") && told.ends_with(" more"), "{told}");
    let errors = play("model = \"doll\"\nsource = \"walk\"\n").unwrap_err();
    assert_eq!(errors.iter().map(|error| error.code).collect::<Vec<_>>(), ["E0513"], "{errors:#?}");
    let errors = play("model = \"doll\"\nsource = \"wlak\"\n").unwrap_err();
    assert_eq!((errors[0].code, errors[0].help.as_deref()), ("E0506", Some("did you mean \"walk\"?")), "{errors:#?}");
}

/// A coarser model without clips of its own shows what the crowd's main model does.
#[test]
fn levels_of_detail_take_the_main_model_s_clips() {
    let crowd = |clips: &str, declared: &str| {
        let text = format!(
            "{BODY}{declared}[[crowd]]\nname = \"c\"\nmodel = \"body\"\nclips = [{clips}]\ncount = 3\nsize_m = [4, 0, 4]\n\
             root_motion = [\"horizontal\"]\nroot_joint = \"Root\"\nlod = [{{ from_m = 5, model = \"blocks\" }}]\n"
        );
        loaded(&text).unwrap_or_else(|found| panic!("{found:#?}"))
    };
    let named = crowd("\"walk\", \"idle\"", "");
    let declared =
        crowd("\"w\", \"idle\"", "[[clip]]\nname = \"w\"\nmodel = \"body\"\nsource = \"walk\"\nend_s = 0.5\n");
    for loaded in [named, declared] {
        let codes: Vec<&str> = loaded.warnings.iter().map(|warning| warning.code).collect();
        // Once, not clip by clip.
        assert_eq!(codes, ["W0556"], "{:#?}", loaded.warnings);
        let vfs = Vfs::open(&assets()).unwrap();
        let text = loaded.describe_animators(Tick::ZERO, &|path| vfs.read(path)).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| line.contains(" frames, ")).collect();
        // Two clips of each model.
        assert_eq!(lines.len(), 4, "{text}");
    }
}

/// Rotations of kits are what they say, so that the tests above look at what they mean to.
#[test]
fn kits_are_what_they_say() {
    let (plain, turned) = (Kit::default().model(), Kit { is_turned: true, unit: 100.0, ..Kit::default() }.model());
    let of = |model: &Model, name: &str| model.nodes.iter().position(|node| node.name == name).unwrap();
    let place = |model: &Model, name: &str, at: f64| {
        places(model, &Source::Own(0).locals(model, Tick::from_seconds(at)))[of(model, name)]
    };
    for name in kit::JOINTS {
        let [a, b] = [&plain, &turned].map(|model| place(model, name, 1.0));
        assert!(a.translation.distance(b.translation) < 1e-6, "{name}: {} {}", a.translation, b.translation);
        assert!((a.matrix3 * 0.01).abs_diff_eq(b.matrix3, 1e-8), "{name}");
    }
    let rig = stillframe_world::pose::locals(&turned, &[])[of(&turned, "rig")];
    assert!(rig.rotation.angle_between(DQuat::IDENTITY) > 1.0 && rig.scale.x < 0.011);
}
