//! Folder: a run on the disk, written as it goes and read back later.

use std::collections::BTreeMap;
use std::fs::{self, OpenOptions};
use std::io::{self, ErrorKind, Write};
use std::path::{Path, PathBuf};

use serde_json::Value;
use stillframe_base::bounded;
use stillframe_base::par::Pool;

use super::decision::{Decision, Verb};
use super::header::{Cluster, RunEnd, RunHeader};
use super::record::CaseRecord;
use crate::exr_file::encode_plain_exr;
use crate::passes::passes_root;
use crate::png_file::{DecodeLimits, PngEffort, encode_png};
use crate::{Format, Picture, PixelHash, SampleKind, decode_pictures, write_file};

/// A picture of a run: its file, from the run's folder.
pub type PictureName = String;

/// A run that is being written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunFolder {
    path: PathBuf,
}

/// A run as it lies on the disk.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Run {
    pub folder: PathBuf,
    pub header: RunHeader,
    /// Sorted by name.
    pub records: Vec<CaseRecord>,
    /// `None`: the run was cut off.
    pub end: Option<RunEnd>,
    /// The last word on each case, by name.
    pub decisions: BTreeMap<String, Decision>,
}

/// Why a run cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error("{} cannot be read: {error}", file.display())]
    Read { file: PathBuf, error: io::Error },
    #[error("{}:{line_number}: {message}", file.display())]
    Line { file: PathBuf, line_number: usize, message: String },
    #[error("{} is not a run: it has no `run.jsonl`", .0.display())]
    NoRun(PathBuf),
}

const RECORDS: &str = "run.jsonl";
const DECISIONS: &str = "decisions.jsonl";
/// Bytes that the records of a run, or the decisions about it, may have.
const LINES_MAX_BYTES: u64 = 2 << 30;
/// Bytes that a list of passes may have.
const PASSES_MAX_BYTES: u64 = 256 << 20;
/// Bytes that a picture's file may have.
const PICTURE_MAX_BYTES: u64 = 4 << 30;

impl RunFolder {
    /// Makes the next folder below `runs`, numbered on from the last one. Two programs at once get one each.
    pub fn create(runs: &Path) -> io::Result<RunFolder> {
        fs::create_dir_all(runs)?;
        let mut number = numbers(runs)?.last().map_or(1, |(number, _)| number + 1);
        loop {
            let path = runs.join(format!("{number:06}"));
            match fs::create_dir(&path) {
                Ok(()) => {
                    fs::create_dir(path.join("pictures"))?;
                    fs::create_dir(path.join("passes"))?;
                    return Ok(RunFolder { path });
                }
                Err(error) if error.kind() == ErrorKind::AlreadyExists => number += 1,
                Err(error) => return Err(error),
            }
        }
    }

    /// A folder that another process of the same run has made.
    pub fn open(path: &Path) -> RunFolder {
        RunFolder { path: path.to_path_buf() }
    }

    pub fn path(&self) -> &Path {
        &self.path
    }

    /// The folder's own name.
    pub fn id(&self) -> String {
        self.path.file_name().unwrap_or_default().to_string_lossy().into_owned()
    }

    /// Keeps a picture, each once.
    pub fn keep(&self, picture: &Picture, pool: &Pool) -> io::Result<PictureName> {
        let (hash, exact) = (picture.hash(), is_exact(picture.samples.kind()));
        let name = picture_name(hash, exact);
        let path = self.path.join(&name);
        if !path.exists() {
            let bytes = if exact {
                encode_png(picture, PngEffort::Fast).map_err(io::Error::other)?
            } else {
                encode_plain_exr(picture, pool).map_err(io::Error::other)?
            };
            write_file(&path, &bytes)?;
        }
        Ok(name)
    }

    /// A picture that was kept; none where there is no such file.
    ///
    /// Errors: a file that cannot be read, and one that is another picture.
    pub fn picture(&self, hash: PixelHash, format: Format) -> io::Result<Option<Picture>> {
        let name = picture_name(hash, is_exact(format.kind));
        let Some(bytes) = if_there(read_picture(&self.path, &name))? else { return Ok(None) };
        let wrong = |message: String| io::Error::new(ErrorKind::InvalidData, format!("{name}: {message}"));
        let pictures = decode_pictures(&bytes, &DecodeLimits::default()).map_err(|error| wrong(error.to_string()))?;
        let picture = pictures.into_iter().next().map(|named| named.picture);
        match picture.filter(|picture| picture.hash() == hash) {
            Some(picture) => Ok(Some(picture)),
            None => Err(wrong("it is another picture than its name says".into())),
        }
    }

