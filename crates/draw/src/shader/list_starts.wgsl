// List starts: the sums of the lengths of all lists before each list; lengths begin again at 0.

@group(0) @binding(0) var<storage, read_write> counts: array<u32>;
@group(0) @binding(1) var<storage, read_write> starts: array<u32>;

var<workgroup> sums: array<u32, 256>;

@compute @workgroup_size(256)
fn list_starts(@builtin(local_invocation_index) lane: u32) {
    let pixels = arrayLength(&starts) - 1u;
    let each = (pixels + 255u) / 256u;
    let first = min(lane * each, pixels);
    let end = min(first + each, pixels);
    var own = 0u;
    for (var at = first; at < end; at++) {
        own += counts[at];
    }
    sums[lane] = own;
    workgroupBarrier();
    var before = 0u;
    for (var other = 0u; other < lane; other++) {
        before += sums[other];
    }
    for (var at = first; at < end; at++) {
        starts[at] = before;
        before += counts[at];
        counts[at] = 0u;
    }
    if lane == 255u {
        starts[pixels] = before;
    }
}
