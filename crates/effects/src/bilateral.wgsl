// Bilateral filter (Tomasi, Manduchi 1998), of all pixels of its window.

fn apply(at: vec2i) -> vec4f {
    let own = texel_0(at);
    let by_place = 0.5 / max(params.sigma_px * params.sigma_px, 1e-6);
    let by_color = 0.5 / (params.sigma_color * params.sigma_color);
    let reach = min(i32(ceil(3.0 * params.sigma_px)), 12);
    var sum = vec4f(0.0);
    var weights = 0.0;
    for (var y = -reach; y <= reach; y++) {
        for (var x = -reach; x <= reach; x++) {
            let color = texel_0(at + vec2i(x, y));
            let apart = color - own;
            let weight = exp(-f32(x * x + y * y) * by_place - dot(apart, apart) * by_color);
            sum += color * weight;
            weights += weight;
        }
    }
    return sum / weights;
}
