//! FBX's binary container: records with values, lists packed with zlib.
//!
//! In: bytes. Out: a [`Tree`] of records that point into them; lists are unpacked when they are asked for. Never here:
//! what a record means.
//!
//! Source: "FBX binary file format specification" (Blender developers' blog, 2013), and files of many programs. A record
//! is: where it ends, number and size of its values, name, values, records inside. Offsets have 32 bits before version
//! 7.5 and 64 from then on.
//!
//! Why not the crates `fbxcel` and `fbxcel-dom`: their trees take lengths on trust. One changed byte in a file of 21 KB
//! makes them ask for 4 GiB (`AttributeValue` is loaded with the capacity that the file states), lists are unpacked
//! whether they are used or not, and names that are not UTF-8 end the reading. The writer of `fbxcel` is what our tests
//! write files with, so that the two are checked against each other.

use std::io::Read;

use crate::import::{Budget, Fault, code};

pub const MAGIC: &[u8; 23] = b"Kaydara FBX Binary  \0\x1a\0";
/// Records within records. Real files have about eight.
const DEPTH_MAX: usize = 100;

/// Every record of a file, depth first.
#[derive(Debug)]
pub struct Tree<'a> {
    records: Vec<Record<'a>>,
    values: Vec<Value<'a>>,
}

#[derive(Clone, Copy, Debug)]
struct Record<'a> {
    name: &'a [u8],
    /// Positions in `values`.
    values: (u32, u32),
    /// Position in `records` behind the last record inside.
    end: u32,
}

/// One value of a record.
#[derive(Clone, Copy, Debug)]
pub enum Value<'a> {
    Integer(i64),
    Float(f64),
    Text(&'a [u8]),
    Bytes(&'a [u8]),
    List(List<'a>),
}

/// A list of numbers as it lies in the file.
#[derive(Clone, Copy, Debug)]
pub struct List<'a> {
    kind: Kind,
    count: u32,
    packed: bool,
    bytes: &'a [u8],
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Bool,
    I32,
    I64,
    F32,
    F64,
}

impl Kind {
    fn size(self) -> usize {
        match self {
            Kind::Bool => 1,
            Kind::I32 | Kind::F32 => 4,
            Kind::I64 | Kind::F64 => 8,
        }
    }
}

fn broken(at: usize, what: &str) -> Fault {
    Fault::new(code::CONTAINER, format!("broken FBX file: {what} at byte {at}"))
        .help("export the model again, or copy the file again")
}

/// The next bytes of a file.
struct Cursor<'a> {
    bytes: &'a [u8],
    at: usize,
}

impl<'a> Cursor<'a> {
    fn take(&mut self, count: u64) -> Result<&'a [u8], Fault> {
        let left = (self.bytes.len() - self.at) as u64;
        if count > left {
            return Err(broken(self.at, "the file ends too early"));
        }
        let taken = &self.bytes[self.at..self.at + count as usize];
        self.at += count as usize;
        Ok(taken)
    }

    fn array<const N: usize>(&mut self) -> Result<[u8; N], Fault> {
        Ok(self.take(N as u64)?.try_into().expect("as many as were taken"))
    }

    fn u32(&mut self) -> Result<u32, Fault> {
        Ok(u32::from_le_bytes(self.array()?))
    }

    /// An offset or a count of a record's head.
    fn word(&mut self, wide: bool) -> Result<u64, Fault> {
        if wide { Ok(u64::from_le_bytes(self.array()?)) } else { Ok(u64::from(self.u32()?)) }
    }

    fn value(&mut self) -> Result<Value<'a>, Fault> {
        let at = self.at;
        let [kind] = self.array()?;
        Ok(match kind {
            b'C' | b'B' => {
                let [byte] = self.array()?;
                // Some programs write the letters T and Y for true.
                Value::Integer(i64::from(byte & 1))
            }
            b'Y' => Value::Integer(i64::from(i16::from_le_bytes(self.array()?))),
            b'I' => Value::Integer(i64::from(i32::from_le_bytes(self.array()?))),
            b'L' => Value::Integer(i64::from_le_bytes(self.array()?)),
            b'F' => Value::Float(f64::from(f32::from_le_bytes(self.array()?))),
            b'D' => Value::Float(f64::from_le_bytes(self.array()?)),
            b'S' => {
                let length = self.u32()?;
                Value::Text(self.take(u64::from(length))?)
            }
            b'R' => {
                let length = self.u32()?;
                Value::Bytes(self.take(u64::from(length))?)
            }
            b'b' | b'c' | b'i' | b'l' | b'f' | b'd' => Value::List(self.list(kind)?),
            _ => return Err(broken(at, "a value of an unknown kind")),
        })
    }

    fn list(&mut self, kind: u8) -> Result<List<'a>, Fault> {
        let at = self.at;
        let kind = match kind {
            b'i' => Kind::I32,
            b'l' => Kind::I64,
            b'f' => Kind::F32,
            b'd' => Kind::F64,
            _ => Kind::Bool,
        };
        let (count, encoding, length) = (self.u32()?, self.u32()?, self.u32()?);
        let plain_bytes = u64::from(count) * kind.size() as u64;
        let bytes = self.take(if encoding == 0 { plain_bytes } else { u64::from(length) })?;
        match encoding {
            0 | 1 => Ok(List { kind, count, packed: encoding == 1, bytes }),
            _ => Err(broken(at, "a list packed in an unknown way")),
        }
    }
}

