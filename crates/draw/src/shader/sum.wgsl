// Sum: what a wide lobe sees of all texels of a small level, into a strip.

struct Lobe {
    size: u32,
    first: u32,
    count: u32,
    // Of a von Mises-Fisher lobe; 0: it is GGX.
    kappa: f32,
    // alpha^2 and 1 - alpha^2.
    a: f32,
    b: f32,
}

struct Sources {
    list: array<Source, 1920>,
}

@group(0) @binding(0) var<uniform> lobe: Lobe;
@group(0) @binding(1) var<uniform> sources: Sources;

@fragment
fn sum_strip(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let n = strip_direction(strip_place(position, lobe.size), vec2f(0.5), lobe.size);
    var sum = vec3f(0.0);
    var weight = 0.0;
    if lobe.kappa > 0.0 {
        for (var i = 0u; i < lobe.count; i++) {
            let source = sources.list[lobe.first + i];
            let share = exp(lobe.kappa * (dot(n, source.direction) - 1.0)) * source.weight;
            sum += source.radiance * share;
            weight += share;
        }
    } else {
        for (var i = 0u; i < lobe.count; i++) {
            let source = sources.list[lobe.first + i];
            let cosine = dot(n, source.direction);
            let d = lobe.a + lobe.b * (0.5 - 0.5 * cosine);
            let share = max(cosine, 0.0) / (d * d) * source.weight;
            sum += source.radiance * share;
            weight += share;
        }
    }
    return vec4f(sum / weight, 1.0);
}
