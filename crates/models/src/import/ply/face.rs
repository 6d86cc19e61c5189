//! Faces of a PLY file: polygons and strips become triangles, with what they carry for their corners.

use super::body::Body;
use super::header::{Element, Encoding, Property, Scalar};
use super::wedge::Wedges;
use super::{COLUMNS, length, linear};
use crate::asset::Geometry;
use crate::import::polygon::{self, Effort};
use crate::import::{Budget, Fault, code, flat};

/// Reading the faces of an element.
pub struct Faces {
    columns: Columns,
    strips: bool,
    vertex_count: usize,
    effort: Effort,
    pub fanned_count: usize,
    pub thin_count: usize,
}

/// Which properties are used.
struct Columns {
    list: usize,
    uv: Option<usize>,
    colors: [Option<usize>; 4],
    picture: Option<usize>,
}

/// The values of one face.
#[derive(Default)]
struct Face {
    corners: Vec<i64>,
    uv: Vec<f32>,
    /// By property; of lists the last entry.
    values: Vec<f64>,
    /// Triangles as positions in `corners`.
    triangles: Vec<[u32; 3]>,
}

impl Faces {
    /// `list` is the property that holds the indices. Colours by face count where vertices have none.
    pub fn new(list: usize, element: &Element, surface: &Geometry) -> Faces {
        let strips = element.name == "tristrips";
        let find = |names: &[&str], is_list: bool| {
            element.position(names).filter(|at| element.properties[*at].count.is_some() == is_list && !strips)
        };
        let colors = [8, 9, 10, 11].map(|column: usize| find(COLUMNS[column], false));
        let colored = surface.colors.is_empty() && colors[..3].iter().all(Option::is_some);
        let columns = Columns {
            list,
            uv: find(&["texcoord", "texcoords", "texture_coordinates"], true),
            colors: if colored { colors } else { [None; 4] },
            picture: find(&["texnumber", "texture_number"], false),
        };
        let vertex_count = surface.positions.len();
        Faces { columns, strips, vertex_count, effort: Effort::default(), fanned_count: 0, thin_count: 0 }
    }

    pub fn read(
        &mut self,
        element: &Element,
        body: &mut Body<'_>,
        budget: &mut Budget,
        out: &mut Geometry,
        wedges: &mut Wedges,
    ) -> Result<(), Fault> {
        let property = &element.properties[self.columns.list];
        let Some(count_scalar) = property.count else {
            return Err(Fault::new(code::VALUE, format!("`{}` of a face must not be a list", property.name)));
        };
        out.indices.reserve_exact(if self.strips { 0 } else { element.count as usize * 3 });
        let is_common = body.encoding() == Encoding::Little
            && element.properties.len() == 1
            && count_scalar.bytes() == 1
            && matches!(property.scalar, Scalar::I32 | Scalar::U32)
            && !self.strips;
        let first = out.indices.len() / 3;
        self.begin(wedges, first);
        let mut triangle_count = 0_u64;
        let mut face = Face { values: vec![0.0; element.properties.len()], ..Face::default() };
        for _ in 0..element.count {
            if is_common && let Some(&[3, ref row @ ..]) = body.bytes[body.at..].first_chunk::<13>() {
                let at = |i: usize| u32::from_le_bytes([row[i], row[i + 1], row[i + 2], row[i + 3]]);
                let corners = [at(0), at(4), at(8)];
                if corners.iter().any(|c| *c as usize >= self.vertex_count) {
                    return Err(self.outside(out, corners.map(|c| i64::from(c as i32))));
                }
                out.indices.extend(corners);
                body.at += 13;
                triangle_count += 1;
                continue;
            }
            self.values(&element.properties, body, &mut face)?;
            let before = out.indices.len();
            if self.strips {
                self.strip(&face.corners, out)?
            } else {
                self.polygon(&mut face, out)?;
                self.carry(&face, &element.properties, wedges);
            }
            triangle_count += ((out.indices.len() - before) / 3) as u64;
            if triangle_count.is_multiple_of(1024) {
                budget.reserve_baking(triangle_count, "the faces")?;
            }
        }
        budget.reserve_baking(triangle_count, "the faces")?;
        budget.spend(triangle_count * 12, "the faces")
    }

