//! Techniques: which techniques of shadows a text has, and the text.

use std::fmt::Write;

use super::map::{Bank, MapView};
use crate::scene::{MapLayout, ShadowReads, ShadowTechnique};

/// A set of techniques. That of `shadow = true` alone is the default.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Techniques {
    /// By number; 0 stands for the default alone.
    set: u32,
    /// One of them also looks for things in sight.
    contact: bool,
    /// One of them has what lets light through.
    veils: bool,
}

impl Techniques {
    pub fn of(techniques: impl IntoIterator<Item = ShadowTechnique>) -> Techniques {
        let set = techniques.into_iter().fold(0, |set, technique| set | 1 << technique.number());
        Techniques {
            set: if set == 1 << ShadowTechnique::default().number() { 0 } else { set },
            contact: false,
            veils: false,
        }
    }

    /// Those of all maps of a shot.
    pub fn of_maps(maps: &[MapView]) -> Techniques {
        let techniques = Techniques::of(maps.iter().map(|map| map.shadow.technique));
        let techniques = techniques.with_contact(maps.iter().any(|map| map.shadow.contact_m > 0.0));
        techniques.with_veils(maps.iter().any(|map| map.is_veiled))
    }

    pub fn with_contact(self, contact: bool) -> Techniques {
        Techniques { contact, ..self }
    }

    pub fn with_veils(self, veils: bool) -> Techniques {
        Techniques { veils, ..self }
    }

    /// Whether what arrives has a colour.
    pub fn is_veiled(self) -> bool {
        self.veils
    }

    /// A call of `visibility` as one number.
    pub fn grey(self, call: &str) -> String {
        if self.veils { format!("dot({call}, vec3f(1.0)) / 3.0") } else { call.to_string() }
    }

    /// Whether one of them reads what the camera sees.
    pub fn reads_seen(self) -> bool {
        self.contact
    }

    /// In the order of their numbers.
    pub fn iter(self) -> impl Iterator<Item = ShadowTechnique> {
        let set = if self.set == 0 { 1 << ShadowTechnique::default().number() } else { self.set };
        ShadowTechnique::ALL.iter().copied().filter(move |technique| set >> technique.number() & 1 == 1)
    }

    /// Those of a set that is not the default.
    pub fn own(self) -> impl Iterator<Item = ShadowTechnique> {
        self.iter().filter(move |_| self.set != 0)
    }

    /// Whether one of them reads where the pixel is.
    pub fn by_pixel(self) -> bool {
        self.iter().any(|technique| technique.row().by_pixel)
    }

    /// Whether one of them reads moments.
    pub fn reads_moments(self) -> bool {
        self.iter().any(|technique| technique.row().reads != ShadowReads::Depth)
    }

    fn has_cascades(self) -> bool {
        self.iter().any(|technique| technique.row().layout == MapLayout::Cascades)
    }

    /// What stands behind the normal in a call of `visibility`.
    pub fn pixel(self) -> &'static str {
        if self.by_pixel() { ", picture_px(in.position.xy)" } else { "" }
    }
}

