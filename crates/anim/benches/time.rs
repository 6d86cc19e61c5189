//! Nanoseconds of a controller's step with 4 events at 60 steps a second, by mode. `cargo bench -p stillframe-anim --bench time`.

use std::hint::black_box;
use std::ops::ControlFlow;

use criterion::{Criterion, criterion_group, criterion_main};
use stillframe_anim::time::{Controller, Event, Mode, Playback, Repeat, Speed, Timeline, Track};
use stillframe_base::tick::{TICKS_PER_SECOND, Tick};

fn advance(c: &mut Criterion) {
    let second = Tick(TICKS_PER_SECOND);
    let events = [0, 1, 2, 4].map(|quarter| Event::share(quarter, 4, Tick::ZERO, second)).to_vec();
    let track = Track::new(Tick::ZERO, second, events).expect("in order");
    for (name, mode, speed) in [
        ("loop", Mode::Loop(Repeat::Forever), Speed::ONE),
        ("loop_backward", Mode::Loop(Repeat::Forever), Speed::whole(-1)),
        ("loop_times", Mode::Loop(Repeat::Times(u32::MAX)), Speed::ONE),
        ("ping_pong", Mode::PingPong(Repeat::Forever), Speed::ONE),
        ("clamp_parked", Mode::Clamp, Speed::ONE),
    ] {
        let timeline = Timeline::new(Playback::new(Tick::ZERO, second, mode), &track).expect("in order");
        let mut controller = Controller { speed, ..Controller::play(&timeline) };
        // The bench checks what it times: ten seconds fire each inner event ten times.
        let mut heard = 0;
        for _ in 0..600 {
            let done = controller.advance(&timeline, Tick(TICKS_PER_SECOND / 60), |fired| {
                heard += usize::from(fired.signal == stillframe_anim::time::Signal::Point(1));
                ControlFlow::Continue(())
            });
            done.expect("near");
        }
        assert_eq!(heard, if mode == Mode::Clamp { 1 } else { 10 }, "{name}");
        c.bench_function(&format!("time/advance_{name}"), |b| {
            let mut heard = 0u32;
            b.iter(|| {
                let done = controller.advance(black_box(&timeline), black_box(Tick(TICKS_PER_SECOND / 60)), |_| {
                    heard += 1;
                    ControlFlow::Continue(())
                });
                black_box((done, heard))
            });
        });
        c.bench_function(&format!("time/local_{name}"), |b| {
            b.iter(|| black_box(&controller).local(black_box(&timeline)));
        });
    }
}

criterion_group!(benches, advance);
criterion_main!(benches);
