//! Object: draw items become entries of one array and batches of instances.

use std::collections::{BTreeMap, BTreeSet};

use stillframe_base::geom::Frustum;

use super::job::{Job, Skinning};
use super::kept::{bending, is_kept, streams};
use super::lit::Lit;
use super::rectangle::rectangle;
use super::sky::{Smoothest, roughness_min};
use super::solid::Solids;
use super::uniform::{FigureUniform, MovingUniform, ObjectUniform};
use crate::asset::{
    AlphaMode, CrowdPart, Figures, Form, GeometryId, Material, MaterialId, Store, TextureSlot, scatters,
};
use crate::frame::{Eye, Items, List, ListId, Plan, ViewId};
use crate::light::MapView;
use crate::material::{Bending, Kept, Key, Switches, Variant};
use crate::view::{DrawItem, Shot, ShotCamera, product};

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
    /// Its depth is there.
    pub is_covered: bool,
    /// From its last triangle to its first.
    pub is_reversed: bool,
    /// Of the material and the geometry's streams, without its variant's pruning undone: what `lit`, `aov`, `motion` or
    /// `depth` read.
    pub key: Key,
}

/// A geometry as something draws it: bent, at rest.
pub type BentId = (GeometryId, u32);

/// Everything that is drawn.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Objects {
    pub uniforms: Vec<ObjectUniform>,
    /// As planned; those that no pass draws are empty.
    pub lists: Vec<Vec<Batch>>,
    /// One for each of the first entries of `uniforms`, where motion is wanted.
    pub moving: Vec<MovingUniform>,
    /// The same where corners are fetched: the pixels that it may cover, as `rectangle` has them.
    pub rectangles: Vec<[f32; 4]>,
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

/// Items and the place of the first of them in the object array.
struct Placed<'a> {
    first: u32,
    items: Vec<&'a DrawItem>,
}

