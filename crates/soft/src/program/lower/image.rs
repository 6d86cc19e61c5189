//! Image: texture calls and queries.

use naga::{ImageDimension, ImageQuery, ScalarKind};

use super::*;
use crate::program::op::Pure;

impl<'a> Lower<'a> {
    fn texture(&mut self, f: &mut Frame<'a>, handle: Handle<Expression>) -> Result<u16, LowerError> {
        match self.meaning(f, handle)? {
            Meaning::Texture(slot) => Ok(slot),
            _ => Err(LowerError::unsupported("arrays of textures")),
        }
    }

    /// Dimension, whether arrayed, and how many coordinates address a texel.
    fn image_type(&self, f: &Frame<'a>, image: Handle<Expression>) -> (ImageDimension, bool, u8) {
        let TypeInner::Image { dim, arrayed, .. } = *self.inner(f, image) else {
            unreachable!("a validated image operand");
        };
        let coords = match dim {
            ImageDimension::D1 => 1,
            ImageDimension::D2 => 2,
            ImageDimension::D3 | ImageDimension::Cube => 3,
        };
        (dim, arrayed, coords)
    }

    /// An array layer as i32: a u32 too large for it stays too large.
    fn layer(&mut self, f: &mut Frame<'a>, index: Handle<Expression>) -> Result<Val, LowerError> {
        let v = self.scalar_value(f, index)?;
        if self.scalar(f, index)? != ScalarKind::Uint {
            return Ok(v);
        }
        let most = self.b.u32(i32::MAX as u32);
        Ok(self.b.op2(Pure::UMin, v, most))
    }

    pub(super) fn image_sample(
        &mut self,
        f: &mut Frame<'a>,
        handle: Handle<Expression>,
    ) -> Result<Meaning, LowerError> {
        let Expression::ImageSample {
            image,
            sampler,
            gather,
            coordinate,
            array_index,
            offset,
            level,
            depth_ref,
            clamp_to_edge,
        } = *self.expression(f, handle)
        else {
            unreachable!("called for image samples");
        };
        let texture = self.texture(f, image)?;
        let Meaning::Sampler(sampler) = self.meaning(f, sampler)? else {
            return Err(LowerError::unsupported("arrays of samplers"));
        };
        let (_, arrayed, coords) = self.image_type(f, image);
        let span = self.value_of(f, coordinate)?;
        let mut args = self.values(span);
        if clamp_to_edge {
            for (axis, v) in args.iter_mut().enumerate() {
                *v = self.clamp_half_texel(texture, axis as u8, *v);
            }
        }
        if let Some(index) = array_index {
            args.push(self.layer(f, index)?);
        }
        let kind = match level {
            naga::SampleLevel::Auto => SampleLevel::Auto,
            naga::SampleLevel::Zero => SampleLevel::Zero,
            naga::SampleLevel::Exact(level) => {
                let v = self.scalar_value(f, level)?;
                args.push(match self.scalar(f, level)? {
                    ScalarKind::Sint => self.b.op1(Pure::IToF, v),
                    ScalarKind::Uint => self.b.op1(Pure::UToF, v),
                    _ => v,
                });
                SampleLevel::Exact
            }
            naga::SampleLevel::Bias(bias) => {
                args.push(self.scalar_value(f, bias)?);
                SampleLevel::Bias
            }
            naga::SampleLevel::Gradient { x, y } => {
                for gradient in [x, y] {
                    let span = self.value_of(f, gradient)?;
                    args.extend(self.values(span));
                }
                SampleLevel::Gradient
            }
        };
        if gather.is_none() && matches!(kind, SampleLevel::Auto | SampleLevel::Bias) {
            for v in &mut args[..coords as usize] {
                *v = self.b.timed(Kind::QuadFill, [*v, Val::NONE, Val::NONE]);
            }
        }
        if let Some(reference) = depth_ref {
            args.push(self.scalar_value(f, reference)?);
        }
        let mut offsets = [0; 3];
        if let Some(offset) = offset {
            let span = self.value_of(f, offset)?;
            for (k, v) in self.values(span).into_iter().enumerate() {
                let Some(bits) = self.b.constant(v) else {
                    return Err(LowerError::unsupported("a texel offset that is not constant"));
                };
                offsets[k] = bits as i32;
            }
        }
        let sample = Sample {
            texture,
            sampler,
            coords,
            arrayed,
            level: kind,
            offset: offsets,
            compare: depth_ref.is_some(),
            gather: gather.map(|component| component as u8),
        };
        self.texel_call(f, handle, CallKind::Sample(sample), args)
    }

