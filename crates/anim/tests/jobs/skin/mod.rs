//! Skins: what import makes of influences and meshes, and what the jobs make of vertices, each against something slow
//! and plain.

mod blocks;
mod influences;
mod normals;
mod oracle;
mod ranges;
mod twist;
