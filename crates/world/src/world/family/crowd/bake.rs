//! Baking: clips of a crowd become frames that vertex shaders look up.
//!
//! In: a model with its rig, parts of clips. Out: a [`BakedModel`]. Never here: figures.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Affine3A, DAffine3, DVec3, Mat4, Vec3};
use stillframe_anim::crowd::{
    BakedBones, BakedFrames, BakedVertices, CrowdBaking, CrowdClip, CrowdError, CrowdReport, CrowdRig, MovingShapes,
    MovingVertices, Storage, TextureLimits, clip_bounds, number_bounds,
};
use stillframe_anim::pose::Affine;
use stillframe_anim::root::{RootParts, RootTrack};
use stillframe_base::geom::Aabb;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, Tick};

use crate::animate::{Rig, RigPart, Source, part_of, played};
use crate::asset::{Bend, BendBlocks, Form, Influence};
use crate::import::{Model, Part};
use crate::pose::{Method, Playing, Pose, pose, shares};

/// Frames a second that baking begins with, and at most.
const RATE_MIN: u32 = 10;
const RATE_MAX: u32 = 240;

/// A model baked for a crowd.
#[derive(Clone, Debug)]
pub struct BakedModel {
    pub frames: Arc<BakedFrames>,
    pub form: Form,
    /// Where a part's own joint, followed by those of its skin, or its vertices begin in the frames.
    pub firsts: BTreeMap<NodePart, u32>,
    /// By node of the model: none for baked vertices, which have their shapes in them.
    pub shapes: BTreeMap<usize, FigureShapes>,
    /// What each clip never leaves.
    pub bounds: Aabb,
    /// How far figures go: one a clip, none where roots stay in poses.
    pub roots: Vec<RootTrack>,
    /// One a clip.
    pub reports: Vec<CrowdReport>,
}

/// By position in the nodes of a model, and in the parts of the node.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct NodePart {
    pub node: usize,
    pub part: usize,
}

/// Shapes of a node.
#[derive(Clone, Debug)]
pub struct FigureShapes {
    /// Which texel of a frame holds the first four shares.
    pub first_share: u32,
    /// By target, whether any clip moves it.
    pub kept: Vec<bool>,
}

/// Clips of a crowd, and the joint whose way is the figures', with what of it.
pub type CrowdParts<'a> = (&'a [RigPart], Option<(u16, RootParts)>);

/// Ways of roots, one a clip; none where there is no root.
fn roots(model: &Model, rig: &Rig, (clips, root): CrowdParts<'_>) -> Result<Vec<RootTrack>, String> {
    let tracks = root.into_iter().flat_map(|root| clips.iter().map(move |clip| (clip, root)));
    tracks.map(|(part, root)| rig.root_track(model, part, root)).collect()
}

/// Why clips cannot be baked, and what may be done.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unbaked {
    pub words: String,
    pub help: Option<String>,
}

impl From<String> for Unbaked {
    fn from(words: String) -> Unbaked {
        Unbaked { words, help: None }
    }
}

