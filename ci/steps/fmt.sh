#!/usr/bin/env bash
# Formatting, by rustfmt.toml.
set -euo pipefail
cargo fmt --all -- --check
