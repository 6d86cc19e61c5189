//! Where references' pictures are kept, as people write it: `git`, `dir:PATH`, `none`, `s3://...` and its kin.

use std::fmt;
use std::path::{Path, PathBuf};
use std::str::FromStr;

/// Where the pictures of references are kept. `frames.lock` files stand in the folder of references whatever this is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StoreAddress {
    /// Beside their lock line, in version control: `references/<family>/<behaviour>.png`.
    #[default]
    Git,
    /// In a folder, by content: `ab/cdef....png`.
    Folder(PathBuf),
    /// In an object store, by content, through the program `stillframe-remote`. The address as it was written.
    Remote(String),
    /// Nowhere: verdicts come from the lock alone.
    None,
}

/// What stands where an address is expected, and what could stand there.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not an address of a store: {hint}")]
pub struct AddressError {
    pub text: String,
    pub hint: String,
}

/// Schemes of object stores, and what they are.
const SCHEMES: [(&str, &str); 5] = [
    ("s3", "Amazon S3 and what speaks its protocol"),
    ("gs", "Google Cloud Storage"),
    ("az", "Azure Blob Storage"),
    ("http", "a WebDAV server"),
    ("https", "a WebDAV server"),
];

const FORMS: &str = "write `git`, `none`, `dir:PATH`, `s3://BUCKET/FOLDER`, `gs://BUCKET/FOLDER`, \
                     `az://CONTAINER/FOLDER` or `http(s)://HOST/FOLDER`";

impl StoreAddress {
    /// Reads an address.
    ///
    /// Errors: anything but the forms above; what is close to one says which.
    pub fn parse(text: &str) -> Result<StoreAddress, AddressError> {
        let wrong = |hint: String| Err(AddressError { text: shown(text), hint });
        if text.trim() != text || text.chars().any(char::is_control) {
            return wrong("blanks and line ends around it are not part of an address".into());
        }
        if let Some(path) = text.strip_prefix("dir:") {
            return match path {
                "" => wrong("the folder is missing: `dir:PATH`".into()),
                path => Ok(StoreAddress::Folder(PathBuf::from(path))),
            };
        }
        if let Some((scheme, rest)) = text.split_once("://") {
            if !SCHEMES.iter().any(|(known, _)| *known == scheme) {
                let lower = scheme.to_ascii_lowercase();
                let meant = match lower.as_str() {
                    "s3a" | "s3n" | "s3" => Some("s3"),
                    "gcs" | "gs" | "google" => Some("gs"),
                    "azure" | "abfs" | "abfss" | "adl" | "az" => Some("az"),
                    "file" => return wrong(format!("a folder is written `dir:{}`", rest)),
                    "webdav" | "dav" | "http" => Some("http"),
                    "webdavs" | "davs" | "https" => Some("https"),
                    _ => None,
                };
                return match meant {
                    Some(meant) => wrong(format!("did you mean `{meant}://{rest}`?")),
                    None => wrong(FORMS.into()),
                };
            }
            let host = rest.split('/').next().unwrap_or("");
            if host.is_empty() {
                return wrong(format!("the name after `{scheme}://` is missing"));
            }
            if host.contains('@') {
                return wrong(
                    "keys and passwords do not belong into an address: they come from the environment".into(),
                );
            }
            if rest.contains(['?', '#', ' ']) {
                return wrong("an address ends before `?`, `#` and blanks".into());
            }
            if rest.split('/').any(|part| part == "." || part == "..") {
                return wrong("`.` and `..` are not folders of an object store".into());
            }
            return Ok(StoreAddress::Remote(text.trim_end_matches('/').to_string()));
        }
        match text {
            "git" => Ok(StoreAddress::Git),
            "none" => Ok(StoreAddress::None),
            "" => wrong(FORMS.into()),
            _ if text.contains(['/', '\\']) || text.starts_with('.') => {
                wrong(format!("a folder is written `dir:{text}`"))
            }
            _ => match ["git", "none"].iter().find(|word| word.eq_ignore_ascii_case(text)) {
                Some(word) => wrong(format!("did you mean `{word}`?")),
                None => wrong(FORMS.into()),
            },
        }
    }

    /// The same with a relative folder taken as one under `root`.
    pub fn under(self, root: &Path) -> StoreAddress {
        match self {
            StoreAddress::Folder(path) => StoreAddress::Folder(root.join(path)),
            other => other,
        }
    }
}

/// The address without what may be a password.
fn shown(text: &str) -> String {
    let Some((scheme, rest)) = text.split_once("://") else { return text.to_string() };
    let (host, folder) = rest.split_at(rest.find('/').unwrap_or(rest.len()));
    match host.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://...@{host}{folder}"),
        None => text.to_string(),
    }
}

impl FromStr for StoreAddress {
    type Err = AddressError;

    fn from_str(text: &str) -> Result<StoreAddress, AddressError> {
        StoreAddress::parse(text)
    }
}

impl fmt::Display for StoreAddress {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            StoreAddress::Git => f.write_str("git"),
            StoreAddress::None => f.write_str("none"),
            StoreAddress::Folder(path) => write!(f, "dir:{}", path.display()),
            StoreAddress::Remote(text) => f.write_str(text),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_print_as_they_are_written() {
        for text in [
            "git",
            "none",
            "dir:../shared/frames",
            "dir:/mnt/a folder/x",
            "s3://bucket",
            "s3://bucket/some/folder",
            "gs://bucket/x",
            "az://container/x",
            "http://127.0.0.1:8080/dav",
            "https://host/x",
        ] {
            assert_eq!(StoreAddress::parse(text).unwrap().to_string(), text);
        }
        assert_eq!(StoreAddress::parse("s3://b/x//").unwrap().to_string(), "s3://b/x");
        let under = StoreAddress::parse("dir:x").unwrap().under(Path::new("root"));
        assert_eq!(under, StoreAddress::Folder(Path::new("root").join("x")));
    }

    #[test]
    fn what_is_no_address_says_what_could_be_meant() {
        for (text, hint) in [
            ("", "write `git`"),
            ("Git", "did you mean `git`?"),
            ("lfs", "write `git`"),
            (" git", "blanks"),
            ("dir:", "folder is missing"),
            ("../frames", "`dir:../frames`"),
            ("file:///frames", "`dir:/frames`"),
            ("s3a://b/x", "`s3://b/x`"),
            ("gcs://b/x", "`gs://b/x`"),
            ("abfss://c/x", "`az://c/x`"),
            ("davs://h/x", "`https://h/x`"),
            ("ftp://h/x", "write `git`"),
            ("s3://", "is missing"),
            ("s3:///x", "is missing"),
            ("s3://b/../x", "are not folders"),
            ("https://h/x?key=1", "ends before"),
            ("https://me:secret@h/x", "environment"),
        ] {
            let error = StoreAddress::parse(text).unwrap_err();
            assert!(error.hint.contains(hint), "{text}: {error}");
            assert!(!error.to_string().contains("secret"), "{error}");
        }
    }
}
