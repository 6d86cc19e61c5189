struct Scene { time: f32, size: f32 }
@group(0) @binding(0) var<uniform> scene: Scene;

fn field(p: vec3<f32>) -> f32 {
    let q = fract(p * 0.25) * 4.0 - vec3<f32>(2.0);
    let ball = length(q) - 0.9;
    let ground = p.y + 1.5 + 0.1 * scene.time;
    return min(ball, ground);
}

@fragment
fn main(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let uv = vec2<f32>(at.x - 256.0, 144.0 - at.y) * 0.00390625;
    let eye = vec3<f32>(0.3, 0.8, -3.0 + scene.size * 0.01);
    let direction = normalize(vec3<f32>(uv, 1.4));
    var t = 0.0;
    var steps = 0.0;
    for (var i = 0; i < 96; i++) {
        let d = field(eye + direction * t);
        if (d < 0.001 * t) { break; }
        t += d;
        steps += 1.0;
        if (t > 60.0) { break; }
    }
    let p = eye + direction * t;
    let e = 0.01;
    let n = normalize(vec3<f32>(
        field(p + vec3<f32>(e, 0.0, 0.0)) - field(p - vec3<f32>(e, 0.0, 0.0)),
        field(p + vec3<f32>(0.0, e, 0.0)) - field(p - vec3<f32>(0.0, e, 0.0)),
        field(p + vec3<f32>(0.0, 0.0, e)) - field(p - vec3<f32>(0.0, 0.0, e))));
    let light = max(dot(n, normalize(vec3<f32>(0.5, 0.9, -0.4))), 0.0);
    let fog = 1.0 / (1.0 + t * t * 0.002);
    return vec4<f32>(vec3<f32>(0.1 + 0.9 * light) * fog + vec3<f32>(steps * 0.002), 1.0);
}
