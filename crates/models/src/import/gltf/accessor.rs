//! Accessors: typed, checked views of buffers.
//!
//! Every component type, normalized or not, any stride, sparse substitution and accessors without a view (zeros) are
//! read; nothing is allocated before the bytes that back it are known to exist or the budget allows it.
//! Source: glTF 2.0, 3.6.2 (accessors, sparse accessors, data alignment) and 3.11 (normalized integers).

use super::Importer;
use super::bytes::Bytes;
use super::json::At;
use crate::import::{Budget, Fault, code};

type Result<T> = std::result::Result<T, Fault>;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn from_gl(number: u64) -> Option<Component> {
        Some(match number {
            5120 => Component::I8,
            5121 => Component::U8,
            5122 => Component::I16,
            5123 => Component::U16,
            5125 => Component::U32,
            5126 => Component::F32,
            _ => return None,
        })
    }

    pub fn size_bytes(self) -> u64 {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }

    /// One component as a number; `normalized` integers become -1..1 or 0..1.
    fn float(self, bytes: &[u8], normalized: bool) -> f32 {
        match (self, normalized) {
            (Component::I8, false) => f32::from(bytes[0] as i8),
            (Component::I8, true) => (f32::from(bytes[0] as i8) / 127.0).max(-1.0),
            (Component::U8, false) => f32::from(bytes[0]),
            (Component::U8, true) => f32::from(bytes[0]) / 255.0,
            (Component::I16, false) => f32::from(i16::from_le_bytes([bytes[0], bytes[1]])),
            (Component::I16, true) => (f32::from(i16::from_le_bytes([bytes[0], bytes[1]])) / 32767.0).max(-1.0),
            (Component::U16, false) => f32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            (Component::U16, true) => f32::from(u16::from_le_bytes([bytes[0], bytes[1]])) / 65535.0,
            (Component::U32, false) => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]) as f32,
            (Component::U32, true) => {
                (f64::from(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]])) / 4294967295.0) as f32
            }
            (Component::F32, _) => f32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
        }
    }

    /// One component as a whole number; `None` for floats and signed types.
    fn whole(self, bytes: &[u8]) -> Option<u32> {
        Some(match self {
            Component::U8 => u32::from(bytes[0]),
            Component::U16 => u32::from(u16::from_le_bytes([bytes[0], bytes[1]])),
            Component::U32 => u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]),
            Component::I8 | Component::I16 | Component::F32 => return None,
        })
    }
}

/// Floats one after the other, as elements of floats are whatever their shape.
fn tight_floats<const N: usize>(bytes: &[u8]) -> [f32; N] {
    let bytes = &bytes[..N * 4];
    std::array::from_fn(|i| f32::from_le_bytes([bytes[i * 4], bytes[i * 4 + 1], bytes[i * 4 + 2], bytes[i * 4 + 3]]))
}

/// Columns and rows of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Shape {
    columns: u64,
    rows: u64,
}

impl Shape {
    fn from_name(name: &str) -> Option<Shape> {
        let (columns, rows) = match name {
            "SCALAR" => (1, 1),
            "VEC2" => (1, 2),
            "VEC3" => (1, 3),
            "VEC4" => (1, 4),
            "MAT2" => (2, 2),
            "MAT3" => (3, 3),
            "MAT4" => (4, 4),
            _ => return None,
        };
        Some(Shape { columns, rows })
    }

    /// Matrix columns start on four-byte boundaries.
    fn column_bytes(self, component: Component) -> u64 {
        let bytes = self.rows * component.size_bytes();
        if self.columns > 1 { bytes.div_ceil(4) * 4 } else { bytes }
    }
}

/// An accessor whose every element is known to lie inside its data.
#[derive(Clone)]
pub struct Accessor<'a> {
    at: At<'a>,
    pub count: usize,
    component: Component,
    shape: Shape,
    normalized: bool,
    /// `None`: zeros.
    dense: Option<Strided<'a>>,
    /// Positions (increasing, each below `count`) and the values that stand there instead.
    sparse: Option<(Component, Strided<'a>, Strided<'a>, usize)>,
}

/// Equal steps through bytes.
#[derive(Clone)]
struct Strided<'a> {
    bytes: Bytes<'a>,
    start: usize,
    stride: usize,
}

impl Strided<'_> {
    fn element(&self, index: usize) -> &[u8] {
        &self.bytes.get()[self.start + index * self.stride..]
    }

    /// The first `count` elements, each with what comes behind it.
    fn elements(&self, count: usize) -> impl Iterator<Item = &[u8]> {
        let bytes = &self.bytes.get()[self.start..];
        (0..count).map(move |index| &bytes[index * self.stride..])
    }
}

