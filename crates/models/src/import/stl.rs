//! STL: triangles, binary or as text.
//!
//! Source: 3D Systems, "StereoLithography Interface Specification" (1989), with the two habits of writing colours into
//! a binary file's spare bits (VisCAM and SolidView; Materialise Magics). The corners' order says where the front is;
//! stored normals are not used, since files hold zeros or worse. No axis and no unit is told.

use std::path::Path;

use glam::DVec3;
use stillframe_base::math::colour::LINEAR_FROM_SRGB8;

use super::number::{double, float};
use super::text::Plain;
use super::{Budget, Fault, Model, ModelGeometry, Part, Wishes, code, far, flat};
use crate::asset::Geometry;
use crate::source::{Diagnostic, Severity};

const HEADER_BYTES: usize = 84;
const TRIANGLE_BYTES: usize = 50;

/// Reads an STL model. Solids of a text file become nodes.
///
/// Errors: a file that ends early, text that makes no sense, numbers that are not finite.
pub fn stl(file: &Path, bytes: &[u8]) -> Result<Model, Vec<Diagnostic>> {
    stl_within(file, bytes, Wishes::default())
}

/// The same as the user wishes.
pub fn stl_within(file: &Path, bytes: &[u8], wishes: Wishes) -> Result<Model, Vec<Diagnostic>> {
    let mut budget = Budget::within(bytes.len(), wishes);
    let mut model = flat::model(file, "STL", None);
    let plain = Plain::of(bytes);
    let mut exact: Vec<DVec3> = Vec::new();
    let begins_as_text = begins_as_text(&plain.bytes);
    let solids = match said_count(bytes) {
        Some(count) if !begins_as_text || !is_text(bytes, &plain.bytes, count) => {
            vec![(String::new(), binary(bytes, count, &mut budget, &mut model))]
        }
        _ if begins_as_text => match text(file, &Plain::lines(bytes), &mut budget) {
            Ok(solids) if solids.iter().any(|(_, solid)| far::is_far(&solid.positions)) => {
                exact = exact_positions(&Plain::lines(bytes).bytes);
                solids.into_iter().map(|(name, solid)| (name, Ok(solid))).collect()
            }
            Ok(solids) => solids.into_iter().map(|(name, solid)| (name, Ok(solid))).collect(),
            Err(diagnostic) => return Err(vec![*diagnostic]),
        },
        _ => {
            let help = "a binary file has at least 84 bytes; a text file starts with `solid`";
            return Err(vec![Diagnostic::error(code::NOT_A_MODEL, file, "not an STL model").help(help)]);
        }
    };
    let stem = model.nodes.remove(0).name;
    let mut has_colors = false;
    let mut empty_count = 0;
    let mut surfaces = Vec::new();
    for (name, solid) in solids {
        surfaces.push((name, solid.map_err(|fault: Fault| vec![fault.in_file(file, Severity::Error)])?));
    }
    model.origin = move_near(&mut surfaces, &exact);
    for (name, surface) in surfaces {
        has_colors |= !surface.colors.is_empty();
        let mut node = flat::node(if name.is_empty() { &stem } else { &name }, None);
        if surface.indices.is_empty() {
            empty_count += 1;
        } else {
            node.parts.push(Part { geometry: model.geometries.len(), material: 0 });
            model.geometries.push(ModelGeometry { surface, ..ModelGeometry::default() });
        }
        model.nodes.push(node);
    }
    if empty_count > 0 {
        let message = format!(
            "ignored {}",
            crate::source::count(empty_count, "solid without triangles", "solids without triangles")
        );
        model.warnings.push(Diagnostic::warning(code::PRIMITIVE_SKIPPED, file, message));
    }
    model.materials.push(flat::material(has_colors));
    Ok(model)
}

/// Moves solids that stand far away together. `exact`: their places with all digits, in the order of the file, or none
/// if f32 are all there is. Out: what was taken off.
fn move_near(solids: &mut [(String, Geometry)], exact: &[DVec3]) -> DVec3 {
    let count: usize = solids.iter().map(|(_, solid)| solid.positions.len()).sum();
    let stored = || solids.iter().flat_map(|(_, s)| &s.positions).map(|p| DVec3::from(p.map(f64::from)));
    let places: Vec<DVec3> = if exact.len() == count { exact.to_vec() } else { stored().collect() };
    let Some(middle) = far::far_middle(places.iter().copied()) else { return DVec3::ZERO };
    let positions = solids.iter_mut().flat_map(|(_, solid)| &mut solid.positions);
    positions.zip(places).for_each(|(position, place)| *position = (place - middle).as_vec3().to_array());
    middle
}

