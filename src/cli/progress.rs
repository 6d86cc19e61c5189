//! Progress on a terminal, for anything over a second.

use std::cell::Cell;
use std::io::{IsTerminal, stderr};
use std::sync::{Arc, Condvar, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::Surroundings;
use crate::take::Stage;

const PATIENCE: Duration = Duration::from_secs(1);

/// A bar that appears after a second. Nothing where standard error is not a terminal.
pub struct Progress {
    shown: Option<Shown>,
}

struct Shown {
    bar: ProgressBar,
    /// Frames are counted, not stages of one.
    by_frames: bool,
    /// Pictures of a mean are counted.
    by_pictures: Cell<bool>,
    done: Arc<(Mutex<bool>, Condvar)>,
    waiter: JoinHandle<()>,
}

impl Progress {
    /// Of `frames` pictures of the input `name`.
    pub fn start(name: &str, frames: usize, surroundings: &Surroundings) -> Progress {
        if surroundings.quiet || !stderr().is_terminal() {
            return Progress { shown: None };
        }
        let (length, template) = match frames {
            1 => (Stage::Done as u64, "{spinner} {prefix} [{bar:20}] {msg} {elapsed}"),
            _ => (frames as u64, "{spinner} {prefix} [{bar:20}] {pos} of {len} frames, {eta} left"),
        };
        let bar = ProgressBar::with_draw_target(Some(length), ProgressDrawTarget::hidden());
        let style = ProgressStyle::with_template(template);
        bar.set_style(style.expect("the template is ours").progress_chars("=> "));
        bar.set_prefix(name.to_string());
        let done = Arc::new((Mutex::new(false), Condvar::new()));
        let waiter = std::thread::spawn({
            let (bar, done) = (bar.clone(), done.clone());
            move || {
                let (flag, changed) = &*done;
                let guard = flag.lock().unwrap_or_else(|poisoned| poisoned.into_inner());
                let waited = changed.wait_timeout_while(guard, PATIENCE, |over| !*over);
                let over = waited.map_or(true, |(guard, _)| *guard);
                if !over {
                    bar.set_draw_target(ProgressDrawTarget::stderr());
                    bar.enable_steady_tick(Duration::from_millis(100));
                }
            }
        });
        Progress { shown: Some(Shown { bar, by_frames: frames > 1, by_pictures: Cell::new(false), done, waiter }) }
    }

    pub fn stage(&self, stage: Stage) {
        if let Some(shown) = &self.shown {
            if !shown.by_frames && !shown.by_pictures.get() {
                shown.bar.set_position(stage as u64);
            }
            shown.bar.set_message(stage.name());
        }
    }

    /// Shows how many pictures of a mean are drawn.
    pub fn pictures(&self, done: u32, count: u32) {
        let Some(shown) = self.shown.as_ref().filter(|shown| !shown.by_frames) else { return };
        if !shown.by_pictures.replace(true) {
            let style =
                ProgressStyle::with_template("{spinner} {prefix} [{bar:20}] {pos} of {len} pictures, {eta} left");
            shown.bar.set_style(style.expect("the template is ours").progress_chars("=> "));
            shown.bar.set_length(u64::from(count));
        }
        shown.bar.set_position(u64::from(done));
    }

    /// Makes room for a message; the bar returns with the next step.
    pub fn pause(&self) {
        if let Some(shown) = &self.shown {
            shown.bar.suspend(|| ());
        }
    }

    /// A frame is done.
    pub fn frame(&self) {
        if let Some(shown) = self.shown.as_ref().filter(|shown| shown.by_frames) {
            shown.bar.inc(1);
        }
    }

    /// Takes the bar away.
    pub fn stop(mut self) {
        self.end();
    }

    fn end(&mut self) {
        let Some(Shown { bar, done, waiter, .. }) = self.shown.take() else { return };
        *done.0.lock().unwrap_or_else(|poisoned| poisoned.into_inner()) = true;
        done.1.notify_all();
        // It ends at once now; a panic in it is not worth another one.
        let _ = waiter.join();
        bar.finish_and_clear();
    }
}

impl Drop for Progress {
    /// Also on the way out of a panic.
    fn drop(&mut self) {
        self.end();
    }
}

/// Things counted on a terminal: how many of how many, and how many failed.
pub struct Count {
    bar: Option<ProgressBar>,
}

impl Count {
    /// `length` 0: nobody knows how many there will be.
    pub fn start(things: &str, length: usize, surroundings: &Surroundings) -> Count {
        if surroundings.quiet || !stderr().is_terminal() || length == 1 {
            return Count { bar: None };
        }
        let known = Some(length as u64).filter(|length| *length > 0);
        let bar = ProgressBar::with_draw_target(known, ProgressDrawTarget::stderr_with_hz(10));
        let template = match known {
            Some(_) => format!("{{spinner}} [{{bar:24}}] {{pos}} of {{len}} {things}{{msg}} {{eta}} left"),
            None => format!("{{spinner}} {{pos}} {things}{{msg}} {{elapsed}}"),
        };
        let style = ProgressStyle::with_template(&template);
        bar.set_style(style.expect("the template is ours").progress_chars("=> "));
        Count { bar: Some(bar) }
    }

    pub fn step(&self, failed: u32) {
        if let Some(bar) = &self.bar {
            bar.inc(1);
            if failed > 0 {
                bar.set_message(format!(", {failed} failed,"));
            }
        }
    }

    /// Prints something while the bar is hidden.
    pub fn over(&self, tell: impl FnOnce()) {
        match &self.bar {
            Some(bar) => bar.suspend(tell),
            None => tell(),
        }
    }

    pub fn end(&self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}
