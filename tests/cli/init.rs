//! The CI files that `init` writes.

use std::fs;

use super::{folder, out, run, status, well};

/// The text of the CI file that `init` writes for a system.
fn written(ci: &str, name: &str) -> (std::path::PathBuf, String) {
    let here = folder(&format!("init_{ci}"));
    well(&run(&here, &["init", "--ci", ci]));
    let text = fs::read_to_string(here.join(name)).unwrap();
    (here, text)
}

/// What must be in it, whatever the system: the program in this version, cached by it.
fn installs_this_version_once(text: &str) {
    let version = env!("CARGO_PKG_VERSION");
    let install = format!("cargo install stillframe --locked --version {version}");
    assert_eq!(text.matches("cargo install").count(), 1, "{text}");
    assert!(text.contains(&install), "{text}");
    assert!(text.contains(&format!("key: stillframe-{version}")), "{text}");
    assert!(!text.contains('\t') && !text.contains("{VERSION}"), "{text}");
}

#[test]
fn a_github_workflow_caches_the_program_and_keeps_reports_of_green_runs() {
    let (here, text) = written("github", ".github/workflows/stillframe.yml");
    installs_this_version_once(&text);
    for line in [
        "permissions:\n  contents: read\n",
        "          path: ~/.cargo/bin/stillframe\n",
        "      - if: steps.program.outputs.cache-hit != 'true'\n        run: cargo install",
        "        if: ${{ !cancelled() }}\n",
        "            target/stillframe/runs\n            target/stillframe/junit.xml\n            target/stillframe/report.html\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    the_test_line_reports(&here, &text, "      - run: stillframe ");
}

#[test]
fn a_gitlab_job_caches_the_program_and_keeps_reports_of_green_runs() {
    let (here, text) = written("gitlab", ".gitlab-ci.yml");
    installs_this_version_once(&text);
    for line in [
        "    paths: [.stillframe]\n",
        "    - test -x .stillframe/bin/stillframe || cargo install",
        " --root .stillframe\n    - export PATH=\"$PWD/.stillframe/bin:$PATH\"\n",
        "    when: always\n    paths: [target/stillframe/runs, target/stillframe/report.html]\n",
        "      junit: target/stillframe/junit.xml\n",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    the_test_line_reports(&here, &text, "    - stillframe ");
}

/// The line that tests works in the new project, and leaves what the file uploads.
fn the_test_line_reports(here: &std::path::Path, text: &str, begin: &str) {
    let mut lines = text.lines().filter_map(|line| line.strip_prefix(begin));
    let line = lines.next().unwrap_or_else(|| panic!("no line of tests: {text}"));
    assert_eq!(lines.next(), None);
    let output = run(here, &line.split(' ').collect::<Vec<_>>());
    assert_eq!(status(&output), 0, "{}", out(&output));
    let junit = fs::read_to_string(here.join("target/stillframe/junit.xml")).unwrap();
    assert!(junit.contains("first/hello") && junit.contains("failures=\"0\""), "{junit}");
    assert!(fs::read_to_string(here.join("target/stillframe/report.html")).unwrap().contains("first/hello"));
    assert!(here.join("target/stillframe/runs").is_dir());
}
