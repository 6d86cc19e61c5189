//! PLY: polygons with whatever their vertices carry, as text or binary.
//!
//! Source: Turk, "The PLY Polygon File Format" (1994), and the names that Blender, MeshLab, CloudCompare and scanners
//! write. Read: positions, normals, texture coordinates (`s t`, `u v`, `texture_u texture_v`), colours (whole numbers
//! are sRGB, floats linear), by vertex or by face, faces and triangle strips with indices of any kind, textures in
//! `comment TextureFile` lines; without faces, edges or points. Left out: what else elements carry (it is passed over).
//! Where normals are missing, faces that share a vertex share its normal: the sum of theirs, by area. No axis and no
//! unit is told.

mod body;
mod face;
mod header;
mod wedge;

use std::collections::BTreeMap;
use std::path::Path;

use glam::{DVec3, Vec3};
use stillframe_base::math::colour::linear_from_srgb;

use self::body::Body;
use self::face::Faces;
use self::header::{Element, Encoding, Header, Scalar};
use self::wedge::Wedges;
use super::image::Seen;
use super::stand_in::{self, StandIn};
use super::stroke::{self, Strokes};
use super::text::Plain;
use super::{Budget, Fault, Model, ModelGeometry, Part, Read, Wishes, code, far, flat};
use crate::asset::{Geometry, Slot};
use crate::source::{Diagnostic, Severity};

/// Reads a PLY model; `read` gives the picture that a comment may name.
///
/// Errors: a header that makes no sense, a file that ends early, indices that lead nowhere, numbers that are not
///         finite.
pub fn ply(file: &Path, bytes: &[u8], read: &Read<'_>) -> Result<Model, Vec<Diagnostic>> {
    ply_within(file, bytes, read, Wishes::default())
}

/// The same as the user wishes.
pub fn ply_within(file: &Path, bytes: &[u8], read: &Read<'_>, wishes: Wishes) -> Result<Model, Vec<Diagnostic>> {
    let mut model = flat::model(file, "PLY", None);
    let mut budget = Budget::within(bytes.len(), wishes);
    let plain = Plain::of(bytes);
    let pictures =
        body(file, &plain.bytes, &mut budget, &mut model).map_err(|f| vec![f.in_file(file, Severity::Error)])?;
    let mut known: BTreeMap<String, usize> = BTreeMap::new();
    let (mut seen, mut stand_in) = (Seen::default(), StandIn::default());
    for (material, name) in pictures.into_iter().enumerate() {
        let Some(name) = name else { continue };
        let image = match known.get(&name) {
            Some(image) => *image,
            None => {
                let image = picture(file, &name, read, &mut budget, (&mut seen, &mut stand_in), &mut model);
                image.map_err(|f| vec![f.in_file(file, Severity::Error)])?
            }
        };
        known.insert(name, image);
        model.materials[material].base_color = [1.0; 4];
        model.materials[material].textures.insert(Slot::BaseColor, flat::texture(image));
    }
    Ok(model)
}

/// The place in the model of a picture, or of a stand-in.
fn picture(
    file: &Path,
    name: &str,
    read: &Read<'_>,
    budget: &mut Budget,
    (seen, stand_in): (&mut Seen, &mut StandIn),
    model: &mut Model,
) -> Result<usize, Fault> {
    let folder = file.parent().unwrap_or(Path::new(""));
    let decoded = read(&folder.join(name.replace('\\', "/"))).map_err(Fault::from).and_then(|bytes| {
        budget.read(bytes.len());
        seen.position(name.to_string(), &bytes, &mut model.images, budget)
    });
    decoded.or_else(|why| {
        let told = stand_in::warning(format!("the picture {name:?}"), why);
        model.warnings.push(told.in_file(file, Severity::Warning));
        stand_in.image(model, budget)
    })
}

/// The picture that a comment names.
fn named(comment: &str) -> Option<&str> {
    let (word, name) = comment.split_once([' ', '\t'])?;
    let name = name.trim().trim_matches('"');
    (word.eq_ignore_ascii_case("TextureFile") && !name.is_empty()).then_some(name)
}

