//! Sampling and culling crowds take nothing from the heap.

use glam::{DVec3, Mat4, Vec3};
use stillframe_anim::crowd::{
    BakedVertices, CrowdBaking, CullCrowd, MovingVertices, SampleCrowd, Storage, TextureLimits, Visible, grid, scatter,
};
use stillframe_base::geom::{Aabb, Frustum};
use stillframe_base::lanes::{Isa, Row};
use stillframe_base::rng::Rng;
use stillframe_base::tick::{FrameRate, TICKS_PER_SECOND, Tick};

use super::HEAP;

#[test]
fn crowds_do_not_allocate() {
    for storage in [Storage::F32, Storage::Ranged16] {
        let baking = CrowdBaking {
            storage,
            error_max_m: 1.0,
            rate_min: FrameRate::whole(10),
            rate_max: FrameRate::whole(10),
            limits: TextureLimits::default(),
        };
        let mut rise = |at: Tick, positions: &mut [DVec3], _: &mut [DVec3]| positions[0].y = at.seconds();
        let length = Tick(TICKS_PER_SECOND);
        let mut clips = [MovingVertices { length, looping: false, keys: &[], place: &mut rise }];
        let (baked, _) = BakedVertices::bake(40, &mut clips, &baking).expect("one frame after another");
        let frames = &baked.frames;
        let mut actors = scatter(&grid(5, 5, 1.0), 1, Rng::new(1));
        actors[7].fade = 0.5;
        let bounds = [Aabb::new(Vec3::splat(-1.0), Vec3::splat(1.0))];
        let frustum = Frustum::new(&Mat4::IDENTITY);
        let mut visible = [Visible::default(); 25];
        let (mut phases, mut out) = ([0], vec![Row::ZERO; 25 * frames.frame_rows()]);
        for isa in Isa::available() {
            let (count, bytes) = HEAP.watch_thread(|| {
                let (actors, visible) = (&actors[..], &mut visible[..]);
                let (eye, lod_distances_m) = (Vec3::ZERO, &[1.0][..]);
                let job = CullCrowd {
                    actors,
                    bounds: &bounds,
                    frustum: &frustum,
                    eye,
                    lod_distances_m,
                    visible: &mut *visible,
                };
                let count = job.run();
                frames.clip_phases(Tick(12_345), &mut phases);
                let out = &mut out[..count * frames.frame_rows()];
                SampleCrowd {
                    isa,
                    baked: frames,
                    phases: &phases,
                    actors,
                    visible: &visible[..count],
                    out,
                    stream: false,
                }
                .run();
                count
            });
            assert!(count > 5 && bytes == 0, "{isa}: {count} actors, {bytes} bytes");
        }
    }
    assert_eq!(HEAP.watch_thread(|| drop(vec![1u8; 100])).1, 100, "the count counts");
}
