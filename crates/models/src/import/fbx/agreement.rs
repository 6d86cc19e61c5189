//! The guard and the crate agree: tests of both.

use std::io::Cursor;

use fbxcel_dom::fbxcel::tree::any::AnyTree;
use fbxcel_dom::fbxcel::tree::v7400;
use proptest::prelude::*;
use stillframe_testkit::depth::cases;
use stillframe_testkit::fbx::{random, write};

use super::tree::Tree;
use crate::import::Budget;

/// The crate's own reading of a file, without the guard. Only for files that have passed it.
fn alone(bytes: &[u8]) -> Option<v7400::Tree> {
    match AnyTree::from_seekable_reader(Cursor::new(bytes)) {
        Ok(AnyTree::V7400(_, tree, _)) => Some(tree),
        _ => None,
    }
}

fn guarded(bytes: &[u8]) -> Option<v7400::Tree> {
    let version = u32::from_le_bytes(bytes[23..27].try_into().expect("a file's head"));
    let tree = Tree::read(bytes, version, &mut Budget::for_file(bytes.len()));
    tree.ok().map(|tree| tree.into_records())
}

fn random_file(seed: u64) -> Vec<u8> {
    let version = if seed.is_multiple_of(2) { 7400 } else { 7500 };
    random::file(seed, !seed.is_multiple_of(3)).bytes(version, seed % 4 < 2)
}

#[test]
fn the_guard_changes_nothing_that_is_sound() {
    for seed in 0..60 {
        let bytes = random_file(seed);
        let (tree, other) = (guarded(&bytes).expect("sound"), alone(&bytes).expect("sound"));
        assert!(tree.strict_eq(&other), "case {seed}");
    }
}

/// What passes the guard is what the crate reads by itself, where it reads it at all.
#[test]
fn what_passes_is_the_same() {
    let sources: Vec<Vec<u8>> = (0..8).map(random_file).collect();
    let change = (any::<prop::sample::Index>(), prop_oneof![any::<u8>(), Just(0), Just(255), Just(1)]);
    let strategy = (
        0..sources.len(),
        prop::collection::vec(change, 1..4),
        prop::option::weighted(0.2, any::<prop::sample::Index>()),
    );
    let passed = std::cell::Cell::new([0; 2]);
    let config = ProptestConfig { cases: cases(1500), failure_persistence: None, ..ProptestConfig::default() };
    proptest::test_runner::TestRunner::new(config)
        .run(&strategy, |(source, changes, cut)| {
            let mut bytes = sources[source].clone();
            for (place, byte) in changes {
                let at = 27 + place.index(bytes.len() - 27);
                bytes[at] = byte;
            }
            if let Some(cut) = cut {
                bytes.truncate(27 + cut.index(bytes.len() - 27));
            }
            let Some(tree) = guarded(&bytes) else { return Ok(()) };
            let [both, fixed] = passed.get();
            match alone(&bytes) {
                Some(other) => {
                    prop_assert!(tree.strict_eq(&other));
                    passed.set([both + 1, fixed]);
                }
                None => passed.set([both, fixed + 1]),
            }
            Ok(())
        })
        .expect("the same");
    let [both, fixed] = passed.get();
    assert!(both > 200 && fixed > 10, "{both} are read by both, {fixed} are fixed");
}

/// What real files hold that the crate does not take.
#[test]
fn quirks_are_fixed() {
    let file = |name: &str| {
        let mut file = write::File::new();
        file.add(write::object("Model", 1, name, "Null"));
        file.bytes(7400, false)
    };
    let sound = guarded(&file("name")).expect("sound");
    let first = |tree: &v7400::Tree| {
        let objects = tree.root().first_child_by_name("Objects").expect("there");
        objects.first_child().expect("one").attributes()[1].get_string().expect("a text").to_string()
    };
    assert_eq!(first(&sound), "name\0\x01Model");
    // A name in another alphabet, and the ending cut off.
    let mut latin = file("na~me");
    let at = latin.windows(5).position(|w| w == b"na~me").expect("there");
    latin[at + 2] = 0xe4;
    assert!(alone(&latin).is_none());
    assert_eq!(first(&guarded(&latin).expect("fixed")), "na\u{fffd}me\0\x01Model");
    let whole = file("name");
    let last = whole.windows(11).rposition(|w| w == b"Connections").expect("there") - 13;
    let end = u32::from_le_bytes(whole[last..last + 4].try_into().expect("four")) as usize;
    assert!(alone(&whole[..end]).is_none());
    assert_eq!(first(&guarded(&whole[..end]).expect("fixed")), "name\0\x01Model");
}

/// A byte is a number, and what no reader knows is passed over where nothing reads it.
#[test]
fn values_of_other_kinds() {
    let with = |kind: &str, value: &[u8]| {
        let mut file = write::File::new();
        let values = [1_i64.into(), "name".into(), "".into()];
        file.add(write::record(kind, values).with([write::record("Channels", ["ab".into(), 7.into(), "cd".into()])]));
        let mut bytes = file.bytes(7400, false);
        let at = bytes.windows(8).position(|w| w == b"Channels").expect("there") + 8 + 7;
        assert_eq!(bytes[at], b'I');
        bytes[at..at + value.len()].copy_from_slice(value);
        bytes
    };
    let channels = |bytes: &[u8]| {
        let tree = guarded(bytes)?;
        let objects = tree.root().first_child_by_name("Objects").expect("there");
        let channels = objects.first_child().expect("one").first_child().expect("one");
        Some(channels.attributes().iter().map(|value| format!("{value:?}")).collect::<Vec<_>>())
    };
    let text = |text: &str| format!("String({text:?})");
    for (kind, value, want) in [
        // Two values of one byte each; the record counts three in all.
        ("Model", [b'Z', 200, b'C', 1, 0], Some(vec![text("ab"), "I16(200)".to_string(), "Bool(true)".to_string()])),
        ("Model", [b'I', 9, 0, 0, 0], Some(vec![text("ab"), "I32(9)".to_string(), text("cd")])),
        ("Audio", [b'?', 9, 0, 0, 0], Some(vec![text("ab")])),
        ("Model", [b'?', 9, 0, 0, 0], None),
        ("Geometry", [b'?', 9, 0, 0, 0], None),
    ] {
        assert_eq!(channels(&with(kind, &value)), want, "{kind} {value:?}");
    }
}
