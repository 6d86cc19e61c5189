//! Skins: what import makes of influences and meshes, and what the jobs make of vertices, each against something slow and plain.

#[path = "skin/blocks.rs"]
mod blocks;
#[path = "skin/budget.rs"]
mod budget;
#[path = "skin/influences.rs"]
mod influences;
#[path = "skin/normals.rs"]
mod normals;
#[path = "skin/oracle.rs"]
mod oracle;
#[path = "skin/ranges.rs"]
mod ranges;
#[path = "skin/twist.rs"]
mod twist;
