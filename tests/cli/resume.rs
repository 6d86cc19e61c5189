//! Continuing pictures that take long.

use std::fs;
use std::path::Path;
use std::time::Duration;

use stillframe::take::Partial;

use super::{err, folder, program, run, status};

/// A mean of 256 pictures, whose sum is written down after each 64.
fn scene(here: &Path, more: &str) {
    let text = format!(
        "title = 'A ball under a sun'\n[output]\nsize_px = [256, 128]\nsamples = 1\n{more}\n\
         [accumulate]\npixel = 16\nlight = 256\n\
         [camera.main]\nposition = [0, 1, 3]\nlook_at = [0, 0.3, 0]\n\
         [[node]]\nshape = 'plane'\nsize_m = [6, 6]\n[[node]]\nshape = 'sphere'\nradius_m = 0.4\nposition = [0, 0.5, 0]\n\
         [[light]]\ndirection = [-1, -2, -1]\nangular_diameter_deg = 10\n"
    );
    fs::write(here.join("scene.toml"), text).unwrap();
}

fn rendered(here: &Path, arguments: &[&str]) -> Vec<u8> {
    let output = run(here, &[&["render", "scene.toml", "-o", "out.png"], arguments].concat());
    assert_eq!(status(&output), 0, "{}", err(&output));
    let bytes = fs::read(here.join("out.png")).unwrap();
    fs::remove_file(here.join("out.png")).unwrap();
    bytes
}

/// A picture whose program is killed while it draws goes on from what it has kept, and has the same bits.
#[test]
fn a_picture_goes_on_after_a_kill() {
    let here = folder("resume");
    scene(&here, "");
    let whole = rendered(&here, &[]);
    let kept = here.join("out.png.partial");
    let mut child = program(&here).args(["render", "scene.toml", "-o", "out.png", "--resume"]).spawn().unwrap();
    let mut waits = 0;
    while !kept.exists() {
        waits += 1;
        assert!(waits < 30_000 && child.try_wait().unwrap().is_none(), "it ended without keeping anything");
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!here.join("out.png").exists());
    let bytes = fs::read(&kept).unwrap();
    let partial = Partial::from_bytes(&bytes).expect("a whole file");
    assert!(partial.done >= 64 && partial.done < 256 && partial.done.is_multiple_of(64), "{}", partial.done);
    assert!(rendered(&here, &["--resume"]) == whole);
    assert!(!kept.exists());

    // What is kept is what counts.
    let mut brighter = partial;
    brighter.sums.iter_mut().for_each(|sum| *sum += 100.0);
    fs::write(&kept, brighter.to_bytes()).unwrap();
    assert!(rendered(&here, &["--resume"]) != whole);

    // That of another scene, or a damaged one, does not.
    fs::write(&kept, &bytes).unwrap();
    scene(&here, "exposure_ev = 1.0");
    let bright = rendered(&here, &[]);
    assert!(rendered(&here, &["--resume"]) == bright && bright != whole);
    fs::write(&kept, &bytes[..bytes.len() - 1]).unwrap();
    let output = run(&here, &["render", "scene.toml", "-o", "out.png", "--resume"]);
    assert!(err(&output).contains("is damaged"), "{}", err(&output));
    assert!(fs::read(here.join("out.png")).unwrap() == bright);
}

#[test]
fn only_pictures_in_files_go_on() {
    let here = folder("resume_where");
    scene(&here, "");
    for arguments in [&["-o", "-"][..], &["--frames", "0..3", "-o", "out.gif"]] {
        let output = run(&here, &[&["render", "scene.toml", "--resume"], arguments].concat());
        assert_eq!(status(&output), 2, "{}", err(&output));
        assert!(err(&output).contains("next to its file"), "{}", err(&output));
    }
}
