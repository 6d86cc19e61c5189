//! What `verify`, `stats`, `sweep` and `export` see.

use stillframe_frames::{Apng, PngEffort, decode_png};

use super::*;

fn kinds(store: &Store) -> Vec<FindingKind> {
    store.verify().unwrap().findings.iter().map(|finding| finding.kind).collect()
}

#[test]
fn every_kind_of_harm_is_found() {
    for address in ["git", "dir:blobs"] {
        let root = folder(&format!("harm_{}", &address[..3]));
        let store = open(&root, address);
        store.accept(&[set_with_passes("light", "a", 1), set("light", "b", 2), set("shape", "c", 1003)]).unwrap();
        let lock = store.lock("light").unwrap();
        let (a, b) = (lock.find("a").unwrap(), lock.find("b").unwrap());
        let (a_path, b_path) = (store.picture_path("light", a).unwrap(), store.picture_path("light", b).unwrap());
        let good = fs::read(&a_path).unwrap();
        assert_eq!(kinds(&store), []);

        fs::write(&a_path, &good[..good.len() / 2]).unwrap();
        assert_eq!(kinds(&store), [FindingKind::Unreadable]);
        let error = store.picture("light", a).unwrap_err();
        assert!(matches!(error, StoreError::Unreadable { .. }), "{error}");
        assert!(error.to_string().contains("is not a readable picture"), "{error}");

        fs::write(&a_path, fs::read(&b_path).unwrap()).unwrap();
        assert_eq!(kinds(&store), [FindingKind::Other]);
        let error = store.picture("light", a).unwrap_err();
        assert!(error.to_string().contains("is not the picture that frames.lock names for `light/a`"), "{error}");

        // Its first frame is the picture, and programs show the others too.
        let picture = decode_png(&good).unwrap();
        let mut apng = Apng::new(&picture, 1, 24.0, PngEffort::Fast).unwrap();
        apng.push(&picture).unwrap();
        fs::write(&a_path, apng.finish().unwrap()).unwrap();
        assert_eq!(kinds(&store), [FindingKind::Unreadable]);
        assert!(store.picture("light", a).unwrap_err().to_string().contains("it is animated"));

        fs::remove_file(&a_path).unwrap();
        assert_eq!(kinds(&store), [FindingKind::Missing]);
        assert_eq!(store.picture("light", a).unwrap(), None);
        assert_eq!(store.stats().unwrap().families[0].missing, 1);
        fs::write(&a_path, &good).unwrap();

        let passes = match address {
            "git" => root.join("references/light/a.passes"),
            _ => {
                let key = BlobKey::of_passes(a).unwrap();
                root.join("blobs").join(key.path())
            }
        };
        let text = fs::read(&passes).unwrap();
        fs::write(&passes, b"main b3:0\n").unwrap();
        assert_eq!(kinds(&store), [FindingKind::Other]);
        assert!(matches!(store.passes("light", a), Err(StoreError::NotThePasses { .. })));
        fs::remove_file(&passes).unwrap();
        assert_eq!(kinds(&store), [FindingKind::Missing]);
        assert_eq!(store.passes("light", a).unwrap(), None);
        fs::write(&passes, text).unwrap();
        assert_eq!(kinds(&store), []);

        let lock_path = store.lock_path("shape");
        let lock_text = fs::read(&lock_path).unwrap();
        fs::write(&lock_path, b"<<<<<<< ours\nx\n").unwrap();
        assert_eq!(kinds(&store), [FindingKind::Lock, FindingKind::Lock]);
        assert!(store.sweep(&Sweep::default()).is_err(), "its pictures would seem dead");
        fs::write(&lock_path, lock_text).unwrap();
        assert!(store.verify().unwrap().is_whole());
    }
}

#[test]
fn sizes_are_counted() {
    let root = folder("stats");
    let store = open(&root, "dir:blobs");
    store.accept(&[set("light", "a", 1), set("light", "b", 1), set_with_passes("shape", "c", 1)]).unwrap();
    let stats = store.stats().unwrap();
    assert_eq!((stats.cases, stats.files, stats.families.len()), (3, 2, 2));
    assert_eq!((stats.families[0].cases, stats.families[0].files), (2, 1));
    assert_eq!((stats.families[1].cases, stats.families[1].files), (1, 2));
    let bytes: u64 = tree(&root.join("blobs")).iter().map(|(_, bytes)| bytes.len() as u64).sum();
    assert_eq!(stats.bytes, bytes);
}

