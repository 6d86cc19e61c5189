#!/usr/bin/env bash
# The report's page in a real browser: keys, filters, values, decisions, accessibility, opening time; then `stillframe review --web` with a
# project of its own, two tabs and strangers. Needs node, npm, git and Chromium (Debian: chromium).
# `PICTURES=FOLDER bash ci/steps/report.sh` leaves pictures of the page in FOLDER.
set -euo pipefail
for tool in node npm git; do
  command -v "$tool" >/dev/null || { echo "report: $tool is not installed"; exit 1; }
done
target=${CARGO_TARGET_DIR:-$PWD/target}
modules=$target/report
mkdir -p "$modules" ${PICTURES:+"$PICTURES"}
if [ ! -d "$modules/node_modules/playwright-core" ] || [ ! -d "$modules/node_modules/axe-core" ]; then
  (cd "$modules" && npm install --silent --no-save --no-audit --no-fund playwright-core@1.65.1 axe-core@4.14.1)
fi
export REPORT_MODULES=$modules
cargo build --locked -p stillframe-frames --example report
made=$target/debug/examples/report
one=$("$made" "$modules/one")
beside=$("$made" "$modules/beside" --inside 10000)
large=$("$made" "$modules/large" --failures 500)
node ci/report/page.mjs "$one" "$beside" "$large"
cargo build --locked --bin stillframe
node ci/report/review.mjs "$target/debug/stillframe" ${PICTURES:+"$PICTURES"}
