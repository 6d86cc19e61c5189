// A point light with a profile (IES LM-63): candela at every half degree from the axis and about it, linear between.
// `terms.y`: columns about the axis, 1 or 720; `first`: its first value.
const PROFILE_ROWS: u32 = 361u;

fn profile_column(first: u32, row: u32, part: f32) -> f32 {
    let a = values[first + row];
    return a + (values[first + row + 1u] - a) * part;
}

// Of its values, in a direction from the light.
fn profile_of(light: Light, d: vec3f) -> f32 {
    let first = light.first;
    let down = clamp(acos(clamp(dot(d, light.direction), -1.0, 1.0)) * (360.0 / PI), 0.0, 360.0);
    let row = min(u32(down), PROFILE_ROWS - 2u);
    let part = down - f32(row);
    let columns = u32(light.terms.y);
    if columns == 1u {
        return profile_column(first, row, part);
    }
    let up = cross(light.across, light.direction);
    let turn = atan2(dot(d, up), dot(d, light.across)) * (360.0 / PI);
    let about = clamp(select(turn, turn + 720.0, turn < 0.0), 0.0, 720.0);
    let column = min(u32(about), 719u);
    let a = profile_column(first + column * PROFILE_ROWS, row, part);
    let b = profile_column(first + (column + 1u) % 720u * PROFILE_ROWS, row, part);
    return a + (b - a) * (about - f32(column));
}

fn incident_profile(light: Light, point: vec3f) -> Incident {
    let offset = light.position - point;
    let d2 = max(dot(offset, offset), 0.0001);
    let l = offset / sqrt(d2);
    return Incident(l, light.color * (window_of(light, d2) * profile_of(light, -l)));
}
