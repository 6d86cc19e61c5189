//! Which form a file has: binary or text, and of which version. All become one [`Tree`].
//!
//! In: a file's bytes. Out: its tree of records as a binary file of version 7 has it. Never here: what a record means.

use std::ops::Range;

use super::document::short;
use super::guard::{Cursor, MAGIC};
use super::record::Record;
use super::tree::Tree;
use super::upgrade::{Form, upgrade};
use super::{ascii, old};
use crate::import::text::Plain;
use crate::import::{Budget, Fault, code};

/// A file whose form no longer matters.
#[derive(Debug)]
pub struct Opened {
    pub tree: Tree,
    /// 7400 is 7.4.
    pub version: u32,
    pub form: Form,
    /// What was left out on the way.
    pub warnings: Vec<Fault>,
}

/// What is wrong, and where in the file where it is text.
#[derive(Debug)]
pub struct Misread {
    pub fault: Fault,
    pub span: Option<Range<usize>>,
}

impl From<Fault> for Misread {
    fn from(fault: Fault) -> Misread {
        Misread { fault, span: None }
    }
}

fn unsupported(what: &str) -> Fault {
    Fault::new(code::FBX_VERSION, format!("{what} is not supported; FBX 6.0 to 7.7 is"))
        .help("export it again as \"FBX 2014/2015\" or newer, or as .glb")
}

/// The version, if it is one that is read.
fn known(version: u32) -> Result<u32, Fault> {
    if (6000..8000).contains(&version) {
        return Ok(version);
    }
    Err(unsupported(&format!("FBX {}.{}", version / 1000, version % 1000 / 100)))
}

/// Reads the records of a file.
///
/// Errors: no FBX file, a version that is not read, broken structure, more than the budget.
pub fn open(bytes: &[u8], budget: &mut Budget) -> Result<Opened, Misread> {
    let opened = if bytes.starts_with(MAGIC) { binary(bytes, budget)? } else { text(bytes, budget)? };
    let header = opened.tree.find("FBXHeaderExtension");
    if header.and_then(|header| header.child_integer("EncryptionType")).is_some_and(|kind| kind != 0) {
        let fault = Fault::new(code::FBX_VERSION, "this FBX file is encrypted");
        return Err(fault.help("export it again without a password").into());
    }
    Ok(opened)
}

fn binary(bytes: &[u8], budget: &mut Budget) -> Result<Opened, Fault> {
    let version = Cursor::new(bytes, MAGIC.len()).u32().map_err(|_| {
        Fault::new(code::CONTAINER, "broken FBX file: it ends within its first bytes").help("copy the file again")
    })?;
    let version = known(version)?;
    let mut warnings = Vec::new();
    let tree = if version >= 7000 {
        Tree::read(bytes, version, budget)?
    } else {
        let records = old::records(bytes, budget)?;
        Tree::of(upgrade(records, Form::Binary, version, budget, &mut warnings)?)
    };
    Ok(Opened { tree, version, form: Form::Binary, warnings })
}

fn text(bytes: &[u8], budget: &mut Budget) -> Result<Opened, Misread> {
    let plain = Plain::of(bytes);
    if !ascii::is_fbx(&plain.bytes) {
        let fault = Fault::new(code::NOT_A_MODEL, "this is not an FBX file: it does not start as one");
        return Err(fault.help("export the model again").into());
    }
    // Before version 6 text has another grammar.
    let told = ascii::version_of(&plain.bytes).map(known).transpose()?;
    let records = ascii::records(&plain.bytes, budget)
        .map_err(|(fault, place)| Misread { fault, span: plain.span(place).filter(|span| !span.is_empty()) })?;
    let version = match told.or(declared(&records)) {
        Some(version) => known(version)?,
        None => return Err(unsupported("an FBX file that does not say its version").into()),
    };
    let mut warnings = Vec::new();
    let records = upgrade(records, Form::Text, version, budget, &mut warnings)?;
    Ok(Opened { tree: Tree::of(records), version, form: Form::Text, warnings })
}

/// The version that the header says.
fn declared(records: &[Record]) -> Option<u32> {
    let header = records.iter().find(|record| record.name == "FBXHeaderExtension")?;
    header.child("FBXVersion")?.integer(0)?.try_into().ok()
}

impl Opened {
    /// How the form is told to people.
    pub fn name(&self) -> String {
        let form = if self.form == Form::Text { " (text)" } else { "" };
        short(&format!("FBX {}.{}{form}", self.version / 1000, self.version % 1000 / 100))
    }
}
