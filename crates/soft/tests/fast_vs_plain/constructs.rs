//! Every construct of the shading language, one small program each, with the words it must leave behind. Each runs on
//! the oracle and on the fast path at every instruction set.

use stillframe_soft::wgpu;

use crate::device::{Gpu, everywhere};

/// One program: `main` runs once and calls `put` in order.
struct Case {
    name: &'static str,
    /// Module scope before `main`.
    scope: &'static str,
    /// Statements of `main`.
    body: &'static str,
    want: Vec<u32>,
}

const PRELUDE: &str = "
@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read> words: array<u32>;
var<private> cursor: u32;
fn put(v: u32) { out[cursor] = v; cursor += 1u; }
fn puti(v: i32) { put(bitcast<u32>(v)); }
fn putf(v: f32) { put(bitcast<u32>(v)); }
fn putb(v: bool) { put(u32(v)); }
fn put3(v: vec3<f32>) { putf(v.x); putf(v.y); putf(v.z); }
fn put4(v: vec4<f32>) { putf(v.x); putf(v.y); putf(v.z); putf(v.w); }
fn put4u(v: vec4<u32>) { put(v.x); put(v.y); put(v.z); put(v.w); }
// Values that no constant folding can see: word i is i, word 16 + i is i as a float.
fn u(i: u32) -> u32 { return words[i]; }
fn i(i: i32) -> i32 { return select(1, -1, i < 0) * bitcast<i32>(words[abs(i)]); }
fn f(v: f32) -> f32 { return v * bitcast<f32>(words[17]); }
";

fn f(values: &[f32]) -> Vec<u32> {
    values.iter().map(|v| v.to_bits()).collect()
}

fn i(values: &[i32]) -> Vec<u32> {
    values.iter().map(|&v| v as u32).collect()
}

fn case(name: &'static str, scope: &'static str, body: &'static str, want: impl Into<Vec<u32>>) -> Case {
    Case { name, scope, body, want: want.into() }
}

fn join(parts: &[Vec<u32>]) -> Vec<u32> {
    parts.concat()
}

const NAN: u32 = 0x7FC0_0000;
const INF: f32 = f32::INFINITY;

fn values() -> Vec<Case> {
    vec![
        case(
            "literals, constants, zero values",
            "const half = 0.5; const list = array<u32, 3>(7u, 8u, 9u); const big: i32 = -2147483648; struct Z { a: f32, b: vec2<i32> }
             alias Word = u32; const_assert half < 1.0;",
            "putf(half); put(list[1]); puti(big); putf(f32()); let z = Z(); putf(z.a); puti(z.b.y); put(0xFFu); putf(1.0e2f); putf(0x1.8p1f);
             put(Word(3u)); putf(mat2x2<f32>()[1].y);",
            join(&[f(&[0.5]), vec![8, 0x8000_0000], vec![0, 0, 0, 255], f(&[100.0, 3.0]), vec![3, 0]]),
        ),
        case(
            "composing, splatting, swizzling",
            "",
            "let a = vec4<f32>(f(1.0), vec2<f32>(f(2.0), f(3.0)), f(4.0)); put4(a.wzyx); put4(vec4<f32>(a.xy, a.bb));
             put4u(vec4<u32>(u(5u))); put3(vec3<f32>(a.yw, 0.0)); var v = vec3<f32>(a.xyz); v.y = 9.0; v[2] += 1.0; put3(v);",
            join(&[f(&[4.0, 3.0, 2.0, 1.0, 1.0, 2.0, 3.0, 3.0]), vec![5; 4], f(&[2.0, 4.0, 0.0, 1.0, 9.0, 4.0])]),
        ),
        case(
            "indices in bounds and out of them, by value and by reference",
            "var<private> p: array<f32, 3> = array<f32, 3>(1.0, 2.0, 3.0);",
            "let a = array<u32, 4>(10u, 11u, 12u, 13u); put(a[u(2u)]); put(a[u(9u)]); put(a[i(-1)]); let v = vec3<u32>(4u, 5u, 6u);
             put(v[u(1u)]); put(v[u(7u)]); var m = mat2x3<f32>(vec3<f32>(f(1.0)), vec3<f32>(f(2.0))); put3(m[u(1u)]); put3(m[u(5u)]);
             m[u(0u)][u(2u)] = 8.0; put3(m[0]); p[u(14u)] = 30.0; putf(p[2]); putf(p[u(1u)]);",
            join(&[
                vec![12, 13, 13, 5, 6],
                f(&[2.0, 2.0, 2.0, 2.0, 2.0, 2.0, 1.0, 1.0, 8.0, 30.0, 2.0]),
            ]),
        ),
        case(
            "structs in structs and arrays of them",
            "struct In { a: vec2<f32>, b: array<u32, 2> } struct Out { x: In, y: array<In, 2>, z: mat2x2<f32> }
             fn make(k: u32) -> In { return In(vec2<f32>(f32(k), 0.5), array<u32, 2>(k, k + 1u)); }",
            "var o = Out(make(1u), array<In, 2>(make(2u), make(3u)), mat2x2<f32>(1.0, 2.0, 3.0, 4.0)); o.y[u(1u)].b[0] = 77u;
             let copy = o; o.x = o.y[1]; put(o.x.b[0]); put(copy.x.b[0]); putf(o.x.a.x); put(o.y[u(0u)].b[u(1u)]); putf(o.z[1].x);",
            join(&[vec![77, 1], f(&[3.0]), vec![3], f(&[3.0])]),
        ),
        case(
            "pointers to variables, parts and private memory",
            "var<private> shared_one: vec2<u32>;
             fn bump(p: ptr<function, u32>, by: u32) -> u32 { *p += by; return *p * 2u; }
             fn fill(p: ptr<function, array<u32, 3>>) { for (var k = 0u; k < 3u; k++) { (*p)[k] = k * k; } }
             fn change() { shared_one.y = shared_one.x + 5u; }",
            "var a = u(3u); put(bump(&a, 4u)); put(a); var l: array<u32, 3>; fill(&l); put(l[2]); let q = &l[1]; *q = 40u; put(l[1]);
             shared_one.x = 2u; change(); put(shared_one.y); { let r = &shared_one; (*r).x = 9u; } put(shared_one.x);",
            vec![14, 7, 4, 40, 7, 9],
        ),
        case(
            "shadows, phonies and compound assignment",
            "",
            "var a = i(5); { let a = 1u; put(a); } if (true) { var a = 2.0; a *= 3.0; putf(a); } puti(a); _ = u(3u); a -= 7; puti(a); a++; a--; a <<= 3u;
             puti(a); a >>= 1u; a |= 1; a ^= 2; a &= 0xF; puti(a); a %= 4; puti(a); var v = vec2<f32>(f(1.0), f(2.0)); v /= 2.0; putf(v.y);",
            join(&[vec![1], f(&[6.0]), i(&[5, -2, -16, 11, 3]), f(&[1.0])]),
        ),
    ]
}

