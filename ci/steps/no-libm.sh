#!/usr/bin/env bash
# no-libm.sh [BINARY]: fails if BINARY (default target/release/stillframe) takes a maths function from the host's C library.
# Builds nothing. There is no allow-list: a name found here gets a line in crates/base/src/c_symbols.rs.
set -euo pipefail

names='sin cos tan asin acos atan atan2 sincos sinh cosh tanh asinh acosh atanh exp exp2 exp10 pow10 expm1 log log2 log10
log1p logb ilogb llogb pow cbrt hypot fmod remainder drem remquo fma sqrt floor ceil trunc rint nearbyint round roundeven
lrint llrint lround llround fmin fmax fdim fabs copysign nan nextafter nexttoward nextup nextdown ldexp scalb scalbn scalbln
frexp modf significand erf erfc tgamma lgamma gamma j0 j1 jn y0 y1 yn
cabs carg cexp clog cpow csin ccos ctan csinh ccosh ctanh casin cacos catan casinh cacosh catanh csqrt'
pattern="^(__)?($(echo $names | tr ' ' '|'))(f|l|f32|f32x|f64|f64x|f128)?(_r)?(_finite)?\$"

# Reads names one a line; prints those of the maths library.
maths() { sed 's/@.*//' | grep -E "$pattern" | sort -u || true; }

# The filter itself can fail to see: it must name these and no others.
seen=$(printf '%s\n' sinf@GLIBC_2.27 pow@GLIBC_2.29 __exp_finite lgammaf_r fmodl sincosf memcpy@GLIBC_2.14 expand sinking logger \
    | maths | tr '\n' ' ')
[ "$seen" = "__exp_finite fmodl lgammaf_r pow sincosf sinf " ] || { echo "no-libm: the filter is broken: saw '$seen'" >&2; exit 2; }

binary=${1:-target/release/stillframe}
[ -f "$binary" ] || { echo "no-libm: no file $binary (build it first)" >&2; exit 2; }
undefined=$(nm -D --undefined-only "$binary" | awk '{ print $NF }') || { echo "no-libm: nm cannot read $binary" >&2; exit 2; }
# Every program here needs some memory from the C library: an empty list means that nm saw nothing.
grep -Eq '^(malloc|free|memcpy|memmove)(@|$)' <<<"$undefined" || { echo "no-libm: nm lists nothing of $binary" >&2; exit 2; }

found=$(maths <<<"$undefined")
if [ -n "$found" ]; then
    echo "no-libm: $binary takes from the host's maths library:" $found >&2
    exit 1
fi
echo "no-libm: $binary takes no maths function from the host"
