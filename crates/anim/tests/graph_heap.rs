//! A steady frame of a graph takes nothing from the heap. Alone in its file: a program has one allocator.

#[path = "graph/biped.rs"]
#[expect(dead_code, reason = "the other tests use the rest")]
mod biped;

use biped::{Player, def, line, looped, switch};
use stillframe_anim::graph::{ClipSource, FadePolicy, GraphScratch};
use stillframe_anim::pose::JointBlock;
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;
use stillframe_heap::Counting;

#[global_allocator]
static HEAP: Counting = Counting::new();

#[test]
fn steady_frames_do_not_allocate() {
    let nodes = vec![
        ("idle", looped("idle")),
        ("walk", looped("walk")),
        ("run", looped("run")),
        ("move", line("speed", &[(0.0, "walk"), (1.0, "run")])),
        ("book", switch("go", &["idle", "move"], 100, FadePolicy::Book)),
        ("final", switch("final", &["book", "idle"], 100, FadePolicy::Inertial)),
    ];
    let mut player = Player::new(&def(&[("speed", 0.3), ("go", 0.0), ("final", 0.0)], nodes, "final"));
    let clips = biped::baked();
    let sources: Vec<ClipSource<'_>> = clips.iter().map(ClipSource::Uniform).collect();
    let mut scratch = GraphScratch::new(&player.graph);
    let mut out = vec![JointBlock::IDENTITY; player.graph.block_count()];
    let mut frames = |count: usize| {
        let mut fired = 0;
        for frame in 0..count {
            let parameters = [0.01 * (frame % 100) as f32, (frame / 30 % 2) as f32, (frame / 41 % 2) as f32];
            player.events.clear();
            let step = Tick(11_760_000);
            player.graph.update(&mut player.state, step, &parameters, &mut player.events).expect("near");
            player.graph.evaluate(Isa::detect(), &mut player.state, &sources, &mut scratch, &mut out);
            fired += player.events.len();
        }
        fired
    };
    // Lists grow to their size first.
    frames(200);
    let (fired, bytes) = HEAP.watch_thread(|| frames(2000));
    assert_eq!(bytes, 0);
    assert!(fired > 50, "{fired}");
    assert_eq!(HEAP.watch_thread(|| drop(vec![1u8; 100])).1, 100, "the count counts");
}
