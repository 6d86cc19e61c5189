// Object: what is drawn, one entry a draw item, found by instance index.

struct Object {
    world_from_local: mat4x4f,
    // Columns of the inverse transpose; w of the first is -1 for a mirrored object, else 1; w of the second the number
    // of the material, from 1.
    normal_x: vec4f,
    normal_y: vec4f,
    normal_z: vec3f,
    id: u32,
}

@group(3) @binding(0) var<storage, read> objects: array<Object>;