/// Bakes clips for a crowd.
///
/// Errors: words that say why they cannot be.
pub fn bake(model: &Model, rig: &Rig, parts: CrowdParts<'_>, error_mm: f64) -> Result<BakedModel, Unbaked> {
    let (clips, roots) = (parts.0, roots(model, rig, parts)?);
    let (mut joints, mut inverse_binds) = (Vec::new(), Vec::new());
    let mut firsts = BTreeMap::new();
    let mut shaped: Vec<ShapedNode> = Vec::new();
    let mut reaches_m: Vec<f64> = Vec::new();
    for (at, node) in model.nodes.iter().enumerate().filter(|(_, node)| !node.parts.is_empty()) {
        firsts.extend((0..node.parts.len()).map(|part| (NodePart { node: at, part }, joints.len() as u32)));
        let affine = |matrix: Mat4| Affine::from(Affine3A::from_mat4(matrix));
        let own = joints.len();
        joints.push(at as u16);
        inverse_binds.push(affine(node.local_from_parts));
        for joint in node.skin.iter().flat_map(|skin| &model.skins[*skin].joints) {
            joints.push(joint.node as u16);
            inverse_binds.push(affine(joint.joint_from_mesh));
        }
        let targets = |part: &Part| &model.geometries[part.geometry].targets;
        let target_count = node.parts.iter().map(|part| targets(part).len()).max().unwrap_or(0);
        if target_count > 0 && !node.morphs.is_empty() {
            let scale = (joints[own..].iter().zip(&inverse_binds[own..]))
                .map(|(joint, bind)| {
                    rig.rest().model_from_local[usize::from(*joint)] * Mat4::from(Affine3A::from(*bind))
                })
                .flat_map(|palette| {
                    [palette.x_axis, palette.y_axis, palette.z_axis].map(|axis| axis.truncate().length())
                })
                .fold(0.0, f32::max);
            shaped.push(ShapedNode { node: at, first: reaches_m.len(), target_count });
            for target in 0..target_count {
                let of_target = node.parts.iter().filter_map(|part| targets(part).get(target));
                let moves = of_target.flat_map(|target| &target.positions).map(|by| Vec3::from(*by).length());
                reaches_m.push(f64::from(moves.fold(0.0, f32::max) * scale));
            }
            // Every node's shares begin with a texel.
            reaches_m.resize(reaches_m.len().next_multiple_of(4), 0.0);
        }
    }
    let baking = baking(error_mm);
    let keys: Vec<Vec<Tick>> = clips.iter().map(|clip| keys_of(model, clip)).collect();
    let rig_of = CrowdRig { skeleton: &rig.skeleton, joints: &joints, inverse_binds: &inverse_binds };
    let run = |open: &[bool]| {
        let pose = |(at, part)| rig.source(model, part, roots.get(at));
        let mut poses: Vec<_> = clips.iter().enumerate().map(pose).collect();
        let mut sources: Vec<CrowdClip<'_>> = (poses.iter_mut().zip(open).zip(&keys))
            .map(|(((length, pose), open), keys)| CrowdClip { length: *length, looping: !open, keys, pose })
            .collect();
        let mut shares: Vec<_> = clips.iter().map(|clip| shares_of(model, clip, &shaped)).collect();
        let shares = shares.iter_mut().map(|shares| shares as &mut dyn FnMut(Tick, &mut [f64]));
        let shares = if reaches_m.is_empty() { Vec::new() } else { shares.collect() };
        let shapes = MovingShapes { reaches_m: &reaches_m, shares };
        BakedBones::bake_shaped(rig_of, &mut sources, shapes, &baking)
    };
    let (baked, reports) = with_jumps((model, clips), run)?;
    let first_number = 12 * joints.len();
    let ranges = number_bounds(&baked.frames, first_number..first_number + reaches_m.len());
    let mut shapes: BTreeMap<usize, FigureShapes> = BTreeMap::new();
    for ShapedNode { node, first, target_count } in shaped {
        let kept = ranges[first..first + target_count].iter().map(|range| *range != [0.0; 2]).collect();
        shapes.insert(node, FigureShapes { first_share: (first_number + first) as u32 / 4, kept });
    }
    let mut boxes = vec![Aabb::EMPTY; joints.len()];
    for (NodePart { node, part }, first_joint) in &firsts {
        let geometry = model.nodes[*node].parts[*part].geometry;
        let surface = &model.geometries[geometry].surface;
        let kept = shapes.get(node).map_or(&[][..], |shapes| &shapes.kept);
        let first = shapes.get(node).map_or(0, |shapes| 4 * shapes.first_share as usize - first_number);
        let bend = bend_of(model, *node, geometry, kept);
        for (vertex, position) in surface.positions.iter().enumerate() {
            // What shapes make of it, at the least and at the most.
            let mut reach = Aabb::of_points([Vec3::from(*position)]);
            for delta in bend.deltas_of(vertex) {
                let ends = ranges[first + delta.target as usize].map(|share| Vec3::from(delta.position) * share);
                reach = Aabb::new(reach.min + ends[0].min(ends[1]), reach.max + ends[0].max(ends[1]));
            }
            for influence in bend.pulls_of(vertex) {
                let own = &mut boxes[(first_joint + influence.joint) as usize];
                *own = own.union(reach);
            }
        }
    }
    let bounds = clip_bounds(&baked, &boxes).into_iter().fold(Aabb::EMPTY, Aabb::union);
    Ok(BakedModel { frames: Arc::new(baked.frames), form: Form::Matrices, firsts, shapes, bounds, roots, reports })
}

/// A node that wears shapes, and which shares are its.
struct ShapedNode {
    node: usize,
    first: usize,
    target_count: usize,
}

