#!/usr/bin/env bash
# Documentation builds without a warning.
set -euo pipefail
RUSTDOCFLAGS="-D warnings" cargo doc --workspace --no-deps --locked