fn operators() -> Vec<Case> {
    vec![
        case(
            "float operators",
            "",
            "let a = f(7.5); let b = f(-2.0); putf(a + b); putf(a - b); putf(a * b); putf(a / b); putf(a % b); putf(-a); putf(f(1.0) / f(0.0));
             putf(f(0.0) / f(0.0)); putf(-f(0.0)); putf(f(-5.5) % f(2.0));",
            join(&[f(&[5.5, 9.5, -15.0, -3.75, 1.5, -7.5, INF]), vec![NAN], f(&[-0.0, -1.5])]),
        ),
        case(
            "integer operators at their edges",
            "",
            "let min = i(1) << u(31u - 16u + 16u - 16u + 0u); let low = -2147483647 - i(1); puti(low / i(-1)); puti(low % i(-1)); puti(i(7) / i(0)); puti(i(7) % i(0));
             puti(i(-7) / i(2)); puti(i(-7) % i(2)); put(u(7u) / u(0u)); put(u(7u) % u(0u)); puti(-low); puti(abs(low)); put(u(1u) << (u(15u) + 20u));
             puti(i(-8) >> u(1u)); put(u(2u) - u(3u)); puti(low - i(1)); put(~u(0u)); puti(i(6) & i(3)); puti(i(6) | i(3)); puti(i(6) ^ i(3)); _ = min;",
            i(&[
                i32::MIN, 0, 7, 0, -3, -1, 7, 0, i32::MIN, i32::MIN, 8, -4, -1, i32::MAX, -1, 2, 7, 5,
            ]),
        ),
        case(
            "comparisons and logic",
            "fn effect(p: ptr<function, u32>) -> bool { *p += 1u; return true; }",
            "let nan = f(0.0) / f(0.0); putb(nan == nan); putb(nan != nan); putb(nan < 1.0); putb(f(0.0) == -f(0.0)); putb(f(1.0) <= f(1.0)); putb(i(-1) < i(1));
             putb(u(3u) > u(2u)); putb(!(u(3u) > u(2u))); var n = 0u; if (u(1u) == 0u && effect(&n)) { n += 10u; } if (u(1u) == 1u || effect(&n)) { n += 100u; } put(n);
             let b = vec2<bool>(true, u(0u) == 1u); putb(any(b)); putb(all(b)); putb((b | vec2<bool>(false, true)).y); putb(b.x & b.y); putb(b.x != b.y);",
            vec![0, 1, 0, 1, 1, 1, 1, 0, 100, 1, 0, 1, 0, 1],
        ),
        case(
            "select",
            "",
            "putf(select(f(1.0), f(2.0), u(1u) == 1u)); let v = select(vec3<f32>(f(1.0)), vec3<f32>(f(5.0)), vec3<bool>(true, false, u(2u) == 2u)); put3(v);
             put4u(select(vec4<u32>(1u), vec4<u32>(2u), u(1u) == 0u));",
            join(&[f(&[2.0, 5.0, 1.0, 5.0]), vec![1; 4]]),
        ),
        case(
            "matrices with vectors and scalars",
            "",
            "let m = mat2x3<f32>(f(1.0), 2.0, 3.0, 4.0, 5.0, 6.0); put3(m * vec2<f32>(f(10.0), 1.0)); let r = vec3<f32>(f(1.0), 0.0, 2.0) * m; putf(r.x); putf(r.y);
             let n = mat3x2<f32>(f(1.0), 0.0, 0.0, 1.0, 2.0, 2.0); let p = m * n; put3(p[2]); put3((m + m)[1]); put3((m * 2.0)[0]); put3((0.5 * m - m)[1]);
             let t = transpose(m); putf(t[2].x); putf(t[2].y);",
            f(&[
                14.0, 25.0, 36.0, 7.0, 16.0, 10.0, 14.0, 18.0, 8.0, 10.0, 12.0, 2.0, 4.0, 6.0, -2.0, -2.5, -3.0, 3.0, 6.0,
            ]),
        ),
        case(
            "conversions",
            "",
            "puti(i32(f(-2.9))); put(u32(f(-2.9))); puti(i32(f(3e9))); put(u32(f(9e9))); puti(i32(f(0.0) / f(0.0))); putf(f32(i(-3))); putf(f32(4294967295u - u(0u)));
             putf(f32(u(16u - 1u) > 3u)); putb(bool(f(0.0) / f(0.0))); putb(bool(-f(0.0))); puti(i32(u(3u) == 3u)); put(u32(i(-1))); putf(f32(16777217 + i(0)));
             put3(vec3<f32>(vec3<i32>(i(1), i(-2), i(3))));",
            join(&[
                i(&[-2, 0, 2147483520]),
                vec![4294967040, 0],
                f(&[-3.0, 4294967296.0, 1.0]),
                vec![1, 0, 1, u32::MAX],
                f(&[16777216.0, 1.0, -2.0, 3.0]),
            ]),
        ),
        case(
            "bit casts",
            "",
            "put(bitcast<u32>(f(-0.5))); putf(bitcast<f32>(0x40490FDBu + u(0u))); puti(bitcast<i32>(u(0u) - 1u)); put(bitcast<u32>(bitcast<f32>(0xFF800001u + u(0u))));
             put4u(bitcast<vec4<u32>>(vec4<f32>(f(1.0))));",
            join(&[vec![0xBF00_0000, 0x4049_0FDB, u32::MAX, NAN], vec![0x3F80_0000; 4]]),
        ),
    ]
}

