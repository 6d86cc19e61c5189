//! Two pictures as files, their difference as a picture: `compare_files OLD NEW DIFFERENCE.png`. Exit status as
//! diff(1): 0 same, 1 different, 2 trouble. Prints one line.

use std::path::Path;
use std::process::ExitCode;

use stillframe_base::par::Pool;
use stillframe_frames::compare::{CompareOptions, Comparison, Exact, difference_times};
use stillframe_frames::{DecodeLimits, NamedPicture, PngEffort, decode_pictures, encode_png, write_file};

type Trouble = Box<dyn std::error::Error + Send + Sync>;

fn main() -> ExitCode {
    let names: Vec<String> = std::env::args().skip(1).collect();
    let [old, new, to] = names.as_slice() else {
        eprintln!("usage: compare_files OLD NEW DIFFERENCE.png");
        return ExitCode::from(2);
    };
    match compared(old, new, Path::new(to)) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("{error}");
            ExitCode::from(2)
        }
    }
}

/// Whether the first picture of each file is the same.
fn compared(old: &str, new: &str, to: &Path) -> Result<bool, Trouble> {
    let first = |path: &str| -> Result<NamedPicture, Trouble> {
        let mut pictures = decode_pictures(&std::fs::read(path)?, &DecodeLimits::default())?;
        Ok(pictures.swap_remove(0))
    };
    // Unpacking is most of the work, and each file is unpacked by itself.
    let (old, new) = at_once(|| first(old), || first(new));
    let (old, new) = (old?.picture, new?.picture);
    let exact = Exact::of(&old, &new)?;
    let draw = || -> Result<(), Trouble> {
        if !exact.is_same() {
            write_file(to, &encode_png(&difference_times(&old, &new, 16)?, PngEffort::Fast)?)?;
        }
        Ok(())
    };
    let explain = || Comparison::of_exact(&old, &new, &exact, &CompareOptions::default(), &Pool::new(1));
    let (drawn, found) = at_once(draw, explain);
    drawn?;
    println!("{} of {} pixels differ, {}", found.differing_pixel_count, found.pixel_count, found.classes);
    Ok(found.is_same())
}

/// Both results; the first work runs on a thread of its own.
fn at_once<A: Send, B>(a: impl FnOnce() -> A + Send, b: impl FnOnce() -> B) -> (A, B) {
    std::thread::scope(|scope| {
        let a = scope.spawn(a);
        let b = b();
        (a.join().expect("no panic"), b)
    })
}
