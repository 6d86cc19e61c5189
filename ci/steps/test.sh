#!/usr/bin/env bash
# The command of the README.
set -euo pipefail
cargo test --locked
