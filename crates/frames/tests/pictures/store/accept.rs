//! Accepting and removing: what stands where afterwards, and what is refused.

use proptest::prelude::*;
use stillframe_frames::{PngEffort, encode_png};
use stillframe_testkit::depth::cases;

use super::*;

#[test]
fn pictures_come_back_and_are_what_their_line_says() {
    for store in stores("back") {
        let changes = [
            set("light", "point", 1),
            set_with_passes("light", "Spot[samples=4]@0.5s#depth", 2),
            set("shape/deep", "a/b", 1),
            set("light", "linear", 1001),
        ];
        let accepted = store.accept(&changes).unwrap();
        assert_eq!((accepted.added, accepted.changed, accepted.removed, accepted.unchanged), (4, 0, 0, 0));
        assert_eq!(store.families().unwrap(), ["light", "shape/deep"]);
        assert_eq!(store.lock("light").unwrap().lines().len(), 3);
        assert_eq!(store.lock("nothing").unwrap().lines().len(), 0);
        for change in &changes {
            let Change::Set { family, line, passes, .. } = change else { unreachable!() };
            assert_eq!(store.lock(family).unwrap().find(&line.name), Some(line));
            let kept = store.picture(family, line).unwrap();
            match store.address() {
                StoreAddress::None => assert_eq!(kept, None),
                _ => {
                    assert_eq!(kept.unwrap().hash(), line.pixels);
                    assert_eq!(&store.passes(family, line).unwrap(), passes);
                }
            }
        }
        let verified = store.verify().unwrap();
        assert_eq!((verified.findings, verified.cases), (vec![], 4), "{}", store.address());
    }
}

#[test]
fn files_stand_where_the_layout_says() {
    let root = folder("layout");
    open(&root, "git").accept(&[set_with_passes("light", "point", 1), set("light", "lin", 1001)]).unwrap();
    assert_eq!(
        names(&root),
        [
            "references/light/frames.lock",
            "references/light/lin.exr",
            "references/light/point.passes",
            "references/light/point.png"
        ]
    );
    let root = folder("layout_dir");
    open(&root, "dir:blobs")
        .accept(&[set("light", "point", 1), set("shape", "same", 1), set("shape", "x", 2)])
        .unwrap();
    let files = names(&root);
    assert_eq!(files.len(), 4, "two cases with equal pictures are one file: {files:?}");
    assert!(files[0].starts_with("blobs/") && files[0].len() == "blobs/ab/".len() + 62 + ".png".len());
}

#[test]
fn the_same_again_changes_nothing() {
    for store in stores("again") {
        let changes = [set_with_passes("light", "point", 1), set("light", "spot", 1002)];
        store.accept(&changes).unwrap();
        let root = store.references().parent().unwrap();
        let before = tree(root);
        let accepted = store.accept(&changes).unwrap();
        assert_eq!(accepted, Accepted { unchanged: 2, ..Accepted::default() });
        assert_eq!(tree(root), before);
    }
}

#[test]
fn a_file_of_other_bytes_but_the_same_pixels_stays() {
    let root = folder("other_encoder");
    let store = open(&root, "git");
    store.accept(&[set("light", "point", 1)]).unwrap();
    let fast = encode_png(&picture(1), PngEffort::Fast).unwrap();
    let path = root.join("references/light/point.png");
    fs::write(&path, &fast).unwrap();
    store.accept(&[set("light", "point", 1)]).unwrap();
    assert_eq!(fs::read(&path).unwrap(), fast);
    fs::write(&path, &fast[..fast.len() / 2]).unwrap();
    assert_eq!(store.accept(&[set("light", "point", 1)]).unwrap().files, 1, "a broken one is written anew");
    assert!(store.verify().unwrap().is_whole());
}

