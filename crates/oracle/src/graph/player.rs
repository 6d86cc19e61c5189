//! Players of graph scripts: the code under test, the model and its mistakes; and the judge between them.

use stillframe_anim::graph::{ClipSource, GraphEvent, GraphScratch, GraphSignal, GraphState};
use stillframe_anim::pose::{JointBlock, Trs};
use stillframe_anim::root::{Motion, RootTrack};
use stillframe_anim::time::{Signal, Weight};
use stillframe_base::lanes::Isa;
use stillframe_base::tick::Tick;

use super::journey::Journey;
use super::model::{Character, Stop};
use super::own::{Fade, Own};
use super::pose::{ERROR_MAX, Pose};
use super::script::{Frames, GraphOp, GraphScript, Part};
use super::slot::play_of;
use super::tell::{BORDER, WEIGHT_ERROR};
use super::told::Told;
use super::world::World;
use super::{GraphMistake, pose::Joint};
use crate::cut;

/// What an operation brought.
#[derive(Clone, Debug, Default)]
pub struct Brought {
    pub events: Vec<Told>,
    /// Why nothing happened, or why the rest is not played.
    pub stop: Option<Stop>,
    pub pose: Option<Pose>,
    /// Where a step has led: played whole, and cut.
    pub ways: Vec<Journey>,
    /// A law of its own that a player broke.
    pub fault: Option<String>,
}

/// What a node is at a moment, in whole numbers; of fades their begin and length, of clips in slots also the weight.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Look {
    Nothing,
    Clock { leader: usize, u: i128 },
    Shows { current: usize, last: usize, fade: Option<(i64, i64)> },
    Plays(Vec<(usize, i128, u64)>),
}

/// Something that plays graph scripts.
pub trait GraphPlayer {
    fn play(&mut self, op: &GraphOp) -> Brought;
    fn time(&self) -> i64;
    fn look(&self, node: usize) -> Look;
    /// Whether a node is active, and its weight in the output.
    fn weight(&self, node: usize) -> (bool, f64);
}

/// The model, or with a mistake a player that is wrong.
#[derive(Debug)]
pub struct Modelled<'w> {
    pub character: Character<'w>,
    /// What the next step hands in.
    next: Vec<f32>,
}

impl<'w> Modelled<'w> {
    pub fn new(world: &'w World<'w>, mistake: Option<GraphMistake>) -> Modelled<'w> {
        let next = world.script.parameters.clone();
        Modelled { character: Character::new(world, &next, mistake), next }
    }
}

impl GraphPlayer for Modelled<'_> {
    fn play(&mut self, op: &GraphOp) -> Brought {
        let mut brought = Brought::default();
        match op {
            GraphOp::Step(ticks) => match self.character.step(*ticks, &self.next) {
                Ok(events) => (brought.events, brought.ways) = (events, vec![self.character.way]),
                Err(stop) => brought.stop = Some(stop),
            },
            GraphOp::Set { parameter, to } => self.next[*parameter] = *to,
            GraphOp::Play { .. } | GraphOp::Stop { .. } => self.character.ask(op),
            GraphOp::Store => self.character.store(),
            GraphOp::Pose => brought.pose = Some(self.character.pose()),
            GraphOp::Start => {
                self.character = Character::new(self.character.world, &self.next, self.character.mistake);
            }
        }
        brought
    }

    fn time(&self) -> i64 {
        self.character.time
    }

    fn look(&self, node: usize) -> Look {
        match &self.character.own[node] {
            Own::Nothing => Look::Nothing,
            Own::Clip { u, .. } => Look::Clock { leader: 0, u: *u },
            Own::Sync { lead, .. } => Look::Clock { leader: lead.leader, u: lead.u },
            Own::Change { current, last, fade, .. } => {
                let fade = fade.map(|Fade { start, length, .. }| (start, length));
                Look::Shows { current: *current, last: *last, fade }
            }
            Own::Slot(slot) => {
                Look::Plays(slot.iter().flatten().map(|p| (p.clip, p.u, p.weight(self.character.time))).collect())
            }
        }
    }

    fn weight(&self, node: usize) -> (bool, f64) {
        (self.character.shown.active[node], self.character.shown.weights[node])
    }
}

