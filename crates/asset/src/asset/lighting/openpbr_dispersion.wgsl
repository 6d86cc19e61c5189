// The dispersion of OpenPBR, in the units of KHR_materials_dispersion.

fn glass_dispersion(own: Openpbr) -> f32 {
    return own.transmission_dispersion_scale * 20.0 / max(own.transmission_dispersion_abbe_number, 1.0);
}
