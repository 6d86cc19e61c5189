//! Servers on free ports of this machine, ended with the test.

use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

/// What Azurite's account is always called, and its key, from its manual.
const AZURITE_ACCOUNT: &str = "devstoreaccount1";
const AZURITE_KEY: &str = "Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==";

#[derive(Clone, Copy, PartialEq)]
enum Kind {
    Moto,
    Azurite,
    Google,
    GoogleBehind,
    Wsgidav,
}

/// A running server.
pub struct Server {
    child: Child,
    pub port: u16,
    kind: Kind,
    /// What this one stands before.
    behind: Option<Box<Server>>,
}

/// The build folder of this workspace.
pub fn target() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR")).parent().expect("a folder in the build folder")
}

/// An empty folder.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("remote").join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).unwrap();
    path
}

fn tool(path: &str) -> PathBuf {
    let tool = target().join("remote").join(path);
    assert!(tool.exists(), "{} is not installed: run ci/steps/remote.sh", tool.display());
    tool
}

impl Server {
    pub fn moto() -> Server {
        let mut command = Command::new(tool("venv/bin/moto_server"));
        Server::start(Kind::Moto, |port| {
            command.args(["-H", "127.0.0.1", "-p", &port.to_string()]);
            command
        })
    }

    pub fn azurite() -> Server {
        let mut command = Command::new(tool("npm/node_modules/.bin/azurite-blob"));
        Server::start(Kind::Azurite, |port| {
            command.args(["--blobHost", "127.0.0.1", "--blobPort", &port.to_string(), "--silent"]);
            command
                .args(["--skipApiVersionCheck", "--disableTelemetry", "--location"])
                .arg(folder(&format!("azurite_{port}")));
            command
        })
    }

    pub fn google() -> Server {
        let mut command = Command::new(tool("fake-gcs-server"));
        let behind = Server::start(Kind::GoogleBehind, |port| {
            command.args(["-scheme", "http", "-backend", "memory", "-host", "127.0.0.1", "-port", &port.to_string()]);
            // Requests name the port that they were sent to, which is the one in front.
            command.args(["-public-host", "127.0.0.1"]);
            command
        });
        let mut command = Command::new(tool("venv/bin/python"));
        command.arg(Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/servers/gcs_front.py"));
        let behind_port = behind.port.to_string();
        let mut server = Server::start(Kind::Google, |port| {
            command.args([port.to_string(), behind_port]);
            command
        });
        server.behind = Some(Box::new(behind));
        server
    }

    pub fn wsgidav() -> Server {
        let mut command = Command::new(tool("venv/bin/wsgidav"));
        Server::start(Kind::Wsgidav, |port| {
            // Several tests have one each.
            let root = folder(&format!("wsgidav_root_{port}"));
            let config = folder(&format!("wsgidav_{port}")).join("config.json");
            let text = format!(
                r#"{{"host": "127.0.0.1", "port": {port}, "provider_mapping": {{"/": {:?}}},
                    "simple_dc": {{"user_mapping": {{"*": {{"me": {{"password": "open-sesame"}}}}}}}},
                    "http_authenticator": {{"accept_basic": true, "accept_digest": false, "default_to_digest": false}}}}"#,
                root.display().to_string()
            );
            fs::write(&config, text).unwrap();
            command.arg("--config").arg(&config);
            command
        })
    }

    fn start(kind: Kind, command: impl FnOnce(u16) -> Command) -> Server {
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let log = fs::File::create(folder(&format!("log_{port}")).join("log")).unwrap();
        let mut command = command(port);
        command.stdin(Stdio::null()).stdout(log.try_clone().unwrap()).stderr(log);
        let child = command.spawn().unwrap();
        let mut server = Server { child, port, kind, behind: None };
        for _ in 0..600 {
            if TcpStream::connect(("127.0.0.1", port)).is_ok() {
                return server;
            }
            assert!(server.child.try_wait().unwrap().is_none(), "the server ended at once: see the log of port {port}");
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("the server does not answer on port {port}");
    }

    /// What a user would set.
    pub fn environment(&self) -> Vec<(&'static str, String)> {
        let here = format!("http://127.0.0.1:{}", self.port);
        match self.kind {
            Kind::Moto => vec![
                ("AWS_ACCESS_KEY_ID", "some-key-id".into()),
                ("AWS_SECRET_ACCESS_KEY", "some-secret-key".into()),
                ("AWS_REGION", "us-east-1".into()),
                ("AWS_ENDPOINT_URL", here),
            ],
            Kind::Azurite => {
                vec![("AZURE_STORAGE_USE_EMULATOR", "true".into()), ("AZURITE_BLOB_STORAGE_URL", here)]
            }
            Kind::Google | Kind::GoogleBehind => vec![("STORAGE_EMULATOR_HOST", here)],
            // `me:open-sesame`
            Kind::Wsgidav => vec![("STILLFRAME_REMOTE_AUTHORIZATION", "Basic bWU6b3Blbi1zZXNhbWU=".into())],
        }
    }

    /// Makes an empty bucket or container.
    pub fn make_bucket(&self, name: &str) {
        let request = match self.kind {
            Kind::Moto => format!("PUT /{name} HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Length: 0\r\n\r\n"),
            Kind::Google | Kind::GoogleBehind => {
                let body = format!(r#"{{"name": "{name}"}}"#);
                format!(
                    "POST /storage/v1/b?project=test HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n\
                     Content-Length: {}\r\n\r\n{body}",
                    body.len()
                )
            }
            Kind::Azurite => {
                // Azure wants even this signed: "Authorize with Shared Key", learn.microsoft.com.
                let script = format!(
                    "import base64, hashlib, hmac, http.client\n\
                     headers = {{'x-ms-date': 'Mon, 01 Jan 2024 00:00:00 GMT', 'x-ms-version': '2021-12-02'}}\n\
                     text = 'PUT' + '\\n' * 12 + ''.join(f'{{k}}:{{v}}\\n' for k, v in sorted(headers.items()))\n\
                     text += '/{AZURITE_ACCOUNT}/{AZURITE_ACCOUNT}/{name}\\nrestype:container'\n\
                     key = base64.b64decode('{AZURITE_KEY}')\n\
                     sign = base64.b64encode(hmac.new(key, text.encode(), hashlib.sha256).digest()).decode()\n\
                     headers['Authorization'] = 'SharedKey {AZURITE_ACCOUNT}:' + sign\n\
                     to = http.client.HTTPConnection('127.0.0.1', {})\n\
                     to.request('PUT', '/{AZURITE_ACCOUNT}/{name}?restype=container', body=b'', headers=headers)\n\
                     answer = to.getresponse()\n\
                     assert answer.status == 201, answer.read()\n",
                    self.port
                );
                let run = Command::new(tool("venv/bin/python")).args(["-c", &script]).output().unwrap();
                assert!(run.status.success(), "{}", String::from_utf8_lossy(&run.stderr));
                return;
            }
            Kind::Wsgidav => return,
        };
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        // Some keep the connection; the first line is enough.
        BufReader::new(stream).read_line(&mut answer).unwrap();
        assert!(answer.contains(" 200 "), "{answer}");
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
        self.behind = None;
    }
}
