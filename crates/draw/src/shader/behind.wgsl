// Behind: the opaque scene as surfaces show it that let light through. It is exposed and premultiplied, and each level
// is half as wide as the one before.
//
// The level for a roughness is log2(width) * roughness * clamp(2 ior - 2, 0, 1): glass that bends no light does not
// spread it either. Levels above the first are read with a cubic B-spline in four bilinear taps (Sigg, Hadwiger, Fast
// Third-Order Texture Filtering, 2005): bilinear squares would show.

@group(1) @binding(13) var behind_texture: texture_2d<f32>;
@group(1) @binding(14) var behind_sampler: sampler;

// Where a pixel looks through a surface.
struct Seen {
    // The surface's point in the world, and its place on the screen, from 0 to 1.
    point: vec3f,
    at: vec2f,
    // Rows of the way from directions in the world into the space of the mesh.
    local_x: vec3f,
    local_y: vec3f,
    local_z: vec3f,
}

fn behind_level_of(roughness: f32, ior: f32) -> f32 {
    return log2(view.size.x) * roughness * clamp(2.0 * ior - 2.0, 0.0, 1.0);
}

// The place of a point on the screen; `other` where it is not before the eye.
fn screen_place(point: vec3f, other: vec2f) -> vec2f {
    let clip = view.clip_from_world * vec4f(point, 1.0);
    let place = vec2f(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w);
    return select(other, place, clip.w > 1e-6);
}

fn behind_smooth(at: vec2f, level: f32) -> vec4f {
    if level < 0.5 {
        return textureSampleLevel(behind_texture, behind_sampler, at, 0.0);
    }
    let size = vec2f(textureDimensions(behind_texture, i32(level)));
    let texel = at * size - 0.5;
    let first = floor(texel);
    let f = texel - first;
    let g = 1.0 - f;
    let w0 = g * g * g * (1.0 / 6.0);
    let w1 = (4.0 - 6.0 * f * f + 3.0 * f * f * f) * (1.0 / 6.0);
    let w3 = f * f * f * (1.0 / 6.0);
    let low = w0 + w1;
    let high = 1.0 - low;
    let near = (first - 0.5 + w1 / low) / size;
    let far = (first + 1.5 + w3 / high) / size;
    var top = low.x * textureSampleLevel(behind_texture, behind_sampler, near, level);
    top += high.x * textureSampleLevel(behind_texture, behind_sampler, vec2f(far.x, near.y), level);
    var bottom = low.x * textureSampleLevel(behind_texture, behind_sampler, vec2f(near.x, far.y), level);
    bottom += high.x * textureSampleLevel(behind_texture, behind_sampler, far, level);
    return low.y * top + high.y * bottom;
}

fn behind_at(at: vec2f, level: f32) -> vec4f {
    let last = f32(textureNumLevels(behind_texture) - 1u);
    let kept = clamp(level, 0.0, last);
    let fine = floor(kept);
    let sharp = behind_smooth(at, fine);
    let part = kept - fine;
    if part <= 0.0 {
        return sharp;
    }
    return sharp + (behind_smooth(at, fine + 1.0) - sharp) * part;
}
