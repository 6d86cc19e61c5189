//! Interrupt: what happens when the program is asked to end.
//!
//! Files under way are removed, then the signal has its usual end: a shell sees 130 for ^C, and stops the loop that the
//! program ran in.

use std::sync::Arc;

use stillframe_frames::Unfinished;

/// Removes unfinished files when the program is asked to end.
#[cfg(unix)]
pub fn watch(unfinished: &Arc<Unfinished>) {
    use signal_hook::consts::{SIGINT, SIGTERM};
    use signal_hook::iterator::Signals;
    use signal_hook::low_level::emulate_default_handler;

    // Where signals cannot be watched they end the program as ever, and a temporary file may stay.
    let Ok(mut signals) = Signals::new([SIGINT, SIGTERM]) else { return };
    let unfinished = unfinished.clone();
    let _detached = std::thread::Builder::new().name("interrupt".into()).spawn(move || {
        if let Some(signal) = signals.forever().next() {
            let _nothing_begins = unfinished.remove_all();
            if emulate_default_handler(signal).is_err() {
                std::process::exit(130);
            }
        }
    });
}

/// Elsewhere the system ends the program at once, and a temporary file may stay.
#[cfg(not(unix))]
pub fn watch(_unfinished: &Arc<Unfinished>) {}
