//! Slots: clips on demand.

use stillframe_anim::graph::{
    BranchDef, GraphDef, GraphSignal, MaskDef, NodeKind, PartialMode, PartialNode, PartialWeights, Play, SlotNode,
};
use stillframe_anim::time::Repeat;
use stillframe_base::tick::Tick;

use super::biped::{MS, Player, bits, def, looped, once, strings};

pub fn upper() -> MaskDef {
    let branches = vec![BranchDef { joint: "Bip01 Neck".to_string(), weight: 1.0 }];
    MaskDef { name: "upper".to_string(), default: 0.0, branches }
}

fn slot(mask: Option<&str>) -> GraphDef {
    let node = SlotNode {
        input: "walk".to_string(),
        mask: mask.map(str::to_string),
        fade_in: Tick(100 * MS),
        fade_out: Tick(200 * MS),
    };
    let mut def = def(&[], vec![("walk", looped("walk")), ("slot", NodeKind::Slot(node))], "slot");
    def.masks.push(upper());
    def
}

fn attack(player: &Player, repeat: Repeat) -> Play {
    Play { clip: player.graph.clip("attack").expect("a clip"), speed: 1.0, repeat }
}

#[test]
fn weights_over_time() {
    let mut player = Player::new(&slot(None));
    let slot = player.graph.node("slot").expect("a node");
    player.step_ms(50);
    assert_eq!(bits(&player.pose()), bits(&player.clip_ms("walk", 50)));
    let play = attack(&player, Repeat::Times(1));
    player.graph.play(&mut player.state, slot, &play);
    assert_eq!(bits(&player.pose()), bits(&player.clip_ms("walk", 50)), "weight 0 is the input, bit for bit");
    let mut text = String::new();
    for ms in [50, 50, 1000, 100, 100, 100, 1] {
        player.step_ms(ms);
        text += &format!("{}\n", player.line("slot"));
    }
    assert_eq!(
        text,
        "1.000 plays attack 0.500 at 0.0500 s\n\
         1.000 plays attack 1.000 at 0.1000 s\n\
         1.000 plays attack 1.000 at 1.1000 s\n\
         1.000 plays attack 1.000 at 1.2000 s\n\
         1.000 plays attack 0.500 at 1.2000 s\n\
         1.000\n\
         1.000\n"
    );
    let played: Vec<_> =
        player.events.iter().filter(|event| matches!(event.signal, GraphSignal::Played { .. })).collect();
    assert_eq!(played.iter().map(|event| event.at).collect::<Vec<_>>(), [Tick(1250 * MS)]);
}

#[test]
fn one_large_step_is_many_small_ones() {
    let (mut whole, mut parts) = (Player::new(&slot(None)), Player::new(&slot(None)));
    let slot = whole.graph.node("slot").expect("a node");
    for player in [&mut whole, &mut parts] {
        let play = attack(player, Repeat::Times(2));
        player.graph.play(&mut player.state, slot, &play);
    }
    whole.step_ms(2500);
    (0..2500).for_each(|_| parts.step_ms(1));
    assert_eq!(whole.state.describe(&whole.graph), parts.state.describe(&parts.graph));
    assert_eq!(whole.events, parts.events);
    assert_eq!(bits(&whole.pose()), bits(&parts.pose()));
    assert!(whole.line("slot").contains("attack 0.500"));
}

#[test]
fn a_stop_and_a_second_play_fade() {
    let mut player = Player::new(&slot(None));
    let slot = player.graph.node("slot").expect("a node");
    let play = attack(&player, Repeat::Forever);
    player.graph.play(&mut player.state, slot, &play);
    player.step_ms(5000);
    assert_eq!(player.line("slot"), "1.000 plays attack 1.000 at 0.2000 s");
    let run = Play { clip: player.graph.clip("run").expect("a clip"), ..play };
    player.graph.play(&mut player.state, slot, &run);
    player.step_ms(25);
    assert_eq!(player.line("slot"), "1.000 plays attack 0.750 at 0.2250 s plays run 0.250 at 0.0250 s");
    assert_eq!(player.weight("walk"), 0.0, "nothing shows through");
    player.graph.stop(&mut player.state, slot);
    player.step_ms(100);
    // The run goes from a quarter to 0 in 200 ms, the attack is gone when its own fade is over.
    assert_eq!(player.line("slot"), "1.000 plays run 0.125 at 0.1250 s");
    player.step_ms(100);
    assert_eq!(player.line("slot"), "1.000");
    assert_eq!(player.weight("walk"), 1.0);
}

#[test]
fn a_fifth_clip_takes_the_lightest_place() {
    let mut player = Player::new(&slot(None));
    let slot = player.graph.node("slot").expect("a node");
    for _ in 0..9 {
        let play = attack(&player, Repeat::Times(1));
        player.graph.play(&mut player.state, slot, &play);
        player.step_ms(7);
        player.pose();
    }
    assert_eq!(player.line("slot").matches("attack").count(), 4);
}

#[test]
fn a_walking_slot_is_a_partial_blend_with_its_mask() {
    let mut player = Player::new(&slot(Some("upper")));
    let node = player.graph.node("slot").expect("a node");
    let play = attack(&player, Repeat::Times(1));
    player.graph.play(&mut player.state, node, &play);
    player.step_ms(400);
    let partial = PartialNode {
        inputs: strings(&["walk", "attack"]),
        weights: PartialWeights::Joints(vec![("Bip01 Neck".to_string(), vec![0.0, 1.0])]),
        mode: PartialMode::WeightedNlerp,
    };
    let nodes = vec![("walk", looped("walk")), ("attack", once("attack")), ("both", NodeKind::Partial(partial))];
    let mut other = Player::new(&def(&[], nodes, "both"));
    other.step_ms(400);
    assert_eq!(bits(&player.pose()), bits(&other.pose()));
}
