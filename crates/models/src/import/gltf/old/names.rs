//! Names: the keys by which a document of glTF 1.0 calls its objects, and the positions that they get in lists.
//!
//! Objects keep the order of the file.

use std::collections::BTreeMap;

use serde::de::{Deserialize, Deserializer, IgnoredAny, MapAccess, SeqAccess, Visitor};
use serde_json::{Value, json};

use super::{Object, Result};
use crate::import::{Fault, code};

/// What has keys in 1.0 and positions in 2.0.
pub const LISTS: [&str; 13] = [
    "accessors",
    "animations",
    "bufferViews",
    "buffers",
    "cameras",
    "images",
    "materials",
    "meshes",
    "nodes",
    "samplers",
    "scenes",
    "skins",
    "textures",
];

/// Buffers that stand for the body of a container, first.
pub const BODY: [&str; 2] = ["binary_glTF", "KHR_binary_glTF"];

/// Characters of a name that are shown.
const SHOWN_MAX: usize = 60;

/// The names of a document.
#[derive(Debug, Default)]
pub struct Names {
    lists: BTreeMap<&'static str, List>,
}

#[derive(Debug, Default)]
struct List {
    keys: Vec<String>,
    positions: BTreeMap<String, usize>,
}

impl Names {
    pub fn of(document: &Object, json: &[u8]) -> Names {
        // Read a second time: the values know no order.
        let mut order: BTreeMap<String, Keys> = serde_json::from_slice(json).unwrap_or_default();
        let mut out = Names::default();
        for name in LISTS {
            let list = out.lists.entry(name).or_default();
            let mut keys = match document.get(name) {
                Some(Value::Object(_)) => order.remove(name).unwrap_or_default().0,
                // Not of 1.0; its references are positions, too.
                Some(Value::Array(items)) => (0..items.len()).map(|index| index.to_string()).collect(),
                _ => Vec::new(),
            };
            if name == "buffers" {
                keys.sort_by_key(|key| !BODY.contains(&key.as_str()));
            }
            for key in keys {
                if !list.positions.contains_key(&key) {
                    list.positions.insert(key.clone(), list.keys.len());
                    list.keys.push(key);
                }
            }
        }
        out
    }

    /// The objects of a list in order: names, paths and members.
    ///
    /// Errors: what is no object.
    pub fn each<'d>(&self, document: &'d Object, list: &'static str) -> Result<Vec<(String, String, &'d Object)>> {
        let (values, mut out) = (document.get(list), Vec::new());
        for (position, key) in self.lists[list].keys.iter().enumerate() {
            let path = format!("{list}.{}", shown(key));
            let value = values.and_then(|values| values.get(key).or_else(|| values.get(position)));
            let members = value.and_then(Value::as_object).ok_or_else(|| super::not_an_object(&path))?;
            out.push((key.clone(), path, members));
        }
        Ok(out)
    }

    /// Another object, made of the one of this name. Out: its position.
    pub fn push(&mut self, list: &'static str, key: &str) -> usize {
        let keys = &mut self.lists.entry(list).or_default().keys;
        keys.push(key.to_string());
        keys.len() - 1
    }

    pub fn position(&self, list: &'static str, key: &str) -> Option<usize> {
        self.lists[list].positions.get(key).copied()
    }

    /// What names an object of a list, as a position; whatever else it is stays, for who reads it.
    ///
    /// Errors: a name that nothing bears. `by` is the path of what names it.
    pub fn link(&self, list: &'static str, name: &Value, by: &str) -> Result<Value> {
        let Value::String(key) = name else { return Ok(name.clone()) };
        match self.position(list, key) {
            Some(position) => Ok(Value::from(position)),
            None => {
                let message = format!("`{by}` refers to `{list}.{}`, which does not exist", shown(key));
                Err(Fault::new(code::REFERENCE, message))
            }
        }
    }

    /// The member `key` of an object, linked; nothing where it has none.
    pub fn link_member(
        &self,
        list: &'static str,
        (from, to): (&Object, &mut Object),
        key: &str,
        path: &str,
    ) -> Result<()> {
        if let Some(name) = from.get(key) {
            to.insert(key.to_string(), self.link(list, name, &format!("{path}.{key}"))?);
        }
        Ok(())
    }

    /// A fault that speaks of positions, in the words of the file.
    pub fn told(&self, fault: Fault) -> Fault {
        Fault { message: self.spoken(&fault.message), ..fault }
    }

    /// A message with `nodes.body` for `nodes[3]` at the beginning of paths.
    pub fn spoken(&self, message: &str) -> String {
        let mut out = String::with_capacity(message.len());
        for (piece, part) in message.split('`').enumerate() {
            if piece > 0 {
                out.push('`');
            }
            match self.path(part) {
                Some((list, key, rest)) if piece % 2 == 1 => out.push_str(&format!("{list}.{}{rest}", shown(key))),
                _ => out.push_str(part),
            }
        }
        out
    }

    fn path<'a>(&'a self, text: &'a str) -> Option<(&'static str, &'a str, &'a str)> {
        let (list, rest) = text.split_once('[')?;
        let (number, rest) = rest.split_once(']')?;
        let list = LISTS.into_iter().find(|name| *name == list)?;
        let key = self.lists.get(list)?.keys.get(number.parse::<usize>().ok()?)?;
        Some((list, key, rest))
    }
}

/// Members as they are, with the key as a name where there is none.
pub fn named(from: &Object, key: &str) -> Object {
    let mut to = from.clone();
    let has_name = from.get("name").and_then(Value::as_str).is_some_and(|name| !name.is_empty());
    if !has_name {
        to.insert("name".into(), json!(key));
    }
    to
}

fn shown(key: &str) -> String {
    key.chars().take(SHOWN_MAX).collect()
}

/// Keys of an object in the order of the file; of anything else none.
#[derive(Default)]
struct Keys(Vec<String>);

impl<'de> Deserialize<'de> for Keys {
    fn deserialize<D: Deserializer<'de>>(from: D) -> std::result::Result<Keys, D::Error> {
        from.deserialize_any(KeysOf)
    }
}

struct KeysOf;

impl<'de> Visitor<'de> for KeysOf {
    type Value = Keys;

    fn expecting(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        out.write_str("any value")
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> std::result::Result<Keys, A::Error> {
        let mut out = Vec::new();
        while let Some((key, IgnoredAny)) = map.next_entry::<String, IgnoredAny>()? {
            out.push(key);
        }
        Ok(Keys(out))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> std::result::Result<Keys, A::Error> {
        while list.next_element::<IgnoredAny>()?.is_some() {}
        Ok(Keys::default())
    }

    fn visit_bool<E>(self, _: bool) -> std::result::Result<Keys, E> {
        Ok(Keys::default())
    }

    fn visit_i64<E>(self, _: i64) -> std::result::Result<Keys, E> {
        Ok(Keys::default())
    }

    fn visit_u64<E>(self, _: u64) -> std::result::Result<Keys, E> {
        Ok(Keys::default())
    }

    fn visit_f64<E>(self, _: f64) -> std::result::Result<Keys, E> {
        Ok(Keys::default())
    }

    fn visit_str<E>(self, _: &str) -> std::result::Result<Keys, E> {
        Ok(Keys::default())
    }

    fn visit_unit<E>(self) -> std::result::Result<Keys, E> {
        Ok(Keys::default())
    }
}
