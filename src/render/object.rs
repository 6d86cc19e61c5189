//! Object: draw items become entries of one array and batches of instances.

use std::collections::{BTreeMap, BTreeSet};

use glam::Mat4;
use stillframe_base::geom::Frustum;

use super::bend::{BentId, Skinning};
use super::matrix::product;
use super::uniform::{FigureUniform, MovingUniform, ObjectUniform};
use crate::asset::{AlphaMode, CrowdPart, Figures, Form, GeometryId, MaterialId, Store};
use crate::material::{Bending, Key, Streams, Switches, Variant};
use crate::view::{DrawItem, Shot, ShotCamera};

/// Instances that one draw call draws.
#[derive(Clone, Debug, PartialEq)]
pub struct Batch {
    pub geometry: GeometryId,
    /// Places in the shot's bents, now and one frame before; of the first instance, where vertex shaders bend.
    pub bent: Option<[u32; 2]>,
    /// As of the item; of the first instance.
    pub crowd: Option<([u32; 2], CrowdPart)>,
    pub material: MaterialId,
    /// Range of entries of the object array.
    pub first: u32,
    pub count: u32,
    pub mirrored: bool,
    pub double_sided: bool,
    /// Of the material and the geometry's streams, without its variant's pruning undone: what `lit`, `aov`, `motion` or `shadow` read.
    pub key: Key,
}

/// Everything that is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Objects {
    pub uniforms: Vec<ObjectUniform>,
    pub lit_opaque: Vec<Batch>,
    pub lit_blended: Vec<Batch>,
    pub aov: Vec<Batch>,
    pub motion: Vec<Batch>,
    /// One for each of the first entries of `uniforms`, where motion is wanted.
    pub moving: Vec<MovingUniform>,
    /// For each map, what may be in it.
    pub casters: Vec<Vec<Batch>>,
    /// What is drawn bent, each once, and its place in the shot's bents.
    pub bents: BTreeMap<BentId, u32>,
    /// First joint and first share of each of the shot's bents, where all stand one after the other.
    pub firsts: Vec<[u32; 2]>,
    /// For each of `uniforms` its first joint and share now, then one frame before.
    pub postures: Vec<[u32; 4]>,
    /// Geometries of figures with their crowds.
    pub crowds: BTreeSet<(GeometryId, u32)>,
    /// For each of `uniforms` what it plays now and one frame before.
    pub figures: Vec<[FigureUniform; 2]>,
}

/// Lists of a shot as arrays and batches. `maps`: `clip_from_world` of every shadow map. `motion`: whether it is wanted.
pub fn objects(
    (shot, store): (&Shot, &Store),
    (switches, skinning): (Switches, Skinning),
    maps: &[Mat4],
    motion: bool,
) -> Objects {
    let mut out = Objects { firsts: firsts(shot), ..Objects::default() };
    let drawable = |item: &&DrawItem| !store.geometry(item.geometry).indices.is_empty();
    let opaque: Vec<&DrawItem> = shot.opaque.iter().filter(drawable).collect();
    let blended: Vec<&DrawItem> = shot.blended.iter().filter(drawable).collect();
    let key = |variant: Variant, item: &DrawItem| key(variant, item, store, (switches, skinning));
    let lit = |item: &DrawItem| key(Variant::Lit, item);
    let aov = |item: &DrawItem| key(Variant::Aov, item);
    opaque.iter().chain(&blended).for_each(|item| out.push(shot, item));
    let first_blended = opaque.len() as u32;
    out.lit_opaque = batches(&opaque, 0, store, lit);
    out.lit_blended = batches(&blended, first_blended, store, lit);
    out.aov = batches(&opaque, 0, store, aov);
    out.aov.extend(batches(&blended, first_blended, store, aov));
    if motion {
        let motion = |item: &DrawItem| key(Variant::Motion, item);
        out.motion = batches(&opaque, 0, store, motion);
        out.motion.extend(batches(&blended, first_blended, store, motion));
        let clip_from_world = |camera: &ShotCamera| product(camera.clip_from_view, camera.view_from_world);
        let (now, before) = (clip_from_world(&shot.camera), clip_from_world(&shot.camera_before));
        out.moving.extend(opaque.iter().chain(&blended).map(|item| MovingUniform {
            clip_from_local_now: product(now, item.world_from_local).to_cols_array_2d(),
            clip_from_local_before: product(before, item.world_from_local_before).to_cols_array_2d(),
        }));
    }
    if maps.is_empty() {
        return out;
    }
    let mut casters: Vec<&DrawItem> = shot.casters.iter().filter(drawable).collect();
    // Depth does not ask for an order; equal neighbours make batches.
    casters.sort_by_key(|item| {
        (cut_out(item, store), item.geometry, item.bent, item.crowd.map(|of| of.0[0]), item.object_id)
    });
    let first = out.uniforms.len() as u32;
    casters.iter().for_each(|item| out.push(shot, item));
    for matrix in maps {
        let frustum = Frustum::new(matrix);
        let mut list: Vec<Batch> = Vec::new();
        for (index, item) in (first..).zip(&casters) {
            if frustum.sees_aabb(&item.bounds_world) {
                let one = batches(&[item], index, store, |item| key(Variant::Shadow, item));
                one.into_iter().for_each(|batch| join(&mut list, batch));
            }
        }
        out.casters.push(list);
    }
    out
}

