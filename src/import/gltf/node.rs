//! The node tree: transforms, the default scene, cameras and lights.

use glam::{Mat4, Quat, Vec3};

use super::json::At;
use super::{FAULTS_MAX, Importer, Stop};
use crate::import::{Fault, ModelCamera, ModelLight, ModelLightKind, ModelNode, ModelProjection, code};

type Result<T> = std::result::Result<T, Fault>;

/// What a node takes, with its name and the room that a growing list keeps.
const NODE_BYTES: u64 = 480;

/// No node.
const NONE: u32 = u32::MAX;

impl<'a> Importer<'a> {
    /// Reads the default scene: its nodes depth first in file order, and all that they show.
    pub fn scene(&mut self) -> std::result::Result<(), Vec<Stop>> {
        let parents = self.parents().map_err(|f| vec![f.into()])?;
        self.place_nodes(&parents).map_err(|f| vec![f.into()])?;
        let roots = self.roots(&parents).map_err(|f| vec![f.into()])?;
        let mut stops = Vec::new();
        let mut visited = vec![false; parents.len()];
        // The stack holds (node of the file, parent in the model), next on top.
        let mut stack: Vec<(u32, Option<usize>)> = roots.into_iter().rev().map(|r| (r, None)).collect();
        while let Some((number, parent)) = stack.pop() {
            if std::mem::replace(&mut visited[number as usize], true) {
                let message = format!("the scene shows `nodes[{number}]` twice");
                stops.push(Fault::new(code::NODE_TREE, message).into());
                break;
            }
            if let Err(stop) = self.node(number, parent) {
                stops.push(stop);
                if stops.len() >= FAULTS_MAX {
                    break;
                }
                continue;
            }
            let position = self.model.nodes.len() - 1;
            let before = stack.len();
            for child in self.root_node(number).key("children").items().into_iter().flatten() {
                if let Ok(child) = child.index() {
                    stack.push((child, Some(position)));
                }
            }
            stack[before..].reverse();
        }
        if stops.is_empty() { Ok(()) } else { Err(stops) }
    }

    fn root_node(&self, number: u32) -> At<'a> {
        let nodes = self.root.key("nodes");
        nodes.entry(number, nodes).unwrap_or(nodes)
    }

    /// The parent of each node of the file, or `NONE`.
    ///
    /// Errors: a child that does not exist, a node with two parents, a node that is its own ancestor.
    fn parents(&self) -> Result<Vec<u32>> {
        let nodes = self.root.key("nodes");
        let mut parents = vec![NONE; nodes.len()];
        for (number, at) in nodes.items()?.enumerate() {
            for child in at.key("children").items()? {
                let index = child.index()?;
                nodes.entry(index, child)?;
                let slot = &mut parents[index as usize];
                if *slot != NONE {
                    let message = format!("`nodes[{index}]` is a child of `nodes[{slot}]` and of `nodes[{number}]`");
                    return Err(Fault::new(code::NODE_TREE, message));
                }
                *slot = number as u32;
            }
        }
        // Each node has one parent at most, so a walk upward either ends or comes back. Marks: the walk's number.
        let mut marks = vec![NONE; parents.len()];
        for start in 0..parents.len() as u32 {
            let mut at = start;
            while at != NONE && marks[at as usize] == NONE {
                marks[at as usize] = start;
                at = parents[at as usize];
            }
            if at != NONE && marks[at as usize] == start {
                return Err(Fault::new(code::NODE_TREE, format!("`nodes[{at}]` is its own ancestor")));
            }
        }
        Ok(parents)
    }

    /// Fills `globals`.
    fn place_nodes(&mut self, parents: &[u32]) -> Result<()> {
        let mut locals = Vec::with_capacity(parents.len());
        for at in self.root.key("nodes").items()? {
            locals.push(local_transform(at)?);
        }
        let mut done = vec![false; parents.len()];
        let mut path = Vec::new();
        for start in 0..parents.len() as u32 {
            let mut at = start;
            while at != NONE && !done[at as usize] {
                path.push(at);
                at = parents[at as usize];
            }
            while let Some(node) = path.pop() {
                let parent = parents[node as usize];
                if parent != NONE {
                    locals[node as usize] = locals[parent as usize] * locals[node as usize];
                }
                if !locals[node as usize].is_finite() {
                    let message =
                        format!("the transforms above `nodes[{node}]` multiply to more than 32 bits can hold");
                    return Err(Fault::new(code::NOT_FINITE, message));
                }
                done[node as usize] = true;
            }
        }
        self.globals = locals;
        Ok(())
    }

    /// Nodes of the default scene; of a file without scenes, all that have no parent.
    fn roots(&self, parents: &[u32]) -> Result<Vec<u32>> {
        let scenes = self.root.key("scenes");
        if scenes.len() == 0 {
            return Ok((0..parents.len() as u32).filter(|n| parents[*n as usize] == NONE).collect());
        }
        let chosen = self.root.key("scene");
        let scene = scenes.entry(chosen.opt_index()?.unwrap_or(0), chosen)?;
        let nodes = self.root.key("nodes");
        let mut roots = Vec::new();
        for at in scene.key("nodes").items()? {
            let index = at.index()?;
            nodes.entry(index, at)?;
            if parents[index as usize] != NONE {
                let message =
                    format!("{at}: `nodes[{index}]` is no root, it is a child of `nodes[{}]`", parents[index as usize]);
                return Err(Fault::new(code::NODE_TREE, message));
            }
            roots.push(index);
        }
        Ok(roots)
    }

    /// Appends one node and what it shows.
    fn node(&mut self, number: u32, parent: Option<usize>) -> std::result::Result<(), Stop> {
        let at = self.root_node(number);
        let given = at.key("name").opt_str()?.filter(|n| !n.is_empty());
        let name = given.map_or_else(|| format!("node {number}"), str::to_string);
        self.budget.spend(NODE_BYTES, "the node tree")?;
        let model_from_local = self.globals[number as usize];
        let position = self.model.nodes.len();
        self.model.nodes.push(ModelNode {
            name: name.clone(),
            parent,
            model_from_local,
            model_from_parts: model_from_local,
            parts: Vec::new(),
        });
        if let Some(camera) = at.key("camera").opt_index()? {
            let camera_at = self.root.key("cameras").entry(camera, at.key("camera"))?;
            let own = camera_at.key("name").opt_str()?.filter(|n| !n.is_empty());
            let name = given.or(own).map_or_else(|| format!("camera {camera}"), str::to_string);
            let (projection, near_m, far_m) = projection(camera_at)?;
            self.model.cameras.push(ModelCamera { name, node: position, projection, near_m, far_m });
        }
        let light = at.key("extensions").key("KHR_lights_punctual").key("light");
        if let Some(number) = light.opt_index()? {
            let lights = self.root.key("extensions").key("KHR_lights_punctual").key("lights");
            let (color, kind) = punctual_light(lights.entry(number, light)?)?;
            self.model.lights.push(ModelLight { name, node: position, color, kind });
        }
        if let Some(mesh) = at.key("mesh").opt_index()? {
            self.mesh(mesh, at, position)?;
        }
        Ok(())
    }
}

