//! `frames.lock`: the identities that pictures must have, one line a case, sorted by name.
//!
//! `NAME ADAPTER WxH FORMAT b3:HEX [passes=b3:HEX] [scene=b3:HEX] [owner=tests]`, blanks between. `ADAPTER` is who made
//! the picture: `soft/1` is the software adapter with pixel contract 1. `owner=tests`: the tests of a program compare
//! with the line ([`crate::testing`]), no scene does. A name with blanks, or one that looks like something else,
//! is a JSON string: `"red ball" soft/1 ...`. Lines that start with `#` are comments and are not kept.
//! Sorted, unique lines merge as text; a conflict that was left is an error.

use std::borrow::Cow;
use std::fmt;

use serde::{Deserialize, Serialize};
use stillframe_base::mistaken::{LFS_HELP, LFS_POINTER, is_lfs_pointer};

use crate::hash::PixelHash;
use crate::picture::{Format, SIDE_MAX_PX};

/// All cases of one folder of references, sorted by name, each name once.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Lock {
    lines: Vec<LockLine>,
}

/// What one case must look like.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LockLine {
    /// Not empty.
    pub name: String,
    /// Who made the picture, without blanks: `soft/1` is the software adapter with pixel contract 1.
    pub adapter: String,
    pub width_px: u32,
    pub height_px: u32,
    pub format: Format,
    pub pixels: PixelHash,
    /// Root of the per-pass hashes.
    pub passes: Option<PixelHash>,
    /// Hash of the scene that made it.
    pub scene: Option<PixelHash>,
    /// Of the list of what that scene was made from: [`crate::run::Inputs`].
    pub inputs: Option<PixelHash>,
    pub owner: Owner,
    /// Why it became the reference, where somebody said so.
    pub reason: String,
}

/// Who compares pictures with a reference.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Owner {
    /// A scene of the project.
    #[default]
    Scene,
    /// Tests of a program: [`crate::testing::Tests`].
    Tests,
}

impl Owner {
    pub fn is_scene(&self) -> bool {
        *self == Owner::Scene
    }
}

impl LockLine {
    /// Who compares with this line. References of scenes have a scene's hash, or are the software adapter's.
    pub fn owner(&self) -> Owner {
        let can_be_scene = self.scene.is_some() || self.adapter.starts_with("soft/");
        if can_be_scene { self.owner } else { Owner::Tests }
    }
}

/// A line that is not one.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line_number}: {message}")]
pub struct LockError {
    /// From 1.
    pub line_number: usize,
    pub message: String,
}

impl Lock {
    /// Reads a lock file's text.
    ///
    /// Errors: every line that is wrong, in order: conflict markers, missing or unknown fields, bad hashes, a name
    ///         twice,
    /// lines out of order.
    pub fn parse(text: &str) -> Result<Lock, Vec<LockError>> {
        if is_lfs_pointer(text.as_bytes()) {
            return Err(vec![LockError { line_number: 1, message: format!("{LFS_POINTER}; {LFS_HELP}") }]);
        }
        let mut errors = Vec::new();
        let mut lines: Vec<LockLine> = Vec::new();
        // As editors and version control may leave it: with a mark at its start, with any line ends.
        let text = text.strip_prefix('\u{feff}').unwrap_or(text).replace("\r\n", "\n").replace('\r', "\n");
        for (index, line) in text.lines().enumerate() {
            if line.trim().is_empty() || line.starts_with('#') {
                continue;
            }
            let parsed = parse_line(line).and_then(|parsed| match lines.last() {
                Some(last) if last.name == parsed.name => Err(format!("`{}` a second time", parsed.name)),
                Some(last) if last.name > parsed.name => {
                    Err(format!("`{}` stands after `{}`: lines are sorted by name", parsed.name, last.name))
                }
                _ => Ok(parsed),
            });
            match parsed {
                Ok(parsed) => lines.push(parsed),
                Err(message) => errors.push(LockError { line_number: index + 1, message }),
            }
        }
        if errors.is_empty() { Ok(Lock { lines }) } else { Err(errors) }
    }

    /// In order of names.
    pub fn lines(&self) -> &[LockLine] {
        &self.lines
    }

    pub fn find(&self, name: &str) -> Option<&LockLine> {
        self.position(name).ok().map(|at| &self.lines[at])
    }

    /// Adds the line, or puts it in the place of the one of that name, which it returns.
    pub fn set(&mut self, line: LockLine) -> Option<LockLine> {
        assert!(!line.name.is_empty(), "a case has a name");
        let plain = !line.adapter.is_empty() && !line.adapter.contains(char::is_whitespace);
        assert!(plain, "names of adapters have no blanks: {:?}", line.adapter);
        match self.position(&line.name) {
            Ok(at) => Some(std::mem::replace(&mut self.lines[at], line)),
            Err(at) => {
                self.lines.insert(at, line);
                None
            }
        }
    }

