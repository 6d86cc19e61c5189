//! Making a finding small: parts are taken away while it stays a finding.
//!
//! Source: Zeller and Hildebrandt 2002, "Simplifying and isolating failure-inducing input" (ddmin), with the halving of
//! chunks only, then bytes made plain one by one.

use super::Case;

/// The smallest case found that `still` holds for. `still` is asked at most `tries_max` times; `case` itself must hold.
pub fn shrink(case: &Case, tries_max: usize, mut still: impl FnMut(&Case) -> bool) -> Case {
    let mut best = case.clone();
    let mut tries_left = tries_max;
    let mut ask = |candidate: Case, best: &mut Case| {
        if tries_left == 0 {
            return false;
        }
        tries_left -= 1;
        let holds = candidate != *best && still(&candidate);
        if holds {
            *best = candidate;
        }
        holds
    };
    for index in (0..best.beside.len()).rev() {
        let mut candidate = best.clone();
        candidate.beside.remove(index);
        ask(candidate, &mut best);
    }
    for index in (0..best.edits.len()).rev() {
        let mut candidate = best.clone();
        candidate.edits.remove(index);
        ask(candidate, &mut best);
    }
    loop {
        let before = best.clone();
        lines(&mut best, &mut ask);
        chunks(&mut best, &mut ask);
        for index in 0..best.beside.len() {
            let mut candidate = best.clone();
            candidate.beside[index].1.truncate(best.beside[index].1.len() / 2);
            ask(candidate, &mut best);
        }
        if best == before {
            break;
        }
    }
    plain_bytes(&mut best, &mut ask);
    best
}

/// Takes lines away, for texts.
fn lines(best: &mut Case, ask: &mut impl FnMut(Case, &mut Case) -> bool) {
    if std::str::from_utf8(&best.bytes).is_err() {
        return;
    }
    let mut at = 0;
    loop {
        let lines: Vec<&[u8]> = best.bytes.split_inclusive(|b| *b == b'\n').collect();
        if at >= lines.len() {
            return;
        }
        let rest = [&lines[..at], &lines[at + 1..]].concat().concat();
        if !ask(Case { bytes: rest, ..best.clone() }, best) {
            at += 1;
        }
    }
}

/// Takes chunks away, halves first.
fn chunks(best: &mut Case, ask: &mut impl FnMut(Case, &mut Case) -> bool) {
    let mut size = best.bytes.len().div_ceil(2);
    while size > 0 {
        let mut at = 0;
        while at < best.bytes.len() {
            let end = (at + size).min(best.bytes.len());
            let rest = [&best.bytes[..at], &best.bytes[end..]].concat();
            if !ask(Case { bytes: rest, ..best.clone() }, best) {
                at = end;
            }
        }
        size /= 2;
    }
}

/// Writes zeros (spaces in texts) over chunks, then over bytes.
fn plain_bytes(best: &mut Case, ask: &mut impl FnMut(Case, &mut Case) -> bool) {
    let plain = if std::str::from_utf8(&best.bytes).is_ok() { b' ' } else { 0 };
    for size in [64, 8, 1] {
        for at in (0..best.bytes.len()).step_by(size) {
            let end = (at + size).min(best.bytes.len());
            let mut candidate = best.clone();
            candidate.bytes[at..end].fill(plain);
            ask(candidate, best);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_matter_goes() {
        let mut case = Case::new("a", (0..=255).collect());
        case.beside.push(("b".into(), vec![1; 100]));
        case.edits = vec!["x=1".into(), "y=2".into()];
        let small = shrink(&case, 2000, |c| c.bytes.contains(&77) && c.edits.contains(&"y=2".to_string()));
        assert_eq!((small.bytes, small.beside, small.edits), (vec![77], vec![], vec!["y=2".to_string()]));
    }

    #[test]
    fn tries_are_counted() {
        let mut count = 0;
        let case = Case::new("a", vec![7; 10_000]);
        shrink(&case, 50, |_| {
            count += 1;
            false
        });
        assert!(count <= 50);
    }
}
