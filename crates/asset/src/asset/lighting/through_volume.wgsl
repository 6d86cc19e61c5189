fn through_transmission(s: Surface, own: Own, v: vec3f, seen: Seen) -> vec4f {
    let ray = ray_through(s, own, v, seen, max(glass_ior(own), 1.0));
    return vec4f(ray.behind.xyz * ray.left, ray.behind.w);
}
