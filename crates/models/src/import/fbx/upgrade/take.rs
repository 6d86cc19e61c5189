//! Takes become animation stacks of one layer, and lists of keys become curves.
//!
//! A channel holds what moves one property: keys itself, or a channel for each of X, Y and Z. Keys are one list:
//! time, value and a letter for what follows the key, with what that letter wants behind it.
//!
//! | letter | between this key and the next | behind it |
//! | --- | --- | --- |
//! | `C` | the key's value (`s`) or the next one's (`n`) | that letter, from key version 4004 on |
//! | `L` | a line | nothing |
//! | `U` | a cubic | a letter for the tangents, what that wants, and a letter for weights |
//!
//! Tangents: `s` and `b`, the slopes to the right and to the left of the next key; `t`, tension, continuity and bias.
//! Of `a`, `d`, `p` and `q` nothing is documented; like `ufbx` we take the automatic tangent that does not overshoot.
//! Weights: `n` none, `a` both, `r` right, `l` left of the next key, `c` as none.

use fbxcel_dom::fbxcel::low::v7400::AttributeValue;

use super::{Old, property, text};
use crate::import::fbx::document::short;
use crate::import::fbx::record::{self, Record};
use crate::import::{Fault, code};

const CONSTANT: i32 = 0x2;
const CONSTANT_NEXT: i32 = 0x102;
const LINEAR: i32 = 0x4;
/// Automatic, not dependent on time, clamped progressively.
const AUTOMATIC: i32 = 0x6108;
const TCB: i32 = 0x208;
const USER: i32 = 0x408;
const BROKEN: i32 = 0xc08;
const WEIGHTED_RIGHT: i32 = 0x100_0000;
const WEIGHTED_NEXT_LEFT: i32 = 0x200_0000;

/// Bytes of a key in the lists of a curve, with the room that growing lists keep.
const KEY_BYTES: u64 = 80;

/// Keys in the lists of version 7.
#[derive(Debug, Default, PartialEq)]
struct Keys {
    times: Vec<i64>,
    values: Vec<f64>,
    flags: Vec<i32>,
    /// Four a key: slopes or TCB, packed weights, nothing.
    data: Vec<f32>,
}

/// The next numbers of a list of keys.
struct Rest<'a>(std::slice::Iter<'a, f64>);

impl Rest<'_> {
    fn number(&mut self) -> Option<f64> {
        self.0.next().copied()
    }

    fn letter(&mut self) -> Option<u8> {
        let number = self.number()?;
        (0.0..256.0).contains(&number).then_some(number as u8)
    }

    /// A key; `None` for what is none.
    fn key(&mut self, version: i64, keys: &mut Keys) -> Option<()> {
        let (time, value) = (self.number()?, self.number()?);
        let (flags, data) = match self.letter()? {
            b'C' if version < 4004 => (CONSTANT, [0.0; 3]),
            b'C' => (if self.letter()? == b'n' { CONSTANT_NEXT } else { CONSTANT }, [0.0; 3]),
            b'L' => (LINEAR, [0.0; 3]),
            b'U' => self.cubic(version)?,
            _ => return None,
        };
        keys.times.push(time as i64);
        keys.values.push(value);
        keys.flags.push(flags);
        keys.data.extend([data[0], data[1], data[2], 0.0]);
        Some(())
    }

    /// What stands behind `U`.
    fn cubic(&mut self, version: i64) -> Option<(i32, [f32; 3])> {
        let letter = self.letter()?;
        let old = version <= 4004;
        let mut data = [0.0; 3];
        let (mut flags, given_count, weight_count) = match letter {
            b's' | b'b' => (if letter == b's' { USER } else { BROKEN }, 2, usize::from(version != 4003)),
            b't' => (TCB, 3, 0),
            b'a' => (AUTOMATIC, 0, usize::from(!old)),
            b'd' => (AUTOMATIC, 1, 1),
            b'p' | b'q' => (AUTOMATIC, 2, if old { 1 } else { 2 }),
            _ => return None,
        };
        for place in 0..given_count {
            let number = self.number()?;
            data[place] = if flags == AUTOMATIC { 0.0 } else { number as f32 };
        }
        // Packed as ten-thousandths: to the right in the lower half, to the left of the next key in the upper one.
        let mut word = 0_u32;
        for _ in 0..weight_count {
            let letter = self.letter()?;
            if matches!(letter, b'a' | b'r') {
                flags |= WEIGHTED_RIGHT;
                word = word & 0xffff_0000 | packed_weight(self.number()?);
            }
            if matches!(letter, b'a' | b'l') {
                flags |= WEIGHTED_NEXT_LEFT;
                word = word & 0xffff | packed_weight(self.number()?) << 16;
            }
            if !matches!(letter, b'a' | b'r' | b'l' | b'n' | b'c') {
                return None;
            }
        }
        if flags & (WEIGHTED_RIGHT | WEIGHTED_NEXT_LEFT) != 0 {
            data[2] = f32::from_bits(word);
        }
        Some((flags, data))
    }
}

