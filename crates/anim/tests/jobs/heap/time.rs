//! Steps of a controller take nothing from the heap.

use std::ops::ControlFlow;

use stillframe_anim::time::{Controller, Event, Mode, Playback, Position, Repeat, Speed, Timeline, Track};
use stillframe_base::tick::Tick;

use super::HEAP;

#[test]
fn steps_do_not_allocate() {
    let events = vec![
        Event::point(Tick(0)),
        Event::span(Tick(10), Tick(900)),
        Event::point(Tick(500)),
        Event::point(Tick(1000)),
    ];
    let track = Track::new(Tick(0), Tick(1000), events).expect("in order");
    for mode in
        [Mode::Loop(Repeat::Forever), Mode::PingPong(Repeat::Forever), Mode::Loop(Repeat::Times(9)), Mode::Clamp]
    {
        let timeline = Timeline::new(Playback::new(Tick(0), Tick(1000), mode), &track).expect("in order");
        let mut controller = Controller::play(&timeline);
        let ((fired, counted), peak_bytes) = HEAP.watch_thread(|| {
            let (mut fired, mut counted) = (0u64, 0);
            for step in 0..2000 {
                controller.speed = Speed::whole(if step % 500 < 250 { 1 } else { -1 });
                let from = controller.position;
                let done = controller.advance(&timeline, Tick(step % 97), |_| {
                    fired += 1;
                    ControlFlow::Continue(())
                });
                done.expect("near");
                counted += timeline.count(2, from, controller.position).expect("a moment");
                controller.scrub(&timeline, Position::of_tick(Tick(step)), |_| fired += 1);
                std::hint::black_box(controller.local(&timeline));
            }
            (fired, counted)
        });
        assert_eq!(peak_bytes, 0, "{mode:?}");
        assert!(fired > 100 && counted > 0 || mode == Mode::Clamp, "{mode:?}: {fired}, {counted}");
    }
    // The watch sees what allocates.
    let (_, peak_bytes) = HEAP.watch_thread(|| std::hint::black_box(vec![0u8; 100]).len());
    assert_eq!(peak_bytes, 100);
}
