//! Kits: one body with one motion, as files of many habits would have it.

use std::path::Path;

use glam::{DAffine3, DQuat, DVec3};
use serde_json::{Value, json};
use stillframe_models::import::{self, Model};

/// Of the skeleton, parents first; each but the first with its parent.
pub const JOINTS: [&str; 6] = ["hips", "spine", "arm", "hand", "leg.L", "leg.R"];
const PARENTS: [Option<usize>; 6] = [None, Some(0), Some(1), Some(2), Some(0), Some(0)];

#[derive(Clone, Copy, Debug)]
pub struct Kit {
    /// Before every joint's name.
    pub prefix: &'static str,
    /// Lengths of the file a metre.
    pub unit: f64,
    /// Whether the node above the skeleton turns its axes.
    pub is_turned: bool,
    /// Whether a bone lies between spine and arm.
    pub has_twist: bool,
    /// Whether joints have axes of their own.
    pub has_other_axes: bool,
    /// Whether it rests with its arm hanging.
    pub arm_is_down: bool,
    /// Of its hips.
    pub height: f64,
    /// Whether its clip moves nothing from its place.
    pub only_turns: bool,
}

impl Default for Kit {
    fn default() -> Kit {
        Kit {
            prefix: "",
            unit: 1.0,
            is_turned: false,
            has_twist: false,
            has_other_axes: false,
            arm_is_down: false,
            height: 1.0,
            only_turns: false,
        }
    }
}

impl Kit {
    /// Where joints stand in the model, without axes of their own: at rest, at the clip's start and at its end.
    fn places(&self, moment: Moment) -> [DAffine3; 6] {
        let h = self.height;
        let arm = if self.arm_is_down && moment == Moment::Rest { DVec3::NEG_Y } else { DVec3::X };
        let offsets = [
            DVec3::Y,
            DVec3::Y * 0.4,
            DVec3::X * 0.2,
            arm * 0.3,
            DVec3::new(0.1, -1.0, 0.0),
            DVec3::new(-0.1, -1.0, 0.0),
        ];
        let mut turns = [DQuat::IDENTITY; 6];
        let mut way = DVec3::ZERO;
        if moment == Moment::End {
            turns[0] = DQuat::from_rotation_y(0.7);
            turns[1] = DQuat::from_rotation_x(0.3);
            turns[2] = DQuat::from_rotation_z(0.6);
            turns[3] = DQuat::from_rotation_x(-0.4);
            turns[4] = DQuat::from_rotation_x(0.5);
            way = DVec3::new(0.0, -0.1, 0.5);
        }
        let mut out = [DAffine3::IDENTITY; 6];
        for joint in 0..6 {
            let mut at = offsets[joint] * h;
            if joint == 0 {
                at += way * h;
            }
            let local = DAffine3::from_rotation_translation(turns[joint], at);
            out[joint] = PARENTS[joint].map_or(local, |parent| out[parent] * local);
        }
        out
    }

