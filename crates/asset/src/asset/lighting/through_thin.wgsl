// A thin sheet: light is spread by its roughness and not bent.

fn through_transmission(s: Surface, own: Own, v: vec3f, seen: Seen) -> vec4f {
    return behind_at(seen.at, behind_level_of(s.roughness, glass_ior(own)));
}
