//! Html: a run as one page for browsers, with its pictures inside. Nothing is loaded from anywhere: the page's own
//! program opens the files of pictures, compares them and shows them. Its parts are the files of `page/`;
//! `docs/report.md` tells of them.

use std::collections::{BTreeMap, BTreeSet};
use std::io;
use std::path::Path;

use minijinja::{Environment, context};
use serde_json::{Value, json};

use super::failure::{Tone, advice};
use super::verdict::verdict;
use super::{is_inside, pictures_of};
use stillframe_base::base64::base64;
use stillframe_base::bounded::refusal;

use crate::run::{CaseRecord, PictureName, Run, Status, read_picture};
use crate::terminal::shrunk;
use crate::{PngEffort, decode_png, encode_png, write_file};

/// How a page is made.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageOptions {
    /// Where a server is behind the page.
    pub live: Option<Live>,
    /// Pictures of more than this, as text, lie beside the page.
    pub inside_max_bytes: u64,
    /// The folder beside the page for those, by name.
    pub beside_folder: String,
    /// Whether there are references that decisions are about. Otherwise two sets of pictures are shown.
    pub decides: bool,
}

impl Default for PageOptions {
    fn default() -> PageOptions {
        PageOptions { live: None, inside_max_bytes: 25 << 20, beside_folder: "report-pictures".into(), decides: true }
    }
}

/// A server that keeps decisions (`stillframe review --web`) and hands out the run's pictures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Live {
    /// What every request says, so that no other page can decide.
    pub token: String,
}

/// A page, and the pictures that lie beside it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    pub html: String,
    /// Names within the run's folder; empty where all pictures are inside.
    pub beside: Vec<PictureName>,
    beside_folder: String,
    /// A picture that is there, and that the disk does not give.
    unreadable: Option<String>,
}

/// Programs and rules of the page, in the order in which they stand there.
const SCRIPTS: [&str; 12] = [
    include_str!("page/dom.js"),
    include_str!("page/data.js"),
    include_str!("page/picture.js"),
    include_str!("page/color.js"),
    include_str!("page/compare.js"),
    include_str!("page/flip.js"),
    include_str!("page/viewer.js"),
    include_str!("page/decide.js"),
    include_str!("page/live.js"),
    include_str!("page/grid.js"),
    include_str!("page/case.js"),
    include_str!("page/keys.js"),
];
const START: &str = include_str!("page/start.js");
const STYLE: &str = include_str!("page/page.css");
const TEMPLATE: &str = include_str!("page/page.html");

/// Width of the small pictures that stay inside a page whose pictures lie beside it.
const THUMB_PX: u32 = 240;

