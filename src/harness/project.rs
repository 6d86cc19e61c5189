//! Project: the folder of a `stillframe.toml`, and what it says of tests.

use std::path::{Path, PathBuf};

use stillframe_base::bounded;
use stillframe_base::mistaken::utf8;
use stillframe_frames::run::{Run, RunHeader, newest};
use stillframe_frames::store::{Store, StoreAddress, StoreOptions};
use toml_edit::{Item, TableLike};

use crate::scene::toml_document;
use crate::source::{Diagnostic, did_you_mean};

/// Bytes that it may have.
const PROJECT_MAX_BYTES: u64 = 16 << 20;
/// The file that marks a project's folder.
pub const PROJECT_FILE: &str = "stillframe.toml";

/// Where scenes, references and runs are.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// Absolute.
    pub root: PathBuf,
    pub config: Config,
}

/// `[test]` of `stillframe.toml`.
#[derive(Clone, Debug, PartialEq)]
pub struct Config {
    /// Folder of scenes, from the root.
    pub scenes: String,
    /// Folder of references, from the root.
    pub references: String,
    /// `git`, `dir:PATH`, `none` or the address of an object store.
    pub store: String,
    /// A larger picture is no reference.
    pub max_reference_bytes: Option<u64>,
    /// A scene that takes longer is a failure.
    pub timeout_s: f64,
    /// A case that takes longer is told.
    pub slow_s: f64,
    /// Runs that are kept.
    pub kept_runs: usize,
    /// Cases that run beside few others.
    pub groups: Vec<Group>,
}

/// Cases that take more than one worker's share of the machine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    /// Filters, as on the command line.
    pub filters: Vec<String>,
    /// Workers that one scene of it counts for.
    pub weight: u32,
}

impl Default for Config {
    fn default() -> Config {
        Config {
            scenes: "scenes".into(),
            references: "references".into(),
            store: "git".into(),
            max_reference_bytes: None,
            timeout_s: 60.0,
            slow_s: 5.0,
            kept_runs: 10,
            groups: Vec::new(),
        }
    }
}

/// Codes of complaints about the project's file and where its scenes lie.
pub(super) mod code {
    pub const UNREADABLE: &str = "E0701";
    pub const SYNTAX: &str = "E0702";
    pub const UNKNOWN: &str = "E0703";
    pub const VALUE: &str = "E0704";
    pub const NO_FAMILY: &str = "E0705";
}

impl Project {
    /// The project that a folder lies in: that of the nearest `stillframe.toml` above. `None`: there is none.
    ///
    /// Errors: what is wrong with its file.
    pub fn around(folder: &Path) -> Result<Option<Project>, Vec<Diagnostic>> {
        let Some(root) = folder.ancestors().find(|folder| folder.join(PROJECT_FILE).is_file()) else {
            return Ok(None);
        };
        let file = root.join(PROJECT_FILE);
        let unreadable = |message: String| Diagnostic::error(code::UNREADABLE, &file, message);
        let bytes = bounded::read(&file, PROJECT_MAX_BYTES)
            .map_err(|error| vec![unreadable(format!("cannot be read: {error}"))])?;
        let text = utf8(bytes).map_err(|error| vec![unreadable(error.message).help_if(error.help)])?;
        Ok(Some(Project { root: root.to_path_buf(), config: parse(&text, &file)? }))
    }

    /// The nearest folder at or above this one where tests of a program keep references, though it has no
    /// `stillframe.toml`: [`stillframe_frames::testing`] leaves runs and lock lines there. A folder with that file ends
    /// the search.
    pub fn of_tests(folder: &Path) -> Option<Project> {
        let plain = |folder: &Path| Project { root: folder.to_path_buf(), config: Config::default() };
        let without_file = folder.ancestors().take_while(|folder| !folder.join(PROJECT_FILE).is_file()).map(plain);
        without_file.filter_map(Project::if_of_tests).next()
    }

    fn if_of_tests(self) -> Option<Project> {
        let run = newest(&self.runs()).ok().flatten();
        let header = run.and_then(|run| Run::read(&run).ok()).map(|run| run.header);
        if let Some(header) = header.filter(|header| header.is_open) {
            return Some(self.for_run(&header));
        }
        // Opening a store may change it; nothing is opened where there is nothing.
        let folder = self.references();
        if !folder.is_dir() {
            return None;
        }
        let store = Store::open(&folder, StoreAddress::Git, StoreOptions::default()).ok()?;
        let is_theirs =
            |family: &String| store.lock(family).is_ok_and(|lock| lock.lines().iter().any(|l| !l.owner().is_scene()));
        store.families().ok()?.iter().any(is_theirs).then_some(self)
    }

