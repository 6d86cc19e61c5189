//! Command: what runs a test again, as one types it, and what a test is called.

use super::Settings;
use crate::report::quoted;

/// The command that runs the test of this thread again, and no other.
pub fn cargo_test(settings: &Settings) -> String {
    let thread = std::thread::current();
    typed(&settings.package, thread.name().filter(|name| is_test(name)))
}

fn typed(package: &str, test: Option<&str>) -> String {
    let mut out = "cargo test".to_string();
    if !package.is_empty() {
        out += &format!(" -p {}", quoted(package));
    }
    if let Some(test) = test {
        out += &format!(" {} -- --exact", quoted(test));
    }
    out
}

/// Whether the name of a thread is that of a test, as the test harness of Rust names its threads.
fn is_test(name: &str) -> bool {
    name != "main" && !name.is_empty() && name.split("::").all(is_identifier)
}

fn is_identifier(part: &str) -> bool {
    let mut letters = part.trim_start_matches("r#").chars();
    let is_start = |c: char| c.is_alphabetic() || c == '_';
    letters.next().is_some_and(is_start) && letters.all(|c| c.is_alphanumeric() || c == '_')
}

/// The name of a picture from the path of what asserts it: `pictures::shapes::small::here` is `pictures/shapes/small`.
/// `here` is the path of a function within that function.
pub(super) fn name_of(here: &str) -> String {
    let within = here.rsplit_once("::").map_or(here, |(within, _)| within);
    // Closures, generics and implementations have parts that are no names.
    let parts = within.split("::").filter(|part| is_identifier(part)).map(|part| part.trim_start_matches("r#"));
    parts.collect::<Vec<_>>().join("/")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_runs_one_test() {
        for (package, thread, want) in [
            ("shapes", "small", "cargo test -p shapes small -- --exact"),
            ("shapes", "tests::small::case_1", "cargo test -p shapes tests::small::case_1 -- --exact"),
            ("", "small", "cargo test small -- --exact"),
            ("shapes", "main", "cargo test -p shapes"),
            ("shapes", "tokio-runtime-worker", "cargo test -p shapes"),
            ("", "", "cargo test"),
        ] {
            assert_eq!(typed(package, Some(thread).filter(|name| is_test(name))), want);
        }
    }

    #[test]
    fn names_are_paths_of_tests() {
        for (here, want) in [
            ("pictures::small::here", "pictures/small"),
            ("shapes::tests::small::here", "shapes/tests/small"),
            ("pictures::small::{{closure}}::here", "pictures/small"),
            ("pictures::r#move::here", "pictures/move"),
            ("pictures::draws<f32>::here", "pictures"),
        ] {
            assert_eq!(name_of(here), want);
        }
    }
}
