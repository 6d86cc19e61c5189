// Listed: blended surfaces of each pixel as a list (Yang, Hensley, Gruen, Thibieroz 2010). Ours: lists stand one after
// the other, where sums of their lengths say, so none is too short. Group 0, beside `COUNTED`.

// Where the list of each pixel begins, and the end of the last.
@group(0) @binding(3) var<storage, read> list_starts: array<u32>;
@group(0) @binding(4) var<storage, read_write> lists: array<Listed>;

fn add_to_list(position: vec4f, color: vec4f, id: u32) {
    let pixel = pixel_number(position);
    let at = list_starts[pixel] + atomicAdd(&counts[pixel], 1u);
    lists[at] = Listed(color, position.z, id);
}