/// Shares of all shapes at a moment of a clip.
fn shares_of<'a>(
    model: &'a Model,
    part: &'a RigPart,
    shaped: &'a [ShapedNode],
) -> impl FnMut(Tick, &mut [f64]) + use<'a> {
    let (start, _) = part_of(model, part);
    move |at: Tick, out: &mut [f64]| {
        let weights = part.0.morph_weights(model, start + at);
        for ShapedNode { node, first, target_count } in shaped {
            let shares = shares(&model.nodes[*node].morphs, &weights[*node], *target_count);
            out[*first..].iter_mut().zip(shares).for_each(|(out, share)| *out = f64::from(share));
        }
    }
}

/// Bakes places and normals of vertices, shapes and all, for a crowd.
///
/// Errors: as [`bake`].
pub fn bake_vertices(model: &Model, rig: &Rig, parts: CrowdParts<'_>, error_mm: f64) -> Result<BakedModel, Unbaked> {
    let (clips, roots) = (parts.0, roots(model, rig, parts)?);
    let mut firsts = BTreeMap::new();
    let (mut parts, mut vertex_count) = (Vec::new(), 0);
    for (at, node) in model.nodes.iter().enumerate() {
        for (part, of) in node.parts.iter().enumerate() {
            firsts.insert(NodePart { node: at, part }, vertex_count as u32);
            let surface = &model.geometries[of.geometry].surface;
            let bend = crate::pose::bend_of(model, at, of.geometry, None);
            parts.push((at, of.geometry, vertex_count, bend.map(|bend| BendBlocks::new(surface, &bend))));
            vertex_count += surface.positions.len();
        }
    }
    let (isa, mut bounds) = (Isa::detect(), Aabb::EMPTY);
    let place_at =
        |(clip, at): (usize, Tick), bounds: &mut Aabb, (positions, normals): (&mut [DVec3], &mut [DVec3])| {
            let (start, _) = part_of(model, &clips[clip]);
            let pose = pose_of(model, rig, (&clips[clip].0, start), (roots.get(clip), at));
            for (node, geometry, first, bend) in &parts {
                let surface = &model.geometries[*geometry].surface;
                let posture = || crate::pose::posture(model, *node, *geometry, &pose, None);
                let bent = bend.as_ref().map(|blocks| blocks.bent(isa, surface, posture()));
                let (of_positions, of_normals) = match &bent {
                    Some(bent) => (&bent.positions, &bent.normals),
                    None => (&surface.positions, &surface.normals),
                };
                let model_from_parts = pose.model_from_parts[*node].as_dmat4();
                let normal_from_parts = model_from_parts.inverse().transpose();
                for (vertex, position) in of_positions.iter().enumerate() {
                    let place = model_from_parts.transform_point3(Vec3::from(*position).as_dvec3());
                    *bounds = bounds.with(place.as_vec3());
                    positions[first + vertex] = place;
                }
                for (vertex, normal) in of_normals.iter().enumerate() {
                    let facing = normal_from_parts.transform_vector3(Vec3::from(*normal).as_dvec3());
                    normals[first + vertex] = facing.normalize_or_zero();
                }
            }
        };
    let baking = baking(error_mm);
    let keys: Vec<Vec<Tick>> = clips.iter().map(|clip| keys_of(model, clip)).collect();
    let run = |open: &[bool]| {
        let shared = RefCell::new(&mut bounds);
        let mut places: Vec<_> = (clips.iter().enumerate())
            .map(|(clip, part)| {
                let (start, end) = part_of(model, part);
                let (shared, place_at) = (&shared, &place_at);
                let place = move |at: Tick, positions: &mut [DVec3], normals: &mut [DVec3]| {
                    place_at((clip, at), &mut shared.borrow_mut(), (positions, normals));
                };
                (end - start, place)
            })
            .collect();
        let mut sources: Vec<MovingVertices<'_>> = (places.iter_mut().zip(open).zip(&keys))
            .map(|(((length, place), open), keys)| MovingVertices { length: *length, looping: !open, keys, place })
            .collect();
        BakedVertices::bake(vertex_count, &mut sources, &baking)
    };
    let (baked, reports) = with_jumps((model, clips), run)?;
    Ok(BakedModel {
        frames: Arc::new(baked.frames),
        form: Form::Places,
        firsts,
        shapes: BTreeMap::new(),
        bounds,
        roots,
        reports,
    })
}