fn functions() -> Vec<Case> {
    vec![
        case(
            "comparison functions",
            "",
            "let nan = f(0.0) / f(0.0); putf(min(f(2.0), f(-1.0))); putf(max(f(2.0), nan)); putf(max(nan, f(2.0))); putf(clamp(f(5.0), f(0.0), f(1.0)));
             puti(clamp(i(-5), i(-3), i(3))); put(clamp(u(5u), u(7u), u(6u))); putf(saturate(f(-3.0))); putf(abs(f(-3.0))); putf(sign(f(-3.0))); puti(sign(i(-3)));
             putf(step(f(1.0), f(1.0))); putf(min(f(0.0), -f(0.0)));",
            join(&[
                f(&[-1.0, 2.0]),
                vec![NAN],
                f(&[1.0]),
                i(&[-3, 6]),
                f(&[0.0, 3.0, -1.0]),
                i(&[-1]),
                f(&[1.0, 0.0]),
            ]),
        ),
        case(
            "rounding and splitting",
            "",
            "putf(floor(f(-1.5))); putf(ceil(f(-1.5))); putf(trunc(f(-1.5))); putf(round(f(2.5))); putf(round(f(-0.5))); putf(fract(f(-1.25)));
             let m = modf(f(-3.75)); putf(m.fract); putf(m.whole); let e = frexp(f(-6.0)); putf(e.fract); puti(e.exp); let z = frexp(f(0.0)); puti(z.exp);
             putf(ldexp(f(1.5), i(4))); putf(ldexp(f(1.0), i(-15) * 10)); let v = modf(vec2<f32>(f(1.5), f(2.25))); putf(v.fract.y); putf(v.whole.x);
             let w = frexp(vec2<f32>(f(8.0), f(0.75))); puti(w.exp.x); puti(w.exp.y); putf(quantizeToF16(f(1.0009766) + 0.0001));",
            join(&[
                f(&[-2.0, -1.0, -1.0, 2.0, -0.0, 0.75, -0.75, -3.0, -0.75]),
                i(&[3, 0]),
                f(&[24.0, 0.0, 0.25, 1.0]),
                i(&[4, 0]),
                f(&[1.0009766]),
            ]),
        ),
        case(
            "roots, powers and angles where they are exact",
            "",
            "putf(sqrt(f(9.0))); putf(inverseSqrt(f(4.0))); putf(exp2(f(10.0))); putf(log2(f(0.25))); putf(exp(f(0.0))); putf(log(f(1.0))); putf(pow(f(2.0), f(3.0)));
             putf(sin(f(0.0))); putf(cos(f(0.0))); putf(tan(f(0.0))); putf(atan(f(0.0))); putf(atan2(f(0.0), f(1.0))); putf(asin(f(0.0))); putf(acos(f(1.0)));
             putf(sinh(f(0.0))); putf(cosh(f(0.0))); putf(tanh(f(0.0))); putf(asinh(f(0.0))); putf(acosh(f(1.0))); putf(atanh(f(0.0))); putf(sqrt(f(-1.0)));
             putf(degrees(f(0.0))); putf(radians(f(0.0))); putf(fma(f(2.0), f(3.0), f(4.0)));",
            join(&[
                f(&[3.0, 0.5, 1024.0, -2.0, 1.0, 0.0, 8.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0]),
                vec![NAN],
                f(&[0.0, 0.0, 10.0]),
            ]),
        ),
        case(
            "geometry",
            "",
            "let a = vec3<f32>(f(1.0), f(2.0), f(2.0)); let b = vec3<f32>(f(0.0), f(1.0), f(0.0)); putf(dot(a, b)); put3(cross(a, b)); putf(length(a)); putf(distance(a, b * 2.0));
             put3(normalize(b * 4.0)); put3(reflect(a, b)); put3(faceForward(b, a, b)); put3(refract(-b, b, f(0.5))); puti(dot(vec2<i32>(i(2), i(3)), vec2<i32>(i(4), i(-5))));
             putf(length(f(-2.0))); putf(distance(f(1.0), f(3.5))); put3(mix(a, b, f(0.5))); putf(mix(f(2.0), f(4.0), f(0.25))); putf(smoothstep(f(0.0), f(2.0), f(1.0)));",
            join(&[
                f(&[2.0, -2.0, 0.0, 1.0, 3.0, 2.236068, 0.0, 1.0, 0.0, 1.0, -2.0, 2.0, -0.0, -1.0, -0.0]),
                f(&[-0.0, -1.0, -0.0]),
                i(&[-7]),
                f(&[2.0, 2.5, 0.5, 1.5, 1.0, 2.5, 0.5]),
            ]),
        ),
        case(
            "determinants",
            "",
            "putf(determinant(mat2x2<f32>(f(1.0), 2.0, 3.0, 4.0))); putf(determinant(mat3x3<f32>(f(2.0), 0.0, 0.0, 0.0, 3.0, 1.0, 0.0, 1.0, 4.0)));
             putf(determinant(mat4x4<f32>(f(2.0), 0.0, 0.0, 0.0, 0.0, 3.0, 0.0, 0.0, 0.0, 0.0, 0.0, 5.0, 0.0, 0.0, 7.0, 0.0)));",
            f(&[-2.0, 22.0, -210.0]),
        ),
        case(
            "bits",
            "",
            "put(countOneBits(u(11u))); put(countLeadingZeros(u(1u))); put(countTrailingZeros(u(8u))); put(countTrailingZeros(u(0u))); put(reverseBits(u(1u)));
             put(firstLeadingBit(u(9u))); put(firstLeadingBit(u(0u))); puti(firstLeadingBit(i(-1))); puti(firstLeadingBit(i(-9))); put(firstTrailingBit(u(12u)));
             puti(extractBits(i(-2), u(0u), u(8u))); put(extractBits(u(15u), u(1u), u(2u))); put(extractBits(u(15u), u(15u) * 3u, u(4u))); put(insertBits(u(0u), u(15u), u(4u), u(2u)));
             puti(insertBits(i(-1), i(0), u(8u), u(4u))); put(extractBits(~u(0u), u(0u), u(15u) * 3u));",
            join(&[
                vec![3, 31, 3, 32, 0x8000_0000, 3, u32::MAX],
                i(&[-1, 3]),
                vec![2],
                i(&[-2]),
                vec![3, 0, 0x30, 0xFFFF_F0FF, u32::MAX],
            ]),
        ),
        case(
            "packing",
            "",
            "let v = vec4<f32>(f(0.0), f(0.5), f(1.0), f(-2.0)); put(pack4x8unorm(v)); put(pack4x8snorm(v)); put(pack2x16unorm(v.yz)); put(pack2x16snorm(v.zw)); put(pack2x16float(v.yw));
             put4(unpack4x8unorm(0xFF000000u + u(0u))); put4(unpack4x8snorm(0x8000817Fu + u(0u))); putf(unpack2x16float(0x3C00u + u(0u)).x); putf(unpack2x16snorm(0x8001u + u(0u)).x);
             putf(unpack2x16unorm(0xFFFFu + u(0u)).x); puti(dot4I8Packed(0x01FF0203u + u(0u), 0x01020304u + u(0u))); put(dot4U8Packed(0x01FF0203u + u(0u), 0x01020304u + u(0u)));
             put(pack4xI8(vec4<i32>(i(-1), i(2), i(3), 300 + i(0)))); put(pack4xU8Clamp(vec4<u32>(u(1u), 300u + u(0u), u(3u), u(4u)))); puti(unpack4xI8(0xFFu + u(0u)).x); put(unpack4xU8(0xFF00u + u(0u)).y);
             put(pack4xI8Clamp(vec4<i32>(300 + i(0), -300 - i(0), i(1), i(0)))); put(pack4x8unorm(vec4<f32>(f(0.0) / f(0.0))));",
            join(&[
                vec![0x00FF_8000, 0x817F_4000, 0xFFFF_8000, 0x8001_7FFF, 0xC000_3800],
                f(&[0.0, 0.0, 0.0, 1.0, 1.0, -1.0, 0.0, -1.0, 1.0, -1.0, 1.0]),
                vec![17, 529],
                vec![0x2C03_02FF, 0x0403_FF01, u32::MAX, 255, 0x0001_807F, 0],
            ]),
        ),
    ]
}

