//! `function`: what the light of a lamp is multiplied with in each direction.

use crate::scene::code;
use crate::scene::key::{Key, numbers, optional};
use crate::scene::printer::Printer;
use crate::scene::resolver::{Names, Resolver};
use crate::scene::schema::{POSITIVE, Type};
use crate::scene::text::syntax::Table;

use super::super::material::SceneMaterial;

/// A material's base colour before a light, like a slide before a projector's lamp.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LightFunction {
    /// Position in `Scene::materials`.
    pub material: usize,
    /// Of directional lights: width and height that it covers once.
    pub size_m: [f32; 2],
}

pub(super) const FUNCTION: Key<Option<String>> = optional(
    "function",
    Type::Name("material"),
    "none",
    "An unlit material whose base colour multiplies the light by its direction, over u and v from 0 to 1: across the cone of a spot light, around a point light, in tiles across a directional one.",
);
pub(super) const FUNCTION_SIZE_M: Key<[f32; 2]> =
    numbers("function_size_m", &[1.0, 1.0], POSITIVE, "Width and height of a tile of `function`.");

/// The function that a light names. Kinds without one do not have its key.
pub(super) fn function(
    resolver: &mut Resolver<'_>,
    table: &Table,
    names: &Names,
    materials: &[SceneMaterial],
) -> Option<LightFunction> {
    if !table.has(FUNCTION) {
        let help = Some("add `function`, or remove it");
        resolver.without_effect(table, FUNCTION_SIZE_M, "without `function`", help);
        return None;
    }
    let material = resolver.name(table, FUNCTION, names)?;
    let SceneMaterial { name, values, .. } = &materials[material];
    if values.unlit != Some(true)
        && let Some((_, place)) = table.placed(FUNCTION)
    {
        let help = format!("add `unlit = true` to [material.{name}]");
        resolver.complain_with(code::NOT_UNLIT, place, format!("material `{name}` is not unlit"), Some(help));
    }
    Some(LightFunction { material, size_m: table.ask(FUNCTION_SIZE_M) })
}

pub(super) fn print(out: &mut Printer<'_>, function: Option<LightFunction>, is_parallel: bool) {
    let Some(LightFunction { material, size_m }) = function else { return };
    out.name(FUNCTION, Some(out.scene.materials[material].name.as_str()));
    if is_parallel {
        out.line(FUNCTION_SIZE_M, size_m);
    }
}
