//! Decompressing takes nothing from the heap, and reading a file no more than it says.

use glam::DQuat;
use stillframe_anim::compress::{CompressedClip, Compression, Decompress, MEMORY_FACTOR, compress};
use stillframe_anim::pose::{JointBlock, Trs};
use stillframe_anim::sample::{DTrs, RawJoint, Skeleton, VIRTUAL_VERTEX_M};
use stillframe_base::hash::Digest;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use super::HEAP;

#[test]
fn decompressing_does_not_allocate_and_reading_takes_little() {
    let joint = |node| RawJoint { node, name: String::new(), parent: None, rest: Trs::IDENTITY };
    let skeleton = Skeleton::new(&(0..20).map(joint).collect::<Vec<RawJoint>>()).expect("twenty roots");
    let compression = Compression { rate: FrameRate::whole(30), object_error_max_m: 1e-4, shell_m: VIRTUAL_VERTEX_M };
    let mut smooth = |at: Tick, pose: &mut [DTrs]| {
        pose[0].translation.x = at.seconds();
        pose[17].rotation = DQuat::from_rotation_x(at.seconds());
    };
    let mut jumping = |at: Tick, pose: &mut [DTrs]| {
        pose[3].scale.y = if at.0 < 123_456_789 { 1.0 } else { 1.5 };
    };
    let duration = Tick(TICKS_PER_SECOND);
    let frames = compress(&skeleton, duration, &[], &compression, &mut smooth).expect("within the bound").0;
    let keys = compress(&skeleton, duration, &[Tick(123_456_789)], &compression, &mut jumping).expect("within").0;
    let mut out = [JointBlock::IDENTITY; 2];
    for clip in [&frames, &keys] {
        for isa in Isa::available() {
            let ((), bytes) = HEAP.watch_thread(|| {
                for at in (0..TICKS_PER_SECOND).step_by(9_999_991) {
                    Decompress { isa, clip, at: Tick(at), out: &mut out }.run();
                }
            });
            assert_eq!(bytes, 0, "{isa}");
        }
        let file = clip.to_bytes();
        let (back, bytes) = HEAP.watch_thread(|| CompressedClip::from_bytes(&file));
        assert_eq!(back.as_ref(), Ok(clip));
        assert!(bytes <= MEMORY_FACTOR * file.len() + (1 << 16), "{bytes} for {}", file.len());
        // Files that say that there is much, and hold little: every byte changed to one that says more.
        for at in 24..file.len().min(160) {
            for value in [0x00, 0x7F, 0xFF] {
                let mut bad = file.clone();
                bad[at] = value;
                let sum = Digest::of_bytes(&bad[24..]).0;
                bad[16..24].copy_from_slice(&sum[..8]);
                let (_, bytes) = HEAP.watch_thread(|| CompressedClip::from_bytes(&bad).map(drop));
                assert!(bytes <= MEMORY_FACTOR * bad.len() + (1 << 16), "{bytes} for {} at {at}", bad.len());
            }
        }
    }
}
