//! Bench: a fragment program over a rectangle, for measuring programs without a rasteriser.

use std::sync::Arc;

use naga::BuiltIn;
use stillframe_base::lanes::{Isa, LANES, LaneMask};

use super::{Machine, Prepared};
use crate::program::{Io, Program};
use crate::store::{Buffer, Memory};
use crate::work::{BindGroup, Binding, Bindings, Shader};

/// A fragment program with a uniform buffer at group 0, binding 0, whose only varying input is its position.
#[derive(Debug)]
pub struct Fragments {
    program: Program,
    prepared: Prepared,
    machine: Machine,
}

impl Fragments {
    /// Compiles the first entry point of `wgsl`. Text that does not compile is a bug of the bench.
    pub fn new(wgsl: &str, uniforms: &[f32]) -> Fragments {
        let (module, info) = crate::probe::compile(wgsl).expect("a valid text");
        let program = crate::program::lower(&Shader { module, info }, 0).expect("lowers");
        let memory = Memory::zeroed(uniforms.len() * 4).expect("memory");
        memory.write(0, bytemuck::cast_slice(uniforms));
        let size_bytes = memory.size_bytes() as u64;
        let buffer = Arc::new(Buffer { memory, size_bytes });
        let entries = vec![(0, Binding::Buffer { buffer, offset_bytes: 0, size_bytes })];
        let groups = vec![Some(Arc::new(BindGroup { entries }))];
        let prepared = Prepared::new(&program, &Bindings { groups, ..Default::default() }, [1; 3]).expect("prepares");
        Fragments { program, prepared, machine: Machine::new(Isa::detect(), u64::MAX) }
    }

    pub fn set_isa(&mut self, isa: Isa) {
        self.machine = Machine::new(isa, u64::MAX);
    }

    pub fn disassemble(&self) -> String {
        self.program.disassemble()
    }

    /// Shades a rectangle in tiles of 16 x 16 pixels; gives a sum of all output words.
    pub fn shade(&mut self, width: usize, height: usize) -> u64 {
        self.machine.begin(&self.program, &self.prepared);
        let mut sum = 0u64;
        for tile in 0..(width / 16) * (height / 16) {
            let (x0, y0) = (tile % (width / 16) * 16, tile / (width / 16) * 16);
            for input in &self.program.inputs {
                let Io::BuiltIn(BuiltIn::Position { .. }) = input.what else { continue };
                let register = self.machine.reg_mut(input.reg).as_f32_mut();
                for (lane, value) in register.iter_mut().enumerate() {
                    let quad = lane / 4;
                    let x = x0 + quad % 8 * 2 + lane % 2;
                    let y = y0 + quad / 8 * 2 + lane / 2 % 2;
                    *value = match input.component {
                        0 => x as f32 + 0.5,
                        1 => y as f32 + 0.5,
                        _ => 1.0,
                    };
                }
            }
            self.machine.run_fragment(&self.program, &self.prepared, LANES / 4, &LaneMask::ALL).expect("ends");
            for output in &self.program.outputs {
                let words = &self.machine.reg(output.reg).0;
                sum = words.iter().fold(sum.rotate_left(1), |sum, w| sum.wrapping_add(u64::from(*w)));
            }
        }
        sum
    }
}
