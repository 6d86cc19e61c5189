// Round: light that earlier rounds of lights have left at a pixel. Of surfaces of equal depth the one whose light it is
// continues it.

@group(0) @binding(1) var light_sum: texture_2d<f32>;

fn light_before(at: vec2f, item: u32) -> vec3f {
    let sum = textureLoad(light_sum, vec2u(at), 0);
    if sum.w != f32(item) {
        discard;
    }
    return sum.xyz;
}
