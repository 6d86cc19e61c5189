//! Every operation of the shading language by itself: one compute program a family, the same bits at every instruction
//! set, on any number of threads and on the oracle. Operands vary by lane or are uniform, for those are different
//! kernels.

use stillframe_soft::wgpu;

use crate::bound::bind;
use crate::device::{Gpu, Outcome, Verdict, everywhere};
use crate::tape::SPECIAL_FLOATS;
use crate::textures::noise;

/// Invocations: all pairs of special values, then noise. No multiple of a block of lanes.
const COUNT: usize = 600;

const FLOAT_ONE: &str = "-@ abs(@) floor(@) ceil(@) round(@) trunc(@) fract(@) sqrt(@) inverseSqrt(@) sign(@) saturate(@) sin(@) cos(@) \
tan(@) exp(@) exp2(@) log(@) log2(@) asin(@) acos(@) atan(@) sinh(@) cosh(@) tanh(@) asinh(@) acosh(@) atanh(@) radians(@) \
degrees(@) quantizeToF16(@) modf(@).fract modf(@).whole frexp(@).fract frexp(@).exp length(@) i32(@) u32(@) ?bool(@) ?(@!=@) \
f32(i32(@)) f32(u32(@)) f32(bool(@))";
const FLOAT_TWO: &str = "(@+#) (@-#) (@*#) (@/#) (@%#) min(@,#) max(@,#) pow(@,#) atan2(@,#) step(@,#) ?(@==#) ?(@!=#) ?(@<#) ?(@<=#) ?(@>#) \
?(@>=#) select(@,#,@<#) distance(@,#) ldexp(@,bitcast<i32>(#)%200) pack2x16float(vec2(@,#)) pack2x16snorm(vec2(@,#)) \
pack2x16unorm(vec2(@,#)) pack4x8snorm(vec4(@,#,@,#)) pack4x8unorm(vec4(@,#,#,@)) ?(!(@<#)) ?((@<#)&(@>0.5)) ?((@<#)||(#<0.5))";
const FLOAT_THREE: &str = "clamp(@,#,$) mix(@,#,$) smoothstep(@,#,$) fma(@,#,$) (@*#+$) ($+@*#) (@*#-$) ($-@*#) select(@,#,$>0.0) \
min(max(@,#),$) (@-#*$) ((@+#)*$) dot(vec3(@,#,$),vec3($,@,#)) length(vec3(@,#,$)) normalize(vec3(@,#,$)).y \
cross(vec3(@,#,$),vec3(#,$,@)).z reflect(vec3(@,#,$),vec3($,@,@)).x refract(vec2(@,#),vec2(#,$),@).y \
faceForward(vec2(@,#),vec2($,@),vec2(#,#)).x determinant(mat2x2(@,#,$,@)) determinant(mat3x3(@,#,$,$,@,#,#,#,@)) \
determinant(mat4x4(@,#,$,@,$,@,#,@,#,#,@,$,@,@,#,$)) (mat2x3(@,#,$,$,@,#)*vec2(@,$)).y (vec3(@,#,$)*mat2x3(@,#,$,$,@,#)).x \
(mat2x2(@,#,$,@)*mat2x2($,#,@,#))[1].x transpose(mat2x3(@,#,$,$,@,#))[2].y";
const INT_ONE: &str = "-@ ~@ abs(@) sign(@) countOneBits(@) countLeadingZeros(@) countTrailingZeros(@) reverseBits(@) firstLeadingBit(@) \
firstTrailingBit(@) f32(@) u32(@) ?bool(@) bitcast<f32>(@) f32(@)*0.5 (@&7) i32(f32(@))";
const INT_TWO: &str = "(@+#) (@-#) (@*#) (@/#) (@%#) min(@,#) max(@,#) (@&#) (@|#) (@^#) (@<<u32(#)) (@>>u32(#)) ?(@==#) ?(@!=#) ?(@<#) ?(@<=#) \
?(@>#) ?(@>=#) select(@,#,@<#) (@&~#) dot(vec2(@,#),vec2(#,@))";
const INT_THREE: &str = "clamp(@,#,$) (@*#+$) extractBits(@,u32(#)%40,u32($)%40) insertBits(@,#,u32($)%40,u32(#)%40) select(@,#,$>3) \
dot(vec3(@,#,$),vec3($,@,#))";
const UINT_ONE: &str = "~@ abs(@) countOneBits(@) countLeadingZeros(@) countTrailingZeros(@) reverseBits(@) firstLeadingBit(@) \
firstTrailingBit(@) f32(@) i32(@) ?bool(@) bitcast<f32>(@) u32(f32(@)) unpack4x8snorm(@).y unpack4x8unorm(@).w unpack2x16snorm(@).x \
unpack2x16unorm(@).y unpack2x16float(@).x unpack2x16float(@).y unpack4xI8(@).z unpack4xU8(@).x";
const UINT_TWO: &str = "(@+#) (@-#) (@*#) (@/#) (@%#) min(@,#) max(@,#) (@&#) (@|#) (@^#) (@<<#) (@>>#) (1u<<#) ?(@==#) ?(@!=#) ?(@<#) ?(@<=#) ?(@>#) \
?(@>=#) select(@,#,@<#) (@&~#) dot4U8Packed(@,#) dot4I8Packed(@,#) pack4xI8(vec4<i32>(vec4(@,#,@,#))) pack4xU8(vec4(@,#,#,@)) \
pack4xI8Clamp(vec4<i32>(vec4(@,#,#,@))) pack4xU8Clamp(vec4(#,#,@,@)) table[@%7u]+table[#&3u]";
const UINT_THREE: &str =
    "clamp(@,#,$) (@*#+$) extractBits(@,#%40,$%40) insertBits(@,#,$%40,#%40) select(@,#,$>3) ((@&#)|($&~#)) (@+#+$)";

