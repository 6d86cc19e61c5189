//! Mutate: planted faults, and which cases notice them.
//!
//! A case notices a fault if its picture is another one. What no case notices could break unseen.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use stillframe_frames::PixelHash;
use stillframe_frames::{Differences, Picture};

use super::case::Piece;
use super::judge::Judge;
use crate::fault::Fault;

/// What one piece makes of one fault.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Noticed {
    pub fault: String,
    /// Cases whose picture changed, with the largest difference of a channel as a share of the range; none where the
    /// picture could not be made at all.
    pub by: Vec<(String, Option<f64>)>,
}

/// Pictures of a piece without a fault, to compare with.
#[derive(Debug, Default)]
pub struct Sound {
    pictures: BTreeMap<String, (PixelHash, Picture)>,
}

impl Judge<'_> {
    /// What a piece's cases make of each of the faults.
    ///
    /// Errors: why the piece has no pictures without any.
    pub fn noticed(&mut self, piece: &Piece, faults: &[Fault]) -> Result<Vec<Noticed>, String> {
        let sound = Sound {
            pictures: self.pictures(piece, None)?.into_iter().map(|(name, p)| (name, (p.hash(), p))).collect(),
        };
        let mut out = Vec::new();
        for fault in faults {
            let mut by = Vec::new();
            match self.pictures(piece, Some(fault)) {
                Ok(pictures) => {
                    for (name, picture) in pictures {
                        let (hash, was) = &sound.pictures[&name];
                        if picture.hash() != *hash {
                            by.push((name, Some(largest(was, &picture))));
                        }
                    }
                }
                // A shader that does not compile any more is noticed by everybody.
                Err(_) => by.extend(sound.pictures.keys().map(|name| (name.clone(), None))),
            }
            out.push(Noticed { fault: fault.name.clone(), by });
        }
        Ok(out)
    }
}

/// The largest difference of two pictures as a share of their range; 1 where they cannot be laid on each other.
fn largest(old: &Picture, new: &Picture) -> f64 {
    Differences::of(old, new)
        .map_or(1.0, |found| (f64::from(found.summary().delta_max) / f64::from(found.full_scale)).min(1.0))
}

/// What all cases together make of all faults.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Score {
    pub fault_count: usize,
    pub noticed_count: usize,
    /// By fault, in the order of the file: who noticed.
    pub noticed: Vec<(String, Vec<String>)>,
    /// By case: how large a tolerance, in steps of 255, it could have before it goes blind to a fault that it alone
    /// notices; none where others would notice all of them.
    pub blind_at: Vec<(String, f64)>,
}

/// Sums up what pieces told.
pub fn score(faults: &[Fault], told: &[Noticed]) -> Score {
    let mut score = Score { fault_count: faults.len(), ..Score::default() };
    let mut blind: BTreeMap<String, f64> = BTreeMap::new();
    for fault in faults {
        let mut by: Vec<(String, Option<f64>)> =
            told.iter().filter(|noticed| noticed.fault == fault.name).flat_map(|noticed| noticed.by.clone()).collect();
        by.sort_by(|a, b| a.0.cmp(&b.0));
        if let [(name, Some(share))] = &by[..] {
            let steps = (share * 255.0 - 1.0).max(0.0);
            blind.entry(name.clone()).and_modify(|known| *known = known.min(steps)).or_insert(steps);
        }
        score.noticed_count += usize::from(!by.is_empty());
        score.noticed.push((fault.name.clone(), by.into_iter().map(|(name, _)| name).collect()));
    }
    score.blind_at = blind.into_iter().collect();
    score
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_case_that_alone_notices_keeps_the_score_up() {
        let fault = |name: &str| Fault { name: name.into(), ..Fault::default() };
        let faults = [fault("dark"), fault("thin"), fault("lost")];
        let told = |fault: &str, by: &[(&str, f64)]| Noticed {
            fault: fault.into(),
            by: by.iter().map(|(name, share)| (name.to_string(), Some(*share))).collect(),
        };
        let all = [told("dark", &[("a", 0.5)]), told("dark", &[("b", 0.1)]), told("thin", &[("b", 3.0 / 255.0)])];
        let whole = score(&faults, &all);
        assert_eq!((whole.noticed_count, whole.fault_count), (2, 3));
        assert_eq!(whole.noticed[0].1, ["a", "b"]);
        assert_eq!(whole.noticed[2].1, Vec::<String>::new());
        assert_eq!(whole.blind_at, [("b".to_string(), 2.0)]);
        let without_b: Vec<Noticed> = all[..1].to_vec();
        assert_eq!(score(&faults, &without_b).noticed_count, 1, "deleting the case lowers the score");
    }
}
