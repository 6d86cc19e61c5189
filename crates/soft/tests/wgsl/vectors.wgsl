// Vectors and matrices.

fn dots(a: vec3<f32>, b: vec3<f32>) -> f32 { return dot(a, b); }
fn crossed(a: vec3<f32>, b: vec3<f32>) -> vec3<f32> { return cross(a, b); }
fn unit(a: vec3<f32>) -> vec3<f32> { return normalize(a); }
fn len(a: vec2<f32>) -> f32 { return length(a); }
// run: dots([1.0, 2.0, 3.0], [4.0, 5.0, 6.0]) == 32.0
// run: crossed([1.0, 0.0, 0.0], [0.0, 1.0, 0.0]) == [0.0, 0.0, 1.0]
// run: unit([0.0, 3.0, 4.0]) == [0.0, 0.6, 0.8]
// run: len([3.0, 4.0]) == 5.0
fn mirrored(i: vec3<f32>, n: vec3<f32>) -> vec3<f32> { return reflect(i, n); }
fn bent(i: vec2<f32>, n: vec2<f32>, eta: f32) -> vec2<f32> { return refract(i, n, eta); }
// run: mirrored([1.0, -1.0, 0.0], [0.0, 1.0, 0.0]) == [1.0, 1.0, 0.0]
// run: bent([0.0, -1.0], [0.0, 1.0], 0.5) == [0.0, -1.0]
// run: bent([1.0, 0.0], [0.0, 1.0], 2.0) == [0.0, 0.0]
fn swizzle(a: vec4<f32>) -> vec4<f32> { return a.wzyx + a.xxyy; }
// run: swizzle([1.0, 2.0, 3.0, 4.0]) == [5.0, 4.0, 4.0, 3.0]
fn dynamic(a: vec4<f32>, k: i32) -> f32 { return a[k]; }
// run: dynamic([1.0, 2.0, 3.0, 4.0], 2) == 3.0
// run: dynamic([1.0, 2.0, 3.0, 4.0], 9) == 4.0
// run: dynamic([1.0, 2.0, 3.0, 4.0], -1) == 4.0
fn written(k: u32, x: f32) -> vec3<f32> { var v = vec3(1.0, 2.0, 3.0); v[k] = x; return v; }
// run: written(1u, 9.0) == [1.0, 9.0, 3.0]
// run: written(7u, 9.0) == [1.0, 2.0, 9.0]
fn chosen(c: vec2<bool>, a: vec2<f32>, b: vec2<f32>) -> vec2<f32> { return select(a, b, c); }
// run: chosen([true, false], [1.0, 2.0], [3.0, 4.0]) == [3.0, 2.0]
fn all_any(c: vec3<bool>) -> vec2<bool> { return vec2(all(c), any(c)); }
// run: all_any([true, false, true]) == [false, true]
// run: all_any([true, true, true]) == [true, true]
// run: all_any([false, false, false]) == [false, false]

fn times(m: mat2x2<f32>, v: vec2<f32>) -> vec2<f32> { return m * v; }
fn row_times(v: vec2<f32>, m: mat2x2<f32>) -> vec2<f32> { return v * m; }
fn product(a: mat2x2<f32>, b: mat2x2<f32>) -> mat2x2<f32> { return a * b; }
// run: times([[1.0, 2.0], [3.0, 4.0]], [1.0, 10.0]) == [31.0, 42.0]
// run: row_times([1.0, 10.0], [[1.0, 2.0], [3.0, 4.0]]) == [21.0, 43.0]
// run: product([[1.0, 2.0], [3.0, 4.0]], [[0.0, 1.0], [1.0, 0.0]]) == [[3.0, 4.0], [1.0, 2.0]]
fn turned(m: mat2x3<f32>) -> mat3x2<f32> { return transpose(m); }
// run: turned([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]) == [[1.0, 4.0], [2.0, 5.0], [3.0, 6.0]]
fn det3(m: mat3x3<f32>) -> f32 { return determinant(m); }
fn det4(m: mat4x4<f32>) -> f32 { return determinant(m); }
// run: det3([[2.0, 0.0, 0.0], [0.0, 3.0, 0.0], [1.0, 1.0, 4.0]]) == 24.0
// run: det4([[1.0, 0.0, 0.0, 0.0], [0.0, 2.0, 0.0, 0.0], [0.0, 0.0, 3.0, 0.0], [5.0, 6.0, 7.0, 4.0]]) == 24.0
fn column(m: mat3x2<f32>, k: u32) -> vec2<f32> { var n = m; return n[k]; }
// run: column([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], 1u) == [3.0, 4.0]
// run: column([[1.0, 2.0], [3.0, 4.0], [5.0, 6.0]], 8u) == [5.0, 6.0]
fn scaled(m: mat2x2<f32>, s: f32) -> mat2x2<f32> { return m * s + m; }
// run: scaled([[1.0, 2.0], [3.0, 4.0]], 2.0) == [[3.0, 6.0], [9.0, 12.0]]
