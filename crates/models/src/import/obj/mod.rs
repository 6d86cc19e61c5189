//! OBJ: Wavefront models with their MTL materials.
//!
//! Source: Wavefront, "Object Files (.obj)", appendix B1 of the Advanced Visualizer manual. Read: positions (with the
//! colours that people write behind them, taken as sRGB), texture coordinates, normals, faces of any corner count with
//! absolute and negative indices, lines and points, `o` and `g` as nodes, `usemtl` as parts, `s` where normals are
//! missing. Left out: free-form curves and surfaces. +Y is up, a unit is a metre, v points up. Files do not say which
//! side of a face is its front for sure, so both are shown.

mod library;
mod normal;
mod text;
mod texture;

use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

use stillframe_base::math::colour::linear_from_srgb;

use self::text::{NONE, Statement, Text};
use super::far;
use super::flat;
use super::polygon::{self, Effort};
use super::stroke::{self, Strokes};
use super::text::Plain;
use super::{Axis, Budget, Fault, Model, ModelGeometry, Part, Read, Wishes, code};
use crate::asset::Geometry;
use crate::source::{Diagnostic, Severity};

/// Where faces go: node, material, and whether they have normals of their own.
type Home = (usize, usize, bool);

/// Reads an OBJ model; `read` gives the MTL files and pictures that it names.
///
/// Errors: text that makes no sense, indices that lead nowhere, more than [`Budget`] allows. Materials and pictures
///         that
/// are missing are warnings.
pub fn obj(file: &Path, bytes: &[u8], read: &Read<'_>) -> Result<Model, Vec<Diagnostic>> {
    obj_within(file, bytes, read, Wishes::default())
}

/// The same as the user wishes.
pub fn obj_within(file: &Path, bytes: &[u8], read: &Read<'_>, wishes: Wishes) -> Result<Model, Vec<Diagnostic>> {
    let mut budget = Budget::within(bytes.len(), wishes);
    let told = |fault: Fault| vec![fault.in_file(file, Severity::Error)];
    let plain = Plain::lines(bytes);
    let bytes = &*plain.bytes;
    // A corner from two bytes, a vertex and an index of it.
    let mut text = Text::parse(bytes);
    if let Some((span, message)) = text.fault.take() {
        return Err(vec![Diagnostic { span: plain.span(span), ..Diagnostic::error(code::VALUE, file, message) }]);
    }
    let lost_counts = check_indices(file, &plain, &mut text).map_err(|d| vec![d])?;
    let triangle_count = text.corners.len() as u64 - 2 * text.counts.len() as u64;
    budget.reserve_baking(triangle_count, "the model").map_err(told)?;
    let bytes_made = text.corners.len() as u64 * 48 + text.positions.len() as u64 * 24;
    budget.spend(bytes_made, "the model").map_err(told)?;

    let mut model = flat::model(file, "Wavefront OBJ", Some(Axis::Y));
    if far::is_far(&text.positions) {
        budget.allow(text.positions.len() as u64 * 24, "the model").map_err(told)?;
        let exact = text::exact_positions(bytes);
        model.origin = far::move_points(&mut text.positions, &exact).unwrap_or_default();
    }
    model.nodes.clear();
    model.format.generator = generator(bytes);
    let mut materials = library::Library::new(file, read, budget);
    let mut lines = Lines::default();
    let (homes, smoothing) = runs(file, &mut text, &mut model, &mut materials, &mut lines);
    let normal_count = text.normals.len();
    normal::make(&mut text, &smoothing);
    drop(smoothing);
    let homes = by_normals(&text, homes);
    let firsts = firsts(&text.counts);
    let mut twins = Twins { newest: vec![NONE; text.positions.len()], before: Vec::new(), corners: Vec::new() };
    let mut effort = Effort::default();
    let mut fanned_count = 0;
    for ((node, material, has_normals), faces) in parts(&homes) {
        let geometry = geometry(&text, &firsts, &faces, has_normals, &mut twins, (&mut effort, &mut fanned_count));
        model.nodes[node].parts.push(Part { geometry: model.geometries.len(), material });
        model.geometries.push(ModelGeometry { surface: geometry, ..ModelGeometry::default() });
    }
    let mut budget = materials.finish(&mut model, !text.colors.is_empty()).map_err(told)?;
    let is_empty = text.counts.is_empty() && lines.by_home.is_empty();
    lines.draw(&text, &mut budget, &mut model).map_err(told)?;
    if is_empty {
        model.nodes.push(flat::model(file, "", None).nodes.remove(0));
        model.warnings.push(Diagnostic::warning(code::PRIMITIVE_SKIPPED, file, "the file has no faces"));
    }
    if fanned_count > 0 {
        let message = format!(
            "{} with many corners may have overlapping triangles",
            crate::source::count(fanned_count, "face", "faces")
        );
        model.warnings.push(Diagnostic::warning(code::VALUES_REPLACED, file, message));
    }
    for (number, what, limit) in
        [(lost_counts[0], "texture coordinates", text.uvs.len()), (lost_counts[1], "normals", normal_count)]
    {
        if number > 0 {
            let corners = crate::source::count(number, "corner uses", "corners use");
            let message = format!("{corners} {what} that are missing: there are {limit}");
            model.warnings.push(Diagnostic::warning(code::VALUES_REPLACED, file, message));
        }
    }
    for (number, [one, many]) in [
        (text.skipped_count, ["curve or surface", "curves or surfaces"]),
        (text.thin_count, ["face with fewer than three corners", "faces with fewer than three corners"]),
    ] {
        if number > 0 {
            let message = format!("ignored {}", crate::source::count(number, one, many));
            model.warnings.push(Diagnostic::warning(code::PRIMITIVE_SKIPPED, file, message));
        }
    }
    Ok(model)
}