/// The shots of all cameras as one array, and the batches of every list that a pass of the plan draws.
pub fn objects(job: &Job<'_>, plan: &Plan, lit: &[Lit], (solids, smoothest): (&mut Solids, &mut Smoothest)) -> Objects {
    let mut out = Objects { firsts: firsts(job.looks[0].shot), ..Objects::default() };
    let drawable = |item: &&DrawItem| !job.store.geometry(item.geometry).indices.is_empty();
    // By camera: opaque and blended.
    let mut seen = Vec::new();
    for look in job.looks {
        seen.push([&look.shot.opaque, &look.shot.blended].map(|list| {
            let items: Vec<&DrawItem> = list.iter().filter(drawable).collect();
            out.place(look.shot, items)
        }));
    }
    let drawn: BTreeSet<ListId> = plan.drawn().collect();
    let lists = || drawn.iter().map(|id| &plan.lists[id.0]);
    if lists().any(|list| list.variant == Variant::Motion) {
        for (look, seen) in job.looks.iter().zip(&seen) {
            let clip_from_world = |camera: &ShotCamera| product(camera.clip_from_view, camera.view_from_world);
            let (now, before) = (clip_from_world(&look.shot.camera), clip_from_world(&look.shot.camera_before));
            out.moving.extend(seen.iter().flat_map(|placed| &placed.items).map(|item| MovingUniform {
                clip_from_local_now: product(now, item.world_from_local).to_cols_array_2d(),
                clip_from_local_before: product(before, item.world_from_local_before).to_cols_array_2d(),
            }));
        }
    }
    if lists().any(|list| list.variant == Variant::Fetched) {
        for (look, seen) in job.looks.iter().zip(&seen) {
            let (camera, size_px) = (&look.shot.camera, [look.output.width_px, look.output.height_px]);
            let clip_from_world = product(camera.clip_from_view, camera.view_from_world);
            let of = |item: &&DrawItem| rectangle(&clip_from_world, &item.bounds_world.corners(), size_px);
            out.rectangles.extend(seen.iter().flat_map(|placed| &placed.items).map(of));
        }
    }
    // By camera, for those whose casters some pass draws; whether they let light through.
    let mut casters: BTreeMap<(ViewId, bool), Placed<'_>> = BTreeMap::new();
    for list in lists().filter(|list| matches!(list.items, Items::Casters | Items::Veils)) {
        let (camera, are_veils) = (plan.camera(list.view), list.items == Items::Veils);
        casters.entry((camera, are_veils)).or_insert_with(|| {
            let shot = job.looks[camera.0].shot;
            let items = if are_veils { &shot.veils } else { &shot.casters };
            let mut items: Vec<&DrawItem> = items.iter().filter(drawable).collect();
            // Depth does not ask for an order; equal neighbours make batches.
            items.sort_by_key(|item| {
                let crowd = item.crowd.map(|of| of.0[0]);
                (cut_out(item, job.store), item.geometry, item.bent, crowd, item.object_id)
            });
            out.place(shot, items)
        });
    }
    // By camera, opaque ones from the last to the first. Where depth is there, of equal depths the last one that is
    // drawn is seen: that is to be the first, as elsewhere.
    let is_reversed = |list: &List| is_covered(list) && plan.views[list.view.0].samples == 1;
    let mut reversed: BTreeMap<ViewId, Placed<'_>> = BTreeMap::new();
    for list in lists().filter(|list| is_reversed(list)) {
        let camera = plan.camera(list.view);
        let items = seen[camera.0][0].items.iter().rev().copied().collect();
        reversed.entry(camera).or_insert_with(|| out.place(job.looks[camera.0].shot, items));
    }
    out.lists = vec![Vec::new(); plan.lists.len()];
    for id in &drawn {
        let List { view, items, variant } = plan.lists[id.0];
        let camera = plan.camera(view);
        let [opaque, blended] = &seen[camera.0];
        let is_reversed = is_reversed(&plan.lists[id.0]);
        let opaque = if is_reversed { &reversed[&camera] } else { opaque };
        // Blended ones come after, and may show what is behind, too.
        let behind = lit[camera.0].transmits && matches!(items, Items::Clear | Items::Blended | Items::Mirrors);
        let reflects = behind && lit[camera.0].mirrors.is_some();
        let subsurface = lit[camera.0].scatters && variant == Variant::Lit && !behind;
        let samples = plan.views[view.0].samples;
        let is_covered = match items {
            _ if is_covered(&plan.lists[id.0]) => true,
            // With several samples, their depth comes first in the same pass.
            Items::Solid | Items::Clear => variant == Variant::Lit && samples > 1,
            _ => false,
        };
        let look = Look {
            switches: Switches { behind, subsurface, reflects, ..lit[camera.0].switches },
            skinning: job.skinning,
            samples,
            sides: Sides::Own,
            is_covered,
            is_reversed,
        };
        let all = |_: &DrawItem| true;
        let is_kept = |kept: Kept, item: &DrawItem| is_kept(kept, item, job, &lit[camera.0]);
        let transmits = |item: &DrawItem| crate::asset::transmits(job.store.material(item.material));
        out.lists[id.0] = match items {
            Items::Opaque | Items::Covered => batches(opaque, all, variant, job.store, look),
            Items::Kept(kept) => batches(opaque, |item| is_kept(kept, item), variant, job.store, look),
            Items::Left(kept) => batches(opaque, |item| !is_kept(kept, item), variant, job.store, look),
            Items::Both(kept) => {
                let of = |item: &DrawItem| if is_kept(kept, item) { variant } else { Variant::Blank(kept) };
                batches_by(opaque, all, of, job.store, look)
            }
            Items::Solid => batches(opaque, |item| !transmits(item), variant, job.store, look),
            Items::Mirrors => {
                let rougher_from = lit[camera.0].mirrors.unwrap_or(0.0);
                let mut texel = |slot: &TextureSlot| smoothest.of(&job.store.images[slot.image]) / 255.0;
                let mut is_mirror =
                    |material: &Material| !material.unlit && roughness_min(material, &mut texel) < rougher_from;
                let mut mirrors: BTreeSet<MaterialId> = opaque.items.iter().map(|item| item.material).collect();
                mirrors.retain(|id| is_mirror(job.store.material(*id)));
                let is_mirror = |item: &DrawItem| !transmits(item) && mirrors.contains(&item.material);
                batches(opaque, is_mirror, variant, job.store, look)
            }
            Items::Whole => {
                let is_whole = |item: &DrawItem| !transmits(item) && cut_out(item, job.store).is_none();
                batches(opaque, is_whole, variant, job.store, look)
            }
            Items::Clear => batches(opaque, transmits, variant, job.store, look),
            Items::Scattering => {
                batches(opaque, |item| scatters(job.store.material(item.material)), variant, job.store, look)
            }
            Items::Blended => batches(blended, all, variant, job.store, look),
            Items::Seen => [opaque, blended].map(|list| batches(list, all, variant, job.store, look)).concat(),
            Items::Function(number) => {
                let item = &job.looks[camera.0].shot.functions[number as usize];
                let placed = out.place(job.looks[camera.0].shot, vec![item]);
                batches(&placed, all, variant, job.store, look)
            }
            Items::Casters | Items::Veils => {
                let are_veils = items == Items::Veils;
                let map = match plan.views[view.0].eye {
                    Eye::Map { map, .. } => Some(&lit[camera.0].maps.views[map]),
                    _ => None,
                };
                let of_camera = |camera: &ShotCamera| product(camera.clip_from_view, camera.view_from_world);
                let clip_from_world =
                    map.map_or_else(|| of_camera(&job.looks[camera.0].shot.camera), |map| map.clip_from_world);
                let frustum = Frustum::new(&clip_from_world);
                let Placed { first, items } = &casters[&(camera, are_veils)];
                let part = |item: &DrawItem| (item.object_id, item.geometry);
                // A camera does not see what its view hides.
                let in_sight: Option<BTreeSet<_>> =
                    map.is_none().then(|| opaque.items.iter().map(|item| part(item)).collect());
                let mut list: Vec<Batch> = Vec::new();
                for (index, item) in (*first..).zip(items) {
                    let is_there = in_sight.as_ref().is_none_or(|in_sight| in_sight.contains(&part(item)));
                    if is_there && frustum.sees_aabb(&item.bounds_world) {
                        // Open meshes cast from either side, and so do all about a lamp inside of them.
                        let opaque = are_veils || cut_out(item, job.store).is_none();
                        let is_front = |map: &MapView| {
                            opaque && map.is_outside(&item.bounds_world) && solids.is_solid(item.geometry, job.store)
                        };
                        let sides = match map.map(is_front) {
                            None => Sides::Own,
                            Some(true) => Sides::Front,
                            Some(false) => Sides::Both,
                        };
                        let look = Look { sides, ..look };
                        join(&mut list, batch(item, index, variant, job.store, look));
                    }
                }
                list
            }
        };
    }
    out
}