/// Every corner of a text with the digits that the file has.
fn exact_positions(bytes: &[u8]) -> Vec<DVec3> {
    let mut out = Vec::new();
    let mut at = 0;
    while let Some((_, found)) = word(bytes, &mut at) {
        if found.eq_ignore_ascii_case(b"vertex") {
            out.push(DVec3::from([0; 3].map(|_| {
                while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
                    at += 1;
                }
                double(bytes, &mut at).unwrap_or(0.0)
            })));
        } else if found.eq_ignore_ascii_case(b"solid") || found.eq_ignore_ascii_case(b"endsolid") {
            // A name may hold any word.
            at = bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| at + n);
        }
    }
    out
}

/// The number of triangles that a binary file says it has.
fn said_count(bytes: &[u8]) -> Option<usize> {
    let count = bytes.get(80..HEADER_BYTES)?;
    Some(u32::from_le_bytes([count[0], count[1], count[2], count[3]]) as usize)
}

/// Binary files may begin with `solid` too: then their size decides.
fn is_text(bytes: &[u8], text: &[u8], said_count: usize) -> bool {
    let wanted = HEADER_BYTES as u64 + said_count as u64 * TRIANGLE_BYTES as u64;
    bytes.len() as u64 != wanted
        && text[..text.len().min(1024)].iter().all(|b| b.is_ascii_graphic() || b.is_ascii_whitespace() || *b >= 128)
}

fn begins_as_text(text: &[u8]) -> bool {
    text.trim_ascii_start().get(..5).is_some_and(|word| word.eq_ignore_ascii_case(b"solid"))
}

/// What a triangle with corners of its own takes.
fn spend(triangle_count: usize, budget: &mut Budget) -> Result<(), Fault> {
    let count = triangle_count as u64;
    budget.reserve_baking(count, "the model")?;
    budget.spend(count * 3 * (12 + 16 + 4), "the model")
}

fn binary(bytes: &[u8], count: usize, budget: &mut Budget, model: &mut Model) -> Result<Geometry, Fault> {
    let there = (bytes.len() - HEADER_BYTES) / TRIANGLE_BYTES;
    if there < count {
        let message = format!("the file declares {count} triangles but ends after {there}");
        return Err(Fault::new(code::ENDS_EARLY, message));
    }
    spend(count, budget)?;
    let header = &bytes[..80];
    let words = String::from_utf8_lossy(header.split(|b| *b == 0).next().unwrap_or_default());
    model.format.generator = Some(words.trim().to_string()).filter(|w| !w.is_empty() && w.chars().all(|c| c >= ' '));
    let triangles = bytes[HEADER_BYTES..].chunks_exact(TRIANGLE_BYTES).take(count);
    let mut positions = Vec::with_capacity(count * 3);
    for triangle in triangles.clone() {
        for corner in triangle[12..48].chunks_exact(12) {
            let at = |i: usize| f32::from_le_bytes([corner[i], corner[i + 1], corner[i + 2], corner[i + 3]]);
            positions.push([at(0), at(4), at(8)]);
        }
    }
    if let Some(bad) = positions.iter().position(|p| !p.iter().all(|v| v.is_finite())) {
        let message = format!("triangle {} has a coordinate that is not finite", bad / 3);
        return Err(Fault::new(code::NOT_FINITE, message));
    }
    // Magics: a colour for all in the header, and bit 15 says "that one". Others: bit 15 says "this one".
    let common = header.windows(6).position(|w| w == b"COLOR=").and_then(|at| header.get(at + 6..at + 10));
    let word = |triangle: &[u8]| u16::from_le_bytes([triangle[48], triangle[49]]);
    let has_colors = common.is_some() || triangles.clone().any(|t| word(t) & 0x8000 != 0);
    let mut colors = Vec::new();
    if has_colors {
        colors.reserve(count * 3);
        for triangle in triangles {
            let word = word(triangle);
            let five = |shift: u16| (u32::from(word >> shift & 31) * 255 + 15) / 31;
            let linear = |c: u32| LINEAR_FROM_SRGB8[c as usize];
            let color = match (common, word & 0x8000 != 0) {
                (Some(all), true) => [linear(all[0].into()), linear(all[1].into()), linear(all[2].into()), 1.0],
                (Some(_), false) => [linear(five(0)), linear(five(5)), linear(five(10)), 1.0],
                (None, true) => [linear(five(10)), linear(five(5)), linear(five(0)), 1.0],
                (None, false) => [1.0; 4],
            };
            colors.extend([color; 3]);
        }
    }
    Ok(Geometry { indices: (0..positions.len() as u32).collect(), positions, colors, ..Geometry::default() })
}

