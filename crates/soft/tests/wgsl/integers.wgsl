// Integer operators where WGSL leaves room or traps elsewhere.

fn div_i(a: i32, b: i32) -> i32 { return a / b; }
fn rem_i(a: i32, b: i32) -> i32 { return a % b; }
fn div_u(a: u32, b: u32) -> u32 { return a / b; }
fn rem_u(a: u32, b: u32) -> u32 { return a % b; }
// run: div_i(7, -2) == -3
// run: div_i(-7, 2) == -3
// run: div_i(5, 0) == 5
// run: div_i(-2147483648, -1) == -2147483648
// run: rem_i(7, -2) == 1
// run: rem_i(-7, 2) == -1
// run: rem_i(5, 0) == 0
// run: rem_i(-2147483648, -1) == 0
// run: div_u(4294967295u, 2u) == 2147483647u
// run: div_u(9u, 0u) == 9u
// run: rem_u(9u, 0u) == 0u
// run: rem_u(4294967295u, 10u) == 5u

fn shl(a: u32, n: u32) -> u32 { return a << n; }
fn shr_u(a: u32, n: u32) -> u32 { return a >> n; }
fn shr_i(a: i32, n: u32) -> i32 { return a >> n; }
// run: shl(1u, 31u) == 2147483648u
// run: shl(3u, 33u) == 6u
// run: shr_u(2147483648u, 31u) == 1u
// run: shr_u(8u, 35u) == 1u
// run: shr_i(-8, 1u) == -4
// run: shr_i(-8, 63u) == -1

fn add_i(a: i32, b: i32) -> i32 { return a + b; }
fn mul_u(a: u32, b: u32) -> u32 { return a * b; }
fn neg(a: i32) -> i32 { return -a; }
fn abs_i(a: i32) -> i32 { return abs(a); }
// run: add_i(2147483647, 1) == -2147483648
// run: mul_u(65537u, 65537u) == 131073u
// run: neg(-2147483648) == -2147483648
// run: abs_i(-2147483648) == -2147483648
// run: abs_i(-3) == 3

fn ones(a: u32) -> u32 { return countOneBits(a); }
fn clz(a: u32) -> u32 { return countLeadingZeros(a); }
fn ctz(a: u32) -> u32 { return countTrailingZeros(a); }
fn rev(a: u32) -> u32 { return reverseBits(a); }
fn flb_u(a: u32) -> u32 { return firstLeadingBit(a); }
fn flb_i(a: i32) -> i32 { return firstLeadingBit(a); }
fn ftb(a: u32) -> u32 { return firstTrailingBit(a); }
// run: ones(0xf0f0u) == 8u
// run: clz(0u) == 32u
// run: clz(1u) == 31u
// run: ctz(0u) == 32u
// run: ctz(8u) == 3u
// run: rev(1u) == 2147483648u
// run: rev(0x12345678u) == 0x1e6a2c48u
// run: flb_u(0u) == 4294967295u
// run: flb_u(80u) == 6u
// run: flb_i(-1) == -1
// run: flb_i(-2) == 0
// run: flb_i(64) == 6
// run: ftb(0u) == 4294967295u
// run: ftb(40u) == 3u

fn ext_u(a: u32, o: u32, c: u32) -> u32 { return extractBits(a, o, c); }
fn ext_i(a: i32, o: u32, c: u32) -> i32 { return extractBits(a, o, c); }
fn ins(a: u32, b: u32, o: u32, c: u32) -> u32 { return insertBits(a, b, o, c); }
// run: ext_u(0xabcdu, 4u, 8u) == 0xbcu
// run: ext_u(0xffffffffu, 28u, 99u) == 15u
// run: ext_u(7u, 40u, 3u) == 0u
// run: ext_i(240, 4u, 4u) == -1
// run: ins(0xffff0000u, 0x5u, 4u, 4u) == 0xffff0050u
// run: ins(1u, 0xffffffffu, 0u, 32u) == 0xffffffffu
// run: ins(9u, 5u, 3u, 0u) == 9u

fn clamp_i(a: i32, lo: i32, hi: i32) -> i32 { return clamp(a, lo, hi); }
fn min_u(a: u32, b: u32) -> u32 { return min(a, b); }
fn max_i(a: i32, b: i32) -> i32 { return max(a, b); }
fn sign_i(a: i32) -> i32 { return sign(a); }
// run: clamp_i(7, 0, 5) == 5
// run: clamp_i(-7, 0, 5) == 0
// run: min_u(4294967295u, 1u) == 1u
// run: max_i(-5, -9) == -5
// run: sign_i(-12) == -1
// run: sign_i(0) == 0

fn logic(a: u32, b: u32) -> vec4<u32> { return vec4(a & b, a | b, a ^ b, ~a); }
// run: logic(0xcu, 0xau) == [8u, 14u, 6u, 4294967283u]
fn dot_u(a: vec3<u32>, b: vec3<u32>) -> u32 { return dot(a, b); }
// run: dot_u([1u, 2u, 3u], [4u, 5u, 6u]) == 32u
fn compare(a: vec3<i32>, b: vec3<i32>) -> vec3<bool> { return a < b; }
// run: compare([-1, 2, 3], [0, 2, 1]) == [true, false, false]
