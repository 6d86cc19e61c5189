#!/usr/bin/env bash
# A short run of every fuzz target on fixed seeds; a planted fault must be found, or the runs say nothing.
set -euo pipefail
program=target/debug/stillframe
[ -x "$program" ] || cargo build --locked
for target in scene import time clip graph pose; do
  "$program" fuzz "$target" --seed 1 --runs 15000
  if "$program" fuzz "$target" --runs 400 --mutant panic >/dev/null; then
    echo "fuzz $target: the planted fault was not found"
    exit 1
  fi
done
# Each input is a picture or two.
"$program" fuzz effect --seed 1 --runs 300
