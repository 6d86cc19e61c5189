// Air without lights.

struct Incident {
    l: vec3f,
    e: vec3f,
}

fn light_count() -> u32 {
    return 0u;
}

fn parts_of_light(i: u32) -> u32 {
    return 0u;
}

fn arriving_at(i: u32, part: u32, point: vec3f, radius_m: f32) -> Incident {
    return Incident(vec3f(0.0), vec3f(0.0));
}
