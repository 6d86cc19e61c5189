//! Old: documents of glTF 1.0, and extensions under the names of their drafts, become glTF 2.0.
//!
//! In: a document as its file has it. Out: the same in the words of 2.0, so that nothing else knows of old files; and
//! what it takes to speak of it in the words of its file. Never here: bytes of buffers, what a picture shows.
//!
//! Source: Khronos glTF 1.0 with KHR_binary_glTF and KHR_materials_common. Two things of 1.0 have no words in 2.0 and
//! stay: `bindShapeMatrix` of skins, and joints stored as floats.

mod animation;
mod draft;
mod first;
mod light;
mod material;
mod names;
mod skin;

use std::path::Path;

use serde_json::{Map, Value};

use self::names::Names;
use crate::import::{Budget, Fault, Model, code};
use crate::source::{Diagnostic, Severity};

type Result<T> = std::result::Result<T, Fault>;
type Object = Map<String, Value>;

/// What a document of glTF 1.0 was.
pub struct Old {
    names: Names,
    warnings: Vec<Fault>,
}

/// Turns a document into one of glTF 2.0. Out: what it was, if it was one of 1.0. `json` is its text.
///
/// Errors: names that nothing bears, what 2.0 has no words for.
pub fn upgrade(document: &mut Value, json: &[u8], budget: &mut Budget) -> Result<Option<Old>> {
    draft::rename(document);
    if !is_first(document) {
        return Ok(None);
    }
    let Value::Object(old) = document.take() else { unreachable!("it has lists") };
    let mut names = Names::of(&old, json);
    let (new, warnings) = first::upgrade(&old, &mut names, budget).map_err(|fault| names.told(fault))?;
    *document = Value::Object(new);
    Ok(Some(Old { names, warnings }))
}

/// Whether a document is one of 1.0: it says so, or names its objects by keys and says nothing.
fn is_first(document: &Value) -> bool {
    let version = match &document["asset"]["version"] {
        Value::String(text) => text.clone(),
        Value::Number(number) => number.to_string(),
        _ => String::new(),
    };
    let is_keyed = || names::LISTS.iter().any(|list| document[*list].is_object());
    document.is_object() && (version == "1" || version.starts_with("1.") || (version.is_empty() && is_keyed()))
}

impl Old {
    /// Says of a model, or of what is wrong with it, what its file calls things; with what was left out.
    pub fn told(
        self,
        made: std::result::Result<Model, Vec<Diagnostic>>,
        file: &Path,
    ) -> std::result::Result<Model, Vec<Diagnostic>> {
        let told = |list: Vec<Diagnostic>| -> Vec<Diagnostic> {
            let one = |d: Diagnostic| Diagnostic { message: self.names.spoken(&d.message), ..d };
            list.into_iter().map(one).collect()
        };
        let mut model = made.map_err(told)?;
        model.warnings = told(std::mem::take(&mut model.warnings));
        model.warnings.extend(self.warnings.into_iter().map(|fault| fault.in_file(file, Severity::Warning)));
        model.format.name = "glTF 1.0".to_string();
        Ok(model)
    }
}

/// The members of an object, or of none.
#[derive(Clone, Copy)]
struct Members<'v>(Option<&'v Object>);

impl<'v> Members<'v> {
    fn get(self, key: &str) -> Option<&'v Value> {
        self.0.and_then(|members| members.get(key))
    }

    /// A member that is an object.
    fn object(self, key: &str) -> Members<'v> {
        Members(self.get(key).and_then(Value::as_object))
    }

    fn iter(self) -> impl Iterator<Item = (&'v String, &'v Value)> {
        self.0.into_iter().flatten()
    }

    fn cloned(self) -> Object {
        self.0.cloned().unwrap_or_default()
    }
}

/// A member that is an object.
fn object<'v>(of: &'v Object, key: &str) -> Members<'v> {
    Members(Some(of)).object(key)
}

/// Something that is no object where one is needed.
fn not_an_object(path: &str) -> Fault {
    Fault::new(code::VALUE, format!("`{path}` must be an object"))
}

/// Copies members as they are.
fn copy(from: &Object, to: &mut Object, keys: &[&str]) {
    for key in keys {
        if let Some(value) = from.get(*key) {
            to.insert((*key).to_string(), value.clone());
        }
    }
}
