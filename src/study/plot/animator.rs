//! Animator: how much of the pose each clip has over time, its phase with marks at events, and parameters.

use stillframe_anim::graph::{ClipShare, GraphDef};
use stillframe_base::tick::Tick;

use crate::animate::Glance;
use crate::scene::{Scene, Thing};
use crate::study::chart::{Head, Line, Panel, chart};
use crate::study::short;

/// Moments that are drawn.
const MOMENTS: i64 = 600;

/// Shares that are no more than rounding.
const SHARE_MIN: f32 = 1e-6;

/// Parameters that are drawn.
const PARAMETERS_MOST: usize = 6;

/// Seconds until all that the scene scripts has happened to an animator, and each of its clips may have played once.
pub fn scripted_s(scene: &Scene, number: usize, graph: &GraphDef) -> f64 {
    let animator = &scene.animators[number];
    let clip_s = graph.clips.iter().map(|clip| clip.duration.seconds()).fold(0.0, f64::max);
    let play_s = animator.plays.iter().map(|play| play.at_s + clip_s);
    let track_s = scene.tracks.iter().filter(|track| matches!(track.thing, Thing::Parameter(of, _) if of == number));
    let track_s = track_s.filter_map(|track| track.curve.keys.last()).map(|key| key.0.seconds());
    play_s.chain(track_s).chain([clip_s, scene.time_s]).fold(1e-3, f64::max)
}

/// Moments of a chart until `until`: even ones, and those of `events`.
pub fn animator_moments(until: Tick, events: &[(Tick, u16)]) -> Vec<Tick> {
    let mut times: Vec<Tick> = (0..=MOMENTS).map(|moment| Tick(until.0 * moment / MOMENTS)).collect();
    times.extend(events.iter().map(|event| event.0));
    times.sort_unstable();
    times.dedup();
    times
}

/// An animator at moments.
pub struct AnimatorPlot<'a> {
    pub name: &'a str,
    /// Named under the title.
    pub file: &'a str,
    pub graph: &'a GraphDef,
    /// From the scene's start.
    pub times: &'a [Tick],
    /// Shape: one per time.
    pub glances: &'a [Glance],
    /// When an event happened, and in which of the graph's clips.
    pub events: &'a [(Tick, u16)],
    /// Whose share of the pose it is; a joint that all masks have where there is none.
    pub joint: Option<&'a str>,
}

/// How much of the pose each clip has, where in it the clip is, and the graph's parameters, over time.
pub fn animator(plot: &AnimatorPlot<'_>) -> String {
    plot.chart()
}

impl AnimatorPlot<'_> {
    fn chart(&self) -> String {
        let until = self.times.last().copied().unwrap_or(Tick::ZERO);
        let has_share = |share: &ClipShare| share.weight.abs() > SHARE_MIN;
        let shares = || self.glances.iter().flat_map(|glance| &glance.shares);
        let is_shown = |clip: u16| shares().any(|share| share.clip == clip && has_share(share));
        let clips: Vec<u16> = (0..self.graph.clips.len() as u16).filter(|clip| is_shown(*clip)).collect();
        let share_lines = clips.iter().enumerate().map(|(color, clip)| self.share(color, *clip)).collect();
        let phase_lines = clips.iter().enumerate().flat_map(|(color, clip)| self.phases(color, *clip)).collect();
        let mut rows = vec![
            vec![Panel { head: "share of the pose".into(), lines: share_lines, from_zero: true }],
            vec![Panel {
                head: "phase: 0 at a clip's start, 1 at its end".into(),
                lines: phase_lines,
                from_zero: true,
            }],
        ];
        let parameters = &self.graph.parameters[..self.graph.parameters.len().min(PARAMETERS_MOST)];
        for (at, parameter) in parameters.iter().enumerate() {
            let points = self.times.iter().zip(self.glances);
            let points = points.map(|(time, glance)| [time.seconds(), f64::from(glance.parameters[at])]).collect();
            let line = Line { color: clips.len(), points, marks: Vec::new() };
            rows.push(vec![Panel { head: parameter.name.clone(), lines: vec![line], from_zero: false }]);
        }
        let names: Vec<String> = clips.iter().map(|clip| self.graph.clips[usize::from(*clip)].name.clone()).collect();
        let left_out = match self.graph.parameters.len().saturating_sub(PARAMETERS_MOST) {
            0 => String::new(),
            some => format!("; {some} parameters are left out"),
        };
        let shaded = self.fades();
        let of = self.joint.map_or("a joint that all masks have".to_string(), |joint| format!("joint {joint}"));
        let head = Head {
            title: format!("What animator {} shows", self.name),
            sub: format!(
                "{}, {} s, {of}; marks are events{}{left_out}",
                self.file,
                short(until.seconds() as f32),
                if shaded.is_empty() { "" } else { "; shaded where a switch or machine fades" },
            ),
            legend: names.clone(),
            shaded,
        };
        let words = format!("Shares of the pose and phases over time of {}.", names.join(", "));
        chart(&head, &rows, (until.seconds(), "seconds from the scene's start"), &words)
    }

    /// Seconds from where a fade is seen to where none is.
    fn fades(&self) -> Vec<[f64; 2]> {
        let mut spans: Vec<[f64; 2]> = Vec::new();
        let mut open = false;
        for (time, glance) in self.times.iter().zip(self.glances) {
            match (spans.last_mut(), open) {
                (Some(span), true) => span[1] = time.seconds(),
                _ if glance.fades => spans.push([time.seconds(); 2]),
                _ => {}
            }
            open = glance.fades;
        }
        spans
    }

    fn share(&self, color: usize, clip: u16) -> Line {
        let share = |glance: &Glance| {
            let of_clip = glance.shares.iter().filter(|share| share.clip == clip);
            of_clip.map(|share| f64::from(share.weight)).sum::<f64>()
        };
        let points = self.times.iter().zip(self.glances).map(|(time, glance)| [time.seconds(), share(glance)]);
        Line { color, points: points.collect(), marks: Vec::new() }
    }

    /// One line for as long as the clip goes on without a leap; of several that play it, the one that counts most.
    fn phases(&self, color: usize, clip: u16) -> Vec<Line> {
        let line = || Line { color, points: Vec::new(), marks: Vec::new() };
        let mut lines = vec![line()];
        let length_s = self.graph.clips[usize::from(clip)].duration.seconds().max(1e-9);
        for (time, glance) in self.times.iter().zip(self.glances) {
            let of_clip = glance.shares.iter().filter(|share| share.clip == clip && share.weight.abs() > SHARE_MIN);
            let most = of_clip.reduce(|a, b| if b.weight.abs() > a.weight.abs() { b } else { a });
            let point = most.map(|share| [time.seconds(), share.at.seconds() / length_s]);
            let last = lines.last().and_then(|line| line.points.last()).copied();
            let leaps = last.zip(point).is_some_and(|(last, point)| (point[1] - last[1]).abs() > 0.5);
            if leaps || (point.is_none() && last.is_some()) {
                lines.push(line());
            }
            let (Some(point), Some(line)) = (point, lines.last_mut()) else { continue };
            line.points.push(point);
            if self.events.contains(&(*time, clip)) {
                line.marks.push(point);
            }
        }
        lines.retain(|line| !line.points.is_empty());
        lines
    }
}
