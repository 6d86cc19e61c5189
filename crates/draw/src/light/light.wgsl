// Light: what each kind of light sends to a point, in physical units: lux for directional lights, candela for lamps,
// nits for lights with an area.

struct Light {
    position: vec3f,
    kind: u32,
    // Unit, the way it shines.
    direction: vec3f,
    // Of the first of its maps in `shadow_maps`; -1: it casts no shadow.
    shadow: i32,
    // Colour times lux, candela or nits.
    color: vec3f,
    // Of maps: 1, or its six sides +X -X +Y -Y +Z -Z.
    map_count: u32,
    // What its kind reads.
    terms: vec4f,
    // Unit, across the way it shines.
    across: vec3f,
    // Of its values in `values`.
    first: u32,
    // x: what more its kind reads. yzw: its function.
    more: vec4f,
}

@group(1) @binding(0) var<storage, read> lights: array<Light>;