impl Objects {
    fn push(&mut self, shot: &Shot, item: &DrawItem) {
        self.figures.push(match item.crowd {
            None => [FigureUniform::default(); 2],
            Some((crowds, part)) => crowds.map(|crowd| {
                let Figures { figures, form, .. } = &*shot.crowds[crowd as usize];
                FigureUniform::new(&figures[part.figure as usize], part, *form)
            }),
        });
        if let Some((crowds, _)) = item.crowd {
            self.crowds.insert((item.geometry, crowds[0]));
        }
        self.uniforms.push(uniform(item));
        let [now, before] = item.bent.map_or([[0; 2]; 2], |bent| bent.map(|bent| self.firsts[bent as usize]));
        self.postures.push([now[0], now[1], before[0], before[1]]);
        for bent in item.bent.into_iter().flatten() {
            self.bents.insert((item.geometry, bent), bent);
        }
    }
}

/// First joint and share of each bent, where all stand one after the other; `shader/posture.wgsl` says what the three highest bits are.
fn firsts(shot: &Shot) -> Vec<[u32; 2]> {
    let mut ends = [0; 2];
    let mut out = Vec::with_capacity(shot.bents.len());
    for bent in &shot.bents {
        let form = match bent.posture.form {
            Form::Matrices => 0,
            Form::DualQuaternions => 1,
            Form::Places => 2,
            Form::Blended => 3,
            Form::Centres => 4,
        };
        out.push([ends[0] | form << 29, ends[1]]);
        ends[0] += bent.posture.joints.len() as u32;
        ends[1] += bent.posture.shares.len() as u32;
    }
    out
}

/// The material where its alpha makes holes; equal for all casters without.
fn cut_out(item: &DrawItem, store: &Store) -> Option<MaterialId> {
    (store.material(item.material).alpha_mode != AlphaMode::Opaque).then_some(item.material)
}

fn key(variant: Variant, item: &DrawItem, store: &Store, (switches, skinning): (Switches, Skinning)) -> Key {
    let geometry = store.geometry(item.geometry);
    let streams = Streams { uv1: !geometry.uv1.is_empty(), colors: !geometry.colors.is_empty() };
    let bending = match (item.bent, skinning) {
        _ if item.crowd.is_some() => Bending::Crowd,
        (None, _) => Bending::No,
        (Some(_), Skinning::Cpu | Skinning::Compute) => Bending::Streams,
        (Some(_), Skinning::Vertex) => Bending::Vertex,
    };
    Key::new(variant, store.material(item.material), streams, switches).bent(bending)
}

fn batches(items: &[&DrawItem], first: u32, store: &Store, key: impl Fn(&DrawItem) -> Key) -> Vec<Batch> {
    let mut out = Vec::new();
    for (index, item) in (first..).zip(items) {
        let batch = Batch {
            geometry: item.geometry,
            bent: item.bent,
            crowd: item.crowd,
            material: item.material,
            first: index,
            count: 1,
            mirrored: item.mirrored,
            double_sided: store.material(item.material).double_sided,
            key: key(item),
        };
        join(&mut out, batch);
    }
    out
}

/// Adds a batch, to the last one where the two are one draw.
fn join(list: &mut Vec<Batch>, batch: Batch) {
    if let Some(last) = list.last_mut() {
        // Opaque casters do not read their material, and both their sides are drawn.
        let depth_only = !batch.key.reads_material();
        let same = last.key == batch.key
            && last.geometry == batch.geometry
            && (last.bent == batch.bent || batch.key.bending == Bending::Vertex)
            && last.crowd.map(|of| of.0[0]) == batch.crowd.map(|of| of.0[0])
            && last.first + last.count == batch.first
            && (depth_only || (last.material == batch.material && last.mirrored == batch.mirrored));
        if same {
            last.count += batch.count;
            return;
        }
    }
    list.push(batch);
}

fn uniform(item: &DrawItem) -> ObjectUniform {
    let normal = item.normal_from_local.to_cols_array_2d();
    let sign = if item.mirrored { -1.0 } else { 1.0 };
    ObjectUniform {
        world_from_local: item.world_from_local.to_cols_array_2d(),
        normal_x: [normal[0][0], normal[0][1], normal[0][2], sign],
        normal_y: normal[1],
        normal_z: [normal[2][0], normal[2][1], normal[2][2]],
        id: item.object_id,
    }
}