    /// `x` between `0.5 / size` and `1 - 0.5 / size`; a NaN goes to the low end, for the edge must hold whatever comes.
    fn clamp_half_texel(&mut self, texture: u16, axis: u8, x: Val) -> Val {
        let size = self.b.shared(Kind::Query(texture, Query::Size(axis)), [Val::NONE; 3]);
        let size = self.b.op1(Pure::UToF, size);
        let (half, one) = (self.b.f32(0.5), self.b.f32(1.0));
        let low = self.b.op2(Pure::FDiv, half, size);
        let high = self.b.op2(Pure::FSub, one, low);
        let raised = self.b.op2(Pure::FMax, low, x);
        self.b.op2(Pure::FMin, raised, high)
    }

    /// Runs the call and gives as many components as the expression has.
    fn texel_call(
        &mut self,
        f: &Frame<'a>,
        handle: Handle<Expression>,
        kind: CallKind,
        args: Vec<Val>,
    ) -> Result<Meaning, LowerError> {
        let count = types::flat_len(self.module, self.ty(f, handle)?)? as usize;
        let results = self.b.call(kind, args, count);
        Ok(self.value(&results[..count]))
    }

    pub(super) fn image_load(&mut self, f: &mut Frame<'a>, handle: Handle<Expression>) -> Result<Meaning, LowerError> {
        let Expression::ImageLoad { image, coordinate, array_index, sample, level } = *self.expression(f, handle)
        else {
            unreachable!("called for image loads");
        };
        let texture = self.texture(f, image)?;
        let (_, arrayed, coords) = self.image_type(f, image);
        let span = self.value_of(f, coordinate)?;
        let mut args = self.values(span);
        if let Some(index) = array_index {
            args.push(self.layer(f, index)?);
        }
        let which = sample.or(level);
        if let Some(which) = which {
            args.push(self.layer(f, which)?);
        }
        self.texel_call(f, handle, CallKind::ImageLoad { texture, coords, arrayed, leveled: which.is_some() }, args)
    }

    pub(super) fn image_store(
        &mut self,
        f: &mut Frame<'a>,
        [image, coordinate, value]: [Handle<Expression>; 3],
        array_index: Option<Handle<Expression>>,
    ) -> Result<(), LowerError> {
        let texture = self.texture(f, image)?;
        let (_, arrayed, coords) = self.image_type(f, image);
        let span = self.value_of(f, coordinate)?;
        let mut args = self.values(span);
        if let Some(index) = array_index {
            args.push(self.layer(f, index)?);
        }
        let span = self.value_of(f, value)?;
        args.extend(self.values(span));
        self.b.call(CallKind::ImageStore { texture, coords, arrayed }, args, 0);
        Ok(())
    }

    pub(super) fn image_query(
        &mut self,
        f: &mut Frame<'a>,
        image: Handle<Expression>,
        query: ImageQuery,
    ) -> Result<Meaning, LowerError> {
        let texture = self.texture(f, image)?;
        let (dim, ..) = self.image_type(f, image);
        let mut ask =
            |query: Query, level: Val| self.b.shared(Kind::Query(texture, query), [level, Val::NONE, Val::NONE]);
        Ok(match query {
            ImageQuery::Size { level } => {
                let level = match level {
                    Some(level) => {
                        let v = self.scalar_value(f, level)?;
                        let zero = self.b.u32(0);
                        let signed = self.scalar(f, level)? == ScalarKind::Sint;
                        if signed { self.b.op2(Pure::IMax, v, zero) } else { v }
                    }
                    None => Val::NONE,
                };
                let count = match dim {
                    ImageDimension::D1 => 1,
                    ImageDimension::D2 | ImageDimension::Cube => 2,
                    ImageDimension::D3 => 3,
                };
                let values: Vec<Val> = (0..count)
                    .map(|axis| self.b.shared(Kind::Query(texture, Query::Size(axis)), [level, Val::NONE, Val::NONE]))
                    .collect();
                self.value(&values)
            }
            ImageQuery::NumLevels => {
                let v = ask(Query::Levels, Val::NONE);
                self.value(&[v])
            }
            ImageQuery::NumLayers => {
                let v = ask(Query::Layers, Val::NONE);
                self.value(&[v])
            }
            ImageQuery::NumSamples => {
                let v = ask(Query::Samples, Val::NONE);
                self.value(&[v])
            }
        })
    }
}