#[test]
fn encoded_pictures_are_packed_anew_and_kept_ones_must_be_there() {
    for store in stores("encoded") {
        let fast = encode_png(&picture(1), PngEffort::Fast).unwrap();
        let change =
            |line: LockLine, pixels| Change::Set { family: "light".into(), line, pixels, passes: None, inputs: None };
        let plain = line("point", &picture(1), None);
        store.accept(&[change(plain.clone(), Pixels::Encoded(fast.clone()))]).unwrap();
        if let Some(path) = store.picture_path("light", &plain) {
            assert_eq!(fs::read(path).unwrap(), encode_png(&picture(1), PngEffort::Small).unwrap());
        }
        let renamed = LockLine { scene: Some(passes_root("scene")), ..plain.clone() };
        let accepted = store.accept(&[change(renamed.clone(), Pixels::Kept)]).unwrap();
        assert_eq!((accepted.changed, accepted.files), (1, 0));
        if *store.address() != StoreAddress::None {
            let error = store.accept(&[change(line("new", &picture(3), None), Pixels::Kept)]).unwrap_err();
            assert!(matches!(error, StoreError::NoPicture { .. }), "{error}");
        }
        let error = store.accept(&[change(line("new", &picture(3), None), Pixels::Encoded(fast))]).unwrap_err();
        assert!(matches!(error, StoreError::NotThePicture { .. }), "{error}");
        let error = store.accept(&[change(plain, Pixels::Encoded(b"no picture".to_vec()))]).unwrap_err();
        assert!(matches!(error, StoreError::Unreadable { .. }), "{error}");
    }
}

#[test]
fn cases_and_families_go() {
    for store in stores("gone") {
        store.accept(&[set("light", "a", 1), set_with_passes("light", "b", 2), set("shape", "c", 1003)]).unwrap();
        let accepted = store.accept(&[remove("light", "b"), remove("shape", "c"), remove("x", "y")]).unwrap();
        assert_eq!(accepted.removed, 2);
        assert_eq!(store.families().unwrap(), ["light"]);
        assert!(!store.references().join("shape").exists());
        assert!(store.verify().unwrap().is_whole());
        if *store.address() == StoreAddress::Git {
            assert_eq!(names(store.references()), ["light/a.png", "light/frames.lock"]);
        }
    }
}

#[test]
fn a_case_that_changes_its_kind_of_file_leaves_none_behind() {
    let root = folder("kind");
    let store = open(&root, "git");
    store.accept(&[set_with_passes("light", "a", 1)]).unwrap();
    store.accept(&[set("light", "a", 1001)]).unwrap();
    assert_eq!(names(&root), ["references/light/a.exr", "references/light/frames.lock"]);
}

#[test]
fn what_cannot_be_accepted_changes_nothing() {
    for store in stores("refused") {
        store.accept(&[set("light", "a", 1)]).unwrap();
        let root = store.references().parent().unwrap();
        let before = tree(root);
        let bad_line = |name: &str, adapter: &str| {
            let mut line = line(name, &picture(2), None);
            line.adapter = adapter.into();
            let pixels = Pixels::Picture(picture(2));
            Change::Set { family: "light".into(), line, pixels, passes: None, inputs: None }
        };
        let wrong_picture = Change::Set {
            family: "light".into(),
            line: line("b", &picture(2), None),
            pixels: Pixels::Picture(picture(3)),
            passes: None,
            inputs: None,
        };
        let wrong_passes = Change::Set {
            family: "light".into(),
            line: line("b", &picture(2), Some("other")),
            pixels: Pixels::Picture(picture(2)),
            passes: Some("passes".into()),
            inputs: None,
        };
        let stray_passes = Change::Set {
            family: "light".into(),
            line: line("b", &picture(2), None),
            pixels: Pixels::Picture(picture(2)),
            passes: Some("passes".into()),
            inputs: None,
        };
        for (change, part) in [
            (set("..", "b", 2), "family"),
            (set(".git", "b", 2), "family"),
            (bad_line("", "soft/1"), "a line is"),
            (bad_line("b", "so ft/1"), "adapter"),
            (bad_line("b", "soft"), "adapter"),
            (set("light", "good", 2), "twice"),
            (wrong_picture, "not the picture"),
            (wrong_passes, "not the list of passes"),
            (stray_passes, "names none"),
        ] {
            let error = store.accept(&[set("light", "good", 2), change]).unwrap_err();
            assert!(error.to_string().contains(part), "{error}");
            assert!(!error.is_environment());
            assert_eq!(tree(root), before, "{error}");
        }
    }
}

