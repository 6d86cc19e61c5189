#!/usr/bin/env bash
# The software adapter against llvmpipe, scene by scene, within ci/agreement.toml. Also part of `cargo test`; here with CI's demand that llvmpipe is there.
set -euo pipefail
cargo test --locked --test agreement