/// The code under test: one character whose steps are played whole, and one whose steps are cut, which must be the same
/// to the bit.
#[derive(Debug)]
pub struct Tested<'w> {
    world: &'w World<'w>,
    whole: GraphState,
    cut: GraphState,
    next: Vec<f32>,
    scratch: GraphScratch,
    /// Of each node of the script its place.
    places: Vec<Option<usize>>,
}

impl<'w> Tested<'w> {
    pub fn new(world: &'w World<'w>) -> Tested<'w> {
        let next = world.script.parameters.clone();
        let places =
            (0..world.script.nodes.len()).map(|node| world.order.iter().position(|own| *own == node)).collect();
        let (whole, cut) = (world.graph.start(&next), world.graph.start(&next));
        Tested { world, whole, cut, next, scratch: GraphScratch::new(&world.graph), places }
    }

    fn step(&mut self, ticks: i64) -> Result<Brought, String> {
        let graph = &self.world.graph;
        let before = self.whole.parameters().to_vec();
        let mut events = Vec::new();
        if graph.update(&mut self.whole, Tick(ticks), &self.next, &mut events).is_err() {
            return Ok(Brought { stop: Some(Stop::Refused), ..Brought::default() });
        }
        let mut ways = vec![self.travel(&self.whole)];
        let mut way = Motion::IDENTITY;
        let (mut cut_events, mut left) = (Vec::new(), ticks);
        for part in cut(ticks, &self.world.script.cuts) {
            left -= part;
            // What is handed in holds at the step's end, not at it only after another decision.
            let parameters = if left > 0 { &before } else { &self.next };
            let done = graph.update(&mut self.cut, Tick(part), parameters, &mut cut_events);
            done.map_err(|error| format!("a part of a step: {error}"))?;
            way = way.then(self.travel(&self.cut));
        }
        if events != cut_events {
            return Err(format!("other events where a step is cut: `{cut_events:?}, not {events:?}`"));
        }
        for node in 0..graph.node_count() {
            let looks = [&self.whole, &self.cut]
                .map(|state| (look(state, node), state.is_active(node), state.weight(node).to_bits()));
            if looks[0] != looks[1] {
                let [whole, cut] = looks;
                return Err(format!(
                    "another state where a step is cut: `node {}: {cut:?}, not {whole:?}`",
                    graph.node_name(node)
                ));
            }
        }
        ways.push(way);
        if let Some(way) = ways.iter().find(|way| !(way.translation.is_finite() && way.rotation.is_finite())) {
            return Err(format!("no way: `{way:?}`"));
        }
        let told = |event: &GraphEvent| Told {
            at: event.at.0,
            node: self.world.order[usize::from(event.node)],
            signal: event.signal,
            weight: f64::from(event.weight),
        };
        let ways = ways.iter().map(Journey::of).collect();
        Ok(Brought { events: events.iter().map(told).collect(), ways, ..Brought::default() })
    }

    /// How far the last update has led.
    fn travel(&self, state: &GraphState) -> Motion {
        if !self.world.script.travels() {
            return Motion::IDENTITY;
        }
        let tracks: Vec<Option<&RootTrack>> = self.world.reels.iter().map(|reel| reel.track.as_ref()).collect();
        self.world.graph.travel(state, &tracks, &mut Vec::new())
    }

    /// Writes one of the two down and reads it again.
    fn store(&mut self) -> Result<Brought, String> {
        let bytes = postcard::to_stdvec(&self.cut).map_err(|error| format!("a state is not written: {error}"))?;
        let read: GraphState =
            postcard::from_bytes(&bytes).map_err(|error| format!("what was written is not read: {error}"))?;
        if read != self.cut {
            return Err("another state is read than was written".into());
        }
        self.cut = read;
        Ok(Brought::default())
    }

    fn pose(&mut self) -> Result<Brought, String> {
        let graph = &self.world.graph;
        let sources: Vec<ClipSource<'_>> = self
            .world
            .reels
            .iter()
            .map(|reel| match &reel.frames {
                Frames::Baked(clip) => ClipSource::Uniform(clip),
                Frames::Still(pose) => ClipSource::Pose(pose),
            })
            .collect();
        let mut show = |isa: Isa, state: &mut GraphState| {
            let mut out = vec![JointBlock::IDENTITY; graph.block_count()];
            graph.evaluate(isa, state, &sources, &mut self.scratch, &mut out);
            out
        };
        let bits = |pose: &[JointBlock]| numbers_as_bits(pose, graph.joint_count());
        let first = show(Isa::detect(), &mut self.whole);
        let state = self.whole.clone();
        if bits(&show(Isa::Scalar, &mut self.whole)) != bits(&first) || self.whole != state {
            return Err("a pose that is made twice is another one".into());
        }
        if bits(&show(Isa::detect(), &mut self.cut)) != bits(&first) {
            return Err("another pose where steps are cut".into());
        }
        let joints: Vec<Trs> = (0..graph.joint_count()).map(|joint| JointBlock::joint(&first, joint)).collect();
        for (joint, trs) in joints.iter().enumerate() {
            let is_finite = trs.translation.is_finite() && trs.scale.is_finite() && trs.rotation.is_finite();
            if !is_finite || (trs.rotation.length() - 1.0).abs() > 1e-5 {
                return Err(format!("no pose: `joint {joint}: {trs:?}`"));
            }
        }
        Ok(Brought { pose: Some(joints.into_iter().map(Joint::of).collect()), ..Brought::default() })
    }
}