fn control_flow() -> Vec<Case> {
    vec![
        case(
            "if, else if, else",
            "fn grade(v: u32) -> u32 { if (v > 10u) { return 1u; } else if (v > 5u) { return 2u; } else { if (v == 5u) { return 3u; } } return 4u; }",
            "put(grade(u(11u))); put(grade(u(6u))); put(grade(u(5u))); put(grade(u(0u)));",
            vec![1, 2, 3, 4],
        ),
        case(
            "switch with several selectors, a default in the middle, and breaks",
            "fn pick(v: u32) -> u32 {
                var r = 100u;
                switch (v) { case 0u, 1u: { r = 1u; } default: { r = 2u; if (v == 9u) { break; } r += 10u; } case 2u, 3u { r = 3u; break; } case 4u {} }
                return r;
             }
             fn signed(v: i32) -> u32 { switch v { case -1: { return 5u; } case 7, default: { return 6u; } } }",
            "put(pick(u(0u))); put(pick(u(1u))); put(pick(u(3u))); put(pick(u(4u))); put(pick(u(9u))); put(pick(u(8u))); put(signed(i(-1))); put(signed(i(2)));",
            vec![1, 1, 3, 100, 2, 12, 5, 6],
        ),
        case(
            "loops: for, while, loop; break, continue, continuing, break if",
            "",
            "var s = 0u; for (var k = 0u; k < 10u; k++) { if (k == 3u) { continue; } if (k == 6u) { break; } s += k; } put(s);
             var n = u(5u); while (n > 0u) { n -= 1u; if (n == 2u) { break; } } put(n);
             var a = 0u; var b = 0u; loop { a += 1u; if (a % 2u == 0u) { continue; } b += a; continuing { b += 100u; break if (a >= 4u); } } put(a); put(b);
             for (;;) { break; } var c = 0u; loop { if (c > 2u) { break; } loop { c += 1u; if (c > 1u) { break; } continue; } } put(c);
             var w = 0u; for (var x = 0u; x < 3u; x++) { for (var y = 0u; y < 3u; y++) { if (y > x) { break; } w = w * 10u + y; } } put(w);
             var z = 0u; for (var q = 0u; q < 4u; q++) { switch (q) { case 1u: { continue; } case 2u: { break; } default: { z += 1u; } } z += 10u; } put(z);",
            vec![12, 2, 4, 404, 3, 1012, 32],
        ),
        case(
            "variables of a loop start anew",
            "",
            "var s = 0u; for (var k = 0u; k < 3u; k++) { var fresh: u32; fresh += k + 1u; var again = 5u; again += 1u; s += fresh * 10u + again; } put(s);",
            vec![78],
        ),
        case(
            "calls: nested, many results, early returns in loops, no result",
            "struct Two { a: u32, b: f32 }
             fn two(k: u32) -> Two { return Two(k * 2u, f32(k) * 0.5); }
             fn find(v: u32) -> i32 { for (var k = 0; k < 10; k++) { if (u32(k * k) == v) { return k; } } return -1; }
             fn deep(k: u32) -> u32 { return one(one(k) + 1u); }
             fn one(k: u32) -> u32 { if (k == 0u) { return 7u; } return k + 1u; }
             fn nothing(v: u32) { if (v > 3u) { return; } put(1000u + v); }",
            "let t = two(u(3u)); put(t.a); putf(t.b); puti(find(u(9u))); puti(find(u(8u))); put(deep(u(0u))); put(deep(u(4u))); nothing(u(2u)); nothing(u(5u)); put(one(one(one(u(1u)))));",
            join(&[vec![6], f(&[1.5]), i(&[3, -1]), vec![9, 7, 1002, 4]]),
        ),
        case(
            "overridable constants",
            "override scale: f32 = 2.5; @id(7) override count: u32 = 3u; override twice = scale * 2.0; override on: bool = true;",
            "putf(scale); put(count); putf(twice); putb(on);",
            join(&[f(&[2.5]), vec![3], f(&[5.0]), vec![1]]),
        ),
    ]
}

