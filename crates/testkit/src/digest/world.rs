//! World: what every system is run on. A body of 67 joints, its clips, a mesh of 1,000 vertices on it; all from fixed
//! seeds.

use glam::{Affine3A, DQuat, DVec3, Quat, Vec3};
use stillframe_anim::RawClip;
use stillframe_anim::compress::{CompressReport, CompressedClip, Compression, compress_raw};
use stillframe_anim::pose::{Affine, JointBlock, LocalToModel, Palette, Trs};
use stillframe_anim::sample::{Baking, DTrs, Sample, Skeleton, UniformClip, VIRTUAL_VERTEX_M, bake_raw};
use stillframe_anim::skin::VertexBlock;
use stillframe_base::hash::Digest;
use stillframe_base::lanes::{Isa, ROW, Row};
use stillframe_base::rng::{Rng, Stream};
use stillframe_base::tick::{FrameRate, Tick};

use crate::clips::{self, JOINTS};

pub const BLOCKS: usize = JointBlock::count_for(JOINTS);
pub const VERTICES: usize = 1000;

/// The bits of results, one after the other. Little-endian, as all machines are that run this.
#[derive(Default)]
pub struct Bits(Vec<u8>);

impl Bits {
    pub fn put<T: bytemuck::NoUninit>(&mut self, numbers: &[T]) {
        self.0.extend_from_slice(bytemuck::cast_slice(numbers));
    }

    pub fn put_pose(&mut self, pose: &[DTrs]) {
        for DTrs { translation, rotation, scale } in pose {
            self.put_vec(*translation);
            self.put(&rotation.to_array());
            self.put_vec(*scale);
        }
    }

    pub fn put_vec(&mut self, vec: DVec3) {
        self.put(&vec.to_array());
    }

    pub fn put_quat(&mut self, quat: DQuat) {
        self.put(&quat.to_array());
    }

    pub fn put_text(&mut self, text: &str) {
        self.put(text.as_bytes());
    }

    pub fn digest(&self) -> Digest {
        assert!(!self.0.is_empty(), "nothing was computed");
        Digest::of_bytes(&self.0)
    }
}

/// Numbers of a named stream.
pub struct Numbers(pub Stream);

impl Numbers {
    pub fn new(name: &str) -> Numbers {
        Numbers(Rng::new(20).stream(name, 0))
    }

    /// In -1 to 1.
    pub fn signed(&mut self) -> f32 {
        self.0.range_f32(-1.0, 1.0)
    }

    pub fn vec3(&mut self) -> Vec3 {
        Vec3::new(self.signed(), self.signed(), self.signed())
    }

    pub fn moments(&mut self, count: usize, duration: Tick) -> Vec<Tick> {
        (0..count).map(|_| Tick((self.0.unit_f64() * duration.0 as f64) as i64)).collect()
    }

    /// Any rotations, translations up to a metre, scales from 0.9 to 1.1.
    pub fn pose(&mut self) -> Vec<JointBlock> {
        let mut joint = |_| Trs {
            translation: self.vec3(),
            rotation: Quat::from_xyzw(self.signed(), self.signed(), self.signed(), self.signed() + 0.01).normalize(),
            scale: Vec3::ONE + self.vec3() * 0.1,
        };
        JointBlock::pack(&(0..JOINTS).map(&mut joint).collect::<Vec<_>>())
    }

    /// A weight a joint, some of them 0 and 1.
    pub fn mask(&mut self) -> Vec<Row> {
        (0..BLOCKS).map(|_| Row([(); ROW].map(|()| (self.signed() * 0.8 + 0.5).clamp(0.0, 1.0)))).collect()
    }

    pub fn vertices(&mut self) -> Vec<VertexBlock> {
        let mut blocks = vec![VertexBlock::ZERO; VertexBlock::count_for(VERTICES)];
        for vertex in 0..VERTICES {
            let block = &mut blocks[vertex / ROW];
            let (normal, tangent) = (self.vec3().normalize_or(Vec3::X), self.vec3().normalize_or(Vec3::Y));
            for (rows, vec) in
                [(&mut block.position, self.vec3()), (&mut block.normal, normal), (&mut block.tangent, tangent)]
            {
                (0..3).for_each(|i| rows[i].0[vertex % ROW] = vec[i]);
            }
        }
        blocks
    }
}

/// What systems share. Made with the fastest kernels; that all of them give the same is what is asked.
pub struct World {
    pub skeleton: Skeleton,
    /// Walks forward; turns near 180 degrees; jumps.
    pub raw: [RawClip; 3],
    pub uniform: Vec<UniformClip>,
    /// The walk, and what jumps.
    pub compressed: [(CompressedClip, CompressReport); 2],
    pub inverse_binds: Vec<Affine>,
    pub vertices: Vec<VertexBlock>,
}

impl World {
    pub fn new() -> World {
        let skeleton = clips::skeleton();
        let raw = ["walk", "fast", "steps"].map(clips::named);
        let baking = Baking { rate: FrameRate::whole(30), object_error_max_m: None };
        let bake = |raw| bake_raw(raw, &skeleton, &baking).expect("well formed").0;
        let uniform = raw.iter().map(bake).collect();
        let compression =
            Compression { rate: FrameRate::whole(30), object_error_max_m: 0.2e-3, shell_m: VIRTUAL_VERTEX_M };
        let compressed =
            [0, 2].map(|clip| compress_raw(&raw[clip], &skeleton, &compression).expect("within the bound"));
        let mut models = [Affine::IDENTITY; JOINTS];
        let (isa, root, locals) = (Isa::detect(), &Affine::IDENTITY, &skeleton.rest_blocks());
        LocalToModel { isa, parents: skeleton.parents(), locals, root, models: &mut models }.run();
        let inverse_binds = models.iter().map(|model| Affine3A::from(*model).inverse().into()).collect();
        World { inverse_binds, raw, uniform, compressed, vertices: Numbers::new("vertices").vertices(), skeleton }
    }

    pub fn rest(&self) -> Vec<DTrs> {
        self.skeleton.rest().iter().map(|rest| DTrs::from(*rest)).collect()
    }

    pub fn models(&self, isa: Isa, locals: &[JointBlock]) -> Vec<Affine> {
        let (root, mut models) = (&Affine::IDENTITY, vec![Affine::IDENTITY; JOINTS]);
        LocalToModel { isa, parents: self.skeleton.parents(), locals, root, models: &mut models }.run();
        models
    }

    /// Of the walk at a moment.
    pub fn palette(&self, isa: Isa, at: Tick) -> Vec<Affine> {
        let mut pose = vec![JointBlock::IDENTITY; BLOCKS];
        Sample { isa, clip: &self.uniform[0], at, out: &mut pose }.run();
        let models = self.models(isa, &pose);
        let joints: Vec<u16> = (0..JOINTS as u16).collect();
        let mut palette = vec![Affine::IDENTITY; JOINTS];
        let (models, inverse_binds) = (&models, &self.inverse_binds);
        Palette { isa, models, joints: &joints, inverse_binds, palette: &mut palette }.run();
        palette
    }
}