/// The first comment names the program in nearly every file.
fn generator(bytes: &[u8]) -> Option<String> {
    let line = bytes.split(|b| *b == b'\n').next()?.strip_prefix(b"#")?;
    let text = String::from_utf8_lossy(&line[..line.len().min(200)]);
    let text = text.trim_matches(['#', ' ', '\t', '\r']);
    (!text.is_empty()).then(|| text.to_string())
}

/// Every index of every corner is in range: positions must be, and others that are not are left out. Out: how many
/// corners lose texture coordinates, and how many a normal.
fn check_indices(file: &Path, plain: &Plain<'_>, text: &mut Text) -> Result<[usize; 2], Diagnostic> {
    let limits = [text.positions.len(), text.uvs.len(), text.normals.len()].map(|count| count as u32);
    if let Some(found) = text.corners.iter().position(|corner| corner[0] >= limits[0]) {
        let mut seen = 0;
        let face = text.counts.iter().position(|count| {
            seen += *count as usize;
            seen > found
        });
        let message = format!("the face uses a missing index: there are {} positions", limits[0]);
        let span = plain.span(text::face_line(&plain.bytes, face.expect("a corner has a face")));
        return Err(Diagnostic { span, ..Diagnostic::error(code::VERTEX_INDEX, file, message) });
    }
    Ok([1, 2].map(|kind| {
        let lost = text.corners.iter_mut().filter(|corner| corner[kind] >= limits[kind] && corner[kind] != NONE);
        lost.map(|corner| corner[kind] = NONE).count()
    }))
}

/// Faces in a row that go to one node and material.
struct Run {
    node: usize,
    material: usize,
    faces: Range<usize>,
}

/// Plays the statements: makes nodes as faces need them. Out: runs of faces, and the smoothing group of each face.
fn runs(
    file: &Path,
    text: &mut Text,
    model: &mut Model,
    materials: &mut library::Library<'_>,
    lines: &mut Lines,
) -> (Vec<Run>, Vec<u32>) {
    let stem = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let mut nodes: BTreeMap<(String, String), usize> = BTreeMap::new();
    let (mut object, mut group, mut material, mut smoothing) = (String::new(), String::new(), String::new(), 0);
    let mut out = Vec::new();
    let mut groups = Vec::with_capacity(text.counts.len());
    let mut at = 0;
    let face_count = text.counts.len();
    let end = std::iter::once((face_count, Statement::Smoothing(0)));
    for (face, statement) in std::mem::take(&mut text.statements).into_iter().chain(end) {
        if face > at {
            let node = node(&mut nodes, model, &stem, &object, &group);
            out.push(Run { node, material: materials.number(&material), faces: at..face });
            groups.resize(face, smoothing);
            at = face;
        }
        match statement {
            Statement::Object(name) => {
                object = name;
                group.clear();
            }
            Statement::Group(name) => group = name,
            Statement::Material(name) => material = name,
            Statement::Smoothing(number) => smoothing = number,
            Statement::Library(name) => materials.load(&name),
            Statement::Strokes { is_line, vertices } => {
                let node = node(&mut nodes, model, &stem, &object, &group);
                let home = LineHome { node, material: materials.number(&material) };
                lines.add(home, is_line, &vertices);
            }
        }
    }
    (out, groups)
}

