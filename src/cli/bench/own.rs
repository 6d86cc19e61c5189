//! Own: rows for somebody's character, a model and one of its clips. A row with the name of one of the table does the
//! same work.

use std::hint::black_box;
use std::path::Path;
use std::rc::Rc;

use glam::{Affine3A, Mat4, Vec4};
use stillframe_anim::compress::{CompressedClip, Compression, Decompress};
use stillframe_anim::pose::{Affine, Blend, BlendLayer, JointBlock, LocalToModel, Palette};
use stillframe_anim::sample::{Sample, UniformClip, VIRTUAL_VERTEX_M};
use stillframe_anim::skin::{
    BLOCK_JOINTS_MAX, Directions, DualJoint, InfluenceBlock, MeshInfluences, SkinDualQuaternion, SkinMesh, SkinSorted,
    SortedMesh, VertexBlock, dual_palette, sort_blocks,
};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, Tick};
use stillframe_lab::bench::{Order, POSES, Ready, Setting, Unit, moments};

use super::{Work, record};
use crate::cli::Surroundings;
use crate::cli::anim::open::{failure, open_one};
use crate::cli::status::Failure;
use crate::import::Model;
use crate::pose::{self, Method, Playing};
use crate::scene::ClipChoice;
use crate::study::{Motion, StudyError};

/// Frames a second of baked and compressed clips, as in the table.
const FPS: u32 = 30;
/// The error of compressed clips, as in the table.
const ERROR_MAX_M: f64 = 1e-4;
/// Joints of a sorted block, as in the table. Meshes with more joints at a vertex have the largest blocks.
const BLOCK_JOINTS: usize = 4;

/// A character that is prepared.
struct Character {
    clip: UniformClip,
    compressed: CompressedClip,
    rest: Vec<JointBlock>,
    parents: Vec<u16>,
    skins: Vec<SkinJoints>,
    meshes: Vec<Mesh>,
}

/// The joints of a skin, by their number in the skeleton.
struct SkinJoints {
    joints: Vec<u16>,
    inverse_binds: Vec<Affine>,
}

/// A geometry with a skin, and its joints half way through the clip.
struct Mesh {
    vertices: Vec<VertexBlock>,
    vertex_count: usize,
    influence_count: usize,
    influences: Vec<InfluenceBlock>,
    sorted: Sorted,
    palette: Vec<Affine>,
    /// None where a joint does more than turn, move and scale evenly.
    duals: Option<Vec<DualJoint>>,
}

struct Sorted {
    mesh: SortedMesh,
    joints_max: usize,
    /// As `mesh` wants them.
    vertices: Vec<VertexBlock>,
}

/// The rows of a model's clip; of the only one where none is named.
pub fn works(
    file: &Path,
    clip: Option<&ClipChoice>,
    strict: bool,
    surroundings: &Surroundings,
) -> Result<(Vec<Work>, record::Character), Failure> {
    let (model, number) = open_one(file, clip, strict, surroundings)?;
    let character = Rc::new(Character::new(&model, number).map_err(|error| failure(file, error))?);
    let mut out = Vec::new();
    let mut row = |name: &str, unit: Unit, does: &str, prepare: fn(Rc<Character>, Setting) -> Ready| {
        let character = character.clone();
        let prepare = Box::new(move |setting| prepare(character.clone(), setting));
        let (name, does) = (name.to_string(), does.to_string());
        out.push(Work { name, unit, does, by_isa: true, by_threads: false, prepare });
    };
    let (joint, vertex) = (Unit::NsPer("joint"), Unit::NsPer("vertex"));
    row("anim/sample/forward", joint, "a pose of the clip, 60 a second", |c, s| sample(c, s, Order::Forward));
    row("anim/sample/random", joint, "the same, at any moment", |c, s| sample(c, s, Order::Random));
    row("anim/decompress/forward", joint, "a pose of the clip to 0.1 mm", |c, s| decompress(c, s, Order::Forward));
    row("anim/decompress/random", joint, "the same, at any moment", |c, s| decompress(c, s, Order::Random));
    row("anim/blend/2", joint, "the weighted mean of 2 poses of the clip", blend);
    row("anim/model/one", joint, "local to model", local_to_model);
    if !character.skins.is_empty() {
        row("anim/palette", joint, "model matrices times inverse binds, all skins", palette);
    }
    row("anim/character", Unit::UsPer("character"), "sample, local to model, palettes", whole);
    if !character.meshes.is_empty() {
        row("skin/mesh", vertex, "all skinned meshes: position, normal, tangent", |c, s| skin(c, s, skin_mesh));
        let joints_max = character.meshes.iter().map(|mesh| mesh.sorted.joints_max).max().unwrap_or(BLOCK_JOINTS);
        let does = format!("sorted into blocks of 16 that share {joints_max} joints");
        row("skin/sorted", vertex, &does, |c, s| skin(c, s, skin_sorted));
        if character.meshes.iter().all(|mesh| mesh.duals.is_some()) {
            row("skin/dual", vertex, "the same meshes, as dual quaternions", |c, s| skin(c, s, skin_dual));
        }
    }
    let clip = model.clips[number].name.clone();
    Ok((out, record::Character { model: file.to_string_lossy().into_owned(), clip }))
}

