//! The newest run that failed, as one page for a browser: `cargo run --example report`.

use std::path::Path;

use stillframe_frames::report::{PageOptions, html};
use stillframe_frames::run::{Run, newest};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    let runs = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/stillframe/runs");
    let run = Run::read(&newest(&runs).ok_or("no run: no test failed yet")?)?;
    let page = run.folder.join("report.html");
    html(&run, &PageOptions::default()).write(&run, &page)?;
    println!("{}", page.display());
    Ok(())
}