    /// The project that a run of a program's tests lies in: `ROOT/target/stillframe/runs/NUMBER`.
    ///
    /// Errors: what is wrong with its `stillframe.toml`.
    pub fn of_run(run: &Path) -> Result<Option<Project>, Vec<Diagnostic>> {
        let Ok(run) = run.canonicalize() else { return Ok(None) };
        let is_open = || Run::read(&run).is_ok_and(|run| run.header.is_open);
        let Some(root) = run.ancestors().nth(4).filter(|root| run.starts_with(root.join("target/stillframe/runs")))
        else {
            return Ok(None);
        };
        if !is_open() {
            return Ok(None);
        }
        if root.join(PROJECT_FILE).is_file() {
            return Project::around(root);
        }
        Ok(Some(Project { root: root.to_path_buf(), config: Config::default() }))
    }

    /// The same project as a run knows it: tests of a program choose their own references and store.
    pub fn for_run(mut self, header: &RunHeader) -> Project {
        if header.is_open && !header.references.is_empty() && !header.store.is_empty() {
            self.config.references.clone_from(&header.references);
            self.config.store.clone_from(&header.store);
        }
        self
    }

    /// Whether it has a `stillframe.toml`. Otherwise it has no scenes.
    pub fn is_marked(&self) -> bool {
        self.root.join(PROJECT_FILE).is_file()
    }

    pub fn scenes(&self) -> PathBuf {
        self.root.join(&self.config.scenes)
    }

    pub fn references(&self) -> PathBuf {
        self.root.join(&self.config.references)
    }

    /// Where runs, and what is known of earlier ones, are kept.
    pub(crate) fn target(&self) -> PathBuf {
        self.root.join("target").join("stillframe")
    }

    pub(crate) fn runs(&self) -> PathBuf {
        self.target().join("runs")
    }

    /// A path below the root as people write it there.
    pub(crate) fn name_of(&self, path: &Path) -> String {
        let inside = path.strip_prefix(&self.root).unwrap_or(path);
        inside.components().map(|part| part.as_os_str().to_string_lossy()).collect::<Vec<_>>().join("/")
    }
}

/// Reads the text of a project's file.
///
/// Errors: all its mistakes.
pub fn parse(text: &str, file: &Path) -> Result<Config, Vec<Diagnostic>> {
    let document = toml_document(text, &mut 0)
        .map_err(|error| vec![Diagnostic::error(code::SYNTAX, file, error.message).at(error.span)])?;
    let mut reading = Reading { file, found: Vec::new() };
    let mut config = Config::default();
    let top = document.as_table();
    reading.known(top, &["test"]);
    if let Some(test) = top.get("test").and_then(|item| reading.table(item, "test")) {
        reading.known(test, KEYS);
        reading.text(test, "scenes", &mut config.scenes);
        reading.text(test, "references", &mut config.references);
        reading.text(test, "store", &mut config.store);
        let mut bytes = None;
        reading.number(test, "max_reference_bytes", 1.0, 1e12, &mut |number| bytes = Some(number as u64));
        config.max_reference_bytes = bytes;
        reading.number(test, "timeout_s", 0.001, 1e6, &mut |number| config.timeout_s = number);
        reading.number(test, "slow_s", 0.001, 1e6, &mut |number| config.slow_s = number);
        reading.number(test, "kept_runs", 1.0, 1e6, &mut |number| config.kept_runs = number as usize);
        if let Some(item) = test.get("group") {
            reading.groups(item, &mut config.groups);
        }
    }
    if reading.found.is_empty() { Ok(config) } else { Err(reading.found) }
}

const KEYS: &[&str] =
    &["scenes", "references", "store", "max_reference_bytes", "timeout_s", "slow_s", "kept_runs", "group"];

struct Reading<'a> {
    file: &'a Path,
    found: Vec<Diagnostic>,
}

