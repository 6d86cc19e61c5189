//! Making a finding small: parts are taken away while it stays a finding.
//!
//! Source: Zeller and Hildebrandt 2002, "Simplifying and isolating failure-inducing input" (ddmin), with the halving of
//! chunks only, then bytes made plain one by one.

use super::Case;

/// The smallest case found that `still` holds for. `still` is asked at most `tries_max` times; `case` itself must hold.
pub fn shrink(case: &Case, tries_max: usize, still: impl FnMut(&Case) -> bool) -> Case {
    let mut search = Search { best: case.clone(), tries_left: tries_max, still };
    for index in (0..search.best.beside.len()).rev() {
        search.ask(|candidate| drop(candidate.beside.remove(index)));
    }
    for index in (0..search.best.edits.len()).rev() {
        search.ask(|candidate| drop(candidate.edits.remove(index)));
    }
    while search.tries_left > 0 {
        let before = search.best.clone();
        search.lines();
        search.chunks();
        for index in 0..search.best.beside.len() {
            search.ask(|candidate| {
                let bytes = &mut candidate.beside[index].1;
                bytes.truncate(bytes.len() / 2);
            });
        }
        if search.best == before {
            break;
        }
    }
    search.plain_bytes();
    search.best
}

struct Search<F> {
    best: Case,
    tries_left: usize,
    still: F,
}

impl<F: FnMut(&Case) -> bool> Search<F> {
    /// Whether it is still a finding with a change, which it keeps then. Once there are no tries left nothing is: a
    /// large input is not copied for nothing.
    fn ask(&mut self, change: impl FnOnce(&mut Case)) -> bool {
        if self.tries_left == 0 {
            return false;
        }
        self.tries_left -= 1;
        let mut candidate = self.best.clone();
        change(&mut candidate);
        let holds = candidate != self.best && (self.still)(&candidate);
        if holds {
            self.best = candidate;
        }
        holds
    }

    /// Takes lines away, for texts.
    fn lines(&mut self) {
        if std::str::from_utf8(&self.best.bytes).is_err() {
            return;
        }
        let mut at = 0;
        while at < self.best.bytes.len() && self.tries_left > 0 {
            let end =
                self.best.bytes[at..].iter().position(|b| *b == b'\n').map_or(self.best.bytes.len(), |n| at + n + 1);
            if !self.ask(|candidate| drop(candidate.bytes.drain(at..end))) {
                at = end;
            }
        }
    }

    /// Takes chunks away, halves first.
    fn chunks(&mut self) {
        let mut size = self.best.bytes.len().div_ceil(2);
        while size > 0 {
            let mut at = 0;
            while at < self.best.bytes.len() && self.tries_left > 0 {
                let end = (at + size).min(self.best.bytes.len());
                if !self.ask(|candidate| drop(candidate.bytes.drain(at..end))) {
                    at = end;
                }
            }
            size /= 2;
        }
    }

    /// Writes zeros (spaces in texts) over chunks, then over bytes.
    fn plain_bytes(&mut self) {
        let plain = if std::str::from_utf8(&self.best.bytes).is_ok() { b' ' } else { 0 };
        for size in [64, 8, 1] {
            for at in (0..self.best.bytes.len()).step_by(size) {
                let end = (at + size).min(self.best.bytes.len());
                self.ask(|candidate| candidate.bytes[at..end].fill(plain));
            }
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

    /// A copy of the input for each of its lines would take minutes.
    #[test]
    fn large_inputs_end_with_their_tries() {
        let text = "a = 1\n".repeat(200_000);
        let case = Case::new("a", text.into_bytes());
        let mut asked = 0;
        let same = shrink(&case, 20, |_| {
            asked += 1;
            false
        });
        assert_eq!((same, asked), (case, 20));
    }
}
