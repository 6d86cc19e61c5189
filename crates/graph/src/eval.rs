//! Eval: a program in f64, node by node. Nothing of the product uses it: it is the oracle of the WGSL.

use std::collections::BTreeMap;

use crate::program::{Program, Source, StepSetting};
use crate::row::{Eval, Form, Geometry, GeometryValues, Given, PINS_MAX, Width};

/// What a program reads.
#[derive(Clone, Debug, Default)]
pub struct Around {
    pub parameters: Vec<[f64; 4]>,
    pub geometry: BTreeMap<Geometry, [f64; 4]>,
}

impl GeometryValues for Around {
    fn of(&self, geometry: Geometry) -> [f64; 4] {
        self.geometry.get(&geometry).copied().unwrap_or_default()
    }
}

/// What an output of a node must be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Expected {
    pub value: [f64; 4],
    /// How far f32 may be off.
    pub bound: f64,
    pub width: u8,
}

/// What an output of a step must be, if its inputs have the values that `values` says of outputs of steps. `None` for
/// texels.
///
/// Given the f32 values of its inputs, it says what one node may lose; along a path these losses add up, and where a
/// node jumps (a floor, a hash) nothing is lost in between.
pub fn expected(
    program: &Program,
    step: u32,
    out: u8,
    values: &dyn Fn(u32, u8) -> [f64; 4],
    around: &Around,
) -> Option<Expected> {
    let own = &program.steps[step as usize];
    let output = &own.kind.row().outputs[usize::from(out)];
    let inputs: Vec<[f64; 4]> = (own.inputs.iter().enumerate())
        .map(|(pin, source)| widened(value(*source, values, around), program.width(*source), own.pin_width(pin)))
        .collect();
    let numbers = match own.setting {
        StepSetting::None | StepSetting::Texture(_) => [0.0; 4],
        StepSetting::Value { bits, .. } => bits.map(|bits| f64::from(f32::from_bits(bits))),
        StepSetting::Parameter(at) => around.parameters[at as usize],
        StepSetting::Whole(number) => [f64::from(number), 0.0, 0.0, 0.0],
    };
    let width = match output.width {
        Width::Fixed(width) => width,
        Width::Widest => own.width,
    };
    let (mut value, size) = match output.eval {
        Eval::Unknown => return None,
        Eval::Whole(eval) => eval(&Given { inputs: &inputs, width: usize::from(own.width), numbers, geometry: around }),
        Eval::Each(eval) => {
            let (mut value, mut size) = ([0.0; 4], 0.0f64);
            for n in 0..usize::from(width) {
                let pins: [f64; PINS_MAX] = std::array::from_fn(|pin| inputs.get(pin).map_or(0.0, |input| input[n]));
                let one = eval(&pins);
                (value[n], size) = (one.0, size.max(one.1));
            }
            (value, size)
        }
    };
    value[usize::from(width)..].fill(0.0);
    debug_assert!(!matches!(output.form, Form::Chosen));
    // Below the normal numbers, steps have one size.
    let bound = output.ulp * (size / 8_388_608.0 + f64::from(f32::MIN_POSITIVE));
    Some(Expected { value, bound, width })
}

/// The value of a source, of which `values` knows the outputs of steps.
fn value(source: Source, values: &dyn Fn(u32, u8) -> [f64; 4], around: &Around) -> [f64; 4] {
    match source {
        Source::Numbers { bits, .. } => bits.map(|bits| f64::from(f32::from_bits(bits))),
        Source::Geometry(geometry) => around.of(geometry),
        Source::Pin { step, out, component: None } => values(step, out),
        Source::Pin { step, out, component: Some(at) } => [values(step, out)[usize::from(at)], 0.0, 0.0, 0.0],
    }
}

fn widened(value: [f64; 4], have: u8, want: u8) -> [f64; 4] {
    std::array::from_fn(|n| match (have, want) {
        _ if n >= usize::from(want) => 0.0,
        (1, _) => value[0],
        (3, 4) if n == 3 => 1.0,
        _ => value[n],
    })
}
