// Behind levels: the linear picture becomes the first level of what is seen behind surfaces, and each level the next.

struct Behind {
    // Linear; w = 1: a plain background stands behind the picture; 0: nothing does.
    background: vec4f,
}

@group(0) @binding(0) var<uniform> behind: Behind;
@group(0) @binding(1) var finer: texture_2d<f32>;

@fragment
fn behind_first(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let texel = textureLoad(finer, vec2u(position.xy), 0);
    let lit = texel + vec4f(behind.background.xyz, 1.0) * (behind.background.w * (1.0 - texel.w));
    return min(lit, vec4f(65504.0));
}

// Shares of the three texels from `2 at`: where the finer level has an odd number of them, the middle one and parts of
// its neighbours lie below this one.
fn behind_shares(at: u32, size: u32) -> vec3f {
    if size < 2u || size % 2u == 0u {
        return vec3f(0.5, 0.5, 0.0);
    }
    let half = f32(size / 2u);
    return vec3f(half - f32(at), half, f32(at) + 1.0) / f32(size);
}

@fragment
fn behind_next(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let size = textureDimensions(finer);
    let at = vec2u(position.xy);
    let across = behind_shares(at.x, size.x);
    let down = behind_shares(at.y, size.y);
    var sum = vec4f(0.0);
    for (var y = 0u; y < 3u; y++) {
        for (var x = 0u; x < 3u; x++) {
            let place = min(2u * at + vec2u(x, y), size - 1u);
            sum += textureLoad(finer, place, 0) * (across[x] * down[y]);
        }
    }
    return sum;
}
