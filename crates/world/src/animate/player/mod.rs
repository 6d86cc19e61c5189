//! Player: an animator's graph on a rig, played from the scene's start to any moment.

mod shapes;

use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use stillframe_anim::graph::{
    ClipShare, ClipSource, Graph, GraphDef, GraphEvent, GraphScratch, GraphSignal, GraphState, NodeKind, Play, Value,
};
use stillframe_anim::pose::JointBlock;
use stillframe_anim::root::{Motion, RootTrack};
use stillframe_anim::time::{Signal, Weight};
use stillframe_base::tick::Tick;

use super::{Rig, RigClip, Source};
use crate::import::Model;
use crate::scene::{AnimatorMorph, MaskShape};

/// Updates that one moment may cost: hours of a scene, seconds of the machine.
pub const UPDATES_MAX: i64 = 1 << 20;

/// Signals that are told, at most; older ones are counted.
const HEARD_MAX: usize = 1000;

/// An animator on its rig.
#[derive(Clone, Debug)]
pub struct Player {
    pub rig: Arc<Rig>,
    /// As the scene says it: its states have names.
    def: GraphDef,
    graph: Graph,
    /// In the graph's order.
    clips: Vec<RigClip>,
    shapes: Shapes,
    /// Names of each clip's events.
    events: Vec<Vec<String>>,
    /// By rising time: which slot, and what it plays from then on; `None` stops it.
    plays: Vec<(Tick, usize, Option<Play>)>,
    rate_hz: f64,
    kept: KeptUpdate,
}

/// What an animator says of shapes.
#[derive(Clone, Debug)]
pub struct Shapes {
    /// By mask of the graph: those that have weights of their own there.
    pub masked: Vec<Vec<MaskShape>>,
    /// Those that numbers and parameters drive; each name once.
    pub driven: Vec<AnimatorMorph>,
}

/// A whole update.
#[derive(Clone, Debug)]
struct Kept {
    update: i64,
    shown: Shown,
}

/// The newest whole update, where the next moment mostly goes on. What is shown does not depend on it: whoever finds
/// none, or a later one, plays from the start.
#[derive(Debug, Default)]
struct KeptUpdate(Mutex<Option<Kept>>);

impl Clone for KeptUpdate {
    fn clone(&self) -> KeptUpdate {
        KeptUpdate(Mutex::new(self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()))
    }
}

impl KeptUpdate {
    fn take(&self) -> Option<Kept> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn put(&self, kept: Kept) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some(kept);
    }
}

/// What is shown at a moment.
#[derive(Clone, Debug)]
struct Shown {
    at: Tick,
    state: GraphState,
    pose: Vec<JointBlock>,
    /// Of `Player::plays`.
    played: usize,
    /// Since the start.
    travel: Motion,
    heard: Vec<Heard>,
    forgotten: usize,
}

/// Something that has happened.
#[derive(Clone, Debug, PartialEq)]
pub struct Heard {
    pub at: Tick,
    /// Of the graph, where it is an event that has a name.
    pub clip: Option<u16>,
    pub words: String,
}

/// What a pose is made of at a moment.
#[derive(Clone, Debug)]
pub struct Glance {
    /// Numbers by parameter.
    pub parameters: Vec<f32>,
    /// Clips of the graph; what is left of 1 is the rest pose.
    pub shares: Vec<ClipShare>,
    /// Whether a switch or a machine that counts fades to what it shows. An inertial or a frozen fade is not among the
    /// shares.
    pub fades: bool,
    /// Since the start, the newest [`HEARD_MAX`] of it.
    pub heard: Vec<Heard>,
}

/// What an animator shows at a moment.
#[derive(Clone, Debug)]
pub struct Played {
    pub locals: Vec<JointBlock>,
    /// How far its root has gone: from the actor's space now to that at the start.
    pub travel: Motion,
    pub morph_weights: Vec<Vec<f64>>,
    /// Whether each node is seen.
    pub seen: Vec<bool>,
    /// Numbers by parameter.
    pub parameters: Vec<f32>,
}

/// Parameters' values at a moment.
pub type Parameters<'a> = &'a dyn Fn(Tick) -> Vec<f32>;

impl Player {
    /// `plays` by rising time; `events`: names for each clip.
    pub fn new(
        rig: Arc<Rig>,
        (def, graph, shapes): (GraphDef, Graph, Shapes),
        clips: Vec<RigClip>,
        events: Vec<Vec<String>>,
        plays: Vec<(Tick, usize, Option<Play>)>,
        rate_hz: f64,
    ) -> Player {
        Player { rig, def, graph, clips, shapes, events, plays, rate_hz, kept: KeptUpdate::default() }
    }

