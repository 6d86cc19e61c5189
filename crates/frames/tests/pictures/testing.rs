//! Pictures in ordinary `cargo test`: what passes, what fails, and what a failure leaves and says.

use std::fs;
use std::path::{Path, PathBuf};

use stillframe_frames::compare::{Bounds, Mask, Tolerance};
use stillframe_frames::run::{Run, newest};
use stillframe_frames::testing::{Settings, Tests, Update};
use stillframe_frames::{Lock, Owner, Picture, Samples, assert_picture};

fn folder(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("testing").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn tests(root: &Path, update: Update) -> Tests {
    let settings = Settings { update, session: "one".into(), package: "shapes".into(), ..Settings::default() };
    Tests::at(root).made_by("tiny-skia/0.12").settings(settings)
}

/// 8 x 8 grey pixels, one of them brighter.
fn picture(value: u8) -> Picture {
    let mut values = vec![100; 64];
    values[9] = value;
    Picture::new(8, 8, 1, Samples::U8(values)).unwrap()
}

fn lock(root: &Path, family: &str) -> Lock {
    Lock::parse(&fs::read_to_string(root.join("references").join(family).join("frames.lock")).unwrap()).unwrap()
}

fn run(root: &Path) -> Run {
    Run::read(&newest(&root.join("target/stillframe/runs")).unwrap().unwrap()).unwrap()
}

#[test]
fn references_of_tests_name_their_owner() {
    let root = folder("owner");
    let words = tests(&root, Update::Missing).check("shapes/small", &picture(1)).unwrap_err();
    assert!(words.contains("the picture is the reference now"), "{words}");
    let line = lock(&root, "shapes").find("small").unwrap().clone();
    assert_eq!((line.adapter.as_str(), line.owner), ("tiny-skia/0.12", Owner::Tests));
    tests(&root, Update::No).check("shapes/small", &picture(1)).unwrap();
    let other = tests(&root, Update::No).made_by("cairo/1").check("shapes/small", &picture(1)).unwrap_err();
    assert!(other.starts_with("ADAPTER shapes/small"), "{other}");
    // What the software adapter drew in somebody's tests is theirs, too.
    tests(&root, Update::Missing).made_by("soft/1").check("shapes/soft", &picture(1)).unwrap_err();
    assert_eq!(lock(&root, "shapes").find("soft").unwrap().owner(), Owner::Tests);
    // The reference of a scene is nobody else's.
    let file = root.join("references/shapes/frames.lock");
    let text = fs::read_to_string(&file).unwrap().replace("owner=tests", &format!("scene={}", picture(1).hash()));
    fs::write(&file, text).unwrap();
    let refused = tests(&root, Update::All).check("shapes/soft", &picture(2)).unwrap_err();
    assert!(refused.contains("reference of a scene"), "{refused}");
}

#[test]
fn a_failure_says_what_to_type_and_leaves_its_page() {
    let root = folder("words");
    tests(&root, Update::Missing).check("shapes/small", &picture(1)).unwrap_err();
    let words = tests(&root, Update::No).check("shapes/small", &picture(3)).unwrap_err();
    let run = run(&root);
    let folder = run.folder.display();
    let command = "cargo test -p shapes testing::a_failure_says_what_to_type_and_leaves_its_page -- --exact";
    for line in [
        "DIFFERS shapes/small   1 px (1.56 %), max 2/255".to_string(),
        format!("   see     {folder}/report.html#/case/shapes%2Fsmall"),
        format!("   accept  STILLFRAME_UPDATE=failing {command}"),
        format!("   or      stillframe accept --from {folder} '=shapes/small'"),
        format!("   repeat  {command}"),
    ] {
        assert!(words.contains(&line), "no {line:?} in\n{words}");
    }
    assert!(!words.contains("stillframe test"), "{words}");
    let page = fs::read_to_string(run.folder.join("report.html")).unwrap();
    assert!(page.contains("\"name\":\"shapes/small\"") && page.contains("\"owner\":\"tests\""));
    let new = tests(&root, Update::No).check("shapes/other", &picture(3)).unwrap_err();
    assert!(new.contains("STILLFRAME_UPDATE=missing cargo test"), "{new}");
}

/// Tests fail side by side, and none of them knows which is the last: the page shows them all.
#[test]
fn the_page_has_every_failure_of_a_session() {
    let root = folder("page");
    std::thread::scope(|scope| {
        for at in 0..24u8 {
            let tests = tests(&root, Update::No);
            scope.spawn(move || tests.check(&format!("shapes/n{at}"), &picture(at)).unwrap_err());
        }
    });
    let run = run(&root);
    assert_eq!(run.records.len(), 24);
    let page = fs::read_to_string(run.folder.join("report.html")).unwrap();
    for at in 0..24 {
        assert!(page.contains(&format!("\"name\":\"shapes/n{at}\"")), "{at}");
    }
}

/// Who mends the code must not accept the picture of before.
#[test]
fn a_test_that_passes_again_waits_no_more() {
    let root = folder("again");
    tests(&root, Update::Missing).check("shapes/small", &picture(1)).unwrap_err();
    tests(&root, Update::No).check("shapes/small", &picture(3)).unwrap_err();
    tests(&root, Update::No).check("shapes/other", &picture(3)).unwrap_err();
    let waiting = || run(&root).pending().map(|record| record.name.clone()).collect::<Vec<_>>();
    assert_eq!(waiting(), ["shapes/other", "shapes/small"]);
    tests(&root, Update::No).check("shapes/small", &picture(1)).unwrap();
    assert_eq!(waiting(), ["shapes/other"]);
    let page = fs::read_to_string(run(&root).folder.join("report.html")).unwrap();
    assert!(page.contains("1 new of 2 cases"));
    // Nothing is written where nothing waits.
    let length = || fs::metadata(run(&root).folder.join("run.jsonl")).unwrap().len();
    let before = length();
    tests(&root, Update::No).check("shapes/small", &picture(1)).unwrap();
    assert_eq!(length(), before);
}

#[test]
fn old_runs_of_tests_go() {
    let root = folder("old-runs");
    for session in 0..12 {
        let settings = Settings { session: session.to_string(), ..Settings::default() };
        Tests::at(&root).settings(settings).check("shapes/small", &picture(1)).unwrap_err();
    }
    let mut names: Vec<String> = fs::read_dir(root.join("target/stillframe/runs"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.starts_with('0'))
        .collect();
    names.sort();
    assert_eq!((names.len(), names[0].as_str(), names[9].as_str()), (10, "000003", "000012"));
}

/// Tests with another store have another run: who accepts a run must know where its pictures go.
#[test]
fn a_run_has_one_store() {
    let root = folder("stores");
    let elsewhere = tests(&root, Update::No).store("dir:shots".parse().unwrap());
    for _ in 0..2 {
        tests(&root, Update::No).check("shapes/a", &picture(1)).unwrap_err();
        elsewhere.check("shapes/b", &picture(1)).unwrap_err();
    }
    let runs = root.join("target/stillframe/runs");
    let stores = ["000001", "000002"].map(|id| Run::read(&runs.join(id)).unwrap().header.store);
    assert_eq!(stores, ["git", "dir:shots"]);
    assert!(!runs.join("000003").exists());
}

#[test]
fn a_tolerance_has_a_reason_and_an_end() {
    let root = folder("tolerance");
    tests(&root, Update::Missing).check("shapes/small", &picture(10)).unwrap_err();
    let within = |delta: f64, share: f64| {
        tests(&root, Update::No).tolerance(Tolerance { delta, share }, "drivers round differently")
    };
    within(4.0, 0.0).check("shapes/small", &picture(14)).unwrap();
    within(0.0, 1.0 / 64.0).check("shapes/small", &picture(99)).unwrap();
    // Another adapter's picture is compared then.
    within(4.0, 0.0).made_by("vulkan/other").check("shapes/small", &picture(14)).unwrap();
    let words = within(4.0, 0.0).check("shapes/small", &picture(15)).unwrap_err();
    assert!(words.contains("1.562 % of the pixels differ by more than 4/255; 0.000 % are allowed (drivers"), "{words}");
    let silent = std::panic::catch_unwind(|| {
        tests(Path::new("."), Update::No).tolerance(Tolerance { delta: 1.0, share: 0.0 }, " ")
    });
    assert!(silent.is_err(), "a reason must say something");
}

#[test]
fn ignored_regions_are_not_compared_and_the_whole_picture_is_kept() {
    let root = folder("ignored");
    tests(&root, Update::Missing).check("shapes/small", &picture(10)).unwrap_err();
    let changed = picture(200);
    let pixel = Bounds::of(1, 1, 1, 1);
    let mut mask = Mask::empty(8, 8);
    mask.insert(1, 1);
    let plain = || tests(&root, Update::No);
    plain().ignore(pixel).check("shapes/small", &changed).unwrap();
    plain().ignore_mask(mask).check("shapes/small", &changed).unwrap();
    plain().only(Bounds::of(2, 0, 6, 8)).check("shapes/small", &changed).unwrap();
    let words = plain().only(Bounds::of(0, 0, 2, 8)).check("shapes/small", &changed).unwrap_err();
    assert!(words.contains("48 pixels are not compared"), "{words}");
    let words = plain().ignore(Bounds::of(7, 0, 2, 1)).check("shapes/small", &changed).unwrap_err();
    assert!(words.contains("is not within the picture of 8x8"), "{words}");
    // The reference is the picture as it is.
    tests(&root, Update::Failing).only(Bounds::of(0, 0, 2, 8)).check("shapes/small", &changed).unwrap_err();
    plain().check("shapes/small", &changed).unwrap();
}

#[test]
fn a_missing_old_picture_is_told() {
    let root = folder("lost");
    let shots = || tests(&root, Update::No).store("dir:shots".parse().unwrap());
    tests(&root, Update::Missing).check("shapes/small", &picture(1)).unwrap_err();
    let words = shots().check("shapes/small", &picture(2)).unwrap_err();
    assert!(words.contains("the old picture is not in the store dir:shots"), "{words}");
}

/// The test's own path is the picture's name, and another picture in the same test must have its own.
#[test]
fn names_come_from_the_test() {
    let root = folder("names");
    let update = || tests(&root, Update::Missing);
    let fails = |call: &dyn Fn()| {
        let words = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).unwrap_err();
        words.downcast_ref::<String>().unwrap().clone()
    };
    mod inner {
        use super::*;
        pub fn draws(tests: Tests) {
            assert_picture!(picture(7), tests = tests);
        }
    }
    fails(&|| inner::draws(update()));
    let line = lock(&root, "pictures/testing/names_come_from_the_test/inner");
    assert!(line.find("draws").is_some(), "{line}");
    inner::draws(tests(&root, Update::No));
    fails(&|| assert_picture!(&picture(8), tests = update(), name = "shapes/given"));
    assert!(lock(&root, "shapes").find("given").is_some());
    assert_picture!(picture(8), tests = tests(&root, Update::No), name = "shapes/given");
    let twice = fails(&|| assert_picture!(picture(9), tests = tests(&root, Update::No), name = "shapes/given"));
    assert!(twice.contains("testing.rs:") && twice.contains("asserts a picture of this name, too"), "{twice}");
}

#[test]
fn pictures_of_other_packages_are_taken_as_they_are() {
    let bytes: Vec<u8> = (0..2 * 3 * 4).collect();
    let straight = image::RgbaImage::from_raw(2, 3, bytes.clone()).unwrap();
    let want = Picture::new(2, 3, 4, Samples::U8(bytes)).unwrap();
    assert_eq!(Picture::try_from(&straight).unwrap(), want);
    assert_eq!(Picture::try_from(straight).unwrap(), want);
    let rgb = Picture::try_from(image::RgbImage::from_pixel(2, 1, image::Rgb([1, 2, 3]))).unwrap();
    assert_eq!((rgb.channel_count, rgb.samples), (3, Samples::U8(vec![1, 2, 3, 1, 2, 3])));
    assert!(Picture::try_from(image::RgbaImage::new(0, 0)).is_err());

    let mut pixmap = tiny_skia::Pixmap::new(16, 16).unwrap();
    let mut paint = tiny_skia::Paint::default();
    paint.set_color_rgba8(200, 100, 50, 128);
    let rect = tiny_skia::Rect::from_xywh(2.5, 2.5, 9.0, 9.0).unwrap();
    pixmap.fill_rect(rect, &paint, tiny_skia::Transform::identity(), None);
    let picture = Picture::try_from(&pixmap).unwrap();
    let Samples::U8(values) = &picture.samples else { unreachable!() };
    for (texel, want) in values.chunks_exact(4).zip(pixmap.pixels()) {
        let straight = want.demultiply();
        assert_eq!(texel, [straight.red(), straight.green(), straight.blue(), straight.alpha()]);
    }
    assert_eq!(Picture::try_from(pixmap).unwrap(), picture);
}
