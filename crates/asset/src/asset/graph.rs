//! Surface graph: what a material computes for every point, with its pictures.

use std::sync::Arc;

use stillframe_graph::{Bound, Geometry, Graph, Output, Program};

use super::TextureSlot;

/// Nodes in the place of a material's numbers and textures.
#[derive(Clone, Debug, PartialEq)]
pub struct SurfaceGraph {
    pub graph: Graph,
    /// Those that its nodes name by position; their uv set and transform do not count.
    pub textures: Vec<TextureSlot>,
    /// By `GraphUse as usize`.
    bounds: [Bound; 5],
}

/// What a shader wants of a graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GraphUse {
    /// Where the holes are.
    Holes,
    /// The base colour alone.
    Base,
    /// What layers show: albedo and normal.
    Layers,
    /// All that light asks for, without an environment.
    Lit,
    /// The same with one.
    Surrounded,
}

impl GraphUse {
    const ALL: [GraphUse; 5] = [GraphUse::Holes, GraphUse::Base, GraphUse::Layers, GraphUse::Lit, GraphUse::Surrounded];
}

impl SurfaceGraph {
    /// `cut_out`: whether alpha makes holes.
    pub fn new(graph: Graph, textures: Vec<TextureSlot>, cut_out: bool) -> SurfaceGraph {
        let is_linked = |output: Output| graph.outputs.iter().any(|(own, _)| *own == output);
        let bounds = GraphUse::ALL.map(|of| {
            graph.program(&|output| match output {
                Output::Alpha => cut_out,
                Output::BaseColor => of != GraphUse::Holes || (cut_out && !is_linked(Output::Alpha)),
                Output::Metallic => !matches!(of, GraphUse::Holes | GraphUse::Base),
                Output::Normal => !matches!(of, GraphUse::Holes | GraphUse::Base),
                Output::Roughness | Output::Emissive | Output::Radiance => {
                    matches!(of, GraphUse::Lit | GraphUse::Surrounded)
                }
                Output::Displacement | Output::DisplacementVector => true,
                Output::Occlusion => of == GraphUse::Surrounded,
            })
        });
        SurfaceGraph { graph, textures, bounds }
    }

    pub fn bound(&self, of: GraphUse) -> &Bound {
        &self.bounds[of as usize]
    }

    /// What one of its programs binds.
    pub fn bound_of(&self, program: &Arc<Program>) -> &Bound {
        let found = self.bounds.iter().find(|bound| bound.program == *program);
        found.expect("a key's program is one of its material's")
    }

    /// Whether any of its programs reads something of the point.
    pub fn reads(&self, geometry: Geometry) -> bool {
        self.bounds.iter().any(|bound| bound.program.reads(geometry))
    }

    pub fn is_linked(&self, output: Output) -> bool {
        self.graph.outputs.iter().any(|(own, _)| *own == output)
    }
}
