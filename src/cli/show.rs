//! Show: a picture in the terminal, where it can.

use clap::ValueEnum;
use std::env;
use std::io::{IsTerminal, stdout};

use stillframe_frames::terminal::{iterm, kitty, shrunk, sixel};
use stillframe_frames::{Picture, PngEffort, encode_png};

use super::status::Failure;
use super::stdout;

/// How a terminal takes pictures.
#[derive(ValueEnum, Clone, Copy, Debug, PartialEq, Eq)]
pub enum Show {
    // As the terminal is known to take them.
    Auto,
    // kitty, Ghostty.
    Kitty,
    // iTerm2, WezTerm, mintty.
    Iterm,
    // foot, Konsole, mlterm, xterm -ti vt340.
    Sixel,
    // Not at all.
    Never,
}

/// Pixels that a column of text is taken to be wide: wider pictures are made smaller.
const COLUMN_PX: u32 = 10;

impl Show {
    /// What `auto` means here; `Never` where nothing is known.
    pub fn settled(self) -> Show {
        match self {
            Show::Auto if stdout().is_terminal() => of_terminal(&variable),
            Show::Auto => Show::Never,
            other => other,
        }
    }

    /// Draws an 8-bit picture at the cursor.
    pub fn draw(self, picture: &Picture) -> Result<(), Failure> {
        let columns = terminal_columns();
        let fit = columns.filter(|columns| columns.saturating_mul(COLUMN_PX) < picture.width_px);
        let png = || encode_png(picture, PngEffort::Fast).map_err(|error| Failure::Fault(error.to_string()));
        let bytes = match self {
            Show::Kitty => kitty(&png()?, fit),
            Show::Iterm => iterm(&png()?, fit),
            Show::Sixel => {
                let width_px = fit.map_or(picture.width_px, |columns| columns * COLUMN_PX);
                let small = shrunk(picture, width_px).and_then(|small| sixel(&small));
                small.ok_or_else(|| Failure::usage("`--show` takes 8-bit pictures: leave `--bits` out"))?
            }
            Show::Auto | Show::Never => return Ok(()),
        };
        stdout::write(&bytes)
    }
}

#[expect(clippy::disallowed_methods, reason = "terminals say what they are in the environment")]
fn variable(name: &str) -> String {
    env::var(name).unwrap_or_default()
}

fn terminal_columns() -> Option<u32> {
    let size = console::Term::stdout().size_checked();
    size.map(|(_, columns)| u32::from(columns)).filter(|columns| *columns > 0)
}

/// What the terminal takes, by what it says of itself. Between us and it nothing may sit that swallows escape
/// sequences.
fn of_terminal(variable: &dyn Fn(&str) -> String) -> Show {
    let is = |name: &str, word: &str| variable(name).to_lowercase().contains(word);
    if !variable("TMUX").is_empty() || is("TERM", "screen") || is("TERM", "tmux") {
        return Show::Never;
    }
    let program = |word| is("TERM_PROGRAM", word) || is("LC_TERMINAL", word);
    if is("TERM", "kitty") || is("TERM", "ghostty") || program("ghostty") || !variable("KITTY_WINDOW_ID").is_empty() {
        Show::Kitty
    } else if program("iterm") || program("wezterm") || program("mintty") {
        Show::Iterm
    } else if is("TERM", "foot")
        || is("TERM", "mlterm")
        || is("TERM", "sixel")
        || !variable("KONSOLE_VERSION").is_empty()
    {
        Show::Sixel
    } else {
        Show::Never
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn terminals_are_known_by_what_they_say() {
        for (variables, want) in [
            (vec![("TERM", "xterm-kitty")], Show::Kitty),
            (vec![("TERM", "xterm-256color"), ("KITTY_WINDOW_ID", "1")], Show::Kitty),
            (vec![("TERM", "xterm-ghostty")], Show::Kitty),
            (vec![("TERM_PROGRAM", "iTerm.app")], Show::Iterm),
            (vec![("LC_TERMINAL", "iTerm2"), ("TERM", "xterm-256color")], Show::Iterm),
            (vec![("TERM_PROGRAM", "WezTerm")], Show::Iterm),
            (vec![("TERM", "foot-extra")], Show::Sixel),
            (vec![("KONSOLE_VERSION", "230804")], Show::Sixel),
            (vec![("TERM", "xterm-256color")], Show::Never),
            (vec![("TERM_PROGRAM", "Apple_Terminal")], Show::Never),
            (vec![("TERM", "tmux-256color"), ("LC_TERMINAL", "iTerm2")], Show::Never),
            (vec![("TERM", "xterm-kitty"), ("TMUX", "socket,1,0")], Show::Never),
            (vec![], Show::Never),
        ] {
            let variable =
                |name: &str| variables.iter().find(|(n, _)| *n == name).map_or(String::new(), |(_, v)| v.to_string());
            assert_eq!(of_terminal(&variable), want, "{variables:?}");
        }
    }
}
