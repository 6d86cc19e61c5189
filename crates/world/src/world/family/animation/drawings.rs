//! Drawings: skeletons, sockets, targets, trails and bounds that nodes show next to the surface of their model become
//! items.

use glam::Mat4;
use stillframe_base::geom::Aabb;

use super::moving::{Moving, trailing};
use super::show::{self, Drawing};
use crate::animate::Solving;
use crate::bake::{self, TangentWish};
use crate::pose;
use crate::scene::{Content, Node, Show};
use crate::world::Origin;
use crate::world::place::{Drawn, Emitter, NewItem, SolverResult};
use crate::world::tree::{inherited, join, local_transform};

/// What a node shows next to its model's surface.
pub fn draw(moving: &Moving<'_>, emitter: &mut Emitter<'_>, scene_node: usize) {
    let (at, standing) = (emitter.at, emitter.standing);
    let scene = at.scene;
    let node = &scene.nodes[scene_node];
    let Content::Model(model_index) = node.content else { return };
    if node.show.is_empty() {
        return;
    }
    let model = at.model(model_index);
    let (pose_id, _) = standing.shown(at, scene_node).expect("it shows a model");
    let pose = &standing.poses[pose_id];
    let world_from_model = emitter.world_from_model(scene_node, model_index);
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
                let node_from_model = at.node_from_model(model_index);
                let socket = |other: &Node| {
                    let joint = other.joint.as_deref().unwrap_or_default();
                    let at = model.nodes.iter().position(|node| node.name == joint);
                    let place = at.map_or(Mat4::IDENTITY, |at| inherited(node_from_model * place(at), other.inherits));
                    node_from_model.inverse() * place * local_transform(&other.placement)
                };
                let places: Vec<Mat4> = scene.nodes.iter().filter(hangs).map(socket).collect();
                add_axes(&mut drawings, &places);
            }
            Show::Targets => {
                let mut targets = Drawing::default();
                let mut misses = Drawing::default();
                let mut poles = Drawing::default();
                for SolverResult { solving, .. } in standing.solved(scene_node) {
                    let Solving { reach, target, pole, .. } = solving;
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
                let of = trailing(model_index, node.animator);
                for trail in moving.trails.get(&of).into_iter().flatten() {
                    trail.windows(2).for_each(|pair| trails.line(pair[0], pair[1], thin_m));
                }
                drawings.push(("trails", show::TRAIL, trails));
            }
            Show::Bounds => {
                let mut boxes = Drawing::default();
                let bents = emitter.bents.iter().filter(|(key, _)| key.pose == pose_id);
                for (_, bent) in bents {
                    boxes.edges(bake::bounds(&emitter.world.bents[*bent as usize].positions), thin_m);
                }
                drawings.push(("bounds", show::BOX, boxes));
            }
        }
    }
    for (number, (name, color, drawing)) in drawings.into_iter().enumerate() {
        if drawing.is_empty() {
            continue;
        }
        let object_id = emitter.name_object(join(&emitter.paths[scene_node], name));
        let material = emitter.surfaces.store.add_material(show::material(name, color));
        let geometry = bake::complete(drawing.geometry(), TangentWish::Any).geometry;
        let drawn = Drawn::rigid(emitter.surfaces.store.add_geometry(geometry));
        let origin = Origin::Drawing { node: scene_node, drawing: number };
        let world_from_local = world_from_model;
        emitter.item(NewItem { drawn, material, world_from_local, object_id, origin, casts_shadow: false });
    }
}
