
@group(0) @binding(7) var table: texture_2d<f32>;

// A colour of the table by its number.
fn table_at(number: i32) -> vec3f {
    let width = textureDimensions(table).x;
    return textureLoad(table, vec2u(u32(number) % width, u32(number) / width), 0).xyz;
}
