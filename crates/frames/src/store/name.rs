//! Names of cases as names of files, and what a family may be called.
//!
//! A case may be called `cascade[samples=4]@0.5s#depth`. Its file keeps what every file system takes and spells the
//! rest as `%` and two hexadecimal digits a byte of UTF-8. Capitals are among the rest, since some file systems take
//! `a` for `A`, and so is all that is not ASCII, since some spell an umlaut in their own way. So two names never share
//! a file.

/// Longest file name without its ending: most systems end at 255 bytes, and temporary names need room.
const STEM_MAX_BYTES: usize = 180;

/// The name of a case's files, without the ending. Different names have different stems, also where capitals do not
/// count.
pub fn stem(name: &str) -> String {
    let reserved = is_reserved(name);
    let mut out = String::with_capacity(name.len());
    for (index, byte) in name.bytes().enumerate() {
        let first = index == 0 && (reserved || byte == b'.' || byte == b'-');
        let plain = matches!(byte, b'a'..=b'z' | b'0'..=b'9')
            || matches!(byte, b'_' | b'-' | b'.' | b',' | b'=' | b'@' | b'#' | b'+' | b'[' | b']' | b'(' | b')');
        if plain && !first {
            out.push(byte as char);
        } else {
            out.push_str(&format!("%{byte:02x}"));
        }
    }
    if out.len() <= STEM_MAX_BYTES {
        return out;
    }
    // `%~` is no spelling of a byte: no short name ends like this.
    let digits = blake3::hash(name.as_bytes()).to_hex();
    let mut end = STEM_MAX_BYTES - 2 - 32;
    end -= (1..=2).find(|back| out.as_bytes()[end - back] == b'%').unwrap_or(0);
    format!("{}%~{}", &out[..end], &digits[..32])
}

/// Names that Windows keeps for devices, whatever follows after a dot.
fn is_reserved(name: &str) -> bool {
    let first = name.split('.').next().unwrap_or("").to_ascii_lowercase();
    let numbered = |word: &str| {
        first.strip_prefix(word).is_some_and(|rest| rest.len() == 1 && rest.bytes().all(|b| b.is_ascii_digit()))
    };
    matches!(first.as_str(), "con" | "prn" | "aux" | "nul") || numbered("com") || numbered("lpt")
}

/// Why `family` is no name of a folder under the folder of references; it is one or more names with `/` between. The
/// family without a name is that folder itself.
pub fn family_fault(family: &str) -> Option<&'static str> {
    if family.is_empty() {
        return None;
    }
    for part in family.split('/') {
        if part.is_empty() {
            return Some("a part of it is empty");
        }
        if part.starts_with('.') {
            return Some("a part of it starts with a dot");
        }
        if part.ends_with(['.', ' ']) || part.contains(['<', '>', ':', '"', '\\', '|', '?', '*']) {
            return Some("it is not a folder name on every system");
        }
        if part.chars().any(char::is_control) || is_reserved(part) || part.len() > STEM_MAX_BYTES {
            return Some("it is not a folder name on every system");
        }
    }
    None
}

/// The name of a case over all families, or the path of a file in a family's folder.
pub(super) fn in_family(family: &str, name: &str) -> String {
    if family.is_empty() { name.to_string() } else { format!("{family}/{name}") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn readable_names_stay_as_they_are() {
        for name in ["point", "fbx_suzanne_cm", "cascade[samples=4]@0.5s#depth", "a.b-c+d(e),f"] {
            assert_eq!(stem(name), name);
        }
    }

    #[test]
    fn what_file_systems_refuse_is_spelt_out() {
        for (name, want) in [
            ("a/b", "a%2fb"),
            ("..", "%2e."),
            ("-rf", "%2drf"),
            ("Point", "%50oint"),
            ("lamp\u{e4}", "lamp%c3%a4"),
            ("100%", "100%25"),
            ("a:b*c?d", "a%3ab%2ac%3fd"),
            ("con", "%63on"),
            ("com1.x", "%63om1.x"),
            ("come", "come"),
            ("aux[x=1]", "aux[x=1]"),
        ] {
            assert_eq!(stem(name), want);
        }
    }

    #[test]
    fn long_names_are_cut_and_stay_apart() {
        for filler in ["a", "A", "\u{e4}"] {
            let long = |end: &str| stem(&(filler.repeat(300) + end));
            assert!(long("1").len() <= STEM_MAX_BYTES && long("1") != long("2"));
            let kept = long("1").replace("%~", "");
            assert!(
                kept.match_indices('%').all(|(at, _)| kept.as_bytes()[at + 1..][..2].iter().all(u8::is_ascii_hexdigit))
            );
        }
    }

    #[test]
    fn families_are_plain_folders() {
        for good in ["", "light", "light/shadow", "Import", "a b", "\u{e4}"] {
            assert_eq!(family_fault(good), None, "{good}");
        }
        for bad in ["/", "a//b", "..", "a/../b", ".git", "a\\b", "c:", "a.", "nul", "a\n", "/a", "a/"] {
            assert!(family_fault(bad).is_some(), "{bad}");
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

        #[test]
        fn two_names_never_share_a_file(
            a in "[aAbB%./~\u{e4}\u{c4}\\[]{0,6}|[a-zA-Z]{170,190}|con|CON|Con",
            b in "[aAbB%./~\u{e4}\u{c4}\\[]{0,6}|[a-zA-Z]{170,190}|con|CON|%63on",
        ) {
            prop_assert_eq!(a == b, stem(&a).eq_ignore_ascii_case(&stem(&b)));
        }

        #[test]
        fn stems_are_good_on_every_system(name in "\\PC{1,80}") {
            let stem = stem(&name);
            prop_assert!(stem.len() <= STEM_MAX_BYTES && stem.is_ascii() && !stem.starts_with(['.', '-']) && !is_reserved(&stem));
            prop_assert!(!stem.contains(['/', '\\', ':', '*', '?', '"', '<', '>', '|', ' ']));
        }
    }
}