impl<'a> Tree<'a> {
    /// Reads the records of a file of version 7.x; 7400 is 7.4.
    ///
    /// Shapes: `bytes` starts with [`MAGIC`] and a version. Errors: broken structure.
    pub fn read(bytes: &'a [u8], version: u32) -> Result<Tree<'a>, Fault> {
        let wide = version >= 7500;
        let mut cursor = Cursor { bytes, at: MAGIC.len() + 4 };
        let mut tree = Tree { records: Vec::new(), values: Vec::new() };
        // Records under way: position, and the byte where they end.
        let mut open: Vec<(usize, usize)> = Vec::new();
        loop {
            while let Some((record, end)) = open.last().copied() {
                if cursor.at < end {
                    break;
                }
                if cursor.at > end {
                    return Err(broken(cursor.at, "a record longer than the one around it"));
                }
                tree.records[record].end = tree.records.len() as u32;
                open.pop();
            }
            // The list at the top ends with an empty record; files cut off behind their last record are read, too.
            if open.is_empty() && bytes.len() - cursor.at < if wide { 25 } else { 13 } {
                break;
            }
            let at = cursor.at;
            let (end, value_count, value_bytes) = (cursor.word(wide)?, cursor.word(wide)?, cursor.word(wide)?);
            let [name_length] = cursor.array()?;
            if end == 0 {
                // An empty record closes the list of records.
                match open.last() {
                    Some((_, end)) => cursor.at = *end,
                    None => break,
                }
                continue;
            }
            let limit = open.last().map_or(bytes.len(), |(_, end)| *end);
            let name = cursor.take(u64::from(name_length))?;
            if end > limit as u64 || end < cursor.at as u64 {
                return Err(broken(at, "a record that ends outside the one around it"));
            }
            let end = end as usize;
            let values_end = cursor.at as u64 + value_bytes.min(bytes.len() as u64);
            if values_end > end as u64 || value_count > value_bytes {
                return Err(broken(at, "a record that is shorter than its values"));
            }
            let first = tree.values.len() as u32;
            for _ in 0..value_count {
                if cursor.at as u64 >= values_end {
                    return Err(broken(cursor.at, "a record with fewer values than it says"));
                }
                let value = cursor.value()?;
                tree.values.push(value);
            }
            if cursor.at as u64 > values_end {
                return Err(broken(at, "values longer than their record says"));
            }
            cursor.at = values_end as usize;
            if open.len() == DEPTH_MAX {
                return Err(broken(at, "records nested more than 100 deep"));
            }
            open.push((tree.records.len(), end));
            tree.records.push(Record { name, values: (first, tree.values.len() as u32), end: 0 });
        }
        let count = tree.records.len() as u32;
        for (record, _) in open {
            tree.records[record].end = count;
        }
        Ok(tree)
    }

    /// What the records at the top hold on to in memory.
    pub fn held_bytes(&self) -> u64 {
        (size_of_val(&self.records[..]) + size_of_val(&self.values[..])) as u64
    }

    /// The records at the top.
    pub fn top(&self) -> Records<'_> {
        Records { tree: self, next: 0, end: self.records.len() as u32 }
    }

    /// The first record at the top of this name.
    pub fn find(&self, name: &str) -> Option<At<'_>> {
        self.top().find(|at| at.name() == name.as_bytes())
    }
}

/// A record.
#[derive(Clone, Copy, Debug)]
pub struct At<'t> {
    tree: &'t Tree<'t>,
    record: u32,
}

/// Records side by side.
#[derive(Clone, Debug)]
pub struct Records<'t> {
    tree: &'t Tree<'t>,
    next: u32,
    end: u32,
}

impl<'t> Iterator for Records<'t> {
    type Item = At<'t>;

    fn next(&mut self) -> Option<At<'t>> {
        if self.next >= self.end {
            return None;
        }
        let record = self.next;
        self.next = self.tree.records[record as usize].end;
        Some(At { tree: self.tree, record })
    }
}

impl<'t> At<'t> {
    fn record(self) -> &'t Record<'t> {
        &self.tree.records[self.record as usize]
    }

