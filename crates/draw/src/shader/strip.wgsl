// Strip: the six faces of a cube side by side in one target, so that one pass fills them all.

// The direction of a point of a face, u and v in [-1, 1], v down. Faces: +X -X +Y -Y +Z -Z. Not unit.
fn cube_direction(face: u32, u: f32, v: f32) -> vec3f {
    switch face {
        case 0u: { return vec3f(1.0, -v, -u); }
        case 1u: { return vec3f(-1.0, -v, u); }
        case 2u: { return vec3f(u, 1.0, v); }
        case 3u: { return vec3f(u, -1.0, -v); }
        case 4u: { return vec3f(u, -v, 1.0); }
        default: { return vec3f(-u, -v, -1.0); }
    }
}

struct StripPlace {
    face: u32,
    // Texel of the face.
    texel: vec2u,
}

fn strip_place(position: vec4f, size: u32) -> StripPlace {
    let at = vec2u(position.xy);
    let face = at.x / size;
    return StripPlace(face, vec2u(at.x - face * size, at.y));
}

// Solid angle about a point, for equal areas of the face; `part` is where in the texel, 0.5 its centre.
fn strip_share(place: StripPlace, part: vec2f, size: u32) -> f32 {
    let uv = (vec2f(place.texel) + part) * (2.0 / f32(size)) - 1.0;
    let square = 1.0 + dot(uv, uv);
    return 1.0 / (square * sqrt(square));
}

// Unit.
fn strip_direction(place: StripPlace, part: vec2f, size: u32) -> vec3f {
    let uv = (vec2f(place.texel) + part) * (2.0 / f32(size)) - 1.0;
    return normalize(cube_direction(place.face, uv.x, uv.y));
}
