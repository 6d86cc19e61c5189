fn incident_directional(light: Light, point: vec3f) -> Incident {
    return Incident(-light.direction, light.color);
}