/// The numbers of the joints, as bits.
fn numbers_as_bits(pose: &[JointBlock], joint_count: usize) -> Vec<[u32; 10]> {
    let bits = |joint: usize| {
        let Trs { translation: t, rotation: r, scale: s } = JointBlock::joint(pose, joint);
        [t.x, t.y, t.z, r.x, r.y, r.z, r.w, s.x, s.y, s.z].map(f32::to_bits)
    };
    (0..joint_count).map(bits).collect()
}

fn look(state: &GraphState, place: usize) -> Look {
    if let Some((leader, position)) = state.clock(place) {
        return Look::Clock { leader, u: position.sub_ticks() };
    }
    if let Some(shown) = state.shown(place) {
        let fade = shown.fade.map(|fade| (fade.start.0, fade.length().0));
        return Look::Shows { current: shown.current, last: shown.last, fade };
    }
    let playing = |(clip, position, weight): (usize, stillframe_anim::time::Position, Weight)| {
        (clip, position.sub_ticks(), weight.parts())
    };
    let playing: Vec<_> = state.playing(place).map(playing).collect();
    if playing.is_empty() { Look::Nothing } else { Look::Plays(playing) }
}

impl GraphPlayer for Tested<'_> {
    fn play(&mut self, op: &GraphOp) -> Brought {
        let graph = &self.world.graph;
        let done = match op {
            GraphOp::Step(ticks) => self.step(*ticks),
            GraphOp::Pose => self.pose(),
            GraphOp::Store => self.store(),
            GraphOp::Set { parameter, to } => {
                self.next[*parameter] = *to;
                Ok(Brought::default())
            }
            GraphOp::Play { node, clip, speed, times } => {
                if let Some(place) = self.slot(*node) {
                    for state in [&mut self.whole, &mut self.cut] {
                        graph.play(state, place, &play_of(*clip, *speed, *times));
                    }
                }
                Ok(Brought::default())
            }
            GraphOp::Stop { node } => {
                if let Some(place) = self.slot(*node) {
                    [&mut self.whole, &mut self.cut].into_iter().for_each(|state| graph.stop(state, place));
                }
                Ok(Brought::default())
            }
            GraphOp::Start => {
                (self.whole, self.cut) = (graph.start(&self.next), graph.start(&self.next));
                Ok(Brought::default())
            }
        };
        done.unwrap_or_else(|fault| Brought { fault: Some(fault), ..Brought::default() })
    }

    fn time(&self) -> i64 {
        self.whole.time().0
    }

    fn look(&self, node: usize) -> Look {
        self.places[node].map_or(Look::Nothing, |place| look(&self.whole, place))
    }

    fn weight(&self, node: usize) -> (bool, f64) {
        self.places[node]
            .map_or((false, 0.0), |place| (self.whole.is_active(place), f64::from(self.whole.weight(place))))
    }
}

