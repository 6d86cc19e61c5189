// Functions of lights: base colours of materials, drawn on squares before anything is lit. `more.y`: the number of the
// light's function and 1, or 0; `more.zw`: for parallel light, tiles a metre; for a cone, the cotangent of its half
// angle; 0 where the light shines to all sides.
@group(1) @binding(18) var function_maps: texture_2d_array<f32>;
@group(1) @binding(19) var function_sampler: sampler;

// u and v of a point from the light, by the light's axes: x to the right and y up, as the light looks.
fn function_place(light: Light, point: vec3f) -> vec2f {
    let offset = point - light.position;
    let x = dot(offset, light.across);
    let y = dot(offset, cross(light.across, light.direction));
    let ahead = dot(offset, light.direction);
    if is_parallel(light.kind) {
        return 0.5 + vec2f(x, -y) * light.more.zw;
    }
    // Only tiles and the way around a light go on beyond an edge.
    let edge = 0.5 / f32(textureDimensions(function_maps).x);
    if light.more.z == 0.0 {
        let around = atan2(-ahead, x) * (0.5 * INV_PI) + 0.5;
        let down = acos(clamp(y / max(length(offset), 0.000001), -1.0, 1.0)) * INV_PI;
        return vec2f(around, clamp(down, edge, 1.0 - edge));
    }
    let across = vec2f(x, -y) * (light.more.z / max(ahead, 0.000001));
    return clamp(0.5 + 0.5 * across, vec2f(edge), vec2f(1.0 - edge));
}

fn through_function(light: Light, point: vec3f, arriving: Incident) -> Incident {
    if light.more.y == 0.0 {
        return arriving;
    }
    let place = function_place(light, point);
    let share = textureSampleLevel(function_maps, function_sampler, place, i32(light.more.y) - 1, 0.0).xyz;
    return Incident(arriving.l, arriving.e * share);
}