/// One family: the operands' type, and expressions of one, two and three operands `@`, `#`, `$`; `?` marks those that
/// give a bool.
struct Family {
    ty: &'static str,
    expressions: [&'static str; 3],
}

/// Names of what the program computes, and its text.
fn program(family: &Family) -> (Vec<String>, String) {
    let ty = family.ty;
    let mut names = vec![];
    let mut body = String::new();
    // v: varies by lane, u: uniform.
    let forms: [&[&str]; 3] =
        [&["v", "u"], &["vv", "vu", "uv", "uu"], &["vvv", "vvu", "vuv", "uvv", "vuu", "uvu", "uuv", "uuu"]];
    for (list, forms) in family.expressions.iter().zip(forms) {
        for expression in list.split_whitespace() {
            for form in forms {
                let operand = |k: usize| {
                    let uniform = form.as_bytes().get(k) == Some(&b'u');
                    format!("{}{}", if uniform { "u" } else { "v" }, ["a", "b", "c"][k])
                };
                let text = expression.replace('@', &operand(0)).replace('#', &operand(1)).replace('$', &operand(2));
                let word = match text.strip_prefix('?') {
                    Some(truth) => format!("u32({truth})"),
                    None => format!("bitcast<u32>({text})"),
                };
                body += &format!("    out[{}u * n + i] = {word};\n", names.len());
                names.push(text);
            }
        }
    }
    let text = format!(
        "@group(0) @binding(0) var<storage, read> words: array<u32>;
@group(0) @binding(1) var<storage, read_write> out: array<u32>;
@group(0) @binding(2) var<uniform> uni: vec4<u32>;
const table = array(3u, 1u, 4u, 1u, 5u, 9u, 2u);
@compute @workgroup_size(100) fn main(@builtin(global_invocation_id) id: vec3<u32>) {{
    let n = {COUNT}u;
    let i = id.x;
    let va = bitcast<{ty}>(words[i]);
    let vb = bitcast<{ty}>(words[n + i]);
    let vc = bitcast<{ty}>(words[2u * n + i]);
    let ua = bitcast<{ty}>(uni.x);
    let ub = bitcast<{ty}>(uni.y);
    let uc = bitcast<{ty}>(uni.z);
{body}}}
"
    );
    (names, text)
}

/// Three operands a lane: pairs of special values first.
fn operands() -> Vec<u32> {
    let mut special: Vec<u32> = SPECIAL_FLOATS.iter().map(|v| v.to_bits()).collect();
    special.extend([1.0f32, -3.0].map(f32::to_bits));
    special.extend([u32::MAX, 31, 7]);
    let random = noise(7, 3 * COUNT);
    let near = |word: u32| ((word >> 8) as f32 / (1 << 21) as f32 - 4.0).to_bits();
    let pick = |k: usize, i: usize| {
        let n = special.len();
        match i {
            _ if i < n * n => special[[i % n, i / n, (i * 5 + i / n) % n][k]],
            _ if i.is_multiple_of(3) => random[k * COUNT + i],
            _ if i % 7 == 1 => random[k * COUNT + i] >> 25,
            _ => near(random[k * COUNT + i]),
        }
    };
    (0..3).flat_map(|k| (0..COUNT).map(move |i| (k, i))).map(|(k, i)| pick(k, i)).collect()
}

fn run(gpu: &Gpu, names: &[String], wgsl: &str, uniforms: [u32; 4]) -> Outcome {
    gpu.checked(|| {
        let buffers = [
            gpu.buffer(&operands(), wgpu::BufferUsages::STORAGE),
            gpu.buffer(&vec![0; names.len() * COUNT], wgpu::BufferUsages::STORAGE),
            gpu.buffer(&uniforms, wgpu::BufferUsages::UNIFORM),
        ];
        let types = [
            wgpu::BufferBindingType::Storage { read_only: true },
            wgpu::BufferBindingType::Storage { read_only: false },
            wgpu::BufferBindingType::Uniform,
        ];
        let (layout, group) = bind(gpu, &buffers, &types, &[], wgpu::ShaderStages::COMPUTE);
        let module = gpu.module(wgsl);
        let pipeline_layout = gpu.device.create_pipeline_layout(&wgpu::PipelineLayoutDescriptor {
            label: None,
            bind_group_layouts: &[Some(&layout)],
            immediate_size: 0,
        });
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
            pass.dispatch_workgroups((COUNT / 100) as u32, 1, 1);
        }
        gpu.queue.submit([encoder.finish()]);
        let out = gpu.read(&buffers[1]);
        names.iter().zip(out.chunks(COUNT)).map(|(name, words)| (name.clone(), words.to_vec())).collect()
    })
}

