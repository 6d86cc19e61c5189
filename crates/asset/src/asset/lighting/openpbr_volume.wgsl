// What is inside something thick of OpenPBR.

fn glass_inside(own: Openpbr) -> Inside {
    return Inside(own.thickness_m, own.transmission_color, own.transmission_depth_m);
}
