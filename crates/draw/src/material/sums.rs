//! Sums: light that arrives at stored surfaces is added up first, and surfaces of glTF are drawn in it (Engel 2008).
//!
//! In: a scene's switches. Out: the key and the text of the screen that adds up. Never here: targets and passes;
//! `shader/summed_*.wgsl` reads the sums.
//!
//! The surface is linear in f0, in its colour and in its metalness: what is matte, what goes by f0 and what goes by f90
//! hold all surfaces, whatever kind of light it is.

use std::fmt::Write;

use super::each_light::each_light;
use super::emit::{declared, shading};
use super::{Alpha, Bending, Inputs, Key, Lobes, Streams, Switches, Variant};
use crate::asset::Material;
use crate::scene::Sums;

/// The key of the screen, under a scene's lights.
pub fn sums_key(sums: Sums, switches: Switches) -> Key {
    Key {
        variant: Variant::Sums(sums),
        alpha: Alpha::Opaque,
        inputs: Inputs::default(),
        streams: Streams::default(),
        double_sided: false,
        unlit: false,
        reflection: false,
        lobes: Lobes::default(),
        switches: switches.without_around(),
        bending: Bending::No,
        centroid: false,
    }
}

/// Whether sums hold what a surface of this material and key sends on.
pub fn is_summed(material: &Material, key: &Key) -> bool {
    !key.unlit && key.lobes.is_plain() && material.reflection.f90 == 1.0
}

/// Of light from one direction: the terms of `lobes`.
const ONE: &str = "fn sums_of(s: Surface, v: vec3f, light: Light, point: vec3f, arriving: Incident) -> mat3x3f {
    let nl = dot(s.n, arriving.l);
    if nl <= 0.0 {
        return mat3x3f();
    }
    let terms = mirror_terms(s, v, arriving.l, nl);
    let arrives = nl * arriving.e;
    let rest = 1.0 - terms.y;
    return mat3x3f(arrives * (rest * INV_PI), arrives * (terms.x * rest), arrives * (terms.x * terms.y));
}
";

/// Of all lights: from what a black metal, a white metal and a white dielectric of this shape send on.
const MANY: &str = "fn sums_of(s: Surface, v: vec3f, light: Light, point: vec3f, arriving: Incident) -> mat3x3f {
    var black = s;
    black.metallic = 1.0;
    var white = black;
    white.base = vec3f(1.0);
    var matte = white;
    matte.metallic = 0.0;
    let by_f90 = leaving_of(black, v, light, point, arriving);
    let by_f0 = leaving_of(white, v, light, point, arriving) - by_f90;
    let all = leaving_of(matte, v, light, point, arriving);
    return mat3x3f((all - 0.04 * by_f0 - by_f90) / 0.96, by_f0, by_f90);
}
";

/// Adds up the light of lights.
pub fn sums(key: &Key, out: &mut String) {
    let Variant::Sums(sums) = key.variant else { unreachable!("{key} adds nothing up") };
    let how = declared(key);
    let sums_of = if key.switches.kinds.has_many() { MANY } else { ONE };
    let (texels, blank, values) = match sums {
        Sums::Coloured => ("Sums", "discard", "Sums(vec4f(matte, 1.0), vec4f(by_f0, 1.0), vec4f(by_f90, 1.0))"),
        Sums::Grey => (
            "@location(0) vec4f",
            "return vec4f(0.0, 0.0, 0.0, -1e38)",
            "vec4f(matte, dot(by_f0 + by_f90, vec3f(0.2126, 0.7152, 0.0722)))",
        ),
    };
    _ = write!(
        out,
        "struct Varyings {{
    position: vec4f,
}}

struct Sums {{
    @location(0) matte: vec4f,
    @location(1) by_f0: vec4f,
    @location(2) by_f90: vec4f,
}}

{sums_of}
@fragment
fn fragment(@builtin(position) position: vec4f) -> {texels} {{
    let it = loaded(vec2u(position.xy));
    {how} s = it.s;
    if s.occlusion < 0.0 {{
        {blank};
    }}
    let in = Varyings(vec4f(position.xy, it.depth, 1.0));
"
    );
    let [_, lobes] = shading(key, "", out);
    out.push_str("    var sum = mat3x3f();\n");
    each_light(key, &lobes, &|_| "        sum += leaving;\n".to_string(), out);
    _ = writeln!(
        out,
        "    let matte = sum[0];
    let by_f0 = sum[1];
    let by_f90 = sum[2];
    return {values};\n}}"
    );
}
