//! What version control knows of a project. Asked by its own program; nothing here is needed where there is none.

use std::path::Path;
use std::process::Command;

use super::status::Failure;

/// The commit that is checked out, with a `+` where files differ from it.
pub fn commit(root: &Path) -> Option<String> {
    let commit = ask(root, &["rev-parse", "--short=12", "HEAD"]).ok()?;
    let changed = ask(root, &["status", "--porcelain", "--untracked-files=no"]).ok()?;
    Some(format!("{}{}", commit.trim(), if changed.trim().is_empty() { "" } else { "+" }))
}

/// Files below the root that differ from `reference`, new ones too, by their paths from the root.
pub fn changed_since(root: &Path, reference: &str) -> Result<Vec<String>, Failure> {
    let tracked = ask(root, &["diff", "--name-only", "--relative", "-z", reference, "--"])?;
    let new = ask(root, &["ls-files", "--others", "--exclude-standard", "-z"])?;
    Ok(tracked.split('\0').chain(new.split('\0')).filter(|name| !name.is_empty()).map(str::to_string).collect())
}

/// A file's text at a commit; `None`: it was not there.
pub fn text_at(root: &Path, reference: &str, file: &str) -> Result<Option<String>, Failure> {
    ask(root, &["rev-parse", "--verify", &format!("{reference}^{{commit}}")])?;
    Ok(ask(root, &["show", &format!("{reference}:./{file}")]).ok())
}

/// What git says, or why it does not.
pub fn ask(root: &Path, arguments: &[&str]) -> Result<String, Failure> {
    let output = Command::new("git").arg("-C").arg(root).args(arguments).output();
    let output = output.map_err(|error| Failure::Environment(format!("cannot run git: {error}")))?;
    if !output.status.success() {
        let words = String::from_utf8_lossy(&output.stderr);
        return Err(Failure::usage(format!("git {}: {}", arguments.join(" "), words.trim())));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The files of a commit in a folder of their own, removed in the end.
pub struct Checkout {
    whole: std::path::PathBuf,
    project: std::path::PathBuf,
}

impl Checkout {
    /// The project's folder there.
    pub fn path(&self) -> &Path {
        &self.project
    }
}

impl Drop for Checkout {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.whole);
    }
}

/// Writes the files of a commit below the project's folder into a folder of their own.
pub fn checkout(root: &Path, reference: &str) -> Result<Checkout, Failure> {
    let commit = ask(root, &["rev-parse", "--verify", &format!("{reference}^{{commit}}")])?;
    let folder = std::env::temp_dir().join(format!("stillframe-at-{}-{}", std::process::id(), commit.trim()));
    std::fs::create_dir_all(&folder).map_err(|error| Failure::of_write(&folder, &error))?;
    let prefix = ask(root, &["rev-parse", "--show-prefix"])?;
    let checkout = Checkout { project: folder.join(prefix.trim()), whole: folder };
    let top = ask(root, &["rev-parse", "--show-toplevel"])?;
    // A second index, so that the user's own is not touched.
    let index = checkout.whole.join(".index");
    let run = |arguments: &[&str]| {
        let output = Command::new("git")
            .arg("-C")
            .arg(top.trim())
            .args(arguments)
            .env("GIT_INDEX_FILE", &index)
            .output()
            .map_err(|error| Failure::Environment(format!("cannot run git: {error}")))?;
        let words = String::from_utf8_lossy(&output.stderr).trim().to_string();
        if output.status.success() {
            Ok(())
        } else {
            Err(Failure::usage(format!("git {}: {words}", arguments.join(" "))))
        }
    };
    run(&["read-tree", commit.trim()])?;
    let to = format!("--prefix={}/", checkout.whole.display());
    run(&["checkout-index", "-a", "-f", &to])?;
    let _ = std::fs::remove_file(&index);
    Ok(checkout)
}
