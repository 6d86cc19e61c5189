//! Random grids of small workgroups that nearly meet in memory: what runs at the same time must give what the order
//! gives.

use proptest::prelude::*;
use stillframe_soft::wgpu;

use crate::bound::{Textures, bind};
use crate::device::{Gpu, Outcome};
use crate::shaders::agreed;
use crate::tape::{self, Tape};

/// A compute program over buffers that all of its workgroups write.
#[derive(Clone, Debug)]
struct Grid {
    wgsl: String,
    groups: [u32; 3],
    /// `other` is the same memory as `data`.
    same: bool,
}

impl Grid {
    fn from_tape(words: &[u32]) -> Grid {
        let t = &mut Tape::new(words);
        let size = t.pick(&["64", "8, 8", "4, 4, 4", "1", "32, 2", "5"]);
        let groups = t.pick(&[[9, 1, 1], [1, 1, 1], [3, 4, 1], [2, 3, 2], [20, 2, 1], [1, 5, 1]]);
        let mut body = String::new();
        let guard = t.pick(&[
            "",
            "",
            "if (id.x >= W || id.y >= H) { return; }",
            "if (id.x >= W) { return; }",
            "if (id.y >= H || !(id.x < W)) { return; }",
            "if (id.x > W) { return; }",
        ]);
        body += &format!("    {}\n", filled(t, guard));
        for _ in 0..1 + t.below(4) {
            let line = statement(t);
            let line = match t.pick(&[
                "",
                "",
                "",
                "if (id.x < W) {",
                "if (all(id.xy < vec2(W, H))) {",
                "if (index % 3u == 1u) {",
            ]) {
                "" => line,
                guard => format!("{} {line} }}", filled(t, guard)),
            };
            body += &format!("    {line}\n");
        }
        let wgsl = format!(
            "struct Item {{ a: u32, b: array<u32, 3> }}
@group(0) @binding(0) var<storage, read_write> data: array<u32>;
@group(0) @binding(1) var<storage, read_write> other: array<Item>;
@group(0) @binding(2) var<storage, read_write> total: array<atomic<u32>, 4>;
@group(0) @binding(3) var<storage, read_write> signed_total: array<atomic<i32>, 4>;
@group(0) @binding(4) var<storage, read> input: array<u32>;
@group(1) @binding(4) var image: texture_storage_2d<r32uint, read_write>;
@compute @workgroup_size({size}) fn main(@builtin(global_invocation_id) id: vec3<u32>, @builtin(workgroup_id) group: vec3<u32>,
        @builtin(local_invocation_index) index: u32, @builtin(local_invocation_id) local: vec3<u32>) {{
{body}}}
"
        );
        Grid { wgsl, groups, same: t.chance(15) }
    }

    fn run(&self, gpu: &Gpu) -> Outcome {
        gpu.checked(|| {
            let storage = wgpu::BufferUsages::STORAGE;
            let some: Vec<u32> = (0..4096u32).map(|i| i.wrapping_mul(0x9E37_79B1) >> 18).collect();
            let data = gpu.buffer(&some, storage);
            let buffers = [
                data.clone(),
                if self.same { data } else { gpu.buffer(&some, storage) },
                gpu.buffer(&[9, 8, 7, 6], storage),
                gpu.buffer(&[9, 0xFFFF_FFF0, 7, 6], storage),
                gpu.buffer(&some, storage),
            ];
            let types =
                [false, false, false, false, true].map(|read_only| wgpu::BufferBindingType::Storage { read_only });
            let (layout, group) = bind(gpu, &buffers, &types, &[], wgpu::ShaderStages::COMPUTE);
            let textures = Textures::new(gpu, wgpu::ShaderStages::COMPUTE, true);
            let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
                label: None,
                bind_group_layouts: &[Some(&layout), Some(&textures.layout)],
                immediate_size: 0,
            });
            let module = gpu.module(&self.wgsl);
            let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
                label: None,
                layout: Some(&pipeline_layout),
                module: &module,
                entry_point: Some("main"),
                compilation_options: Default::default(),
                cache: None,
            });
            let mut encoder = gpu.device.create_command_encoder(&Default::default());
            {
                let mut pass = encoder.begin_compute_pass(&Default::default());
                pass.set_pipeline(&pipeline);
                pass.set_bind_group(0, &group, &[]);
                pass.set_bind_group(1, &textures.group, &[]);
                pass.dispatch_workgroups(self.groups[0], self.groups[1], self.groups[2]);
            }
            gpu.queue.submit([encoder.finish()]);
            let mut results: Vec<(String, Vec<u32>)> = ["data", "other", "total", "signed total"]
                .iter()
                .zip(&buffers)
                .map(|(name, buffer)| (name.to_string(), gpu.read(buffer)))
                .collect();
            results.extend(textures.stored(gpu));
            results
        })
    }
}

