// Harmonics: nine cosine-convolved spherical harmonics of a cube level, one workgroup, sums in a fixed order.

struct Environment {
    turn: vec4f,
    harmonics: array<vec4f, 9>,
}

struct Solid {
    size: u32,
    level: u32,
    // Solid angle of the texels of one face, row by row; the six faces together make 4 pi.
    texels: array<f32>,
}

@group(0) @binding(0) var<storage, read> solid: Solid;
@group(0) @binding(1) var faces: texture_2d_array<f32>;
@group(0) @binding(2) var<storage, read_write> environment: Environment;

const WORKERS: u32 = 64u;

var<workgroup> partial: array<array<vec4f, 9>, 64>;

@compute @workgroup_size(64)
fn harmonics(@builtin(local_invocation_index) worker: u32) {
    let area = solid.size * solid.size;
    var sums: array<vec4f, 9>;
    for (var index = worker; index < area * 6u; index += WORKERS) {
        let face = index / area;
        let texel = index - face * area;
        let at = vec2u(texel % solid.size, texel / solid.size);
        let d = strip_direction(StripPlace(face, at), vec2f(0.5), solid.size);
        let value = textureLoad(faces, at, face, solid.level) * solid.texels[texel];
        sums[0] += value;
        sums[1] += value * d.y;
        sums[2] += value * d.z;
        sums[3] += value * d.x;
        sums[4] += value * (d.x * d.y);
        sums[5] += value * (d.y * d.z);
        sums[6] += value * (3.0 * d.z * d.z - 1.0);
        sums[7] += value * (d.x * d.z);
        sums[8] += value * (d.x * d.x - d.y * d.y);
    }
    partial[worker] = sums;
    workgroupBarrier();
    if worker < 9u {
        var sum = vec4f(0.0);
        for (var i = 0u; i < WORKERS; i++) {
            sum += partial[i][worker];
        }
        // Squared normalisation of the basis times the cosine lobe's 1, 2/3, 1/4 (over pi).
        var factor = 0.07957747;
        if worker == 6u {
            factor = 0.02486796;
        } else if worker == 8u {
            factor = 0.07460388;
        } else if worker >= 4u {
            factor = 0.29841552;
        } else if worker >= 1u {
            factor = 0.15915494;
        }
        environment.harmonics[worker] = sum * factor;
    }
}