/// Whether a list is shaded that has its depth before.
fn is_covered(list: &List) -> bool {
    match list.items {
        Items::Covered | Items::Left(_) | Items::Mirrors => list.variant == Variant::Lit,
        Items::Kept(_) | Items::Both(_) => matches!(list.variant, Variant::Summed(_) | Variant::Round(_)),
        _ => false,
    }
}

impl Objects {
    /// Adds entries of the object array.
    fn place<'a>(&mut self, shot: &Shot, items: Vec<&'a DrawItem>) -> Placed<'a> {
        let first = self.uniforms.len() as u32;
        items.iter().for_each(|item| self.push(shot, item));
        Placed { first, items }
    }

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

/// First joint and share of each bent, where all stand one after the other; `shader/posture.wgsl` says what the three
/// highest bits are.
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

/// What is the same for all items of a camera.
#[derive(Clone, Copy)]
struct Look {
    switches: Switches,
    skinning: Skinning,
    samples: u32,
    sides: Sides,
    /// Depth was drawn before.
    is_covered: bool,
    is_reversed: bool,
}

/// Which sides of a mesh are drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sides {
    /// As its material says.
    Own,
    Front,
    Both,
}

fn key(variant: Variant, item: &DrawItem, store: &Store, look: Look) -> Key {
    Key::new(variant, store.material(item.material), streams(item, store), look.switches)
        .bent(bending(item, store, look.skinning))
        .sampled(look.samples, look.is_covered)
}

fn batches(
    placed: &Placed<'_>,
    wants: impl Fn(&DrawItem) -> bool,
    variant: Variant,
    store: &Store,
    look: Look,
) -> Vec<Batch> {
    batches_by(placed, wants, |_| variant, store, look)
}

/// The same, each item by a variant of its own.
fn batches_by(
    placed: &Placed<'_>,
    wants: impl Fn(&DrawItem) -> bool,
    variant: impl Fn(&DrawItem) -> Variant,
    store: &Store,
    look: Look,
) -> Vec<Batch> {
    let mut out = Vec::new();
    for (index, item) in (placed.first..).zip(&placed.items).filter(|(_, item)| wants(item)) {
        join(&mut out, batch(item, index, variant(item), store, look));
    }
    out
}

fn batch(item: &DrawItem, index: u32, variant: Variant, store: &Store, look: Look) -> Batch {
    Batch {
        geometry: item.geometry,
        bent: item.bent,
        crowd: item.crowd,
        material: item.material,
        first: index,
        count: 1,
        mirrored: item.mirrored && look.sides != Sides::Both,
        double_sided: match look.sides {
            Sides::Own => store.material(item.material).double_sided,
            Sides::Front => false,
            Sides::Both => true,
        },
        is_covered: look.is_covered,
        is_reversed: look.is_reversed,
        key: key(variant, item, store, look),
    }
}

/// Adds a batch, to the last one where the two are one draw.
fn join(list: &mut Vec<Batch>, batch: Batch) {
    if let Some(last) = list.last_mut() {
        let same = last.key == batch.key
            && last.geometry == batch.geometry
            && (last.bent == batch.bent || batch.key.bending == Bending::Vertex)
            && last.crowd.map(|of| of.0[0]) == batch.crowd.map(|of| of.0[0])
            && last.first + last.count == batch.first
            && (last.double_sided, last.mirrored) == (batch.double_sided, batch.mirrored)
            && (last.material == batch.material || !batch.key.reads_material());
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
        normal_y: [normal[1][0], normal[1][1], normal[1][2], (item.material.index() + 1) as f32],
        normal_z: [normal[2][0], normal[2][1], normal[2][2]],
        id: item.object_id,
    }
}