/// Fills the model. Out: by material, the picture that a comment names for it.
fn body(file: &Path, bytes: &[u8], budget: &mut Budget, model: &mut Model) -> Result<Vec<Option<String>>, Fault> {
    let header = Header::parse(bytes)?;
    let version = match header.encoding {
        Encoding::Ascii => "PLY 1.0 ascii",
        Encoding::Little => "PLY 1.0 binary",
        Encoding::Big => "PLY 1.0 binary, big endian",
    };
    model.format.name = version.to_string();
    let pictures: Vec<String> = header.comments.iter().filter_map(|c| named(c)).map(str::to_string).collect();
    model.format.generator = header.comments.iter().find(|c| named(c).is_none() && !c.is_empty()).cloned();
    let mut body = Body::new(bytes, header.end, header.encoding);
    let mut surface = Geometry::default();
    let mut wedges = Wedges::default();
    let mut has_vertices = false;
    let mut fanned_count = 0;
    let mut sliver_count = 0;
    let mut edges = Vec::new();
    for element in &header.elements {
        check_count(element, &body, header.encoding)?;
        match element.name.as_str() {
            "vertex" if !has_vertices => {
                has_vertices = true;
                let mut again = Body::new(bytes, body.at, header.encoding);
                vertices(element, &mut body, header.encoding, budget, &mut surface)?;
                if far::is_far(&surface.positions) {
                    budget.allow(element.count * 24, "the vertices")?;
                    let exact = exact_positions(element, &mut again)?;
                    model.origin = far::move_points(&mut surface.positions, &exact).unwrap_or_default();
                }
            }
            "face" | "tristrips" => {
                let Some(list) = element.position(&["vertex_indices", "vertex_index"]) else {
                    skip(element, &mut body)?;
                    continue;
                };
                if !has_vertices {
                    return Err(Fault::new(code::VALUE, "the faces are before their vertices"));
                }
                let mut faces = Faces::new(list, element, &surface);
                faces.read(element, &mut body, budget, &mut surface, &mut wedges)?;
                fanned_count += faces.fanned_count;
                sliver_count += faces.thin_count;
            }
            "edge" if has_vertices => edges.extend(read_edges(element, &mut body, &surface, budget)?),
            _ => skip(element, &mut body)?,
        }
    }
    if surface.normals.is_empty() && !surface.indices.is_empty() {
        surface.normals = shared_normals(&surface);
    }
    let mut warn = |message: String| {
        model.warnings.push(Diagnostic::warning(code::PRIMITIVE_SKIPPED, file, message));
    };
    if sliver_count > 0 {
        warn(format!("ignored {} with fewer than three corners", crate::source::count(sliver_count, "face", "faces")));
    }
    if fanned_count > 0 {
        warn(format!(
            "{} with many corners may have overlapping triangles",
            crate::source::count(fanned_count, "face", "faces")
        ));
    }
    if surface.indices.is_empty() {
        let ends = match edges.is_empty() {
            true => (0..surface.positions.len() as u32).map(|vertex| [vertex; 2]).collect(),
            false => edges,
        };
        return stroked(surface, ends, budget, model).map(|()| Vec::new());
    }
    let has_uv = !surface.uv0.is_empty() || !wedges.uvs.is_empty();
    if let Some(name) = pictures.first().filter(|_| !has_uv) {
        let message = format!("ignored the picture {name:?}: the file has no texture coordinates");
        model.warnings.push(Diagnostic::warning(code::TEXTURE_SKIPPED, file, message));
    }
    wedges.fill(surface.indices.len() / 3);
    if !wedges.is_empty() {
        budget.spend(surface.indices.len() as u64 * wedge::CORNER_BYTES, "the corners")?;
    }
    let mut out = Vec::new();
    for (number, surface) in wedges.split(surface) {
        model.nodes[0].parts.push(Part { geometry: model.geometries.len(), material: model.materials.len() });
        model.materials.push(flat::material(!surface.colors.is_empty()));
        model.geometries.push(ModelGeometry { surface, ..ModelGeometry::default() });
        out.push(usize::try_from(number).ok().and_then(|number| pictures.get(number)).filter(|_| has_uv).cloned());
    }
    Ok(out)
}

/// A file without faces: its edges, else its points.
fn stroked(surface: Geometry, ends: Vec<[u32; 2]>, budget: &mut Budget, model: &mut Model) -> Result<(), Fault> {
    let material = flat::material(!surface.colors.is_empty());
    let is_shaded = !surface.normals.is_empty();
    model.materials.push(if is_shaded { material } else { flat::stroke_material(&material) });
    if ends.is_empty() {
        return Ok(());
    }
    stroke::hold(ends.len(), "the points", budget)?;
    model.nodes[0].parts.push(Part { geometry: 0, material: 0 });
    model.geometries.push(ModelGeometry { surface, ..ModelGeometry::default() });
    stroke::widen(model, vec![Strokes { geometry: 0, ends }], budget.wishes());
    Ok(())
}

