#!/usr/bin/env bash
# Lints: clippy.toml holds the bans that keep pixels exact.
set -euo pipefail
cargo clippy --workspace --all-targets --locked -- -D warnings