    pub fn remove(&mut self, name: &str) -> Option<LockLine> {
        self.position(name).ok().map(|at| self.lines.remove(at))
    }

    fn position(&self, name: &str) -> Result<usize, usize> {
        self.lines.binary_search_by(|line| line.name.as_str().cmp(name))
    }
}

impl fmt::Display for Lock {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lines.iter().try_for_each(|line| writeln!(f, "{line}"))
    }
}

impl fmt::Display for LockLine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{} {} {}x{} {} {}",
            written(&self.name),
            self.adapter,
            self.width_px,
            self.height_px,
            self.format,
            self.pixels
        )?;
        if let Some(hash) = self.passes {
            write!(f, " passes={hash}")?;
        }
        if let Some(hash) = self.scene {
            write!(f, " scene={hash}")?;
        }
        if let Some(hash) = self.inputs {
            write!(f, " inputs={hash}")?;
        }
        if self.owner == Owner::Tests {
            f.write_str(" owner=tests")?;
        }
        if !self.reason.is_empty() {
            write!(f, "{REASON}{}", quoted(&self.reason))?;
        }
        Ok(())
    }
}

/// Begins the last field of a line: a JSON string.
const REASON: &str = " reason=";

/// What version control leaves at the start of lines that it could not merge.
const CONFLICT_MARKERS: [&str; 4] = ["<<<<<<<", "=======", ">>>>>>>", "|||||||"];

/// A name as it stands in a line: as it is, or as a JSON string where it would be read as something else.
fn written(name: &str) -> Cow<'_, str> {
    // Names that were written without quotes stay so, and a name in quotes of its own is read as one.
    let is_odd = name.contains(char::is_whitespace)
        || name.starts_with(['#', '\u{feff}'])
        || name.starts_with('"') && name.contains('\\')
        || CONFLICT_MARKERS.iter().any(|marker| name.starts_with(marker));
    if is_odd { Cow::Owned(quoted(name)) } else { Cow::Borrowed(name) }
}

/// A JSON string in which every character that could be taken for a blank of another kind can be seen.
fn quoted(name: &str) -> String {
    let mut out = String::from("\"");
    for c in name.chars() {
        match c {
            '"' | '\\' => out.extend(['\\', c]),
            ' ' => out.push(c),
            c if c.is_whitespace() || c.is_control() || c == '\u{feff}' => {
                out.push_str(&format!("\\u{:04x}", c as u32))
            }
            c => out.push(c),
        }
    }
    out + "\""
}

/// The name in quotes that a line starts with, and what follows it; `None` of a plain name.
fn quoted_name(line: &str) -> Option<(String, &str)> {
    let inside = line.strip_prefix('"')?;
    let mut escaped = false;
    let end = inside.find(|c: char| {
        let ends = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        ends
    })?;
    let (text, rest) = line.split_at(end + 2);
    let name: String = serde_json::from_str(text).ok()?;
    (rest.starts_with(char::is_whitespace) && written(&name) == quoted(&name)).then_some((name, rest))
}

/// The name that a line of a lock file begins with; `None` of comments and empty lines.
pub(crate) fn name_of_line(line: &str) -> Option<Cow<'_, str>> {
    if line.starts_with('#') {
        return None;
    }
    match quoted_name(line) {
        Some((name, _)) => Some(Cow::Owned(name)),
        None => line.split_whitespace().next().map(Cow::Borrowed),
    }
}

