// Bend: shapes are added to a vertex, then joints pull at it. The same operations in the same order as the kernels of
// `stillframe_anim::morph` and `stillframe_anim::skin`, whose pages say where they come from. Group 3. Who bends is
// said by `posture` or `crowd`: `joint_row`, `form_of`, `share_of` and `bender` are theirs.

// What rows of a joint are: see `Form`.
const MATRICES = 0u;
const DUAL_QUATERNIONS = 1u;
const PLACES = 2u;
const BLENDED = 3u;
const CENTRES = 4u;

// A length whose square is below this is none.
const LENGTH_SQUARED_MIN = 1.17549435e-38;

struct Influence {
    joint: u32,
    weight: f32,
}

// Where a whole share of a shape moves a vertex.
struct Delta {
    shape: u32,
    px: f32,
    py: f32,
    pz: f32,
    nx: f32,
    ny: f32,
    nz: f32,
    tx: f32,
    ty: f32,
    tz: f32,
}

struct Vertex {
    position: vec3f,
    normal: vec3f,
    tangent: vec3f,
}

// One more than there are vertices: where a vertex's influences and deltas begin.
@group(3) @binding(2) var<storage, read> starts: array<vec2u>;
@group(3) @binding(3) var<storage, read> influences: array<Influence>;
@group(3) @binding(4) var<storage, read> deltas: array<Delta>;
fn along(row: vec4f, v: vec3f) -> f32 {
    return (row.x * v.x + row.y * v.y) + row.z * v.z;
}

// Unit length; `otherwise` where there is no direction left.
fn direction(v: vec3f, otherwise: vec3f) -> vec3f {
    let length = sqrt((v.x * v.x + v.y * v.y) + v.z * v.z);
    if length > 0.0 && length <= 3.4028234e38 {
        return v * (1.0 / length);
    }
    return otherwise;
}

fn dot_4(a: vec4f, b: vec4f) -> f32 {
    return ((a.x * b.x + a.y * b.y) + a.z * b.z) + a.w * b.w;
}

fn crossed(a: vec3f, b: vec3f) -> vec3f {
    return vec3f(a.y * b.z - b.y * a.z, a.z * b.x - b.z * a.x, a.x * b.y - b.x * a.y);
}

// A vector as the shortest turn from one unit vector to another takes it; as it is where they are opposite.
fn turned(v: vec3f, before: vec3f, after: vec3f) -> vec3f {
    let whole = 1.0 + ((before.x * after.x + before.y * after.y) + before.z * after.z);
    if !(whole > 1e-3) {
        return v;
    }
    let axis = crossed(before, after);
    let once = crossed(axis, v);
    return (v + once) + crossed(axis, once) * (1.0 / whole);
}

// A share of a delta more; a 0 of it leaves a number to the bit.
fn added(v: vec3f, delta: vec3f, share: f32) -> vec3f {
    return select(v + delta * share, v, delta == vec3f(0.0));
}