    /// Keeps the hashes of a frame's passes; their root.
    pub fn keep_passes(&self, text: &str) -> io::Result<PixelHash> {
        let root = passes_root(text);
        let path = self.path.join(passes_name(root));
        // Draws that were looked at later join the passes.
        if !path.exists() || text.lines().any(|line| line.starts_with(' ')) {
            write_file(&path, text.as_bytes())?;
        }
        Ok(root)
    }

    /// Keeps what a picture was made from; its hash.
    pub fn keep_inputs(&self, text: &str) -> io::Result<PixelHash> {
        let root = PixelHash::of_text(text);
        let path = self.path.join(inputs_name(root));
        if !path.exists() {
            fs::create_dir_all(path.parent().unwrap_or(&self.path))?;
            write_file(&path, text.as_bytes())?;
        }
        Ok(root)
    }

    /// What a picture was made from, as text; none where there is no such file.
    ///
    /// Errors: as [`RunFolder::passes`].
    pub fn inputs(&self, root: PixelHash) -> io::Result<Option<String>> {
        self.text(&inputs_name(root), |text| PixelHash::of_text(text) == root)
    }

    /// Adds lines to `run.jsonl`.
    pub fn add_lines(&self, lines: &str) -> io::Result<()> {
        append(&self.path.join(RECORDS), lines)
    }

    /// The text of a frame's pass hashes; none where there is no such file.
    ///
    /// Errors: a file that cannot be read, and one that is another list.
    pub fn passes(&self, root: PixelHash) -> io::Result<Option<String>> {
        self.text(&passes_name(root), |text| passes_root(text) == root)
    }

    fn text(&self, name: &str, is_whole: impl Fn(&str) -> bool) -> io::Result<Option<String>> {
        let named = |error: io::Error| io::Error::new(error.kind(), format!("{name}: {error}"));
        let text = if_there(bounded::read_text(&self.path.join(name), PASSES_MAX_BYTES)).map_err(named)?;
        match text {
            Some(text) if !is_whole(&text) => {
                Err(named(io::Error::new(ErrorKind::InvalidData, "it is cut short, or another list")))
            }
            text => Ok(text),
        }
    }

    /// Adds lines to a file of somebody else's in the run's folder.
    pub fn append(&self, file: &str, lines: &str) -> io::Result<()> {
        append(&self.path.join(file), lines)
    }

    /// Adds decisions.
    pub fn decide(&self, decisions: &[Decision]) -> io::Result<()> {
        let lines: String = decisions
            .iter()
            .map(|decision| serde_json::to_string(decision).expect("names and hashes") + "\n")
            .collect();
        append(&self.path.join(DECISIONS), &lines)
    }
}

/// The bytes of a picture of a run, by its name from the run's folder.
///
/// Errors: those of reading, and a file over the limit.
pub fn read_picture(run: &Path, name: &str) -> io::Result<Vec<u8>> {
    bounded::read(&run.join(name), PICTURE_MAX_BYTES)
}

/// No file is no error.
fn if_there<T>(read: io::Result<T>) -> io::Result<Option<T>> {
    match read {
        Err(error) if error.kind() == ErrorKind::NotFound => Ok(None),
        read => read.map(Some),
    }
}

/// Whether PNG holds such samples.
fn is_exact(kind: SampleKind) -> bool {
    matches!(kind, SampleKind::U8 | SampleKind::U16)
}

fn picture_name(hash: PixelHash, exact: bool) -> PictureName {
    format!("pictures/{}.{}", hash.hex(), if exact { "png" } else { "exr" })
}

/// Where a run keeps the hashes of passes with this root.
fn passes_name(root: PixelHash) -> String {
    format!("passes/{}.passes", root.hex())
}

/// Where a run keeps a list of inputs.
fn inputs_name(root: PixelHash) -> String {
    format!("inputs/{}.inputs", root.hex())
}

/// One write, so that lines of two processes do not mix.
fn append(path: &Path, lines: &str) -> io::Result<()> {
    OpenOptions::new().create(true).append(true).open(path)?.write_all(lines.as_bytes())
}

/// Runs below a folder with their numbers, ascending.
pub(crate) fn numbers(runs: &Path) -> io::Result<Vec<(u64, PathBuf)>> {
    let mut out = Vec::new();
    for entry in fs::read_dir(runs)? {
        let path = entry?.path();
        let number = path.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse().ok());
        let Some(number) = number else { continue };
        // One that cannot be seen is not skipped: an older run would be the newest.
        if if_there(fs::metadata(&path))?.is_some_and(|known| known.is_dir()) {
            out.push((number, path));
        }
    }
    out.sort();
    Ok(out)
}