    /// The file, read.
    pub fn model(&self) -> Model {
        let rig = DAffine3::from_scale_rotation_translation(
            DVec3::splat(1.0 / self.unit),
            if self.is_turned { DQuat::from_rotation_x(-std::f64::consts::FRAC_PI_2) } else { DQuat::IDENTITY },
            DVec3::ZERO,
        );
        let axes = match self.has_other_axes {
            true => DQuat::from_rotation_z(1.2) * DQuat::from_rotation_x(0.8),
            false => DQuat::IDENTITY,
        };
        // Of a bone between two others, halfway and turned.
        let twist = DAffine3::from_rotation_translation(
            DQuat::from_rotation_x(0.9),
            DVec3::new(0.1, 0.0, 0.0) * self.unit * self.height,
        );
        let locals = |moment: Moment| -> Vec<DAffine3> {
            let scale = DVec3::splat(1.0 / self.unit);
            let own = DAffine3::from_scale_rotation_translation(scale, axes, DVec3::ZERO);
            let places = self.places(moment).map(|place| place * own);
            (0..6)
                .map(|joint| {
                    let above = PARENTS[joint].map_or(rig, |parent| places[parent]);
                    let above = if joint == 2 && self.has_twist { above * twist } else { above };
                    above.inverse() * places[joint]
                })
                .collect()
        };
        let [rest, start, end] = [Moment::Rest, Moment::Start, Moment::End].map(locals);
        let trs = |local: &DAffine3| {
            let (_, rotation, translation) = local.to_scale_rotation_translation();
            (rotation.normalize().as_quat().to_array(), translation.as_vec3().to_array())
        };
        // Node 0 is the rig, then joints; the bone between comes last.
        let mut nodes: Vec<Value> = Vec::new();
        let (scale, rotation, _) = rig.to_scale_rotation_translation();
        let (scale, rotation) = (scale.as_vec3().to_array(), rotation.as_quat().to_array());
        nodes.push(json!({ "name": "rig", "children": [1], "scale": scale, "rotation": rotation }));
        for (joint, local) in rest.iter().enumerate() {
            let (rotation, translation) = trs(local);
            let children: Vec<usize> = (0..6)
                .filter(|child| PARENTS[*child] == Some(joint))
                .map(|child| if child == 2 && self.has_twist { 7 } else { child + 1 })
                .collect();
            let name = format!("{}{}", self.prefix, JOINTS[joint]);
            let mut node = json!({ "name": name, "rotation": rotation, "translation": translation });
            if !children.is_empty() {
                node["children"] = json!(children);
            }
            nodes.push(node);
        }
        if self.has_twist {
            let (rotation, translation) = trs(&twist);
            nodes.push(json!({ "name": "twist", "rotation": rotation, "translation": translation, "children": [3] }));
        }
        let mut bytes: Vec<u8> = [0.0_f32, 1.0].iter().flat_map(|time| time.to_le_bytes()).collect();
        let mut views = vec![json!({ "buffer": 0, "byteOffset": 0, "byteLength": 8 })];
        let mut accessors = vec![
            json!({ "bufferView": 0, "componentType": 5126, "count": 2, "type": "SCALAR", "min": [0], "max": [1] }),
        ];
        let (mut channels, mut samplers) = (Vec::new(), Vec::new());
        for joint in 0..6 {
            let [a, b] = [&start[joint], &end[joint]].map(trs);
            let (turns, ways) = ([a.0, b.0].concat(), [a.1, b.1].concat());
            for (path, kind, values) in [("rotation", "VEC4", turns), ("translation", "VEC3", ways)] {
                if path == "translation" && self.only_turns {
                    continue;
                }
                let offset = bytes.len();
                bytes.extend(values.iter().flat_map(|value| value.to_le_bytes()));
                views.push(json!({ "buffer": 0, "byteOffset": offset, "byteLength": bytes.len() - offset }));
                let view = views.len() - 1;
                accessors.push(json!({ "bufferView": view, "componentType": 5126, "count": 2, "type": kind }));
                channels.push(json!({ "sampler": samplers.len(), "target": { "node": joint + 1, "path": path } }));
                samplers.push(json!({ "input": 0, "output": accessors.len() - 1 }));
            }
        }
        let file = json!({
            "asset": { "version": "2.0" },
            "scene": 0,
            "scenes": [{ "nodes": [0] }],
            "nodes": nodes,
            "skins": [{ "joints": [1, 2, 3, 4, 5, 6] }],
            "animations": [{ "name": "move", "channels": channels, "samplers": samplers }],
            "accessors": accessors,
            "bufferViews": views,
            "buffers": [{ "uri": "kit.bin", "byteLength": bytes.len() }],
        });
        let read =
            |path: &Path| Ok(if path.ends_with("kit.bin") { bytes.clone() } else { file.to_string().into_bytes() });
        import::model(Path::new("/kit/kit.gltf"), &read).unwrap_or_else(|found| panic!("{found:#?}\n{file}"))
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum Moment {
    Rest,
    Start,
    End,
}