impl Character {
    fn new(model: &Model, number: usize) -> Result<Character, StudyError> {
        let motion = Motion::new(model, number)?;
        let rate = FrameRate::whole(FPS);
        let compression = Compression { rate, object_error_max_m: ERROR_MAX_M, shell_m: VIRTUAL_VERTEX_M };
        let nodes = motion.skeleton.nodes();
        let joint_of = |node: usize| nodes.iter().position(|own| *own == node);
        let skins = model.skins.iter().map(|skin| {
            // Every joint of a skin is one of the skeleton.
            let joints = skin.joints.iter().filter_map(|joint| Some((joint_of(joint.node)? as u16, joint)));
            let (joints, inverse_binds) = joints.map(|(number, joint)| (number, affine(joint.joint_from_mesh))).unzip();
            SkinJoints { joints, inverse_binds }
        });
        let middle = Playing { clip: number, time: Tick(motion.duration.0 / 2) };
        let pose = pose::pose(model, &[middle]);
        let skinned = model.nodes.iter().enumerate().filter(|(_, node)| node.skin.is_some());
        let parts = skinned.flat_map(|(at, node)| node.parts.iter().map(move |part| (at, part.geometry)));
        let meshes = parts.filter_map(|(node, geometry)| Mesh::new(model, node, geometry, &pose));
        Ok(Character {
            clip: motion.bake(rate)?.0,
            compressed: motion.compress(&compression)?.0,
            rest: JointBlock::pack(motion.skeleton.rest()),
            parents: motion.skeleton.parents().to_vec(),
            skins: skins.collect(),
            meshes: meshes.collect(),
        })
    }

    fn joint_count(&self) -> usize {
        self.parents.len()
    }
}

impl Mesh {
    /// None for one without vertices.
    fn new(model: &Model, node: usize, geometry: usize, pose: &pose::Pose) -> Option<Mesh> {
        let stored = &model.geometries[geometry];
        let surface = &stored.surface;
        let vertex_count = surface.positions.len();
        let vertices = VertexBlock::of_vertices(&surface.positions, &surface.normals, &surface.tangents);
        let list = pose::influence_list(vertex_count, &stored.influences);
        let joints = pose::posture(model, node, geometry, pose, Some(Method::Linear)).joints;
        let of_rows =
            |[x, y, z]: [[f32; 4]; 3]| affine(Mat4::from_cols(x.into(), y.into(), z.into(), Vec4::W).transpose());
        let palette: Vec<Affine> = joints.into_iter().map(of_rows).collect();
        let mut duals = vec![DualJoint::IDENTITY; palette.len()];
        let duals = dual_palette(&palette, &mut duals).is_ok().then_some(duals);
        let sorted = [BLOCK_JOINTS, BLOCK_JOINTS_MAX].into_iter().find_map(|joints_max| {
            let mesh = sort_blocks(&list, joints_max).ok()?;
            Some(Sorted { vertices: mesh.arrange(&vertices), mesh, joints_max })
        });
        let sorted = sorted.expect("lists of influences keep as many joints of a vertex as the largest block has");
        (vertex_count > 0).then(|| Mesh {
            vertices,
            vertex_count,
            influence_count: list.influence_count(),
            influences: list.blocks(),
            sorted,
            palette,
            duals,
        })
    }