    pub fn graph(&self) -> &Graph {
        &self.graph
    }

    /// As the scene says it.
    pub fn def(&self) -> &GraphDef {
        &self.def
    }

    /// What the pose of a joint is made of at a moment; without one, of a joint that all masks have.
    ///
    /// Errors: as [`Player::at`].
    pub fn glance(
        &self,
        model: &Model,
        time: Tick,
        parameters: Parameters<'_>,
        joint: Option<u16>,
    ) -> Result<Glance, String> {
        let shown = self.show(model, time.max(Tick::ZERO), parameters)?;
        let mut masks = self.graph.masks_of_joint(joint.unwrap_or(0));
        if joint.is_none() {
            masks.fill(1.0);
        }
        let mut shares = Vec::new();
        self.graph.clip_shares(&shown.state, &masks, &mut shares);
        let state = &shown.state;
        let nodes = (0..self.graph.node_count()).filter(|node| state.is_active(*node));
        let mut fading = nodes.filter_map(|node| state.shown(node)?.fade);
        let fades = fading.any(|fade| fade.weight(state.time()) < Weight::ONE);
        Ok(Glance { parameters: state.parameters().to_vec(), shares, fades, heard: shown.heard })
    }

    /// Plays to a moment; before the start, the start is shown.
    ///
    /// Errors: words, where that is too many updates away.
    pub fn at(&self, model: &Model, time: Tick, parameters: Parameters<'_>) -> Result<Played, String> {
        let shown = self.show(model, time.max(Tick::ZERO), parameters)?;
        let weights = self.morph_weights(model, &shown.state);
        let seen = self.seen(model, &shown.state);
        let (parameters, travel) = (shown.state.parameters().to_vec(), shown.travel);
        Ok(Played { parameters, locals: shown.pose, travel, morph_weights: weights, seen })
    }

    /// The graph with its weights and what has happened so far, as text.
    ///
    /// Errors: as [`Player::at`].
    pub fn describe(&self, model: &Model, time: Tick, parameters: Parameters<'_>) -> Result<String, String> {
        let shown = self.show(model, time.max(Tick::ZERO), parameters)?;
        let mut out = shown.state.describe(&self.graph);
        for (def, clip) in self.def.clips.iter().zip(&self.clips) {
            if let Source::Borrowed(borrowed) = &clip.source {
                let _ = writeln!(out, "clip {:?}: {}", def.name, borrowed.describe());
            }
        }
        if self.clips.iter().any(|clip| clip.root.is_some()) {
            let (t, q) = (shown.travel.translation, shown.travel.rotation);
            let _ =
                writeln!(out, "root: {:.4} {:.4} {:.4} m, {:.4} {:.4} {:.4} {:.4}", t.x, t.y, t.z, q.x, q.y, q.z, q.w);
        }
        self.describe_shapes(model, &shown.state, &mut out);
        if shown.forgotten > 0 {
            let _ = writeln!(out, "events: {} before these", shown.forgotten);
        }
        for Heard { at, words, .. } in &shown.heard {
            let _ = writeln!(out, "{:.6} s  {words}", at.seconds());
        }
        Ok(out)
    }

    fn show(&self, model: &Model, time: Tick, parameters: Parameters<'_>) -> Result<Shown, String> {
        let tick_of = |update: i64| Tick::from_seconds(update as f64 / self.rate_hz);
        let mut wanted = (time.seconds() * self.rate_hz).floor() as i64;
        // Rounding may have gone either way.
        while wanted > 0 && tick_of(wanted) > time {
            wanted -= 1;
        }
        let mut kept = match self.kept.take().filter(|kept| kept.update <= wanted) {
            Some(kept) => kept,
            None => Kept { update: 0, shown: self.start(model, parameters) },
        };
        if wanted - kept.update > UPDATES_MAX {
            return Err(format!(
                "{} s need more than {UPDATES_MAX} updates at {} per second",
                time.seconds(),
                self.rate_hz
            ));
        }
        let mut scratch = GraphScratch::new(&self.graph);
        while kept.update < wanted {
            kept.update += 1;
            self.play(model, &mut kept.shown, tick_of(kept.update), parameters, &mut scratch);
        }
        let mut shown = kept.shown.clone();
        if time > shown.at {
            self.play(model, &mut shown, time, parameters, &mut scratch);
        }
        self.kept.put(kept);
        Ok(shown)
    }

