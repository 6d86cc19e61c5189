//! Dump: the text form of a plan.

use std::fmt;

use super::plan::{Plan, Use};
use super::target::TargetId;
use super::view::ViewId;

impl Plan {
    /// The name of a target; behind `@` the camera's number, where it is not the first.
    fn label(&self, id: TargetId) -> String {
        let target = &self.targets[id.0];
        match target.view {
            Some(ViewId(camera)) if camera > 0 => format!("{}@{camera}", target.name),
            _ => target.name.to_string(),
        }
    }

    /// Names of targets, each once, in order.
    fn labels(&self, targets: impl Iterator<Item = TargetId>) -> String {
        let mut names: Vec<String> = Vec::new();
        for name in targets.map(|id| self.label(id)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        names.join(", ")
    }

    /// The target that had the memory of this one before.
    fn before(&self, id: TargetId) -> Option<TargetId> {
        let (first, _) = self.lifetime(id)?;
        let others = self.used().map(|(other, _)| other).filter(|other| *other != id);
        let same = others.filter(|other| self.places[other.0] == self.places[id.0]);
        same.filter(|other| self.lifetime(*other).is_some_and(|(_, last)| last < first))
            .max_by_key(|other| self.lifetime(*other))
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("passes\n")?;
        for (index, pass) in self.passes.iter().enumerate() {
            write!(f, "  {index:2} {}", pass.name)?;
            let of = |usage: &Use| usage.target;
            for (word, names) in
                [("reads", self.labels(pass.reads().map(of))), ("writes", self.labels(pass.writes().map(of)))]
            {
                if !names.is_empty() {
                    write!(f, "  {word} {names}")?;
                }
            }
            f.write_str("\n")?;
        }
        if !self.culled.is_empty() {
            let names: Vec<&str> = self.culled.iter().map(|pass| pass.name.as_str()).collect();
            writeln!(f, "culled {}", names.join(", "))?;
        }
        f.write_str("targets\n")?;
        for (id, target) in self.used() {
            write!(f, "  {:<12} ", self.label(id))?;
            match target.format {
                Some(format) => write!(f, "{format:?} {}x{}", target.width_px, target.height_px)?,
                None => f.write_str("buffer")?,
            }
            for (count, word) in [(target.layers, "layers"), (target.levels, "levels"), (target.samples, "samples")] {
                if count > 1 {
                    write!(f, " {count} {word}")?;
                }
            }
            let (first, last) = self.lifetime(id).expect("it is used");
            write!(f, "  lives {first}..{last}  {} bytes", target.bytes())?;
            if let Some(before) = self.before(id) {
                write!(f, "  in place of {}", self.label(before))?;
            }
            f.write_str("\n")?;
        }
        writeln!(f, "outputs {}", self.labels(self.outputs.iter().map(|output| output.target)))?;
        writeln!(f, "bytes {}, {} where targets share", self.target_bytes(), self.held_bytes())
    }
}