    /// Of what any row writes.
    fn block_count(&self) -> usize {
        self.vertices.len().max(self.sorted.vertices.len())
    }
}

fn affine(matrix: Mat4) -> Affine {
    Affine3A::from_mat4(matrix).into()
}

/// A character at work.
struct State {
    isa: Isa,
    character: Rc<Character>,
    moments: Vec<Tick>,
    next: usize,
    locals: [Vec<JointBlock>; 2],
    out: Vec<JointBlock>,
    models: Vec<Affine>,
    /// Of all skins, behind each other.
    palette: Vec<Affine>,
}

impl State {
    fn new(character: Rc<Character>, setting: Setting, order: Order) -> State {
        let count = character.joint_count();
        let pose = vec![JointBlock::IDENTITY; JointBlock::count_for(count)];
        let moments = moments(order, character.clip.duration());
        // Two poses of the clip, for what begins with poses.
        let at = |part: i64| {
            let mut out = pose.clone();
            let at = Tick(character.clip.duration().0 / 3 * part);
            Sample { isa: setting.isa, clip: &character.clip, at, out: &mut out }.run();
            out
        };
        let palette = vec![Affine::IDENTITY; character.skins.iter().map(|skin| skin.joints.len()).sum()];
        let (locals, models) = ([at(1), at(2)], vec![Affine::IDENTITY; count]);
        let mut state = State { isa: setting.isa, character, moments, next: 0, locals, out: pose, models, palette };
        state.place(0);
        state
    }

    fn moment(&mut self) -> Tick {
        self.next = (self.next + 1) % self.moments.len();
        self.moments[self.next]
    }

    fn sample(&mut self) {
        let at = self.moment();
        Sample { isa: self.isa, clip: black_box(&self.character.clip), at, out: &mut self.out }.run();
    }

    /// Local to model.
    fn place(&mut self, which: usize) {
        let (parents, locals) = (&self.character.parents, black_box(&self.locals[which]));
        let (root, models) = (&Affine::IDENTITY, &mut self.models);
        LocalToModel { isa: self.isa, parents, locals, root, models }.run();
    }

    fn bind(&mut self) {
        let mut rest = &mut self.palette[..];
        for skin in &self.character.skins {
            let (palette, after) = std::mem::take(&mut rest).split_at_mut(skin.joints.len());
            let (joints, inverse_binds) = (&skin.joints, &skin.inverse_binds);
            Palette { isa: self.isa, models: black_box(&self.models), joints, inverse_binds, palette }.run();
            rest = after;
        }
    }

    /// [`POSES`] poses a call. `amount` is of one.
    fn ready(self, amount: usize, run: fn(&mut State), result: fn(&State) -> &[f32]) -> Ready {
        let all = |repeated: &mut Repeated| {
            for _ in 0..POSES {
                (repeated.run)(&mut repeated.state);
                black_box(&repeated.state.out);
            }
        };
        Ready::new(amount * POSES, Repeated { state: self, run, result }, all, |s| (s.result)(&s.state))
    }
}

struct Repeated {
    state: State,
    run: fn(&mut State),
    result: fn(&State) -> &[f32],
}

fn sample(character: Rc<Character>, setting: Setting, order: Order) -> Ready {
    let count = character.joint_count();
    State::new(character, setting, order).ready(count, State::sample, |s| bytemuck::cast_slice(&s.out))
}

fn decompress(character: Rc<Character>, setting: Setting, order: Order) -> Ready {
    let count = character.joint_count();
    let run = |s: &mut State| {
        let at = s.moment();
        Decompress { isa: s.isa, clip: black_box(&s.character.compressed), at, out: &mut s.out }.run();
    };
    State::new(character, setting, order).ready(count, run, |s| bytemuck::cast_slice(&s.out))
}

