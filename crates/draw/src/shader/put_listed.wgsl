// Put listed: surfaces of each pixel are drawn over each other from far to near. The list is in the order in which they
// came, which can be any: the depth orders them, then the object, then the colour. Surfaces that are alike in all of it
// can change places.

@group(0) @binding(0) var<storage, read> counts: array<u32>;
@group(0) @binding(1) var<storage, read> starts: array<u32>;
@group(0) @binding(2) var<storage, read> lists: array<Listed>;
// The width of the picture.
@group(0) @binding(3) var<uniform> width_px: vec4u;

// Whether surface `a` is drawn before `b`. Depth is reversed: nearer is greater. Of one depth the first object is seen.
fn is_before(a: u32, b: u32) -> bool {
    let x = lists[a];
    let y = lists[b];
    if x.depth != y.depth {
        return x.depth < y.depth;
    }
    if x.id != y.id {
        return x.id > y.id;
    }
    let p = bitcast<vec4u>(x.color);
    let q = bitcast<vec4u>(y.color);
    if p.x != q.x {
        return p.x < q.x;
    }
    if p.y != q.y {
        return p.y < q.y;
    }
    if p.z != q.z {
        return p.z < q.z;
    }
    if p.w != q.w {
        return p.w < q.w;
    }
    return a < b;
}

@fragment
fn put(@builtin(position) position: vec4f) -> @location(0) vec4f {
    let pixel = u32(position.y) * width_px.x + u32(position.x);
    let first = starts[pixel];
    let count = counts[pixel];
    var sum = vec4f(0.0);
    var last = first;
    for (var drawn = 0u; drawn < count; drawn++) {
        // The first of all that are behind the last one that was drawn.
        var next = first + count;
        for (var at = first; at < first + count; at++) {
            let is_left = drawn == 0u || is_before(last, at);
            if is_left && (next == first + count || is_before(at, next)) {
                next = at;
            }
        }
        let over = lists[next].color;
        sum = over + sum * (1.0 - over.w);
        last = next;
    }
    return sum;
}
