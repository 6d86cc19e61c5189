//! "Did you mean ...?"

/// The candidate that a wrong word was most likely meant to be, if one is near enough: at most one typing mistake (a
/// letter missing, extra, wrong, or two swapped) for every three letters, or the same words in another order or with
/// another ending. The first of equally near ones.
pub fn did_you_mean<'a>(wrong: &str, candidates: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    // The distance is quadratic in length; nobody misspells a novel.
    if wrong.len() > 100 {
        return None;
    }
    let lower = wrong.to_lowercase();
    let length = lower.chars().count();
    let mut best: Option<(usize, &str)> = None;
    for candidate in candidates {
        let other = candidate.to_lowercase();
        let mut distance = strsim::damerau_levenshtein(&lower, &other);
        let allowed = (length.max(other.chars().count()) / 3).max(1);
        if distance > allowed {
            // `radius` for `radius_m`, `color` for `base_color`: whole words are there.
            let parts = |text: &str| text.split('_').map(str::to_owned).collect::<Vec<_>>();
            let (a, b) = (parts(&lower), parts(&other));
            let inside = !lower.is_empty() && (a.iter().all(|p| b.contains(p)) || b.iter().all(|p| a.contains(p)));
            if !inside {
                continue;
            }
            distance = allowed;
        }
        if best.is_none_or(|(least, _)| distance < least) {
            best = Some((distance, candidate));
        }
    }
    best.map(|(_, candidate)| candidate)
}

/// Help for a name that a file does not have: "did you mean" the nearest one, or the names that there are.
pub fn near<'a>(name: &str, names: &[&'a str]) -> String {
    let distance = |a: &str, b: &str| strsim::damerau_levenshtein(a, b);
    let plain = plain(name);
    // `hand_r` is `Hand.R`, and not `Hand.L`: case and what parts words count last.
    let rank = |other: &&'a str| (distance(&plain, &self::plain(other)), distance(name, other), *other);
    let mut ranked: Vec<(usize, usize, &str)> = names.iter().map(rank).collect();
    ranked.sort_unstable();
    match ranked.first() {
        None => "there are none".to_string(),
        Some((distance, _, nearest)) if *distance <= 1 + name.len() / 3 => format!("did you mean {nearest:?}?"),
        _ => {
            let mut list: Vec<&str> = names.to_vec();
            list.sort_unstable();
            list.dedup();
            let shown = list.iter().take(8).map(|n| format!("{n:?}")).collect::<Vec<_>>().join(", ");
            format!("known are {shown}{}", if list.len() > 8 { ", ..." } else { "" })
        }
    }
}

/// In small letters, with one sign between words.
fn plain(name: &str) -> String {
    let one = |c: char| if c.is_alphanumeric() { c } else { '_' };
    name.to_lowercase().chars().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn near_words_only() {
        let words = ["roughness", "metallic", "base_color", "fov_y_deg", "radius_m", "Brick", "test"];
        for (wrong, want) in [
            ("roughnes", Some("roughness")),
            ("rouhgness", Some("roughness")),
            ("metalic", Some("metallic")),
            ("basecolor", Some("base_color")),
            ("color", Some("base_color")),
            ("fov_deg", Some("fov_y_deg")),
            ("radius", Some("radius_m")),
            ("brick", Some("Brick")),
            ("banana", None),
            ("mesh", None),
            ("", None),
        ] {
            assert_eq!(did_you_mean(wrong, words), want, "{wrong}");
        }
    }

    #[test]
    fn case_and_signs_count_last() {
        let names = ["Hand.L", "Hand.R", "hand_l", "Head"];
        assert_eq!(near("hand_r", &names), "did you mean \"Hand.R\"?");
        assert_eq!(near("hand_L", &names), "did you mean \"hand_l\"?");
        assert_eq!(near("Hand", &names), "did you mean \"Hand.L\"?");
        assert_eq!(near("tail", &["Hand.L"]), "known are \"Hand.L\"");
    }
}