impl Reading<'_> {
    fn complain(
        &mut self,
        code: &'static str,
        span: Option<std::ops::Range<usize>>,
        message: String,
        help: Option<String>,
    ) {
        let complaint = Diagnostic { help, ..Diagnostic::error(code, self.file, message) };
        self.found.push(Diagnostic { span, ..complaint });
    }

    /// Every key must be one of these.
    fn known(&mut self, table: &dyn TableLike, keys: &[&str]) {
        for (key, item) in table.iter() {
            if !keys.contains(&key) {
                let span = table.key(key).and_then(|key| key.span()).or(item.span());
                let near = did_you_mean(key, keys.iter().copied()).map(|near| format!("did you mean `{near}`?"));
                let help = near.or(Some(format!("known are {}", keys.join(", "))));
                self.complain(code::UNKNOWN, span, format!("`{key}` is not known here"), help);
            }
        }
    }

    fn table<'t>(&mut self, item: &'t Item, key: &str) -> Option<&'t dyn TableLike> {
        let table = item.as_table_like();
        if table.is_none() {
            self.complain(code::VALUE, item.span(), format!("`{key}` is a table"), None);
        }
        table
    }

    fn text(&mut self, table: &dyn TableLike, key: &str, out: &mut String) {
        let Some(item) = table.get(key) else { return };
        match item.as_str() {
            Some(text) if !text.trim().is_empty() => *out = text.to_string(),
            _ => self.complain(code::VALUE, item.span(), format!("`{key}` is a text"), None),
        }
    }

    fn number(&mut self, table: &dyn TableLike, key: &str, min: f64, max: f64, take: &mut dyn FnMut(f64)) {
        let Some(item) = table.get(key) else { return };
        let number = item.as_float().or(item.as_integer().map(|number| number as f64));
        match number {
            Some(number) if (min..=max).contains(&number) => take(number),
            _ => self.complain(code::VALUE, item.span(), format!("`{key}` is a number from {min} to {max:e}"), None),
        }
    }

    fn groups(&mut self, item: &Item, out: &mut Vec<Group>) {
        let Some(tables) = item.as_array_of_tables() else {
            let help = Some("write `[[test.group]]`".to_string());
            return self.complain(code::VALUE, item.span(), "`group` is a list of tables".to_string(), help);
        };
        for table in tables.iter() {
            self.known(table, &["filter", "weight"]);
            let mut group = Group { filters: Vec::new(), weight: 1 };
            let mut filter = String::new();
            self.text(table, "filter", &mut filter);
            if let Err(error) = stillframe_frames::Filter::parse(&filter) {
                self.complain(code::VALUE, table.get("filter").and_then(Item::span), error.to_string(), None);
            }
            if filter.is_empty() {
                self.complain(code::VALUE, table.span(), "a group needs a `filter`".to_string(), None);
            }
            group.filters.push(filter);
            self.number(table, "weight", 1.0, 1024.0, &mut |number| group.weight = number as u32);
            out.push(group);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_written_has_its_default() {
        assert_eq!(parse("# nothing\n", Path::new("x")), Ok(Config::default()));
        let text = "[test]\nstore = \"none\"\ntimeout_s = 5\nslow_s = 0.5\nmax_reference_bytes = 20480\n\
                    [[test.group]]\nfilter = \"tag:huge\"\nweight = 2\n";
        let config = parse(text, Path::new("x")).unwrap();
        assert_eq!((config.store.as_str(), config.timeout_s, config.slow_s), ("none", 5.0, 0.5));
        assert_eq!(config.max_reference_bytes, Some(20480));
        assert_eq!(config.groups, [Group { filters: vec!["tag:huge".into()], weight: 2 }]);
    }

    #[test]
    fn every_mistake_is_told_in_its_place() {
        let text = "[test]\nstor = \"git\"\ntimeout_s = -1\nscenes = 3\n[[test.group]]\nweight = 0\n[tests]\n";
        let found = parse(text, Path::new("x")).unwrap_err();
        let words: Vec<_> = found.iter().map(|d| (d.code, d.span.as_ref().map(|s| &text[s.clone()]))).collect();
        assert!(words.contains(&("E0703", Some("stor"))), "{words:?}");
        assert!(words.contains(&("E0704", Some("-1"))) && words.contains(&("E0704", Some("3"))), "{words:?}");
        assert!(words.iter().any(|(code, place)| *code == "E0703" && place.is_some_and(|p| p.contains("tests"))));
        assert!(found.iter().any(|d| d.message.contains("needs a `filter`")));
        assert!(found.iter().any(|d| d.help.as_deref() == Some("did you mean `store`?")));
        assert_eq!(parse("[test", Path::new("x")).unwrap_err()[0].code, "E0702");
    }
}
