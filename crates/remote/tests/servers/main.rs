//! The program against real servers: moto for S3, Azurite for Azure, fake-gcs-server for Google, WsgiDAV for HTTP.
//! `ci/steps/remote.sh` installs them under `target/remote`; where they are not, the tests fail and say so.

#![cfg(unix)]

mod everything;
mod program;
mod project;
mod server;

use everything::{everything, refusals};
use server::Server;

#[test]
fn s3_by_moto() {
    let server = Server::moto();
    server.make_bucket("frames");
    let environment = server.environment();
    everything("s3", "s3://frames/some/folder", &environment);
    refusals("s3", "s3://nothing/here", &environment, "no such bucket");
}

#[test]
fn azure_by_azurite() {
    let server = Server::azurite();
    server.make_bucket("frames");
    let environment = server.environment();
    everything("az", "az://frames/some/folder", &environment);
    refusals("az", "az://nothing/here", &environment, "no such bucket");
    let mut wrong = environment.clone();
    wrong.retain(|(name, _)| *name != "AZURE_STORAGE_USE_EMULATOR");
    wrong.push(("AZURE_STORAGE_ACCOUNT_NAME", "devstoreaccount1".into()));
    wrong.push(("AZURE_STORAGE_ACCOUNT_KEY", "d3Jvbmcga2V5IHdyb25nIGtleQ==".into()));
    wrong.push(("AZURE_STORAGE_ENDPOINT", format!("http://127.0.0.1:{}/devstoreaccount1", server.port)));
    wrong.push(("AZURE_ALLOW_HTTP", "true".into()));
    refusals("az_key", "az://frames/here", &wrong, "not accepted");
}

#[test]
fn google_by_fake_gcs_server() {
    let server = Server::google();
    server.make_bucket("frames");
    let environment = server.environment();
    everything("gs", "gs://frames/some/folder", &environment);
    // This server says so with status 500, where Google's has 404.
    refusals("gs", "gs://nothing/here", &environment, "no bucket named nothing");
}

#[test]
fn http_by_wsgidav() {
    let server = Server::wsgidav();
    let address = format!("http://127.0.0.1:{}/some/folder", server.port);
    everything("http", &address, &server.environment());
    let wrong = [("STILLFRAME_REMOTE_AUTHORIZATION", "Basic bWU6d3JvbmctcGFzc3dvcmQ=".to_string())];
    refusals("http", &address, &wrong, "not accepted");
}

#[test]
fn a_project_lives_in_an_object_store() {
    let server = Server::moto();
    server.make_bucket("frames");
    project::whole_life(server, "s3://frames/a/project");
}
