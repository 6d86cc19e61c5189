//! The node tree: transforms, the default scene, cameras and lights.

use glam::{DMat4, DQuat, DVec3, Mat4};

use super::json::At;
use super::{FAULTS_MAX, Importer, Stop};
use crate::import::{Fault, Local, ModelCamera, ModelLight, ModelLightKind, ModelNode, ModelProjection, Trs, code};

type Result<T> = std::result::Result<T, Fault>;

/// What a node takes, with its name and the room that a growing list keeps.
pub const NODE_BYTES: u64 = 800;

/// Translations from here on are read with all their digits; below, as glTF says, as f32.
const DOUBLE_FROM_M: f64 = 1000.0;

/// No node.
pub const NONE: u32 = u32::MAX;

impl<'a> Importer<'a> {
    /// Reads the default scene: its nodes depth first in file order, all that they show, and the file's animations.
    pub fn scene(&mut self) -> std::result::Result<(), Vec<Stop>> {
        let one = |f: Fault| vec![Stop::from(f)];
        let parents = self.parents().map_err(one)?;
        self.place_nodes(&parents).map_err(one)?;
        self.positions = vec![NONE; parents.len()];
        let roots = self.roots(&parents).map_err(one)?;
        self.walk(roots, true)?;
        // Joints may stand outside the scene: what moves them is needed, what they show is not.
        let mut outside = Vec::new();
        for skin in self.skin_users.keys() {
            for mut at in self.skin_joints(*skin, self.root.key("skins")).map_err(one)? {
                while self.positions[at as usize] == NONE && parents[at as usize] != NONE {
                    at = parents[at as usize];
                }
                if self.positions[at as usize] == NONE {
                    outside.push(at);
                }
            }
        }
        outside.sort_unstable();
        outside.dedup();
        self.walk(outside, false)?;
        for (skin, users) in std::mem::take(&mut self.skin_users) {
            let position = self.skin(skin).map_err(one)?;
            users.into_iter().for_each(|node| self.model.nodes[node].skin = Some(position));
        }
        self.animations().map_err(one)
    }

    /// Appends the trees under `roots`, depth first.
    fn walk(&mut self, roots: Vec<u32>, shown: bool) -> std::result::Result<(), Vec<Stop>> {
        let mut stops = Vec::new();
        // The stack holds (node of the file, parent in the model), next on top.
        let mut stack: Vec<(u32, Option<usize>)> = roots.into_iter().rev().map(|r| (r, None)).collect();
        while let Some((number, parent)) = stack.pop() {
            // Of nodes outside the scene, those below may be roots of it.
            if self.positions[number as usize] != NONE {
                continue;
            }
            let position = self.model.nodes.len();
            self.positions[number as usize] = position as u32;
            if let Err(stop) = self.node(number, parent, shown) {
                stops.push(stop);
                if stops.len() >= FAULTS_MAX {
                    break;
                }
                continue;
            }
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

    /// Fills `locals`.
    ///
    /// Errors: numbers that are none, transforms that multiply to more than an f32 can hold.
    fn place_nodes(&mut self, parents: &[u32]) -> Result<()> {
        let mut globals = Vec::with_capacity(parents.len());
        for at in self.root.key("nodes").items()? {
            let trs = trs(at)?;
            let (local, matrix) = match at.key("matrix").doubles::<16>()? {
                Some(columns) => {
                    let [.., x, y, z, _] = columns;
                    let mut matrix = DMat4::from_cols_array(&columns).as_mat4().as_dmat4();
                    matrix.w_axis = translation([x, y, z]).extend(matrix.w_axis.w);
                    (Local::Matrix(Box::new(matrix)), matrix)
                }
                None => (Local::Trs(trs), trs.matrix()),
            };
            self.locals.push(local);
            globals.push(matrix);
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
                    globals[node as usize] = globals[parent as usize] * globals[node as usize];
                }
                if !globals[node as usize].as_mat4().is_finite() {
                    let message = format!("the combined transform of `nodes[{node}]` is too large for 32 bits");
                    return Err(Fault::new(code::NOT_FINITE, message));
                }
                done[node as usize] = true;
            }
        }
        Ok(())
    }

    /// Nodes of the default scene; of a file without scenes, all that have no parent. Each node is under one of them
    /// at most.
    fn roots(&mut self, parents: &[u32]) -> Result<Vec<u32>> {
        let scenes = self.root.key("scenes");
        if scenes.len() == 0 {
            return Ok((0..parents.len() as u32).filter(|n| parents[*n as usize] == NONE).collect());
        }
        let chosen = self.root.key("scene");
        let scene = scenes.entry(chosen.opt_index()?.unwrap_or(0), chosen)?;
        let nodes = self.root.key("nodes");
        let mut listed = Vec::new();
        let mut shown = vec![false; parents.len()];
        for at in scene.key("nodes").items()? {
            let index = at.index()?;
            nodes.entry(index, at)?;
            if shown[index as usize] {
                self.warn(at.fault(code::SCENE_ROOTS, format!("`nodes[{index}]` is listed twice; it is shown once")));
                continue;
            }
            shown[index as usize] = true;
            listed.push((index, at));
        }
        let below = below(&shown, parents);
        let mut roots = Vec::new();
        for (index, at) in listed {
            let parent = parents[index as usize];
            if parent == NONE {
                roots.push(index);
                continue;
            }
            let child = format!("`nodes[{index}]` is a child of `nodes[{parent}]`");
            if below[parent as usize] {
                self.warn(
                    at.fault(code::SCENE_ROOTS, format!("{child}, which is shown, too; it is shown once, there")),
                );
            } else {
                self.warn(at.fault(code::SCENE_ROOTS, format!("{child}; it is shown without its parents")));
                roots.push(index);
            }
        }
        Ok(roots)
    }

