//! Page: what `diff` found as one page for browsers, the one that runs have, without decisions.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use stillframe_base::par::Pool;
use stillframe_frames::Picture;
use stillframe_frames::report::{PageOptions, html, quoted};
use stillframe_frames::run::{CaseRecord, Run, RunEnd, RunFolder, RunHeader, Status, Tally, Why};

use super::open::{Opened, open};
use super::told::Told;
use crate::cli::Surroundings;
use crate::cli::status::Failure;

/// A page in the making. Its pictures lie in a folder of their own until it is written.
pub struct Page {
    out: PathBuf,
    command: String,
    scratch: Scratch,
    folder: RunFolder,
    records: Vec<CaseRecord>,
}

/// A folder that goes in the end.
struct Scratch(PathBuf);

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// Whether a file is a page.
pub fn is_page(path: &Path) -> bool {
    path.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("html") || ending.eq_ignore_ascii_case("htm"))
}

impl Page {
    pub fn begin(out: &Path, [old, new]: [&Path; 2]) -> Result<Page, Failure> {
        if !is_page(out) {
            let help = "a page of two folders ends in .html; a picture of a difference is of two files".to_string();
            return Err(Failure::Usage(format!("{}: not a page", out.display()), Some(help)));
        }
        let key = blake3::hash(out.as_os_str().as_encoded_bytes());
        let name = format!("stillframe-diff-{}-{}", std::process::id(), &key.to_hex()[..16]);
        let scratch = Scratch(std::env::temp_dir().join(name));
        let folder = RunFolder::create(&scratch.0).map_err(|error| Failure::of_write(&scratch.0, &error))?;
        let words = [old, new].map(|path| quoted(&path.display().to_string()));
        let command = format!("stillframe diff {} {}", words[0], words[1]);
        Ok(Page { out: out.to_path_buf(), command, scratch, folder, records: Vec::new() })
    }

    pub fn same(&mut self, name: &str) {
        self.records.push(CaseRecord { name: name.into(), ..CaseRecord::default() });
    }

    pub fn unreadable(&mut self, name: &str, words: &str) {
        let record = CaseRecord::without_picture(name, Status::Invalid, words);
        self.records.push(CaseRecord { command: self.command.clone(), ..record });
    }

    /// Every layer and frame that differs. Where none does, the pair is as it must be.
    pub fn pair(&mut self, name: &str, layers: &[Told], pool: &Pool) -> Result<(), Failure> {
        let far: Vec<&Told> = layers.iter().filter(|told| !told.is_within()).collect();
        if far.is_empty() {
            self.same(name);
        }
        for told in far {
            let place = told.place();
            let name = if place.is_empty() { name.to_string() } else { format!("{name}#{place}") };
            let words = told.words().map(str::to_string);
            let mut record = CaseRecord {
                status: if told.has_figures() || words.is_none() { Status::Differs } else { Status::Size },
                message: words,
                ..self.record(&name)
            };
            match told.pair() {
                Some([old, new]) => {
                    record.old_picture = Some(self.keep(old, pool)?);
                    self.show(&mut record, new, pool)?;
                    record.want = Some(old.hash());
                    record.why_differs = Why::of(old, new, pool);
                }
                None if record.message.is_none() => {
                    record.message = told.lines().into_iter().next();
                }
                None => {}
            }
            self.records.push(record);
        }
        Ok(())
    }

    /// A picture of one folder alone, by its first layer or frame.
    pub fn alone(&mut self, name: &str, file: &Path, status: Status, pool: &Pool) -> Result<(), Failure> {
        let picture = match open(file)? {
            Opened::Layers(mut layers) => layers.swap_remove(0).picture,
            Opened::Animation(animation) => {
                let first = animation.frames().next().expect("an animation has a frame");
                first.map_err(|error| Failure::usage(format!("{}: {error}", file.display())))?
            }
        };
        let mut record = CaseRecord { status, ..self.record(name) };
        if status == Status::New {
            self.show(&mut record, &picture, pool)?;
        } else {
            record.old_picture = Some(self.keep(&picture, pool)?);
            record.want = Some(picture.hash());
        }
        self.records.push(record);
        Ok(())
    }

    fn record(&self, name: &str) -> CaseRecord {
        CaseRecord { name: name.into(), command: self.command.clone(), ..CaseRecord::default() }
    }

    fn show(&self, record: &mut CaseRecord, new: &Picture, pool: &Pool) -> Result<(), Failure> {
        record.new_picture = Some(self.keep(new, pool)?);
        record.size_px = [new.width_px, new.height_px];
        record.format = new.format().to_string();
        record.hash = Some(new.hash());
        Ok(())
    }

    fn keep(&self, picture: &Picture, pool: &Pool) -> Result<String, Failure> {
        self.folder.keep(picture, pool).map_err(|error| Failure::of_write(self.folder.path(), &error))
    }

    pub fn end(mut self, surroundings: &Surroundings) -> Result<(), Failure> {
        self.records.sort_by(|a, b| a.name.cmp(&b.name));
        let tally = Tally::of(self.records.iter().map(|record| record.status));
        let header = RunHeader { case_count: self.records.len() as u32, ..RunHeader::default() };
        let run = Run {
            folder: self.folder.path().to_path_buf(),
            header,
            records: self.records,
            end: Some(RunEnd { tally, ..RunEnd::default() }),
            ..Run::default()
        };
        let told = |error: io::Error| Failure::of_write(&self.out, &error);
        if let Some(parent) = self.out.parent().filter(|parent| !parent.as_os_str().is_empty()) {
            fs::create_dir_all(parent).map_err(told)?;
        }
        let page = html(&run, &PageOptions { decides: false, ..PageOptions::default() });
        page.write(&run, &self.out).map_err(told)?;
        drop(self.scratch);
        if surroundings.json.is_none() && !surroundings.quiet {
            crate::cli::stdout::line(&format!("report   {}", self.out.display()))?;
        }
        Ok(())
    }
}
