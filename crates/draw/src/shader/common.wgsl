// Common: the camera's (or a shadow map's) view, objects, and the way back from a pixel to the world.

const PI: f32 = 3.14159265;
const INV_PI: f32 = 0.318309886;

struct View {
    clip_from_world: mat4x4f,
    world_from_clip: mat4x4f,
    // The eye (w = 1), or for an orthographic camera the direction towards it (w = 0).
    eye: vec4f,
    // xyz: the view axis, unit; w: its product with the camera's position, metres.
    forward: vec4f,
    // Width, height, 1 / width, 1 / height of the picture in pixels.
    size: vec4f,
    // Left and top of the target in the picture, width and height of the target, pixels.
    tile: vec4f,
    exposure: f32,
    light_count: u32,
}

@group(0) @binding(0) var<uniform> view: View;

// The place in the picture, in pixels, of a place in the target.
fn picture_px(position: vec2f) -> vec2f {
    return position + view.tile.xy;
}

// The world position of a fragment, from where it is and its depth alone: every route gets the same bits.
fn unproject(position: vec4f) -> vec3f {
    let pixel = picture_px(position.xy);
    let x = pixel.x * view.size.z * 2.0 - 1.0;
    let y = 1.0 - pixel.y * view.size.w * 2.0;
    let point = view.world_from_clip * vec4f(x, y, position.z, 1.0);
    return point.xyz / point.w;
}

// Unit, from a point towards the eye.
fn towards_eye(point: vec3f) -> vec3f {
    return normalize(view.eye.xyz - point * view.eye.w);
}

// Distance along the view axis, metres.
fn view_depth(point: vec3f) -> f32 {
    return dot(point, view.forward.xyz) - view.forward.w;
}