/// The next word and where it stands.
fn word<'a>(bytes: &'a [u8], at: &mut usize) -> Option<(usize, &'a [u8])> {
    while bytes.get(*at).is_some_and(u8::is_ascii_whitespace) {
        *at += 1;
    }
    let start = *at;
    while bytes.get(*at).is_some_and(|b| !b.is_ascii_whitespace()) {
        *at += 1;
    }
    (*at > start).then(|| (start, &bytes[start..*at]))
}

/// Only `solid`, `vertex` and what follows them count; `facet`, `outer loop` and their ends are passed over.
fn text(file: &Path, plain: &Plain<'_>, budget: &mut Budget) -> Result<Vec<(String, Geometry)>, Box<Diagnostic>> {
    let bytes = &*plain.bytes;
    let mut solids: Vec<(String, Geometry)> = Vec::new();
    let wrong = |at: usize, end: usize, message: &str| {
        let shown = bytes[at..end.min(bytes.len())].trim_ascii_end().len();
        Box::new(Diagnostic { span: plain.span(at..at + shown), ..Diagnostic::error(code::VALUE, file, message) })
    };
    let mut at = 0;
    let mut ended = true;
    while let Some((start, found)) = word(bytes, &mut at) {
        // Some writers use capitals, and some write `end facet`.
        let mut spelled =
            if found[0].is_ascii_uppercase() || found == b"end" { found.to_ascii_lowercase() } else { Vec::new() };
        if spelled == b"end" {
            spelled.extend(word(bytes, &mut at).map_or(Vec::new(), |(_, what)| what.to_ascii_lowercase()));
        }
        let found = if spelled.is_empty() { found } else { &spelled };
        match found {
            b"vertex" => {
                let mut position = [0.0; 3];
                for value in &mut position {
                    while bytes.get(at).is_some_and(u8::is_ascii_whitespace) {
                        at += 1;
                    }
                    let number = float(bytes, &mut at);
                    *value = number.ok_or_else(|| wrong(start, at, "`vertex` needs three finite numbers"))?;
                }
                let Some((_, solid)) = solids.last_mut() else {
                    return Err(wrong(start, at, "a vertex is outside all solids"));
                };
                solid.positions.push(position);
            }
            b"endloop" => {
                let (_, solid) = solids.last_mut().ok_or_else(|| wrong(start, at, "a loop is outside all solids"))?;
                if !solid.positions.len().is_multiple_of(3) {
                    return Err(wrong(start, at, "a facet must have three corners"));
                }
            }
            b"solid" => {
                let end = bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| at + n);
                let name = String::from_utf8_lossy(&bytes[at..end]).trim().to_string();
                solids.push((name, Geometry::default()));
                at = end;
                ended = false;
            }
            b"endsolid" => {
                ended = true;
                at = bytes[at..].iter().position(|b| *b == b'\n').map_or(bytes.len(), |n| at + n);
            }
            b"facet" | b"normal" | b"outer" | b"loop" | b"endfacet" => {}
            // Numbers of normals.
            other if float(other, &mut 0).is_some() || other.to_ascii_lowercase().ends_with(b"nan") => {}
            other => {
                let text = String::from_utf8_lossy(&other[..other.len().min(40)]);
                return Err(wrong(start, at, &format!("unexpected `{text}`")));
            }
        }
    }
    if !ended {
        return Err(Box::new(Diagnostic::error(code::ENDS_EARLY, file, "the text ends inside a solid")));
    }
    let count: usize = solids.iter().map(|(_, solid)| solid.positions.len() / 3).sum();
    spend(count, budget).map_err(|fault| Box::new(fault.in_file(file, Severity::Error)))?;
    for (_, solid) in &mut solids {
        solid.positions.truncate(solid.positions.len() / 3 * 3);
        solid.indices = (0..solid.positions.len() as u32).collect();
    }
    Ok(solids)
}