    /// Begins the lists of what this element carries, at its first triangle.
    fn begin(&self, wedges: &mut Wedges, first: usize) {
        wedges.fill(first);
        if self.columns.uv.is_some() {
            wedges.uvs.resize(first, [[0.0; 2]; 3]);
        }
        if self.columns.colors[0].is_some() {
            wedges.colors.resize(first, [1.0; 4]);
        }
        if self.columns.picture.is_some() {
            wedges.pictures.resize(first, 0);
        }
    }

    fn values(&self, properties: &[Property], body: &mut Body<'_>, face: &mut Face) -> Result<(), Fault> {
        for (index, property) in properties.iter().enumerate() {
            let length = match property.count {
                Some(count) => length(body.number(count)?)?,
                None => 1,
            };
            if index == self.columns.list {
                face.corners.clear();
            }
            if Some(index) == self.columns.uv {
                face.uv.clear();
            }
            for _ in 0..length {
                let number = body.number(property.scalar)?;
                face.values[index] = number;
                if index == self.columns.list {
                    face.corners.push(if number.is_finite() { number as i64 } else { -2 });
                }
                if Some(index) == self.columns.uv {
                    face.uv.push(number as f32);
                }
            }
        }
        Ok(())
    }

    /// Appends what a face carries, for each of its triangles.
    fn carry(&self, face: &Face, properties: &[Property], wedges: &mut Wedges) {
        let Columns { uv, colors, picture, .. } = &self.columns;
        if uv.is_some() {
            // Two numbers a corner; a face with any other number has none.
            let pair = |corner: u32| match face.uv.get(corner as usize * 2..corner as usize * 2 + 2) {
                Some([u, v]) if face.uv.len() == face.corners.len() * 2 && u.is_finite() && v.is_finite() => {
                    flat::uv([*u, *v])
                }
                _ => [0.0; 2],
            };
            wedges.uvs.extend(face.triangles.iter().map(|triangle| triangle.map(pair)));
        }
        if colors[0].is_some() {
            let channel = |place: usize| {
                colors[place].map_or(1.0, |at| linear(face.values[at], properties[at].scalar, place == 3))
            };
            let color = [0, 1, 2, 3].map(channel);
            wedges.colors.extend(face.triangles.iter().map(|_| color));
        }
        if let Some(at) = *picture {
            let number = if face.values[at].is_finite() { face.values[at] as i32 } else { -1 };
            wedges.pictures.extend(face.triangles.iter().map(|_| number));
        }
    }

    fn outside(&self, out: &Geometry, corners: impl IntoIterator<Item = i64>) -> Fault {
        let bad = corners.into_iter().find(|c| *c < 0 || *c >= self.vertex_count as i64).unwrap_or(-1);
        let triangle = out.indices.len() / 3;
        let message = format!("after {triangle} triangles, a face uses vertex {bad} of {}", self.vertex_count);
        Fault::new(code::VERTEX_INDEX, message)
    }

    fn polygon(&mut self, face: &mut Face, out: &mut Geometry) -> Result<(), Fault> {
        let Face { corners, triangles, .. } = face;
        if corners.iter().any(|c| *c < 0 || *c >= self.vertex_count as i64) {
            return Err(self.outside(out, corners.iter().copied()));
        }
        triangles.clear();
        match corners.len() {
            0..3 => self.thin_count += 1,
            3 => triangles.push([0, 1, 2]),
            _ => {
                let points: Vec<[f64; 3]> = corners.iter().map(|c| out.positions[*c as usize].map(f64::from)).collect();
                self.fanned_count += usize::from(!polygon::triangulate(&points, &mut self.effort, triangles));
            }
        }
        out.indices.extend(triangles.iter().flatten().map(|corner| corners[*corner as usize] as u32));
        Ok(())
    }

    /// -1 starts a new strip; every other triangle is turned.
    fn strip(&mut self, corners: &[i64], out: &mut Geometry) -> Result<(), Fault> {
        for strip in corners.split(|c| *c == -1) {
            if strip.iter().any(|c| *c < 0 || *c >= self.vertex_count as i64) {
                return Err(self.outside(out, strip.iter().copied()));
            }
            for (number, t) in strip.windows(3).enumerate() {
                let [a, b, c] = [t[0] as u32, t[1] as u32, t[2] as u32];
                if a != b && b != c && c != a {
                    out.indices.extend(if number % 2 == 0 { [a, b, c] } else { [b, a, c] });
                }
            }
        }
        Ok(())
    }
}
