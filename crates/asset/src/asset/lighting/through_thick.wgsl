// Something thick (KHR_materials_volume): light is bent where it comes in, goes `thickness_m` far in the space of the
// mesh, and loses what the way absorbs (Beer: c^(d / distance)).

// Its thickness in the space of the mesh, and what is left of white light after a distance in the world; 0: all of it.
struct Inside {
    thickness_m: f32,
    attenuation_color: vec3f,
    attenuation_distance_m: f32,
}

// What is seen behind it with this index of refraction, and what the way leaves of it.
struct Ray {
    behind: vec4f,
    left: vec3f,
}

fn ray_through(s: Surface, own: Own, v: vec3f, seen: Seen, ior: f32) -> Ray {
    let inside = glass_inside(own);
    let bent = refract(-v, s.n, 1.0 / ior);
    // A way in the world of this length is as long as 1 in the space of the mesh.
    let local = vec3f(dot(seen.local_x, bent), dot(seen.local_y, bent), dot(seen.local_z, bent));
    let length_m = inside.thickness_m * inverseSqrt(max(dot(local, local), 1e-20));
    var left = vec3f(1.0);
    if inside.attenuation_distance_m > 0.0 {
        left = pow(max(inside.attenuation_color, vec3f(1e-6)), vec3f(length_m / inside.attenuation_distance_m));
    }
    let behind = behind_at(screen_place(seen.point + bent * length_m, seen.at), behind_level_of(s.roughness, glass_ior(own)));
    return Ray(behind, left);
}