impl<'a> Importer<'a> {
    /// Opens accessor `index`, named by `by`.
    pub fn accessor(&mut self, index: u32, by: At<'a>) -> Result<Accessor<'a>> {
        let at = self.root.key("accessors").entry(index, by)?;
        let component_at = at.key("componentType");
        let component =
            Component::from_gl(component_at.u64()?).ok_or_else(|| component_at.wrong("5120 to 5123, 5125 or 5126"))?;
        let type_at = at.key("type");
        let shape = Shape::from_name(type_at.str()?)
            .ok_or_else(|| type_at.wrong("SCALAR, VEC2, VEC3, VEC4, MAT2, MAT3 or MAT4"))?;
        let count = at.key("count").u64()?;
        let element_bytes = shape.columns * shape.column_bytes(component);
        let dense = match at.key("bufferView").opt_index()? {
            None => None,
            Some(view) => {
                let offset = at.key("byteOffset").u64_or(0)?;
                Some(self.strided(view, at.key("bufferView"), offset, count, element_bytes, at)?)
            }
        };
        let count = usize::try_from(count)
            .ok()
            .filter(|c| *c <= u32::MAX as usize)
            .ok_or_else(|| at.key("count").wrong("less than 2^32"))?;
        let sparse = at.key("sparse").some().map(|s| self.sparse(s, count, element_bytes)).transpose()?;
        let normalized = at.key("normalized").bool_or(false)?;
        Ok(Accessor { at, count, component, shape, normalized, dense, sparse })
    }

    fn sparse(
        &mut self,
        at: At<'a>,
        count: usize,
        element_bytes: u64,
    ) -> Result<(Component, Strided<'a>, Strided<'a>, usize)> {
        let changed = at.key("count").u64()?;
        if changed > count as u64 {
            return Err(at.key("count").wrong(&format!("at most {count}, the number of elements of the accessor")));
        }
        let indices = at.key("indices");
        let component_at = indices.key("componentType");
        let component = Component::from_gl(component_at.u64()?)
            .filter(|c| matches!(c, Component::U8 | Component::U16 | Component::U32))
            .ok_or_else(|| component_at.wrong("5121, 5123 or 5125"))?;
        let mut part = |at: At<'a>, size: u64| {
            let view = at.key("bufferView");
            self.strided(view.index()?, view, at.key("byteOffset").u64_or(0)?, changed, size, at)
        };
        let places = part(indices, component.size_bytes())?;
        let values = part(at.key("values"), element_bytes)?;
        let changed = changed as usize;
        for index in 0..changed {
            let place = component.whole(places.element(index)).expect("an unsigned type");
            if place as usize >= count {
                let message = format!("entry {index} is {place}, but the accessor has only {count} elements");
                return Err(indices.fault(code::ACCESSOR_RANGE, message));
            }
        }
        Ok((component, places, values, changed))
    }

    /// `count` elements of `size` bytes in a buffer view, checked to lie inside it and inside its buffer.
    fn strided(
        &mut self,
        view: u32,
        by: At<'a>,
        offset: u64,
        count: u64,
        size: u64,
        user: At<'a>,
    ) -> Result<Strided<'a>> {
        let (bytes, stride) = self.view(view, by)?;
        let stride = stride.unwrap_or(size);
        let end = match count {
            0 => Some(offset),
            _ => (count - 1).checked_mul(stride).and_then(|b| b.checked_add(size)).and_then(|b| b.checked_add(offset)),
        };
        match end {
            Some(end) if end <= bytes.get().len() as u64 => {
                Ok(Strided { bytes, start: offset as usize, stride: stride as usize })
            }
            _ => Err(user.fault(
                code::ACCESSOR_RANGE,
                format!(
                    "{count} elements of {size} bytes, {stride} apart from byte {offset} on, reach past {} bytes of \
                     `bufferViews[{view}]`",
                    bytes.get().len()
                ),
            )),
        }
    }
}

