#!/usr/bin/env bash
# What a change must pass: `ci/run.sh` or `ci/run.sh all`. `ci/run.sh nightly` runs the same steps and those that need more time or tools, with
# properties tried on more cases (docs/ci.md). `ci/run.sh fmt clippy peers` runs the named steps.
# A step is a file of ci/steps, runnable by hand from the repository's root.
set -euo pipefail
cd "$(dirname "$0")/.."
export CARGO_TERM_COLOR=${CARGO_TERM_COLOR:-never} CARGO_INCREMENTAL=0
all=(prepare fmt clippy docs package test fuzz determinism no-libm)
nightly=("${all[@]}" benches peers report remote power-cut writers other-machine)
case ${1:-all} in
  all) steps=("${all[@]}") ;;
  nightly) steps=("${nightly[@]}"); export STILLFRAME_DEPTH=nightly ;;
  *) steps=("$@") ;;
esac
for step in "${steps[@]}"; do
  [ -f "ci/steps/$step.sh" ] || { echo "ci: there is no step $step: $(cd ci/steps && ls | sed 's/\.sh$//' | tr '\n' ' ')" >&2; exit 2; }
done
for step in "${steps[@]}"; do
  printf '\n== %s\n' "$step"
  start=$SECONDS
  bash "ci/steps/$step.sh"
  printf '== %s: %d s\n' "$step" $((SECONDS - start))
done
