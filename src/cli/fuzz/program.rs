//! A program that answers lines: started when it is needed, again when it has died, ended when it is not.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel, sync_channel};
use std::time::Duration;

use stillframe_lab::fuzz::{Finding, Kind};

use crate::cli::clock;
use crate::cli::last_words::LastWords;
use crate::cli::status::Failure;

/// Longer lines are no answers.
const LINE_MAX_BYTES: u64 = 1 << 24;
/// Lines that nobody has asked for and that are kept; a program that says more waits.
const LINES_MAX: usize = 16;

/// Somebody's program.
pub struct Program {
    words: Vec<String>,
    timeout_s: f64,
    running: Option<Running>,
}

struct Running {
    child: Child,
    /// Written by a thread: a program that does not read must not stop us.
    orders: Sender<String>,
    answers: Receiver<Vec<u8>>,
    last_words: LastWords,
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Program {
    /// From a command line of a program and its arguments, with quotes around what has spaces; no shell reads it.
    pub fn new(command: &str, timeout_s: f64) -> Result<Program, Failure> {
        let words = words(command).filter(|words| !words.is_empty());
        let words = words.ok_or_else(|| {
            Failure::Usage(format!("`{command}` is not a command"), Some("close every quote".to_string()))
        })?;
        Ok(Program { words, timeout_s, running: None })
    }

    /// Ends it. The next line starts it again.
    pub fn stop(&mut self) {
        self.running = None;
    }

    /// Starts it, if it does not run.
    pub fn start(&mut self) -> Result<(), Failure> {
        if self.running.is_some() {
            return Ok(());
        }
        let mut command = Command::new(&self.words[0]);
        command.args(&self.words[1..]).stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command
            .spawn()
            .map_err(|error| Failure::Usage(format!("cannot start `{}`: {error}", self.words[0]), None))?;
        let last_words = LastWords::of(&mut child);
        let mut stdin = child.stdin.take().expect("asked for above");
        let stdout = child.stdout.take().expect("asked for above");
        let (orders, to_say) = channel::<String>();
        std::thread::spawn(move || {
            for line in to_say {
                if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
                    break;
                }
            }
        });
        let (heard, answers) = sync_channel(LINES_MAX);
        std::thread::spawn(move || {
            let mut lines = BufReader::new(stdout);
            loop {
                let mut line = Vec::new();
                let read = lines.by_ref().take(LINE_MAX_BYTES).read_until(b'\n', &mut line);
                let is_end = !matches!(read, Ok(1..));
                if is_end || heard.send(line).is_err() {
                    break;
                }
            }
        });
        self.running = Some(Running { child, orders, answers, last_words });
        Ok(())
    }

    /// Says a line that has no answer. It must have been started.
    pub fn say(&mut self, line: &str) {
        if let Some(running) = &self.running {
            // One that has died is reported by the next answer.
            let _ = running.orders.send(format!("{line}\n"));
        }
    }

    /// Says a line and waits for the answer. It must have been started.
    ///
    /// Errors: it takes too long, or it is dead. It has been ended then.
    pub fn ask(&mut self, line: &str) -> Result<String, Finding> {
        self.say(line);
        let Some(running) = &mut self.running else {
            return Err(Finding { kind: Kind::Crash, message: "the program does not run".into() });
        };
        let finding = match running.answers.recv_timeout(Duration::from_secs_f64(self.timeout_s)) {
            Ok(line) => return Ok(String::from_utf8_lossy(&line).trim_end().to_string()),
            Err(RecvTimeoutError::Timeout) => {
                Finding { kind: Kind::Hang, message: format!("no answer within {} s", self.timeout_s) }
            }
            Err(RecvTimeoutError::Disconnected) => running.end(self.timeout_s),
        };
        self.stop();
        Err(finding)
    }
}

impl Running {
    /// Why it says nothing more.
    fn end(&mut self, timeout_s: f64) -> Finding {
        let end = clock::now() + Duration::from_secs_f64(timeout_s);
        // It may have closed its output and live on.
        while !matches!(self.child.try_wait(), Ok(Some(_)) | Err(_)) {
            if clock::now() >= end {
                return Finding { kind: Kind::Hang, message: "it closed its output and did not end".into() };
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let told = self.last_words.wait(&mut self.child);
        Finding { kind: Kind::Crash, message: told.split_whitespace().collect::<Vec<_>>().join(" ") }
    }
}

/// The words of a command line. None where a quote is not closed.
fn words(command: &str) -> Option<Vec<String>> {
    let mut out = Vec::new();
    let mut word: Option<String> = None;
    let mut quote = None;
    for c in command.chars() {
        match quote {
            Some(open) if c == open => quote = None,
            Some(_) => word.get_or_insert_default().push(c),
            None if c == '"' || c == '\'' => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            None if c.is_whitespace() => out.extend(word.take()),
            None => word.get_or_insert_default().push(c),
        }
    }
    out.extend(word);
    if quote.is_none() { Some(out) } else { None }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_words_with_quotes() {
        let of = |command: &str| words(command).map(|words| words.join("|"));
        assert_eq!(of("a  -b c").as_deref(), Some("a|-b|c"));
        assert_eq!(of("'a b' \"c 'd'\" e'f g'").as_deref(), Some("a b|c 'd'|ef g"));
        assert_eq!(of("C:\\x.exe ''").as_deref(), Some("C:\\x.exe|"));
        assert_eq!((of("'a"), of("  ").as_deref()), (None, Some("")));
    }
}