#[test]
fn too_large_pictures_are_found() {
    let root = folder("large");
    open(&root, "git").accept(&[set("light", "a", 1)]).unwrap();
    let options = StoreOptions { reference_bytes_max: Some(100), ..StoreOptions::default() };
    let store = Store::open(&root.join("references"), StoreAddress::Git, options).unwrap();
    assert_eq!(kinds(&store), [FindingKind::TooLarge]);
}

#[test]
fn dead_files_are_listed_then_removed() {
    let root = folder("dead_git");
    let store = open(&root, "git");
    store.accept(&[set("light", "a", 1), set("light", "b", 2)]).unwrap();
    let references = root.join("references");
    for (name, is_ours) in [
        ("light/old.png", true),
        ("light/a.exr", true),
        ("light/a.passes", true),
        ("old/x.png", true),
        ("light/README.md", false),
        ("light/notes.txt", false),
    ] {
        let path = references.join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, name).unwrap();
        assert_eq!(kinds(&store).contains(&FindingKind::Dead), is_ours || name.starts_with("light/"), "{name}");
    }
    let before = tree(&root);
    let listed = store.sweep(&Sweep { is_dry_run: true, ..Sweep::default() }).unwrap();
    assert_eq!((listed.len(), tree(&root)), (4, before));
    assert_eq!(store.sweep(&Sweep::default()).unwrap(), listed);
    assert!(!references.join("old").exists());
    let left = ["light/README.md", "light/a.png", "light/b.png", "light/frames.lock", "light/notes.txt"];
    assert_eq!(names(&references), left);
    assert_eq!(store.verify().unwrap().findings, []);
}

#[test]
fn a_folder_keeps_what_other_branches_name() {
    let root = folder("dead_dir");
    let store = open(&root, "dir:blobs");
    store.accept(&[set("light", "a", 1), set("light", "b", 2), set("light", "c", 3)]).unwrap();
    store.accept(&[remove("light", "b"), set("light", "c", 4)]).unwrap();
    let verified = store.verify().unwrap();
    assert!(verified.is_whole());
    assert_eq!(verified.findings.iter().filter(|finding| finding.kind == FindingKind::Dead).count(), 2);
    let half_written = root.join("blobs/.store/new/ab");
    fs::create_dir_all(half_written.parent().unwrap()).unwrap();
    fs::write(&half_written, b"half").unwrap();
    assert!(kinds(&store).contains(&FindingKind::Leftover));
    let keep = vec![picture(2).hash()];
    assert_eq!(store.sweep(&Sweep { keep, ..Sweep::default() }).unwrap().len(), 2);
    assert!(!half_written.exists());
    assert_eq!(store.sweep(&Sweep::default()).unwrap().len(), 1);
    assert_eq!(store.verify().unwrap().findings, []);
    assert_eq!(names(&root.join("blobs")).len(), 2);
}

#[test]
fn pictures_are_copied_from_store_to_store() {
    let root = folder("copied");
    let git = open(&root, "git");
    git.accept(&[set("light", "a", 1), set("light", "b", 2), set("shape", "c", 2000)]).unwrap();
    let folder = open(&root, "dir:blobs");
    fs::remove_file(root.join("references/light/b.png")).unwrap();
    let moved = folder.copy_from(&git).unwrap();
    assert_eq!((moved.files, moved.known, moved.missing), (2, 0, vec!["light/b".to_string()]));
    let again = folder.copy_from(&git).unwrap();
    assert_eq!((again.files, again.known, again.missing.len()), (0, 2, 1));
    folder.sweep(&Sweep::default()).unwrap();
    assert_eq!(kinds(&folder), [FindingKind::Missing]);
    // And back: locks stay as they are.
    let locks = ["light", "shape"].map(|family| git.lock(family).unwrap());
    let moved = git.copy_from(&folder).unwrap();
    assert_eq!((moved.files, moved.missing.len()), (2, 1));
    assert_eq!(["light", "shape"].map(|family| git.lock(family).unwrap()), locks);
    assert_eq!(kinds(&git), [FindingKind::Missing]);
    // A file that is not what its line says is no copy.
    fs::remove_dir_all(root.join("blobs")).unwrap();
    fs::write(root.join("references/light/a.png"), "rubbish").unwrap();
    assert!(folder.copy_from(&git).is_err());
    assert_eq!(open(&root, "none").copy_from(&git).unwrap().files, 0);
}

