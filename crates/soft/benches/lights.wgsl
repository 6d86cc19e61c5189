struct Light { position: vec3<f32>, range: f32, color: vec3<f32>, intensity: f32 }
struct Scene { camera: vec3<f32>, roughness: f32, base: vec3<f32>, metallic: f32, lights: array<Light, 16> }
@group(0) @binding(0) var<uniform> scene: Scene;

fn distribution(n_h: f32, a2: f32) -> f32 {
    let f = (n_h * a2 - n_h) * n_h + 1.0;
    return a2 / (3.14159265 * f * f);
}
fn visibility(n_l: f32, n_v: f32, a2: f32) -> f32 {
    let v = n_l * sqrt(n_v * n_v * (1.0 - a2) + a2);
    let l = n_v * sqrt(n_l * n_l * (1.0 - a2) + a2);
    return 0.5 / (v + l + 0.00001);
}
fn fresnel(v_h: f32, f0: vec3<f32>) -> vec3<f32> {
    let m = 1.0 - v_h;
    let m2 = m * m;
    return f0 + (vec3<f32>(1.0) - f0) * (m2 * m2 * m);
}

@fragment
fn main(@builtin(position) at: vec4<f32>) -> @location(0) vec4<f32> {
    let p = vec3<f32>(at.x * 0.0078125 - 2.0, at.y * 0.0078125 - 2.0, 0.0);
    let n = normalize(vec3<f32>(fract(p.x) - 0.5, fract(p.y) - 0.5, 1.0));
    let v = normalize(scene.camera + vec3<f32>(0.0, 0.0, 4.0) - p);
    let n_v = max(dot(n, v), 0.0001);
    let roughness = clamp(scene.roughness * 0.5 + 0.2 * fract(p.x * 3.0), 0.05, 1.0);
    let alpha = roughness * roughness;
    let a2 = alpha * alpha;
    let metallic = saturate(scene.metallic);
    let f0 = mix(vec3<f32>(0.04), scene.base, metallic);
    let diffuse = scene.base * (1.0 - metallic);
    var sum = vec3<f32>(0.0);
    for (var i = 0; i < 16; i++) {
        let light = scene.lights[i];
        let to = light.position + vec3<f32>(0.0, 0.0, 1.5) - p;
        let d2 = dot(to, to);
        let l = to * inverseSqrt(d2);
        let h = normalize(l + v);
        let n_l = saturate(dot(n, l));
        let n_h = saturate(dot(n, h));
        let v_h = saturate(dot(v, h));
        let window = saturate(1.0 - (d2 * d2) / (light.range * light.range * light.range * light.range + 20.0));
        let falloff = window * window / (d2 + 1.0);
        let f = fresnel(v_h, f0);
        let specular = f * (distribution(n_h, a2) * visibility(n_l, n_v, a2));
        let matte = (vec3<f32>(1.0) - f) * diffuse * 0.31830989;
        sum += (specular + matte) * light.color * (light.intensity * falloff * n_l);
    }
    let mapped = sum / (sum + vec3<f32>(1.0));
    return vec4<f32>(mapped, 1.0);
}
