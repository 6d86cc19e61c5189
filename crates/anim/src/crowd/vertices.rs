//! Vertices: positions and normals over time, for what no skeleton moves, or where four joints a vertex are too dear.

use glam::DVec3;
use stillframe_base::tick::Tick;

use super::bake::{Source, Span, bake};
use super::{BakedFrames, CrowdBaking, CrowdError, CrowdReport};

/// A clip of vertices to bake.
pub struct MovingVertices<'a> {
    pub length: Tick,
    pub looping: bool,
    /// Moments from 0 to `length` at which it may bend or jump, in any order: frames are put on them where that takes
    /// fewer.
    pub keys: &'a [Tick],
    /// Writes all positions and normals at a moment from 0 to `length`; they are zero before. Moments are asked for in
    /// any order and more than once.
    pub place: &'a mut dyn FnMut(Tick, &mut [DVec3], &mut [DVec3]),
}

/// Vertices of clips, in one texture: two texels a vertex, its position and its normal. Normals between two frames are
/// not unit.
#[derive(Clone, Debug, PartialEq)]
pub struct BakedVertices {
    pub frames: BakedFrames,
}

impl BakedVertices {
    /// Bakes clips of one mesh. Errors are those of positions; those of normals are reported.
    pub fn bake(
        vertex_count: usize,
        clips: &mut [MovingVertices<'_>],
        baking: &CrowdBaking,
    ) -> Result<(BakedVertices, Vec<CrowdReport>), CrowdError> {
        let mut sources: Vec<(Span<'_>, Vertices<'_>)> = clips
            .iter_mut()
            .map(|clip| {
                let MovingVertices { length, looping, keys, place } = clip;
                let numbers = vec![DVec3::ZERO; vertex_count];
                let source = Vertices { place: *place, positions: numbers.clone(), normals: numbers };
                (Span { length: *length, looping: *looping, keys }, source)
            })
            .collect();
        let mut sources: Vec<(Span<'_>, &mut dyn Source)> =
            sources.iter_mut().map(|(span, source)| (*span, source as &mut dyn Source)).collect();
        let (frames, reports) = bake(&mut sources, vertex_count, 2, baking)?;
        Ok((BakedVertices { frames }, reports))
    }
}

struct Vertices<'a> {
    place: &'a mut dyn FnMut(Tick, &mut [DVec3], &mut [DVec3]),
    positions: Vec<DVec3>,
    normals: Vec<DVec3>,
}

impl Source for Vertices<'_> {
    fn item_count(&self) -> usize {
        self.positions.len()
    }

    fn item_texels(&self) -> usize {
        2
    }

    fn numbers(&mut self, at: Tick, out: &mut [f64]) {
        self.positions.fill(DVec3::ZERO);
        self.normals.fill(DVec3::ZERO);
        (self.place)(at, &mut self.positions, &mut self.normals);
        for ((position, normal), out) in self.positions.iter().zip(&self.normals).zip(out.chunks_exact_mut(8)) {
            out[..3].copy_from_slice(&position.to_array());
            out[4..7].copy_from_slice(&normal.to_array());
        }
    }

    fn off(&self, _: usize, want: &[f64], got: &[f64], note: &mut dyn FnMut(f64, f64)) {
        let (a, b) = (DVec3::from_slice(&want[4..]), DVec3::from_slice(&got[4..]));
        let off_normal = match (a.try_normalize(), b.try_normalize()) {
            (Some(a), Some(b)) => a.distance(b),
            (None, None) => 0.0,
            _ => 2.0,
        };
        note(DVec3::from_slice(want).distance(DVec3::from_slice(got)), off_normal);
    }
}