/// What brings a damaged picture back: a copy of another store, and accepting it again.
#[test]
fn a_damaged_picture_is_no_copy_and_is_mended() {
    let root = folder("mended");
    let (git, dir) = (open(&root, "git"), open(&root, "dir:blobs"));
    git.accept(&[set("light", "a", 1)]).unwrap();
    dir.copy_from(&git).unwrap();
    let line = git.lock("light").unwrap().lines()[0].clone();
    let blob = dir.picture_path("light", &line).unwrap();
    let good = fs::read(&blob).unwrap();
    for damage in [&good[..good.len() / 2], b"", b"rubbish"] {
        fs::write(&blob, damage).unwrap();
        assert!(dir.check_kept("light", &line, None).unwrap_err().is_damage());
        // The sound one beside the line is the only copy.
        assert!(matches!(dir.sweep(&Sweep::default()), Err(StoreError::OnlyCopy { .. })));
        assert_eq!(dir.copy_from(&git).unwrap().files, 1);
        dir.check_kept("light", &line, None).unwrap();
        fs::write(&blob, damage).unwrap();
        dir.accept(&[set("light", "a", 1)]).unwrap();
        assert_eq!(fs::read(&blob).unwrap(), good);
    }
    fs::remove_file(&blob).unwrap();
    let missing = dir.check_kept("light", &line, None).unwrap_err();
    assert!(matches!(missing, StoreError::Missing { .. }) && missing.is_damage(), "{missing}");
    assert_eq!(dir.copy_from(&git).unwrap().files, 1);
    dir.sweep(&Sweep::default()).unwrap();
}

/// A ledger saves the decoding, and nothing else: whatever changes, the file's or the line's side, is noticed.
#[test]
fn a_ledger_never_hides_damage() {
    let root = folder("ledger");
    let store = open(&root, "git");
    store.accept(&[set("light", "a", 1), set("light", "b", 2)]).unwrap();
    let lock = store.lock("light").unwrap();
    let (a, b) = (lock.find("a").unwrap(), lock.find("b").unwrap());
    let (a_path, b_path) = (store.picture_path("light", a).unwrap(), store.picture_path("light", b).unwrap());
    let ledger = Ledger::new(&root.join("sound"));
    let check = |line: &LockLine| store.check_kept("light", line, Some(&ledger));
    for _ in 0..2 {
        check(a).unwrap();
        check(b).unwrap();
    }
    assert_eq!(names(&root.join("sound")).len(), 2);
    let good = fs::read(&a_path).unwrap();
    // The other picture is known to be sound, as another line's.
    fs::write(&a_path, fs::read(&b_path).unwrap()).unwrap();
    assert!(matches!(check(a), Err(StoreError::NotThePicture { .. })));
    let mut flipped = good.clone();
    *flipped.last_mut().unwrap() ^= 1;
    flipped[60] ^= 1;
    fs::write(&a_path, &flipped).unwrap();
    assert!(check(a).is_err());
    fs::write(&a_path, &good).unwrap();
    check(a).unwrap();
    assert!(check(&LockLine { pixels: b.pixels, ..a.clone() }).is_err(), "the line changed");
    assert!(check(&LockLine { width_px: 8, ..a.clone() }).is_err(), "the line changed");
}

