//! One input: a file, the files it may name, arguments.

use std::path::{Path, PathBuf};
use std::{fs, io};

use crate::source::Diagnostic;

/// An input of a target.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Case {
    /// With the ending that says what it is: `model.glb`.
    pub name: String,
    pub bytes: Vec<u8>,
    /// Name and bytes of what lies in the same folder.
    pub beside: Vec<(String, Vec<u8>)>,
    /// `--set` arguments.
    pub edits: Vec<String>,
}

/// The file beside a case that holds its arguments, one a line.
const EDITS: &str = "set.txt";
/// Files that are read beside an input, which may lie in any folder.
const BESIDE_MAX: usize = 64;

impl Case {
    pub fn new(name: &str, bytes: Vec<u8>) -> Case {
        Case { name: name.to_string(), bytes, beside: Vec::new(), edits: Vec::new() }
    }

    /// Of everything together.
    pub fn size_bytes(&self) -> usize {
        let beside: usize = self.beside.iter().map(|(_, bytes)| bytes.len()).sum();
        self.bytes.len() + beside + self.edits.iter().map(String::len).sum::<usize>()
    }

    /// Every file with its name, the input itself first.
    fn files(&self) -> Vec<(String, Vec<u8>)> {
        let mut out = vec![(self.name.clone(), self.bytes.clone())];
        out.extend(self.beside.iter().cloned());
        if !self.edits.is_empty() {
            out.push((EDITS.to_string(), self.edits.join("\n").into_bytes()));
        }
        out
    }

    /// Reads an input's file: the others of its folder, in the order of their names, lie beside it.
    pub fn load(file: &Path) -> io::Result<Case> {
        let name_of = |path: &Path| path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let mut case = Case::new(&name_of(file), fs::read(file)?);
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        let mut paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path())).collect::<io::Result<Vec<_>>>()?;
        paths.retain(|path| path.is_file() && name_of(path) != case.name);
        paths.sort();
        for path in paths.iter().take(BESIDE_MAX) {
            let bytes = fs::read(path)?;
            if name_of(path) == EDITS {
                case.edits = String::from_utf8_lossy(&bytes).lines().map(str::to_string).collect();
            } else {
                case.beside.push((name_of(path), bytes));
            }
        }
        Ok(case)
    }

    /// Writes the case into a folder of its own; the path of the input.
    pub fn save(&self, folder: &Path) -> io::Result<PathBuf> {
        fs::create_dir_all(folder)?;
        for (name, bytes) in self.files() {
            fs::write(folder.join(name), bytes)?;
        }
        Ok(folder.join(&self.name))
    }

    /// Reads a file of the case as an importer asks for it.
    pub fn read(&self, path: &Path) -> Result<Vec<u8>, Diagnostic> {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        if name == self.name {
            return Ok(self.bytes.clone());
        }
        match self.beside.iter().find(|(file, _)| *file == name) {
            Some((_, bytes)) => Ok(bytes.clone()),
            None => Err(Diagnostic::error(crate::source::code::FILE_MISSING, path, "there is no such file")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_and_back() {
        let mut case = Case::new("scene.toml", b"title = 'x'".to_vec());
        case.beside.push(("a.toml".into(), b"b = 1".to_vec()));
        case.edits = vec!["a=1".into(), "b=2".into()];
        let folder = std::env::temp_dir().join(format!("stillframe-case-{}", std::process::id()));
        let file = case.save(&folder).expect("writable");
        assert_eq!(Case::load(&file).expect("readable"), case);
        fs::remove_dir_all(folder).expect("ours");
        assert_eq!(case.read(Path::new("any/a.toml")).as_deref(), Ok(b"b = 1".as_slice()));
        assert!(case.read(Path::new("any/b.toml")).is_err());
    }
}