#[test]
fn pictures_over_the_limit_are_refused() {
    let root = folder("limit");
    let address = StoreAddress::Git;
    let options = StoreOptions { reference_bytes_max: Some(120), ..StoreOptions::default() };
    let store = Store::open(&root.join("references"), address, options).unwrap();
    let error = store.accept(&[set("light", "a", 1)]).unwrap_err();
    assert!(matches!(error, StoreError::TooLarge { bytes_max: 120, .. }), "{error}");
    assert!(error.help().unwrap().contains("dir:"));
    assert_eq!(store.families().unwrap(), [""; 0]);
    let flat = Picture::new(4, 4, 3, Samples::U8(vec![7; 48])).unwrap();
    let small = Change::Set {
        family: "light".into(),
        line: line("flat", &flat, None),
        pixels: Pixels::Picture(flat),
        passes: None,
        inputs: None,
    };
    store.accept(&[small]).unwrap();
}

#[test]
fn a_broken_lock_is_never_written_over() {
    let root = folder("conflict");
    let store = open(&root, "git");
    store.accept(&[set("light", "a", 1), set("shape", "b", 2)]).unwrap();
    let path = store.lock_path("light");
    let text = fs::read_to_string(&path).unwrap();
    for broken in [format!("<<<<<<< ours\n{text}=======\n>>>>>>> theirs\n"), text.repeat(2), format!("{text}\u{0}")] {
        fs::write(&path, &broken).unwrap();
        let before = tree(&root);
        let error = store.accept(&[set("shape", "c", 3), set("light", "c", 3)]).unwrap_err();
        assert!(matches!(error, StoreError::Lock { .. }), "{error}");
        assert!(error.to_string().contains("frames.lock: line "), "{error}");
        assert_eq!(tree(&root), before);
        store.accept(&[set("shape", "c", 3)]).unwrap();
        store.accept(&[remove("shape", "c")]).unwrap();
    }
    fs::write(&path, b"ok\n\xFF").unwrap();
    assert!(store.lock("light").unwrap_err().to_string().contains("line 2: not UTF-8"));
}

#[test]
fn two_at_once_wait_for_each_other() {
    let root = folder("two");
    std::thread::scope(|scope| {
        for worker in 0..4u32 {
            let root = &root;
            scope.spawn(move || {
                for round in 0..5 {
                    let name = format!("case{worker}_{round}");
                    open(root, "git").accept(&[set("light", &name, worker), set("shape", &name, round)]).unwrap();
                }
            });
        }
    });
    let store = open(&root, "git");
    assert_eq!(store.lock("light").unwrap().lines().len(), 20);
    assert_eq!(store.lock("shape").unwrap().lines().len(), 20);
    assert_eq!(store.verify().unwrap().findings, []);
}

#[test]
fn one_who_holds_the_store_too_long_is_named() {
    let root = folder("busy");
    let references = root.join("references");
    let store = open(&root, "git");
    store.accept(&[set("light", "a", 1)]).unwrap();
    let file = fs::OpenOptions::new().write(true).open(references.join(".store/lock")).unwrap();
    file.lock().unwrap();
    let options = StoreOptions { wait: std::time::Duration::from_millis(60), ..StoreOptions::default() };
    let store = Store::open(&references, StoreAddress::Git, options).unwrap();
    let error = store.accept(&[set("light", "b", 2)]).unwrap_err();
    assert!(matches!(error, StoreError::Busy { .. }) && error.is_environment(), "{error}");
    assert_eq!(names(&references), ["light/a.png", "light/frames.lock"]);
    drop(file);
    store.accept(&[set("light", "b", 2)]).unwrap();
}

