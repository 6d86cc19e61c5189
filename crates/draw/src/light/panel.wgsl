// A rectangle that shows a picture, with the outline of `rect`. Each lobe sees the level of the picture that is filtered
// for its distance to the panel (Heitz, Hill 2017: lod from the distance where the lobe is a cosine), around the point
// of the panel that it sees best. `values`: levels by `asset/panel.rs`, made for matte surfaces that face the panel.

// Of levels: the side, and where it begins, in texels.
const PANEL_LAST: u32 = 9u;
const PANEL_SIDES: array<u32, 10> = array(128u, 128u, 64u, 32u, 16u, 16u, 16u, 8u, 8u, 1u);
const PANEL_BEGINS: array<u32, 10> = array(0u, 16384u, 32768u, 36864u, 37888u, 38144u, 38400u, 38656u, 38720u, 38784u);

fn panel_texel(first: u32, at: u32) -> vec3f {
    let i = first + 3u * at;
    return vec3f(values[i], values[i + 1u], values[i + 2u]);
}

fn panel_level(light: Light, level: u32, uv: vec2f) -> vec3f {
    var sides = PANEL_SIDES;
    var begins = PANEL_BEGINS;
    let side = sides[level];
    let begin = begins[level];
    let at = clamp(uv * f32(side) - 0.5, vec2f(0.0), vec2f(f32(side - 1u)));
    let first = min(vec2u(at), vec2u(max(side, 2u) - 2u));
    let part = at - vec2f(first);
    let next = min(first + 1u, vec2u(side - 1u));
    let a = panel_texel(light.first, begin + first.y * side + first.x);
    let b = panel_texel(light.first, begin + first.y * side + next.x);
    let c = panel_texel(light.first, begin + next.y * side + first.x);
    let d = panel_texel(light.first, begin + next.y * side + next.x);
    let above = a + (b - a) * part.x;
    let below = c + (d - c) * part.x;
    return above + (below - above) * part.y;
}

// `distance` in roots of the panel's area.
fn panel_shown(light: Light, uv: vec2f, distance: f32) -> vec3f {
    let x = max(distance * 64.0, 0.0);
    let at = clamp(select(1.0 + log2(max(x, 1.0)), x, x < 1.0), 0.0, f32(PANEL_LAST));
    let level = min(u32(at), PANEL_LAST - 1u);
    let fine = panel_level(light, level, uv);
    let coarse = panel_level(light, level + 1u, uv);
    return fine + (coarse - fine) * (at - f32(level));
}

// What of the picture a lobe sees. Where the lobe is a cosine about z, a point of the panel's plane counts by the cosine
// at the surface times the third power of the cosine at the panel: most of all near z + 3 times the plane's normal.
fn panel_seen(light: Light, lobe: Lobe, point: vec3f) -> vec3f {
    let middle = as_cosine(lobe, in_frame(lobe, light.position - point));
    let x = as_cosine(lobe, in_frame(lobe, light.across * light.terms.x));
    let y = as_cosine(lobe, in_frame(lobe, cross(light.across, light.direction) * light.terms.y));
    let across = cross(x, y);
    let area = max(length(across), 1e-20);
    var normal = across / area;
    normal *= select(-1.0, 1.0, dot(normal, middle) >= 0.0);
    let distance = dot(normal, middle);
    let best = normal * 3.0 + vec3f(0.0, 0.0, 1.0);
    let offset = best * (distance / dot(normal, best)) - middle;
    let at = vec2f(dot(cross(offset, y), across), dot(cross(x, offset), across)) / (area * area);
    let inside = clamp(at, vec2f(-1.0), vec2f(1.0));
    // From beside the panel no part of it is near.
    let beside = x * (at.x - inside.x) + y * (at.y - inside.y);
    let away = sqrt(distance * distance + dot(beside, beside));
    return panel_shown(light, 0.5 - 0.5 * inside, away * 0.5 / sqrt(area));
}

fn incident_panel(light: Light, point: vec3f) -> Incident {
    return towards_middle(light, point);
}

// The lobe of a matte surface: a cosine as it is.
fn panel_matte(lobe: Lobe) -> Lobe {
    var matte = lobe;
    matte.along = vec2f(1.0, 0.0);
    matte.across = 1.0;
    return matte;
}

fn leaving_panel(s: Surface, v: vec3f, light: Light, point: vec3f) -> vec3f {
    let lobe = lobe_of(s, v);
    let l = towards_middle(light, point).l;
    let share = share_rect(light, lobe, point);
    let matte = light.color * panel_seen(light, panel_matte(lobe), point);
    let shining = light.color * panel_seen(light, lobe, point);
    return leaving_area(s, v, lobe, l, matte, Share(share.matte, 0.0, share.mean)) + leaving_area(s, v, lobe, l, shining, Share(0.0, share.lobe, share.mean));
}

fn gathered_panel(s: Surface, v: vec3f, light: Light, point: vec3f) -> Incident {
    let lobe = lobe_of(s, v);
    let gathered = gathered_area(s, light, point, share_rect(light, lobe, point));
    return Incident(gathered.l, gathered.e * panel_seen(light, panel_matte(lobe), point));
}

fn shown_panel(light: Light, lobe: Lobe, point: vec3f) -> Shown {
    let matte = light.color * panel_seen(light, panel_matte(lobe), point);
    return Shown(share_rect(light, lobe, point), light.color * panel_seen(light, lobe, point), matte);
}
