//! Filter: which cases are meant, by their names and tags; and which of them are ours when several machines share the
//! work.

use std::fmt;

use globset::{GlobBuilder, GlobMatcher};
use regex::Regex;

/// One word that chooses cases.
#[derive(Clone, Debug)]
pub struct Filter {
    text: String,
    kind: Kind,
}

#[derive(Clone, Debug)]
enum Kind {
    /// The name holds it.
    Substring(String),
    /// The name is it.
    Exact(String),
    Glob(Box<GlobMatcher>),
    Pattern(Regex),
    Tag(String),
}

/// A filter that is none.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is not a filter: {message}")]
pub struct FilterError {
    pub text: String,
    pub message: String,
}

impl Filter {
    /// `shadow` (the name holds it), `shadow/*` (with `*`, `?` or `{a,b}`: all of the name; brackets mean themselves,
    /// as variants have some), `=shadow/edge` (the name is it), `re:^shadow/.*edge` (a regular expression), `tag:slow`.
    ///
    /// Errors: an expression that is none.
    pub fn parse(text: &str) -> Result<Filter, FilterError> {
        let wrong = |message: String| FilterError { text: text.to_string(), message };
        let kind = if let Some(pattern) = text.strip_prefix("re:") {
            Kind::Pattern(Regex::new(pattern).map_err(|error| wrong(last_line(&error.to_string())))?)
        } else if let Some(tag) = text.strip_prefix("tag:") {
            Kind::Tag(tag.to_string())
        } else if let Some(name) = text.strip_prefix('=') {
            Kind::Exact(name.to_string())
        } else if text.contains(['*', '?', '{']) {
            let literal_brackets = text.replace('[', "\u{1}").replace(']', "[]]").replace('\u{1}', "[[]");
            let glob = GlobBuilder::new(&literal_brackets).literal_separator(false).build();
            Kind::Glob(Box::new(glob.map_err(|error| wrong(error.kind().to_string()))?.compile_matcher()))
        } else {
            Kind::Substring(text.to_string())
        };
        Ok(Filter { text: text.to_string(), kind })
    }

    pub fn matches(&self, name: &str, tags: &[String]) -> bool {
        match &self.kind {
            Kind::Substring(part) => name.contains(part.as_str()),
            Kind::Exact(whole) => name == whole,
            Kind::Glob(glob) => glob.is_match(name),
            Kind::Pattern(pattern) => pattern.is_match(name),
            Kind::Tag(tag) => tags.iter().any(|known| known == tag),
        }
    }

    /// Whether any of the filters matches; without filters everything is meant.
    pub fn any_matches(filters: &[Filter], name: &str, tags: &[String]) -> bool {
        filters.is_empty() || filters.iter().any(|filter| filter.matches(name, tags))
    }
}

/// The crate's complaints are drawings of many lines, the last one says it.
fn last_line(text: &str) -> String {
    text.lines().last().unwrap_or_default().trim_start_matches("error: ").to_string()
}

impl fmt::Display for Filter {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// One part of the work of several machines. All parts together are everything, and no two share a case.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Partition {
    pub how: Split,
    /// From 1.
    pub part: u32,
    pub count: u32,
}

/// How work is divided.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Split {
    /// Every `count`th of the sorted names.
    Slice,
    /// By the hash of the name: a new case moves no other.
    Hash,
}

impl Partition {
    /// `slice:1/4` or `hash:1/4`.
    ///
    /// Errors: words that say what is expected.
    pub fn parse(text: &str) -> Result<Partition, String> {
        let expected = || "`slice:1/4` or `hash:1/4`, the part counted from 1".to_string();
        let (how, parts) = text.split_once(':').ok_or_else(expected)?;
        let how = match how {
            "slice" => Split::Slice,
            "hash" => Split::Hash,
            _ => return Err(expected()),
        };
        let (part, count) = parts.split_once('/').ok_or_else(expected)?;
        let number = |text: &str| text.parse::<u32>().map_err(|_| expected());
        let (part, count) = (number(part)?, number(count)?);
        if part < 1 || part > count {
            return Err(format!("part {part} of {count}: parts are counted from 1"));
        }
        Ok(Partition { how, part, count })
    }

    /// Whether the name at `index` of all sorted names is ours.
    pub fn holds(&self, index: usize, name: &str) -> bool {
        let at = match self.how {
            Split::Slice => index as u64,
            Split::Hash => {
                let hash = blake3::hash(name.as_bytes());
                u64::from_le_bytes(hash.as_bytes()[..8].try_into().expect("8 of 32"))
            }
        };
        at % u64::from(self.count) == u64::from(self.part - 1)
    }
}

impl fmt::Display for Partition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let how = match self.how {
            Split::Slice => "slice",
            Split::Hash => "hash",
        };
        write!(f, "{how}:{}/{}", self.part, self.count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn filters_choose() {
        let tags = ["slow".to_string(), "skin".to_string()];
        for (text, name, want) in [
            ("shadow", "light/shadow_edge", true),
            ("shadow/", "light/shadow_edge", false),
            ("light/*", "light/shadow_edge[samples=4]@0.5s", true),
            ("*[samples=4]", "light/edge[samples=4]", true),
            ("*[samples=4]", "light/edge4", false),
            ("*[a=?]*", "light/edge[a=1]#depth", true),
            ("light/?dge", "light/edge", true),
            ("{light,dark}/edge", "dark/edge", true),
            ("light/e", "light/edge", true),
            ("=light/e", "light/edge", false),
            ("=light/edge", "light/edge", true),
            ("re:^light/.*ge$", "light/edge", true),
            ("re:^ight", "light/edge", false),
            ("tag:slow", "a/b", true),
            ("tag:slo", "a/b", false),
        ] {
            assert_eq!(Filter::parse(text).unwrap().matches(name, &tags), want, "{text} {name}");
        }
        assert!(Filter::any_matches(&[], "a", &[]));
        assert!(Filter::parse("re:(").unwrap_err().to_string().contains("unclosed group"));
        assert!(Filter::parse("a{b").is_err());
    }

    #[test]
    fn parts_are_everything_once() {
        let names: Vec<String> = (0..100).map(|n| format!("family/case_{n}")).collect();
        for how in ["slice", "hash"] {
            for (index, name) in names.iter().enumerate() {
                let holders = (1..=4)
                    .filter(|part| Partition::parse(&format!("{how}:{part}/4")).unwrap().holds(index, name))
                    .count();
                assert_eq!(holders, 1, "{how} {name}");
            }
        }
        let first = Partition::parse("hash:1/4").unwrap();
        assert_eq!(first.to_string(), "hash:1/4");
        assert!((10..40).contains(&names.iter().filter(|name| first.holds(0, name)).count()));
        for text in ["", "1/4", "hash:0/4", "hash:5/4", "hash:1", "part:1/4", "slice:a/b"] {
            assert!(Partition::parse(text).is_err(), "{text}");
        }
    }
}
