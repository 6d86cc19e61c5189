//! Curves: one number over time, with tangents at its keys and a rule for what lies outside them.

use stillframe_base::tick::Tick;

/// Keys in strictly ascending time.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Curve {
    pub keys: Vec<CurveKey>,
    pub before: Extend,
    pub after: Extend,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CurveKey {
    pub time: Tick,
    pub value: f64,
    /// How the curve goes from here to the next key.
    pub then: Segment,
    /// At the end of the segment before.
    pub arrive: Tangent,
    /// At the start of the segment after.
    pub leave: Tangent,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Segment {
    /// This key's value.
    Step,
    /// The next key's value.
    StepNext,
    Linear,
    /// A cubic Bezier in time and value.
    Cubic,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Tangent {
    /// Units of the value a second.
    pub slope: f64,
    /// Length along time as a fraction of the segment, 0 to 1; one third makes time run evenly.
    pub weight: f64,
}

/// What holds outside the keys.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Extend {
    pub kind: ExtendKind,
    /// Rounds, after which the last value holds; `None` is for ever.
    pub count: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ExtendKind {
    #[default]
    Hold,
    Repeat,
    /// Every round starts where the one before has ended.
    RepeatOffset,
    Mirror,
    /// On along the outermost tangent.
    Slope,
}

impl Default for Tangent {
    fn default() -> Tangent {
        Tangent { slope: 0.0, weight: 1.0 / 3.0 }
    }
}

impl CurveKey {
    pub fn linear(time: Tick, value: f64) -> CurveKey {
        CurveKey { time, value, then: Segment::Linear, arrive: Tangent::default(), leave: Tangent::default() }
    }
}

impl Curve {
    /// The same value at all times.
    pub fn constant(value: f64) -> Curve {
        Curve { keys: vec![CurveKey::linear(Tick::ZERO, value)], ..Curve::default() }
    }
}
