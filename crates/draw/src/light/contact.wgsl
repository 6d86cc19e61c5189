// Contact: whether something that the camera sees is close before a point, towards a light.
//
// The ray is compared with the farthest of the four depths about it: depth grows evenly along planes, so that no plane
// hides a point before it (Sousa, Kasyan, Schulz 2012 march the same way, with noise in place of that).

@group(1) @binding(26) var seen_depth: texture_depth_2d;

const CONTACT_STEPS: i32 = 16;
// Nearer by less than this share counts as rounding.
const CONTACT_SLACK: f32 = 1.00001;

// What is in sight is this part of the length thick: what lies behind it by more is hidden from the eye alone.
const CONTACT_THICKNESS: f32 = 0.5;

// 0: something within `length` metres is between. `ng` faces the light.
fn contact(light: Light, l: vec3f, point: vec3f, ng: vec3f, length: f32) -> f32 {
    // What shines through a leaf arrives on the side that nobody sees.
    if dot(ng, towards_eye(point)) <= 0.0 {
        return 1.0;
    }
    // What the camera sees is the last of the maps.
    let clip_from_world = shadow_maps[arrayLength(&shadow_maps) - 1u].clip_from_world;
    let size = vec2f(textureDimensions(seen_depth));
    var away = length;
    if !is_parallel(light.kind) {
        away = min(length, distance(light.position, point));
    }
    let start = clip_from_world * vec4f(point, 1.0);
    let along = clip_from_world * vec4f(l * away, 0.0);
    for (var step = 1; step <= CONTACT_STEPS; step++) {
        let part = f32(step) / f32(CONTACT_STEPS);
        let clip = start + along * part;
        let ndc = clip.xyz / clip.w;
        let at = vec2f(ndc.x * 0.5 + 0.5, 0.5 - ndc.y * 0.5) * size - 0.5;
        // What leaves the picture is seen by nobody; at its border there are no four depths.
        if clip.w <= 0.0 || !all(at >= vec2f(0.0)) || !all(at <= size - 1.0) {
            return 1.0;
        }
        let first = vec2i(floor(at));
        let last = min(first + 1, vec2i(size) - 1);
        let upper = min(textureLoad(seen_depth, first, 0), textureLoad(seen_depth, vec2i(last.x, first.y), 0));
        let lower = min(textureLoad(seen_depth, vec2i(first.x, last.y), 0), textureLoad(seen_depth, last, 0));
        let depth = min(upper, lower);
        if depth > ndc.z * CONTACT_SLACK {
            let before = view.world_from_clip * vec4f(ndc.xy, depth, 1.0);
            if view_depth(point + l * (away * part)) - view_depth(before.xyz / before.w) < CONTACT_THICKNESS * length {
                return 0.0;
            }
        }
    }
    return 1.0;
}