// A vertex, bent by `who`.
fn bend(number: u32, who: vec2u, rest: Vertex) -> Vertex {
    let begin = starts[number];
    let end = starts[number + 1u];
    var out = rest;
    for (var at = begin.y; at < end.y; at++) {
        let delta = deltas[at];
        let share = share_of(who, delta.shape);
        if share != 0.0 {
            out.position = added(out.position, vec3f(delta.px, delta.py, delta.pz), share);
            out.normal = added(out.normal, vec3f(delta.nx, delta.ny, delta.nz), share);
            out.tangent = added(out.tangent, vec3f(delta.tx, delta.ty, delta.tz), share);
        }
    }
    if begin.x == end.x {
        return out;
    }
    let form = form_of(who);
    if form == PLACES {
        let vertex = influences[begin.x].joint;
        out.position = joint_row(who, vertex, 0u).xyz;
        out.normal = direction(joint_row(who, vertex, 1u).xyz, out.normal);
        out.tangent = direction(turned(out.tangent, rest.normal, out.normal), out.tangent);
        return out;
    }
    // Of both ways each joint has two entries.
    let paired = form == BLENDED || form == CENTRES;
    let dual = paired || form == DUAL_QUATERNIONS;
    let entries = select(1u, 2u, paired);
    // What follows the influences: a share of the second way, or a centre of rotation.
    let last = end.x - select(select(0u, 1u, form == BLENDED), 2u, form == CENTRES);
    let head = influences[begin.x];
    let first = head.joint * entries + entries - 1u;
    let pivot = joint_row(who, first, 0u);
    var x = pivot * head.weight;
    var y = joint_row(who, first, 1u) * head.weight;
    var z = joint_row(who, first, 2u) * head.weight;
    for (var at = begin.x + 1u; at < last; at++) {
        let joint = influences[at].joint * entries + entries - 1u;
        let weight = influences[at].weight;
        let row = joint_row(who, joint, 0u);
        // Of the two quaternions of a turn the one that is nearer to the first.
        let turn = select(weight, -weight, dual && dot_4(pivot, row) < 0.0);
        x += row * turn;
        y += joint_row(who, joint, 1u) * turn;
        z += joint_row(who, joint, 2u) * weight;
    }
    if dual {
        let length_squared = dot_4(x, x);
        let is_turn = !(length_squared < LENGTH_SQUARED_MIN);
        let factor = select(1.0, 1.0 / sqrt(length_squared), is_turn);
        let q = x * factor;
        let d = y * factor;
        let scale = z.x;
        let two = q.xyz + q.xyz;
        let xx = q.x * two.x;
        let yy = q.y * two.y;
        let zz = q.z * two.z;
        let xy = q.x * two.y;
        let xz = q.x * two.z;
        let yz = q.y * two.z;
        let wx = q.w * two.x;
        let wy = q.w * two.y;
        let wz = q.w * two.z;
        let tx = 2.0 * ((q.w * d.x - d.w * q.x) + (q.y * d.z - q.z * d.y));
        let ty = 2.0 * ((q.w * d.y - d.w * q.y) + (q.z * d.x - q.x * d.z));
        let tz = 2.0 * ((q.w * d.z - d.w * q.z) + (q.x * d.y - q.y * d.x));
        x = vec4f((1.0 - (yy + zz)) * scale, (xy - wz) * scale, (xz + wy) * scale, tx);
        y = vec4f((xy + wz) * scale, (1.0 - (xx + zz)) * scale, (yz - wx) * scale, ty);
        z = vec4f((xz - wy) * scale, (yz + wx) * scale, (1.0 - (xx + yy)) * scale, tz);
        if paired {
            let own = head.joint * 2u;
            var lx = joint_row(who, own, 0u) * head.weight;
            var ly = joint_row(who, own, 1u) * head.weight;
            var lz = joint_row(who, own, 2u) * head.weight;
            for (var at = begin.x + 1u; at < last; at++) {
                let joint = 2u * influences[at].joint;
                let weight = influences[at].weight;
                lx += joint_row(who, joint, 0u) * weight;
                ly += joint_row(who, joint, 1u) * weight;
                lz += joint_row(who, joint, 2u) * weight;
            }
            let tail = influences[last];
            if form == BLENDED {
                x = lx + (x - lx) * tail.weight;
                y = ly + (y - ly) * tail.weight;
                z = lz + (z - lz) * tail.weight;
            } else {
                let centre = vec3f(bitcast<f32>(tail.joint), tail.weight, bitcast<f32>(influences[last + 1u].joint));
                x.w = (along(lx, centre) + lx.w) - along(x, centre);
                y.w = (along(ly, centre) + ly.w) - along(y, centre);
                z.w = (along(lz, centre) + lz.w) - along(z, centre);
            }
            x = select(lx, x, is_turn);
            y = select(ly, y, is_turn);
            z = select(lz, z, is_turn);
        }
    }
    let p = out.position;
    out.position = vec3f(along(x, p) + x.w, along(y, p) + y.w, along(z, p) + z.w);
    // Determinant times inverse transpose turns normals as the matrix turns surfaces.
    let n = out.normal;
    let cx = vec4f(y.y * z.z - z.y * y.z, y.z * z.x - z.z * y.x, y.x * z.y - z.x * y.y, 0.0);
    let cy = vec4f(z.y * x.z - x.y * z.z, z.z * x.x - x.z * z.x, z.x * x.y - x.x * z.y, 0.0);
    let cz = vec4f(x.y * y.z - y.y * x.z, x.z * y.x - y.z * x.x, x.x * y.y - y.x * x.y, 0.0);
    out.normal = direction(vec3f(along(cx, n), along(cy, n), along(cz, n)), n);
    let t = out.tangent;
    out.tangent = direction(vec3f(along(x, t), along(y, t), along(z, t)), t);
    return out;
}
