//! `anim bake --what bones|vertices`: a texture read as its document says is the clip, within the error that is told.

use std::fs;
use std::path::Path;

use serde_json::Value;
use stillframe_testkit::npy::{Npy, read};
use stillframe_testkit::worse;

use super::anim::{asset, dump};
use super::{err, folder, out, run, status, well};

/// A texture as numbers, and how it is read.
struct Texture {
    texels: Npy,
    document: Value,
}

impl Texture {
    fn bake(here: &Path, model: &str, what: &str, more: &[&str]) -> Texture {
        let arguments = ["anim", "bake", model, "--what", what, "-o", "texture.npy"];
        well(&run(here, &[&arguments, more].concat()));
        let document = serde_json::from_slice(&fs::read(here.join("texture.json")).unwrap()).unwrap();
        Texture { texels: read(&here.join("texture.npy")), document }
    }

    fn clip(&self, name: &str) -> &Value {
        self.document["clips"].as_array().unwrap().iter().find(|clip| clip["name"] == name).expect("a clip")
    }

    /// A texel of an item at a moment: what a shader makes of the frames around it.
    fn at(&self, clip: &Value, at_s: f64, item: u64, texel: u64) -> [f64; 4] {
        let number = |value: &Value| value.as_u64().unwrap();
        let along = at_s / clip["frame_s"].as_f64().unwrap();
        let frame = (along.floor() as u64).min(number(&clip["frames"]) - 2);
        let part = along - frame as f64;
        let load = |frame: u64| {
            let place = number(&clip["first_texel"])
                + frame * number(&self.document["frame_texels"])
                + item * number(&self.document["item_texels"])
                + texel;
            let width = self.texels.shape[1] as u64;
            self.texels.at::<4>((place % width) as usize, (place / width) as usize).map(f64::from)
        };
        let (from, to) = (load(frame), load(frame + 1));
        std::array::from_fn(|i| from[i] + (to[i] - from[i]) * part)
    }
}

