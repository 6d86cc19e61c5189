#!/usr/bin/env bash
# Benches compile.
set -euo pipefail
cargo check --workspace --benches --locked
