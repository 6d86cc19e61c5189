//! Writes the made frames as PNG files, for programs that compare files: `made_pairs FOLDER`. See `ci/odiff-peer.sh`.

use std::error::Error;
use std::path::Path;

use stillframe_frames::{PngEffort, encode_png, write_file};

use stillframe_testkit::pictures::{Change, pair};

fn main() -> Result<(), Box<dyn Error>> {
    let folder = std::env::args().nth(1).ok_or("usage: made_pairs FOLDER")?;
    let folder = Path::new(&folder);
    std::fs::create_dir_all(folder)?;
    for side in [1024, 4096] {
        for (name, change) in [("same", Change::Same), ("edge", Change::Edge), ("gain", Change::Gain)] {
            let (old, new) = pair(side, side, 4, change);
            write_file(&folder.join(format!("{side}.old.png")), &encode_png(&old, PngEffort::Fast)?)?;
            write_file(&folder.join(format!("{side}.{name}.png")), &encode_png(&new, PngEffort::Fast)?)?;
        }
    }
    Ok(())
}
