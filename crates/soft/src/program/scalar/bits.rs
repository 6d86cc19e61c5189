//! Bits: counting, searching and extracting bits; packed 8-bit dot products; word addresses.

/// The word address of a checked index: past every buffer, however much is added for members.
pub const OUT_OF_BOUNDS: u32 = 0x8000_0000;

#[inline(always)]
pub fn count_ones(a: u32) -> u32 {
    let a = a - ((a >> 1) & 0x5555_5555);
    let a = (a & 0x3333_3333) + ((a >> 2) & 0x3333_3333);
    (((a + (a >> 4)) & 0x0F0F_0F0F).wrapping_mul(0x0101_0101)) >> 24
}

/// All bits at and below the highest set bit.
#[inline(always)]
fn smear(a: u32) -> u32 {
    let a = a | (a >> 1);
    let a = a | (a >> 2);
    let a = a | (a >> 4);
    let a = a | (a >> 8);
    a | (a >> 16)
}

#[inline(always)]
pub fn leading_zeros(a: u32) -> u32 {
    32 - count_ones(smear(a))
}

#[inline(always)]
pub fn trailing_zeros(a: u32) -> u32 {
    count_ones(!a & a.wrapping_sub(1))
}

#[inline(always)]
pub fn reverse_bits(a: u32) -> u32 {
    let a = ((a >> 1) & 0x5555_5555) | ((a & 0x5555_5555) << 1);
    let a = ((a >> 2) & 0x3333_3333) | ((a & 0x3333_3333) << 2);
    let a = ((a >> 4) & 0x0F0F_0F0F) | ((a & 0x0F0F_0F0F) << 4);
    let a = ((a >> 8) & 0x00FF_00FF) | ((a & 0x00FF_00FF) << 8);
    a.rotate_left(16)
}

/// Position of the highest set bit, all ones for none.
#[inline(always)]
pub fn first_leading_u(a: u32) -> u32 {
    count_ones(smear(a)).wrapping_sub(1)
}

/// Position of the highest bit unlike the sign, all ones for none.
#[inline(always)]
pub fn first_leading_i(a: u32) -> u32 {
    first_leading_u(a ^ ((a as i32 >> 31) as u32))
}

/// Position of the lowest set bit, all ones for none.
#[inline(always)]
pub fn first_trailing(a: u32) -> u32 {
    if a == 0 { u32::MAX } else { trailing_zeros(a) }
}

#[inline(always)]
fn mask_of(count: u32) -> u32 {
    // The double shift keeps a count of 32 meaningful.
    if count == 0 { 0 } else { u32::MAX >> ((32 - count) & 31) }
}

#[inline(always)]
fn field(offset: u32, count: u32) -> (u32, u32) {
    let offset = offset.min(32);
    (offset, count.min(32 - offset))
}

#[inline(always)]
pub fn extract_u(a: u32, offset: u32, count: u32) -> u32 {
    let (offset, count) = field(offset, count);
    (a >> (offset & 31)) & mask_of(count)
}

#[inline(always)]
pub fn extract_i(a: u32, offset: u32, count: u32) -> u32 {
    let (offset, count) = field(offset, count);
    let value = (a >> (offset & 31)) & mask_of(count);
    let unused = (32 - count) & 31;
    (((value << unused) as i32) >> unused) as u32
}

/// The bits that `insertBits` replaces.
#[inline(always)]
pub fn insert_mask(offset: u32, count: u32) -> u32 {
    let (offset, count) = field(offset, count);
    mask_of(count) << (offset & 31)
}

#[inline(always)]
pub fn dot4_i8(a: u32, b: u32) -> u32 {
    let term = |k: u32| i32::from((a >> k) as i8) * i32::from((b >> k) as i8);
    (term(0) + term(8) + term(16) + term(24)) as u32
}

#[inline(always)]
pub fn dot4_u8(a: u32, b: u32) -> u32 {
    let term = |k: u32| ((a >> k) & 0xFF) * ((b >> k) & 0xFF);
    term(0) + term(8) + term(16) + term(24)
}

/// `index < length ? index : OUT_OF_BOUNDS`, before the stride is applied.
#[inline(always)]
pub fn checked_index(index: u32, length: u32) -> u32 {
    if index < length { index } else { OUT_OF_BOUNDS }
}

/// `index < OUT_OF_BOUNDS ? index * stride + base : OUT_OF_BOUNDS`; a base that is out of bounds stays so.
#[inline(always)]
pub fn address(index: u32, stride: u32, base: u32) -> u32 {
    let at = index.wrapping_mul(stride).wrapping_add(base);
    if index < OUT_OF_BOUNDS && base < OUT_OF_BOUNDS { at } else { OUT_OF_BOUNDS }
}