/// Runs `main` once: 64 words out, 32 in.
fn run(gpu: &Gpu, wgsl: &str, groups: u32) -> crate::device::Outcome {
    gpu.checked(|| {
        let out = gpu.buffer(&[0; 256], wgpu::BufferUsages::STORAGE);
        let words: Vec<u32> = (0..16).chain((0..16).map(|v| (v as f32).to_bits())).collect();
        let words = gpu.buffer(&words, wgpu::BufferUsages::STORAGE);
        let module = gpu.module(wgsl);
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: Default::default(),
            cache: None,
        });
        let mut entries = vec![wgpu::BindGroupEntry { binding: 0, resource: out.as_entire_binding() }];
        if wgsl.contains("words[") {
            entries.push(wgpu::BindGroupEntry { binding: 1, resource: words.as_entire_binding() });
        }
        let layout = pipeline.get_bind_group_layout(0);
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &entries,
        });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(groups, 1, 1);
        }
        gpu.queue.submit([encoder.finish()]);
        vec![("out".into(), gpu.read(&out))]
    })
}

fn check(name: &str, wgsl: &str, groups: u32, want: &[u32]) {
    let got = everywhere(|gpu| run(gpu, wgsl, groups)).unwrap_or_else(|verdict| panic!("{name}: {verdict:#?}\n{wgsl}"));
    let got = &got[0].1[..want.len()];
    for (at, (got, want)) in got.iter().zip(want).enumerate() {
        let show = |word: u32| format!("{word:#010x} = {} = {:?}", word as i32, f32::from_bits(word));
        assert_eq!(got, want, "{name}: word {at} is {}, wanted {}", show(*got), show(*want));
    }
}

fn check_all(cases: Vec<Case>) {
    for Case { name, scope, body, want } in cases {
        // `words` is always used, so that the layout always has it.
        let wgsl = format!("{PRELUDE}{scope}\n@compute @workgroup_size(1) fn main() {{ cursor = words[0]; {body} }}\n");
        check(name, &wgsl, 1, &want);
    }
}

#[test]
fn values_and_places() {
    check_all(values());
}

#[test]
fn operators_and_conversions() {
    check_all(operators());
}

#[test]
fn builtin_functions() {
    check_all(functions());
}

#[test]
fn control_flow_and_calls() {
    check_all(control_flow());
}

