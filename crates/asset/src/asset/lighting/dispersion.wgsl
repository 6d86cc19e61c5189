// Dispersion (KHR_materials_dispersion).

fn glass_dispersion(own: Gltf) -> f32 {
    return own.dispersion;
}