/// The newest run below a folder; none where there is no run, or no such folder.
///
/// Errors: of the file system. A run that cannot be seen must not make an older one the newest.
pub fn newest(runs: &Path) -> io::Result<Option<PathBuf>> {
    for (_, path) in if_there(numbers(runs))?.unwrap_or_default().into_iter().rev() {
        if path.join(RECORDS).try_exists()? {
            return Ok(Some(path));
        }
    }
    Ok(None)
}

/// Removes all runs below a folder but the newest `kept`.
pub fn prune(runs: &Path, kept: usize) -> io::Result<()> {
    let all = numbers(runs)?;
    let old = all.len().saturating_sub(kept);
    all.into_iter().take(old).try_for_each(|(_, path)| fs::remove_dir_all(path))
}

impl Run {
    /// Reads a run's folder.
    ///
    /// Errors: no run, or lines that are none. A last line without its end is what a cut-off run leaves, and is left
    ///         out.
    pub fn read(folder: &Path) -> Result<Run, RunError> {
        let file = folder.join(RECORDS);
        let text = match bounded::read_text(&file, LINES_MAX_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Err(RunError::NoRun(folder.to_path_buf())),
            other => other.map_err(|error| RunError::Read { file: file.clone(), error })?,
        };
        let mut run = Run {
            folder: folder.to_path_buf(),
            header: RunHeader::default(),
            records: Vec::new(),
            end: None,
            decisions: BTreeMap::new(),
        };
        let whole = text.rfind('\n').map_or("", |end| &text[..end]);
        for (index, line) in whole.lines().enumerate() {
            let bad = |message: String| RunError::Line { file: file.clone(), line_number: index + 1, message };
            run.take_line(line).map_err(bad)?;
        }
        run.records.sort_by(|a, b| a.name.cmp(&b.name));
        // A case that was run again, after the process that ran it died, counts as it ended last.
        run.records.reverse();
        run.records.dedup_by(|a, b| a.name == b.name);
        run.records.reverse();
        run.name_clusters();
        run.read_decisions()?;
        Ok(run)
    }

    fn take_line(&mut self, line: &str) -> Result<(), String> {
        let value: Value = serde_json::from_str(line).map_err(|error| error.to_string())?;
        let schema = value.get("schema").and_then(Value::as_str).unwrap_or_default().to_string();
        let told = |error: serde_json::Error| error.to_string();
        match schema.as_str() {
            "run/1" => self.header = serde_json::from_value(value).map_err(told)?,
            "case/1" => self.records.push(serde_json::from_value(value).map_err(told)?),
            "run-end/1" => self.end = Some(serde_json::from_value(value).map_err(told)?),
            other => return Err(format!("`{other}` is not a schema of a run's lines")),
        }
        Ok(())
    }

    /// Clusters are known at the end only; the records of their cases name them all the same.
    fn name_clusters(&mut self) {
        let Some(end) = &self.end else { return };
        let mut ids: BTreeMap<&str, &str> = BTreeMap::new();
        for cluster in &end.clusters {
            ids.extend(cluster.cases.iter().map(|name| (name.as_str(), cluster.id.as_str())));
        }
        for record in &mut self.records {
            if let (Some(why), Some(id)) = (&mut record.why_differs, ids.get(record.name.as_str())) {
                why.cluster = id.to_string();
            }
        }
    }

    fn read_decisions(&mut self) -> Result<(), RunError> {
        let file = self.folder.join(DECISIONS);
        let text = match bounded::read_text(&file, LINES_MAX_BYTES) {
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            other => other.map_err(|error| RunError::Read { file: file.clone(), error })?,
        };
        let bad = |(line_number, message)| RunError::Line { file: file.clone(), line_number, message };
        for decision in super::parse_decisions(&text).map_err(bad)? {
            self.decisions.insert(decision.name.clone(), decision);
        }
        Ok(())
    }

    pub fn find(&self, name: &str) -> Option<&CaseRecord> {
        self.records.binary_search_by(|record| record.name.as_str().cmp(name)).ok().map(|at| &self.records[at])
    }

    /// Failures that look like one cause, the largest first; none while the run has no end.
    pub fn clusters(&self) -> &[Cluster] {
        self.end.as_ref().map(|end| end.clusters.as_slice()).unwrap_or_default()
    }

    /// Cases that were to be run and have no record. A case that was moved is two: the new name and the reference
    /// without a case.
    pub fn missing(&self) -> usize {
        let moved = self.records.iter().filter(|record| record.moved_from.is_some()).count();
        (self.header.case_count as usize).saturating_sub(self.records.len() + moved)
    }