    pub fn name(self) -> &'t [u8] {
        self.record().name
    }

    /// The records inside.
    pub fn inside(self) -> Records<'t> {
        Records { tree: self.tree, next: self.record + 1, end: self.record().end }
    }

    /// The first record of this name inside.
    pub fn child(self, name: &str) -> Option<At<'t>> {
        self.inside().find(|at| at.name() == name.as_bytes())
    }

    /// Every record of this name inside.
    pub fn children(self, name: &'static str) -> impl Iterator<Item = At<'t>> {
        self.inside().filter(move |at| at.name() == name.as_bytes())
    }

    pub fn values(self) -> &'t [Value<'t>] {
        let (first, end) = self.record().values;
        &self.tree.values[first as usize..end as usize]
    }

    /// The whole number at a place; a fraction is cut off.
    pub fn integer(self, place: usize) -> Option<i64> {
        match self.values().get(place)? {
            Value::Integer(value) => Some(*value),
            Value::Float(value) => Some(*value as i64),
            _ => None,
        }
    }

    pub fn float(self, place: usize) -> Option<f64> {
        match self.values().get(place)? {
            Value::Integer(value) => Some(*value as f64),
            Value::Float(value) => Some(*value),
            _ => None,
        }
    }

    pub fn text(self, place: usize) -> Option<&'t [u8]> {
        match self.values().get(place)? {
            Value::Text(value) => Some(value),
            _ => None,
        }
    }

    /// The first value of the record of this name inside.
    pub fn child_text(self, name: &str) -> Option<&'t [u8]> {
        self.child(name)?.text(0)
    }

    pub fn child_integer(self, name: &str) -> Option<i64> {
        self.child(name)?.integer(0)
    }

    /// The list in the record of this name inside; `None` where there is no such record, or no list in it.
    pub fn list(self, name: &str) -> Option<List<'t>> {
        self.child(name)?.values().iter().find_map(|value| match value {
            Value::List(list) => Some(*list),
            _ => None,
        })
    }
}

impl List<'_> {
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// The numbers as they are stored, unpacked.
    fn bytes(&self, budget: &Budget, what: &str) -> Result<Vec<u8>, Fault> {
        let wanted = self.len() * self.kind.size();
        budget.unpack(wanted as u64, what)?;
        if !self.packed {
            return Ok(self.bytes.to_vec());
        }
        // Twice: as bytes, and as numbers.
        budget.allow(wanted as u64 * 2, what)?;
        let fault = || {
            let message = format!("{what}: the packed list does not hold the {} numbers that it says", self.count);
            Fault::new(code::CONTAINER, message).help("export the model again, or copy the file again")
        };
        // A lying count must not take memory, and zlib packs a thousand to one at most.
        let mut out = Vec::with_capacity(wanted.min(self.bytes.len().saturating_mul(1100)));
        let mut decoder = flate2::read::ZlibDecoder::new(self.bytes).take(wanted as u64);
        decoder.read_to_end(&mut out).map_err(|_| fault())?;
        if out.len() == wanted { Ok(out) } else { Err(fault()) }
    }

    fn numbers<T>(
        &self,
        budget: &Budget,
        what: &str,
        whole: impl Fn(i64) -> T,
        real: impl Fn(f64) -> T,
    ) -> Result<Vec<T>, Fault> {
        budget.allow((self.len() * size_of::<T>()) as u64, what)?;
        let bytes = self.bytes(budget, what)?;
        fn each<const N: usize, T>(bytes: &[u8], of: impl Fn([u8; N]) -> T) -> Vec<T> {
            bytes.as_chunks().0.iter().map(|chunk| of(*chunk)).collect()
        }
        Ok(match self.kind {
            Kind::Bool => bytes.iter().map(|byte| whole(i64::from(byte & 1))).collect(),
            Kind::I32 => each(&bytes, |chunk| whole(i64::from(i32::from_le_bytes(chunk)))),
            Kind::I64 => each(&bytes, |chunk| whole(i64::from_le_bytes(chunk))),
            Kind::F32 => each(&bytes, |chunk| real(f64::from(f32::from_le_bytes(chunk)))),
            Kind::F64 => each(&bytes, |chunk| real(f64::from_le_bytes(chunk))),
        })
    }

    /// As numbers with fractions.
    pub fn floats(&self, budget: &Budget, what: &str) -> Result<Vec<f64>, Fault> {
        self.numbers(budget, what, |whole| whole as f64, |real| real)
    }

    /// As whole numbers of 32 bits; what does not fit becomes the nearest that does.
    pub fn integers(&self, budget: &Budget, what: &str) -> Result<Vec<i32>, Fault> {
        let fit = |whole: i64| whole.clamp(i64::from(i32::MIN), i64::from(i32::MAX)) as i32;
        self.numbers(budget, what, fit, |real| real as i32)
    }

    /// As whole numbers of 64 bits.
    pub fn longs(&self, budget: &Budget, what: &str) -> Result<Vec<i64>, Fault> {
        self.numbers(budget, what, |whole| whole, |real| real as i64)
    }

    /// The bits of 32-bit numbers, whatever they mean: FBX packs tangent weights into what it calls floats.
    pub fn words(&self, budget: &Budget, what: &str) -> Result<Vec<u32>, Fault> {
        if self.kind != Kind::F32 && self.kind != Kind::I32 {
            return Err(Fault::new(code::CONTAINER, format!("{what}: a list of 32-bit numbers is expected")));
        }
        budget.allow(self.len() as u64 * 4, what)?;
        let bytes = self.bytes(budget, what)?;
        Ok(bytes.as_chunks().0.iter().map(|chunk| u32::from_le_bytes(*chunk)).collect())
    }
}