fn blend(character: Rc<Character>, setting: Setting) -> Ready {
    let count = character.joint_count();
    let run = |s: &mut State| {
        let [a, b] = &s.locals;
        let layers = [BlendLayer { pose: a, weight: 0.4 }, BlendLayer { pose: b, weight: 0.6 }];
        let (layers, rest) = (black_box(&layers), &s.character.rest);
        Blend { isa: s.isa, layers, rest, threshold: 0.1, out: &mut s.out }.run();
    };
    State::new(character, setting, Order::Forward).ready(count, run, |s| bytemuck::cast_slice(&s.out))
}

fn local_to_model(character: Rc<Character>, setting: Setting) -> Ready {
    let count = character.joint_count();
    State::new(character, setting, Order::Forward).ready(count, |s| s.place(0), |s| bytemuck::cast_slice(&s.models))
}

fn palette(character: Rc<Character>, setting: Setting) -> Ready {
    let state = State::new(character, setting, Order::Forward);
    let count = state.palette.len();
    state.ready(count, State::bind, |s| bytemuck::cast_slice(&s.palette))
}

/// From the clip to what skinning wants.
fn whole(character: Rc<Character>, setting: Setting) -> Ready {
    let run = |s: &mut State| {
        s.sample();
        std::mem::swap(&mut s.out, &mut s.locals[0]);
        s.place(0);
        s.bind();
    };
    State::new(character, setting, Order::Forward).ready(1, run, |s| bytemuck::cast_slice(&s.models))
}

/// Meshes at work.
struct Skinning {
    isa: Isa,
    character: Rc<Character>,
    run: fn(Isa, &Mesh, &mut [VertexBlock]),
    /// Of all meshes, behind each other.
    out: Vec<VertexBlock>,
}

fn skin(character: Rc<Character>, setting: Setting, run: fn(Isa, &Mesh, &mut [VertexBlock])) -> Ready {
    let count = character.meshes.iter().map(|mesh| mesh.vertex_count).sum();
    let blocks = character.meshes.iter().map(Mesh::block_count).sum();
    let state = Skinning { isa: setting.isa, character, run, out: vec![VertexBlock::ZERO; blocks] };
    let all = |s: &mut Skinning| {
        let mut rest = &mut s.out[..];
        for mesh in &s.character.meshes {
            let (out, after) = std::mem::take(&mut rest).split_at_mut(mesh.block_count());
            (s.run)(s.isa, black_box(mesh), out);
            rest = after;
        }
        black_box(&s.out);
    };
    Ready::new(count, state, all, |s| bytemuck::cast_slice(&s.out))
}

fn skin_mesh(isa: Isa, mesh: &Mesh, out: &mut [VertexBlock]) {
    let influences = MeshInfluences { count: mesh.influence_count, blocks: &mesh.influences };
    let (palette, vertices, out) = (&mesh.palette, &mesh.vertices, &mut out[..mesh.vertices.len()]);
    SkinMesh { isa, palette, influences, directions: Directions::Carried, vertices, out }.run();
}

fn skin_sorted(isa: Isa, mesh: &Mesh, out: &mut [VertexBlock]) {
    let (palette, influences, vertices) = (&mesh.palette, mesh.sorted.mesh.influences(), &mesh.sorted.vertices);
    let out = &mut out[..vertices.len()];
    SkinSorted { isa, palette, influences, directions: Directions::Carried, vertices, out }.run();
}

/// The row is there only if every mesh has dual quaternions.
fn skin_dual(isa: Isa, mesh: &Mesh, out: &mut [VertexBlock]) {
    let Some(palette) = &mesh.duals else { return };
    let influences = MeshInfluences { count: mesh.influence_count, blocks: &mesh.influences };
    let (vertices, out) = (&mesh.vertices, &mut out[..mesh.vertices.len()]);
    SkinDualQuaternion { isa, palette, influences, directions: Directions::Carried, vertices, out }.run();
}
