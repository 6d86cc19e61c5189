//! Light: scenes whose right answer is arithmetic or another renderer's, and the shaders' mathematics by itself.

mod area;
mod around;
mod blending;
mod cubes;
mod drawing;
mod edges;
mod energy;
mod functions;
mod furnace;
mod graphs;
mod lamps;
mod layers;
mod maps;
mod methods;
mod models;
mod nodes;
mod panels;
mod probes;
mod reflection;
mod scene_a;
mod sh9;
mod shader_maths;
mod spheres;
mod textures;
mod truth;
