//! `frames.lock`: the identities that pictures must have, one line a case, sorted by name.
//!
//! `NAME ADAPTER WxH FORMAT b3:HEX [passes=b3:HEX] [scene=b3:HEX]`, blanks between. `ADAPTER` is who made the picture:
//! `soft/1` is the software adapter with pixel contract 1. Lines that start with `#` are comments and are not kept.
//! Sorted, unique lines merge as text; a conflict that was left is an error.

use std::fmt;

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
    /// Without blanks; not empty; does not start with `#`.
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
        let mut errors = Vec::new();
        let mut lines: Vec<LockLine> = Vec::new();
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
        for word in [&line.name, &line.adapter] {
            let plain = !word.is_empty() && !word.contains(char::is_whitespace) && !word.starts_with('#');
            assert!(plain, "names have no blanks: {word:?}");
        }
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
            self.name, self.adapter, self.width_px, self.height_px, self.format, self.pixels
        )?;
        if let Some(hash) = self.passes {
            write!(f, " passes={hash}")?;
        }
        if let Some(hash) = self.scene {
            write!(f, " scene={hash}")?;
        }
        Ok(())
    }
}

fn parse_line(line: &str) -> Result<LockLine, String> {
    for marker in ["<<<<<<<", "=======", ">>>>>>>", "|||||||"] {
        if line.starts_with(marker) {
            return Err("a conflict marker: solve the merge, then make the references again".into());
        }
    }
    let fields: Vec<&str> = line.split_whitespace().collect();
    let [name, adapter, size, format, pixels, extras @ ..] = &fields[..] else {
        return Err("a line is `NAME ADAPTER WxH FORMAT b3:HEX`".into());
    };
    if !adapter.contains('/') {
        return Err(format!("`{adapter}` where an adapter such as `soft/1` is expected"));
    }
    let side = |text: &str| text.parse::<u32>().ok().filter(|n| (1..=SIDE_MAX_PX).contains(n));
    let sides = size.split_once('x').and_then(|(w, h)| Some((side(w)?, side(h)?)));
    let (width_px, height_px) = sides.ok_or_else(|| format!("`{size}` is not a size in pixels"))?;
    let format = Format::parse(format).ok_or_else(|| format!("`{format}` is not a format"))?;
    let hash = |text: &str| text.parse::<PixelHash>().map_err(|error| format!("`{text}`: {error}"));
    let mut parsed = LockLine {
        name: name.to_string(),
        adapter: adapter.to_string(),
        width_px,
        height_px,
        format,
        pixels: hash(pixels)?,
        passes: None,
        scene: None,
    };
    for extra in extras {
        let slot = match extra.split_once('=') {
            Some(("passes", text)) if parsed.passes.is_none() => (&mut parsed.passes, text),
            Some(("scene", text)) if parsed.scene.is_none() => (&mut parsed.scene, text),
            _ => return Err(format!("`{extra}` is not known here")),
        };
        *slot.0 = Some(hash(slot.1)?);
    }
    Ok(parsed)
}

#[cfg(test)]
mod tests {
    use super::*;

    const HASH: &str = "b3:000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f";

    #[test]
    fn prints_what_it_reads() {
        let text = format!(
            "crate soft/1 512x256 rgb8 {HASH}\nlamp vulkan/llvmpipe 64x64 r32f {HASH} passes={HASH} scene={HASH}\n\
             shadow/soft soft/12 1x1 rgba16 {HASH} scene={HASH}\n"
        );
        let lock = Lock::parse(&text).unwrap();
        assert_eq!(lock.to_string(), text);
        assert_eq!(lock.find("lamp").unwrap().adapter, "vulkan/llvmpipe");
        assert_eq!(lock.find("shadow/soft").unwrap().width_px, 1);
        assert_eq!(lock.find("sofa"), None);
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