    /// Appends one node and what it shows; of nodes outside the scene only where they stand.
    fn node(&mut self, number: u32, parent: Option<usize>, shown: bool) -> std::result::Result<(), Stop> {
        let at = self.root_node(number);
        let given = at.key("name").opt_str()?.filter(|n| !n.is_empty());
        let name = given.map_or_else(|| format!("node {number}"), str::to_string);
        self.budget.spend(NODE_BYTES, "the node tree")?;
        let local = self.locals[number as usize].clone();
        let position = self.model.nodes.len();
        self.model.nodes.push(ModelNode {
            name: name.clone(),
            parent,
            local,
            local_from_parts: Mat4::IDENTITY,
            shown,
            mesh: None,
            parts: Vec::new(),
            skin: None,
            morphs: Vec::new(),
        });
        if !at.key("extensions").key("KHR_node_visibility").key("visible").bool_or(true)? {
            self.model.hidden.push(position);
        }
        if !shown {
            return Ok(());
        }
        if let Some(camera) = at.key("camera").opt_index()? {
            let camera_at = self.root.key("cameras").entry(camera, at.key("camera"))?;
            let own = camera_at.key("name").opt_str()?.filter(|n| !n.is_empty());
            let name = given.or(own).map_or_else(|| format!("camera {camera}"), str::to_string);
            let (projection, near_m, far_m) = projection(camera_at)?;
            self.model.cameras.push(ModelCamera {
                name,
                node: position,
                local_from_camera: DQuat::IDENTITY,
                projection,
                near_m,
                far_m,
            });
        }
        let light = at.key("extensions").key("KHR_lights_punctual").key("light");
        if let Some(number) = light.opt_index()? {
            let lights = self.root.key("extensions").key("KHR_lights_punctual").key("lights");
            let (color, kind) = punctual_light(lights.entry(number, light)?)?;
            self.model.lights.push(ModelLight {
                name,
                node: position,
                local_from_light: DQuat::IDENTITY,
                color,
                kind,
                shadow: true,
            });
        }
        if let Some(mesh) = at.key("mesh").opt_index()? {
            let own =
                self.root.key("meshes").entry(mesh, at.key("mesh"))?.key("name").opt_str()?.filter(|n| !n.is_empty());
            self.model.nodes[position].mesh = Some(own.map_or_else(|| format!("mesh {mesh}"), str::to_string));
            self.mesh(mesh, at, position)?;
            self.instances(at, position)?;
        }
        Ok(())
    }
}

/// Whether each node, or a node above it, is in `marked`.
///
/// Shapes: one entry for each node in both; nobody is above itself.
fn below(marked: &[bool], parents: &[u32]) -> Vec<bool> {
    let mut out: Vec<Option<bool>> = marked.iter().map(|marked| marked.then_some(true)).collect();
    let mut path = Vec::new();
    for start in 0..parents.len() as u32 {
        let mut at = start;
        while at != NONE && out[at as usize].is_none() {
            path.push(at);
            at = parents[at as usize];
        }
        let found = at != NONE && out[at as usize] == Some(true);
        path.drain(..).for_each(|node| out[node as usize] = Some(found));
    }
    out.into_iter().map(|found| found == Some(true)).collect()
}

/// A node's translation, rotation and scale. Rotations are made unit; a zero one is none.
fn trs(at: At<'_>) -> Result<Trs> {
    let vector = |at: At<'_>, default| -> Result<DVec3> {
        Ok(at.floats::<3>()?.map_or(default, |v| DVec3::from_array(v.map(f64::from))))
    };
    let translation = at.key("translation").doubles::<3>()?.map_or(DVec3::ZERO, translation);
    let scale = vector(at.key("scale"), DVec3::ONE)?;
    let stored = at.key("rotation").floats::<4>()?.map_or(DQuat::IDENTITY, |q| DQuat::from_array(q.map(f64::from)));
    Ok(Trs { translation, rotation: unit(stored), scale })
}

/// As f32, as glTF says; far from the origin, where an f32 has too few digits, with all of them.
fn translation(stored: [f64; 3]) -> DVec3 {
    let near = DVec3::from_array(stored.map(|v| f64::from(v as f32)));
    if near.abs().max_element() < DOUBLE_FROM_M { near } else { DVec3::from_array(stored) }
}

/// A rotation of unit length; a zero one is none.
pub fn unit(stored: DQuat) -> DQuat {
    let length = stored.length();
    if length > 0.0 && length.is_finite() { stored * (1.0 / length) } else { DQuat::IDENTITY }
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
        return Err(at.key("intensity").wrong("not negative, as must be `color`"));
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
