// Conversions and bitcasts.

fn f2i(x: f32) -> i32 { return i32(x); }
fn f2u(x: f32) -> u32 { return u32(x); }
// run: f2i(1.9) == 1
// run: f2i(-1.9) == -1
// run: f2i(1e20) == 2147483520
// run: f2i(-1e20) == -2147483648
// run: f2i(nan) == 0
// run: f2i(inf) == 2147483520
// run: f2u(-5.0) == 0u
// run: f2u(3.99) == 3u
// run: f2u(1e20) == 4294967040u
// run: f2u(nan) == 0u

fn i2f(x: i32) -> f32 { return f32(x); }
fn u2f(x: u32) -> f32 { return f32(x); }
// run: i2f(-3) == -3.0
// run: i2f(16777217) == 16777216.0
// run: i2f(16777219) == 16777220.0
// run: u2f(4294967295u) == 4294967296.0

fn bits(x: f32) -> u32 { return bitcast<u32>(x); }
fn unbits(x: u32) -> f32 { return bitcast<f32>(x); }
// run: bits(1.0) == 0x3f800000u
// run: bits(-0.0) == 0x80000000u
// run: bits(nan) == 0x7fc00000u
// run: unbits(0x40490fdbu) == 0x40490fdb_f
// run: unbits(0xffc12345u) == nan

fn b2i(x: bool) -> i32 { return i32(x); }
fn i2b(x: i32) -> bool { return bool(x); }
fn f2b(x: f32) -> bool { return bool(x); }
// run: b2i(true) == 1
// run: i2b(-4) == true
// run: f2b(-0.0) == false
// run: f2b(nan) == true

fn half(x: f32) -> f32 { return quantizeToF16(x); }
// run: half(0.1) == 0.099975586
// run: half(2048.5) == 2048.0
// run: half(-0.0) == -0.0

fn pack4u(v: vec4<f32>) -> u32 { return pack4x8unorm(v); }
fn pack4s(v: vec4<f32>) -> u32 { return pack4x8snorm(v); }
fn pack2h(v: vec2<f32>) -> u32 { return pack2x16float(v); }
fn pack2u(v: vec2<f32>) -> u32 { return pack2x16unorm(v); }
// run: pack4u([0.0, 1.0, 0.5, 2.0]) == 0xff80ff00u
// run: pack4u([nan, -1.0, 0.002, 0.25]) == 0x40010000u
// run: pack4s([1.0, -1.0, 0.0, 0.5]) == 0x4000817fu
// run: pack2h([1.0, -2.0]) == 0xc0003c00u
// run: pack2u([1.0, 0.0]) == 0x0000ffffu
fn unpack4u(x: u32) -> vec4<f32> { return unpack4x8unorm(x); }
fn unpack4s(x: u32) -> vec4<f32> { return unpack4x8snorm(x); }
fn unpack2h(x: u32) -> vec2<f32> { return unpack2x16float(x); }
// run: unpack4u(0xff00ff00u) == [0.0, 1.0, 0.0, 1.0]
// run: unpack4s(0x7f80817fu) == [1.0, -1.0, -1.0, 1.0]
// run: unpack2h(0xc0003c00u) == [1.0, -2.0]