/// Lines between two vertices each.
fn read_edges(
    element: &Element,
    body: &mut Body<'_>,
    surface: &Geometry,
    budget: &mut Budget,
) -> Result<Vec<[u32; 2]>, Fault> {
    let columns = ["vertex1", "vertex2"].map(|name| element.position(&[name]));
    if columns.iter().any(|column| column.is_none_or(|at| element.properties[at].count.is_some())) {
        skip(element, body)?;
        return Ok(Vec::new());
    }
    budget.spend(element.count * 8, "the edges")?;
    let mut out = Vec::new();
    for _ in 0..element.count {
        let mut ends = [0; 2];
        for (index, property) in element.properties.iter().enumerate() {
            let count = match property.count {
                Some(count) => length(body.number(count)?)?,
                None => 1,
            };
            for _ in 0..count {
                let number = body.number(property.scalar)?;
                let Some(end) = columns.iter().position(|column| *column == Some(index)) else { continue };
                if !(0.0..surface.positions.len() as f64).contains(&number) {
                    let message = format!("an edge uses vertex {number} of {}", surface.positions.len());
                    return Err(Fault::new(code::VERTEX_INDEX, message));
                }
                ends[end] = number as u32;
            }
        }
        out.push(ends);
    }
    Ok(out)
}

/// More elements than bytes left to hold them are an error before anything is made of them.
fn check_count(element: &Element, body: &Body<'_>, encoding: Encoding) -> Result<(), Fault> {
    let left = body.bytes.len().saturating_sub(body.at) as u64;
    // A number and a blank, or the end.
    let each = match encoding {
        Encoding::Ascii => element.properties.len() * 2,
        _ => element.bytes_min(),
    };
    if element.count.saturating_mul(each as u64) > left + 1 || (each == 0 && element.count > left) {
        let message = format!("the file ends before the last of {} elements `{}`", element.count, element.name);
        return Err(Fault::new(code::ENDS_EARLY, message));
    }
    Ok(())
}

fn skip(element: &Element, body: &mut Body<'_>) -> Result<(), Fault> {
    for _ in 0..element.count {
        for property in &element.properties {
            let count = match property.count {
                Some(count) => length(body.number(count)?)?,
                None => 1,
            };
            for _ in 0..count {
                body.number(property.scalar)?;
            }
        }
    }
    Ok(())
}

fn length(number: f64) -> Result<u32, Fault> {
    if (0.0..4_294_967_296.0).contains(&number) {
        Ok(number as u32)
    } else {
        Err(Fault::new(code::VALUE, format!("a list of {number} entries")))
    }
}

/// Columns of the vertex element that are used: positions, normals, texture coordinates, colours.
const COLUMNS: [&[&str]; 12] = [
    &["x"],
    &["y"],
    &["z"],
    &["nx"],
    &["ny"],
    &["nz"],
    &["s", "u", "texture_u", "texcoord_u"],
    &["t", "v", "texture_v", "texcoord_v"],
    &["red", "r", "diffuse_red"],
    &["green", "g", "diffuse_green"],
    &["blue", "b", "diffuse_blue"],
    &["alpha", "a", "diffuse_alpha"],
];

/// What a vertex with every attribute takes.
const VERTEX_BYTES: u64 = 48;

fn vertices(
    element: &Element,
    body: &mut Body<'_>,
    encoding: Encoding,
    budget: &mut Budget,
    out: &mut Geometry,
) -> Result<(), Fault> {
    let columns = COLUMNS.map(|names| element.position(names).filter(|at| element.properties[*at].count.is_none()));
    let [x, y, z, ..] = columns;
    if x.is_none() || y.is_none() || z.is_none() {
        return Err(Fault::new(code::VALUE, "the vertices have no x, y and z"));
    }
    let count = usize::try_from(element.count).map_err(|_| Fault::new(code::TOO_LARGE, "too many vertices"))?;
    if count > u32::MAX as usize / 2 {
        return Err(Fault::new(code::TOO_LARGE, format!("{count} vertices are too many")));
    }
    let has = |range: std::ops::Range<usize>| columns[range].iter().all(Option::is_some);
    let (has_normals, has_uv, has_colors) = (has(3..6), has(6..8), has(8..11));
    budget.spend(element.count * VERTEX_BYTES, "the vertices")?;
    out.positions.reserve_exact(count);
    let scalars: Vec<Scalar> = element.properties.iter().map(|p| p.scalar).collect();
    let is_plain = element.is_fixed() && encoding != Encoding::Ascii;
    let stride = element.bytes_min();
    let mut offsets = Vec::new();
    let mut offset = 0;
    for scalar in &scalars {
        offsets.push(offset);
        offset += scalar.bytes();
    }
    let packed = is_plain
        && encoding == Encoding::Little
        && (0..3).all(|i| columns[i].is_some_and(|c| scalars[c] == Scalar::F32 && offsets[c] == i * 4));
    if packed && !has_normals && !has_uv && !has_colors {
        let rows = body.take(count * stride)?;
        out.positions.extend(rows.chunks_exact(stride).map(|row| {
            let at = |i: usize| f32::from_le_bytes([row[i], row[i + 1], row[i + 2], row[i + 3]]);
            [at(0), at(4), at(8)]
        }));
        return check_finite(out);
    }
    out.normals.reserve_exact(if has_normals { count } else { 0 });
    out.uv0.reserve_exact(if has_uv { count } else { 0 });
    out.colors.reserve_exact(if has_colors { count } else { 0 });
    let big = encoding == Encoding::Big;
    let mut values = vec![0.0_f64; element.properties.len()];
    for _ in 0..count {
        if is_plain {
            let row = body.take(stride)?;
            for column in columns.into_iter().flatten() {
                values[column] = body::decode(&row[offsets[column]..], scalars[column], big);
            }
        } else {
            for (value, property) in values.iter_mut().zip(&element.properties) {
                match property.count {
                    None => *value = body.number(property.scalar)?,
                    Some(count) => {
                        for _ in 0..length(body.number(count)?)? {
                            body.number(property.scalar)?;
                        }
                    }
                }
            }
        }
        let at = |column: usize| columns[column].map_or(0.0, |c| values[c] as f32);
        out.positions.push([at(0), at(1), at(2)]);
        if has_normals {
            let normal = [at(3), at(4), at(5)];
            out.normals.push(if normal.iter().all(|v| v.is_finite()) { normal } else { [0.0; 3] });
        }
        if has_uv {
            let uv = [at(6), at(7)];
            out.uv0.push(flat::uv(if uv.iter().all(|v| v.is_finite()) { uv } else { [0.0; 2] }));
        }
        if has_colors {
            let channel = |column: usize| columns[column].map_or(1.0, |c| linear(values[c], scalars[c], column == 11));
            out.colors.push([channel(8), channel(9), channel(10), channel(11)]);
        }
    }
    check_finite(out)
}

