//! Golden scenes: every scene's picture must have the identity that its family's `frames.lock` holds, bit for bit.
//!
//! `STILLFRAME_UPDATE=missing` writes references that do not exist yet, `failing` also those that differ, `all` every one;
//! `CI` never writes. A case whose reference was just written still fails once: look at the picture, then run again.

#![expect(clippy::disallowed_methods, reason = "a test reads its own switches from the environment")]

mod suite;

use std::fs;

use libtest_mimic::{Arguments, Failed, Trial};
use stillframe::take::AdapterChoice;
use stillframe_frames::{Differences, Lock, LockLine, Picture, PngEffort, decode_png, encode_png, write_file};
use suite::Case;

fn main() {
    let mut trials: Vec<Trial> = suite::cases()
        .into_iter()
        .map(|case| Trial::test(case.name(), move || check(&case)).with_kind("scene"))
        .collect();
    trials.push(Trial::test("no_reference_without_a_scene", no_reference_without_a_scene));
    libtest_mimic::run(&Arguments::from_args(), trials).exit();
}

/// What the user allows to be written.
fn may_write(missing: bool) -> bool {
    if std::env::var_os("CI").is_some() {
        return false;
    }
    match std::env::var("STILLFRAME_UPDATE").as_deref() {
        Ok("all" | "failing") => true,
        Ok("missing") => missing,
        _ => false,
    }
}

fn check(case: &Case) -> Result<(), Failed> {
    let (picture, _) = suite::render(case, AdapterChoice::Soft)?;
    let line = LockLine {
        name: case.behaviour.clone(),
        adapter: format!("soft/{}", stillframe_soft::PIXEL_CONTRACT),
        width_px: picture.width_px,
        height_px: picture.height_px,
        format: picture.format(),
        pixels: picture.hash(),
        passes: None,
        scene: None,
    };
    let lock = read_lock(&case.family)?;
    let Some(want) = lock.find(&case.behaviour) else {
        return Err(complain(case, &picture, line, true, "no reference yet"));
    };
    if *want != line {
        let words = format!("want {want}\n have {line}\n{}", where_it_differs(case, &picture));
        return Err(complain(case, &picture, line, false, &words));
    }
    let stored = stored_picture(case)?;
    if stored.hash() != want.pixels {
        return Err(format!("references/{}.png is not the picture that frames.lock names", case.name()).into());
    }
    Ok(())
}

fn read_lock(family: &str) -> Result<Lock, Failed> {
    let file = suite::root().join(format!("references/{family}/frames.lock"));
    let text = match fs::read_to_string(&file) {
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
        other => other?,
    };
    Lock::parse(&text).map_err(|errors| format!("{}: {errors:?}", file.display()).into())
}

fn stored_picture(case: &Case) -> Result<Picture, Failed> {
    let file = suite::root().join(format!("references/{}.png", case.name()));
    let bytes = fs::read(&file).map_err(|e| format!("{}: {e}", file.display()))?;
    Ok(decode_png(&bytes)?)
}

fn where_it_differs(case: &Case, picture: &Picture) -> String {
    match stored_picture(case).map(|old| Differences::of(&old, picture)) {
        Ok(Ok(differences)) => format!("{:?}", differences.summary()),
        Ok(Err(error)) => error.to_string(),
        Err(_) => "the stored picture cannot be read".to_owned(),
    }
}

/// The failure; writes the reference first where that is allowed, and the new picture to `target/golden` for a look.
fn complain(case: &Case, picture: &Picture, line: LockLine, missing: bool, words: &str) -> Failed {
    static LOCKS: std::sync::Mutex<()> = std::sync::Mutex::new(());
    let png = match encode_png(picture, PngEffort::Small) {
        Ok(png) => png,
        Err(error) => return error.to_string().into(),
    };
    let look = suite::root().join(format!("target/golden/{}.png", case.name()));
    let mut files = vec![(look.clone(), png.clone())];
    let mut note = format!("; the picture is in {}", look.display());
    if may_write(missing) {
        let _one_at_a_time = LOCKS.lock();
        let folder = suite::root().join("references");
        let mut lock = match read_lock(&case.family) {
            Ok(lock) => lock,
            Err(failed) => return failed,
        };
        lock.set(line);
        files.push((folder.join(format!("{}.png", case.name())), png));
        files.push((folder.join(&case.family).join("frames.lock"), lock.to_string().into_bytes()));
        note = "; the reference is written: look at it, then run again".to_owned();
        for (file, bytes) in &files {
            if let Err(error) =
                fs::create_dir_all(file.parent().expect("a folder")).and_then(|()| write_file(file, bytes))
            {
                return format!("{}: {error}", file.display()).into();
            }
        }
    } else if let Err(error) =
        fs::create_dir_all(look.parent().expect("a folder")).and_then(|()| write_file(&look, &files[0].1))
    {
        return format!("{}: {error}", look.display()).into();
    }
    format!("{}: {words}{note}", case.name()).into()
}

fn no_reference_without_a_scene() -> Result<(), Failed> {
    let cases = suite::cases();
    let mut families: Vec<&str> = cases.iter().map(|c| c.family.as_str()).collect();
    families.dedup();
    for entry in fs::read_dir(suite::root().join("references"))? {
        let family = entry?.file_name().to_string_lossy().into_owned();
        if !families.contains(&family.as_str()) {
            return Err(format!("references/{family} has no scenes").into());
        }
        for line in read_lock(&family)?.lines() {
            let known = cases.iter().any(|c| c.family == family && c.behaviour == line.name);
            if !known {
                return Err(format!("references/{family}/frames.lock: `{}` has no scene", line.name).into());
            }
        }
    }
    Ok(())
}