#[test]
fn bones_carry_joints_to_where_the_clip_has_them() {
    let (here, glb) = (folder("anim_texture"), asset("mannequin.glb"));
    let texture = Texture::bake(&here, &glb, "bones", &["--error-mm", "0.5"]);
    let [height, width, 4] = texture.texels.shape[..] else { panic!("{:?}", texture.texels.shape) };
    assert_eq!(texture.document["size_px"], serde_json::json!([width, height]));
    assert_eq!(texture.document["clips"].as_array().unwrap().len(), 4, "all clips");
    let (rest, about) = dump(&here, &glb, "none", "joints", "0");
    let names: Vec<&str> = about["names"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    let part = &texture.document["parts"][0];
    // The node's own comes first, then its skin's.
    let joints: Vec<&str> = part["joints"].as_array().unwrap().iter().map(|name| name.as_str().unwrap()).collect();
    assert_eq!(joints.len(), names.len() + 1);
    let first = part["first_item"].as_u64().unwrap();
    for (name, frames) in [("walk", "0,1,7,16,29,30"), ("wave", "0,13,44,60")] {
        let clip = texture.clip(name);
        let told_mm = clip["error_mm"]["worst"].as_f64().unwrap();
        assert!(told_mm <= 0.5, "{name}: {told_mm}");
        let (posed, _) = dump(&here, &glb, name, "joints", frames);
        let mut worst_m = 0.0_f64;
        for (row, frame) in frames.split(',').enumerate() {
            let at_s = frame.parse::<f64>().unwrap() / 30.0;
            for (joint, own) in names.iter().enumerate() {
                let item = first + joints.iter().position(|joint| joint == own).unwrap() as u64;
                for axis in 0..3 {
                    let matrix = texture.at(clip, at_s.min(clip["length_s"].as_f64().unwrap()), item, axis);
                    let at_rest = |i: usize| f64::from(rest.values[joint * 3 + i]);
                    let found = (0..3).map(|i| matrix[i] * at_rest(i)).sum::<f64>() + matrix[3];
                    let want = f64::from(posed.values[(row * names.len() + joint) * 3 + axis as usize]);
                    worst_m = worse(worst_m, (found - want).abs());
                }
            }
        }
        assert!(worst_m < 0.5e-3, "{name}: {worst_m} m");
    }
}

#[test]
fn vertices_are_where_the_clip_has_them() {
    let (here, doll) = (folder("anim_texture_vertices"), asset("doll.gltf"));
    let texture = Texture::bake(&here, &doll, "vertices", &["--clip", "walk", "--error-mm", "2"]);
    let clip = texture.clip("walk");
    let (posed, _) = dump(&here, &doll, "walk", "positions", "0,5,11");
    let (normals, _) = dump(&here, &doll, "walk", "normals", "0,5,11");
    let count = posed.shape[1];
    assert_eq!(texture.document["items"], count);
    for (row, frame) in [0.0, 5.0, 11.0].into_iter().enumerate() {
        for vertex in 0..count {
            let at = (row * count + vertex) * 3;
            let (position, normal) =
                (texture.at(clip, frame / 30.0, vertex as u64, 0), texture.at(clip, frame / 30.0, vertex as u64, 1));
            let length = normal[..3].iter().map(|n| n * n).sum::<f64>().sqrt();
            for axis in 0..3 {
                let off_m = (position[axis] - f64::from(posed.values[at + axis])).abs();
                assert!(off_m < 2e-3, "vertex {vertex} at frame {frame}: {off_m} m");
                let off = (normal[axis] / length - f64::from(normals.values[at + axis])).abs();
                assert!(off < 0.05, "normal {vertex} at frame {frame}: {off}");
            }
        }
    }
}

/// The 16 bits of a .png with their ranges are the numbers of the others.
#[test]
fn every_form_says_the_same() {
    let (here, doll) = (folder("anim_texture_forms"), asset("doll.gltf"));
    let texture = Texture::bake(&here, &doll, "bones", &["--clip", "walk"]);
    for file in ["texture.exr", "stored.png"] {
        well(&run(&here, &["anim", "bake", &doll, "--what", "bones", "--clip", "walk", "-o", file]));
    }
    let exr = stillframe_frames::decode_exr(&fs::read(here.join("texture.exr")).unwrap()).unwrap();
    let stillframe_frames::Samples::F32(numbers) = &exr.main().picture.samples else { panic!("f32") };
    assert_eq!(numbers, &texture.texels.values);
    let png = stillframe_frames::decode_png(&fs::read(here.join("stored.png")).unwrap()).unwrap();
    let stillframe_frames::Samples::U16(stored) = &png.samples else { panic!("16 bits") };
    let document: Value = serde_json::from_slice(&fs::read(here.join("stored.json")).unwrap()).unwrap();
    let clip = &document["clips"][0];
    let range = |key: &str, texel: usize, i: usize| clip[key][texel][i].as_f64().unwrap() as f32;
    let frame_texels = document["frame_texels"].as_u64().unwrap() as usize;
    for texel in 0..frame_texels * clip["frames"].as_u64().unwrap() as usize {
        for i in 0..4 {
            let of_frame = texel % frame_texels;
            let number = range("min", of_frame, i) + range("step", of_frame, i) * f32::from(stored[4 * texel + i]);
            assert_eq!(number, numbers[4 * texel + i], "texel {texel}");
        }
    }
    assert!(texture.document["clips"][0].get("min").is_none(), "numbers need no ranges");
}

#[test]
fn what_cannot_be_a_texture_is_told() {
    let here = folder("anim_texture_bad");
    let (glb, still) = (asset("mannequin.glb"), asset("suzanne.glb"));
    for (arguments, words) in [
        (vec![glb.as_str(), "--what", "bones", "-o", "a.json"], ".exr or .npy or .png"),
        (vec![still.as_str(), "--what", "vertices", "-o", "a.exr"], "no clips"),
        (
            vec![glb.as_str(), "--what", "bones", "--error-mm", "0.00001", "-o", "a.exr"],
            "with 481 frames (240 per second)",
        ),
        (vec![glb.as_str(), "--clip", "walk", "--error-mm", "1", "-o", "a.npy"], "--error-mm is for textures"),
    ] {
        let output = run(&here, &[&["anim", "bake"], arguments.as_slice()].concat());
        assert_eq!(status(&output), 2, "{arguments:?}: {} {}", out(&output), err(&output));
        assert!(err(&output).contains(words), "{arguments:?}: {}", err(&output));
    }
    assert!(!here.join("a.exr").exists());
}
