// Subsurface: light that leaves a surface elsewhere than it enters.
//
// By the profile R(r) = (exp(-r / d) + exp(-r / (3 d))) / (8 pi d r) (Christensen, Burley 2015), whose integral over a
// plane is 1, from the light that is seen to enter surfaces of the same material. Points lie in the tangent plane, as
// dense as the profile of the widest channel (Golubev, Efficient Screen-Space Subsurface Scattering Using Burley's
// Normalized Diffusion in Real-Time, 2018), on a spiral of golden angles (Vogel 1979) that each pixel turns by its own
// angle. Ours: a point counts by its distance to the surface that is seen there, and shares are made to add up to 1, so
// light that is not seen to enter counts as the mean of what is seen.

// What white paper would show, exposed, and the number of the material from 1 on.
@group(1) @binding(23) var irradiance: texture_2d<f32>;
@group(1) @binding(24) var irradiance_depth: texture_depth_2d;

const SUBSURFACE_TAPS: u32 = 64u;
const GOLDEN_ANGLE: f32 = 2.3999632;

// An angle of the pixel's own: what a spiral leaves out becomes grain instead of edges (PCG: Jarzynski, Olano 2020).
fn turn_of(at: vec2i) -> f32 {
    let state = (u32(at.x) + u32(at.y) * 65536u) * 747796405u + 2891336453u;
    let word = ((state >> ((state >> 28u) + 4u)) ^ state) * 277803737u;
    return f32(((word >> 22u) ^ word) >> 8u) * (2.0 * PI / 16777216.0);
}

// How far from the middle a share `u` of the profile ends, in units of d: with t = exp(-r / (3 d)) that is
// 1 - u = (t^3 + 3 t) / 4, a cubic with one root.
fn profile_radius(u: f32) -> f32 {
    let half = 2.0 * (1.0 - u);
    let root = sqrt(half * half + 1.0);
    let a = pow(root + half, 1.0 / 3.0);
    return -3.0 * log(a - 1.0 / a);
}

// 8 pi R.
fn profile_at(r: f32, d: vec3f) -> vec3f {
    let way = vec3f(r) / d;
    return (exp(-way) + exp(way * (-1.0 / 3.0))) / (d * r);
}

// Light that leaves at `point`, as white paper would show it. `widths`: d by channel, in metres. `number`: as in
// `irradiance`.
fn gathered_inside(point: vec3f, ng: vec3f, widths: vec3f, at: vec2i, number: f32) -> vec3f {
    let d = max(widths, vec3f(1e-9));
    let widest = max(d.x, max(d.y, d.z));
    let side = select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), abs(ng.x) > 0.5);
    let across = normalize(cross(ng, side));
    let turn = turn_of(at);
    let t = across * cos(turn) + cross(ng, across) * sin(turn);
    let b = cross(ng, t);
    var sum = vec3f(0.0);
    var shares = vec3f(0.0);
    for (var i = 0u; i < SUBSURFACE_TAPS; i++) {
        let reach = profile_radius((f32(i) + 0.5) / f32(SUBSURFACE_TAPS));
        let angle = f32(i) * GOLDEN_ANGLE;
        let r = reach * widest;
        let tap = point + t * (cos(angle) * r) + b * (sin(angle) * r);
        let clip = view.clip_from_world * vec4f(tap, 1.0);
        let place = vec2f(0.5 + 0.5 * clip.x / clip.w, 0.5 - 0.5 * clip.y / clip.w) * view.size.xy;
        let is_seen = clip.w > 1e-6 && all(place >= vec2f(0.0)) && all(place < view.size.xy);
        let texel = vec2i(clamp(place, vec2f(0.0), view.size.xy - 1.0));
        let entered = textureLoad(irradiance, texel, 0);
        if is_seen && entered.w == number {
            let depth = textureLoad(irradiance_depth, texel, 0);
            let away = dot(unproject(vec4f(vec2f(texel) + 0.5, depth, 1.0)) - point, ng);
            let density = (exp(-reach) + exp(reach * (-1.0 / 3.0))) / (widest * r);
            let share = profile_at(sqrt(r * r + away * away), d) / density;
            sum += share * entered.xyz;
            shares += share;
        }
    }
    // A channel that no point has light for spreads less than a pixel is wide.
    let own = textureLoad(irradiance, at, 0).xyz;
    let light = select(own, sum / max(shares, vec3f(1e-20)), shares > vec3f(1e-20));
    return light / view.exposure;
}
