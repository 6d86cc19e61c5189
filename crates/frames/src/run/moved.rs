//! Moved: a case that was renamed is one that is new beside a reference that has lost its case.

use super::record::CaseRecord;
use super::status::Status;

/// Joins each new case with a reference without a case whose pixels it has: the new case is moved, and the record of
/// the reference goes. Layers of other kinds are other cases, whatever their pixels.
///
/// Where several fit, the one with the same name in another family comes first, then the first one by name.
pub fn pair_moved(records: &mut Vec<CaseRecord>) {
    records.sort_by(|a, b| a.name.cmp(&b.name));
    let mut gone: Vec<CaseRecord> = records.extract_if(.., |record| record.status == Status::Gone).collect();
    // Names that are the same but for the family first, so that nobody else takes their reference.
    for same_name in [true, false] {
        for record in records.iter_mut().filter(|record| record.status == Status::New) {
            let fits = |was: &CaseRecord| {
                let is_same = was.want.is_some() && was.want == record.hash && layer(&was.name) == layer(&record.name);
                is_same && (!same_name || was.split_name().1 == record.split_name().1)
            };
            let Some(at) = gone.iter().position(fits) else { continue };
            let was = gone.remove(at);
            record.status = Status::Moved;
            record.want = was.want;
            record.old_picture = was.old_picture;
            record.moved_from = Some(was.name);
        }
    }
    records.append(&mut gone);
    records.sort_by(|a, b| a.name.cmp(&b.name));
}

/// What a case shows, but for its colours.
fn layer(name: &str) -> &str {
    name.rfind('#').map_or("", |at| &name[at..])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::PixelHash;

    fn new(name: &str, pixels: u8) -> CaseRecord {
        let hash = Some(PixelHash([pixels; 32]));
        CaseRecord { name: name.into(), status: Status::New, hash, ..CaseRecord::default() }
    }

    fn gone(name: &str, pixels: u8) -> CaseRecord {
        CaseRecord { want: Some(PixelHash([pixels; 32])), ..CaseRecord::without_picture(name, Status::Gone, "") }
    }

    #[test]
    fn renamed_cases_are_moved() {
        let mut records = vec![new("b/x", 1), new("b/y", 1), new("c/z", 2), new("c/depth#depth", 3), gone("a/y", 1)];
        records.extend([gone("a/x", 1), gone("a/depth", 3), gone("a/other", 9)]);
        pair_moved(&mut records);
        let rows: Vec<_> =
            records.iter().map(|r| (r.name.as_str(), r.status.word(), r.moved_from.as_deref())).collect();
        assert_eq!(
            rows,
            [
                ("a/depth", "gone", None),
                ("a/other", "gone", None),
                ("b/x", "moved", Some("a/x")),
                ("b/y", "moved", Some("a/y")),
                ("c/depth#depth", "new", None),
                ("c/z", "new", None)
            ]
        );
    }

    /// A reference without its picture's hash says nothing, and one reference is one case's.
    #[test]
    fn nothing_is_moved_twice() {
        let nameless = CaseRecord { want: None, ..gone("a/q", 1) };
        let mut records = vec![gone("a/x", 1), nameless, new("b/x", 1), new("b/y", 1)];
        pair_moved(&mut records);
        let words: Vec<_> = records.iter().map(|record| record.status.word()).collect();
        assert_eq!(words, ["gone", "moved", "new"]);
    }
}
