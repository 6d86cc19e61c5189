#!/usr/bin/env bash
# FBX files, random ones and those of scenes/assets, are read as `ufbx` reads them. Needs a C compiler.
# STILLFRAME_CASES=1000 compares as many random files of each kind; STILLFRAME_CASE=8 that one alone.
set -euo pipefail
export STILLFRAME_CASES=${STILLFRAME_CASES:-200} CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
cd benches/peers
# Not --locked: this lock file takes in what the workspace depends on anew.
cargo test --test fbx