    fn start(&self, model: &Model, parameters: Parameters<'_>) -> Shown {
        let state = self.graph.start(&parameters(Tick::ZERO));
        let pose = self.rig.skeleton.rest_blocks();
        let (travel, heard) = (Motion::IDENTITY, Vec::new());
        let mut out = Shown { at: Tick::ZERO, state, pose, played: 0, travel, heard, forgotten: 0 };
        self.ask(&mut out);
        // What lies at the start is told there.
        let mut events = Vec::new();
        let updated = self.graph.update(&mut out.state, Tick::ZERO, &parameters(Tick::ZERO), &mut events);
        updated.expect("no time passes");
        self.hear(&mut out, &events);
        self.evaluate(model, &mut out, &mut GraphScratch::new(&self.graph));
        out
    }

    /// Plays to `to`, stopping wherever a slot is asked for something.
    fn play(&self, model: &Model, shown: &mut Shown, to: Tick, parameters: Parameters<'_>, scratch: &mut GraphScratch) {
        while shown.at < to {
            let next = self.plays.get(shown.played).map_or(to, |play| play.0.min(to));
            let mut events = Vec::new();
            let updated = self.graph.update(&mut shown.state, next - shown.at, &parameters(next), &mut events);
            updated.expect("no scene lasts that long");
            shown.at = next;
            shown.travel = shown.travel.then(self.travel(&shown.state));
            self.hear(shown, &events);
            self.ask(shown);
            self.evaluate(model, shown, scratch);
        }
    }

    /// Asks slots for what they shall play by now.
    fn ask(&self, shown: &mut Shown) {
        while let Some((_, slot, play)) = self.plays.get(shown.played).filter(|play| play.0 <= shown.at) {
            match play {
                Some(play) => self.graph.play(&mut shown.state, *slot, play),
                None => self.graph.stop(&mut shown.state, *slot),
            }
            shown.played += 1;
        }
    }

    /// How far the root has gone in the last update.
    fn travel(&self, state: &GraphState) -> Motion {
        if self.clips.iter().all(|clip| clip.root.is_none()) {
            return Motion::IDENTITY;
        }
        let tracks: Vec<Option<&RootTrack>> = self.clips.iter().map(|clip| clip.root.as_deref()).collect();
        self.graph.travel(state, &tracks, &mut Vec::new())
    }

    fn evaluate(&self, model: &Model, shown: &mut Shown, scratch: &mut GraphScratch) {
        let poses: Vec<_> = (self.clips.iter())
            .map(|clip| move |at: Tick, out: &mut [JointBlock]| clip.sample(model, at, out))
            .collect();
        let clips: Vec<ClipSource<'_>> = poses.iter().map(|pose| ClipSource::Function(pose)).collect();
        self.graph.evaluate(self.rig.isa, &mut shown.state, &clips, scratch, &mut shown.pose);
    }

    fn hear(&self, shown: &mut Shown, events: &[GraphEvent]) {
        for event in events {
            let node = self.graph.node_name(usize::from(event.node));
            let words = match event.signal {
                GraphSignal::Clip { clip, signal } => {
                    let name = |event: u32| &self.events[usize::from(clip)][event as usize];
                    let what = match signal {
                        Signal::Point(event) => name(event).clone(),
                        Signal::Enter(event) => format!("{} begins", name(event)),
                        Signal::Leave(event) => format!("{} ends", name(event)),
                        Signal::Lap => "lap".to_string(),
                        Signal::Finish => "finish".to_string(),
                    };
                    format!("{node}  {what}  weight {:.3}", event.weight)
                }
                GraphSignal::Entered { state } => {
                    format!("{node}  enters {}", self.state_name(node, state))
                }
                GraphSignal::Played { .. } => format!("{node}  has played"),
            };
            let clip = match event.signal {
                GraphSignal::Clip { clip, signal: Signal::Point(_) | Signal::Enter(_) | Signal::Leave(_) } => {
                    Some(clip)
                }
                _ => None,
            };
            shown.heard.push(Heard { at: event.at, clip, words });
        }
        let over = shown.heard.len().saturating_sub(HEARD_MAX);
        shown.forgotten += over;
        shown.heard.drain(..over);
    }

    fn value(&self, value: &Value, state: &GraphState) -> f32 {
        match value {
            Value::Number(number) => *number,
            Value::Parameter(name) => {
                state.parameters()[self.graph.parameter(name).expect("resolution finds parameters")]
            }
        }
    }

    fn state_name(&self, node: &str, state: u16) -> &str {
        let kind = self.def.nodes.iter().find(|of| of.name == node).map(|of| &of.kind);
        match kind {
            Some(NodeKind::Machine(machine)) => &machine.states[usize::from(state)].name,
            _ => unreachable!("only machines enter states"),
        }
    }
}
