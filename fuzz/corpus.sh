#!/usr/bin/env bash
# First inputs for libFuzzer: what `stillframe fuzz` makes of a seed. `fuzz/corpus.sh` fills fuzz/corpus/TARGET with 200 files each.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${STILLFRAME:-target/debug/stillframe}
for target in time clip graph pose scene import; do
  "$program" fuzz "$target" --seed 1 --runs 200 --corpus "fuzz/corpus/$target"
done