fn packed_weight(weight: f64) -> u32 {
    (weight * 10_000.0 + 0.5).clamp(0.0, 65535.0) as u32
}

impl Keys {
    /// As many keys as can be read, and whether those are all.
    fn read(list: &[f64], count: Option<i64>, version: i64) -> (Keys, bool) {
        let mut rest = Rest(list.iter());
        let mut keys = Keys::default();
        while rest.0.len() > 0 && count.is_none_or(|count| (keys.times.len() as i64) < count) {
            if rest.key(version, &mut keys).is_none() {
                return (keys, false);
            }
        }
        let whole = rest.0.len() == 0 && count.is_none_or(|count| keys.times.len() as i64 == count);
        (keys, whole)
    }

    fn into_records(self) -> [Record; 5] {
        let counts = vec![1; self.times.len()];
        [
            Record::new("KeyTime", [AttributeValue::ArrI64(self.times)]),
            Record::new("KeyValueFloat", [AttributeValue::ArrF64(self.values)]),
            Record::new("KeyAttrFlags", [AttributeValue::ArrI32(self.flags)]),
            Record::new("KeyAttrDataFloat", [AttributeValue::ArrF32(self.data)]),
            Record::new("KeyAttrRefCount", [AttributeValue::ArrI32(counts)]),
        ]
    }
}

/// Whether a channel itself says what its property is.
fn has_values(channel: &Record) -> bool {
    channel.child("Key").is_some() || channel.child("Default").is_some()
}

