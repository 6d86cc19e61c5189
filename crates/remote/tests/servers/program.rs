//! The program by itself: usage, messages that are none, servers that are not there.

use std::io::{BufReader, Write};
use std::process::{Command, Output, Stdio};

use stillframe_frames::store::wire::{self, Hello, Reply, Request};
use stillframe_frames::store::{Remote, Store, StoreAddress, StoreError, StoreOptions};

use crate::everything::program;
use crate::server::folder;

/// Sends requests and reads one reply to each.
pub fn talk(command: &mut Command, requests: &[(Request, &[u8])]) -> Vec<Reply> {
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    let mut to = child.stdin.take().unwrap();
    for (request, bytes) in requests {
        wire::write(&mut to, request, bytes).unwrap();
    }
    drop(to);
    let mut from = BufReader::new(child.stdout.take().unwrap());
    let hello: Hello = wire::read(&mut from).unwrap().expect("a greeting");
    assert_eq!(hello.stillframe_remote, wire::VERSION);
    let mut replies = Vec::new();
    while let Some(reply) = wire::read::<Reply>(&mut from).unwrap() {
        wire::read_bytes(&mut from, reply.byte_count()).unwrap();
        replies.push(reply);
    }
    assert!(child.wait().unwrap().success());
    replies
}

fn run(arguments: &[&str]) -> Output {
    let mut command = Command::new(program());
    command.args(arguments).env("STILLFRAME_REMOTE_RETRIES", "1").env("STILLFRAME_REMOTE_TIMEOUT_S", "5");
    command.env("AWS_ACCESS_KEY_ID", "x").env("AWS_SECRET_ACCESS_KEY", "very-secret");
    command.env("AWS_ENDPOINT_URL", "http://127.0.0.1:9").stdin(Stdio::null()).output().unwrap()
}

#[test]
fn usage_is_told() {
    let help = run(&["--help"]);
    let text = String::from_utf8(help.stdout).unwrap();
    assert!(help.status.success() && text.contains("AWS_ACCESS_KEY_ID") && text.lines().all(|line| line.len() <= 125));
    let version = run(&["--version"]);
    assert_eq!(
        String::from_utf8(version.stdout).unwrap(),
        format!("stillframe-remote {}\n", env!("CARGO_PKG_VERSION"))
    );
    for arguments in
        [&[][..], &["serve"], &["list", "s3://b"], &["check", "git"], &["check", "s3:/b"], &["check", "s3://b/../x"]]
    {
        let run = run(arguments);
        assert_eq!(run.status.code(), Some(2), "{arguments:?}");
        assert!(!run.stderr.is_empty() && run.stdout.is_empty());
    }
}

#[test]
fn a_server_that_is_not_there_is_told_soon() {
    for address in ["s3://bucket/x", "http://127.0.0.1:9/x"] {
        for verb in ["check", "serve"] {
            let run = run(&[verb, address]);
            let said = String::from_utf8(run.stderr).unwrap();
            assert_eq!((run.status.code(), run.stdout.len()), (Some(8), 0), "{said}");
            assert!(said.contains("cannot be reached") && !said.contains("very-secret"), "{said}");
        }
    }
}

#[test]
fn programs_that_are_none_are_told() {
    let root = folder("no_program");
    for (program, part) in [("/nothing/here", "No such file"), ("true", "ended at once"), ("echo", "another program")] {
        let remote = Some(Remote { program: program.into(), cache: root.join("cache") });
        let options = StoreOptions { remote, ..StoreOptions::default() };
        let references = root.join("references");
        std::fs::create_dir_all(references.join("light")).unwrap();
        let line = format!("a soft/1 1x1 r8 b3:{}\n", "0".repeat(64));
        std::fs::write(references.join("light/frames.lock"), line).unwrap();
        let store = Store::open(&references, StoreAddress::parse("s3://b/x").unwrap(), options).unwrap();
        let error = store.pull().unwrap_err();
        assert!(error.is_environment() && error.to_string().contains(part), "{error}");
    }
    let error = Store::open(&root, StoreAddress::parse("s3://b/x").unwrap(), StoreOptions::default()).unwrap_err();
    assert!(matches!(error, StoreError::NoProgram { .. }), "{error}");
    let git = Store::open(&root, StoreAddress::Git, StoreOptions::default()).unwrap();
    assert!(git.push().unwrap_err().to_string().contains("this store is `git`"));
}

#[test]
fn what_is_no_request_ends_the_program() {
    let server = crate::server::Server::wsgidav();
    let address = format!("http://127.0.0.1:{}/x", server.port);
    for input in
        ["hello\n", "{\"get\":{\"key\":\"a\"}", "{\"put\":{\"key\":\"a/b\",\"bytes\":9}}\nabc", "{\"fly\":{}}\n"]
    {
        let mut command = Command::new(program());
        command.args(["serve", &address]).envs(server.environment());
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
        let run = child.wait_with_output().unwrap();
        let said = String::from_utf8(run.stderr).unwrap();
        assert_eq!(run.status.code(), Some(8), "{input}: {said}");
        assert!(said.contains("no request"), "{said}");
    }
}