impl<'a> Accessor<'a> {
    /// `rows` numbers an element, packed tightly; `at` names them in messages.
    ///
    /// Shapes: `bytes` holds `count` elements.
    pub fn tight(
        at: At<'a>,
        bytes: Bytes<'a>,
        count: usize,
        component: Component,
        rows: usize,
        normalized: bool,
    ) -> Accessor<'a> {
        let shape = Shape { columns: 1, rows: rows as u64 };
        let stride = rows * component.size_bytes() as usize;
        assert!(bytes.get().len() >= count * stride, "{} bytes for {count} elements", bytes.get().len());
        let dense = Some(Strided { bytes, start: 0, stride });
        Accessor { at, count, component, shape, normalized, dense, sparse: None }
    }

    /// Elements of `N` numbers; integers are widened, or mapped to -1..1 or 0..1 where the accessor is normalized.
    ///
    /// Errors: another shape than `N` numbers in one column; more than the budget allows.
    pub fn floats<const N: usize>(&self, budget: &mut Budget) -> Result<Vec<[f32; N]>> {
        if self.shape != (Shape { columns: 1, rows: N as u64 }) {
            return Err(self.kind(if N == 1 { "SCALAR".to_string() } else { format!("VEC{N}") }));
        }
        self.numbers(budget, 1)
    }

    /// 4x4 matrices, by columns.
    pub fn matrices(&self, budget: &mut Budget) -> Result<Vec<[f32; 16]>> {
        if self.shape != (Shape { columns: 4, rows: 4 }) {
            return Err(self.kind("MAT4".to_string()));
        }
        self.numbers(budget, 4)
    }

    /// Number of rows, for attributes that come in several widths.
    pub fn rows(&self) -> usize {
        if self.shape.columns == 1 { self.shape.rows as usize } else { 0 }
    }

    fn numbers<const N: usize>(&self, budget: &mut Budget, columns: usize) -> Result<Vec<[f32; N]>> {
        budget.spend(self.count as u64 * N as u64 * 4, &self.at.to_string())?;
        let component_bytes = self.component.size_bytes() as usize;
        let column_bytes = self.shape.column_bytes(self.component) as usize;
        let rows = N / columns;
        let decode = |bytes: &[u8]| {
            let mut out = [0.0; N];
            for (index, number) in out.iter_mut().enumerate() {
                let at = (index / rows) * column_bytes + (index % rows) * component_bytes;
                *number = self.component.float(&bytes[at..], self.normalized);
            }
            out
        };
        let mut out = match &self.dense {
            None => vec![[0.0; N]; self.count],
            // By far the most of what files hold.
            Some(dense) if self.component == Component::F32 => dense.elements(self.count).map(tight_floats).collect(),
            Some(dense) => dense.elements(self.count).map(decode).collect(),
        };
        if let Some((component, places, values, changed)) = &self.sparse {
            for index in 0..*changed {
                let place = component.whole(places.element(index)).expect("an unsigned type");
                out[place as usize] = decode(values.element(index));
            }
        }
        Ok(out)
    }

    /// Whole numbers, `N` an element.
    ///
    /// Errors: another shape, a signed or float type, more than the budget allows.
    pub fn wholes<const N: usize>(&self, budget: &mut Budget) -> Result<Vec<[u32; N]>> {
        let unsigned = matches!(self.component, Component::U8 | Component::U16 | Component::U32);
        if !unsigned || self.shape != (Shape { columns: 1, rows: N as u64 }) {
            let shape = if N == 1 { "SCALAR".to_string() } else { format!("VEC{N}") };
            return Err(self.kind(format!("{shape} of an unsigned integer type")));
        }
        budget.spend(self.count as u64 * N as u64 * 4, &self.at.to_string())?;
        let size = self.component.size_bytes() as usize;
        let decode = |bytes: &[u8]| {
            let mut out = [0; N];
            for (index, number) in out.iter_mut().enumerate() {
                *number = self.component.whole(&bytes[index * size..]).expect("checked above");
            }
            out
        };
        let mut out = match &self.dense {
            None => vec![[0; N]; self.count],
            Some(dense) => dense.elements(self.count).map(decode).collect(),
        };
        if let Some((component, places, values, changed)) = &self.sparse {
            for index in 0..*changed {
                let place = component.whole(places.element(index)).expect("an unsigned type");
                out[place as usize] = decode(values.element(index));
            }
        }
        Ok(out)
    }

    /// Whole numbers, four an element; also as floats, as glTF 1.0 has joints.
    ///
    /// Errors: another shape, other numbers, more than the budget allows.
    pub fn joints(&self, budget: &mut Budget) -> Result<Vec<[u32; 4]>> {
        if self.component != Component::F32 {
            return self.wholes(budget);
        }
        let floats = self.floats::<4>(budget)?;
        let is_whole = |value: &f32| (0.0..=f32::from(u16::MAX)).contains(value) && value.trunc() == *value;
        if !floats.as_flattened().iter().all(is_whole) {
            return Err(self.kind("VEC4 of whole numbers".to_string()));
        }
        Ok(floats.into_iter().map(|four| four.map(|value| value as u32)).collect())
    }

    /// The largest whole number of the component type.
    pub fn largest(&self) -> u32 {
        match self.component {
            Component::U8 => 255,
            Component::U16 => 65535,
            _ => u32::MAX,
        }
    }

    pub fn at(&self) -> At<'a> {
        self.at
    }

    fn kind(&self, wanted: String) -> Fault {
        let rows = self.shape.rows;
        let message = match self.shape.columns {
            1 => format!("{rows} x {:?} where {wanted} is needed", self.component),
            columns => format!("{columns} x {rows} x {:?} where {wanted} is needed", self.component),
        };
        self.at.fault(code::ACCESSOR_KIND, message)
    }
}