/// Programs with their own entry point: text, workgroups, words.
fn compute_cases() -> Vec<(&'static str, &'static str, u32, Vec<u32>)> {
    vec![
        (
            "what an invocation knows of itself",
            "@compute @workgroup_size(2, 2, 1) fn main(@builtin(global_invocation_id) g: vec3<u32>, @builtin(local_invocation_id) l: vec3<u32>,
                @builtin(local_invocation_index) n: u32, @builtin(workgroup_id) w: vec3<u32>, @builtin(num_workgroups) c: vec3<u32>) {
                out[n + 4u * w.x] = g.x + 10u * g.y + 100u * l.x + 1000u * l.y + 10000u * n + 100000u * w.x + 1000000u * c.x + words[0]; }",
            2,
            vec![2000000, 2010101, 2021010, 2031111, 2100002, 2110103, 2121012, 2131113],
        ),
        (
            "workgroup memory, barriers, uniform loads",
            "var<workgroup> w: array<u32, 8>; var<workgroup> total: u32; struct S { a: u32, b: array<u32, 2> } var<workgroup> s: S;
             @compute @workgroup_size(8) fn main(@builtin(local_invocation_index) n: u32) {
                w[n] = n + 1u; workgroupBarrier();
                for (var step = 4u; step > 0u; step >>= 1u) { if (n < step) { w[n] += w[n + step]; } workgroupBarrier(); }
                if (n == 3u) { total = w[0] * 2u; s.b[1] = 6u; } let t = workgroupUniformLoad(&total); workgroupBarrier();
                out[n] = t + n + s.b[1] + words[0]; storageBarrier(); }",
            1,
            (0..8).map(|n| 78 + n).collect(),
        ),
        (
            "atomics one after another",
            "var<workgroup> a: atomic<u32>; var<workgroup> b: atomic<i32>;
             @compute @workgroup_size(4) fn main(@builtin(local_invocation_index) n: u32) {
                out[n] = atomicAdd(&a, n + 1u); out[4u + n] = u32(atomicMax(&b, i32(n) - 2)); workgroupBarrier();
                if (n == 0u) { out[8] = atomicLoad(&a); out[9] = u32(atomicLoad(&b)); atomicStore(&a, 12u); out[10] = atomicAnd(&a, 10u); out[11] = atomicOr(&a, 3u);
                    out[12] = atomicXor(&a, 1u); out[13] = atomicSub(&a, 2u); out[14] = atomicExchange(&a, 77u); out[15] = u32(atomicMin(&b, -5)); out[16] = u32(atomicLoad(&b));
                    let r = atomicCompareExchangeWeak(&a, 77u, 5u); out[17] = r.old_value; out[18] = u32(r.exchanged); let q = atomicCompareExchangeWeak(&a, 77u, 6u);
                    out[19] = q.old_value; out[20] = u32(q.exchanged); out[21] = words[0]; } }",
            1,
            vec![0, 1, 3, 6, 0, 0, 0, 0, 10, 1, 12, 8, 11, 10, 8, 1, (-5i32) as u32, 77, 1, 5, 0, 0],
        ),
        (
            "workgroups see what those before them wrote",
            "@compute @workgroup_size(1) fn main(@builtin(workgroup_id) w: vec3<u32>) { out[w.x] = out[8] + words[0]; out[8] += w.x + 1u; }",
            4,
            vec![0, 1, 3, 6, 0, 0, 0, 0, 10],
        ),
        (
            "invocations that have left stay away",
            "@compute @workgroup_size(8) fn main(@builtin(local_invocation_index) n: u32) {
                out[n] = words[0] + 1u; if (n % 2u == 0u) { return; } out[n] += 10u;
                var k = 0u; loop { if (k >= n) { break; } k += 1u; if (k == 3u) { out[n] += 100u; if (n == 5u) { return; } } } out[n] += 1000u; }",
            1,
            vec![1, 1011, 1, 1111, 1, 111, 1, 1111],
        ),
        (
            "layouts of buffers: padding, matrices, nested arrays, runtime sizes",
            "struct In { a: f32, b: vec3<f32>, c: mat2x3<f32>, d: array<vec2<u32>, 2>, e: u32 } struct All { head: u32, list: array<In> }
             @group(0) @binding(2) var<storage, read_write> all: All;
             @compute @workgroup_size(1) fn main() { out[0] = arrayLength(&all.list) + words[0]; all.list[1].b = vec3<f32>(1.0, 2.0, 3.0); all.list[0].e = 9u; all.list[0].c[1].z = 4.0;
                all.list[1].d[1].y = 5u; all.head = 3u; let copy = all.list[1]; out[1] = bitcast<u32>(copy.b.z); out[2] = copy.d[1].y; all.list[7].e = 66u; out[3] = all.list[7].e;
                all.list[0].d[words[5]].x = 44u; out[4] = all.list[0].d[words[5]].x; out[5] = all.list[0].e; }",
            1,
            vec![2, 0x4040_0000, 5, 0, 0, 9],
        ),
        (
            "uniform buffers",
            "struct U { a: vec3<f32>, b: f32, m: mat3x3<f32>, v: array<vec4<u32>, 2> } @group(0) @binding(3) var<uniform> un: U;
             @compute @workgroup_size(1) fn main() { out[0] = bitcast<u32>(un.b); out[1] = bitcast<u32>(un.m[2].y); out[2] = un.v[words[1]].z; out[3] = un.v[words[9]].x; }",
            1,
            vec![3, 13, 22, 0],
        ),
        (
            "storage textures: stores, loads, sizes, formats",
            "@group(0) @binding(4) var t: texture_storage_2d<rgba8unorm, write>; @group(0) @binding(5) var r: texture_storage_2d<r32uint, read_write>;
             @compute @workgroup_size(1) fn main() { textureStore(t, vec2<i32>(1, 0), vec4<f32>(0.5, 2.0, -1.0, 1.0)); out[0] = textureDimensions(t).x + words[0];
                textureStore(r, vec2<u32>(2u, 1u), vec4<u32>(41u)); textureStore(r, vec2<i32>(-1, 0), vec4<u32>(9u)); out[1] = textureLoad(r, vec2<i32>(2, 1)).x + 1u;
                out[2] = textureLoad(r, vec2<i32>(9, 0)).x; out[3] = textureDimensions(r).y; }",
            1,
            vec![4, 42, 0, 2],
        ),
    ]
}

