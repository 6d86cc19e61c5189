//! Our comparison beside those that people would take: FLIP beside `nv-flip` (NVIDIA's C++) and `dssim-core`, files to
//! verdict beside the `pixelmatch` crate. `cargo bench` in this folder; `-- 4096` for large pictures too. Each pair
//! takes turns, five times; the least processor time of all threads counts, since a busy machine lengthens it far less
//! than a clock's. Pictures: the made frames of `stillframe_testkit::pictures`. `odiff-bin` is a program:
//! `ci/odiff-peer.sh`.
//!
//! Like work: FLIP and SSIM begin with decoded RGB in memory and end with a mean; ours uses two threads where theirs
//! does (`dssim-core`), one where theirs does (`nv-flip`). Files begin as PNG bytes and end with the count of differing
//! pixels. What ours tells beside that (tiles, histogram, labels) is not in the others.

use std::hint::black_box;
use std::io::Cursor;

use cpu_time::ProcessTime;
use rgb::RGB8;
use stillframe_base::par::Pool;
use stillframe_frames::compare::{Exact, FlipOptions, Where, flip};
use stillframe_frames::{Picture, PngEffort, Samples, decode_png, encode_png};


use stillframe_testkit::pictures::{Change, pair};

fn main() {
    let sides: &[u32] = if std::env::args().any(|arg| arg == "4096") { &[1024, 4096] } else { &[1024] };
    println!("{:<44} {:>10} {:>10} {:>7}", "processor time", "ours, ms", "theirs, ms", "ratio");
    for &side in sides {
        for (name, change) in [("equal", Change::Same), ("edge", Change::Edge), ("gain", Change::Gain)] {
            rows(side, name, change);
        }
    }
}

fn rows(side: u32, name: &str, change: Change) {
    let (old, new) = pair(side, side, 3, change);
    let options = FlipOptions::default();
    let ours = |look: Where<'_>, pool: &Pool| flip(&old, &new, &options, look, pool).expect("alike").mean();
    let (one, all) = (Pool::new(1), Pool::new(0));
    let nvidia = || {
        let of = |p: &Picture| nv_flip::FlipImageRgb8::with_data(side, side, bytes(p));
        let map = nv_flip::flip(of(&old), of(&new), nv_flip::DEFAULT_PIXELS_PER_DEGREE);
        f64::from(nv_flip::FlipPool::from_image(&map).mean())
    };
    let (mine, theirs) = (ours(Where::Everywhere, &one), nvidia());
    assert!((mine - theirs).abs() < 1e-4, "{name}: FLIP {mine} where nv-flip has {theirs}");

    let label = |what: &str| format!("{name} {side}: {what}");
    row(&label("FLIP whole / nv-flip"), || ours(Where::Everywhere, &one), nvidia);
    let exact_and_flip = |pool: &Pool| {
        let exact = Exact::of(&old, &new).expect("alike");
        ours(Where::Differing(&exact), pool)
    };
    row(&label("exact + FLIP of tiles / nv-flip"), || exact_and_flip(&one), nvidia);
    let dssim = || {
        let dssim = dssim_core::Dssim::new();
        let of = |p: &Picture| {
            let pixels: Vec<RGB8> = bytes(p).chunks_exact(3).map(|c| RGB8::new(c[0], c[1], c[2])).collect();
            dssim.create_image_rgb(&pixels, side as usize, side as usize).expect("a picture")
        };
        f64::from(dssim.compare(&of(&old), of(&new)).0)
    };
    row(&label("FLIP whole, threads / dssim-core"), || ours(Where::Everywhere, &all), dssim);
    row(&label("exact + FLIP of tiles / dssim-core"), || exact_and_flip(&all), dssim);

    let (old, new) = pair(side, side, 4, change);
    let files = [&old, &new].map(|p| encode_png(p, PngEffort::Fast).expect("8 bit"));
    let exact = || {
        let [old, new] = files.each_ref().map(|bytes| decode_png(bytes).expect("a PNG"));
        Exact::of(&old, &new).expect("alike").differing_pixel_count as f64
    };
    let pixelmatch = || {
        let [old, new] = files.each_ref().map(|bytes| Cursor::new(bytes.as_slice()));
        pixelmatch::pixelmatch(old, new, None::<&mut Vec<u8>>, None, None, None).expect("two PNGs") as f64
    };
    row(&label("files to verdict / pixelmatch"), exact, pixelmatch);
}

fn bytes(picture: &Picture) -> &[u8] {
    let Samples::U8(samples) = &picture.samples else { unreachable!("made with 8 bit") };
    samples
}

/// Times two ways of doing one thing.
fn row(name: &str, ours: impl Fn() -> f64, theirs: impl Fn() -> f64) {
    let mut least = [f64::MAX; 2];
    let mut time = |side: usize, work: &dyn Fn() -> f64| {
        let start = ProcessTime::now();
        black_box(work());
        least[side] = least[side].min(start.elapsed().as_secs_f64() * 1e3);
    };
    for _ in 0..5 {
        time(0, &ours);
        time(1, &theirs);
    }
    println!("{name:<44} {:>10.2} {:>10.2} {:>7.3}", least[0], least[1], least[0] / least[1]);
}
