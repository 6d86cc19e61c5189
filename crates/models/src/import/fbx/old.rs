//! FBX 6.x, binary: records whose lists are rows of single values.
//!
//! In: a file's bytes. Out: its [`Record`]s. Never here: what a record means.
//!
//! Records lie as they do in version 7 with offsets of 32 bits, see [`guard`](super::guard). There are no lists: a mesh
//! of a thousand points is a record of three thousand numbers, and the keys of a curve are numbers among letters.

use fbxcel_dom::fbxcel::low::v7400::AttributeValue;

use super::guard::{Cursor, MAGIC, broken};
use super::record::{self, DEPTH_MAX, Numbers, Record};
use crate::import::{Budget, Fault};

/// A record's head without its name; all zero, it ends a list of records.
const HEAD_BYTES: usize = 13;

/// Reads the records of a file of version 6.x.
///
/// Shapes: `bytes` starts with [`MAGIC`] and a version. Errors: broken structure, more than the budget.
pub fn records(bytes: &[u8], budget: &mut Budget) -> Result<Vec<Record>, Fault> {
    record::spend_values(bytes.len(), budget)?;
    let mut cursor = Cursor::new(bytes, MAGIC.len() + 4);
    let mut out = Vec::new();
    // The list ends with an empty record; files cut off behind their last record are read, too.
    while bytes.len() - cursor.at >= HEAD_BYTES {
        match record(&mut cursor, bytes.len(), 0, budget)? {
            Some(record) => out.push(record),
            None => break,
        }
    }
    Ok(out)
}

/// The record at the cursor; `None` for an empty one.
fn record(cursor: &mut Cursor<'_>, limit: usize, depth: usize, budget: &mut Budget) -> Result<Option<Record>, Fault> {
    let at = cursor.at;
    let [end, value_count, value_bytes] = [cursor.u32()?, cursor.u32()?, cursor.u32()?];
    let [name_length] = cursor.array()?;
    if end == 0 {
        return Ok(None);
    }
    let name = cursor.take(u64::from(name_length))?;
    let end = end as usize;
    if end > limit || end < cursor.at {
        return Err(broken(at, "a record ends outside its parent"));
    }
    let values_end = cursor.at as u64 + u64::from(value_bytes);
    if values_end > end as u64 || value_count > value_bytes {
        return Err(broken(at, "a record is shorter than its values"));
    }
    if depth == DEPTH_MAX {
        return Err(broken(at, "records are nested more than 100 deep"));
    }
    let mut record = Record { name: String::from_utf8_lossy(name).into_owned(), ..Record::default() };
    let mut list = record::is_list(&record.name).then(Numbers::new);
    for _ in 0..value_count {
        if cursor.at as u64 >= values_end {
            return Err(broken(cursor.at, "a record has fewer values than it declares"));
        }
        let value = value(cursor)?;
        match (&mut list, value) {
            (None, value) => record.values.push(value),
            (Some(list), AttributeValue::F32(value)) => list.real(f64::from(value)),
            (Some(list), AttributeValue::F64(value)) => list.real(value),
            (Some(list), value) => record::integer(&value).into_iter().for_each(|value| list.whole(value)),
        }
    }
    if cursor.at as u64 > values_end {
        return Err(broken(at, "values are longer than their record declares"));
    }
    cursor.at = values_end as usize;
    match list {
        Some(Numbers::Ints(list)) if list.is_empty() => {}
        Some(list) => record.values.push(list.into_value()),
        None => {}
    }
    record.spend(budget)?;
    while cursor.at < end {
        match self::record(cursor, end, depth + 1, budget)? {
            Some(inside) => record.inside.push(inside),
            None => break,
        }
    }
    cursor.at = end;
    Ok(Some(record))
}

fn value(cursor: &mut Cursor<'_>) -> Result<AttributeValue, Fault> {
    let at = cursor.at;
    let [kind] = cursor.array()?;
    Ok(match kind {
        // A letter, which the keys of curves are full of.
        b'C' | b'B' | b'Z' => AttributeValue::I16(i16::from(cursor.array::<1>()?[0])),
        b'Y' => AttributeValue::I16(i16::from_le_bytes(cursor.array()?)),
        b'I' => AttributeValue::I32(i32::from_le_bytes(cursor.array()?)),
        b'L' => AttributeValue::I64(i64::from_le_bytes(cursor.array()?)),
        b'F' => AttributeValue::F32(f32::from_le_bytes(cursor.array()?)),
        b'D' => AttributeValue::F64(f64::from_le_bytes(cursor.array()?)),
        b'S' | b'R' => {
            let length = cursor.u32()?;
            let bytes = cursor.take(u64::from(length))?;
            match kind {
                b'S' => AttributeValue::String(String::from_utf8_lossy(bytes).into_owned()),
                _ => AttributeValue::Binary(bytes.to_vec()),
            }
        }
        _ => return Err(broken(at, "a value has an unknown kind")),
    })
}
