#!/usr/bin/env bash
# FBX files, random ones and those of scenes/assets, are read as `ufbx` reads them; time controllers of others differ
# from the model as benches/peers/time/table.txt says. Needs a C compiler and jq.
# STILLFRAME_CASES=1000 compares as many random files of each kind; STILLFRAME_CASE=8 that one alone.
set -euo pipefail
export STILLFRAME_CASES=${STILLFRAME_CASES:-200} CARGO_TARGET_DIR=${CARGO_TARGET_DIR:-$PWD/target}
cargo build --locked
cd benches/peers
# Not --locked: this lock file takes in what the workspace depends on anew.
cargo test --test fbx
time/table.sh "$CARGO_TARGET_DIR/debug/stillframe" | diff time/table.txt -
