//! Base64: bytes as letters of ASCII.
//!
//! In: bytes. Out: letters. Never here: the way back, which has faults of files to report.

/// Base64 of RFC 4648, with padding: ASCII.
pub fn base64(bytes: &[u8]) -> Vec<u8> {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut out = Vec::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let word = three.iter().fold(0u32, |word, byte| word << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        let digit = |n: u32| DIGITS[(word >> (18 - 6 * n) & 63) as usize];
        out.extend((0..4).map(|n| if n as usize <= three.len() { digit(n) } else { b'=' }));
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_rfc() {
        for (plain, want) in [
            ("", ""),
            ("f", "Zg=="),
            ("fo", "Zm8="),
            ("foo", "Zm9v"),
            ("foob", "Zm9vYg=="),
            ("fooba", "Zm9vYmE="),
            ("foobar", "Zm9vYmFy"),
        ] {
            assert_eq!(base64(plain.as_bytes()), want.as_bytes(), "{plain}");
        }
    }
}