/// Where lines and points are shown.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
struct LineHome {
    node: usize,
    material: usize,
}

/// Lines and points, by their node and material.
#[derive(Default)]
struct Lines {
    /// Ends of each; a point has one vertex as both.
    by_home: BTreeMap<LineHome, Vec<[i64; 2]>>,
}

impl Lines {
    fn add(&mut self, home: LineHome, is_line: bool, vertices: &[text::Vertex]) {
        let ends = self.by_home.entry(home).or_default();
        match is_line {
            true => ends.extend(vertices.windows(2).map(|pair| [pair[0].index, pair[1].index])),
            false => ends.extend(vertices.iter().map(|vertex| [vertex.index; 2])),
        }
    }

    /// Makes them parts of their nodes, unlit. Errors: vertices that are not there; more than the budget allows.
    fn draw(self, text: &Text, budget: &mut Budget, model: &mut Model) -> Result<(), Fault> {
        let mut all = Vec::new();
        for (LineHome { node, material }, lines) in self.by_home {
            stroke::hold(lines.len(), "the lines", budget)?;
            let mut own: BTreeMap<u32, u32> = BTreeMap::new();
            let mut ends = Vec::with_capacity(lines.len());
            for line in lines {
                let mut end = [0; 2];
                for (end, index) in end.iter_mut().zip(line) {
                    let index = u32::try_from(index).ok().filter(|index| (*index as usize) < text.positions.len());
                    let Some(index) = index else {
                        let message =
                            format!("a line uses a missing index: there are {} positions", text.positions.len());
                        return Err(Fault::new(code::VERTEX_INDEX, message));
                    };
                    let next = own.len() as u32;
                    *end = *own.entry(index).or_insert(next);
                }
                ends.push(end);
            }
            let mut vertices = vec![0; own.len()];
            own.iter().for_each(|(index, place)| vertices[*place as usize] = *index as usize);
            let colors = text.colors.is_empty();
            let surface = Geometry {
                positions: vertices.iter().map(|index| text.positions[*index]).collect(),
                colors: vertices.iter().filter(|_| !colors).map(|index| color(text.colors[*index])).collect(),
                ..Geometry::default()
            };
            let geometry = model.geometries.len();
            model.materials.push(flat::stroke_material(&model.materials[material]));
            model.nodes[node].parts.push(Part { geometry, material: model.materials.len() - 1 });
            model.geometries.push(ModelGeometry { surface, ..ModelGeometry::default() });
            all.push(Strokes { geometry, ends });
        }
        stroke::widen(model, all, budget.wishes());
        Ok(())
    }
}

/// Colours behind positions are sRGB.
fn color(stored: [f32; 3]) -> [f32; 4] {
    let [r, g, b] = stored.map(|c| linear_from_srgb(c.clamp(0.0, 1.0)));
    [r, g, b, 1.0]
}

/// The node of a group within an object; either may be nameless.
fn node(
    nodes: &mut BTreeMap<(String, String), usize>,
    model: &mut Model,
    stem: &str,
    object: &str,
    group: &str,
) -> usize {
    let key = (object.to_string(), group.to_string());
    if let Some(node) = nodes.get(&key) {
        return *node;
    }
    let parent = (!object.is_empty() && !group.is_empty()).then(|| node(nodes, model, stem, object, ""));
    let name = [group, object, stem].into_iter().find(|name| !name.is_empty()).unwrap_or("model");
    model.nodes.push(flat::node(name, parent));
    nodes.insert(key, model.nodes.len() - 1);
    model.nodes.len() - 1
}

/// Parts runs where faces with normals of their own and faces without meet.
fn by_normals(text: &Text, runs: Vec<Run>) -> Vec<(Home, Range<usize>)> {
    let mut out: Vec<(Home, Range<usize>)> = Vec::with_capacity(runs.len());
    let mut corner = 0;
    for run in runs {
        for face in run.faces {
            let end = corner + text.counts[face] as usize;
            let has_normals = text.corners[corner..end].iter().all(|c| c[2] != NONE);
            let home = (run.node, run.material, has_normals);
            match out.last_mut() {
                Some((last, faces)) if *last == home && faces.end == face => faces.end = face + 1,
                _ => out.push((home, face..face + 1)),
            }
            corner = end;
        }
    }
    out
}