/// As `run`, with every kind of resource: 2 storage, 3 uniform, 4 and 5 storage textures.
fn run_with_resources(gpu: &Gpu, wgsl: &str, groups: u32) -> crate::device::Outcome {
    gpu.checked(|| {
        let storage = wgpu::BufferUsages::STORAGE;
        let out = gpu.buffer(&[0; 256], storage);
        let words: Vec<u32> = (0..32).collect();
        let buffers = [
            gpu.buffer(&words, storage),
            gpu.buffer(&[0; 4 + 2 * 24], storage),
            gpu.buffer(&words, wgpu::BufferUsages::UNIFORM),
        ];
        let texture = |format| {
            gpu.device.create_texture(&wgpu::TextureDescriptor {
                label: None,
                size: wgpu::Extent3d { width: 4, height: 2, depth_or_array_layers: 1 },
                mip_level_count: 1,
                sample_count: 1,
                dimension: wgpu::TextureDimension::D2,
                format,
                usage: wgpu::TextureUsages::STORAGE_BINDING | wgpu::TextureUsages::COPY_SRC,
                view_formats: &[],
            })
        };
        let textures = [texture(wgpu::TextureFormat::Rgba8Unorm), texture(wgpu::TextureFormat::R32Uint)];
        let views = textures.each_ref().map(|t| t.create_view(&Default::default()));
        let module = gpu.module(wgsl);
        let pipeline = gpu.device.create_compute_pipeline(&wgpu::ComputePipelineDescriptor {
            label: None,
            layout: None,
            module: &module,
            entry_point: Some("main"),
            compilation_options: Default::default(),
            cache: None,
        });
        let mut entries = vec![
            wgpu::BindGroupEntry { binding: 0, resource: out.as_entire_binding() },
            wgpu::BindGroupEntry { binding: 1, resource: buffers[0].as_entire_binding() },
        ];
        let view = |i: usize| wgpu::BindingResource::TextureView(&views[i]);
        let others = [buffers[1].as_entire_binding(), buffers[2].as_entire_binding(), view(0), view(1)];
        for (binding, resource) in (2..).zip(others) {
            if wgsl.contains(&format!("@binding({binding})")) {
                entries.push(wgpu::BindGroupEntry { binding, resource });
            }
        }
        let layout = pipeline.get_bind_group_layout(0);
        let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
            label: None,
            layout: &layout,
            entries: &entries,
        });
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_compute_pass(&Default::default());
            pass.set_pipeline(&pipeline);
            pass.set_bind_group(0, &group, &[]);
            pass.dispatch_workgroups(groups, 1, 1);
        }
        gpu.queue.submit([encoder.finish()]);
        vec![
            ("out".into(), gpu.read(&out)),
            ("storage".into(), gpu.read(&buffers[1])),
            ("unorm".into(), gpu.read_texture(&textures[0])),
            ("uint".into(), gpu.read_texture(&textures[1])),
        ]
    })
}

#[test]
fn memory_and_order() {
    for (name, wgsl, groups, want) in compute_cases() {
        let head = "@group(0) @binding(0) var<storage, read_write> out: array<u32>;
@group(0) @binding(1) var<storage, read> words: array<u32>;";
        let wgsl = format!("{head}\n{wgsl}");
        let got = everywhere(|gpu| run_with_resources(gpu, &wgsl, groups))
            .unwrap_or_else(|verdict| panic!("{name}: {verdict:#?}\n{wgsl}"));
        assert_eq!(got[0].1[..want.len()], want, "{name}");
        if name.starts_with("storage textures") {
            assert_eq!(got[2].1[..3], [0, 0xFF00_FF80, 0], "{name}");
            assert_eq!(got[3].1[64..68], [0, 0, 41, 0], "{name}");
        }
        if name.starts_with("layouts") {
            let at = |word: usize| got[1].1[word];
            assert_eq!((at(0), at(4 + 20), at(4 + 14)), (3, 9, 4.0f32.to_bits()), "{name}");
            assert_eq!((at(28 + 4), at(28 + 19)), (1.0f32.to_bits(), 5), "{name}");
        }
    }
}