    /// Cases that wait for a decision.
    pub fn pending(&self) -> impl Iterator<Item = &CaseRecord> {
        self.records.iter().filter(|record| record.status.is_pending() && self.decision(record).is_none())
    }

    /// What was said of this very picture.
    pub fn decision(&self, record: &CaseRecord) -> Option<Verb> {
        self.decisions.get(&record.name).filter(|said| said.hash == record.hash).map(|said| said.decision)
    }

    /// As [`RunFolder::passes`].
    pub fn passes(&self, root: PixelHash) -> io::Result<Option<String>> {
        RunFolder::open(&self.folder).passes(root)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Samples;
    use crate::run::Status;

    fn scratch(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("stillframe-run-{}-{name}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        path
    }

    fn line(schema: &str, value: impl serde::Serialize) -> String {
        let mut value = serde_json::to_value(value).unwrap();
        value["schema"] = schema.into();
        format!("{value}\n")
    }

    #[test]
    fn folders_are_numbered_and_pruned() {
        let runs = scratch("numbers");
        let made: Vec<_> = (0..4).map(|_| RunFolder::create(&runs).unwrap()).collect();
        assert_eq!(made[3].id(), "000004");
        assert_eq!(newest(&runs).unwrap(), None, "nothing was written");
        made[2].add_lines(&line("run/1", RunHeader::default())).unwrap();
        assert_eq!(newest(&runs).unwrap().as_deref(), Some(made[2].path()));
        prune(&runs, 2).unwrap();
        assert!(!made[1].path().exists() && made[2].path().exists());
        fs::remove_dir_all(&runs).unwrap();
    }

    #[test]
    fn what_is_written_is_read_even_cut_off() {
        let runs = scratch("lines");
        let folder = RunFolder::create(&runs).unwrap();
        let pool = Pool::new(1);
        let picture = Picture::new(1, 1, 3, Samples::U8(vec![1, 2, 3])).unwrap();
        let name = folder.keep(&picture, &pool).unwrap();
        assert_eq!(folder.keep(&picture, &pool).unwrap(), name);
        let bytes = fs::read(folder.path().join(&name)).unwrap();
        assert_eq!(crate::decode_png(&bytes).unwrap(), picture);
        let floats = Picture::new(1, 1, 2, Samples::F32(vec![1.0, 2.0])).unwrap();
        assert!(folder.keep(&floats, &pool).unwrap().ends_with(".exr"));
        let root = folder.keep_passes("b3:00  scene\n").unwrap();

        folder.add_lines(&line("run/1", RunHeader { id: "1".into(), case_count: 2, ..RunHeader::default() })).unwrap();
        let hash = Some(picture.hash());
        let first = CaseRecord { name: "b".into(), status: Status::New, hash, ..CaseRecord::default() };
        folder.add_lines(&line("case/1", &first)).unwrap();
        folder.add_lines(&line("case/1", CaseRecord::without_picture("a", Status::Crash, "died"))).unwrap();
        folder.add_lines("{\"schema\":\"case/1\",\"na").unwrap();
        let run = Run::read(folder.path()).unwrap();
        assert_eq!((run.header.case_count, run.records.len(), run.end.is_none()), (2, 2, true));
        assert_eq!(run.find("b"), Some(&first));
        assert_eq!(run.passes(root).unwrap().as_deref(), Some("b3:00  scene\n"));
        let other = PixelHash([9; 32]);
        assert_eq!(run.passes(other).unwrap(), None);
        fs::write(folder.path().join(passes_name(other)), "b3:00  scene\n").unwrap();
        assert!(run.passes(other).unwrap_err().to_string().contains("another list"));
        fs::create_dir(folder.path().join(passes_name(PixelHash([8; 32])))).unwrap();
        assert!(run.passes(PixelHash([8; 32])).unwrap_err().to_string().ends_with("it is a folder"));
        assert_eq!(run.pending().count(), 1);

        let said = |hash| Decision { hash, ..Decision::new(&first, Verb::Reject, "") };
        folder.decide(&[said(None)]).unwrap();
        assert_eq!(Run::read(folder.path()).unwrap().pending().count(), 1, "said of another picture");
        folder.decide(&[said(hash)]).unwrap();
        assert_eq!(Run::read(folder.path()).unwrap().pending().count(), 0);
        assert!(matches!(Run::read(&runs), Err(RunError::NoRun(_))));
        fs::remove_dir_all(&runs).unwrap();
    }
}
