//! Bend: what moves the vertices of a geometry, and what becomes of them in a posture.
//!
//! Shapes are added first, then joints pull. Source: glTF 2.0, 3.7.2.2 and 3.7.3; linear blend skinning as
//! Magnenat-Thalmann and others, "Joint-dependent local deformations", 1988; dual quaternions as
//! `stillframe_anim::skin::SkinDualQuaternion`, whose page names the paper. centres of rotation as
//! `stillframe_anim::skin::SkinCentres`. The processor bends by those kernels ([`BendBlocks`](super::BendBlocks));
//! `shader/bend.wgsl` says the same for devices: the same operations in the same order, so that on the software adapter
//! it gives the same bits.

use std::cmp::Ordering;

use bytemuck::{Pod, Zeroable};

/// By vertex: who pulls at it and where shapes move it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bend {
    /// Vertex `v` has the influences `starts[v][0] .. starts[v + 1][0]` and the deltas `starts[v][1] .. starts[v +
    /// 1][1]`.
    pub starts: Vec<[u32; 2]>,
    /// None at all where nothing but shapes moves it; else at least one a vertex, weights summing to 1, and then what
    /// `tail` says.
    pub influences: Vec<Influence>,
    pub tail: Tail,
    /// Of one vertex, by target.
    pub deltas: Vec<Delta>,
}

/// What stands after the influences of each vertex, as influences that are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tail {
    #[default]
    Nothing,
    /// One, for [`Form::Blended`]: its weight is the share of the dual quaternions.
    Share,
    /// Two, for [`Form::Centres`]: the bits of a joint, a weight and the bits of a joint are the centre of rotation,
    /// where the vertex rests.
    Centre,
}

impl Tail {
    /// How many influences it takes.
    pub const fn count(self) -> usize {
        self as usize
    }
}

/// A joint that pulls at a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Influence {
    /// Place in [`Posture::joints`].
    pub joint: u32,
    pub weight: f32,
}

/// Where a whole share of a shape moves a vertex.
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
#[repr(C)]
pub struct Delta {
    /// Place in [`Posture::shares`].
    pub target: u32,
    pub position: [f32; 3],
    pub normal: [f32; 3],
    pub tangent: [f32; 3],
}

/// What bends a geometry at one moment.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Posture {
    /// As `form` says. The first is the node's own, for vertices that no joint pulls at.
    pub joints: Vec<[[f32; 4]; 3]>,
    pub form: Form,
    /// How much of each shape is added.
    pub shares: Vec<f32>,
}

/// What a posture says of each joint.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Form {
    /// Rows of the matrix from where vertices rest to where the joint takes them.
    #[default]
    Matrices,
    /// The same as a dual quaternion: the real half, the dual half, and the scale with zeros.
    DualQuaternions,
    /// Two entries a joint: its matrix, then the same as a dual quaternion; joints that are none have zeros, and
    /// vertices that they pull at go with matrices alone. Each vertex is blended both ways, and then the results by its
    /// share.
    Blended,
    /// As `Blended`; each vertex turns by its dual quaternion about its centre of rotation, which goes with its matrix.
    Centres,
    /// Only vertex shaders know it. A vertex is its own joint: its place and its normal, of any length, then zeros.
    /// Tangents turn as normals do, the short way.
    Places,
}

/// A geometry's vertices in a posture; the rest of it is as it was.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bent {
    pub posture: Posture,
    pub positions: Vec<[f32; 3]>,
    /// As many, or none.
    pub normals: Vec<[f32; 3]>,
    /// As many, or none.
    pub tangents: Vec<[f32; 4]>,
}

impl Bend {
    pub fn vertex_count(&self) -> usize {
        self.starts.len().saturating_sub(1)
    }

    fn of(&self, vertex: usize) -> (&[Influence], &[Delta]) {
        let (from, to) = (self.starts[vertex].map(|at| at as usize), self.starts[vertex + 1].map(|at| at as usize));
        (&self.influences[from[0]..to[0]], &self.deltas[from[1]..to[1]])
    }