/// `visibility` with these techniques. Group 1. Needs `light::text`.
pub fn shadow_text(techniques: Techniques) -> String {
    let mut out = concat!(include_str!("../shader/tangents.wgsl"), "\n", include_str!("shadow.wgsl")).to_string();
    let mut parts: Vec<&str> = Vec::new();
    for technique in techniques.iter() {
        let row = technique.row();
        for part in row.needs.iter().copied().chain([row.text]) {
            if !parts.contains(&part) {
                parts.push(part);
                _ = write!(out, "\n{part}");
            }
        }
    }
    let [kind, zero, one] = match techniques.veils {
        true => ["vec3f", "vec3f(0.0)", "vec3f(1.0)"],
        false => ["f32", "0.0", "1.0"],
    };
    let veiled = if techniques.veils { "filtered(map, p) * veiled(map, p)" } else { "filtered(map, p)" };
    if techniques.veils {
        out.push('\n');
        out.push_str(&veils_text());
    }
    let cascade = match techniques.has_cascades() {
        true => {
            "    if is_parallel(light.kind) {
        let away = view_depth(point);
        let last = at + i32(light.map_count) - 1;
        while at < last && away > shadow_maps[at].depths.y {
            at += 1;
        }
        return at;
    }\n"
        }
        false => "",
    };
    let lit = if techniques.contact { "visibility_of_maps" } else { "visibility" };
    let [parameter, pass, pixel] = match techniques.by_pixel() {
        true => [", pixel: vec2f", ", pixel", "pixel"],
        false => ["", "", "vec2f(0.0)"],
    };
    out.push_str("\nfn filtered(map: ShadowMap, p: MapPoint) -> f32 {\n");
    let all: Vec<ShadowTechnique> = techniques.iter().collect();
    for (at, technique) in all.iter().enumerate() {
        let name = technique.row().name;
        let lines = match technique.row().reads {
            ShadowReads::Moments { .. } => format!("return shadow_{name}(p);"),
            ShadowReads::Depth => format!(
                "if p.parallel {{
        return shadow_{name}(sun_maps, p);
    }}
    return shadow_{name}(local_maps, p);"
            ),
        };
        _ = match at + 1 == all.len() {
            true => writeln!(out, "    {lines}"),
            false => writeln!(
                out,
                "    if map.technique == {}u {{\n        {}\n    }}",
                technique.number(),
                lines.replace('\n', "\n    ")
            ),
        };
    }
    _ = write!(
        out,
        "}}

// What of the light one map lets through.
fn visibility_in(map: ShadowMap, light: Light, l: vec3f, point: vec3f, ng: vec3f, cosine: f32{parameter}) -> {kind} {{
    if map.layer < 0 {{
        return {one};
    }}
    let w = (map.clip_from_world * vec4f(point, 1.0)).w;
    let texel = map.texel.x + map.texel.y * w;
    let moved = point + ng * (map.offset.x * texel) + l * (map.offset.y * texel);
    let clip = map.clip_from_world * vec4f(moved, 1.0);
    let ndc = clip.xyz / clip.w;
    let uv = vec2f(ndc.x * 0.5 + 0.5, 0.5 - ndc.y * 0.5);
    // All taps inside: what must be held is, and a margin around it.
    let inside = abs(ndc.xy) <= vec2f(1.0 - 2.0 * map.edge / map.size);
    if clip.w <= 0.0 || !all(inside) {{
        return {one};
    }}
    let slope = plane_slope(map, clip, ng, cosine);
    let depth = clamp(ndc.z + SHADOW_SLOPE_OFFSET * (abs(slope.x) + abs(slope.y)), 0.0, 1.0);
    var p: MapPoint;
    p.at = uv * map.size;
    p.depth = depth;
    p.slope = slope;
    p.layer = map.layer;
    p.corner = map.corner;
    p.size = map.size;
    p.width = map.width;
    p.parallel = is_parallel(light.kind);
    p.texel = texel;
    p.span = map.span;
    p.own = map.own;
    p.across = map.across.xyz;
    p.along = map.along;
    p.square = map.across.w == 1.0;
    p.pixel = {pixel};
    return {veiled};
}}

// Which map of a light holds a point: the same for all, but for a light of several maps.
fn map_of(light: Light, point: vec3f) -> i32 {{
    var at = light.shadow;
    if light.map_count <= 1u {{
        return at;
    }}
{cascade}    return at + cube_face(point - light.position);
}}

// 1: all of the light arrives. `l` is towards the light.
fn {lit}(light: Light, l: vec3f, point: vec3f, ng: vec3f{parameter}) -> {kind} {{
    let cosine = dot(ng, l);
    if cosine <= 0.0 {{
        return {zero};
    }}
    let at = map_of(light, point);
    let map = shadow_maps[at];
"
    );
    if techniques.has_cascades() {
        _ = write!(
            out,
            "    if light.map_count > 1u && is_parallel(light.kind) {{
        let last = light.shadow + i32(light.map_count) - 1;
        let lit = visibility_in(map, light, l, point, ng, cosine{pass});
        // The last tenth is mixed with the next.
        let band = 0.1 * (map.depths.y - map.depths.x);
        let part = clamp((view_depth(point) - (map.depths.y - band)) / band, 0.0, 1.0);
        if part == 0.0 || (at == last && map.own.z == 0.0) {{
            return lit;
        }}
        // Beyond the distance at which shadows end there is light.
        var next = {one};
        if at < last {{
            next = visibility_in(shadow_maps[at + 1], light, l, point, ng, cosine{pass});
        }}
        return lit + part * (next - lit);
    }}
"
        );
    }
    _ = write!(
        out,
        "    return visibility_in(map, light, l, point, ng, cosine{pass});
}}
"
    );
    if techniques.contact {
        _ = write!(
            out,
            "
{}
// The same, and nothing in sight is close before the point.
fn visibility(light: Light, l: vec3f, point: vec3f, ng: vec3f{parameter}) -> {kind} {{
    let lit = visibility_of_maps(light, l, point, ng{pass});
    let length = shadow_maps[light.shadow].contact;
    if all(lit == {zero}) || length == 0.0 {{
        return lit;
    }}
    return lit * contact(light, l, point, ng, length);
}}
",
            include_str!("contact.wgsl")
        );
    }
    out
}

/// `veiled`: what of the light blended surfaces and glass let through.
fn veils_text() -> String {
    let mut out = include_str!("veils.wgsl").to_string();
    out.push_str("\nfn veiled(map: ShadowMap, p: MapPoint) -> vec3f {\n    switch map.veils {\n");
    for bank in Bank::ALL {
        let (number, name) = (bank.veils_number(), bank.veils());
        _ = writeln!(out, "        case {number}u: {{\n            return through_veils({name}, p);\n        }}");
    }
    out.push_str("        default: {\n            return vec3f(1.0);\n        }\n    }\n}\n");
    out
}
