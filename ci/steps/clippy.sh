#!/usr/bin/env bash
# Lints: clippy.toml holds the bans that keep pixels exact.
set -euo pipefail
cargo clippy --workspace --all-targets --locked -- -D warnings
# The library without the program is another build of most packages.
if [ "${STILLFRAME_DEPTH:-}" = nightly ]; then
  cargo clippy --package stillframe --lib --no-default-features --locked -- -D warnings
fi
