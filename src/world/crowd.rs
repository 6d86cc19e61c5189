//! Crowds: clips are baked once, figures are placed by chance from a seed, and what each plays is a function of the moment.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use glam::{Affine3A, DVec3, Mat4, Quat, Vec3};
use stillframe_anim::crowd::{
    BakedBones, BakedFrames, BakedVertices, CrowdBaking, CrowdClip, CrowdError, CrowdReport, CrowdRig, MovingVertices,
    Storage, TextureLimits, Track, clip_bounds, clip_phase, fade_at,
};
use stillframe_anim::pose::Affine;
use stillframe_base::geom::Aabb;
use stillframe_base::rng::Rng;
use stillframe_base::tick::{FrameRate, Tick};

use crate::animate::{Rig, part_of};
use crate::asset::{Bend, CrowdFigure, Figures, Form, Geometry, Influence};
use crate::import::Model;
use crate::pose::{Playing, pose};
use crate::scene::{Area, Crowd, Pattern};

/// Frames a second that baking begins with, and at most.
const RATE_MIN: u32 = 10;
const RATE_MAX: u32 = 240;
/// The speed at which a clip plays as it was made.
const SPEED_ONE: f64 = stillframe_anim::crowd::SPEED_ONE as f64;

/// A model baked for a crowd.
#[derive(Clone, Debug)]
pub struct BakedModel {
    pub frames: Arc<BakedFrames>,
    pub form: Form,
    /// By node of the model and part of that: where its own joint, followed by those of its skin, or its vertices begin in the frames.
    pub firsts: BTreeMap<(usize, usize), u32>,
    /// What each clip never leaves.
    pub bounds: Aabb,
    /// One a clip.
    pub reports: Vec<CrowdReport>,
}

/// Clips to bake: positions in `Model::clips`, and the part that is played, in ticks from the clip's start.
pub type CrowdPart = (usize, [Option<Tick>; 2]);

/// Bakes clips for a crowd.
///
/// Errors: words that say why they cannot be.
pub fn bake(model: &Model, rig: &Rig, clips: &[CrowdPart], error_mm: f64) -> Result<BakedModel, String> {
    let (mut joints, mut inverse_binds, mut boxes) = (Vec::new(), Vec::new(), Vec::new());
    let mut firsts = BTreeMap::new();
    for (at, node) in model.nodes.iter().enumerate().filter(|(_, node)| !node.parts.is_empty()) {
        firsts.extend((0..node.parts.len()).map(|part| ((at, part), joints.len() as u32)));
        let affine = |matrix: Mat4| Affine::from(Affine3A::from_mat4(matrix));
        joints.push(at as u16);
        inverse_binds.push(affine(node.local_from_parts));
        for joint in node.skin.iter().flat_map(|skin| &model.skins[*skin].joints) {
            joints.push(joint.node as u16);
            inverse_binds.push(affine(joint.joint_from_mesh));
        }
        let mut own = vec![Aabb::EMPTY; joints.len() - boxes.len()];
        for part in &node.parts {
            let surface = &model.geometries[part.geometry].surface;
            let bend = bend_of(model, at, part.geometry);
            for (vertex, position) in surface.positions.iter().enumerate() {
                for influence in bend.influences_of(vertex) {
                    let own = &mut own[influence.joint as usize];
                    *own = own.with(Vec3::from(*position));
                }
            }
        }
        boxes.extend(own);
    }
    let baking = baking(error_mm);
    let rig_of = CrowdRig { skeleton: &rig.skeleton, joints: &joints, inverse_binds: &inverse_binds };
    let run = |open: &[bool]| {
        let mut poses: Vec<_> = clips.iter().map(|(source, part)| rig.source(model, *source, *part)).collect();
        let mut sources: Vec<CrowdClip<'_>> = (poses.iter_mut().zip(open))
            .map(|((length, pose), open)| CrowdClip { length: *length, looping: !open, pose })
            .collect();
        BakedBones::bake(rig_of, &mut sources, &baking)
    };
    let (baked, reports) = with_jumps(clips.len(), run)?;
    let bounds = clip_bounds(&baked, &boxes).into_iter().fold(Aabb::EMPTY, Aabb::union);
    Ok(BakedModel { frames: Arc::new(baked.frames), form: Form::Matrices, firsts, bounds, reports })
}

