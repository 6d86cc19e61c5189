//! Sums: light that arrives at stored surfaces is added up first, and surfaces of glTF are drawn in it (Engel 2008).
//!
//! In: a scene's switches. Out: the key and the text of the screen that adds up. Never here: targets and passes;
//! `shader/summed_*.wgsl` reads the sums.
//!
//! The surface is linear in what its colour and its metalness are: sums for a black metal, a white metal and a white
//! dielectric hold all others, whatever kind of light it is.

use std::fmt::Write;

use super::emit::{each_light, shading};
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
        switches: Switches { environment: false, ..switches },
        bending: Bending::No,
        centroid: false,
    }
}

/// Whether sums hold what a surface of this material and key sends on.
pub fn is_summed(material: &Material, key: &Key) -> bool {
    !key.unlit && key.lobes.is_plain() && material.reflection.f90 == 1.0
}

/// Adds up the light of lights.
pub fn sums(key: &Key, out: &mut String) {
    let Variant::Sums(sums) = key.variant else { unreachable!("{key} adds nothing up") };
    let call = match key.switches.kinds.has_many() {
        true => |s: &str| format!("leaving_of({s}, v, light, point, arriving)"),
        false => |s: &str| format!("lobes({s}, v, arriving)"),
    };
    let (texels, values) = match sums {
        Sums::Coloured => ("Sums", "Sums(vec4f(matte, 1.0), vec4f(by_f0, 1.0), vec4f(by_f90, 1.0))"),
        Sums::Grey => ("@location(0) vec4f", "vec4f(matte, dot(by_f0 + by_f90, vec3f(0.2126, 0.7152, 0.0722)))"),
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

// What a black metal, a white metal and a white dielectric of this shape send on.
fn sums_of(s: Surface, v: vec3f, light: Light, point: vec3f, arriving: Incident) -> mat3x3f {{
    var black = s;
    black.metallic = 1.0;
    var white = black;
    white.base = vec3f(1.0);
    var matte = white;
    matte.metallic = 0.0;
    return mat3x3f({}, {}, {});
}}

@fragment
fn fragment(@builtin(position) position: vec4f) -> {texels} {{
    let it = loaded(vec2u(position.xy));
    let s = it.s;
    if s.occlusion < 0.0 {{
        discard;
    }}
    let in = Varyings(vec4f(position.xy, it.depth, 1.0));
",
        call("black"),
        call("white"),
        call("matte")
    );
    let [_, lobes] = shading(key, "", out);
    out.push_str("    var sum = mat3x3f();\n");
    each_light(key, &lobes, &|_| "        sum += leaving;\n".to_string(), out);
    _ = writeln!(
        out,
        "    let by_f90 = sum[0];
    let by_f0 = sum[1] - by_f90;
    let matte = (sum[2] - 0.04 * by_f0 - by_f90) / 0.96;
    return {values};\n}}"
    );
}