fn parse_line(line: &str) -> Result<LockLine, String> {
    if CONFLICT_MARKERS.iter().any(|marker| line.starts_with(marker)) {
        return Err("a conflict marker: solve the merge, then make the references again".into());
    }
    let short = || "a line is `NAME ADAPTER WxH FORMAT b3:HEX`".to_string();
    let (name, rest) = match quoted_name(line) {
        Some((name, rest)) => (name, rest),
        None => {
            let (name, rest) = line.trim_start().split_once(char::is_whitespace).ok_or_else(short)?;
            (name.to_string(), rest)
        }
    };
    let (rest, reason) = match rest.split_once(&format!("{REASON}\"")) {
        Some((before, text)) => (before, reason_in(&format!("\"{text}"))?),
        None => (rest, String::new()),
    };
    let fields: Vec<&str> = rest.split_whitespace().collect();
    let [adapter, size, format, pixels, extras @ ..] = &fields[..] else { return Err(short()) };
    if !adapter.contains('/') {
        return Err(format!("`{adapter}` where an adapter such as `soft/1` is expected"));
    }
    let side = |text: &str| text.parse::<u32>().ok().filter(|n| (1..=SIDE_MAX_PX).contains(n));
    let sides = size.split_once('x').and_then(|(w, h)| Some((side(w)?, side(h)?)));
    let (width_px, height_px) = sides.ok_or_else(|| format!("`{size}` is not a size in pixels"))?;
    let format = Format::parse(format).ok_or_else(|| format!("`{format}` is not a format"))?;
    let hash = |text: &str| text.parse::<PixelHash>().map_err(|error| format!("`{text}`: {error}"));
    let mut parsed = LockLine {
        name,
        adapter: adapter.to_string(),
        width_px,
        height_px,
        format,
        pixels: hash(pixels)?,
        passes: None,
        scene: None,
        inputs: None,
        owner: Owner::Scene,
        reason,
    };
    for extra in extras {
        match extra.split_once('=') {
            Some(("passes", text)) if parsed.passes.is_none() => parsed.passes = Some(hash(text)?),
            Some(("scene", text)) if parsed.scene.is_none() => parsed.scene = Some(hash(text)?),
            Some(("inputs", text)) if parsed.inputs.is_none() => parsed.inputs = Some(hash(text)?),
            Some(("owner", "tests")) if parsed.owner.is_scene() => parsed.owner = Owner::Tests,
            _ => return Err(format!("`{extra}` is not known here")),
        }
    }
    Ok(parsed)
}