impl Tested<'_> {
    /// The place of a slot that reaches the output.
    fn slot(&self, node: usize) -> Option<usize> {
        self.places[node].filter(|_| matches!(self.world.script.nodes[node], Part::Slot { .. }))
    }
}

/// Where a player is first not as the model.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct GraphDifference {
    /// The number of the operation in the script.
    pub op: usize,
    /// What differs comes first; what it was, between marks, says nothing about which fault it is.
    pub words: String,
}

/// Plays a script on a player beside the model.
///
/// Errors: the first difference. A script is played as long as that does not take too long and the definition says what
///         comes.
pub fn judge<'w>(world: &'w World<'w>, player: &mut dyn GraphPlayer) -> Result<(), GraphDifference> {
    let mut model = Modelled::new(world, None);
    for (number, op) in world.script.steps.iter().enumerate() {
        let wanted = model.play(op);
        if wanted.stop == Some(Stop::TooMuch) || model.character.is_open() {
            return Ok(());
        }
        let brought = player.play(op);
        if brought.stop == Some(Stop::TooMuch) {
            return Ok(());
        }
        let is_asked = matches!(op, GraphOp::Play { .. } | GraphOp::Stop { .. });
        let found = brought.fault.clone().or_else(|| difference(&model, player, (&wanted, &brought), is_asked));
        if let Some(words) = found {
            return Err(GraphDifference { op: number, words: format!("{words} in `{op:?}`") });
        }
    }
    Ok(())
}

fn difference(
    model: &Modelled<'_>,
    player: &dyn GraphPlayer,
    (wanted, brought): (&Brought, &Brought),
    is_asked: bool,
) -> Option<String> {
    if wanted.stop != brought.stop {
        return Some(format!("a step that is refused: `{:?}, not {:?}`", brought.stop, wanted.stop));
    }
    let script = model.character.world.script;
    if let Some(words) = other_events(model.character.world, &brought.events, &wanted.events) {
        return Some(words);
    }
    // Of a step the whole and its parts are the same way.
    for (way, own) in wanted.ways.iter().flat_map(|way| brought.ways.iter().map(move |own| (way, own))) {
        if !way.is_near(own) {
            return Some(format!("another way: `{own:?}, not {way:?}`"));
        }
    }
    if player.time() != model.time() {
        return Some(format!("another time: `{}, not {}`", player.time(), model.time()));
    }
    for &node in &model.character.world.order {
        let (look, wanted) = (player.look(node), model.look(node));
        let is_empty = |look: &Look| matches!(look, Look::Nothing) || *look == Look::Plays(Vec::new());
        if look != wanted && !(is_empty(&look) && is_empty(&wanted)) {
            let kind = kind_word(&script.nodes[node]);
            return Some(format!("another {kind}: `n{node}: {look:?}, not {wanted:?}`"));
        }
        // What a slot was asked is weighed by the next step.
        let (own, model) = (player.weight(node), model.weight(node));
        if !is_asked && own.0 != model.0 {
            return Some(format!("another node is active: `n{node}: {}, not {}`", own.0, model.0));
        }
        if !is_asked && !((own.1 - model.1).abs() <= WEIGHT_ERROR * (1.0 + model.1)) {
            return Some(format!("another weight: `n{node}: {}, not {}`", own.1, model.1));
        }
    }
    let (Some(pose), Some(wanted)) = (&brought.pose, &wanted.pose) else { return None };
    for (joint, (own, wanted)) in pose.iter().zip(wanted).enumerate() {
        // That of a wrong player has the error of f64 alone.
        let error = wanted.error * 2.0 + 4e-6;
        let own = Trs {
            translation: own.translation.as_vec3(),
            rotation: own.rotation.as_quat(),
            scale: own.scale.as_vec3(),
        };
        if error < ERROR_MAX && !(wanted.distance(&own) <= error) {
            let kind = kind_word(&script.nodes[script.nodes.len() - 1]);
            return Some(format!("another pose of a {kind}: `joint {joint}: {own:?}, not {wanted:?}`"));
        }
    }
    None
}

