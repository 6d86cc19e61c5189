// Colours from a table. Mixes are a + t (b - a): equal ends give equal bits.

fn entry(at: vec3i) -> vec3f {
    let size = i32(frame.data[0].y);
    return table_at(at.x + size * (at.y + size * at.z));
}

// Of one curve for each channel.
fn on_curves(place: vec3f, last: f32) -> vec3f {
    let first = clamp(floor(place), vec3f(0.0), vec3f(max(last - 1.0, 0.0)));
    let t = place - first;
    let at = vec3i(first);
    let low = vec3f(table_at(at.x).x, table_at(at.y).y, table_at(at.z).z);
    let high = vec3f(table_at(at.x + 1).x, table_at(at.y + 1).y, table_at(at.z + 1).z);
    return low + t * (high - low);
}

// Of the eight colours about a place.
fn in_cube(at: vec3i, t: vec3f) -> vec3f {
    var edges: array<vec3f, 4>;
    for (var i = 0; i < 4; i++) {
        let corner = at + vec3i(0, i & 1, i >> 1u);
        let low = entry(corner);
        edges[i] = low + t.x * (entry(corner + vec3i(1, 0, 0)) - low);
    }
    let near = edges[0] + t.y * (edges[1] - edges[0]);
    let far = edges[2] + t.y * (edges[3] - edges[2]);
    return near + t.z * (far - near);
}

// Of the four corners on the way from the darkest to the brightest, along the channel that is farthest first.
fn in_tetrahedron(at: vec3i, t: vec3f) -> vec3f {
    let x = vec3i(1, 0, 0);
    let y = vec3i(0, 1, 0);
    let z = vec3i(0, 0, 1);
    var first = x;
    var last = z;
    if t.x >= t.y {
        if t.z > t.x {
            first = z;
        }
        if t.z > t.y {
            last = y;
        }
    } else {
        first = select(y, z, t.z >= t.y);
        last = select(z, x, t.z >= t.x);
    }
    let middle = vec3i(1) - first - last;
    let way = vec3f(first);
    let high = dot(t, way);
    let low = dot(t, vec3f(last));
    let between = dot(t, vec3f(middle));
    let a = entry(at);
    let b = entry(at + first);
    let c = entry(at + first + middle);
    let d = entry(at + vec3i(1));
    return a + high * (b - a) + between * (c - b) + low * (d - c);
}

fn apply(at: vec2i) -> vec4f {
    let color = texel_0(at);
    var x = straight(color);
    if params.space == 0.0 {
        x = srgb_of(x);
    }
    let last = frame.data[0].y - 1.0;
    let place = clamp((x - frame.data[1].xyz) / (frame.data[2].xyz - frame.data[1].xyz), vec3f(0.0), vec3f(1.0)) * last;
    var found: vec3f;
    if frame.data[0].x == 1.0 {
        found = on_curves(place, last);
    } else {
        let first = min(floor(place), vec3f(last - 1.0));
        let t = place - first;
        if params.between == 1.0 {
            found = in_cube(vec3i(first), t);
        } else {
            found = in_tetrahedron(vec3i(first), t);
        }
    }
    if params.space == 0.0 {
        found = linear_of(found);
    }
    return premultiplied(found, color.w);
}
