//! Fragments: quads of one figure run the fragment stage, in the order of `docs/adapter-rules.md`, Geometry and Output.

use naga::{Binding, BuiltIn, Interpolation, Sampling, ScalarKind, TypeInner};

use super::figure::{self, Figure};
use super::group::Group;
use super::io;
use super::output::{Sample, Shaded};
use super::value::{Scalar, Value};
use crate::work::{Draw, Fault, RenderPass, Stage};

/// How a location reaches the fragment stage.
pub fn interpolation(binding: &Binding, kind: ScalarKind) -> Interpolation {
    match binding {
        Binding::Location { interpolation: Some(interpolation), .. } => *interpolation,
        _ if kind == ScalarKind::Float => Interpolation::Perspective,
        _ => Interpolation::Flat,
    }
}

fn sampling(binding: &Binding) -> Sampling {
    match binding {
        Binding::Location { sampling: Some(sampling), .. } => *sampling,
        _ => Sampling::Center,
    }
}

/// The samples of a quad's pixels that the figure covers, a bit each.
struct Cover {
    before: [u32; 4],
    /// Where mask and tests come first: what they left.
    seen: [u32; 4],
}

/// One quad of one figure.
pub struct Quad<'a> {
    pub pass: &'a RenderPass,
    pub draw: &'a Draw,
    pub figure: &'a Figure,
    /// Upper left pixel; both even.
    pub x: i64,
    pub y: i64,
    pub step_budget: u64,
}

