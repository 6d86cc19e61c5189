//! What is drawn beside a model's surface becomes items.

use glam::Mat4;
use stillframe_base::geom::Aabb;

use super::super::show::{self, Drawing};
use super::{Placing, inherited, join, local_transform};
use crate::animate::Solving;
use crate::bake::{self, TangentWish};
use crate::pose::{self, Pose};
use crate::scene::{Content, Node, Show};

impl Placing<'_> {
    /// What is drawn beside a model's surface.
    pub(super) fn show(
        &mut self,
        scene_node: usize,
        (pose_index, pose): (usize, &Pose),
        world_from_model: Mat4,
        path: &str,
    ) {
        let scene = self.scene;
        let node = &scene.nodes[scene_node];
        let Content::Model(model_index) = node.content else { return };
        let model = self.models[model_index];
        let place = |node: usize| pose.model_from_local[node];
        let joints = pose::joints(model);
        let reach = Aabb::of_points(joints.iter().map(|joint| place(*joint).w_axis.truncate()));
        let size_m = reach.size().length().max(1e-3);
        let (thin_m, axis_m) = (size_m * 0.003, size_m * 0.04);
        let mut drawings: Vec<(&str, [f32; 3], Drawing)> = Vec::new();
        let add_axes = |drawings: &mut Vec<(&str, [f32; 3], Drawing)>, places: &[Mat4]| {
            let mut axes: [Drawing; 3] = Default::default();
            places.iter().for_each(|place| show::axes(&mut axes, place, axis_m, thin_m));
            let colors = [show::X_AXIS, show::Y_AXIS, show::Z_AXIS];
            drawings.extend(axes.into_iter().zip(colors).map(|(drawing, color)| ("axes", color, drawing)));
        };
        for what in &node.show {
            match what {
                Show::Skeleton => {
                    let mut bones = Drawing::default();
                    for joint in &joints {
                        if let Some(parent) = model.nodes[*joint].parent.filter(|parent| joints.contains(parent)) {
                            bones.bone(place(parent).w_axis.truncate(), place(*joint).w_axis.truncate());
                        }
                    }
                    drawings.push(("skeleton", show::BONE, bones));
                    add_axes(&mut drawings, &joints.iter().map(|joint| place(*joint)).collect::<Vec<_>>());
                }
                Show::Sockets => {
                    let hangs = |other: &&Node| other.parent == Some(scene_node) && other.joint.is_some();
                    let node_from_model = self.node_from_model(model_index);
                    let socket = |other: &Node| {
                        let joint = other.joint.as_deref().unwrap_or_default();
                        let at = model.nodes.iter().position(|node| node.name == joint);
                        let place =
                            at.map_or(Mat4::IDENTITY, |at| inherited(node_from_model * place(at), other.inherits));
                        node_from_model.inverse() * place * local_transform(&other.placement)
                    };
                    let places: Vec<Mat4> = scene.nodes.iter().filter(hangs).map(socket).collect();
                    add_axes(&mut drawings, &places);
                }
                Show::Targets => {
                    let mut targets = Drawing::default();
                    let mut misses = Drawing::default();
                    let solvings = self.wearers.get(&scene_node).map_or(&[][..], |wearer| &wearer.solvings);
                    let mut poles = Drawing::default();
                    for (_, Solving { reach, target, pole, .. }) in solvings {
                        let drawing = if reach.reached { &mut targets } else { &mut misses };
                        drawing.cross(*target, axis_m, thin_m * 1.5);
                        if let Some(pole) = pole {
                            poles.cross(*pole, axis_m, thin_m * 1.5);
                        }
                    }
                    drawings.extend([
                        ("targets", show::TARGET, targets),
                        ("misses", show::MISS, misses),
                        ("poles", show::POLE, poles),
                    ]);
                }
                Show::Trails => {
                    let mut trails = Drawing::default();
                    // Solvers leave none.
                    let walked = node.animator.map_or(model_index, |animator| self.models.len() + animator);
                    for trail in self.trails.get(&walked).into_iter().flatten() {
                        trail.windows(2).for_each(|pair| trails.line(pair[0], pair[1], thin_m));
                    }
                    drawings.push(("trails", show::TRAIL, trails));
                }
                Show::Bounds => {
                    let mut boxes = Drawing::default();
                    let bents = self.bents.iter().filter(|((of, _, _), _)| *of == pose_index);
                    for (_, bent) in bents {
                        boxes.edges(bake::bounds(&self.world.bents[*bent as usize].positions), thin_m);
                    }
                    drawings.push(("bounds", show::BOX, boxes));
                }
            }
        }
        for (number, (name, color, drawing)) in drawings.into_iter().enumerate() {
            if drawing.is_empty() {
                continue;
            }
            let object_id = self.name_object(join(path, name));
            let material = self.store.add_material(show::material(name, color));
            let geometry = bake::complete(drawing.geometry(), TangentWish::Any).geometry;
            let key = (scene_node, number);
            let geometry = match self.made.shown.get(&key) {
                Some(id) => {
                    self.store.replace_geometry(*id, geometry);
                    *id
                }
                None => {
                    let id = self.store.add_geometry(geometry);
                    self.made.shown.insert(key, id);
                    id
                }
            };
            let origin = [scene_node as u32, u32::MAX, number as u32];
            self.item((geometry, None), material, world_from_model, (object_id, origin), false);
        }
    }
}
