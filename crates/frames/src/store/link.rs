//! The program `stillframe-remote`, running: an object store as a store of files by content sees it.
//!
//! It is started by the first question and ends with its input. Several files are under way at once, since each takes a
//! journey over the network. After anything unexpected the program is ended; the next question starts another one.

use std::collections::VecDeque;
use std::fmt::Display;
use std::io::{BufReader, BufWriter, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use crate::store::blob::BlobKey;
use crate::store::error::StoreError;
use crate::store::folder::Stored;
use crate::store::wire::{self, Hello, KEYS_MAX, Reply, Request, VERSION};

/// Files under way at once. Requests of as many small messages fit into a pipe.
const UNDER_WAY_MAX: usize = 16;

/// How to reach an object store.
#[derive(Debug)]
pub struct Link {
    program: PathBuf,
    address: String,
    running: Mutex<Option<Running>>,
}

#[derive(Debug)]
struct Running {
    child: Child,
    to: Option<BufWriter<ChildStdin>>,
    from: BufReader<ChildStdout>,
}

impl Link {
    pub fn new(program: &Path, address: &str) -> Link {
        Link { program: program.to_path_buf(), address: address.to_string(), running: Mutex::new(None) }
    }

    /// Where a file is, for people.
    pub fn place_of(&self, key: BlobKey) -> String {
        format!("{}/{}", self.address, key.path())
    }

    /// Sizes of files, none for those that are not there.
    pub fn sizes(&self, keys: &[BlobKey]) -> Result<Vec<Option<u64>>, StoreError> {
        self.talk(|running| {
            let mut out = Vec::new();
            for part in keys.chunks(KEYS_MAX) {
                running.send(&Request::Exists { keys: part.iter().map(BlobKey::path).collect() }, b"")?;
                match running.answer()? {
                    Reply::Sizes { sizes } if sizes.len() == part.len() => out.extend(sizes),
                    other => return Err(unexpected(&other)),
                }
            }
            Ok(out)
        })
    }

    /// Fetches files, in order; `take` gets none for those that are not there.
    pub fn fetch(
        &self,
        keys: &[BlobKey],
        take: &mut dyn FnMut(BlobKey, Option<Vec<u8>>) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let mut taken = Ok(());
        self.talk(|running| {
            let mut waiting = keys.iter();
            let mut under_way = VecDeque::new();
            loop {
                while under_way.len() < UNDER_WAY_MAX
                    && let Some(key) = waiting.next()
                {
                    running.send(&Request::Get { key: key.path() }, b"")?;
                    under_way.push_back(*key);
                }
                let Some(key) = under_way.pop_front() else { return Ok(()) };
                let bytes = match running.answer()? {
                    Reply::Found { bytes } => Some(running.bytes(bytes)?),
                    Reply::Absent => None,
                    other => return Err(unexpected(&other)),
                };
                taken = take(key, bytes);
                if taken.is_err() {
                    return Err("stopped".into());
                }
            }
        })
        // The reason to stop is worth more than the stop.
        .or_else(|error| std::mem::replace(&mut taken, Ok(())).and(Err(error)))
    }

    /// Stores files that are not there yet; how many were stored, and their bytes.
    pub fn store(
        &self,
        keys: &[BlobKey],
        read: &mut dyn FnMut(BlobKey) -> Result<Vec<u8>, StoreError>,
    ) -> Result<(usize, u64), StoreError> {
        let mut stored = (0, 0);
        let mut failed = Ok(());
        self.talk(|running| {
            let mut waiting = keys.iter();
            let mut under_way = VecDeque::new();
            loop {
                while under_way.len() < UNDER_WAY_MAX
                    && let Some(key) = waiting.next()
                {
                    let bytes = match read(*key) {
                        Ok(bytes) => bytes,
                        Err(error) => {
                            failed = Err(error);
                            return Err("stopped".into());
                        }
                    };
                    let length = bytes.len() as u64;
                    running.send(&Request::Put { key: key.path(), bytes: length }, &bytes)?;
                    under_way.push_back(length);
                }
                let Some(length) = under_way.pop_front() else { return Ok(()) };
                match running.answer()? {
                    Reply::Stored => stored = (stored.0 + 1, stored.1 + length),
                    Reply::Known => {}
                    other => return Err(unexpected(&other)),
                }
            }
        })
        .or_else(|error| std::mem::replace(&mut failed, Ok(())).and(Err(error)))?;
        Ok(stored)
    }

    /// All files, in order of keys. What is no file of ours is left out.
    pub fn list(&self) -> Result<Vec<Stored>, StoreError> {
        let mut out = self.talk(|running| {
            let mut out = Vec::new();
            running.send(&Request::List { prefix: String::new() }, b"")?;
            loop {
                match running.answer()? {
                    Reply::Listed { files, has_more } => {
                        let known = files.iter().filter_map(|(path, bytes)| Some((BlobKey::parse(path)?, *bytes)));
                        out.extend(known.map(|(key, bytes)| Stored { key, bytes }));
                        if !has_more {
                            return Ok(out);
                        }
                    }
                    other => return Err(unexpected(&other)),
                }
            }
        })?;
        out.sort();
        Ok(out)
    }

    /// Removes files; those that are gone already do not matter.
    pub fn delete(&self, keys: &[BlobKey]) -> Result<(), StoreError> {
        self.talk(|running| {
            for part in keys.chunks(KEYS_MAX) {
                running.send(&Request::Delete { keys: part.iter().map(BlobKey::path).collect() }, b"")?;
                match running.answer()? {
                    Reply::Deleted { .. } => {}
                    other => return Err(unexpected(&other)),
                }
            }
            Ok(())
        })
    }

    /// Starts the program if it does not run, and ends it after a failure.
    fn talk<T>(&self, questions: impl FnOnce(&mut Running) -> Result<T, String>) -> Result<T, StoreError> {
        let mut slot = self.running.lock().unwrap_or_else(PoisonError::into_inner);
        let mut running = match slot.take() {
            Some(running) => running,
            None => self.start()?,
        };
        match questions(&mut running) {
            Ok(value) => {
                *slot = Some(running);
                Ok(value)
            }
            Err(message) => {
                let message = running.end(message);
                Err(StoreError::Remote { address: self.address.clone(), message })
            }
        }
    }

    fn start(&self) -> Result<Running, StoreError> {
        let no_program = |message: String| StoreError::NoProgram { address: self.address.clone(), message };
        let spawned = Command::new(&self.program)
            .args(["serve", &self.address])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn();
        let mut child = spawned.map_err(|error| no_program(format!("{}: {error}", self.program.display())))?;
        let to = child.stdin.take().map(BufWriter::new);
        let from = BufReader::new(child.stdout.take().expect("asked for above"));
        let mut running = Running { child, to, from };
        match wire::read::<Hello>(&mut running.from) {
            Ok(Some(hello)) if hello.stillframe_remote == VERSION => Ok(running),
            Ok(Some(hello)) => {
                let message = format!(
                    "{} speaks version {} of the messages, this program version {VERSION}",
                    self.program.display(),
                    hello.stillframe_remote
                );
                running.end(String::new());
                Err(no_program(message))
            }
            Ok(None) => {
                let message = running.end("it ended at once".into());
                Err(StoreError::Remote { address: self.address.clone(), message })
            }
            Err(error) => {
                running.end(String::new());
                Err(no_program(format!("{} is another program: {error}", self.program.display())))
            }
        }
    }
}

impl Running {
    fn send(&mut self, request: &Request, bytes: &[u8]) -> Result<(), String> {
        let to = self.to.as_mut().expect("there until the end");
        wire::write(to, request, bytes).map_err(ended)
    }

    fn answer(&mut self) -> Result<Reply, String> {
        // What was asked may still wait here.
        self.to.as_mut().expect("there until the end").flush().map_err(ended)?;
        match wire::read(&mut self.from) {
            Ok(Some(Reply::Failed { message, .. })) => Err(message),
            Ok(Some(reply)) => Ok(reply),
            Ok(None) => Err("stillframe-remote ended in the midst of a conversation".into()),
            Err(error) => Err(ended(error)),
        }
    }

    fn bytes(&mut self, count: u64) -> Result<Vec<u8>, String> {
        wire::read_bytes(&mut self.from, count).map_err(ended)
    }

    /// Ends the program. The message is what it said last of itself, if it ended on its own and said something.
    fn end(&mut self, message: String) -> String {
        self.to = None;
        // It may have ended already.
        let _ = self.child.kill();
        let mut last = String::new();
        if let Some(mut stderr) = self.child.stderr.take() {
            let _ = stderr.by_ref().take(1 << 16).read_to_string(&mut last);
        }
        let _ = self.child.wait();
        match last.trim() {
            "" => message,
            last => last.trim_start_matches("stillframe-remote: ").to_string(),
        }
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        // It ends with its input; nothing is under way.
        self.to = None;
        let _ = self.child.wait();
    }
}

fn ended(error: impl Display) -> String {
    format!("stillframe-remote stopped talking: {error}")
}

fn unexpected(reply: &Reply) -> String {
    format!("stillframe-remote gave an answer to another question: {reply:?}")
}
