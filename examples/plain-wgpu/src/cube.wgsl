// A cube of side 2 without buffers: six faces of two triangles each, made from the vertex's number.

@group(0) @binding(0) var<uniform> turn_rad: f32;

struct Corner {
    @builtin(position) clip: vec4f,
    @location(0) normal: vec3f,
    @location(1) @interpolate(flat, either) base_color: vec3f,
}

@vertex
fn corner(@builtin(vertex_index) index: u32) -> Corner {
    let axis = index / 6u % 3u;
    let side = select(1.0, -1.0, index < 18u);
    let place = array(0u, 1u, 2u, 2u, 1u, 3u)[index % 6u];
    var point = vec3f();
    var normal = vec3f();
    var base_color = vec3f(0.15);
    point[axis] = side;
    point[(axis + 1u) % 3u] = select(-side, side, (place & 1u) != 0u);
    point[(axis + 2u) % 3u] = select(-1.0, 1.0, (place & 2u) != 0u);
    normal[axis] = side;
    base_color[axis] = 0.8;
    return Corner(projected(turned(point) - vec3f(0.0, 0.0, 6.0)), turned(normal), base_color);
}

// About the upright axis, then towards the camera, so that the top shows.
fn turned(p: vec3f) -> vec3f {
    let c = cos(turn_rad);
    let s = sin(turn_rad);
    let q = vec3f(c * p.x + s * p.z, p.y, c * p.z - s * p.x);
    return vec3f(q.x, 0.8 * q.y - 0.6 * q.z, 0.6 * q.y + 0.8 * q.z);
}

// From 1 m to 10 m before the camera, which looks along -z.
fn projected(p: vec3f) -> vec4f {
    return vec4f(2.5 * p.xy, (-p.z - 1.0) * 10.0 / 9.0, -p.z);
}

@fragment
fn lit(corner: Corner) -> @location(0) vec4f {
    let towards_light = vec3f(0.36, 0.8, 0.48);
    let light = 0.1 + 0.9 * max(dot(normalize(corner.normal), towards_light), 0.0);
    return vec4f(corner.base_color * light, 1.0);
}
