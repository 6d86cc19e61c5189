// Area: light from surfaces of one luminance, by the outlines that a point sees of them.
//
// Diffuse: the sum over the edges of an outline of the angle that an edge spans, times the part of its plane's normal
// along `n`, cut at the horizon (Lambert 1760). Specular: the same sum where the lobe of the surface is a cosine
// (linearly transformed cosines: Heitz, Dupuy, Hill, Neubelt 2016), with a table of our own (`ltc.rs`). Ours: the
// transform leaves the horizon where it is, so both sums have the same edges and nothing below the horizon counts.
// Also ours: what a light that fills a small part of the lobe sends is corrected by the lobe itself, in the direction
// in which the cosine sees the light, since the tails of a cosine are up to eight times too bright. A small light is
// then a point light. Round outlines are polygons of 24 sides and the same area.

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

// What of a light a surface sees.
struct Share {
    // Of all that reaches a matte surface if everything shines.
    matte: f32,
    // Of all that the lobe sees.
    lobe: f32,
    // From where, on the mean: in the frame of the lobe, of any length.
    mean: vec3f,
}

// What of a light a lobe sees.
struct Shown {
    share: Share,
    // Mean luminances: to the lobe, and to a matte surface.
    luminance: vec3f,
    matte: vec3f,
}

struct Outline {
    // Of edges: as they are, and where the lobe is a cosine; there with the direction.
    matte: f32,
    lobe: vec3f,
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

// The same times the whole normal, where the lobe is a cosine.
fn edge_vector(lobe: Lobe, a: vec3f, step: vec3f) -> vec3f {
    let from_a = as_cosine(lobe, a);
    let along = as_cosine(lobe, step);
    let normal = cross(from_a, along);
    let area = length(normal);
    if area == 0.0 {
        return vec3f(0.0);
    }
    return normal / area * atan2(area, dot(from_a, from_a + along));
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
    (*outline).matte += edge_angle(from_a, to_b - from_a);
    (*outline).lobe += edge_vector(lobe, from_a, to_b - from_a);
}

fn share_inside(outline: Outline, lobe: Lobe) -> Share {
    var matte = outline.matte;
    var seen = outline.lobe;
    if outline.is_cut {
        matte += edge_angle(outline.down, outline.up - outline.down);
        seen += edge_vector(lobe, outline.down, outline.up - outline.down);
    }
    // Outlines turn either way.
    if seen.z < 0.0 {
        seen = -seen;
    }
    let mean = vec3f((seen.x - lobe.along.y * seen.z) / lobe.along.x, seen.y / lobe.across, seen.z);
    return Share(abs(matte) * (0.5 * INV_PI), seen.z * (0.5 * INV_PI), mean);
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

// What the lobe sends back of f0 and of f90. Of a light that fills the lobe: its albedo. Of a small one: what the lobe
// sends from its direction, over what the cosine holds of it there.
fn sent_back(s: Surface, v: vec3f, lobe: Lobe, share: Share) -> vec2f {
    if share.lobe <= 0.0 {
        return vec2f(0.0);
    }
    let mean = normalize(share.mean);
    let cosine = as_cosine(lobe, mean);
    let size2 = dot(cosine, cosine);
    let held = mean.z * lobe.along.x * lobe.across * INV_PI / (size2 * size2);
    let l = lobe.t * mean.x + lobe.u * mean.y + lobe.n * mean.z;
    let h = normalize(l + v);
    let across = cross(s.n, h);
    let a2 = alpha_squared(s.roughness);
    let nh = clamp(dot(s.n, h), 0.0, 1.0);
    let sent = distribution_ggx(nh, dot(across, across), a2) * visibility_smith(mean.z, eye_cosine(s.n, v), a2);
    let weight = schlick_weight(clamp(dot(v, h), 0.0, 1.0));
    let small = vec2f(1.0 - weight, weight) * (sent * mean.z / max(held, 1e-12));
    let rest = 1.0 - min(share.lobe, 1.0);
    return lobe.albedo + (small - lobe.albedo) * (rest * rest);
}

// What leaves towards the eye. `l` is towards the light's middle: the Fresnel term of the matte part is taken there.
fn leaving_area(s: Surface, v: vec3f, lobe: Lobe, l: vec3f, luminance: vec3f, share: Share) -> vec3f {
    let weight = schlick_weight(clamp(sqrt(max(0.5 + 0.5 * dot(l, v), 0.0)), 0.0, 1.0));
    let back = sent_back(s, v, lobe, share);
    let seen = under_fresnel_around(s, vec3f(0.0), vec3f(share.lobe), vec3f(back, 0.0));
    let dielectric = under_fresnel(s, weight, 0.0) * (PI * share.matte) + seen;
    let metal = (s.base * back.x + back.y) * share.lobe;
    return (dielectric + (metal - dielectric) * s.metallic) * luminance;
}

// From where its shadow is cast.
fn towards_middle(light: Light, point: vec3f) -> Incident {
    let offset = light.position - point;
    return Incident(offset / max(length(offset), 0.000001), light.color);
}

// All light that reaches the surface, as from the light's middle.
fn gathered_area(s: Surface, light: Light, point: vec3f, share: Share) -> Incident {
    let l = towards_middle(light, point).l;
    return Incident(l, light.color * (PI * share.matte / max(dot(s.n, l), 0.001)));
}