/// Ranges of faces by where they go, in the order of nodes and materials.
fn parts(homes: &[(Home, Range<usize>)]) -> BTreeMap<Home, Vec<Range<usize>>> {
    let mut out: BTreeMap<Home, Vec<Range<usize>>> = BTreeMap::new();
    for (home, faces) in homes {
        out.entry(*home).or_default().push(faces.clone());
    }
    out
}

/// How many vertices may share a position before equal ones are left to welding: a bound on the search.
const TWINS_MAX: usize = 32;

/// Where corners of a part become vertices: those with the same three indices are one.
struct Twins {
    /// By position, the newest vertex that stands there.
    newest: Vec<u32>,
    /// By vertex, the one before it at the same position.
    before: Vec<u32>,
    /// By vertex.
    corners: Vec<text::Corner>,
}

impl Twins {
    fn vertex(&mut self, corner: text::Corner) -> u32 {
        let newest = &mut self.newest[corner[0] as usize];
        let mut vertex = *newest;
        for _ in 0..TWINS_MAX {
            if vertex == NONE {
                break;
            }
            if self.corners[vertex as usize] == corner {
                return vertex;
            }
            vertex = self.before[vertex as usize];
        }
        self.before.push(*newest);
        self.corners.push(corner);
        *newest = self.corners.len() as u32 - 1;
        *newest
    }
}

/// By every 64th face, its first corner.
fn firsts(counts: &[u32]) -> Vec<u32> {
    let mut out = Vec::with_capacity(counts.len() / 64 + 1);
    let mut first = 0;
    for (face, count) in counts.iter().enumerate() {
        if face % 64 == 0 {
            out.push(first);
        }
        first += count;
    }
    out
}

/// Triangles of these faces.
fn geometry(
    text: &Text,
    firsts: &[u32],
    faces: &[Range<usize>],
    has_normals: bool,
    twins: &mut Twins,
    (effort, fanned_count): (&mut Effort, &mut usize),
) -> Geometry {
    let mut indices = Vec::new();
    let mut points = Vec::new();
    let mut triangles = Vec::new();
    for range in faces {
        let near = range.start / 64 * 64;
        let skipped: u32 = text.counts[near..range.start].iter().sum();
        let mut first = (firsts[near / 64] + skipped) as usize;
        for face in range.clone() {
            let count = text.counts[face] as usize;
            let corners = &text.corners[first..first + count];
            if count == 3 {
                indices.extend(corners.iter().map(|corner| twins.vertex(*corner)));
            } else {
                points.clear();
                points.extend(corners.iter().map(|c| text.positions[c[0] as usize].map(f64::from)));
                triangles.clear();
                *fanned_count += usize::from(!polygon::triangulate(&points, effort, &mut triangles));
                for corner in triangles.iter().flatten() {
                    indices.push(twins.vertex(corners[*corner as usize]));
                }
            }
            first += count;
        }
    }
    let corners = std::mem::take(&mut twins.corners);
    twins.before.clear();
    corners.iter().for_each(|corner| twins.newest[corner[0] as usize] = NONE);
    let of = |list: &[[f32; 3]], kind: usize| -> Vec<[f32; 3]> {
        corners.iter().map(|c| if c[kind] == NONE { [0.0; 3] } else { list[c[kind] as usize] }).collect()
    };
    let has_uv = corners.iter().any(|corner| corner[1] != NONE);
    let uv = |corner: &text::Corner| match corner[1] {
        NONE => [0.0; 2],
        index => flat::uv(text.uvs[index as usize]),
    };
    let color = |corner: &text::Corner| color(text.colors[corner[0] as usize]);
    Geometry {
        positions: of(&text.positions, 0),
        normals: if has_normals { of(&text.normals, 2) } else { Vec::new() },
        uv0: if has_uv { corners.iter().map(uv).collect() } else { Vec::new() },
        colors: if text.colors.is_empty() { Vec::new() } else { corners.iter().map(color).collect() },
        indices,
        ..Geometry::default()
    }
}
