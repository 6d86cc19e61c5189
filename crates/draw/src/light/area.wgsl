// Area: light from surfaces of one luminance, by the outlines that a point sees of them.
//
// Diffuse: the sum over the edges of an outline of the angle that an edge spans, times the part of its plane's normal
// along `n`, cut at the horizon (Lambert 1760). Specular: the same sum where the lobe of the surface is a cosine
// (linearly transformed cosines: Heitz, Dupuy, Hill, Neubelt 2016), with a table of our own (`ltc.rs`). Ours: the
// transform leaves the horizon where it is, so both sums have the same edges and nothing below the horizon counts.
// Round outlines are polygons of 24 sides and the same area.

@group(1) @binding(10) var<storage, read> lobe_table: array<vec4f>;

const LOBE_LAST: u32 = 63u;

// The lobe of a surface as the eye sees it.
struct Lobe {
    // Away from the normal towards the eye, across that, and the normal.
    t: vec3f,
    u: vec3f,
    n: vec3f,
    // It is a cosine of (along.x x + along.y z, across y, z).
    along: vec2f,
    across: f32,
    // What it sends back of f0 and of f90.
    albedo: vec2f,
}

// Texels `2 i` of the table: fourth root of the scale along t, share of the mirror's slope, scale along u.
fn lobe_shaped(n: vec3f, v: vec3f, roughness: f32, shape: vec3f, albedo: vec2f) -> Lobe {
    let nv = eye_cosine(n, v);
    var aside = v - n * dot(n, v);
    if dot(aside, aside) < 1e-10 {
        // All directions are alike.
        aside = cross(n, select(vec3f(1.0, 0.0, 0.0), vec3f(0.0, 1.0, 0.0), abs(n.x) > 0.5));
    }
    let t = normalize(aside);
    let narrow = 0.5 / sqrt(alpha_squared(roughness));
    let root = shape.x * shape.x;
    let along = root * root * narrow;
    let slope = shape.y * sqrt(1.0 - nv * nv) / nv;
    return Lobe(t, cross(n, t), n, vec2f(along, along * slope), shape.z * narrow, albedo);
}

fn lobe_row(x: u32, part: f32, row: u32, which: u32) -> vec4f {
    let first = (row * (LOBE_LAST + 1u) + x) * 2u + which;
    let a = lobe_table[first];
    return a + (lobe_table[first + 2u] - a) * part;
}

fn lobe_texel(x: u32, y: u32, part: vec2f, which: u32) -> vec4f {
    let a = lobe_row(x, part.x, y, which);
    return a + (lobe_row(x, part.x, y + 1u, which) - a) * part.y;
}

fn lobe_of(s: Surface, v: vec3f) -> Lobe {
    let at = vec2f(sqrt(eye_cosine(s.n, v)), s.roughness) * f32(LOBE_LAST);
    let first = min(vec2u(at), vec2u(LOBE_LAST - 1u));
    let part = at - vec2f(first);
    let shape = lobe_texel(first.x, first.y, part, 0u);
    return lobe_shaped(s.n, v, s.roughness, shape.xyz, lobe_texel(first.x, first.y, part, 1u).xy);
}

// A direction or place in the frame of the lobe.
fn in_frame(lobe: Lobe, p: vec3f) -> vec3f {
    return vec3f(dot(lobe.t, p), dot(lobe.u, p), dot(lobe.n, p));
}

// The same, from there to where the lobe is a cosine.
fn as_cosine(lobe: Lobe, p: vec3f) -> vec3f {
    return vec3f(lobe.along.x * p.x + lobe.along.y * p.z, lobe.across * p.y, p.z);
}

struct Outline {
    // Of edges: as they are, and where the lobe is a cosine.
    sums: vec2f,
    // Where it goes below the horizon, and where it comes up.
    down: vec3f,
    up: vec3f,
    is_cut: bool,
}

