//! What every object store must do, seen from the store of references.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

use stillframe_frames::store::*;
use stillframe_frames::{LockLine, Picture, Samples};

use crate::server::folder;

pub type Environment = [(&'static str, String)];

pub fn program() -> &'static str {
    env!("CARGO_BIN_EXE_stillframe-remote")
}

/// The program as somebody would have it whose environment is set.
fn program_with(folder: &Path, environment: &Environment) -> PathBuf {
    let path = folder.join("stillframe-remote");
    let mut text = "#!/bin/sh\n".to_string();
    for (name, value) in environment {
        text.push_str(&format!("export {name}='{value}'\n"));
    }
    text.push_str(&format!("exec '{}' \"$@\"\n", program()));
    fs::write(&path, text).unwrap();
    fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
    path
}

fn picture(seed: u32, is_float: bool) -> Picture {
    let count = 20 * 10 * 3;
    let value = |at: u32| (at ^ seed.wrapping_mul(977)).wrapping_mul(2654435761) >> 8;
    let samples = match is_float {
        true => Samples::F32((0..count).map(|at| value(at) as f32 / 1024.0).collect()),
        false => Samples::U8((0..count).map(|at| value(at) as u8).collect()),
    };
    Picture::new(20, 10, 3, samples).unwrap()
}

fn set(name: &str, seed: u32, is_float: bool, passes: Option<&str>) -> Change {
    let picture = picture(seed, is_float);
    let line = LockLine {
        owner: stillframe_frames::Owner::Scene,
        name: name.into(),
        adapter: "soft/1".into(),
        width_px: picture.width_px,
        height_px: picture.height_px,
        format: picture.format(),
        pixels: picture.hash(),
        passes: passes.map(passes_root),
        scene: None,
        inputs: None,
        reason: String::new(),
    };
    Change::Set {
        family: "light".into(),
        line,
        pixels: Pixels::Picture(picture),
        passes: passes.map(String::from),
        inputs: None,
    }
}

/// A clone of the references with a cache of its own.
fn clone(root: &Path, name: &str, address: &str, program: &Path) -> Store {
    let references = root.join("references");
    let options = StoreOptions {
        remote: Some(Remote { program: program.to_path_buf(), cache: root.join(name) }),
        ..StoreOptions::default()
    };
    Store::open(&references, StoreAddress::parse(address).unwrap(), options).unwrap()
}

fn kinds(store: &Store) -> Vec<FindingKind> {
    store.verify().unwrap().findings.iter().map(|finding| finding.kind).collect()
}

/// Push, push again, fetch elsewhere, break, sweep.
pub fn everything(name: &str, address: &str, environment: &Environment) {
    let root = folder(name);
    let program = program_with(&root, environment);
    let check = || {
        let run = Command::new(&program).args(["check", address]).output().unwrap();
        assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
        String::from_utf8(run.stdout).unwrap()
    };
    assert_eq!(check(), format!("{address}: 0 files, 0 bytes\n"));

    let one = clone(&root, "cache_one", address, &program);
    let mut changes = vec![
        set("a", 1, false, Some("main b3:1\n")),
        set("same", 1, false, None),
        set("float", 2, true, Some("main b3:2\n")),
    ];
    changes.extend((10..60).map(|seed| set(&format!("many{seed}"), seed, false, None)));
    one.accept(&changes).unwrap();
    let file_count = 2 + 2 + 50;
    assert_eq!(kinds(&one), vec![FindingKind::Unpushed; file_count]);

    let pushed = one.push().unwrap();
    assert_eq!((pushed.files, pushed.known, pushed.missing.len()), (file_count, 0, 0));
    assert!(pushed.bytes > 0);
    assert_eq!(one.push().unwrap(), Moved { known: file_count, ..Moved::default() }, "a second push moves nothing");
    assert_eq!(check(), format!("{address}: {file_count} files, {} bytes\n", pushed.bytes));
    assert_eq!(kinds(&one), []);

    // Somebody else, with nothing but the locks.
    let two = clone(&root, "cache_two", address, &program);
    let verified = two.verify().unwrap();
    assert_eq!((verified.findings, verified.files), (vec![], 0), "all is there, nothing is here");
    let lock = two.lock("light").unwrap();
    let (a, float) = (lock.find("a").unwrap(), lock.find("float").unwrap());
    assert_eq!(two.picture("light", a).unwrap().unwrap(), picture(1, false));
    assert_eq!(two.picture("light", float).unwrap().unwrap(), picture(2, true));
    assert_eq!(two.passes("light", a).unwrap().as_deref(), Some("main b3:1\n"));
    let pulled = two.pull().unwrap();
    assert_eq!((pulled.files, pulled.known, pulled.missing.len()), (file_count - 3, 3, 0));
    assert_eq!(two.pull().unwrap(), Moved { known: file_count, ..Moved::default() });
    assert_eq!(two.verify().unwrap().files, file_count);
    assert_eq!(two.export(&root.join("exported")).unwrap().files, file_count + 1);

    // A line that changes without its picture needs no network, and nothing to push.
    let three = clone(&root, "cache_three", address, &program);
    let line = LockLine { scene: Some(passes_root("scene")), ..a.clone() };
    let kept = Change::Set { family: "light".into(), line, pixels: Pixels::Kept, passes: None, inputs: None };
    assert_eq!(three.accept(&[kept]).unwrap().changed, 1);
    assert_eq!(kinds(&three), []);

    // What is not what its name says is not taken.
    let key = BlobKey::of_picture(float);
    fs::remove_dir_all(root.join("cache_three")).unwrap();
    sweep_all_but(&three, key);
    replace(&program, address, &key.path(), b"no picture");
    for error in [three.picture("light", float).unwrap_err(), three.pull().unwrap_err()] {
        assert!(matches!(error, StoreError::Unreadable { .. }), "{error}");
        assert!(error.to_string().contains(address), "{error}");
    }
    assert!(!root.join("cache_three").join(key.path()).exists());

    // What is gone is missing, and comes back from who has it.
    assert_eq!(one.verify().unwrap().findings.len(), file_count - 1);
    let pulled = three.pull();
    assert!(pulled.is_err(), "the broken one still stands there: {pulled:?}");
    replace(&program, address, &key.path(), b"");
    delete(&program, address, &key.path());
    assert_eq!(three.pull().unwrap().missing.len(), file_count);
    assert_eq!(one.push().unwrap().files, file_count);
    assert_eq!(three.pull().unwrap().files, file_count);

    // Dead files.
    three
        .accept(
            &(10..60).map(|n| Change::Remove { family: "light".into(), name: format!("many{n}") }).collect::<Vec<_>>(),
        )
        .unwrap();
    let here_only = three.sweep(&Sweep { is_dry_run: true, ..Sweep::default() }).unwrap();
    assert_eq!(here_only.len(), 50);
    let keep = vec![picture(10, false).hash()];
    let swept = three.sweep(&Sweep { is_remote_swept: true, keep, ..Sweep::default() }).unwrap();
    assert_eq!(swept.len(), 49 * 2);
    assert!(swept[60].place.starts_with(address), "{:?}", swept[60]);
    assert!(check().contains(": 5 files, "));
}

/// Removes every file of the object store but one.
fn sweep_all_but(store: &Store, key: BlobKey) {
    let lock = fs::read(store.lock_path("light")).unwrap();
    fs::remove_file(store.lock_path("light")).unwrap();
    store.sweep(&Sweep { is_remote_swept: true, keep: vec![key.hash], ..Sweep::default() }).unwrap();
    fs::create_dir_all(store.lock_path("light").parent().unwrap()).unwrap();
    fs::write(store.lock_path("light"), lock).unwrap();
}

fn talk(program: &Path, address: &str, requests: &[(wire::Request, &[u8])]) -> Vec<wire::Reply> {
    crate::program::talk(Command::new(program).args(["serve", address]), requests)
}

fn delete(program: &Path, address: &str, key: &str) {
    let keys = vec![key.to_string(), "ab/nothing.png".to_string()];
    let replies = talk(program, address, &[(wire::Request::Delete { keys }, b"")]);
    assert!(matches!(replies[..], [wire::Reply::Deleted { .. }]), "{replies:?}");
}

/// Deletes a file, then stores other bytes in its place.
fn replace(program: &Path, address: &str, key: &str, bytes: &[u8]) {
    delete(program, address, key);
    let put = || wire::Request::Put { key: key.into(), bytes: bytes.len() as u64 };
    assert_eq!(talk(program, address, &[(put(), bytes)]), [wire::Reply::Stored]);
    assert_eq!(talk(program, address, &[(put(), bytes)]), [wire::Reply::Known], "what is there is not written again");
    let sizes = talk(program, address, &[(wire::Request::Exists { keys: vec![key.into(), "0/0".into()] }, b"")]);
    assert_eq!(sizes, [wire::Reply::Sizes { sizes: vec![Some(bytes.len() as u64), None] }]);
}

/// The program says why it cannot, with exit status 8, and no secret.
pub fn refusals(name: &str, address: &str, environment: &Environment, why: &str) {
    let root = folder(&format!("{name}_refused"));
    let program = program_with(&root, environment);
    let run = Command::new(&program).args(["check", address]).output().unwrap();
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!((run.status.code(), run.stdout.len()), (Some(8), 0), "{said}");
    assert!(said.contains(why), "{said}");
    for (_, value) in environment.iter().filter(|(name, _)| name.contains("KEY") || name.contains("AUTHORIZATION")) {
        assert!(!said.contains(value.as_str()), "{said}");
    }
    let store = clone(&root, "cache", address, &program);
    let change = set("a", 1, false, None);
    store.accept(&[change]).unwrap();
    let error = store.push().unwrap_err();
    assert!(matches!(error, StoreError::Remote { .. }) && error.is_environment(), "{error}");
    assert!(error.to_string().contains(why) && error.to_string().contains(address), "{error}");
}
