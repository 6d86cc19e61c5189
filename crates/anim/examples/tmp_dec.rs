use stillframe_anim::compress::*;
use stillframe_anim::pose::JointBlock;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::*;
#[path = "../tests/compress/clips.rs"]
#[allow(dead_code)]
mod clips;
fn main() {
    let sk = clips::skeleton();
    for name in ["walk", "idle", "random", "long", "noisy"] {
        let (clip, rep) = compress_raw(
            &clips::named(name),
            &sk,
            &Compression { rate: FrameRate::whole(30), object_error_max_m: 0.12e-3 },
        )
        .unwrap();
        let t = std::time::Instant::now();
        compress_raw(
            &clips::named(name),
            &sk,
            &Compression { rate: FrameRate::whole(30), object_error_max_m: 0.12e-3 },
        )
        .unwrap();
        let dt = t.elapsed().as_secs_f64();
        print!("{name:8} {:.1} MB/s moving {} ", rep.raw_bytes() as f64 / dt / 1e6, rep.moving_tracks);
        for isa in [Isa::Sse2, Isa::Avx2] {
            for random in [false, true] {
                let mut out = vec![JointBlock::IDENTITY; 5];
                let mut best = f64::MAX;
                let d = clip.duration().0;
                let mut s = 12345u64;
                for b in 0..1500i64 {
                    let ms: Vec<Tick> = (0..100)
                        .map(|i| {
                            if random {
                                s = s.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                                Tick(((s >> 33) as i64 % 10007) * (d / 10007))
                            } else {
                                Tick(((b * 100 + i) * TICKS_PER_SECOND / 60) % d)
                            }
                        })
                        .collect();
                    let t = std::time::Instant::now();
                    for at in &ms {
                        Decompress { isa, clip: std::hint::black_box(&clip), at: *at, out: &mut out }.run();
                        std::hint::black_box(&out);
                    }
                    best = best.min(t.elapsed().as_nanos() as f64 / 100.0 / 67.0);
                }
                print!(" {isa} {} {best:.2}", if random { "rnd" } else { "fwd" });
            }
        }

        use stillframe_anim::sample::*;
        let (u, _) =
            bake_raw(&clips::named(name), &sk, &Baking { rate: FrameRate::whole(30), object_error_max_m: None })
                .unwrap();
        for isa in [Isa::Sse2, Isa::Avx2] {
            let mut out = vec![JointBlock::IDENTITY; 5];
            let mut best = f64::MAX;
            for b in 0..1500i64 {
                let ms: Vec<Tick> =
                    (0..100).map(|i| Tick(((b * 100 + i) * TICKS_PER_SECOND / 60) % clip.duration().0)).collect();
                let t = std::time::Instant::now();
                for at in &ms {
                    Sample { isa, clip: std::hint::black_box(&u), at: *at, out: &mut out }.run();
                    std::hint::black_box(&out);
                }
                best = best.min(t.elapsed().as_nanos() as f64 / 100.0 / 67.0);
            }
            print!(" uniform {isa} {best:.2}");
        }
        let mut x = 1.0f64;
        let t = std::time::Instant::now();
        for _ in 0..10_000_000 {
            x = std::hint::black_box(x) + 1.0;
        }
        print!(" add {:.2} ns {x}", t.elapsed().as_secs_f64() * 100.0);
        println!();
    }
}