/// A run's page. The run's folder is read for its pictures; those that cannot be read are told of on the page.
pub fn html(run: &Run, options: &PageOptions) -> Page {
    let said = verdict(run);
    let mut notes = said.notes;
    let names = pictures(run);
    let mut unreadable = None;
    let mut sizes: BTreeMap<&str, u64> = BTreeMap::new();
    for name in &names {
        match std::fs::metadata(run.folder.join(name)) {
            Ok(known) => drop(sizes.insert(name, known.len())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => unreadable = Some(format!("{name} cannot be read: {error}")),
        }
    }
    let text_bytes: u64 = sizes.values().map(|size| size.div_ceil(3) * 4).sum();
    let inside = options.live.is_none() && text_bytes <= options.inside_max_bytes;
    let mut blocks = Vec::new();
    let mut beside = Vec::new();
    let mut missing = names.len() - sizes.len();
    if inside {
        for name in sizes.keys() {
            match read_picture(&run.folder, name) {
                Ok(bytes) => blocks.push(block("p:", name, &bytes)),
                Err(error) => {
                    missing += 1;
                    if refusal(&error).is_none() {
                        unreadable.get_or_insert_with(|| format!("{name} cannot be read: {error}"));
                    }
                }
            }
        }
    }
    if missing > 0 {
        notes.push(format!("{missing} of {} pictures of this run are missing from its folder", names.len()));
    }
    if !inside && options.live.is_none() {
        beside = sizes.keys().map(|name| name.to_string()).collect();
        blocks = thumbs(run);
        notes.push(format!(
            "The pictures are {} MB and are next to this page, in the folder {}: keep both together",
            text_bytes.div_ceil(1 << 20),
            options.beside_folder
        ));
    }
    let data = in_script(&data(run, options, &beside, &said.words).to_string());
    let script = format!("'use strict';\n{}\n{START}", SCRIPTS.join("\n"));
    // Nobody who writes a name into a run can know what it will be.
    let nonce = &blake3::hash(format!("{data}{script}").as_bytes()).to_hex().to_string()[..32];
    let (images, connections) = if options.live.is_some() { (" 'self'", "'self'") } else { ("", "'none'") };
    let policy = format!(
        "default-src 'none'; script-src 'nonce-{nonce}'; style-src 'nonce-{nonce}'; img-src data: blob:{images}; \
         connect-src {connections}; base-uri 'none'; form-action 'none'"
    );
    let failures: Vec<_> = (run.records.iter().filter(|record| record.status.is_failure()))
        .map(|record| context! { name => &record.name, status => record.status.word(), message => &record.message })
        .collect();
    let mut environment = Environment::new();
    environment.add_template("page.html", TEMPLATE).expect("the template is sound: every test renders it");
    let html = environment
        .get_template("page.html")
        .and_then(|template| {
            template.render(context! {
                policy, nonce, failures, notes, data, script, blocks,
                title => title(run), run_line => run_line(run), verdict => said.words,
                tone => if said.green { "good" } else { "bad" }, style => STYLE,
            })
        })
        .expect("all that the template names is given");
    Page { html, beside, beside_folder: options.beside_folder.clone(), unreadable }
}

impl Page {
    /// Writes the page, and the pictures beside it where there are any.
    ///
    /// Errors: of the file system, also those of reading the run's pictures before.
    pub fn write(&self, run: &Run, path: &Path) -> io::Result<()> {
        if let Some(words) = &self.unreadable {
            return Err(io::Error::other(words.clone()));
        }
        let folder = path.parent().unwrap_or(Path::new("")).join(&self.beside_folder);
        if !self.beside.is_empty() {
            std::fs::create_dir_all(&folder)?;
        }
        for name in &self.beside {
            let file = name.rsplit('/').next().unwrap_or(name);
            write_file(&folder.join(format!("{file}.js")), &picture_script(run, name)?)?;
        }
        write_file(path, self.html.as_bytes())
    }
}

/// A picture as a script: pages that are opened from a disk may load nothing else with its bytes.
fn picture_script(run: &Run, name: &str) -> io::Result<Vec<u8>> {
    let mut out = format!("stillframePicture({},\"", Value::from(name)).into_bytes();
    out.extend(base64(&read_picture(&run.folder, name)?));
    out.extend_from_slice(b"\");\n");
    Ok(out)
}

/// Whether a page shows the case with its pictures.
fn is_changed(record: &CaseRecord) -> bool {
    record.status.is_failure() || record.status == Status::KnownFailure
}

/// Pictures that a page needs, each once. The one of the difference is not among them: the page makes its own.
fn pictures(run: &Run) -> BTreeSet<PictureName> {
    let mut out = BTreeSet::new();
    for record in run.records.iter().filter(|record| is_changed(record)) {
        out.extend(pictures_of(record).filter(|name| Some(*name) != record.diff_picture.as_ref()).cloned());
    }
    out
}

/// A picture's file as text in the page.
fn block(prefix: &str, name: &str, bytes: &[u8]) -> minijinja::Value {
    let text = String::from_utf8(base64(bytes)).expect("digits of base64");
    context! { id => format!("{prefix}{name}"), text }
}

/// A small picture of each case whose picture is 8-bit PNG.
fn thumbs(run: &Run) -> Vec<minijinja::Value> {
    let mut names = BTreeSet::new();
    for record in run.records.iter().filter(|record| is_changed(record)) {
        names.extend(
            record.new_picture.as_ref().or(record.old_picture.as_ref()).filter(|name| is_inside(name)).cloned(),
        );
    }
    let small = |name: &PictureName| {
        let picture = decode_png(&read_picture(&run.folder, name).ok()?).ok()?;
        encode_png(&shrunk(&picture, THUMB_PX)?, PngEffort::Fast).ok()
    };
    names.iter().filter_map(|name| Some(block("t:", name, &small(name)?))).collect()
}

/// What the page's program reads.
fn data(run: &Run, options: &PageOptions, beside: &[PictureName], verdict: &str) -> Value {
    let (changed, passed): (Vec<_>, Vec<_>) = run.records.iter().partition(|record| is_changed(record));
    let clusters: Vec<Value> = (run.end.iter().flat_map(|end| &end.clusters))
        .map(|cluster| json!({ "id": cluster.id, "cases": cluster.cases, "words": cluster.words() }))
        .collect();
    let by_status = |value: fn(Status) -> &'static str| -> BTreeMap<&str, &str> {
        Status::ALL.into_iter().map(|status| (status.word(), value(status))).collect()
    };
    let pictures_at = if options.live.is_some() { String::new() } else { format!("{}/", options.beside_folder) };
    json!({
        "schema": "page/1",
        "title": title(run),
        "verdict": verdict,
        "header": run.header,
        "records": changed.iter().map(|record| with_words(record)).collect::<Vec<_>>(),
        "passed": passed.iter().map(|record| json!({ "name": record.name, "status": record.status })).collect::<Vec<_>>(),
        "clusters": clusters,
        "decisions": run.decisions.values().collect::<Vec<_>>(),
        "live": options.live.as_ref().map(|live| json!({ "token": live.token })),
        "pictures_at": pictures_at,
        "beside": beside,
        "statuses": Status::ALL,
        "decides": options.decides,
        "pending_statuses": Status::ALL.into_iter().filter(|status| options.decides && status.is_pending()).collect::<Vec<_>>(),
        "advice": by_status(if options.decides { advice } else { apart }),
        "tones": by_status(|status| Tone::of(status).word()),
    })
}