impl Quad<'_> {
    fn pixel(&self, lane: usize) -> (i64, i64) {
        (self.x + (lane as i64 & 1), self.y + (lane as i64 >> 1))
    }

    /// The samples of a pixel that the figure covers inside target, viewport's box and scissor, a bit each.
    fn covered(&self, lane: usize) -> u32 {
        let (i, j) = self.pixel(lane);
        let scissor = self.draw.scissor;
        let (left, top) = (scissor.x as i64, scissor.y as i64);
        let in_scissor =
            (left..left + scissor.width as i64).contains(&i) && (top..top + scissor.height as i64).contains(&j);
        if !in_scissor || i >= self.pass.width_px as i64 || j >= self.pass.height_px as i64 {
            return 0;
        }
        let v = &self.draw.viewport;
        let in_box = |x: i64, y: i64| {
            (figure::snap(v.x)..figure::snap(v.x + v.width)).contains(&x)
                && (figure::snap(v.y)..figure::snap(v.y + v.height)).contains(&y)
        };
        let samples = 0..self.pass.sample_count;
        if !self.figure.is_triangle() {
            let center = (256 * i + 128, 256 * j + 128);
            let all = in_box(center.0, center.1) && self.figure.covers(i, j, center.0, center.1);
            return if all { (1 << self.pass.sample_count) - 1 } else { 0 };
        }
        samples
            .filter(|&sample| {
                let (x, y) = figure::sample_at(self.pass.sample_count, sample);
                in_box(256 * i + x, 256 * j + y) && self.figure.covers(i, j, 256 * i + x, 256 * j + y)
            })
            .fold(0, |mask, sample| mask | 1 << sample)
    }

    /// Where a sample of a pixel lies; the centre for points and lines.
    fn place(&self, lane: usize, sample: Option<u32>) -> (i64, i64) {
        let (i, j) = self.pixel(lane);
        let (x, y) = match sample {
            Some(sample) if self.figure.is_triangle() => figure::sample_at(self.pass.sample_count, sample),
            _ => (128, 128),
        };
        (256 * i + x, 256 * j + y)
    }

    fn depth(&self, lane: usize, sample: Option<u32>) -> f32 {
        let (i, j) = self.pixel(lane);
        let (x, y) = self.place(lane, sample);
        let state = self.draw.pipeline.depth_stencil.as_ref();
        let bias = state.map(|s| s.bias).unwrap_or_default();
        self.figure.at(i, j, x, y).depth(&bias, state.map(|s| s.format), &self.draw.viewport)
    }

    /// Shades, tests and writes.
    pub fn draw(&self) -> Result<(), Fault> {
        let covered = [0, 1, 2, 3].map(|lane| self.covered(lane));
        if covered == [0; 4] {
            return Ok(());
        }
        let pipeline = &self.draw.pipeline;
        let mut live = covered.map(|samples| samples & pipeline.multisample.mask as u32);
        let mut cover = Cover { before: covered, seen: covered };
        if pipeline.tests_first() {
            live = self.tested(live, &Default::default());
            cover.seen = live;
        }
        match &pipeline.fragment {
            Some(stage) if self.pass.sample_count > 1 && is_per_sample(stage) => {
                for sample in 0..self.pass.sample_count {
                    let one = live.map(|samples| samples & 1 << sample);
                    if one != [0; 4] {
                        self.run(&cover, one, Some(sample))?;
                    }
                }
                Ok(())
            }
            _ => self.run(&cover, live, None),
        }
    }

    fn sample(&self, lane: usize, sample: u32) -> Sample<'_> {
        let (i, j) = self.pixel(lane);
        Sample {
            pass: self.pass,
            draw: self.draw,
            x: i as u32,
            y: j as u32,
            sample,
            front_facing: self.figure.front_facing,
        }
    }

    /// Tests those samples of `coverage` that pass `keep`; gives back who is left.
    fn tested(&self, coverage: [u32; 4], shaded: &[Shaded; 4]) -> [u32; 4] {
        std::array::from_fn(|lane| {
            (0..self.pass.sample_count)
                .filter(|sample| coverage[lane] >> sample & 1 == 1)
                .filter(|&sample| {
                    let at = self.sample(lane, sample);
                    at.test(at.depth(self.depth(lane, Some(sample)), &shaded[lane]))
                })
                .fold(0, |mask, sample| mask | 1 << sample)
        })
    }

    /// One run of the fragment stage for the samples of `coverage`.
    fn run(&self, cover: &Cover, mut coverage: [u32; 4], sample: Option<u32>) -> Result<(), Fault> {
        let pipeline = &self.draw.pipeline;
        let mut shaded: [Shaded; 4] = Default::default();
        if let Some(stage) = &pipeline.fragment {
            let lives = coverage.map(|mask| mask != 0);
            let (results, discarded) = self.shade(stage, cover, lives, sample)?;
            for lane in 0..4 {
                if discarded[lane] {
                    coverage[lane] = 0;
                }
                coverage[lane] &= results[lane].sample_mask.unwrap_or(u32::MAX);
                if pipeline.multisample.alpha_to_coverage_enabled && coverage[lane] != 0 {
                    coverage[lane] &= results[lane].alpha_coverage();
                }
            }
            shaded = results;
        }
        if !pipeline.tests_first() {
            coverage = self.tested(coverage, &shaded);
        }
        for lane in 0..4 {
            for sample in (0..self.pass.sample_count).filter(|sample| coverage[lane] >> sample & 1 == 1) {
                self.sample(lane, sample).write_colors(&shaded[lane]);
            }
        }
        Ok(())
    }

    fn shade(
        &self,
        stage: &Stage,
        cover: &Cover,
        lives: [bool; 4],
        sample: Option<u32>,
    ) -> Result<([Shaded; 4], [bool; 4]), Fault> {
        let module = &stage.shader.module;
        let function = &module.entry_points[stage.entry_index].function;
        let mut group = Group::new(stage, &self.draw.bindings, 4, self.step_budget);
        group.helper = lives.map(|live| !live).to_vec();
        let arguments = io::arguments(module, function, 4, |binding, ty, lane| match binding {
            Binding::BuiltIn(builtin) => self.builtin(builtin, lane, cover.before[lane], sample),
            Binding::Location { location, .. } => self.varying(*location, binding, ty, lane, cover.seen[lane], sample),
        });
        let results = group.run(function, arguments, vec![true; 4])?;
        let shaded = std::array::from_fn(|lane| {
            let mut shaded = Shaded::default();
            for (binding, value) in io::outputs(module, function, &results[lane]) {
                match binding {
                    Binding::BuiltIn(BuiltIn::FragDepth) => shaded.depth = Some(value.scalar().f32()),
                    Binding::BuiltIn(BuiltIn::SampleMask) => shaded.sample_mask = Some(value.scalar().bits()),
                    Binding::BuiltIn(other) => unreachable!("{other:?} from a fragment stage"),
                    Binding::Location { location, blend_src, .. } => {
                        shaded.colors.push((location, blend_src == Some(1), value.parts()));
                    }
                }
            }
            shaded
        });
        Ok((shaded, std::array::from_fn(|lane| group.discarded[lane])))
    }

    fn builtin(&self, builtin: &BuiltIn, lane: usize, covered: u32, sample: Option<u32>) -> Value {
        let (i, j) = self.pixel(lane);
        match builtin {
            BuiltIn::Position { .. } => {
                let (x, y) = self.place(lane, sample);
                let q = self.figure.at(i, j, x, y).q();
                Value::floats(&[x as f32 / 256.0, y as f32 / 256.0, self.depth(lane, sample), q])
            }
            BuiltIn::FrontFacing => Value::bool(self.figure.front_facing),
            BuiltIn::PrimitiveIndex => Value::u32(self.figure.primitive_index),
            BuiltIn::SampleIndex => Value::u32(sample.unwrap_or(0)),
            BuiltIn::SampleMask => Value::u32(sample.map_or(covered, |sample| covered & 1 << sample)),
            other => unreachable!("{other:?} in a fragment stage"),
        }
    }

    fn varying(
        &self,
        location: u32,
        binding: &Binding,
        ty: &TypeInner,
        lane: usize,
        seen: u32,
        sample: Option<u32>,
    ) -> Value {
        let (kind, count) = match *ty {
            TypeInner::Scalar(scalar) => (scalar.kind, 1),
            TypeInner::Vector { size, scalar } => (scalar.kind, size as usize),
            ref other => unreachable!("an input of {other:?}"),
        };
        let perspective = match interpolation(binding, kind) {
            Interpolation::Flat => return Value::from_parts(&self.figure.first.at(location)[..count]),
            Interpolation::Linear => false,
            _ => true,
        };
        let all = (1 << self.pass.sample_count) - 1;
        let at = match sampling(binding) {
            Sampling::Sample => sample,
            Sampling::Centroid if seen != 0 && seen != all => Some(seen.trailing_zeros()),
            _ => None,
        };
        let (i, j) = self.pixel(lane);
        let (x, y) = self.place(lane, at);
        let place = self.figure.at(i, j, x, y);
        let parts: Vec<Scalar> = (0..count)
            .map(|part| Scalar::F32(place.interpolated(perspective, |c| c.vertex.at(location)[part].f32())))
            .collect();
        Value::from_parts(&parts)
    }
}

/// Whether the stage runs once a sample.
fn is_per_sample(stage: &Stage) -> bool {
    let module = &stage.shader.module;
    let function = &module.entry_points[stage.entry_index].function;
    io::inputs(module, function)
        .iter()
        .any(|(binding, _)| *binding == Binding::BuiltIn(BuiltIn::SampleIndex) || sampling(binding) == Sampling::Sample)
}