fn every_operation(family: &Family, uniforms: &[[u32; 4]]) {
    let (names, wgsl) = program(family);
    for (at, uniforms) in uniforms.iter().enumerate() {
        match everywhere(|gpu| run(gpu, &names, &wgsl, *uniforms)) {
            Ok(results) => {
                let varied = results.iter().filter(|(_, words)| words.iter().any(|&word| word != words[0])).count();
                assert!(
                    at > 0 || varied * 2 > names.len(),
                    "only {varied} of {} operations show anything",
                    names.len()
                );
            }
            Err(Verdict::Differs(why)) => panic!("{} with uniforms {uniforms:x?}: {why}", family.ty),
            Err(Verdict::Invalid(why)) => panic!("{why}\n{wgsl}"),
        }
    }
}

#[test]
fn float_operations() {
    let family = Family { ty: "f32", expressions: [FLOAT_ONE, FLOAT_TWO, FLOAT_THREE] };
    let uniforms = [
        [0.75f32, -2.5, 1e-3, 0.0],
        [f32::NAN, 0.0, f32::INFINITY, 0.0],
        [-0.0, 1e-42, -7.0, 0.0],
        [3e38, -1e-40, 1.0, 0.0],
    ];
    every_operation(&family, &uniforms.map(|four| four.map(f32::to_bits)));
}

#[test]
fn signed_operations() {
    let family = Family { ty: "i32", expressions: [INT_ONE, INT_TWO, INT_THREE] };
    every_operation(&family, &[[7, 0, 31, 0], [u32::MAX, 1 << 31, 5, 0], [0x7FFF_FFFF, 33, 0xFFFF_FF00, 0]]);
}

#[test]
fn unsigned_operations() {
    let family = Family { ty: "u32", expressions: [UINT_ONE, UINT_TWO, UINT_THREE] };
    every_operation(&family, &[[7, 0, 31, 0], [u32::MAX, 1 << 31, 5, 0], [0x7FC0_0001, 33, 0xFFFF_FF00, 0]]);
}
