#!/usr/bin/env bash
# The report's page in a real browser: keys, filters, values, decisions, accessibility, opening time; then `stillframe review --web` with a
# project of its own, two tabs and strangers. Needs node, npm, git and Chromium (Debian: chromium).
# `PICTURES=FOLDER bash ci/steps/report.sh` leaves pictures of the page and of the review in FOLDER.
set -euo pipefail
for tool in node npm git; do
  command -v "$tool" >/dev/null || { echo "report: $tool is not installed (Debian: apt-get install nodejs npm git)" >&2; exit 1; }
done
CHROMIUM=${CHROMIUM:-$(command -v chromium || command -v chromium-browser || command -v google-chrome || true)}
[ -x "$CHROMIUM" ] || { echo "report: no browser ${CHROMIUM:-named chromium} (Debian: apt-get install chromium; elsewhere set CHROMIUM to its file)" >&2; exit 1; }
export CHROMIUM
target=${CARGO_TARGET_DIR:-$PWD/target}
modules=$target/report
mkdir -p "$modules" ${PICTURES:+"$PICTURES"}
if [ ! -d "$modules/node_modules/playwright-core" ] || [ ! -d "$modules/node_modules/axe-core" ]; then
  (cd "$modules" && npm install --silent --no-save --no-audit --no-fund playwright-core@1.65.1 axe-core@4.14.1)
fi
export REPORT_MODULES=$modules
# With the packages and the features of the step `test`, so that nothing is compiled twice.
cargo build --locked --example made_up_report --bin stillframe
made=$target/debug/examples/made_up_report
one=$("$made" "$modules/one")
beside=$("$made" "$modules/beside" --inside 10000)
large=$("$made" "$modules/large" --failures 500)
node ci/report/page.mjs "$one" "$beside" "$large"
node ci/report/review.mjs "$target/debug/stillframe"
