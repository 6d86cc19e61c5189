//! Digests: one of each system's results, to the bit. `crates/anim/tests/jobs/digest/table.txt` holds them; every
//! instruction set of every machine is to give the same.

pub mod meshes;
pub mod playing;
pub mod poses;
pub mod world;

use stillframe_anim::crowd::Storage;
use stillframe_base::hash::Digest;
use stillframe_base::lanes::Isa;

use world::{Bits, World};

/// Runs a system and notes what it gives.
pub type System = fn(&World, Isa, &mut Bits);

/// All of the crate, in the order of its chain.
pub const SYSTEMS: &[(&str, System)] = &[
    ("time", playing::time),
    ("raw", poses::raw),
    ("bake", poses::bake),
    ("sample", poses::sample),
    ("compress", poses::compress),
    ("decompress", poses::decompress),
    ("blend", poses::blend),
    ("masked blend", poses::masked_blend),
    ("additive", poses::additive),
    ("mesh additive", poses::mesh_additive),
    ("graph", playing::graph),
    ("root", playing::root),
    ("ik", playing::ik),
    ("ik jacobian", playing::ik_jacobian),
    ("ik twist", playing::ik_twist),
    ("ik copy rotation", playing::ik_copy_rotation),
    ("local to model", poses::local_to_model),
    ("palette", poses::palette),
    ("figure", poses::figure),
    ("morph", meshes::morph),
    ("skin linear", meshes::skin_linear),
    ("skin sorted", meshes::skin_sorted),
    ("skin dual quaternion", meshes::skin_dual_quaternion),
    ("skin centres", meshes::skin_centres),
    ("skin of surfaces", meshes::skin_surfaces),
    ("bounds", meshes::bounds),
    ("crowd f32", |world, isa, out| meshes::crowd(Storage::F32, world, isa, out)),
    ("crowd 16 bit", |world, isa, out| meshes::crowd(Storage::Ranged16, world, isa, out)),
    ("metric", playing::metric),
];

pub fn digest(world: &World, system: System, isa: Isa) -> Digest {
    let mut bits = Bits::default();
    system(world, isa, &mut bits);
    bits.digest()
}

/// A line of the table.
pub fn line(name: &str, digest: Digest) -> String {
    format!("{name:20}  {digest}\n")
}