/// A change that was ended after `step_count` of its steps: what the journal says, and what is still staged.
fn interrupted(root: &Path, step_count: usize) {
    let control = root.join("references/.store");
    fs::create_dir_all(control.join("staged")).unwrap();
    let new = folder("interrupted_new");
    open(&new, "git").accept(&[set("light", "a", 2), set("shape", "b", 3)]).unwrap();
    let files = ["light/a.png", "shape/b.png", "light/frames.lock", "shape/frames.lock"];
    let mut journal = "stillframe-store 1\n".to_string();
    for (from, path) in files.iter().enumerate() {
        journal.push_str(&format!("{{\"put\":{{\"path\":\"{path}\",\"from\":{from}}}}}\n"));
        let bytes = fs::read(new.join("references").join(path)).unwrap();
        let to = match from < step_count {
            true => root.join("references").join(path),
            false => control.join("staged").join(from.to_string()),
        };
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::write(to, bytes).unwrap();
    }
    journal.push_str("{\"remove\":{\"path\":\"old/x.png\"}}\n{\"remove_folder\":{\"path\":\"old\"}}\nend\n");
    fs::write(control.join("journal"), journal).unwrap();
}

#[test]
fn a_recorded_change_is_finished_by_whoever_opens_the_store() {
    for step_count in 0..=4 {
        let root = folder("finished");
        open(&root, "git").accept(&[set("light", "a", 1), set("old", "x", 1)]).unwrap();
        fs::remove_file(root.join("references/old/frames.lock")).unwrap();
        interrupted(&root, step_count);
        let store = open(&root, "git");
        let Some(Recovery::Finished { paths }) = store.recovery() else { panic!("{:?}", store.recovery()) };
        assert_eq!(paths.len(), 5);
        let left = ["light/a.png", "light/frames.lock", "shape/b.png", "shape/frames.lock"];
        assert_eq!(names(store.references()), left);
        assert!(!store.references().join("old").exists());
        assert_eq!(store.lock("light").unwrap().find("a").unwrap().pixels, picture(2).hash());
        assert_eq!(store.verify().unwrap().findings, []);
        assert_eq!(open(&root, "git").recovery(), None);
    }
}

#[test]
fn a_change_that_was_not_recorded_never_happened() {
    let root = folder("undone");
    open(&root, "git").accept(&[set("light", "a", 1)]).unwrap();
    let before = tree(&root);
    interrupted(&root, 0);
    fs::rename(root.join("references/.store/journal"), root.join("references/.store/journal.new")).unwrap();
    let store = open(&root, "git");
    assert_eq!(store.recovery(), Some(&Recovery::Undone { file_count: 5 }));
    assert_eq!(tree(&root), before);
}

#[test]
fn a_record_that_is_none_is_left_for_people() {
    let start = "stillframe-store 1\n";
    for (journal, part) in [
        (String::new(), "first line"),
        ("stillframe-store 2\nend\n".into(), "first line"),
        (start.into(), "end is missing"),
        (format!("{start}nonsense\nend\n"), "line 2"),
        (format!("{start}end\nend\n"), "after the end"),
        (format!("{start}{{\"remove\":{{\"path\":\"../x\"}}}}\nend\n"), "is not in the folder"),
        (format!("{start}{{\"remove\":{{\"path\":\"/etc/x\"}}}}\nend\n"), "is not in the folder"),
        (format!("{start}{{\"remove\":{{\"path\":\"a/.git/x\"}}}}\nend\n"), "is not in the folder"),
    ] {
        let root = folder("record");
        open(&root, "git").accept(&[set("light", "a", 1)]).unwrap();
        fs::write(root.join("references/.store/journal"), &journal).unwrap();
        let before = tree(&root);
        let error = Store::open(&root.join("references"), StoreAddress::Git, StoreOptions::default()).unwrap_err();
        assert!(matches!(error, StoreError::Journal { .. }) && error.to_string().contains(part), "{error}");
        assert_eq!(tree(&root), before);
    }
}