/// A channel of a colour: whole numbers are sRGB, alpha and floats are linear.
fn linear(value: f64, scalar: Scalar, is_alpha: bool) -> f32 {
    let scale = match scalar {
        Scalar::U8 | Scalar::I8 | Scalar::U32 | Scalar::I32 => 255.0,
        Scalar::U16 | Scalar::I16 => 65535.0,
        Scalar::F32 | Scalar::F64 => 1.0,
    };
    let value = (value / scale) as f32;
    match scalar {
        _ if !value.is_finite() => 0.0,
        Scalar::F32 | Scalar::F64 => value.max(0.0),
        _ if is_alpha => value.clamp(0.0, 1.0),
        _ => linear_from_srgb(value.clamp(0.0, 1.0)),
    }
}

/// The positions of all vertices, with the digits that the file has.
fn exact_positions(element: &Element, body: &mut Body<'_>) -> Result<Vec<DVec3>, Fault> {
    let columns = [0, 1, 2].map(|axis: usize| element.position(COLUMNS[axis]));
    let mut out = Vec::new();
    for _ in 0..element.count {
        let mut position = DVec3::ZERO;
        for (index, property) in element.properties.iter().enumerate() {
            let count = match property.count {
                Some(count) => length(body.number(count)?)?,
                None => 1,
            };
            for _ in 0..count {
                let number = body.exact(property.scalar)?;
                if let Some(axis) = columns.iter().position(|column| *column == Some(index)) {
                    position[axis] = number;
                }
            }
        }
        out.push(position);
    }
    Ok(out)
}

fn check_finite(out: &Geometry) -> Result<(), Fault> {
    match out.positions.iter().position(|p| !p.iter().all(|v| v.is_finite())) {
        Some(index) => Err(Fault::new(code::NOT_FINITE, format!("vertex {index} has a coordinate that is not finite"))),
        None => Ok(()),
    }
}

/// The sum of the normals of the triangles around each vertex, by area, in file order.
fn shared_normals(surface: &Geometry) -> Vec<[f32; 3]> {
    let mut sums = vec![[0.0_f32; 3]; surface.positions.len()];
    for triangle in surface.indices.chunks_exact(3) {
        let [a, b, c] = [0, 1, 2].map(|i| Vec3::from(surface.positions[triangle[i] as usize]));
        let normal = (b - a).cross(c - a);
        for corner in triangle {
            let sum = &mut sums[*corner as usize];
            *sum = (Vec3::from(*sum) + normal).to_array();
        }
    }
    for sum in &mut sums {
        let largest = sum.iter().fold(0.0_f32, |most, v| most.max(v.abs()));
        // The largest of a number and a NaN is the number.
        if largest > 0.0 && sum.iter().all(|v| v.is_finite()) {
            let scaled = Vec3::from(*sum) / largest;
            *sum = (scaled / scaled.length()).to_array();
        } else {
            *sum = [0.0; 3];
        }
    }
    sums
}
