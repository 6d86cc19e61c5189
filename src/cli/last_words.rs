//! Last words: the end of what a process said on standard error, for whoever reports that it died.

use std::io::Read;
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// Bytes of a process's last output that are kept.
const WORDS_MAX: usize = 4096;

/// Listens to a process until it ends.
pub struct LastWords {
    heard: Arc<Mutex<Vec<u8>>>,
    listener: JoinHandle<()>,
}

impl LastWords {
    /// Listens to a child whose standard error is a pipe.
    pub fn of(child: &mut Child) -> LastWords {
        let mut error = child.stderr.take().expect("standard error is a pipe");
        let heard = Arc::new(Mutex::new(Vec::new()));
        let told = Arc::clone(&heard);
        let listener = std::thread::spawn(move || {
            let mut block = [0; 1024];
            while let Ok(count @ 1..) = error.read(&mut block) {
                let mut words = told.lock().expect("no holder panics");
                words.extend_from_slice(&block[..count]);
                let spare = words.len().saturating_sub(WORDS_MAX);
                words.drain(..spare);
            }
        });
        LastWords { heard, listener }
    }

    /// How a child ended that cannot be talked to any more, and its last words. One that lives on is ended.
    pub fn wait(&self, child: &mut Child) -> String {
        for _ in 0..50 {
            if !matches!(child.try_wait(), Ok(None)) {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        // It has no effect on one that has ended.
        let _ = child.kill();
        let how = child.wait().map_or_else(|error| error.to_string(), |status: ExitStatus| status.to_string());
        // What it said may still be under way; a process that it has started may keep the pipe open.
        for _ in 0..50 {
            if self.listener.is_finished() {
                break;
            }
            std::thread::sleep(Duration::from_millis(10));
        }
        let words = self.heard.lock().expect("no holder panics");
        let words = String::from_utf8_lossy(&words);
        match words.trim() {
            "" => format!("the process died ({how})"),
            words => format!("the process died ({how}):\n{words}"),
        }
    }
}

#[cfg(all(test, unix))]
mod tests {
    use std::process::{Command, Stdio};

    use super::*;

    /// A worker that nobody can write to any more waits for its next piece forever.
    #[test]
    fn a_child_that_lives_on_is_ended() {
        let mut child = Command::new("sleep").arg("1000").stderr(Stdio::piped()).spawn().unwrap();
        let words = LastWords::of(&mut child);
        assert!(words.wait(&mut child).starts_with("the process died (signal: 9"));
        let mut child =
            Command::new("sh").args(["-c", "echo last >&2; exit 3"]).stderr(Stdio::piped()).spawn().unwrap();
        let words = LastWords::of(&mut child);
        assert_eq!(words.wait(&mut child), "the process died (exit status: 3):\nlast");
    }
}