#[test]
fn what_is_in_the_way_is_named() {
    let root = folder("in_the_way");
    fs::write(root.join("references"), b"a file").unwrap();
    let store = open(&root, "git");
    let error = store.accept(&[set("light", "a", 1)]).unwrap_err();
    assert!(error.is_environment() && error.to_string().contains("references cannot be written"), "{error}");
    assert_eq!(names(&root), ["references"]);

    let root = folder("family_in_the_way");
    fs::create_dir_all(root.join("references")).unwrap();
    fs::write(root.join("references/shape"), b"a file").unwrap();
    let error = open(&root, "git").accept(&[set("light", "a", 1), set("shape", "b", 2)]).unwrap_err();
    assert!(error.is_environment() && error.to_string().contains("shape"), "{error}");
    assert_eq!(names(&root), ["references/shape"], "nothing of the other family either");
    assert!(!root.join("references/.store/staged").exists());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(24), failure_persistence: None, ..ProptestConfig::default() })]

    /// A store after any changes holds what a plain map would.
    #[test]
    fn a_store_is_a_map(
        address in prop::sample::select(vec!["git", "dir:blobs"]),
        rounds in prop::collection::vec(prop::collection::vec(("[ab]", "[aA/.%]{1,2}", 0u32..6), 0..6), 1..5),
    ) {
        let root = folder("map");
        let mut want: std::collections::BTreeMap<(String, String), u32> = Default::default();
        for round in rounds {
            let mut changes: Vec<Change> = Vec::new();
            let mut seen = std::collections::BTreeSet::new();
            for (family, name, seed) in round {
                if !seen.insert((family.clone(), name.clone())) {
                    continue;
                }
                match seed {
                    0 => { want.remove(&(family.clone(), name.clone())); changes.push(remove(&family, &name)); }
                    1..=3 => { want.insert((family.clone(), name.clone()), seed); changes.push(set(&family, &name, seed)); }
                    _ => { want.insert((family.clone(), name.clone()), seed + 1000); changes.push(set_with_passes(&family, &name, seed + 1000)); }
                }
            }
            open(&root, address).accept(&changes).unwrap();
            let store = open(&root, address);
            prop_assert!(store.recovery().is_none());
            let mut got = std::collections::BTreeMap::new();
            for family in store.families().unwrap() {
                for line in store.lock(&family).unwrap().lines() {
                    let hash = store.picture(&family, line).unwrap().unwrap().hash();
                    got.insert((family.clone(), line.name.clone()), hash);
                }
            }
            let want: std::collections::BTreeMap<_, _> = want.iter().map(|(k, seed)| (k.clone(), picture(*seed).hash())).collect();
            prop_assert_eq!(got, want);
            let verified = store.verify().unwrap();
            prop_assert!(verified.is_whole(), "{:?}", verified.findings);
            store.sweep(&Sweep::default()).unwrap();
            prop_assert_eq!(store.verify().unwrap().findings, vec![]);
        }
    }
}

/// What would be refused is told for each change alone, so that the others can be accepted.
#[test]
fn refusals_are_told_one_by_one() {
    for store in stores("refusals") {
        let mut wrong = line("b", &picture(2), None);
        wrong.adapter = "soft".into();
        let pixels = Pixels::Picture(picture(2));
        let changes = [
            set("light", "a", 1),
            Change::Set { family: "light".into(), line: wrong, pixels, passes: None, inputs: None },
            set("", "red ball", 3),
            set("con", "c", 4),
            set("light", "a", 5),
        ];
        let refused = store.refused(&changes);
        let places: Vec<usize> = refused.iter().map(|(at, _)| *at).collect();
        assert_eq!(places, [1, 3, 4], "{refused:?}");
        store.accept(&[changes[0].clone(), changes[2].clone()]).unwrap();
        assert!(store.refused(&changes[..1]).is_empty());
        assert!(store.lock("").unwrap().find("red ball").is_some());
        assert_eq!(store.families().unwrap(), ["", "light"]);
    }
}
