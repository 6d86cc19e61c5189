//! Workers: processes that render and compare, fed with pieces one at a time.
//!
//! Each has a thread here that hands it the next piece, hears what came of it, and starts a new process when it died or
//! took too long: a bad scene costs itself alone.

use std::collections::VecDeque;
use std::io::{BufRead, BufReader, Write};
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Condvar, Mutex};
use std::time::Duration;

use stillframe_frames::run::{CaseRecord, Status};

use crate::cli::last_words::LastWords;
use crate::harness::{Piece, Setup};

/// A piece, and how many workers' share of the machine it takes.
#[derive(Clone, Debug)]
pub struct Task {
    pub piece: Piece,
    pub weight: u32,
    pub timeout: Duration,
}

/// Runs tasks on `jobs` processes. `done` hears the records of each piece, in the order in which they end, and says
/// whether to go on. What was not begun when it said no is left out.
pub fn run(tasks: Vec<Task>, jobs: u32, setup: &Setup, done: &mut dyn FnMut(Vec<CaseRecord>) -> bool) {
    let queue = Arc::new(Queue::new(tasks, jobs));
    let setup = serde_json::to_string(setup).expect("paths and numbers");
    let (sender, records) = channel();
    let threads: Vec<_> = (0..jobs)
        .map(|_| {
            let (queue, setup, sender) = (Arc::clone(&queue), setup.clone(), sender.clone());
            std::thread::spawn(move || feed(&queue, &setup, &sender))
        })
        .collect();
    drop(sender);
    for of_piece in records {
        if !done(of_piece) {
            queue.stop();
        }
    }
    for thread in threads {
        thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
    }
}

/// Tasks that wait, and the share of the machine that is free.
struct Queue {
    state: Mutex<(VecDeque<Task>, u32)>,
    changed: Condvar,
    jobs: u32,
}

impl Queue {
    fn new(tasks: Vec<Task>, jobs: u32) -> Queue {
        Queue { state: Mutex::new((tasks.into(), jobs)), changed: Condvar::new(), jobs }
    }

    /// The next task once there is room for it.
    fn take(&self) -> Option<(Task, u32)> {
        let mut state = self.state.lock().expect("no holder panics");
        loop {
            let weight = state.0.front()?.weight.clamp(1, self.jobs);
            if state.1 >= weight {
                state.1 -= weight;
                return state.0.pop_front().map(|task| (task, weight));
            }
            state = self.changed.wait(state).expect("no holder panics");
        }
    }

    fn give_back(&self, weight: u32) {
        self.state.lock().expect("no holder panics").1 += weight;
        self.changed.notify_all();
    }

    fn stop(&self) {
        self.state.lock().expect("no holder panics").0.clear();
        self.changed.notify_all();
    }
}

/// One worker's whole life, and those of its successors.
fn feed(queue: &Queue, setup: &str, sender: &Sender<Vec<CaseRecord>>) {
    let mut worker = None;
    while let Some((task, weight)) = queue.take() {
        let records = match worker.take().map_or_else(|| Worker::start(setup), Ok) {
            Ok(mut running) => {
                let outcome = running.piece(&task);
                if outcome.is_ok() {
                    worker = Some(running);
                }
                outcome.unwrap_or_else(|(status, message)| failed(&task.piece, status, &message))
            }
            Err(error) => failed(&task.piece, Status::Crash, &format!("cannot start a process: {error}")),
        };
        queue.give_back(weight);
        if sender.send(records).is_err() {
            return;
        }
    }
}

/// The records of a piece that a process died of.
fn failed(piece: &Piece, status: Status, message: &str) -> Vec<CaseRecord> {
    let record = |case: &crate::harness::Case| CaseRecord {
        scene: piece.scene.clone(),
        why: piece.why.clone(),
        tags: piece.tags.clone(),
        ..CaseRecord::without_picture(&case.name, status, message)
    };
    piece.cases.iter().map(record).collect()
}

struct Worker {
    child: Child,
    input: ChildStdin,
    lines: Receiver<String>,
    words: LastWords,
}

impl Worker {
    fn start(setup: &str) -> std::io::Result<Worker> {
        let mut child = Command::new(std::env::current_exe()?)
            .args(["test", "--worker"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let input = child.stdin.take().expect("asked for above");
        let output = child.stdout.take().expect("asked for above");
        let words = LastWords::of(&mut child);
        let (sender, lines) = channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                if sender.send(line).is_err() {
                    break;
                }
            }
        });
        let mut worker = Worker { child, input, lines, words };
        writeln!(worker.input, "{setup}")?;
        Ok(worker)
    }

    /// What became of a piece; an error ends the worker.
    fn piece(&mut self, task: &Task) -> Result<Vec<CaseRecord>, (Status, String)> {
        let line = serde_json::to_string(&task.piece).expect("names and numbers");
        if writeln!(self.input, "{line}").and_then(|()| self.input.flush()).is_err() {
            return Err((Status::Crash, self.words.wait(&mut self.child)));
        }
        loop {
            match self.lines.recv_timeout(task.timeout) {
                Ok(line) => {
                    // Lines of others are passed over: libraries may print.
                    if let Some(records) = line.strip_prefix(RECORDS).and_then(|text| serde_json::from_str(text).ok()) {
                        return Ok(records);
                    }
                }
                Err(RecvTimeoutError::Timeout) => {
                    return Err((Status::Timeout, format!("did not finish within {} s", task.timeout.as_secs_f64())));
                }
                Err(RecvTimeoutError::Disconnected) => return Err((Status::Crash, self.words.wait(&mut self.child))),
            }
        }
    }
}

/// The start of a line of records.
pub const RECORDS: &str = "records ";

impl Drop for Worker {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
