//! Writes made pairs of pictures, and the FLIP map that we find for each, for `ci/flip-peer.py` to compare with
//! NVIDIA's program: `cargo run -p stillframe-frames --release --example flip_pairs -- FOLDER`. The same pairs are in
//! `tests/pictures/compare/flip_peer.rs`.

use std::error::Error;
use std::path::Path;

use stillframe_base::par::Pool;
use stillframe_frames::compare::{FlipOptions, Where, flip};
use stillframe_frames::{ExrLayer, Picture, PngEffort, Samples, encode_exr, encode_npy, encode_png, write_file};
use stillframe_testkit::pairs;

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: flip_pairs FOLDER")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    let pool = Pool::new(0);
    for (name, old, new) in pairs::all() {
        for (side, picture) in [("reference", &old), ("test", &new)] {
            let (bytes, ending) = match &picture.samples {
                Samples::F32(_) => {
                    let layer = ExrLayer { channels: &["R", "G", "B"], picture };
                    (encode_exr(&[layer], &[], &pool)?, "exr")
                }
                _ => (encode_png(picture, PngEffort::Fast)?, "png"),
            };
            write_file(&folder.join(format!("{name}.{side}.{ending}")), &bytes)?;
        }
        let map = flip(&old, &new, &FlipOptions::default(), Where::Everywhere, &pool)?;
        let figures = map.figures();
        println!("{name} {:.7} {:?}", figures.mean, map.exposures);
        let errors = Picture::new(map.width_px, map.height_px, 1, Samples::F32(map.errors))?;
        write_file(&folder.join(format!("{name}.ours.npy")), &encode_npy(&errors))?;
    }
    Ok(())
}