/// What stands at the place of a file may have no end, no writer, or more bytes than there is memory.
#[cfg(unix)]
#[test]
fn what_is_no_file_of_a_sensible_size_is_never_read() {
    for address in ["git", "dir:blobs"] {
        let root = folder(&format!("endless_{}", &address[..3]));
        let store = open(&root, address);
        store.accept(&[set_with_passes("light", "a", 1)]).unwrap();
        let line = store.lock("light").unwrap().lines()[0].clone();
        let path = store.picture_path("light", &line).unwrap();
        let good = fs::read(&path).unwrap();
        let put = |kind: &str| {
            let _ = fs::remove_file(&path).or_else(|_| fs::remove_dir(&path));
            match kind {
                "device" => std::os::unix::fs::symlink("/dev/zero", &path).unwrap(),
                "pipe" => assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success()),
                "folder" => fs::create_dir(&path).unwrap(),
                _ => fs::File::create(&path).unwrap().set_len(100 << 30).unwrap(),
            }
        };
        for (kind, words) in [
            ("device", "a device or a pipe"),
            ("pipe", "a device or a pipe"),
            ("folder", "a folder"),
            ("vast", "the limit"),
        ] {
            put(kind);
            let error = store.picture("light", &line).unwrap_err();
            assert!(error.is_damage() && error.to_string().contains(words), "{kind}: {error}");
            assert_eq!(kinds(&store), [FindingKind::Unreadable], "{kind}");
            assert!(store.check_kept("light", &line, None).unwrap_err().is_damage(), "{kind}");
            // Accepting it again puts a file there, or says why it cannot; the store goes on in either case.
            let accepted = store.accept(&[set_with_passes("light", "a", 1)]);
            assert_eq!(accepted.is_ok(), kind != "folder", "{kind}: {accepted:?}");
            assert_eq!(open(&root, address).recovery(), None, "{kind}");
            if accepted.is_ok() {
                assert_eq!(fs::read(&path).unwrap(), good, "{kind}");
                assert!(path.symlink_metadata().unwrap().is_file(), "{kind}");
            }
        }
        let lock = store.lock_path("light");
        fs::remove_file(&lock).unwrap();
        std::os::unix::fs::symlink("/dev/zero", &lock).unwrap();
        assert!(store.lock("light").unwrap_err().to_string().contains("a device or a pipe"), "{address}");
    }
}

#[test]
fn files_of_another_back_end_are_dead() {
    let root = folder("moved");
    let git = open(&root, "git");
    git.accept(&[set("light", "a", 1)]).unwrap();
    let folder = open(&root, "dir:blobs");
    assert_eq!(kinds(&folder), [FindingKind::Missing, FindingKind::Dead]);
    // The only copy is not removed.
    for is_dry_run in [true, false] {
        let refused = folder.sweep(&Sweep { is_dry_run, ..Sweep::default() }).unwrap_err();
        assert!(
            matches!(&refused, StoreError::OnlyCopy { count: 1, first, .. } if first == "light/a.png"),
            "{refused}"
        );
    }
    folder.accept(&[set("light", "a", 1)]).unwrap();
    assert_eq!(kinds(&folder), [FindingKind::Dead]);
    folder.sweep(&Sweep::default()).unwrap();
    assert_eq!(kinds(&folder), []);
}

#[test]
fn pictures_are_brought_out_under_readable_names() {
    for store in stores("export") {
        store.accept(&[set_with_passes("light", "a", 1), set("shape", "b[x=1]", 1001)]).unwrap();
        let to = folder(&format!("exported_{}", &store.address().to_string()[..3]));
        let exported = store.export(&to).unwrap();
        if *store.address() == StoreAddress::None {
            assert_eq!(exported, Exported { files: 0, missing: vec!["light/a".into(), "shape/b[x=1]".into()] });
            continue;
        }
        assert_eq!(exported, Exported { files: 3, missing: vec![] });
        assert_eq!(names(&to), ["light/a.passes", "light/a.png", "shape/b[x=1].exr"]);
    }
}

#[test]
fn a_store_that_is_not_there_holds_nothing() {
    for store in stores("absent") {
        assert_eq!(store.families().unwrap(), [""; 0]);
        assert_eq!(store.verify().unwrap(), Verified::default());
        assert_eq!(store.stats().unwrap(), Stats::default());
        assert_eq!(store.sweep(&Sweep::default()).unwrap(), []);
        assert!(!store.references().exists(), "looking makes no folder");
    }
}