impl Old<'_> {
    /// A take becomes a stack.
    pub fn take(&mut self, take: Record) -> Result<(), Fault> {
        let name = take.text(0).unwrap_or_default().to_string();
        let (stack, layer) = (self.fresh(), self.fresh());
        let mut properties = Record::new("Properties70", []);
        for (span, start, stop) in
            [("LocalTime", "LocalStart", "LocalStop"), ("ReferenceTime", "ReferenceStart", "ReferenceStop")]
        {
            let Some(times) = take.child(span) else { continue };
            for (place, name) in [start, stop].into_iter().enumerate() {
                let time = times.integer(place).map(|time| property(name, "KTime", AttributeValue::I64(time)));
                properties.inside.extend(time);
            }
        }
        let object = self.make("AnimationStack", stack, &format!("{name}\0\x01AnimStack"), "")?;
        self.place(object.with([properties]))?;
        let object = self.make("AnimationLayer", layer, "BaseLayer\0\x01AnimLayer", "")?;
        self.place(object)?;
        self.link(layer, stack, None)?;
        let mut broken_count = 0;
        for part in take.inside {
            let Some(target) = part.text(0).and_then(|name| self.id(name)) else { continue };
            for channel in part.inside.into_iter().filter(|inside| inside.name == "Channel") {
                self.channel(channel, target, layer, &mut broken_count)?;
            }
        }
        if broken_count > 0 {
            let count = crate::source::count(broken_count, "curve", "curves");
            let message = format!("the animation {:?}: ignored broken keys of {count}", short(&name));
            self.warnings.push(Fault::new(code::VALUES_REPLACED, message).help("export the model again"));
        }
        Ok(())
    }

    /// A channel of an object: of a property, or of its place, turn and size together.
    fn channel(&mut self, channel: Record, target: i64, layer: i64, broken_count: &mut usize) -> Result<(), Fault> {
        let name = channel.text(0).unwrap_or_default().to_string();
        if name != "Transform" {
            return self.curves(channel, &name, target, layer, broken_count);
        }
        for inner in channel.inside.into_iter().filter(|inside| inside.name == "Channel") {
            let property = match inner.text(0) {
                Some("T") => "Lcl Translation",
                Some("R") => "Lcl Rotation",
                Some("S") => "Lcl Scaling",
                _ => continue,
            };
            self.curves(inner, property, target, layer, broken_count)?;
        }
        Ok(())
    }

    /// The curves of a property.
    fn curves(
        &mut self,
        channel: Record,
        property_name: &str,
        target: i64,
        layer: i64,
        broken_count: &mut usize,
    ) -> Result<(), Fault> {
        let components: Vec<(String, Record)> = if has_values(&channel) {
            vec![(property_name.to_string(), channel)]
        } else {
            let inner = channel.inside.into_iter().filter(|inside| inside.name == "Channel" && has_values(inside));
            inner.take(3).map(|inner| (inner.text(0).unwrap_or_default().to_string(), inner)).collect()
        };
        if components.is_empty() {
            return Ok(());
        }
        let node = self.fresh();
        let mut properties = Record::new("Properties70", []);
        for (name, component) in &components {
            let value = component.child("Default").and_then(|value| value.float(0)).unwrap_or(0.0);
            let value = property(&format!("d|{name}"), "Number", AttributeValue::F64(value));
            value.spend(self.budget)?;
            properties.inside.push(value);
        }
        let object = self.make("AnimationCurveNode", node, &format!("{property_name}\0\x01AnimCurveNode"), "")?;
        self.place(object.with([properties]))?;
        self.link(node, layer, None)?;
        match self.sliders.get(&(target, property_name.to_string())).copied() {
            Some(slider) => self.link(node, slider, Some("DeformPercent"))?,
            None => self.link(node, target, Some(property_name))?,
        }
        for (name, mut component) in components {
            let Some(list) = component.child("Key").and_then(|key| record::reals(key.values.first()?)) else {
                continue;
            };
            let version = component.child("KeyVer").and_then(|version| version.integer(0)).filter(|v| *v > 0);
            let count = component.child("KeyCount").and_then(|count| count.integer(0));
            self.budget.spend(list.len() as u64 / 3 * KEY_BYTES, "the keys of curves")?;
            let (keys, whole) = Keys::read(&list, count, version.unwrap_or(4005));
            *broken_count += usize::from(!whole);
            let curve = self.fresh();
            let ends = ["Pre-Extrapolation", "Post-Extrapolation"].map(|end| component.take(end));
            let object = Record::new("AnimationCurve", [AttributeValue::I64(curve), text("\0\x01AnimCurve"), text("")]);
            object.spend(self.budget)?;
            self.place(object.with(keys.into_records()).with(ends.into_iter().flatten()))?;
            self.link(curve, node, Some(&format!("d|{name}")))?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(words: &str, version: i64) -> (Keys, bool) {
        let number = |word: &str| word.parse().unwrap_or_else(|_| f64::from(word.as_bytes()[0]));
        let list: Vec<f64> = words.split(',').map(number).collect();
        Keys::read(&list, None, version)
    }

    #[test]
    fn keys_by_letter() {
        let packed = |right: u32, left: u32| f32::from_bits(left << 16 | right);
        for (words, version, flags, data) in [
            ("5,1.5,L", 4005, LINEAR, [0.0; 3]),
            ("5,1.5,C,s", 4005, CONSTANT, [0.0; 3]),
            ("5,1.5,C,n", 4005, CONSTANT_NEXT, [0.0; 3]),
            ("5,1.5,C", 4003, CONSTANT, [0.0; 3]),
            ("5,1.5,U,s,2,-3,n", 4005, USER, [2.0, -3.0, 0.0]),
            ("5,1.5,U,s,2,-3", 4003, USER, [2.0, -3.0, 0.0]),
            ("5,1.5,U,b,2,-3,a,0.25,0.5", 4005, BROKEN | 0x300_0000, [2.0, -3.0, packed(2500, 5000)]),
            ("5,1.5,U,s,2,-3,r,0.1234", 4005, USER | WEIGHTED_RIGHT, [2.0, -3.0, packed(1234, 0)]),
            ("5,1.5,U,s,2,-3,l,0.1234", 4005, USER | WEIGHTED_NEXT_LEFT, [2.0, -3.0, packed(0, 1234)]),
            ("5,1.5,U,t,1,0.5,0.25", 4005, TCB, [1.0, 0.5, 0.25]),
            ("5,1.5,U,a,n", 4005, AUTOMATIC, [0.0; 3]),
            ("5,1.5,U,a", 4004, AUTOMATIC, [0.0; 3]),
            ("5,1.5,U,d,7,n", 4005, AUTOMATIC, [0.0; 3]),
            ("5,1.5,U,p,7,8,n,n", 4005, AUTOMATIC, [0.0; 3]),
            ("5,1.5,U,q,7,8,n", 4004, AUTOMATIC, [0.0; 3]),
        ] {
            let want = Keys {
                times: vec![5, 9],
                values: vec![1.5, 2.0],
                flags: vec![flags, LINEAR],
                data: vec![data[0], data[1], data[2], 0.0, 0.0, 0.0, 0.0, 0.0],
            };
            let (got, whole) = read(&format!("{words},9,2,L"), version);
            assert!(whole, "{words}");
            assert_eq!(format!("{got:?}"), format!("{want:?}"), "{words}");
        }
    }

    /// Keys before the break are kept.
    #[test]
    fn broken_keys() {
        for words in ["5,1,L,9", "5,1,L,9,2", "5,1,L,9,2,X", "5,1,L,9,2,U,z", "5,1,L,9,2,U,s,1,2,z", "5,1,L,9,2,U,s,1"]
        {
            let (keys, whole) = read(words, 4005);
            assert!(!whole && keys.times == [5], "{words}: {keys:?}");
        }
    }
}
