//! Table.
use super::clips;
use stillframe_anim::compress::*;
use stillframe_base::tick::FrameRate;

#[test]
#[ignore]
fn quick_table() {
    let skeleton = clips::skeleton();
    let only = std::env::var("CLIP").ok();
    let bound: f64 = std::env::var("BOUND").ok().map_or(0.12e-3, |b| b.parse::<f64>().unwrap() * 1e-3);
    let (mut raw_b, mut out_b, mut secs) = (0usize, 0usize, 0.0);
    for clip in clips::all() {
        if only.as_ref().is_some_and(|o| *o != clip.name) {
            continue;
        }
        let t = std::time::Instant::now();
        let r = compress_raw(&clip, &skeleton, &Compression { rate: FrameRate::whole(30), object_error_max_m: bound });
        let dt = t.elapsed().as_secs_f64();
        match r {
            Ok((c, r)) => {
                raw_b += r.raw_bytes();
                out_b += r.bytes;
                secs += dt;
                assert_eq!(CompressedClip::from_bytes(&c.to_bytes()).as_ref(), Ok(&c));
                println!(
                    "{:9} {:6.2}:1 {:8} B mem {} worst {:.4} mm p99 {:.4} tracks {}/{}/{} {:?} x{} {:.1} MB/s strides {:?} ",
                    clip.name,
                    r.ratio(),
                    r.bytes,
                    c.memory_bytes(),
                    r.object_m.value * 1e3,
                    r.object_p99_m * 1e3,
                    r.default_tracks,
                    r.constant_tracks,
                    r.moving_tracks,
                    r.form,
                    r.frames_per_source_frame,
                    r.raw_bytes() as f64 / dt / 1e6,
                    r.strides
                );
            }
            Err(e) => println!("{:9} {e}", clip.name),
        }
    }
    println!("all {:.2}:1 {:.1} MB/s", raw_b as f64 / out_b as f64, raw_b as f64 / secs / 1e6);
}