/// `W` and `H` become constants.
fn filled(t: &mut Tape<'_>, text: &str) -> String {
    let (w, h) = (t.pick(&["80u", "33u", "8u", "160u", "64u"]), t.pick(&["60u", "5u", "8u"]));
    text.replace('W', w).replace('H', h)
}

/// An index that is nearly, or quite, a workgroup's own.
fn index(t: &mut Tape<'_>) -> String {
    let text = t.pick(&[
        "id.x",
        "id.x * 3u",
        "id.x * 3u + 2u",
        "id.x * 3u + 3u",
        "id.x + 1u",
        "id.x ^ 1u",
        "id.x << 2u",
        "id.y * W + id.x",
        "(id.z * H + id.y) * W + id.x",
        "group.x * 64u + index",
        "group.x * 5u + index",
        "group.x",
        "index",
        "id.y",
        "id.x + id.y",
        "input[id.x] % 200u",
        "17u",
        "local.x + group.x * 8u",
        "id.x * 0x40000001u",
    ]);
    filled(t, text)
}

fn value(t: &mut Tape<'_>) -> String {
    match t.below(6) {
        0 => "id.x * 7u + id.y".into(),
        1 => "input[id.x]".into(),
        2 => "index".into(),
        3 => format!("data[{}]", index(t)),
        4 => format!("other[{}].b[index % 3u]", index(t)),
        _ => format!("input[{}]", index(t)),
    }
}

fn statement(t: &mut Tape<'_>) -> String {
    let fun = t.pick(&["Add", "Sub", "Min", "Max", "And", "Or", "Xor", "Exchange"]);
    let (at, value) = (index(t), value(t));
    match t.below(10) {
        0 => format!("data[{at}] = {value};"),
        1 => format!("data[{at}] += {value};"),
        2 => format!("data[{at}] = data[{}] * 3u + {value};", index(t)),
        3 => format!("other[{at}].a = {value};"),
        4 => format!("other[{at}].b[{value} % 3u] = index;"),
        5 | 6 => format!("atomic{fun}(&total[{value} & 3u], {at});"),
        7 => format!("atomic{fun}(&signed_total[{value} & 3u], i32({at}) - 40);"),
        8 => format!("data[{at}] = atomic{fun}(&total[{value} & 3u], 3u);"),
        _ => {
            let corner = t.pick(&["id.xy", "id.yx", "id.xy + vec2(1u, 0u)", "vec2(group.x, id.y)", "vec2(id.x, 2u)"]);
            format!("textureStore(image, {corner}, vec4<u32>({value}));")
        }
    }
}

proptest! {
    #![proptest_config(tape::cases(200))]

    #[test]
    fn grids(words in tape::tapes(60)) {
        tape::judge(&words, |words| {
            let case = Grid::from_tape(words);
            agreed(&format!("{:?} {}\n{}", case.groups, case.same, case.wgsl), |gpu| case.run(gpu))
        })?;
    }
}

#[test]
fn atomics_that_do_not_change_places_keep_the_order_of_workgroups() {
    let mut case = Grid::from_tape(&[]);
    let (head, _) = case.wgsl.split_once("{\n    \n").expect("the generator's text");
    case.wgsl = format!("{head}{{ atomicMin(&total[0], group.x * 2u + 3u); atomicAdd(&total[0], 1u); }}\n");
    (case.groups, case.same) = ([9, 1, 1], false);
    agreed(&case.wgsl, |gpu| case.run(gpu)).expect("all agree");
}