/// Bakes places and normals of vertices, shapes and all, for a crowd.
///
/// Errors: as [`bake`].
pub fn bake_vertices(model: &Model, clips: &[CrowdPart], error_mm: f64) -> Result<BakedModel, String> {
    let mut firsts = BTreeMap::new();
    let (mut parts, mut vertex_count) = (Vec::new(), 0);
    for (at, node) in model.nodes.iter().enumerate() {
        for (part, of) in node.parts.iter().enumerate() {
            firsts.insert((at, part), vertex_count as u32);
            parts.push((at, of.geometry, vertex_count));
            vertex_count += model.geometries[of.geometry].surface.positions.len();
        }
    }
    let mut bounds = Aabb::EMPTY;
    let place_at =
        |source: usize, start: Tick, bounds: &mut Aabb, (positions, normals): (&mut [DVec3], &mut [DVec3])| {
            let pose = pose(model, &[Playing { clip: source, time: start }]);
            for (node, geometry, first) in &parts {
                let surface = &model.geometries[*geometry].surface;
                let bent = crate::pose::bend(model, *node, *geometry, &pose);
                let bent = bent.as_ref().unwrap_or(surface);
                let model_from_parts = pose.model_from_parts[*node].as_dmat4();
                let normal_from_parts = model_from_parts.inverse().transpose();
                for (vertex, (position, normal)) in bent.positions.iter().zip(&bent.normals).enumerate() {
                    let place = model_from_parts.transform_point3(Vec3::from(*position).as_dvec3());
                    *bounds = bounds.with(place.as_vec3());
                    positions[first + vertex] = place;
                    let facing = normal_from_parts.transform_vector3(Vec3::from(*normal).as_dvec3());
                    normals[first + vertex] = facing.normalize_or_zero();
                }
            }
        };
    let baking = baking(error_mm);
    let run = |open: &[bool]| {
        let shared = RefCell::new(&mut bounds);
        let mut places: Vec<_> = (clips.iter())
            .map(|(source, part)| {
                let (start, end) = part_of(model, *source, *part);
                let (shared, place_at) = (&shared, &place_at);
                let place = move |at: Tick, positions: &mut [DVec3], normals: &mut [DVec3]| {
                    place_at(*source, start + at, &mut shared.borrow_mut(), (positions, normals));
                };
                (end - start, place)
            })
            .collect();
        let mut sources: Vec<MovingVertices<'_>> = (places.iter_mut().zip(open))
            .map(|((length, place), open)| MovingVertices { length: *length, looping: !open, place })
            .collect();
        BakedVertices::bake(vertex_count, &mut sources, &baking)
    };
    let (baked, reports) = with_jumps(clips.len(), run)?;
    Ok(BakedModel { frames: Arc::new(baked.frames), form: Form::Places, firsts, bounds, reports })
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

/// What `run` bakes: a clip whose end is not its start begins with a jump.
fn with_jumps<T>(clip_count: usize, mut run: impl FnMut(&[bool]) -> Result<T, CrowdError>) -> Result<T, String> {
    let mut open = vec![false; clip_count];
    loop {
        match run(&open) {
            Err(CrowdError::LoopOpen { clip, .. }) if !open[clip] => open[clip] = true,
            Err(error) => return Err(error.to_string()),
            Ok(baked) => return Ok(baked),
        }
    }
}

/// Each vertex its own joint.
pub fn own_places(vertex_count: usize) -> Bend {
    let count = vertex_count as u32;
    Bend {
        starts: (0..=count).map(|vertex| [vertex, 0]).collect(),
        influences: (0..count).map(|joint| Influence { joint, weight: 1.0 }).collect(),
        deltas: Vec::new(),
    }
}

/// What bends a part of a figure: the joints of its skin, else the node itself. Shapes stay as they rest.
pub fn bend_of(model: &Model, node: usize, geometry: usize) -> Bend {
    if model.nodes[node].skin.is_some()
        && let Some(bend) = crate::pose::bend_of(model, node, geometry)
    {
        return bend.without_deltas();
    }
    let count = model.geometries[geometry].surface.positions.len() as u32;
    Bend {
        starts: (0..=count).map(|vertex| [vertex, 0]).collect(),
        influences: vec![Influence { joint: 0, weight: 1.0 }; count as usize],
        deltas: Vec::new(),
    }
}

/// Whether figures can wear the model: what is bent must have normals.
pub fn without_normals(model: &Model) -> Option<&str> {
    let lacks = |geometry: &Geometry| geometry.normals.is_empty();
    let node = model.nodes.iter().find(|n| n.parts.iter().any(|p| lacks(&model.geometries[p.geometry].surface)));
    node.map(|node| node.name.as_str())
}

/// Where figure `number` stands.
pub fn place(crowd: &Crowd, number: u32) -> Mat4 {
    // As scattered nodes stand, but for the turn, which is between two angles.
    let area: Area = crowd.area.clone();
    let scatter =
        Pattern::Scatter { count: crowd.count, area, turn_deg: [0.0; 3], scale: crowd.scale, seed: crowd.seed };
    let at = scatter.placement(u64::from(number));
    let mut stream = Rng::new(crowd.seed).stream("crowd/turn", u64::from(number));
    let [from, to] = crowd.turn_deg;
    let half_rad = (from + (to - from) * stream.unit_f64()).to_radians() * 0.5;
    let (sin, cos) = (stillframe_base::math::ops64::sin(half_rad), stillframe_base::math::ops64::cos(half_rad));
    let turn = Quat::from_xyzw(0.0, sin as f32, 0.0, cos as f32);
    Mat4::from_scale_rotation_translation(at.scale, turn, at.position)
}

/// What every figure plays at a moment.
pub fn figures(crowd: &Crowd, baked: &BakedModel, now: Tick) -> Figures {
    let frames = baked.frames.clone();
    let clip_count = crowd.clips.len() as u32;
    let rng = Rng::new(crowd.seed);
    let figure = |number: u32| {
        let mut own = rng.stream("crowd/figure", u64::from(number));
        let [slow, fast] = crowd.speed;
        let speed = ((slow + (fast - slow) * own.unit_f64()) * SPEED_ONE).round() as i32;
        let (first_change, phase) = (own.unit_f64(), own.next_u32());
        // Where the figure is in each clip is fixed for all time, so that changing over needs no memory.
        let at = |clip: u32| {
            let length = frames.clips()[clip as usize].length;
            let phase = phase.wrapping_add(clip.wrapping_mul(0x9E37_79B9));
            Track { clip, phase, speed }.phase_at(clip_phase(now, length))
        };
        let clip_of = |turn: i64| {
            let mut choice = rng.stream("crowd/clip", u64::from(number) << 32 | (turn as u64 & 0xffff_ffff));
            choice.below(clip_count.max(1))
        };
        let Some(change_s) = crowd.change_s.filter(|_| clip_count > 1) else {
            let clip = clip_of(0);
            return CrowdFigure { clips: [clip; 2], phases: [at(clip); 2], fade: 0.0 };
        };
        let period = Tick::from_seconds(change_s).0.max(1);
        let offset = (first_change * period as f64) as i64;
        let turn = (now.0 + offset).div_euclid(period);
        let began = Tick(turn * period - offset);
        let (before, current) = (clip_of(turn - 1), clip_of(turn));
        let fade = fade_at(now, began, Tick::from_seconds(crowd.fade_s).max(Tick(1)));
        if before == current || fade >= 1.0 {
            return CrowdFigure { clips: [current; 2], phases: [at(current); 2], fade: 0.0 };
        }
        CrowdFigure { clips: [before, current], phases: [at(before), at(current)], fade }
    };
    let figures = (0..crowd.count).map(figure).collect();
    Figures { frames, form: baked.form, figures }
}
