// Light: what each kind of light sends to a point, in physical units: lux for directional lights, candela for the others.

const LIGHT_DIRECTIONAL: u32 = 0u;
const LIGHT_POINT: u32 = 1u;
const LIGHT_SPOT: u32 = 2u;

struct Light {
    position: vec3f,
    kind: u32,
    // Unit, the way it shines.
    direction: vec3f,
    // 1 / range^2; 0 for a light without a range.
    inverse_range2: f32,
    // Colour times lux or candela.
    color: vec3f,
    // Of the first of its maps in `shadow_maps`; -1: it casts no shadow.
    shadow: i32,
    // Cosine of the outer half angle, and 1 / (cos inner - cos outer).
    cone_cos: f32,
    cone_scale: f32,
    unused: vec2f,
}

@group(1) @binding(0) var<storage, read> lights: array<Light>;

fn incident_directional(light: Light) -> Incident {
    return Incident(-light.direction, light.color);
}

// Inverse square, no nearer than 1 cm, times glTF's window sat(1 - (d / range)^4).
fn incident_point(light: Light, point: vec3f) -> Incident {
    let offset = light.position - point;
    let d2 = max(dot(offset, offset), 0.0001);
    let reach = d2 * light.inverse_range2;
    let window = max(1.0 - reach * reach, 0.0);
    return Incident(offset / sqrt(d2), light.color * (window / d2));
}

// A point light inside a cone: sat((cos - cos_outer) / (cos_inner - cos_outer))^2.
fn incident_spot(light: Light, point: vec3f) -> Incident {
    let open = incident_point(light, point);
    let cone = clamp((-dot(light.direction, open.l) - light.cone_cos) * light.cone_scale, 0.0, 1.0);
    return Incident(open.l, open.e * (cone * cone));
}

fn incident(light: Light, point: vec3f) -> Incident {
    if light.kind == LIGHT_DIRECTIONAL {
        return incident_directional(light);
    } else if light.kind == LIGHT_POINT {
        return incident_point(light, point);
    }
    return incident_spot(light, point);
}