/// A node's own transform: `matrix`, or translation * rotation * scale. Rotations are made unit; a zero one is none.
fn local_transform(at: At<'_>) -> Result<Mat4> {
    if let Some(columns) = at.key("matrix").floats::<16>()? {
        return Ok(Mat4::from_cols_array(&columns));
    }
    let translation = at.key("translation").floats::<3>()?.map_or(Vec3::ZERO, Vec3::from);
    let scale = at.key("scale").floats::<3>()?.map_or(Vec3::ONE, Vec3::from);
    let rotation = at.key("rotation").floats::<4>()?.map_or(Quat::IDENTITY, Quat::from_array);
    let length = rotation.length();
    let rotation = if length > 0.0 && length.is_finite() { rotation * (1.0 / length) } else { Quat::IDENTITY };
    Ok(Mat4::from_scale_rotation_translation(scale, rotation, translation))
}

fn projection(at: At<'_>) -> Result<(ModelProjection, f32, Option<f32>)> {
    let kind = at.key("type");
    let (projection, lens) = match kind.str()? {
        "perspective" => {
            let lens = at.key("perspective");
            let fov_y_rad = lens.key("yfov").f32()?;
            if !(fov_y_rad > 0.0 && fov_y_rad < std::f32::consts::PI) {
                return Err(lens.key("yfov").wrong("more than 0 and less than pi"));
            }
            (ModelProjection::Perspective { fov_y_rad }, lens)
        }
        "orthographic" => {
            let lens = at.key("orthographic");
            let height_m = lens.key("ymag").f32()?.abs() * 2.0;
            if height_m == 0.0 {
                return Err(lens.key("ymag").wrong("a number other than 0"));
            }
            (ModelProjection::Orthographic { height_m }, lens)
        }
        _ => return Err(kind.wrong("\"perspective\" or \"orthographic\"")),
    };
    let near = lens.key("znear");
    let near_m = near.f32()?;
    let far_m = match lens.key("zfar").some() {
        Some(far) => Some(far.f32()?),
        None if matches!(projection, ModelProjection::Orthographic { .. }) => {
            return Err(lens.key("zfar").wrong("a number"));
        }
        None => None,
    };
    let near_min_excluded = matches!(projection, ModelProjection::Perspective { .. });
    if near_m < 0.0 || (near_min_excluded && near_m == 0.0) {
        return Err(near.wrong("more than 0"));
    }
    if far_m.is_some_and(|far| far <= near_m) {
        return Err(lens.key("zfar").wrong("more than znear"));
    }
    Ok((projection, near_m, far_m))
}

fn punctual_light(at: At<'_>) -> Result<([f32; 3], ModelLightKind)> {
    let color = at.key("color").floats::<3>()?.unwrap_or([1.0; 3]);
    let intensity = at.key("intensity").f32_or(1.0)?;
    if intensity < 0.0 || color.iter().any(|c| *c < 0.0) {
        return Err(at.key("intensity").wrong("not negative, and so must be the color"));
    }
    let range = at.key("range");
    let range_m = range.some().map(At::f32).transpose()?;
    if range_m.is_some_and(|r| r <= 0.0) {
        return Err(range.wrong("more than 0"));
    }
    let kind_at = at.key("type");
    let kind = match kind_at.str()? {
        "directional" => ModelLightKind::Directional { illuminance_lux: intensity },
        "point" => ModelLightKind::Point { intensity_cd: intensity, range_m },
        "spot" => {
            let cone = at.key("spot");
            let inner_rad = cone.key("innerConeAngle").f32_or(0.0)?;
            let outer_rad = cone.key("outerConeAngle").f32_or(std::f32::consts::FRAC_PI_4)?;
            if !(inner_rad >= 0.0 && inner_rad < outer_rad && outer_rad <= std::f32::consts::FRAC_PI_2) {
                return Err(cone.key("outerConeAngle").wrong("more than innerConeAngle and at most pi / 2"));
            }
            ModelLightKind::Spot { intensity_cd: intensity, range_m, inner_rad, outer_rad }
        }
        _ => return Err(kind_at.wrong("\"directional\", \"point\" or \"spot\"")),
    };
    Ok((color, kind))
}