/// The text of a reason, which ends its line.
fn reason_in(text: &str) -> Result<String, String> {
    serde_json::from_str(text.trim_end()).map_err(|_| format!("`{text}` is not a reason in quotes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "b3:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    #[test]
    fn prints_what_it_reads() {
        let text = format!(
            "crate soft/1 512x256 rgb8 {HASH}\nlamp vulkan/llvmpipe 64x64 r32f {HASH} passes={HASH} scene={HASH}\n\
             shadow/soft soft/12 1x1 rgba16 {HASH} scene={HASH}\nsmall soft/1 2x2 rgba8 {HASH} owner=tests\n"
        );
        let lock = Lock::parse(&text).unwrap();
        assert_eq!(lock.to_string(), text);
        assert_eq!(lock.find("lamp").unwrap().adapter, "vulkan/llvmpipe");
        assert_eq!(lock.find("shadow/soft").unwrap().width_px, 1);
        assert_eq!(lock.find("sofa"), None);
        let owners = ["crate", "lamp", "shadow/soft", "small"].map(|name| lock.find(name).unwrap().owner());
        let unmarked = LockLine { scene: None, ..lock.find("lamp").unwrap().clone() };
        assert_eq!(unmarked.owner(), Owner::Tests);
        assert_eq!(owners, [Owner::Scene, Owner::Scene, Owner::Scene, Owner::Tests]);
    }

    /// Lines of earlier versions have neither.
    #[test]
    fn reasons_and_inputs_come_back() {
        for reason in ["lights fall off", "50 % of \"a\" owner=tests reason=\"x\"", "two\nlines\u{3000}", "# \\ 'q'"] {
            let plain = parse_line(&format!("a soft/1 1x1 rgb8 {HASH} scene={HASH} inputs={HASH}")).unwrap();
            assert!(plain.inputs.is_some() && plain.reason.is_empty());
            let line = LockLine { reason: reason.into(), owner: Owner::Tests, ..plain };
            let text = format!("{line}\n");
            assert_eq!(text.lines().count(), 1, "{text}");
            assert_eq!(Lock::parse(&text).unwrap().lines(), [line], "{text}");
        }
        let named =
            LockLine { name: "x reason=\"y\"".into(), ..parse_line(&format!("x soft/1 1x1 rgb8 {HASH}")).unwrap() };
        assert_eq!(Lock::parse(&format!("{named}\n")).unwrap().lines(), [named]);
        for bad in ["reason=\"open", "reason=plain", "reason=\"a\" more"] {
            assert!(parse_line(&format!("a soft/1 1x1 rgb8 {HASH} {bad}")).is_err(), "{bad}");
        }
    }

    #[test]
    fn lines_stay_sorted() {
        let mut lock = Lock::default();
        for name in ["b", "a", "c", "a"] {
            let mut line = parse_line(&format!("{name} soft/1 1x1 rgb8 {HASH}")).unwrap();
            line.name = name.to_string();
            lock.set(line);
        }
        let names: Vec<_> = lock.lines().iter().map(|l| l.name.as_str()).collect();
        assert_eq!(names, ["a", "b", "c"]);
        assert!(lock.remove("b").is_some() && lock.remove("b").is_none());
    }

    /// Names of files are of any kind, and lines that were written plain stay so.
    #[test]
    fn scene_name_space() {
        for (name, want) in [
            ("red ball", r#""red ball""#),
            (" a", r#"" a""#),
            ("tab\tbed", r#""tab\u0009bed""#),
            ("no\u{a0}break", r#""no\u00a0break""#),
            ("wide\u{3000}blank", r#""wide\u3000blank""#),
            ("two\nlines", r#""two\u000alines""#),
            ("#first", r##""#first""##),
            ("======= a", r#""======= a""#),
            ("<<<<<<<a", r#""<<<<<<<a""#),
            (r#"say "hi" \o/"#, r#""say \"hi\" \\o/""#),
            (r#"\"#, r#"\"#),
            (r#""a""#, r#""a""#),
            (r#""a\"#, r#""\"a\\""#),
            (r#""\u0020""#, r#""\"\\u0020\"""#),
            ("it's", "it's"),
            ("a,b", "a,b"),
            ("\u{e9}", "\u{e9}"),
        ] {
            let line = LockLine { name: name.into(), ..parse_line(&format!("x soft/1 1x1 rgb8 {HASH}")).unwrap() };
            let text = format!("{line}\n");
            assert!(text.starts_with(&format!("{want} soft/1 1x1")), "{text}");
            let mut lock = Lock::default();
            lock.set(line);
            assert_eq!(Lock::parse(&text).unwrap(), lock, "{text}");
        }
        // Order is that of names, not of what stands for them.
        let text =
            format!("\"a b\" soft/1 1x1 rgb8 {HASH}\na-b soft/1 1x1 rgb8 {HASH}\n\"b c\" soft/1 1x1 rgb8 {HASH}\n");
        assert_eq!(Lock::parse(&text).unwrap().to_string(), text);
        for bad in ["\"a b\" 1x1 rgb8", "\"a\\x b\" soft/1 1x1 rgb8"] {
            assert!(Lock::parse(&format!("{bad} {HASH}\n")).is_err(), "{bad}");
        }
    }

    #[test]
    fn marks_and_line_ends_of_editors() {
        let plain = format!("# made\na soft/1 1x1 rgb8 {HASH}\nb soft/1 1x1 rgb8 {HASH}\n");
        let lock = Lock::parse(&plain).unwrap();
        for ends in ["\n", "\r\n", "\r"] {
            let text = plain.replace('\n', ends);
            assert_eq!(Lock::parse(&text), Ok(lock.clone()), "{ends:?}");
            assert_eq!(Lock::parse(&format!("\u{feff}{text}")), Ok(lock.clone()), "{ends:?}");
        }
        let errors = Lock::parse(&plain.replace('\n', "\r").replace("1x1", "1")).unwrap_err();
        assert_eq!(errors.iter().map(|error| error.line_number).collect::<Vec<_>>(), [2, 3]);
        let pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 12\n";
        let errors = Lock::parse(pointer).unwrap_err();
        assert!(errors.len() == 1 && errors[0].message.contains("git lfs pull"), "{errors:?}");
    }

    #[test]
    fn every_wrong_line_is_named() {
        let good = format!("m soft/1 8x8 rgb8 {HASH}");
        for (line, part) in [
            ("<<<<<<< ours".to_string(), "conflict"),
            ("=======".to_string(), "conflict"),
            (">>>>>>> theirs".to_string(), "conflict"),
            ("n soft/1 8x8 rgb8".to_string(), "a line is"),
            (format!("n 1 8x8 rgb8 {HASH}"), "adapter"),
            (format!("n soft/1 8x0 rgb8 {HASH}"), "size"),
            (format!("n soft/1 8 rgb8 {HASH}"), "size"),
            (format!("n soft/1 8x99999 rgb8 {HASH}"), "size"),
            (format!("n soft/1 8x8 bgr8 {HASH}"), "format"),
            ("n soft/1 8x8 rgb8 b3:12".to_string(), "64"),
            (format!("n soft/1 8x8 rgb8 {HASH} more"), "not known"),
            (format!("n soft/1 8x8 rgb8 {HASH} scene={HASH} scene={HASH}"), "not known"),
            (format!("n soft/1 8x8 rgb8 {HASH} owner=me"), "not known"),
            (format!("n soft/1 8x8 rgb8 {HASH} owner=tests owner=tests"), "not known"),
            (good.clone(), "second time"),
            (format!("a soft/1 8x8 rgb8 {HASH}"), "sorted"),
        ] {
            let errors = Lock::parse(&format!("# comment\n{good}\n{line}\n")).unwrap_err();
            assert_eq!(errors.len(), 1, "{line}");
            assert_eq!(errors[0].line_number, 3);
            assert!(errors[0].message.contains(part), "{line}: {}", errors[0]);
        }
        assert_eq!(Lock::parse("x\n\ny\n").unwrap_err().len(), 2);
    }
}
