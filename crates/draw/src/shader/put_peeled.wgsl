// Put peeled: surfaces of each pixel, the nearest first, are drawn over each other from the last one on.

@group(0) @binding(0) var peels: texture_2d_array<f32>;

@fragment
fn put(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let at = vec2u(position.xy);
    var sum = vec4f(0.0);
    for (var peel = textureNumLayers(peels); peel > 0u; peel--) {
        let over = textureLoad(peels, at, peel - 1u, 0);
        sum = over + sum * (1.0 - over.w);
    }
    return sum;
}
