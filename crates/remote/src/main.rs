//! `stillframe-remote`: the object store of a test suite's reference pictures, in a program of its own, so that nobody
//! else has to build clients of four clouds.
//!
//! In: an address, requests on standard input, credentials in the environment, as each cloud's own tools read them.
//! Out: replies on standard output (`stillframe_frames::store::wire`). Never here: pictures, locks, what is to be kept.

#![forbid(unsafe_code)]

mod place;
mod serve;
mod trouble;

use std::process::ExitCode;

use place::Place;
use trouble::Failure;

const HELP: &str = "\
Keeps the reference pictures of Stillframe in an object store. `stillframe` starts this program itself.

Usage: stillframe-remote check ADDRESS   says whether the store can be reached, and what it holds
       stillframe-remote serve ADDRESS   answers requests on standard input until it ends
       stillframe-remote --help | --version

Addresses, and where their credentials come from:
  s3://BUCKET/FOLDER        AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_SESSION_TOKEN, AWS_REGION; web identity, container
                            and instance roles. AWS_ENDPOINT_URL for other servers of this protocol. AWS_SKIP_SIGNATURE=true
                            for public buckets. Profiles in ~/.aws are not read.
  gs://BUCKET/FOLDER        GOOGLE_APPLICATION_CREDENTIALS, `gcloud auth application-default login`, the instance's account.
                            STORAGE_EMULATOR_HOST for an emulator. GOOGLE_SKIP_SIGNATURE=true for public buckets.
  az://CONTAINER/FOLDER     AZURE_STORAGE_ACCOUNT_NAME with AZURE_STORAGE_ACCOUNT_KEY or AZURE_STORAGE_SAS_KEY;
                            AZURE_CLIENT_ID, AZURE_CLIENT_SECRET, AZURE_TENANT_ID; managed and workload identity;
                            AZURE_USE_AZURE_CLI=true.
                            AZURE_STORAGE_USE_EMULATOR=true with AZURITE_BLOB_STORAGE_URL for an emulator.
  http(s)://HOST/FOLDER     a WebDAV server; STILLFRAME_REMOTE_AUTHORIZATION is sent as the header `Authorization`

STILLFRAME_REMOTE_TIMEOUT_S (default 60) is the limit of one try, STILLFRAME_REMOTE_RETRIES (default 4) the number of
further ones.

Exit status: 0 all well, 2 bad usage, 8 the store cannot be reached or does not let us in.
";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let outcome = match words[..] {
        ["--help" | "-h" | "help"] => {
            print!("{HELP}");
            return ExitCode::SUCCESS;
        }
        ["--version" | "-V"] => {
            println!("stillframe-remote {}", env!("CARGO_PKG_VERSION"));
            return ExitCode::SUCCESS;
        }
        ["check", address] => run(address, false),
        ["serve", address] => run(address, true),
        _ => {
            eprint!("stillframe-remote: expected `check ADDRESS` or `serve ADDRESS`\n\n{HELP}");
            return ExitCode::from(2);
        }
    };
    match outcome {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("stillframe-remote: {}", failure.message);
            ExitCode::from(failure.exit_status)
        }
    }
}

fn run(address: &str, is_server: bool) -> Result<(), Failure> {
    let environment = environment();
    // Both are named: which one rustls would take by itself depends on what else is built.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build();
    let runtime = runtime.map_err(|error| Failure::environment(format!("no runtime: {error}")))?;
    let outcome = runtime.block_on(async {
        let place = Place::open(address, &environment)?;
        place.probe().await?;
        if is_server {
            serve::serve(place, &environment).await
        } else {
            let (count, bytes) = place.sum().await?;
            println!("{address}: {count} files, {bytes} bytes");
            Ok(())
        }
    });
    outcome.map_err(|failure| failure.without_secrets(&environment))
}

/// All variables that are text.
fn environment() -> Vec<(String, String)> {
    let mut all: Vec<(String, String)> = std::env::vars_os()
        .filter_map(|(name, value)| Some((name.into_string().ok()?, value.into_string().ok()?)))
        .collect();
    all.sort();
    all
}
