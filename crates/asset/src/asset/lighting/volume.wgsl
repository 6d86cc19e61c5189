// Volume: what is inside something thick (KHR_materials_volume).

fn glass_inside(own: Gltf) -> Inside {
    return Inside(own.thickness_m, own.attenuation_color, own.attenuation_distance_m);
}
