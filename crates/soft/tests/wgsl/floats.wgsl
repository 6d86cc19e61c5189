// Floating-point rules of docs/adapter-rules.md.

fn min_f(a: f32, b: f32) -> f32 { return min(a, b); }
fn max_f(a: f32, b: f32) -> f32 { return max(a, b); }
// run: min_f(1.0, 2.0) == 1.0
// run: min_f(1.0, nan) == 1.0
// run: max_f(1.0, nan) == 1.0
// run: min_f(0.0, -0.0) == 0.0
// run: max_f(-0.0, 0.0) == -0.0

fn clamp_f(x: f32, lo: f32, hi: f32) -> f32 { return clamp(x, lo, hi); }
fn sat(x: f32) -> f32 { return saturate(x); }
// run: clamp_f(5.0, 0.0, 1.0) == 1.0
// run: clamp_f(-5.0, 0.0, 1.0) == 0.0
// run: sat(0.25) == 0.25
// run: sat(-inf) == 0.0

fn rounds(x: f32) -> vec4<f32> { return vec4(floor(x), ceil(x), trunc(x), round(x)); }
// run: rounds(2.5) == [2.0, 3.0, 2.0, 2.0]
// run: rounds(3.5) == [3.0, 4.0, 3.0, 4.0]
// run: rounds(-2.5) == [-3.0, -2.0, -2.0, -2.0]
// run: rounds(-0.25) == [-1.0, -0.0, -0.0, -0.0]
fn frac(x: f32) -> f32 { return fract(x); }
// run: frac(2.75) == 0.75
// run: frac(-0.25) == 0.75
fn sign_f(x: f32) -> f32 { return sign(x); }
// run: sign_f(-7.0) == -1.0
// run: sign_f(-0.0) == 0.0

fn rem_f(a: f32, b: f32) -> f32 { return a % b; }
// run: rem_f(5.5, 2.0) == 1.5
// run: rem_f(-5.5, 2.0) == -1.5
fn div_f(a: f32, b: f32) -> f32 { return a / b; }
// run: div_f(1.0, 3.0) == 0.33333334
// run: div_f(1.0, 0.0) == inf
// run: div_f(-1.0, 0.0) == -inf
// run: div_f(0.0, 0.0) == nan
fn two_roundings(a: f32, b: f32, c: f32) -> f32 { return a * b + c; }
fn fused(a: f32, b: f32, c: f32) -> f32 { return fma(a, b, c); }
// run: two_roundings(1.0000001, 1.0000001, -1.0000002) == 0.0
// run: fused(1.0000001, 1.0000001, -1.0000002) == 0.0
fn subnormal(a: f32) -> f32 { return a * 0.5; }
// run: subnormal(0x00000002_f) == 0x00000001_f
// run: subnormal(0x00000001_f) == 0.0

fn root(x: f32) -> f32 { return sqrt(x); }
fn inverse_root(x: f32) -> f32 { return inverseSqrt(x); }
// run: root(2.0) == 1.4142135
// run: root(-1.0) == nan
// run: root(-0.0) == -0.0
// run: inverse_root(4.0) == 0.5
// run: inverse_root(0.0) == inf

fn steps(e: f32, x: f32) -> f32 { return step(e, x); }
fn smooth_(a: f32, b: f32, x: f32) -> f32 { return smoothstep(a, b, x); }
fn mixed(a: f32, b: f32, t: f32) -> f32 { return mix(a, b, t); }
// run: steps(0.5, 0.5) == 1.0
// run: steps(0.5, 0.25) == 0.0
// run: smooth_(0.0, 2.0, 1.0) == 0.5
// run: smooth_(0.0, 1.0, -3.0) == 0.0
// run: mixed(2.0, 4.0, 0.25) == 2.5

fn exp2_of(x: f32) -> f32 { return exp2(x); }
fn log2_of(x: f32) -> f32 { return log2(x); }
fn pow_of(x: f32, y: f32) -> f32 { return pow(x, y); }
// run: exp2_of(10.0) == 1024.0
// run: exp2_of(-1.0) == 0.5
// run: exp2_of(200.0) == inf
// run: log2_of(8.0) == 3.0
// run: log2_of(0.0) == -inf
// run: log2_of(-1.0) == nan
// run: pow_of(2.0, 10.0) == 1024.0
// run: pow_of(9.0, 0.5) == 3.0
fn sin_of(x: f32) -> f32 { return sin(x); }
fn cos_of(x: f32) -> f32 { return cos(x); }
fn atan_of(y: f32, x: f32) -> f32 { return atan2(y, x); }
// run: sin_of(0.0) == 0.0
// run: cos_of(0.0) == 1.0
// run: sin_of(1.0) == 0.84147096
// run: cos_of(1.0) == 0.5403023
// run: sin_of(1000000.0) == -0.34999350
// run: atan_of(0.0, 1.0) == 0.0
// run: atan_of(1.0, 1.0) == 0.7853982

fn frexp_of(x: f32) -> vec2<f32> { let r = frexp(x); return vec2(r.fract, f32(r.exp)); }
fn modf_of(x: f32) -> vec2<f32> { let r = modf(x); return vec2(r.fract, r.whole); }
fn ldexp_of(x: f32, e: i32) -> f32 { return ldexp(x, e); }
// run: frexp_of(8.0) == [0.5, 4.0]
// run: frexp_of(-0.75) == [-0.75, 0.0]
// run: frexp_of(0.0) == [0.0, 0.0]
// run: modf_of(-2.75) == [-0.75, -2.0]
// run: ldexp_of(0.75, 3) == 6.0