/// A record with what the page would otherwise have to put into words again.
fn with_words(record: &CaseRecord) -> Value {
    let mut out = json!(record);
    if let Some(inputs) = &record.inputs {
        out["inputs_words"] = json!(inputs.lines());
    }
    out
}

/// What a status says of two sets of pictures.
fn apart(status: Status) -> &'static str {
    match status {
        Status::New => "only the new set has this picture",
        Status::Gone => "only the old set has this picture",
        Status::Size => "size or format are not the old picture's",
        Status::Invalid => "one of the files cannot be read",
        status if status.is_failure() => "the pictures differ",
        _ => "the pictures are the same",
    }
}

fn title(run: &Run) -> String {
    if run.header.id.is_empty() { "Stillframe".into() } else { format!("Stillframe run {}", run.header.id) }
}

fn run_line(run: &Run) -> String {
    let header = &run.header;
    let mut parts = Vec::new();
    if !header.id.is_empty() {
        parts.push(format!("run {}", header.id));
    }
    if !header.partition.is_empty() {
        parts.push(format!("part {}", header.partition));
    }
    parts.extend([&header.adapter, &header.commit].into_iter().filter(|text| !text.is_empty()).cloned());
    if let Some(end) = &run.end {
        parts.push(format!("{:.1} s", end.wall_ms / 1000.0));
    }
    parts.join(" · ")
}

/// JSON that can stand in a script element: nothing in it ends one.
fn in_script(json: &str) -> String {
    json.replace('<', "\\u003c")
}