    /// All influences of a vertex, what its [`Tail`] says among them.
    pub fn influences_of(&self, vertex: usize) -> &[Influence] {
        self.of(vertex).0
    }

    /// Who pulls at a vertex.
    pub fn pulls_of(&self, vertex: usize) -> &[Influence] {
        let (influences, _) = self.of(vertex);
        &influences[..influences.len().saturating_sub(self.tail.count())]
    }

    /// How much of a vertex goes with dual quaternions, of [`Tail::Share`].
    pub fn share_of(&self, vertex: usize) -> f32 {
        self.of(vertex).0.last().map_or(0.0, |share| share.weight)
    }

    /// What a vertex turns about, of [`Tail::Centre`].
    pub fn centre_of(&self, vertex: usize) -> [f32; 3] {
        match self.of(vertex).0 {
            [.., xy, z] => [f32::from_bits(xy.joint), xy.weight, f32::from_bits(z.joint)],
            _ => [0.0; 3],
        }
    }

    /// Adds the centre of rotation of the vertex whose influences were added last.
    pub fn push_centre(&mut self, [x, y, z]: [f32; 3]) {
        let of = |joint: f32, weight| Influence { joint: joint.to_bits(), weight };
        self.influences.extend([of(x, y), of(z, 0.0)]);
    }

    /// Where shapes move a vertex.
    pub fn deltas_of(&self, vertex: usize) -> &[Delta] {
        self.of(vertex).1
    }

    /// The same with only the shapes that are kept, by target.
    pub fn with_shapes(&self, kept: &[bool]) -> Bend {
        let mut out = Bend { starts: vec![[0; 2]], tail: self.tail, ..Bend::default() };
        for vertex in 0..self.vertex_count() {
            let (influences, deltas) = self.of(vertex);
            out.influences.extend_from_slice(influences);
            let is_kept = |delta: &&Delta| kept.get(delta.target as usize).is_some_and(|kept| *kept);
            out.deltas.extend(deltas.iter().filter(is_kept));
            out.close();
        }
        out
    }

    /// The same where vertices that no joint pulls at go with the first one.
    #[must_use]
    pub fn with_own_joint(self) -> Bend {
        if !self.influences.is_empty() {
            return self;
        }
        let starts = (0..).zip(self.starts).map(|(vertex, [_, deltas])| [vertex, deltas]).collect::<Vec<_>>();
        let influences = vec![Influence { joint: 0, weight: 1.0 }; starts.len().saturating_sub(1)];
        Bend { starts, influences, deltas: self.deltas, tail: Tail::Nothing }
    }

    /// An order of vertices in which those that bend alike are equal.
    pub fn compare(&self, a: u32, b: u32) -> Ordering {
        let (a, b) = (self.of(a as usize), self.of(b as usize));
        let bytes = |of: (&[Influence], &[Delta])| {
            (bytemuck::cast_slice::<_, u8>(of.0).to_vec(), bytemuck::cast_slice::<_, u8>(of.1).to_vec())
        };
        if a == b { Ordering::Equal } else { bytes(a).cmp(&bytes(b)) }
    }

    /// What bends these vertices, each named by its number here.
    pub fn of_vertices(&self, vertices: &[u32]) -> Bend {
        let mut out = Bend { starts: vec![[0; 2]], tail: self.tail, ..Bend::default() };
        for vertex in vertices {
            let (influences, deltas) = self.of(*vertex as usize);
            out.influences.extend_from_slice(influences);
            out.deltas.extend_from_slice(deltas);
            out.close();
        }
        out
    }

    /// Ends a vertex: what comes next is the next one's.
    pub fn close(&mut self) {
        self.starts.push([self.influences.len() as u32, self.deltas.len() as u32]);
    }
}

/// Unit length; `otherwise` where there is no direction left.
pub fn direction(vector: [f32; 3], otherwise: [f32; 3]) -> [f32; 3] {
    let [x, y, z] = vector;
    let length = ((x * x + y * y) + z * z).sqrt();
    if length > 0.0 && length.is_finite() { vector.map(|v| v * (1.0 / length)) } else { otherwise }
}
