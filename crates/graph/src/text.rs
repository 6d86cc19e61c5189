//! Text: a program for people, with every change of width.

use std::fmt;

use crate::emit::{literal, name};
use crate::program::{Program, Source, StepSetting};

impl fmt::Display for Program {
    /// A line a node: `n1 multiply a=n0_value (1 to 3) b=vec3f(0.5, 0.5, 0.5) -> value: 3`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let from = |source: Source, want: u8| {
            let have = self.width(source);
            let change = if have == want { String::new() } else { format!(" ({have} to {want})") };
            format!("{}{change}", name(self, source))
        };
        for (number, step) in self.steps.iter().enumerate() {
            let row = step.kind.row();
            write!(f, "n{number} {}", row.word)?;
            for (at, pin) in row.inputs.iter().enumerate() {
                write!(f, " {}={}", pin.name, from(step.inputs[at], step.pin_width(at)))?;
            }
            match step.setting {
                StepSetting::None => {}
                StepSetting::Value { bits, width } => {
                    write!(f, " {}", literal(&bits.map(f32::from_bits)[..usize::from(width)]))?;
                }
                StepSetting::Parameter(at) => write!(f, " parameter {at}")?,
                StepSetting::Whole(number) => write!(f, " {number}")?,
                StepSetting::Texture(at) => write!(f, " texture {at}")?,
            }
            for (at, out) in row.outputs.iter().enumerate().filter(|(at, _)| step.outs >> at & 1 == 1) {
                let source = Source::Pin { step: number as u32, out: at as u8, component: None };
                write!(f, " -> {}: {}", out.name, self.width(source))?;
            }
            writeln!(f)?;
        }
        for (output, source) in &self.outputs {
            writeln!(f, "{} = {}", output.word(), from(*source, output.width()))?;
        }
        Ok(())
    }
}
