// Arrays, structs, pointers, private variables.

struct Pair { a: f32, b: vec2<f32> }
struct Nest { pairs: array<Pair, 3>, count: u32 }

fn array_at(k: i32) -> i32 { var a = array<i32, 5>(10, 11, 12, 13, 14); return a[k]; }
// run: array_at(0) == 10
// run: array_at(4) == 14
// run: array_at(5) == 14
// run: array_at(-1) == 14

fn fill(n: u32) -> u32 {
    var a: array<u32, 16>;
    for (var i = 0u; i < n; i++) { a[i] = i * i; }
    var sum = 0u;
    for (var i = 0u; i < 16u; i++) { sum += a[i]; }
    return sum;
}
// run: fill(0u) == 0u
// run: fill(4u) == 14u
// run: fill(16u) == 1240u

fn nested(k: u32, x: f32) -> vec3<f32> {
    var n: Nest;
    n.count = 2u;
    n.pairs[1] = Pair(1.0, vec2(2.0, 3.0));
    n.pairs[k].b.y = x;
    let copy = n;
    n.pairs[1].a = 100.0;
    return vec3(copy.pairs[1].a, copy.pairs[1].b.y, copy.pairs[k].b.y + f32(copy.count));
}
// run: nested(0u, 7.0) == [1.0, 3.0, 9.0]
// run: nested(1u, 7.0) == [1.0, 7.0, 9.0]
// run: nested(9u, 7.0) == [1.0, 3.0, 9.0]

fn swap(a: ptr<function, f32>, b: ptr<function, f32>) { let t = *a; *a = *b; *b = t; }
fn swapped(x: f32, y: f32) -> vec2<f32> { var a = x; var b = y; swap(&a, &b); return vec2(a, b); }
// run: swapped(1.0, 2.0) == [2.0, 1.0]

var<private> counter: i32 = 5;
fn next() -> i32 { counter += 1; return counter; }
fn thrice() -> i32 { return next() * 100 + next() * 10 + next(); }
// run: thrice() == 678

const TABLE = array<f32, 4>(0.5, 1.5, 2.5, 3.5);
fn constant(k: u32) -> f32 { return TABLE[k]; }
// run: constant(2u) == 2.5
// run: constant(50u) == 3.5

fn of_arrays(i: u32, j: u32) -> i32 {
    var grid = array<array<i32, 3>, 2>(array(1, 2, 3), array(4, 5, 6));
    grid[i][j] += 10;
    return grid[0][0] * 10000 + grid[1][2] * 100 + grid[i][j];
}
// run: of_arrays(0u, 0u) == 110611
// run: of_arrays(1u, 2u) == 11616
// run: of_arrays(1u, 0u) == 10614

fn through(p: ptr<function, array<i32, 4>>, k: i32) -> i32 { (*p)[k] = (*p)[k] * 2; return (*p)[k]; }
fn by_pointer(k: i32) -> i32 { var a = array(1, 2, 3, 4); let r = through(&a, k); return r * 100 + a[0] + a[1] + a[2] + a[3]; }
// run: by_pointer(0) == 211
// run: by_pointer(3) == 814
