//! Poses on one thread, a case for each row of the tables that the figures are compared with, at every instruction set
//! of this machine: `cargo bench -p stillframe-anim --bench pose [-- NAME]`. Elements are joints.

use std::hint::black_box;

use criterion::{Criterion, Throughput, criterion_group, criterion_main};
use glam::{Affine3A, Quat, Vec3};
use stillframe_anim::pose::{
    Affine, AffineBlock, Blend, BlendLayer, CrowdToModel, JointBlock, LocalToModel, NO_PARENT, Palette, Trs,
};
use stillframe_base::lanes::{Isa, ROW};
use stillframe_base::rng::{Rng, Stream};

const JOINTS: usize = 67;

/// A case at an instruction set: elements a call, and the call.
type Case = (u64, Box<dyn FnMut()>);

const CASES: &[(&str, fn(Isa) -> Case)] = &[
    ("blend 2", |isa| blend(isa, 2)),
    ("blend 4", |isa| blend(isa, 4)),
    ("blend 8", |isa| blend(isa, 8)),
    ("local to model, one skeleton", local_to_model),
    ("local to model, 16 skeletons in lanes", crowd_to_model),
    ("palette", palette),
];

struct Numbers(Stream);

impl Numbers {
    fn new(name: &str) -> Numbers {
        Numbers(Rng::new(7).stream(name, 0))
    }
    fn vec3(&mut self) -> Vec3 {
        Vec3::from_array([(); 3].map(|()| self.0.unit_f32() * 2.0 - 1.0))
    }
    fn joint(&mut self) -> Trs {
        let [x, y, z, w] = [(); 4].map(|()| self.0.unit_f32() - 0.5);
        let scale = Vec3::ONE + self.vec3() * 0.1;
        Trs { translation: self.vec3(), rotation: Quat::from_xyzw(x, y, z, w + 0.1).normalize(), scale }
    }
    fn pose(&mut self) -> Vec<JointBlock> {
        JointBlock::pack(&(0..JOINTS).map(|_| self.joint()).collect::<Vec<_>>())
    }
    fn affines(&mut self, count: usize) -> Vec<Affine> {
        let joint = |j: Trs| Affine3A::from_scale_rotation_translation(j.scale, j.rotation, j.translation).into();
        (0..count).map(|_| joint(self.joint())).collect()
    }
}

/// A body: chains of five that begin at some earlier joint, parents first.
fn parents() -> Vec<u16> {
    (0..JOINTS as u16)
        .map(|j| {
            if j == 0 {
                NO_PARENT
            } else if j % 5 == 1 {
                j / 3
            } else {
                j - 1
            }
        })
        .collect()
}

fn blend(isa: Isa, count: usize) -> Case {
    let mut numbers = Numbers::new("blend");
    let layers: Vec<BlendLayer<'static>> =
        (0..count).map(|_| BlendLayer { pose: numbers.pose().leak(), weight: numbers.0.unit_f32() + 0.1 }).collect();
    let rest = numbers.pose();
    let mut out = rest.clone();
    let call = move || {
        Blend { isa, layers: black_box(&layers), rest: &rest, threshold: 0.1, out: &mut out }.run();
        black_box(&out);
    };
    (JOINTS as u64, Box::new(call))
}

fn local_to_model(isa: Isa) -> Case {
    let (parents, locals) = (parents(), Numbers::new("local").pose());
    let mut models = vec![Affine::IDENTITY; JOINTS];
    let call = move || {
        LocalToModel {
            isa,
            parents: &parents,
            locals: black_box(&locals),
            root: &Affine::IDENTITY,
            models: &mut models,
        }
        .run();
        black_box(&models);
    };
    (JOINTS as u64, Box::new(call))
}

fn crowd_to_model(isa: Isa) -> Case {
    let (parents, mut numbers) = (parents(), Numbers::new("crowd"));
    let locals: Vec<JointBlock> = (0..JOINTS)
        .map(|_| {
            let mut block = JointBlock::IDENTITY;
            (0..ROW).for_each(|lane| block.set_lane(lane, numbers.joint()));
            block
        })
        .collect();
    let roots = AffineBlock::splat(Affine::IDENTITY);
    let mut models = vec![AffineBlock::ZERO; JOINTS];
    let call = move || {
        CrowdToModel { isa, parents: &parents, locals: black_box(&locals), roots: &roots, models: &mut models }.run();
        black_box(&models);
    };
    ((JOINTS * ROW) as u64, Box::new(call))
}

fn palette(isa: Isa) -> Case {
    let mut numbers = Numbers::new("palette");
    let (models, inverse_binds) = (numbers.affines(JOINTS), numbers.affines(JOINTS));
    let joints: Vec<u16> = (0..JOINTS as u16).collect();
    let mut palette = vec![Affine::IDENTITY; JOINTS];
    let call = move || {
        Palette {
            isa,
            models: black_box(&models),
            joints: &joints,
            inverse_binds: &inverse_binds,
            palette: &mut palette,
        }
        .run();
        black_box(&palette);
    };
    (JOINTS as u64, Box::new(call))
}

fn cases(criterion: &mut Criterion) {
    for &(name, case) in CASES {
        let mut group = criterion.benchmark_group(name);
        for isa in Isa::available() {
            let (elements, mut call) = case(isa);
            group.throughput(Throughput::Elements(elements));
            group.bench_function(isa.name(), |bencher| bencher.iter(&mut call));
        }
        group.finish();
    }
}

criterion_group!(benches, cases);
criterion_main!(benches);
