//! Effects: what random programs do beyond arithmetic: memory that invocations share, atomics, barriers, discard,
//! textures.

use crate::wgsl::{Kind, Name, Stage, Ty, Writer};

const TEXTURES: &str = "
@group(1) @binding(0) var tex: texture_2d<f32>;
@group(1) @binding(1) var samp: sampler;
@group(1) @binding(2) var utex: texture_2d_array<u32>;
@group(1) @binding(3) var nsamp: sampler;
";

const STORED: &str = "
@group(1) @binding(4) var rtex: texture_storage_2d<r32uint, read_write>;
@group(1) @binding(5) var wtex: texture_storage_2d_array<rgba8snorm, write>;
";

impl Writer<'_> {
    /// Textures that programs may read; `stored`: and some that they may write.
    pub fn declare_textures(&mut self, stored: bool) {
        self.line(TEXTURES);
        if stored {
            self.line(STORED);
        }
        (self.has_textures, self.has_stored) = (true, stored);
    }

    /// Workgroup variables that everyone reads and writes, in lock step.
    pub fn declare_shared(&mut self) {
        for _ in 0..self.tape.below(3) {
            let ty = self.value_type();
            let name = self.fresh("w");
            self.line(&format!("var<workgroup> {name}: {};", ty.name()));
            self.scope.push(Name { text: name, ty, assignable: true });
        }
    }

    fn unsigned(&mut self, depth: usize) -> String {
        self.expression(&Ty::Scalar(Kind::U), depth)
    }

    /// Barriers and shared memory, atomics, stores into textures, or discard.
    pub(crate) fn stage_statement(&mut self) {
        if self.has_stored && self.result.is_none() && self.tape.chance(25) {
            return self.store_texel();
        }
        match self.stage {
            Stage::Fragment => {
                if self.tape.chance(30) && !self.in_continuing {
                    let condition = self.expression(&Ty::Scalar(Kind::B), 2);
                    self.line(&format!("if ({condition}) {{ discard; }}"));
                } else {
                    self.assign();
                }
            }
            Stage::Vertex => self.assign(),
            Stage::Compute if self.result.is_some() => self.assign(),
            Stage::Compute => self.share(),
        }
    }

    fn store_texel(&mut self) {
        let at = format!("vec2<i32>({}, i32({}))", self.coordinate(), self.unsigned(1));
        if self.tape.chance(50) {
            let value = self.expression(&Ty::Vector(4, Kind::U), 2);
            self.line(&format!("textureStore(rtex, {at} % 9, {value});"));
        } else {
            let (layer, value) = (self.coordinate(), self.expression(&Ty::Vector(4, Kind::F), 2));
            self.line(&format!("textureStore(wtex, {at}, {layer}, {value});"));
        }
        if self.tape.chance(50) {
            let name = self.fresh("l");
            let x = self.coordinate();
            self.line(&format!("let {name} = textureLoad(rtex, vec2<i32>({x}, 1)).x;"));
            self.scope.push(Name { text: name, ty: Ty::Scalar(Kind::U), assignable: false });
        }
    }

    fn share(&mut self) {
        let value = self.unsigned(2);
        let name = self.fresh("l");
        let fun = self.tape.pick(&["Add", "Max", "Min", "And", "Or", "Xor", "Exchange", "Sub"]);
        let mut kind = Kind::U;
        match self.tape.below(11) {
            3 | 5.. if self.apart => self.line(&format!("let {name} = 5u;")),
            0 if self.indent == 1 => {
                self.line(&format!("shared_words[local_index % 16u] = {value};"));
                self.line("workgroupBarrier();");
                self.line(&format!("let {name} = shared_words[(local_index + 5u) % 16u];"));
                self.line("workgroupBarrier();");
            }
            1 if self.indent == 1 => {
                let barrier = self.tape.pick(&["workgroupBarrier", "storageBarrier", "textureBarrier"]);
                self.line(&format!("{barrier}();"));
                let at = self.tape.below(4);
                self.line(&format!("let {name} = atomicLoad(&shared_counters[{at}u]);"));
            }
            2 => {
                let at = self.tape.word() % 4;
                self.line(&format!("let {name} = atomic{fun}(&shared_counters[{at}u], {value});"));
            }
            3 => {
                let (compare, at) = (self.unsigned(1), self.index(4));
                self.line(&format!("let {name}x = atomicCompareExchangeWeak(&counters[{at}], {compare}, {value});"));
                self.line(&format!("let {name} = {name}x.old_value + u32({name}x.exchanged);"));
            }
            4 if self.indent == 1 => {
                self.line(&format!("if (local_index == 0u) {{ shared_words[3] = {value}; }}"));
                self.line(&format!("let {name} = workgroupUniformLoad(&shared_words[3]);"));
            }
            5 | 9 | 10 => {
                let (at, value) = (self.index(3), self.expression(&Ty::Scalar(Kind::I), 2));
                let list = self.tape.pick(&["signed_counters", "shared_signed"]);
                self.line(&format!("let {name} = atomic{fun}(&{list}[{at}], {value});"));
                kind = Kind::I;
            }
            6 => {
                let (at, value) = (self.index(3), self.expression(&Ty::Scalar(Kind::I), 2));
                let list = self.tape.pick(&["signed_counters", "shared_signed"]);
                self.line(&format!("atomicStore(&{list}[{at}], {value});"));
                self.line(&format!("let {name} = atomicLoad(&{list}[{at}]);"));
                kind = Kind::I;
            }
            _ => {
                let at = self.index(4);
                if self.tape.chance(50) {
                    self.line(&format!("let {name} = atomic{fun}(&counters[{at}], {value});"));
                } else {
                    self.line(&format!("atomicAdd(&counters[{at}], {value});"));
                    self.line(&format!("let {name} = 7u;"));
                }
            }
        }
        self.scope.push(Name { text: name, ty: Ty::Scalar(kind), assignable: false });
    }

    /// An integer coordinate, inside most of the time.
    fn coordinate(&mut self) -> String {
        let value = self.expression(&Ty::Scalar(Kind::I), 1);
        if self.tape.chance(20) { value } else { format!("({value}) & 7") }
    }

    /// A lookup that gives four floats.
    pub(crate) fn texture_float(&mut self, d: usize) -> String {
        let float = |w: &mut Self| w.expression(&Ty::Scalar(Kind::F), d.min(1));
        let two = |w: &mut Self| w.expression(&Ty::Vector(2, Kind::F), d.min(1));
        let implicit = if self.stage == Stage::Fragment { 7 } else { 5 };
        match self.tape.below(implicit) {
            0 => format!("textureSampleLevel(tex, samp, {}, {})", two(self), float(self)),
            1 => format!(
                "textureLoad(tex, vec2<i32>({}, {}), {})",
                self.coordinate(),
                self.coordinate(),
                self.coordinate()
            ),
            2 => format!("textureGather({}, tex, samp, {})", self.tape.below(4), two(self)),
            3 => format!("textureSampleGrad(tex, samp, {}, {}, {})", two(self), two(self), two(self)),
            4 => format!("textureSampleBaseClampToEdge(tex, samp, {})", two(self)),
            5 => format!("textureSample(tex, samp, {}, vec2<i32>(1, -2))", two(self)),
            _ => format!("textureSampleBias(tex, samp, {}, {})", two(self), float(self)),
        }
    }

    pub(crate) fn texture_uint(&mut self, d: usize) -> String {
        let layer = self.expression(&Ty::Scalar(Kind::I), d.min(1));
        match self.tape.below(2) {
            0 => {
                let (x, y, level) = (self.coordinate(), self.coordinate(), self.tape.below(3));
                format!("textureLoad(utex, vec2<i32>({x}, {y}), ({layer}) % 3, {level})")
            }
            _ => {
                let at = self.expression(&Ty::Vector(2, Kind::F), d.min(1));
                format!("textureGather(1, utex, nsamp, {at}, {layer})")
            }
        }
    }
}