/// The pose of a model at a moment of a clip, whose root stays where one is given.
fn pose_of(model: &Model, rig: &Rig, (source, start): (&Source, Tick), (root, at): (Option<&RootTrack>, Tick)) -> Pose {
    if let (Source::Own(clip), None) = (source, root) {
        return pose(model, &[Playing { clip: *clip, time: start + at }]);
    }
    let locals = played(model, (source, start), at, root);
    let mut places: Vec<DAffine3> = Vec::with_capacity(locals.len());
    for (local, node) in locals.iter().zip(&model.nodes) {
        let place = DAffine3::from_scale_rotation_translation(local.scale, local.rotation, local.translation);
        places.push(node.parent.map_or(place, |parent| places[parent] * place));
    }
    let matrices = places.into_iter().map(|place| Mat4::from(place.as_affine3a())).collect();
    rig.pose(model, matrices, source.morph_weights(model, start + at), rig.rest().seen.clone())
}

fn baking(error_mm: f64) -> CrowdBaking {
    CrowdBaking {
        storage: Storage::Ranged16,
        error_max_m: error_mm * 1e-3,
        rate_min: FrameRate::whole(RATE_MIN),
        rate_max: FrameRate::whole(RATE_MAX),
        limits: TextureLimits::default(),
    }
}

/// Keys of a part of a clip, from its start.
fn keys_of(model: &Model, part: &RigPart) -> Vec<Tick> {
    let (start, end) = part_of(model, part);
    let keys = part.0.key_times(model).into_iter().filter(|key| (start..=end).contains(key));
    keys.map(|key| key - start).collect()
}

/// What `run` bakes: a clip whose end is not its start begins with a jump.
fn with_jumps<T>(
    (model, clips): (&Model, &[RigPart]),
    mut run: impl FnMut(&[bool]) -> Result<T, CrowdError>,
) -> Result<T, Unbaked> {
    let mut open = vec![false; clips.len()];
    loop {
        match run(&open) {
            Err(CrowdError::LoopOpen { clip, .. }) if !open[clip] => open[clip] = true,
            Err(error) => return Err(unbaked(&error, |clip| clips[clip].0.name(model))),
            Ok(baked) => return Ok(baked),
        }
    }
}

/// An error in words of who wrote the scene: clips by name, millimetres, seconds.
fn unbaked<'a>(error: &CrowdError, name: impl Fn(usize) -> &'a str) -> Unbaked {
    let seconds = |at: Tick| format!("{:.3} s", at.seconds());
    let (words, help) = match *error {
        CrowdError::Bound { clip, error_m, at, frames, max_m } => (
            format!(
                "clip {:?} is {:.3} mm off at {} with {frames} frames ({RATE_MAX} per second), but only {} mm are allowed",
                name(clip),
                error_m * 1e3,
                seconds(at),
                max_m * 1e3
            ),
            Some("allow a larger error (error_mm, --error-mm), or omit this clip".to_string()),
        ),
        CrowdError::Frames { clip, max, .. } => (
            format!("clip {:?} takes more than {max} frames", name(clip)),
            Some("allow a larger error (error_mm, --error-mm), or use a part of the clip".to_string()),
        ),
        CrowdError::NotFinite { clip, at, .. } => {
            (format!("clip {:?} is too far away to be stored at {}", name(clip), seconds(at)), None)
        }
        CrowdError::Texture { texels, width, height } => (
            format!("{texels} texels do not fit in {width} x {height}"),
            Some("allow a larger error (error_mm, --error-mm), or fewer clips".to_string()),
        ),
        _ => (error.to_string(), None),
    };
    Unbaked { words, help }
}

/// Each vertex its own joint.
pub fn own_places(vertex_count: usize) -> Bend {
    let count = vertex_count as u32;
    Bend {
        starts: (0..=count).map(|vertex| [vertex, 0]).collect(),
        influences: (0..count).map(|joint| Influence { joint, weight: 1.0 }).collect(),
        ..Bend::default()
    }
}

/// What bends a part of a figure: the joints of its skin, else the node itself, and the shapes that are kept, by
/// target.
pub fn bend_of(model: &Model, node: usize, geometry: usize, kept: &[bool]) -> Bend {
    let bend = crate::pose::bend_of(model, node, geometry, Some(Method::Linear)).map(|bend| bend.with_shapes(kept));
    let vertex_count = model.geometries[geometry].surface.positions.len();
    let still = || Bend { starts: vec![[0; 2]; vertex_count + 1], ..Bend::default() };
    bend.unwrap_or_else(still).with_own_joint()
}