// The angle from `a` to `a + step`, times z of the unit normal of their plane.
fn edge_angle(a: vec3f, step: vec3f) -> f32 {
    let normal = cross(a, step);
    let area = length(normal);
    if area == 0.0 {
        return 0.0;
    }
    return normal.z / area * atan2(area, dot(a, a + step));
}

fn edge_angles(lobe: Lobe, a: vec3f, b: vec3f) -> vec2f {
    let step = b - a;
    return vec2f(edge_angle(a, step), edge_angle(as_cosine(lobe, a), as_cosine(lobe, step)));
}

// The next edge of a convex outline.
fn add_edge(outline: ptr<function, Outline>, lobe: Lobe, a: vec3f, b: vec3f) {
    if a.z <= 0.0 && b.z <= 0.0 {
        return;
    }
    var from_a = a;
    var to_b = b;
    if a.z <= 0.0 {
        from_a = vec3f(a.xy + (b.xy - a.xy) * (a.z / (a.z - b.z)), 0.0);
        (*outline).up = from_a;
        (*outline).is_cut = true;
    }
    if b.z <= 0.0 {
        to_b = vec3f(b.xy + (a.xy - b.xy) * (b.z / (b.z - a.z)), 0.0);
        (*outline).down = to_b;
        (*outline).is_cut = true;
    }
    (*outline).sums += edge_angles(lobe, from_a, to_b);
}

// The light's share of all that reaches a matte surface if everything shines, and of all that the lobe sees.
fn share_inside(outline: Outline, lobe: Lobe) -> vec2f {
    var sums = outline.sums;
    if outline.is_cut {
        sums += edge_angles(lobe, outline.down, outline.up);
    }
    return abs(sums) * (0.5 * INV_PI);
}

const ROUND_SIDES: u32 = 24u;
// Of the polygon of the same area as the unit circle.
const ROUND_RADIUS: f32 = 1.0057417;
const ROUND_STEP: vec2f = vec2f(0.9659258, 0.25881904);

// An ellipse about `middle` with these half axes.
fn add_round(outline: ptr<function, Outline>, lobe: Lobe, middle: vec3f, x: vec3f, y: vec3f) {
    var at = vec2f(ROUND_RADIUS, 0.0);
    let first = middle + x * ROUND_RADIUS;
    var last = first;
    for (var side = 1u; side <= ROUND_SIDES; side++) {
        at = vec2f(at.x * ROUND_STEP.x - at.y * ROUND_STEP.y, at.x * ROUND_STEP.y + at.y * ROUND_STEP.x);
        var next = middle + x * at.x + y * at.y;
        if side == ROUND_SIDES {
            next = first;
        }
        add_edge(outline, lobe, last, next);
        last = next;
    }
}

// What leaves towards the eye. `l` is towards the light's middle: the Fresnel term of the matte part is taken there.
fn leaving_area(s: Surface, v: vec3f, lobe: Lobe, l: vec3f, luminance: vec3f, share: vec2f) -> vec3f {
    let weight = schlick_weight(clamp(sqrt(max(0.5 + 0.5 * dot(l, v), 0.0)), 0.0, 1.0));
    let seen = under_fresnel_around(s, vec3f(0.0), vec3f(share.y), vec3f(lobe.albedo, 0.0));
    let dielectric = under_fresnel(s, weight, 0.0) * (PI * share.x) + seen;
    let metal = (s.base * lobe.albedo.x + lobe.albedo.y) * share.y;
    return (dielectric + (metal - dielectric) * s.metallic) * luminance;
}

// From where its shadow is cast.
fn towards_middle(light: Light, point: vec3f) -> Incident {
    let offset = light.position - point;
    return Incident(offset / max(length(offset), 0.000001), light.color);
}

// All light that reaches the surface, as from the light's middle.
fn gathered_area(s: Surface, light: Light, point: vec3f, share: vec2f) -> Incident {
    let l = towards_middle(light, point).l;
    return Incident(l, light.color * (PI * share.x / max(dot(s.n, l), 0.001)));
}