/// Fragment stages over 4 x 4 pixels: text after the vertex stage, words of the pixels row by row (one a pixel).
fn fragment_cases() -> Vec<(&'static str, &'static str, [u32; 16])> {
    let grid = |f: &dyn Fn(u32, u32) -> u32| std::array::from_fn(|p| f(p as u32 % 4, p as u32 / 4));
    vec![
        (
            "positions and facing",
            "@fragment fn main(v: V, @builtin(front_facing) front: bool) -> @location(0) vec4<u32> { return vec4<u32>(u32(v.p.x * 2.0) + 100u * u32(v.p.y * 2.0) + 1000u * u32(front)); }",
            grid(&|x, y| 2 * x + 1 + 100 * (2 * y + 1) + 1000),
        ),
        (
            "derivatives, fine, coarse and plain",
            "@fragment fn main(v: V) -> @location(0) vec4<u32> { let s = floor(v.p.x) * floor(v.p.x) + 10.0 * floor(v.p.x) * floor(v.p.y);
                return vec4<u32>(u32(dpdxFine(s)) + 100u * u32(dpdxCoarse(s)) + 10000u * u32(dpdyFine(s)) + 1000000u * u32(dpdy(s)) + 100000000u * u32(fwidth(v.p.x * 5.0 + v.p.y * 7.0))); }",
            grid(&|x, y| {
                let s = |x: u32, y: u32| x * x + 10 * x * y;
                let (qx, qy) = (x & 2, y & 2);
                (s(qx + 1, y) - s(qx, y))
                    + 100 * (s(qx + 1, qy) - s(qx, qy))
                    + 10000 * (s(x, qy + 1) - s(x, qy))
                    + 1000000 * (s(qx, qy + 1) - s(qx, qy))
                    + 100000000 * 12
            }),
        ),
        (
            "derivatives where only some lanes run",
            "@fragment fn main(v: V) -> @location(0) vec4<u32> { var r = 7u; let x = u32(v.p.x); let y = u32(v.p.y); if ((x + y) % 2u == 0u) { r = u32(10.0 + dpdx(v.p.x * 4.0)); }
                if (y % 2u == 1u) { r += 100u * u32(10.0 + dpdy(v.p.y * 3.0)) + 10000u * u32(10.0 + dpdx(v.p.x * 5.0)); } return vec4<u32>(r); }",
            // The first branch runs lanes 0 and 3: lane 1 stands in with lane 0, no difference. The second runs lanes 2
            // and 3: lanes 0 and 1 stand in with lane 2.
            grid(&|x, y| (if (x + y) % 2 == 0 { 10 } else { 7 }) + if y % 2 == 1 { 100 * 10 + 10000 * 10 } else { 0 }),
        ),
        (
            "discard leaves the target and keeps the quad alive",
            "@fragment fn main(v: V) -> @location(0) vec4<u32> { let x = u32(v.p.x); if (x % 2u == 0u) { discard; } return vec4<u32>(5u + u32(dpdx(v.p.x * 3.0))); }",
            grid(&|x, _| if x % 2 == 0 { 0 } else { 8 }),
        ),
        (
            "writes of fragments, none after discard",
            "@group(0) @binding(0) var<storage, read_write> n: array<atomic<u32>, 4>;
             @fragment fn main(v: V) -> @location(0) vec4<u32> { let at = atomicAdd(&n[0], 1u); if (v.p.x > 2.0) { discard; } atomicAdd(&n[1], 1u); return vec4<u32>(at); }",
            // 2 x 2 quads row by row, four lanes each.
            grid(&|x, y| if x >= 2 { 0 } else { (y & 2) * 4 + (y & 1) * 2 + x }),
        ),
    ]
}

fn run_fragment(gpu: &Gpu, wgsl: &str) -> crate::device::Outcome {
    gpu.checked(|| {
        let counters = gpu.buffer(&[0; 4], wgpu::BufferUsages::STORAGE);
        let module = gpu.module(wgsl);
        let format = wgpu::TextureFormat::Rgba32Uint;
        let pipeline = gpu.device.create_render_pipeline(&wgpu::RenderPipelineDescriptor {
            label: None,
            layout: None,
            vertex: wgpu::VertexState {
                module: &module,
                entry_point: Some("vertex"),
                compilation_options: Default::default(),
                buffers: &[],
            },
            primitive: Default::default(),
            depth_stencil: None,
            multisample: Default::default(),
            fragment: Some(wgpu::FragmentState {
                module: &module,
                entry_point: Some("main"),
                compilation_options: Default::default(),
                targets: &[Some(format.into())],
            }),
            multiview_mask: None,
            cache: None,
        });
        let target = gpu.target(4, format);
        let view = target.create_view(&Default::default());
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        {
            let mut pass = encoder.begin_render_pass(&wgpu::RenderPassDescriptor {
                color_attachments: &[Some(wgpu::RenderPassColorAttachment {
                    view: &view,
                    depth_slice: None,
                    resolve_target: None,
                    ops: wgpu::Operations {
                        load: wgpu::LoadOp::Clear(wgpu::Color::TRANSPARENT),
                        store: wgpu::StoreOp::Store,
                    },
                })],
                ..Default::default()
            });
            pass.set_pipeline(&pipeline);
            if wgsl.contains("@group(0)") {
                let group = gpu.device.create_bind_group(&wgpu::BindGroupDescriptor {
                    label: None,
                    layout: &pipeline.get_bind_group_layout(0),
                    entries: &[wgpu::BindGroupEntry { binding: 0, resource: counters.as_entire_binding() }],
                });
                pass.set_bind_group(0, &group, &[]);
            }
            pass.draw(0..3, 0..1);
        }
        gpu.queue.submit([encoder.finish()]);
        vec![("target".into(), gpu.read_texture(&target)), ("counters".into(), gpu.read(&counters))]
    })
}

#[test]
fn fragments() {
    let head = "struct V { @builtin(position) p: vec4<f32> }
@vertex fn vertex(@builtin(vertex_index) i: u32) -> V {
    return V(vec4<f32>(f32(i & 1u) * 4.0 - 1.0, f32(i & 2u) * 2.0 - 1.0, 0.0, 1.0));
}";
    for (name, wgsl, want) in fragment_cases() {
        let wgsl = format!("{head}\n{wgsl}");
        let got = everywhere(|gpu| run_fragment(gpu, &wgsl)).unwrap_or_else(|v| panic!("{name}: {v:#?}\n{wgsl}"));
        // Rows of 256 bytes.
        let pixels: Vec<u32> = (0..16).map(|p| got[0].1[p / 4 * 64 + p % 4 * 4]).collect();
        assert_eq!(pixels, want, "{name}");
        if name.starts_with("writes") {
            assert_eq!(got[1].1[..2], [16, 8], "{name}");
        }
    }
}
