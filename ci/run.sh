#!/usr/bin/env bash
# Everything a change must pass. `ci/run.sh` runs every step but five: benches, which clippy has checked already; peers, which builds everything
# a second time beside C code and is for those who change how FBX is read; report, which drives a browser and is for those who change the
# report's page; remote, which installs servers of object stores; and power-cut, which needs strace. The last two are for those who change the
# store of references. `ci/run.sh fmt clippy peers` runs the named ones.
# Steps are the files of ci/steps, each runnable by hand from the repository's root.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never} CARGO_INCREMENTAL=0
steps=("$@")
[ ${#steps[@]} -gt 0 ] || steps=(prepare fmt clippy docs package test fuzz determinism no-libm)
for step in "${steps[@]}"; do
  printf '\n== %s\n' "$step"
  start=$SECONDS
  bash "ci/steps/$step.sh"
  printf '== %s: %d s\n' "$step" $((SECONDS - start))
done