fn kind_word(part: &Part) -> &'static str {
    match part {
        Part::Clip { .. } => "clip",
        Part::Frame { .. } => "frame",
        Part::Follow { .. } => "follower",
        Part::Space { .. } => "space",
        Part::SyncSpace { .. } => "sync space",
        Part::Switch { .. } => "switch",
        Part::Delta { .. } => "delta",
        Part::Additive { .. } => "additive node",
        Part::Partial { .. } => "partial node",
        Part::Layers { .. } => "layered node",
        Part::Machine { .. } => "machine",
        Part::Slot { .. } => "slot",
    }
}

/// Events by time and place; those of one clock or node in their order. What is as heavy as it must be to be heard but
/// for rounding may be heard or not.
fn other_events(world: &World<'_>, own: &[Told], wanted: &[Told]) -> Option<String> {
    let place = |node: usize| world.order.iter().position(|own| *own == node);
    let sorted = |told: &[Told]| {
        let mut told = told.to_vec();
        told.sort_by_key(|told| (told.at, place(told.node)));
        told
    };
    let (own, wanted) = (sorted(own), sorted(wanted));
    let min = f64::from(world.script.event_weight_min);
    let begins =
        |told: &Told| matches!(told.signal, GraphSignal::Clip { signal: Signal::Point(_) | Signal::Enter(_), .. });
    let is_border = |told: &Told| begins(told) && (told.weight < WEIGHT_ERROR || (told.weight - min).abs() < BORDER);
    let same = |a: &Told, b: &Told| {
        (a.at, a.node, a.signal) == (b.at, b.node, b.signal)
            && (a.weight - b.weight).abs() <= WEIGHT_ERROR * (1.0 + b.weight)
    };
    let (mut i, mut j) = (0, 0);
    while i < own.len() || j < wanted.len() {
        match (own.get(i), wanted.get(j)) {
            (Some(a), Some(b)) if same(a, b) => (i, j) = (i + 1, j + 1),
            (_, Some(b)) if is_border(b) => j += 1,
            (Some(a), _) if is_border(a) => i += 1,
            (a, b) => return Some(format!("other events: `{a:?}, not {b:?}; all: {own:?}, not {wanted:?}`")),
        }
    }
    None
}

/// Plays a script on the code under test, or on a player with a mistake, beside the model.
///
/// Errors: the first difference. A script that is no graph is none.
pub fn check(script: &GraphScript, mistake: Option<GraphMistake>) -> Result<(), GraphDifference> {
    let Ok(world) = World::new(script) else { return Ok(()) };
    match mistake {
        Some(mistake) => judge(&world, &mut Modelled::new(&world, Some(mistake))),
        None => judge(&world, &mut Tested::new(&world)),
    }
}
